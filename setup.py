"""Build the kernel as an optional extension; everything else stands in pyproject.toml."""

from Cython.Build import cythonize
from setuptools import Extension, setup

modules = cythonize([Extension("osmosis_solver._kernel", ["src/osmosis_solver/_kernel.py"])])
for module in modules:
    module.optional = True  # set here because cythonize forgets it
setup(ext_modules=modules)
