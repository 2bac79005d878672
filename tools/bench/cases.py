# SPDX-License-Identifier: GPL-2.0
"""The cases of the hit benchmark: probes that are attached to one system call.

The guest, which measures, and the host, which reports, both use this list.  Every
case describes a record that it must produce, or requires that it produces none, so that
a probe that silently fetches nothing does not seem cheap.
"""

import os
from dataclasses import dataclass, field

USER_STRING = "/usr/share/doc/README"
# Where the loop runs.
DIRECTORY = "/tmp/one/two/three/four"


@dataclass(frozen=True)
class Machine:
    """Names and addresses that the probes of one architecture refer to.

    Attributes:
        func: entry function of a short system call without contended locks.  The loop
              passes a user string as third argument, which the call ignores.
        registers: some registers.  The first points to the saved registers of user
                   mode when func is called, the last is the instruction pointer.
        arg3_offset: offset of the third argument in the saved registers
        unmapped: a kernel address that is not mapped
    """

    func: str
    registers: tuple
    arg3_offset: int
    unmapped: str


MACHINES = {
    "x86_64": Machine("__x64_sys_getpriority",
                      ("%di", "%si", "%dx", "%cx", "%r8", "%r9", "%sp", "%ip"),
                      96, "0xffffeb0000001000"),
    "aarch64": Machine("__arm64_sys_getpriority",
                       ("%x0", "%x1", "%x2", "%x3", "%x4", "%x5", "%sp", "%pc"),
                       16, "0xffff700000001000"),
}


@dataclass
class Case:
    key: str                            # names the case in result.json
    title: str                          # shown in the table and the picture
    define: list = field(default_factory=list)  # commands for dynamic_events
    expect: str | None = r"hit: "       # regex for a record; None: no record
    event: str = "bench/hit"            # the event to enable
    filter: str = ""                    # text for the event's filter
    triggers: dict = field(default_factory=dict)  # event: trigger to write
    # "trace": by writing to tracefs; "perf", "bpf", "bpf_ring", "fprobe": by loop.c;
    # "bpftrace": by bpftrace, only on the stock kernel
    attach: str = "trace"
    program: str = ""                   # for bpftrace
    # number of tracefs instances, instead of the top-level buffer
    instances: int = 0
    optimize: bool = True               # may the kprobe become a jump?
    inside: bool = False                # {func} is a place after the entry
    stock: bool = True                  # False: the stock kernel does not have it
    ours: bool = True                   # False: the series does not replace it
    x86: bool = False                   # True: only on x86-64
    higher: tuple = ()                  # other costs that may be higher than on stock


def probe(key, title, args="", kind="p", **more):
    text = f"{kind}:bench/hit {{func}} {args}".strip()
    return Case(key, title, [text], **more)


def bpftrace(func, key, title, program, expect, fentry=True):
    """Return cases in which bpftrace answers the same question, with kprobes and with fentry.

    A record has the thread and the time, as each record of an event has. In a program, ENTRY
    and RETURN are the probes, and ARG0 is the first parameter.
    """
    # bpftrace 0.17 calls fentry and fexit kfunc and kretfunc.
    ways = {"kprobe": ("kprobe", "kretprobe", "arg0")}
    if fentry:
        ways["fentry"] = ("kfunc", "kretfunc", "args->regs")
    for way, (entry, end, first) in ways.items():
        text = program.replace("ENTRY", f"{entry}:{func}").replace("RETURN", f"{end}:{func}")
        yield Case(f"bpftrace_{way}_{key}", f"bpftrace {way}, {title}", expect=expect,
                   attach="bpftrace", program=text.replace("ARG0", first), ours=False, x86=True)


def watchpoint(key, title, args=""):
    """Return a case in which the watchpoint is hit once per call.

    A call reads the flags of the task's thread_info only once, when it returns to user
    mode.  They are the first word of the task.
    """
    return Case(key, title,
                [f"w:bench/hit rw@-1:8 {args}".strip(),
                 "t:bench/start sched_process_exec task=$arg1",
                 "t:bench/end sched_process_exit task=$arg1"],
                expect=r"syscall_exit_to_user_mode\+.*\)" + (" a=0x0$" if args else "$"),
                triggers={"bench/start": 'set_wprobe:bench/hit:task if comm == "loop"',
                          "bench/end": "clear_wprobe:bench/hit:task"},
                x86=True, stock=False)


def many(count, template):
    return " ".join(f"a{i}={template.format(i * 8)}" for i in range(count))


def _cases(m):
    """Return the cases for a machine."""
    first = m.registers[0]

    def registers(count):
        return " ".join(f"a{i}={reg}" for i, reg in enumerate(m.registers[:count]))

    return [
        probe("entry", "p, no argument"),
        probe("reg1", "1 register", registers(1), expect=r"a0=0x[0-9a-f]+"),
        probe("reg4", "4 registers", registers(4), expect=r"a3=0x"),
        probe("reg8", "8 registers", registers(8), expect=r"a7=0xffff"),
        probe("deref4", f"4 x +N({first})", many(4, f"+{{}}({first})"), expect=r"a3=0x"),
        # The last step uses code bytes as an address and faults, also on the stock kernel.
        probe("deref3deep", "+0(+16(+0(%sp))), last step faults", "a=+0(+16(+0(%sp)))",
              expect=r"a=", x86=True),
        probe("deref3list", "+0(+0(@super_blocks))", "a=+0(+0(@super_blocks))",
              expect=r"a=0xfff"),
        probe("array", f"+0({first}):u64[8]", f"a=+0({first}):u64[8]",
              expect=r"a=\{(\d+,){7}\d+\}"),
        probe("comm", "$comm", "a=$comm", expect=r'a="loop"'),
        probe("banner", "@linux_banner:string", "a=@linux_banner:string",
              expect=r'a="Linux version'),
        probe("jump", "inside, jump-optimised, 1 register", registers(1),
              expect=r"a0=0x", inside=True, x86=True),
        probe("int3", "inside, int3, 1 register", registers(1),
              expect=r"a0=0x", inside=True, optimize=False, x86=True),
        probe("return", "r, $retval", "a=$retval", kind="r", expect=r"a=(20|0x14)$"),
        probe("filter", "1 register, filter rejects all", registers(1),
              filter="a0 == 0", expect=None),
        probe("match", "1 register, filter accepts all", registers(1),
              filter="a0 != 0", expect=r"a0=0x[0-9a-f]+"),
        probe("reject", "1 register, predicate rejects", f"{registers(1)} if a0 == 0",
              expect=None, stock=False),
        probe("accept", "1 register, predicate accepts", f"{registers(1)} if a0 != 0",
              expect=r"a0=0x[0-9a-f]+", stock=False),
        probe("expression", "2 registers in an expression", f"a=({first}+{m.registers[1]})*8-1",
              expect=r"a=0x[0-9a-f]+", stock=False),

        # The first hit has a record.
        Case("sample", "1 register, sample drops",
             [f"p:bench/hit,sample=2000000000 {{func}} {registers(1)}"],
             expect=r"a0=0x[0-9a-f]+", stock=False),

        # Other common probes.
        probe("return_entry", "r, $arg1 of the entry and $retval", "a=$arg1 b=$retval",
              kind="r", expect=r"b=(20|0x14)$"),
        probe("errno", "r, $retval:errno", "a=$retval:errno", kind="r", expect=r"a=20$",
              stock=False),
        probe("latency", "r, $latency", "a=$latency", kind="r", expect=r"a=\d+",
              stock=False),
        probe("path", "path of 5 names", "a=$current->fs->pwd:path",
              expect=f'a="{DIRECTORY}"', stock=False),
        probe("stack", "16 entries of the stack", "a=$kstack[16]", expect=r"a=\{\S+,",
              stock=False),
        probe("ustring", f"user string of {len(USER_STRING)} characters",
              f"a=+0(+{m.arg3_offset}({first})):ustring", expect=f'a="{USER_STRING}"'),
        probe("bitfield", f"bitfield of {first}", f"a={first}:b4@8/64", expect=r"a=\d+"),
        probe("fault", "an address that faults", f"a=@{m.unmapped}:x64", expect=r"a="),
        Case("events2", "two events on the function, 1 register each",
             [f"p:bench/hit {{func}} {registers(1)}",
              f"p:bench/too {{func}} {registers(1)}"],
             event="bench", expect=r"too: .*a0=0x"),
        probe("instances2", "1 register, in two trace instances", registers(1),
              instances=2, expect=r"a0=0x"),
        probe("perf", "1 register, counted by perf", registers(1),
              attach="perf", expect=None),
        probe("bpf", "1 register, BPF program attached", registers(1),
              attach="bpf", expect=None),

        # Other kinds of events.
        Case("fprobe", "fprobe event, 1 argument", ["f:bench/hit {func} a=$arg1"],
             expect=r"a=", x86=True),
        Case("fprobe_return", "fprobe event, return",
             ["f:bench/hit {func}%return a=$retval"], expect=r"a=", x86=True),
        Case("tprobe", "tracepoint probe of sys_enter, 2 arguments",
             ["t:bench/hit sys_enter regs=$arg1 nr=$arg2"], expect=r"nr=", x86=True),
        Case("eprobe", "event probe of sys_enter_getpriority, 2 fields",
             ["e:bench/hit syscalls/sys_enter_getpriority which=$which who=$who"],
             # The trigger and the fetch program are calls through pointers.
             expect=r"who=", higher=("indirect",)),

        Case("uprobe", "uprobe event, no argument", ["p:bench/hit {place}"], x86=True),
        Case("uprobe_string", f"uprobe event, string of {len(USER_STRING)} characters",
             ["p:bench/hit {place} a=+0(%di):string"], expect=f'a="{USER_STRING}"', x86=True),
        Case("uprobe_return", "uprobe event, return, $retval",
             ["r:bench/hit {place} a=$retval"], expect=r"a=(20|0x14)$", x86=True),

        watchpoint("wprobe", "watchpoint event, no argument"),
        watchpoint("wprobe_value", "watchpoint event, $value", "a=$value"),

        # For scale: the cost of other event sources of the same kernel.
        Case("tracepoint", "static tracepoint sys_enter_getpriority",
             event="syscalls/sys_enter_getpriority", expect=r"sys_getpriority\(",
             ours=False),
        probe("bpf_ring", "BPF kprobe program that records 1 register",
              attach="bpf_ring", expect=None, ours=False),
        Case("bpf_fprobe", "BPF fprobe program that records 1 register",
             attach="fprobe", expect=None, ours=False, x86=True),
        *_bpftrace_cases(m.func),
    ]


def _bpftrace_cases(func):
    """Return cases for the questions of other cases, in the same order."""
    pwd = "((struct task_struct *)curtask)->fs->pwd.dentry"
    names = ", ".join(f"str({pwd}{'->d_parent' * i}->d_name.name)" for i in range(4, -1, -1))
    return [
        *bpftrace(func, "reject", "predicate rejects",
                  r'ENTRY /ARG0 == 0/ { printf("%d %lu %lx\n", tid, nsecs, ARG0); }', None),
        *bpftrace(func, "accept", "predicate accepts",
                  r'ENTRY /ARG0 != 0/ { printf("%d %lu %lx\n", tid, nsecs, ARG0); }',
                  r"^\d+ \d+ [0-9a-f]+$"),
        # With fentry, the verifier allows no arithmetic on the parameter, which is a pointer.
        *bpftrace(func, "expression", "expression",
                  r'ENTRY { printf("%d %lu %lx\n", tid, nsecs, (arg0 + arg1) * 8 - 1); }',
                  r"^\d+ \d+ [0-9a-f]+$", fentry=False),
        *bpftrace(func, "latency", "latency",
                  r"ENTRY { @start[tid] = nsecs; } RETURN /@start[tid]/ "
                  r'{ printf("%d %lu %lu\n", tid, nsecs, nsecs - @start[tid]); '
                  r"delete(@start[tid]); }", r"^\d+ \d+ \d+$"),
        # The names end at the root of the file system. Its path() works only in a few
        # functions.
        *bpftrace(func, "path", "5 names of a path",
                  rf'ENTRY {{ printf("%d %lu /%s/%s/%s/%s/%s\n", tid, nsecs, {names}); }}',
                  f"/{DIRECTORY.split('/', 2)[2]}$"),
        *bpftrace(func, "stack", "16 entries of the stack",
                  r'ENTRY { printf("%d %lu %s\n", tid, nsecs, kstack(16)); }', r"^\d+ \d+ $"),
        *bpftrace(func, "ustring", f"user string of {len(USER_STRING)} characters",
                  r'ENTRY { printf("%d %lu %s\n", tid, nsecs, '
                  r"str(uptr(((struct pt_regs *)ARG0)->dx))); }", f"{USER_STRING}$"),
    ]


def use(machine):
    """Set CASES and FUNC for a machine, by the name that uname() reports."""
    global CASES, FUNC
    FUNC = MACHINES[machine].func
    CASES = [c for c in _cases(MACHINES[machine]) if machine == "x86_64" or not c.x86]


def keys(kernel, chosen=()):
    """Return the keys of the chosen cases, or of all, that kernel 'stock' or 'ours' has."""
    return [c.key for c in CASES if (not chosen or c.key in chosen)
            and (c.stock if kernel == "stock" else not c.program)]


def events(chosen=None):
    """Return the keys of the chosen cases, or of all, in which the loop runs alone."""
    return [c.key for c in CASES if not c.program and (chosen is None or c.key in chosen)]


# The default in a guest is its own machine.
use(os.uname().machine if os.uname().machine in MACHINES else "x86_64")
