# SPDX-License-Identifier: GPL-2.0
"""Write the guest's initrd, a cpio archive, without other tools.

It has only directories, a static busybox and the init script.  A boot configuration, if
there is one, follows the archive in the format that the kernel expects.
"""

import os
import shutil
import stat
import struct


def _entry(name, mode, data=b"", inode=[0]):
    """Return a member in cpio's 'newc' format: 13 hex fields, name, data, padding."""
    inode[0] += 1
    fields = (inode[0], mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
    head = b"070701" + b"".join(b"%08x" % f for f in fields) + name.encode() + b"\0"
    return _pad(head) + _pad(data)


def _pad(data, to=4):
    return data + b"\0" * (-len(data) % to)


def _bootconfig(text):
    """Return the text, padded so that the whole file stays aligned, and its trailer."""
    data = _pad(text + b"\0")
    return data + struct.pack("<II", len(data), sum(data) & 0xffffffff) + b"#BOOTCONFIG\n"


def write(path, init, programs="/", bootconfig=None):
    """Write the archive to @path, with the busybox of the system in @programs."""
    busybox = os.path.join(programs, "bin/busybox")
    if programs == "/":
        busybox = shutil.which("busybox") or busybox
    with open(init, "rb") as f:
        script = f.read()
    with open(busybox, "rb") as f:
        shell = f.read()
    parts = [_entry(d, stat.S_IFDIR | 0o755)
             for d in ("bin", "dev", "proc", "lower", "upper", "root")]
    parts += [
        _entry("bin/busybox", stat.S_IFREG | 0o755, shell),
        _entry("init", stat.S_IFREG | 0o755, script),
        _entry("TRAILER!!!", 0),
    ]
    with open(path, "wb") as f:
        f.write(b"".join(parts))
        if bootconfig is not None:
            f.write(_bootconfig(bootconfig))
