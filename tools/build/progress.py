# SPDX-License-Identifier: GPL-2.0
"""Run a long command and print its progress every ten seconds."""

import os
import re
import subprocess
import sys
import time

from project import say

PERIOD = 10


class Total:
    """The estimated number of steps."""

    def __init__(self, path, guess):
        self.path = path
        try:
            with open(path) as f:
                self.steps = int(f.read())
        except (OSError, ValueError):
            self.steps = int(guess)

    def of(self, steps):
        """Return the progress; the caller appends "steps"."""
        if steps >= self.steps:
            return f"{steps}"
        return f"{steps} of about {self.steps}"

    def keep(self, steps):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        new = f"{self.path}.{os.getpid()}"
        with open(new, "w") as f:
            print(steps, file=f)
        os.replace(new, self.path)


def run(title, log, command, env, total=None):
    """Run a command; return its status.

    All output goes to the file @log.  Compiler warnings are shown immediately.  If the
    command fails, the end of its output is shown.  With @total, the command makes everything
    again; the progress then includes the number of steps of the last run.
    """
    start = shown = time.monotonic()
    steps, step, lines = 0, "", []

    def show(text):
        seconds = int(time.monotonic() - start)
        say(f"{title}: {seconds // 60}:{seconds % 60:02} {text}")

    with open(log, "w", buffering=1) as out, subprocess.Popen(
            command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace") as child:
        try:
            for line in child.stdout:
                out.write(line)
                lines.append(line)
                if re.match(r"  [A-Z]", line):
                    steps, step = steps + 1, " ".join(line.split())[:60]
                if re.search(r": (warning|error):|^(ERROR|WARNING): ", line):
                    print(line, end="", file=sys.stderr, flush=True)
                if time.monotonic() - shown >= PERIOD:
                    shown = time.monotonic()
                    show(f"{total.of(steps) if total else steps} steps, now {step}")
        except (KeyboardInterrupt, SystemExit) as end:
            child.terminate()
            if isinstance(end, SystemExit):     # SIGTERM, for example after a time limit
                show(f"was told to end; the end of {log}:")
                sys.stderr.writelines(lines[-10:])
            raise
    if child.returncode:
        show(f"failed; the end of {log}:")
        # Other jobs may print more lines after the error.
        bad = [n for n, t in enumerate(lines) if re.search(r"\*\*\*|error:", t)]
        first = max(0, bad[0] - 15) if bad else 0
        sys.stderr.writelines(lines[first:first + 30] if bad else lines[-30:])
    else:
        if total:
            total.keep(steps)
        if time.monotonic() - start >= PERIOD:
            show(f"done, {steps} steps")
    return child.returncode
