# SPDX-License-Identifier: GPL-2.0
# description: BPF programs of bpftrace on uprobes count every call and detach
# timeout: 300
. "$(dirname "$0")/../lib.sh"
need bpftrace

# Uprobes do not work on files of the host's file system.
cp "$caller" caller
./caller 3 > before
has 'the function has no breakpoint' '^3 ([^c].|.[^c])$' before

count() # number of calls
{
	run bpftrace -e "uprobe:$PWD/caller:counted { @ = count(); }" -c "$PWD/caller $1"
	has "the function has a breakpoint during $1 calls" "^$1 cc\$" out
	has "$1 calls are counted" "^@: $1\$" out
	./caller 3 > after
	same 'the breakpoint is gone afterwards' "$(cat before)" "$(cat after)"
}
count 1
count 5000

run bpftrace -e "uprobe:$PWD/caller:counted { @in = count(); }
	uretprobe:$PWD/caller:counted { @out = count(); }" -c "$PWD/caller 5000"
has 'with a return probe, calls are counted' '^@in: 5000$' out
has 'with a return probe, returns are counted' '^@out: 5000$' out
./caller 3 > after
same 'with a return probe, the breakpoint is gone afterwards' "$(cat before)" "$(cat after)"
