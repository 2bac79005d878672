# SPDX-License-Identifier: GPL-2.0
# description: a kprobe with a post_handler is added where an event uses ftrace
. "$(dirname "$0")/../lib.sh"

if ! modprobe -n kprobe_example 2> err; then
	skip 'kprobe_example' 'not built'
	exit
fi

hits() {
	grep -c ' ev: ' $T/trace
}

# The event is added first and removed last.
define 'p:ev kernel_clone'
echo 1 > $T/events/kprobes/ev/enable
has 'the event uses ftrace' 'kernel_clone.*FTRACE' /sys/kernel/debug/kprobes/list
dmesg -C
ok 'the kprobe is added' modprobe kprobe_example symbol=kernel_clone
(true)
dmesg > log
has 'the pre_handler is called' 'handler_pre.*p->addr' log
has 'the post_handler is called' 'handler_post.*p->addr' log
ok 'the kprobe is removed' rmmod kprobe_example
dmesg -C
echo > $T/trace
(true)
ok 'the event is still hit' test "$(hits)" -gt 0
dmesg > log
lacks 'the removed kprobe is not hit' 'handler_(pre|post)' log

echo 0 > $T/events/kprobes/ev/enable
ok 'the event is removed' define '-:ev'
dmesg > log
lacks 'both probes are disarmed without error' 'Cannot remove|Cannot arm|WARNING' log
lacks 'no probe is left' 'kernel_clone' /sys/kernel/debug/kprobes/list
(true)
