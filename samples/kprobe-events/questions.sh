#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Answer ten questions from the issue trackers of other tracers, each with one command.
# Each answer is tried: the script runs a program that the command is about, and prints a
# record. README.rst has the questions and the output. Usage:
#
#     questions.sh

. "$(dirname "$(realpath "$0")")/lib.sh"

begin ask/{read,rename,off,mount,refs,exec,open,fail,inside,slow}
[ -e /sys/kernel/btf/vmlinux ] || fail "this kernel has no BTF"
count=0
dir=$(mktemp -d)
trap 'finish; rm -r "$dir"; jobs -p | xargs -r kill 2> /dev/null' EXIT

ask() # link question
{
	count=$((count + 1))
	say "$count. $2" "   https://github.com/$1" ''
}

# answer NAME RECORD TEXT...: define the event ask/NAME, call try(), and print the first record
# that matches RECORD. TEXT is the definition without its name, in pieces.
answer()
{
	local name=$1 record=$2 text
	shift 2
	text=$*

	run "echo '${text%% *}:ask/$name ${text#* }' >> dynamic_events"
	echo > trace
	echo 1 > "events/ask/$name/enable"
	try > "$dir/out" 2>&1
	echo 0 > "events/ask/$name/enable"
	records > "$dir/records"
	grep -E -m 1 "$record" "$dir/records" || fail "no record like $record"
	echo "-:ask/$name" >> dynamic_events
}

ask bpftrace/bpftrace/issues/29 'How do I record the path of a file, and not only its name?'
try() { head -c 1 /etc/hostname; }
answer read 'file="/etc/hostname" count=1$' 'p vfs_read file=file:path count if comm == "head"'

ask iovisor/bcc/issues/4310 \
	'How do I get the arguments of a function together with its return value?'
mkdir -p "$dir/from" "$dir/to/full"
try() { ! mv -T "$dir/from" "$dir/to"; }
answer rename 'file="from" err=-ENOTEMPTY$' \
	'r vfs_rename file=rd->old_dentry->d_name.name:string err=$retval:errno if err < 0'

ask iovisor/bcc/issues/588 \
	'How do I see only waits of 4 to 400 milliseconds, with their stacks?'
try() { sleep 0.02; sleep 0.05; sleep 0.1; sleep 0.6; }
answer off 'ns=[0-9]+ at=\{do_nanosleep\+' 'r schedule ns=$latency at=$kstack[3]' \
	'if comm == "sleep" && ns >= 4000000 && ns <= 400000000'

ask iovisor/bcc/issues/3314 'How do I get the mount point of a file? This needs container_of().'
try() { cat /proc/version; }
answer mount 'file="version" on="/proc"$' 'p vfs_read file=file:%pD' \
	'on=(mount,mnt)(file->f_path.mnt)->mnt_mountpoint:path if comm == "cat"'

ask iovisor/bcc/issues/2507 'How do I read a per-CPU variable, such as a reference count?'
try() { cat /proc/version; }
answer refs 'on="\S+" refs=-?[0-9]+$' 'p mntput_no_expire on=mnt->mnt_mountpoint:path' \
	'refs=(mnt_pcp)this_cpu_ptr(mnt->mnt_pcp)->mnt_count if comm == "cat"'

ask bpftrace/bpftrace/issues/1000 'How do I see the parent of a new program?'
try() { /bin/true; }
answer exec "file=\"/bin/true\" ppid=$$ parent=\"questions.sh\"\$" \
	't sched_process_exec file=bprm->filename:string' \
	'ppid=$current->real_parent->tgid parent=$current->real_parent->comm:string'

ask bpftrace/bpftrace/issues/2093 \
	'How do I record names of files that have more than 64 characters?'
long=/try/to/open/$(printf 'l%.0s' {1..80})/file
try() { ! cat "$long"; }
answer open "file=\"$long\"\$" 'p do_sys_openat2 file=filename:ustring if file ~ "/try/*"'

ask bpftrace/bpftrace/issues/2774 'How do I record the stack at the return of a function?'
try() { ! cat /no/such/file; }
answer fail 'file="/no/such/file" err=-ENOENT at=\{\S*sys_openat\+' \
	'r do_sys_openat2 file=filename:ustring err=$retval:errno at=$kstack[2]' \
	'if err < 0 && comm == "cat"'

ask iovisor/bcc/issues/2971 'How do I see only the programs that start in a container?'
unshare --mount sleep 1000 &
box=$!
while ! namespace=$(stat -L -c %i /proc/$box/ns/mnt) ||
      [ "$namespace" = "$(stat -L -c %i /proc/self/ns/mnt)" ]; do
	sleep 0.1
done
try() { /bin/true; nsenter --mount=/proc/$box/ns/mnt /bin/echo; }
answer inside 'file="/bin/echo"$' 't sched_process_exec file=bprm->filename:string' \
	"if \$current->nsproxy->mnt_ns->ns.inum == $namespace"
! grep -q /bin/true "$dir/records" || fail "the predicate did not reject another namespace"

ask brendangregg/perf-tools/issues/53 \
	'How do I see the slow calls of a process, in all of its threads?'
mkfifo "$dir/fifo"
python3 -c "import threading
threading.Thread(target=lambda: open('$dir/fifo').read()).start()" &
process=$!
try() { (sleep 0.1; echo) > "$dir/fifo"; wait $process; }
answer slow '^python3-[0-9]+ .* file="\S*/fifo" ns=[0-9]+$' \
	'r vfs_read file=file:path ns=$latency' \
	"if ns > 50000000 && \$current->tgid == $process"
! grep -q "^python3-$process " "$dir/records" || fail "the record is of the main thread"
