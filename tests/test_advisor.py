"""Advice to a player who does not see every card: it never looks; if all is seen it is exact."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import states

from osmosis_solver import Deal, DealError, State, solve
from osmosis_solver.advisor import advise, plan
from osmosis_solver.view import View


@given(states(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_equal_views_get_equal_advice(state: State, random: object) -> None:
    """Whatever lies in the unseen places, the advice is the same: it knows the view alone."""
    view = View.of(state)
    cards = list(view.unseen)
    random.shuffle(cards)  # type: ignore[attr-defined]
    other = View.showing(view.completed(cards), [card for card in view.places if card is not None])
    assert advise(other, completions=8).moves == advise(view, completions=8).moves


@given(states(), st.integers(0, 2**64 - 1))
@settings(max_examples=60)
def test_a_plan_begins_with_the_move_that_is_advised(state: State, seed: int) -> None:
    """``plan`` is the plan of ``advise``, and each of its moves is legal as far as it is known."""
    view = View.of(state)
    moves = plan(view, 8, seed)
    assert moves == advise(view, completions=8, seed=seed).plan
    view.completed().play_all(moves)


@given(states())
@settings(max_examples=60)
def test_with_all_cards_seen_it_is_exact(state: State) -> None:
    """Of a position that can be won, the first move leads to one that can be won."""
    advice = advise(View.showing(state, state.deal.cards()))
    assert advice.best is None or advice.proved
    if advice.best is not None and solve(state).verdict == "won":
        assert solve(state.play(advice.best)).verdict == "won"


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_the_text_comes_back(number: int) -> None:
    """A view of a full deck is what its text says."""
    view = View.of(State.start(Deal.from_number(number)))
    assert View.from_text(view.text) == view


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Base: 2S\nReserve: ?? 2S\n", "2S 2 times"),
        ("Base: 2S\nStock: ??\n", "1 unseen places for 51 cards"),
    ],
)
def test_what_nobody_can_see_is_refused(text: str, told: str) -> None:
    """The error says what is wrong with the view."""
    with pytest.raises(DealError, match=told):
        View.from_text(text)
