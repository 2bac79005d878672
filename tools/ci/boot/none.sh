# SPDX-License-Identifier: GPL-2.0
# description: an ordinary boot has no probes and says nothing about them
. "$(dirname "$0")/../lib.sh"

same 'kprobe_events' '' "$(cat $T/kprobe_events)"
same 'kprobe_profile' '' "$(cat $T/kprobe_profile)"
same 'kprobes/list' '' "$(cat /sys/kernel/debug/kprobes/list)"
same 'no group' '' "$(ls -d $T/events/kprobes 2> /dev/null)"
dmesg > log
lacks 'log' 'trace_kprobe|trace_probe|probe: ' log
