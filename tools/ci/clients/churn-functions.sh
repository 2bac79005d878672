# SPDX-License-Identifier: GPL-2.0
# description: tracers, BPF programs, kprobes and events come and go on the same functions, which all CPUs call, and an event counts each call
# timeout: 600
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../workload.sh"

# The kernel may lack some of the calls.
"$PROGRAMS/syscalls" list | sed 's/^/__x64_sys_/' > names
mapfile -t functions < <(grep -Fx -f names $T/available_filter_functions)
[ ${#functions[@]} -gt 30 ] || { skip 'everything' 'no such functions here'; exit; }
some=("${functions[@]:0:12}")
echo 64 > $T/buffer_size_kb
mkdir $T/instances/{traced,graph,other}

ROUNDS=2

# $1 for each of the functions, with FUNCTION as the function and NAME as its name
each() # text
{
	local f line
	for f in "${functions[@]}"; do
		line=${1//FUNCTION/$f}
		printf '%s\n' "${line//NAME/${f#__x64_sys_}}" || return
	done
}

function_tracer()
{
	local traced=$T/instances/traced
	printf '%s\n' "${functions[@]}" > $traced/set_ftrace_filter || return
	round "echo function > $traced/current_tracer" 'sleep .2' \
		"echo nop > $traced/current_tracer"
}

function_graph()
{
	local graph=$T/instances/graph
	printf '%s\n' "${functions[@]}" > $graph/set_ftrace_filter || return
	round "echo function_graph > $graph/current_tracer" 'sleep .2' \
		"echo nop > $graph/current_tracer"
}

# Run a BPF program at entries and at returns twice, while the other tasks are busy.
bpf() # entry return
{
	local probes status=0
	probes=$(printf "$1:%s," "${some[@]}")$(printf "$2:%s," "${some[@]}")
	for _ in 1 2; do
		bpftrace -e "${probes%,} { @n = count(); } interval:ms:300 { exit(); }" \
			> "$1-out" 2>&1 || status=1
	done
	touch "$1-done"
	return $status
}

# A trampoline of BPF's own calls these programs.
bpf_trampoline() { bpf kfunc kretfunc; }
bpf_kprobe() { bpf kprobe kretprobe; }

# The handlers of this kprobe run before and after the function's first instruction.
post_handler()
{
	modprobe -n kprobe_example 2> /dev/null || return 0
	round "modprobe kprobe_example symbol=${functions[20]}" 'sleep .1' 'rmmod kprobe_example'
}

entry_events()
{
	round "each 'p:come/NAME FUNCTION regs=%di' >> $T/kprobe_events" \
		"echo 1 > $T/events/come/enable" "echo 1 > $T/instances/other/events/come/enable" \
		"echo 0 > $T/events/come/enable" "echo 0 > $T/instances/other/events/come/enable" \
		"each '-:come/NAME' >> $T/kprobe_events"
}

all_regs()
{
	round "each 'p:bx/NAME FUNCTION bx=%bx' >> $T/kprobe_events" \
		"echo 1 > $T/events/bx/enable" "echo 0 > $T/events/bx/enable" \
		"each '-:bx/NAME' >> $T/kprobe_events"
}

return_events()
{
	round "each 'r:back/NAME FUNCTION ret=\$retval' >> $T/kprobe_events" \
		"each 'f:back/f_NAME FUNCTION%return ret=\$retval' >> $T/dynamic_events" \
		"echo 1 > $T/events/back/enable" "echo 0 > $T/events/back/enable" \
		"each '-:back/NAME' >> $T/dynamic_events" \
		"each '-:back/f_NAME' >> $T/dynamic_events"
}

before=$(wc -l < $T/enabled_functions)
# These events stay.  Their hits are not recorded, only counted.
echo 0 > $T/tracing_on
ok 'events of calls are defined' eval "each 'p:stay/NAME FUNCTION' > $T/kprobe_events"
ok 'events of returns are defined' eval "each 'r:stay/r_NAME FUNCTION' >> $T/kprobe_events"
ok 'the events are enabled' eval "echo 1 > $T/events/stay/enable"
"$PROGRAMS/syscalls" "$PWD/calls-end" > calls &
caller=$!

start_tasks function_tracer function_graph entry_events all_regs return_events post_handler
sleep 5
if command -v bpftrace > /dev/null && [ -e /sys/kernel/btf/vmlinux ]; then
	start_tasks bpf_trampoline bpf_kprobe
	until [ -e kfunc-done ] && [ -e kprobe-done ]; do sleep 1; done
fi
stop_tasks
touch calls-end
ok 'all CPUs have called the functions' wait $caller
# Without other programs, which might make one of the calls.
read -r calls < calls
profile=$(< $T/kprobe_profile)
for kind in kfunc kprobe; do
	[ ! -e $kind-out ] || has "BPF programs count calls: $kind" '^@n: [1-9]' $kind-out
done

ok 'functions are called' [ "$calls" -gt 100 ]
same 'all events are counted' $((2 * ${#functions[@]})) "$(wc -l <<< "$profile")"
same "each of $calls calls and returns of ${#functions[@]} functions is counted, none missed" \
	'' "$(awk -v n="$calls" '$2 != n || $3' <<< "$profile")"
echo 0 > $T/events/stay/enable
echo > $T/kprobe_events
echo 1 > $T/tracing_on
same 'no event is left' '' "$(cat $T/dynamic_events)"
same 'no kprobe is left' '' "$(cat /sys/kernel/debug/kprobes/list)"
same 'ftrace traces as many functions as before' "$before" "$(wc -l < $T/enabled_functions)"
rmdir $T/instances/{traced,graph,other}
