# SPDX-License-Identifier: GPL-2.0
"""Part: commands for dynamic events do the same on the stock kernel and on ours.

tools/testing/probe/same has a generator of commands of all kinds, valid and invalid.  A
guest with each kernel writes them, makes some calls, and notes what happens: the errno,
error_log, the listing, the format, and the records.

Differences that are meant are in KNOWN.  Values that differ from one boot to the next, such
as addresses of data, are only compared as far as they can be read.  A batch of commands
that kills a guest is halved, and the halves run in other guests, until the command is found.
Two guests of a kernel share its batches.  The cache keeps the outcomes on the stock kernel.
"""

import collections
import functools
import json
import os
import re
import subprocess
import sys

import kselftest
import paths
from guests import COMPLAINED
from project import TOOLS
from result import FAIL, PASS, SKIP

sys.path.append(f"{TOOLS}/testing/probe/same")
import commands  # noqa: E402

KINDS = {"kprobe": "p", "kretprobe": "r", "fprobe": "f", "tracepoint": "t", "eprobe": "e",
         "uprobe": "U"}
COUNT = 300             # valid commands of a kind, and invalid ones
BATCH = 50
LIMIT = 1800            # seconds for a guest
MAX_DEATHS = 60         # of guests with one kernel
SHOWN = 12              # differences of a kind that are printed

HERE = f"{TOOLS}/testing/probe/same"
PROGRAM = "/tmp/same/calls"
NUMBER = r"(?:-?\d+|-?0x[0-9a-f]+|#|'.'|[\w.]+\+0x[0-9a-f]+)"

# Accepted differences: a regular expression for 'WHAT: STOCK != OURS', the reason, and, if
# not all commands can have the difference, a regular expression for their beginning.
KNOWN = [(re.compile(pattern, re.S), reason, re.compile("".join(begin)))
         for pattern, reason, *begin in (
    (rf"value: {NUMBER} != \(fault\)",
     "stock shows old data of the buffer for a number that cannot be read"),
    (r'value: \(fault\) != ""',
     "stock shows an empty text in user memory as a fault"),
    (r'value: "calls" != \(fault\)',
     "stock shows the text of another argument for one that cannot be read",
     r".*(?:\$comm|\$COMM|comm:string)"),
    (r'value: \(fault\) != ".+"',
     "uprobe events of stock read a constant string from user memory"),
    (r"place: \(\[unknown/kretprobe'd\] <- (.*)\) != \(\w+\+0x[0-9a-f]+ <- \1\)",
     "stock does not know the caller"),
    (r"flags: .*",
     "stock's flags are those of the handler, or not set"),
    (r"refusal: (\d+ .*?)( @\d+|) != \1: .*\2",
     "a detail follows the message"),
    (r"refusal: (\d+) (?:.* )?(\w+: error: [^@]+?(?: @\d+)?)(?: \w+: .*)? != \1 \2",
     "stock logs two errors, ours only one of them"),
    (r"refusal: 7  != 7 .*: Too many arguments.*",
     "stock logs no error"),
    (r"refusal: 22 event_probe: error: BTF is not available or not supported(?: @\d+)? != .*",
     "our kernel accepts fields without $",
     r"e"),
    (r"refusal: 22 .*Invalid fetch argument(?: @\d+)? != \d+ .*"
     r"(?:Typecast|brace is not closed|pointer to union).*",
     "our kernel takes braces for a cast",
     r".*(?:[ =(]\()"),
    (r"refusal: 7 .*Argument expression is too long(?: @\d+)? != .*",
     "our kernel accepts arguments of up to 255 characters",
     r".* (?:\w+=)?[^ ]{64,255}(?: |$)"),
    (r"refusal: (2|22) (?:.*(?:Invalid probed address or symbol|Failed to register probe event)"
     r"(?: @\d+)?)? != \1 .*Invalid memory address(?: @\d+)?",
     "stock looks up the data symbols of arguments last, and shows the place"),
    (r"refusal: 17 .* != 22 .*Invalid memory address(?: @\d+)?",
     "stock looks up the data symbols of arguments last",
     r".*@[^ ]*[+-](?:[: ]|$)"),
    (r"refusal: \d+ .*(?:is not found|No BTF entry|BTF is not|Unknown type|already used"
     r"|-variable|single hyphen).* != 22 .*(?:Invalid fetch argument|No argument expression"
     r"|Argument name must follow).*",
     "our parser refuses a character before names and types are looked up"),
    (r"refusal: 22 .*Invalid \$-variable specified(?: @\d+)? != 22 .*: \$arg\* .*",
     "our message names the rule for $arg*"),
    (r"refusal: 22 .*-variable .* Invalid fetch argument.* != 22 .*Invalid register name.*",
     "our parser refuses a register without a name"),
    (r"refusal: 22 .*(?:Invalid immediate value|Invalid register name) @\d+"
     r" != 22 .*Invalid fetch argument @\d+",
     "our kernel shows the column of a closing brace that has no opening one",
     r".*\)"),
    (r"refusal: (22 .*(?:Invalid bitfield|Symbol String .*|brace is not closed)) @\d+"
     r" != \1 @\d+",
     "stock's column is wrong after a dereference"),
    (r"refusal: (\d+ .*) @\d+ != \1 @\d+",
     "stock's column is wrong after a dereference of user memory",
     r".*[+-]u[^ ]*\("),
    (r"refusal: (22 .*This type does not fit for string\.) @\d{4,} != \1 @\d+",
     "stock's column is wrong after the last member"),
    (r"refusal: \d+ .* != 22 .*No predicate after 'if'(?: @\d+)?",
     "stock takes the word 'if' for an argument",
     r".* if(?: |$)"),
    (r"refusal: [1-9]\d* .* != .*",
     "our kernel has operators",
     r"\S+ \S+ (?:.* )?[^@ ]*[\w)](?:[-+*/%&|^]|<<?|>>?|[=!<>]=)[\w$%@\\(+~-]"),
    (r"refusal: 2 .*Invalid probed address or symbol.* != 2 .*This variable is not found.*",
     "our kernel takes a character in a symbol for an operator",
     r".*@\w+[-+*/%&|^]\w"),
    (r"refusal: 22 .*Invalid fetch argument( @\d+) != 22 .*Parenthesis is not closed\1",
     "our kernel has parentheses"),
    (r"refusal: 22 .*Event name must follow .* != 22 .*Unknown option of an event.*",
     "our kernel takes the text after a comma for an option of the event",
     r"[^ ]*,"),
    (r"refusal: 22 .*Invalid probed address or symbol.* != \d+ .*"
     r"(?:Invalid probed address or symbol|A list of places|Invalid probed address suffix).*",
     "our kernel takes a comma in a place for a list of places",
     r"[pr][^ ]* [^ ]*,"),
    (r"refusal: 22 .*Invalid probed address or symbol((?: @\d+)?) != 2 .*No function .*\1",
     "our kernel takes the symbol as a pattern"),
    (r"refusal: .* != 22 trace_kprobe: error: Invalid probed address or symbol(?: @\d+)?",
     "stock accepts a module without a symbol"),
    (r"refusal: 0  != 22 trace_fprobe: error: Failed to register probe event.*",
     "stock takes a number as the index of a function"),
    (r"refusal: .* != 22 event_probe: error: \$comm and immediate-string .*",
     "stock records a part of the address of the text"),
    (r"refusal: 22 trace_kprobe: error: \$arg\* can be used only .* != .*",
     "stock knows no $argN of a function whose module is not loaded",
     r"p\S* [^/% ]+:\S+ .*\$arg\d"),
    (r"refusal: 22 trace_kprobe: error: \$arg\* can be used only on function entry or exit"
     r"( @\d+) != 22 trace_kprobe: error: Invalid argument number\1",
     "$arg0 that is not at the entry of a function has two errors",
     r"p\S* \S+\+.* \$arg0"),
    (r"refusal: 0  != 2 trace_kprobe: error: Invalid probed address or symbol: .*",
     "stock accepts a probe at an address without code",
     r"[pr]\S* 0x123(?: |$)"),
    (r"refusal: 22 trace_kprobe: error: \$(?:arg\* can be used only|retval is not).* != .*",
     "stock knows neither $argN nor $retval for a return probe at an address",
     r"r\S* 0\S* .*\$(?:arg\d|retval)"),
    (r"refusal: \d+ trace_fprobe: error: .* != "
     r"22 trace_fprobe: error: Failed to register probe event(?: @\d+)?",
     "our kernel refuses the characters / and = before it looks at arguments",
     r"f\S* [^ ]*[/=]"),
    (r"refusal: 22 trace_fprobe: error: Failed to register probe event @\d+ != 0 ",
     "our kernel waits for a module that is not loaded",
     r"f\S* \w+:\w+(?: |$)"),
    (r"refusal: 2 (trace_fprobe: error: )This variable is not found at this probe point( @\d+)"
     r" != 2 \1No BTF entry for this probe point\2",
     "for a tracepoint that does not exist, stock takes a function of this name",
     r"t\S* vfs_read "),
    (r"refusal: .* != 2 trace_uprobe: error: No BTF entry for this probe point @\d+",
     "stock ignores the members of $retval in a uprobe",
     r".*\$retval(?:->|\.)"),
    (r"refusal: 22  != 22 wprobe: error: .*",
     "stock has no watchpoints",
     r"w"),
)]


def layout(program):
    """Return what {NAME} stands for in commands: offsets in the program's file."""
    def lines(option):
        return [line.split() for line in subprocess.run(
            ["readelf", option, program], check=True, text=True,
            stdout=subprocess.PIPE).stdout.splitlines()]

    loads = [[int(w, 0) for w in (words[1], words[2], words[4])]
             for words in lines("-lW") if words[:1] == ["LOAD"]]
    found = {"PATH": PROGRAM}
    for words in lines("-sW"):
        if len(words) == 8 and words[3] in ("FUNC", "OBJECT"):
            address = int(words[1], 16)
            for offset, start, size in loads:
                if start <= address < start + size:
                    found[words[7]] = hex(address - start + offset)
                    found[f"{words[7]}_address"] = hex(address)
    return found


def generate(kinds, seed, program):
    """Return the commands: all of one kind after the other."""
    names = layout(program)
    found = []
    for kind in kinds:
        for c in commands.commands(KINDS[kind], COUNT, seed):
            text = re.sub(r"\{(\w+)\}", lambda m: names.get(m[1], m[0]), c["text"])
            found.append({**c, "kind": kind, "text": text})
    return found


def batches(todo):
    """Return lists of numbers of commands; a batch has commands of one kind.

    The stock kernel has only one event for each tracepoint.
    """
    found, places = [], set()
    for number, command in enumerate(todo):
        last = found[-1] if found else []
        place = command["text"].split()[1:2]
        alone = command["kind"] == "tracepoint" and not places.isdisjoint(place)
        if (not last or len(last) == BATCH or alone
                or todo[last[0]]["kind"] != command["kind"]):
            found.append(last := [])
            places = set()
        last.append(number)
        places.update(place)
    return found


class Run:
    """Batches of the commands, and their outcomes on one kernel."""

    def __init__(self, guests, label, kernel, todo, queue, program):
        self.guests, self.label, self.kernel = guests, label, kernel
        self.todo, self.queue, self.program = todo, queue, program
        self.outcome = {}       # {number of a command: outcome}
        self.killed = {}        # {number of a command: why the guest ended}
        self.complaints, self.left = [], []

    @property
    def verdict(self):
        return self.outcome

    @property
    def died(self):
        return self.killed or self.left

    def recall(self, report):
        """Like run(), but use the outcomes of an earlier run with the same commands."""
        words = json.dumps([[(n, self.todo[n]) for n in batch] for batch in self.queue])
        file = kselftest.stock_file(self.kernel, [words], [self.program, f"{HERE}/outcomes.py"])
        known = kselftest.recall(report, file, self.run)
        self.outcome = {int(number): outcome for number, outcome in known.items()}

    def run(self):
        queue = self.queue
        for number in range(MAX_DEATHS):
            queue = self.one_guest(f"same-{self.label}" + (f"-{number + 1}" if number else ""),
                                   queue)
            if not queue:
                break
        return self

    def add(self, other):
        """Add the outcomes of other batches on this kernel."""
        self.outcome.update(other.outcome)
        self.killed.update(other.killed)
        self.complaints += other.complaints
        self.left += other.left
        return self

    def one_guest(self, name, queue):
        """Run batches in a guest; return the batches that are left if it dies."""
        os.makedirs(paths.RESULTS, exist_ok=True)
        file = os.path.join(paths.RESULTS, f"{name}.json")
        with open(file, "w") as f:
            json.dump([[self.todo[n] for n in batch] for batch in queue], f)
        done = self.guests.run(
            name, self.kernel,
            f"python3 {HERE}/outcomes.py {file} {self.program} /out/outcomes", LIMIT,
            append=["nokaslr"])
        if done.status == COMPLAINED and not done.died:
            self.complaints.append(f"{name}: {done.why()}")
        ended = self.read(os.path.join(done.dir, "out", "outcomes"), queue)
        left = queue[ended:]
        if not left:
            return []
        guilty = left.pop(0)
        if len(guilty) > 1:
            half = len(guilty) // 2
            return [*left, guilty[:half], guilty[half:]]
        self.killed[guilty[0]] = done.why(12)
        return left

    def read(self, path, queue):
        """Read the outcomes; return the number of batches that ended."""
        ended = 0
        try:
            with open(path) as f:
                lines = [json.loads(line) for line in f if line.endswith("\n")]
        except OSError:
            return 0
        for line in lines:
            self.outcome.update(zip(queue[ended], line["outcomes"]))
            if line["deleted"] or line["left"] or line["status"]:
                self.left.append(f"deleted {line['deleted']}, status {line['status']}: "
                                 f"{line['left']}")
            ended += 1
        return ended


def names(listing):
    """Return the names of the arguments in a line of dynamic_events."""
    return re.findall(r" (\w+)=", listing)


def split(listing, record):
    """Return the place in a record, and its values.

    A record can have other arguments than those in @listing: if an event has the default
    name, another command may define it, too.
    """
    pattern = r"(\(.*?\))"
    for name in names(listing):
        pattern += rf" {re.escape(name)}=(.*)"
    match = re.fullmatch(pattern, record, re.S)
    if not match or re.search(r" \w+=", " ".join(match.groups()[1:])):
        return re.sub(r" \w+=.*", "", record, flags=re.S), ()
    return match[1], match.groups()[1:]


def elements(value):
    if value[:1] != "{":
        return [value]
    return re.findall(r"'.'|\"[^\"]*\"|[^,]+", value[1:-1], re.S)


def hide(value, known):
    """Return a value of a record without the parts that differ in each boot."""
    if known == "pointer":
        return "#"
    if re.fullmatch("0xffff[0-9a-f]{12}", value):
        return "#"
    return re.sub("/0x[0-9a-f]+", "", value)


def records(command, outcome):
    """Return the records of a command: lists of flags, place and values."""
    found = []
    for listing, hits in zip(outcome["listing"], outcome["hits"]):
        known = command["values"]
        if len(known) != len(names(listing)):
            known = ["pointer"] * len(names(listing))
        for flags, record in hits:
            place, values = split(listing, record)
            place = re.sub("/0x[0-9a-f]+", "", place)
            found.append((flags.replace("N", ".").replace("p", "."), place, [
                [hide(e, k) for e in elements(v)] for v, k in zip(values, known)]))
    return found


def refusal(outcome):
    """Return the errno of a command, and its errors with their columns."""
    errors = (f"{e[0]} @{e[2] if len(e) > 2 else ''}" for e in outcome["errors"])
    return f"{outcome['errno']} {' '.join(errors)}"


def differences(command, stock, ours):
    """Return the differences of two outcomes of a command: (WHAT, STOCK, OURS)."""
    for outcome in (stock, ours):
        outcome["command"] = [e[1] for e in outcome["errors"] if len(e) > 1][-1:]
    refused = [refusal(stock), refusal(ours)]
    if re.search(r"\$arg\*|%p[dD]", command["text"]):
        # Stock counts columns after it has replaced these arguments.
        refused = [re.sub(r" @\d+", "", text) for text in refused]
    if refused[0] != refused[1]:
        return [("refusal", *refused)]
    found = [(what, stock[what], ours[what]) for what in ("gone", "formats", "enabled")]
    found.append(("listing", "\n".join(stock["listing"]), "\n".join(ours["listing"])))
    if stock["listing"] and ours["listing"]:
        found += record_differences(records(command, stock), records(command, ours))
    return [d for d in found if d[1] != d[2]]


def record_differences(stock, ours):
    found = [("hits", len(stock), len(ours))]
    if len(stock) != len(ours):
        return found
    for s, o in zip(stock, ours):
        found += [("flags", s[0], o[0]), ("place", s[1], o[1])]
        for one, other in zip(s[2], o[2]):
            if len(one) != len(other):
                found.append(("value", one, other))
            else:
                found += [("value", *pair) for pair in zip(one, other)]
    return found


def is_known(command, difference, count):
    text = "{}: {} != {}".format(*difference)
    for pattern, reason, begin in KNOWN:
        if pattern.fullmatch(text) and begin.match(command["text"]):
            count[reason] += 1
            return True
    return False


def compare(report, kind, todo, stock, ours):
    """Compare the outcomes of all commands of a kind."""
    known, wrong, hits, refused, skipped = collections.Counter(), [], 0, 0, 0
    for number, command in enumerate(todo):
        if command["kind"] != kind:
            continue
        s, o = stock.outcome.get(number), ours.outcome.get(number)
        if not o:
            wrong.append(f"{command['text']}\n"
                         f"  our kernel died: {ours.killed.get(number, 'not run')}")
            continue
        if not s:
            skipped += 1
            continue
        hits += any(o["hits"]) and command["valid"]
        refused += o["errno"] != 0 and not command["valid"]
        unknown = [d for d in differences(command, s, o) if not is_known(command, d, known)]
        if unknown:
            wrong.append(command["text"] + "".join(
                f"\n  {what}:\n    stock {one!r}\n    ours  {other!r}"
                for what, one, other in unknown[:3]))
    for reason, count in known.items():
        report.say(f"  same {kind}: {count} times: {reason}")
    report.add(FAIL if hits < COUNT / 2 else PASS,
               f"same {kind}: {hits} valid commands have hits")
    report.add(FAIL if refused < COUNT / 2 else PASS,
               f"same {kind}: {refused} invalid commands are refused")
    if skipped:
        report.add(SKIP, f"same {kind}: {skipped} commands", "they kill the stock kernel")
    report.add(FAIL if wrong else PASS, f"same {kind}: the kernels do the same",
               f"{len(wrong)} commands differ\n" + "\n".join(wrong[:SHOWN]))
    with open(os.path.join(paths.RESULTS, f"same-{kind}"), "w") as f:
        f.write("\n".join(wrong) + "\n")


def build_program():
    out = os.path.join(paths.RESULTS, "bin")
    os.makedirs(out, exist_ok=True)
    program = f"{out}/calls-static"
    subprocess.run(["gcc", "-O1", "-Wall", "-static", "-o", program, f"{HERE}/calls.c"],
                   check=True)
    return program


def same(report, guests, kernel, build_stock, only=None, seed=None):
    """Compare all kinds of commands, or only those with @only in their names.

    Another @seed gives other commands.
    @build_stock builds the stock kernel and returns its O= directory.
    """
    kinds = [k for k in KINDS if not only or only in k]
    if not kinds:
        return
    program = build_program()
    todo = generate(kinds, seed or 1, program)
    queue = batches(todo)
    # Batches of one kind take longer than those of another, so they are dealt out in turn.
    shares = [queue[::2], queue[1::2]]
    runs = [[Run(guests, f"{label}-{n}", where, todo, share, program)
             for n, share in enumerate(shares, 1)]
            for label, where in (("stock", build_stock()), ("ours", kernel))]
    # The stock kernel takes longer, so it starts first.
    for job in ([guests.submit(run.recall, report) for run in runs[0]]
                + [guests.submit(run.run) for run in runs[1]]):
        job.result()
    stock, ours = [functools.reduce(Run.add, both) for both in runs]
    for kind in kinds:
        compare(report, kind, todo, stock, ours)
    for n, why in stock.killed.items():
        report.say(f"  same: stock dies: {todo[n]['text']}\n    {why}")
    for label, run in (("stock", stock), ("ours", ours)):
        for text in run.complaints + run.left:
            report.say(f"  same: {label}: {text}")
    report.add(FAIL if ours.complaints else PASS, "same: our kernel does not complain",
               "\n".join(ours.complaints))
    report.add(FAIL if ours.left else PASS, "same: all events can be deleted",
               "\n".join(ours.left))
