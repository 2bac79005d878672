#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Read raw records of a kprobe event, and distinguish faults from zeros.

The trace file shows '(fault)' for a number whose memory could not be read. Raw
records have 0 instead, and the fault map after the declared fields shows which
zeros are faults. The first bit of the map is always set. After it, the map has a
bit for each recorded number, and for each element of an array of numbers, in the
order of the format file. This program probes an address that is not mapped, reads
the records from the ring buffer, and decodes them.

events/header_page and events/header_event describe the pages of the ring buffer. This
program can read only pages of 64-bit little-endian kernels.
"""

import glob
import os
import re
import struct
import subprocess
import sys

T = "/sys/kernel/tracing"
PROBE = (r"p:unread do_sys_openat2 n=\0:u32 bad=+0(\0):u64 list=+0(\0):x8[2] "
         r"how=+0(%dx):u64 s=+0(\0):string me=$comm")


def write(name, text, how=os.O_TRUNC):
    # Do not use open(): in append mode, it seeks to the end, which fails here.
    fd = os.open(f"{T}/{name}", os.O_WRONLY | how)
    try:
        os.write(fd, text.encode() + b"\n")
    finally:
        os.close(fd)


def read(name):
    with open(f"{T}/{name}") as f:
        return f.read()


class Format:
    """The fields of an event, from its format file."""

    LINE = re.compile(r"field:(.*?) ?(\w+)(\[\d*\])?;\toffset:(\d+);"
                      r"\tsize:(\d+);\tsigned:(\d);")

    def __init__(self, event):
        text = read(f"events/{event}/format")
        self.id = int(re.search(r"ID: (\d+)", text)[1])
        self.fields = []
        for kind, name, array, offset, size, signed in self.LINE.findall(text):
            if not name.startswith(("common_", "__probe_")):
                self.fields.append((kind, name, array, int(offset), int(size),
                                    int(signed)))
        self.map = max(f[3] + f[4] for f in self.fields)

    def decode(self, record):
        """Return a record as {name: value}; the value None is a fault."""
        if len(record) <= self.map or not record[self.map] & 1:
            sys.exit("faults.py: records of this kernel have no fault map")
        values, bit = {}, 1
        for kind, name, array, offset, size, signed in self.fields:
            if kind.startswith("__data_loc"):
                texts = [self.text(record, at)
                         for at in range(offset, offset + size, 4)]
                values[name] = texts if size > 4 else texts[0]
                continue
            width = self.width(kind) if array else size
            numbers = []
            for at in range(offset, offset + size, width):
                fault = record[self.map + bit // 8] >> bit % 8 & 1
                number = int.from_bytes(record[at:at + width], sys.byteorder,
                                        signed=bool(signed))
                numbers.append(None if fault else number)
                bit += 1
            values[name] = numbers if array else numbers[0]
        return values

    @staticmethod
    def text(record, at):
        """Return the string whose offset and length are at `at`."""
        where, = struct.unpack_from("=I", record, at)
        length, start = where >> 16, where & 0xffff
        if not length:
            return None
        return record[start:start + length - 1].decode(errors="replace")

    @staticmethod
    def width(kind):
        """Return the number of bytes of an element: 4 for s32."""
        return int(re.search(r"\d+$", kind)[0]) // 8


def events(page):
    """Yield the records in a page of the ring buffer."""
    commit, = struct.unpack_from("=Q", page, 8)
    at, end = 16, 16 + (commit & 0xfffff)
    while at < end:
        header, = struct.unpack_from("=I", page, at)
        kind, delta = header & 31, header >> 5
        if 1 <= kind <= 28:                     # data; kind is its length in words
            yield page[at + 4:at + 4 + kind * 4]
            at += 4 + kind * 4
        elif kind == 0:                         # data; the next word has its length
            length, = struct.unpack_from("=I", page, at + 4)
            yield page[at + 8:at + 4 + length]
            at += 4 + length
        elif kind == 29:                        # padding
            if not delta:
                return
            at += 4 + struct.unpack_from("=I", page, at + 4)[0]
        else:                                   # time
            at += 8


def raw_records():
    size = int(re.search(r"data;\toffset:\d+;\tsize:(\d+)",
                         read("events/header_page"))[1]) + 16
    for path in glob.glob(f"{T}/per_cpu/cpu*/trace_pipe_raw"):
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            while page := os.read(fd, size):
                yield from events(page)
        except BlockingIOError:
            pass
        os.close(fd)


def main():
    if os.geteuid():
        sys.exit("faults.py: must be run as root")
    if not os.path.exists(f"{T}/kprobe_events"):
        sys.exit(f"faults.py: no kprobe_events; try: mount -t tracefs none {T}")
    if read("tracing_on") != "1\n":
        sys.exit(f"faults.py: tracing is off; try: echo 1 > {T}/tracing_on")
    write("trace", "")
    write("kprobe_events", PROBE, os.O_APPEND)
    print(PROBE)
    try:
        form = Format("kprobes/unread")
        write("events/kprobes/unread/enable", "1")
        subprocess.run(["cat", "/etc/hostname"], stdout=subprocess.DEVNULL)
        write("events/kprobes/unread/enable", "0")
        got = [form.decode(r) for r in raw_records()
               if struct.unpack_from("=H", r)[0] == form.id]
    finally:
        write("events/kprobes/unread/enable", "0")
        write("kprobe_events", "-:unread", os.O_APPEND)

    for values in got[:3]:
        print(*(f"{name}={value}" for name, value in values.items()))
    first = got[0] if got else {}
    readable = first.pop("how", None) is not None and first.pop("me", None)
    if not readable or first != {"n": 0, "bad": None, "list": [None, None], "s": None}:
        sys.exit("faults.py: the records do not have the probed values")
    print("None is a fault, 0 is a zero.")


if __name__ == "__main__":
    main()
