"""Drives the searches for the best: the cheapest win, the highest score, each with its proof."""

from __future__ import annotations

from typing import Any, Final

from attrs import define, evolve, field

from osmosis_solver import _cheapest
from osmosis_solver.answer import (
    Answer,
    Budget,
    CostEntry,
    CostProof,
    Limit,
    Lost,
    Minimise,
    Proof,
    Unknown,
    Watcher,
    Won,
)
from osmosis_solver.drive import BYTES_AN_ENTRY, Drive, Purse, in_numbers, replay, settle
from osmosis_solver.game import State

_EVENT_NAMES: Final = {number: name for name, number in _cheapest.EVENTS.items()}


def cheapest(start: State, purse: Purse, minimise: Minimise) -> Answer:
    """The win with the fewest turns or passes, ties broken by the other, with its proof.

    A lost position is proved lost. If the budget runs out after a win is found, the best one
    so far comes with what is proved of all (``at_least``).
    """
    first = settle(start, purse)
    if not isinstance(first, Won):
        return first
    purse.watcher.improved(first.line, None)
    return _Cheapest(evolve(first, minimise=minimise), purse).run()


@define
class _Cheapest:
    """One search for a cheaper win than the one at hand."""

    won: Won
    purse: Purse
    orders: tuple[str, ...] = field(init=False)
    search: _cheapest.Cheapest = field(init=False)

    def __attrs_post_init__(self) -> None:
        won = self.won
        self.orders = tuple(won.start.row_orders())
        self.search = _cheapest.Cheapest(
            **in_numbers(won.start, self.orders),
            by_passes=won.minimise == "passes",
            limit=self._in_order(won.turns, won.passes - 1),
        )

    def _in_order(self, turns: int, redeals: int) -> tuple[int, int]:
        return (redeals, turns) if self.won.minimise == "passes" else (turns, redeals)

    def run(self) -> Won:
        """Search to the optimum, or as far as the budget goes."""
        search, purse = self.search, self.purse
        limit: Limit | None = None
        while limit is None:
            event = _EVENT_NAMES[search.run(purse.slice(search.counts()[0]))]
            if event == "better":
                self._improve()
            elif event == "done":
                break
            elif event == "full" and not search.grow(purse.room(0)):
                limit = "memory"
                break
            limit = purse.limit(search.counts()[0])
        purse.keep(search.counts()[0])
        proof = None if limit else self._proof()
        if proof is None and limit is None:
            limit = "memory"
        at_least, spent = self._at_least(), purse.spent()
        return evolve(self.won, at_least=at_least, proof=proof, limit=limit, spent=spent)

    def _improve(self) -> None:
        order, plays = self.search.line()
        line = replay(self.won.start, self.orders[order], plays)
        self.won = evolve(self.won, line=line)
        self.purse.watcher.improved(line, self._at_least())

    def _at_least(self) -> int:
        """What every win needs of what is minimised."""
        return self.search.least()[0] + (self.won.minimise == "passes")

    def _proof(self) -> CostProof | None:
        """The proof that no win is cheaper, if there is memory for it."""
        if self.search.counts()[1] * BYTES_AN_ENTRY > self.purse.room(0):
            return None
        listed = [(order, self.search.certificate(i)) for i, order in enumerate(self.orders)]
        return CostProof(
            tuple((order, tuple(CostEntry(*e) for e in found)) for order, found in listed if found)
        )


def best(start: State, purse: Purse) -> Answer:
    """The highest score that a line reaches, with that line and a proof that none has more.

    A position that can be won is won. If the budget runs out after the position is proved
    lost, ``proof.most`` is what the closures at the start prove of all lines.
    """
    plain = Drive(start, purse, proves=False)
    end: Any = plain.run()
    if end == "won" or plain.search.dive_everywhere():
        line = plain.line()
        purse.watcher.improved(line, None)
        return Won(start, line, spent=purse.spent())
    best_drive, is_lost = _dive(start, purse), end == "lost"
    score = best_drive.best
    while end in ("won", "lost"):
        if purse.is_watched:
            purse.watcher.improved(best_drive.line(), None)
        drive = Drive(start, purse, target=score + 1)
        end = drive.run()
        if end == "lost":
            line = best_drive.line()
            return Lost(start, drive.proof(score), score, line, spent=purse.spent())
        if end == "won":
            best_drive, score = drive, drive.best
    line, proof = best_drive.line(), None
    if is_lost:
        proof = _outer_proof(start, purse.budget.megabytes)
        end = "memory" if proof is None else end
    if proof is None:
        return Unknown(start, end, score, line, spent=purse.spent())
    limit = None if proof.most == score else end
    return Lost(start, proof, score, line, limit, spent=purse.spent())


def _dive(start: State, purse: Purse) -> Drive:
    """The dive with the best score, not run but dived, so that it can tell its line."""
    dive = Drive(start, purse, target=len(start.deal) + 1)
    dive.search.dive_everywhere()
    again = Drive(start, purse, target=dive.best)
    again.search.dive_everywhere()
    return again


def _outer_proof(start: State, megabytes: int) -> Proof | None:
    """What the closures at the start prove of the score, if that is short of a win; else the
    proof of the loss, which takes as long as it took to find out. None if it takes more memory.
    """
    purse = Purse(Budget(megabytes=megabytes), Watcher())
    reach = Drive(start, purse).search.reach()
    most = reach if reach < len(start.deal) else None
    drive = Drive(start, purse, target=None if most is None else reach + 1)
    return drive.proof(most) if drive.run() == "lost" else None
