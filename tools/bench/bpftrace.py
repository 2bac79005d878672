# SPDX-License-Identifier: GPL-2.0
"""Guest side: run a program of bpftrace while something is measured."""

import os
import shutil
import signal
import subprocess
import tempfile
import time

# Pages of the buffer of each CPU, enough for the records of a case.
PAGES = 4096
# A start takes long in the emulator: bpftrace compiles the program.
START_SECONDS = 300
# bpftrace runs this script when its probes are attached, and exits when the script ends.
WAITER = "echo $$ > {ready}.new\nmv {ready}.new {ready}\nexec sleep 100000\n"


class Program:
    """A program that runs in this context; afterwards, `lines` has its output.

    bpftrace is stopped in between, so it reads no record while something is measured. On a
    machine with several CPUs, it reads them on another CPU.
    """

    def __init__(self, text):
        self.text, self.lines = text, []

    def __enter__(self):
        self.directory = tempfile.mkdtemp()
        ready, waiter = f"{self.directory}/ready", f"{self.directory}/waiter"
        self.output, self.errors = f"{self.directory}/out", f"{self.directory}/err"
        with open(waiter, "w") as f:
            f.write(WAITER.format(ready=ready))
        with open(self.errors, "w") as err:
            self.process = subprocess.Popen(
                ["bpftrace", "-o", self.output, "-c", f"/bin/sh {waiter}", "-e", self.text],
                stdin=subprocess.DEVNULL, stdout=err, stderr=err,
                env=os.environ | {"BPFTRACE_PERF_RB_PAGES": str(PAGES)})
        end = time.monotonic() + START_SECONDS
        while not os.path.exists(ready):
            if self.process.poll() is not None or time.monotonic() > end:
                self.process.kill()
                raise OSError(f"bpftrace: {self.error()}")
            time.sleep(0.1)
        with open(ready) as f:
            self.waiter = int(f.read())
        self.process.send_signal(signal.SIGSTOP)
        return self

    def error(self):
        with open(self.errors) as f:
            return " ".join(f.read().split())[-500:]

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGCONT)
        os.kill(self.waiter, signal.SIGTERM)
        self.process.wait()
        with open(self.output, errors="replace") as f:
            self.lines = [line for line in f.read().splitlines()
                          if line and not line.startswith("Attaching ")]
        shutil.rmtree(self.directory)
