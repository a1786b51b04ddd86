"""The verdict of an answer in a few words, and what is proved of the best."""

from __future__ import annotations

from osmosis_solver.answer import Answer, Lost, Unknown, Won


def headline(answer: Answer) -> str:
    """The verdict as one sentence.

    >>> from osmosis_solver.deal import Deal
    >>> from osmosis_solver.solver import solve
    >>> headline(solve(Deal.from_code("2S3S/2H:AS:3HAH")))
    'Won in 1 turn and 1 pass.'
    """
    if isinstance(answer, Won):
        turns, passes = many(answer.turns, "turn"), many(answer.passes, "pass", "passes")
        return f"Won in {turns} and {passes}."
    if isinstance(answer, Lost):
        return "Lost: no line of play wins."
    return f"Unknown: the limit on {answer.limit} was hit before anything was proved."


def best(answer: Answer) -> str:
    """What is known of the best line of play; nothing for a win, if any win was asked for."""
    if isinstance(answer, Won):
        return _best_win(answer)
    if answer.line is None:
        return f"The search came across lines that bring home {_score(answer)}."
    shown = f"The line shown brings home {_score(answer)}."
    return f"{shown} {_most(answer)}" if isinstance(answer, Lost) else shown


def many(count: int, one: str, more: str | None = None) -> str:
    """A number of things."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def _best_win(answer: Won) -> str:
    if answer.optimal:
        return f"No win needs fewer {answer.minimise}: proved."
    if answer.at_least is None:
        return ""
    least = f"Every win needs at least {answer.at_least:,} {answer.minimise}"
    return f"{least}. Whether this win is the best is open{_hit(answer)}."


def _most(answer: Lost) -> str:
    if answer.optimal:
        return "No line brings home more: proved."
    most = answer.proof.most
    told = "" if most is None else f"At most {many(most, 'card')} can come home. "
    return f"{told}Whether this line is the best is open{_hit(answer)}."


def _score(answer: Lost | Unknown) -> str:
    return f"{answer.score} of {many(len(answer.deal), 'card')}"


def _hit(answer: Won | Lost) -> str:
    return f": the limit on {answer.limit} was hit" if answer.limit else ""
