# SPDX-License-Identifier: GPL-2.0
"""Prepare and make a kernel of one configuration, for the scripts build and objects."""

import glob
import os
import shutil
import subprocess

import configs
from project import BUILD, CACHE_DIR, REPO, TOOLS, lock, say

# The same file and options must give the same object in each clone: these variables keep
# everything that differs between clones out of the objects and ccache's keys.
REPRODUCIBLE = {
    "KBUILD_BUILD_TIMESTAMP": "Thu Jan  1 00:00:00 UTC 1970", "KBUILD_BUILD_USER": "kprobe",
    "KBUILD_BUILD_HOST": "tracer", "KBUILD_BUILD_VERSION": "1"}
# ccache's depend mode does not notice files that .incbin includes, and is off.
CCACHE = {"CCACHE_DIR": f"{CACHE_DIR}/objects", "CCACHE_BASEDIR": BUILD,
          "CCACHE_NOHASHDIR": "1", "CCACHE_COMPILERCHECK": "content",
          "CCACHE_MAXSIZE": os.environ.get("CCACHE_MAXSIZE", "10G")}


def run(*argv):
    """Run a command that prints its own messages; a failure is a CalledProcessError."""
    subprocess.run(argv, check=True, stdin=subprocess.DEVNULL)


def alone():
    """Return a lock: builds of one clone share build/src, so they run one after the other."""
    return lock(f"{BUILD}/.lock", "another build in this clone")


def provide_base():
    """Provide build/stock-src.  A new base removes all kernels, so the caller is alone()."""
    run(f"{TOOLS}/build/fetch")


class Kernel:
    """A configuration of one tree: below build/, build/base (stock) or build/series."""

    def __init__(self, name, tree=BUILD):
        self.config, self.tree = configs.Config(name), tree
        self.src, self.obj = f"{tree}/src", configs.output(name, tree)

    def prepare(self, objects=True):
        """Provide packages, sources and .config; with @objects, those of config.like()."""
        run(f"{TOOLS}/build/setup", "build", *self.config.packages())
        provide_base()
        if self.tree == BUILD:
            run(f"{REPO}/series/assemble")
        like = objects and self.config.like()
        if like:
            self._copy(configs.output(like, self.tree))
        os.makedirs(f"{BUILD}/log", exist_ok=True)
        run(f"{TOOLS}/build/configure", self.src, self.obj, self.config.name)

    def _copy(self, origin):
        """Copy another O= directory if this one has no objects."""
        if not os.path.exists(f"{origin}/built-in.a") or \
                os.path.exists(f"{self.obj}/built-in.a"):
            return
        new = f"{self.obj}.new"
        run("rm", "-rf", self.obj, new)
        os.makedirs(os.path.dirname(new), exist_ok=True)
        run("cp", "-a", "--reflink=auto", origin, new)
        run("rm", "-rf", f"{new}/.config-key", f"{new}/.stock-key", f"{new}/modroot")
        os.rename(new, self.obj)

    def command(self, *targets):
        """Return the command that makes the targets."""
        ccache = "ccache " if shutil.which("ccache") else ""
        cc = ccache + self.config.compiler()
        # As with LLVM=, clang also compiles programs for the build machine, such as objtool.
        hostcc = cc if self.config.llvm else f"{ccache}gcc"
        files = [f for pattern in self.config.kcsan() for f in glob.glob(f"{REPO}/{pattern}")]
        kcsan = [f"KCSAN_SANITIZE_{os.path.basename(f)[:-2]}.o=y" for f in sorted(files)]
        return ["make", "-C", self.src, f"O={os.path.realpath(self.obj)}",
                f"-j{os.environ.get('JOBS') or len(os.sched_getaffinity(0))}", f"CC={cc}",
                f"HOSTCC={hostcc}", "LOCALVERSION=", *kcsan, *targets]

    def environment(self):
        ccache = CCACHE if shutil.which("ccache") else {}
        return {**os.environ, **REPRODUCIBLE, **ccache, **self.config.environment()}

    def modules(self):
        """Return the directory below modroot/ that tools/vm/guest uses."""
        with open(f"{self.obj}/include/config/kernel.release") as f:
            return f"{self.obj}/modroot/lib/modules/{f.read().strip()}"

    def install_modules(self):
        """Install the modules, if these are not the installed ones."""
        if not self.modules_installed():
            run("rm", "-rf", f"{self.obj}/modroot")
            done = subprocess.run(
                self.command(f"INSTALL_MOD_PATH={os.path.realpath(self.obj)}/modroot",
                             "modules_install"),
                env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace")
            if done.returncode:
                say("modules could not be installed\n"
                    + "\n".join(done.stdout.splitlines()[-20:]))
                done.check_returncode()
        self.link_modules()

    def modules_installed(self):
        """Return whether the modules of the last build, and no others, are installed."""
        # make writes the list if a module was added, removed or compiled.
        order = f"{self.obj}/modules.order"
        try:
            last = os.path.getmtime(f"{self.modules()}/modules.dep")
            with open(order) as f:
                built = [f"{self.obj}/{name[:-len('.o')]}.ko" for name in f.read().split()]
        except FileNotFoundError:
            return False
        return all(os.path.getmtime(f) <= last for f in (order, *built))

    def link_modules(self):
        """Let the installed modules name the O= directory and the sources."""
        for name, to in ("build", self.obj), ("source", self.src):
            run("ln", "-sfn", os.path.realpath(to), f"{self.modules()}/{name}")
