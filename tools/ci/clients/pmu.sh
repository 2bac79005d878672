# SPDX-License-Identifier: GPL-2.0
# description: kprobe PMU, BPF programs on it and on events, and queries about them
. "$(dirname "$0")/../lib.sh"

func=__x64_sys_getpriority
addr=$(awk -v f=$func '$3 == f { print $1 }' /proc/kallsyms)

# fd_type: 2 kprobe, 3 kretprobe (enum bpf_task_fd_type)
"$pmu" probe $func 7 > out
cat out
has 'kprobe: counted, by perf and by BPF' '^perf=7 bpf=7 ' out
has 'kprobe: what it is' " type=2 name=$func offset=0 " out
has 'kprobe: where' " addr=${addr%?}[0-9a-f]\$" out
"$pmu" return $func 9 > out
cat out
has 'kretprobe: counted' '^perf=9 bpf=9 ' out
has 'kretprobe: what it is' " type=3 name=$func offset=0 " out
"$pmu" addr $addr 5 > out
cat out
has 'address: counted' '^perf=5 bpf=5 ' out
has 'address: what it is' " type=2 .* addr=${addr%?}[0-9a-f]\$" out
refused 'kprobe on what is no function' "$pmu" probe no_such_function 1
same 'local probes are in no list' '' "$(cat $T/kprobe_events $T/dynamic_events)"

# The same for events in kprobe_events.
define "p:mine/prio $func" "r:mine/prioret $func"
"$pmu" event "$(cat $T/events/mine/prio/id)" 6 > out
cat out
has 'event: counted' '^perf=6 bpf=6 ' out
has 'event: what it is' " type=2 name=$func offset=0 " out
"$pmu" event "$(cat $T/events/mine/prioret/id)" 6 > out
cat out
has 'return event: counted' '^perf=6 bpf=6 ' out
has 'return event: what it is' " type=3 name=$func offset=0 " out

# If a BPF program returns 0, perf does not record the hit, but the trace does.
echo 1 > $T/events/mine/prio/enable
"$pmu" event "$(cat $T/events/mine/prio/id)" 4 > out
echo 0 > $T/events/mine/prio/enable
has 'event: BPF result 0 filters for perf' '^perf=4 bpf=4 ' out
same 'event: but not for the trace' 8 "$(grep -c ' prio: ' $T/trace)"
ok 'deletion afterwards' define '-:mine/prio' '-:mine/prioret'

# Add and remove probes during queries, which return the oldest probe.
define "p:mine/some $func"
id=$(cat $T/events/mine/some/id)
"$pmu" event $id 0 100000 > out &
for i in $(seq 50); do
	define 'p:mine/some __x64_sys_getuid' "-:mine/some $func"
	define "p:mine/some $func" '-:mine/some __x64_sys_getuid'
done
define "p:mine/some __x64_sys_getuid" "-:mine/some $func"
wait
cat out
has 'event of many probes: asked all the time' ' type=2 name=__x64_sys_get(priority|uid) offset=0 ' out
"$pmu" event $id 0 > out
has 'event of many probes: the one that is left' ' type=2 name=__x64_sys_getuid offset=0 ' out
define '-:mine/some'

# Many at once.  Each perf event counts its own task.  Ignore the counts of the BPF
# programs, which run for all tasks.
for i in 1 2 3 4 5 6 7 8; do "$pmu" probe $func 50 > out$i & "$pmu" return $func 50 > ret$i & done
wait
cat out? ret?
same 'several at once' 16 "$(grep -l '^perf=50 ' out? ret? | wc -l)"
