# SPDX-License-Identifier: GPL-2.0
# description: the sample scripts work
# timeout: 300
. "$(dirname "$0")/../lib.sh"

SAMPLES=${0%/tools/*}/samples/kprobe-events
for sample in demo.sh btf-member.sh error-log.sh latency.sh calls.sh module.sh faults.py \
		quark.py questions.sh; do
	ok "$sample" "$SAMPLES/$sample" > out 2>&1 || sed 's/^/# : /' out
	same "$sample leaves no event" '' "$(cat $T/dynamic_events)"
done
bash "$SAMPLES/calls.sh" 'ksys_*' cat /proc/version > out
has 'calls.sh counts calls' '^[0-9]+ p_ksys_read_0$' out
ok 'calls.sh accepts the name of a function' "$SAMPLES/calls.sh" ksys_read cat /proc/version \
	> out 2>&1 || sed 's/^/# : /' out
refused 'latency.sh fails if the function is not called' "$SAMPLES/latency.sh" vfs_rmdir true \
	> out 2>&1
has 'latency.sh gives the reason' 'no return of vfs_rmdir was recorded' out
same 'latency.sh leaves no event after this failure' '' "$(cat $T/dynamic_events)"

tracepoints=$SAMPLES/tracepoints.py
modprobe -q trace_events_sample && modprobe=yes
ok 'tracepoints.py' "$tracepoints" > out 2>&1 || sed 's/^/# : /' out
same 'tracepoints.py lists the tracepoints of the kernel and its modules' \
	"$(sed -n 's/.* __tracepoint_\([^ \t]*\).*/\1/p' /proc/kallsyms | sort -u)" \
	"$(cut -d' ' -f1 out | sort -u)"
[ -z "$modprobe" ] || has 'tracepoints.py names the module' \
	'^foo_bar \[trace_events_sample\] \$foo:const char \* \$bar:int ' out
"$tracepoints" sched_switch 'pelt_cfs_*' > out
same 'parameters of tracepoints' 'pelt_cfs_tp $cfs_rq:struct cfs_rq *
sched_switch $preempt:bool $prev:struct task_struct * $next:struct task_struct * $prev_state:unsigned int' "$(cat out)"
refused 'tracepoints.py fails if no tracepoint matches' "$tracepoints" no_such_tracepoint 2> out
# The types that are hard to write.
cat > odd.c <<'EOF_C'
struct s; union u; enum e { A }; typedef int row[3];
#define PARAMS void *data, const struct s *a, struct s *const b, const char *const *c, \
	union u *d, enum e f, int (*g)[4], int (*(*h)(void))[2], void (*i)(int, ...), \
	char **const volatile j, row *k, long l
typedef void (*btf_trace_odd)(PARAMS);
typedef void (*btf_trace_none)(void *data);
void __probestub_odd(PARAMS) {}
btf_trace_odd odd;
btf_trace_none none;
EOF_C
if gcc -gbtf -c odd.c 2> out && mkdir btf && objcopy --dump-section .BTF=btf/vmlinux odd.o; then
	same 'types of parameters' 'none
odd $a:const struct s * $b:struct s *const $c:const char *const* $d:union u * $f:enum e $g:int (*)[4] $h:int (*(*)(void))[2] $i:void (*)(int, ...) $j:char **const volatile $k:row * $l:long int' \
		"$("$tracepoints" --btf btf)"
else
	skip 'types of parameters' 'gcc has no -gbtf'
fi
