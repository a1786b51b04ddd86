"""Why a deal is lost, drawn: the pictures say what the proof says."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from strategies import choices, starts, walk

from osmosis_solver.answer import Lost
from osmosis_solver.cards import Card
from osmosis_solver.deal import Deal
from osmosis_solver.explain import Case, Wait, cases
from osmosis_solver.game import State
from osmosis_solver.rules import GAMERULES, OSMOSIS, Rules
from osmosis_solver.solver import solve
from osmosis_solver.waiting import blocked, told_cases, waiting

LOST = "AD2D:AC:2C"


def lost(deal: Deal, rules: Rules = OSMOSIS) -> Lost:
    """The answer for a deal that is lost."""
    answer = solve(deal, rules)
    assert isinstance(answer, Lost)
    return answer


def test_a_cycle_by_hand() -> None:
    """AD lies under 2D, which needs AD to open its row: both never move, 2C may."""
    [only] = blocked(lost(Deal.from_code(LOST)))
    assert only.order == "CD"
    assert only.never == {Card("AD"), Card("2D")}
    assert {wait.card for wait in only.case.waits} == {Card("AD"), Card("2D")}
    assert "AD lies under 2D" in only.told
    drawn = waiting(only.case)
    assert "AD waits for 2D" in drawn
    assert drawn.count("<polygon") == 2
    assert {"lying on it", "to open its row"} <= set(re.findall(">([a-z ]+)<", drawn))


@pytest.mark.parametrize("rules", [OSMOSIS, GAMERULES, Rules(passes=1)])
def test_every_row_order_is_told(rules: Rules) -> None:
    """Each row order has one entry, with a case that it belongs to and that case's words."""
    seen = 0
    for number in range(12):
        answer = solve(Deal.from_number(number), rules)
        if isinstance(answer, Lost):
            found = list(blocked(answer))
            seen += 1
            assert sorted(one.order for one in found) == sorted(answer.start.row_orders())
            assert all(one.order.startswith(one.case.rows) for one in found)
            assert {one.told for one in found} == {told for _, told in told_cases(answer)}
    assert seen


@given(starts())
def test_cards_that_never_move(start: State) -> None:
    """The cards of a cycle never move; none that is home is among those that never do."""
    answer = solve(start)
    if isinstance(answer, Lost):
        for one in blocked(answer):
            assert {wait.card for wait in one.case.waits} <= one.never
            assert one.never.isdisjoint(card for row in start.rows for card in row)


@given(starts(), choices)
def test_no_line_moves_them(start: State, picks: list[int]) -> None:
    """What any line brings home is not among the cards that never move under its row order."""
    answer = solve(start)
    if isinstance(answer, Lost):
        state = walk(start, picks)[0]
        home = {card for row in state.rows for card in row}
        possible = set(state.row_orders())
        for one in blocked(answer):
            assert one.order not in possible or one.never.isdisjoint(home)


def test_no_arrow_is_missing() -> None:
    """An arrow for each card that is waited for, broken from the second on; each card once."""
    start = State.start(Deal.from_number(7))
    waits = (
        Wait(Card("2C"), "place", (Card("3C"), Card("4C"))),
        Wait(Card("3C"), "row", (Card("2C"),)),
        Wait(Card("4C"), "cover", (Card("2C"),)),
    )
    drawn = waiting(Case("C", waits))
    assert drawn.count("<polygon") == 4
    assert drawn.count("stroke-dasharray") == 1
    assert drawn.count("<g ") == 3
    for case in cases(start):
        assert not case.waits or waiting(case).count("<polygon") == sum(
            len(wait.on) for wait in case.waits
        )
