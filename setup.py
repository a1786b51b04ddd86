"""Build the kernel as an optional extension; everything else stands in pyproject.toml."""

from Cython.Build import cythonize
from setuptools import Extension, setup

kernel = Extension("osmosis_solver._kernel", ["src/osmosis_solver/_kernel.py"], optional=True)
setup(ext_modules=cythonize([kernel]))
