# SPDX-License-Identifier: GPL-2.0
"""Run commands on this machine with time limits, also in several threads."""

import contextlib
import os
import signal
import subprocess
import threading

from project import BUILD, REPO, TOOLS

# Seconds; more than twice the time of the longest build, 'make deb' on 2 CPUs.
BUILD_LIMIT = 4 * 3600
GRACE = 60

# Processes that run, with the function that ends each, and whether no more may start.
_running, _aborted = {}, threading.Event()


def kill_group(process):
    # All processes of the group may already have ended.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def end_group(process):
    """End a process group, and wait for its first process.

    SIGTERM lets make remove the files that it writes.  After GRACE seconds, SIGKILL ends
    the processes that are left.
    """
    with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(GRACE)
    kill_group(process)


def abort():
    """End the commands that all threads run, and start no more."""
    _aborted.set()
    for process, end in list(_running.items()):
        threading.Thread(target=end, args=[process]).start()


def aborted():
    return _aborted.is_set()


def check_abort():
    if aborted():
        raise RuntimeError("the run was aborted")


@contextlib.contextmanager
def start(argv, end, **more):
    """Start a process in a process group of its own; after an abort, call @end for it."""
    check_abort()
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, start_new_session=True,
                          **more) as process:
        _running[process] = end
        try:
            # The abort may have missed this process.
            if aborted():
                end(process)
            yield process
        finally:
            del _running[process]
    # A command that was ended has no result.
    check_abort()


def run(argv, limit, **more):
    """Return the status of a command, and all of its output.

    The command runs in a process group of its own.  After @limit seconds, the group is
    killed and the status is "timeout".  An exception, such as an interrupt, also kills
    the group.
    """
    with start(argv, kill_group, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
               errors="replace", **more) as process:
        try:
            text, _ = process.communicate(timeout=limit)
            return process.returncode, text
        except subprocess.TimeoutExpired:
            kill_group(process)
            return "timeout", process.communicate()[0]
        except BaseException:
            kill_group(process)
            raise


def show(argv, limit):
    """Run a command whose output goes to stderr; return why it failed, or ''.

    The command runs in a process group of its own.  After @limit seconds, or after an
    exception, the group is ended.
    """
    with start(argv, end_group, stdout=2) as process:
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            end_group(process)
            return f"not finished after {limit} s"
        except BaseException:
            end_group(process)
            raise
    return f"status {status}" if status else ""


def build(what):
    """Let tools/build/build make a kernel or packages; return why this failed, or ''."""
    failed = show([f"{TOOLS}/build/build", what], BUILD_LIMIT)
    return failed and (f"{failed}; see the messages above for the reason, and the logs in "
                       f"{os.path.relpath(BUILD, REPO)}/log/")
