# SPDX-License-Identifier: GPL-2.0
# description: all event numbers are in use
# timeout: 400
. "$(dirname "$0")/../lib.sh"

# Event numbers have 16 bits.
for group in one two three four five six seven eight nine ten; do
	cp $T/kprobe_events before
	echo "p:$group/ *" 2> err >> $T/kprobe_events || break
done
ok 'tens of thousands of events are defined' [ "$(wc -l < before)" -gt 30000 ]
has 'the failed command returns ENODEV' 'No such device' err
ok 'the failed command defines no event' cmp before $T/kprobe_events
same 'the failed command leaves no group' '' "$(find $T/events -maxdepth 1 -name $group)"

i=0
while define "p:last/e$i vfs_read" 2> err; do
	i=$((i + 1))
done
has 'a single event fails with the same error' 'No such device' err
ok 'the refused event is not listed' not grep -q "last/e$i " $T/kprobe_events

ok 'a group can be deleted' eval "echo '-:one/' >> $T/kprobe_events"
ok 'the numbers of the deleted group can be used again' define 'p:last/again vfs_read'
ok 'the last events can be enabled' eval "echo 1 > $T/events/last/enable"
cat /proc/version > /dev/null
echo 0 > $T/events/last/enable
has 'hits of the last event are recorded' 'again: \(vfs_read' $T/trace
ok 'all events can be deleted' eval "echo > $T/kprobe_events"
same 'no kprobe is left' 0 "$(wc -l < /sys/kernel/debug/kprobes/list)"
