#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Measure the duration of a function: the kernel matches the hits at its entry and at
# its return by PID, and the script only reads the histogram. Usage:
#
#     latency.sh [FUNCTION [COMMAND...]]

. "$(dirname "$(realpath "$0")")/lib.sh"

func=${1:-do_nanosleep}
shift || true
[ $# -gt 0 ] || set -- bash -c 'for i in 1 2 3 4 5; do sleep 0.02; done'

begin kprobes/lat_out kprobes/lat_in synthetic/lat

run "echo 'lat u64 usecs' >> synthetic_events"
run "echo 'p:lat_in $func' >> kprobe_events"
run "echo 'r:lat_out $func' >> kprobe_events"

say "A trigger at entry saves a timestamp for the task. A trigger at return computes" \
    "the difference and makes a 'lat' event. A histogram counts the events by powers of two:"
run "echo 'hist:keys=common_pid:ts=common_timestamp.usecs' > events/kprobes/lat_in/trigger"
run "echo 'hist:keys=common_pid:d=common_timestamp.usecs-\$ts:onmatch(kprobes.lat_in)\
.trace(lat,\$d)' > events/kprobes/lat_out/trigger"
run "echo 'hist:keys=usecs.log2:sort=usecs' > events/synthetic/lat/trigger"

while_runs "$@"
run "cat events/synthetic/lat/hist"

hits=$(sed -n 's/^ *Hits: //p' events/synthetic/lat/hist)
[ "${hits:-0}" -gt 0 ] || fail "no return of $func was recorded"
