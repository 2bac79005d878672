# SPDX-License-Identifier: GPL-2.0
"""Run commands in guests with time limits.  At most two functions boot guests at a time.

A guest is one single-threaded QEMU, so two guests keep a machine with two cores
busy.  More guests would slow each other down and exceed time limits.  A function whose
guests talk to each other boots two guests at once, which mostly wait.
"""

import os
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import ktap
import paths
from project import REPO, TOOLS
from result import FAIL

AT_ONCE = 2
VM_RUN = f"{TOOLS}/vm/run"

# The time after which the kernel reports a task that waits; see tools/vm/run.
HUNG_TASK, HUNG_TASK_SECONDS = "sysctl.kernel.hung_task_timeout_secs", 60

# Exit statuses of tools/vm/run if something other than the command failed.
HUNG, COMPLAINED, NO_START = 124, 125, 126

# Last line of a command's output; without it, the guest ended before the command.
DONE = "guest: command ended"


class Outcome:
    """Status, time and output of a guest that has ended."""

    def __init__(self, name, directory, status, seconds):
        self.name, self.dir = name, directory
        self.status, self.seconds = status, seconds
        self.stdout = self._read("stdout")
        self.stderr = self._read("stderr")

    def _read(self, name):
        try:
            with open(os.path.join(self.dir, name), errors="replace") as f:
                return f.read()
        except OSError:
            return ""

    @property
    def died(self):
        """True if the guest ended before its command: it died, hung or did not start."""
        return DONE not in self.stdout

    def why(self, lines=60):
        """Return the last lines of stderr or, if it is empty, of stdout."""
        text = self.stderr.strip() or self.stdout.strip()
        tail = "\n".join(text.splitlines()[-lines:])
        return f"{tail}\n(logs: {self.short_dir()}/)"

    def short_dir(self):
        return os.path.relpath(self.dir, REPO)

    def add_results(self, report, prefix, file_of=lambda name: ""):
        """Add the results that the command printed, and other failures, to @report.

        @file_of returns the file of the program or suite with a name.
        """
        def where(name):
            path = file_of(name)
            return (f"file: {path}\n" if path else "") + f"logs: {self.short_dir()}/"

        failed = ktap.add(report, prefix, self.stdout, where=where)
        if self.died or self.status == COMPLAINED or (self.status and not failed):
            report.add(FAIL, f"{prefix}the guest's status is 0",
                       f"status {self.status}\n{self.why()}")


class Guests:
    """Boots guests.  At most AT_ONCE of the submitted functions run at a time."""

    def __init__(self, report, patience=1.0):
        self.report, self.patience = report, patience
        self.pool = ThreadPoolExecutor(AT_ONCE)
        self.running, self.aborted = set(), False

    def submit(self, function, *args):
        """Queue a function that boots guests."""
        return self.pool.submit(function, *args)

    def run(self, name, kernel, command, timeout, append=(), bootconfig=None,
            allow=(), env=(), smp=2, cpu=None, net=None, patience=1):
        """Run a command in a new guest, for a submitted function; return the Outcome."""
        if self.aborted:
            raise RuntimeError("the run was aborted")
        patience *= self.patience
        timeout *= patience
        where = os.path.join(paths.RESULTS, name)
        shutil.rmtree(where, ignore_errors=True)
        os.makedirs(os.path.join(where, "out"))
        argv = [VM_RUN, "--kernel", kernel, "--cwd", REPO,
                "--timeout", str(timeout), "--smp", str(smp),
                "--out", os.path.join(where, "out"),
                "--log", os.path.join(where, "console")]
        if patience > 1:
            # In a slow guest, a task may hold a mutex for more than a minute.
            argv += [f"--append={HUNG_TASK}={HUNG_TASK_SECONDS * patience:.0f}"]
        for a in append:
            argv += ["--append=" + a]
        for a in allow:
            argv += ["--allow=" + a]
        for e in env:
            argv += ["--env=" + e]
        if cpu:
            argv += ["--cpu", cpu]
        if net:
            argv += ["--net", net]
        if bootconfig:
            argv += ["--bootconfig", bootconfig]
        argv += ["--", f"({command}); s=$?; echo '{DONE}'; exit $s"]
        start = time.monotonic()
        with open(os.path.join(where, "stdout"), "wb") as out, \
             open(os.path.join(where, "stderr"), "wb") as err:
            try:
                # tools/vm/run enforces the limit.  If tools/vm/run itself hangs, kill it.
                status = self._wait(argv, out, err, timeout + 60)
            except subprocess.TimeoutExpired:
                status = HUNG
            except OSError as e:
                err.write(f"{VM_RUN}: {e}\n".encode())
                status = NO_START
        done = Outcome(name, where, status, time.monotonic() - start)
        note = {HUNG: ", hung", COMPLAINED: ", kernel complained",
                NO_START: ", did not start"}.get(status, "")
        self.report.say(f"  [guest] {name}: {done.seconds:.0f} s{note}")
        return done

    def _wait(self, argv, out, err, limit):
        with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out,
                              stderr=err) as process:
            self.running.add(process)
            if self.aborted:
                process.terminate()
            try:
                return process.wait(limit)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            finally:
                self.running.discard(process)

    def close(self):
        self.pool.shutdown(wait=True)

    def abort(self):
        """End all guests, and start no more."""
        self.aborted = True
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in list(self.running):
            process.terminate()
