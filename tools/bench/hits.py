#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Guest side of the hit benchmark: measure the cost of one hit in each case.

    hits.py LOOP OUT KEY...

LOOP is the compiled loop.c, OUT the JSON file to write; KEYs select cases.
The cost of a case is the number of instructions of a system call with the probe
enabled, minus the number without it, both as the median of many short batches.  The
median ignores batches with a timer interrupt.  The ring buffer has room for all records of
a case, so that no hit has to discard an old record.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import bpftrace  # noqa: E402
import cases  # noqa: E402
import places  # noqa: E402
import tracefs  # noqa: E402

BATCHES, CALLS = 61, 128
WARM_UP = 128                           # calls that are not measured
# Options that make the loop attach a consumer to an event by a system call.
LOOP_OPTION = {"perf": "-p", "bpf": "-b", "bpf_ring": "-r"}
BUFFER_KB = 8192


class Failed(Exception):
    """A case did not work as intended, so its cost has no meaning."""


class Loop:
    """The measuring program, and its number of calls so far."""

    def __init__(self, program):
        # Uprobes do not work on files of the host's file system.
        self.program, self.calls = shutil.copy(program, "/tmp/loop"), 0
        os.makedirs(cases.DIRECTORY, exist_ok=True)
        self.place = f"{self.program}:{places.file_offset(self.program, 'call'):#x}"

    def run(self, batches, calls, *options):
        out = subprocess.run(
            [self.program, *options, str(batches), str(calls), cases.USER_STRING],
            check=True, capture_output=True, text=True,
            cwd=cases.DIRECTORY).stdout.splitlines()
        self.calls += batches * calls
        # With -b, perf counts no hits, because the BPF program returns 0.
        if options and options[0] != "-b" and int(out[1]) != batches * calls:
            raise Failed(f"{out[1]} of {batches * calls} hits were counted")
        return [int(t) / calls for t in out[0].split()]

    def measure(self, *options):
        """Return the median and the interquartile range of the cost of one call."""
        self.run(1, WARM_UP, *options)
        low, mid, high = statistics.quantiles(self.run(BATCHES, CALLS, *options))
        return mid, high - low


def define(case, func, loop):
    for line in case.define:
        line = line.format(func=func, place=loop.place)
        tracefs.write("dynamic_events", line, append=True)
    for event, trigger in case.triggers.items():
        tracefs.write(f"events/{event}/trigger", trigger)


def enable(case):
    """Enable the event, or return options that make the loop enable it."""
    if case.filter:
        tracefs.write(f"events/{case.event}/filter", case.filter)
    if case.attach == "fprobe":
        return ["-f", cases.FUNC]
    if case.attach != "trace":
        number = tracefs.read(f"events/{case.event}/id").strip()
        return [LOOP_OPTION[case.attach], number]
    for n in range(case.instances):
        os.mkdir(f"{tracefs.TRACING}instances/bench{n}")
        tracefs.write(f"instances/bench{n}/buffer_size_kb", str(BUFFER_KB))
        tracefs.write(f"instances/bench{n}/events/{case.event}/enable", "1")
    if not case.instances:
        tracefs.write(f"events/{case.event}/enable", "1")
    return []


def check_record(case, loop, options):
    """Make a few hits, check their records, and return one of them."""
    record = ""
    loop.run(1, 4, *options)
    for base in [f"instances/bench{n}/" for n in range(case.instances)] or [""]:
        # An event of all system calls would record each read of the trace.
        tracefs.write(base + "tracing_on", "0")
        trace = tracefs.read(base + "trace")
        tracefs.write(base + "tracing_on", "1")
        records = [r for r in trace.splitlines() if r and not r.startswith("#")]
        if case.expect is None:
            if records:
                raise Failed(f"unexpected record: {records[0]}")
        else:
            good = [r for r in records if re.search(case.expect, r)]
            if not good:
                last = records[-1].strip() if records else "none"
                raise Failed(f"no record like '{case.expect}'; last: {last}")
            record = good[-1].strip()
        tracefs.write(base + "trace", "")
    return record


def measure_bpftrace(case, loop):
    """Measure the cost of a program of bpftrace, and check its output."""
    without, spread_without = loop.measure()
    loop.calls = 0
    with bpftrace.Program(case.program) as program:
        total, spread = loop.measure()
    good = [line for line in program.lines if case.expect and re.search(case.expect, line)]
    if len(good) != (loop.calls if case.expect else 0):
        raise Failed(f"{len(good)} records of {loop.calls} calls;"
                     f" output: {' '.join(program.lines)[:300]}")
    return {"cost": total - without, "with": total, "without": without,
            "spread": max(spread, spread_without), "record": good[-1] if good else ""}


def measure(case, loop, func):
    if case.program:
        return measure_bpftrace(case, loop)
    tracefs.allow_jumps(case.optimize)
    without, spread_without = loop.measure()
    define(case, func, loop)
    before = tracefs.kprobe_hits()
    options = enable(case)
    if case.inside and tracefs.wait_jump(func, 5) != case.optimize:
        raise Failed("the probe did not become a jump" if case.optimize else
                     "the probe became a jump")
    loop.calls = 0
    record = check_record(case, loop, options)
    total, spread = loop.measure(*options)
    if before is not None and tracefs.kprobe_hits() - before != loop.calls:
        raise Failed(f"{tracefs.kprobe_hits() - before} hits"
                     f" in {loop.calls} calls")
    return {"cost": total - without, "with": total, "without": without,
            "spread": max(spread, spread_without), "record": record}


def find_inside(loop):
    """Return the first place after the entry where a probe can become a jump.

    The kernel refuses offsets that are not at an instruction boundary.  Take the first
    accepted offset where the probe becomes a jump and is hit once per call.
    """
    for offset in range(1, 100):
        place = f"{cases.FUNC}+{offset}"
        try:
            tracefs.write("dynamic_events", f"p:bench/hit {place}", append=True)
        except OSError:
            continue
        tracefs.write("events/bench/hit/enable", "1")
        good = tracefs.wait_jump(place, 5)
        if good:
            loop.run(1, 4)
            good = tracefs.kprobe_hits() == 4
        tracefs.reset()
        if good:
            return place
    raise Failed("no instruction after the entry can be optimized")


def main():
    loop = Loop(sys.argv[1])
    chosen = sys.argv[3:]
    results, inside = {}, None
    tracefs.write("buffer_size_kb", str(BUFFER_KB))
    for case in cases.CASES:
        if case.key not in chosen or (case.program and not shutil.which("bpftrace")):
            continue
        tracefs.reset()
        try:
            if case.inside and not inside:
                inside = find_inside(loop)
            results[case.key] = measure(case, loop,
                                        inside if case.inside else cases.FUNC)
        except (Failed, OSError, subprocess.CalledProcessError) as e:
            log = tracefs.read("error_log").strip().splitlines()[-3:]
            tracefs.write("error_log", "")
            detail = getattr(e, "stderr", None) or " ".join(log)
            results[case.key] = {"error": f"{e} {detail}".strip()}
        print(f"  {case.title:45}"
              f"{results[case.key].get('cost', float('nan')):9.1f}", flush=True)
    tracefs.reset()
    with open(sys.argv[2], "w") as f:
        json.dump({"cases": results, "inside": inside,
                   "jit": tracefs.read("/proc/sys/net/core/bpf_jit_enable").strip(),
                   "release": os.uname().release}, f, indent=1)


if __name__ == "__main__":
    main()
