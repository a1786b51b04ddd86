"""Counts: how many positions and lines there are by depth, by two programs, against tables.

``tests/data/perft`` has a table for each deal under its rules; ``tests/regenerate.py`` writes them.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
import tiny_game

from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.rules import Rules

HOME = Path(__file__).parent / "data" / "perft"
TABLES = sorted(HOME.glob("*.tsv"))
tables = pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)


class Counted(NamedTuple):
    """A table: the deal, the rules (``passes`` 0 for no limit), positions and lines by depth."""

    table: tiny_game.Table
    counts: list[tuple[int, int]]


def read(path: Path) -> Counted:
    """Read a table."""
    head, *rows = path.read_text().splitlines()
    code, draw, passes, waste, row_start = head.removeprefix("# ").split(" ")
    assert rows[0] == "depth\tpositions\tlines"
    counts = [tuple(map(int, row.split("\t"))) for row in rows[1:]]
    assert [row[0] for row in counts] == list(range(len(counts)))
    table = tiny_game.Table(code, int(draw), int(passes), waste, row_start)
    return Counted(table, [(row[1], row[2]) for row in counts])


def by_states(table: tiny_game.Table, depth: int) -> list[tuple[int, int]]:
    """What ``tiny_game.perft`` counts, counted with the game of the library."""
    level = Counter({start_of(table): 1})
    counts = [(1, 1)]
    while len(counts) <= depth:
        after: Counter[State] = Counter()
        for state, lines in level.items():
            for move in state.legal_moves():
                after[state.play(move)] += lines
        level = after
        counts.append((len(level), level.total()))
    return counts


def start_of(table: tiny_game.Table) -> State:
    """The first state of a table's deal."""
    passes = table.passes or None
    rules = Rules(table.draw, passes, table.waste, table.row_start)  # type: ignore[arg-type]
    return State.start(Deal.from_code(table.code), rules)


def test_tables_are_there() -> None:
    """Full decks and short ones are counted, under every draw, waste, row start and limit."""
    found = [read(path).table for path in TABLES]
    assert len(found) >= 20
    assert {table.size for table in found} >= {6, 52}
    assert {table.draw for table in found} >= {1, 2, 3}
    assert {table.passes for table in found} >= {0, 1, 2, 3}
    assert {(t.waste, t.row_start) for t in found} == {
        (waste, row_start) for waste in ("top", "packet") for row_start in ("base", "any")
    }


@tables
def test_the_game_counts_so(path: Path) -> None:
    """The library's game has so many positions and lines at each depth."""
    table, counts = read(path)
    assert by_states(table, len(counts) - 1) == counts


@tables
def test_another_program_counts_so(path: Path) -> None:
    """A program that shares no code with the library counts the same."""
    table, counts = read(path)
    assert tiny_game.perft(table, len(counts) - 1) == counts


def test_the_other_program_is_another() -> None:
    """It imports nothing but the standard library."""
    imported = set()
    for node in ast.walk(ast.parse(Path(tiny_game.__file__).read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module).split(".")[0])
    assert imported
    assert imported <= sys.stdlib_module_names
