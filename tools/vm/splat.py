# SPDX-License-Identifier: GPL-2.0
"""Find a kernel's complaints in its console log.

The patterns are in the file 'splats' in this directory.
"""

import collections
import re

from project import TOOLS

Complaint = collections.namedtuple("Complaint", "line text")

# The last line of reports of KCSAN and KMSAN.
_RULE = re.compile(r"={40,}$")

_PATTERNS = f"{TOOLS}/vm/splats"


def _lines(log):
    with open(log, errors="replace") as f:
        return f.read().replace("\r", "").split("\n")


def _patterns():
    with open(_PATTERNS) as f:
        words = [line.rstrip("\n") for line in f]
    return re.compile("|".join(f"(?:{w})" for w in words if w and w[0] != "#"))


def find(log, allow=()):
    """List the complaints in a log, except those that match one of 'allow'.

    An allowed pattern may match the complaint's line or the report that follows it, for
    example a function in the back trace.  Other lines for the same event (the Oops line,
    the panic) are within that report and are allowed with it.  Reports of KCSAN and KMSAN
    are frequent and have an end mark, so an allowed report never hides the next report.
    """
    bad = _patterns()
    good = [re.compile(a) for a in allow]
    lines = _lines(log)
    found, skip_to = [], -1
    for n, text in enumerate(lines):
        if n < skip_to or not bad.search(text):
            continue
        end = n + 60
        if re.search(r"\bK[CM]SAN: ", text):
            end = next((i for i in range(n, len(lines)) if _RULE.search(lines[i])), end)
        report = "\n".join(lines[n:end])
        if any(g.search(report) for g in good):
            skip_to = end
            continue
        found.append(Complaint(n, text))
    return found


def excerpt(log, complaint, before=8, after=60):
    lines = _lines(log)
    n = complaint.line
    return "\n".join(lines[max(0, n - before):n + after]).rstrip() + "\n"


def tail(log, count):
    return "\n".join(_lines(log)[-count:]).rstrip() + "\n"
