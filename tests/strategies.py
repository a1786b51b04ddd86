"""The strategies of ``osmosis_solver.testing`` with the bounds of this suite, and bad values."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from osmosis_solver import testing
from osmosis_solver._strategies import choices as choices_of
from osmosis_solver._strategies import walk
from osmosis_solver.cards import SUIT_SIGNS, Card
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.testing import deals, decks, rules

__all__ = [
    "NOT_TEXT",
    "cards",
    "choices",
    "deals",
    "decks",
    "rules",
    "spellings",
    "starts",
    "states",
    "walk",
]

cards = testing.cards()
choices = choices_of()
some_deals = deals()


def starts(deals: SearchStrategy[Deal] = some_deals, max_draw: int = 4) -> SearchStrategy[State]:
    """The first position of a deal under some rules."""
    return testing.starts(deals, rules(max_draw))


def states(deals: SearchStrategy[Deal] = some_deals, max_draw: int = 4) -> SearchStrategy[State]:
    """A position that a random legal line of play reaches."""
    return testing.states(deals, rules(max_draw))


# What callers might pass where a text is wanted; the last ones have no short repr.
NOT_TEXT: list[Any] = [
    *(None, True, 0, -1, 24, 1.5, float("nan"), b"", b"AC", [], ["AC"], (), ("A", "C"), {}),
    *(10**5000, (10**5000,), [-(10**5000)]),
]


def spellings(card: Card) -> SearchStrategy[str]:
    """The looser spellings of a card: lower case, 10, suit signs."""
    rank, suit = card.name[0], card.suit
    ranks = (rank, rank.lower(), *(["10"] if rank == "T" else []))
    return st.builds(
        str.__add__, st.sampled_from(ranks), st.sampled_from((suit, suit.lower(), SUIT_SIGNS[suit]))
    )
