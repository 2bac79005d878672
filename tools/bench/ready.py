# SPDX-License-Identifier: GPL-2.0
"""Build kernels and programs for a measurement."""

import os
import subprocess
from dataclasses import dataclass

from project import BUILD, TOOLS

# The cost of a mitigation depends on the processor; emulation does not show it.
BOOT = "--append=mitigations=off"


@dataclass(frozen=True)
class Target:
    """The kernels and programs that are measured on one architecture.

    Attributes:
        machine: the architecture's name in cases.py
        what: the kernels, as arguments of tools/build/build
        kernels: the kernels' O= directories
        config: their configuration in tools/configs
        packages: groups of tools/build/packages
        compiler: compiler of the programs for the guest
        programs: names of these programs
        out: directory of the programs and the results
    """

    machine: str
    what: dict
    kernels: dict
    config: str
    packages: tuple
    compiler: str
    programs: tuple
    out: str

    @property
    def loop(self):
        """The compiled loop.c; the other programs are in the same directory."""
        return os.path.join(self.out, "loop")


OUT = os.path.join(BUILD, "bench")
TARGETS = {
    "x86_64": Target(
        machine="x86_64", what={"stock": "stock", "ours": "ours"},
        kernels={"stock": f"{BUILD}/stock", "ours": f"{BUILD}/kernel"},
        config="main", packages=("run", "bench"), compiler="gcc",
        programs=("loop", "sleepers", "perfprobes", "stall", "targets"), out=OUT),
    "arm64": Target(
        machine="aarch64",
        what={"stock": "stock-config:boot-arm64", "ours": "config:boot-arm64"},
        kernels={"stock": f"{BUILD}/base/configs/boot-arm64",
                 "ours": f"{BUILD}/configs/boot-arm64"},
        config="boot-arm64", packages=("run-arm64", "bench-arm64"),
        compiler="aarch64-linux-gnu-gcc", programs=("loop",), out=f"{OUT}/arm64"),
}
X86_64 = TARGETS["x86_64"]
INSNS = os.path.join(OUT, "insns")      # the compiled insns.c, for the host


def kernels(target, names):
    """Build the kernels."""
    subprocess.run([f"{TOOLS}/build/build", *(target.what[n] for n in names)], check=True)


def programs(target):
    """Install packages; compile the guest's programs, and for x86-64 also insns.c."""
    subprocess.run([f"{TOOLS}/build/setup", *target.packages], check=True)
    os.makedirs(target.out, exist_ok=True)
    for name in target.programs:
        subprocess.run([target.compiler, "-O2", "-Wall", "-static", "-o",
                        f"{target.out}/{name}", f"{TOOLS}/bench/{name}.c"], check=True)
    if target is X86_64:
        subprocess.run(["gcc", "-O2", "-Wall", "-o", INSNS, f"{TOOLS}/bench/insns.c",
                        "-lZydis"], check=True)
