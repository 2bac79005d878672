# SPDX-License-Identifier: GPL-2.0
#
# Functions shared by the samples: find tracefs, show each command that a sample
# runs, and remove all events at the end. The samples are bash scripts that must run
# as root. Some samples clear the trace buffer.

set -e -o pipefail

fail()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

[ "$(id -u)" = 0 ] || fail "must be run as root"
for T in /sys/kernel/tracing /sys/kernel/debug/tracing; do
	[ ! -e "$T/kprobe_events" ] || break
done
[ -e "$T/kprobe_events" ] ||
	fail "no kprobe_events; try: mount -t tracefs none /sys/kernel/tracing"
HERE=$PWD
cd "$T"

# Show a command as typed in $T, then run it.
run()
{
	printf '# %s\n' "$1"
	eval "$1"
}

say()
{
	printf '\n'
	printf '%s\n' "$@"
}

# Run the user's command in the user's directory, and discard its output.
while_runs()
{
	say "While this runs: $*"
	(cd "$HERE" && "$@" > /dev/null) || say "The command ended with status $?."
}

# begin GROUP/EVENT...: fail if one of these events already exists, and remove all
# of them when the script exits, for any reason. Put an event after the events whose
# triggers use its variables.
begin()
{
	local name

	[ "$(cat tracing_on)" = 1 ] || fail "tracing is off; try: echo 1 > $T/tracing_on"
	ours=("$@")
	for name in "${ours[@]}"; do
		[ ! -d "events/$name" ] || fail "event $name already exists"
	done
	trap finish EXIT
}

finish()
{
	local name trigger

	# Continue after an error, to remove as much as possible.
	set +e
	for name in "${ours[@]}"; do
		[ -d "events/$name" ] || continue
		echo 0 > "events/$name/enable"
		# The kernel shows a .log2 sort key as 'sort=KEY.log2', but does not accept
		# that form.
		sed -n '/^#/!{s/ *\[.*//; s/\(:sort=[a-z_]*\)\.log2/\1/; p}' \
			"events/$name/trigger" |
		while read -r trigger; do
			echo "!$trigger" > "events/$name/trigger"
		done
	done
	for name in "${ours[@]}"; do
		[ ! -d "events/$name" ] || echo "-:$name" >> dynamic_events
	done
}

# Print the records in the buffer, without the header.
records()
{
	sed '/^#/d; s/^ *//' trace
}
