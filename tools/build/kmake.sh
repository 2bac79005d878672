# SPDX-License-Identifier: GPL-2.0
#
# Common code of the scripts that compile kernel sources: build, deb, link, objects.
# Sourced after project.sh.  File descriptor 8 holds a lock that children must not inherit.

# Run only one build at a time in this clone, because builds share build/src.
mkdir -p "$BUILD/log"
exec 8> "$BUILD/.lock"
flock -n 8 || { say "waiting for another build in this clone"; flock 8; }

# The same file and options must give the same object in each clone: keep everything
# that differs between clones out of the objects and ccache's keys.
export KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970'
export KBUILD_BUILD_USER=kprobe KBUILD_BUILD_HOST=tracer KBUILD_BUILD_VERSION=1
ccache=
if command -v ccache > /dev/null; then
	ccache='ccache '
	# Do not use depend mode, which does not notice files that .incbin includes.
	export CCACHE_DIR=$CACHE_DIR/objects CCACHE_BASEDIR=$BUILD CCACHE_NOHASHDIR=1
	export CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-10G} CCACHE_COMPILERCHECK=content
fi
cc=${ccache}gcc hostcc=${ccache}gcc kcsan=

# use_config NAME: compile for this configuration of tools/configs from now on.
use_config()
{
	local words

	words=$("$TOOLS/build/configs.py" "$1") || return
	eval "$words"
	# shellcheck disable=SC2163,SC2086 # These are assignments.
	export $config_environment
	cc=$ccache$config_compiler
	# As with LLVM=, clang also compiles programs for the build machine, such as objtool.
	# shellcheck disable=SC2154 # Set by configs.py.
	[ -z "$config_llvm" ] || hostcc=$cc
	kcsan=
	# shellcheck disable=SC2154,SC2086 # Set by configs.py; a list of patterns.
	[ -z "$config_kcsan" ] || kcsan=$(cd "$REPO" && basename -a -s .c $config_kcsan |
		sed 's/.*/KCSAN_SANITIZE_&.o=y/')
}

# copy_objects FROM OBJ: if FROM was built and OBJ was not, copy FROM to OBJ.  make
# then recompiles only objects that depend on a different option.
copy_objects()
{
	local from=$1 obj=$2

	if [ ! -f "$from/built-in.a" ] || [ -f "$obj/built-in.a" ]; then
		return
	fi
	rm -rf "$obj" "$obj.new"
	mkdir -p "$(dirname "$obj")"
	cp -a --reflink=auto "$from" "$obj.new"
	rm -rf "$obj.new"/{.config-key,.stock-key,modroot}
	mv "$obj.new" "$obj"
}

# objects_of TREE NAME: the O= directory of a configuration; TREE is build or build/base.
objects_of()
{
	case $2 in
	main) echo "$1/kernel" ;;
	debug) echo "$1/debug" ;;
	*) echo "$1/configs/$2" ;;
	esac
}

# kmake SRC OBJ TARGET...
kmake()
{
	local src=$1 obj=$2

	shift 2
	make -C "$src" O="$(realpath "$obj")" -j"${JOBS:-$(nproc)}" \
		CC="$cc" HOSTCC="$hostcc" LOCALVERSION= $kcsan "$@" 8>&-
}
