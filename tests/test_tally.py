"""Tallies: sums that do not depend on how they are cut, intervals, effort."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from made_blocks import QUESTIONS, blocks, cut_blocks

from osmosis_solver import tally as room
from osmosis_solver.block import OPEN, WON, Block, Question, numbers
from osmosis_solver.errors import OsmosisError
from osmosis_solver.tally import HARDEST, Tally, bin_of, mean, most_of, total

Z = 1.959963984540054


@given(cut_blocks())
def test_sums_do_not_depend_on_the_cut(cut: tuple[Block, list[Block]]) -> None:
    """However deals are cut into blocks, and in whatever order these come, they sum to the same."""
    whole, parts = cut
    assert total(whole.question, map(Tally.of, parts)) == Tally.of(whole)


@given(cut_blocks())
def test_figures_are_those_of_the_deals(cut: tuple[Block, list[Block]]) -> None:
    """Counts, sums and the hardest are what a look at each deal gives."""
    whole, _ = cut
    found, searched = Tally.of(whole), numbers("I", whole.positions)
    assert (found.deals, found.won) == (whole.count, whole.verdicts.count(WON))
    assert found.won + found.lost + found.undecided == found.deals
    assert found.unknown == {name: whole.verdicts.count(code) for name, code in OPEN.items()}
    assert found.positions == sum(searched)
    ranked = sorted((-p, whole.first + i) for i, p in enumerate(searched) if p)
    assert found.hardest == tuple((-p, number) for p, number in ranked[:HARDEST])
    if whole.question.has_scores:
        assert found.scores.total() + found.unsettled == found.deals
        assert found.lost_scores == Counter({k: n for k, n in found.scores.items() if k < 52})
    elif whole.question.what == "turns":
        assert found.turns.total() == found.passes.total()
        assert found.turns.total() + found.unsettled == found.won + found.undecided
    else:
        assert found.unsettled == 0


@given(cut_blocks(), st.floats(0, 1))
def test_effort_is_bounded_closely(cut: tuple[Block, list[Block]], share: float) -> None:
    """The quantile is no less than the true one, less than an eighth more, and at most the most."""
    whole, _ = cut
    searched = sorted(numbers("I", whole.positions))
    true = searched[max(math.ceil(share * whole.count), 1) - 1]
    told = Tally.of(whole).effort_within(share)
    assert true <= told <= searched[-1]
    assert told == true or told < true * 9 / 8


@given(st.integers(0, 2**32 - 1))
def test_bins_are_an_eighth_wide(positions: int) -> None:
    """A bin holds its numbers and no others, and bins follow on one another."""
    number = bin_of(positions)
    assert positions <= most_of(number) < max(positions * 9 / 8, positions + 1)
    assert bin_of(most_of(number)) == number
    assert bin_of(most_of(number) + 1) == number + 1


def wilson(hits: int, deals: int) -> tuple[float, float]:
    """The Wilson interval once more, from its formula."""
    share, spread = hits / deals, Z * Z / deals
    middle = (share + spread / 2) / (1 + spread)
    half = Z * math.sqrt(share * (1 - share) / deals + spread / (4 * deals)) / (1 + spread)
    return middle - half, middle + half


@given(st.integers(0, 10**7), st.integers(0, 10**7), st.integers(0, 1000))
def test_interval(won: int, lost: int, unknown: int) -> None:
    """The interval is Wilson's, rounded outward, from all undecided lost to all won."""
    pytest.importorskip("scipy")
    deals = won + lost + unknown
    verdicts = {WON: won, 0: lost, OPEN["positions"]: unknown}
    share, low, high = Tally(Question(), verdicts=Counter(verdicts)).share_won
    if not deals:
        assert (share, low, high) == (0.0, 0.0, 1.0)
        return
    true_low, true_high = wilson(won, deals)[0], wilson(won + unknown, deals)[1]
    assert max(true_low, 0) - 1.01e-6 <= low <= max(true_low, 0) + 1e-12
    assert true_high - 1e-12 <= high <= true_high + 1.01e-6
    assert 0 <= low <= share <= high <= 1 or share == pytest.approx(low, abs=1e-6)
    assert share == round(won / deals, 6)


def test_a_share_of_many_home() -> None:
    """Deals with 40 cards or more count, and those left open by a limit count both ways."""
    pytest.importorskip("scipy")
    scores = Counter({39: 50, 40: 20, 52: 30})
    found = Tally(Question(what="score"), verdicts=Counter({0: 70, 1: 30}), scores=scores)
    assert found.share_home().share == 0.5
    assert found.share_home(52).share == 0.3
    wide = evolve(found, unsettled=10, verdicts=Counter({0: 80, 1: 30}))
    assert wide.share_home().high > found.share_home().high
    assert wide.share_home().low < found.share_home().low


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without scipy the interval is refused with the extra that brings it."""
    monkeypatch.setitem(__import__("sys").modules, "scipy.stats", None)
    with pytest.raises(OsmosisError, match=r"no scipy, wanted it .*osmosis-solver\[survey\]"):
        _ = Tally(Question(), verdicts=Counter({1: 1})).share_won


def test_other_questions_do_not_add_up() -> None:
    """Tallies of two questions are not summed."""
    with pytest.raises(OsmosisError, match="tally: got one of OSMOSIS, turns, wanted OSMOSIS"):
        _ = Tally(Question()) + Tally(Question(what="turns"))


@pytest.mark.parametrize("question", QUESTIONS)
def test_nothing_counted(question: Question) -> None:
    """The tally of no deals has figures too."""
    nothing = total(question, ())
    assert (nothing.deals, nothing.most, nothing.effort_within(0.5)) == (0, 0, 0)
    assert nothing.share_won == (0.0, 0.0, 1.0)
    assert mean(nothing.turns) is None


@given(st.data())
def test_equal_whatever_it_cost(data: Any) -> None:
    """Two runs with the same figures are equal, however long they took and much was checked."""
    found = data.draw(blocks(QUESTIONS[0]))
    again = evolve(found, checked=found.count, seconds=99.0)
    assert Tally.of(found) == Tally.of(again)
    assert room.total(found.question, [Tally.of(again)]).seconds == 99.0
