# SPDX-License-Identifier: GPL-2.0
# description: scripts of perf-tools write and read the files of tracefs
# timeout: 400
. "$(dirname "$0")/../lib.sh"
need kprobe-perf

# Make calls to trace.
(while sleep 0.1; do "$opener" no-such-file 0 5; done) > /dev/null 2>&1 &
calls=$!

ok 'kprobe' run kprobe-perf -d 2 'p:opening do_sys_openat2 dfd=%di:s32 name=+0(%si):ustring'
has 'kprobe: the arguments are shown' 'opener-[0-9]+ .* opening: \(do_sys_openat2\+.*\) dfd=-100 name="no-such-file"$' out
ok 'kprobe, with a return probe' run kprobe-perf -d 2 'r:opened do_sys_openat2 ret=$retval:s32'
has 'kprobe: the return values are shown' 'opener-[0-9]+ .* opened: \(.* <- do_sys_openat2\) ret=-2$' out
ok 'kprobe, with a filter' run kprobe-perf -d 2 'p:opening do_sys_openat2 name=+0(%si):ustring' \
	'name == "no-such-file"'
has 'kprobe: hits that pass the filter are recorded' 'opening: .* name="no-such-file"$' out
lacks 'kprobe: other hits are not recorded' 'opening: .* name="[^n]' out
ok 'kprobe, with stack traces' run kprobe-perf -s -d 3 'p:opening do_sys_openat2'
has 'kprobe: the stack is shown' '^ => .*openat' out
same 'kprobe removes its event' '' "$(cat $T/kprobe_events)"

ok 'funccount' run funccount-perf -d 3 'do_sys_open*'
has 'funccount counts calls' '^do_sys_openat2 +[1-9][0-9]*$' out

ok 'funcgraph' run funcgraph-perf -d 3 -m 1 do_sys_openat2
has 'funcgraph shows the duration of calls' '^ *[0-9]+\) .* [0-9.]+ us +\| +do_sys_openat2\(\);' out

kill $calls
