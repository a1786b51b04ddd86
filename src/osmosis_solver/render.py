"""Pictures of positions and answers: as SVG, for notebooks, as a page of its own."""

from __future__ import annotations

from osmosis_solver.notebook import notebook
from osmosis_solver.svg import board as svg

__all__ = ["notebook", "svg"]
