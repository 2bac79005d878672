# SPDX-License-Identifier: GPL-2.0
# description: lockdown= on the command line also applies to kprobe_event=
# append: lockdown=confidentiality kprobe_event=p:boot,do_sys_openat2
. "$(dirname "$0")/../lib.sh"

dmesg > log
has 'the kernel is locked down' 'Kernel is locked down from' log
has 'there is no tracefs' 'Tracing disabled due to lockdown' log
same 'kprobe_event= defines no event' '' "$(cat /sys/kernel/debug/kprobes/list)"
refused 'writing kprobe_events is refused' define 'p:after do_sys_openat2'
refused 'adding a probe through perf is refused' "$pmu" probe __x64_sys_getpriority 1
