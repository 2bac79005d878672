#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Count the calls of all functions whose names match a pattern. One command defines an
# event for each function, and another command enables all events. Usage:
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
# The kernel log has a summary for a pattern and for FUNCTION%all.
[[ $pattern != *[*?[]* && $pattern != *%all ]] || run "dmesg | grep trace_kprobe: | tail -n 1"
run "echo 1 > events/calls/enable"
while_runs "$@"
run "echo 0 > events/calls/enable"
say "The number of hits of each event:"
# kprobe_profile has the events of all groups.
profile="ls events/calls | grep -w -F -f - kprobe_profile"
run "$profile | awk '\$2 > 0 { print \$2, \$1 }' | sort -rn | sed -n 1,15p"

hits=$(eval "$profile" | awk '{ sum += $2 } END { print sum }')
[ "$hits" -gt 0 ] || fail "no function that matches $pattern was called"
