# SPDX-License-Identifier: GPL-2.0
# description: hits in NMIs, which interrupt records and the handlers of other kprobes
# append: log_buf_len=16M
. "$(dirname "$0")/../lib.sh"

# The NMI for a backtrace is the only caller of this function.
grep -qw show_regs $T/available_filter_functions && [ -e /proc/sysrq-trigger ] ||
	{ skip 'NMIs' 'this kernel does not send NMIs for backtraces'; exit; }
[ "$(nproc)" -gt 1 ] || { skip 'NMIs' 'this needs a second CPU'; exit; }

declare -A before
READS=20000
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

# Let dd read READS times on CPU 1, and send NMIs to that CPU until dd ends.  Count them.
interrupt_dd()
{
	local dd

	echo > $T/trace
	dmesg -C
	taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 count=$READS 2> /dev/null & dd=$!
	while kill -0 $dd 2> /dev/null; do
		echo l > /proc/sysrq-trigger
	done
	wait $dd
	nmis=$(dmesg | grep -c 'NMI backtrace for cpu 1$')
	ok "NMIs arrive while dd reads ($nmis)" [ $nmis -ge 10 ]
	cat $T/per_cpu/cpu1/trace > trace
	lacks 'no event is lost' 'LOST' trace
	same 'records are in the order of their time' 0 \
		"$(times < trace | sort -c -g; echo $?)"
}

times()
{
	sed -n 's/^[^]]*\] [^ ]* *\([0-9.]*\): .*/\1/p'
}

records() # event
{
	grep -c " $1: " trace
}

profile() # event column
{
	awk -v event=$1 -v column=$2 '$1 == event { print $column }' $T/kprobe_profile
}

define 'p:nmi/entry show_regs' 'r:nmi/return show_regs'
ok 'a breakpoint can be set in the function' define_inside nmi/inside show_regs
echo 1 > $T/events/nmi/enable

# No kprobe runs in the task, so none is missed.
echo 1 > $T/events/syscalls/sys_enter_read/enable
interrupt_dd
echo 0 > $T/events/syscalls/sys_enter_read/enable
same "all records of a tracepoint that NMIs interrupt" $READS \
	"$(grep -c '^ *dd-.* sys_read(.*count: 1)' trace)"
for event in entry return inside; do
	same "$event: one record for each NMI" $nmis "$(records $event)"
	same "$event: the context is NMI" $nmis "$(grep -c "\] ..[zZ].. .* $event: " trace)"
	same "$event: hits" $nmis "$(profile $event 2)"
	same "$event: misses" 0 "$(profile $event 3)"
done

# An NMI misses its own kprobes if it interrupts the handler of a kprobe.
define 'p:task/ftrace ksys_read count=%dx:u64'
ok 'a breakpoint can be set in a function that dd calls' \
	define_inside task/int3 ksys_read count=%dx:u64
echo 1 > $T/events/task/enable
for event in entry return inside; do
	before[$event]=$(profile $event 2)
done
interrupt_dd
echo 0 > $T/events/enable
same "all records of kprobes that NMIs interrupt" "$READS $READS" \
	"$(grep -c '^ *dd-.* ftrace: .*count=1$' trace) $(grep -c '^ *dd-.* int3: .*count=1$' trace)"
for event in entry return inside; do
	hits=$(($(profile $event 2) - before[$event]))
	same "$event: one record for each hit" $hits "$(records $event)"
	same "$event: each NMI is a hit or a miss" $nmis $((hits + $(profile $event 3)))
done
echo > $T/kprobe_events
