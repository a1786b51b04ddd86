"""Two surveys of the same deals: counted deal by deal, with the intervals of paired samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from command import run
from hypothesis import given, settings
from hypothesis import strategies as st
from made_blocks import blocks, part

from osmosis_solver.block import NO_COUNT, WON, Block, Question, Task, measure
from osmosis_solver.errors import StoreError
from osmosis_solver.paired import Comparison, compare, to_object, told_comparison
from osmosis_solver.rules import DRAW_ONE
from osmosis_solver.store import Store

stats = pytest.importorskip("scipy.stats", reason="extra survey is not installed")

GREEDY, SCORES = Question(policy="greedy"), Question(what="score")


def stored(path: Path, *parts: Block) -> Store:
    """A new store with these blocks."""
    path.unlink(missing_ok=True)
    store = Store.open(path, parts[0].question)
    for each in parts:
        store.put(each)
    return store


def compared(folder: Path, one: list[Block], other: list[Block]) -> Comparison:
    """The comparison of two stores with these blocks."""
    with stored(folder / "one.db", *one) as first, stored(folder / "other.db", *other) as second:
        return compare(first, second)


@st.composite
def two_surveys(draw: st.DrawFn) -> tuple[Block, Block]:
    """Blocks of two questions about the same deals."""
    one, other = draw(blocks(SCORES)), draw(blocks(GREEDY))
    count = min(one.count, other.count)
    return part(one, 0, count), part(other, 0, count)


@settings(max_examples=20)
@given(pair=two_surveys(), cut=st.integers(0, 40))
def test_it_is_what_paired_samples_are(
    tmp_path_factory: pytest.TempPathFactory, pair: tuple[Block, Block], cut: int
) -> None:
    """Counts, differences and intervals are those of the two columns, however they are cut."""
    one, other = pair
    cut = min(cut, one.count)
    parts = [each for each in (part(one, 0, cut), part(one, cut, one.count)) if each.count]
    found = compared(tmp_path_factory.mktemp("paired"), parts, [other])
    ours, theirs = ([code == WON for code in each.verdicts] for each in pair)
    cells = [(a, b) for a in (True, False) for b in (True, False)]
    counts = (found.both, found.only_one, found.only_other, found.neither)
    pairs = list(zip(ours, theirs, strict=True))
    assert counts == tuple(pairs.count(cell) for cell in cells)
    hold_interval(found.share, [a - b for a, b in pairs])
    scored = [
        (a, b) for a, b in zip(one.scores, other.scores, strict=True) if max(a, b) < NO_COUNT - 1
    ]
    assert found.scored == len(scored)
    assert (found.score is None) == (not scored)
    if found.score is not None:
        hold_interval(found.score, [a - b for a, b in scored])


def hold_interval(found: Any, differences: list[int]) -> None:
    """The interval of scipy's test on the differences themselves."""
    assert found.mean == pytest.approx(sum(differences) / len(differences), abs=1e-4)
    if len(set(differences)) == 1:
        assert found.low == found.mean == found.high
        return
    wanted = stats.ttest_1samp(differences, 0).confidence_interval(0.95)
    assert found[1:] == pytest.approx((wanted.low, wanted.high), abs=1e-4)


def block_of(question: Question, first: int = 0, count: int = 60) -> Block:
    """Native deals, measured."""
    return measure(Task(question, first, count))


def test_mcnemar(tmp_path: Path) -> None:
    """The test weighs the deals that only one wins against an even chance, exactly.

    Who knows every card wins whatever greedy wins, so the chance is that of so many heads.
    """
    found = compared(tmp_path, [block_of(SCORES)], [block_of(GREEDY)])
    assert found.only_other == 0
    assert found.p == pytest.approx(2 * 0.5**found.only_one)
    same = compared(tmp_path, [block_of(GREEDY)], [block_of(GREEDY)])
    assert (same.only_one, same.p, same.share.mean, same.share.low) == (0, 1.0, 0.0, 0.0)


def test_only_the_same_deals_are_compared(tmp_path: Path) -> None:
    """Other deals, other rules and no deals are refused with what was wanted."""
    one = block_of(GREEDY)
    with pytest.raises(StoreError, match="got deals 0 to 49, wanted deals 0 to 59"):
        compared(tmp_path, [one], [part(one, 0, 50)])
    with pytest.raises(StoreError, match="got rules DRAW_ONE, wanted rules OSMOSIS"):
        compared(tmp_path, [one], [block_of(evolve(GREEDY, rules=DRAW_ONE))])
    with Store.open(tmp_path / "a.db", GREEDY) as empty, pytest.raises(StoreError, match="no deal"):
        compare(empty, empty)


def test_command(tmp_path: Path) -> None:
    """``report --against`` prints the figures, in lines or as one object."""
    one, other = str(tmp_path / "one.db"), str(tmp_path / "other.db")
    found = compared(tmp_path, [block_of(SCORES)], [block_of(GREEDY)])
    result = run("report", one, "--against", other)
    assert result.stdout.splitlines() == list(told_comparison(found))
    assert "only by policy greedy" in result.stdout
    result = run("report", one, "--against", other, "--json")
    assert json.loads(result.stdout) == json.loads(json.dumps(to_object(found)))
    with stored(tmp_path / "fewer.db", block_of(GREEDY, count=5)):
        result = run("report", one, "--against", str(tmp_path / "fewer.db"))
    assert result.exit_code == 2
    assert "got deals 0 to 4, wanted deals 0 to 59" in result.stderr


def test_unknown_deals_are_told(tmp_path: Path) -> None:
    """A deal without a verdict counts as not won, which is told, and gives status 3."""
    short = block_of(Question(positions=3))
    found = compared(tmp_path, [short], [block_of(GREEDY)])
    assert found.unknown[0] > 0 == found.unknown[1]
    assert any("counted as not won" in line for line in told_comparison(found))
    result = run("report", str(tmp_path / "one.db"), "--against", str(tmp_path / "other.db"))
    assert result.exit_code == 3


def test_no_p_is_told_as_nothing(tmp_path: Path) -> None:
    """A p too small for a float is told as a bound, never as 0."""
    found = compared(tmp_path, [block_of(SCORES)], [block_of(GREEDY)])
    told = "\n".join(told_comparison(evolve(found, p=0.0)))
    assert "test p < 1e-300" in told
    assert "p = 0\n" not in told
