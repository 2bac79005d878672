# SPDX-License-Identifier: GPL-2.0
# description: kprobe_event= on the command line
# append: ftrace=nop trace_buf_size=4M kprobe_event=p:bootopen,do_sys_openat2,dfd=$arg1:s32,name=+0($arg2):ustring;r:bootret,do_sys_openat2,ret=$retval:s32;p:init,populate_rootfs;p:wrong,no_such_function
. "$(dirname "$0")/../lib.sh"

cat $T/kprobe_events $T/kprobe_profile
has 'a probe' '^p:kprobes/bootopen do_sys_openat2 dfd=\$arg1:s32 name=\+0\(\$arg2\):ustring$' $T/kprobe_events
has 'a return probe' '^r[0-9]*:kprobes/bootret do_sys_openat2 ret=\$retval:s32$' $T/kprobe_events
lacks 'not the wrong one' 'wrong' $T/kprobe_events
dmesg > log
has 'which is told' 'p:wrong no_such_function' log
same 'enabled' '1 1' "$(echo $(cat $T/events/kprobes/bootopen/enable $T/events/kprobes/bootret/enable))"

# The first programs of the guest opened files before user space could add a probe.
ok 'hit from the beginning' [ "$(awk '$1 == "bootopen" { print $2 }' $T/kprobe_profile)" -gt 10 ]
has 'recorded with values' 'bootopen: .* dfd=-100 name="/' $T/trace
has 'returns recorded' 'bootret: .* ret=[0-9]+$' $T/trace

# Text that is freed after boot.
has 'a function of .init.text was hit' '^ *init +1 +0$' $T/kprobe_profile
has 'and recorded' ' init: \(' $T/trace
has 'its event is still there' '^p:kprobes/init populate_rootfs$' $T/kprobe_events
cp /sys/kernel/debug/kprobes/list list
has 'but its probe is gone' ' populate_rootfs\+.*\[GONE\]' list
echo 0 > $T/events/kprobes/init/enable
ok 'and it can be deleted' define '-:init'
refused 'such functions can not be probed any more' define 'p:again populate_rootfs'

echo 0 > $T/events/kprobes/enable
: > $T/kprobe_events
lacks 'all can be deleted' 'kprobes/' $T/kprobe_events
