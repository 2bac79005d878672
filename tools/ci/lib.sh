# SPDX-License-Identifier: GPL-2.0
#
# Functions for deb.sh and the scripts in clients/ and boot/, which run in a guest.
#
# Each check prints a line of KTAP: 'ok N - NAME', 'not ok N - NAME', or
# 'ok N - NAME # SKIP WHY'.  Lines with details may precede it.  The plan is the last line.
# PROGRAMS is the directory with the compiled progs/*.c, sleepers.c and stall.c.  KERNEL is
# the O= directory of the running kernel.

T=/sys/kernel/tracing
WORK=$(mktemp -d)
cd "$WORK" || exit 1
FAILED=0
CHECKS=0
# Results go to the script's own output, even if the output of a check is redirected.
exec {RESULTS}>&1
# A script that ends early because of an error, such as a syntax error, fails.
end() # status
{
	echo "1..$CHECKS" >&$RESULTS
	[ $FAILED -eq 0 ] || exit 1
	exit "$1"
}
trap 'end $?' EXIT
echo "TAP version 13"

result() # ok|'not ok' what
{
	CHECKS=$((CHECKS + 1))
	echo "$1 $CHECKS - $2" >&$RESULTS
}

# Check that a command succeeds, and show its output.
ok() # what command...
{
	local what=$1 status
	shift
	"$@"
	status=$?
	if [ $status -eq 0 ]; then
		result ok "$what"
	else
		echo "# status $status: $*"
		result 'not ok' "$what"
		FAILED=$((FAILED + 1))
	fi
	return $status
}

# Check that a command fails.
refused() # what command...
{
	local what=$1
	shift
	ok "$what" not "$@"
}

# Does a command run and fail?  The answer is no if it cannot be run.
not()
{
	local status

	"$@"
	status=$?
	[ $status -ne 0 ] && [ $status -ne 126 ] && [ $status -ne 127 ]
}

# Check that two texts are the same.
same() # what expected got
{
	if [ "$2" != "$3" ]; then
		printf 'expected: %s\ngot:      %s\n' "$2" "$3" | sed 's/^/# /'
	fi
	ok "$1" [ "$2" = "$3" ]
}

# Check that a file has a matching line; show the end of the file if not.
has() # what extended-regex file
{
	if ! grep -E -q -e "$2" "$3"; then
		echo "# no line matches: $2"
		sed 's/^/# : /' "$3" | tail -n 25
	fi
	ok "$1" grep -E -q -e "$2" "$3"
}

lacks() # what extended-regex file
{
	grep -E -e "$2" "$3" | sed 's/^/# : /' | head -n 20
	ok "$1" no_match "$2" "$3"
}

# Does no line of a file match?  The answer is no if the file cannot be read.
no_match() # extended-regex file
{
	grep -E -q -e "$1" "$2"
	[ $? -eq 1 ]
}

# Run a command with its output in the files out and err; if it fails, show the end of err.
run() # command...
{
	"$@" > out 2> err && return
	tail -n 20 err
	return 1
}

skip() # what why
{
	result ok "$1 # SKIP $2"
}

# Skip the rest of the script if a program is missing.
need() # program
{
	command -v "$1" > /dev/null && return
	skip "everything" "no $1 here"
	exit
}

define() # definition...
{
	local d
	for d; do printf '%s\n' "$d" >> $T/kprobe_events || return; done
}

# shellcheck disable=SC2034 # Used by scripts that source this file.
opener=$PROGRAMS/opener pmu=$PROGRAMS/kprobe-pmu vex=$PROGRAMS/vex caller=$PROGRAMS/caller
