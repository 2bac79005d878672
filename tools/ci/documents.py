# SPDX-License-Identifier: GPL-2.0
"""Part: kernel-doc comments and pages of the series.

The kernel's kernel-doc checks the comments of all our files, and its htmldocs builds
the directories that contain our pages.  A complaint about one of our files is a
failure; complaints about other pages are ignored.

A translation must have the examples of its original: the same commands and output, in
the same order.  It must also have the same commands, paths of tools and settings within
its sentences, but their order can differ.  The tables of README.md and of its translation
must have the same figures, rounded from those of a row of RESULTS.md.

The page about refused places must have the sentences and errors of the code.
"""

import difflib
import os
import re

import command
import contents
import paths
from project import BUILD, REPO
from result import FAIL, PASS

TREE = f"{BUILD}/src"
PAGES = "Documentation/"
LIMIT = 900
TRANSLATED = "Documentation/translations/"
COMMAND = re.compile(r"(make|sudo) |tools/|[A-Z_]+=")
REFUSALS = "kernel/kprobes/refusal.c"
REFUSED = "Documentation/arch/x86/kprobes.rst"
MEASURED = "tools/bench/RESULTS.md"
ORIGINAL = re.compile(r"^:Original: (\S+)$", re.M)


def run(name, argv):
    """Run a command in the tree; save its output, and return its status and output."""
    status, text = command.run(argv, LIMIT, cwd=TREE)
    with open(os.path.join(paths.RESULTS, name), "w") as f:
        f.write(text)
    return status, text


def comments(report, files):
    status, text = run("kernel-doc", ["perl", "scripts/kernel-doc", "-none", "-Wall",
                                      *files])
    report.add(FAIL if status or text else PASS,
               f"kernel-doc has no complaint about {len(files)} files", text)


def pages(report, files):
    tops = sorted({os.path.dirname(f).removeprefix(PAGES) for f in files})
    status, text = run("htmldocs", ["make", f"O={BUILD}/docs", "SPHINXOPTS=-q -E",
                                    f"SPHINXDIRS={' '.join(tops)}", "htmldocs"])
    if status:
        report.add(FAIL, "htmldocs",
                   "\n".join([f"status {status}", *text.splitlines()[-40:]]))
        return
    for page in files:
        said = [line for line in text.splitlines()
                if re.search(rf"\b{re.escape(page)}:.*(WARNING|ERROR)", line)]
        made = f"{BUILD}/docs/Documentation/output/{page.removeprefix(PAGES)[:-4]}.html"
        if not os.path.exists(made):
            said.append(f"there is no {made}")
        report.add(FAIL if said else PASS, f"htmldocs: {page}", "\n".join(said))


def examples(path):
    """Return the lines of all literal blocks of a page (.rst or .md), in order."""
    found, begun, last = [], path.endswith(".md"), 0
    inside = None               # the block's indentation
    with open(f"{REPO}/{path}") as f:
        for line in f.read().splitlines():
            indent = len(line) - len(line.lstrip())
            if not line:
                continue
            if inside is None and begun and indent > last and indent >= 2:
                inside = indent
            if inside is not None and indent >= inside:
                found.append(line[inside:])
                continue
            inside = None
            if path.endswith(".rst"):
                begun, last = line.endswith("::"), indent
            else:
                last = 3        # Markdown blocks are indented by four spaces
    return found


def original(path):
    """Return the page that a page translates."""
    with open(f"{REPO}/{path}") as f:
        return ORIGINAL.search(f.read())[1]


def commands(path):
    """Return the code spans of a page's sentences that match COMMAND, sorted."""
    mark = "``" if path.endswith(".rst") else "`"
    with open(f"{REPO}/{path}") as f:
        text = f.read()
    if path.endswith(".md"):
        text = re.sub("^    .*", "", text, flags=re.M)
    spans = [" ".join(span.split()) for span in re.findall(f"{mark}([^`]+){mark}", text)]
    return sorted(span for span in spans if COMMAND.match(span))


def figures(path):
    """Return the rows with numbers of the tables of a Markdown page: a list for each row."""
    with open(f"{REPO}/{path}") as f:
        rows = re.findall(r"^\|(.*)\|$", f.read(), flags=re.M)
    numbers = [[cell.strip() for cell in row.split("|")
                if re.fullmatch(r"[\d.]+", cell.strip())] for row in rows]
    return [row for row in numbers if row]


def measured(report, page, rows):
    """Check that a line of MEASURED has the figures of each row, one after the other."""
    with open(f"{REPO}/{MEASURED}") as f:
        lines = [re.findall(r"(?<= )[\d.]+(?!\S)", line) for line in f if line[:4].isspace()]

    def rounded(figure, number):
        return f"{float(number):.{len(figure.partition('.')[2])}f}" == figure

    def has(line, row):
        return any(all(map(rounded, row, line[i:])) for i in range(len(line) - len(row) + 1))

    for row in rows:
        report.add(PASS if any(has(line, row) for line in lines) else FAIL,
                   f"{MEASURED} has the figures {' and '.join(row)} of {page}")


def same(report, what, page, of, have, want):
    report.add(PASS if want == have else FAIL, f"{page} has the {what} of {of}",
               "\n".join(difflib.unified_diff(want, have, of, page, "", "", 1, "")))


def translations(report, files):
    pairs = [(f, original(f)) for f in files if not f.endswith("/index.rst")]
    readme = ("README.zh.md", "README.md")
    for page, of in [*pairs, readme]:
        want = examples(of)
        report.add(PASS if want else FAIL, f"{of} has examples")
        same(report, "examples", page, of, examples(page), want)
        same(report, "commands", page, of, commands(page), commands(of))
    have, want = map(figures, readme)
    same(report, "figures", *readme, [*map(" ".join, have)], [*map(" ".join, want)])
    measured(report, "README.md", want)


def refusals(report):
    with open(f"{REPO}/{REFUSALS}") as f:
        table = re.findall(r'\[(\w+)\]\s+= \{ (E[A-Z]+),\s+"([^"]+)" \}', f.read())
    with open(f"{REPO}/include/linux/kprobes.h") as f:
        names = re.findall(r"^\t(REFUSED_\w+),$", f.read(), re.M)
    with open(f"{REPO}/{REFUSED}") as f:
        page = re.findall(r"^(\w.*) \((E[A-Z]+)\)$", f.read(), re.M)
    want = sorted(f"{sentence} ({error})" for _, error, sentence in table)
    same(report, "refusals", REFUSALS, "enum kprobe_refusal",
         sorted(name for name, *_ in table), sorted(names))
    same(report, "refusals", REFUSED, REFUSALS, sorted(map("{0[0]} ({0[1]})".format, page)),
         want)


def documents(report):
    os.makedirs(paths.RESULTS, exist_ok=True)
    ours = sorted(contents.our_files())
    comments(report, [f for f in ours if re.search(r"\.[chS]$", f)])
    found = [f for f in ours if re.match(rf"{PAGES}.*\.rst$", f)]
    pages(report, found)
    translations(report, [f for f in found if f.startswith(TRANSLATED)])
    refusals(report)
