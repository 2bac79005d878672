#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Read the configurations in tools/configs/table.toml; see README.md there.

    tools/build/configs.py                  print all names and purposes
    tools/build/configs.py --make COMMAND   print the configurations that 'make COMMAND' uses
    tools/build/configs.py --packages       print the packages that 'make test' needs for them
    tools/build/configs.py --options NAME   print all requested options of NAME
"""

import functools
import os
import re
import sys
import tomllib

sys.dont_write_bytecode = True
sys.path.insert(1, f"{sys.path[0]}/..")
from project import BUILD, TOOLS, say  # noqa: E402

DIRECTORY = os.path.join(TOOLS, "configs")
BASE = os.path.join(BUILD, "base/src")

# The keys and their default values.
KEYS = {"what": "", "base": [], "start": "", "random": [], "arch": "x86_64", "llvm": "",
        "without": [], "modules": True, "make": [], "tests": [], "omits": [],
        "cmdline": "", "cpu": "", "patience": 1, "directories": []}
OWN = ("what", "base", "make", "directories")   # are not inherited
COMMANDS = ("test", "configs", "test-configs")

# With KCSAN, kbuild instruments these files although the Makefile in their directory forbids
# it, and kernel files of the same name in other directories, too.
KCSAN = ("kernel/trace/kprobe/*.c", "kernel/trace/fprobe/*.c", "kernel/trace/eprobe/*.c",
         "kernel/trace/uprobe/*.c", "kernel/trace/wprobe/*.c", "kernel/trace/rethook*.c",
         "kernel/trace/probe/*.c")

_OPTION = re.compile(r"CONFIG_(\w+)=(.*)|# CONFIG_(\w+) is not set")


class Problem(Exception):
    """An invalid table."""


def options(path):
    """Return the options of a file: {name: value}, without CONFIG_, 'n' for off."""
    with open(path) as f:
        return {m[1] or m[3]: m[2] if m[1] else "n" for m in map(_OPTION.match, f) if m}


def line(name, value):
    """Return an option as a line of .config."""
    return f"# CONFIG_{name} is not set\n" if value == "n" else f"CONFIG_{name}={value}\n"


@functools.cache
def table():
    """Return the architectures and the configurations."""
    path = os.path.join(DIRECTORY, "table.toml")
    try:
        with open(path, "rb") as f:
            sections = tomllib.load(f)
    except tomllib.TOMLDecodeError as e:
        raise Problem(f"{path}: {e}") from None
    for name in os.listdir(DIRECTORY):
        if name.endswith(".config") and name.removesuffix(".config") not in sections:
            raise Problem(f"tools/configs/{name} belongs to no configuration of table.toml")
    return sections.pop("architectures"), sections


def _value(value):
    """Return the value of an option as in .config, or None if it is invalid."""
    if isinstance(value, str):
        return value if value in ("y", "m", "n") else f'"{value}"'
    return str(value) if type(value) is int else None


class Config:
    """One configuration.  Its keys, and those that it inherits, are attributes.

    Attributes:
        parts: where options are requested, bases first: [(place, options)]; the place is
               a section or the path of a file, whose options are None
        seed: N of random-N, or None
    """

    def __init__(self, name):
        match = re.fullmatch(r"(random)-(\d+)", name)
        self.name, self.parts, self.seed = name, [], match and match[2]
        vars(self).update(KEYS)
        self._read(match[1] if match else name, ())
        architectures = table()[0]
        if self.arch not in architectures:
            raise Problem(f"[{name}]: there is no architecture '{self.arch}'")
        self.make_arch, self.cross = architectures[self.arch]

    def _read(self, name, users):
        section = table()[1].get(name)
        if section is None:
            raise Problem(f"tools/configs has no configuration '{name}'"
                          + (f", the base of [{users[-1]}]" if users else ""))
        if name in users:
            raise Problem(f"[{name}] is its own base")
        for key, value in section.items():
            valid = _value(value) if key.isupper() else isinstance(value, type(KEYS.get(key)))
            if not valid:
                raise Problem(f"[{name}]: '{key}' does not exist or cannot be {value!r}")
        for base in section.get("base", ()):
            if "/" in base:
                self.parts.append((os.path.join(BASE, base), None))
            else:
                self._read(base, (*users, name))
        vars(self).update({key: KEYS[key] for key in OWN})
        own = {option: "n" for option in section.get("without", ())}
        for key, value in section.items():
            if key.isupper():
                own[key] = _value(value)
            else:
                joined = isinstance(value, list) and key not in OWN
                setattr(self, key, getattr(self, key) + value if joined else value)
        if not self.what or set(self.make) - set(COMMANDS):
            raise Problem(f"[{name}] needs 'what', and 'make' can have {', '.join(COMMANDS)}")
        if os.path.exists(path := os.path.join(DIRECTORY, f"{name}.config")):
            self.parts.append((path, None))
        if own:
            self.parts.append((f"[{name}]", own))

    def requested(self):
        """Return the requested options: [(place, {option: value})]."""
        return [(place, own or options(place)) for place, own in self.parts]

    def everything(self):
        """Return all requested options: {option: value}."""
        return {name: value for _, own in self.requested() for name, value in own.items()}

    def inputs(self):
        """Return everything that the contents of .config depend on, except the files."""
        return (self.parts, self.start, self.random, self.without, self.modules,
                self.environment())

    def _parent(self):
        """Return the first base, or None."""
        named = [base for base in self.base if "/" not in base]
        return Config(named[0]) if named else None

    def kernel(self):
        """Return the name of the configuration whose kernel boots.

        It is another configuration if only the command line, processor or tests differ.
        """
        parent = self._parent()
        same = parent and parent.inputs() == self.inputs()
        return parent.kernel() if same else self.name

    def like(self):
        """Return the configuration whose objects the first build starts from, or ''."""
        parent = self.make and self._parent()
        same = parent and (parent.arch, parent.llvm) == (self.arch, self.llvm)
        return parent.kernel() if same else ""

    def srcarch(self):
        return "x86" if self.make_arch in ("x86_64", "i386") else self.make_arch

    def start_file(self, src):
        """Return the file that the options are added to, or None.

        The series adds options to Kconfig, so the same seed would give the base another
        configuration.  The base therefore starts from the .config of the tree with the
        series.
        """
        if self.random and os.path.realpath(src) == os.path.realpath(BASE):
            return os.path.join(BUILD, "configs", self.name, ".config")
        return self.start and os.path.join(f"{src}/arch/{self.srcarch()}/configs", self.start)

    def environment(self):
        """Return environment variables that all calls of the kernel's make need.

        Empty values replace those that the user may have set for other kernels.
        """
        return {"ARCH": self.make_arch, "CROSS_COMPILE": self.cross, "LLVM": self.llvm,
                "KBUILD_KCONFIG": "Kconfig.more" if self.without else "",  # by configure
                "KCONFIG_SEED": self.seed or ""}

    def compiler(self):
        return f"clang{self.llvm.removeprefix('1')}" if self.llvm else f"{self.cross}gcc"

    def packages(self):
        """Return the packages, and groups of tools/build/packages, that a build needs."""
        if self.llvm:
            return [tool + self.llvm.removeprefix("1") for tool in ("clang", "lld", "llvm")]
        found = [f"gcc-{self.cross[:-1]}"] if self.cross else []
        found += [f"run-{self.arch}"] if self.cross and self.tests else []
        found += ["debian"] if self.start.startswith("/") else []
        return found + (["random"] if self.random else [])

    def kcsan(self):
        """Return patterns for the files that KCSAN instruments in any case."""
        return KCSAN if self.everything().get("KCSAN") == "y" else ()


def output(name, tree=BUILD):
    """Return the O= directory of a configuration; @tree is build/ or build/base."""
    short = {"main": "kernel", "debug": "debug"}
    return os.path.join(tree, short.get(name, f"configs/{name}"))


def every(command=None):
    """Return all configurations, or those that 'make @command' uses."""
    found = [Config(name) for name in table()[1]]
    return [c for c in found if command is None or command in c.make]


def main(args):
    match args:
        case []:
            for config in every():
                print(f"{config.name:20} {config.what}")
        case ["--make", command] if command in COMMANDS:
            for config in every(command):
                print(config.name)
        case ["--packages"]:
            print(*sorted({p for config in every("test") for p in config.packages()}))
        case ["--options", name]:
            for option in Config(name).everything().items():
                print(line(*option), end="")
        case _:
            print(__doc__.split("\n\n", 1)[1], end="", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Problem, OSError) as e:
        say(str(e))
        sys.exit(1)
