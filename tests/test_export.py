"""Parquet and pictures of a store: every deal is there, and readers read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from osmosis_solver import export as room
from osmosis_solver.block import OPEN, WON, Question, Task, measure, numbers
from osmosis_solver.errors import StoreError
from osmosis_solver.export import export
from osmosis_solver.plots import draw_plots
from osmosis_solver.store import Store

QUESTIONS = [
    Question(),
    Question(what="turns", positions=700),
    Question(what="score", positions=300),
    Question(policy="greedy"),
]


def filled(path: Path, question: Question, blocks: int = 4) -> Store:
    """A store of 30 deals a block, the last one at the end of the numbers."""
    store = Store.open(path, question)
    for first in [*range(0, 30 * (blocks - 1), 30), 2**64 - 30]:
        store.put(measure(Task(question, first, 30)))
    return store


def rows_of(store: Store) -> list[tuple[Any, ...]]:
    """What the file must hold: number, verdict, limit, and the other columns that there are."""
    found = list[tuple[Any, ...]]()
    words = {0: ("lost", None), WON: ("won", None), **{c: ("unknown", n) for n, c in OPEN.items()}}
    for block in store.blocks():
        turns = numbers("H", block.turns)
        for i, code in enumerate(block.verdicts):
            more = tuple[Any, ...]()
            if block.turns:
                there = 0 < block.fewest_passes[i] < 254
                more = (turns[i], block.passes[i], block.fewest_passes[i])
                more = more if there else (None, None, None)
            if block.scores:
                more = (block.scores[i] if block.scores[i] < 254 else None,)
            found.append((block.first + i, *words[code], *more))
    return found


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
@pytest.mark.parametrize("reader", ["pyarrow.parquet", "duckdb", "polars"])
def test_readers_read_every_deal(
    question: Question, reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each row is a deal as the store has it, in order, and row groups are written as they fill."""
    pytest.importorskip("pyarrow", reason="extra survey is not installed")
    module = pytest.importorskip(reader)
    monkeypatch.setattr(room, "_ROWS_A_GROUP", 60)
    path = tmp_path / "deals.parquet"
    with filled(tmp_path / "a.db", question) as store:
        assert export(store, path) == 120
        wanted = rows_of(store)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.db", "deals.parquet"]
    if reader == "duckdb":
        assert module.sql(f"SELECT * FROM '{path}'").fetchall() == wanted
        groups = f"SELECT max(row_group_id) FROM parquet_metadata('{path}')"
        assert module.sql(groups).fetchall() == [(1,)]
    elif reader == "polars":
        assert module.read_parquet(path).rows() == wanted
    else:
        table = module.read_table(path)
        assert list(zip(*(column.to_pylist() for column in table.columns), strict=True)) == wanted
        assert table.column_names[:3] == ["number", "verdict", "limit"]


def test_an_empty_store(tmp_path: Path) -> None:
    """A store without deals makes a file without rows, and no pictures."""
    pytest.importorskip("pyarrow", reason="extra survey is not installed")
    with Store.open(tmp_path / "a.db", Question()) as store:
        assert export(store, tmp_path / "deals.parquet") == 0
        pytest.importorskip("matplotlib", reason="extra plots is not installed")
        with pytest.raises(StoreError, match="got no deals"):
            draw_plots(store, tmp_path)


@pytest.mark.parametrize("place", ["no/such/folder/x.parquet", "", "folder"])
def test_no_place_to_write(place: str, tmp_path: Path) -> None:
    """A place that cannot be written is refused in a line, and nothing is left there."""
    pytest.importorskip("pyarrow", reason="extra survey is not installed")
    (tmp_path / "folder").mkdir()
    wanted = r"^export to [^\n]*, wanted a file to write to$"
    with (
        filled(tmp_path / "a.db", Question(), 1) as store,
        pytest.raises(StoreError, match=wanted),
    ):
        export(store, tmp_path / place)
    assert not list(tmp_path.rglob("*.part"))
    assert not list(tmp_path.parent.glob("*.part"))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        (QUESTIONS[0], ["share", "effort"]),
        (QUESTIONS[1], ["share", "effort", "turns", "passes"]),
        (QUESTIONS[2], ["share", "effort", "scores"]),
        (QUESTIONS[3], ["share", "scores"]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_pictures(question: Question, names: list[str], tmp_path: Path) -> None:
    """There is a PNG for each thing that the store has figures for."""
    pytest.importorskip("matplotlib", reason="extra plots is not installed")
    pytest.importorskip("scipy", reason="extra survey is not installed")
    with filled(tmp_path / "a.db", question) as store:
        paths = draw_plots(store, tmp_path / "new" / "plots")
    assert [path.name for path in paths] == [f"{name}.png" for name in names]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)


def test_pictures_of_one_block(tmp_path: Path) -> None:
    """One block is enough; a folder that is a file is refused."""
    pytest.importorskip("matplotlib", reason="extra plots is not installed")
    pytest.importorskip("scipy", reason="extra survey is not installed")
    with filled(tmp_path / "a.db", Question(), 1) as store:
        assert len(draw_plots(store, tmp_path / "plots")) == 2
        with pytest.raises(StoreError, match=r"plots in .* wanted a folder to write to"):
            draw_plots(store, tmp_path / "a.db")
