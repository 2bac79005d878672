# SPDX-License-Identifier: GPL-2.0
# description: with one of two processors online, LOCK prefixes that are restored later are refused
# append: maxcpus=1
. "$(dirname "$0")/../lib.sh"

need objdump
if [ ! -e /sys/devices/system/cpu/cpu1/online ]; then
	skip "LOCK prefixes" "there is only one processor"
	exit
fi

# Each line has the name of a function, the address of an instruction with a LOCK prefix,
# the address of the instruction before it, and the address of the function.  Skip memory
# barriers, which keep their prefix on one processor.
from=$(awk '$3 == "vfs_open" { print "0x" $1 }' "$KERNEL/System.map")
objdump -d --no-show-raw-insn --start-address="$from" \
	--stop-address="$(printf '0x%x' $((from + 0x20000)))" "$KERNEL/vmlinux" |
	awk '/^[0-9a-f]+ <.*>:$/ { f = substr($2, 2, length($2) - 3); s = $1; p = "" }
	     /^ *[0-9a-f]+:/ { a = substr($1, 1, length($1) - 1)
			       if ($2 == "lock" && !/[(]%rsp[)]/ && p != "") print f, "0x" a, "0x" p, "0x" s
			       p = a }' |
	head -n 40 > locks

tried=0 taken=0
while read -r f at before start; do
	define "p:before $f+$((before - start))" 2> /dev/null || continue
	tried=$((tried + 1))
	if define "p:locked $f+$((at - start))" 2> /dev/null; then
		echo "  accepted: $f+$((at - start))"
		taken=$((taken + 1))
	fi
	: > $T/kprobe_events
	[ $tried -lt 8 ] || break
done < locks
ok 'there are LOCK prefixes to test' [ $tried -ge 3 ]
same 'all probes on LOCK prefixes are refused' 0 $taken

ok 'another processor comes online' sh -c 'echo 1 > /sys/devices/system/cpu/cpu1/online'
dmesg > log
has 'the kernel restores the prefixes' 'switching to SMP code' log
