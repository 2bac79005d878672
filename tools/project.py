# SPDX-License-Identifier: GPL-2.0
"""Directories of the project, and messages for its users.  project.sh is the same for
shell scripts.

Scripts of every folder use this module, so it is in none of them.  A script finds it
from its own directory:

    sys.path.insert(1, f"{sys.path[0]}/..")         # in series/: /../tools
    import project

The import also lets the script import modules of the other folders that are made for
this.  tools/testing must not use the module: kernel trees have a copy of that
directory, but not of the others.
"""

import fcntl
import os
import sys

TOOLS = os.path.dirname(os.path.realpath(__file__))
REPO = os.path.dirname(TOOLS)
BUILD = f"{REPO}/build"

# Shared by all clones: the unpacked base, compiler results, stock kernels and their
# results.  Each part can be deleted at any time and is then made again.
CACHE_DIR = os.environ.get("CACHE_DIR") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "kprobe-tracer")

sys.path[1:1] = [f"{TOOLS}/build", f"{TOOLS}/vm", f"{REPO}/series"]

_FOLDER = os.path.basename(os.path.dirname(os.path.realpath(sys.argv[0])))


def say(text):
    """Print a message, after the name of the script's folder."""
    print(f"{_FOLDER}: {text}", file=sys.stderr, flush=True)


def run_alone(what):
    """End the program if @what runs in this clone already.  The lock ends with the program."""
    os.makedirs(BUILD, exist_ok=True)
    lock = os.open(f"{BUILD}/.{what}.lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"{_FOLDER}: another '{what}' runs in this clone; wait until it ends")
