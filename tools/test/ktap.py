# SPDX-License-Identifier: GPL-2.0
"""Reading the test results that kselftest and KUnit print (KTAP).

ktap.results(lines) yields every line that carries a result, subtests and
summaries alike; a caller takes the ones it is after.
"""

import re

LINE = re.compile(r"^(?P<indent>\s*)(?P<bad>not )?ok (?P<number>\d+)\s*-?\s*"
                  r"(?P<name>[^#]*?)\s*(?:# *(?P<note>.*))?$")
STAMP = re.compile(r"^\[ *\d+\.\d+\](?:\[[ TC]*\d+\])? ?")


class Result:
    """One line: depth (0 is outermost), number, name, ok, note behind '#'."""

    def __init__(self, match, log):
        self.depth = len(match["indent"]) // 4
        self.number = int(match["number"])
        self.name = match["name"]
        self.ok = not match["bad"]
        self.note = (match["note"] or "").strip()
        self.log = log

    @property
    def skipped(self):
        return self.note.upper().startswith("SKIP")


def strip_stamp(line):
    """Drop the time stamp of a kernel log line."""
    return STAMP.sub("", line)


def results(lines):
    """Yield Results; what was said since the one before becomes its log."""
    log = []
    for line in lines:
        line = line.rstrip("\r\n")
        match = LINE.match(line)
        if match:
            yield Result(match, "\n".join(log))
            log = []
        else:
            log.append(line.strip())
