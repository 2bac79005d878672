# SPDX-License-Identifier: GPL-2.0
# description: uprobes on VEX instructions whose opcodes are other instructions without VEX
. "$(dirname "$0")/../lib.sh"

# Uprobes do not work on files of the host's file system.
cp "$vex" vex
same 'results without probes' '1010 4321' "$(./vex)"
base=$(readelf -lW vex | awk '$1 == "LOAD" && $7 == "E" || $1 == "LOAD" && $8 == "E" {
	print $2, $3; exit }')
for symbol in vex_cmp vex_shuf; do
	value=$(readelf -sW vex | awk -v s=$symbol '$8 == s { print $2; exit }')
	set -- $base
	offset=$(printf '0x%x' $((0x$value - $2 + $1)))
	echo "p:uprobes/$symbol $PWD/vex:$offset" >> $T/uprobe_events
done
ok 'both events are defined' [ "$(wc -l < $T/uprobe_events)" = 2 ]
echo > $T/trace
echo 1 > $T/events/uprobes/enable
same 'results with a probe on each instruction' '1010 4321' "$(./vex)"
echo 0 > $T/events/uprobes/enable
for symbol in vex_cmp vex_shuf; do
	same "$symbol: hits" 3 "$(grep -c " $symbol: " $T/trace)"
done
echo > $T/uprobe_events
