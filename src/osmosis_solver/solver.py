"""The questions: can it be won, how cheaply, and if not, how many cards can come home."""

from __future__ import annotations

import warnings
from typing import Final, Literal, get_args

from osmosis_solver import _kernel, reference
from osmosis_solver.answer import Answer, Budget, Minimise, Watcher
from osmosis_solver.deal import Deal
from osmosis_solver.drive import Purse, Solver, settle
from osmosis_solver.errors import OsmosisError, clip
from osmosis_solver.game import State
from osmosis_solver.optimum import best, cheapest
from osmosis_solver.rules import OSMOSIS, Rules

__all__ = ["UNCOMPILED", "Engine", "Solver", "best_score", "kernel_kind", "solve"]

Engine = Literal["kernel", "reference"]

UNCOMPILED: Final = (
    "the kernel runs uncompiled, many times slower; install where there is a C compiler"
)


def kernel_kind() -> str:
    """``"compiled"``, or ``"pure Python"`` where the kernel was installed without a compiler."""
    return "compiled" if _kernel.COMPILED else "pure Python"


def solve(  # noqa: PLR0913 - all but the question itself is by name
    deal: Deal | State,
    rules: Rules | None = None,
    *,
    minimise: Minimise | None = None,
    budget: Budget | None = None,
    engine: Engine = "kernel",
    watcher: Watcher | None = None,
) -> Answer:
    """Win the deal or prove that nobody can: ``Won``, ``Lost`` or, out of budget, ``Unknown``.

    ``rules`` is ``OSMOSIS`` if not given. A ``State`` is solved from where it stands, under
    its own rules. With ``minimise`` the win has the fewest turns or passes, ties broken by
    the other, and carries a proof of it (``optimal``); if the budget ends first, it is the
    best so far with what is proved (``at_least``). ``engine="reference"`` takes the plain
    search over ``State`` objects instead, thousands of times slower. A standard deal takes
    about 0.1 ms on average, the hardest known ones a second. Ctrl-C ends it within 0.1 s.
    Where the kernel is not compiled, the first call warns of it (``RuntimeWarning``). Raises
    ``OsmosisError`` for an engine or a ``minimise`` that does not exist, rules that are not
    the state's own, and other types.

    >>> solve(Deal.from_pysol(3)).verdict
    'won'
    >>> solve(Deal.from_pysol(3), minimise="passes").at_least
    5
    """
    start = _start(deal, rules)
    if minimise is not None:
        _one_of("minimise", minimise, get_args(Minimise))
    _one_of("engine", engine, get_args(Engine))
    if engine == "reference":
        question = start, _budget(budget), watcher or Watcher()
        if minimise is not None:
            return reference.a_star(*question, minimise)
        return reference.depth_first(*question)
    purse = _purse(budget, watcher)
    return settle(start, purse) if minimise is None else cheapest(start, purse, minimise)


def best_score(
    deal: Deal | State,
    rules: Rules | None = None,
    *,
    budget: Budget | None = None,
    engine: Engine = "kernel",
    watcher: Watcher | None = None,
) -> Answer:
    """Bring home as many cards as can be: ``Won`` if all, else ``Lost`` with the best score.

    The ``Lost`` then has a ``line`` that reaches its ``score`` and a proof that no line
    reaches more (``optimal``). Out of budget, the score is the best so far, and
    ``proof.most``, if there is a proof, bounds all scores. Costs about 10 ms for a lost
    standard deal. ``engine`` is as in ``solve``. Raises ``OsmosisError`` for an engine that
    does not exist, rules that are not the state's own, and other types.

    >>> answer = best_score(Deal.from_pysol(24))
    >>> answer.score, answer.optimal
    (32, True)
    """
    start = _start(deal, rules)
    _one_of("engine", engine, get_args(Engine))
    if engine == "reference":
        return reference.best_score(start, _budget(budget), watcher or Watcher())
    return best(start, _purse(budget, watcher))


def _purse(budget: Budget | None, watcher: Watcher | None) -> Purse:
    if not _kernel.COMPILED:
        warnings.warn(UNCOMPILED, RuntimeWarning, stacklevel=3)
    return Purse(_budget(budget), watcher or Watcher())


def _budget(budget: Budget | None) -> Budget:
    if budget is not None and not isinstance(budget, Budget):
        raise OsmosisError(clip(budget), "budget", "a Budget or None")
    return budget or Budget()


def _one_of(where: str, got: object, choices: tuple[str, ...]) -> None:
    if got not in choices:
        raise OsmosisError(clip(got), where, " or ".join(map(repr, choices)))


def _start(deal: Deal | State, rules: Rules | None) -> State:
    if rules is not None and not isinstance(rules, Rules):
        raise OsmosisError(clip(rules), "rules", "a Rules record or None")
    if isinstance(deal, Deal):
        return State.start(deal, OSMOSIS if rules is None else rules)
    if not isinstance(deal, State):
        raise OsmosisError(clip(deal), "solve", "a Deal or a State")
    if rules is not None and rules != deal.rules:
        raise OsmosisError(clip(rules), "rules", "the rules of the state itself, or none")
    return deal
