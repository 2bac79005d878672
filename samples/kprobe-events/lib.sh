# SPDX-License-Identifier: GPL-2.0
#
# What the samples share: finding tracefs, showing the commands they run, and
# leaving nothing behind. They are for bash, and for root.

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
	fail "no kprobe_events; try: mount -t tracefs tracefs /sys/kernel/tracing"
cd "$T"

# Show a command as one would type it in $T, then run it.
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

# begin EVENT...: refuse to touch events that somebody else has defined, and
# remove these at the end, however that comes.
begin()
{
	local name

	ours=("$@")
	for name; do
		[ ! -d "events/$name" ] || fail "there is an event $name already"
	done
	trap finish EXIT
}

finish()
{
	local name

	# A trigger may refer to an event that was defined before its own.
	for name in "${ours[@]}"; do
		if [ -d "events/$name" ]; then
			echo 0 > "events/$name/enable"
			sed -n '/^hist/s/^/!/p' "events/$name/trigger" | tac |
			while read -r trigger; do
				echo "$trigger" > "events/$name/trigger"
			done
		fi
	done
	for name in "${ours[@]}"; do
		[ ! -d "events/$name" ] || echo "-:$name" >> dynamic_events
	done
}

# The records in the buffer, without the heading.
records()
{
	grep -v '^#' trace | sed 's/^ *//'
}
