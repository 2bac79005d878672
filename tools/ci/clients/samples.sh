# SPDX-License-Identifier: GPL-2.0
# description: the sample scripts work
# timeout: 240
. "$(dirname "$0")/../lib.sh"

SAMPLES=${0%/tools/*}/samples/kprobe-events
for sample in demo btf-member error-log latency calls; do
	ok "$sample.sh" bash "$SAMPLES/$sample.sh" > out 2>&1 || sed 's/^/# : /' out
	same "$sample.sh leaves no event" '' "$(cat $T/dynamic_events)"
done
bash "$SAMPLES/calls.sh" 'ksys_*' cat /proc/version > out
has 'calls.sh counts calls' '^[0-9]+ p_ksys_read_0$' out
