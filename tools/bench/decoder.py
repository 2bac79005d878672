# SPDX-License-Identifier: GPL-2.0
"""Benchmark instruction decoders on the host: ours, the stock kernel's and Zydis.

tools/testing/insn compiles all decoders into one program, which decodes the
.text of our vmlinux with each of them in turn.
"""

import json
import subprocess

from project import BUILD, TOOLS, say

VMLINUX = f"{BUILD}/kernel/vmlinux"

NOTE = """\
One host program, compiled with -O2, decodes .text of our vmlinux with one decoder
after the other, in several rounds. The fastest round counts, as other load disturbs
it least. Zydis is included for scale: it also decodes operands and registers (minimal
mode: no operands)."""

TITLES = {"stock": "stock", "ours": "ours", "zydis-minimal": "Zydis, minimal mode",
          "zydis-full": "Zydis, full mode"}


def measure():
    """Run 'make bench' in tools/testing/insn; return its data, or {} on failure."""
    say("the instruction decoders")
    done = subprocess.run(["make", "-s", "-C", f"{TOOLS}/testing/insn", "bench",
                           f"TREE={BUILD}/src", f"STOCK={BUILD}/base/src",
                           f"OUT={BUILD}/host-insn", f"VMLINUX={VMLINUX}",
                           "BENCH=--json -r 15"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout + done.stderr, end="")
        return {}
    return json.loads(done.stdout)


def table(data, width):
    """Return the rows: nanoseconds, speed relative to stock, bytes of tables."""
    decoders = data["decoders"]
    stock = decoders["stock"]["ns_min"]
    count = decoders["ours"]["instructions"]
    lines = [f"Instruction decoder, {count} instructions of vmlinux", "",
             f"{'':{width}}{'ns/insn':>9}{'speed':>9}{'tables':>8}"]
    for key, title in TITLES.items():
        if not (entry := decoders.get(key)):
            continue
        ns = entry["ns_min"]
        size = entry.get("table_bytes", "")
        lines.append(f"{title:{width}}{ns:9.1f}{stock / ns:8.2f}x{size:>8}")
    return lines
