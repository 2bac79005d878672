#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""List the tracepoints of the running kernel, with their parameters. Usage:

    tracepoints.py [--btf DIRECTORY] [PATTERN...]

Each line has the name of a tracepoint, its module if a module has it, and the name and the
C type of each parameter: sched_switch $preempt:bool $prev:struct task_struct * ... Patterns
are those of a shell. A tracepoint needs no trace event to be listed, nor to be probed:

    echo 't sched_switch $arg*' >> dynamic_events

The kernel's type information (BTF) has, for each tracepoint, a typedef btf_trace_NAME of
a pointer to its functions, and the empty function __probestub_NAME, whose parameters have
names. Both have one more parameter, which comes first. Documentation/bpf/btf.rst describes
the format. The BTF of a module continues that of the kernel: both its numbers of types and
its offsets of names begin where those of the kernel end.
"""

import argparse
import fnmatch
import os
import struct
import sys

(INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC, PROTO,
 VAR, DATASEC, FLOAT, DECL_TAG, TYPE_TAG, ENUM64) = range(1, 20)
# Bytes after the first 12 of a type, and bytes for each member.
FIXED = {INT: 4, ARRAY: 12, VAR: 4, DECL_TAG: 4}
EACH = {STRUCT: 12, UNION: 12, ENUM: 8, PROTO: 8, DATASEC: 12, ENUM64: 12}
PREFIX = {STRUCT: "struct ", UNION: "union ", ENUM: "enum ", ENUM64: "enum "}
QUALIFIERS = {VOLATILE: "volatile", CONST: "const", RESTRICT: "restrict"}


class Btf:
    """The types in a file."""

    def __init__(self, path, base=None):
        with open(path, "rb") as f:
            data = f.read()
        self.order = "<" if data[:2] == b"\x9f\xeb" else ">"
        magic, _, _, size, at, length, names, names_length = struct.unpack_from(
            self.order + "HBBIIIII", data)
        if magic != 0xeb9f:
            raise ValueError(f"{path} is not BTF")
        self.base = base
        self.data = data
        self.types = data[size + at:size + at + length]
        self.names = data[size + names:size + names + names_length]
        self.first_name = base.first_name + len(base.names) if base else 0
        self.first = base.first + len(base.where) if base else 1
        self.where = list(self.offsets())

    def offsets(self):
        """Yield the offset of each type."""
        at, unpack = 0, struct.Struct(self.order + "4xI").unpack_from
        while at < len(self.types):
            yield at
            info, = unpack(self.types, at)
            kind = info >> 24 & 0x1f
            at += 12 + FIXED.get(kind, 0) + EACH.get(kind, 0) * (info & 0xffff)

    def name(self, offset):
        if offset < self.first_name:
            return self.base.name(offset)
        at = offset - self.first_name
        return self.names[at:self.names.index(b"\0", at)].decode()

    def type(self, number):
        """Return the kind, the name, the flag, the referenced type, and the rest as words."""
        if number == 0:
            return 0, "void", 0, 0, ()
        if number < self.first:
            return self.base.type(number)
        at = self.where[number - self.first]
        name, info, refers = struct.unpack_from(self.order + "3I", self.types, at)
        kind = info >> 24 & 0x1f
        more = FIXED.get(kind, 0) + EACH.get(kind, 0) * (info & 0xffff)
        words = struct.unpack_from(f"{self.order}{more // 4}I", self.types, at + 12)
        return kind, self.name(name), info >> 31, refers, words

    def __iter__(self):
        """Yield the number of each type, its kind and its name."""
        unpack = struct.Struct(self.order + "II").unpack_from
        for number, at in enumerate(self.where, self.first):
            name, info = unpack(self.types, at)
            yield number, info >> 24 & 0x1f, name

    def is_pointer(self, number):
        """Is this a pointer, apart from qualifiers?"""
        kind, _, _, refers, _ = self.type(number)
        while kind in QUALIFIERS or kind == TYPE_TAG:
            kind, _, _, refers, _ = self.type(refers)
        return kind == PTR

    def declare(self, number, what=""):
        """Declare `what`, which can be empty, as of this type."""
        kind, name, flag, refers, words = self.type(number)
        if kind == PTR:
            what = "*" + what
            if self.type(refers)[0] in (ARRAY, PROTO):
                what = f"({what})"
            return self.declare(refers, what)
        if kind == ARRAY:
            return self.declare(words[0], f"{what}[{words[2] or ''}]")
        if kind == PROTO:
            params = [self.declare(t) if t else "..." for t in words[1::2]]
            return self.declare(refers, f"{what}({', '.join(params) or 'void'})")
        if kind == TYPE_TAG:
            return self.declare(refers, f"__{name} {what}".rstrip())
        if kind in QUALIFIERS:
            # A qualifier of a pointer follows the asterisk.
            if self.is_pointer(refers):
                space = " " if what[:1].isalpha() or what[:1] == "_" else ""
                return self.declare(refers, QUALIFIERS[kind] + space + what)
            return f"{QUALIFIERS[kind]} {self.declare(refers, what)}"
        if kind == FWD:
            kind = UNION if flag else STRUCT
        head = PREFIX.get(kind, "") + (name or "{...}")
        return f"{head} {what}" if what else head

    def parameters(self, number):
        """Return the names and types of the parameters of a prototype, without the first."""
        words = self.type(number)[4]
        return [(self.name(words[i]), words[i + 1]) for i in range(2, len(words), 2)]

    def tracepoints(self):
        """Return {name: parameters}."""
        found, named = {}, {}
        for number, kind, offset in self:
            if kind not in (TYPEDEF, FUNC):
                continue
            name = self.name(offset)
            if kind == TYPEDEF and name.startswith("btf_trace_"):
                pointer = self.type(number)[3]
                found[name[len("btf_trace_"):]] = self.parameters(self.type(pointer)[3])
            elif kind == FUNC and name.startswith("__probestub_"):
                named[name[len("__probestub_"):]] = self.parameters(self.type(number)[3])
        return {**found, **named}


def show(btf, name, module, parameters):
    words = [name] + ([f"[{module}]"] if module else [])
    for i, (param, number) in enumerate(parameters, 1):
        words.append(f"${param or f'arg{i}'}:{btf.declare(number)}")
    print(*words)


def main():
    args = argparse.ArgumentParser(prog="tracepoints.py")
    args.add_argument("--btf", default="/sys/kernel/btf", metavar="DIRECTORY",
                      help="directory with the file vmlinux and a file for each module")
    args.add_argument("patterns", nargs="*", default=["*"], metavar="PATTERN")
    args = args.parse_args()
    try:
        kernel = Btf(f"{args.btf}/vmlinux")
    except FileNotFoundError:
        sys.exit(f"tracepoints.py: no {args.btf}/vmlinux: this kernel has no BTF")
    matches = 0
    for file in ["vmlinux", *sorted(set(os.listdir(args.btf)) - {"vmlinux"})]:
        module = "" if file == "vmlinux" else file
        btf = Btf(f"{args.btf}/{file}", kernel) if module else kernel
        for name, parameters in sorted(btf.tracepoints().items()):
            if any(fnmatch.fnmatchcase(name, p) for p in args.patterns):
                show(btf, name, module, parameters)
                matches += 1
    if not matches:
        sys.exit("tracepoints.py: no tracepoint has such a name")


if __name__ == "__main__":
    main()
