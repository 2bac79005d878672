# SPDX-License-Identifier: GPL-2.0
"""Format the results as tables and as JSON: stock, ours, and their ratio."""

import re
import sys

import about
import cases
import costs
import decoder

WIDTH = 47
HEAD = f"{'':{WIDTH}}{'stock':>9}{'ours':>9}{'ratio':>8}"
# Some calls start a new page of the ring buffer and cost more.  The number of these calls
# differs by one between batches, so ignore differences up to TOLERANCE.
TOLERANCE = 1.0
STEPS = ["add", "enable", "disable", "clear"]
SETS = [("p", "kprobe events"), ("r", "return events")]
OTHER_KINDS = [("f", "fprobe events"), ("f_return", "fprobe return events"),
               ("t", "tracepoint events"), ("e", "event probes"),
               ("u", "uprobe events"), ("u_return", "uprobe return events")]
OTHER_WAYS = [("names", "delete {} events by name in one write"),
              ("group", "delete a group of {} events"),
              ("instance", "remove an instance with {} enabled events")]
INSIDE_STEPS = ["enable", "disable", "clear"]
PERF_STEPS = ["open", "close", "removed"]
PERF_EVENT_STEPS = ["open", "close", "disarmed"]
CLIENT_TIMES = [("total", "from start to end"), ("kernel", "not in user mode")]

ICOUNT = """\
Instructions per hit: the instructions that the guest executes for one system call
with the probe enabled, minus those for one call without the probe (QEMU TCG, one CPU,
-icount shift=0,sleep=off: the guest's time counter counts instructions). The counts
repeat to about one instruction on any machine. They are not cycles, and they do not
include the cost of cache and TLB misses, mispredicted branches, locked instructions and
the exception of a breakpoint."""

WALL = """\
Seconds by the guest's clock (QEMU TCG, two CPUs on one thread). They depend on the
machine and on its load, so compare only the two sides of a row."""


def number(entry):
    return entry.get("cost") if entry else None


def line(title, stock, ours, digits, tolerance, failed=("", "")):
    """Return one row, with '*' at its end if ours is worse."""
    columns = [f"{v:9.{digits}f}" if v is not None else f"{why or '-':>9}"
               for v, why in zip((stock, ours), failed)]
    ratio = mark = ""
    if stock is not None and ours is not None and stock > 0:
        ratio = f"{ours / stock:.2f}"
        mark = " *" if ours > stock + tolerance else ""
    return f"{title:{WIDTH}}{''.join(columns)}{ratio:>8}{mark}".rstrip()


def hit_rows(data):
    """Yield (case, stock's entry, our entry) for each case that has an entry."""
    by = {n: data["hits"].get(n, {}).get("cases", {}) for n in ("stock", "ours")}
    for case in cases.CASES:
        entries = by["stock"].get(case.key), by["ours"].get(case.key)
        if any(entries):
            yield case, *entries


def hit_table(data):
    lines = ["Instructions per hit", "", HEAD]
    replaced = True
    for case, stock, ours in hit_rows(data):
        if replaced and not case.ours:
            replaced = False
            lines.append("for scale, not part of the series:")
        failed = ["FAILED" if e and "error" in e else "" for e in (stock, ours)]
        lines.append(line(case.title, number(stock), number(ours), 0, TOLERANCE, failed))
    return lines


def side_by_side(data, *keys):
    """Look up nested keys in data["sets"]; return stock's entry and our entry."""
    entries = []
    for name in ("stock", "ours"):
        entry = data["sets"].get(name)
        for key in keys:
            entry = (entry or {}).get(key)
        entries.append(entry)
    return entries


def sizes(data, *keys):
    return sorted({int(n) for entry in side_by_side(data, *keys) for n in entry or {}})


def step_rows(title, steps, entries):
    """Return one row for each step, with seconds; a step that did not end has '>'."""
    def more_than(entry, step):
        bound = (entry or {}).get("more_than", {}).get(step)
        return "" if bound is None else f">{bound:.0f}"

    return [line(f"{step} {title}", *((e or {}).get(step) for e in entries), 3, 0.005,
                 [more_than(e, step) for e in entries])
            for step in steps]


def total(entry):
    if not entry:
        return None
    name, more = "all steps for", entry.get("more_than", {})
    took = sum(entry.get(step, 0) + more.get(step, 0) for step in STEPS)
    return {"more_than": {name: took}} if more else {name: took}


def set_table(data):
    lines = ["Seconds for a set of events", "", HEAD]
    for kind, title in SETS:
        for size in sizes(data, "sets", kind):
            lines += step_rows(f"{size} {title}", STEPS,
                               side_by_side(data, "sets", kind, str(size)))
    lines += step_rows("events inside functions", INSIDE_STEPS,
                       side_by_side(data, "jumps"))
    for size in sizes(data, "other_ways"):
        lines += [line(title.format(size), *side_by_side(data, "other_ways", str(size), key),
                       3, 0.005)
                  for key, title in OTHER_WAYS]
    for size in sizes(data, "reload"):
        lines.append(line(f"load a module that had {size} events before",
                          *side_by_side(data, "reload", str(size)), 3, 0.005))
    return lines


def kind_table(data):
    lines = ["Seconds for a set of events of another kind", "", HEAD]
    for kind, title in OTHER_KINDS:
        entries = side_by_side(data, "kinds", kind)
        counts = {entry["count"] for entry in entries if entry}
        title = f"{' or '.join(map(str, sorted(counts)))} {title}"
        lines += step_rows(title, STEPS, entries)
        lines += step_rows(title, ["all steps for"], [total(e) for e in entries])
    return lines


def all_table(data):
    entries = side_by_side(data, "all")
    lines = ["Seconds for events on all functions", "", HEAD]
    lines += step_rows("all functions", STEPS, entries)
    lines += step_rows("all functions", ["all steps for"], [total(e) for e in entries])
    lines += step_rows("with all functions", ["stall"], entries)
    lines.append(line("number of functions", *((e or {}).get("count") for e in entries),
                      0, 1e9))
    return lines


def memory_table(data):
    lines = ["Memory of an event, in KiB", "", HEAD]
    for kind, title in SETS:
        lines.append(line(title, *side_by_side(data, "memory", kind), 2, 0.05))
    return lines


def perf_table(data):
    lines = ["Seconds for perf and its users", "", HEAD]
    for size in sizes(data, "perf"):
        lines += step_rows(f"{size} kprobes", PERF_STEPS,
                           side_by_side(data, "perf", str(size)))
    for size in sizes(data, "perf_events"):
        lines += step_rows(f"{size} kprobe events", PERF_EVENT_STEPS,
                           side_by_side(data, "perf_events", str(size)))
    for client in "bpftrace", "funccount":
        for size in sizes(data, client):
            lines += [line(f"{client} on {size} functions, {title}",
                           *side_by_side(data, client, str(size), key), 3, 0.005)
                      for key, title in CLIENT_TIMES]
    return lines


def jump_table(data):
    return ["Places inside functions where a jump replaces the breakpoint", "", HEAD,
            *(line(title, *side_by_side(data, "jumps", key), 0, 1e9)
              for title, key in (("probes", "places"), ("with a jump", "jumps")))]


def missed_table(data):
    lines = ["Missed returns, of N calls in progress at a time", "", HEAD]
    for count in sizes(data, "missed"):
        lines.append(line(f"r, {count} calls",
                          *side_by_side(data, "missed", str(count)), 0, 0))
    return lines


# Tables of data["sets"], by the key of their results.
SET_TABLES = {"missed": missed_table, "sets": set_table, "kinds": kind_table, "all": all_table,
              "perf": perf_table, "memory": memory_table, "jumps": jump_table}


def failures(data):
    """Return a message for each failed measurement, and for each result that must not occur.

    Ours may need more instructions or seconds.  It must not have other costs that are
    higher, except in a row for scale or as the case allows, and it must not miss returns.
    """
    found = [f"{what}: the {name} kernel gave no result"
             for what in ("hits", "sets") for name, r in data[what].items() if not r]
    if data["decoder"] == {}:
        found.append("decoder: the host program gave no result")
    for name, result in data["hits"].items():
        found += [f"{key} on {name}: {entry['error']}"
                  for key, entry in result.get("cases", {}).items() if "error" in entry]
    stock, ours = (data["costs"].get(n) or {} for n in ("stock", "ours"))
    for case in [c for c in cases.CASES if c.ours]:
        key = case.key
        found += [f"{key}: {cost}: ours {ours[key][cost]}, stock {stock[key][cost]}"
                  for cost in costs.higher(stock.get(key), ours.get(key))
                  if cost not in case.higher]
    for count in sizes(data, "missed"):
        if missed := side_by_side(data, "missed", str(count))[1]:
            found.append(f"ours missed {missed} returns, of {count} calls")
    return found


def text(data):
    lines = hit_table(data) + ["", ICOUNT]
    if any(data["costs"].values()):
        lines += ["", ""] + costs.table(data["costs"], WIDTH) + ["", costs.NOTE]
    if data["sets"]:
        lines += ["", ""] + set_table(data) + ["", ""] + kind_table(data)
        if any(side_by_side(data, "all")):
            lines += ["", ""] + all_table(data)
        lines += ["", ""] + perf_table(data)
        lines += ["", WALL, "", ""] + memory_table(data) + ["", ""] + missed_table(data)
        lines += ["", ""] + jump_table(data)
    if data["decoder"]:
        lines += ["", ""] + decoder.table(data["decoder"], WIDTH) + ["", decoder.NOTE]
    lines += ["", "'*': worse than stock.", ""] + about.notes(data["about"])
    if bad := failures(data):
        lines += ["", "Failures:"] + [f"  {b}" for b in bad]
    return "\n".join(lines) + "\n"


def tables(data):
    """Return {name: lines} of the tables for which both kernels have results."""
    found = {}
    if all(data["hits"].get(n) for n in ("stock", "ours")):
        found["hits"] = hit_table(data)
    if all(data["costs"].get(n) for n in ("stock", "ours")):
        found["costs"] = costs.table(data["costs"], WIDTH)
    found |= {name: table(data) for name, table in SET_TABLES.items()
              if all(side_by_side(data, name))}
    if data["decoder"]:
        found["decoder"] = decoder.table(data["decoder"], WIDTH)
    return found


def write(path, arch, data):
    """Replace the tables of a document; return their names.

    A table is between the lines '<!-- NAME ARCH -->' and '<!-- end -->'.  A table that
    tables() does not return is left unchanged.
    """
    with open(path) as f:
        page = f.read()
    found = tables(data)
    for name, lines in found.items():
        rows = "\n".join(f"    {row}".rstrip() for row in lines)
        page, count = re.subn(rf"(<!-- {name} {arch} -->\n)[^<]*(<!-- end -->\n)",
                              lambda m: f"{m[1]}\n{rows}\n\n{m[2]}", page)
        if count != 1:
            sys.exit(f"{path} has {count} places for the table '{name} {arch}'")
    with open(path, "w") as f:
        f.write(page)
    return list(found)


def tidy(data):
    """Return the content of result.json: the tables as data, with raw figures."""
    return {
        "about": data["about"],
        "hits": [{"key": c.key, "title": c.title, "stock": number(s), "ours": number(o),
                  "raw": {"stock": s, "ours": o}} for c, s, o in hit_rows(data)],
        "costs": data["costs"],
        "sets": {n: s.get("sets", {}) for n, s in data["sets"].items()},
        "kinds": {n: s.get("kinds", {}) for n, s in data["sets"].items()},
        "all": {n: s.get("all", {}) for n, s in data["sets"].items()},
        "reload": {n: s.get("reload", {}) for n, s in data["sets"].items()},
        "memory": {n: s.get("memory", {}) for n, s in data["sets"].items()},
        "bpftrace": {n: s.get("bpftrace", {}) for n, s in data["sets"].items()},
        "funccount": {n: s.get("funccount", {}) for n, s in data["sets"].items()},
        "perf": {n: s.get("perf", {}) for n, s in data["sets"].items()},
        "perf_events": {n: s.get("perf_events", {}) for n, s in data["sets"].items()},
        "other_ways": {n: s.get("other_ways", {}) for n, s in data["sets"].items()},
        "missed": {n: s.get("missed", {}) for n, s in data["sets"].items()},
        "jumps": {n: s.get("jumps", {}) for n, s in data["sets"].items()},
        "decoder": data["decoder"],
        "units": {"hits": "retired instructions", "sets": "seconds",
                  "decoder": "nanoseconds"},
        "failures": failures(data),
    }
