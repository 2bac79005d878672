# SPDX-License-Identifier: GPL-2.0
"""Save the kernel's text, or compare it with a saved copy.

    text.py save FILE
    text.py compare FILE

'compare' prints the symbols of functions that differ, and fails if there are any.
"""

import bisect
import struct
import sys

LOAD = 1            # type of a program header
PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")


def symbols():
    """Return all symbols of the kernel itself, sorted by address."""
    with open("/proc/kallsyms") as f:
        lines = [line.split() for line in f]
    return sorted((int(line[0], 16), line[2]) for line in lines if len(line) == 3)


def text(start, end):
    with open("/proc/kcore", "rb", buffering=0) as f:
        header = f.read(64)
        offset, count = (struct.unpack_from("<Q", header, 32)[0],
                         struct.unpack_from("<H", header, 56)[0])
        for i in range(count):
            f.seek(offset + i * PROGRAM_HEADER.size)
            kind, _, at, address, _, size, *_ = PROGRAM_HEADER.unpack(
                f.read(PROGRAM_HEADER.size))
            if kind == LOAD and address <= start and end <= address + size:
                f.seek(at + start - address)
                data = b""
                while len(data) < end - start:
                    data += f.read(end - start - len(data))
                return data
    sys.exit("/proc/kcore has no text")


def main():
    action, path = sys.argv[1:]
    table = symbols()
    named = {name: address for address, name in table}
    start = named["_stext"]
    now = text(start, named["_etext"])
    if action == "save":
        with open(path, "wb") as f:
            f.write(now)
        return
    with open(path, "rb") as f:
        before = f.read()
    addresses = [address for address, _ in table]
    differ = {table[bisect.bisect(addresses, start + i) - 1][1]
              for i, (a, b) in enumerate(zip(before, now)) if a != b}
    print(" ".join(sorted(differ)))
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
