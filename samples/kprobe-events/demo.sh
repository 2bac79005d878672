#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A first look at kprobe events: trace how programs open files, with one probe at
# the entry and one at the return of do_sys_openat2().

. "$(dirname "$(realpath "$0")")/lib.sh"

# Print the programs' error messages to stdout, in order with the commands.
exec 2>&1
begin kprobes/myprobe kprobes/myretprobe kprobes/bad
[ ! -d events/kprobes ] ||
	fail "the group kprobes has events, which this script would switch on and off"
export LC_ALL=C

say "Define two probes, in $T. The first records arguments of" \
    "do_sys_openat2(), the second its return value:"
run "echo 'p:myprobe do_sys_openat2 dfd=\$arg1 filename=+0(\$arg2):ustring \
flags=+0(%dx):x64' >> kprobe_events"
run "echo 'r:myretprobe do_sys_openat2 ret=\$retval' >> kprobe_events"

say "Enable them while two programs run:"
run "echo > trace"
run "echo 1 > events/kprobes/enable"
run "cat /etc/hostname"
run "cat /no/such/file || true"
run "echo 0 > events/kprobes/enable"

say "The records. Each line: task, CPU, time; event; (probed place); arguments."
run "grep cat- trace"

cat << END

    dfd       0xffffff9c is -100, AT_FDCWD: relative to the current directory
    filename  read from the program's memory. (fault) means that the page
              was not in memory: a probe must not sleep to load it
    flags     open_how::flags, read from memory: register dx, the third argument,
              points to the struct
    ret       a file descriptor, or an error: -2 is ENOENT
END

grep -q 'cat-.*: myprobe: .* filename="/etc/hostname" ' trace ||
	fail "no record of cat opening /etc/hostname"
grep -q 'cat-.*: myprobe: .* filename="/no/such/file" ' trace ||
	fail "no record of cat trying to open /no/such/file"
grep -q 'cat-.*: myretprobe: (.* <- do_sys_openat2) ret=3$' trace ||
	fail "no record of the return with a file descriptor"
grep -q 'cat-.*: myretprobe: (.* <- do_sys_openat2) ret=-2$' trace ||
	fail "no record of the return with -ENOENT"

say "The number of hits and of missed hits of each probe:"
run "cat kprobe_profile"
awk '$1 ~ /^my/ && ($2 < 2 || $3 != 0) { exit 1 }' kprobe_profile ||
	fail "kprobe_profile has missed hits, or fewer than two hits"

say "Read a number at an address that is not mapped. The record shows (fault):"
run "echo 'p:bad do_sys_openat2 a=+0(\\0):x64 comm=\$comm' >> kprobe_events"
run "echo > trace; echo 1 > events/kprobes/bad/enable"
run "cat /etc/hostname"
run "echo 0 > events/kprobes/bad/enable"
run "grep cat- trace | tail -n 1"
grep -q 'cat-.*: bad: (.*) a=(fault) comm="cat"$' trace ||
	fail "a value that cannot be read was not shown as (fault)"

cat << 'END'

Define your own:

    cd /sys/kernel/tracing
    echo 'p:unlink do_unlinkat dfd path=name->name:string' >> kprobe_events
    echo 1 > events/kprobes/unlink/enable
    touch /tmp/a; rm /tmp/a
    cat trace
    echo 0 > events/kprobes/unlink/enable; echo -:unlink >> kprobe_events

error_log explains the last refused commands. Reference:
Documentation/trace/probe-events.rst; more examples: samples/kprobe-events/.
END
