# SPDX-License-Identifier: GPL-2.0
# description: trace-cmd receives and merges the records of two machines
# guests: 2
. "$(dirname "$0")/../lib.sh"
need trace-cmd

samples=${0%/tools/*}/samples/kprobe-events
fleet=$samples/fleet.sh
events=$samples/fleet.events

# trace-cmd needs a name for each address.
printf '10.0.0.1 first\n10.0.0.2 second\n' >> /etc/hosts

# Wait until a port of the first machine accepts connections.
reachable() # port
{
	for _ in {1..300}; do
		(exec 3<> "/dev/tcp/first/$1") 2> err && return
		sleep 0.2
	done
	cat err
	return 1
}

# Request a file from the first machine's web server; print the response's first line.
ask() # name
{
	exec 3<> /dev/tcp/first/8000
	printf 'GET /%s HTTP/1.0\r\n\r\n' "$1" >&3
	head -n 1 <&3
	exec 3>&-
}

ok 'the events in a file can be defined' bash "$fleet" define "$events"
refused 'a second definition is refused' bash "$fleet" define "$events" 2> err
has 'the error names the event' 'event fleet/connect already exists' err

if [ "$MACHINE" = 1 ]; then
	bash "$fleet" listen records > listen 2>&1 &
	mkdir served
	python3 -m http.server -d served 8000 > http 2>&1 &
	reachable 5678 && reachable 8000
	# Once this machine records, it creates the file that the other machine polls for.
	# It stops when the other machine requests second-is-done.
	ok 'the receiving machine records' bash "$fleet" record first bash -c '
		touch served/first-records
		until grep -q GET./second-is-done http; do sleep 0.2; done' > out 2>&1
	# When the receiver has all data, it prints a line with 'bytes in size' for each CPU.
	for _ in {1..100}; do
		[ "$(grep -c 'bytes in size' listen)" = 4 ] && break
		sleep 0.2
	done
	ok 'records of both machines can be merged' bash "$fleet" report records \
		> merged 2> err || cat err listen
	has 'the report has records of the first machine' \
		'trace\.first:.* accept: .* from=\{10,0,0,2\} port=8000' merged
	has 'the report has records of the second machine' \
		'trace\.second:.* connect: .* to=\{10,0,0,1\}' merged
	sed -n -E 's/.*\] +([0-9.]+): +(accept|connect): .*/\1/p' merged > stamps
	same 'the records are sorted by time' "$(sort -n stamps)" "$(cat stamps)"
	kill %1 %2
else
	ok 'the receiving machine is reachable' reachable 5678
	export -f ask
	ok 'another machine records' bash "$fleet" record first:5678 bash -c '
		until ask first-records | grep -q 200; do sleep 0.2; done
		ask first-records' > out 2>&1 || cat out
	ask second-is-done > out
fi

ok 'the events in a file can be removed' bash "$fleet" remove "$events"
same 'no event remains' '' "$(cat $T/dynamic_events)"
