"""An answer as a piece of HTML for a notebook: pictures with few words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from osmosis_solver.answer import Answer, Lost, Unknown, Won
from osmosis_solver.game import State
from osmosis_solver.headline import best, headline, many
from osmosis_solver.moves import REDEAL, Move, Play
from osmosis_solver.svg import board
from osmosis_solver.waiting import told_cases, waiting

Moment = tuple[str, State]


def notebook(answer: Answer) -> str:
    """The answer as HTML: it needs no style sheet and no script, and loads nothing.

    A win is a strip of boards: the start, each row as it opens, the end. A loss is the start
    and, for each reason, the ring of cards that wait for one another. An unknown says so,
    and shows the start and the best line's end, if there is a line.
    """
    parts: Iterable[str]
    if isinstance(answer, Won):
        parts = _strip(moments(answer.start, answer.line))
    elif isinstance(answer, Lost):
        parts = (*_reached(answer), *_reasons(answer))
    else:
        parts = _reached(answer)
    return f"<div>{_head(answer)}{''.join(parts)}</div>"


def moments(start: State, line: Iterable[Move]) -> Iterator[Moment]:
    """The start, the positions in which a row has been opened, and the end."""
    yield "The start", start
    state, number, number_of_pass, shown = start, 0, 1, 0
    for number, move in enumerate(line, 1):
        after = state.play(move)
        number_of_pass += move == REDEAL
        if isinstance(move, Play) and len(after.rows) > len(state.rows):
            yield f"Move {number}, pass {number_of_pass}: {move} opens row {len(after.rows)}", after
            shown = number
        state = after
    if shown < number:
        yield f"Move {number}, pass {number_of_pass}: {_ending(state)}", state


def _ending(state: State) -> str:
    return "all cards are home" if state.is_won else f"{many(state.score, 'card')} home"


def _head(answer: Answer) -> str:
    told = f"<strong>{escape(headline(answer))}</strong> {escape(best(answer))}"
    return f"<p>{told.strip()}</p>"


def _strip(shown: Iterable[Moment]) -> Iterator[str]:
    yield '<div style="display:flex;flex-wrap:wrap;gap:12px">'
    for caption, state in shown:
        yield '<figure style="margin:0;width:360px;max-width:100%">'
        yield _fitted(board(state))
        yield f'<figcaption style="font-size:90%">{escape(caption)}</figcaption></figure>'
    yield "</div>"


def _fitted(drawn: str) -> str:
    """A drawing that shrinks with its frame."""
    return drawn.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)


def _reached(answer: Lost | Unknown) -> Iterator[str]:
    """The start and, if the best line was asked for, its end."""
    if answer.line:
        return _strip(moments(answer.start, answer.line))
    return _strip([("The start", answer.start)])


def _reasons(answer: Lost) -> Iterator[str]:
    for case, told in told_cases(answer):
        yield f"<p>{escape(told)}</p>"
        if case.waits:
            yield _fitted(waiting(case))
