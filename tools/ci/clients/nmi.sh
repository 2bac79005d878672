# SPDX-License-Identifier: GPL-2.0
# description: hits in NMIs, which interrupt code that writes records and handlers of kprobes
# append: log_buf_len=16M
. "$(dirname "$0")/../lib.sh"

# In this test, only NMIs for backtraces call this function.
grep -qx show_regs $T/available_filter_functions && [ -e /proc/sysrq-trigger ] ||
	{ skip 'NMIs' 'this kernel does not send NMIs for backtraces'; exit; }
[ "$(nproc)" -eq 2 ] || { skip 'NMIs' 'this needs two CPUs'; exit; }

declare -A before
ROUNDS=40 MAX_ROUNDS=400
echo 32768 > $T/buffer_size_kb
echo 0 > /proc/sys/debug/kprobes-optimization
taskset -cp 0 $$ > /dev/null

# Add an event inside a function, at the first instruction that it can probe.
define_inside() # event function [arguments]
{
	local offset

	for offset in {5..60}; do
		define "p:$1 $2+$offset $3" 2> /dev/null && return
	done
	return 1
}

# Does the process have a handler for SIGINT? This is bit 1 of the mask.
handles_int() # process
{
	grep -q '^SigCgt:.*[2367abef]$' /proc/$1/status
}

# While dd reads on CPU 1, send NMIs to that CPU, at least until a command succeeds. Count the
# reads and the NMIs.
interrupt_dd() # command...
{
	local dd

	echo > $T/trace
	dmesg -C
	# bash starts background commands with SIGINT ignored.
	env --default-signal=INT LC_ALL=C taskset -c 1 \
		dd if=/dev/zero of=/dev/null bs=1 2> copied & dd=$!
	until [ "$(< /proc/$dd/comm)" = dd ] && handles_int $dd; do sleep 0.1; done
	for ((i = 0; i < MAX_ROUNDS; i++)); do
		[ $i -lt $ROUNDS ] || ! "$@" || break
		echo l > /proc/sysrq-trigger
	done
	kill -INT $dd
	wait $dd
	reads=$(sed -n 's/+0 records in$//p' copied)
	nmis=$(dmesg | grep -c 'NMI backtrace for cpu 1$')
	ok "NMIs arrive while dd reads ($nmis, $reads reads)" \
		[ "$nmis" -gt $((ROUNDS / 2)) -a "$reads" -gt 0 ]
	cat $T/per_cpu/cpu1/trace > trace
	same 'no record is lost' '0 0 0' \
		"$(awk -F ': ' '/overrun|dropped/ { print $2 }' $T/per_cpu/cpu1/stats | xargs)"
	sed -n 's/^[^]]*\] [^ ]* *\([0-9.]*\): .*/\1/p' trace > stamps
	same 'all records have a time' "$(grep -vc '^#' trace)" "$(wc -l < stamps)"
	ok 'records are in the order of their time' sort -c -g stamps
}

records() # event
{
	grep -c " $1: " trace
}

profile() # event column
{
	awk -v event=$1 -v column=$2 '$1 == event { print $column }' $T/kprobe_profile
}

missed()
{
	[ "$(profile entry 3)" -gt 0 ]
}

define 'p:nmi/entry show_regs' 'r:nmi/return show_regs'
ok 'a breakpoint can be set in the function' define_inside nmi/inside show_regs
echo 1 > $T/events/nmi/enable

# dd hits no kprobe, so NMIs do not interrupt the handler of one.
echo 1 > $T/events/syscalls/sys_enter_read/enable
interrupt_dd true
echo 0 > $T/events/syscalls/sys_enter_read/enable
same 'all records of a tracepoint that NMIs interrupt' "$reads" \
	"$(grep -c '^ *dd-.* sys_read(.*count: 1)' trace)"
for event in entry return inside; do
	same "$event: one record for each NMI" $nmis "$(records $event)"
	same "$event: hits" $nmis "$(profile $event 2)"
	same "$event: misses" 0 "$(profile $event 3)"
done
for event in entry return; do
	same "$event: the context is NMI" $nmis "$(grep -c "\] ..[zZ].. .* $event: " trace)"
done

# Kprobes that an NMI hits are missed if the NMI interrupts the handler of a kprobe.
define 'p:task/ftrace ksys_read count=%dx:u64'
ok 'a breakpoint can be set in a function that dd calls' \
	define_inside task/int3 ksys_read count=%dx:u64
echo 1 > $T/events/task/enable
for event in entry return inside; do
	before[$event]=$(profile $event 2)
done
interrupt_dd missed
echo 0 > $T/events/enable
same 'all records of kprobes that NMIs interrupt' "$reads $reads" \
	"$(grep -c '^ *dd-.* ftrace: .*count=1$' trace) $(grep -c '^ *dd-.* int3: .*count=1$' trace)"
for event in entry return inside; do
	hits=$(($(profile $event 2) - before[$event])) misses=$(profile $event 3)
	same "$event: one record for each hit" $hits "$(records $event)"
	same "$event: each NMI is a hit or a miss" $nmis $((hits + misses))
	ok "$event: NMIs interrupt handlers ($misses times)" [ "$misses" -gt 0 ]
done
echo > $T/kprobe_events
