# SPDX-License-Identifier: GPL-2.0
# description: probes on all functions at once; four tasks that add and delete probes
# timeout: 900
. "$(dirname "$0")/../lib.sh"

text() # save|compare
{
	/usr/bin/python3 -I -S "${0%/*}/../progs/text.py" $1 text > differ ||
		{ echo "# the kernel text differs: $(head -c 1000 differ)"; false; }
}

# Use system calls, forks, files, pipes, sockets and modules.
workload()
{
	ls -lR /usr/share/doc 2> /dev/null | head -n 3000 > listing
	tar cf - /usr/include/linux 2> /dev/null | gzip -1 | wc -c > /dev/null
	for i in 1 2 3 4 5 6 7 8 9 10; do
		(exec sh -c 'cat /proc/self/maps /proc/meminfo /proc/net/* | sort' \
			> sorted 2> /dev/null)
	done
	/usr/bin/python3 -I -S - <<-END || return
	import socket, threading
	s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
	def serve():
	    for _ in range(50):
	        c = s.accept()[0]
	        c.sendall(b"x" * 10000)
	        c.close()
	t = threading.Thread(target=serve); t.start()
	for _ in range(50):
	    c = socket.create_connection(s.getsockname())
	    while c.recv(4096): pass
	    c.close()
	t.join()
	END
	modprobe trace-printk 2> /dev/null && rmmod trace-printk
	true
}

[ -r /proc/kcore ] || { skip 'everything' 'no /proc/kcore here'; exit; }
ip link set lo up 2> /dev/null
echo 64 > $T/buffer_size_kb

# Run everything once before saving the text: the first run turns static branches on.
workload
echo 1 > $T/tracing_on
define 'p:first vfs_read'
echo 1 > $T/events/kprobes/enable
echo 0 > $T/events/kprobes/enable
echo > $T/kprobe_events
ok 'the kernel text is saved' text save

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
sed 's/^[^ ]* //; s/ .*//' $T/kprobe_events > functions
echo > $T/kprobe_events
exec {stall_input}>&-
ok 'the longest stall of a CPU is measured' wait $stall
echo "# longest stall of a CPU: $(cat longest) s"
same 'no kprobe is left' '' "$(cat /sys/kernel/debug/kprobes/list)"
ok 'the kernel text is as before' text compare

define 'p:all/one * a=$stack0'
same 'one event for thousands of functions' one "$(ls $T/events/all | grep -v -e enable -e filter)"
echo 1 > $T/events/all/one/enable
ok 'the workload runs' workload
echo 0 > $T/events/all/one/enable
hit=$(grep -o '_*[a-z0-9_]*+0x4/' $T/trace | sort -u | wc -l)
ok "the event has records from a hundred functions" [ "$hit" -gt 100 ]
echo > $T/kprobe_events
same 'no kprobe is left' '' "$(cat /sys/kernel/debug/kprobes/list)"

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

echo > $T/trace
patterns=('[_A-Zac]*' '[b-hx-z]*' '[i-p]*' '[q-w]*')
sed 's/^.*://' functions > names
# The places of functions that share a name are addresses.
same 'the patterns match all functions' '' \
	"$(grep -v -f <(printf '^%s\n' "${patterns[@]%\*}") names | head -n 20)"

declare -A task
churn one "${patterns[0]}" 'vfs_*' & task[one]=$!
churn two "${patterns[1]}" '[v-w]*' & task[two]=$!
churn three "${patterns[2]}" '*_read*' & task[three]=$!
churn four "${patterns[3]}" 'k*' & task[four]=$!
switch_all & task[all]=$!
workload
touch stop
for group in one two three four; do
	ok "a task defines, enables and deletes group $group" wait "${task[$group]}"
	ok "group $group has changed $ROUNDS times" \
		[ "$(grep -cx $group rounds)" -ge $ROUNDS ]
done
ok 'a task disarms and arms all kprobes' wait "${task[all]}"
ok 'all kprobes were disarmed and armed' grep -qx all rounds
same 'kprobes are armed again' 1 "$(cat /sys/kernel/debug/kprobes/enabled)"
same 'no event is left' '' "$(cat $T/kprobe_events)"
same 'no kprobe is left' '' "$(cat /sys/kernel/debug/kprobes/list)"
ok 'the kernel text is as before' text compare
