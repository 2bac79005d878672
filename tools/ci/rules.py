# SPDX-License-Identifier: GPL-2.0
"""Tests of rules of the tools: of tools/build, tools/bench, and the parts of tools/ci/run."""

import os
import tempfile
import time
from unittest import mock

import command
import kernels
from project import TOOLS
from result import FAIL, PASS


def limits(directory):
    """A command that hangs can tidy up when its time ends, but cannot go on for longer."""
    tidy, late = f"{directory}/tidy", f"{directory}/late"
    hangs = f"trap 'touch {tidy}; exit' TERM; sleep 60 & wait"
    survives = f"(trap '' TERM; sleep 2; touch {late}) & wait"
    for script, expected in ("exit 0", ""), ("exit 3", "status 3"), \
            (hangs, "not finished after 1 s"), (survives, "not finished after 1 s"):
        with mock.patch.object(command, "GRACE", 1):
            got = command.show(["bash", "-c", script], 1)
        if got != expected:
            yield f"{script}: {got}"
    time.sleep(2)
    if not os.path.exists(tidy) or os.path.exists(late):
        yield f"left: {os.listdir(directory)}"


def one_build(directory):
    """While something is built in a clone, the base cannot change."""
    with kernels.alone():
        status, text = command.run([f"{TOOLS}/build/build", "base"], 3)
    if status != "timeout" or text != "build: waiting for another build in this clone\n":
        yield f"{status}: {text}"


RULES = {
    "a build ends at its time limit": limits,
    "builds in a clone run one after the other": one_build,
}


def rules(report):
    for name, test in RULES.items():
        with tempfile.TemporaryDirectory() as directory:
            wrong = "\n".join(test(directory))
        report.add(FAIL if wrong else PASS, name, wrong)
