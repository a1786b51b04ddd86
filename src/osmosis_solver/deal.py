"""Deals: the cards as laid out before the first move, held against a deck at the door."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Self, TypeVar

from attrs import field, frozen

from osmosis_solver.cards import SUITS, Card
from osmosis_solver.errors import DealError, NotationError, clip
from osmosis_solver.notation import (
    Layout,
    format_code,
    format_text,
    parse_code,
    parse_deals,
    parse_text,
)
from osmosis_solver.numbering import native_order, pysol_order

Item = TypeVar("Item")

STANDARD_LAYOUT = (4, 4, 4, 4)


def _piles(value: Iterable[Iterable[Card]]) -> tuple[tuple[Card, ...], ...]:
    piles = tuple(map(_cards, _tuple(value, "reserve")))
    return piles if any(piles) else ()  # a deal code cannot tell one empty pile from none


def _cards(value: Iterable[Card]) -> tuple[Card, ...]:
    return _tuple(value, "cards")


def _tuple(value: Iterable[Item], where: str) -> tuple[Item, ...]:
    try:
        return tuple(value)
    except TypeError:
        raise DealError(clip(value), f"deal, {where}", "a sequence") from None


@frozen
class Deal:
    """A layout of a whole deck: some suits times some ranks, each card once.

    ``reserve`` holds the piles bottom to top, ``base`` opens row 1, ``stock`` is in draw
    order; a reserve without a card is ``()``. Raises ``DealError`` that names the card if one
    is twice or missing.

    >>> deal = Deal.from_code("2CAD/AH:AC:2D2H")
    >>> [str(card) for card in deal.stock]
    ['2D', '2H']
    """

    reserve: tuple[tuple[Card, ...], ...] = field(converter=_piles)
    base: Card
    stock: tuple[Card, ...] = field(converter=_cards)

    def __attrs_post_init__(self) -> None:
        cards = list(self.cards())
        for card in cards:
            if not isinstance(card, Card):
                raise DealError(clip(card), "deal", "cards only")
        for card, times in Counter(cards).items():
            if times > 1:
                raise DealError(f"{card} {times} times", "deal", "each card once")
        names = {card.name for card in cards}
        for suit in self.suits:
            for rank in self.ranks:
                if rank + suit not in names:
                    wanted = f"the cards of {''.join(self.suits)} times {''.join(self.ranks)}"
                    raise DealError(f"no {rank}{suit}", "deal", wanted)

    def cards(self) -> Iterator[Card]:
        """Every card: base, reserve piles bottom to top, stock in draw order."""
        yield self.base
        for pile in self.reserve:
            yield from pile
        yield from self.stock

    @cached_property
    def suits(self) -> tuple[str, ...]:
        """The suits of the deck, in the order C D H S."""
        present = {card.suit for card in self.cards()}
        return tuple(suit for suit in SUITS if suit in present)

    @cached_property
    def ranks(self) -> tuple[str, ...]:
        """The ranks of the deck, ace to king."""
        by_rank = {card.rank: card.name[0] for card in self.cards()}
        return tuple(by_rank[rank] for rank in sorted(by_rank))

    def __len__(self) -> int:
        return 1 + sum(map(len, self.reserve)) + len(self.stock)

    @cached_property
    def code(self) -> str:
        """The deal code; ``Deal.from_code`` reads it back."""
        return format_code(self._layout)

    @property
    def text(self) -> str:
        """The deal text; ``Deal.from_text`` reads it back."""
        return format_text(self._layout)

    @property
    def _layout(self) -> Layout:
        return Layout(self.reserve, self.base, self.stock)

    def __str__(self) -> str:
        return self.code

    @classmethod
    def from_code(cls, code: str) -> Self:
        """Read a deal code. Raises ``NotationError`` or ``DealError``."""
        return cls(*parse_code(code))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read one deal text. Raises ``NotationError`` or ``DealError``."""
        return cls(*parse_text(text))

    @classmethod
    def read_many(cls, text: str) -> Iterator[Self]:
        """The deals of a file of deal codes and deal texts, one by one, in order."""
        return (cls(*layout) for layout in parse_deals(text))

    @classmethod
    def from_pysol(cls, number: int | str, layout: tuple[int, ...] = STANDARD_LAYOUT) -> Self:
        """The PySolFC deal of that number (``24``, ``"24"``, ``"ms24"``).

        ``layout`` is ``(4, 4, 4, 4)`` for PySolFC's Osmosis and Peek, ``()`` for its
        Bridesmaids; ``rules.layout`` fits. Raises ``NotationError`` for any other layout
        or number.

        >>> Deal.from_pysol(24).base
        Card(name='9C')
        """
        order = pysol_order(number)
        if layout == ():
            return cls((), order[0], order[1:])
        if layout != STANDARD_LAYOUT:
            raise NotationError(clip(layout), "PySolFC layout", "(4, 4, 4, 4) or ()")
        return cls((order[r:16:4] for r in range(4)), order[16], order[17:])

    @classmethod
    def from_number(cls, number: int, layout: tuple[int, ...] = STANDARD_LAYOUT) -> Self:
        """The deal of a native number, 0 to 2^64 - 1: piles bottom to top, base, stock.

        ``layout`` gives the pile sizes. Raises ``NotationError`` for any other number,
        and for a layout of more than 51 cards.
        """
        _check_layout(layout)
        order = native_order(number)
        reserve, start = [], 0
        for size in layout:
            reserve.append(order[start : start + size])
            start += size
        return cls(reserve, order[start], order[start + 1 :])


def _check_layout(layout: object) -> None:
    sizes = layout if isinstance(layout, tuple) else (-1,)
    if not all(type(size) is int and size >= 0 for size in sizes) or sum(sizes) > 51:
        wanted = "a tuple of pile sizes from 0 up, at most 51 together"
        raise NotationError(clip(layout), "layout", wanted)
