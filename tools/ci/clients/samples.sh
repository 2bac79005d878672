# SPDX-License-Identifier: GPL-2.0
# description: the sample scripts work
# timeout: 240
. "$(dirname "$0")/../lib.sh"

SAMPLES=${0%/tools/*}/samples/kprobe-events
for sample in demo.sh btf-member.sh error-log.sh latency.sh calls.sh module.sh faults.py; do
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
