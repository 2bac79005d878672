# SPDX-License-Identifier: GPL-2.0
# description: no return is missed, however many tasks sleep in the function
# timeout: 400
. "$(dirname "$0")/../lib.sh"
grep -q ' arch_rethook_trampoline$' /proc/kallsyms ||
	{ skip 'returns' 'this architecture has a fixed number of slots'; exit; }

echo 65536 > /proc/sys/kernel/threads-max
echo 65536 > /proc/sys/kernel/pid_max
echo 65536 > /proc/sys/vm/max_map_count
echo 16384 > $T/buffer_size_kb

echo 'r:reads ksys_read ret=$retval:s64' > $T/kprobe_events
echo 'COMM == "sleepers" && ret == 0' > $T/events/kprobes/reads/filter
for n in 1000 10000; do
	echo > $T/trace
	echo 1 > $T/events/kprobes/reads/enable
	"$PROGRAMS/sleepers" $n > sleepers
	echo 0 > $T/events/kprobes/reads/enable
	same "$n threads sleep" $n "$(cat sleepers)"
	same "all $n returns are recorded" $n "$(grep -c ' reads: .* ret=0$' $T/trace)"
done
same "no return is missed" 0 "$(awk '$1 == "reads" { print $3 }' $T/kprobe_profile)"
echo > $T/kprobe_events

# The sleepers return after the probe has been removed.
echo 'r:reads ksys_read' > $T/kprobe_events
echo 1 > $T/events/kprobes/reads/enable
"$PROGRAMS/sleepers" 1000 asleep > sleepers &
while [ ! -e asleep ]; do sleep 0.1; done
echo 0 > $T/events/kprobes/reads/enable
echo > $T/kprobe_events
rm asleep
wait
same "threads return after the probe is removed" 1000 "$(cat sleepers)"
