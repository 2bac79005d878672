#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Guest side of calls.py: run the loop without a probe, then with the probe of each case.

    spin.py LOOP DIR KEY...

DIR is shared with the host.  This program creates the file DIR/off when the loop runs
without a probe, and DIR/KEY when it runs with the probe of that case.  The host answers by
creating 'off.seen' and 'KEY.seen'.  'off.kallsyms' and 'KEY.kallsyms' are copies of
the guest's symbols.
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


def phase(loop, directory, name, options):
    """Run the loop until the host has logged enough calls."""
    process = subprocess.Popen([loop.program, *options, "1000", "10000", cases.USER_STRING],
                               stdout=subprocess.DEVNULL)
    time.sleep(0.5)
    # Code that is generated for the probe has a symbol only while the probe exists.
    shutil.copyfile("/proc/kallsyms", f"{directory}/{name}.kallsyms")
    open(f"{directory}/{name}", "w").close()
    while not os.path.exists(f"{directory}/{name}.seen"):
        if process.poll() is not None:
            sys.exit(f"the loop ended with status {process.returncode}")
        time.sleep(0.05)
    process.kill()
    process.wait()


def probed(loop, directory, case, place):
    tracefs.allow_jumps(case.optimize)
    hits.define(case, place, loop)
    options = hits.enable(case)
    if case.inside and tracefs.wait_jump(place, 5) != case.optimize:
        sys.exit("the probe did not become a jump" if case.optimize else
                 "the probe became a jump")
    print(hits.check_record(case, loop, options))
    phase(loop, directory, case.key, options)
    tracefs.reset()


def main():
    program, directory, *keys = sys.argv[1:]
    chosen = [c for c in cases.CASES if c.key in keys]
    tracefs.write("buffer_size_kb", str(hits.BUFFER_KB))
    tracefs.reset()
    loop = hits.Loop(program)
    phase(loop, directory, "off", [])
    inside = None
    for case in chosen:
        if case.inside and not inside:
            inside = hits.find_inside(loop)
        probed(loop, directory, case, inside if case.inside else cases.FUNC)


if __name__ == "__main__":
    main()
