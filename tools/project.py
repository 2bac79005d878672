# SPDX-License-Identifier: GPL-2.0
"""Directories of the project, and messages for its users.

project.sh is the counterpart for shell scripts.

Scripts of every folder use this module, so it is in none of these folders.  A script
finds the module from its own directory:

    sys.path.insert(1, f"{sys.path[0]}/..")         # scripts in series/ add /../tools
    import project

The import also adds tools/build, tools/vm and series to sys.path, for the modules that
scripts of other folders use.  tools/testing must not use this module: kernel trees have a
copy of that directory, but not of the others.
"""

import fcntl
import os
import sys

TOOLS = os.path.dirname(os.path.realpath(__file__))
REPO = os.path.dirname(TOOLS)
BUILD = f"{REPO}/build"

# git for this repository, which another user may own: CI often runs as root.
GIT = ("git", "-c", f"safe.directory={REPO}", "-C", REPO)
# Hooks of git have these variables.  With them, commits of series/series would go to this
# repository, not to its own.
for _name in "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE":
    os.environ.pop(_name, None)

# Shared by all clones: the unpacked base, the compiler's results, stock kernels and their
# test results.  Each part can be deleted at any time and is then made again.
CACHE_DIR = os.environ.get("CACHE_DIR") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "kprobe-tracer")

sys.path[1:1] = [f"{TOOLS}/build", f"{TOOLS}/vm", f"{REPO}/series"]

_HELD = []      # files that stay locked
_FOLDER = os.path.basename(os.path.dirname(os.path.realpath(sys.argv[0])))


def say(text):
    """Print a message with the name of the script's folder before it."""
    print(f"{_FOLDER}: {text}", file=sys.stderr, flush=True)


def lock(path, user, wait=True):
    """Lock a file, and wait for another user or exit.  Closing the file unlocks it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    file = open(path, "w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if not wait:
            sys.exit(f"{_FOLDER}: {user} runs in this clone; wait until it ends")
        say(f"waiting for {user}")
        fcntl.flock(file, fcntl.LOCK_EX)
    return file


def run_alone(what):
    """Exit if @what already runs in this clone.  The lock is held until the program exits."""
    _HELD.append(lock(f"{BUILD}/.{what}.lock", f"another '{what}'", wait=False))
