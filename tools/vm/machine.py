# SPDX-License-Identifier: GPL-2.0
"""The machines that QEMU emulates, one for each kernel architecture.

The machines of all architectures have the devices that a guest needs: 9p on virtio
for files, a console for the kernel's log, and another for an interactive shell.
"""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Machine:
    """One architecture.

    Attributes:
        option: the Kconfig option that every kernel of the architecture has
        qemu: name of the program
        package: group of tools/build/packages with that program
        image: the bootable file in O=
        console: the kernel's name for the console of its log
        tty: device of the console for an interactive shell
        tty_flags: QEMU's options for that console, with its character device "tty"
        flags: QEMU's options for the machine
        cpu: QEMU's CPU model.  QEMU 7.2 has no "max" for riscv64.  Its emulation of vectors
             for s390x gives wrong checksums: ping receives nothing
        early: parameters that make the kernel print before its consoles exist, and boot
        userland: Debian's name for the architecture of the guest's programs; empty if
                  the kernel can run the host's programs
    """

    option: str
    qemu: str
    package: str
    image: str
    console: str
    tty: str
    tty_flags: tuple
    flags: tuple = ()
    cpu: str = "max"
    early: str = ""
    userland: str = ""

    @property
    def native(self):
        """Can the host's processor run the kernel?"""
        return self.qemu == "qemu-system-x86_64"


# Without no_timer_check, a kernel panics if the first ticks of its timer come late, which
# happens on a busy machine.
_X86_EARLY = "earlyprintk=ttyS0 no_timer_check"
_SERIAL = ("-serial", "chardev:tty")
_VIRTIO = ("-device", "virtio-serial", "-device", "virtconsole,chardev=tty")

X86_64 = Machine(
    option="X86_64", qemu="qemu-system-x86_64", package="run",
    image="arch/x86/boot/bzImage", console="ttyS0", early=_X86_EARLY,
    tty="ttyS1", tty_flags=_SERIAL)

MACHINES = (
    X86_64,
    Machine(
        option="X86_32", qemu="qemu-system-x86_64", package="run",
        image="arch/x86/boot/bzImage", console="ttyS0", early=_X86_EARLY,
        tty="ttyS1", tty_flags=_SERIAL, userland="i386"),
    Machine(
        option="ARM64", qemu="qemu-system-aarch64", package="run-arm64",
        image="arch/arm64/boot/Image", console="ttyAMA0", early="earlycon",
        tty="hvc0", tty_flags=_VIRTIO, flags=("-machine", "virt"), userland="arm64"),
    Machine(
        option="S390", qemu="qemu-system-s390x", package="run-s390x",
        image="arch/s390/boot/bzImage", console="ttysclp0",
        tty="hvc0", tty_flags=_VIRTIO, cpu="max,vx=off", userland="s390x"),
    Machine(
        option="RISCV", qemu="qemu-system-riscv64", package="run-riscv64",
        image="arch/riscv/boot/Image", console="ttyS0", early="earlycon",
        tty="hvc0", tty_flags=_VIRTIO, flags=("-machine", "virt"), cpu="rv64",
        userland="riscv64"),
)


def options(kernel):
    """Return the options that are y in the configuration of an O= directory."""
    try:
        with open(f"{kernel}/.config") as f:
            return {line.removesuffix("=y\n").removeprefix("CONFIG_")
                    for line in f if line.endswith("=y\n")}
    except OSError:
        return set()


def of_kernel(kernel):
    """Return the machine for the kernel in an O= directory; x86-64 if it is unknown."""
    on = options(kernel)
    return next((m for m in MACHINES if m.option in on), X86_64)


def image(kernel):
    """Return the path of the file to boot a kernel from."""
    return os.path.join(kernel, of_kernel(kernel).image)
