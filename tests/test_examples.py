"""The examples run as they stand."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from osmosis_solver import Deal, solve

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


def test_winnable_seeds_are_the_winnable_deals_in_order() -> None:
    """The list has the winnable numbers from 32000 up, none left out, for any number of jobs."""
    listed = [int(line) for line in run("pysol_winnable_seeds.py", "8")]
    numbers = range(32000, listed[-1] + 1)
    assert listed == [n for n in numbers if solve(Deal.from_pysol(n)).verdict == "won"]
    assert [int(line) for line in run("pysol_winnable_seeds.py", "8", "--jobs", "2")] == listed


def cells_run(name: str) -> Iterator[Any]:
    """What the cells of code of a notebook show, run one after the other."""
    names: dict[str, Any] = {}
    for cell in json.loads((EXAMPLES / name).read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            yield shown_by("".join(cell["source"]), names)


def shown_by(source: str, names: dict[str, Any]) -> object:
    """Run the lines of a cell; the value of the last one is shown if it is an expression."""
    lines = ast.parse(source).body
    last = lines.pop() if isinstance(lines[-1], ast.Expr) else None
    exec(compile(ast.Module(lines, []), "cell", "exec"), names)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cells run in their order and show boards, a strip, cycles and an open answer."""
    monkeypatch.chdir(tmp_path)
    shown = [value for value in cells_run("notebook.ipynb") if value is not None]
    drawn = [
        value._repr_svg_() if hasattr(value, "_repr_svg_") else value._repr_html_()
        for value in shown
    ]
    assert [type(value).__name__ for value in shown] == [
        *("State", "State", "Won", "Lost", "Lost", "Unknown")
    ]
    assert [text.count("<svg") for text in drawn] == [1, 1, 5, 2, 5, 1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lost.html", "won.html"]


def test_the_notebook_is_kept_without_its_output() -> None:
    """What a run shows is not kept, so that it is never out of date."""
    cells = json.loads((EXAMPLES / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
