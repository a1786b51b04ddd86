"""Build the fast rooms as optional extensions; everything else stands in pyproject.toml."""

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

FAST_ROOMS = (
    "_board",
    "_table",
    "_plain",
    "_general",
    "_kernel",
    "_cheapest",
    "_sweep",
    "_advise",
    "_ways",
    "_plans",
)

# CFLAGS that say nothing about it would leave out what Python asks for: four times as slow.
FAST = [] if sys.platform == "win32" else ["-O3"]
# Who asks for nothing needs nothing to debug with, which takes a third of the compiler's time.
if FAST and "CFLAGS" not in os.environ:
    FAST.append("-g0")


def room(name: str) -> Extension:
    """One fast room."""
    source = f"src/osmosis_solver/{name}.py"
    return Extension(f"osmosis_solver.{name}", [source], extra_compile_args=FAST)


modules = cythonize([room(name) for name in FAST_ROOMS], include_path=["src"])
for module in modules:
    module.optional = True  # set here because cythonize forgets it
setup(ext_modules=modules, options={"build_ext": {"parallel": os.cpu_count()}})
