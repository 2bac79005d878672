# SPDX-License-Identifier: GPL-2.0
"""The contents of the series: its topics, their patches, files and edits.

series/order assigns patches to topics, and files and edits to patches (its head explains
the format).  The files are in this repository, in general at the same paths as in a
kernel tree (see MOVED).  This module computes the content of every file that differs
from the base, for the whole series or for some of its patches.
"""

import os
import re
import subprocess
import tempfile

from project import GIT, REPO

SERIES = f"{REPO}/series"

# Directories with kernel files in this repository.  All others are the project's own.
DIRECTORIES = ("arch", "fs", "include", "kernel", "lib", "Documentation", "samples",
               "tools/testing")
# Files with another path in a kernel tree: this is not the tree's top-level Kconfig.
MOVED = {"Kconfig": "kernel/trace/probe/Kconfig"}
# Skip these files of editors, compilers and patch(1) if git is not available.
_LITTER = re.compile(r"(^\..*\.sw.|~|\.o|\.d|\.a|\.orig|\.rej|\.pyc)$")


class Problem(Exception):
    """An error in the series that its author has to fix."""


class Topic:
    def __init__(self, name):
        self.name = name
        self.needs = []                 # earlier topics, with all that they need
        self.patches = []


class Patch:
    def __init__(self, name):
        self.name = name
        self.globs, self.excluded = [], []   # match our files
        self.edits = []                 # diffs to base files, and sed scripts for them
        self.copies = []                # files with a copy in tools/
        self.deletes = []               # base files to delete
        self.files = []

    def claims(self, path):
        return (any(g.fullmatch(path) for g in self.globs)
                and not any(g.fullmatch(path) for g in self.excluded))


def _glob(text):
    """Compile a pattern.  '*' does not match '/', '**' does."""
    out = []
    for part in re.split(r"(\*\*|\*|\?)", text):
        out.append({"**": ".*", "*": "[^/]*", "?": "[^/]"}.get(part, re.escape(part)))
    return re.compile("".join(out))


def listed(*tops):
    """Return the paths of the files in the repository, or below @tops, except ignored ones."""
    try:
        out = subprocess.run(
            [*GIT, "ls-files", "-z", "-co", "--exclude-standard", "--", *tops],
            check=True, capture_output=True).stdout
        return [p for p in out.decode().split("\0") if os.path.isfile(f"{REPO}/{p}")]
    except (OSError, subprocess.CalledProcessError):
        found = [p for p in tops if os.path.isfile(f"{REPO}/{p}")]
        for top in tops or sorted(set(os.listdir(REPO)) - {".git", "build"}):
            for where, _, names in os.walk(f"{REPO}/{top}"):
                found += [os.path.relpath(f"{where}/{n}", REPO) for n in names
                          if not _LITTER.search(n)]
        return found


def our_files():
    """Return our files: {path in a kernel tree: path in the repository}."""
    return {MOVED.get(p, p): f"{REPO}/{p}" for p in listed(*DIRECTORIES, *MOVED)}


_WORDS = {"file": "globs", "not": "excluded", "edit": "edits",
          "copy": "copies", "delete": "deletes"}


def _value(key, value):
    if key in ("file", "not"):
        return _glob(value)
    return f"{SERIES}/edits/{value}" if key == "edit" else value


def _read_order():
    """Return the topics of series/order."""
    found = {}
    topic = patch = None
    with open(f"{SERIES}/order") as f:
        for n, line in enumerate(f, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            key, value = words[0], words[1] if len(words) == 2 else None
            if value and key == "topic":
                topic = found[value] = Topic(value)
                patch = None
            elif value in found and key == "needs" and found[value] is not topic:
                topic.needs += [t for t in (*found[value].needs, found[value])
                                if t not in topic.needs]
            elif value and key == "patch" and topic:
                patch = Patch(value)
                topic.patches.append(patch)
            elif value and key in _WORDS and patch:
                getattr(patch, _WORDS[key]).append(_value(key, value))
            else:
                raise Problem(f"series/order:{n}: not understood: {line.strip()}")
    return list(found.values())


def topics():
    """Return the topics, with each of our files in its patch."""
    result = _read_order()
    every = [p for t in result for p in t.patches]
    for path in sorted(our_files()):
        owners = [p for p in every if p.claims(path)]
        if len(owners) != 1:
            what = " and ".join(p.name for p in owners) or "no patch"
            raise Problem(f"{path} belongs to {what}; see series/order")
        owners[0].files.append(path)
    # Skip a patch that should have files but has none yet.
    for topic in result:
        topic.patches = [p for p in topic.patches if p.files or not p.globs]
    return result


def is_script(edit):
    """Is this a sed script, and not a diff?"""
    return edit.endswith(".sed")


def _targets(edit):
    """Return the files that an edit changes."""
    names = r"\A# (\S+)$" if is_script(edit) else r"^\+\+\+ b/(\S+)"
    try:
        with open(edit, errors="surrogateescape") as f:
            targets = re.findall(names, f.read(), re.M)
    except OSError as e:
        raise Problem(f"{os.path.relpath(edit, REPO)}: {e.strerror}") from None
    if not targets:
        raise Problem(f"{os.path.relpath(edit, REPO)} names no file: '+++ b/PATH' in a diff,"
                      " '# PATH' in the first line of a script")
    return targets


def _patch(diff, tree):
    label = os.path.relpath(diff, REPO)
    # patch(1) silently ignores the rest of a diff after a stray line between hunks.
    # git apply reports it.
    run = subprocess.run(["git", "apply", "--numstat", diff], capture_output=True, text=True)
    if run.returncode:
        raise Problem(f"{label} is not a patch: {run.stderr}")
    run = subprocess.run(
        ["patch", "-p1", "-f", "-N", "--no-backup-if-mismatch", "-r", "-", "-d", tree,
         "-i", diff],
        capture_output=True, text=True)
    if run.returncode:
        raise Problem(f"{label} does not apply any more:\n{run.stdout}{run.stderr}")


def _run_script(script, tree, path):
    """Run a sed script, which may write lines to new files, over a file."""
    with open(f"{tree}/{path}", "rb") as f:
        before = f.read()
    run = subprocess.run(["sed", "-E", "-i", "-f", script, path], cwd=tree, capture_output=True,
                         text=True)
    with open(f"{tree}/{path}", "rb") as f:
        if run.returncode or f.read() == before:
            raise Problem(f"{os.path.relpath(script, REPO)} fails or changes nothing: "
                          f"{run.stderr}")


def _apply(edits, fetch):
    """Apply edits to the files they name; return the new contents of all files.

    fetch(path) returns the content of a file before the edits, or None if there is none.
    """
    with tempfile.TemporaryDirectory(prefix="edits-") as tmp:
        for edit in edits:
            targets = _targets(edit)
            for path in (p for p in targets if not os.path.exists(f"{tmp}/{p}")):
                before = fetch(path)
                if before is None:
                    raise Problem(f"{os.path.relpath(edit, REPO)} changes {path}, "
                                  "which does not exist")
                os.makedirs(os.path.dirname(f"{tmp}/{path}"), exist_ok=True)
                with open(f"{tmp}/{path}", "wb") as f:
                    f.write(before)
            if is_script(edit):
                _run_script(edit, tmp, targets[0])
            else:
                _patch(edit, tmp)
        done = {}
        for where, _, names in os.walk(tmp):
            for path in (f"{where}/{n}" for n in names):
                with open(path, "rb") as f:
                    done[os.path.relpath(path, tmp)] = f.read()
    return done


_OBJECTS = re.compile(rb"^(obj-\S+\s*\+?=)((?: \S+)+)\n", re.M)


def _without_later_objects(path, data, present, ours):
    """Return a Makefile without the objects whose sources come in later patches."""
    def is_there(word):
        name = f"{os.path.dirname(path)}/{word.decode()}"
        stem = os.path.splitext(name)[0]
        sources = [f"{name}Makefile"] if name.endswith("/") else [f"{stem}.c", f"{stem}.S"]
        return any(f in present for f in sources) or not any(f in ours for f in sources)

    def line(match):
        words = [w for w in match[2].split() if is_there(w)]
        return match[1] + b" " + b" ".join(words) + b"\n" if words else b""
    return _OBJECTS.sub(line, data)


_KERNEL_INCLUDE = re.compile(rb"^(#include )<(asm/\S+)>(?= .*__ignore_sync_check__)", re.M)


def _copy_for_tools(path, data):
    """Return the copy of a file for tools/, which includes the headers of tools/."""
    def relative(match):
        header = f"arch/x86/include/{match[2].decode()}"
        return match[1] + f'"{os.path.relpath(header, os.path.dirname(path))}"'.encode()
    return _KERNEL_INCLUDE.sub(relative, data)


def some_patches(base, every, present):
    """Return {path: (content, executable)} for each file that the patches @present change.

    The content of deleted files is None.  @every lists all patches of the series.
    """
    ours = our_files()
    files = {}
    for patch in present:
        for path in patch.files:
            with open(ours[path], "rb") as f:
                files[path] = (f.read(), os.access(ours[path], os.X_OK))
    for path in (p for p in files if os.path.basename(p) == "Makefile"):
        data, executable = files[path]
        files[path] = (_without_later_objects(path, data, files, ours), executable)

    for path in (p for patch in present for p in patch.copies):
        if path not in files:
            raise Problem(f"series/order: copy of {path}, which is no file of the series")
        data, executable = files[path]
        files[f"tools/{path}"] = (_copy_for_tools(path, data), executable)

    def original(path):
        try:
            with open(f"{base}/{path}", "rb") as f:
                return f.read()
        except FileNotFoundError:
            return None

    edits = [d for p in present for d in p.edits]
    owner = {path: p for p in every for path in (*p.files, *p.deletes)}
    for p in present:
        for path in (t for d in p.edits for t in _targets(d)):
            if path in owner and every.index(owner[path]) <= every.index(p):
                raise Problem(f"{path} is a file of the series and edited as well")
    edited = {t for d in edits for t in _targets(d)}
    for path, data in _apply(edits, original).items():
        if path in ours and path not in edited:
            raise Problem(f"a sed script writes {path}, which is a file of the series")
        # A later patch may replace the file.
        files.setdefault(path, (data, os.access(f"{base}/{path}", os.X_OK)))
    for path in (p for patch in present for p in patch.deletes):
        if path in ours or not os.path.isfile(f"{base}/{path}"):
            raise Problem(f"series/order: delete {path}, which the base does not have "
                          "or the series replaces")
        files[path] = (None, False)
    return files


def whole_series(base):
    """Like some_patches(), for all patches."""
    every = [p for t in topics() for p in t.patches]
    return some_patches(base, every, every)
