# SPDX-License-Identifier: GPL-2.0
"""Keep a copy of the base tree with the files of the series in it.

The first call of sync() copies the base, as does a call after the base has changed.
Other calls write only files whose content or mode changed.  An unchanged file keeps its
time stamp, so that a kernel build does not compile it again.
"""

import json
import os
import subprocess


def base_id(base):
    with open(f"{os.path.dirname(base)}/id") as f:
        return f.read().split()[0]


def sync(base, tree, wanted):
    """Make @tree a copy of the base with the files in @wanted: {path: (content, executable)}.

    A file with a content of None is deleted.  Returns the paths that changed.  TREE.json
    lists the files that are not the base's.
    """
    state = f"{tree}.json"
    mine = _load(state, base, tree)
    if mine is None:
        _copy(base, tree)
        mine = set()
    # Until this call has succeeded, list the files of the previous call as well.
    _save(state, base, mine | set(wanted))
    changed = []
    for name, (data, executable) in sorted(wanted.items()):
        path = f"{tree}/{name}"
        if _read(path) == data and os.access(path, os.X_OK) == executable:
            continue
        if data is None:
            os.unlink(path)
        else:
            _put(path, data, executable)
        changed.append(name)
    for name in sorted(mine - set(wanted)):
        _restore(base, tree, name)
        changed.append(name)
    _save(state, base, wanted)
    return changed


def _load(state, base, tree):
    try:
        with open(state) as f:
            known = json.load(f)
        if known["base"] == base_id(base) and os.path.isdir(tree):
            return set(known["files"])
    except (OSError, ValueError, KeyError):
        pass
    return None


def _save(state, base, files):
    with open(f"{state}.new", "w") as f:
        json.dump({"base": base_id(base), "files": sorted(files)}, f, indent=1)
    os.replace(f"{state}.new", state)


def _copy(base, tree):
    """Copy the base, without hard links, so that an edit of the tree cannot change it."""
    new = f"{tree}.new"
    subprocess.run(["rm", "-rf", new, tree], check=True)
    os.makedirs(os.path.dirname(tree), exist_ok=True)
    subprocess.run(["cp", "-a", "--reflink=auto", f"{base}/.", new], check=True)
    os.rename(new, tree)


def _read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except FileNotFoundError:
        return None


def _put(path, data, executable):
    """Replace a file atomically.  Its time stamp is the current time."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(f"{path}.new", "wb") as f:
        f.write(data)
    os.chmod(f"{path}.new", 0o755 if executable else 0o644)
    os.replace(f"{path}.new", path)


def _restore(base, tree, name):
    """Restore the base's version of a file, or remove the file and empty directories."""
    original = _read(f"{base}/{name}")
    if original is not None:
        _put(f"{tree}/{name}", original, os.access(f"{base}/{name}", os.X_OK))
        return
    try:
        os.unlink(f"{tree}/{name}")
        os.removedirs(os.path.dirname(f"{tree}/{name}"))
    except OSError:
        pass
