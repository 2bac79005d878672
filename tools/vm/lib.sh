# SPDX-License-Identifier: GPL-2.0
#
# Paths and small functions that the shell scripts of tools/vm and series share.
# Sourced, never run.

REPO=$(dirname "$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")")
BUILD=$REPO/build
VM=$REPO/tools/vm

# Shared by all clones: the unpacked base, compiler results, stock kernels.  Each part
# can be deleted at any time and is then made again.
CACHE_DIR=${CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/kprobe-tracer}

. "$REPO/series/base"

say()
{
	echo "vm: $*" >&2
}

die()
{
	say "$*"
	exit 1
}

# with_lock FILE COMMAND...: run a command under a lock that users of the cache share.
with_lock()
{
	local file=$1

	shift
	mkdir -p "$(dirname "$file")"
	(
		if ! flock -n 9; then
			say "waiting for another user of $(basename "$file" .lock)"
			flock 9
		fi
		"$@" 9>&-
	) 9> "$file"
}

# replace FILE: write standard input to FILE unless it has the same content, so that
# make sees a new time stamp only with new content.
replace()
{
	local new

	new=$(mktemp "$1.XXXXXX") || return
	cat > "$new"
	if cmp -s "$new" "$1"; then
		rm -f "$new"
	else
		chmod 644 "$new"
		mv -f "$new" "$1"
	fi
}
