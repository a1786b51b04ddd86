"""The command line: ``osmosis check``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import FALL, GOOD, LOST, WON, run, written

from osmosis_solver.answer import Spent, Unknown
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.wire import to_line


def test_check_reads_what_solve_writes(tmp_path: Path) -> None:
    """All verify: status 0, a line for each, from a file, ``-`` or standard input."""
    lines = written("--draw", "1", WON, LOST)
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(lines))
    text = "".join(lines)
    for result in (run("check", str(file)), run("check", "-", text=text), run("check", text=text)):
        assert result.exit_code == 0
        assert result.stdout == "1: won, verified\n2: lost, verified\n"
        assert result.stderr == ""


def test_check_says_what_is_proved() -> None:
    """Optimal wins, best scores and positions in mid-game are read back and verified."""
    text = "".join(
        written(*args)[0]
        for args in [
            ("--pysol", "3", "--minimise", "turns"),
            ("--pysol", "3", "--minimise", "passes", "--after", GOOD),
            ("--pysol", "24", "--best"),
            ("--pysol", "3", "--best", "--after", FALL),
            ("--pysol", "3", "--minimise", "turns", "--positions", "20"),
        ]
    )
    result = run("check", text=text)
    assert result.stdout == (
        "1: won, verified: no win needs fewer turns\n"
        "2: won, verified: no win needs fewer passes\n"
        "3: lost, verified: no line brings home more than 32 cards\n"
        "4: lost, verified: no line brings home more than 39 cards\n"
        "5: won, verified\n"
    )
    assert result.exit_code == 0


def test_exit_status_of_check() -> None:
    """1 if something does not verify, else 3 if some are unknown, else 0."""
    won, lost = written("--draw", "1", WON, LOST)
    unknown = (
        to_line(Unknown(State.start(Deal.from_code(WON)), "memory", 2, spent=Spent(9, 0.5))) + "\n"
    )
    wrong = won.replace(json.loads(won)["line"], "2D . .").replace('"turns":3', '"turns":2')
    mixed = run("check", text=won + unknown + lost)
    assert mixed.exit_code == 3
    assert "\n2: unknown, nothing to verify: the limit on memory was hit\n" in mixed.stdout
    broken = run("check", text=won + wrong + unknown + lost)
    assert broken.exit_code == 1
    assert broken.stdout.splitlines()[1].startswith("2: won, does not verify: line of play: ")
    assert broken.stdout.splitlines()[3] == "4: lost, verified"


def test_check_names_the_bad_line() -> None:
    """A line that is no answer ends the run with status 2, after the verdicts before it."""
    won = written("--draw", "1", WON)[0]
    result = run("check", text=won + "\n" + won[:-20] + "\n" + won)
    assert result.exit_code == 2
    assert result.stdout == "1: won, verified\n"
    assert result.stderr.startswith("osmosis: standard input, line 3: answer, column ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "told", "status"),
    [
        (". . . AD 2C 3C 2D 3D", "wins\n", 0),
        (". . .\nad 2c", "legal, reaches 3 cards\n", 1),
        ("", "legal, reaches 1 card\n", 1),
        (". . 3C", "illegal move 3, 3C: 3C lies under 2C on the waste\n", 1),
        (". 2D", "illegal move 2, 2D: suit D has no row yet, and only AD opens one\n", 1),
    ],
)
def test_a_line_of_ones_own(line: str, told: str, status: int) -> None:
    """A line wins, or is legal and reaches so many cards, or the first illegal move is named."""
    result = run("check", "--deal", WON, "--rules", "draw_one", "--line", line)
    assert (result.stdout, result.exit_code, result.stderr) == (told, status, "")


def test_an_answer_that_contradicts_itself_does_not_hide_the_next() -> None:
    """A field that the others belie fails that answer; the ones after it are still verified."""
    good = run("solve", "--pysol", "3", "--json").stdout
    fields = json.loads(good)
    fields["turns"] -= 1
    result = run("check", "-", text=json.dumps(fields) + "\n" + good)
    first, second = result.stdout.splitlines()
    assert first == "1: does not verify: answer, turns: got 147, wanted 148"
    assert second == "2: won, verified"
    assert result.exit_code == 1
