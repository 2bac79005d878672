# SPDX-License-Identifier: GPL-2.0
# description: uprobes on VEX instructions whose opcodes mean something else without VEX
. "$(dirname "$0")/../lib.sh"

# Uprobes do not work on files of the host's file system.
cp "$vex" vex
same 'results without probes' '1010 4321' "$(./vex)"
base=$(readelf -lW vex | awk '$1 == "LOAD" && $7 == "E" || $1 == "LOAD" && $8 == "E" {
	print $2, $3; exit }')
for symbol in vex_cmp vex_shuf rex2_cmp; do
	value=$(readelf -sW vex | awk -v s=$symbol '$8 == s { print $2; exit }')
	set -- $base
	offset=$(printf '0x%x' $((0x$value - $2 + $1)))
	echo "p:uprobes/$symbol $PWD/vex:$offset" >> $T/uprobe_events
done
ok 'the events are defined' [ "$(wc -l < $T/uprobe_events)" = 3 ]
./vex wait &
while ! grep -q vex /proc/$!/maps; do sleep .1; done
refused 'a uprobe on an instruction with REX2 is refused' sh -c "echo 1 > $T/events/uprobes/rex2_cmp/enable"
kill $!
echo > $T/trace
echo 1 > $T/events/uprobes/vex_cmp/enable
echo 1 > $T/events/uprobes/vex_shuf/enable
same 'results with a probe on each instruction' '1010 4321' "$(./vex)"
echo 0 > $T/events/uprobes/enable
for symbol in vex_cmp vex_shuf; do
	same "$symbol: hits" 3 "$(grep -c " $symbol: " $T/trace)"
done
echo > $T/uprobe_events
