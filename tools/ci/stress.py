# SPDX-License-Identifier: GPL-2.0
"""Part: probe all instructions of functions while a workload runs them.

The program and its modules are in tools/testing/kprobes/; see README.rst there.  Functions
are probed by breakpoints (int3), by breakpoints with a post-handler (step), and by jumps.
Two tasks add and remove probes at random (churn).  The program must be able to explain
each refusal of a probe.

The short run probes a sample of functions, mostly the same functions each time.  The
full run (--full) takes hours: it probes all functions of the kernel, in slices with
guests of their own, and compares the refusals with those of the stock kernel.
"""

import os
import re
import subprocess
import threading

import ktap
import paths
import project
from guests import COMPLAINED
from result import FAIL

HERE = f"{project.TOOLS}/testing/kprobes"
BUILD = f"{project.BUILD}/host-kprobes"
COUNT = re.compile(r"^# count (\S+) (\d+)$", re.M)

WAYS = ("int3", "step", "jump")

# The short run: number of probed functions, seconds of churn, and options of the mode
# 'refusals'.  The options select one instruction of each form in the whole kernel.  On a
# debug kernel, which is slow, they select all instructions of a small slice.
SAMPLE, CHURN, PLACES = 60, 30, "-u 1"
SAMPLE_DEBUG, PLACES_DEBUG = 12, "-k 0/2000"
LIMIT = 400
PATIENCE = 60       # seconds until an operation counts as hung

# The full run: numbers of slices.  Each slice has guests of its own.
SLICES, PLACES_SLICES = 48, 12
CHURN_FULL = 600
LIMIT_FULL = 3600


# 'stress' and 'mitigated' may build at the same time.
_building = threading.Lock()


def make(*args):
    with _building:
        subprocess.run(["make", "-s", "-C", HERE, f"OUT={BUILD}", *args], check=True,
                       stdin=subprocess.DEVNULL)


def build(kernel, label, src):
    """Compile the program, and modules for a kernel; return the modules' directory."""
    modules = os.path.join(BUILD, f"modules-{label}")
    make("program", f"TREE={project.BUILD}/src")
    make("modules", f"SRC={src}", f"OBJ={kernel}", f"MODULES={modules}")
    return modules


def command(modules, patience, args):
    """Return the guest's command, which copies files to /tmp and starts the program."""
    return (f"cp {BUILD}/stress {modules}/kprobe_stress_load.ko /tmp && "
            f"insmod {modules}/kprobe_stress.ko && "
            f"/tmp/stress -m /tmp/kprobe_stress_load.ko -o /out/progress "
            f"-p {patience} {args}")


class Stress:
    def __init__(self, report, guests, kernel, label="ours", stock=False):
        self.report, self.guests = report, guests
        self.kernels = {"ours": (kernel, build(kernel, label, f"{project.BUILD}/src"))}
        if stock:
            self.kernels["stock"] = (paths.STOCK,
                                     build(paths.STOCK, "stock", paths.STOCK_SRC))
        self.counts = {}

    def guest(self, name, args, limit, label="ours"):
        kernel, modules = self.kernels[label]
        patience = int(PATIENCE * self.guests.patience)
        return self.guests.run(f"stress-{name}", kernel,
                               command(modules, patience, args), limit)

    def count(self, text):
        for name, value in COUNT.findall(text):
            self.counts[name] = self.counts.get(name, 0) + int(value)

    def run(self, name, args, limit):
        """Run the program in one mode, and add its results."""
        done = self.guest(name, args, limit)
        self.count(done.stdout)
        done.add_results(self.report, f"{name}: ")
        if done.died or done.status:
            self.report.say(f"  {name}: last batch: {self.progress(done)}")

    def progress(self, done):
        """Return the number and the functions of the last batch."""
        try:
            with open(os.path.join(done.dir, "out/progress")) as f:
                return f.read(2000)
        except OSError:
            return "nothing"

    def places(self, label, which, limit):
        """Try a probe at each instruction; return the file with the answers, or None."""
        name = f"places-{label}{which.replace('-', '').replace('/', '-of-').replace(' ', '')}"
        done = self.guest(name, f"{which} refusals", limit, label)
        # The stock kernel may refuse probes for other reasons.
        if label == "ours":
            self.count(done.stdout)
            done.add_results(self.report, f"{name}: ")
        elif done.died or done.status == COMPLAINED:
            self.report.add(FAIL, f"{name}: the guest completed", done.why())
        if done.died or done.status == COMPLAINED:
            return None
        return os.path.join(done.dir, "out/progress")

    def compare(self, which, limit):
        files = [self.places(label, which, limit) for label in ("stock", "ours")]
        if None in files:
            return
        done = subprocess.run([f"{HERE}/compare.py", *files], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.report.say("\n".join("  " + x for x in done.stdout.splitlines()))
        name = f"places {which}: "
        if not ktap.add(self.report, name, done.stdout) and done.returncode:
            self.report.add(FAIL, f"{name}compared with the stock kernel", done.stdout)

    def summary(self):
        self.report.say("\n".join(f"  {name:40} {value:12}"
                                  for name, value in self.counts.items()))


def short_jobs(s, debug):
    sample = SAMPLE_DEBUG if debug else SAMPLE
    yield s.places, "ours", PLACES_DEBUG if debug else PLACES, LIMIT
    yield s.run, "churn", f"-n {sample} -l {CHURN} churn", LIMIT
    for way in WAYS:
        yield s.run, way, f"-n {sample} {way}", LIMIT


def full_jobs(s):
    yield s.run, "churn", f"-n {SAMPLE} -l {CHURN_FULL} churn", LIMIT_FULL
    for slice_ in range(PLACES_SLICES):
        yield s.compare, f"-k {slice_}/{PLACES_SLICES}", LIMIT_FULL
    for way in WAYS:
        for slice_ in range(SLICES):
            yield s.run, f"{way}-{slice_}", f"-k {slice_}/{SLICES} {way}", LIMIT_FULL


def run(s, jobs):
    for f in [s.guests.submit(*job) for job in jobs]:
        f.result()
    s.summary()


def named(report, guests, kernel, name):
    """Do a short run on the kernel of a configuration of tools/configs."""
    s = Stress(report, guests, kernel, name)
    run(s, short_jobs(s, debug=False))


def stress(report, guests, kernel, full, debug, only=None):
    s = Stress(report, guests, kernel, stock=full)
    jobs = full_jobs(s) if full else short_jobs(s, debug)
    run(s, [job for job in jobs if not only or only in job[1]])
