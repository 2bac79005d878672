#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A probe in a module. The probe is defined and enabled before the module is loaded,
# and is armed each time the module is loaded. Usage:
#
#     module.sh [MODULE FUNCTION]      (the script loads and unloads MODULE)

. "$(dirname "$(realpath "$0")")/lib.sh"

module=${1:-trace_events_sample}
func=${2:-simple_thread}

[ ! -d "/sys/module/$module" ] || fail "$module is loaded; unload it first"
modprobe -n "$module" 2> /dev/null ||
	fail "there is no module $module; the default is one of the kernel's samples"

begin kprobes/inmod
trap 'finish; modprobe -q -r "$module"' EXIT
hits()
{
	awk '$1 == "inmod" { print $2 }' kprobe_profile
}

say "$module is not loaded, so the kernel does not check whether $func exists:"
run "echo 'p:inmod $module:$func comm=\$comm' >> kprobe_events"
run "echo 1 > events/kprobes/inmod/enable"
[ "$(hits)" = 0 ] || fail "the probe was hit before the module was loaded"

for nr in 1 2; do
	say "Load the module, time $nr:"
	echo > trace
	run "modprobe $module"
	for _ in {1..50}; do
		[ "$(hits)" -lt "$nr" ] || break
		sleep 0.1
	done
	[ "$(hits)" -ge "$nr" ] || fail "the probe was not hit in the loaded module"
	run "records | grep inmod"
	run "modprobe -r $module"
done
run "cat kprobe_profile"
