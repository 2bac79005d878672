# SPDX-License-Identifier: GPL-2.0
# description: perf uses uprobe events for one task, beside trace instances
# timeout: 300
. "$(dirname "$0")/../lib.sh"
need perf

# Uprobes do not work on files of the host's file system.
cp "$caller" caller
counted=$((0x$(nm caller | awk '$3 == "counted" { print $1 }')))
# Text has the same distance from its addresses everywhere in the file.
offset=$(readelf -lW caller | awk '$1 == "LOAD" && / R E / { print $2 " " $3; exit }' |
	{ read -r at vaddr; printf '%#x' $((counted - vaddr + at)); })
define() { printf '%s\n' "$@" >> "$T/uprobe_events"; }

define "p:mine/call $PWD/caller:$offset" "r:mine/back $PWD/caller:$offset rc=\$retval:x8" \
       "p:mine/count $PWD/caller:$offset sp=\$stack top=\$stack0"
# Another process: does it have a breakpoint?
other() { ./caller 3; }
free='^3 ([^c].|.[^c])$'
taken='^3 cc$'
other > before
has 'no breakpoint without users' "$free" before

ok 'perf record of a task' perf record -q -o data -e mine:call -e mine:back -e mine:count \
	sh -c './caller 10 >&2; ./caller 5 >&2' 2> err
perf script -i data > script 2>> err
same 'perf records the calls' 15 "$(grep -c mine:call: script)"
same 'perf records the returns' 15 "$(grep -c mine:back: script)"
has 'values' 'mine:count: \([0-9a-f]+\) sp=0x7f[0-9a-f]+ top=0x[0-9a-f]+' script

perf record -q -o data -e mine:call sh -c 'touch ready; ./caller 7 > mine
	while [ ! -e stop ]; do sleep .1; done; ./caller 4 >&2' 2> err &
until [ -e ready ]; do sleep .1; done
other > alone
has 'other processes have no breakpoint' "$free" alone
echo 1 > "$T/events/mine/call/enable"
other > traced
has 'a trace instance adds the breakpoint' "$taken" traced
same 'it records the other process' 3 "$(grep -c ' call: ' "$T/trace")"
echo 0 > "$T/events/mine/call/enable"
other > after
has 'and removes it' "$free" after
touch stop
wait
same 'perf recorded only its task' 11 "$(perf script -i data | grep -c mine:call:)"
has 'the task of perf had a breakpoint' '^7 cc$' mine

echo 1 > "$T/events/mine/call/enable"
echo > "$T/trace"
ok 'perf stat joins an event that is traced' \
	perf stat -x, -o stat -e mine:call sh -c './caller 6 > /dev/null' 2> err
same 'perf counts the calls' 6 "$(awk -F, '/mine:call/ { print $1 }' stat)"
other > still
has 'the trace keeps its breakpoint' "$taken" still
same 'the trace has all calls' 9 "$(grep -c ' call: ' "$T/trace")"
echo 0 > "$T/events/mine/call/enable"

type=$(cat /sys/bus/event_source/devices/uprobe/type 2> /dev/null)
[ -z "$type" ] || ok 'the uprobe PMU has a type' [ "$type" -gt 0 ]
ok 'events can be deleted after perf has closed them' define '-:mine/call' '-:mine/back' '-:mine/count'
other > end
has 'no breakpoint remains' "$free" end
