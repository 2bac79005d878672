# SPDX-License-Identifier: GPL-2.0
# description: kprobe_event= on the command line
# append: ftrace=nop trace_buf_size=4M kprobe_event=p:bootopen,do_sys_openat2,dfd=$arg1:s32,name=+0($arg2):ustring;r:bootret,do_sys_openat2,ret=$retval:s32;p:init,populate_rootfs;p:few,count=2,sample=1,limit=1000/s,do_sys_openat2,count=$arg1:s32;p:late5,e820__reallocate_tables+5;p:late6,e820__reallocate_tables+6;p:late7,e820__reallocate_tables+7;p:late8,e820__reallocate_tables+8;p:late9,e820__reallocate_tables+9;p:late10,e820__reallocate_tables+10;p:late11,e820__reallocate_tables+11;p:late12,e820__reallocate_tables+12;p:late13,e820__reallocate_tables+13;p:late14,e820__reallocate_tables+14;p:late15,e820__reallocate_tables+15;p:late16,e820__reallocate_tables+16;p:late17,e820__reallocate_tables+17;p:late18,e820__reallocate_tables+18;p:late19,e820__reallocate_tables+19;p:late20,e820__reallocate_tables+20;p:late21,e820__reallocate_tables+21;p:late22,e820__reallocate_tables+22;p:late23,e820__reallocate_tables+23;p:late24,e820__reallocate_tables+24;p:late25,e820__reallocate_tables+25;p:late26,e820__reallocate_tables+26;p:late27,e820__reallocate_tables+27;p:late28,e820__reallocate_tables+28;p:late29,e820__reallocate_tables+29;p:wrong,no_such_function
. "$(dirname "$0")/../lib.sh"

cat $T/kprobe_events $T/kprobe_profile
has 'the probe is defined' '^p:kprobes/bootopen do_sys_openat2 dfd=\$arg1:s32 name=\+0\(\$arg2\):ustring$' $T/kprobe_events
has 'the return probe is defined' '^r[0-9]*:kprobes/bootret do_sys_openat2 ret=\$retval:s32$' $T/kprobe_events
lacks 'the invalid probe is not defined' 'wrong' $T/kprobe_events
dmesg > log
has 'the kernel log names the invalid probe' 'p:wrong no_such_function' log
same 'the events are enabled' '1 1' "$(cat $T/events/kprobes/boot{open,ret}/enable | xargs)"

has 'the options of an event keep their commas' '^p:kprobes/few,sample=1,limit=1000/s,count=2 do_sys_openat2 count=\$arg1:s32$' $T/kprobe_events
same 'the event with a count is disabled after two records' '0 2' "$(cat $T/events/kprobes/few/enable) $(grep -c ' few: ' $T/trace)"
ok 'the probe counts its hits' [ "$(awk '$1 == "bootopen" { print $2 }' $T/kprobe_profile)" -gt 10 ]
has 'records contain argument values' 'bootopen: .* dfd=-100 name="/' $T/trace
has 'returns are recorded' 'bootret: .* ret=[0-9]+$' $T/trace

# .init.text is freed after boot.
has 'a probe in .init.text is hit' '^ *init +1 +0$' $T/kprobe_profile
has 'the hit in .init.text is recorded' ' init: \(' $T/trace
has 'the event remains when .init.text is freed' '^p:kprobes/init populate_rootfs$' $T/kprobe_events
cp /sys/kernel/debug/kprobes/list list
has 'the probe is gone when .init.text is freed' ' populate_rootfs\+.*\[GONE\]' list
# On x86, this function runs after that.  Definitions within an instruction fail.  Probes on
# neighbours keep their breakpoints, because a jump would replace both.
case $(uname -m) in
x86_64 | i?86)
	has 'a probe in .init.text that still runs is gone' \
		' e820__reallocate_tables\+.*\[GONE\]' list
	has 'it was not hit' '^ *late[0-9]+ +0 +0$' $T/kprobe_profile
	;;
esac
echo 0 > $T/events/kprobes/init/enable
ok 'the event of the gone probe can be deleted' define '-:init'
refused 'a probe in freed .init.text is refused' define 'p:again populate_rootfs'

echo 0 > $T/events/kprobes/enable
: > $T/kprobe_events
lacks 'all events can be deleted' 'kprobes/' $T/kprobe_events
