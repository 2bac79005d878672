#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Probes from early boot. With a definition, prints the parameter for the kernel's command
# line. If the definition has a name and no group, also prints a boot configuration.
# Without a definition, shows hits and records of named probes that were defined at boot:
#
#     boot.sh 'p:opens do_sys_openat2 file=+0($arg2):ustring'
#     boot.sh
#
# boot.bconf in this directory has the same probe as a boot configuration.

if [ $# -gt 0 ]; then
	echo "On the kernel command line, with commas for blanks and ';' between probes:"
	echo "    kprobe_event=${1// /,}"
	echo "In /etc/default/grub, use quotes ('), \\\$ instead of \$, and \\; instead of ';'."
	echo "The boot-time buffer is small. For a larger one, add:"
	echo "    ftrace=nop trace_buf_size=1M"
	# A boot configuration has no 'r'; the place of a return probe ends with %return.
	if [[ $1 =~ ^([pr])[0-9]*:([^/. ]+)\ +([^ ]+)(.*)$ ]]; then
		name=${BASH_REMATCH[2]} place=${BASH_REMATCH[3]} args=${BASH_REMATCH[4]}
		[ "${BASH_REMATCH[1]}" = p ] || place+=%return
		echo
		echo "In a boot configuration (Documentation/admin-guide/bootconfig.rst):"
		echo "    ftrace.event.kprobes.$name {"
		echo "        probes = \"$place$args\""
		echo "        enable"
		echo "    }"
	fi
	exit 0
fi

. "$(dirname "$(realpath "$0")")/lib.sh"

given=$(tr ' ' '\n' < /proc/cmdline | sed -n 's/^kprobe_event=//p' |
	tail -n 1)
names=$(tr ';' '\n' <<< "$given" |
	sed -n 's/^[pr][0-9]*:\([^,/]*\/\)\{0,1\}\([^,]*\),.*/\2/p')
[ ! -e /proc/bootconfig ] ||
	names+=" $(sed -n 's/^ftrace\.event\.kprobes\.\([^.]*\)\.probes .*/\1/p' \
		/proc/bootconfig)"
names=$(xargs <<< "$names")
if [ -z "$names" ]; then
	say "This kernel was booted without named probes. To define one, add this to the"
	echo "kernel command line and reboot:"
	echo "    kprobe_event=p:opens,do_sys_openat2,file=+0(\$arg2):ustring"
	exit 0
fi

say "Defined at boot: $names"
run "cat kprobe_profile"
for name in $names; do
	# An event has a line for each of its probes.
	hits=$(awk -v n="$name" '$1 == n { sum += $2 } END { print sum + 0 }' kprobe_profile)
	[ "$hits" -gt 0 ] || fail "$name has not been hit since boot"
done
say "The oldest records in the buffer:"
was=$(cat tracing_on)
trap 'echo "$was" > tracing_on' EXIT
echo 0 > tracing_on
run "records | sed -n 1,5p"
