# SPDX-License-Identifier: GPL-2.0
# description: with tp_printk, the kernel log has exactly the records of kprobe events
# append: tp_printk
. "$(dirname "$0")/../lib.sh"

# 'ulimit -S -t N' calls this function with N, and nothing else calls it.
define 'p:plain update_rlimit_cpu n=$arg2:u64' 'p:picky update_rlimit_cpu n=$arg2:u64'
echo 'n == 1000002' > $T/events/kprobes/picky/filter
same 'records are printed to the kernel log' 1 "$(cat /proc/sys/kernel/tracepoint_printk)"

echo 1 > $T/events/kprobes/plain/enable
ulimit -S -t 1000001
echo 0 > $T/events/kprobes/plain/enable
echo 1 > $T/events/kprobes/picky/enable
ulimit -S -t 1000002
ulimit -S -t 1000003
echo 0 > $T/events/kprobes/picky/enable

cat $T/kprobe_profile
has 'the plain event has one hit' '^ *plain +1 +0$' $T/kprobe_profile
has 'the event with a filter has two hits' '^ *picky +2 +0$' $T/kprobe_profile
dmesg > log
records() # file
{
	sed -n 's/^.*\(plain\|picky\): (update_rlimit_cpu[^)]*) /\1 /p' "$1" | xargs
}
same 'the kernel log has the plain and the accepted record' \
	'plain n=1000001 picky n=1000002' "$(records log)"
same 'the kernel log has no other line about these hits' 2 "$(grep -c update_rlimit_cpu log)"
same 'the buffer has the same records' "$(records log)" "$(records $T/trace)"
: > $T/kprobe_events
