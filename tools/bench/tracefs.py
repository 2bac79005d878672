# SPDX-License-Identifier: GPL-2.0
"""Guest side: read and write the tracing files."""

import glob
import os
import re
import time

TRACING = "/sys/kernel/tracing/"
OPTIMIZATION = "/proc/sys/debug/kprobes-optimization"
KPROBES = "/sys/kernel/debug/kprobes/list"
JUMP = 0xe9                             # jmp with a 32-bit displacement


def read(path):
    with open(os.path.join(TRACING, path)) as f:
        return f.read()


def write(path, text, append=False):
    """Write with one write(2), so that an error refers to the whole text."""
    flags = os.O_WRONLY | (os.O_APPEND if append else os.O_TRUNC)
    fd = os.open(os.path.join(TRACING, path), flags)
    try:
        data = text.encode()
        if os.write(fd, data) != len(data):
            raise OSError(f"{path}: short write")
    finally:
        os.close(fd)


def events_off(base=""):
    write(f"{base}events/enable", "0")
    write(f"{base}trace", "")


def remove_triggers():
    """Remove the triggers of our events.  An event that has triggers cannot be deleted."""
    for path in glob.glob(TRACING + "events/bench/*/trigger"):
        for line in read(path).splitlines():
            if not line.startswith("#"):
                write(path, f"!{line}")


def reset():
    """Remove events and instances, clear the buffers, and allow jumps."""
    remove_triggers()
    for name in os.listdir(TRACING + "instances"):
        events_off(f"instances/{name}/")
        os.rmdir(f"{TRACING}instances/{name}")
    events_off()
    write("dynamic_events", "")
    allow_jumps(True)


def allow_jumps(on):
    """Set whether kprobes may become jumps, on architectures that have such jumps."""
    if os.path.exists(OPTIMIZATION):
        write(OPTIMIZATION, str(int(on)))


def profile(event):
    """Return the event's hits and misses, or None if kprobe_profile lacks the event."""
    for line in read("kprobe_profile").splitlines():
        name, hits, misses = line.split()
        if name == event:
            return int(hits), int(misses)
    return None


def kprobe_hits(event="hit"):
    """Return the event's hits, or None if kprobe_profile lacks the event."""
    counts = profile(event)
    return counts[0] if counts else None


def first_byte(place):
    """Return the byte that is now at SYMBOL+OFFSET in the kernel's text."""
    write("dynamic_events", f"p:bench/peek __x64_sys_getppid b=@{place}:u8",
          append=True)
    write("events/bench/peek/enable", "1")
    os.getppid()
    write("events/bench/peek/enable", "0")
    value = re.search(r"peek: .* b=(\d+)", read("trace"))
    write("dynamic_events", "-:bench/peek", append=True)
    write("trace", "")
    return int(value[1]) if value else None


def wait_jump(place, seconds):
    """Return whether an enabled kprobe becomes a jump within this time.

    The list of kprobes has [OPTIMIZED] as soon as a probe is queued for optimisation;
    a worker changes the text later.  Check both.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if "[OPTIMIZED]" in read(KPROBES) and first_byte(place) == JUMP:
            return True
        time.sleep(0.1)
    return False
