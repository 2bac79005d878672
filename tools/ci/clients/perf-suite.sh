# SPDX-License-Identifier: GPL-2.0
# description: perf's own tests of probes, from the base tree and from the installed perf
# timeout: 1800
. "$(dirname "$0")/../lib.sh"

need perf
base=$(realpath "${0%/*}/../../../build/base/src/tools/perf/tests/shell")
installed=/usr/lib/perf-core/tests/shell

# Run a test in a copy of its directory; show its last messages about failures.  perf's
# tests also end with status 0 if they skip everything, or all checks that need debug
# information.
perf_test() # script
{
	local status

	(cd "${1%/*}" && timeout 600 bash "./${1##*/}") > out 2>&1
	status=$?
	! grep -E '## \[ SKIP \] ##|missing debuginfo' out || status=1
	[ $status -eq 0 ] || grep -E 'FAIL|rror' out | tail -n 20
	return $status
}

cp -r "$base" base
# The base's tests are for a newer perf than Debian 12 has, but use the same commands.
for script in base/base_probe/test_*.sh; do
	ok "base: ${script##*/}" perf_test "$PWD/$script"
done

[ -d $installed ] || { skip 'tests of the installed perf' 'this perf has no tests'; exit; }
cp -r $installed installed
# gcc emits no code for the source line at which the library of Debian 12's perf places its
# probe.  The base's library uses the next line in this case.
cp "$base/lib/probe_vfs_getname.sh" installed/lib
for script in probe_vfs_getname.sh record+script_probe_vfs_getname.sh \
	      trace+probe_vfs_getname.sh test_uprobe_from_different_cu.sh; do
	ok "perf: $script" perf_test "$PWD/installed/$script"
done
