#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Read the descriptions of configurations in tools/configs; see README.md there.

    tools/build/configs.py                  print all names and purposes
    tools/build/configs.py --in USE         print the configurations with 'in USE'
    tools/build/configs.py --packages USE   print the package groups of these configurations
    tools/build/configs.py NAME             print keywords of NAME as shell variables config_KEY
    tools/build/configs.py --options NAME   print all requested options of NAME
"""

import os
import re
import shlex
import sys

sys.path.insert(1, f"{sys.path[0]}/..")
from project import BUILD, TOOLS, say  # noqa: E402

DIRECTORY = os.path.join(TOOLS, "configs")
BASE = os.path.join(BUILD, "base/src")

# Keywords with a single value, and keywords with a list.
SINGLE = {"start": "allnoconfig", "arch": "x86_64", "cross": "", "llvm": "",
          "kconfig": "", "cpu": "", "kernel": "", "modules": "", "patience": "",
          "like": ""}
LISTS = ("in", "packages", "append", "tests", "allow", "within", "lacks", "omits",
         "kcsan")
# Lists in which a line is one value; in the other lists, each word is a value.
WHOLE = ("append", "allow")

DEBIAN = "/usr/src/linux-config-6.12/config.amd64_none_cloud-amd64.xz"
_OPTION = re.compile(r"(CONFIG_\w+)=(.*)|# (CONFIG_\w+) is not set")


class Problem(Exception):
    """An invalid description."""


def options(path):
    """Return the options of one file, in order: [(name, value)], 'n' for off."""
    found = []
    with open(path) as f:
        for line in f:
            if match := _OPTION.match(line):
                found.append((match[1], match[2]) if match[1] else (match[3], "n"))
    return found


class Config:
    """One configuration: its keywords as attributes, its files as 'fragments'."""

    def __init__(self, name):
        self.name = name
        self.what = ""
        self.fragments = []     # paths, included files first
        self.words = dict(SINGLE)
        self.lists = {key: [] for key in LISTS}
        self.seed = None
        file = name
        if match := re.fullmatch(r"(random.*)-(\d+)", name):
            file, self.seed = match[1], match[2]
        self._read(os.path.join(DIRECTORY, file), [])

    def _read(self, path, includers):
        if path in includers:
            raise Problem(f"{self.name}: {path} includes itself")
        try:
            with open(path) as f:
                lines = f.read().splitlines()
        except OSError as e:
            raise Problem(f"{self.name}: {path}: {e.strerror}") from None
        self.what = lines[0].lstrip("# ").rstrip(".") if lines else ""
        what = self.what
        for n, line in enumerate(lines, 1):
            if not line.startswith("#:"):
                continue
            words = line[2:].split(None, 1)
            if len(words) != 2:
                raise Problem(f"{path}:{n}: expected '#: KEY VALUE'")
            key, value = words[0], words[1].strip()
            if key == "include":
                other = self._included_path(path, value)
                if value.startswith("base:"):
                    self.fragments.append(other)
                else:
                    self._read(other, [*includers, path])
            elif key == "like":
                if not includers:
                    self.words[key] = value
            elif key in SINGLE:
                self.words[key] = value
            elif key == "in":
                self.lists[key] = value.split()
            elif key in LISTS:
                self.lists[key] += [value] if key in WHOLE else value.split()
            else:
                raise Problem(f"{path}:{n}: there is no keyword '{key}'")
        self.what = what
        self.fragments.append(path)

    def kernel_name(self):
        """Return the name of the configuration whose kernel boots."""
        return self.words["kernel"] or self.name

    @staticmethod
    def _included_path(path, value):
        if value.startswith("base:"):
            return os.path.join(BASE, value[len("base:"):])
        return os.path.normpath(os.path.join(os.path.dirname(path), value))

    def __getattr__(self, key):
        for where in (self.words, self.lists):
            if key in where:
                return where[key]
        raise AttributeError(key)

    def is_in(self, use):
        """Is the configuration 'in' @use: 'test', 'configs' or 'boot'?"""
        return use in self.lists["in"]

    def srcarch(self):
        return "x86" if self.arch in ("x86_64", "i386") else self.arch

    def start_file(self, src):
        """Return the file that the options are added to, or None.

        The series adds options to Kconfig, so the same seed would give the base another
        configuration.  The base therefore starts from the .config of the tree with the
        series.
        """
        if self.start == "randconfig" and os.path.realpath(src) == os.path.realpath(BASE):
            return os.path.join(BUILD, "configs", self.name, ".config")
        if self.start in ("allnoconfig", "randconfig"):
            return None
        if self.start == "debian-cloud":
            return DEBIAN
        return f"{src}/arch/{self.srcarch()}/configs/{self.start}"

    def everything(self):
        """Return all requested options: {option: value}."""
        return {name: value for path in self.fragments for name, value in options(path)}

    def environment(self):
        """Return environment variables that all calls of the kernel's make need."""
        env = {"ARCH": self.arch}
        if self.cross:
            env["CROSS_COMPILE"] = self.cross
        if self.llvm:
            env["LLVM"] = self.llvm
        if self.kconfig:
            env["KBUILD_KCONFIG"] = "Kconfig.more"   # in OBJ, made by configure
        if self.seed is not None:
            env["KCONFIG_SEED"] = self.seed
        return env

    def compiler(self):
        if self.llvm:
            return "clang" + (self.llvm if self.llvm.startswith("-") else "")
        return f"{self.cross}gcc"

    def shell(self):
        """Return the keywords as shell variables."""
        words = {"name": self.name, **self.words, "compiler": self.compiler(),
                 **{key: " ".join(value) for key, value in self.lists.items()},
                 "environment": " ".join(f"{k}={v}" for k, v in self.environment().items())}
        return "\n".join(f"config_{k}={shlex.quote(v)}" for k, v in words.items())


def names():
    return sorted(n for n in os.listdir(DIRECTORY)
                  if re.fullmatch(r"[\w-]+", n) and not n.startswith("Kconfig"))


def every(use=None):
    """Return all configurations, or those that are 'in' @use."""
    found = [Config(name) for name in names()]
    return [c for c in found if use is None or c.is_in(use)]


def main(args):
    match args:
        case []:
            for config in every():
                print(f"{config.name:20} {config.what}")
        case ["--in", use]:
            for config in every(use):
                print(config.name)
        case ["--packages", use]:
            print(*sorted({group for config in every(use) for group in config.packages}))
        case ["--options", name]:
            for option, value in Config(name).everything().items():
                print(f"# {option} is not set" if value == "n" else f"{option}={value}")
        case [name] if not name.startswith("-"):
            print(Config(name).shell())
        case _:
            print(__doc__.split("\n\n", 1)[1], end="", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Problem as e:
        say(str(e))
        sys.exit(1)
