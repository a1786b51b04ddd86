"""The verdict of an answer in a few words, and what is proved of the best."""

from __future__ import annotations

from osmosis_solver.answer import Answer, Lost, Won


def headline(answer: Answer) -> str:
    """The verdict and what was reached, as one sentence.

    >>> from osmosis_solver.deal import Deal
    >>> from osmosis_solver.solver import solve
    >>> headline(solve(Deal.from_code("2S3S/2H:AS:3HAH")))
    'Won in 1 turn and 1 pass.'
    """
    if isinstance(answer, Won):
        turns, passes = many(answer.turns, "turn"), many(answer.passes, "pass", "passes")
        return f"Won in {turns} and {passes}."
    if isinstance(answer, Lost):
        return f"Lost: no line of play wins.{_reached(answer)}"
    return f"Unknown: the limit on {answer.limit} was hit before anything was proved."


def bound(answer: Answer) -> str:
    """What is proved of all lines of play, if the best was asked for; else nothing."""
    if isinstance(answer, Won):
        return _bound_won(answer)
    if not isinstance(answer, Lost) or answer.line is None:
        return ""
    most = answer.proof.most
    if answer.optimal:
        return f"No line brings home more than {many(answer.score, 'card')}: proved."
    told = "" if most is None else f"At most {many(most, 'card')} can come home. "
    return f"{told}Whether this line is the best is open{_hit(answer)}."


def many(count: int, one: str, more: str | None = None) -> str:
    """A number of things."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def _bound_won(answer: Won) -> str:
    if answer.optimal:
        return f"No win needs fewer {answer.minimise}: proved."
    if answer.at_least is None:
        return ""
    least = f"Every win needs at least {answer.at_least:,} {answer.minimise}"
    return f"{least}. Whether this win is the best is open{_hit(answer)}."


def _reached(answer: Lost) -> str:
    reached = f"{answer.score} of {len(answer.deal)} cards"
    if answer.line is not None:
        return f" The line shown brings home {reached}."
    return f" The search came across lines that bring home {reached}."


def _hit(answer: Won | Lost) -> str:
    return f": the limit on {answer.limit} was hit" if answer.limit else ""
