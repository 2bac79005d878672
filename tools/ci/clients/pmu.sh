# SPDX-License-Identifier: GPL-2.0
# description: the kprobe PMU and kprobe events with BPF programs, and BPF_TASK_FD_QUERY
. "$(dirname "$0")/../lib.sh"

func=__x64_sys_getpriority
addr=$(awk -v f=$func '$3 == f { print $1 }' /proc/kallsyms)

# fd_type: 2 kprobe, 3 kretprobe (enum bpf_task_fd_type)
"$pmu" probe $func 7 > out
cat out
has 'kprobe: perf and BPF count its hits' '^perf=7 bpf=7 ' out
has 'kprobe: BPF_TASK_FD_QUERY reports a kprobe on the function' " type=2 name=$func offset=0 " out
has 'kprobe: BPF_TASK_FD_QUERY reports the address' " addr=${addr%?}[0-9a-f]\$" out
"$pmu" return $func 9 > out
cat out
has 'kretprobe: perf and BPF count its hits' '^perf=9 bpf=9 ' out
has 'kretprobe: BPF_TASK_FD_QUERY reports a kretprobe on the function' " type=3 name=$func offset=0 " out
"$pmu" addr $addr 5 > out
cat out
has 'kprobe at an address: perf and BPF count its hits' '^perf=5 bpf=5 ' out
has 'kprobe at an address: BPF_TASK_FD_QUERY reports the address' " type=2 .* addr=${addr%?}[0-9a-f]\$" out

# Check that perf_event_open() refuses a kprobe with this error.
no_kprobe() # what [MOD:]SYM error
{
	refused "a kprobe on $1 is refused" "$pmu" probe "$2" 1 2> err
	has "a kprobe on $1: the error" "perf_event_open: $3\$" err
}

# A name that several functions of the kernel have.
shared=$(awk 'NF == 3 && $2 ~ /^[tT]$/ && $3 ~ /^[a-z][a-z0-9_]*$/ { print $3 }' /proc/kallsyms |
	sort | uniq -d | head -n 1)
echo "# several functions have the name $shared"
no_kprobe 'a function that does not exist' no_such_function 'No such file or directory'
no_kprobe 'a name of several functions' "$shared" 'Cannot assign requested address'
# The symbol after a colon is searched in a module. No module has an empty name.
no_kprobe 'a function of a module that is not loaded' "no_module:$func" 'No such file or directory'
no_kprobe 'a function of a module without a name' ":$func" 'No such file or directory'
no_kprobe 'a shared name in a module without a name' ":$shared" 'No such file or directory'
same 'kprobe_events and dynamic_events do not list local probes' '' "$(cat $T/kprobe_events $T/dynamic_events)"

# Repeat this with events in kprobe_events.
define "p:mine/prio $func" "r:mine/prioret $func"
"$pmu" event "$(cat $T/events/mine/prio/id)" 6 > out
cat out
has 'event: perf and BPF count its hits' '^perf=6 bpf=6 ' out
has 'event: BPF_TASK_FD_QUERY reports a kprobe on the function' " type=2 name=$func offset=0 " out
"$pmu" event "$(cat $T/events/mine/prioret/id)" 6 > out
cat out
has 'return event: perf and BPF count its hits' '^perf=6 bpf=6 ' out
has 'return event: BPF_TASK_FD_QUERY reports a kretprobe on the function' " type=3 name=$func offset=0 " out

# If a BPF program returns 0, perf does not record the hit, but the trace buffer has it.
echo 1 > $T/events/mine/prio/enable
"$pmu" event "$(cat $T/events/mine/prio/id)" 4 > out
echo 0 > $T/events/mine/prio/enable
has 'event: perf does not record hits for which the BPF program returns 0' '^perf=4 bpf=4 after=4 ' out
same 'event: the trace has hits for which the BPF program returns 0' 8 "$(grep -c ' prio: ' $T/trace)"
ok 'the events can be deleted' define '-:mine/prio' '-:mine/prioret'

# Add and remove probes during queries, which report the event's oldest probe.
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
has 'changing event: BPF_TASK_FD_QUERY reports one of its probes' ' type=2 name=__x64_sys_get(priority|uid) offset=0 ' out
"$pmu" event $id 0 > out
has 'changing event: BPF_TASK_FD_QUERY reports the remaining probe' ' type=2 name=__x64_sys_getuid offset=0 ' out
define '-:mine/some'

# Many perf events at once.  Each counts the hits of its own task.  Ignore the counts of
# the BPF programs, which run for all tasks.
for i in 1 2 3 4 5 6 7 8; do "$pmu" probe $func 50 > out$i & "$pmu" return $func 50 > ret$i & done
wait
cat out? ret?
same 'several perf events at once count only hits of their own tasks' 16 "$(grep -l '^perf=50 ' out? ret? | wc -l)"
