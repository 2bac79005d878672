# SPDX-License-Identifier: GPL-2.0
"""Parts with tests that are shell scripts.  Each script runs in a guest of its own.

clients/  real programs on our kernel: perf, trace-cmd, bpftrace, bcc, ...
boot/     tests of kernel parameters, boot configurations and lockdown

Comment lines at the head of a script describe it:

    # description: the tested behaviour
    # append: kernel parameters
    # bootconfig: file, with its path relative to the script's directory
    # timeout: seconds (300)
    # allow: regular expression for kernel messages that do not count as a failure
    # guests: 2, if the script runs in two guests at once, 10.0.0.1 and 10.0.0.2, with
    #         MACHINE=1 and MACHINE=2

A script sources lib.sh, whose functions print the result of each check as KTAP.
"""

import functools
import glob
import os
import re
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import paths
from project import REPO, TOOLS

HERE = f"{TOOLS}/ci"

_compiling = threading.Lock()


def read_head(path):
    """Return the '# key: value' lines of a script as {key: [values]}."""
    found = {}
    with open(path) as f:
        for line in f:
            if not line.startswith("#"):
                break
            match = re.match(r"# (\w+): (.*)", line)
            if match:
                found.setdefault(match[1], []).append(match[2].strip())
    return found


@functools.cache
def _compile_programs():
    out = os.path.join(paths.RESULTS, "bin")
    os.makedirs(out, exist_ok=True)
    for source in [*sorted(glob.glob(f"{HERE}/progs/*.c")),
                   f"{TOOLS}/bench/sleepers.c", f"{TOOLS}/bench/stall.c"]:
        name = os.path.splitext(os.path.basename(source))[0]
        subprocess.run(["gcc", "-O1", "-Wall", "-pthread", "-o", f"{out}/{name}", source],
                       check=True)
    return out


def build_programs():
    """Compile the programs that the scripts trace or use; return their directory.

    Two parts may call this at the same time.
    """
    with _compiling:
        return _compile_programs()


def run_one(report, guests, kernel, part, path, programs):
    """Run a script in one guest, or in two if its head requires this."""
    name = os.path.splitext(os.path.basename(path))[0]
    head = read_head(path)
    if head.get("guests") != ["2"]:
        one_guest(report, guests, kernel, part, name, path, head, programs)
        return
    with tempfile.TemporaryDirectory(prefix="net-") as net, ThreadPoolExecutor() as pool:
        for each in [pool.submit(one_guest, report, guests, kernel, part,
                                 f"{name}-{number}", path, head, programs,
                                 number, f"{number}:{net}/socket") for number in (1, 2)]:
            each.result()


def one_guest(report, guests, kernel, part, name, path, head, programs,
              number=1, net=None):
    config = [os.path.join(os.path.dirname(path), c)
              for c in head.get("bootconfig", [])]
    done = guests.run(f"{part}-{name}", kernel, f"bash {path}",
                      int(head.get("timeout", ["300"])[0]),
                      append=head.get("append", []),
                      bootconfig=config[0] if config else None,
                      allow=head.get("allow", []),
                      env=[f"PROGRAMS={programs}", f"KERNEL={kernel}",
                           f"MACHINE={number}"], net=net)
    done.add_results(report, f"{part}/{name}: ",
                     lambda _: os.path.relpath(path, REPO))


def names():
    """Return the names of all scripts: PART/NAME."""
    return {os.path.relpath(path, HERE).removesuffix(".sh") for part in ("clients", "boot")
            for path in glob.glob(f"{HERE}/{part}/*.sh")}


def run_named(report, guests, kernel, name):
    """Run one script, PART/NAME."""
    guests.submit(run_one, report, guests, kernel, os.path.dirname(name),
                  f"{HERE}/{name}.sh", build_programs()).result()


def run_all(report, guests, kernel, part, only=None):
    programs = build_programs()
    todo = [guests.submit(run_one, report, guests, kernel, part, path, programs)
            for path in sorted(glob.glob(f"{HERE}/{part}/*.sh"))
            if not only or only in os.path.basename(path)]
    for t in todo:
        t.result()
