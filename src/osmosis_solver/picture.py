"""A position drawn as text: the reserve beside the rows, then stock, waste and score."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, TextIO

from attrs import frozen

from osmosis_solver.cards import SUIT_SIGNS, Card
from osmosis_solver.game import State
from osmosis_solver.notation import format_line

if TYPE_CHECKING:
    from rich.text import Text

WIDTH: Final = 80
"""Columns of the widest picture of a standard deal."""

UNSEEN: Final = "??"
"""Stands for a card that is not seen."""

_GAP: Final = "   "
_INDENT: Final = "  "
_WIDEST_PACKET: Final = (WIDTH - len(_INDENT)) // 3
_CARD: Final = r"(?<![\w])(?:[A23456789TJQK][CDHS])(?![\w])"
_LABEL: Final = r"(?m)^(Reserve|Stock|Waste|Score|Moves)|row \d"
_EMPTY: Final = r"(?<=  )[A2-9TJQK](?=  |\n)|(?<= )\.(?= |\n)"
_RED_CARD: Final = r"(?<![\w])(?:[A23456789TJQK][♦♥])(?![\w])"


def picture(state: State, moves: str | None = None, seen: Container[Card] | None = None) -> str:
    """The position as plain text in ASCII, several lines without a line end.

    Reserve piles run bottom to top, the playable top in brackets. Rows have one column a
    rank, ace to king, so that a card stands right under the one it needs; a dot marks a
    card that its row would take now. The stock is grouped by turns, the next card first; the
    waste has its top last, and under the packet rule a bar before the cards still playable.
    ``moves`` stands in place of the list of legal moves. If it is given which cards are
    ``seen``, all others are drawn as ``??``.
    """
    show = _Show(seen)
    cards = (_board(state, show), _stock(state, show), _waste(state, show))
    lines = [line for block in (*cards, _summary(state, moves)) for line in block]
    return "\n".join(line.rstrip() for line in lines)


@frozen
class _Show:
    """What is drawn for a card: its name, if it is seen."""

    seen: Container[Card] | None

    def __call__(self, card: Card) -> str:
        return str(card) if self.seen is None or card in self.seen else UNSEEN


def painted(
    state: State,
    moves: str | None = None,
    moved: Card | None = None,
    seen: Container[Card] | None = None,
) -> Text:
    """The same picture for a terminal that can: suit signs, red suits in red.

    The card that ``moved`` last stands out on its row.
    """
    from rich.text import Text

    letters = picture(state, moves, seen)
    signs = re.sub(_CARD, lambda found: found[0][0] + SUIT_SIGNS[found[0][1]], letters)
    text = Text(signs)
    text.highlight_regex(_RED_CARD, "red")
    text.highlight_regex(r"\[..\]", "bold")
    text.highlight_regex(f"{_LABEL}|{_EMPTY}", "dim")
    if moved is not None:
        text.highlight_regex(f"{moved.name[0]}{SUIT_SIGNS[moved.suit]}", "reverse")
    return text


def draw(
    state: State,
    stream: TextIO | None = None,
    *,
    moves: str | None = None,
    moved: Card | None = None,
    seen: Container[Card] | None = None,
) -> None:
    """Write the picture to a stream (standard output), painted if that is a fit terminal.

    ``moves``, ``moved`` and ``seen`` are those of ``painted``.
    """
    stream = stream or sys.stdout
    if stream is None:  # a process can be started without standard output
        return
    if can_paint(stream, os.environ):
        from rich.console import Console

        Console(file=stream, highlight=False).print(
            painted(state, moves, moved, seen), soft_wrap=True
        )
    else:
        print(picture(state, moves, seen), file=stream, flush=True)


def can_paint(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether the stream is a terminal with colours and suit signs, and nobody minds them."""
    encoding = (getattr(stream, "encoding", None) or "").lower().replace("-", "")
    plain = environ.get("NO_COLOR") or environ.get("TERM") in ("dumb", "unknown")
    return stream.isatty() and encoding.startswith("utf") and not plain


def _board(state: State, show: _Show) -> Iterator[str]:
    reserve, rows = list(_reserve(state, show)), list(_rows(state))
    width = max(map(len, reserve), default=0)
    if width + len(_GAP) + max(map(len, rows)) > WIDTH:
        yield from [*reserve, "", *rows]
        return
    for left, right in zip_longest(reserve, rows, fillvalue=""):
        yield f"{left:{width}}{_GAP}{right}" if width else right


def _reserve(state: State, show: _Show) -> Iterator[str]:
    if state.reserve:
        yield "Reserve"
    number_width = len(str(len(state.reserve)))
    for number, pile in enumerate(state.reserve, 1):
        cards = [*map(show, pile[:-1]), *(f"[{top}]" for top in pile[-1:])] or ["-"]
        yield from _wrap(cards, f"{number:>{number_width}}  ", " ")


def _rows(state: State) -> Iterator[str]:
    yield "       " + "  ".join(state.deal.ranks)
    for number in range(len(state.deal.suits)):
        cells = (_cell(state, number, rank) for rank in state.deal.ranks)
        yield f"row {number + 1}  " + " ".join(cells)


def _cell(state: State, number: int, rank: str) -> str:
    """The card of that row and rank; a dot if the row would take it now; else blank."""
    card = Card(rank + _suit_of_row(state, number))
    if number < len(state.rows) and card in state.rows[number]:
        return str(card)
    return ". " if state.row_for(card) == number else "  "


def _suit_of_row(state: State, number: int) -> str:
    """The suit of an opened row; for a row to come any suit without a row stands for all."""
    taken = [row[0].suit for row in state.rows]
    if number < len(taken):
        return taken[number]
    return next(suit for suit in state.deal.suits if suit not in taken)


def _stock(state: State, show: _Show) -> Iterator[str]:
    size, draw = len(state.stock), state.rules.draw
    turns = -(-size // draw)
    yield ""
    to_go = f"{_many(size, 'card')}, {_many(turns, 'turn')} to go" if size else "empty"
    yield f"Stock  {to_go}{_redeals(state)}"
    cards = list(map(show, state.stock))
    if draw == 1 or draw > _WIDEST_PACKET:
        yield from _wrap(cards, _INDENT, " ")
    else:
        packets = [" ".join(cards[i : i + draw]) for i in range(0, size, draw)]
        yield from _wrap(packets, _INDENT, _GAP)


def _redeals(state: State) -> str:
    left = state.redeals_left
    return "" if left is None else f", {_many(left, 'redeal') if left else 'no redeal'} left"


def _waste(state: State, show: _Show) -> Iterator[str]:
    size, packet = len(state.waste), state.packet
    yield f"Waste  {_many(size, 'card') if size else 'empty'}"
    cards = list(map(show, state.waste))
    if cards and (packet or state.rules.waste == "top"):
        cards[-1] = f"[{cards[-1]}]"
    if packet:
        cards.insert(size - packet, "|")
    yield from _wrap(cards, _INDENT, " ")


def _summary(state: State, moves: str | None) -> Iterator[str]:
    yield f"Score  {state.score} of {len(state.deal)}"
    legal = format_line(state.legal_moves()) if moves is None else moves
    yield "Moves  " + (legal or "none")


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _wrap(pieces: Iterable[str], first: str, gap: str) -> Iterator[str]:
    """The pieces, ``gap`` apart, on lines no wider than ``WIDTH``; ``first`` is the margin."""
    line, margin = first, " " * len(first)
    for piece in pieces:
        if len(line) + len(gap) + len(piece) > WIDTH and line.strip():
            yield line
            line = margin
        line += piece if line in (first, margin) else gap + piece
    if line.strip():
        yield line
