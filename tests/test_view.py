"""What a player sees: nothing more than that, as text and back, and nothing that cannot be."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import deals, rules, states, walk

from osmosis_solver import OSMOSIS, Card, Deal, DealError, NotationError, Rules, State
from osmosis_solver.testing import starts
from osmosis_solver.view import View, glimpse, watched

sights = st.sampled_from(("packets", "tops"))


def shown(state: State, source: Random) -> View:
    """A view in which any of the cards that need not be seen are unseen."""
    return View.showing(state, [card for card in state.deal.cards() if source.random() < 0.5])


@given(states(), st.randoms(use_true_random=False))
def test_the_text_comes_back(state: State, source: Random) -> None:
    """A view is what its text says, whatever the deck."""
    view = shown(state, source)
    assert View.from_text(view.text, view.rules) == view


@given(st.integers(0, 10**6), sights)
def test_the_text_of_a_full_deck_comes_back(number: int, sees: str) -> None:
    """No line of a text on 52 cards is about the deck."""
    view = View.of(State.start(Deal.from_number(number)), seen=sees)  # type: ignore[arg-type]
    assert "Deck" not in view.text
    assert View.from_text(view.text, sees=view.sees) == view


@given(states(), st.randoms(use_true_random=False))
def test_a_completion_looks_the_same(state: State, source: Random) -> None:
    """Whatever the unseen cards are, the view is the same; and the truth is a completion."""
    view = shown(state, source)
    cards = list(view.unseen)
    source.shuffle(cards)
    known = [card for card in view.places if card is not None]
    assert View.showing(view.completed(cards), known) == view
    truth = (*state.waste, *state.stock, *(card for pile in state.reserve for card in pile))
    hidden = [card for card, seen in zip(truth, view.places, strict=True) if seen is None]
    done = view.completed(hidden)
    assert (done.reserve, done.waste, done.stock) == (state.reserve, state.waste, state.stock)


@given(starts(deals(), rules()), st.lists(st.integers(0, 11), max_size=30), sights)
def test_what_lay_face_up_is_seen(start: State, choices: list[int], sees: str) -> None:
    """Seen is what ever lay face up on the way, and nothing else."""
    state, line = walk(start, choices)
    view = View.of(start, line, seen=sees)  # type: ignore[arg-type]
    up, at = {start.deal.base}, start
    for move in (None, *line):
        at = at.play(move) if move else at
        last = start.rules.draw if sees == "packets" else 1
        up |= {pile[-1] for pile in at.reserve if pile} | set(at.waste[-last:])
        up |= {card for row in at.rows for card in row}
    assert set(view.unseen) == set(start.deal.cards()) - up
    assert watched(start, line, view.sees) == up
    assert glimpse(state, view.sees) <= up


def test_cards_seen_by_other_means() -> None:
    """``seen`` may be cards: an open reserve, say."""
    start = State.start(Deal.from_pysol(24))
    view = View.of(start, seen=[card for pile in start.reserve for card in pile])
    assert set(view.unseen) == set(start.stock)


SMALL = "Deck: CD A23\nBase: AC\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Base: 2S\nReserve: ?? 2S\n", "2S 2 times"),
        ("Base: 2S\nStock: ??\n", "1 unseen places for 51 cards"),
        (SMALL + "Reserve: 2C ??\nStock: ?? ?? ??\n", "reserve pile 1: got an unseen top"),
        (SMALL + "Waste: 2C ??\nStock: ?? ?? ??\n", "waste: got an unseen top"),
        (SMALL + "Stock: ?? ?? ?? ??\n", "4 unseen places for 5 cards"),
        (SMALL + "Stock: ?? ?? ?? ?? 4C\n", "got 4C"),
        (SMALL + "Rows: 2C\nStock: ?? ?? ?? ?? ??\n", "row 1 with the base card AC"),
        (SMALL + "Rows: AC / 2D\nStock: ?? ?? ?? ??\n", "whose rank is on row 1"),
        (SMALL + "Rows: AC 2C / 2D\nStock: ?? ?? ??\n", "its base card"),
        (SMALL + "Rows: AC / 2C\nStock: ?? ?? ?? ??\n", "one row for each suit|rank is on"),
        (SMALL + "Rows: AC AD\nStock: ?? ?? ?? ??\n", "cards of one suit"),
        ("Deck: CD A23\nBase: AH\nStock: ?? ?? ?? ?? ??\n", "got AH"),
    ],
)
def test_what_nobody_can_see_is_refused(text: str, told: str) -> None:
    """The error says what is wrong with the view."""
    with pytest.raises(DealError, match=told):
        View.from_text(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Base 2S\n", "line 1"),
        ("Bass: 2S\n", "line 1"),
        ("Base: 2S 3S\n", "2 cards"),
        ("Base: ??\n", "0 cards"),
        ("Base: 2S\nStock: ?? 11S\n", "line 2"),
        ("Deck: CD\nBase: AC\n", "suits and the ranks"),
        ("Deck: CX A2\nBase: AC\n", "suits and the ranks"),
        ("Deck: C A2\nDeck: C A2\nBase: AC\n", "suits and the ranks"),
        (SMALL + "Stock: ?? ?? ?? ?? ??\nPacket: 1\nPacket: 1\n", "one whole number"),
        (SMALL + "Stock: ?? ?? ?? ?? ??\nPacket: -1\n", "one whole number"),
    ],
)
def test_what_is_no_text_of_a_view_is_refused(text: str, told: str) -> None:
    """The error says which line or label is bad."""
    with pytest.raises(NotationError, match=told):
        View.from_text(text)


def test_numbers_that_cannot_be_are_refused() -> None:
    """Redeals and packets are held against the rules, the deck against suits times ranks."""
    text = SMALL + "Stock: ?? ?? ?? ?? ??\n"
    with pytest.raises(DealError, match="redeals left"):
        View.from_text(text + "Redeals: 3\n", Rules(passes=3))
    with pytest.raises(DealError, match="cards left of the packet"):
        View.from_text(text + "Packet: 1\n", Rules(waste="packet"))
    state = State.start(Deal.from_code(":AC:2CAD2D"))
    with pytest.raises(DealError, match="sorted"):
        View(OSMOSIS, Card("AC"), (), (), (None,), ((Card("AC"),),), deck=(Card("AC"), Card("2D")))
    with pytest.raises(DealError, match="each unseen card once"):
        View.of(state).completed([Card("2C")])
