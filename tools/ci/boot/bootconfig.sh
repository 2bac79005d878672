# SPDX-License-Identifier: GPL-2.0
# description: kprobe events in a boot configuration
# bootconfig: bootconfig.conf
. "$(dirname "$0")/../lib.sh"

cat $T/kprobe_events $T/kprobe_profile
has 'a probe' '^p:kprobes/bcopen do_sys_openat2 dfd=\$arg1:s32 name=\+0\(\$arg2\):ustring$' $T/kprobe_events
same 'its filter' 'name ~ "/*"' "$(cat $T/events/kprobes/bcopen/filter)"
same 'enabled' 1 "$(cat $T/events/kprobes/bcopen/enable)"
has 'hit and recorded' 'bcopen: .* dfd=-100 name="/' $T/trace
lacks 'filtered' 'bcopen: .* name="[^/]' $T/trace
same 'two probes of one event' 2 "$(grep -c '^p:kprobes/bcmany ' $T/kprobe_events)"
(ulimit -n) > /dev/null
has 'the first of them' 'bcmany: \(do_sys_openat2.* which=0x1$' $T/trace
has 'the second' 'bcmany: \(do_prlimit.* which=0x2$' $T/trace
has 'a return probe' '^r[0-9]*:kprobes/bcret do_sys_openat2 ' $T/kprobe_events
ok 'which is hit' [ "$(awk '$1 == "bcret" { print $2 }' $T/kprobe_profile)" -gt 0 ]
