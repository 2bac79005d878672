# SPDX-License-Identifier: GPL-2.0
# description: tasks add, enable and delete events of all kinds, and a module and a file come and go
# timeout: 600
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../workload.sh"

MODULE=trace-events-sample
FUNCTION=trace_events_sample:foo_bar_reg
SAMPLE=events/sample-trace/foo_bar_with_fn

echo 64 > $T/buffer_size_kb
modprobe $MODULE || { skip 'everything' "no module $MODULE here"; exit; }
rmmod $MODULE
mkdir $T/instances/other
before=$(wc -l < $T/enabled_functions)

ROUNDS=10

add() { printf '%s\n' "$@" >> $T/dynamic_events; }
on() { echo 1 > "$T/events/$1/enable" && echo 1 > "$T/instances/other/events/$1/enable"; }
off() { echo 0 > "$T/events/$1/enable" && echo 0 > "$T/instances/other/events/$1/enable"; }

functions()
{
	round "add 'f:one/all vfs_* first=\$arg1' 'f:one/back vfs_read%return n=\$retval'" 'on one' 'off one' \
		"add '-:one/'"
}

tracepoints()
{
	round "add 't:two/switch sched_switch prev=prev->comm:string next=next->pid'" \
		"add 't:two/call sys_enter id'" 'on two' 'off two' "add '-:two/'"
}

# The tasks that add and delete the events to which these are attached come later.
events()
{
	round "add 'p:base/open do_sys_openat2 name=+0(\$arg2):ustring'" \
		"add 'e:three/open base/open name=\$name:string'" \
		"add 'e:three/switch sched/sched_switch next=\$next_comm:string'" 'on three' \
		"not add '-:base/open' 2> /dev/null" 'off three' "add '-:three/'" "add '-:base/'"
}

# A definition of an event in the module needs the module for a moment.
remove()
{
	for _ in {1..50}; do
		rmmod $MODULE 2> /dev/null && return
		sleep .1
	done
	return 1
}

modules()
{
	round "modprobe $MODULE" "echo 1 > $T/$SAMPLE/enable" "echo 0 > $T/$SAMPLE/enable" \
		'remove'
}

in_module()
{
	round "add 'f:four/enter $FUNCTION' 'f:four/leave $FUNCTION%return'" \
		"add 't:four/sample foo_bar'" 'on four' 'off four' "add '-:four/'"
}

# Replace the file under a uprobe, while a process of the old file may still run.
place=$(readelf -sW "$caller" | awk '$8 == "counted" { print "0x" $2; exit }')
files()
{
	round "cp $caller new" 'mv new program' \
		"echo 'p:five/call $WORK/program:$place' >> $T/uprobe_events" \
		"echo 'r:five/back $WORK/program:$place ip=%ip' >> $T/uprobe_events" 'on five' \
		'./program 20 > called' "cp $caller new" 'mv new program' './program 20 > called' \
		'off five' "add '-:five/'"
}

# The other tasks delete events at any time; perf then has one that is closed.
perf_events()
{
	command -v perf > /dev/null || return 0
	round "add 'f:six/enter vfs_write n=\$arg3' 'e:six/next sched/sched_switch p=\$next_pid'" \
		'perf record -q -a -o data -e six:enter -e six:next true > record 2>&1' \
		"add '-:six/'"
}

start_tasks functions tracepoints events modules in_module files perf_events
ok 'the workload runs' workload
stop_tasks
same 'no event is left' '' "$(cat $T/dynamic_events)"
same 'ftrace traces as many functions as before' "$before" "$(wc -l < $T/enabled_functions)"
rmdir $T/instances/other
rmmod $MODULE 2> /dev/null
ok 'the module can be removed' not grep -q "^${MODULE//-/_} " /proc/modules
