"""Writes the deals of a store as Parquet, one row a deal, for DuckDB, polars, pandas and others."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from osmosis_solver.block import LOST, NO_COUNT, OPEN, WON, Block
from osmosis_solver.errors import StoreError, clip
from osmosis_solver.extras import bring
from osmosis_solver.store import Store

_ROWS_A_GROUP: Final = 100_000
_NAMES: Final = {LOST: "lost", WON: "won", **dict.fromkeys(OPEN.values(), "unknown")}
_LIMITS: Final = {code: limit for limit, code in OPEN.items()}


def export(store: Store, path: str | Path) -> int:
    """Write all deals of a store to a Parquet file; returns how many.

    The columns are ``number``, ``verdict`` (won, lost, unknown), ``limit`` (which one left it
    unknown), and as far as they were asked for ``turns``, ``passes``, ``fewest_passes`` and
    ``score``, null where a deal has none or a limit left it open. Row groups are written as
    they fill, so memory stays flat; the file takes its name when it is whole. Needs the
    extra ``survey``. Raises ``StoreError`` if the file cannot be written.
    """
    arrow = bring("pyarrow", "survey")
    unfinished = f"{path}.part"
    try:
        rows = _write(arrow, store, unfinished)
        os.replace(unfinished, path)
    except (OSError, ValueError) as error:
        Path(unfinished).unlink(missing_ok=True)
        if isinstance(error, StoreError):
            raise
        got = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise StoreError(got, f"export to {clip(str(path))}", "a file to write to") from error
    return rows


def _write(arrow: Any, store: Store, path: str) -> int:
    rows = 0
    with bring("pyarrow.parquet", "survey").ParquetWriter(path, _schema(arrow, store)) as writer:
        for tables in _groups(_table(arrow, block) for block in store.blocks()):
            table = arrow.concat_tables(tables)
            writer.write_table(table, row_group_size=len(table))
            rows += len(table)
    return rows


def _groups(tables: Iterator[Any]) -> Iterator[list[Any]]:
    group = list[Any]()
    for table in tables:
        group.append(table)
        if sum(map(len, group)) >= _ROWS_A_GROUP:
            yield group
            group = []
    if group:
        yield group


def _schema(arrow: Any, store: Store) -> Any:
    """The columns that the question brings."""
    word = arrow.dictionary(arrow.int8(), arrow.string())
    columns = [("number", arrow.uint64()), ("verdict", word), ("limit", word)]
    if store.question.what == "turns":
        columns += [("turns", arrow.uint16())]
        columns += [("passes", arrow.uint8()), ("fewest_passes", arrow.uint8())]
    if store.question.has_scores:
        columns += [("score", arrow.uint8())]
    return arrow.schema(columns)


def _table(arrow: Any, block: Block) -> Any:
    first = block.first
    columns = {
        "number": _plain(arrow, "uint64", array("Q", range(first, first + block.count))),
        "verdict": _words(arrow, block.verdicts, _NAMES),
        "limit": _words(arrow, block.verdicts, _LIMITS),
    }
    if block.turns:
        there = _plain(arrow, "uint8", block.fewest_passes)
        columns["turns"] = _where_settled(arrow, _plain(arrow, "uint16", block.turns), there)
        for name in ("passes", "fewest_passes"):
            column = _plain(arrow, "uint8", getattr(block, name))
            columns[name] = _where_settled(arrow, column, there)
    if block.scores:
        scores = _plain(arrow, "uint8", block.scores)
        columns["score"] = _where_settled(arrow, scores, scores)
    return arrow.table(columns)


def _plain(arrow: Any, kind: str, data: Any) -> Any:
    """A column without nulls over the numbers as they lie in memory."""
    buffer = arrow.py_buffer(data)
    made = getattr(arrow, kind)()
    return arrow.Array.from_buffers(made, buffer.size * 8 // made.bit_width, [None, buffer])


def _words(arrow: Any, codes: bytes, names: dict[int, str]) -> Any:
    """A column of few words, null for a code without a name."""
    words = sorted(set(names.values()))
    places = bytes(words.index(names[c]) if c in names else 255 for c in range(256))
    indices = _plain(arrow, "int8", codes.translate(places))
    known = bring("pyarrow.compute", "survey").greater_equal(indices, 0)
    indices = bring("pyarrow.compute", "survey").if_else(known, indices, None)
    return arrow.DictionaryArray.from_arrays(indices, words)


def _where_settled(arrow: Any, column: Any, marks: Any) -> Any:
    """The column, null where its mark is none or that of a limit; scores are never 0."""
    compute = bring("pyarrow.compute", "survey")
    settled = compute.and_(compute.greater(marks, 0), compute.less(marks, NO_COUNT - 1))
    return compute.if_else(settled, column, arrow.scalar(None, column.type))
