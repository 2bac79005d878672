# SPDX-License-Identifier: GPL-2.0
# description: no memory for the trace buffers
# append: ftrace=nop trace_buf_size=100G kprobe_event=p:bootopen,do_sys_openat2
. "$(dirname "$0")/../lib.sh"

dmesg > log
has 'tracing could not be initialized' 'failed to allocate ring buffer' log
same 'there are no trace files' '' "$(ls -d $T/trace $T/events 2> /dev/null)"
same 'no probe is defined' '' "$(cat $T/kprobe_events)"
