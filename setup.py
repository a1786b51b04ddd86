"""Build the fast rooms as optional extensions; everything else stands in pyproject.toml."""

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

modules = cythonize(
    [Extension(f"osmosis_solver.{name}", [f"src/osmosis_solver/{name}.py"]) for name in FAST_ROOMS],
    include_path=["src"],
)
for module in modules:
    module.optional = True  # set here because cythonize forgets it
setup(ext_modules=modules)
