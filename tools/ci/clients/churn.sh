# SPDX-License-Identifier: GPL-2.0
# description: four tasks add, enable and delete probes on all functions
# timeout: 600
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../workload.sh"

echo 64 > $T/buffer_size_kb
save_text

# Each task has its own group of events.  In turn, it probes all functions that match the
# first pattern with one event, and the returns of those that match the second pattern with
# an event each.  The first patterns together match all functions, and some match two of them.
ROUNDS=3
churn() # group pattern returns
{
	local done=0 command
	while [ ! -e stop ] || [ $done -lt $ROUNDS ]; do
		command="p:$1/all $2"
		[ $((done % 2)) -eq 0 ] || command="r:$1/ $3"
		echo "$command" >> $T/kprobe_events || return
		echo 1 > $T/events/$1/enable || return
		echo 0 > $T/events/$1/enable || return
		echo "-:$1/" >> $T/kprobe_events || return
		done=$((done + 1))
		echo $1 >> rounds
	done
}

# Events can be defined, enabled and deleted while all kprobes are disarmed.
switch_all()
{
	local enabled=/sys/kernel/debug/kprobes/enabled
	while [ ! -e stop ]; do
		sleep 1
		echo 0 > $enabled || return
		sleep 0.1
		echo 1 > $enabled || return
		echo all >> rounds
	done
}

patterns=('[_A-Zac]*' '[b-hx-z]*' '[i-p]*' '[q-w]*')
define 'p:all/ *'
sed 's/^[^ ]* //; s/^.*://' $T/kprobe_events > names
echo > $T/kprobe_events
ok 'thousands of functions can be probed' [ "$(wc -l < names)" -gt 5000 ]
# A function whose name others have, too, has the place _stext+OFFSET.
same 'the patterns match all functions' '' \
	"$(grep -v -f <(printf '^%s\n' "${patterns[@]%\*}") names | head -n 20)"

declare -A task
churn one "${patterns[0]}" 'vfs_*' & task[one]=$!
churn two "${patterns[1]}" '[v-w]*' & task[two]=$!
churn three "${patterns[2]}" '*_read*' & task[three]=$!
churn four "${patterns[3]}" 'k*' & task[four]=$!
switch_all & task[all]=$!
ok 'the workload runs' workload
touch stop
for group in one two three four; do
	ok "a task defines, enables and deletes group $group" wait "${task[$group]}"
	ok "group $group has changed $ROUNDS times" \
		[ "$(grep -cx $group rounds)" -ge $ROUNDS ]
done
ok 'a task disarms and arms all kprobes' wait "${task[all]}"
ok 'all kprobes were disarmed and armed' grep -qx all rounds
same 'kprobes are armed again' 1 "$(cat /sys/kernel/debug/kprobes/enabled)"
nothing_left
