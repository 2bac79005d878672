# SPDX-License-Identifier: GPL-2.0
"""Parts: kernels of other configurations, booted and tested.

tools/configs describes the options of each kernel, how to start a guest with it, and which
tests run in the guest.  Several configurations may boot the same kernel, with different
command lines or processors.  Part 'boots' uses the configurations for 'make test-configs'.
Part 'mitigated' enables call depth tracking in the kernel that the other parts use, and
runs KUnit and the short stress test.
"""

import glob
import re
import subprocess

import command
import configs
import kselftest
import kunit
import paths
import scripts
import stress
from result import FAIL, PASS, SKIP

LIMIT = 200         # seconds for a guest that only boots

# Part 'mitigated'.
MITIGATED = "mitigated-stuff"

# Objects of the series; KCSAN and KMSAN reports about other objects do not count.
OURS = ("kernel/trace/kprobe/*.o", "kernel/trace/fprobe/*.o",
        "kernel/trace/eprobe/*.o", "kernel/trace/uprobe/*.o", "kernel/trace/wprobe/*.o",
        "kernel/trace/probe/*.o", "kernel/trace/rethook*.o", "kernel/kprobes/*.o",
        "arch/x86/kernel/kprobes/*.o", "arch/x86/kernel/rethook.o",
        "arch/x86/kernel/pt_regs.o", "arch/x86/kernel/uprobes_emulate.o",
        "arch/x86/lib/insn.o", "arch/x86/lib/inat.o", "fs/d_path_nofault.o")


class Prefixed:
    """A report that adds the name of the boot to each test."""

    def __init__(self, report, name):
        self.report, self.name = report, name

    def add(self, verdict, name, detail="", quiet=False):
        self.report.add(verdict, f"{self.name}: {name}", detail, quiet)

    def say(self, text=""):
        self.report.say(text)


class Boot:
    """Starts guests as a configuration describes; replaces class Guests."""

    def __init__(self, report, guests, config, allow):
        self.report, self.guests, self.config = report, guests, config
        self.allow = allow
        self.patience = guests.patience * config.patience

    def submit(self, function, *args):
        return self.guests.submit(function, *args)

    def run(self, name, kernel, command, timeout, append=(), allow=(), **how):
        return self.guests.run(f"{self.config.name}-{name}", kernel, command, timeout,
                               patience=self.config.patience,
                               append=[*self.config.cmdline.split(), *append],
                               allow=[*self.allow, *allow],
                               cpu=self.config.cpu or None, **how)


def build(report, name, stock=False):
    """Build a kernel; return why this failed, or ''."""
    what = f"{'stock-' if stock else ''}config:{name}"
    if name == paths.MAIN:
        what = "stock" if stock else "ours"
    report.say(f"  building {what}")
    return command.build(what)


def build_stock(report, name):
    """Make the stock kernel of a configuration; return its O= directory."""
    if failed := build(report, name, stock=True):
        raise RuntimeError(f"the stock kernel does not build, config {name}: {failed}")
    return paths.named(name, stock=True)


def our_functions(kernel):
    """Return the names of all functions of the series in a kernel."""
    objects = [path for pattern in OURS for path in glob.glob(f"{kernel}/{pattern}")]
    done = subprocess.run(["nm", "--defined-only", *objects], check=True, text=True,
                          stdout=subprocess.PIPE)
    return sorted({m[1] for m in re.finditer(r" [tTwW] ([\w.]+)$", done.stdout, re.M)})


def foreign_reports(kernel):
    """Return patterns of KCSAN and KMSAN reports about functions that are not ours.

    The title of a KCSAN report names all known functions of the race.  The title of a
    KMSAN report names only the function that used the value.  The functions that passed
    the value follow in the report.
    """
    with open(f"{kernel}/.config") as f:
        if not re.search(r"^CONFIG_K[CM]SAN=y$", f.read(), re.M):
            return []
    names = "|".join(re.escape(n) for n in our_functions(kernel))
    return [rf"BUG: KCSAN: (?!.*\b(?:{names})\b)",
            rf"BUG: KMSAN: (?![\s\S]*\b(?:{names})\+0x)"]


# Messages that the startup tests log if they pass.  A failed test logs a WARNING.
STARTUP = {"trace_kprobe: startup test: ok": "kprobe events work during boot",
           "Ring buffer PASSED!": "the ring buffer accepts nested events"}


def startup(report, guests, kernel):
    """Check the results of the startup tests, and run RING_BUFFER_BENCHMARK."""
    done = guests.submit(guests.run, "startup", kernel, "dmesg", LIMIT).result()
    for line, name in STARTUP.items():
        report.add(PASS if line in done.stdout else FAIL, name, done.why())
    if done.status:
        report.add(FAIL, "the kernel log is clean", done.why())
    benchmark(report, guests, kernel)


# Two cycles of RING_BUFFER_BENCHMARK, each of ten seconds: in the first the consumer reads
# events, in the second pages.  The module writes its messages to the trace.
BENCHMARK = """\
modprobe ring_buffer_benchmark || exit
for i in $(seq 300); do
    [ "$(grep -c 'Sleeping for' /sys/kernel/tracing/trace)" -lt 2 ] || break
    sleep 1
done
rmmod ring_buffer_benchmark && cat /sys/kernel/tracing/trace"""


def benchmark(report, guests, kernel):
    """Let ring_buffer_benchmark fill a buffer and read it at the same time."""
    done = guests.submit(guests.run, "benchmark", kernel, BENCHMARK, LIMIT).result()
    cycles = re.findall(r"Read: +[1-9]\d* +\(by (\w+)\)", done.stdout)
    for how in "events", "pages":
        report.add(PASS if how in cycles else FAIL,
                   f"ring_buffer_benchmark completes a cycle that reads {how}", done.why())
    # The consumer logs a warning and stops if it reads a wrong event.
    report.add(FAIL if done.status or "ERROR!" in done.stdout else PASS,
               "ring_buffer_benchmark finds no error", done.why())


# The tests that a configuration can name, besides scripts.
TESTS = {
    "startup": lambda report, boot, kernel, config: startup(report, boot, kernel),
    "kunit": lambda report, boot, kernel, config: kunit.kunit(report, boot, kernel),
    "own": lambda report, boot, kernel, config:
        kselftest.own(report, boot, kernel, every=False),
    "base": lambda report, boot, kernel, config:
        kselftest.base(report, boot, kernel, lambda: build_stock(report, config.kernel()),
                       config, f"{config.cmdline} {config.cpu}", every=False),
    "stress": lambda report, boot, kernel, config:
        stress.named(report, boot, kernel, config.kernel()),
}


def unknown(tests):
    """Return the names that are neither in TESTS nor a script."""
    return sorted({*tests} - {*TESTS} - scripts.names())


def one(report, guests, config):
    """Boot a kernel as one configuration describes, and run its tests."""
    kernel = paths.named(config.kernel())
    report = Prefixed(report, config.name)
    boot = Boot(report, guests, config, foreign_reports(kernel))

    for test in config.tests:
        if test in TESTS:
            TESTS[test](report, boot, kernel, config)
        else:
            scripts.run_named(report, boot, kernel, test)


def several(report, guests, todo):
    """Build the kernels of the configurations in @todo, and test each configuration."""
    failed = {}
    for config in todo:
        name = config.kernel()
        if name not in failed:
            failed[name] = build(report, name)
            report.add(FAIL if failed[name] else PASS, f"{name}: the kernel builds",
                       failed[name])
        if failed[name]:
            report.add(SKIP, f"{config.name}", "the kernel did not build")
            continue
        report.say(f"  -- {config.name}: {config.what}")
        one(report, guests, config)


def mitigated(report, guests):
    several(report, guests, [configs.Config(MITIGATED)])


def every(report, guests, only=None):
    """Test all configurations that boot, or only those with @only in their names."""
    todo = [c for c in configs.every("test-configs") if not only or only in c.name]
    if not todo:
        report.add(FAIL, f"'{only}' is in the name of a configuration",
                   "tools/build/configs.py --make test-configs prints the names")
    several(report, guests, todo)
