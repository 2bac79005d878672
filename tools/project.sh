# SPDX-License-Identifier: GPL-2.0
#
# Directories of the project, and small functions that its shell scripts share.
# project.py is the counterpart for Python, and explains why both files are in tools/.
# Source this file:
#
#     . "$(dirname "$(realpath "$0")")/../project.sh"

TOOLS=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
REPO=$(dirname "$TOOLS")
# shellcheck disable=SC2034 # Used by scripts that source this file.
BUILD=$REPO/build

# All clones share this directory, which has the unpacked base, the compiler's results,
# stock kernels and their test results.  Each part can be deleted at any time and is then
# made again.
# Like project.py, "~" finds the directory of the user also if HOME is not set.
CACHE_DIR=${CACHE_DIR:-${XDG_CACHE_HOME:-~/.cache}/kprobe-tracer}

# Print a message after the name of the script's folder.
say()
{
	echo "$(basename "$(dirname "$(realpath "$0")")"): $*" >&2
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
