"""Drawings as SVG texts: a card, and a position as it lies on a table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from html import escape
from typing import Final

from osmosis_solver.cards import Card
from osmosis_solver.game import State

WIDE: Final = 40
HIGH: Final = 54
"""Width and height of a card, in the units of a drawing."""

# Blue, green, orange and black stay apart for eyes that miss one of the cones, and each is dark
# enough on white to be read (tests/test_svg.py measures both).
INK: Final = {"C": "#0a7f68", "D": "#1436c8", "H": "#c1340b", "S": "#151515"}
FACE: Final = "#ffffff"
TABLE: Final = "#eef1ee"
TEXT: Final = "#3b4540"
FONT: Final = "system-ui,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

# Each in a box of 24 by 24 around 0. All parts run one way around, so that they fill as one.
_SUIT: Final = {
    "C": "M-5.5-6a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0M-12 3a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0"
    "M1 3a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0M-2-3L-4 12H4L2-3Z",
    "D": "M0-12L-9 0 0 12 9 0Z",
    "H": "M0 12C-15 1-13-11-6-11-3-11-1-9 0-6 1-9 3-11 6-11 13-11 15 1 0 12Z",
    "S": "M0-12C-15 0-13 9-6 9-4 9-2 8-1 6L-4 12H4L1 6C2 8 4 9 6 9 13 9 15 0 0-12Z",
}
_GAP: Final = 4
_SMALL: Final = 0.6
_TINY: Final = 0.5
_MARGIN: Final = 10
_LABEL: Final = 14
_COLUMN: Final = WIDE + _GAP
_LINE: Final = HIGH + 8


def face(card: Card) -> str:
    """The inside of a drawing of a card: its rank above its suit, ``WIDE`` by ``HIGH``."""
    rank, ink = card.name[0], INK[card.suit]
    if rank == "T":
        rank = "10"
    narrow = ' textLength="29" lengthAdjust="spacingAndGlyphs"' if rank == "10" else ""
    return (
        f'<rect x=".75" y=".75" width="{WIDE - 1.5}" height="{HIGH - 1.5}" rx="5" fill="{FACE}"'
        ' stroke="#5d6863" stroke-width="1.5"/>'
        f'<text x="20" y="24" text-anchor="middle" font-size="25"'
        f' font-weight="700" fill="{ink}"{narrow}>{rank}</text>'
        f"{suit_sign(card.suit, 20, 39.5, 0.85)}"
    )


def suit_sign(suit: str, x: float, y: float, scale: float) -> str:
    """The sign of a suit, its middle at a place; at scale 1 it is 24 wide and high."""
    move = f"translate({x:g} {y:g})scale({scale:g})"
    return f'<path transform="{move}" fill="{INK[suit]}" d="{_SUIT[suit]}"/>'


def card_at(card: Card, x: float, y: float, scale: float = 1, dim: bool = False) -> str:
    """A card as part of a drawing, its left upper corner at a place."""
    faint = ' opacity=".3"' if dim else ""
    return f'<g transform="translate({x:g} {y:g})scale({scale:g})"{faint}>{face(card)}</g>'


def drawing(width: float, height: float, label: str, parts: Iterable[str]) -> str:
    """A whole drawing, with the words that stand for it where it cannot be seen.

    It keeps its size unless there is less room; ids are not used, since many drawings can
    stand in one document.
    """
    told = escape(label)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" role="img" aria-label="{told}" font-family="{FONT}">'
        f'<title>{told}</title><rect width="{width:g}" height="{height:g}" rx="8" fill="{TABLE}"/>'
        f"{''.join(parts)}</svg>"
    )


def words(x: float, y: float, text: str, anchor: str = "start", rim: bool = False) -> str:
    """A text as part of a drawing, on a base line at a place; a rim sets it off from lines."""
    edge = f' stroke="{TABLE}" stroke-width="5" paint-order="stroke"' if rim else ""
    return (
        f'<text x="{x:.4g}" y="{y:.4g}" text-anchor="{anchor}" font-size="12"'
        f' fill="{TEXT}"{edge}>{escape(text)}</text>'
    )


def board(state: State, dim: Collection[Card] = (), ring: Collection[Card] = ()) -> str:
    """The position as a drawing: reserve beside the rows, then waste and stock.

    What can be played, if its row takes it, is drawn large; what lies under it or is still to
    come is small. The rows have a column for each rank, and a dashed frame where a row would
    take a card now. The stock is grouped by turns, the next card first; the waste has its top
    last. Cards of ``dim`` are faint, those of ``ring`` have a ring.
    """
    table = _Table(state, frozenset(dim), frozenset(ring))
    parts = [*table.reserve(), *table.rows(), *table.sequence()]
    label = f"Osmosis, {state.score} of {len(state.deal)} cards home"
    return drawing(table.width, table.height, label, parts)


class _Table:
    """Where things lie. ``height`` grows as the waste and the stock are laid out."""

    def __init__(self, state: State, dim: Collection[Card], ring: Collection[Card]) -> None:
        self.state, self.dim, self.ring = state, dim, ring
        deepest = max(map(len, state.deal.reserve), default=0)
        small = WIDE * _SMALL + 2
        self.left = _MARGIN + (deepest - 1) * small + WIDE + 24 if deepest else _MARGIN
        self.width = max(self.left + len(state.deal.ranks) * _COLUMN - _GAP + _MARGIN, 330)
        lines = max(len(state.reserve), len(state.deal.suits))
        self.top = _MARGIN + _LABEL + 4
        self.height: float = self.top + lines * _LINE + 4

    def reserve(self) -> Iterator[str]:
        """Each pile beside the row of its number, bottom card first."""
        if self.state.reserve:
            yield words(_MARGIN, _MARGIN + 10, "Reserve")
        for number, pile in enumerate(self.state.reserve):
            yield from self._pile(pile, _MARGIN, self.top + number * _LINE, _SMALL)

    def rows(self) -> Iterator[str]:
        """The rows, under the names of the ranks."""
        yield words(self.left, _MARGIN + 10, "Rows")
        for number in range(len(self.state.deal.suits)):
            y = self.top + number * _LINE
            for column, rank in enumerate(self.state.deal.ranks):
                yield self._cell(number, rank, self.left + column * _COLUMN, y)

    def _cell(self, number: int, rank: str, x: float, y: float) -> str:
        state = self.state
        card = Card(rank + _suit_of_row(state, number))
        if number < len(state.rows) and card in state.rows[number]:
            return self._card(card, x, y)
        takes = state.row_for(card) == number
        look = f'fill="none" stroke="{TEXT}" stroke-dasharray="4 3"' if takes else 'fill="#e0e5e1"'
        return (
            f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{WIDE - 2}" height="{HIGH - 2}" rx="5"'
            f" {look}/>"
        )

    def sequence(self) -> Iterator[str]:
        """The waste, then the stock."""
        state = self.state
        size, draw = len(state.stock), state.rules.draw
        yield from self._heading(f"Waste {len(state.waste) or 'empty'}{_packet_told(state)}")
        yield from self._pile(state.waste, _MARGIN, self.height, _TINY)
        self.height += HIGH + 4
        yield from self._heading(f"Stock {size or 'empty'}{_redeals_told(state)}")
        groups = [state.stock[i : i + draw] for i in range(0, size, draw)]
        yield from self._groups(groups if draw > 1 else [state.stock])

    def _heading(self, text: str) -> Iterator[str]:
        self.height += _LABEL
        yield words(_MARGIN, self.height, text)
        self.height += 6

    def _groups(self, groups: list[tuple[Card, ...]]) -> Iterator[str]:
        x, step = float(_MARGIN), WIDE * _TINY + 2
        for group in groups:
            wide = step * len(group)
            if x > _MARGIN and x + wide > self.width - _MARGIN:
                x, self.height = float(_MARGIN), self.height + HIGH * _TINY + 4
            for card in group:
                if x + step > self.width - _MARGIN:
                    x, self.height = float(_MARGIN), self.height + HIGH * _TINY + 4
                yield self._card(card, x, self.height, _TINY)
                x += step
            x += 8
        self.height += HIGH * _TINY + _MARGIN

    def _pile(self, pile: tuple[Card, ...], x: float, y: float, scale: float) -> Iterator[str]:
        """Cards side by side, the last of them large if it is open to be played."""
        step = WIDE * scale + 2
        room = self.width - 2 * _MARGIN - WIDE
        step = min(step, room / len(pile)) if pile else step
        opened = set(self.state.open_cards())
        for card in pile:
            large = card in opened
            yield self._card(card, x, y if large else y + HIGH * (1 - scale), 1 if large else scale)
            x += step

    def _card(self, card: Card, x: float, y: float, scale: float = 1) -> str:
        drawn = card_at(card, x, y, scale, card in self.dim)
        if card not in self.ring:
            return drawn
        return drawn + (
            f'<rect x="{x - 1:g}" y="{y - 1:g}" width="{WIDE * scale + 2:g}"'
            f' height="{HIGH * scale + 2:g}" rx="{6 * scale:g}" fill="none" stroke="#8a2be2"'
            ' stroke-width="3"/>'
        )


def _suit_of_row(state: State, number: int) -> str:
    """The suit of an opened row; for a row to come any suit without a row stands for all."""
    taken = [row[0].suit for row in state.rows]
    if number < len(taken):
        return taken[number]
    return next(suit for suit in state.deal.suits if suit not in taken)


def _packet_told(state: State) -> str:
    if state.rules.waste == "top" or not state.waste:
        return ""
    return f", the last {state.packet} still playable" if state.packet else ", none playable"


def _redeals_told(state: State) -> str:
    left = state.redeals_left
    if left is None:
        return ""
    return f", {left} redeal{'' if left == 1 else 's'} left"
