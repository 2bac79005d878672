#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare the answers of two kernels to a probe at each of their instructions.

    compare.py STOCK OURS

Both files were written by 'stress -o FILE refusals'; see refusals.c.  Functions with
the same name and shape are compared instruction by instruction.  If OURS refuses an
instruction that STOCK accepts, and REASONS, FUNCTIONS and THUNK do not explain it, this
is a failure.  A comparison of too few instructions is a failure, too.  After a failure,
the exit status is 1.  The output is KTAP.
"""

import collections
import re
import sys

NOT_ASKED = "_"
# Answers other than refusals: breakpoint, detour for a jump, ftrace, moved past ENDBR.
ACCEPTED = ".ofm"
ERRNO = {"I": "EINVAL", "L": "EILSEQ", "S": "EOPNOTSUPP", "N": "ENOENT", "M": "ENOMEM",
         "R": "ERANGE", "?": "other error"}
KIND = {"-": "other", "e": "ENDBR", "i": "int", "u": "ud", "f": "far", "s": "system",
        "z": "mov or pop to SS, sti and hlt", "j": "indirect jump", "b": "branch",
        "r": "return"}
REGION = {"-": "no reason seen in user space", "e": "the function's end",
          "t": "a jump target from a table", "b": "a branch into it",
          "s": "code that the kernel patches", "k": "an instruction not copied",
          "i": "an indirect jump in the function"}

# Why ours may refuse an instruction that stock accepts, by its kind and the answer.
REASONS = {
    ("e", "L"): "an indirect branch to it would fault",
    ("z", "S"): "an interrupt could occur between it and the next instruction",
}

# Functions, named as in kallsyms, that ours refuses, except for machine_kexec()'s entry.
REASON_CALLERS = "ftrace patches the call in it and copies it to trampolines"
FUNCTIONS = dict.fromkeys((
    "ftrace_caller", "ftrace_caller_op_ptr", "ftrace_call", "ftrace_regs_caller",
    "ftrace_regs_caller_op_ptr", "ftrace_regs_call", "ftrace_regs_caller_jmp",
), REASON_CALLERS)

REASON_NO_IDT = "it runs without a breakpoint handler"
FUNCTIONS |= dict.fromkeys((
    "relocate_kernel", "identity_mapped", "virtual_mapped", "swap_pages", "machine_kexec",
    "core_restore_code", "restore_registers", "verify_cpu", "start_secondary", "cr4_init",
    "cpu_init_exception_handling", "setup_getcpu", "setup_ghcb", "cpu_init_fred_exceptions",
    "load_current_idt", "restore_processor_state", "__restore_processor_state",
    "fix_processor_context", "secondary_startup_64", "secondary_startup_64_no_verify",
    "common_startup_64", "early_setup_idt", "vc_boot_ghcb", "wakeup_long64",
    "do_suspend_lowlevel", "asm_acpi_mp_play_dead", "native_write_cr0", "native_write_cr4",
    "cr4_update_irqsoff", "startup_64_load_idt", "snp_register_per_cpu_ghcb",
    "snp_register_ghcb_early",
), REASON_NO_IDT)

# Thunks of mitigations; ours refuses each of them as a whole.
REASON_THUNKS = "the path from a breakpoint to its handler uses it"
THUNK = re.compile(r"__x86_return_thunk|__x86_indirect_its_thunk_\w+|"
                   r"(its|call_depth|retbleed|srso|srso_alias)_(return_thunk|safe_ret|"
                   r"untrain_ret)")

LEAST = 0.9     # fraction of our instructions that must have a counterpart


class Function:
    """One function: a line of the file."""

    def __init__(self, line):
        self.name, _, self.shape, self.lengths, self.answers, self.kinds, self.regions = \
            line.split()


def read(path):
    """Return {(name, shape): functions, in the order of their addresses}."""
    found = collections.defaultdict(list)
    with open(path) as f:
        for line in f:
            function = Function(line)
            found[function.name, function.shape].append(function)
    return found


def reason(function, kind, answer):
    """Return why ours may refuse an instruction that stock accepts, or None."""
    if answer == "I" and function.name in FUNCTIONS:
        return FUNCTIONS[function.name]
    if answer == "I" and THUNK.fullmatch(function.name):
        return REASON_THUNKS
    return REASONS.get((kind, answer))


def where(function, i):
    offset = sum(ord(c) - ord("a") + 1 for c in function.lengths[:i])
    return f"{function.name}+{offset:#x}"


class Comparison:
    def __init__(self):
        self.instructions = self.compared = 0
        self.pairs = collections.Counter()
        self.by_reason = collections.Counter()
        self.refused = []
        self.jumps = collections.Counter()

    def compare_function(self, stock, ours):
        """Compare two functions of the same shape."""
        for i, (s, o) in enumerate(zip(stock.answers, ours.answers)):
            if NOT_ASKED in (s, o):
                continue
            self.compared += 1
            kind = ours.kinds[i]
            if s in ACCEPTED and o in ACCEPTED:
                if s != o and "o" in (s, o):
                    self.jumps[s == "o", ours.regions[i]] += 1
                continue
            if s in ACCEPTED:
                why = reason(ours, kind, o)
                if why:
                    self.by_reason[kind, o, why] += 1
                else:
                    self.refused.append((where(ours, i), kind, o))
            self.pairs[s, o, kind] += 1

    def run(self, stock, ours):
        for key, functions in ours.items():
            for f in functions:
                self.instructions += len(f.answers) - f.answers.count(NOT_ASKED)
            others = stock.get(key, ())
            if len(others) == len(functions):
                for s, o in zip(others, functions):
                    self.compare_function(s, o)

    def show(self):
        print(f"# count instructions {self.instructions}")
        print(f"# count compared {self.compared}")
        print("# error of stock, of ours, instruction, count:")
        for (s, o, kind), n in sorted(self.pairs.items(), key=lambda x: -x[1]):
            print(f"#   {ERRNO.get(s, '-'):10}  {ERRNO.get(o, '-'):10}  {KIND[kind]:16}  {n:7}")
        print("# optimised by only one kernel, obstacle, count:")
        for (stock, region), n in sorted(self.jumps.items(), key=lambda x: -x[1]):
            print(f"#   {'stock' if stock else 'ours':5}  {REGION[region]:32}  {n:7}")
        for (kind, o, why), n in sorted(self.by_reason.items()):
            print(f"# refused only by ours: {KIND[kind]}, {ERRNO[o]}, {n} times: {why}")
        for place, kind, o in self.refused[:50]:
            print(f"# refused only by ours: {place} ({KIND[kind]}), {ERRNO[o]}")


def result(number, good, name):
    print(f"{'ok' if good else 'not ok'} {number} {name}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1].strip())
    c = Comparison()
    c.run(read(sys.argv[1]), read(sys.argv[2]))
    print("TAP version 13\n1..2")
    c.show()
    enough = c.compared and c.compared >= LEAST * c.instructions
    result(1, enough, f"{c.compared} of {c.instructions} instructions exist in both kernels")
    result(2, not c.refused, "each probe that only ours refuses has a listed reason "
                             f"({len(c.refused)} have none)")
    return 1 if c.refused or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
