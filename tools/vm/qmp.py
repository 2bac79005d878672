# SPDX-License-Identifier: GPL-2.0
"""Send commands to a running QEMU with the QEMU Machine Protocol.  Each command and each
answer is one line of JSON.

The socket is in the temporary directory of tools/vm/run.  Other scripts find it on
QEMU's command line, with socket_of().
"""

import json
import re
import socket


def option(path):
    """Return QEMU's option for a socket at @path."""
    return ["-qmp", f"unix:{path},server=on,wait=off"]


def socket_of(pid):
    """Return the path of the socket of the QEMU with this process id."""
    with open(f"/proc/{pid}/cmdline", "rb") as f:
        return re.search(rb"unix:([^,\0]+),server=on", f.read())[1].decode()


class Monitor:
    """A connection.  Raises OSError if a command fails or QEMU does not answer."""

    def __init__(self, path, timeout=None):
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            self.socket.settimeout(timeout)
            self.socket.connect(path)
            self.file = self.socket.makefile("rw")
            self._read()        # the greeting
            self.execute("qmp_capabilities")
        except BaseException:
            self.socket.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.file.close()
        self.socket.close()

    def _read(self):
        line = self.file.readline()
        if not line.endswith("\n"):
            raise ConnectionError("QEMU has closed its monitor")
        return json.loads(line)

    def execute(self, command, **arguments):
        """Run a command and return its result.  Events before the result are skipped."""
        self.file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.file.flush()
        while "return" not in (answer := self._read()):
            if "error" in answer:
                raise OSError(answer["error"]["desc"])
        return answer["return"]

    def line(self, text):
        """Run a command of QEMU's interactive monitor and return its output."""
        return self.execute("human-monitor-command", **{"command-line": text})
