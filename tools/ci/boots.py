# SPDX-License-Identifier: GPL-2.0
"""Parts: kernels of other configurations, booted and tested.

tools/configs describes them: the options, and how a guest with such a kernel is
started and which tests run in it.  Several descriptions may boot one kernel, with
another command line or on another processor.  Part 'boots' is all of them.  Part
'mitigated' boots the kernel of the other parts again, with a mitigation that
counts calls, for the tests that take minutes.
"""

import glob
import os
import re
import subprocess

import configs
import kselftest
import kunit
import paths
import stress
from project import BUILD, REPO, TOOLS
from result import FAIL, PASS, SKIP

LIMIT = 200         # seconds for a guest that does nothing but boot

# Part 'mitigated'.
MITIGATED = "mitigated-stuff"

# Objects of the series; reports of KCSAN and KMSAN about others do not count.
OURS = ("kernel/trace/trace_kprobe*.o", "kernel/trace/probe/*.o",
        "kernel/trace/rethook*.o", "kernel/kprobes/*.o",
        "arch/x86/kernel/kprobes/*.o", "arch/x86/kernel/rethook.o",
        "arch/x86/kernel/pt_regs.o", "arch/x86/lib/insn.o", "arch/x86/lib/inat.o")


class Prefixed:
    """A report that adds the name of the boot to each test."""

    def __init__(self, report, name):
        self.report, self.name = report, name

    def add(self, verdict, name, detail="", quiet=False):
        self.report.add(verdict, f"{self.name}: {name}", detail, quiet)

    def say(self, text=""):
        self.report.say(text)


class Boot:
    """Guests that start as a description says; for use in place of Guests."""

    def __init__(self, report, guests, config, allow):
        self.report, self.guests, self.config = report, guests, config
        self.allow = [*config.allow, *allow]
        self.patience = guests.patience * float(config.patience or 1)

    def submit(self, function, *args):
        return self.guests.submit(function, *args)

    def run(self, name, kernel, command, timeout, append=(), allow=(), **how):
        return self.guests.run(f"{self.config.name}-{name}", kernel, command,
                               timeout * self.patience / self.guests.patience,
                               append=[*self.config.append, *append],
                               allow=[*self.allow, *allow],
                               cpu=self.config.cpu or None, **how)


def build(report, name, stock=False):
    """Make a kernel.  Output of the build goes to stderr."""
    what = f"{'stock-' if stock else ''}config:{name}"
    if name == paths.SUITE:
        what = "stock" if stock else "ours"
    report.say(f"  building {what}")
    return not subprocess.run([f"{TOOLS}/build/build", what], stdin=subprocess.DEVNULL,
                              stdout=2).returncode


def build_stock(report, name):
    """Make the stock kernel of a configuration; return its O= directory."""
    if not build(report, name, stock=True):
        raise RuntimeError(f"the stock kernel does not build, config {name}")
    return paths.named(name, stock=True)


def functions(kernel):
    """Names of all functions of ours in a kernel."""
    objects = [path for pattern in OURS for path in glob.glob(f"{kernel}/{pattern}")]
    done = subprocess.run(["nm", "--defined-only", *objects], check=True, text=True,
                          stdout=subprocess.PIPE)
    return sorted({m[1] for m in re.finditer(r" [tTwW] ([\w.]+)$", done.stdout, re.M)})


def others(kernel):
    """Patterns of KCSAN and KMSAN reports about functions that are not ours.

    The title of KCSAN has both functions.  That of KMSAN has the one that used a value,
    and functions of ours that passed the value may follow.
    """
    with open(f"{kernel}/.config") as f:
        if not re.search(r"^CONFIG_K[CM]SAN=y$", f.read(), re.M):
            return []
    names = "|".join(re.escape(n) for n in functions(kernel))
    return [rf"BUG: KCSAN: (?!.*\b(?:{names})\b)",
            rf"BUG: KMSAN: (?![\s\S]*\b(?:{names})\+0x)"]


# Lines of the kernel log about tests during boot that passed.  A failure is a WARNING.
STARTUP = {"trace_kprobe: startup test: ok": "kprobe events work during boot",
           "Ring buffer PASSED!": "the ring buffer takes nested events"}


def startup(report, guests, kernel):
    """FTRACE_STARTUP_TEST and RING_BUFFER_STARTUP_TEST."""
    done = guests.submit(guests.run, "startup", kernel, "dmesg", LIMIT).result()
    for line, name in STARTUP.items():
        report.add(PASS if line in done.stdout else FAIL, name, done.why())
    if done.status:
        report.add(FAIL, "the kernel log is clean", done.why())


def one(report, guests, config):
    """Test one boot of a kernel that was built."""
    kernel = paths.named(config.kernel_name())
    report = Prefixed(report, config.name)
    boot = Boot(report, guests, config, others(kernel))

    def stock():
        return build_stock(report, config.kernel_name())

    how = " ".join([*config.append, config.cpu])
    do = {
        "startup": lambda: startup(report, boot, kernel),
        "kunit": lambda: kunit.kunit(report, boot, kernel),
        "own": lambda: kselftest.own(report, boot, kernel, every=False),
        "base": lambda: kselftest.base(report, boot, kernel, stock, config.lacks, how,
                                         every=False),
        "stress": lambda: stress.named(report, boot, kernel, config.kernel_name()),
    }
    for test in config.tests:
        do[test]()


def several(report, guests, todo):
    """Build and test the kernels that the descriptions in @todo name."""
    built = {}
    for config in todo:
        name = config.kernel_name()
        if name not in built:
            built[name] = build(report, name)
            report.add(PASS if built[name] else FAIL, f"{name}: the kernel builds",
                       "the messages above tell the reason")
        if not built[name]:
            report.add(SKIP, f"{config.name}", "the kernel did not build")
            continue
        report.say(f"  -- {config.name}: {config.what}")
        one(report, guests, config)


def mitigated(report, guests):
    several(report, guests, [configs.Config(MITIGATED)])


def every(report, guests, only=None):
    """Test all kernels 'in boot', or those with @only in their names."""
    todo = [c for c in configs.every("boot") if not only or only in c.name]
    if not todo:
        report.add(FAIL, f"'{only}' is in the name of a configuration",
                   "tools/build/configs.py --in boot prints the names")
    several(report, guests, todo)
