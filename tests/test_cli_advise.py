"""The command ``advise``: what it prints of a view, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from command import run
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import states

from osmosis_solver import cli_advise
from osmosis_solver.advisor import advise
from osmosis_solver.closed import ClosedTable
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.moves import TURN
from osmosis_solver.notation import format_line
from osmosis_solver.shares import share_of
from osmosis_solver.view import View

FIELDS = [
    *("schema", "rules", "sees", "view", "unseen", "seed", "reason", "proved", "plan", "cut"),
    "moves",
]
WEIGHED = """\
Base: TC
Reserve: ?? ?? ?? 4S
Reserve: ?? ?? ?? JH
Reserve: ?? ?? 7D
Reserve: ?? ?? ?? AS
Waste: 5C 2H 8C 5S KD TD AH 5D AD 2C 9C 4C 2D 6H KS 8S 3H 6S 7C 3S 8D 6D QD 4D 9H JD 2S TH
Stock: JS 9D TS KH 4H
Rows: 3C TC JC KC
"""
SAFE = View.of(State.start(Deal.from_number(5))).text


def told(text: str, *args: str, status: int = 0) -> dict[str, Any]:
    """The object that is printed of a view."""
    result = run("advise", "-", "--json", *args, text=text)
    assert result.exit_code == status, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    assert list(found) == FIELDS
    return found


def test_json_is_the_advice() -> None:
    """The object has what ``advise`` found, and the view can be read back."""
    found = told(WEIGHED, "--completions", "40", "--seed", "7")
    view = View.from_text(WEIGHED)
    advice = advise(view, completions=40, seed=7)
    assert View.from_text(found["view"]) == view
    assert found["unseen"] == [str(card) for card in view.unseen]
    assert (found["reason"], found["seed"]) == (advice.reason, 7)
    assert found["plan"] == format_line(advice.plan)
    moves = [(each["move"], each["won"], each["completions"]) for each in found["moves"]]
    assert moves == [(format_line((m.move,)), m.won, m.completions) for m in advice.moves]


def test_rules_and_what_is_seen_are_the_question() -> None:
    """They are read with the view, and told again."""
    args = ("--rules", "three-passes", "--sees", "tops", "--completions", "3")
    found = told("Redeals: 1\n" + SAFE, *args, status=3)
    assert (found["rules"]["name"], found["sees"]) == ("THREE_PASSES", "tops")


def test_interval() -> None:
    """Each share has its Wilson interval, where the packages are there that compute it."""
    stats = pytest.importorskip("scipy.stats", reason="extra survey is not installed")
    for each in told(WEIGHED)["moves"]:
        wilson = stats.binomtest(each["won"], 100).proportion_ci(0.95, method="wilson")
        assert each["share"] == each["won"] / 100
        assert each["high"] == pytest.approx(wilson.high, abs=2e-6)
        if not each["dropped"]:
            assert each["low"] == pytest.approx(wilson.low, abs=2e-6)


@given(states(), st.integers(0, 2**64 - 1))
@settings(max_examples=10)
def test_a_chance_has_its_interval(state: State, seed: int) -> None:
    """It is Wilson's for the completions that were drawn."""
    pytest.importorskip("scipy", reason="extra survey is not installed")
    for each in advise(View.of(state), completions=9, seed=seed).moves:
        if each.won is not None and each.completions:
            assert each.share == share_of(each.won, 0, each.completions)
            assert each.share.low <= (each.chance or 0) <= each.share.high


def test_lines() -> None:
    """The picture hides what is unseen; then the reason, the moves ranked, and the plan."""
    result = run("advise", "-", text=WEIGHED)
    advice = advise(View.from_text(WEIGHED))
    assert result.exit_code == 0
    assert "1  ?? ?? ?? [4S]" in result.stdout
    assert advice.reason in result.stdout
    rows = [line.split()[:3] for line in result.stdout.splitlines()]
    first = next(row for row in rows if row[2:] == ["%"])
    assert first[:2] == ["turn", f"{100 * (advice.moves[0].chance or 0):.1f}"]
    assert "The plan, up to the next card shown: . . |" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_a_safe_move_has_no_share() -> None:
    """What is proved is not estimated."""
    [first, *_] = told(SAFE)["moves"]
    assert first["move"] == format_line((TURN,))
    assert first["won"] is first["share"] is first["low"] is first["high"] is None
    result = run("advise", "-", text=SAFE)
    assert "%" not in result.stdout


def test_without_the_packages_of_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the shares come without their intervals."""
    monkeypatch.setattr(cli_advise, "_share", lambda each: None)
    assert told(WEIGHED)["moves"][0]["low"] is None
    shown = run("advise", "-", text=WEIGHED).stdout
    assert "interval" not in shown
    assert " %" in shown


def end_of(number: int) -> View:
    """The view at the end of the game on a native deal, played as advised."""
    table = ClosedTable(State.start(Deal.from_number(number)))
    table.last()
    return table.view


def test_status() -> None:
    """0 for a move to make or a won game, 1 where nothing wins, 3 where no win was found."""
    ends = [end_of(number) for number in range(12)]
    won = next(view for view in ends if view.completed().is_won)
    stuck = next(view for view in ends if not view.completed().is_won)
    assert run("advise", "-", text=won.text).exit_code == 0
    assert run("advise", "-", text=stuck.text).exit_code == 1
    limited = run("advise", "-", "--positions", "1", text=WEIGHED)
    assert limited.exit_code == 3
    assert "hit a limit" in limited.stdout


@pytest.mark.parametrize(
    ("text", "args", "message"),
    [
        ("Base: 2S\n", [], "standard input: view: got 0 unseen places"),
        ("Base 2S\n", [], "standard input: view, line 1"),
        ("", [], "standard input: view"),
        (SAFE, ["--rules", "chess"], "rules name"),
        (SAFE, ["--completions", "0"], "'--completions'"),
        (SAFE, ["--seed", "-1"], "advise, seed: got -1"),
        (SAFE, ["--positions", "0"], "budget positions"),
        (SAFE, ["--sees", "all"], "'--sees'"),
    ],
)
def test_refused(text: str, args: list[str], message: str) -> None:
    """What makes no sense is one line on standard error and status 2."""
    result = run("advise", "-", *args, text=text)
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert message in line


def test_files(tmp_path: Any) -> None:
    """The view may stand in a file, which is named if it cannot be read."""
    path = tmp_path / "view.txt"
    path.write_text(SAFE)
    assert run("advise", str(path)).exit_code == 0
    result = run("advise", str(tmp_path / "none.txt"))
    assert result.exit_code == 2
    assert "none.txt" in result.stderr
    assert run("advise").exit_code == 2
