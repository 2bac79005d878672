#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Build the modules for a kernel, without writing to SRC or OBJ.
#
#     build.sh SRC OBJ OUT [MAKE-ARGUMENT...]
#
# SRC is the kernel's source, OBJ its build directory; the modules go to OUT. Only
# .config and Module.symvers are needed in OBJ: all other files that are necessary
# to compile a module are made again below OUT.

set -e
here=$(dirname "$(realpath "$0")")
src=$(realpath "$1") obj=$(realpath "$2")
mkdir -p "$3"
out=$(realpath "$3")
shift 3

mkdir -p "$out/obj" "$out/module"
cmp -s "$obj/.config" "$out/config" || {
	rm -rf "$out/obj"
	mkdir "$out/obj"
	cp "$obj/.config" "$out/obj/.config"
	cp "$obj/.config" "$out/config"
}
make -s -C "$src" O="$out/obj" "$@" modules_prepare
cp "$obj/Module.symvers" "$out/obj/Module.symvers"
cp -u "$here"/*.[ch] "$here/Kbuild" "$out/module/"
make -s -C "$src" O="$out/obj" M="$out/module" "$@" modules
cp "$out"/module/*.ko "$out/"
