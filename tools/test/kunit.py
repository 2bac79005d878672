# SPDX-License-Identifier: GPL-2.0
"""Part: KUnit suites of the engine and of kprobes.

Ours are built into our kernel and run at boot, the base's suite of kprobes runs
when its module is loaded; debugfs keeps what each suite printed.  Every case counts.
"""

import ktap
from guests import COMPLAINED
from result import FAIL, PASS, SKIP

LIMIT = 180
# What names of suites begin with.
SUITES = ("probe", "kprobes_x86_", "kprobes_test")
FILTER = "*probe*"
READ = """
modprobe test_kprobes || exit 1
for suite in %s; do
	for f in /sys/kernel/debug/kunit/"$suite"*/results; do
		cat "$f" || exit 1
	done
done
""" % " ".join(SUITES)


def kunit(report, guests, kernel):
    done = guests.submit(lambda: guests.run(
        "kunit", kernel, READ, LIMIT,
        append=["kunit.enable=1", f"kunit.filter_glob={FILTER}"])).result()
    cases = 0
    for r in ktap.results(done.stdout.splitlines()):
        if r.depth == 0:
            continue        # the suite's own line, which sums its cases up
        cases += 1
        verdict = SKIP if r.skipped else PASS if r.ok else FAIL
        report.add(verdict, f"kunit {r.name}", "" if r.ok else r.log)
    if not cases:
        report.add(FAIL, "kunit: no suite answered", done.why())
    elif done.died or done.status == COMPLAINED:
        report.add(FAIL, "kernel log during kunit", done.why())
    elif done.status:
        report.add(FAIL, "kunit: a suite did not answer", done.why())
