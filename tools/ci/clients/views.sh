# SPDX-License-Identifier: GPL-2.0
# description: perf and trace-cmd show names, times and addresses as the trace file does
. "$(dirname "$0")/../lib.sh"
need perf
need trace-cmd

# The arguments are constants, and the name of a file, whose characters are the bytes.
bytes='+u0($arg2)'
define 'p:view/numbers do_sys_openat2 a=\-2:errno b=\77:errno c=\-41:errno d=\-512:errno64 e=\-600:errno f=\0:errno g=\-600:errno64 h=\-1:errno16' \
       'p:view/enums do_sys_openat2 a=\2:enum(ONE=1,TWO=2) b=\3:enum(ONE=1) c=\-1:enum(LESS=-1) d=\-1:enum64(LESS=-1) e=\-2:enum16(LESS=-1) f=\1:enum(pid_type) g=\1:enum(sched/sched_switch/prev_state)' \
       'p:view/flags do_sys_openat2 a=\5:flags(A=1,C=4) b=\13:flags(A=1,C=4) c=\0:flags(A=1) d=\0:flags(NONE=0,A=1) e=\-1:flags32(TOP=0x80000000,A=1) f=\7:flags(A=1,PAIR=6,TWO=2) g=\-1:flags64(TOP=0x8000000000000000)' \
       'p:view/others do_sys_openat2 a=\1700000000123456789:time b=\0:time c=\8388609:dev d=\4294967295:dev' \
       "p:view/bytes do_sys_openat2 a=$bytes:mac b=$bytes:ipv4 c=$bytes:ipv6 d=$bytes:uuid" \
       "p:view/arrays do_sys_openat2 a=$bytes:enum8(A=65,B=66)[3] b=$bytes:flags8(A=65,X=2)[2] c=$bytes:errno8[2]" \
       'r:view/pointer getname_flags a=$retval:errno' \
       'r:view/ret do_sys_openat2 a=$retval:errno'

cat > run.sh <<END
: < ABCDEFGHIJKLMNOPQRSTUVWX
cat no-such-file
exit 0
END
: > ABCDEFGHIJKLMNOPQRSTUVWX
ok 'perf record' perf record -q -o data -e 'view:*' dash run.sh 2> err
ok 'trace-cmd record' trace-cmd record -q -o data.dat -e view dash run.sh > /dev/null 2>> err
echo 1 > "$T/events/view/enable"
echo > "$T/trace"
dash run.sh 2>> err
echo 0 > "$T/events/view/enable"

# The name of the event, and the arguments.
events() # file
{
	sed -nE 's/.*[ :](numbers|enums|flags|others|bytes|arrays|ret|pointer): +\([^)]*\) (.*)$/\1 \2/p' "$1"
}
# All records of the file, once each; an address differs from run to run.
texts() # file
{
	events "$1" | sed -E '/^pointer/s/0x[0-9a-f]{5,}/ADDRESS/' | grep -E -e "$only" | sort -u
}
cp "$T/trace" trace
perf script -i data > script 2>> err
trace-cmd report -i data.dat > report 2>> err
# All records of the same path.
only='^(numbers|enums|flags|others) |=41:42:43:44|^arrays a=.A,B,0x43|^pointer|-ENOENT'
texts trace > texts.trace
has 'trace: errno' '^numbers a=-ENOENT b=77 c=-41 d=-ERESTARTSYS e=-600 f=0 g=-600 h=-EPERM' texts.trace
has 'trace: enum' '^enums a=TWO b=0x3 c=LESS d=LESS e=0xfffe f=PIDTYPE_TGID g=S' texts.trace
has 'trace: flags' '^flags a=A\|C b=A\|C\|0x8 c=0 d=NONE e=TOP\|A\|0x7ffffffe f=A\|PAIR g=0xffffffffffffffff' texts.trace
has 'trace: bytes' '^bytes a=41:42:43:44:45:46 b=65.66.67.68 c=4142:' texts.trace
has 'trace: time and device' '^others a=22:13:20.123456789 b=00:00:00.000000000 c=8:1 d=4095:1048575' texts.trace
has 'trace: arrays' '^arrays a=\{A,B,0x43\} b=\{A,X\|0x40\} c=\{65,66\}' texts.trace
has 'trace: a pointer' '^pointer a=ADDRESS' texts.trace
has 'trace: return' '^ret a=-ENOENT' texts.trace
for e in numbers enums flags others bytes arrays pointer ret; do
	only="^$e "
	[ $e = bytes ] && only='^bytes a=41:'
	[ $e = arrays ] && only='^arrays a=.A,B,'
	[ $e = ret ] && only='^ret a=-ENOENT'
	same "perf script: $e" "$(texts trace)" "$(texts script)"
	same "trace-cmd report: $e" "$(texts trace)" "$(texts report)"
done
for e in numbers enums flags others bytes arrays; do
	echo "# print fmt of $e: $(grep -c '' "$T/events/view/$e/format") lines," \
		"$(wc -c < "$T/events/view/$e/format") bytes"
done
ok 'the events can be deleted' sh -c "echo > $T/kprobe_events"
