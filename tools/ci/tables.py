# SPDX-License-Identifier: GPL-2.0
"""Tests of the rules of tools/configs/table.toml, with small tables; names in that table."""

import os
import tempfile
from unittest import mock

import boots
import configs
from result import FAIL, PASS

TABLE = """
[architectures]
x86_64 = ["x86_64", ""]
arm64 = ["arm64", "aarch64-linux-gnu-"]
[all]
what = "the first base, with a file"
make = ["test"]
tests = ["own"]
omits = ["a.tc"]
OWN = "m"
[line]
what = "another command line"
base = ["all"]
make = ["test-configs"]
cmdline = "x=1"
[some]
what = "other options"
base = ["all"]
make = ["configs"]
without = ["HIDDEN"]
omits = ["b.tc"]
IN_FILE = "n"
NUMBER = 2
TEXT = "t"
[other]
what = "another architecture"
base = ["line"]
make = ["test"]
arch = "arm64"
"""
FILE = "# CONFIG_OFF is not set\nCONFIG_IN_FILE=y\n"

# Attributes and methods of configurations, and their values.
EXPECTED = {
    "all": {"kernel": "all", "like": "", "packages": [], "compiler": "gcc",
            "everything": {"OFF": "n", "IN_FILE": "y", "OWN": "m"}},
    "line": {"kernel": "all", "make": ["test-configs"], "tests": ["own"]},
    "some": {"kernel": "some", "like": "all", "omits": ["a.tc", "b.tc"],
             "everything": {"OFF": "n", "IN_FILE": "n", "OWN": "m", "HIDDEN": "n",
                            "NUMBER": "2", "TEXT": '"t"'}},
    "other": {"kernel": "other", "like": "", "cmdline": "x=1",
              "compiler": "aarch64-linux-gnu-gcc",
              "packages": ["gcc-aarch64-linux-gnu", "run-arm64"]},
}
# Sections that are errors, and words of the message.
ERRORS = {
    'what = "w"\nbase = "all"': "'base' does not exist or cannot be 'all'",
    'what = "w"\nbase = ["none"]': "no configuration 'none', the base of [bad]",
    'what = "w"\nbase = ["bad"]': "[bad] is its own base",
    'what = "w"\narch = "none"': "no architecture 'none'",
    'what = "w"\nkey = 1': "'key' does not exist",
    'what = "w"\nOPTION = true': "'OPTION' does not exist or cannot be True",
    'what = "w"\nmake = ["none"]': "'make' can have test, configs, test-configs",
    "OPTION = 1": "needs 'what'",
}


def read(directory, text, name):
    """Read a configuration of a table."""
    with open(os.path.join(directory, "table.toml"), "w") as f:
        f.write(text)
    configs.table.cache_clear()
    return configs.Config(name)


def wrong(directory):
    """Return a line for each result that is not the expected one."""
    for name, expected in EXPECTED.items():
        config = read(directory, TABLE, name)
        for key, value in expected.items():
            got = getattr(config, key)
            got = got() if callable(got) else got
            if got != value:
                yield f"[{name}] {key}: {got}"
    for section, message in ERRORS.items():
        try:
            read(directory, f"{TABLE}[bad]\n{section}\n", "bad")
            yield f"accepted: {section}"
        except configs.Problem as e:
            if message not in str(e):
                yield str(e)


def check_tests(report):
    """Check that all tests exist that the configurations name."""
    wrong = [f"[{config.name}] has no test {name}" for config in configs.every()
             for name in boots.unknown(config.tests)]
    bad = ["clients/none", "lib", "none"]
    if boots.unknown(["kunit", "startup", "clients/churn", "boot/none", *bad]) != bad:
        wrong.append("the check does not find each wrong name")
    report.add(FAIL if wrong else PASS, "the tests of all configurations exist",
               "\n".join(wrong))


def tables(report):
    with tempfile.TemporaryDirectory() as directory, \
            mock.patch.object(configs, "DIRECTORY", directory):
        with open(os.path.join(directory, "all.config"), "w") as f:
            f.write(FILE)
        try:
            bad = "\n".join(wrong(directory))
        finally:
            configs.table.cache_clear()     # the other parts need the real table
    report.add(FAIL if bad else PASS, "the rules of the table of configurations", bad)
    check_tests(report)
