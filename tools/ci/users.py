# SPDX-License-Identifier: GPL-2.0
"""Part: compile x86's probe code and the users of the instruction decoder.

The kernel of 'make test' lacks many of these users: confidential guests, machine checks,
call thunks, perf's branch records, 32-bit code.  The objects are compiled with every
option that their code depends on and with W=1.  Each warning is a failure.  objtool and
the decoder's self-tests are part of the kernel's own build.

A file in arch/x86 that uses the decoder but is not listed here is a failure, too.
perf has its own copy of the decoder; perf's test of that copy also runs here.
"""

import os
import re

import command
import host
import paths
from project import BUILD, TOOLS
from result import FAIL, PASS

# Seconds, with the wait for another part's build.
LIMIT = 1800
OUT = os.path.join(BUILD, "configs")
EARLY = "arch/x86/boot/compressed/sev.o"
SYNC_CHECK = "tools/objtool/sync-check.sh"

BOTH = """
    events/intel/ds.o events/intel/pt.o events/utils.o
    kernel/alternative.o kernel/ftrace.o kernel/jump_label.o kernel/static_call.o
    kernel/pt_regs.o kernel/ptrace.o kernel/rethook.o
    kernel/traps.o kernel/umip.o kernel/uprobes.o kernel/uprobes_emulate.o
    kernel/cpu/mce/severity.o
    kernel/kprobes/class.o kernel/kprobes/detour.o kernel/kprobes/emulate.o
    kernel/kprobes/ftrace.o kernel/kprobes/int3.o kernel/kprobes/optimize.o
    kernel/kprobes/place.o kernel/kprobes/region.o kernel/kprobes/return.o
    kernel/kprobes/slot.o kernel/kprobes/text.o kernel/kprobes/way.o
    lib/inat.o lib/insn.o lib/insn-eval.o
    mm/extable.o
"""
ONLY = {
    "x86_64": """
        boot/compressed/sev.o
        coco/sev/core.o coco/tdx/tdx.o
        kernel/callthunks.o kernel/cfi.o
        kvm/emulate.o
    """,
    "i386": "",
}

# Code that uses the decoder, and files with such code that are compiled elsewhere.
USES = re.compile(r"<asm/(insn|inat|insn-eval)\.h>|\b(insn_(init|decode)\w*|inat_\w+)\(")
ELSEWHERE = {
    "coco/sev/shared.c": "coco/sev/core.c and boot/compressed/sev.c include it",
    "kernel/kprobes/tests/place_kunit.c": "CONFIG_KPROBES_X86_KUNIT_TEST",
    "kernel/uprobes_emulate_kunit.c": "CONFIG_UPROBES_X86_KUNIT_TEST",
    "tools/insn_decoder_test.c": "CONFIG_X86_DECODER_SELFTEST",
    "tools/insn_sanity.c": "CONFIG_X86_DECODER_SELFTEST",
}

# Complaints of the compiler, assembler, objtool, kernel-doc and the linker.
COMPLAINT = re.compile(r"\b([Ww]arning|[Ee]rror): |^(ERROR|WARNING): ")
# kbuild prints one line for each step, followed by the step's output.
STEP = re.compile(r"  [A-Z]+ +(?:\[M\] +)?(\S+)$")
# make reports a failed step, and later each parent that failed because of it.
STOP = re.compile(r"make(\[\d+\])?: \*\*\* (\[\S+: (\S+)\] Error)?")
PARENT = re.compile(r"objects|__sub-make$")


def run(argv, **more):
    """Run a command; return its status and all output."""
    return command.run(argv, LIMIT, **more)


def complaints(text):
    """Return the output of each build step with complaints: {step: lines}."""
    found, step, said = {}, "", []
    for line in [*text.splitlines(), "  END ."]:
        if match := STOP.match(line):
            if not PARENT.match(match[3] or ""):
                found.setdefault(match[3] or "", []).append(line)
            continue
        match = STEP.match(line)
        if not match:
            said.append(line)
            continue
        if any(COMPLAINT.search(s) for s in said):
            found[step] = said + found.get(step, [])
        step, said = match[1], []
    return found


def objects(report, arch):
    """Compile the objects of one architecture; each counts as one test."""
    todo = [f"arch/x86/{o}" for o in (BOTH + ONLY[arch]).split()]
    out = os.path.join(OUT, f"users-{arch}")
    status, text = run([f"{TOOLS}/build/objects", f"users-{arch}", *todo])
    with open(os.path.join(paths.RESULTS, f"users-{arch}"), "w") as f:
        f.write(text)
    bad = complaints(text)
    failed = False
    for name in todo:
        said = bad.pop(name, None)
        if said is None and os.path.exists(os.path.join(out, name)):
            report.add(PASS, f"{arch} {name}")
            continue
        failed = True
        report.add(FAIL, f"{arch} {name}",
                   "\n".join(said[-40:] if said else ["not built"]))
    # Complaints about other files, or about no file.
    if bad or (status and not failed):
        rest = [line for said in bad.values() for line in said] or text.splitlines()
        report.add(FAIL, f"{arch}: the build", f"status {status}\n" + "\n".join(rest[-40:]))


def check_list(report):
    """Check that the list is complete."""
    top = os.path.join(BUILD, "src/arch/x86")
    known = {o[:-2] + ".c" for o in (BOTH + "".join(ONLY.values())).split()}
    left = []
    for where, _, names in os.walk(top):
        for name in names:
            path = os.path.join(where, name)
            short = os.path.relpath(path, top)
            if not name.endswith(".c") or short in known or short in ELSEWHERE:
                continue
            with open(path, errors="replace") as f:
                if USES.search(f.read()):
                    left.append(short)
    report.add(FAIL if left else PASS, "the list of decoder users in arch/x86 is complete",
               "\n".join(sorted(left)))


def check_addresses(report):
    """Check that code that runs before relocation has no addresses in its data."""
    status, text = run(["readelf", "-SW", f"{OUT}/users-x86_64/{EARLY}"])
    where = re.findall(r"\.rela?\.(?:data|rodata)\S*", text)
    report.add(FAIL if status or where else PASS, f"{EARLY}: no addresses in its data",
               " ".join(where) or text)


def copies(report):
    """Run the kernel's own check of the decoder's copies below tools/."""
    src = os.path.join(BUILD, "src")
    status, text = run([f"{src}/{SYNC_CHECK}"], cwd=os.path.dirname(f"{src}/{SYNC_CHECK}"),
                       env={**os.environ, "SRCARCH": "x86"})
    report.add(FAIL if status or text else PASS, SYNC_CHECK, f"status {status}\n{text}")


def perf(report):
    def log(target):
        return os.path.join(paths.RESULTS, f"users-perf-{target}")

    for target in ("intel-pt-insn-decoder", "archinsn", "insn-x86"):
        host.compile(report, "tools/ci/perf", target, log(target))
    for target in ("check", "check-big-endian"):
        host.check(report, "tools/ci/perf", target, log(target))


def users(report):
    os.makedirs(paths.RESULTS, exist_ok=True)
    for arch in ONLY:
        objects(report, arch)
    check_list(report)
    check_addresses(report)
    copies(report)
    perf(report)
