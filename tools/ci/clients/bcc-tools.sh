# SPDX-License-Identifier: GPL-2.0
# description: tools of bcc count calls and print arguments
# timeout: 600
. "$(dirname "$0")/../lib.sh"
need trace-bpfcc
modprobe kheaders 2> /dev/null
[ -d "/lib/modules/$(uname -r)/build" ] || [ -e /sys/kernel/kheaders.tar.xz ] ||
	{ skip 'tools of bcc' 'no kernel headers in the guest'; exit; }

# A tool compiles for up to a minute before it attaches.  Make calls until all tools end.
(while sleep 0.2; do "$opener" no-such-file 0 5; done) > /dev/null 2>&1 &
calls=$!

ok 'funccount' run funccount-bpfcc -d 2 'do_sys_open*'
has 'funccount counts calls' '^do_sys_openat2 +[1-9][0-9]*$' out

ok 'argdist' run argdist-bpfcc -i 2 -n 1 -C 'p::do_sys_openat2(int dfd):int:dfd'
has 'argdist shows values' '^\s+[1-9][0-9]*\s+dfd = -100$' out

# trace-bpfcc's option to end after N events does not work with all versions of Python.
PYTHONUNBUFFERED=1 trace-bpfcc -n opener 'do_sys_openat2 "dfd %d name %s", (int)arg1, arg2@user' \
	> out 2> err &
tracer=$!
until grep -q 'no-such-file$' out || ! kill -0 $tracer 2> /dev/null; do
	sleep 1
done
kill $tracer
wait $tracer 2> /dev/null
has 'trace shows arguments' 'opener +do_sys_openat2 +dfd -100 name no-such-file$' out

kill $calls
# The kernel removes the probes of closed perf events in the background.
for _ in {1..50}; do
	[ -n "$(cat /sys/kernel/debug/kprobes/list)" ] || break
	sleep 0.1
done
same 'the tools remove their probes' '' "$(cat /sys/kernel/debug/kprobes/list)"
