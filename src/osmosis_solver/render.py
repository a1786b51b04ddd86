"""Pictures of positions and answers: as SVG, for notebooks, as a page of its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from osmosis_solver.answer import Answer
from osmosis_solver.errors import OsmosisError, clip
from osmosis_solver.moves import Move
from osmosis_solver.notebook import notebook
from osmosis_solver.page import page as html
from osmosis_solver.svg import board as svg

__all__ = ["html", "notebook", "svg", "write_html"]


def write_html(
    path: str | Path, answer: Answer, after: Iterable[Move] = (), title: str = "Osmosis"
) -> None:
    """Write the page of an answer (see ``html``) to a file.

    Raises ``OsmosisError`` if the file cannot be written.
    """
    text = html(answer, after, title)
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        got = getattr(error, "strerror", None) or str(error)
        raise OsmosisError(got, f"page {clip(str(path))}", "a file to write to") from None
