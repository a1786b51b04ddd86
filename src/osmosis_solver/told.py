"""What the commands tell people: positions, verdicts, lines of play, advice; 80 columns wide."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click

from osmosis_solver.answer import Answer, Lost, Spent, Unknown, Won
from osmosis_solver.game import State
from osmosis_solver.moves import Move, Play
from osmosis_solver.notation import format_line
from osmosis_solver.rules import Rules

if TYPE_CHECKING:
    from osmosis_solver.advice import Hint, Past

VERDICTS: Final = ("won", "lost", "unknown")
_WIDTH: Final = 78


def tell_position(name: str, state: State, moves: int = 0) -> None:
    """Name the deal, its rules and how many moves were made, and draw the position."""
    from osmosis_solver.picture import draw

    after = f", after {many(moves, 'move')}" if moves else ""
    click.echo(f"{name}, rules {describe(state.rules)}{after}\n")
    draw(state)


def tell_answer(answer: Answer, before: str = "", *, reasons: bool = False) -> None:
    """The verdict with its line or its reasons, and what it cost.

    ``before`` is what ``told_past`` says of the line that led to it. ``reasons`` asks for those
    of a win too.
    """
    click.echo(f"\n{_verdict(answer)}")
    if before:
        click.echo(wrapped(before))
    for line in _line_and_reasons(answer, reasons):
        click.echo(line)
    click.echo(f"\n{_cost(answer.spent)}\n")


def tell_hint(hint: Hint, before: str = "") -> None:
    """The move that is advised, why, and how far the win is.

    ``before`` is what ``told_past`` says of the line that led to it.
    """
    click.echo(f"\n{wrapped(hint.reason)}")
    answer = hint.answer
    if before:
        click.echo(wrapped(before))
    if hint.move is not None and isinstance(answer, Won) and answer.optimal:
        cost = turns_and_passes(answer.turns, answer.passes)
        click.echo(f"From here the win takes {cost}; none takes fewer turns.")


def tally(verdicts: Counter[str]) -> str:
    """How many deals have which verdict."""
    parts = [f"{verdicts[verdict]:,} {verdict}" for verdict in VERDICTS if verdicts[verdict]]
    return f"{verdicts.total():,} deals: {', '.join(parts)}"


def many(count: int, one: str, more: str | None = None) -> str:
    """A number of things.

    >>> many(1, "pass", "passes"), many(4000, "turn")
    ('1 pass', '4,000 turns')
    """
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def turns_and_passes(turns: int, passes: int) -> str:
    """What a win costs.

    >>> turns_and_passes(39, 1)
    '39 turns, 1 pass'
    """
    return f"{many(turns, 'turn')}, {many(passes, 'pass', 'passes')}"


def optimum(answer: Answer) -> str | None:
    """What the proof of the best says, if the answer has one."""
    if not answer.optimal:
        return None
    if isinstance(answer, Won):
        return f"no win needs fewer {answer.minimise}"
    return f"no line brings home more than {many(answer.score, 'card')}"


def describe(rules: Rules) -> str:
    """The name of the rules, or their fields."""
    if rules.name:
        return rules.name
    passes = "no limit of passes" if rules.passes is None else f"passes {rules.passes}"
    return f"draw {rules.draw}, {passes}, waste {rules.waste}, row start {rules.row_start}"


def _verdict(answer: Answer) -> str:
    if isinstance(answer, Won):
        cost = turns_and_passes(answer.turns, answer.passes)
        shorter = "" if answer.minimise else " (--minimise turns finds the shortest win.)"
        return wrapped(f"Won: {cost}{_bound(answer)}.{shorter}")
    reached = f"the best found reaches {answer.score} of {len(answer.deal)} cards."
    if isinstance(answer, Unknown):
        return f"Unknown: the limit on {answer.limit} was hit; {reached}"
    best = f"the best line reaches {answer.score} of {len(answer.deal)} cards."
    more = "" if answer.line is not None else " (--best finds the most.)"
    return f"Lost: {best if answer.optimal else reached}{more}"


def _bound(answer: Won) -> str:
    """What is known of all wins, if the fewest turns or passes were asked for."""
    if answer.optimal:
        return f": {optimum(answer)}"
    if answer.at_least is None:
        return ""
    return f": every win needs at least {answer.at_least:,} {answer.minimise}{hit(answer)}"


def hit(answer: Answer) -> str:
    """Which limit kept the answer from being proved the best, if one did."""
    return f"; the limit on {answer.limit} was hit" if answer.limit else ""


def _line_and_reasons(answer: Answer, of_a_win: bool) -> Iterator[str]:
    if answer.line:
        yield ""
        if not isinstance(answer, Won):
            yield from (wrapped(_over_line(answer)), "")
        yield from by_pass(answer.line)
    if isinstance(answer, Lost) or (of_a_win and isinstance(answer, Won)):
        from osmosis_solver.explain import explain

        told = explain(answer).splitlines()
        yield ""
        yield from map(wrapped, told if isinstance(answer, Lost) else told[1:])


def _over_line(answer: Lost | Unknown) -> str:
    """What a line short of a win is the best of."""
    brings = f"brings home {answer.score}:"
    if isinstance(answer, Unknown):
        return "The best line found:"
    if answer.optimal:
        return f"No line brings home more than {many(answer.score, 'card')}; this one {brings}"
    if answer.proof.most is None:
        return f"The best line found{hit(answer)}; it {brings}"
    most = many(answer.proof.most, "card")
    return f"At most {most} can come home{hit(answer)}; this line {brings}"


def by_pass(line: tuple[Move, ...]) -> Iterator[str]:
    """The line of play in notation, a new line for each pass, wider blanks after plays."""
    for number, text in enumerate(format_line(line).split("|")):
        turns = (part.strip() for part in re.findall(r"[. ]*[^.]+|[. ]+", text))
        first = "| " if number else "  "
        told = "  ".join(filter(None, turns))
        yield textwrap.fill(told, _WIDTH, initial_indent=first, subsequent_indent="  ") or first


def told_past(past: Past, line: tuple[Move, ...]) -> str:
    """Which move of the line threw the win away, as a sentence."""
    if past.fatal is not None:
        move = line[past.fatal - 1]
        told = str(move) if isinstance(move, Play) else type(move).__name__.lower()
        return f"This was still winnable before move {past.fatal} ({told})."
    if past.lost == 0:
        return "The deal was lost from the start."
    if past.winnable is None or past.lost is None:
        return "Whether this was winnable before is not settled within the limits."
    which = f"one of the moves {past.winnable + 1} to {past.lost}"
    return f"The win was thrown away by {which}; which one is not settled within the limits."


def _cost(spent: Spent) -> str:
    return f"{many(spent.positions, 'position')} searched in {spent.seconds:.2f} s."


def wrapped(paragraph: str) -> str:
    """The paragraph in lines of the width, all but the first indented."""
    return textwrap.fill(paragraph, _WIDTH, subsequent_indent="  ")
