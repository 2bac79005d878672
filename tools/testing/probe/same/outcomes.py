# SPDX-License-Identifier: GPL-2.0
"""Run commands for dynamic events, and write what each of them does.

    outcomes.py COMMANDS CALLS OUTPUT

COMMANDS is a JSON file with batches of commands (see commands.py), which run one after the
other.  The commands of a batch are written, all events are enabled, the program CALLS runs,
and the events are deleted.  OUTPUT gets a line of JSON after each batch:

    outcomes    for each command: errno, the errors in error_log, the lines that it added to
                dynamic_events, the format of the event, its records, and the errno of enable
    deleted     the errno of deleting all events
    left        the events that are left
    status      the status of the program
"""

import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys

T = "/sys/kernel/tracing"
DIR = "/tmp/same"
PID = 50000             # of the program
CLONE3 = 435            # number of the system call, the same on all architectures

EVENT = re.compile(r"[a-z]\d*:([^/ ]+)/(\S+)")
RECORD = re.compile(r".*-(\d+) +\[\d+\] (\S+) +[\d.]+: (\S+?): (.*)$")
ERROR = re.compile(r"\[ *[\d.]+\] (.*)$")
HEAD = "  Command: "


def read(path):
    with open(path, encoding="latin-1") as f:
        return f.read()


def write(path, text, flags=os.O_APPEND):
    """Write a text with one system call; return the errno, or 0."""
    try:
        fd = os.open(path, os.O_WRONLY | flags)
    except OSError as e:
        return e.errno
    try:
        os.write(fd, text.encode("latin-1"))
        return 0
    except OSError as e:
        return e.errno
    finally:
        os.close(fd)


def must(path, text, flags=0):
    if number := write(f"{T}/{path}", text, flags):
        sys.exit(f"{path}: {os.strerror(number)}")


def prepare(program):
    """Make a file system for the program, in which all numbers of inodes are known."""
    os.makedirs(DIR, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "none", DIR], check=True)
    shutil.copy(program, f"{DIR}/calls")
    with open(f"{DIR}/file", "w") as f:
        f.write("hello, probes\n")
    os.symlink("file", f"{DIR}/link")
    must("buffer_size_kb", "16384")
    must("tracing_on", "0")
    for path, text in (("kernel/randomize_va_space", "0"), ("kernel/pid_max", "4194304")):
        with open(f"/proc/sys/{path}", "w") as f:
            f.write(text)


def errors():
    """Return the errors in error_log: message, command and column."""
    found = []
    for line in read(f"{T}/error_log").split("\n"):
        if match := ERROR.match(line):
            found.append([match[1]])
        elif line.startswith(HEAD) and found:
            found[-1].append(line[len(HEAD):])
        elif line.strip() == "^" and found:
            found[-1].append(len(line) - len(HEAD) - 1)
    return found


def event_format(event):
    """Return the format of an event, which has no files if its name is odd."""
    try:
        return re.sub(r"\nID: \d+", "", read(f"{T}/events/{event}/format"))
    except OSError as e:
        return os.strerror(e.errno)


def define(command, known):
    """Write a command; return its outcome, and the lines of dynamic_events after it."""
    write(f"{T}/error_log", "\n", os.O_TRUNC)
    outcome = {"errno": write(f"{T}/{command['file']}", command["text"] + "\n")}
    outcome["errors"] = errors()
    now = read(f"{T}/dynamic_events").splitlines()
    left = list(known)
    outcome["listing"] = []
    for line in now:
        if line in left:
            left.remove(line)
        else:
            outcome["listing"].append(line)
    outcome["gone"] = left
    outcome["events"] = []
    for line in outcome["listing"]:
        if match := EVENT.match(line):
            outcome["events"].append("/".join(match.groups()))
    outcome["formats"] = [event_format(e) for e in outcome["events"]]
    return outcome, now


def fork(pid):
    """Fork, and let the child have this number."""
    numbers = (ctypes.c_int32 * 1)(pid)
    args = (ctypes.c_uint64 * 11)(0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0,
                                  ctypes.addressof(numbers), 1, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(CLONE3, ctypes.byref(args), ctypes.sizeof(args))
    if result < 0:
        sys.exit(f"clone3: {os.strerror(ctypes.get_errno())}")
    return result


def call(program):
    """Run the program in a task whose number is known, and record only that task."""
    pid = fork(PID)
    if not pid:
        os.sched_setaffinity(0, {0})
        os.setpgid(0, 0)
        must("set_event_pid", str(os.getpid()), os.O_TRUNC)
        os.chdir("/")
        os.execve(program, ["calls", f"{T}/tracing_on"], {})
    _, status = os.waitpid(pid, 0)
    must("tracing_on", "0")
    must("set_event_pid", "\n", os.O_TRUNC)
    return pid, status


def records(pid):
    """Return the records of a task: {event: [[flags, text]]}."""
    found, last = {}, None
    for line in read(f"{T}/trace").split("\n"):
        match = RECORD.match(line)
        if match and int(match[1]) == pid:
            last = [match[2], match[4]]
            found.setdefault(match[3], []).append(last)
        elif not match and last and line and not line.startswith("#"):
            last[1] += "\n" + line
    return found


def run(batch):
    """Run a batch of commands; return the outcomes."""
    known, outcomes = [], []
    for command in batch:
        outcome, known = define(command, known)
        outcomes.append(outcome)
    must("trace", "\n", os.O_TRUNC)
    for o in outcomes:
        o["enabled"] = [write(f"{T}/events/{e}/enable", "1", 0) for e in o["events"]]
    pid, status = call(f"{DIR}/calls")
    hits = records(pid)
    for o in outcomes:
        o["hits"] = [hits.get(e.split("/")[1], []) for e in o["events"]]
    must("events/enable", "0")
    deleted = write(f"{T}/dynamic_events", "\n", os.O_TRUNC)
    return {"outcomes": outcomes, "deleted": deleted, "status": status,
            "left": read(f"{T}/dynamic_events")}


def main():
    commands, program, output = sys.argv[1:]
    with open(commands) as f:
        batches = json.load(f)
    prepare(program)
    with open(output, "w") as out:
        for batch in batches:
            print(json.dumps(run(batch)), file=out, flush=True)


if __name__ == "__main__":
    main()
