# SPDX-License-Identifier: GPL-2.0
# description: scripts of perf-tools write and read the files of tracefs
# timeout: 400
. "$(dirname "$0")/../lib.sh"
need kprobe-perf

# Calls to trace.
(while sleep 0.1; do "$opener" no-such-file 0 5; done) > /dev/null 2>&1 &
calls=$!

ok 'kprobe' run kprobe-perf -d 2 'p:opening do_sys_openat2 dfd=%di:s32 name=+0(%si):ustring'
has 'kprobe: arguments' 'opener-[0-9]+ .* opening: \(do_sys_openat2\+.*\) dfd=-100 name="no-such-file"$' out
ok 'kprobe, returns' run kprobe-perf -d 2 'r:opened do_sys_openat2 ret=$retval:s32'
has 'kprobe: results' 'opener-[0-9]+ .* opened: \(.* <- do_sys_openat2\) ret=-2$' out
ok 'kprobe, with a filter' run kprobe-perf -d 2 'p:opening do_sys_openat2 name=+0(%si):ustring' \
	'name == "no-such-file"'
has 'kprobe: what passes the filter' 'opening: .* name="no-such-file"$' out
lacks 'kprobe: nothing else' 'opening: .* name="[^n]' out
ok 'kprobe, with stack traces' run kprobe-perf -s -d 3 'p:opening do_sys_openat2'
has 'kprobe: stack' '^ => .*openat' out
same 'kprobe removes its event' '' "$(cat $T/kprobe_events)"

ok 'funccount' run funccount-perf -d 3 'do_sys_open*'
has 'funccount: calls' '^do_sys_openat2 +[1-9][0-9]*$' out

ok 'funcgraph' run funcgraph-perf -d 3 -m 1 do_sys_openat2
has 'funcgraph: duration of calls' '^ *[0-9]+\) .* [0-9.]+ us +\| +do_sys_openat2\(\);' out

kill $calls
