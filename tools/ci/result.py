# SPDX-License-Identifier: GPL-2.0
"""Count and print the results of tests.

A result is PASS, FAIL or SKIP.  Parts report each result as soon as it is known, so
that an interrupted run shows how far it got.
"""

import sys
import threading

PASS, FAIL, SKIP = "pass", "FAIL", "skip"


class Report:
    """Collects the results of all parts; safe to use from several threads."""

    def __init__(self, out=sys.stdout):
        self.out = out
        self.lock = threading.Lock()
        self.count = {PASS: 0, FAIL: 0, SKIP: 0}
        self.failures = []

    def say(self, text=""):
        with self.lock:
            print(text, file=self.out, flush=True)

    def add(self, verdict, name, detail="", quiet=False):
        """Count one test, and print @detail if the test failed or was skipped."""
        with self.lock:
            self.count[verdict] += 1
            if verdict == FAIL:
                self.failures.append(name)
            if quiet and verdict != FAIL:
                return
            why = f": {detail}" if verdict == SKIP and detail else ""
            print(f"  {verdict:4}  {name}{why}", file=self.out)
            if verdict == FAIL and detail:
                for line in detail.rstrip().splitlines():
                    print(f"        | {line}", file=self.out)
            self.out.flush()

    def totals(self):
        """Return the totals as text.  Other programs read the last line."""
        skipped = f"{self.count[SKIP]} skipped\n" if self.count[SKIP] else ""
        return f"{skipped}{self.count[PASS]} passed, {self.count[FAIL]} failed"


def summary(count):
    """Return the number of tests with each result, as text."""
    tail = f", {count[SKIP]} skipped" if count[SKIP] else ""
    return f"{count[PASS]} passed, {count[FAIL]} failed{tail}"


def times(seconds):
    """Return the times of all parts as text, or '' for a single part: @seconds has pairs."""
    if len(seconds) < 2:
        return ""
    return "times: " + ", ".join(f"{part} {time:.0f} s" for part, time in seconds)
