# SPDX-License-Identifier: GPL-2.0
"""Part: what an edit of a few lines can break, in about three minutes ('make quick').

The changed files are those that differ from the commit at which the current branch left
origin/main; without that branch, from the last commit.  Files that are not committed
count, too.  If no file differs, all of TESTS runs.

The linters check the changed files; sparse also checks files that include a changed header.
TESTS maps the changed files to host programs, KUnit suites, self-tests and the tests of the
tools' rules; a self-test that changed runs, too.  'make test' runs everything.
"""

import fnmatch
import glob
import itertools
import math
import os
import re
import subprocess
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

import contents
import host
import kselftest
import kunit
import lint
import paths
from project import GIT, REPO
from result import FAIL, PASS

UPSTREAM = "origin/main"

# sparse checks at most so many files only because they include a changed header: an error
# in a header shows in most of its users, and 'make lint' checks all.
MOST = 10
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)

# For files that match one of the patterns ('*' also matches '/'): host programs below
# tools/testing, a pattern for the names of KUnit suites, self-tests, and whether the rules
# of the tools are tested.
Row = namedtuple("Row", "files host suites cases tools", defaults=(False,))

# The first row that matches a file is used.
TESTS = (
    Row("kernel/trace/probe/lex* kernel/trace/probe/parse* kernel/trace/probe/arena*"
        " kernel/trace/probe/ast.h kernel/trace/probe/err* kernel/trace/probe/replace.c",
        "probe", "probe_*",
        "kprobe/kprobe_bad_input kprobe/kprobe_names"),
    Row("kernel/trace/probe/*predicate* kernel/trace/probe/match.c",
        "probe", "probe_*", "dynevent/predicate_hits dynevent/predicate_errors"),
    Row("kernel/trace/probe/*formula* kernel/trace/probe/calculate.h"
        " kernel/trace/probe/parse_operator.c",
        "probe", "probe_*", "dynevent/operators dynevent/operator_errors"),
    Row("fs/*", "", "probe_paths", "dynevent/probe_paths"),
    Row("kernel/trace/probe/*view* kernel/trace/probe/names.* kernel/trace/probe/btf_enum.c",
        "probe", "probe_*", "dynevent/probe_views dynevent/probe_view_errors"),
    Row("kernel/trace/probe/limits.c kernel/trace/probe/spent.c",
        "", "probe_limits", "dynevent/event_limits"),
    Row("kernel/trace/probe/filter.c",
        "", "probe_filter", "dynevent/event_filters kprobe/kprobe_filter"),
    Row("kernel/trace/probe/*",
        "probe", "probe_*",
        "kprobe/kprobe_args_registers kprobe/kprobe_fault_mixed kprobe/kprobe_format"),
    Row("kernel/trace/kprobe/*",
        "probe", "probe_*",
        "kprobe/kprobe_duplicate kprobe/kprobe_soft_disable kprobe/kprobe_profile_counts"),
    Row("kernel/trace/fprobe/*",
        "", "probe_*", "dynevent/fprobe_pattern event/tprobe_enable"),
    Row("kernel/trace/eprobe/*",
        "", "probe_*", "dynevent/eprobe_instances dynevent/eprobe_error_texts"),
    Row("kernel/trace/uprobe/*",
        "probe", "probe_*",
        "dynevent/uprobe_args dynevent/uprobe_error_texts dynevent/uprobe_users"),
    Row("kernel/trace/wprobe/*",
        "probe", "probe_*", "dynevent/wprobe_hits dynevent/wprobe_triggers"),
    Row("kernel/trace/rethook* include/linux/rethook.h arch/x86/kernel/rethook.c",
        "", "*", "kprobe/kretprobe_values kprobe/kprobe_stacktrace"),
    Row("kernel/kprobes/* include/linux/kprobes.h",
        "", "kprobes_*", "kprobe/kprobe_raw_address kprobe/kprobe_refusals"),
    Row("arch/x86/lib/* arch/x86/tools/* arch/x86/include/asm/in*",
        "insn", "kprobes_x86_*", "kprobe/kprobe_raw_address"),
    Row("arch/x86/include/asm/copy_words.h include/asm-generic/copy_words.h",
        "probe", "probe_*", "kprobe/kprobe_args_registers kprobe/kprobe_fault_mixed"),
    Row("arch/x86/*",
        "", "kprobes_x86_*", "kprobe/kprobe_raw_address kprobe/kprobe_stacktrace"),
    Row("tools/testing/probe/*", "probe", "", ""),
    Row("tools/testing/insn/*", "insn", "", ""),
    Row("tools/testing/kprobes/*", "kprobes", "", ""),
    # Functions that several self-tests share.
    Row("tools/testing/selftests/ftrace/test.d/kprobe/functions", "", "",
        "kprobe/kprobe_duplicate kprobe/kprobe_refusals"),
    # Other self-tests cannot break.
    Row("tools/testing/selftests/*", "", "", ""),
    # No quick test depends on these.
    Row("*.md *.rst Documentation/* COPYING samples/* series/messages/* series/checkpatch"
        " tools/bench/* tools/configs/* tools/ci/clients/* tools/ci/boot/*", "", "", ""),
    # The programs that build, boot and test the kernel: each kind of test uses some of them.
    Row("tools/ci/* tools/build/* tools/vm/* tools/project.*",
        "probe", "*", "kprobe/kprobe_args_registers kprobe/kprobe_names", True),
    # The kernel outside of our folders.
    Row("*", "probe", "*", "kprobe/kprobe_args_registers kprobe/kprobe_names"),
)


def git(*args):
    return subprocess.run([*GIT, *args], text=True, capture_output=True)


def changed(since):
    """Return the paths of changed files; raise an exception if git fails."""
    if not since:
        fork = git("merge-base", "HEAD", UPSTREAM)
        since = "HEAD" if fork.returncode else fork.stdout.strip()
    found = set()
    for args in (("diff", "--name-only", since, "--"),
                 ("ls-files", "-o", "--exclude-standard")):
        done = git(*args)
        if done.returncode:
            raise RuntimeError(f"git {' '.join(args)}: {done.stderr.strip()}")
        found |= set(done.stdout.splitlines())
    return sorted(found)


def matches(path, patterns):
    return any(fnmatch.fnmatchcase(path, p) for p in patterns.split())


def rows(files):
    """Return the rows of TESTS for some files, without repetitions."""
    return [row for row in TESTS
            if any(row is next(r for r in TESTS if matches(f, r.files)) for f in files)]


def words(texts):
    """Return the words of some texts, sorted, without repetitions."""
    return sorted({word for text in texts for word in text.split()})


def suites(chosen):
    """Return one pattern for the KUnit suites of some rows: '*' for different patterns."""
    patterns = words(row.suites for row in chosen)
    return patterns[0] if len(patterns) == 1 else "*" if patterns else ""


def check_table(report):
    """Check that all tests that TESTS names exist, and that each row can be used."""
    names = " ".join(kunit.SUITES.values()).split()
    missing = [f"{case}.tc" for case in words(row.cases for row in TESTS)
               if not os.path.exists(f"{kselftest.OUR_TESTS}/{case}.tc")]
    missing += [f"suites {pattern}" for pattern in words(row.suites for row in TESTS)
                if not fnmatch.filter(names, pattern)]
    missing += [f"files {pattern}" for pattern in words(row.files for row in TESTS)
                if not glob.glob(f"{REPO}/{pattern}") and not pattern.startswith("*")]
    report.add(FAIL if missing else PASS, "the tests and files of 'make quick' exist",
               "\n".join(missing))


def included(path, text, names):
    """Return the files among @names that a file includes, also if an #if excludes them."""
    found = set()
    for name in INCLUDE.findall(text):
        beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
        found |= {beside} if beside in names else {n for n in names if n.endswith(f"/{name}")}
    return found


def in_turn(lists):
    """Return the first item of each list, then the second one of each list, and so on."""
    return [item for turn in itertools.zip_longest(*lists) for item in turn if item]


def users(header, includes):
    """Return the C files that include a header, directly or through other headers.

    @includes has the files that each file includes.  The files of the header's own folder
    are first, because they define its functions.  Then the other folders take turns.
    In each folder, a file with the header's name is first, and then files that include the
    header directly.
    """
    steps, last, count = {}, {header}, 0
    while last:
        count += 1
        last = {path for path, names in includes.items() if path not in steps and last & names}
        steps |= dict.fromkeys(last, count)
    folders, name = {}, os.path.basename(header)[:-2]
    for path in sorted(steps, key=lambda path: (f"/{name}.c" not in path, steps[path], path)):
        if path.endswith(".c"):
            folders.setdefault(os.path.dirname(path), []).append(path)
    return folders.pop(os.path.dirname(header), []) + in_turn(folders.values())


def users_of_changes(files, kernel):
    """Return at most MOST unchanged files of the kernel that include changed headers."""
    texts = {}
    for path in contents.listed("arch", "fs", "include", "kernel", "lib"):
        if path.endswith((".c", ".h")):
            with open(f"{REPO}/{path}") as f:
                texts[path] = f.read()
    headers = {path for path in texts if path.endswith(".h")}
    includes = {path: included(path, text, headers) for path, text in texts.items()}
    found = in_turn([path for path in users(header, includes)
                     if path not in files and os.path.exists(f"{kernel}/{path[:-2]}.o")]
                    for header in files if header in headers)
    return list(dict.fromkeys(found))[:MOST]


def own_tests(files, chosen):
    """Return the self-tests of some rows, and those among the changed files."""
    top = f"{paths.FTRACE}/test.d/"
    tests = {f"{case}.tc" for case in words(row.cases for row in chosen)}
    tests |= {f.removeprefix(top) for f in files if f.startswith(top)
              and f.endswith(".tc") and os.path.exists(f"{REPO}/{f}")}
    return sorted(tests)


def quick(report, guests, kernel, since, test_tools):
    """Run the part; test_tools(report) tests the rules of the tools."""
    try:
        files = changed(since)
    except RuntimeError as e:
        report.add(FAIL, "the changed files are known", str(e))
        return
    report.say(f"  {len(files)} files differ" + "".join(f"\n    {f}" for f in files[:20])
               if files else "  no file differs: all quick tests run")
    chosen = rows(files) if files else TESTS
    lint.lint(report, kernel, lambda path: path in files, users_of_changes(files, kernel))
    host.some(report, words(row.host for row in chosen))
    if any(row.tools for row in chosen):
        test_tools(report)
    pattern, tests = suites(chosen), own_tests(files, chosen)
    # Without 'with', which would wait for the guests if a signal ends the run.
    pool, jobs = ThreadPoolExecutor(), []
    if pattern:
        jobs.append(pool.submit(kunit.kunit, report, guests, kernel, pattern))
    if tests:
        jobs.append(pool.submit(kselftest.own, report, guests, kernel, tests=tests,
                                per_slice=math.ceil(len(tests) / 2)))
    for job in jobs:
        job.result()
