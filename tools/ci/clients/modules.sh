# SPDX-License-Identifier: GPL-2.0
# description: the base's modules that register kprobes or create kprobe events
. "$(dirname "$0")/../lib.sh"

# kprobe_event_gen_test creates events with kprobe_event_gen_cmd_start() and related
# functions, logs an error if a call fails, and deletes the events on unload.
if modprobe -n kprobe_event_gen_test 2> err; then
	ok 'kprobe_event_gen_test loads' modprobe kprobe_event_gen_test
	cat $T/kprobe_events
	has 'kprobe_event_gen_test defines a probe' '^p:kprobes/gen_kprobe_test do_sys_open dfd=%ax filename=%dx flags=%cx mode=\+4\(\$stack\)$' $T/kprobe_events
	has 'kprobe_event_gen_test defines a return probe' '^r[0-9]*:kprobes/gen_kretprobe_test do_sys_open arg1=\$retval$' $T/kprobe_events
	cat $T/events/kprobes/gen_kprobe_test/enable $T/events/kprobes/gen_kretprobe_test/enable > enabled
	has 'kprobe_event_gen_test enables its events' '^1$' enabled
	ok 'kprobe_event_gen_test unloads' rmmod kprobe_event_gen_test
	same 'kprobe_event_gen_test deletes its events' '' "$(cat $T/kprobe_events)"
	dmesg > log
	lacks 'kprobe_event_gen_test logs no error' '[Cc]ould ?n.t|gen_k.*(fail|error)' log
else
	skip 'kprobe_event_gen_test' 'not built'
fi

blacklist=/sys/kernel/debug/kprobes/blacklist

# Check that a function of a loaded module must not be probed.
blacklisted() # module function
{
	has "$2 of a module is in the blacklist" "	$2 \\[$1\\]$" $blacklist
	for kind in p r; do
		echo > $T/error_log
		refused "a probe $kind on $2 of a module is refused" define "$kind:black/e $1:$2"
		has "error_log explains why $kind on $2 is refused" \
			'error: .* in the kprobes blacklist' $T/error_log
	done
	same "$2 of a module is not probed" '' "$(cat $T/kprobe_events)"
}

# First probe a function with modules, then with events.
if modprobe -n kprobe_example 2> err; then
	cat $blacklist > before
	ok 'kprobe_example loads' modprobe kprobe_example symbol=kernel_clone
	ok 'kretprobe_example loads' modprobe kretprobe_example func=kernel_clone
	# One of these has NOKPROBE_SYMBOL(), and the other one is marked with __kprobes.
	blacklisted kretprobe_example entry_handler
	blacklisted kprobe_example handler_pre
	(true)
	ls > /dev/null
	ok 'the examples unload' rmmod kprobe_example kretprobe_example
	ok 'their functions are no longer in the blacklist' cmp before $blacklist
	dmesg > log
	has 'kprobe_example is hit' 'handler_pre.*kernel_clone' log
	has 'kretprobe_example is hit' 'kernel_clone returned' log
	define 'p:after kernel_clone' 'r:afterret kernel_clone ret=$retval:s32'
	echo 1 > $T/events/kprobes/enable
	ls > /dev/null
	echo 0 > $T/events/kprobes/enable
	has 'an event on the same function is hit afterwards' ' after: ' $T/trace
	has 'a return event on the same function is hit afterwards' ' afterret: .* ret=[0-9]+$' $T/trace
	define '-:after' '-:afterret'
else
	skip 'kprobe_example' 'not built'
fi
