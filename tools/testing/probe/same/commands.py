#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Generate commands for dynamic events: valid ones, and others with small mistakes.

    commands.py [--seed N] KIND COUNT       print commands as JSON, one in a line

KIND is a letter of a command: p, r (kprobes), f, t, e, or U for uprobes.  The same seed
gives the same commands.  Each has the keys

    file    the file that takes it
    text    the command; {NAME} in the command of a uprobe is the offset of a symbol of
            calls.c, and {PATH} is the path of that program
    values  for each argument, whether its value is the same in each run:
            "same", "pointer" (another value in each run), or "fault" (cannot be read)
    valid   false for a command that was changed at random, so that its values are not known

calls.py has the tables of functions and fields, and mistakes.py those of wrong words.
"""

import argparse
import json
import random
import re
import string
import sys

from calls import EVENTS, FUNCTIONS, MEMBERS, PROGRAM, TRACEPOINTS
from mistakes import HEADS, PLACES, WORDS

REGISTERS = ("di", "si", "dx", "cx", "r8", "r9")
OTHER_REGISTERS = ("ax", "bx", "bp", "r10", "r11", "r12", "r13", "r14", "r15", "ip", "sp",
                   "flags", "cs", "ss", "orig_ax")
SIZES = {"long": 64, "int": 32, "short": 16, "byte": 8, "bit": 0}
NUMBERS = [f"{c}{n}" for c in "usx" for n in (8, 16, 32, 64)]
LETTERS = string.ascii_lowercase + string.digits + "$%@+-():/\\\"=_.,~!<>&# "


def fields(text):
    """Return the pairs of name and type."""
    return [tuple(word.split("=")) for word in text.split()]


def size_of(number):
    """Return the bits that the text of a type reads, or 0 without a type."""
    if number in (":char", ":symbol"):
        return 8 if number == ":char" else 64
    match = re.search(r"(\d+)$", number)
    return int(match[1]) if match else 0


class Commands:
    """Generates the commands of one kind."""

    def __init__(self, kind, seed):
        self.kind, self.count = kind, 0
        self.rng = random.Random(f"{seed} {kind}")
        self.at_entry, self.returns, self.parameters, self.result = True, False, [], "void"
        self.again = []         # the next commands

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def pick(self, *values):
        return self.rng.choice(values)

    # Types

    def bitfield(self):
        size = self.pick(8, 16, 32, 64)
        width = self.rng.randint(1, size)
        return f"b{width}@{self.rng.randint(0, size - width)}/{size}"

    def number(self):
        if self.chance(20):
            return self.bitfield()
        return self.pick("char", "symbol" if self.kind != "U" else "x64", *NUMBERS)

    def number_type(self):
        return f":{self.number()}" if self.chance(85) else ""

    def memory_type(self):
        if self.chance(30):
            return f":{self.number()}[{self.rng.randint(1, 9)}]"
        return self.number_type()

    # Sources.  Each returns an expression with its type, and what is known of its value.

    def constant(self):
        if self.kind != "e" and self.chance(15):
            return '\\"' + self.pick("text", "a", "a+b(c)", "x:y"[:1]) + '"', "same"
        n = self.rng.randrange(1 << self.pick(3, 8, 16, 31, 63))
        text = self.pick(str(n), hex(n), f"-{n}", f"0{n:o}")
        return f"\\{text}{self.number_type()}", "same"

    def data(self):
        if self.kind == "U":
            place = self.pick("@+{first}", "@{first_address}", "@{second_address}")
            if self.chance(50):
                return place + self.number_type(), "same"
            return "+{}({}){}".format(self.pick(0, 8), place, self.memory_type()), "pointer"
        name = self.pick("hex_asc", "hex_asc_upper", "linux_proc_banner")
        if self.chance(30):
            return f"@{name}:string", "same"
        offset = self.pick("", "+1", "+3", "+0x5")
        if self.chance(15):
            return f"+{self.rng.randrange(9)}(@{name}{offset}){self.memory_type()}", "fault"
        number = self.memory_type() if name == "linux_proc_banner" else self.number_type()
        return f"@{name}{offset}{number}", "same"

    def stack(self):
        if self.chance(30):
            return f"$stack{self.number_type()}", "pointer"
        if self.chance(30):
            return f"+{8 * self.rng.randrange(9)}($stack){self.memory_type()}", "pointer"
        return f"$stack{self.rng.randrange(20)}{self.number_type()}", "pointer"

    def comm(self):
        # Without a type, an event probe of the stock kernel records an address.
        return "$comm:string" if self.kind == "e" else self.pick("$comm", "$COMM"), "same"

    def dereference(self, inner, levels=3):
        """Return a dereference of an expression that is not the address of data."""
        for _ in range(self.rng.randint(1, levels)):
            sign = self.pick("+", "+", "+", "-", "+u")
            inner = f"{sign}{self.pick(0, 8, 16, '0x18', 40)}({inner})"
        # The stock kernel has no arrays in user memory.
        number = self.number_type() if sign == "+u" else self.memory_type()
        return inner + self.pick(number, number, ":string", ":ustring")

    def register(self):
        """Return a register, or memory at the address in one."""
        if self.at_entry and not self.returns and self.chance(60):
            types = [t for _, t in self.parameters][:len(REGISTERS)]
            if types:
                n = self.rng.randrange(len(types))
                return self.plain(f"%{REGISTERS[n]}", types[n])
        name = f"%{self.pick(*REGISTERS, *OTHER_REGISTERS)}"
        if self.chance(60):
            return name + self.number_type(), "pointer"
        return self.dereference(name), "pointer"

    def plain(self, text, kind):
        """Return a number that is in a register, or memory at it."""
        if kind == "user" and self.chance(60):
            how = self.pick("+u{}({}):string", "+{}({}):ustring", "+{}({}):x8[4]")
            return how.format(self.rng.randrange(4), text), "same"
        if kind == "node" and self.chance(70):
            return self.pick("+u8({}):ustring", "+0(+8({})):ustring", "+16({}):s32",
                             "+20({}):x16", "+22({}):char[5]", "+0(+0({})):x64",
                             "+8(+0({})):x64", "+16({}):b4@4/32").format(text), "pointer"
        if self.chance(70):
            return text + self.number_type(), "same" if kind in ("same", "user") else "pointer"
        return self.dereference(text), "pointer"

    def argument(self):
        """Return $argN without a name in BTF, or memory at it."""
        if not self.parameters or not self.at_entry:
            return self.constant()
        n = self.rng.randrange(len(self.parameters))
        return self.plain(f"$arg{n + 1}", self.parameters[n][1])

    def member(self):
        """Return a parameter by its name, or a member of a structure."""
        if not self.parameters or not self.at_entry:
            return self.constant()
        n = self.rng.randrange(len(self.parameters))
        return self.walk(*self.parameters[n])

    def retval(self):
        if self.result == "void" or not self.returns:
            return self.member() if self.kind in "ft" else self.register()
        if self.result[0] == "*" and self.kind != "U" and self.chance(70):
            return self.walk("$retval", self.result)
        if self.chance(40):
            return self.plain("$retval", self.result)
        return "$retval" + self.number_type(), "same" if self.result == "same" else "pointer"

    def walk(self, text, kind):
        """Follow pointers to the member of a structure."""
        for _ in range(6):
            name = kind.lstrip("*")
            if name not in MEMBERS or (kind[0] == "*" and self.chance(10)):
                break
            arrow = "->" if kind[0] == "*" else "."
            member, kind = self.rng.choice(list(MEMBERS[name].items()))
            text += arrow + member
        if kind in ("text", "chars"):
            return f"{text}:string", "same"
        if kind == "user":
            return text + self.pick("", ":ustring", ":x64", ":u32"), "same"
        if kind in MEMBERS:
            return f"{text}:x32", "pointer"
        number = self.number_type()
        bits = SIZES.get(kind, 0)
        # A wider type also reads the member after it, and SIZE of a bitfield is a size, too.
        if kind == "same" or (kind in SIZES and size_of(number) <= bits):
            return text + number, "same"
        return text + number, "pointer"

    def field(self):
        """Return a field of an event."""
        name, kind = self.rng.choice(self.parameters)
        if kind == "user" and self.chance(70):
            how = self.pick("+u{}(${}):string", "+{}(${}):ustring", "+{}(${}):x8[4]")
            return how.format(self.rng.randrange(4), name), "same"
        if kind in ("chars", "data"):
            return f"${name}" + self.pick("", ":string"), "same"
        if kind == "longs":
            return f"${name}" + self.pick("", ":x64"), "pointer"
        if self.chance(10):
            return self.dereference(f"${name}"), "pointer"
        return f"${name}{self.number_type()}", "same"

    def sources(self):
        if self.kind == "e":
            return (self.field,) * 6 + (self.constant, self.data, self.comm)
        if self.kind == "U":
            return (self.register,) * 4 + (self.retval,) * 2 + (
                self.constant, self.data, self.stack, self.comm)
        usual = (self.constant, self.data, self.comm, self.argument, self.argument,
                 self.member, self.member, self.member, self.retval)
        if self.kind in "pr":
            return (*usual, self.register, self.register, self.stack)
        return (*usual, self.stack) if self.kind == "f" else usual

    def own_name(self, text):
        """Return the name that an argument has if no other is given, or ''."""
        match = re.match(r"(\w+)(:|$)", text)
        return match[1] if match else ""

    def arguments(self):
        texts, values, names = [], [], set()
        if self.kind not in "eU" and self.at_entry and self.chance(7):
            texts, values = ["$arg*"], ["pointer"] * len(self.parameters)
            names = {name for name, _ in self.parameters}
        for _ in range(self.pick(0, 1, 1, 2, 2, 3, 4, 5, 8, 12)):
            text, value = self.rng.choice(self.sources())()
            name = self.pick("a", "b", "c", "name", "x1", "_y", "VALUE", "a" * 32)
            if name in names or name in dict(self.parameters):
                name = f"{name[:28]}_{len(names)}"
            own = self.own_name(text)
            if own in names or self.chance(85) or text[0] == "$":
                text = f"{name}={text}"
            else:
                name = own or name
            names.add(name)
            texts.append(text)
            values.append(value)
        return texts, values

    # Heads and places

    def head(self, letter):
        self.count += 1
        event = f"{letter}{self.count}"
        group = self.pick("", "", "same/", "other.", "gr-oup/")
        if self.chance(8):
            return self.pick("", "", ":same/")
        return f":{group}{event}"

    def place_of_function(self):
        name, (parameters, self.result) = self.rng.choice(list(FUNCTIONS.items()))
        self.parameters, self.at_entry = fields(parameters), True
        self.returns = self.kind == "r"
        if self.kind == "f" and self.chance(40):
            self.returns = True
            return f"{name}%return"
        if self.kind == "p" and self.chance(15):
            self.returns = True
            return f"{name}%return"
        if self.kind == "p" and self.chance(25):
            self.at_entry = False
            return f"{name}+{self.pick(4, 5, 7, 9, 10, 11, 12, 15, 20, '0x10')}"
        if self.kind in "pr" and self.chance(4):
            self.at_entry = False
            return f"nosuchmodule:{name}"
        return name

    def place_in_program(self):
        name, (parameters, self.result) = self.rng.choice(list(PROGRAM.items()))
        self.parameters = [("", t) for t in parameters.split()]
        self.returns = self.at_entry = False
        place = "{PATH}:{" + name + "}"
        # All probes of a place must have the same counter.
        counter = "({semaphore})" if name in ("u_text", "u_semaphore") else ""
        if self.chance(40):
            self.returns = True
            if self.chance(50):
                return f"{place}%return{counter}", "p"
            return place + counter, "r"
        self.at_entry = True
        return place + counter, "p"

    def filter(self):
        tests = []
        for _ in range(self.rng.randint(1, 2)):
            name, kind = self.rng.choice(self.parameters)
            if kind in ("chars", "data"):
                op, text = self.pick("==", "!=", "~"), self.pick("calls", "r*")
                tests.append(f'{name} {op} "{text}"')
            elif kind in ("same", "user"):
                op = self.pick("==", "!=", "<", "<=", ">", ">=", "&")
                tests.append(f"{name} {op} {self.pick(0, 3, 10, 256, '0x20', 1000)}")
        return f" if {self.pick(' && ', ' || ').join(tests)}" if tests else ""

    def valid(self):
        """Return a command that is meant to be valid."""
        letter, end, place = self.kind, "", ""
        if self.kind == "t":
            place, parameters = self.rng.choice(list(TRACEPOINTS.items()))
            self.parameters = fields(parameters)
        elif self.kind == "e":
            place, parameters = self.rng.choice(list(EVENTS.items()))
            self.parameters = fields(parameters)
            if self.chance(20):
                place = place.replace("/", ".")
            if self.chance(25):
                end = self.filter()
        elif self.kind == "U":
            place, letter = self.place_in_program()
        else:
            place = self.place_of_function()
        head = self.head(self.kind.lower())
        if letter == "r" and self.kind == "r" and self.chance(10):
            letter = f"r{self.pick(1, 10, 100)}"
        arguments, values = self.arguments()
        own = {"p": "kprobe_events", "r": "kprobe_events", "U": "uprobe_events"}.get(self.kind)
        file = own if own and (head[:1] != ":" or self.chance(70)) else "dynamic_events"
        return {"file": file, "text": " ".join([letter + head, place, *arguments]) + end,
                "values": values, "valid": True}

    def mutate(self, text):
        """Return the text with one small change."""
        words = text.split(" ")
        n = self.rng.randrange(len(words))
        what = self.rng.randrange(17)
        if what == 16 and self.chance(60):
            words[0] = self.pick(*HEADS)
            return " ".join(words)
        if what >= 14 and len(words) > 1:
            words[1] = self.pick(*PLACES["p" if self.kind == "r" else self.kind])
            return " ".join(words)
        # A command has one mistake: not all kinds have registers.
        usual = [w for w in WORDS if self.kind in "prU" or "%di" not in w]
        if what < 5:
            return " ".join([*words, self.pick(*usual)])
        if what == 5:
            words[n] = self.pick(*usual)
        elif what == 6:
            del words[n]
        elif what == 7:
            words.insert(n, words[n])
        elif what == 8 and len(words) > 2:
            words[n] += self.pick(":u8", ":string", "[2]", "a" * 64, "a" * 33, ")", "(", "%",
                                  "+" * 5)
        elif what == 9:
            return self.long(words)
        else:
            return self.change_letter(text)
        return " ".join(words)

    def long(self, words):
        """Return a command with something that is too long, or too deep."""
        n = self.rng.randrange(6)
        if n == 5:
            words += ["+0(\\1):x64[64]"] * self.pick(5, 6, 7)
        elif n == 0:
            words += ["\\1"] * self.pick(60, 128, 129, 200)
        elif n == 1:
            depth = self.pick(10, 13, 14, 15, 16)
            words.append("x=" + "+0(" * depth + self.pick("@1", "\\1", "$comm") + ")" * depth)
        elif n == 2:
            words.append("x" * self.pick(31, 32, 33, 60) + "=\\1")
        elif n == 3 and self.kind != "e":
            words.append("x=\\" + '"' + "y" * self.pick(58, 60, 61, 62, 80) + '"')
        else:
            words[0] = f"{words[0][0]}:{'g' * self.pick(1, 63, 64)}/{'e' * self.pick(63, 64)}"
        return " ".join(words)

    def change_letter(self, text):
        n = self.rng.randrange(len(text))
        letter = self.rng.choice(LETTERS)
        return self.pick(text[:n] + text[n + 1:], text[:n] + text[n] + text[n:],
                         text[:n] + letter + text[n:], text[:n] + letter + text[n + 1:])

    def invalid(self):
        """Return a command with a mistake, which may be valid all the same."""
        if not self.again:
            command = {**self.valid(), "valid": False}
            text = command["text"]
            self.again = [{**command, "text": self.mutate(text), "values": []}]
            if self.chance(4):
                # A definition, the same again, and one with another argument.
                self.again += [{**command, "text": f"{text} zz=\\1", "values": []},
                               command, command]
        return self.again.pop()


def commands(kind, count, seed=1):
    """Return @count valid commands, and as many others."""
    source = Commands(kind, seed)
    return ([source.valid() for _ in range(count)]
            + [source.invalid() for _ in range(count)])


def main():
    p = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seed", default=1)
    p.add_argument("kind", choices=list("prfteU"))
    p.add_argument("count", type=int)
    args = p.parse_args()
    for command in commands(args.kind, args.count, args.seed):
        json.dump(command, sys.stdout)
        print()


if __name__ == "__main__":
    main()
