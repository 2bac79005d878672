# SPDX-License-Identifier: GPL-2.0
"""Run a command of this machine with a time limit."""

import contextlib
import os
import signal
import subprocess


def kill_session(process):
    # All of its processes may have ended meanwhile.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def run(argv, limit, **more):
    """Return the status of a command, and all of its output.

    After @limit seconds, the command and all processes that it has started are killed,
    and the status is "timeout".  An exception, such as an interrupt, kills them, too.
    """
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          start_new_session=True, **more) as process:
        try:
            text, _ = process.communicate(timeout=limit)
            return process.returncode, text
        except subprocess.TimeoutExpired:
            kill_session(process)
            return "timeout", process.communicate()[0]
        except BaseException:
            kill_session(process)
            raise
