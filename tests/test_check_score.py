"""The checker on best scores: none that is false is ever accepted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from typing import Any, get_args

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_check_cost import FREE, all_reached, holds, short_start, small

from osmosis_solver.answer import Entry, Lost, OrderProof, Proof
from osmosis_solver.check import _is_lost, check
from osmosis_solver.deal import Deal
from osmosis_solver.errors import ProofError
from osmosis_solver.game import State
from osmosis_solver.notation import parse_line
from osmosis_solver.proof_game import Game
from osmosis_solver.rules import Rules
from osmosis_solver.solver import Engine, best_score


def highest(start: State) -> int:
    """The best score, by all lines."""
    seen, todo = {start}, [start]
    while todo:
        state = todo.pop()
        after = {state.play(move) for move in state.legal_moves()} - seen
        seen |= after
        todo += after
    return max(state.score for state in seen)


@settings(max_examples=200)
@given(small, st.integers(-1, 12))
def test_the_strongest_fake_of_a_score(start: State, most: int) -> None:
    """The strongest proof that no line has more than so many cards is accepted iff none has."""
    best = highest(start)
    assume(best < len(start.deal))
    told = range(len(start.waste) + len(start.stock) + 1)
    score = min(start.score, most)
    for prefix in (told[-1], told[-1] // 2):
        parts = [strongest_score(start, order, prefix, most) for order in start.row_orders()]
        accepted = holds(Lost(start, Proof(parts, most), score, spent=FREE))
        assert not accepted or best <= most < len(start.deal)
        if prefix == told[-1] and best <= most < len(start.deal):
            assert accepted


def strongest_score(start: State, order: str, prefix: int, most: int) -> OrderProof:
    """The largest set of entries that is closed by the checker's own rules, for that score."""
    game = Game(start, order, prefix, most)
    covers: dict[int, dict[int, set[tuple[int, int]]]] = {}
    kept: list[Entry] = []
    for position in sorted(all_reached(game, None), key=lambda p: p.left.bit_count()):
        plays = list(game.plays(position))
        if position.left and all(_is_lost(game, after, covers) for _, after in plays):
            kept.append(position)
            places = covers.setdefault(position.left, {})
            for card, after in plays:
                places.setdefault(card, set()).add((after.packet, after.redeals))
    return OrderProof(order, prefix, kept)


@cache
def best_scores() -> tuple[Lost, ...]:
    """Best scores short of a win, of both engines, each with entries in its proof."""
    found = (lost for number in count() for lost in best_scores_of(short_start(number)))
    return tuple(islice(found, 40))


def best_scores_of(start: State) -> Iterator[Lost]:
    """The best score of a lost position by both engines, where a proof lists anything."""
    for engine in get_args(Engine):
        answer = best_score(start, engine=engine)
        if isinstance(answer, Lost) and any(part.entries for part in answer.proof.orders):
            yield answer


a_score = st.integers(0, 39).map(lambda i: best_scores()[i])


def test_scores_to_start_from() -> None:
    """They are accepted as they are, and true by all lines."""
    for lost in best_scores():
        check(lost)
        assert lost.optimal
        assert lost.score == lost.proof.most == highest(lost.start)


@given(a_score, st.integers(1, 5))
def test_a_score_too_low(lost: Lost, by: int) -> None:
    """A bound below the best score is refused, with the score lowered along or not."""
    assert lost.proof.most is not None
    lower = evolve(lost.proof, most=lost.proof.most - by)
    assert not holds(evolve(lost, proof=lower))
    assert not holds(evolve(lost, proof=lower, score=lost.score - by, line=None))


@given(a_score, st.data())
def test_a_line_that_reaches_less(lost: Lost, data: st.DataObject) -> None:
    """A line must reach the score that is claimed, no less and no more."""
    assert lost.line is not None
    line = lost.line[: data.draw(st.integers(0, len(lost.line)))]
    reached = lost.start.play_all(line).score
    assert holds(evolve(lost, line=line)) == (reached == lost.score)
    assert holds(evolve(lost, line=line, score=reached))
    assert not holds(evolve(lost, line=line, score=reached + 1))
    assert not holds(evolve(lost, line=(*lost.line, *parse_line("KC"))))
    assert not holds(evolve(lost, score=lost.score - 1))


def test_a_score_one_short_of_a_win() -> None:
    """All cards but one is the highest score that a loss can have, and most that it can prove."""
    lost = best_score(Deal.from_code(":AC:2DAD2C"), Rules(draw=1, passes=1, waste="packet"))
    assert isinstance(lost, Lost)
    assert lost.score == lost.proof.most == 3
    check(lost)
    assert not holds(evolve(lost, proof=evolve(lost.proof, most=4)))


NO_BOUNDS: list[Any] = ["1", 1.0, 2.5, True, b"", (), 10**5000, -1, 0]


@pytest.mark.parametrize("most", NO_BOUNDS, ids=map(str, range(len(NO_BOUNDS))))
def test_no_bounds(most: Any) -> None:
    """A bound that is no whole number short of a win is refused with ``ProofError``."""
    lost = best_scores()[0]
    text: Any = str(lost.score)
    with pytest.raises(ProofError):
        check(evolve(lost, proof=evolve(lost.proof, most=most)))
    with pytest.raises(ProofError):
        check(evolve(lost, score=text, line=None))


def test_entries_of_a_score_are_needed() -> None:
    """In each proof of the kernel some entry cannot be left out."""
    for start in {lost.start for lost in best_scores()}:
        lost = best_score(start)
        assert isinstance(lost, Lost)
        assert refusals(lost) or not any(part.entries for part in lost.proof.orders)


def refusals(lost: Lost) -> list[int]:
    """Which of the single entries make the proof fail when left out."""
    found, parts = [], lost.proof.orders
    for i, part in enumerate(parts):
        for at in range(len(part.entries)):
            less = evolve(part, entries=part.entries[:at] + part.entries[at + 1 :])
            proof = evolve(lost.proof, orders=(*parts[:i], less, *parts[i + 1 :]))
            if not holds(evolve(lost, proof=proof)):
                found.append(at)
    return found
