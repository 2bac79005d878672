# SPDX-License-Identifier: GPL-2.0
# description: kprobe events in a boot configuration
# bootconfig: bootconfig.conf
. "$(dirname "$0")/../lib.sh"

cat $T/kprobe_events $T/kprobe_profile
has 'the probe is defined' '^p:kprobes/bcopen do_sys_openat2 dfd=\$arg1:s32 name=\+0\(\$arg2\):ustring$' $T/kprobe_events
same 'the filter is set' 'name ~ "/*"' "$(cat $T/events/kprobes/bcopen/filter)"
same 'the event is enabled' 1 "$(cat $T/events/kprobes/bcopen/enable)"
has 'hits are recorded' 'bcopen: .* dfd=-100 name="/' $T/trace
lacks 'the filter rejects hits' 'bcopen: .* name="[^/]' $T/trace
same 'an event with two probes is defined' 2 "$(grep -c '^p:kprobes/bcmany ' $T/kprobe_events)"
# A boot configuration leaves the buffers at their small initial size.  Stop recording, so
# that the files that grep opens do not overwrite the record of do_prlimit().
(ulimit -n) > /dev/null
echo 0 > $T/tracing_on
has 'hits of the first of the two probes are recorded' 'bcmany: \(do_sys_openat2.* which=0x1$' $T/trace
has 'hits of the second of the two probes are recorded' 'bcmany: \(do_prlimit.* which=0x2$' $T/trace
has 'the return probe is defined' '^r[0-9]*:kprobes/bcret do_sys_openat2 ' $T/kprobe_events
ok 'the return probe is hit' [ "$(awk '$1 == "bcret" { print $2 }' $T/kprobe_profile)" -gt 0 ]
