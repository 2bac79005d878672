# SPDX-License-Identifier: GPL-2.0
"""Tests of rules of the tools: of tools/build, tools/bench, and the parts of tools/ci/run.

tables.py has those of tools/configs.
"""

import os
import re
import runpy
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from unittest import mock

import command
import compiles
import configs
import kernels
import ktap
import lint
import quick
import tables
from project import REPO, TOOLS
from result import FAIL, PASS, SKIP, times


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


def aborts(directory):
    """An interrupt ends the commands of all threads, and no command starts after it.

    A build can tidy up.
    """
    calls = command.run, command.show
    with mock.patch.object(command, "_aborted", threading.Event()), \
            ThreadPoolExecutor(2) as pool:
        hangs = [pool.submit(call, ["bash", "-c", f"trap 'touch {directory}/tidy; exit' TERM;"
                                    f"touch {directory}/{call.__name__};"
                                    "sleep 60 & wait"], 50) for call in calls]
        while not all(os.path.exists(f"{directory}/{call.__name__}") or hang.done()
                      for call, hang in zip(calls, hangs)):
            time.sleep(0.01)
        command.abort()
        for command_ in *hangs, pool.submit(command.run, ["true"], 1):
            if not isinstance(command_.exception(), RuntimeError):
                yield f"a command has the result {command_.result()}"
    if not os.path.exists(f"{directory}/tidy"):
        yield "a build could not tidy up"


def one_build(directory):
    """While something is built in a clone, the base cannot change."""
    with kernels.alone():
        status, text = command.run([f"{TOOLS}/build/build", "base"], 5)
    if status != "timeout" or text != "build: waiting for another build in this clone\n":
        yield f"{status}: {text}"


def modules(directory):
    """Modules are installed again if one of them is newer, or if the list is."""
    kernel = kernels.Kernel("main", directory)
    for path, text in ("include/config/kernel.release", "6.12"), ("a/m.ko", ""), \
            ("modules.order", "a/m.o\n"), ("modroot/lib/modules/6.12/modules.dep", ""):
        os.makedirs(os.path.dirname(f"{kernel.obj}/{path}"), exist_ok=True)
        with open(f"{kernel.obj}/{path}", "w") as f:
            f.write(text)
        os.utime(f"{kernel.obj}/{path}", (1, 1))

    def newest(path):
        now[0] += 1
        os.utime(f"{kernel.obj}/{path}", (now[0], now[0]))
        return kernel.modules_installed()

    now = [1]
    installed = "modroot/lib/modules/6.12/modules.dep"
    for path, expected in (installed, True), ("a/m.ko", False), (installed, True), \
            ("modules.order", False), (installed, True):
        if newest(path) != expected:
            yield f"{path} is the newest: {not expected}"
    os.unlink(f"{kernel.obj}/{installed}")
    if kernel.modules_installed():
        yield f"without {installed}"


INCLUDES = {
    "k/a/x.h": "",
    "k/a/y.h": '#include "x.h"',
    "include/linux/x.h": "",
    "k/a/w.c": '#if 0\n#include "y.h"\n#endif',
    "k/a/b/s.c": '#include "../y.h"',
    "k/a/b/t.c": '#include "../x.h"',
    "k/c/u.c": '# include "a/x.h"\n#include <linux/x.h>',
    "k/c/v.c": "#include <linux/x.h>",
    "k/c/x.c": "#include <linux/x.h>",
    "k/c/w.c": '#include "x.h"\n#include "a/y.h"',
    "k/a/z.c": '// #include "x.h"',
}
USERS = {
    "k/a/x.h": "k/a/w.c k/a/b/t.c k/c/u.c k/a/b/s.c k/c/w.c",
    "k/a/y.h": "k/a/w.c k/a/b/s.c k/c/w.c",
    "include/linux/x.h": "k/c/x.c k/c/u.c k/c/v.c k/c/w.c",
}


def headers(directory):
    """The users of a header are known; those in its folder are first."""
    names = {path for path in INCLUDES if path.endswith(".h")}
    includes = {path: quick.included(path, text, names) for path, text in INCLUDES.items()}
    for header, expected in USERS.items():
        got = " ".join(quick.users(header, includes))
        if got != expected:
            yield f"{header}: {got}"
    for built, expected in (False, 0), (True, quick.MOST):
        with mock.patch("os.path.exists", lambda _: built):
            got = quick.users_of_changes(["README.md", "include/linux/kprobes.h"], directory)
        if len(got) != expected:
            yield f"all files are built: {built}, checked: {got}"


def bench(directory):
    """Published times are measured on an idle machine."""
    with mock.patch.object(sys, "path", [f"{TOOLS}/bench", *sys.path]):
        run = runpy.run_path(f"{TOOLS}/bench/run")
    for load, options, refused in (1.1, "--write", True), (1, "--write", False), \
            (9, "", False), (9, "--write --no-sets", False), (9, "--write --arch arm64", False):
        with mock.patch.object(sys, "argv", ["run", *options.split()]):
            args = run["parse_args"]()
        if bool(run["refusal"](args, load)) != refused:
            yield f"load {load}, {options}: refused: {not refused}"


def architectures(directory):
    """Other architectures are refused before anything is installed."""
    boot = {c.arch for c in configs.every("test-configs") if c.name == f"boot-{c.arch}"}
    with open(f"{REPO}/Makefile") as f:
        listed = re.search(r"^ARCHITECTURES = (.*)", f.read(), re.M)[1]
    if boot != set(listed.split()):
        yield f"tools/configs has {boot}"
    for arch in "arm", "kcsan", "arm64 i386":
        status, text = command.run(["make", "-C", REPO, "test-arch", f"ARCH={arch}"], 10)
        if status != 2 or f"*** ARCH={arch}: choose one of {listed}" not in text:
            yield f"ARCH={arch}: status {status}, {text}"


def parts(directory):
    """The times of several parts are shown once more."""
    for seconds, expected in ([], ""), ([("host", 1.6)], ""), \
            ([("host", 1.6), ("lint", 60)], "times: host 2 s, lint 60 s"):
        if (got := times(seconds)) != expected:
            yield f"{seconds}: {got}"


def uncompiled(directory):
    """A file that no configuration compiles is reported, unless a build failed."""
    every = [SimpleNamespace(name=name, directories=[]) for name in ("x", "y")]
    for made, verdict in ({"x": ({"a.o"}, True), "y": ({"b.o"}, True)}, PASS), \
            ({"x": ({"a.o"}, True), "y": (set(), True)}, FAIL), \
            ({"x": ({"a.o"}, True), "y": (set(), False)}, SKIP), \
            ({"x": ({"a.o"}, True), "y": ({"b.o"}, False)}, PASS):
        report = mock.Mock()
        with mock.patch.object(compiles, "one", lambda _, config, __: made[config.name]), \
                mock.patch.object(compiles, "objects", lambda: ["a.o", "b.o"]), \
                mock.patch.object(configs, "every", lambda _: every):
            compiles.compile(report)
        if [call.args[0] for call in report.add.mock_calls] != [verdict]:
            yield f"{made}: {report.add.mock_calls}"


# Outputs of programs, and the results that are read.  A detail is in one line here, and ends
# with the name of a program or suite.
OUTPUTS = {
    "TAP version 13\n1..2\nok 1 a\n# why\nnot ok 2 - b # note\n":
        ["pass a", "FAIL b: why []"],
    "1..1\nok 1 a # SKIP no BTF\n": ["skip a: no BTF"],
    "ok 1 a\n1..1\n": ["pass a"],
    "1..3\nok 1 a\nlast words\n":
        ["pass a", "FAIL all results are printed: 3 results planned, 1 printed last words []"],
    "ok 1 a\n": ["pass a", "FAIL all results are printed: no plan, 1 results []"],
    "1..1\nBail out! no memory\n":
        ["FAIL all results are printed: bailed out: no memory 1 results planned, 0 printed []"],
    "1..0\n": ["FAIL all results are printed: no results []"],
    "1..1\n    # Subtest: suite\n    1..2\n    ok 1 a\n    not ok 2 b\nnot ok 1 suite\n":
        ["pass suite: a", "FAIL suite: b: [suite]"],
    "1..1\n    # Subtest: suite\n    1..1\n    ok 1 a\nnot ok 1 suite\n":
        ["pass suite: a", "FAIL suite: []"],
    "1..1\n    # Subtest: suite\n    1..2\n    ok 1 a\nok 1 suite\n":
        ["pass suite: a", "FAIL all results are printed: 2 results planned, 1 printed []"],
    "# Subtest: x\n1..1\nok 1 a\n# Subtest: y\n1..1\nnot ok 1 b\n":
        ["pass x: a", "FAIL y: b: [y]"],
    "": ["FAIL results are printed: []"],
    "Segmentation fault\n": ["FAIL results are printed: Segmentation fault []"],
}


def results(directory):
    """The results of programs are read; missing ones are a failure."""
    for text, expected in OUTPUTS.items():
        report = mock.Mock()
        failed = ktap.add(report, "", text, where=lambda name: f"[{name}]")
        got = [f"{verdict} {name}" + (f": {' '.join(detail.split())}" if detail else "")
               for verdict, name, detail, *_ in
               (call.args for call in report.add.mock_calls)]
        if got != expected:
            yield f"{text!r}: {got}"
        # The exit status of a program counts unless a test failed.
        if failed != ("not ok" in text):
            yield f"{text!r}: failed: {failed}"


def objects(directory):
    """A source whose object the Makefile of its folder does not name is reported."""
    files = ["kernel/a/x.c", "kernel/a/y.c", "kernel/a/ax.c", "kernel/a/z.S", "kernel/a/x.h",
             "arch/x86/tools/t.c", "samples/s.c"]
    got = lint.unnamed(files, lambda folder: "obj-y += x.o\nobj-$(CONFIG_Z) += z.o ax.o.o\n")
    if got != ["kernel/a/y.c", "kernel/a/ax.c"]:
        yield " ".join(got)
    got = lint.unnamed(["kernel/kprobes/arm.c", "kernel/kprobes/none.c", "kernel/none/x.c"],
                       lint.makefile)
    if got != ["kernel/kprobes/none.c", "kernel/none/x.c"]:
        yield " ".join(got)


RULES = {
    "a build ends at its time limit": limits,
    "an interrupt ends the commands of all threads": aborts,
    "the modules of the last build are installed": modules,
    "sparse checks the users of a changed header": headers,
    "--write of tools/bench/run needs an idle machine": bench,
    "make test-arch knows the architectures": architectures,
    "the times of several parts": parts,
    "the results of programs": results,
    "a file that no Makefile names": objects,
    "a file that no configuration compiles": uncompiled,
    "builds in a clone run one after the other": one_build,
}


def rules(report):
    tables.tables(report)
    for name, test in RULES.items():
        with tempfile.TemporaryDirectory() as directory:
            wrong = "\n".join(test(directory))
        report.add(FAIL if wrong else PASS, name, wrong)
