"""``solve``: a deal goes in, the kernel searches, a line of play or a proof comes out."""

from __future__ import annotations

import time
import warnings
from typing import Final, Literal

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
from osmosis_solver.deal import Deal
from osmosis_solver.errors import OsmosisError, clip
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move, Play
from osmosis_solver.reference import depth_first
from osmosis_solver.rules import OSMOSIS, Rules

Engine = Literal["kernel", "reference"]

UNCOMPILED: Final = (
    "the kernel runs uncompiled, many times slower; install where there is a C compiler"
)
_SLICE: Final = 4000 if _kernel.COMPILED else 50
_BYTES_AN_ENTRY: Final = 300
_EVENT_NAMES: Final = {number: name for name, number in _kernel.EVENTS.items()}


def kernel_kind() -> str:
    """``"compiled"``, or ``"pure Python"`` where the kernel was installed without a compiler."""
    return "compiled" if _kernel.COMPILED else "pure Python"


def solve(
    deal: Deal | State,
    rules: Rules | None = None,
    *,
    budget: Budget | None = None,
    engine: Engine = "kernel",
    watcher: Watcher | None = None,
) -> Answer:
    """Win the deal or prove that nobody can: ``Won``, ``Lost`` or, out of budget, ``Unknown``.

    ``rules`` is ``OSMOSIS`` if not given. A ``State`` is solved from where it stands, under
    its own rules. ``engine="reference"`` takes the plain search over ``State`` objects
    instead, thousands of times slower. Where the kernel is not compiled, the first call
    warns of it (``RuntimeWarning``). A standard deal takes about 0.1 ms on average, the
    hardest known ones a second. Ctrl-C ends it within 0.1 s. Raises ``OsmosisError`` for
    an engine that does not exist, rules that are not the state's own, and other types.

    >>> solve(Deal.from_pysol(3)).verdict
    'won'
    """
    start = _start(deal, rules)
    budget = Budget() if budget is None else budget
    if not isinstance(budget, Budget):
        raise OsmosisError(clip(budget), "budget", "a Budget or None")
    watcher = watcher or Watcher()
    if engine == "reference":
        return depth_first(start, budget, watcher)
    if engine != "kernel":
        raise OsmosisError(clip(engine), "engine", "'kernel' or 'reference'")
    if not _kernel.COMPILED:
        warnings.warn(UNCOMPILED, RuntimeWarning, stacklevel=2)
    return Solver(start, budget, watcher).run()


def _start(deal: Deal | State, rules: Rules | None) -> State:
    if rules is not None and not isinstance(rules, Rules):
        raise OsmosisError(clip(rules), "rules", "a Rules record or None")
    if isinstance(deal, Deal):
        return State.start(deal, rules or OSMOSIS)
    if not isinstance(deal, State):
        raise OsmosisError(clip(deal), "solve", "a Deal or a State")
    if rules is not None and rules != deal.rules:
        raise OsmosisError(clip(rules), "rules", "the rules of the state itself, or none")
    return deal


@define
class Solver:
    """One kernel search and what goes with it. ``prunes`` has a bit for each of the kernel's
    ``PRUNES``; tests switch them off.
    """

    start: State
    budget: Budget
    watcher: Watcher
    prunes: int = sum(_kernel.PRUNES.values())
    began: float = field(factory=time.perf_counter)
    orders: tuple[str, ...] = field(init=False)
    parts: list[OrderProof] = field(init=False, factory=list)
    entries: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self.orders = tuple(self.start.row_orders())

    def run(self) -> Answer:
        """Search to an answer."""
        search = _new_search(self.start, self.orders, self.prunes)
        while True:
            event = _EVENT_NAMES[search.run(self._slice(search))]
            if event == "won":
                return self._won(search)
            if event == "lost":
                return self._lost(search)
            if event == "starved":
                return self._unknown(search, "memory")
            if event == "dead":
                if self._room(search) < search.counts()[2] * _BYTES_AN_ENTRY:
                    return self._unknown(search, "memory")
                self._keep(*search.refutation())
            elif event == "full" and not search.grow(self._room(search)):
                search.starve()
            limit = self._limit(search)
            if limit:
                return self._unknown(search, limit)

    def _slice(self, search: _kernel.Search) -> int:
        if self.budget.positions is None:
            return _SLICE
        return max(1, min(_SLICE, self.budget.positions - search.counts()[0]))

    def _room(self, search: _kernel.Search) -> int:
        """Bytes that the search's table may take beside the proof gathered so far."""
        return self.budget.megabytes * 10**6 - self.entries * _BYTES_AN_ENTRY

    def _limit(self, search: _kernel.Search) -> Limit | None:
        spent = self._spent(search)
        if spent.seconds > _SLICE_SECONDS:
            self.watcher.progress(spent)
        if self.budget.positions is not None and spent.positions >= self.budget.positions:
            return "positions"
        if self.budget.seconds is not None and spent.seconds >= self.budget.seconds:
            return "seconds"
        return None

    def _spent(self, search: _kernel.Search) -> Spent:
        return Spent(search.counts()[0], time.perf_counter() - self.began)

    def _keep(self, order: int, prefix: int, found: list[tuple[int, int, int, int]]) -> None:
        entries = _thin(found, self.start.rules.draw, self.start.redeals_left is not None)
        self.entries += len(entries)
        self.parts.append(OrderProof(self.orders[order], prefix, entries))

    def _won(self, search: _kernel.Search) -> Won:
        order, plays = search.line()
        line = _line(self.start, self.orders[order], plays)
        return Won(self.start, line, spent=self._spent(search))

    def _lost(self, search: _kernel.Search) -> Lost:
        parts = sorted(self.parts, key=lambda part: self.orders.index(part.order))
        spent = self._spent(search)
        search.dive_everywhere()
        return Lost(self.start, Proof(parts), search.counts()[1], spent=spent)

    def _unknown(self, search: _kernel.Search, limit: Limit) -> Answer:
        spent = self._spent(search)
        if search.dive_everywhere():
            return self._won(search)
        return Unknown(self.start, limit, search.counts()[1], spent=spent)


_SLICE_SECONDS: Final = 0.01


def _new_search(start: State, orders: tuple[str, ...], prunes: int) -> _kernel.Search:
    deal = start.deal

    def number(card: Card) -> int:
        return 13 * deal.suits.index(card.suit) + deal.ranks.index(card.name[0])

    return _kernel.Search(
        sequence=[number(card) for card in (*start.waste, *start.stock)],
        piles=[[number(card) for card in pile] for pile in start.reserve],
        home=[number(card) for row in start.rows for card in row],
        orders=[[deal.suits.index(suit) for suit in order] for order in orders],
        ranks=len(deal.ranks),
        base_rank=deal.ranks.index(deal.base.name[0]),
        draw=start.rules.draw,
        packets=start.rules.waste == "packet",
        any_start=start.rules.row_start == "any",
        redeals=start.redeals_left,
        waste=len(start.waste),
        packet=start.packet,
        prunes=prunes,
    )


def _thin(found: list[tuple[int, int, int, int]], draw: int, limited: bool) -> tuple[Entry, ...]:
    """Leave out entries all of whose plays another entry with the same cards left has.

    Without a pass limit the start of a pass offers what every other place does, and of two
    places with the same remainder by ``draw`` the earlier one offers all that the later does.
    """
    if limited:
        return tuple(Entry(*entry) for entry in found)
    kept: dict[tuple[int, int], tuple[int, int, int, int]] = {}
    for entry in found:
        left, waste, packet, _ = entry
        slot = left, waste % draw
        old = kept.get(slot)
        if old is None or waste < old[1] or (waste == old[1] and packet > old[2]):
            kept[slot] = entry
    beside = {left for left, remainder in kept if remainder}
    useful = (e for (left, r), e in kept.items() if r or left not in beside)
    return tuple(Entry(*entry) for entry in sorted(useful))


def _line(start: State, order: str, plays: list[tuple[int, int]]) -> tuple[Move, ...]:
    """The moves of a win: the kernel's plays from the waste, with turns, redeals and the
    plays from the reserve, which come as early as they can.
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
