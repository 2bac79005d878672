# SPDX-License-Identifier: GPL-2.0
"""Start QEMU, and copy what it writes to files."""

import ctypes
import os
import signal
import subprocess


def _die_with_parent():
    """Called in the child: QEMU gets SIGKILL when this script dies for any reason."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start(command, terminal=False):
    """Start QEMU; its stdin and stdout are this script's only if @terminal."""
    return subprocess.Popen(command, preexec_fn=_die_with_parent,
                            stdin=None if terminal else subprocess.DEVNULL,
                            stdout=None if terminal else 2)


class Tail:
    """Copies data that is appended to a file to a descriptor."""

    def __init__(self, path, fd):
        self.file, self.fd = open(path, "rb"), fd

    def pump(self):
        while data := self.file.read(1 << 16):
            while data:
                data = data[os.write(self.fd, data):]
