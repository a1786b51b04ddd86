"""The command line: what it tells people."""

from __future__ import annotations

import json
import re

import pytest
from command import FALL, GOOD, LOST, WON, run

from osmosis_solver import advice, solver
from osmosis_solver.advice import Past
from osmosis_solver.answer import Answer, Lost, Spent, Unknown
from osmosis_solver.deal import Deal
from osmosis_solver.explain import explain
from osmosis_solver.game import State
from osmosis_solver.notation import parse_line
from osmosis_solver.picture import picture
from osmosis_solver.told import told_past
from osmosis_solver.wire import from_json

TOO_LATE = """\
PySolFC deal 3, rules OSMOSIS, after 29 moves

Reserve                   A  2  3  4  5  6  7  8  9  T  J  Q  K
1  KC 6S 7D [QS]   row 1  AC .  .  4C 5C .  7C .  9C TC JC QC .
2  2D 8H JH [8S]   row 2  .        .  .     .     9D TD .  QD
3  -               row 3                          .  TH    .
4  7H 4D [JS]      row 4                             .

Stock  15 cards, 5 turns to go
  2S 3C 9H   KD 7S 3S   9S 2C 3H   AH 2H 5H   8C 4S 5S
Waste  14 cards
  QH TS 5D 6H KS AD 4H AS JD 8D 6D 3D KH [6C]
Score  12 of 52
Moves  6C .

No line wins from here.
This was still winnable before move 27 (TH).
"""


def test_a_win_for_people() -> None:
    """The board, the verdict, a line that can be pasted back as it stands, the cost."""
    result = run("solve", "--pysol", "3")
    start = State.start(Deal.from_pysol(3))
    assert result.stdout.startswith(f"PySolFC deal 3, rules OSMOSIS\n\n{picture(start)}\n\nWon: ")
    assert max(map(len, result.stdout.splitlines())) <= 80
    verdict, line, cost = result.stdout.partition("\n\nWon: ")[2].strip().split("\n\n")
    state = start.play_all(parse_line(line))
    assert state.is_won
    taken = f"{line.count('.')} turns, {1 + line.count('|')} passes."
    assert verdict == f"{taken} (--minimise turns finds the shortest win.)"
    assert "searched in" in cost
    assert len(line.splitlines()) >= 1 + line.count("|")
    assert run("check", "--deal", start.deal.code, "--line", line).stdout == "wins\n"


def test_a_loss_for_people() -> None:
    """The board, the verdict, and every word of the reasons."""
    result = run("solve", LOST)
    answer = solver.solve(Deal.from_code(LOST))
    assert picture(answer.start) in result.stdout
    assert "\n\nLost: the best found reaches " in result.stdout
    assert isinstance(answer, Lost)
    assert " ".join(explain(answer).split()) in " ".join(result.stdout.split())
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.parametrize("minimise", ["turns", "passes"])
def test_the_cheapest_win_for_people(minimise: str) -> None:
    """What the line takes, and that no other takes less; else what is proved and the limit."""
    args = ("solve", "--pysol", "3", "--minimise", minimise)
    best = f"\n\nWon: 39 turns, 5 passes: no win needs fewer {minimise}.\n\n"
    assert best in run(*args).stdout
    cut = run(*args, "--positions", "20")
    assert cut.exit_code == 3
    rushed = cut.stdout
    bound = (
        rf"Won: \d+ turns, \d+ passes: every win needs at least \d+ {minimise}; "
        r"the limit on positions was hit\."
    )
    assert re.search(bound, " ".join(rushed.split()))
    assert max(map(len, rushed.splitlines())) <= 80


def test_a_win_explained_for_people() -> None:
    """On request the reasons of a win stand under its line, as a loss's do under its verdict."""
    told = run("solve", "--pysol", "18", "--minimise", "turns", "--explain").stdout
    answer = solver.solve(Deal.from_pysol(18), minimise="turns")
    reasons = explain(answer).partition("\n")[2]
    assert " ".join(reasons.split()) in " ".join(told.split())
    assert max(map(len, told.splitlines())) <= 80
    assert "Pass 1 brings" not in run("solve", "--pysol", "18").stdout
    assert run("solve", "--pysol", "24", "--explain").stdout.count("No line of play wins.") == 1
    assert run("solve", WON, "--explain", "--json").exit_code == 2


def test_the_best_score_for_people() -> None:
    """The score, that no line has a higher one, and a line that reaches it, to be pasted back."""
    result = run("solve", "--pysol", "24", "--best")
    assert result.exit_code == 1
    assert "\n\nLost: the best line reaches 32 of 52 cards.\n\n" in result.stdout
    over = "\n\nNo line brings home more than 32 cards; this one brings home 32:\n\n"
    line = result.stdout.partition(over)[2].partition("\n\n")[0]
    assert State.start(Deal.from_pysol(24)).play_all(parse_line(line)).score == 32
    assert "\n\nNo line of play wins. " in result.stdout
    assert "\n\nWon: " in run("solve", "--pysol", "3", "--best").stdout


def test_a_best_score_out_of_budget_for_people() -> None:
    """What is proved of all lines so far, the limit that was hit, and the best line found."""
    cut = run("solve", "--pysol", "24", "--best", "--positions", "20")
    assert cut.exit_code == 3
    rushed = cut.stdout
    most = re.search(r"\nAt most (\d+) cards can come home; the limit on positions was", rushed)
    assert most
    assert int(most[1]) >= 32
    assert "\n\nLost: the best found reaches " in rushed


def test_a_score_that_is_not_settled_for_people() -> None:
    """Where not even the verdict is known, the best line found is told as no more than that."""
    cut = run("solve", "--pysol", "1", "--best", "--positions", "1")
    assert cut.exit_code == 3
    told = re.search(
        r"Unknown: the limit on positions was hit; the best found reaches (\d+)", cut.stdout
    )
    assert told
    line = cut.stdout.partition("\n\nThe best line found:\n\n")[2].partition("\n\n")[0]
    state = State.start(Deal.from_pysol(1)).play_all(parse_line(line))
    assert state.score == int(told[1])


def test_a_loss_whose_score_is_not_settled_for_people() -> None:
    """Where nothing bounds the score but that the deal is lost, the line found is told with it."""
    args = ("--passes", "2", "--waste", "packet", "--best", "--positions", "6")
    cut = run("solve", ":2H:AS2S2CAHAC", *args)
    assert cut.exit_code == 3
    assert "\n\nLost: the best found reaches 3 of 6 cards.\n\n" in cut.stdout
    found = "\n\nThe best line found; the limit on positions was hit; it brings home 3:\n\n"
    assert found in cut.stdout


def test_several_deals_for_people() -> None:
    """Several deals are named one by one and counted at the end."""
    result = run("solve", "--draw", "2", WON, LOST)
    assert "Deal 1, rules draw 2, no limit of passes, waste top, row start base\n" in result.stdout
    assert "\nDeal 2, rules draw 2" in result.stdout
    assert result.stdout.endswith("2 deals: 1 won, 1 lost\n")


def test_a_hint_for_people() -> None:
    """The position, the move, why, and how far the win is; or since when it is too late."""
    result = run("hint", "--pysol", "3", "--after", GOOD)
    state = State.start(Deal.from_pysol(3)).play_all(parse_line(GOOD))
    assert result.exit_code == 0
    assert result.stdout == (
        f"PySolFC deal 3, rules OSMOSIS, after 26 moves\n\n{picture(state)}\n\n"
        "Play 6C: turning on without it would cost 7 turns more.\n"
        "From here the win takes 22 turns, 4 passes; none takes fewer turns.\n"
    )
    late = run("hint", "--pysol", "3", "--after", FALL)
    assert (late.stdout, late.exit_code) == (TOO_LATE, 1)


@pytest.mark.parametrize(
    ("args", "told", "status"),
    [
        ((WON, "--draw", "1", "--after", ". . . AD 2C 3C 2D 3D"), "All cards are home.\n", 0),
        ((LOST,), "No line wins from here.\n", 1),
        (
            (LOST, "--after", "."),
            "No line wins from here.\nThe deal was lost from the start.\n",
            1,
        ),
    ],
)
def test_a_hint_without_a_move(args: tuple[str, ...], told: str, status: int) -> None:
    """When there is no move to name it is said why, and since when."""
    result = run("hint", *args)
    assert result.stdout.endswith(f"\n\n{told}")
    assert result.exit_code == status


def test_a_hint_out_of_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that was hit is named, with status 3."""

    def unknown(start: State, **_: object) -> Answer:
        return Unknown(start, "seconds", 2, spent=Spent(9, 0.5))

    monkeypatch.setattr(advice, "solve", unknown)
    result = run("hint", WON)
    told = "Whether this can be won is not settled: the limit on seconds was hit."
    assert result.stdout.endswith(f"\n\n{told}\n")
    assert result.exit_code == 3


@pytest.mark.parametrize(
    ("past", "told"),
    [
        (Past(26, 27, 29), "This was still winnable before move 27 (TH)."),
        (Past(3, 4, 29), "This was still winnable before move 4 (7C)."),
        (Past(1, 2, 29), "This was still winnable before move 2 (turn)."),
        (Past(18, 19, 29), "This was still winnable before move 19 (redeal)."),
        (Past(None, 0, 29), "The deal was lost from the start."),
        (Past(None, 7, 29), "Whether this was winnable before is not settled within the limits."),
        (
            Past(None, None, 29),
            "Whether this was winnable before is not settled within the limits.",
        ),
        (
            Past(4, 9, 29),
            "The win was thrown away by one of the moves 5 to 9; which one is not settled within"
            " the limits.",
        ),
    ],
)
def test_the_past_in_words(past: Past, told: str) -> None:
    """What is known of when the win was thrown away, and no more."""
    assert told_past(past, parse_line(FALL)) == told


def test_solve_after_a_line() -> None:
    """The position after the line is solved; a line that threw the win away is told."""
    late = run("solve", "--pysol", "3", "--after", FALL)
    assert late.exit_code == 1
    assert late.stdout.startswith(TOO_LATE.partition("No line")[0] + "Lost: ")
    assert "\nThis was still winnable before move 27 (TH).\n\n" in late.stdout
    args = ("--pysol", "3", "--after", GOOD, "--minimise", "turns")
    told = "\n\nWon: 22 turns, 4 passes: no win needs fewer turns.\n"
    assert told in run("solve", *args).stdout
    [line] = run("solve", "--json", *args).stdout.splitlines()
    fields = json.loads(line)
    assert (fields["after"], fields["turns"], fields["optimal"]) == (GOOD, 22, True)
    assert from_json(line).start == State.start(Deal.from_pysol(3)).play_all(parse_line(GOOD))


def test_show() -> None:
    """The picture of the deals, or of the position after a line, under their names."""
    line = "9C . . 7C"
    state = State.start(Deal.from_pysol(3))
    drawn = picture(state.play_all(parse_line(line)))
    assert (
        run("show", "--pysol", "3").stdout == f"PySolFC deal 3, rules OSMOSIS\n\n{picture(state)}\n"
    )
    assert run("show", "--pysol", "3", "--line", line).stdout.endswith(f"\n\n{drawn}\n")
    both = run("show", WON, LOST)
    assert both.exit_code == 0
    assert both.stdout.count("Score  1 of") == 2
    assert "\n\nDeal 2, rules OSMOSIS\n\n" in both.stdout
