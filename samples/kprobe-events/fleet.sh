#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Trace several machines at once. All machines define the same events, trace-cmd sends
# their records to one machine, and a report merges the records by time.
#
#     fleet.sh define FILE            on each machine: define the events of FILE
#     fleet.sh listen DIR [PORT]      on one machine: receive records until Ctrl-C
#     fleet.sh record HOST[:PORT] [COMMAND...]
#                                     on each machine: send the records to HOST while
#                                     COMMAND runs, or until Ctrl-C
#     fleet.sh report DIR             on the receiving machine: print all records
#     fleet.sh remove FILE            on each machine: remove the events of FILE
#
# FILE has one definition in each line, for events of the group "fleet"; fleet.events is
# an example. fleet.service defines them at boot. For events that have to exist before
# the first process, see boot.sh.
#
# The time stamps of records are in TAI. The order of records from different machines is
# only as exact as the synchronization of their clocks. The difference between TAI and
# UTC, which chrony and ntpd can set, must be the same on all machines. trace-cmd does
# not authenticate machines: use it only in a trusted network.

port=5678

usage()
{
	sed -n '/^# *fleet\.sh/,/^#$/s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

# Print the names in a file of definitions.
names()
{
	sed -n 's/^[a-z][0-9]*:\([^[:space:]]*\).*/\1/p' "$1"
}

define()
{
	local name

	! grep -v -E -q '^[[:space:]]*(#|$)|^[a-z][0-9]*:fleet/' "$1" ||
		fail "$1 has lines that define no event of the group fleet"
	for name in $(names "$1"); do
		[ ! -d "events/$name" ] || fail "event $name already exists"
	done
	cat "$1" >> dynamic_events || {
		remove "$1"
		fail "a definition was refused; see $T/error_log"
	}
}

remove()
{
	local name

	for name in $(names "$1"); do
		[ -d "events/$name" ] || continue
		echo 0 > "events/$name/enable"
		echo "-:$name" >> dynamic_events
	done
}

# trace-cmd merges the records by time, and prefixes each record with the name of its file.
report()
{
	local file files=()

	for file in "$1"/trace.*.dat; do
		files+=(-i "$file")
	done
	trace-cmd report "${files[@]}"
}

[ $# -ge 2 ] || usage
action=$1
object=$2
shift 2

case $action in
define | remove)
	file=$(realpath -e "$object") || exit 1
	. "$(dirname "$(realpath "$0")")/lib.sh"
	$action "$file"
	;;
listen)
	mkdir -p "$object"
	exec trace-cmd listen -p "${1:-$port}" -d "$object"
	;;
record)
	[[ $object == *:* ]] || object+=:$port
	exec trace-cmd record -q -t -N "$object" -C tai -e fleet "$@"
	;;
report)
	report "$object"
	;;
*)
	usage
	;;
esac
