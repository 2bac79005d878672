# SPDX-License-Identifier: GPL-2.0
#
# Functions for scripts that put probes on many functions of the kernel, or have several tasks.
# These functions need lib.sh.

text() # save|compare
{
	/usr/bin/python3 -I -S "${0%/*}/../progs/text.py" $1 text > differ ||
		{ echo "# the kernel text differs: $(head -c 1000 differ)"; false; }
}

# Use system calls, forks, files, pipes, sockets and modules.
workload()
{
	find /usr/share/doc -ls 2> /dev/null | head -n 3000 > listing
	tar cf - /usr/include/linux 2> /dev/null | gzip -1 | wc -c > /dev/null
	for _ in {1..10}; do
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

# Tasks of a test, which run at the same time until the file 'stop' exists.

declare -A task

start_tasks() # function...
{
	local name
	for name; do
		$name > "log-$name" 2>&1 &
		task[$name]=$!
	done
}

# Run commands at least $ROUNDS times, in a task.  The task fails if one of them fails.
round() # command...
{
	local done=0 command
	while [ ! -e stop ] || [ $done -lt $ROUNDS ]; do
		for command; do eval "$command" || return; done
		done=$((done + 1))
	done
}

# Stop the tasks, and check that none has failed.
stop_tasks()
{
	local name
	touch stop
	for name in "${!task[@]}"; do
		ok "task $name" wait "${task[$name]}" ||
			sed 's/^/# /' "log-$name" | tail -n 5
	done
}

# Save the kernel's text, to compare it after the test.  Skip the script if that cannot be
# done.  The first workload and the first event turn static branches on, so run both before.
save_text()
{
	[ -r /proc/kcore ] || { skip 'everything' 'no /proc/kcore here'; exit; }
	workload
	echo 1 > $T/tracing_on
	define 'p:first vfs_read'
	echo 1 > $T/events/kprobes/enable
	echo 0 > $T/events/kprobes/enable
	echo > $T/kprobe_events
	ok 'the kernel text is saved' text save
}

# Check that no event, no kprobe and no changed text is left.
nothing_left()
{
	same 'no event is left' '' "$(cat $T/kprobe_events)"
	same 'no kprobe is left' '' "$(cat /sys/kernel/debug/kprobes/list)"
	ok 'the kernel text is as before' text compare
}
