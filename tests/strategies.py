"""Hypothesis strategies: short decks, rules, and positions that legal play can reach.

They shrink towards one suit, one rank, no reserve, the sorted order of cards, the standard
rules and a short line of play.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from osmosis_solver.cards import RANKS, SUIT_SIGNS, SUITS, Card
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.moves import Move
from osmosis_solver.rules import Rules

Item = TypeVar("Item")

cards: SearchStrategy[Card] = st.builds(
    lambda rank, suit: Card(rank + suit), st.sampled_from(RANKS), st.sampled_from(SUITS)
)


@st.composite
def decks(
    draw: DrawFn, *, min_cards: int = 1, max_cards: int = 12, max_suits: int = 4, max_ranks: int = 6
) -> list[Card]:
    """Some suits times some ranks; every shape of an allowed size is equally likely."""
    sides = [(s, r) for s in range(1, max_suits + 1) for r in range(1, max_ranks + 1)]
    shapes = sorted((s * r, s, r) for s, r in sides if min_cards <= s * r <= max_cards)
    _, suit_count, rank_count = draw(st.sampled_from(shapes))
    suits = draw(_exactly(suit_count, st.sampled_from(SUITS), unique=True))
    ranks = draw(_exactly(rank_count, st.sampled_from(RANKS), unique=True))
    return [Card(rank + suit) for suit in suits for rank in ranks]


def _exactly(
    size: int, items: SearchStrategy[Item], *, unique: bool = False
) -> SearchStrategy[list[Item]]:
    return st.lists(items, min_size=size, max_size=size, unique=unique)


@st.composite
def deals(  # noqa: PLR0913 - every knob is by name and has a default
    draw: DrawFn,
    *,
    min_cards: int = 1,
    max_cards: int = 12,
    max_suits: int = 4,
    max_ranks: int = 6,
    max_piles: int = 4,
) -> Deal:
    """A deal of a short deck; ``max_piles=0`` leaves out the reserve."""
    deck = decks(min_cards=min_cards, max_cards=max_cards, max_suits=max_suits, max_ranks=max_ranks)
    base, *rest = draw(st.permutations(draw(deck)))
    reserve = []
    for _ in range(draw(st.integers(0, max_piles))):
        size = draw(st.integers(0, len(rest)))
        reserve.append(rest[:size])
        rest = rest[size:]
    return Deal(reserve, base, rest)


def rules(max_draw: int = 4) -> SearchStrategy[Rules]:
    """Rules of every mixture: up to ``max_draw`` cards a turn, no limit or 1 to 4 passes."""
    return st.builds(
        Rules,
        draw=st.integers(1, max_draw),
        passes=st.sampled_from((None, 1, 2, 3, 4)),
        waste=st.sampled_from(("top", "packet")),
        row_start=st.sampled_from(("base", "any")),
        layout=st.sampled_from(((4, 4, 4, 4), ())),
    )


def walk(start: State, choices: Iterable[int]) -> tuple[State, list[Move]]:
    """Play the legal move that each choice picks, to the end of choices or of play."""
    state, line = start, []
    for choice in choices:
        moves = state.legal_moves()
        if not moves:
            break
        line.append(moves[choice % len(moves)])
        state = state.play(line[-1])
    return state, line


# Lists of a size drawn first: left to itself hypothesis makes lists of five on average.
choices: SearchStrategy[list[int]] = st.sampled_from(range(41)).flatmap(
    lambda size: _exactly(size, st.integers(0, 11))
)


@st.composite
def starts(draw: DrawFn, deals: SearchStrategy[Deal] | None = None, max_draw: int = 4) -> State:
    """The first position of a deal under some rules."""
    return State.start(draw(_or_deals(deals)), draw(rules(max_draw)))


@st.composite
def states(draw: DrawFn, deals: SearchStrategy[Deal] | None = None, max_draw: int = 4) -> State:
    """A position that a random legal line of play reaches."""
    return walk(draw(starts(deals, max_draw)), draw(choices))[0]


def _or_deals(given: SearchStrategy[Deal] | None) -> SearchStrategy[Deal]:
    return deals() if given is None else given


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
