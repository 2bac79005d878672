# SPDX-License-Identifier: GPL-2.0
"""Reading the test results that kselftest and KUnit print (KTAP).

ktap.results(lines) yields every line that carries a result, subtests and
summaries alike; a caller takes the ones it is after.
"""

import re

LINE = re.compile(r"^(?P<indent>\s*)(?P<bad>not )?ok (?P<number>\d+)\s*-?\s*"
                  r"(?P<name>[^#]*?)\s*(?:# *(?P<note>.*))?$")


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


def results(lines, log_follows=False):
    """Yield Results, each with its log: what was printed since the result
    before (KUnit), or until the next one (ftracetest)."""
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
