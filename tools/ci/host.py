# SPDX-License-Identifier: GPL-2.0
"""Part: tests that need no kernel and run on the host.

First, series/series writes the patches and applies them, and tools/build/setup runs
without a program that it must look for.  Then programs that print KTAP compare the lexer,
parser, layout, code generator and instruction decoder with golden cases, compare the
decoder with Zydis, and run the generator of the decoder's tables on invalid opcode maps.
The fuzzers of the parser and the decoder also run for a short time.
"""

import os
import tempfile

import command
import ktap
import paths
from project import BUILD, REPO, TOOLS
from result import FAIL, PASS

# Seconds, with the wait for another part's build.
LIMIT = 1500
# An identity for git, which may have no user configured.
GIT_IDENTITY = {"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "user.name",
                "GIT_CONFIG_VALUE_0": "make test", "GIT_CONFIG_KEY_1": "user.email",
                "GIT_CONFIG_VALUE_1": "test@localhost"}


def make(where, target, log):
    """Run one target; return its output, and the reason if it failed."""
    status, text = command.run(["make", "-C", os.path.join(REPO, where), target,
                                f"TREE={BUILD}/src",
                                f"OUT={BUILD}/host-{os.path.basename(where)}"], LIMIT)
    with open(log, "w") as f:
        f.write(text)
    if not status:
        return text, ""
    tail = "\n".join(text.splitlines()[-60:])
    return text, f"status {status}\n{tail}"


def compile(report, where, target, log):
    """Run a target that compiles something; it counts as one test."""
    _, failure = make(where, target, log)
    report.add(FAIL if failure else PASS, f"make -C {where} {target}", failure)


def check(report, where, target, log):
    """Run a target that runs test programs, and add their results to the report."""
    name = f"make -C {where} {target}"

    def file_of(program):
        for path in f"{where}/{program}", f"{where}/{program}.c":
            if os.path.isfile(f"{REPO}/{path}"):
                return path
        return f"{where}/Makefile"

    text, failure = make(where, target, log)
    if not ktap.add(report, f"{name}: ", text, quiet=True, where=lambda program:
                    f"file: {file_of(program)}\nlog: {os.path.relpath(log, REPO)}") and failure:
        report.add(FAIL, name, failure)


def series(report):
    """Check that each file is in one patch, and that git am applies each topic."""
    status, text = command.run([f"{REPO}/series/series", "--test"], LIMIT,
                               env={**os.environ, **GIT_IDENTITY})
    report.add(FAIL if status else PASS, "the topics apply to the base", text)


def setup(report):
    """Check that setup names a program that is missing although its package is there."""
    with tempfile.TemporaryDirectory() as path:
        for name in set(os.listdir("/usr/bin")) - {"mount"}:
            os.symlink(f"/usr/bin/{name}", f"{path}/{name}")
        status, text = command.run([f"{TOOLS}/build/setup", "run"], LIMIT,
                                   env={**os.environ, "PATH": path})
    good = status == 1 and text.strip() == "build: missing programs: mount"
    report.add(PASS if good else FAIL, "setup names a missing program", text)


def some(report, names):
    """Run the tests of some directories below tools/testing."""
    os.makedirs(paths.RESULTS, exist_ok=True)
    for name in names:
        # The programs of kprobes run only in a guest.
        how, target = (compile, "program") if name == "kprobes" else (check, "check")
        how(report, f"tools/testing/{name}", target,
            os.path.join(paths.RESULTS, f"host-{name}-{target}"))


def host(report):
    os.makedirs(paths.RESULTS, exist_ok=True)
    series(report)
    setup(report)
    for name in ("probe", "insn"):
        some(report, [name])
        check(report, f"tools/testing/{name}", "fuzz-quick",
              os.path.join(paths.RESULTS, f"host-{name}-fuzz-quick"))
