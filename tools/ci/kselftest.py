# SPDX-License-Identifier: GPL-2.0
"""Parts: the ftrace kselftests, the base's and ours.

The base's suite runs from the base's tree, on our kernel.  If the series changes a test of
the base (series/edits), our kernel runs it as changed.  Tests that do
not pass on our kernel also run on the stock kernel: a test that passes on stock must
not fail on ours.  If no other part runs at the same time, the stock kernel is built only if
there is such a test.  Our own cases run with the base's ftracetest.

A guest runs a "slice" of the tests: one directory of the base's suite, or some of our
cases.  The leftovers of a test thus affect few other tests.  When a guest dies, its
current test counts as failed, and the remaining tests of its slice run in a new guest.

Stock's results do not change, so the cache keeps them.  Their key is a hash of the stock
kernel, the tests' names, all files of the suite, and the programs and options that boot
the kernel.
"""

import filecmp
import glob
import hashlib
import json
import os

import ktap
import machine
import paths
from guests import COMPLAINED, HUNG
from project import REPO, TOOLS
from result import FAIL, PASS, SKIP

SUITE = os.path.join(paths.STOCK_SRC, paths.FTRACE)
BASE_TESTS = os.path.join(SUITE, "test.d")
OUR_TESTS = os.path.join(REPO, paths.FTRACE, "test.d")
SERIES_TESTS = os.path.join(paths.SERIES_SRC, paths.FTRACE, "test.d")

SLICE_LIMIT = 1200      # seconds for a slice; the longest takes 350 to 510
OURS_PER_SLICE = 9     # of our own tests
RUNNER = "ftracetest -K -v --logdir /tmp/logs"

# Some of the base's tests search the trace for a PID, and small PIDs also occur in
# timestamps.  32-bit kernels have no PIDs with seven digits.
LARGE_PIDS = ("(cd /proc/sys/kernel && echo 4194304 > pid_max &&"
              " echo 1000000 > ns_last_pid) 2> /dev/null")

# Tests that run alone in a guest: after many other tests, the stack tracer takes so long
# that the guest hangs.
ALONE = ("ftrace/func_stack_tracer.tc",)

# Directories of the base's tests for the code that the series replaces.
REPLACED_DIRS = ("kprobe", "dynevent", "trigger")

STOCK = "stock"         # label of the runs on the stock kernel

KPROBE = "kprobe/"      # the directory in which all tests must pass

# Results of ftracetest for a test that behaves as expected, or cannot run here.
GOOD = ("PASS", "XFAIL")
CANNOT_RUN = ("UNSUPPORTED", "UNTESTED", "UNRESOLVED")


def find_tests(top):
    """Return the sorted paths of the tests in a test.d directory, relative to it."""
    return sorted(os.path.relpath(f, top)
                  for f in glob.glob(f"{top}/**/*.tc", recursive=True))


def is_changed(test):
    """Does the series change this test of the base?"""
    return not filecmp.cmp(f"{BASE_TESTS}/{test}", f"{SERIES_TESTS}/{test}", shallow=False)


def path_of(label, top, test):
    """Return the path of a test; on our kernel, the series' version of a base's test."""
    changed = top == BASE_TESTS and label != STOCK and is_changed(test)
    return f"{SERIES_TESTS if changed else top}/{test}"


def by_directory(tests):
    """Group tests into slices: {name: tests}."""
    groups = {}
    for t in tests:
        key = t if t in ALONE else os.path.dirname(t)
        groups.setdefault(key, []).append(t)
    return groups


def runs(top, tests):
    """Return the runs in ftracetest's order: all tests, then the repeats in instances."""
    again = []
    for t in tests:
        with open(f"{top}/{t}", errors="replace") as f:
            if any(line.startswith("#") and "flags:" in line and "instance" in line
                   for line in f):
                again.append(f"{t} (instance)")
    return list(tests) + again


def verdict_of(r):
    note = r.note.split()[0].upper() if r.note else ""
    if r.ok:
        return {"SKIP": "UNSUPPORTED", "XFAIL": "XFAIL"}.get(note, "PASS")
    return {"UNRESOLVED": "UNRESOLVED", "ERROR": "UNDEFINED"}.get(note, "FAIL")


class Answers:
    """Verdict and log of each run, the kernel's complaints, and whether a guest died."""

    def __init__(self):
        self.verdict, self.log, self.complaints, self.died = {}, {}, [], False
        self.dir = {}           # directories with the logs of the guests, by run

    def merge(self, other):
        self.verdict.update(other.verdict)
        self.log.update(other.log)
        self.dir.update(other.dir)
        self.complaints += other.complaints
        self.died |= other.died

    def explain(self, top, run):
        """Return the verdict and log of a run, its file and where more logs are."""
        test = run.removesuffix(" (instance)")
        path = os.path.relpath(path_of("ours", top, test), REPO)
        where = self.dir.get(run, paths.RESULTS)
        return (f"{self.verdict.get(run, '-')}\n{self.log.get(run, '')}\n"
                f"file: {path}\nlogs: {os.path.relpath(where, REPO)}/")


def run_slice(guests, label, kernel, top, name, tests):
    """Run tests of the test.d directory @top; return the Answers.

    If a guest dies, another one runs the remaining tests.
    """
    answers, tests = Answers(), list(tests)
    for number in range(1, 7):
        title = f"kselftest-{label}-{name.replace('/', '-')}"
        if number > 1:
            title += f"-{number}"
        files = " ".join(path_of(label, top, t) for t in tests)
        done = guests.run(title, kernel,
                          f"{LARGE_PIDS}; cd {SUITE} && ./{RUNNER} {files}", SLICE_LIMIT)
        expected = runs(top, tests)
        for r in ktap.results(done.stdout, log_follows=True):
            if 1 <= r.number <= len(expected):
                which = expected[r.number - 1]
                answers.verdict[which] = verdict_of(r)
                answers.log[which] = r.tail
                answers.dir[which] = done.dir
        if not done.died:
            if done.status in (COMPLAINED, HUNG):
                answers.complaints.append(f"{title}: {done.why()}")
            break
        answers.died = True
        answers.complaints.append(f"{title}: {done.why()}")
        left = [e for e in expected if e not in answers.verdict]
        if not left:
            break
        answers.verdict[left[0]] = "CRASH"
        answers.dir[left[0]] = done.dir
        answers.log[left[0]] = "\n".join(done.stdout.splitlines()[-20:]
                                         + [done.why()])
        tests = [t for t in left[1:] if t in tests]
        if not tests:
            break
    return answers


def run_suite(guests, label, kernel, top, groups):
    """Start all slices; return a function that waits for them and returns all Answers."""
    futures = [guests.submit(run_slice, guests, label, kernel, top, name, tests)
               for name, tests in groups.items()]

    def wait():
        total = Answers()
        for f in futures:
            total.merge(f.result())
        return total
    return wait


def files(top):
    """Return the sorted paths of all files below a directory."""
    return sorted(p for p in glob.glob(f"{top}/**", recursive=True) if os.path.isfile(p))


def stock_file(kernel, words, inputs):
    """Return the file that keeps the results of a stock kernel.

    They depend on the kernel, tools/vm, some words and the contents of some files.
    """
    h = hashlib.sha256(" ".join(words).encode())
    for path in [machine.image(kernel), *inputs, *files(f"{TOOLS}/vm")]:
        with open(path, "rb") as f:
            h.update(os.path.basename(path).encode() + f.read())
    return os.path.join(paths.CACHE, h.hexdigest()[:32] + ".json")


def recall(report, path, run):
    """Return stock's verdicts, from the cache or else from the Answers of @run."""
    try:
        with open(path) as f:
            known = json.load(f)
        report.say(f"  stock kernel: results of an earlier run ({path})")
        return known
    except (OSError, ValueError):
        pass
    answers = run()
    # Do not keep verdicts if a guest hung, died or did not start.
    if not answers.died:
        os.makedirs(paths.CACHE, exist_ok=True)
        with open(path + ".new", "w") as f:
            json.dump(answers.verdict, f, indent=1, sort_keys=True)
        os.rename(path + ".new", path)
    return answers.verdict


def judge(test, stock, ours, every):
    """Return the result of a test from the verdicts on both kernels.

    With the configuration of 'make test' (@every), all tests in kprobe/ must run and pass.
    """
    if ours in GOOD:
        return PASS
    if ours == "CRASH":
        return FAIL
    if every and test.startswith(KPROBE):
        return FAIL
    # Without a verdict from the stock kernel, the test fails.
    if ours in CANNOT_RUN:
        return FAIL if stock in (*GOOD, "CRASH", "-") else SKIP
    return SKIP if stock in ("FAIL", "UNDEFINED") else FAIL


def complaints(report, label, answers):
    """Add a result: whether the kernel log of the tests has complaints."""
    if answers.complaints:
        report.add(FAIL, f"kernel log during {label}", "\n".join(answers.complaints))
    else:
        report.add(PASS, f"kernel log during {label} is clean")


def try_again(report, guests, kernel, ours):
    """Repeat the base's tests that failed, except for those of the replaced code.

    Some tests depend on timing: they fail if the emulator is not scheduled for 100 ms.
    """
    failed = [t for t, verdict in ours.verdict.items()
              if verdict == "FAIL" and t.split("/")[0] not in REPLACED_DIRS]
    again = sorted({t.removesuffix(" (instance)") for t in failed})
    if not again:
        return
    second = run_suite(guests, "again", kernel, BASE_TESTS, by_directory(again))()
    ours.complaints += second.complaints
    for t in failed:
        if second.verdict.get(t) in GOOD:
            report.say(f"  kselftest {t}: passed on the second try")
            ours.verdict[t] = second.verdict[t]


def base(report, guests, kernel, build_stock, config, boot="", every=True):
    """Run the base's suite; without @every, only the tests of the replaced code.

    @build_stock builds the stock kernel of the same configuration and returns its O=
    directory.  @boot describes how the guest boots.  @config names the tests that cannot
    run on this kernel.
    """
    tests = [t for t in find_tests(BASE_TESTS) if every or t.split("/")[0] in REPLACED_DIRS]
    for t in sorted(set(tests) & set(config.omits)):
        tests.remove(t)
        report.add(SKIP, f"kselftest {t}", "tools/configs says why")
    for t in filter(is_changed, tests):
        report.say(f"  kselftest {t}: as changed by series/edits")
    ours = run_suite(guests, "ours", kernel, BASE_TESTS, by_directory(tests))()
    order = runs(BASE_TESTS, tests)
    try_again(report, guests, kernel, ours)
    open_ones = [t for t in order if ours.verdict.get(t) not in GOOD]
    stock = {}
    if open_ones:
        again = sorted({t.removesuffix(" (instance)") for t in open_ones})
        unmodified = build_stock()
        path = stock_file(unmodified, [LARGE_PIDS, RUNNER, boot, *again], files(SUITE))
        stock = recall(report, path, lambda: run_suite(
            guests, STOCK, unmodified, BASE_TESTS, by_directory(again))())
    for t in order:
        o = ours.verdict.get(t, "-")
        s = stock.get(t, "-")
        verdict = judge(t, s, o, every)
        detail = "" if verdict == PASS else f"stock {s}, ours {o}"
        if verdict == FAIL:
            detail += "\n" + ours.explain(BASE_TESTS, t)
        report.add(verdict, f"kselftest {t}", detail, quiet=verdict == PASS)
    complaints(report, "the base's kselftests", ours)


def own(report, guests, kernel, every=True, tests=None, per_slice=OURS_PER_SLICE):
    """Run our cases or only @tests, and do not compare them with the stock kernel.

    Without @every, a test may be unsupported, because the kernel may lack some options.
    """
    tests = tests or find_tests(OUR_TESTS)
    groups = {f"own{i // per_slice + 1}": tests[i:i + per_slice]
              for i in range(0, len(tests), per_slice)}
    answers = run_suite(guests, "ours", kernel, OUR_TESTS, groups)()
    for t in runs(OUR_TESTS, tests):
        verdict = answers.verdict.get(t, "-")
        if verdict in GOOD:
            report.add(PASS, f"kselftest {t}", quiet=not every)
        elif verdict in CANNOT_RUN and not every:
            report.add(SKIP, f"kselftest {t}", verdict)
        else:
            report.add(FAIL, f"kselftest {t}", answers.explain(OUR_TESTS, t))
    complaints(report, "our kselftests", answers)
