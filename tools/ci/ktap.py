# SPDX-License-Identifier: GPL-2.0
"""Parse the test results that kselftest and KUnit print (KTAP).

ktap.results(lines) yields a Result for every result line, including subtests and
summaries.  The caller selects those that it needs.
"""

import re

LINE = re.compile(r"^(?P<indent>\s*)(?P<bad>not )?ok (?P<number>\d+)\s*-?\s*"
                  r"(?P<name>[^#]*?)\s*(?:# *(?P<note>.*))?$")


class Result:
    """One line: depth (0 is outermost), number, name, ok, note after '#'."""

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


def results(lines, log_follows=False):
    """Yield Results, each with its log: the lines since the previous result (KUnit),
    or until the next one (ftracetest)."""
    log, last = [], None
    for line in lines:
        line = line.rstrip("\r\n")
        match = LINE.match(line)
        if not match:
            log.append(line.strip())
            continue
        if log_follows:
            if last:
                last.log = "\n".join(log)
                yield last
            last = Result(match, "")
        else:
            yield Result(match, "\n".join(log))
        log = []
    if last:
        last.log = "\n".join(log)
        yield last
