# SPDX-License-Identifier: GPL-2.0
# description: the packages work in a Debian system, with its services and tracing tools
. "$(dirname "$0")/lib.sh"

samples=${0%/tools/*}/samples/kprobe-events
release=$(uname -r)

ok 'the kernel of the packages is running' [ -n "$(grep kprobe-events <<< "$release")" ]
for package in image headers; do
	same "linux-$package is installed" 'install ok installed' \
		"$(dpkg-query -W -f '${Status}' "linux-$package-$release")"
done
find /boot -maxdepth 1 ! -name '*kprobe-events*' -printf '%f\n' > out
has "the distribution's kernel is still there" '^vmlinuz-.*cloud-amd64$' out
for file in Module.symvers include/generated/autoconf.h scripts/mod/modpost; do
	ok "the headers have $file" [ -s "/lib/modules/$release/build/$file" ]
done
pattern=$(sed -n "s/^ *sudo apt-get purge '\(.*\)'$/\1/p" "${0%/tools/*}/README.md")
ok "README's command removes the packages" run apt-get -s purge "$pattern"
for package in image headers; do
	has "the command removes linux-$package" "^Purg linux-$package-$release " out
done
lacks 'the command removes no other kernel' '^(Purg|Remv) linux-.*[0-9]-cloud-amd64' out
ok 'depmod has listed the modules' modinfo -k "$release" ext4 dummy > out
ok 'a module can be loaded' modprobe dummy
has 'the kernel has the tracer of the series' '<symbol>%all' $T/README

# systemd.
systemctl is-system-running --wait > out
same 'all units have started' running "$(cat out)" || systemctl --failed --no-pager
cp "$samples"/fleet.sh "$samples"/lib.sh /usr/local/sbin
cp "$samples"/fleet.events /etc
cp "$samples"/fleet.service /etc/systemd/system
ok 'fleet.service is correct' systemd-analyze verify /etc/systemd/system/fleet.service
ok 'fleet.service starts' systemctl enable --now fleet.service
has 'fleet.service defines events' 'fleet/connect tcp_finish_connect' $T/dynamic_events
ok 'fleet.service stops' systemctl disable --now fleet.service
same 'fleet.service removes events' '' "$(cat $T/dynamic_events)"

# Samples and clients.
for sample in demo btf-member latency; do
	ok "$sample.sh" bash "$samples/$sample.sh" > out 2>&1 || cat out
done

touch known-file
ok 'perf probe' run perf probe -q -a 'opens=do_sys_openat2 name=+0(%si):string'
ok 'perf record' run perf record -q -o data -e probe:opens cat known-file
ok 'perf script' run perf script -i data
has 'perf script shows the arguments' 'cat .* probe:opens: .* name="known-file"' out
ok 'perf probe -d' run perf probe -q -d 'probe:*'

define 'p:opens do_sys_openat2 name=+0($arg2):ustring'
ok 'trace-cmd record' run trace-cmd record -q -o open.dat -e kprobes:opens cat known-file
ok 'trace-cmd report' run trace-cmd report -i open.dat
has 'trace-cmd report shows the arguments' 'cat-[0-9]+ .* opens: .* name="?known-file' out
trace-cmd reset > /dev/null
: > $T/kprobe_events

(while sleep 0.1; do cat known-file; done) > /dev/null 2>&1 &
calls=$!
ok 'bpftrace' run timeout -s INT 100 bpftrace -e 'kprobe:do_sys_openat2
	/str(uptr(arg1)) == "known-file"/ { printf("%s\n", comm); exit(); }'
has 'bpftrace prints a hit' '^cat$' out
ok 'funccount-bpfcc' run funccount-bpfcc -d 2 'do_sys_openat*'
has 'funccount-bpfcc counts calls' 'do_sys_openat2 +[0-9]+' out
ok 'opensnoop-bpfcc' run opensnoop-bpfcc -n cat -d 3
has 'opensnoop-bpfcc shows the file' 'cat .*known-file' out
kill $calls
