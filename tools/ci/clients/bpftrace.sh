# SPDX-License-Identifier: GPL-2.0
# description: bpftrace gets arguments and return values from kprobes and kretprobes
# timeout: 300
. "$(dirname "$0")/../lib.sh"
need bpftrace

touch known-file
bpftrace -e '
kprobe:do_sys_openat2 /comm == "opener"/ { printf("open %d %s\n", (int32)arg0, str(uptr(arg1))); }
kretprobe:do_sys_openat2 /comm == "opener"/ { printf("gives %d\n", (int32)retval); }
' -c "$opener known-file 0100000" > out 2> err
cat err
has 'kprobe: the arguments are right' '^open -100 known-file$' out
fd=$(grep -E '^[0-9]+$' out | tail -n 1)
has 'kretprobe: the return value is right' "^gives $fd\$" out

bpftrace -e '
kretprobe:do_sys_openat2 /comm == "opener"/ { @ret[(int32)retval] = count(); }
' -c "$opener no-such-file 0 25" > out 2> err
has 'every return is counted' '^@ret\[-2\]: 25$' out

bpftrace -e '
kprobe:do_sys_openat2 { @a[comm] = count(); }
kprobe:do_sys_openat2 { @b[comm] = count(); }
' -c "$opener no-such-file 0 25" > out 2> err
a=$(sed -n 's/^@a\[opener\]: //p' out)
b=$(sed -n 's/^@b\[opener\]: //p' out)
ok 'two probes on one function are hit' [ "${a:-0}" -ge 25 ]
same 'both probes have the same count' "$a" "$b"

bpftrace -e '
kprobe:vfs_read,kprobe:vfs_write,kretprobe:vfs_read { @[probe] = count(); }
' -c "/bin/cat known-file /proc/version" > out 2> err
has 'probes on several functions are hit' '^@\[kprobe:vfs_write\]: [1-9]' out
has 'a return probe among them is hit' '^@\[kretprobe:vfs_read\]: [1-9]' out

# Use a kprobe event on the same function at the same time.
define 'p:same do_sys_openat2 name=+0($arg2):ustring'
echo 1 > $T/events/kprobes/same/enable
bpftrace -e '
kprobe:do_sys_openat2 /comm == "opener"/ { @n = count(); }
' -c "$opener known-file 0 3" > out 2> err
echo 0 > $T/events/kprobes/same/enable
n=$(sed -n 's/^@n: //p' out)
ok 'bpftrace and an event on one function: bpftrace counts' [ "${n:-0}" -ge 3 ]
same 'bpftrace and an event on one function: the event records' 3 "$(grep -c 'same: .* name="known-file"' $T/trace)"

ok 'the event can be deleted afterwards' define '-:same'
