# SPDX-License-Identifier: GPL-2.0
"""Start QEMU, and copy the contents of the files that it writes."""

import ctypes
import os
import signal
import subprocess


def _die_with_parent():
    """Called in the child: QEMU gets SIGKILL when this script dies for any reason."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start(command, terminal=False):
    """Start QEMU; with @terminal, it uses this script's stdin and stdout."""
    return subprocess.Popen(command, preexec_fn=_die_with_parent,
                            stdin=None if terminal else subprocess.DEVNULL,
                            stdout=None if terminal else 2)


def accelerator(native=True, cpu=None):
    """Return QEMU's options for the accelerator and the CPU.

    KVM ($VM_ACCEL is "kvm") can only run a kernel of this machine's architecture.
    """
    if native and os.environ.get("VM_ACCEL") == "kvm":
        return ["-accel", "kvm", "-cpu", "host"]
    # One thread for all CPUs: with several threads, a guest CPU may execute the stale
    # first byte of an instruction that another CPU has already patched.
    return ["-accel", "tcg,thread=single", "-cpu", cpu or "max"]


class Tail:
    """Copies a growing file to a descriptor."""

    def __init__(self, path, fd):
        self.file, self.fd = open(path, "rb"), fd

    def pump(self):
        while data := self.file.read(1 << 16):
            while data:
                data = data[os.write(self.fd, data):]
