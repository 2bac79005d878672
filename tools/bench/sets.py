#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Guest side of the set benchmark.

It measures
- the seconds to add, enable, disable and remove N events, and the memory of an event;
- the seconds of the same steps for events of the other kinds;
- the seconds to delete N events in other ways, and to remove an instance that uses them;
- the seconds to open and close N of these events by perf, and N kprobes of perf;
- the seconds to reload a module that had N events when it was unloaded;
- the seconds that bpftrace and funccount need for N functions, if they are installed, and
  how many of these are not in user mode;
- the missed returns of N tasks that sleep in one function;
- how many probes inside functions become jumps.

    sets.py LOOP OUT [all]

LOOP is the compiled loop.c; the other programs are in the same directory.  OUT is the
JSON file to write.  The events of a set are on networking functions.  An idle guest does
not call these functions, so the figures include no hits.  With 'all', there is only one
set, on all functions that can be probed.  Each event is added by a separate write, and the
figures include the hits.  While 'all' runs, OUT has the results of the finished steps.
"""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import places  # noqa: E402
import tracefs  # noqa: E402

SIZES = [100, 1600]
KINDS = "pr"
STEPS = ["add", "enable", "disable", "clear"]
PERF_SIZES = [100, 1000]
RELOAD = 200
MODULE, IN_MODULE = "trace-printk", "trace_printk:trace_printk_irq_work"
TRACEPOINT = "2"                        # PERF_TYPE_TRACEPOINT
PMU = "/sys/bus/event_source/devices/kprobe/type"
SLEEPERS = [100, 1000, 10000]
PLACES = 1000
# The commands: the number and the place of an event are filled in.
COMMANDS = {
    "p": "p:bench/e{} {} a=%di",
    "r": "r:bench/e{} {} a=%ax",
    "f": "f:bench/e{} {} a=$arg1",
    "f_return": "f:bench/e{} {}%return a=$stack0",
    "t": "t:bench/e{} {} a=$arg1",
    "e": "e:bench/e{} {} a=$__syscall_nr",
    "u": "p:bench/e{} {} a=%di",
    "u_return": "r:bench/e{} {} a=$retval",
}
# Files with a line for each place that is armed.
ARMED = {"p": tracefs.KPROBES, "r": tracefs.KPROBES,
         "f": "enabled_functions", "f_return": "enabled_functions"}


def file_of(kind):
    """Return the file with the commands of the events of a kind."""
    return "kprobe_events" if kind in KINDS else "dynamic_events"


def commands(kind, names, first=0):
    """Return the commands for events e<first>, e<first+1>, ..."""
    return [COMMANDS[kind].format(i, n) + "\n" for i, n in enumerate(names, first)]


def add(kind, names, first=0):
    tracefs.write(file_of(kind), "".join(commands(kind, names, first)), append=True)


def add_possible(kind, names):
    """Define events as add() does, but skip the functions that the kernel refuses."""
    path = os.path.join(tracefs.TRACING, file_of(kind))
    fd = os.open(path, os.O_WRONLY | os.O_APPEND)
    for command in commands(kind, names):
        try:
            os.write(fd, command.encode())
        except OSError:
            pass
    os.close(fd)


def is_reclaimable(cache):
    """Return nonzero if the kernel can reclaim the objects of a slab cache, e.g. dentries."""
    with open(f"/sys/kernel/slab/{cache}/reclaim_account") as f:
        return int(f.read())


def kernel_memory():
    """Return the kernel's memory in use, in KiB: slab objects, per-CPU memory, vmalloc()."""
    with open("/proc/slabinfo") as f:
        caches = [line.split() for line in f][2:]
    caches = [c for c in caches if not is_reclaimable(c[0])]
    with open("/proc/meminfo") as f:
        other = re.findall(r"^(?:Percpu|VmallocUsed): *(\d+)", f.read(), re.M)
    # Number of active objects, and size of an object.
    return sum(int(c[1]) * int(c[3]) for c in caches) / 1024 + sum(map(int, other))


def memory(kind):
    """Return the memory of one event in KiB, without the memory that all events share."""
    names = places.functions(SIZES[-1])
    some = len(names) // 10
    add(kind, names[:some])
    # The kernel frees memory of earlier events in the background.
    time.sleep(3)
    before = kernel_memory()
    add(kind, names[some:], some)
    used = kernel_memory() - before
    tracefs.write("kprobe_events", "")
    return used / (len(names) - some)


def timed(what, *args):
    start = time.monotonic()
    what(*args)
    return time.monotonic() - start


def check_enabled(kind, count):
    enabled = tracefs.read("events/bench/enable").strip()
    if enabled != "1":
        raise SystemExit(f"events/bench/enable is {enabled}")
    if kind in ARMED:
        armed = tracefs.read(ARMED[kind]).count("\n")
        if armed < count:
            raise SystemExit(f"{armed} places armed, {count} wanted")


def run(kind, names, add=add, took=None):
    """Add the seconds of each step to 'took' when the step ends; return 'took'."""
    took = {} if took is None else took
    took["add"] = timed(add, kind, names)
    count = tracefs.read(file_of(kind)).count("\n")
    took["enable"] = timed(tracefs.write, "events/bench/enable", "1")
    check_enabled(kind, count)
    took["disable"] = timed(tracefs.write, "events/bench/enable", "0")
    took["clear"] = timed(tracefs.write, file_of(kind), "")
    left = tracefs.read(file_of(kind))
    if left:
        raise SystemExit(f"{left.count(chr(10))} events remain")
    print(f"  {count:5} events ({kind}), seconds:" + "".join(
        f"  {step} {figure:.2f}" for step, figure in took.items()), flush=True)
    took["count"] = count
    return took


def other_kinds(program, count):
    """Return the seconds of each step for a set of each kind that has no kprobes."""
    names = {kind: places.functions(count) for kind in ("f", "f_return")}
    names |= {"t": places.tracepoints(count), "e": places.static_events(count)}
    took = {kind: run(kind, of) for kind, of in names.items()}
    with places.Targets(program) as targets:
        return took | {kind: run(kind, targets.functions(count)) for kind in ("u", "u_return")}


def other_ways(count):
    """Return the seconds for changes of sets that run() does not measure."""
    names, took = places.functions(count), {}
    add("p", names)
    os.mkdir(os.path.join(tracefs.TRACING, "instances/bench"))
    tracefs.write("instances/bench/events/bench/enable", "1")
    took["instance"] = timed(os.rmdir, os.path.join(tracefs.TRACING, "instances/bench"))
    took["group"] = timed(tracefs.write, "kprobe_events", "-:bench/\n", True)
    add("p", names)
    commands = "".join(f"-:bench/e{i}\n" for i in range(count))
    took["names"] = timed(tracefs.write, "kprobe_events", commands, True)
    left = tracefs.read("kprobe_events")
    if left:
        raise SystemExit(f"{left.count(chr(10))} events remain")
    return took


def open_and_close(program, kind, lines):
    """Open and close events with perfprobes.c; return the seconds of the two steps."""
    done = subprocess.run([program, kind], check=True, text=True,
                          input="\n".join(lines) + "\n", stdout=subprocess.PIPE)
    opened, opening, closing = done.stdout.split()
    if int(opened) != len(lines):
        raise SystemExit(f"perf opened {opened} events, {len(lines)} wanted")
    return float(opening), float(closing)


def perf(program, count):
    """Open and close kprobes of perf.  The kernel may remove them after close()."""
    opening, closing = open_and_close(program, tracefs.read(PMU).strip(),
                                      places.functions(count))
    closed = time.monotonic()
    while tracefs.read(tracefs.KPROBES):
        time.sleep(0.01)
    return {"open": opening, "close": closing,
            "removed": closing + time.monotonic() - closed}


def perf_events(program, count):
    """Open and close kprobe events by perf.  The kernel may disarm them after close()."""
    add("p", places.functions(count))
    numbers = [tracefs.read(f"events/bench/e{i}/id").strip() for i in range(count)]
    opening, closing = open_and_close(program, TRACEPOINT, numbers)
    closed = time.monotonic()
    while tracefs.read(tracefs.KPROBES).count("[DISABLED]") < count:
        time.sleep(0.01)
    took = {"open": opening, "close": closing,
            "disarmed": closing + time.monotonic() - closed}
    tracefs.write("kprobe_events", "")
    return took


def modprobe(*args):
    return subprocess.run(["modprobe", *args], check=False,
                          stderr=subprocess.DEVNULL).returncode == 0


def reload(count):
    """Return the seconds to reload a module that had 'count' events when it was unloaded."""
    add("p", [IN_MODULE] * count)
    modprobe(MODULE)
    modprobe("-r", MODULE)
    took = timed(modprobe, MODULE)
    probes = tracefs.read(tracefs.KPROBES).count("  trace_printk ")
    modprobe("-r", MODULE)
    tracefs.write("kprobe_events", "")
    if probes < count:
        raise SystemExit(f"{probes} kprobes in the module, {count} wanted")
    return took


def allow_files(count):
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))


class Client:
    """Measure the seconds of a program that runs in this context."""

    def __enter__(self):
        self.start = time.monotonic()
        self.user = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        return self

    def __exit__(self, *_):
        self.total = time.monotonic() - self.start
        self.user = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - self.user

    def seconds(self, idle=0):
        """Return the seconds, without @idle seconds for which the program was told to wait."""
        return {"total": self.total - idle, "kernel": self.total - idle - self.user}


def bpftrace(count):
    """Return the seconds that bpftrace needs to attach to functions and to exit."""
    allow_files(4 * count)
    probes = ",".join(f"kprobe:{name}" for name in places.functions(count))
    with Client() as client:
        subprocess.run(["bpftrace", "-"], check=True, text=True, stdout=subprocess.DEVNULL,
                       input=f"{probes} {{ @ = count(); }} BEGIN {{ exit(); }}",
                       env=os.environ | {"BPFTRACE_MAX_PROBES": str(4 * count)})
    return client.seconds()


def funccount(count):
    """Return the seconds that bcc's funccount needs to attach to functions and to exit."""
    # bcc compiles a program with the headers of the kernel.
    modprobe("kheaders")
    allow_files(4 * count)
    names = "|".join(places.functions(count))
    with Client() as client:
        done = subprocess.run(["funccount-bpfcc", "-d", "1", "-r", f"^({names})$"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=os.environ | {"BCC_PROBE_LIMIT": str(4 * count)})
    if f"Tracing {count} functions" not in done.stdout or "Detaching" not in done.stdout:
        raise SystemExit(f"funccount: {done.stdout[-2000:]}")
    return client.seconds(idle=1)


def sizes():
    """Return the distance from each symbol in the kernel's text to the next symbol."""
    with open("/proc/kallsyms") as f:
        rows = [line.split() for line in f if "[" not in line]
    text = sorted((int(r[0], 16), r[2]) for r in rows if r[1] in "tT")
    return {name: after - at for (at, name), (after, _) in zip(text, text[1:])}


def add_inside(number, name, size):
    """Define a probe after the entry of a function; return False if no offset is accepted."""
    first = 9                           # after ENDBR and the ftrace call site
    for i in range(size - first):
        offset = first + (number * 37 + i) % (size - first)
        try:
            tracefs.write("kprobe_events", f"p:bench/e{number} {name}+{offset}\n",
                          append=True)
            return True
        except OSError:
            pass
    return False


def jumps(count):
    """Return the number of probes inside functions, how many become jumps, and seconds."""
    size, took = sizes(), {}
    added = sum(add_inside(i, name, size[name])
                for i, name in enumerate(places.functions(count)) if size.get(name, 0) > 9)
    tracefs.write("error_log", "")
    took["enable"] = timed(tracefs.write, "events/bench/enable", "1")
    # The first jumps appear after a grace period.
    found, end = 0, time.monotonic() + 60
    while time.monotonic() < end:
        time.sleep(3)
        before, found = found, tracefs.read(tracefs.KPROBES).count("[OPTIMIZED]")
        if found and found == before:
            break
    took["disable"] = timed(tracefs.write, "events/bench/enable", "0")
    took["clear"] = timed(tracefs.write, "kprobe_events", "")
    return {"places": added, "jumps": found} | took


def raise_limits(count):
    """Allow 'count' threads."""
    for name in ("kernel/threads-max", "kernel/pid_max", "vm/max_map_count"):
        with open(f"/proc/sys/{name}", "w") as f:
            f.write(str(4 * count))


def missed_returns(program, count):
    """Return the misses of a return probe while 'count' calls are in progress.

    The misses include returns of other tasks, so the result can exceed 'count'.
    """
    tracefs.write("kprobe_events", "r:bench/reads ksys_read\n", append=True)
    tracefs.write("events/bench/reads/enable", "1")
    done = subprocess.run([program, str(count)], check=True, stdout=subprocess.PIPE)
    tracefs.write("events/bench/reads/enable", "0")
    if int(done.stdout) != count:
        raise SystemExit(f"{done.stdout} threads, {count} wanted")
    misses = tracefs.profile("reads")[1]
    tracefs.write("kprobe_events", "")
    return misses


def write_result(out, results):
    """Replace the result file atomically: the guest can be stopped at any time."""
    with open(f"{out}.new", "w") as f:
        json.dump(results | {"release": os.uname().release}, f, indent=1)
    os.rename(f"{out}.new", out)


def report_progress(out, took):
    """Write the finished steps and the seconds of the current step, every 5 seconds.

    Return after the last step.
    """
    ended, since = 0, time.monotonic()
    while len(took) < len(STEPS):
        if len(took) > ended:
            ended, since = len(took), time.monotonic()
        more = {STEPS[ended]: time.monotonic() - since}
        write_result(out, {"all": dict(took) | {"more_than": more}})
        time.sleep(5)


def longest_stall(program, names):
    """Return the longest time that a task had to wait for its CPU during the steps."""
    with subprocess.Popen([program], text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as stall:
        run("p", names, add_possible)
        longest = stall.communicate()[0]
    if stall.returncode:
        raise SystemExit(f"stall ended with {stall.returncode}")
    print(f"  longest stall {longest}", end="", flush=True)
    return float(longest)


def all_functions(programs, out):
    """Measure the steps, then repeat them with the program that measures stalls.

    That program has hits of its own, which make the steps longer.
    """
    took, names = {}, places.candidates()
    reporter = threading.Thread(target=report_progress, args=(out, took), daemon=True)
    reporter.start()
    run("p", names, add_possible, took)
    reporter.join()
    write_result(out, {"all": took})
    return took | {"stall": longest_stall(f"{programs}/stall", names)}


def measure(programs):
    results = {"sets": {k: {n: run(k, places.functions(n)) for n in SIZES} for k in KINDS},
               "memory": {k: memory(k) for k in KINDS}, "perf": {}, "missed": {}}
    for count in PERF_SIZES:
        results["perf"][count] = took = perf(f"{programs}/perfprobes", count)
        print(f"  {count:5} kprobes of perf:" + "".join(
            f"  {step} {seconds:.2f} s" for step, seconds in took.items()), flush=True)
    results["other_ways"] = {SIZES[-1]: other_ways(SIZES[-1])}
    results["perf_events"] = {SIZES[-1]: perf_events(f"{programs}/perfprobes", SIZES[-1])}
    for key in "other_ways", "perf_events":
        print(f"  {SIZES[-1]:5} events, {key}:" + "".join(
            f"  {step} {took:.2f} s" for step, took in results[key][SIZES[-1]].items()),
            flush=True)
    if modprobe("-n", MODULE):
        results["reload"] = {RELOAD: reload(RELOAD)}
        print(f"  {RELOAD:5} events in a module, load again: {results['reload'][RELOAD]:.2f} s",
              flush=True)
    for measured, program in (bpftrace, "bpftrace"), (funccount, "funccount-bpfcc"):
        if shutil.which(program):
            took = measured(SIZES[-1])
            results[measured.__name__] = {SIZES[-1]: took}
            print(f"  {SIZES[-1]:5} functions, {program}: {took['total']:.2f} s, "
                  f"not in user mode: {took['kernel']:.2f} s", flush=True)
    results["jumps"] = jumps(PLACES)
    print("  {jumps} of {places} probes inside functions have a jump; enable {enable:.2f} s, "
          "disable {disable:.2f} s, clear {clear:.2f} s".format(**results["jumps"]), flush=True)
    raise_limits(max(SLEEPERS))
    for count in SLEEPERS:
        results["missed"][count] = missed_returns(f"{programs}/sleepers", count)
        print(f"  {count:5} calls, {results['missed'][count]} returns missed", flush=True)
    return results


def main():
    tracefs.reset()
    if sys.argv[3:] == ["all"]:
        results = {"all": all_functions(os.path.dirname(sys.argv[1]), sys.argv[2])}
    elif sys.argv[3:] == ["kinds"]:
        program = f"{os.path.dirname(sys.argv[1])}/targets"
        results = {"kinds": other_kinds(program, SIZES[-1])}
    else:
        results = measure(os.path.dirname(sys.argv[1]))
    write_result(sys.argv[2], results)


if __name__ == "__main__":
    main()
