# SPDX-License-Identifier: GPL-2.0
# description: probes on all functions at once
# timeout: 600
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../workload.sh"

echo 64 > $T/buffer_size_kb
save_text

# Measure how long a CPU does not run a real-time task that is due.  The figure is only for
# information: the emulator may be slow.
mkfifo end
"$PROGRAMS/stall" 50 < end > longest & stall=$!
exec {stall_input}> end

define 'p:all/ * a=$stack0' 'r:ret/ vfs_* $retval'
n=$(wc -l < $T/kprobe_events)
ok 'thousands of functions can be probed' [ "$n" -gt 5000 ]
echo 1 > $T/events/all/enable
echo 1 > $T/events/ret/enable
same 'all events are enabled' "1 1" "$(cat $T/events/all/enable $T/events/ret/enable | xargs)"
ok 'the workload runs' workload
ok 'the workload is traced' grep -q '_0: (' $T/trace
hit=$(awk '$2 > 0' $T/kprobe_profile | wc -l)
ok "a thousand functions are hit" [ "$hit" -gt 1000 ]
echo 0 > $T/events/ret/enable
echo 0 > $T/events/all/enable
echo > $T/kprobe_events
exec {stall_input}>&-
ok 'the longest stall of a CPU is measured' wait $stall
echo "# longest stall of a CPU: $(cat longest) s"
nothing_left

define 'p:all/one * a=$stack0'
same 'one event for thousands of functions' one "$(cd $T/events/all && echo */ | tr -d /)"
echo 1 > $T/events/all/one/enable
ok 'the workload runs' workload
echo 0 > $T/events/all/one/enable
hit=$(grep -o '_*[a-z0-9_]*+0x4/' $T/trace | sort -u | wc -l)
ok "the event has records from a hundred functions" [ "$hit" -gt 100 ]
echo > $T/kprobe_events
nothing_left
