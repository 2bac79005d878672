# SPDX-License-Identifier: GPL-2.0
"""Part: the packages of 'make deb', installed in a Debian system that boots with systemd.

deb.sh runs in that system, and prints its results as KTAP.
"""

import glob
import os
import subprocess

import command
import ktap
import paths
from guests import COMPLAINED
from project import BUILD, REPO, TOOLS
from result import FAIL

SCRIPT = "tools/ci/deb.sh"
LIMIT = 1800        # seconds


def deb(report, patience=1):
    where = os.path.join(paths.RESULTS, "deb")
    if failed := command.build("deb"):
        report.add(FAIL, "deb: the packages can be built", failed)
        return
    packages = sorted(glob.glob(f"{BUILD}/deb/*.deb"), reverse=True)
    subprocess.run([f"{TOOLS}/vm/disk", where, SCRIPT, *packages], check=True, stdout=2)
    done = subprocess.run([f"{TOOLS}/vm/system", "--timeout", str(LIMIT * patience), where],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace")
    for name, text in ("stdout", done.stdout), ("stderr", done.stderr):
        with open(f"{where}/{name}", "w") as f:
            f.write(text)
    failed = ktap.add(report, "deb: ", done.stdout)
    if done.returncode == COMPLAINED or (done.returncode and not failed):
        report.add(FAIL, "deb: the system boots and turns itself off",
                   f"status {done.returncode}\n{done.stderr}\n"
                   f"(log: {os.path.relpath(where, REPO)}/log)")
