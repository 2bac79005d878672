# SPDX-License-Identifier: GPL-2.0
# description: bcc compiles a program with the kernel's headers and attaches it to kprobes
# timeout: 400
. "$(dirname "$0")/../lib.sh"
need python3
python3 -c 'import bcc' 2> err || { skip 'bcc' 'no python3-bpfcc here'; exit; }
ok 'bcc: the kernel has its headers' modprobe kheaders
ok 'bcc: the headers are in an archive' [ -s /sys/kernel/kheaders.tar.xz ]
# bcc prefers the build directory to the archive, so hide it.
ok 'bcc: the build directory is hidden' umount "/lib/modules/$(uname -r)"
refused 'bcc: there is no build directory' [ -e "/lib/modules/$(uname -r)/build" ]

cat > prog.py <<'END'
import subprocess, sys
from bcc import BPF

text = """
#include <uapi/linux/ptrace.h>

BPF_HASH(opens, u64);
BPF_HASH(results, s64);

int opening(struct pt_regs *ctx)
{
	u64 dfd = (u32)PT_REGS_PARM1(ctx);
	char comm[16];

	bpf_get_current_comm(&comm, sizeof(comm));
	if (comm[0] == 'o' && comm[1] == 'p' && comm[2] == 'e' && comm[5] == 'r')
		opens.increment(dfd);
	return 0;
}

int opened(struct pt_regs *ctx)
{
	s64 ret = (s32)PT_REGS_RC(ctx);
	char comm[16];

	bpf_get_current_comm(&comm, sizeof(comm));
	if (comm[0] == 'o' && comm[1] == 'p' && comm[2] == 'e' && comm[5] == 'r')
		results.increment(ret);
	return 0;
}
"""
b = BPF(text=text)
b.attach_kprobe(event="do_sys_openat2", fn_name="opening")
b.attach_kretprobe(event="do_sys_openat2", fn_name="opened")
subprocess.run([sys.argv[1], "no-such-file", "0", "40"], check=True,
               stdout=subprocess.DEVNULL)
for k, v in b["opens"].items():
    print("dfd", k.value, v.value)
for k, v in b["results"].items():
    print("ret", k.value, v.value)
END
python3 prog.py "$opener" > out 2> err
status=$?
grep -v warning err | tail -n 20
same 'bcc: the program runs' 0 $status
has 'bcc: the program gets the argument' '^dfd 4294967196 (4[0-9])$' out
has 'bcc: the program gets the return value' '^ret -2 40$' out
