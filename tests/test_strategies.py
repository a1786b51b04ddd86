"""The testing kit's strategies: they reach every feature, and shrink well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from osmosis_solver import DRAW_ONE, OSMOSIS, PYSOL_BRIDESMAIDS, Card, Deal, Rules, State
from osmosis_solver._referee import Game
from osmosis_solver.moves import Move
from osmosis_solver.testing import (
    cards,
    deals,
    decks,
    lines,
    position_texts,
    rules,
    starts,
    states,
)


def features(state: State) -> list[str]:
    """What of the game a position shows."""
    rules = state.rules
    mid_pass = bool(state.waste and state.stock)
    shown = {
        f"draw {rules.draw}": True,
        f"passes {rules.passes}": True,
        f"waste {rules.waste}": True,
        f"row_start {rules.row_start}": True,
        f"layout {rules.layout}": True,
        f"{len(state.deal.suits)} suits": True,
        f"{len(state.rows)} rows": True,
        "no reserve dealt": not state.deal.reserve,
        "no stock dealt": not state.deal.stock,
        "stock empty": not state.stock,
        "in mid pass": mid_pass,
        "part of a packet": rules.waste == "packet" and 0 < state.packet < rules.draw and mid_pass,
        "a dead packet": rules.waste == "packet" and bool(state.waste) and not state.packet,
        "no redeal left": state.redeals_left == 0,
        "a redeal made": state.redeals_left not in {None, (rules.passes or 0) - 1},
        "won": state.is_won,
        "stuck": state.is_stuck,
        "no move": not state.legal_moves(),
        "choice of plays": len(state.legal_moves()) > 2,
    }
    return [name for name, here in shown.items() if here]


FEATURES = [
    *("draw 1", "draw 2", "draw 3", "draw 4"),
    *("passes None", "passes 1", "passes 2", "passes 3", "passes 4"),
    *("waste top", "waste packet", "row_start base", "row_start any"),
    *("layout (4, 4, 4, 4)", "layout ()", "1 suits", "2 suits", "3 suits", "4 suits"),
    *("1 rows", "2 rows", "3 rows", "4 rows", "no reserve dealt", "no stock dealt", "stock empty"),
    *("in mid pass", "part of a packet", "a dead packet", "no redeal left", "a redeal made"),
    *("won", "stuck", "no move", "choice of plays"),
]


def count(strategy: st.SearchStrategy[State], examples: int = 1000) -> Counter[str]:
    """How many of so many drawn positions show each feature."""
    counts: Counter[str] = Counter()

    @settings(max_examples=examples, phases=[Phase.generate])
    @given(strategy)
    def run(state: State) -> None:
        counts.update(["all", *features(state)])

    run()
    return counts


def test_every_feature_is_drawn() -> None:
    """Of 1,000 positions of ``states()`` and of larger decks at least 10 show each feature."""
    counts = count(states()) + count(states(deals(min_cards=10, max_cards=20)))
    assert counts["all"] == 2000
    assert {name: counts[name] for name in FEATURES if counts[name] < 10} == {}
    assert set(counts) <= {*FEATURES, "all"}


@given(states())
def test_states_keep_the_laws(state: State) -> None:
    """A position has the cards of its deal, and rows that legal play makes."""
    Game(state).compare_position(position_texts(state))


@given(st.data(), starts())
def test_lines_are_legal(data: st.DataObject, start: State) -> None:
    """A line can be played from its position and keeps to the given length."""
    line = data.draw(lines(start, max_moves=7))
    assert len(line) <= 7
    start.play_all(line)


@given(deals(short=False), deals(short=False, rules=PYSOL_BRIDESMAIDS))
def test_whole_decks_keep_the_layout(deal: Deal, bare: Deal) -> None:
    """With ``short=False`` all 52 cards are dealt as the rules lay them out."""
    assert (len(deal), [len(pile) for pile in deal.reserve]) == (52, [4, 4, 4, 4])
    assert (len(bare), bare.reserve) == (52, ())


@given(decks(min_cards=5, max_cards=9, max_suits=3, max_ranks=4))
def test_decks_keep_their_bounds(deck: list[Card]) -> None:
    """A deck is some suits times some ranks, within the bounds."""
    suits, ranks = {card.suit for card in deck}, {card.rank for card in deck}
    assert 5 <= len(deck) == len(set(deck)) == len(suits) * len(ranks) <= 9
    assert len(suits) <= 3
    assert len(ranks) <= 4


@given(deals(min_cards=10, max_cards=10, max_ranks=10, max_piles=2))
def test_deals_keep_their_bounds(deal: Deal) -> None:
    """A deal of a short deck keeps to the bounds on cards and piles."""
    assert len(deal) == 10
    assert len(deal.reserve) <= 2


@pytest.mark.parametrize("kind", [Card, Deal, Rules, State, Move])
def test_types_are_registered(kind: Any) -> None:
    """``st.from_type`` draws valid values of every type of the game."""
    values: list[object] = []

    @settings(max_examples=50)
    @given(st.from_type(kind))
    def run(value: object) -> None:
        values.append(value)

    run()
    assert len(set(values)) >= 4 - (kind is Move)
    assert all(isinstance(value, kind) for value in values)


def least(strategy: st.SearchStrategy[Any], wanted: Callable[[Any], bool]) -> Any:
    """The value that a failing test would be shrunk to."""
    return find(strategy, wanted, settings=settings(max_examples=500))


def test_strategies_shrink_well() -> None:
    """Values shrink to few cards, the standard rules and short lines."""
    start = State.start(Deal.from_code(":AC:AD"))
    assert least(cards(), lambda card: card.rank > 2) == Card("3C")
    assert least(rules(), lambda _: True) == OSMOSIS
    assert least(rules(max_draw=2), lambda _: True) == DRAW_ONE
    assert least(deals(), lambda deal: len(deal) > 2).code == ":AC:ADAH"
    assert len(least(deals(), lambda deal: len(deal.reserve) == 2)) == 2
    assert str(least(lines(start), lambda line: len(line) > 1)[-1]) == "AD"
    won = least(states(), lambda state: state.is_won and len(state.rows) > 1)
    assert (len(won.deal), won.rules) == (2, OSMOSIS)
