"""What notebooks show of an answer."""

from __future__ import annotations

import pytest

from osmosis_solver.answer import Budget, Unknown, Won
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.headline import best, headline
from osmosis_solver.notation import format_line
from osmosis_solver.notebook import moments, notebook
from osmosis_solver.solver import best_score, solve
from osmosis_solver.svg import board
from osmosis_solver.waiting import told_cases, waiting


def test_a_win_is_a_strip() -> None:
    """The start, a board for each row that opens, the end, each with its caption."""
    answer = solve(Deal.from_pysol(3), minimise="turns")
    assert isinstance(answer, Won)
    shown = list(moments(answer.start, answer.line))
    captions = [caption for caption, _ in shown]
    assert captions[0] == "The start"
    assert [caption.partition(": ")[2] for caption in captions[1:]] == [
        "TD opens row 2",
        "TS opens row 3",
        "TH opens row 4",
        "all cards are home",
    ]
    assert shown[-1][1].is_won
    text = answer._repr_html_()
    assert text.count("<svg") == len(shown)
    assert all(caption in text for caption in captions)
    assert "Won in 39 turns and 5 passes." in text
    assert "No win needs fewer turns: proved." in text


def test_moments_tell_the_move_and_the_pass() -> None:
    """A caption counts moves and passes as the line does."""
    answer = solve(Deal.from_pysol(3))
    assert isinstance(answer, Won)
    for caption, state in list(moments(answer.start, answer.line))[1:]:
        number = int(caption.split(",")[0].removeprefix("Move "))
        told = caption.partition("pass ")[2].partition(":")[0]
        made = answer.line[:number]
        assert answer.start.play_all(made) == state
        assert int(told) == format_line(made).count("|") + 1


def test_a_loss_is_its_cycles() -> None:
    """The start, and each reason in words with its picture."""
    answer = solve(Deal.from_pysol(24))
    text = notebook(answer)
    assert "Lost: no line of play wins." in text
    assert answer.verdict == "lost"
    for case, told in told_cases(answer):
        assert told in text
        assert (waiting(case)[4:] in text) == bool(case.waits)


def test_a_loss_with_its_best_line() -> None:
    """Where the best score was asked for, its line is shown, and that none is better."""
    answer = best_score(Deal.from_pysol(24))
    text = notebook(answer)
    assert "brings home 32 of 52 cards. No line brings home more: proved." in text
    assert "32 cards home" in text


def test_an_unknown_claims_nothing() -> None:
    """It says which limit was hit, and shows the deal; neither a win nor a loss is claimed."""
    answer = solve(Deal.from_pysol(1), budget=Budget(positions=1))
    assert isinstance(answer, Unknown)
    text = notebook(answer)
    assert "Unknown: the limit on positions was hit before anything was proved." in text
    assert board(answer.start)[4:] in text
    assert "Won" not in text
    assert "Lost" not in text


def test_a_position_won_already() -> None:
    """A win without a move is one board."""
    answer = solve(Deal.from_code(":AC:"))
    assert isinstance(answer, Won)
    assert notebook(answer).count("<svg") == 1


def test_what_is_proved_of_the_best() -> None:
    """A bound is told as far as it was proved, and the limit that was hit."""
    cut = solve(Deal.from_pysol(3), minimise="turns", budget=Budget(positions=60))
    assert isinstance(cut, Won)
    assert best(cut) == (
        f"Every win needs at least {cut.at_least} turns. Whether this win is the best is open: "
        "the limit on positions was hit."
    )
    short = best_score(Deal.from_pysol(24), budget=Budget(positions=3))
    assert short.limit == "positions"
    assert "proved." not in best(short)
    assert best(solve(Deal.from_pysol(24))) == (
        "The search came across lines that bring home 30 of 52 cards."
    )
    assert best(solve(Deal.from_pysol(3))) == ""


@pytest.mark.parametrize("code", ["2D/3D:AC:3C2CAD", "AD2D:AC:2C"])
def test_nothing_is_loaded(code: str) -> None:
    """No link, script, style sheet or image from elsewhere."""
    text = notebook(solve(State.start(Deal.from_code(code))))
    for word in ("href", "src=", "url(", "<script", "<style", "@import"):
        assert word not in text
    assert headline(solve(Deal.from_code(code))) in text
