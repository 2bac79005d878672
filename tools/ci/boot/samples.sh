# SPDX-License-Identifier: GPL-2.0
# description: the sample boot configuration, and boot.sh
# bootconfig: ../../../samples/kprobe-events/boot.bconf
. "$(dirname "$0")/../lib.sh"

SAMPLES=${0%/tools/*}/samples/kprobe-events
ok 'boot.sh finds the probe' "$SAMPLES/boot.sh" > out 2>&1
has 'boot.sh shows hits' '^ *opens +[1-9]' out
has 'boot.sh shows records' 'opens: \(do_sys_openat2.* file="' out

DEFINITION='p:opens do_sys_openat2 file=+0($arg2):ustring'
ok 'boot.sh accepts a definition' "$SAMPLES/boot.sh" "$DEFINITION" > given 2>&1
has 'boot.sh prints a parameter' \
	'^ *kprobe_event=p:opens,do_sys_openat2,file=\+0\(\$arg2\):ustring$' given
sed -n '/ftrace\.event/,/^ *}/p' given | sed 's/^[ \t]*//' > printed
sed -n '/^ftrace\.event/,/^}/p' "$SAMPLES/boot.bconf" | sed 's/^[ \t]*//' > sample
same 'boot.sh prints the sample' "$(cat sample)" "$(cat printed)"
