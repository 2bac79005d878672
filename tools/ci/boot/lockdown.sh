# SPDX-License-Identifier: GPL-2.0
# description: lockdown for confidentiality forbids adding probes and reading tracefs files
. "$(dirname "$0")/../lib.sh"

L=/sys/kernel/security/lockdown
[ -e $L ] || { skip 'lockdown' 'not in this kernel'; exit; }
define 'p:before do_sys_openat2 name=+0($arg2):ustring'
echo 1 > $T/events/kprobes/before/enable
exec 5>> $T/kprobe_events
exec 6> $T/events/kprobes/before/enable

echo confidentiality > $L
has 'the kernel is locked down' '\[confidentiality\]' $L
refused 'writing kprobe_events is refused' define 'p:after do_sys_openat2'
printf 'p:after do_sys_openat2\n' >&5 2> err && FAILED=1
has 'writing to a file opened before lockdown fails' 'not permitted' err
refused 'deleting an event through dynamic_events is refused' sh -c "echo '-:before' >> $T/dynamic_events"
refused 'truncating kprobe_events is refused' sh -c ": > $T/kprobe_events"
for f in kprobe_events kprobe_profile kprobe_misses dynamic_events trace; do
	refused "reading $f is refused" cat $T/$f
done
refused 'adding a probe through perf is refused' "$pmu" probe __x64_sys_getpriority 1
ok 'an event enabled before lockdown can be disabled' sh -c 'echo 0 >&6'
