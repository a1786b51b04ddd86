"""What forgets and what ends: keys, canonical keys and the redeal cycle, by every position."""

from __future__ import annotations

from itertools import accumulate

import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import deals, starts
from test_game import PAIR, at

from osmosis_solver.cards import Card
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Play
from osmosis_solver.rules import OSMOSIS, Rules

tiny = starts(deals(max_cards=9))


def reach(start: State) -> list[State]:
    """Every state that play can reach, told apart by value and not by key."""
    found, todo = {start}, [start]
    while todo:
        state = todo.pop()
        for move in state.legal_moves():
            after = state.play(move)
            if after not in found:
                found.add(after)
                todo.append(after)
    return list(found)


def winnable(reached: list[State]) -> set[State]:
    """The states that lead to a win, found backwards from the wins."""
    before: dict[State, list[State]] = {}
    for state in reached:
        for move in state.legal_moves():
            before.setdefault(state.play(move), []).append(state)
    todo = [state for state in reached if state.is_won]
    found = set(todo)
    while todo:
        for state in before.get(todo.pop(), []):
            if state not in found:
                found.add(state)
                todo.append(state)
    return found


# Keys.


@given(tiny)
def test_keys_are_exact(start: State) -> None:
    """Of all states of one deal under one rules record, equal keys are equal states."""
    reached = reach(start)
    assert len({state.key for state in reached}) == len(reached)
    assert all(evolve(state).key == state.key >= 0 for state in reached)
    assert {type(state.key) for state in reached} == {int}


def test_keys_of_a_whole_deck_are_exact() -> None:
    """However many cards lie on the waste, each place of a pass has a key of its own."""
    start = State.start(Deal.from_pysol(1), Rules(draw=1, passes=2))
    moves = [TURN] * 35 + [REDEAL] + [TURN] * 35
    states = [*accumulate(moves, State.play, initial=start)]
    assert len({state.key for state in states}) == len(states) == 72


@given(tiny)
def test_canonical_keys_keep_winnability(start: State) -> None:
    """States with equal canonical keys are all winnable or all not; equal keys stay equal."""
    reached = reach(start)
    wins = winnable(reached)
    verdicts: dict[int, bool] = {}
    for state in reached:
        assert verdicts.setdefault(state.canonical_key, state in wins) == (state in wins)
    if start.rules.passes is not None:
        assert all(state.canonical_key == state.key for state in reached)


@settings(max_examples=250)
@given(starts(deals(min_cards=6, max_cards=10, max_ranks=5, max_piles=2)), st.integers(2, 3))
@example(State.start(Deal.from_code(":AD:2CASAHAC2H2D2S"), PAIR), 2)
def test_canonical_keys_without_a_pass_limit(start: State, size: int) -> None:
    """The same law where the key forgets most: no pass limit and turns of two or three.

    The example tells whether a packet turned over a bad waste top counts as open.
    """
    record = evolve(start.rules, passes=None, draw=size)
    reached = reach(State.start(start.deal, record))
    wins = winnable(reached)
    verdicts: dict[int, bool] = {}
    for state in reached:
        assert verdicts.setdefault(state.canonical_key, state in wins) == (state in wins)


@given(starts(deals(min_cards=5, max_cards=8, max_ranks=5)), st.integers(1, 3))
@example(State.start(Deal.from_code(":AC:2C3C4C5C6C7C"), PAIR), 2)
@example(State.start(Deal.from_code("AD/AH/2C/2D:AC:2SAS2H")), 2)
def test_canonical_keys_forget_what_they_may(start: State, size: int) -> None:
    """Without a pass limit a whole turn or the end of the pass counts as the start of a pass,
    and a waste top that cannot come home before the next turn as that turn.
    """
    record = evolve(start.rules, passes=None, draw=size)
    for state in reach(State.start(start.deal, record)):
        if len(state.waste) % size == 0 or not state.stock:
            sequence = state.waste + state.stock
            other = evolve(state, waste=(), stock=sequence, packet=0)
        elif not may_come_home(state):
            other = state.play(TURN)
        else:
            continue
        assert state.canonical_key == other.canonical_key


def may_come_home(state: State) -> bool:
    """Whether plays from the reserve might make room for the waste top, were every suit without
    a row free to open one under the last row with any rank there.
    """
    suits = [row[0].suit for row in state.rows]
    home = {card.name for row in state.rows for card in row}

    def fits(card: Card) -> bool:
        above = (suits.index(card.suit) if card.suit in suits else len(suits)) - 1
        return above < 0 or card.name[0] + suits[above] in home

    piles = [list(pile) for pile in state.reserve]
    while ready := [pile for pile in piles if pile and fits(pile[-1])]:
        home |= {pile.pop().name for pile in ready}
    live = state.packet or state.rules.waste == "top"
    return bool(live and state.waste and fits(state.waste[-1]))


@pytest.mark.parametrize(
    "code",
    [
        ":AC:2CAD2D",  # row 1 takes 2C at once
        "2CAH:AC:2DAD2H",  # 2D waits for 2C, which waits in the reserve for AH
    ],
)
def test_canonical_keys_keep_the_chance_of_a_turn(code: str) -> None:
    """A card that is bared for this turn only is not forgotten, though the reserve must help."""
    state = at(code, ". AD", Rules(draw=2))
    missed = state.play(TURN)
    wins = winnable(reach(state))
    assert state in wins
    assert missed not in wins
    assert state.canonical_key != missed.canonical_key


def test_canonical_keys_forget_the_stock_pointer() -> None:
    """The start of a pass, a whole turn and the end of the pass have one canonical key."""
    deal = "AD:AC:2C2D3C3D4C4D5C5D"
    lines = ["", ".", "..", "...", "...|", "...|."]
    assert len({at(deal, line).canonical_key for line in lines}) == 1
    assert len({at(deal, line).key for line in lines}) == 4


# Stuck.


def plays_to_come(state: State) -> bool:
    """Whether turns and redeals alone, as many as one likes, lead to a state with a play."""
    found = {state}
    todo = [state]
    while todo:
        here = todo.pop()
        for move in here.legal_moves():
            if isinstance(move, Play):
                return True
            after = here.play(move)
            if after not in found:
                found.add(after)
                todo.append(after)
    return False


@given(tiny)
def test_stuck(start: State) -> None:
    """A state is stuck iff it is not won and no turns and redeals bring up a play."""
    for state in reach(start):
        assert state.is_stuck == (not state.is_won and not plays_to_come(state))


@pytest.mark.parametrize(
    ("code", "line", "record", "stuck"),
    [
        (":AC:", "", OSMOSIS, False),  # won
        (":AC:2D2CAD", "", OSMOSIS, False),
        ("AD2D:AC:2C", ".2C", OSMOSIS, True),  # nothing left to turn
        (":AC:AD2D2C", "", Rules(draw=2), False),
        (":AC:AD2D2C", "..2C", Rules(draw=2), True),  # 2D is the only card to come up
        (":AC:AD2D2C", "...2C", Rules(draw=1), False),
        (":AC:AD2C2D", "...", Rules(draw=1), False),  # AD comes in the next pass
        (":AC:AD2C2D", "...", Rules(draw=1, passes=1), True),  # there is none
    ],
)
def test_stuck_by_hand(code: str, line: str, record: Rules, stuck: bool) -> None:
    """The redeal cycle and its neighbours, by hand."""
    assert at(code, line, record).is_stuck == stuck
