#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Record what a security agent records about each process, in the old and the new language.

    quark.py [--btf FILE] [--show]

quark (github.com/elastic/quark) is a library of such agents. On kernels without BPF, it defines
three kprobe events: a new task, the end of a task, and a new program. It gets the offsets of
members from BTF, and writes each member as dereferences of a register. The path of the working
directory is seven names, which the agent joins. The arguments of the program are 55 words of
its stack.

This program defines the same events, and beside each of them an event with the same values in
words: members by their names, sums, a whole path, and arguments as text. It runs a program, and
compares the two records of each hit. --show only prints the definitions.
"""

import argparse
import os
import platform
import pty
import re
import shutil
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
from tracepoints import (ARRAY, CONST, ENUM, FUNC, PTR, QUALIFIERS, STRUCT,  # noqa: E402
                         TYPEDEF, TYPE_TAG, UNION, Btf)

T = "/sys/kernel/tracing"
GROUP = "quark"
# Names in the path of the working directory, and words of the stack. The agent skips a word.
LEVELS = 7
WORDS = [8 * i for i in range(56) if i != 49]
# The new event records this number of arguments. If a program has fewer, a fault and strings
# of its environment follow.
STRINGS = 8

# Events, and functions whose first parameter is the task. Kernels without CONFIG_PROC_EVENTS do
# not have the first function for exec.
PLACES = {
    "fork": ["wake_up_new_task"],
    "exit": ["taskstats_exit"],
    "exec": ["proc_exec_connector", "sched_mm_cid_after_execve"],
}

# The values that both events of a place record: name, type in the old event, and the
# expression in C for the task.
VALUES = [
    ("cap_inheritable", "u64", "->cred->cap_inheritable.val"),
    ("cap_permitted", "u64", "->cred->cap_permitted.val"),
    ("cap_effective", "u64", "->cred->cap_effective.val"),
    ("cap_bset", "u64", "->cred->cap_bset.val"),
    ("cap_ambient", "u64", "->cred->cap_ambient.val"),
    ("start_boottime", "u64", "->start_boottime"),
    ("comm", "string", "->comm"),
    ("uid", "u32", "->cred->uid.val"),
    ("gid", "u32", "->cred->gid.val"),
    ("suid", "u32", "->cred->suid.val"),
    ("sgid", "u32", "->cred->sgid.val"),
    ("euid", "u32", "->cred->euid.val"),
    ("egid", "u32", "->cred->egid.val"),
    ("pid", "u32", "->tgid"),
    ("tid", "u32", "->pid"),
    ("ppid", "u32", "->group_leader->real_parent->tgid"),
    ("pgid", "u32", "->group_leader->signal->pids[PIDTYPE_PGID]->numbers[0].nr"),
    ("sid", "u32", "->group_leader->signal->pids[PIDTYPE_SID]->numbers[0].nr"),
    ("tty_addr", "u64", "->signal->tty"),
    ("tty_major", "u32", "->signal->tty->driver->major"),
    ("uts_inonum", "u32", "->nsproxy->uts_ns->ns.inum"),
    ("ipc_inonum", "u32", "->nsproxy->ipc_ns->ns.inum"),
    ("mnt_inonum", "u32", "->nsproxy->mnt_ns->ns.inum"),
    ("net_inonum", "u32", "->nsproxy->net_ns->ns.inum"),
]

# These are only in the old events: the agent calculates with them, and joins names.
PARTS = [
    ("exit_code", "s32", "->exit_code"),
    ("tty_minor_start", "u32", "->signal->tty->driver->minor_start"),
    ("tty_minor_index", "u32", "->signal->tty->index"),
]
DENTRIES = [
    ("root", "->fs->root.dentry"),
    ("mnt_root", "->fs->pwd.mnt->mnt_root"),
    ("mnt_mountpoint", "->fs->pwd.mnt->(mount,mnt)mnt_mountpoint"),
    *((f"pwd{i}", "->fs->pwd.dentry" + i * "->d_parent") for i in range(LEVELS)),
]
# The new events have the results. TASK is the task.
RESULTS = [
    "status=TASK->exit_code>>8&0xff",
    "tty_minor=TASK->signal->tty->driver->minor_start+TASK->signal->tty->index",
    "cwd=TASK->fs->pwd:path",
    "root=TASK->fs->root:path",
]

# The values that are shown.
SHOWN = ("comm", "pid", "ppid", "uid", "tty_major", "tty_minor", "status", "cwd", "argv")


class Offsets:
    """Turn expressions in C into dereferences, with the offsets of the kernel's BTF."""

    STEP = re.compile(r"(->|\.)(?:\((\w+),(\w+)\))?(\w+)(?:\[(\w+)\])?")

    def __init__(self, path):
        self.btf = Btf(path)
        self.structs, self.enums, self.functions = {}, {}, set()
        for number, kind, name in self.btf:
            if kind == STRUCT and name:
                self.structs.setdefault(self.btf.name(name), number)
            elif kind == FUNC:
                self.functions.add(self.btf.name(name))
            elif kind == ENUM:
                words = self.btf.type(number)[4]
                self.enums |= {self.btf.name(n): value
                               for n, value in zip(words[::2], words[1::2])}

    def real(self, number):
        """Return a type without its qualifiers and typedefs."""
        while (t := self.btf.type(number))[0] in (*QUALIFIERS, CONST, TYPEDEF, TYPE_TAG):
            number = t[3]
        return number

    def size(self, number):
        kind, _, _, size, words = self.btf.type(self.real(number))
        if kind == PTR:
            return struct.calcsize("P")
        return words[2] * self.size(words[0]) if kind == ARRAY else size

    def member(self, number, name):
        """Return the offset and the type of a member, or None; search anonymous ones."""
        kind, _, bitfields, _, words = self.btf.type(self.real(number))
        if kind not in (STRUCT, UNION):
            return None
        for at, inner, bits in zip(words[::3], words[1::3], words[2::3]):
            offset = (bits & 0xffffff if bitfields else bits) // 8
            if self.btf.name(at) == name:
                return offset, inner
            if not at and (found := self.member(inner, name)):
                return offset + found[0], found[1]
        return None

    def find(self, number, name):
        if found := self.member(number, name):
            return found
        sys.exit(f"quark.py: this kernel has no member {name}")

    def with_numbers(self, expression):
        """Return @expression with numbers in place of enumerators."""
        return re.sub(r"\[(\w+)\]", lambda m: f"[{self.enums.get(m[1], m[1])}]", expression)

    def dereferences(self, expression, register, string=False):
        """Return @expression for a pointer to a struct task_struct in a register."""
        # A negative offset becomes +-8(...), as the agent writes it.
        text, offset, type_ = register, None, self.structs["task_struct"]
        for arrow, outer, inner, name, index in self.STEP.findall(expression):
            if arrow == "->" and offset is not None:
                text, offset = f"+{offset}({text})", None
                type_ = self.btf.type(self.real(type_))[3]
            offset = offset or 0
            if outer:
                type_ = self.structs[outer]
                offset -= self.find(type_, inner)[0]
            more, type_ = self.find(type_, name)
            offset += more
            if index:
                type_ = self.btf.type(self.real(type_))[4][0]
                offset += int(self.enums.get(index, index)) * self.size(type_)
        text = f"+{offset}({text})"
        # The text is at the address in the last member, unless this is an array.
        pointer = self.btf.type(self.real(type_))[0] == PTR
        return f"+0({text})" if string and pointer else text


def old_arguments(offsets, register, event):
    """Return the arguments of the agent's event."""
    def argument(name, type_, expression):
        text = offsets.dereferences(expression, register, string=type_ == "string")
        return f"{name}={text}:{type_}"

    args = [argument(*value) for value in VALUES + PARTS]
    for name, dentry in DENTRIES:
        args += [argument(f"{name}_k", "u64", dentry),
                 argument(f"{name}_s", "string", f"{dentry}->d_name.name")]
    if event == "exec":
        stack = offsets.dereferences("->mm->start_stack", register)
        args.append(f"argc=+0({stack}):u64")
        args += [f"stack_{i}=+{word}(+8({stack})):u64" for i, word in enumerate(WORDS)]
    return args


def new_arguments(offsets, task, event):
    """Return the arguments of the event in words."""
    args = [f"{name}={task}{offsets.with_numbers(expression)}"
            f"{':string' if type_ == 'string' else ''}"
            for name, type_, expression in VALUES]
    args += [result.replace("TASK", task) for result in RESULTS]
    if event == "exec":
        args += [f"argc=+u0({task}->mm->start_stack):u64",
                 f"argv=+u8({task}->mm->start_stack):ustring[{STRINGS}]"]
    return args


def definitions(offsets, names):
    """Return {event: (old definition, new definition)}."""
    register = {"x86_64": "%di", "aarch64": "%x0"}.get(platform.machine(), "$arg1")
    found = {}
    for event, functions in PLACES.items():
        place = next((f for f in functions if f in offsets.functions), None)
        if not place:
            sys.exit(f"quark.py: this kernel has none of {', '.join(functions)}")
        old = " ".join(old_arguments(offsets, register, event))
        new = " ".join(new_arguments(offsets, names(place), event))
        # The agent drops threads when it reads their records. Here they make no record.
        found[event] = (f"p:{GROUP}/old_{event} {place} {old}",
                        f"p:{GROUP}/new_{event} {place} {new} "
                        f"if {names(place)}->exit_signal >= 0")
    return found


def parameter(offsets, function):
    """Return the name of the first parameter of a function."""
    btf = offsets.btf
    number = next(n for n, kind, name in btf if kind == FUNC and btf.name(name) == function)
    return btf.name(btf.type(btf.type(number)[3])[4][0])


def write(name, text, how=os.O_TRUNC):
    fd = os.open(f"{T}/{name}", os.O_WRONLY | how)
    try:
        os.write(fd, text.encode() + b"\n")
    finally:
        os.close(fd)


def read(name):
    with open(f"{T}/{name}") as f:
        return f.read()


def fields(text):
    """Return the values in the text of a record."""
    return dict(re.findall(r'(\w+)=("[^"]*"|\{.*?\}(?= |$)|\S+)', text))


def records():
    """Return the pairs of records of the same hit, as (event, old, new)."""
    waiting, pairs = {}, []
    for line in read("trace").splitlines():
        match = re.match(r".*?: (old|new)_(\w+): \(\S+\) (.*)", line)
        if not match:
            continue
        age, event, values = match[1], match[2], fields(match[3])
        waiting.setdefault((event, values["tid"], values["comm"]), {})[age] = values
    for (event, _, _), pair in waiting.items():
        if len(pair) == 2:
            pairs.append((event, pair["old"], pair["new"]))
    return pairs


def joined(old):
    """Return the path of the working directory, joined from names as the agent does it."""
    names = []
    for i in range(LEVELS):
        dentry = old[f"pwd{i}_k"]
        if dentry == old["root_k"]:
            break
        mounted = dentry == old["mnt_root_k"]
        names.append(old["mnt_mountpoint_s" if mounted else f"pwd{i}_s"].strip('"'))
        if mounted:
            break
    return "/" + "/".join(reversed(names)).lstrip("/")


def arguments(old):
    """Return the arguments of a program, split from words of its stack as the agent does it."""
    text = b""
    for i, offset in enumerate(WORDS):
        word = old[f"stack_{i}"]
        if offset != len(text) or word == "(fault)":
            break
        text += struct.pack("=Q", int(word))
    return [s.decode() for s in text.split(b"\0")[:int(old["argc"])]]


def number(text):
    return text if text[0] in '"(' else int(text, 0)


def minor(old):
    """Return the minor number of the terminal, calculated as the agent does it."""
    parts = number(old["tty_minor_start"]), number(old["tty_minor_index"])
    return "(fault)" if "(fault)" in parts else sum(parts)


def compare(event, old, new):
    """Return the number of equal values of two records; exit if any differ."""
    same = {name: (number(old[name]), number(new[name])) for name, _, _ in VALUES}
    same["status"] = number(old["exit_code"]) >> 8 & 0xff, number(new["status"])
    same["tty_minor"] = minor(old), number(new["tty_minor"])
    same["cwd"] = joined(old), new["cwd"].strip('"')
    if event == "exec":
        argv = re.findall(r'"([^"]*)"|\(fault\)', new["argv"])
        count = int(new["argc"], 0)
        same["argv"] = arguments(old)[:STRINGS], argv[:count]
    for name, (one, other) in same.items():
        if one != other:
            sys.exit(f"quark.py: {event}: {name}: old record {one}, new record {other}")
    return len(same)


def run_program(directory):
    """Run a program in a directory, with a terminal of its own."""
    pid, terminal = pty.fork()
    if not pid:
        try:
            os.chdir(directory)
            os.execve("/bin/sh", ["sh", "-c", "exit 3", "two words", ""], {"LANG": "C"})
        finally:
            os._exit(127)
    os.waitpid(pid, 0)
    os.close(terminal)


def run(directory):
    """Run a program, and return the pairs of records about it."""
    pid = os.getpid()
    write("trace", "")
    write(f"events/{GROUP}/enable", "1")
    try:
        run_program(directory)
    finally:
        write(f"events/{GROUP}/enable", "0")
    pairs = [pair for pair in records() if int(pair[2]["ppid"], 0) == pid]
    if {event for event, _, _ in pairs} != set(PLACES):
        sys.exit("quark.py: there is no pair of records for each event")
    return pairs


def show(definition):
    """Print a definition with an argument in each line."""
    words, predicate = definition.split(" if ")
    kind, place, *args = words.split()
    print(f"{kind} {place}", *(f"    {arg}" for arg in args), sep="\n")
    print(f"    if {predicate}")


def size(definition):
    args = definition.split(" if ")[0].split()[2:]
    return f"{len(args)} arguments, {len(definition)} characters"


def main():
    parser = argparse.ArgumentParser(prog="quark.py")
    parser.add_argument("--btf", default="/sys/kernel/btf/vmlinux", metavar="FILE")
    parser.add_argument("--show", action="store_true", help="only print the definitions")
    args = parser.parse_args()
    try:
        offsets = Offsets(args.btf)
    except FileNotFoundError:
        sys.exit(f"quark.py: no {args.btf}: this kernel has no BTF")
    commands = definitions(offsets, lambda place: parameter(offsets, place))
    if args.show:
        for pair in commands.values():
            print(*pair, sep="\n\n", end="\n\n")
        return
    if os.path.exists(f"{T}/events/{GROUP}"):
        sys.exit(f"quark.py: the group {GROUP} already exists")
    directory = tempfile.mkdtemp()
    deep = f"{directory}/one/two/three"
    os.makedirs(deep)
    try:
        for old, new in commands.values():
            write("dynamic_events", old, os.O_APPEND)
            write("dynamic_events", new, os.O_APPEND)
        listed = [line for line in read("dynamic_events").splitlines() if f":{GROUP}/" in line]
        if len(listed) != 2 * len(PLACES):
            sys.exit("quark.py: some events are not listed")
        print("The definition of an event in words:\n")
        show(commands["exec"][1])
        for event, old, new in run(deep):
            print(f"\n{event}: old: {size(commands[event][0])}"
                  f"\n{event}: new: {size(commands[event][1])}"
                  f"\n{event}: {compare(event, old, new)} values are the same")
            print("   ", *(f"{name}={new[name]}" for name in SHOWN if name in new))
    finally:
        shutil.rmtree(directory)
        if os.path.exists(f"{T}/events/{GROUP}"):
            write("dynamic_events", f"-:{GROUP}/", os.O_APPEND)


if __name__ == "__main__":
    main()
