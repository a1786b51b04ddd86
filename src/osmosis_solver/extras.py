"""Brings a package of an extra where it is used, or says how to get it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from osmosis_solver.errors import OsmosisError


def bring(module: str, extra: str) -> Any:
    """The module of that name. Raises ``OsmosisError`` that names the extra it comes with."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        wanted = f"it installed: pip install 'osmosis-solver[{extra}]'"
        raise OsmosisError(f"no {package}", "packages", wanted) from None
