# SPDX-License-Identifier: GPL-2.0
# description: all event numbers are in use
# timeout: 400
. "$(dirname "$0")/../lib.sh"

# An event has a number of 16 bits.
for group in one two three four five six seven eight nine ten; do
	cp $T/kprobe_events before
	echo "p:$group/ *" 2> err >> $T/kprobe_events || break
done
ok 'tens of thousands of events' [ "$(wc -l < before)" -gt 30000 ]
has 'the error' 'No such device' err
ok 'the command that finds too few numbers defines nothing' cmp before $T/kprobe_events
same 'it leaves no group' '' "$(find $T/events -maxdepth 1 -name $group)"

i=0
while define "p:last/e$i vfs_read" 2> err; do
	i=$((i + 1))
done
has 'the error of a single event' 'No such device' err
ok 'it is not listed' not grep -q "last/e$i " $T/kprobe_events

ok 'a group can be deleted' eval "echo '-:one/' >> $T/kprobe_events"
ok 'its numbers can be used again' define 'p:last/again vfs_read'
ok 'the first events work' eval "echo 1 > $T/events/last/enable"
cat /proc/version > /dev/null
echo 0 > $T/events/last/enable
has 'events record' 'again: \(vfs_read' $T/trace
ok 'all are deleted' eval "echo > $T/kprobe_events"
same 'no kprobe is left' 0 "$(wc -l < /sys/kernel/debug/kprobes/list)"
