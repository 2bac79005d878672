#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check that the generator of the decoder's tables refuses an invalid map, prints the
# error, and writes nothing.
#
#	test_map.sh TREE
#
# Each case changes the real map with sed.  TREE is a kernel tree with the generator, the
# map, and the self-tests' functions that print results.

generator=$1/tools/arch/x86/tools/gen-insn-attr-x86.awk
map=$1/tools/arch/x86/lib/x86-opcode-map.txt
. "$1/tools/testing/selftests/kselftest/ktap_helpers.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
set -f	# ktap_helpers.sh uses names without quotes

judge() # name, status of the test
{
	if [ "$2" = 0 ]; then
		ktap_test_pass "$1"
	else
		sed -n '1,5s/^/# /p' "$tmp/err"
		ktap_test_fail "$1"
	fi
}

refused() # complaint, sed script...
{
	local complaint=$1 status=0
	shift

	sed "$@" "$map" > "$tmp/map"
	if cmp -s "$map" "$tmp/map"; then
		echo "sed did nothing" > "$tmp/err"
		status=1
	elif awk -f "$generator" "$tmp/map" > "$tmp/out" 2> "$tmp/err"; then
		status=1
	elif [ -s "$tmp/out" ] || ! grep -qF -- "$complaint" "$tmp/err"; then
		status=1
	fi
	judge "$complaint: ${*: -1}" $status
}

installed=()
for awk in mawk gawk 'busybox awk' original-awk; do
	command -v "${awk%% *}" > /dev/null && installed+=("$awk")
done
ktap_print_header
ktap_set_plan $((${#installed[@]} + $(grep -c '^refused ' "$0")))

# Each installed awk generates the same tables from the unchanged map.
for awk in "${installed[@]}"; do
	$awk -f "$generator" "$map" > "$tmp/out" 2> "$tmp/err" && [ -s "$tmp/out" ] &&
		{ [ -f "$tmp/first" ] || cp "$tmp/out" "$tmp/first"; } &&
		cmp "$tmp/first" "$tmp/out" > "$tmp/err"
	judge "$awk: the same tables" $?
done

# Duplicate and missing opcodes and maps.
refused 'conflicting lines for 90/0' -e '/^90\t/p'
refused 'conflicting lines for 04/0' -e '/^04\t\t-$/p'
refused 'no line for d7/0' -e '/^d7\t/d'
refused 'no line for c6/1' -e '/^c6\/1-6\t/d'
refused 'map vex-7: missing' -e '/^map vex-7$/,/^map/{/^map vex-7$/d;/^map/!d}'
refused 'duplicate map vex-5' -e 's/^map vex-7$/map vex-5/'
refused '10 prefixes instead of 11' -e 's/^f0\t\tprefix:LOCK/f0\t\t-/'

# Conflicts between lines and within a line.
refused 'conflicting lines for 12/0 with prefix 66' -e '/^12\t\t66 m\t/{p;s/66 m/66 m ib/}'
refused 'conflicting lines for 12/0 with prefix 66' -e '/^12\t\t66 m\t/{p;s/66 m/66 r only64/}'
refused 'encoding of 77 depends on prefix, without ModRM' -e '/^77\t\tnp\t/{p;s/np/66 ib/}'
refused 'd64 with f64, or no64 with only64' -e 's/^06\t\tno64/06\t\tno64 only64/'
refused 'd64 with f64, or no64 with only64' -e 's/^c9\t\td64/c9\t\td64 f64/'
refused "duplicate token 'iw'" -e 's/^ca\t\tiw/ca\t\tiw iw/'
refused '/0-1 without ModRM' -e 's/^f6\/0-1\t\trm ib/f6\/0-1\t\tib/'

# Invalid lines.
refused "unknown token 'ix'" -e 's/^69\t\trm iz/69\t\trm ix/'
refused 'invalid immediates: id ib' -e 's/^c8\t\tiw ib/c8\t\tid ib/'
refused 'missing mnemonic' -e 's/^\(9b\t.*\):.*/\1/'
refused 'unknown map vex-8' -e 's/^map vex-7$/map vex-8/'
refused 'invalid list of numbers: 7f-70' -e 's/^70-7f/7f-70/'
refused 'invalid list of numbers: 70-17f' -e 's/^70-7f/70-17f/'
refused 'invalid list of numbers: 8' -e 's/^ff\/7/ff\/8/'
refused "unknown token '-x'" -e 's/^24-27\t\t-/24-27\t\trm -x/'
refused "'-' with other tokens or a mnemonic" -e 's/^24-27\t\t-/24-27\t\t- rm/'
refused 'opcode before the first map' -e '0,/^map/s/^map legacy$/00\t\trm\t: ADD\n&/'
refused 'prefix or escape in map vex-1' \
	-e '/^map vex-1$/,/^map vex-2$/s/^77.*/77\t\tescape:0f/'

ktap_finished
