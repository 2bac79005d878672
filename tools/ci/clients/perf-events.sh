# SPDX-License-Identifier: GPL-2.0
# description: perf records and counts events that are defined in kprobe_events
. "$(dirname "$0")/../lib.sh"
need perf

define 'p:mine/limit do_prlimit what=$arg2:u32 new=$arg3 cur=+0($arg3):x64 low=+0($arg3):s8[4] txt=+0($arg3):string' \
       'p:mine/open do_sys_openat2 name=+0($arg2):ustring who=$comm'

# 0x0047464544434241 is the string ABCDEFG.  The call that reads the old limit passes NULL
# for the new limit, so fetching the values faults.
cat > run.sh <<'END'
ulimit -n 20061986658402881
exit 0
END
ok 'perf record' perf record -q -o data -e mine:limit -e mine:open dash run.sh 2> err
perf script -i data > script 2>> err
has 'perf script: numbers, arrays, strings' 'mine:limit: \([0-9a-f]+\) what=7 new=0x[0-9a-f]+ cur=0x47464544434241 low=\{65,66,67,68\} txt="ABCDEFG"' script
has 'perf script: a fault is shown as zeroes' 'mine:limit: \([0-9a-f]+\) what=7 new=0(x0)? cur=0(x0)? low=\{0,0,0,0\} txt=(""|\(fault\)|"\(fault\)")' script
has 'perf script: user string and $comm' 'mine:open: \([0-9a-f]+\) name="run.sh" who="dash"' script

define 'p:mine/few,sample=1,count=3 do_sys_openat2'
for session in first second; do
	ok "perf record of an event with a count, $session session" \
		perf record -q -a -o data5 -e mine:few "$opener" no-such-file 0 30
	same 'it has as many records as the count' 3 "$(perf script -i data5 | grep -c mine:few:)"
done

ok 'perf record -g' perf record -q -g -o data2 -e mine:open "$opener" no-such-file
perf script -i data2 > script2 2>> err
has 'perf script: call chain' '(do_syscall_64|entry_SYSCALL_64|x64_sys_openat)' script2

ok 'perf stat -a' perf stat -a -x, -o stat -e mine:open "$opener" no-such-file 0 30
ok 'perf stat counts at least the 30 calls' [ "$(awk -F, '/mine:open/ { print $1 }' stat)" -ge 30 ]

# While only a trace instance uses the event, its hits have only the registers of arguments.
has_all_registers() { grep 'do_sys_openat2 (' "$T/enabled_functions" | grep -q ' R '; }
if [ "$(uname -m)" = x86_64 ]; then
	define 'p:mine/regs do_sys_openat2 a=$arg1'
	echo 1 > "$T/events/mine/regs/enable"
	refused 'the trace instance does not need all registers' has_all_registers
	echo > "$T/trace"
	ok 'perf record of registers' \
		perf record -q --intr-regs=bx,si,r12,cs,flags -o data6 -e mine:regs "$opener" no-such-file 0 30
	ok 'perf gets all registers' has_all_registers
	perf script -i data6 -F event,iregs > script6 2>> err
	has 'perf script: registers' 'BX:0x[0-9a-f]+ +SI:0x[0-9a-f]+[1-9a-f][0-9a-f]* +FLAGS:0x[0-9a-f]*[1-9a-f]' script6
	has 'perf script: the code segment' ' CS:0x10 ' script6
	ok 'the trace has the calls' [ "$(grep -c 'opener.* regs: ' "$T/trace")" -ge 30 ]
	echo 0 > "$T/events/mine/regs/enable"
	ok 'the event can be deleted' define '-:mine/regs'
fi

# A path of the maximum length, which would not fit into a page of the ring buffer.
p=/$(printf '%04094d' 0 | tr 0 p)
ok 'perf record of a long path' perf record -q -o data4 -e mine:open "$opener" "$p"
perf script -i data4 > script4 2>> err
has 'perf script: a path of 4095 bytes is complete' "mine:open: \([0-9a-f]+\) name=\"$p\" who=\"opener\"" script4

# perf records the names of the BPF programs of all probes, even if kallsyms lacks them.
cat > define.sh <<END
printf '%s\n' 'p:mine/named do_sys_openat2 a=%di' 'p:mine/load do_sys_openat2 a=+0(%di)' >> $T/kprobe_events
printf '%s\n' -:mine/named -:mine/load >> $T/kprobe_events
END
ok 'perf record -a' perf record -q -a -e dummy -o data5 sh define.sh
perf script --show-bpf-events -i data5 > script5 2>> err
for e in named load; do
	has "perf records the name of program $e" "PERF_RECORD_KSYMBOL .* type 1,? flags 0x0,? name bpf_prog_probe_$e\$" script5
	has "perf records the removal of program $e" "PERF_RECORD_KSYMBOL .* type 1,? flags 0x1,? name bpf_prog_probe_$e\$" script5
done

# The kernel disarms the probe some time after perf has closed the event.
ok 'perf stat opens an event again' sh -c "
	for i in 1 2 3; do perf stat -x, -o again\$i -e mine:open '$opener' no-such-file 0 30; done"
for i in 1 2 3; do
	ok "each time, perf counts the calls: $i" [ "$(awk -F, '/mine:open/ { print $1 }' again$i)" -ge 30 ]
done
is_disabled()
{
	grep -q 'do_sys_openat2+.*\[DISABLED\]' /sys/kernel/debug/kprobes/list
}
for _ in $(seq 300); do is_disabled && break; sleep .1; done
ok 'the probe is disarmed after perf has closed the event' is_disabled

# The event cannot be deleted while perf has it open.
perf record -q -o data3 -e mine:open -- sh -c 'touch on; while [ ! -e off ]; do sleep .1; done' &
while [ ! -e on ] && kill -0 $! 2> /dev/null; do sleep .1; done
refused 'deleting an event is refused while perf uses it' define '-:mine/open'
touch off
wait
ok 'the event can be deleted after perf has closed it' define '-:mine/open'
ok 'the other event can be deleted' define '-:mine/limit'
