# SPDX-License-Identifier: GPL-2.0
"""Describe the compared kernels, and warn if the comparison is not fair."""

import re
import subprocess

from project import GIT

# Options that affect the cost of a hit most.
SHOWN_OPTIONS = ["CC_VERSION_TEXT", "CC_OPTIMIZE_FOR_PERFORMANCE", "PREEMPT", "HZ", "SMP",
                 "X86_KERNEL_IBT", "CALL_PADDING", "KPROBES_ON_FTRACE", "OPTPROBES",
                 "DEBUG_PREEMPT", "PROVE_LOCKING", "KASAN"]
# With a higher load average, measured times are not reliable.
MOST_LOAD = 1


def options(kernel):
    """Return the .config of a kernel; an option that is not set has the value 'n'."""
    found = {}
    try:
        with open(f"{kernel}/.config") as f:
            for line in f:
                if m := re.match(r"CONFIG_(\w+)=(.*)|# CONFIG_(\w+) is not set", line):
                    found[m[1] or m[3]] = m[2] or "n"
    except OSError:
        pass
    return found


def output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def package(repo):
    """Return name and version of the base's package."""
    with open(f"{repo}/series/base") as f:
        name = re.search(r"^BASE_PACKAGE=(\S+)", f.read(), re.M)[1]
    return f"{name} {output('dpkg-query', '-W', '-f', '${Version}', name)}".strip()


def some(names, most=6):
    """Return the names, or the first few and the number of others."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def collect(repo, target, hits, sets):
    config = {name: options(path) for name, path in target.kernels.items()}
    stock, ours = config["stock"], config["ours"]
    commit = output(*GIT, "rev-parse", "--short", "HEAD")
    if output(*GIT, "status", "--porcelain", "-uno"):
        commit += " with local changes"
    return {
        "base": package(repo),
        "commit": commit,
        "release": {n: h.get("release") for n, h in hits.items()},
        "jit": {n: h.get("jit") for n, h in hits.items()},
        "load": {n: s.get("load", 0) for n, s in sets.items()},
        "inside": {n: h.get("inside") for n, h in hits.items()},
        "config name": target.config,
        "config": {o: stock.get(o, "n") for o in SHOWN_OPTIONS},
        # Options that exist in only one kernel come from the series.
        "differ": sorted(o for o in stock.keys() & ours.keys() if stock[o] != ours[o]),
        "ours_only": sorted(o for o in ours.keys() - stock.keys() if ours[o] != "n"),
    }


def notes(about):
    """Return the notes below the tables, with warnings."""
    config = about["config"]
    on = [o for o in SHOWN_OPTIONS[1:] if config[o] == "y"]
    off = [o for o in SHOWN_OPTIONS[1:] if config[o] == "n"]
    releases = sorted(set(filter(None, about["release"].values())))
    lines = [
        f"base: {about['base']} ({', '.join(releases)}); series at {about['commit']}",
        f"config of both ({about['config name']}): {', '.join(on)}, HZ={config['HZ']};"
        f" off: {', '.join(off)}",
        f"compiler: {config['CC_VERSION_TEXT'].strip(chr(34))}",
    ]
    if about["ours_only"]:
        lines.append(f"only in ours: {some(about['ours_only'])}")
    if about["differ"]:
        lines.append(f"WARNING: the configs differ in {some(about['differ'])}")
    if any(v != "1" for v in about["jit"].values() if v):
        lines.append("WARNING: the BPF JIT is off (net.core.bpf_jit_enable)")
    if busy := [f"{n} {v:.1f}" for n, v in about["load"].items() if v > MOST_LOAD]:
        lines.append("WARNING: the machine was busy, the times are not reliable"
                     f" (load {', '.join(busy)})")
    places = set(filter(None, about["inside"].values()))
    if places:
        lines.append(f"'inside' is {' and '.join(sorted(places))}")
    if len(places) > 1:
        lines.append("WARNING: 'inside' is not the same place in both")
    return lines
