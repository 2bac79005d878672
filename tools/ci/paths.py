# SPDX-License-Identifier: GPL-2.0
"""Paths of the kernels and trees that the tests use, and of their results."""

import os

import configs
from project import BUILD, CACHE_DIR

OURS = os.path.join(BUILD, "kernel")            # O= of the kernel under test
DEBUG = os.path.join(BUILD, "debug")            # O= of the kernel with KASAN, lockdep, ...
STOCK = os.path.join(BUILD, "stock")            # O= of the unmodified base
STOCK_SRC = os.path.join(BUILD, "stock-src")
SERIES_SRC = os.path.join(BUILD, "src")         # the base with the series
MAIN = "main"                                   # the configuration of OURS and STOCK

# Logs and results of the last run, one directory per guest.
RESULTS = os.path.join(BUILD, "test")

# Test results of the stock kernel, shared by all runs and clones.
CACHE = os.path.join(CACHE_DIR, "stock-results")

FTRACE = "tools/testing/selftests/ftrace"       # in a kernel tree and in this repository


def named(name, stock=False):
    """O= directory of the kernel of a configuration."""
    return configs.output(name, os.path.join(BUILD, "base") if stock else BUILD)
