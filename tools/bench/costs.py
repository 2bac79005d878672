# SPDX-License-Identifier: GPL-2.0
"""Count operations of a hit that cost more than an ordinary instruction.

insns.c classifies the instructions.  The cost of a hit is the count for a system call with
the probe, minus the count without it.
"""

import collections
import subprocess

from project import say
import calls
import cases
from ready import INSNS

# Names of the costs, as in the head of the table.
COSTS = ["exceptions", "locked", "flags", "indirect", "returns", "bytes", "data", "code"]
# Size of QEMU's log with registers, enough for two dozen calls of most cases.
LOG_BYTES = 60 << 20
LINE = 64                       # bytes of a cache line
# The position of records, stacks and functions in memory changes these by a few.
INEXACT = ["data", "code"]

NOTE = """\
Counts for one call in QEMU's log with the probe, minus those without it: exceptions
taken; locked instructions; instructions that save or restore the flags or change the
interrupt flag; jumps and calls through a register or memory; returns to an address other
than the one after the matching call, which the processor mispredicts; bytes that
instructions read and write; and cache lines of 64 bytes: those with this data, and those
with the instructions."""


def classify(call):
    """Return [(address, length, bytes, data's cache lines, letters)] for the kernel's part."""
    steps = [(a, r) for a, r in zip(call.trace, call.registers, strict=True)
             if a >= calls.KERNEL]
    done = subprocess.run(
        [INSNS], check=True, text=True, stdout=subprocess.PIPE,
        input="".join(f"{call.code(a).hex()} {a:x} {' '.join(f'{r:x}' for r in registers)}\n"
                      for a, registers in steps))
    rows = [line.split(" ") for line in done.stdout.splitlines()]
    return [(a, int(length), int(size), {n for n in lines.split(",") if n != "-"}, letters)
            for (a, _), (length, size, lines, letters) in zip(steps, rows, strict=True)]


def wrong_returns(trace, insns):
    """Count returns to an address other than the one after the matching call."""
    stack, wrong = [], 0
    # The calls that lead to the first instruction are at the end of the trace, so the
    # first round only fills the stack.
    for again in (False, True):
        for address, following in zip(trace, trace[1:] + trace[:1]):
            length, _, letters = insns.get(address, (0, 0, ""))
            if "C" in letters:
                stack.append(address + length)
            elif "R" in letters:
                expected = stack.pop() if stack else following
                wrong += again and expected != following
    return wrong


def count(call):
    total, data, code, insns = collections.Counter(), set(), set(), {}
    for address, length, size, lines, letters in classify(call):
        insns[address] = length, size, letters
        data |= lines
        code |= {address // LINE, (address + length - 1) // LINE}
        total["bytes"] += size
        for letter, cost in ("L", "locked"), ("F", "flags"), ("I", "indirect"):
            total[cost] += letter in letters
        name, start = call.symbols.find(address)
        total["exceptions"] += address == start and name.startswith("asm_exc_")
    total["returns"] = wrong_returns(call.trace, insns)
    total["data"], total["code"] = len(data), len(code)
    return total


def measure(kernel, keys):
    """Return {key: {cost: figure}} for these cases on a kernel."""
    say(f"other costs of a hit on the {kernel} kernel")
    found = {}
    with calls.Guest(kernel, keys, LOG_BYTES, registers=True) as guest:
        for key, call in guest.phases():
            total = count(call)
            if key is None:
                without = total
            else:
                found[key] = {c: total[c] - without[c] for c in COSTS}
    return found


def higher(stock, ours):
    """Return the names of the exact costs that are higher on our kernel."""
    return [c for c in COSTS if stock and ours and ours[c] > stock[c] and c not in INEXACT]


def row(title, stock, ours, width):
    """Return one row, with '*' at its end if any cost of ours is higher."""
    cells = [f"{(stock or {}).get(c, '-')}/{(ours or {}).get(c, '-')}" for c in COSTS]
    return (f"{title:{width}}" + "".join(f"{c:>12}" for c in cells)
            + (" *" if higher(stock, ours) else "")).rstrip()


def table(data, width):
    lines = ["Other costs of a hit, stock/ours", "",
             f"{'':{width}}" + "".join(f"{c:>12}" for c in COSTS)]
    stock, ours = (data.get(n) or {} for n in ("stock", "ours"))
    for case in cases.CASES:
        if case.key in stock or case.key in ours:
            lines.append(row(case.title, stock.get(case.key), ours.get(case.key), width))
    return lines
