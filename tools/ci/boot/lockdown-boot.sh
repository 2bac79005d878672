# SPDX-License-Identifier: GPL-2.0
# description: locked down from the start, also for kprobe_event=
# append: lockdown=confidentiality kprobe_event=p:boot,do_sys_openat2
. "$(dirname "$0")/../lib.sh"

dmesg > log
has 'locked down' 'Kernel is locked down|lockdown=confidentiality' log
refused 'no event' grep -q boot $T/kprobe_events
refused 'no writing' define 'p:after do_sys_openat2'
refused 'no probe through perf' "$pmu" probe __x64_sys_getpriority 1
