# SPDX-License-Identifier: GPL-2.0
"""Run a command on this machine with a time limit."""

import contextlib
import os
import signal
import subprocess


def kill_group(process):
    # All processes of the group may already have ended.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def run(argv, limit, **more):
    """Return the status of a command, and all of its output.

    The command runs in a process group of its own.  After @limit seconds, the group is
    killed and the status is "timeout".  An exception, such as an interrupt, also kills
    the group.
    """
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          start_new_session=True, **more) as process:
        try:
            text, _ = process.communicate(timeout=limit)
            return process.returncode, text
        except subprocess.TimeoutExpired:
            kill_group(process)
            return "timeout", process.communicate()[0]
        except BaseException:
            kill_group(process)
            raise
