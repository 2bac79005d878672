# SPDX-License-Identifier: GPL-2.0
"""Part: tests that need no kernel and run on the host.

Lexer, parser, layout, code generator and the instruction decoder against golden
cases, the decoder against another one, the generator of its tables on invalid maps,
and a short run of the fuzzers.  Each prints its own 'N passed, N failed'.  Before
them, the patches of the series are written and applied.
"""

import os
import re
import subprocess

import paths
from project import REPO
from result import FAIL, PASS

LIMIT = 600
# For git, on a machine where it does not know its user.
NO_ONE = {"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "user.name",
          "GIT_CONFIG_VALUE_0": "make test", "GIT_CONFIG_KEY_1": "user.email",
          "GIT_CONFIG_VALUE_1": "test@localhost"}
SUMMARY = re.compile(r"\b(\d+) passed, (\d+) failed")


def make(report, where, target, log):
    """Run one target and add its counts to the report."""
    name = f"make -C {where} {target}"
    try:
        done = subprocess.run(["make", "-C", os.path.join(REPO, where), target],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=LIMIT)
        text, status = done.stdout, done.returncode
    except subprocess.TimeoutExpired as e:
        text, status = (e.stdout or b"").decode(errors="replace"), "timeout"
    with open(log, "w") as f:
        f.write(text)
    counted = SUMMARY.findall(text)
    passed = sum(int(p) for p, _ in counted)
    failed = sum(int(f) for _, f in counted)
    report.add_many(PASS, passed, name)
    report.add_many(FAIL, failed, name)
    report.say(f"  {name}: {passed} passed, {failed} failed")
    if failed or status:
        tail = "\n".join(text.splitlines()[-60:])
        if failed:
            report.say(tail)
        else:
            report.add(FAIL, name, f"status {status}\n{tail}")
    elif not counted:
        report.add(PASS, name)


def series(report):
    """Each file and edit is in a patch, and git am applies each topic to the base."""
    done = subprocess.run([f"{REPO}/series/series"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=LIMIT,
                          env={**os.environ, **NO_ONE})
    report.add(FAIL if done.returncode else PASS, "the topics apply to the base",
               done.stdout)


def host(report):
    os.makedirs(paths.RESULTS, exist_ok=True)
    series(report)
    for what in ("probe", "insn"):
        for target in ("check", "fuzz-quick"):
            make(report, f"tools/testing/{what}", target,
                 os.path.join(paths.RESULTS, f"host-{what}-{target}"))
