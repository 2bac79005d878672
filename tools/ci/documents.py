# SPDX-License-Identifier: GPL-2.0
"""Part: kernel-doc comments and pages of the series.

The kernel's kernel-doc checks the comments of all our files, and its htmldocs builds
the directories that have pages of ours.  A complaint about one of our files is a
failure; those about other pages are not.
"""

import os
import re
import subprocess

import contents
import paths
from project import BUILD
from result import FAIL, PASS

TREE = f"{BUILD}/src"
PAGES = "Documentation/"
LIMIT = 900


def run(name, command):
    """Run a command in the tree; return its status and output, which is also kept."""
    done = subprocess.run(command, cwd=TREE, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=LIMIT)
    with open(os.path.join(paths.RESULTS, name), "w") as f:
        f.write(done.stdout)
    return done.returncode, done.stdout


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
        report.add(FAIL, "htmldocs", "\n".join(text.splitlines()[-40:]))
        return
    for page in files:
        said = [line for line in text.splitlines()
                if re.search(rf"\b{re.escape(page)}:.*(WARNING|ERROR)", line)]
        made = f"{BUILD}/docs/Documentation/output/{page.removeprefix(PAGES)[:-4]}.html"
        if not os.path.exists(made):
            said.append(f"there is no {made}")
        report.add(FAIL if said else PASS, f"htmldocs: {page}", "\n".join(said))


def documents(report):
    os.makedirs(paths.RESULTS, exist_ok=True)
    ours = sorted(contents.our_files())
    comments(report, [f for f in ours if re.search(r"\.[chS]$", f)])
    pages(report, [f for f in ours if re.match(rf"{PAGES}.*\.rst$", f)])
