# SPDX-License-Identifier: GPL-2.0
"""The instructions of one system call, with and without the probe of a case.

The host starts a guest in which spin.py makes the calls.  QEMU logs each instruction of
some calls, first without a probe, then with the probe of each case.  The result is the
most common sequence.
"""

import bisect
import collections
import os
import re
import subprocess
import sys
import tempfile
import time

from project import TOOLS
import cases
import qmp
from ready import BOOT, X86_64

# A log of CALLS calls or fewer is too small, or other tasks ran most of the time.
CALLS, ATTEMPTS = 10, 20
# Registers are within so many bytes after the line of an instruction.
REGISTERS_LEN = 800
# Largest size of a function.  If the preceding symbol is farther away than this, the code
# has no symbol, such as a fetch program (eBPF) without loads and calls.
LARGEST = 1 << 16
KERNEL = 1 << 47                # lower addresses belong to user space
PAGE = 4096
TRACE = re.compile(rb"^Trace \d+: 0x[0-9a-f]+ \[[0-9a-f]+/([0-9a-f]+)/", re.M)
# In QEMU's log of registers.  It has them in the order of the numbers in instructions.
REGISTERS = ("RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI",
             *(f"R{n}" for n in range(8, 16)), "FS", "GS")
REGISTER = re.compile(rb"\b(R[A-Z0-9]{1,2}|[FG]S) *=(?:[0-9a-f]{4} )?([0-9a-f]{16})\b")


class Symbols:
    def __init__(self, path):
        with open(path) as f:
            rows = [line.split() for line in f]
        table = sorted((int(r[0], 16), r[2]) for r in rows if r[1] in "tTwW")
        self.addresses = [a for a, _ in table]
        self.names = [n for _, n in table]

    def find(self, address):
        """Return name and start of the function at an address."""
        if address < KERNEL:
            return "(user)", 0
        i = bisect.bisect(self.addresses, address) - 1
        if address - self.addresses[i] > LARGEST:
            return "(no symbol)", address & ~0xfff
        return self.names[i], self.addresses[i]

    def address(self, name):
        return self.addresses[self.names.index(name)]


class Call:
    """One call: its instructions' addresses, the kernel's symbols, and the code pages.

    registers has the REGISTERS before each instruction, if the Guest logs them.
    """

    def __init__(self, trace, registers, symbols, pages):
        self.trace, self.registers = trace, registers
        self.symbols, self.pages = symbols, pages

    def code(self, address, size=15):
        """Return @size bytes at an address, or fewer if the next page is not known."""
        code = b""
        while len(code) < size and (page := self.pages.get((address + len(code)) // PAGE)):
            at = (address + len(code)) % PAGE
            code += page[at:at + size - len(code)]
        return code


def usual_call(trace, entry):
    """Return a slice: the most common sequence of instructions from one entry to the next.

    Ignore sequences that do not have the most common length.
    """
    cuts = [i for i, a in enumerate(trace) if a == entry]
    where = {tuple(trace[i:j]): slice(i, j) for i, j in zip(cuts, cuts[1:])}
    calls = collections.Counter(tuple(trace[i:j]) for i, j in zip(cuts, cuts[1:]))
    lengths = collections.Counter()
    for call, times in calls.items():
        lengths[len(call)] += times
    if not lengths:
        sys.exit("the log has no complete call")
    length = lengths.most_common(1)[0][0]
    return where[next(c for c, _ in calls.most_common() if len(c) == length)]


def registers_in(text):
    """Return the REGISTERS in a part of QEMU's log."""
    found = {name.decode(): int(value, 16) for name, value in REGISTER.findall(text)}
    return [found[name] for name in REGISTERS]


def child(pid):
    """Return the first child of a process."""
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        return int(f.read().split()[0])


class Guest:
    """A guest that makes calls, first without a probe, then with the probe of each case.

    The caller must iterate over all phases().  An exception ends the guest.  With @show,
    the guest prints a record of each case.  With @registers, QEMU also logs registers.
    """

    def __init__(self, kernel, keys, log_bytes, show=False, registers=False):
        self.keys, self.log_bytes, self.registers = keys, log_bytes, registers
        self.temporary = tempfile.TemporaryDirectory(prefix="bench-")
        self.dir = self.temporary.name
        # Without noreplace-smp, the kernel would remove lock prefixes: the guest has one CPU.
        self.process = subprocess.Popen(
            [f"{TOOLS}/vm/run", "--kernel", X86_64.kernels[kernel], BOOT,
             "--append=noreplace-smp", "--icount", "--timeout", "900", "--out", self.dir, "--",
             "/usr/bin/python3", "-I", "-S", f"{TOOLS}/bench/spin.py", X86_64.loop, "/out",
             *keys],
            stdout=None if show else subprocess.DEVNULL)
        self.monitor = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        self.temporary.cleanup()

    def wait_for(self, path):
        while not os.path.exists(path):
            self.check_alive()
            time.sleep(0.05)

    def check_alive(self):
        if self.process.poll() is not None:
            sys.exit(f"the guest ended too early, with status {self.process.returncode}")

    def tell(self, text):
        """Run a command of QEMU's monitor; exit if it prints anything."""
        if said := self.monitor.line(text):
            sys.exit(f"QEMU: {text}: {said.strip()}")

    def one_instruction(self, switch):
        """Make QEMU log each instruction, instead of each block, if @switch is 'on'."""
        # QEMU before 8.1 has only the name 'singlestep'.
        if self.monitor.line(f"one-insn-per-tb {switch}"):
            self.tell(f"singlestep {switch}")

    def record(self, log, size):
        """Log @size bytes of execution; return [(address, end of its line in the log)], log."""
        self.tell(f"logfile {log}")
        self.one_instruction("on")
        self.tell("log exec,cpu,nochain" if self.registers else "log exec,nochain")
        while os.path.getsize(log) < size:
            self.check_alive()
            time.sleep(0.01)
        self.tell("log none")
        self.one_instruction("off")
        with open(log, "rb") as f:
            text = f.read()
        os.remove(log)
        return [(int(m[1], 16), m.end()) for m in TRACE.finditer(text)], text

    def page(self, number):
        """Return the content of a kernel page, or None if it is not mapped."""
        path = f"{self.dir}/page"
        if self.monitor.line(f'memsave {number * PAGE:#x} {PAGE} "{path}"'):
            return None
        with open(path, "rb") as f:
            return f.read()

    def call(self, phase):
        self.wait_for(f"{self.dir}/{phase}")
        self.monitor = self.monitor or qmp.Monitor(qmp.socket_of(child(self.process.pid)))
        symbols = Symbols(f"{self.dir}/{phase}.kallsyms")
        entry = symbols.address(cases.FUNC)
        for attempt in range(ATTEMPTS):
            found, text = self.record(f"{self.dir}/log", self.log_bytes * (attempt + 1))
            trace = [a for a, _ in found]
            if trace.count(entry) > CALLS:
                break
            time.sleep(0.2)
        else:
            sys.exit(f"QEMU's log has too few calls of {cases.FUNC}()")
        call = usual_call(trace, entry)
        trace = trace[call]
        registers = [registers_in(text[end:end + REGISTERS_LEN])
                     for _, end in found[call] if self.registers]
        numbers = {(a + more) // PAGE for a in trace if a >= KERNEL for more in (0, 15)}
        pages = {n: p for n in numbers if (p := self.page(n))}
        open(f"{self.dir}/{phase}.seen", "w").close()
        return Call(trace, registers, symbols, pages)

    def phases(self):
        """Yield (None, the call without a probe), then (key, the call with the probe)."""
        for key in [None, *self.keys]:
            yield key, self.call(key or "off")
        if self.process.wait():
            sys.exit(f"the guest ended with status {self.process.returncode}")
