#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Count the calls of all functions whose names match a pattern. One command defines an
# event for each function, and another one enables them all. Usage:
#
#     calls.sh [PATTERN [COMMAND...]]

. "$(dirname "$(realpath "$0")")/lib.sh"

pattern=${1:-vfs_*}
shift || true
[ $# -gt 0 ] || set -- ls -R /etc

[ ! -d events/calls ] || fail "group calls already exists"
remove()
{
	[ -d events/calls ] || return 0
	echo 0 > events/calls/enable
	echo '-:calls/' >> kprobe_events
}
trap remove EXIT

run "echo 'p:calls/ $pattern' >> kprobe_events"
run "dmesg | grep trace_kprobe: | tail -n 1"
run "echo 1 > events/calls/enable"
say "While this runs: $*"
"$@" > /dev/null
run "echo 0 > events/calls/enable"
say "The number of hits of each event:"
run "awk '\$1 ~ /^p_/ && \$2 > 0 { print \$2, \$1 }' kprobe_profile | sort -rn | sed -n 1,15p"

hits=$(awk '$1 ~ /^p_/ { sum += $2 } END { print sum }' kprobe_profile)
[ "${hits:-0}" -gt 0 ] || fail "no function that matches $pattern was called"
