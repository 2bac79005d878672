# SPDX-License-Identifier: GPL-2.0
# description: without probes, the lists are empty and the kernel logs nothing about probes
. "$(dirname "$0")/../lib.sh"

same 'kprobe_events is empty' '' "$(cat $T/kprobe_events)"
same 'kprobe_profile is empty' '' "$(cat $T/kprobe_profile)"
same 'kprobes/list is empty' '' "$(cat /sys/kernel/debug/kprobes/list)"
same 'there is no group kprobes' '' "$(ls -d $T/events/kprobes 2> /dev/null)"
dmesg > log
lacks 'the kernel logs nothing about probes' \
	'trace_kprobe|trace_probe|\<probe: |kprobes: .*(incomplete|Cannot|No function|lost)' log
