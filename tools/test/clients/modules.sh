# SPDX-License-Identifier: GPL-2.0
# description: the base's modules that use kprobes and the kprobe event generator
. "$(dirname "$0")/../lib.sh"

# kprobe_event_gen_test makes events through kprobe_event_gen_cmd_start() and
# others, complains in the log when one fails, and deletes them on unload.
if modprobe -n kprobe_event_gen_test 2> err; then
	ok 'kprobe_event_gen_test loads' modprobe kprobe_event_gen_test
	cat $T/kprobe_events
	has 'its probe' '^p:kprobes/gen_kprobe_test do_sys_open dfd=%ax filename=%dx flags=%cx mode=\+4\(\$stack\)$' $T/kprobe_events
	has 'its return probe' '^r[0-9]*:kprobes/gen_kretprobe_test do_sys_open arg1=\$retval$' $T/kprobe_events
	cat $T/events/kprobes/gen_kprobe_test/enable $T/events/kprobes/gen_kretprobe_test/enable > enabled
	has 'enabled by it' '^1$' enabled
	ok 'it unloads' rmmod kprobe_event_gen_test
	same 'nothing is left' '' "$(cat $T/kprobe_events)"
	dmesg > log
	lacks 'it did not complain' 'kprobe_event_gen_test: .*(fail|error)|Could ?n.t .*gen_k' log
else
	skip 'kprobe_event_gen_test' 'not built'
fi

# Bare kprobes beside events on the same function.
if modprobe -n kprobe_example 2> err; then
	define 'p:beside kernel_clone' 'r:besideret kernel_clone $retval'
	echo 1 > $T/events/kprobes/enable
	ok 'kprobe_example loads beside an event' modprobe kprobe_example symbol=kernel_clone
	ok 'kretprobe_example loads beside an event' modprobe kretprobe_example func=kernel_clone
	(true)
	ls > /dev/null
	ok 'they unload' rmmod kprobe_example kretprobe_example
	echo 0 > $T/events/kprobes/enable
	has 'the event was hit' ' beside: ' $T/trace
	has 'the return event too' ' besideret: .* arg1=0x' $T/trace
	dmesg > log
	has 'and so was theirs' 'handler_pre.*kernel_clone|kernel_clone.*(pre_handler|returned)' log
	define '-:beside' '-:besideret'
else
	skip 'kprobe_example' 'not built'
fi
