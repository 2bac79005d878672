# SPDX-License-Identifier: GPL-2.0
"""Build kernels and programs for a measurement, if they are not there yet."""

import os
import subprocess

from project import BUILD, TOOLS

OUT = os.path.join(BUILD, "bench")
LOOP = os.path.join(OUT, "loop")        # the compiled loop.c; the other programs are beside it
INSNS = os.path.join(OUT, "insns")      # the compiled insns.c, for the host
# The cost of a mitigation depends on the processor; an emulated one does not show it.
BOOT = "--append=mitigations=off"
KERNELS = {"stock": os.path.join(BUILD, "stock"), "ours": os.path.join(BUILD, "kernel")}


def kernels(names):
    """Build the kernels, and install the packages for the measurement."""
    subprocess.run([f"{TOOLS}/build/build", *names], check=True)
    subprocess.run([f"{TOOLS}/build/setup", "run", "bench"], check=True)


def programs():
    """Compile the programs for the guest, and the one for the host."""
    os.makedirs(OUT, exist_ok=True)
    for name in ("loop", "sleepers", "perfprobes", "stall"):
        subprocess.run(["gcc", "-O2", "-Wall", "-static", "-o", f"{OUT}/{name}",
                        f"{TOOLS}/bench/{name}.c"], check=True)
    subprocess.run(["gcc", "-O2", "-Wall", "-o", INSNS, f"{TOOLS}/bench/insns.c",
                    "-lZydis"], check=True)
