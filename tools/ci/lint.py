# SPDX-License-Identifier: GPL-2.0
"""Part: linters, at most two programs at a time.

checkpatch  files of the series, its edits and messages; series/checkpatch lists the
            reports that are accepted
sparse      C files that the kernel under test was built from
shellcheck  shell scripts; the settings are in .shellcheckrc
flake8      Python programs; the settings are in .flake8.  A '# noqa' that hides no report
            is a report, too
Makefiles   the Makefile of a C or assembly file's folder must name its object: kbuild does
            not compile a file that no Makefile names

Part 'quick' lints only changed files.
"""

import fnmatch
import functools
import os
import re
from concurrent.futures import ThreadPoolExecutor

import command
import compiles
import configs
import contents
import kernels
from project import BUILD, REPO, TOOLS
from result import FAIL, PASS, SKIP

TREE = f"{BUILD}/src"
MAILS = f"{BUILD}/lint"
LIMIT = 300
AT_ONCE = 2
CHUNK = 30          # files for one run of checkpatch or shellcheck

# Mails of the series have no Signed-off-by.  A mail without edits has no diff.
CHECKPATCH = ["perl", f"{TREE}/scripts/checkpatch.pl", "--strict", "--terse", "--showfile",
              "--show-types", "--no-tree", "--no-summary",
              "--ignore", "MISSING_SIGN_OFF,FILE_PATH_CHANGES,NOT_UNIFIED_DIFF"]
REPORT = re.compile(r"([^:]*):\d+: (?:ERROR|WARNING|CHECK):(\w+):")

# Self-tests run with the shells of small systems, with 'set -e'.  They split words, leave
# variables of loops unused, use 'local' and 'ulimit -n', and set empty variables.
SELFTEST = ["-s", "sh", "-S", "warning", "-e", "SC1007,SC2034,SC2046,SC2164,SC3043,SC3045"]

NOQA = re.compile(r"# noqa: ([A-Z0-9,]+)")
# Where flake8 reports something: file, line, code.
PLACE = re.compile(r"([^:]+):(\d+):\d+: (\w+) ")


class Pool:
    """Runs programs, AT_ONCE at a time."""

    def __init__(self):
        self.pool = ThreadPoolExecutor(AT_ONCE)

    def run(self, programs, cwd=REPO):
        """Run programs; return an iterator over their statuses and outputs."""
        return self.pool.map(lambda argv: command.run(argv, LIMIT, cwd=cwd), programs)


def chunks(files):
    return [files[i:i + CHUNK] for i in range(0, len(files), CHUNK)]


def add(report, what, files, said):
    """Add the result of a linter: @said are its lines."""
    if files:
        report.add(FAIL if said else PASS, f"{what}: {len(files)} files", "\n".join(said))


def failure(argv, status, text):
    return [f"{' '.join(argv[:2])}: status {status}", *text.splitlines()[-20:]]


def reports(argv, status, text):
    """Return the lines of shellcheck or flake8, whose status is 1 if there are reports."""
    if status == 0 or (status == 1 and text):
        return text.splitlines()
    return failure(argv, status, text)


def accepted():
    """Return the pairs of glob and types in series/checkpatch."""
    with open(f"{contents.SERIES}/checkpatch") as f:
        words = [line.split("#")[0].split() for line in f]
    return [(w[0], w[1:]) for w in words if w]


def write_mail(patch):
    """Write a patch's message and edits as a mail; return the file's name."""
    with open(f"{contents.SERIES}/messages/{patch.name}", errors="surrogateescape") as f:
        text = f"Subject: {f.read().strip()}\n---\n"
    for edit in (e for e in patch.edits if not contents.is_script(e)):
        with open(edit, errors="surrogateescape") as f:
            text += f.read()
    name = f"{MAILS}/{patch.name}.patch"
    with open(name, "w", errors="surrogateescape") as f:
        f.write(text)
    return name


def mails(wanted):
    """Write the mails of patches whose message or edits are wanted; return their files."""
    os.makedirs(MAILS, exist_ok=True)
    return [write_mail(p) for topic in contents.topics() for p in topic.patches
            if any(wanted(os.path.relpath(f, REPO))
                   for f in (f"{contents.SERIES}/messages/{p.name}", *p.edits))]


def checkpatch(report, pool, wanted):
    known = accepted()
    files = sorted(path for path, source in contents.our_files().items()
                   if wanted(os.path.relpath(source, REPO)))
    letters = mails(wanted)
    # The output does not tell which mail a report is about, so each mail has its own run.
    todo = [[*CHECKPATCH, mail] for mail in letters]
    todo += [[*CHECKPATCH, "-f", *some] for some in chunks(files)]
    said = []
    for argv, (status, text) in zip(todo, pool.run(todo, TREE)):
        # The output can also have messages about a missing --root.
        found = [match for match in map(REPORT.match, text.splitlines()) if match]
        # Status 1: there are reports.
        if status not in (0, 1) or (status and not found):
            said += failure(argv, status, text)
        before = "" if "-f" in argv else f"{os.path.basename(argv[-1])[:-len('.patch')]}: "
        said += [before + match.string for match in found
                 if not any(fnmatch.fnmatchcase(match[1], glob) and match[2] in types
                            for glob, types in known)]
    add(report, "checkpatch", [*files, *letters], said)


def in_directory(path):
    """Return the Kernel with this O= directory, or None."""
    path = os.path.realpath(path)
    return next((kernels.Kernel(c.name) for c in configs.every()
                 if os.path.realpath(configs.output(c.name)) == path), None)


def sparse(report, kernel, wanted):
    """Let the kernel's make run sparse on the sources of objects that were built."""
    ours = contents.our_files()
    files = sorted(path for path, source in ours.items()
                   if path.endswith(".c") and wanted(os.path.relpath(source, REPO))
                   and os.path.exists(f"{kernel}/{path[:-2]}.o"))
    if not files:
        return
    built = in_directory(kernel)
    if not built:
        report.add(SKIP, "sparse", f"no configuration of tools/configs builds {kernel}")
        return
    # With another configuration, make would compile the kernel again.
    argv = built.command("C=2", "--no-print-directory", "objects")
    # The kernel's targets for single objects make objects of libraries with other flags.
    env = {**built.environment(), "MAKEFILES": f"{TOOLS}/build/objects.mk",
           "OBJECTS": " ".join(f[:-2] + ".o" for f in files)}
    with kernels.alone():
        status, text = command.run(argv, LIMIT, env=env)
    # make also checks some files of the base, on which all objects depend.  It names files
    # without symbolic links in their paths.  A note names the file that includes a header, the
    # next line the header, which may be of the base.
    tree = f"{os.path.realpath(TREE)}/"
    said = {line: None for line in text.splitlines()       # headers are checked repeatedly
            if line.startswith(tree) and line[len(tree):].partition(":")[0] in ours
            and ": note: in included file" not in line}
    add(report, "sparse", files, failure(argv, status, text) if status else said)


def unnamed(files, makefile):
    """Return the sources whose objects no Makefile names; makefile(folder) is its text."""
    def is_named(path):
        folder, name = os.path.split(path)
        return f"{name[:-2]}.o" in makefile(folder).split()

    return [path for path in files if compiles.SOURCE.match(path)
            and not compiles.ELSEWHERE.search(path) and not is_named(path)]


@functools.cache
def makefile(folder):
    """Return the Makefile of a folder of the kernel tree."""
    path = f"{folder}/Makefile"
    try:
        with open(contents.our_files().get(path, f"{TREE}/{path}")) as f:
            return f.read()
    except FileNotFoundError:
        return ""


def makefiles(report, wanted):
    files = sorted(path for path, source in contents.our_files().items()
                   if wanted(os.path.relpath(source, REPO)) and compiles.SOURCE.match(path))
    add(report, "Makefiles", files,
        [f"{path} is not compiled: {os.path.dirname(path)}/Makefile does not name "
         f"{os.path.basename(path)[:-2]}.o" for path in unnamed(files, makefile)])


def interpreter(path):
    with open(f"{REPO}/{path}", "rb") as f:
        line = f.readline(80)
    return line.decode(errors="replace") if line.startswith(b"#!") else ""


def shellcheck(report, pool, files):
    tests = [f for f in files if f.endswith(".tc")]
    scripts = [f for f in files if f not in tests
               and (f.endswith(".sh") or re.search(r"/(ba)?sh\b", interpreter(f)))]
    todo = [["shellcheck", "-f", "gcc", *some] for some in chunks(scripts)]
    todo += [["shellcheck", "-f", "gcc", *SELFTEST, *some] for some in chunks(tests)]
    said = [line for argv, done in zip(todo, pool.run(todo)) for line in reports(argv, *done)]
    add(report, "shellcheck", [*scripts, *tests], said)


def useless(files, every):
    """Return complaints about '# noqa' marks that hide nothing: @every has all reports."""
    there = {match.groups() for match in map(PLACE.match, every) if match}
    found = []
    for path in files:
        with open(f"{REPO}/{path}") as f:
            for number, line in enumerate(f, 1):
                match = NOQA.search(line)
                found += [f"{path}:{number}: this noqa hides no {code}"
                          for code in (match[1].split(",") if match else ())
                          if (path, str(number), code) not in there]
    return found


def flake8(report, pool, files):
    programs = [f for f in files if f.endswith(".py") or "python" in interpreter(f)]
    if not programs:
        return
    todo = [["flake8", *programs], ["flake8", "--disable-noqa", *programs]]
    said, every = (reports(argv, *done) for argv, done in zip(todo, pool.run(todo)))
    add(report, "flake8", programs, said + useless(programs, every))


def lint(report, kernel, wanted=lambda path: True, also=()):
    """Lint all files, or only those whose paths in the repository are @wanted.

    sparse also checks the files of @also.
    """
    pool = Pool()
    files = sorted(f for f in contents.listed() if wanted(f))
    flake8(report, pool, files)
    shellcheck(report, pool, files)
    makefiles(report, wanted)
    sparse(report, kernel, lambda path: wanted(path) or path in also)
    checkpatch(report, pool, wanted)
