#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Guest side of the set benchmark: seconds to add, arm, disarm, remove N events, seconds
to open and close N kprobes of perf, and missed returns of N tasks that sleep in one
function.

    sets.py LOOP OUT

LOOP is the compiled loop.c, with the other programs beside it, OUT is the JSON file to
write.  The
events of a set are on networking functions, which an idle guest does not call, so that
the figures include no hits.
"""

import collections
import json
import os
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import tracefs  # noqa: E402

SIZES = [100, 400, 1600]
PERF_SIZES = [100, 1000]
PMU = "/sys/bus/event_source/devices/kprobe/type"
SLEEPERS = [100, 1000, 10000]
QUIET = re.compile(r"_*(arp|dev|fib|fib6|icmp|icmpv6|igmp|inet|inet6|ip|ip6|ipv4|ipv6|"
                   r"mld|ndisc|neigh|net|netdev|netlink|nf|nla|packet|ping|raw|"
                   r"rawv6|rt|rt6|rtnl|rtnetlink|sk|skb|sock|tcp|tcp4|tcp6|udp|"
                   r"udp4|udp6|udplite|unix|xfrm|ethtool|eth|nexthop|qdisc|tc)"
                   r"_[a-z0-9_]*$")


def functions(count):
    """Return names of 'count' functions that can be probed, the same in each boot."""
    with open("/sys/kernel/debug/kprobes/blacklist") as f:
        banned = {line.split()[1] for line in f}
    with open("/proc/kallsyms") as f:
        seen = collections.Counter(line.split()[2] for line in f)
    names = [line.split()[0] for line
             in tracefs.read("available_filter_functions").splitlines()]
    good = [n for n in names
            if QUIET.match(n) and seen[n] == 1 and n not in banned]
    if len(good) < count:
        raise SystemExit(f"only {len(good)} functions to probe, {count} wanted")
    return [good[i * len(good) // count] for i in range(count)]


def add(names):
    lines = "".join(f"p:bench/e{i} {n} a=%di\n" for i, n in enumerate(names))
    tracefs.write("kprobe_events", lines, append=True)


def timed(what, *args):
    start = time.monotonic()
    what(*args)
    return time.monotonic() - start


def run(count):
    names = functions(count)
    took = {
        "add": timed(add, names),
        "enable": timed(tracefs.write, "events/bench/enable", "1"),
    }
    armed = tracefs.read(tracefs.KPROBES).count("\n")
    if armed < count:
        raise SystemExit(f"{armed} kprobes armed, {count} wanted")
    took["disable"] = timed(tracefs.write, "events/bench/enable", "0")
    took["clear"] = timed(tracefs.write, "kprobe_events", "")
    left = tracefs.read("kprobe_events")
    if left:
        raise SystemExit(f"{left.count(chr(10))} events remain")
    return took


def perf(program, count):
    """Open and close kprobes of perf.  The kernel may remove them after close()."""
    done = subprocess.run([program, tracefs.read(PMU).strip()], check=True, text=True,
                          input="\n".join(functions(count)) + "\n",
                          stdout=subprocess.PIPE)
    closed = time.monotonic()
    opened, opening, closing = done.stdout.split()
    if int(opened) != count:
        raise SystemExit(f"{opened} kprobes of perf, {count} wanted")
    while tracefs.read(tracefs.KPROBES):
        time.sleep(0.01)
    return {"open": float(opening), "close": float(closing),
            "removed": float(closing) + time.monotonic() - closed}


def limits(count):
    """Allow so many threads."""
    for name in ("kernel/threads-max", "kernel/pid_max", "vm/max_map_count"):
        with open(f"/proc/sys/{name}", "w") as f:
            f.write(str(4 * count))


def missed_returns(program, count):
    """Return how many of 'count' calls that are in progress at a time are missed."""
    tracefs.write("kprobe_events", "r:bench/reads ksys_read\n", append=True)
    tracefs.write("events/bench/reads/enable", "1")
    done = subprocess.run([program, str(count)], check=True, stdout=subprocess.PIPE)
    tracefs.write("events/bench/reads/enable", "0")
    if int(done.stdout) != count:
        raise SystemExit(f"{done.stdout} threads, {count} wanted")
    misses = tracefs.profile("reads")[1]
    tracefs.write("kprobe_events", "")
    return misses


def main():
    programs = os.path.dirname(sys.argv[1])
    results, perf_results, missed = {}, {}, {}
    tracefs.reset()
    for count in SIZES:
        results[count] = run(count)
        print(f"  {count:5}" + "".join(f"  {step} {seconds:.2f} s" for step, seconds
                                       in results[count].items()), flush=True)
    for count in PERF_SIZES:
        perf_results[count] = perf(f"{programs}/perfprobes", count)
        print(f"  {count:5} of perf" + "".join(
            f"  {step} {seconds:.2f} s" for step, seconds
            in perf_results[count].items()), flush=True)
    limits(max(SLEEPERS))
    for count in SLEEPERS:
        missed[count] = missed_returns(f"{programs}/sleepers", count)
        print(f"  {count:5} calls, {missed[count]} returns missed", flush=True)
    with open(sys.argv[2], "w") as f:
        json.dump({"sets": results, "perf": perf_results, "missed": missed,
                   "release": os.uname().release}, f, indent=1)


if __name__ == "__main__":
    main()
