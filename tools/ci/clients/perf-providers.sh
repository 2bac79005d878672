# SPDX-License-Identifier: GPL-2.0
# description: perf records events of functions, tracepoints, watchpoints and other events
. "$(dirname "$0")/../lib.sh"
need perf

define() { printf '%s\n' "$@" >> "$T/dynamic_events"; }

define 'f:mine/enter do_sys_openat2 name=+0($arg2):ustring' \
       'f:mine/leave do_sys_openat2%return ret=$retval:s32' \
       't:mine/exec sched_process_exec who=p->comm:string' \
       'e:mine/file sched/sched_process_exec file=$filename:string'

ok 'perf record' perf record -q -o data -e mine:enter -e mine:leave -e mine:exec -e mine:file \
	sh -c 'cat no-such-file; true' 2> err
perf script -i data > script 2>> err
has 'a function' 'mine:enter: \([0-9a-f]+\) name="no-such-file"' script
has 'the return of a function' 'mine:leave: \([0-9a-f]+ <- [0-9a-f]+\) ret=-2' script
has 'a tracepoint' 'mine:exec: \([0-9a-f]+\) who="(sh|cat)"' script
has 'an event probe' 'mine:file: +file="[^"]*cat"' script

# At the entry of a function, ftrace does not save BX and R10 to R15.
ok 'perf record of registers and call chains' \
	perf record -q -g --intr-regs=bx,si,r12,cs,ss -o registers -e mine:enter \
	sh -c 'cat no-such-file; true' 2> err
perf script -i registers -F event,ip,sym,iregs > registers.txt 2>> err
has 'registers: the second argument' 'BX:0x0 +SI:0x[0-9a-f]+[1-9a-f][0-9a-f]* ' registers.txt
has 'registers: the others are no old data' 'BX:0x0 .*CS:0x10 +SS:0x18 +R12:0x0' registers.txt
has 'call chain' '(do_syscall_64|__x64_sys_open)' registers.txt

# A hit is recorded once in the trace, although perf also gets it.
echo 1 > "$T/events/mine/file/enable"
echo > "$T/trace"
ok 'perf stat beside the trace' perf stat -a -x, -o stat -e mine:file sleep .1
ok 'perf counts the call' [ "$(awk -F, '/mine:file/ { print $1 }' stat)" -ge 1 ]
grep -c ' file: .*sleep"' "$T/trace" > count
has 'the trace has it once' '^1$' count
echo 0 > "$T/events/mine/file/enable"

for e in enter leave exec file; do
	ok "mine/$e can be deleted after perf has closed it" define "-:mine/$e"
done

# The debug registers of watchpoints that perf has closed are free at once.
for e in w1 w2 w3 w4 w5; do define "w:mine/$e w@panic_timeout"; done
ok 'perf stat of watchpoints' perf stat -x, -o stat -e mine:w1 -e mine:w2 -e mine:w3 -e mine:w4 true
ok 'a watchpoint can be enabled after that' \
	eval 'echo 1 > "$T/events/mine/w5/enable" && echo 0 > "$T/events/mine/w5/enable"'
for e in w1 w2 w3 w4 w5; do
	ok "mine/$e can be deleted after perf has closed it" define "-:mine/$e"
done
