#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Guest side of the profile: run the loop forever, first without a case's probe, then
with it.

    spin.py LOOP DIR KEY

DIR is shared with the host.  This program creates the file 'off' there when the loop
runs without the probe, and 'on' when it runs with the probe.  The host answers by
creating 'off.seen' and 'on.seen'.  'kallsyms' is a copy of the guest's symbols.
"""

import os
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import cases  # noqa: E402
import hits  # noqa: E402
import tracefs  # noqa: E402


def phase(program, directory, name, options):
    """Keep the loop running until the host has seen enough."""
    loop = subprocess.Popen([program, *options, "1000", "10000000", cases.USER_STRING])
    time.sleep(0.5)
    # Code that is generated for the probe has a symbol only while the probe exists.
    shutil.copyfile("/proc/kallsyms", f"{directory}/kallsyms")
    open(f"{directory}/{name}", "w").close()
    while not os.path.exists(f"{directory}/{name}.seen"):
        if loop.poll() is not None:
            sys.exit(f"the loop ended with status {loop.returncode}")
        time.sleep(0.05)
    loop.kill()
    loop.wait()


def main():
    program, directory, key = sys.argv[1:]
    case = next(c for c in cases.CASES if c.key == key)
    loop = hits.Loop(program)
    tracefs.write("buffer_size_kb", str(hits.BUFFER_KB))
    tracefs.reset()
    place = hits.find_inside(loop) if case.inside else cases.FUNC
    phase(program, directory, "off", [])
    tracefs.write(tracefs.OPTIMIZATION, str(int(case.optimize)))
    hits.define(case, place)
    options = hits.enable(case)
    if case.inside:
        tracefs.wait_jump(place, 5)
    print(hits.check_record(case, loop, options))
    phase(program, directory, "on", options)
    tracefs.reset()


if __name__ == "__main__":
    main()
