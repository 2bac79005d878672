# SPDX-License-Identifier: GPL-2.0
"""Part: the packages of 'make deb', installed in a Debian system that boots with systemd.

deb.sh runs there, and prints its results as KTAP.
"""

import glob
import os
import subprocess

import ktap
import paths
from project import BUILD, REPO, TOOLS
from result import FAIL

SCRIPT = "tools/ci/deb.sh"
LIMIT = 1800        # seconds


def deb(report):
    where = os.path.join(paths.RESULTS, "deb")
    packages = sorted(glob.glob(f"{BUILD}/deb/*.deb"), reverse=True)
    subprocess.run([f"{TOOLS}/vm/disk", where, SCRIPT, *packages], check=True, stdout=2)
    done = subprocess.run([f"{TOOLS}/vm/system", "--timeout", str(LIMIT), where],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace")
    with open(f"{where}/output", "w") as f:
        f.write(done.stdout)
    failed = ktap.add(report, "deb: ", done.stdout)
    if done.returncode and not failed:
        report.add(FAIL, "deb: the system boots and turns itself off",
                   f"{done.stderr}\n(log: {os.path.relpath(where, REPO)}/log)")
