# SPDX-License-Identifier: GPL-2.0
"""Part: the base's BPF self-tests of users of kprobes, uprobes and fprobe.

The base's test_progs has hundreds of tests, and most of them have nothing to do with
probes.  Its Makefile compiles every file in prog_tests/ and progs/, so a copy of the suite
with only the files that FILES needs makes a small test_progs.  The copied files are
unmodified.

The BPF programs are compiled with the types of the kernel under test, and libbpf adapts
them to the running kernel.  The same test_progs therefore runs on the stock kernel, too.
bpf_testmod.ko is built for each kernel.

Each test runs in a process of its own, so a test that crashes does not end the others.
As with the ftrace suite, tests that do not pass on our kernel also run on the stock
kernel: a test that passes there must not fail on ours.
"""

import hashlib
import os
import re
import shutil
import subprocess

import command
import kselftest
import ktap
import paths
from guests import COMPLAINED, HUNG
from project import BUILD, TOOLS
from result import FAIL, PASS

# Files of prog_tests/.  A file may have several tests, and a test may have subtests.
# clang 14 compiles all of their programs.
#
# Some files are left out.  get_stackid_cannot_attach, perf_event_stackmap and
# stacktrace_build_id_nmi need hardware counters, which the emulated machine does not have.
# The suite does not run the test in uretprobe_stack, because its definition does not begin
# with 'void'.
FILES = """
    attach_probe bpf_cookie custom_sec_handlers fill_link_info get_func_ip_test
    kprobe_multi_test kprobe_multi_testmod_test missed module_attach perf_link perf_skip
    probe_read_user_str probe_user task_fd_query_rawtp task_fd_query_tp task_pt_regs
    test_bpf_syscall_macro test_overhead trace_printk vmlinux

    get_stack_raw_tp send_signal stacktrace_build_id stacktrace_map stacktrace_map_raw_tp
    stacktrace_map_skip

    uprobe uprobe_autoattach uprobe_multi_test uprobe_syscall usdt
"""
# Files with functions that these files call.  Their own tests do not run.
HELPERS = "test_lsm"
# Subtests that cannot run here.
LEFT_OUT = (
    "kprobe_multi_test/attach_override",        # needs CONFIG_BLOCK
    "send_signal/send_signal_nmi*",             # needs hardware counters
    "uprobe_syscall/uretprobe_shadow_stack",    # needs a CPU with shadow stacks
)

SLICE_LIMIT = 900       # seconds for a guest
TEST_LIMIT = 240        # seconds for a test
TESTS_PER_SLICE = 12
BUILD_LIMIT = 3600

OUT = os.path.join(BUILD, "bpf")
TREE = os.path.join(OUT, "tree")                # a copy of some parts of the base's tree
KEY = os.path.join(OUT, "key")                  # a hash of what the tree was made from
BPF = "tools/testing/selftests/bpf"
SUITE = os.path.join(paths.STOCK_SRC, BPF)
COPY = os.path.join(TREE, BPF)
MODULE = "bpf_testmod"

# Parts of the base's tree that the suite compiles or includes.
PARTS = ("kernel/bpf/disasm.c", "kernel/bpf/disasm.h", "scripts/bpf_doc.py", "tools/arch",
         "tools/bpf/bpftool", "tools/bpf/resolve_btfids", "tools/build", "tools/include",
         "tools/lib", "tools/scripts", "tools/testing/selftests/lib.mk")
# Directories of the suite that test_progs does not need.
OTHER_TESTS = ("benchs", "map_tests", "verifier")

# The suite's Makefile links some programs from several files.
LINKED = {"test_usdt.c": ("test_usdt_multispec.c",)}

# Without LLVM's libraries, the tools do not print the JIT's code.  Without pkg-config,
# they are not linked with optional libraries.  GNU ld replaces lld, which the suite uses
# for one shared library.
OPTIONS = {"feature-llvm": "0", "feature-clang-bpf-co-re": "0", "PKG_CONFIG": "false",
           "LLD": "bfd"}
# Programs that tests start and probe.
EXTRA = ("urandom_read", "liburandom_read.so", "uprobe_multi")

# Lines that the guest prints before and after each test.
BEGIN, END = "bpf: begin ", "bpf: end "
RESULT = re.compile(r"#\d+(?:/\d+)?\s+(.+?):(OK|FAIL|SKIP)(?: \(SKIP: \d+/\d+\))?$")
VERDICT = {"OK": "PASS", "FAIL": "FAIL", "SKIP": "UNSUPPORTED"}
REPEATED = "All error logs:"    # after the results, test_progs repeats failures
NO_MODULE = f"relying on {MODULE}.ko will be skipped"


def read(path):
    with open(path) as f:
        return f.read()


def tests_of(file):
    """Return the names of the tests in a file of prog_tests/."""
    return re.findall(r"^void (?:serial_)?test_(\w+)\((?:void)?\)",
                      read(f"{SUITE}/prog_tests/{file}.c"), re.M)


def programs_of(file):
    """Return the files of progs/ that a file of prog_tests/ uses, and light skeletons."""
    uses = re.findall(r'[/"](\w+)\.(skel\.h|lskel\.h|bpf\.o)"',
                      read(f"{SUITE}/prog_tests/{file}.c"))
    programs = {f"{name}.c" for name, _ in uses}
    for name in list(programs):
        programs.update(LINKED.get(name, ()))
    return programs, {f"{name}.c" for name, kind in uses if kind == "lskel.h"}


def make(*words):
    """Run make; return its status and output."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    jobs = os.environ.get("JOBS") or os.cpu_count()
    return command.run(["make", f"-j{jobs}", *words], BUILD_LIMIT, env=env)


def inputs():
    """Return a hash of the base, the list of tests and the compilers."""
    h = hashlib.sha256()
    h.update(read(os.path.join(BUILD, "base/id")).split()[0].encode())
    h.update(repr((FILES, HELPERS, PARTS, OTHER_TESTS, LINKED, OPTIONS, EXTRA)).encode())
    for compiler in ("gcc", "clang"):
        h.update(subprocess.run([compiler, "--version"], check=True,
                                stdout=subprocess.PIPE).stdout)
    return h.hexdigest()


def copy_tree():
    """Copy the files that the tests need from the base's tree, unless the copy exists."""
    key = inputs()
    if os.path.exists(KEY) and read(KEY) == key:
        return
    shutil.rmtree(OUT, ignore_errors=True)
    needed = [*FILES.split(), *HELPERS.split()]
    keep = {"prog_tests": {f"{name}.c" for name in needed},
            "progs": {p for name in needed for p in programs_of(name)[0]}}

    def ignore(where, names):
        short = os.path.relpath(where, SUITE)
        if short in keep:
            return [n for n in names if n.endswith(".c") and n not in keep[short]]
        return OTHER_TESTS if short == "." else ()

    for part in (*PARTS, BPF):
        source, to = os.path.join(paths.STOCK_SRC, part), os.path.join(TREE, part)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        if os.path.isdir(source):
            shutil.copytree(source, to, symlinks=True, ignore=ignore)
        else:
            shutil.copy2(source, to)
    with open(KEY, "w") as f:
        f.write(key)


def build_suite(kernel):
    """Build test_progs in the copied tree; return the status and output of make."""
    light = {s for name in FILES.split() for s in programs_of(name)[1]}
    linked = [f"{name[:-2]}.skel.h" for name in LINKED]
    words = {**OPTIONS, "LSKELS": " ".join(sorted(light)), "LSKELS_EXTRA": "",
             "LINKED_SKELS": " ".join(linked),
             "TRUNNER_EXTRA_FILES": " ".join(f"{COPY}/{name}" for name in EXTRA),
             "VMLINUX_BTF": f"{kernel}/vmlinux"}
    return make("-C", COPY, "test_progs", *(f"{k}={v}" for k, v in words.items()))


def build_module(kernel, label):
    """Build the test module for a kernel; return make's status and output, and the path.

    A stock kernel from the cache lacks the programs that build modules.
    """
    where = os.path.join(OUT, label)
    shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(f"{SUITE}/{MODULE}", where)
    words = ("-C", kernel, "LOCALVERSION=")
    status, text = 0, ""
    if not os.path.exists(f"{kernel}/scripts/mod/modpost"):
        status, text = make("-C", paths.STOCK_SRC, f"O={kernel}", "LOCALVERSION=",
                            "modules_prepare")
    if not status:
        status, more = make(*words, f"M={where}", "modules")
        text += more
    return status, text, f"{where}/{MODULE}.ko"


def results(text):
    """Return {test: lines} of the tests that ended, in the output of a guest."""
    ended, lines = {}, []
    for line in text.splitlines():
        if line.startswith(BEGIN):
            lines = []
        elif line.startswith(END):
            name, status = line[len(END):].split()
            ended[name] = [*lines, f"status {status}"]
        else:
            lines.append(line)
    return ended


def add_test(answers, test, lines):
    """Add the results of a test to the Answers: of its subtests or, if it has none, its own.

    A test that ends without its own result has crashed, whatever its subtests did.
    """
    log, found = [], {}
    for line in lines:
        if line.startswith(REPEATED):
            break
        match = RESULT.match(line)
        if not match:
            log.append(line)
            continue
        found[match[1]] = VERDICT[match[2]]
        answers.log[match[1]] = "\n".join(log[-ktap.LOG_LINES:])
        log = []
    below = [verdict for name, verdict in found.items() if name != test]
    if test not in found:
        found[test] = "CRASH"
    elif below and (found[test] != "FAIL" or "FAIL" in below):
        del found[test]
    if below or test not in answers.log:
        # The output of the test itself is before the log of its first subtest.
        answers.log[test] = "\n".join(lines[-ktap.LOG_LINES:])
    answers.verdict.update(found)


def run_slice(guests, label, kernel, module, number, tests):
    """Run tests; return the Answers.  If a guest dies, another one runs the others."""
    answers, tests = kselftest.Answers(), list(tests)
    limit = TEST_LIMIT * guests.patience
    for attempt in range(1, 7):
        title = f"bpf-{label}-{number}" + (f"-{attempt}" if attempt > 1 else "")
        run = f"timeout -k 10 {limit:.0f} ./test_progs -d '{','.join(LEFT_OUT)}' -a $t"
        script = (f"cd {COPY} && cp {module} . && for t in {' '.join(tests)}; do "
                  f"echo '{BEGIN}'$t; {run} 2>&1; echo '{END}'$t $?; done")
        done = guests.run(title, kernel, script, SLICE_LIMIT)
        ended = results(done.stdout)
        for test, lines in ended.items():
            add_test(answers, test, lines)
        if NO_MODULE in done.stdout:
            answers.complaints.append(f"{title}: {MODULE}.ko cannot be loaded")
        if done.died or done.status in (COMPLAINED, HUNG):
            answers.complaints.append(f"{title}: {done.why()}")
        if not done.died:
            break
        answers.died = True
        left = [t for t in tests if t not in ended]
        if not left:
            break
        answers.verdict[left[0]] = "CRASH"
        answers.log[left[0]] = "\n".join(done.stdout.splitlines()[-20:] + [done.why()])
        tests = left[1:]
        if not tests:
            break
    return answers


def run_suite(guests, label, kernel, module, tests):
    """Run tests in guests; return all Answers."""
    futures = [guests.submit(run_slice, guests, label, kernel, module,
                             i // TESTS_PER_SLICE + 1, tests[i:i + TESTS_PER_SLICE])
               for i in range(0, len(tests), TESTS_PER_SLICE)]
    total = kselftest.Answers()
    for f in futures:
        total.merge(f.result())
    return total


def run_stock(report, guests, build_stock, tests):
    """Return the verdicts of the stock kernel, from the cache or a new run."""
    kernel = build_stock()
    path = kselftest.stock_file(kernel, [inputs(), *tests], [])
    return kselftest.recall(report, path, lambda: stock_answers(guests, kernel, tests))


def stock_answers(guests, kernel, tests):
    status, text, module = build_module(kernel, "stock")
    if status:
        raise RuntimeError(f"{MODULE}.ko does not build for the stock kernel\n{text}")
    return run_suite(guests, "stock", kernel, module, tests)


def bpf(report, guests, kernel, build_stock, only=None):
    """Run the tests, or only those with @only in their names.

    @build_stock builds the stock kernel and returns its O= directory.
    """
    os.makedirs(paths.RESULTS, exist_ok=True)
    subprocess.run([f"{TOOLS}/build/setup", "build", "bpf"], check=True, stdout=2)
    if failed := command.build("base"):
        report.add(FAIL, "bpf: the base is there", failed)
        return
    tests = [t for name in FILES.split() for t in tests_of(name) if not only or only in t]
    if not tests:
        return
    copy_tree()
    status, text = build_suite(kernel)
    module_status, module_text, module = build_module(kernel, "ours")
    with open(os.path.join(paths.RESULTS, "bpf-build"), "w") as f:
        f.write(text + module_text)
    for name, failed, said in (("test_progs", status, text),
                               (f"{MODULE}.ko", module_status, module_text)):
        report.add(FAIL if failed else PASS, f"bpf: {name} builds",
                   "\n".join(said.splitlines()[-40:]))
    if status or module_status:
        return

    ours = run_suite(guests, "ours", kernel, module, tests)
    for t in tests:
        if not any(n == t or n.startswith(t + "/") for n in ours.verdict):
            ours.verdict[t] = "CRASH"
    open_ones = sorted({n.split("/")[0] for n, verdict in ours.verdict.items()
                        if verdict not in (*kselftest.GOOD, "CRASH")})
    stock = run_stock(report, guests, build_stock, open_ones) if open_ones else {}
    for name, o in ours.verdict.items():
        s = stock.get(name, "-")
        verdict = kselftest.judge(name, s, o, every=False)
        detail = "" if verdict == PASS else f"stock {s}, ours {o}"
        if verdict == FAIL:
            detail += f"\n{ours.log.get(name, '')}"
        report.add(verdict, f"bpf/{name}", detail)
    kselftest.complaints(report, "the base's BPF self-tests", ours)
