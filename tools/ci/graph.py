# SPDX-License-Identifier: GPL-2.0
"""Part: the link graph of our objects has floors and no circles.

An object may use symbols of its own floor and of lower floors.  At link level there are no
circles, except where the architecture's assembly code calls a C function back.

The head comment of a directory's header lists the files of the directory.  A file may
use only functions of files before it.
"""

import glob
import os
import re
import subprocess

from project import REPO
from result import FAIL, PASS

# Kinds of events.  They do not use each other.
PROVIDERS = ("kernel/trace/kprobe", "kernel/trace/fprobe", "kernel/trace/eprobe",
             "kernel/trace/uprobe", "kernel/trace/wprobe")
# From the ground up: names, and the objects of each floor.
FLOORS = (
    ("decoder", ("arch/x86/lib/insn.o", "arch/x86/lib/inat.o")),
    ("kprobes", ("arch/x86/kernel/kprobes/*.o", "arch/x86/kernel/rethook.o",
                 "kernel/kprobes/*.o", "kernel/trace/rethook*.o")),
    ("engine", ("arch/x86/kernel/pt_regs.o", "kernel/trace/probe/*.o")),
    ("providers", tuple(f"{folder}/*.o" for folder in PROVIDERS)),
)
# Assembly code, the C functions that it calls, and the code that names the assembly code.
HOOKS = (
    {"arch/x86/kernel/kprobes/detour.o", "arch/x86/kernel/kprobes/optimize.o"},
    {"arch/x86/kernel/kprobes/return.o", "arch/x86/kernel/rethook.o",
     "kernel/trace/rethook.o"},
)
# Headers that list the files of their directory.
LISTS = ("kernel/kprobes/kprobes.h", "arch/x86/kernel/kprobes/kprobes.h",
         "kernel/trace/probe/engine.h",
         *(f"{folder}/{os.path.basename(folder)}.h" for folder in PROVIDERS))
LISTED = re.compile(r"^ \*(?:\t|  +)(\w+)\.[cS]\s", re.M)


def is_ours(path):
    """Is there a source of this object?  An object may be left from an earlier build."""
    stem = f"{REPO}/{os.path.splitext(path)[0]}"
    return not path.endswith("kunit.o") and any(os.path.exists(stem + x) for x in (".c", ".S"))


def floors(kernel):
    """Return {object: number of its floor}."""
    found = {os.path.relpath(path, kernel): number
             for number, (_, patterns) in enumerate(FLOORS) for pattern in patterns
             for path in glob.glob(f"{kernel}/{pattern}")}
    return {path: number for path, number in found.items() if is_ours(path)}


def edges(kernel, objects):
    """Return {object: {used object: symbols}}."""
    owner, uses = {}, {o: set() for o in objects}
    for o in objects:
        out = subprocess.run(["nm", "-P", f"{kernel}/{o}"], check=True,
                             capture_output=True, text=True).stdout
        for name, kind, *_ in map(str.split, out.splitlines()):
            if kind == "U":
                uses[o].add(name)
            # A weak function is used only if there is no other.
            elif kind in "TDBR" or (kind in "WV" and name not in owner):
                owner[name] = o
    return {o: {to: sorted(s for s in uses[o] if owner.get(s) == to)
                for to in {owner[s] for s in uses[o] if s in owner} - {o}} for o in objects}


def reachable(graph, start):
    seen, todo = set(), [start]
    while todo:
        for o in graph[todo.pop()]:
            if o not in seen:
                seen.add(o)
                todo.append(o)
    return seen


def circles(graph):
    """Return the sets of objects that use each other, each once."""
    reach = {o: reachable(graph, o) for o in graph}
    return {frozenset(p for p in reach[o] if o in reach[p]) for o in graph
            if o in reach[o]}


def describe(graph, objects):
    return "\n".join(f"{o} -> {to}: {' '.join(names)}" for o in sorted(objects)
                     for to, names in sorted(graph[o].items()) if to in objects)


def order(report, graph, header):
    """Compare the list of files in a header with the objects of its directory."""
    top = os.path.dirname(header)
    with open(f"{REPO}/{header}") as f:
        listed = [f"{top}/{name}.o" for name in LISTED.findall(f.read())]
    there = [o for o in graph if os.path.dirname(o) == top]
    bad = [f"{o} is not listed" for o in there if o not in listed]
    place = {o: number for number, o in enumerate(listed)}
    bad += [f"{o} -> {to}: {' '.join(names)}" for o in there for to, names in graph[o].items()
            if place.get(to, -1) > place.get(o, -1) and not any({o, to} <= h for h in HOOKS)]
    report.add(FAIL if bad or not there else PASS, f"{header} lists its files in order",
               "\n".join(bad))


def provider(path):
    folder = os.path.dirname(path)
    return folder if folder in PROVIDERS else None


def graph(report, kernel):
    floor = floors(kernel)
    used = edges(kernel, sorted(floor))
    bad = [c for c in circles(used) if not any(c <= h for h in HOOKS)]
    report.add(FAIL if bad else PASS, "no circles at link level",
               "\n\n".join(describe(used, c) for c in bad))
    up = [f"{o} -> {to}: {' '.join(names)}" for o in floor
          for to, names in used[o].items() if floor[to] > floor[o]]
    report.add(FAIL if up else PASS, "no object uses a higher floor", "\n".join(up))
    across = [f"{o} -> {to}: {' '.join(names)}" for o in floor if provider(o)
              for to, names in used[o].items() if provider(to) not in (None, provider(o))]
    report.add(FAIL if across else PASS, "no provider uses another", "\n".join(across))
    for header in LISTS:
        order(report, used, header)
    missing = [name for number, (name, _) in enumerate(FLOORS)
               if number not in floor.values()]
    report.add(FAIL if missing else PASS, "each floor has objects", " ".join(missing))
