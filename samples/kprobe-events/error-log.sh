#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Messages for invalid commands: error_log quotes each command and marks the column
# of the error.

. "$(dirname "$(realpath "$0")")/lib.sh"

begin kprobes/oops
[ -e /sys/kernel/btf/vmlinux ] || fail "this kernel has no BTF"
export LC_ALL=C

# wrong MESSAGE COLUMN COMMAND
wrong()
{
	local log caret

	echo > error_log
	printf "\n# echo '%s' >> kprobe_events\n" "$3"
	! printf '%s\n' "$3" 2> /dev/null >> kprobe_events ||
		fail "the invalid command was accepted"
	cat error_log
	log=$(sed -n 's/.*error: //p' error_log)
	# A detail may follow the message.
	[ "${log%%: *}" = "$1" ] || fail "expected: $1"
	caret=$(sed -n '3{s/\^.*//;p}' error_log)
	# The column is counted from the end of "  Command: ".
	[ $((${#caret} - 11)) = "$2" ] || fail "expected the caret in column $2"
}

wrong "Invalid probed address or symbol" 7 'p:oops no_such_function'
wrong "The symbol is not unique" 7 "p:oops $(sed 's/ .*//' available_filter_functions |
	sort | uniq -d | sed -n 1p)"
wrong "Invalid register name" 18 'p:oops vfs_read a=%foo'
wrong "Dereference brace is not closed" 24 'p:oops vfs_read a=+8(%di'
wrong "Unknown type is specified" 22 'p:oops vfs_read count:u65'
wrong "This field is not found." 22 'p:oops vfs_read file->f_mod'
wrong "\$retval is not available on probe" 16 'p:oops vfs_read $retval'
wrong "Maxactive is only for function exit" 1 'p10:oops vfs_read'
