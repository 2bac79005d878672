# SPDX-License-Identifier: GPL-2.0
# description: the duration of calls of the C library, also of calls that began earlier
. "$(dirname "$0")/../lib.sh"

# Uprobes do not work on files of the host's file system.
libc=$(ldd /bin/sleep | awk '$1 == "libc.so.6" { print $3 }')
mkdir lib
cp "$libc" lib/libc.so.6
# shellcheck disable=SC2046
set -- $(readelf -lW lib/libc.so.6 | awk '$1 == "LOAD" && / R E / { print $2, $3; exit }')
value=$(readelf -sW lib/libc.so.6 | awk '$8 ~ /^clock_nanosleep@@/ { print $2; exit }')
place=$PWD/lib/libc.so.6:$(printf '0x%x' $((0x$value - $2 + $1)))
nap() { LD_LIBRARY_PATH=$PWD/lib sleep "$1"; }
enable() { echo "$2" > "$T/events/lat/$1/enable"; }
records() { grep -c " $1: " "$T/trace"; }

echo mono > "$T/trace_clock"
printf '%s\n' "p:lat/enter $place" "r:lat/other $place" "r:lat/ns $place ns=\$latency" >> "$T/uprobe_events"

enable ns 1
nap .3
enable ns 0
same 'the call is recorded' 1 "$(records ns)"
ns=$(sed -n 's/.* ns: .* ns=//p' "$T/trace")
ok 'it took as long as the program asked for' [ "$ns" -ge 300000000 ]

# Without the other event, the return of this call would not be probed.
enable other 1
enable enter 1
echo > "$T/trace"
nap 3 &
for _ in $(seq 100); do
	grep -q ' enter: ' "$T/trace" && break
	sleep .1
done
enable ns 1
nap .3
wait
enable ns 0
enable other 0
enable enter 0
same 'both calls begin' 2 "$(records enter)"
same 'both calls return' 2 "$(records other)"
same 'a call that began before the event was enabled has no record' 1 "$(records ns)"
echo local > "$T/trace_clock"
echo > "$T/uprobe_events"
