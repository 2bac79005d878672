# SPDX-License-Identifier: GPL-2.0
"""Part: KUnit suites of events, the engine, rethook, fprobe and kprobes.

Suites that are built into our kernel run at boot.  The base's suite of kprobes runs when
its module is loaded.  debugfs keeps the output of each suite.  Each case counts as one
test.
"""

import fnmatch
import os

import contents

LIMIT = 180
# Options, all of which are necessary, and the names of the suites that they enable.
SUITES = {
    "EVENT_PATHS_KUNIT_TEST": "ring_buffer_paths trace_event_paths",
    "PERF_SOFTWARE_KUNIT_TEST": "perf_event_paths",
    "PROBE_EVENTS_KUNIT_TEST": "probe_btf probe_codegen probe_event probe_filter probe_formula "
                                "probe_limits probe_paths probe_predicate probe_strings "
                                "probe_view",
    "PROBE_EVENTS_KUNIT_TEST UPROBE_EVENTS": "probe_user",
    "PROBE_EVENTS_KUNIT_TEST WPROBE_EVENTS": "probe_watchpoints",
    "RETHOOK_KUNIT_TEST": "probe_rethook",
    "FPROBE_SANITY_TEST": "fprobe_test",
    "KPROBES_X86_KUNIT_TEST": "kprobes_x86_context kprobes_x86_exec kprobes_x86_fault "
                              "kprobes_x86_place kprobes_x86_place_disabled "
                              "kprobes_x86_place_near kprobes_x86_place_writers "
                              "kprobes_x86_region",
    "UPROBES_X86_KUNIT_TEST": "uprobes_x86_emulate",
    "KPROBES_KUNIT_TEST": "kprobes_sets",
    "KPROBES_SANITY_TEST": "kprobes_test",
}
READ = """
case " %s " in
*" kprobes_test "*) modprobe test_kprobes || exit 1
esac
for suite in %s; do
    for f in /sys/kernel/debug/kunit/"$suite"/results; do
        cat "$f" || exit 1
    done
done
"""


def suites(kernel):
    """Return the names of the suites that a kernel has, separated by spaces."""
    with open(os.path.join(kernel, ".config")) as f:
        enabled = {line.split("=")[0] for line in f if line.startswith("CONFIG_")}
    return " ".join(names for options, names in SUITES.items()
                    if enabled.issuperset(f"CONFIG_{option}" for option in options.split()))


def file_of(suite):
    """Return the file of the series that has a suite."""
    for path, source in sorted(contents.our_files().items()):
        if path.endswith("_kunit.c"):
            with open(source) as f:
                if f'= "{suite}"' in f.read():
                    return path
    return ""


def kunit(report, guests, kernel, pattern="*"):
    """Run the suites of a kernel whose names match a pattern."""
    names = " ".join(fnmatch.filter(suites(kernel).split(), pattern))
    done = guests.submit(lambda: guests.run(
        "kunit", kernel, READ % (names, names), LIMIT,
        append=["kunit.enable=1", f"kunit.filter_glob={pattern}"])).result()
    done.add_results(report, "kunit ", file_of)
