# SPDX-License-Identifier: GPL-2.0
"""Parts that compile and link the series with the configurations of tools/configs.

compile() compiles the files of the series that a configuration builds, and no other
file, with W=1.  Each warning is a failure, unless the unmodified tree gives the same
warning for the object with the same name.

link() compiles the same files, and then links vmlinux.  A warning is a failure unless
the stock kernel has the same warning.  For the comparison, link() compiles the source
files that have warnings in the stock tree, too.  If this does not give all warnings, or if
the link fails, link() also links stock's vmlinux.  With random options, link() links
vmlinux only if the kernel is small enough.
"""

import os
import re

import command
import configs
import contents
import paths
from project import BUILD, TOOLS
from result import FAIL, PASS, SKIP
from users import COMPLAINT, complaints, run

# Seeds of random configurations.
RANDOM = range(1, 51)
# A kernel with more options than this set to y takes too long to link.
SMALL = 1500

SOURCE = re.compile(r"(arch|fs|kernel|lib)/.*\.[cS]$")
# Programs for the build machine, and files that other files include.
ELSEWHERE = re.compile(r"arch/\w+/tools/|_selftest\.c$|_macros\.S$")
# The path of either tree at the start of a compiler message.
TREES = rf"^({re.escape(configs.BASE)}|{re.escape(BUILD)}/src|\.\./\.\./src)/"
# A message about a line of a source file, without the name of the tree.
IN_SOURCE = re.compile(r"([\w./-]+)\.[cS]:")
# Each configuration has kprobes or the probe engine, and so compiles one of these objects.
ALWAYS = {"kernel/kprobes/place.o", "kernel/trace/probe/define.o"}

# COMPLAINT does not match ld's message for an undefined symbol.
UNDEFINED = re.compile(r"undefined (?:reference to|symbol:) .*")
# Warnings about the base.  The stock tree does not have the first one, because only the series
# selects BPF without BPF_SYSCALL and NET.  The second one, about sh, belongs to no object.
ACCEPTED = re.compile(r"kernel/bpf/core\.c:.* directive argument is null|"
                      r"warning: #warning syscall \w+ not implemented")
UNMET = re.compile(r"^WARNING: unmet direct dependencies detected for (\w+)", re.M)


def objects(arch=None, directories=()):
    """Return the objects of the series, without those of other architectures.

    With @directories, return only objects in them.
    """
    inside = tuple(f"{d}/" for d in directories)
    files = contents.whole_series(configs.BASE)
    return sorted(path[:-2] + ".o" for path, (data, _) in files.items()
                  if data is not None and SOURCE.match(path)
                  and not ELSEWHERE.search(path)
                  and (not inside or path.startswith(inside))
                  and (arch is None or not path.startswith("arch/")
                       or path.startswith(f"arch/{arch}/")))


def of_kernel(text):
    """Return complaints() about the kernel's own code.

    Leave out scripts/, where Bison complains about grammars, and steps whose warnings
    are all ACCEPTED.
    """
    return {step: said for step, said in complaints(text).items()
            if not step.startswith("scripts/") and not all_accepted(said)}


def all_accepted(said):
    lines = [line for line in said if COMPLAINT.search(line)]
    return bool(lines) and all(map(ACCEPTED.search, lines))


def keep(name, text):
    with open(os.path.join(paths.RESULTS, name), "w") as f:
        f.write(text)


def normalized(said):
    """Return the complaints, without numbers and the name of the tree."""
    return {re.sub(r"\b(0x[0-9a-f]+|\d+)\b", "N", re.sub(TREES, "", line))
            for line in said if COMPLAINT.search(line)}


def stock_says(name, object_):
    """Return the complaints of the unmodified tree about one object."""
    source = os.path.join(configs.BASE, object_[:-2])
    if not object_.endswith(".o") or \
            not any(os.path.exists(source + end) for end in (".c", ".S")):
        return set()
    _, text = run([f"{TOOLS}/build/objects", "--stock", "--no-doc", name, object_])
    keep(f"compile-stock-{name}", text)
    return {line for said in complaints(text).values() for line in normalized(said)}


def kconfig(report, name):
    """Check that the series adds no select with unmet dependencies; return success."""
    log = os.path.join(paths.named(name), ".config-log")
    try:
        with open(log) as f:
            unmet = set(UNMET.findall(f.read()))
    except FileNotFoundError:
        report.add(FAIL, f"{name}: Kconfig writes .config")
        return False
    if unmet:
        stock = paths.named(name, stock=True)
        run([f"{TOOLS}/build/configure", configs.BASE, stock, name])
        with open(os.path.join(stock, ".config-log")) as f:
            unmet -= set(UNMET.findall(f.read()))
    if unmet:
        report.add(FAIL, f"{name}: no select has unmet dependencies",
                   " ".join(sorted(unmet)))
    return not unmet


def judge(report, name, bad):
    """Report complaints that stock does not give; return True if there are none."""
    fine = True
    for object_, said in bad.items():
        known = stock_says(name, object_) if normalized(said) else set()
        if normalized(said) and normalized(said) <= known:
            continue
        fine = False
        report.add(FAIL, f"{name} {object_}", "\n".join(said[-40:]))
    return fine


def one(report, config, directories=()):
    """Compile the series' files that a configuration builds.

    Return their objects, and whether all of them are known: not if the build fails.
    """
    name = config.name
    todo = objects(config.srcarch(), directories)
    status, text = run([f"{TOOLS}/build/objects", "--built", "--no-doc", name, *todo])
    keep(f"compile-{name}", text)
    if not kconfig(report, name):
        return set(), False
    try:
        with open(os.path.join(paths.named(name), "objects")) as f:
            wanted = f.read().split()
    except FileNotFoundError:
        wanted = []
    absent = [o for o in wanted if not os.path.exists(os.path.join(paths.named(name), o))]
    bad = of_kernel(text)
    fine = judge(report, name, bad)
    if fine and (status or absent or not ALWAYS & set(wanted)):
        fine = False
        report.add(FAIL, f"{name}: the build",
                   f"status {status}, not built: {' '.join(absent)}\n"
                   + "\n".join(text.splitlines()[-30:]))
    if fine:
        report.add(PASS, f"{name}: {len(wanted)} objects ({config.what})")
    return set(wanted), not status


def compile(report, only=None):
    os.makedirs(paths.RESULTS, exist_ok=True)
    made, failed = set(), []
    for config in configs.every("test"):
        if not only or only in config.name:
            some, known = one(report, config, config.directories)
            made |= some
            if not known:
                failed.append(config.name)
    if only:
        return
    left = set(objects()) - made
    name = "each file is compiled in some configuration"
    if left and failed:
        report.add(SKIP, name, f"it is not known, because a build failed: {', '.join(failed)}")
    else:
        report.add(FAIL if left else PASS, name, "\n".join(sorted(left)))


def link_one(report, config):
    name = config.name
    log = os.path.join(BUILD, "log", f"link-{name}")
    failed = command.build(f"vmlinux:{name}")
    if not kconfig(report, name):
        return
    with open(log, errors="replace") as f:
        text = f.read()
    ours = {line for said in of_kernel(text).values() for line in normalized(said)}
    ours |= set(UNDEFINED.findall(text))
    also = ", with warnings that stock has, too" if ours else ""
    for source in {m[1] for m in map(IN_SOURCE.match, ours) if m}:
        ours -= stock_says(name, f"{source}.o")
    if not failed and not ours:
        report.add(PASS, f"{name}: linked{also} ({config.what})")
        return
    stock_failed = command.build(f"stock-vmlinux:{name}")
    stock_log = os.path.join(BUILD, "log", f"link-stock-{name}")
    with open(stock_log, errors="replace") as f:
        text = f.read()
    ours -= {line for said in complaints(text).values() for line in normalized(said)}
    ours -= set(UNDEFINED.findall(text))
    if failed and stock_failed and not ours:
        report.add(SKIP, f"{name}: linked", "the stock kernel does not build, either")
    elif failed or ours:
        report.add(FAIL, f"{name}: linked", "\n".join(sorted(ours)) or failed)
    else:
        report.add(PASS, f"{name}: linked, with warnings that stock has, too "
                         f"({config.what})")


def small(name):
    with open(os.path.join(paths.named(name), ".config")) as f:
        return len(re.findall(r"^CONFIG_\w+=y$", f.read(), re.M)) <= SMALL


def link(report, only=None):
    os.makedirs(paths.RESULTS, exist_ok=True)
    for config in configs.every("configs"):
        if not only or only in config.name:
            one(report, config)
            link_one(report, config)
    for seed in RANDOM:
        config = configs.Config(f"random-{seed}")
        if not only or only in config.name:
            if one(report, config)[0] and small(config.name):
                link_one(report, config)
