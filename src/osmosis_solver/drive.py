"""Drives the depth-first kernel: slices and budgets, plays turned back into moves, proofs."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final

from attrs import define, field

from osmosis_solver import _kernel
from osmosis_solver.answer import (
    Answer,
    Budget,
    Entry,
    Limit,
    Lost,
    OrderProof,
    Proof,
    Spent,
    Unknown,
    Watcher,
    Won,
)
from osmosis_solver.cards import Card
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move, Play

BYTES_AN_ENTRY: Final = 300
"""What an entry of a proof costs in Python, with what it takes to make it."""
ALL_PRUNES: Final = sum(_kernel.PRUNES.values())

# An entry of a proof as the kernel tells it: left, waste, packet, redeals.
_Found = tuple[int, int, int, int]

_SLICE: Final = 4000 if _kernel.COMPILED else 50
_SECONDS_UNSEEN: Final = 0.01
_EVENT_NAMES: Final = {number: name for name, number in _kernel.EVENTS.items()}


@define
class Purse:
    """What is left of a budget over one search or several in a row."""

    budget: Budget
    watcher: Watcher
    began: float = field(factory=time.perf_counter)
    before: int = 0

    def spent(self, positions: int = 0) -> Spent:
        """What was spent so far, ``positions`` being those of the search at hand."""
        return Spent(self.before + positions, time.perf_counter() - self.began)

    def keep(self, positions: int) -> None:
        """Close a search that took so many positions."""
        self.before += positions

    def slice(self, positions: int) -> int:
        """How many positions the search at hand may take before it looks up again."""
        if self.budget.positions is None:
            return _SLICE
        return max(1, min(_SLICE, self.budget.positions - self.before - positions))

    def limit(self, positions: int) -> Limit | None:
        """The limit that is hit, if one is. Also tells the watcher how it goes."""
        spent = self.spent(positions)
        if spent.seconds > _SECONDS_UNSEEN:
            self.watcher.progress(spent)
        if self.budget.positions is not None and spent.positions >= self.budget.positions:
            return "positions"
        if self.budget.seconds is not None and spent.seconds >= self.budget.seconds:
            return "seconds"
        return None

    @property
    def is_watched(self) -> bool:
        """Whether anyone wants to see better lines, which cost more to tell than to find."""
        return type(self.watcher).improved is not Watcher.improved

    def room(self, entries: int) -> int:
        """Bytes left for tables beside a proof of so many entries."""
        return self.budget.megabytes * 10**6 - entries * BYTES_AN_ENTRY


@define
class Drive:
    """One depth-first search for a line that brings home ``target`` cards, or the whole deck.

    ``prunes`` has a bit for each of the kernel's ``PRUNES``; tests switch them off. With
    ``proves`` off a loss comes without its proof, which can take longer than the search.
    """

    start: State
    purse: Purse
    prunes: int = ALL_PRUNES
    target: int | None = None
    proves: bool = True
    orders: tuple[str, ...] = field(init=False)
    search: _kernel.Search = field(init=False)
    parts: list[OrderProof] = field(init=False, factory=list)
    entries: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self.orders = tuple(self.start.row_orders())
        self.search = _kernel.Search(
            **in_numbers(self.start, self.orders), target=self.target, prunes=self.prunes
        )

    def run(self) -> str:
        """Search to an end: ``"won"``, ``"lost"`` or the limit that was hit."""
        end = self._run()
        self.purse.keep(self.positions)
        return end

    def _run(self) -> str:
        while True:
            event = _EVENT_NAMES[self.search.run(self.purse.slice(self.positions))]
            if event in ("won", "lost"):
                return event
            if event == "starved":
                return "memory"
            if event == "dead" and self.proves:
                if self.purse.room(self.entries) < self.search.counts()[2] * BYTES_AN_ENTRY:
                    return "memory"
                self._keep(*self.search.refutation())
                self.search.release()
                if len(self.parts) == len(self.orders):
                    return "lost"
            elif event == "full" and not self.search.grow(self.purse.room(self.entries)):
                self.search.starve()
            if limit := self.purse.limit(self.positions):
                return limit

    @property
    def positions(self) -> int:
        """Positions searched."""
        return self.search.counts()[0]

    @property
    def best(self) -> int:
        """The most cards that a line was seen to bring home."""
        return self.search.counts()[1]

    def _keep(self, order: int, prefix: int, found: list[_Found]) -> None:
        entries = _thin(found, self.start.rules.draw, self.start.redeals_left is not None)
        self.entries += len(entries)
        self.parts.append(OrderProof(self.orders[order], prefix, entries))

    def proof(self, most: int | None = None) -> Proof:
        """The proof of a search that is lost; ``most`` is one less than its target."""
        return Proof(sorted(self.parts, key=lambda part: self.orders.index(part.order)), most)

    def line(self) -> tuple[Move, ...]:
        """The line of a search that is won."""
        order, plays = self.search.line()
        return replay(self.start, self.orders[order], plays)


@define
class Solver:
    """Win or prove lost, in the plain form of the question."""

    start: State
    budget: Budget
    watcher: Watcher
    prunes: int = ALL_PRUNES

    def run(self) -> Answer:
        """Search to an answer."""
        return settle(self.start, Purse(self.budget, self.watcher), self.prunes)


def settle(start: State, purse: Purse, prunes: int = ALL_PRUNES) -> Answer:
    """Whether a position can be won, within what is left in the purse."""
    drive = Drive(start, purse, prunes)
    end = drive.run()
    # The last dives, for the sake of the best score, may even win where the budget ran out.
    if end != "won" and drive.search.dive_everywhere():
        end = "won"
    if end == "won":
        return Won(start, drive.line(), spent=purse.spent())
    if end == "lost":
        return Lost(start, drive.proof(), drive.best, spent=purse.spent())
    limit: Any = end
    return Unknown(start, limit, drive.best, spent=purse.spent())


def in_numbers(start: State, orders: tuple[str, ...]) -> dict[str, Any]:
    """A position as the fast rooms take it."""
    deal = start.deal

    def number(card: Card) -> int:
        return 13 * deal.suits.index(card.suit) + deal.ranks.index(card.name[0])

    return {
        "sequence": [number(card) for card in (*start.waste, *start.stock)],
        "piles": [[number(card) for card in pile] for pile in start.reserve],
        "home": [number(card) for row in start.rows for card in row],
        "orders": [[deal.suits.index(suit) for suit in order] for order in orders],
        "ranks": len(deal.ranks),
        "base_rank": deal.ranks.index(deal.base.name[0]),
        "draw": start.rules.draw,
        "packets": start.rules.waste == "packet",
        "any_start": start.rules.row_start == "any",
        "redeals": start.redeals_left,
        "waste": len(start.waste),
        "packet": start.packet,
    }


def _thin(found: list[_Found], draw: int, limited: bool) -> tuple[Entry, ...]:
    """Leave out of sorted entries those all of whose plays another one with these cards left has.

    Without a pass limit the start of a pass offers what every other place does, and of two
    places with the same remainder by ``draw`` the earlier one offers all that the later does.
    """
    useful = (
        found
        if limited
        else chain.from_iterable(_useful(group, draw) for _, group in groupby(found, itemgetter(0)))
    )
    return tuple(map(Entry._make, useful))


def _useful(group: Iterator[_Found], draw: int) -> Iterable[_Found]:
    """Of sorted entries with the same cards left, those that ``_thin`` keeps."""
    kept: dict[int, _Found] = {}
    for entry in group:
        remainder = entry[1] % draw
        old = kept.get(remainder)
        if old is None or old[1] == entry[1]:
            kept[remainder] = entry
    if len(kept) > 1:
        kept.pop(0, None)
    return kept.values()


def replay(start: State, order: str, plays: list[tuple[int, int]]) -> tuple[Move, ...]:
    """The moves of a line: the plays from the waste as the fast rooms tell them, with turns,
    redeals and the plays from the reserve, which come as early as they can.
    """
    sequence = (*start.waste, *start.stock)
    state, moves = start, list[Move]()
    for j, packet in plays:
        state = _play_reserve(state, order, moves)
        while not _is_up(state, sequence[j], packet):
            state = _go(state, TURN if state.stock else REDEAL, moves)
        state = _go(state, Play(sequence[j]), moves)
    _play_reserve(state, order, moves)
    return tuple(moves)


def _is_up(state: State, card: Card, packet: int) -> bool:
    """Whether the card is the waste top, with so much of its packet under it as is needed."""
    return state.waste[-1:] == (card,) and (
        state.rules.waste == "top" or state.packet - 1 >= packet
    )


def _play_reserve(state: State, order: str, moves: list[Move]) -> State:
    tops = [pile[-1] for pile in state.reserve if pile]
    for card in tops:
        if state.row_for(card) == order.index(card.suit):
            return _play_reserve(_go(state, Play(card), moves), order, moves)
    return state


def _go(state: State, move: Move, moves: list[Move]) -> State:
    moves.append(move)
    return state.play(move)
