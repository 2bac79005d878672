# SPDX-License-Identifier: GPL-2.0
"""Part: the engine's KUnit suites, which are built into our kernel.

They run at boot; debugfs keeps what each suite printed.  Every case counts.
"""

import ktap
from guests import COMPLAINED
from result import FAIL, PASS, SKIP

LIMIT = 180
READ = """
for f in /sys/kernel/debug/kunit/probe*/results; do
	[ -e "$f" ] || exit 1
	cat "$f"
done
"""


def kunit(report, guests, kernel):
    done = guests.submit(lambda: guests.run(
        "kunit", kernel, READ, LIMIT,
        append=["kunit.enable=1", "kunit.filter_glob=probe*"])).result()
    cases = 0
    for r in ktap.results(done.stdout.splitlines()):
        if r.depth == 0:
            continue        # the suite's own line, which sums its cases up
        cases += 1
        verdict = SKIP if r.skipped else PASS if r.ok else FAIL
        report.add(verdict, f"kunit {r.name}", "" if r.ok else r.log)
    if not cases:
        report.add(FAIL, "kunit: no suite named probe* answered", done.why())
    elif done.died or done.status == COMPLAINED:
        report.add(FAIL, "kernel log during kunit", done.why())
