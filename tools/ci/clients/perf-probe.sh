# SPDX-License-Identifier: GPL-2.0
# description: perf probe defines, lists and deletes probes; perf script shows their values
. "$(dirname "$0")/../lib.sh"
need perf

# Arguments in registers need only the symbol table.
ok 'perf probe --add' perf probe -q --add 'known=do_sys_openat2 dfd=%di:s32 name=+0(%si):ustring'
has 'perf probe --add: definition' '^p:probe/known (do_sys_openat2(\+0)?|_text\+[0-9]+) dfd=%di:s32 name=\+0\(%si\):ustring$' $T/kprobe_events
ok 'perf probe --add %return' perf probe -q --add 'knownret=do_sys_openat2%return ret=$retval:s32'
has 'perf probe --add %return: definition' '^r[0-9]*:probe/knownret__return (do_sys_openat2(\+0)?|_text\+[0-9]+) ret=\$retval:s32$' $T/kprobe_events
perf probe --list > list 2> err
has 'perf probe --list' 'probe:known +\(on .*do_sys_openat2.* with dfd name\)' list
has 'perf probe --list of a return probe' 'probe:knownret__return +\(on .*do_sys_openat2%return.* with ret\)' list

touch known-file
perf record -q -o data -e probe:known -e probe:knownret__return "$opener" known-file 0100000 > opened
perf script -i data > script 2> err
has 'perf script: entry' 'opener .*probe:known: +\([0-9a-f]+\) dfd=-100 name="known-file"' script
has 'perf script: return' 'opener .*probe:knownret__return: +\([0-9a-f]+ <- [0-9a-f]+\) ret='"$(cat opened)"'$' script

perf record -q -o data2 -e probe:knownret__return "$opener" no-such-file > opened
perf script -i data2 > script2 2> err
same 'the program gets -ENOENT' -2 "$(cat opened)"
has 'perf script: the return value is -ENOENT' 'opener .*probe:knownret__return: .* ret=-2$' script2

ok 'perf stat' perf stat -x, -o stat -e probe:known -e probe:knownret__return "$opener" no-such-file 0 50
known=$(awk -F, '/probe:known,/ { print $1 }' stat)
knownret=$(awk -F, '/probe:knownret__return,/ { print $1 }' stat)
ok 'perf stat counts at least the 50 calls' [ "$known" -ge 50 ]
same 'perf stat counts as many returns as entries' "$known" "$knownret"

perf record -q -o data3 -e probe:known --filter 'name == "known-file"' "$opener" known-file 0 3 > opened
perf script -i data3 > script3 2> err
same 'perf record --filter records matching hits' 3 "$(grep -c probe:known script3)"
lacks 'perf record --filter rejects other hits' 'ld.so|libc' script3

ok 'perf probe --del' perf probe -q --del known --del knownret__return
same 'perf probe --del removes all definitions' '' "$(cat $T/kprobe_events)"
ok 'perf probe --list after --del' perf probe --list
perf probe --list > list 2> err
lacks 'perf probe --list after --del has no probe' 'probe:' list

# Names of variables in the source need the debug information of vmlinux.
if grep -q '^CONFIG_DEBUG_INFO_DWARF[0-9_A-Z]*=y' "$KERNEL/.config"; then
	ok 'perf probe --add, by source names' perf probe -k "$KERNEL/vmlinux" \
		--add 'named=do_sys_openat2 dfd filename:ustring'
	cat $T/kprobe_events
	perf record -q -o data4 -e probe:named "$opener" known-file > opened
	perf script -i data4 > script4 2> err
	has 'perf script, by source names' 'probe:named: .* dfd=-100 filename(_ustring)?="known-file"' script4
	ok 'perf probe --del all' perf probe -q --del 'probe:*'
	same 'perf probe --del all removes all definitions' '' "$(cat $T/kprobe_events)"
fi
