#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A first look at kprobe events: trace how programs open files, with one probe at
# the entry and one at the return of do_sys_openat2(). 'make run' shows this.

. "$(dirname "$(realpath "$0")")/lib.sh"

# Show error messages of the programs between the commands.
exec 2>&1
begin kprobes/myprobe kprobes/myretprobe kprobes/bad
export LC_ALL=C

say "Two probes, in $T. The first notes what do_sys_openat2() is" \
    "called with, the second what it returns:"
run "echo 'p:myprobe do_sys_openat2 dfd=\$arg1 filename=+0(\$arg2):ustring \
flags=%dx' >> kprobe_events"
run "echo 'r:myretprobe do_sys_openat2 ret=\$retval' >> kprobe_events"

say "Armed while two programs run:"
run "echo > trace"
run "echo 1 > events/kprobes/enable"
run "cat /etc/hostname"
run "cat /no/such/file || true"
run "echo 0 > events/kprobes/enable"

say "What they did. Each line: who, on which CPU, when; event; (place); arguments."
run "grep cat- trace"

cat << END

    dfd       0xffffff9c is -100, AT_FDCWD: relative to the current directory
    filename  fetched from the program's memory. (fault) means that its page
              was not there at that moment: probes must not sleep to get it
    flags     whatever register dx held, here the third argument: a pointer
    ret       a file descriptor, or an error: -2 is ENOENT
END

grep -q 'cat-.*: myprobe: .* filename="/etc/hostname" ' trace ||
	fail "no record of cat opening /etc/hostname"
grep -q 'cat-.*: myprobe: .* filename="/no/such/file" ' trace ||
	fail "no record of cat trying to open /no/such/file"
grep -q 'cat-.*: myretprobe: (.* <- do_sys_openat2) ret=3$' trace ||
	fail "no record of a file that was opened"
grep -q 'cat-.*: myretprobe: (.* <- do_sys_openat2) ret=-2$' trace ||
	fail "no record of a file that was not found"

say "How often each probe was hit, and how many hits were missed:"
run "cat kprobe_profile"
awk '$1 ~ /^my/ && ($2 < 2 || $3 != 0) { exit 1 }' kprobe_profile ||
	fail "kprobe_profile does not agree"

say "A number at an address where nothing is. The record says so:"
run "echo 'p:bad do_sys_openat2 a=+0(\\0):x64 comm=\$comm' >> kprobe_events"
run "echo > trace; echo 1 > events/kprobes/bad/enable"
run "cat /etc/hostname"
run "echo 0 > events/kprobes/bad/enable"
run "grep cat- trace | tail -n 1"
grep -q 'cat-.*: bad: (.*) a=(fault) comm="cat"$' trace ||
	fail "a value that cannot be read was not shown as (fault)"

cat << 'END'

Try one of your own:

    cd /sys/kernel/tracing
    echo 'p:unlink do_unlinkat dfd path=name->name:string' >> kprobe_events
    echo 1 > events/kprobes/unlink/enable
    touch /tmp/a; rm /tmp/a
    cat trace
    echo 0 > events/kprobes/unlink/enable; echo -:unlink >> kprobe_events

A command that is refused is explained in error_log. All there is:
Documentation/trace/kprobetrace.rst; more to copy: samples/kprobe-events/.
END
