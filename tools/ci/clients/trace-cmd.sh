# SPDX-License-Identifier: GPL-2.0
# description: trace-cmd records and reports kprobe events with the right values
. "$(dirname "$0")/../lib.sh"
need trace-cmd

define 'p:known do_sys_openat2 dfd=$arg1:s32 name=+0($arg2):ustring flags=+0($arg3):x64 first=+0($arg2):char' \
       'r:knownret do_sys_openat2 name=+0($arg2):ustring ret=$retval:s32' \
       'p:limit do_prlimit what=$arg2:u32 new=$arg3 cur=+0($arg3):x64 low=+0($arg3):s8 txt=+0($arg3):string'

touch known-file
trace-cmd record -q -o open.dat -e kprobes:known -e kprobes:knownret "$opener" known-file 0100000 > opened
same 'trace-cmd record' 0 $?
trace-cmd report -i open.dat > open.txt 2> err
fd=$(tail -n 1 opened)
has 'trace-cmd report: entry' 'opener-[0-9]+ .* known: +\([^)]*\) dfd=-100 name="?known-file"? flags=0x8000 ' open.txt
has 'trace-cmd report: return' "opener-[0-9]+ .* knownret: +\([^)]*\) name=\"?known-file\"? ret=$fd\$" open.txt

cat > run.sh <<'END'
ulimit -n 20061986658402881
exit 0
END
trace-cmd record -q -o limit.dat -e kprobes:limit dash run.sh > /dev/null 2> err
same 'trace-cmd record, with more types' 0 $?
trace-cmd report -i limit.dat > limit.txt 2> err
has 'trace-cmd report: numbers and string' 'limit: .* what=7 new=0x[0-9a-f]+ cur=0x47464544434241 low=65 txt="ABCDEFG"' limit.txt
has 'trace-cmd report: a fault is shown as zeroes' 'limit: .* what=7 new=(0x)?0 cur=(0x)?0 low=0 txt=' limit.txt
lacks 'trace-cmd report parses all formats' 'FAILED TO PARSE' limit.txt
trace-cmd report -R -i limit.dat > raw.txt 2> err
has 'trace-cmd report -R: raw fields' 'limit: .* what=7 .*cur=0x47464544434241 low=65 txt=ABCDEFG' raw.txt

trace-cmd record -q -o some.dat -e kprobes:known -f 'name == "known-file"' "$opener" known-file 0 5 > /dev/null
trace-cmd report -i some.dat > some.txt 2> err
same 'trace-cmd record -f records matching hits' 5 "$(grep -c ' known: ' some.txt)"

define 'p:place vfs_read file=file:path s=$kstack[2] n=count'
trace-cmd record -q -o path.dat -e kprobes:place cat known-file > /dev/null 2> err
trace-cmd report -i path.dat > path.txt 2> err
has 'trace-cmd report: path' "place: .* file=\"?$PWD/known-file\"? s=" path.txt
has 'trace-cmd report: the number of entries of a stack, and the entries' \
    'place: .* s=(2 [0-9]+ [0-9]+|\{0x2,0x[0-9a-f]+,0x[0-9a-f]+\}) n=' path.txt
lacks 'trace-cmd report parses formats with paths and stacks' 'FAILED TO PARSE' path.txt

# 'reset' disables all events and may delete them.
ok 'trace-cmd reset' trace-cmd reset > /dev/null
ok 'events can be deleted afterwards' sh -c ": > $T/kprobe_events"
