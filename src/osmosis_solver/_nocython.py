"""Stands in for the few names of ``cython`` that ``_kernel.py`` uses where it runs uncompiled."""

from __future__ import annotations

from typing import Any

compiled = False


class _Anything:
    """A type, a decorator or a context manager that does nothing."""

    def __call__(self, *args: Any, **_: object) -> Any:
        return args[-1] if args else self

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


_TYPES = {"Py_ssize_t", "bint", "int", "longlong", "uchar", "uint", "ulonglong"}
_NAMES = {"address", "cast", "gil", "nogil"} | _TYPES


def __getattr__(name: str) -> _Anything:
    if name not in _NAMES:
        raise AttributeError(name)
    return _Anything()
