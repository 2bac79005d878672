# SPDX-License-Identifier: GPL-2.0
"""Read test results, which all tests print in one format (KTAP).

read() parses the output of one or more programs, and add() also adds the results to a
report.  A program begins with a version line ('TAP version 13', 'KTAP version 1').  It may
print its name before or after that line ('# Subtest: NAME').  It prints a plan ('1..N')
before or after its results.  If the plan or results are missing, the program has died, and
read() records a problem.

The base's tools/testing/kunit/kunit_parser.py does not fit: it takes the lines before a
result as the test's log, and ftracetest prints the log after the result.
"""

import re

from result import FAIL, PASS, SKIP, summary

LINE = re.compile(r"^(?P<indent>\s*)(?P<bad>not )?ok (?P<number>\d+)\s*-?\s*"
                  r"(?P<name>[^#]*?)\s*(?:# *(?P<note>.*))?$")
VERSION = re.compile(r"^(?P<indent>\s*)K?TAP version \d+$")
PROGRAM = re.compile(r"^(?P<indent>\s*)# Subtest: (?P<name>.*)$")
PLAN = re.compile(r"^(?P<indent>\s*)1\.\.(?P<number>\d+)")
BAIL_OUT = re.compile(r"^\s*Bail out!\s*(.*)$")

LOG_LINES = 60          # printed for a failed test


class Result:
    """One result line: depth (0 is outermost), number, name, ok, note after '#'."""

    def __init__(self, match):
        self.depth = depth_of(match)
        self.number = int(match["number"])
        self.name = match["name"]
        self.ok = not match["bad"]
        self.note = (match["note"] or "").strip()
        self.log = []
        self.group = ""         # name of the innermost group of subtests, such as a suite
        self.summary = False    # True if it summarizes subtests
        self.below_failed = False       # True if one of the subtests failed

    @property
    def skipped(self):
        return self.ok and self.note.upper().startswith("SKIP")

    @property
    def verdict(self):
        return SKIP if self.skipped else PASS if self.ok else FAIL

    @property
    def tail(self):
        """The last lines of the log."""
        return "\n".join(self.log[-LOG_LINES:])

    @property
    def why(self):
        """Why the test failed or was skipped."""
        return self.note[len("SKIP"):].strip() if self.skipped else self.tail


class Program:
    """The results of one program, and problems with its output."""

    def __init__(self, name):
        self.name = name
        self.results, self.problems = [], []
        self.planned, self.seen = {}, {}        # numbers of results, by depth
        self.failing = set()                    # depths with a failure so far
        self.log = []                           # lines after the last result

    def plan(self, match):
        depth = depth_of(match)
        if depth in self.planned:
            self.problems.append("two plans")
        self.planned[depth] = int(match["number"])

    def add(self, result):
        # A result after subtests is their summary.
        result.summary = result.depth + 1 in self.seen
        self.end_of_depth(result.depth + 1)
        result.below_failed = any(d > result.depth for d in self.failing)
        self.failing = {d for d in self.failing if d <= result.depth}
        if not result.ok:
            self.failing.add(result.depth)
        self.seen[result.depth] = self.seen.get(result.depth, 0) + 1
        self.results.append(result)

    def end_of_depth(self, depth):
        """Compare plans with the numbers of results, at this depth and deeper."""
        for d in sorted({*self.planned, *self.seen}, reverse=True):
            if d < depth:
                continue
            planned, seen = self.planned.pop(d, None), self.seen.pop(d, 0)
            if planned is None and d:
                continue        # subtests may have no plan
            if planned is None:
                self.problems.append(f"no plan, {seen} results")
            elif planned != seen:
                self.problems.append(f"{planned} results planned, {seen} printed")

    def end(self):
        if not self.results and not self.planned.get(0):
            self.problems.append("no results")
        self.end_of_depth(0)


def depth_of(match):
    return len(match["indent"]) // 4


def read(text, log_follows=False):
    """Return the Programs in a text.

    A test's log is the lines before its result or, with @log_follows (ftracetest), the
    lines after it.
    """
    programs, log, group = [], [], ""

    def begin(name=""):
        nonlocal log
        if programs:
            programs[-1].log = log
        log = []
        programs.append(Program(name))
        return programs[-1]

    for line in text.splitlines():
        line = line.rstrip()
        current = programs[-1] if programs else None
        is_new = current and not current.results and not current.planned
        if match := PROGRAM.match(line) or VERSION.match(line):
            name = match.groupdict().get("name", "")
            if depth_of(match):
                group = name or group
            elif not is_new or (name and current.name):
                begin(name)
            else:
                current.name = current.name or name
        elif match := LINE.match(line):
            current = current or begin()
            result = Result(match)
            result.group = group if result.depth else ""
            if log_follows:
                log = result.log
            else:
                result.log, log = log, []
            current.add(result)
        elif match := PLAN.match(line):
            (current or begin()).plan(match)
        elif match := BAIL_OUT.match(line):
            (current or begin()).problems.append(f"bailed out: {match[1]}")
        else:
            log.append(line.strip().removeprefix("# "))
    if programs:
        programs[-1].log = log
    for p in programs:
        p.end()
    return programs


def results(text, log_follows=False):
    """Return the Results in a text."""
    return [r for p in read(text, log_follows) for r in p.results]


def add(report, prefix, text, quiet=False, where=lambda name: ""):
    """Add the results in a text to a report; return True if a test failed.

    The name of a result is the prefix, the program, the group of subtests and the test.
    If it returns True, the caller need not report the program's nonzero exit status as
    another failure.  If results are missing but no test failed, it returns False.  Count
    subtests but not their summary, unless only the summary failed.  With @quiet, print
    only failures, and one line for each program.  @where tells for the name of a program
    or suite where its file and logs are.
    """
    failed = False
    programs = read(text)
    for p in programs:
        name = prefix + (f"{p.name}: " if p.name else "")
        count = {PASS: 0, FAIL: 0, SKIP: 0}
        for r in p.results:
            if r.summary and (r.ok or r.below_failed):
                continue
            count[r.verdict] += 1
            why = r.why
            if r.verdict == FAIL:
                why += f"\n{where(r.group or p.name)}"
            group = f"{r.group}: " if r.group else ""
            report.add(r.verdict, name + group + r.name, why, quiet)
        failed = failed or count[FAIL] > 0
        if p.problems:
            count[FAIL] += 1
            report.add(FAIL, f"{name}all results are printed",
                       "\n".join([*p.problems, *p.log[-LOG_LINES:], where(p.name)]))
        if quiet:
            report.say(f"  {name}{summary(count)}")
    if not programs:
        report.add(FAIL, f"{prefix}results are printed",
                   "\n".join([*text.splitlines()[-LOG_LINES:], where("")]))
    return failed
