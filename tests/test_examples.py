"""The examples run as they stand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name: str, *arguments: str) -> list[str]:
    """What an example prints, line by line."""
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def test_solve_deal_tells_a_win_and_a_loss() -> None:
    """The script that solves a deal prints the line of a win, the reasons of a loss."""
    won = run("solve_deal.py")
    assert won[0].startswith("Won in ")
    assert won[1].startswith("9C ")
    assert run("solve_deal.py", "AD2D:AC:2C")[0].startswith("No line of play wins.")


def test_walk_line_ends_where_the_line_ends() -> None:
    """The script that walks a line of play shows each play and how it ends."""
    assert run("walk_line.py")[-1] == "Won."
    walked = run("walk_line.py", "2CAD/AH:AC:2D2H", "AD . 2C")
    assert [line.split()[1] for line in walked[:-1]] == ["AD", "2C"]
    assert walked[-1] == "Not over yet."
