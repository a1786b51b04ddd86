"""An answer told in plain sentences: why a deal is lost, or how the line of play wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from osmosis_solver.answer import Answer, Budget, Limit, Lost, Unknown, Won
from osmosis_solver.why_lost import Case, Reason, Wait, cases, counted, most_home, told_lost
from osmosis_solver.why_won import EACH_CLAIM, told_won

__all__ = ["Case", "Reason", "Wait", "cases", "explain", "most_home"]


def explain(answer: Answer, budget: Budget | None = None) -> str:
    """The answer in sentences, a line for each thought, without a line end.

    A loss is told row order by row order; orders that are lost for the same reason are told
    together. A win is told pass by pass: which suit opens which row, and which plays are left
    since they would lose; what is said of other plays is proved by ``solve``, each within
    ``budget`` (20,000 positions if not given), or it is not said. The answer is taken for one
    that ``check`` accepts. Costs up to a tenth of a second for a loss that is due to the places
    of the cards in the stock, and a few dozen searches for a win.

    >>> from osmosis_solver.deal import Deal
    >>> from osmosis_solver.solver import solve
    >>> print(explain(solve(Deal.from_code("2S3S/2H:AS:3HAH"))))
    Won in 1 turn and 1 pass.
    Spades have row 1.
    Pass 1 brings 5 cards home.
    Hearts open row 2 in pass 1 with AH.
    """
    if isinstance(answer, Won):
        lines = told_won(answer, budget or EACH_CLAIM)
    elif isinstance(answer, Lost):
        lines = told_lost(answer)
    else:
        lines = _unknown(answer)
    return "\n".join(lines)


_LIMIT_WORDS: Final[dict[Limit, str]] = {
    "seconds": "The time allowed was used up",
    "positions": "The number of positions allowed was used up",
    "memory": "The memory allowed was used up",
}


def _unknown(answer: Unknown) -> Iterator[str]:
    spent = f"{counted(answer.spent.positions, 'position')} and {answer.spent.seconds:.1f} seconds"
    yield f"Unknown. {_LIMIT_WORDS[answer.limit]}, after {spent}; more might settle it."
    yield f"The best line found brings {answer.score} of {len(answer.deal)} cards home."
