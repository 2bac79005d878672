# SPDX-License-Identifier: GPL-2.0
# description: BPF programs that override a function's return value; fail_function
# timeout: 200
. "$(dirname "$0")/../lib.sh"

D=/sys/kernel/debug
func=__x64_sys_mkdir
grep -q "^$func" $D/error_injection/list || { skip 'override' "no error injection into $func"; exit; }

if command -v bpftrace > /dev/null; then
	bpftrace --unsafe -e "kprobe:$func /comm == \"mkdir\"/ { override(-18); }" \
		-c '/bin/mkdir never' > out 2> err
	cat out err
	has 'mkdir fails with -EXDEV' '[Cc]ross-device' err
	ok 'mkdir creates nothing' [ ! -e never ]
	ok 'mkdir works after bpftrace has ended' mkdir now
	refused 'an override of a function without error injection is refused' bpftrace --unsafe \
		-e 'kprobe:do_sys_openat2 { override(-1); }' -c /bin/true

	# Use an event on the same function at the same time.  The event may miss the call:
	# after a handler has changed the instruction pointer, the remaining handlers do not run.
	define "p:made $func" "r:maderet $func ret=\$retval:s64"
	echo 1 > $T/events/kprobes/enable
	bpftrace --unsafe -e "kprobe:$func /comm == \"mkdir\"/ { override(-18); }" \
		-c '/bin/mkdir never' > out 2> err
	echo 0 > $T/events/kprobes/enable
	has 'with an event on the function, mkdir fails with -EXDEV' '[Cc]ross-device' err
	define '-:made' '-:maderet'
else
	skip 'override' 'no bpftrace here'
fi

# An override on an event is allowed if errors may be injected at each of its probes.
define "p:some $func"
id=$(cat $T/events/kprobes/some/id)
ok 'an override is allowed on an event' "$pmu" override $id 0
define 'p:some do_sys_openat2'
refused 'an override is refused if the event has a probe on another function' "$pmu" override $id 0
define '-:some do_sys_openat2'
# Find the first offset after the entry at which a probe can be added.
for i in $(seq 9 40); do
	define "p:some __x64_sys_rmdir+$i" 2> /dev/null && break
done
refused 'an override is refused if the event has a probe inside a function' "$pmu" override $id 0
define "-:some __x64_sys_rmdir+$i" 'p:some __x64_sys_rmdir'
ok 'an override is allowed on an event with two probes' "$pmu" override $id 0
define '-:some __x64_sys_rmdir'

# While the program is attached, each new probe must allow an override.
"$pmu" override $id 0 1000000000 &
query=$!
until grep -q prog_id /proc/$query/fdinfo/*; do
	kill -0 $query || break
	sleep 0.1
done
sleep 1
for place in do_sys_openat2 __x64_sys_rmdir+$i; do
	refused "an event with an override refuses a probe at $place" define "p:some $place"
done
has 'error_log names the BPF program as the reason' 'a BPF program of the event may not override' $T/error_log
ok 'a probe on another function with error injection is allowed' define 'p:some __x64_sys_rmdir'
kill $query
wait $query
define '-:some __x64_sys_rmdir'
ok 'any probe is allowed after the program is detached' define 'p:some do_sys_openat2'
define '-:some'

if [ -d $D/fail_function ]; then
	F=$D/fail_function
	echo $func > $F/inject
	echo 100 > $F/probability
	echo -1 > $F/times
	echo 0 > $F/verbose
	printf %#x -18 > $F/$func/retval
	mkdir never 2> err
	echo > $F/inject
	has 'fail_function makes mkdir fail' '[Cc]ross-device' err
	ok 'mkdir works after fail_function' mkdir later
	define "p:made $func"
	echo 1 > $T/events/kprobes/made/enable
	mkdir evenlater
	echo 0 > $T/events/kprobes/made/enable
	has 'the function can be probed afterwards' ' made: ' $T/trace
	define '-:made'
fi
