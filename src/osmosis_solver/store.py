"""Keeps the blocks of a survey in one SQLite file, so that nothing finished is lost.

Each block is one transaction, and its first number is its key: a survey that is killed goes on
from the blocks that are there, and no deal is counted twice. Positions come in as one number a
deal and are kept as what they come to (``Tally``); all else is kept for each deal.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

from attrs import asdict, fields

from osmosis_solver.block import Block, Question
from osmosis_solver.errors import StoreError, clip
from osmosis_solver.row import Row
from osmosis_solver.rules import Rules
from osmosis_solver.tally import Tally, total

_APPLICATION: Final = int.from_bytes(b"OSMO")
_FORMAT: Final = 1
_PATIENCE_SECONDS: Final = 10.0
_TABLES: Final = """
CREATE TABLE question (
    kernel TEXT NOT NULL, rules TEXT NOT NULL, what TEXT NOT NULL, policy TEXT,
    positions INTEGER NOT NULL, megabytes INTEGER NOT NULL);
CREATE TABLE blocks (
    first TEXT PRIMARY KEY,    -- in 20 digits, so that the order of texts is that of numbers
    deals INTEGER NOT NULL,
    verdicts BLOB NOT NULL,    -- two bits a deal, the first deal lowest
    turns BLOB NOT NULL, passes BLOB NOT NULL, fewest_passes BLOB NOT NULL, scores BLOB NOT NULL,
    positions INTEGER NOT NULL, effort TEXT NOT NULL, hardest TEXT NOT NULL,
    won INTEGER NOT NULL, lost INTEGER NOT NULL, unknown INTEGER NOT NULL,
    checked INTEGER NOT NULL, seconds REAL NOT NULL,
    crc INTEGER NOT NULL);     -- of all of the above
"""
_COLUMNS: Final = ", ".join(Row._fields)
_INSERT: Final = f"INSERT INTO blocks ({_COLUMNS}) VALUES ({', '.join('?' * len(Row._fields))})"
_TOLD: Final = {
    "BUSY": ("a file that is locked", "no other program at work on it"),
    "LOCKED": ("a file that is locked", "no other program at work on it"),
    "FULL": ("a full disk", "room to write; all that was stored before is kept"),
    "IOERR": ("a disk that fails", "one with room; all that was stored before is kept"),
    "NOTADB": ("a file that is no store, or is damaged", "a file that a survey wrote"),
    "CORRUPT": ("a damaged file", "a file as a survey wrote it"),
    "READONLY": ("a file that cannot be written", "leave to write"),
    "CANTOPEN": ("a file that cannot be opened", "a file in a folder that can be written"),
}


class Store:
    """The file of one survey, open. Raises ``StoreError`` for whatever goes wrong with it.

    ``Store.open`` opens or begins one for writing, ``Store.read`` one for reading only; use
    it in a ``with`` statement. One thread at a time.
    """

    def __init__(self, db: sqlite3.Connection, path: str, question: Question) -> None:
        self._db = db
        self.path = path
        self.question = question

    @classmethod
    def open(cls, path: str | Path, question: Question | None = None) -> Self:
        """Open a store to write to, or begin one if there is none and a question is given.

        Raises ``StoreError`` if it is about another question, be it only another version of
        the search, which gives other figures.
        """
        name = str(path)
        if question is None and not _is_file(name):
            raise StoreError("no such file", _called(name), "the store of a survey")
        with _told(name):
            db = _connect(name, "rwc")
        return cls._begin(db, name, question, write=True)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Open a store to read from, also while a survey writes to it."""
        # It is opened for writing as far as it may be: only so the files that SQLite makes
        # beside it are gone afterwards.
        name = str(path)
        if not _is_file(name):
            raise StoreError("no such file", _called(name), "the store of a survey")
        with _told(name):
            db = _connect(name, "rw")
            db.execute("PRAGMA query_only = ON")
        return cls._begin(db, name, None, write=False)

    @classmethod
    def _begin(
        cls, db: sqlite3.Connection, name: str, question: Question | None, write: bool
    ) -> Self:
        try:
            with _told(name):
                if _is_empty(db, name) and question is not None:
                    _make(db, question)
                _hold_whole(db, name)
                if write:
                    db.execute("PRAGMA journal_mode = WAL")
                    db.execute("PRAGMA synchronous = NORMAL")
                    db.execute("BEGIN IMMEDIATE")  # tells now if the file cannot be written
                    db.execute("ROLLBACK")
                stored = _question(db, name)
            if question is not None:
                _hold_same(stored, question, name)
        except BaseException:
            db.close()
            raise
        return cls(db, name, stored)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. What is stored is stored whether this is called or not."""
        with _told(self.path):
            self._db.close()

    def hold(self, question: Question) -> None:
        """Raise ``StoreError`` if the store is about another question."""
        _hold_same(self.question, question, self.path)

    def put(self, block: Block) -> bool:
        """Store a block; False if it is there already. Raises ``StoreError`` if others differ.

        A block that shares deals with another one, but not all, is refused too.
        """
        _hold_same(block.question, self.question, self.path)
        with self._transaction():
            return self._insert(Row.of(block))

    def merge(self, path: str | Path) -> int:
        """Take over the blocks of another store of the same question: all, or none at an error.

        Returns how many were new.
        """
        with Store.read(path) as other:
            _hold_same(other.question, self.question, other.path)
            with self._transaction():
                return sum(self._insert(row) for row in other.rows())

    def rows(self) -> Iterator[Row]:
        """The blocks as they are stored, by number."""
        with _told(self.path):
            for values in self._db.execute(f"SELECT {_COLUMNS} FROM blocks ORDER BY first"):
                yield self._row(values)

    def _row(self, values: tuple[Any, ...]) -> Row:
        row = Row._make(values)
        if row.right_crc != row.crc:
            where = f"{_called(self.path)}, block from {clip(row.first)}"
            raise StoreError("a damaged block", where, "a block as a survey wrote it")
        return row

    def blocks(self) -> Iterator[Block]:
        """The blocks, by number, without their positions."""
        return (row.block(self.question) for row in self.rows())

    def tallies(self) -> Iterator[tuple[range, Tally]]:
        """The numbers and the tally of each block, by number."""
        for row in self.rows():
            yield row.numbers, row.tally(self.question)

    def tally(self, numbers: range | None = None) -> Tally:
        """The tally of all deals, or of the blocks that lie in a range of numbers."""
        return total(
            self.question,
            (tally for block, tally in self.tallies() if numbers is None or block[0] in numbers),
        )

    def stored(self) -> list[range]:
        """The numbers of the blocks, in order."""
        return [row.numbers for row in self.rows()]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _told(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _insert(self, row: Row) -> bool:
        old = self._meets(row)
        if old is None:
            self._db.execute(_INSERT, row)
            return True
        where = f"{_called(self.path)}, {_span(row)}"
        if old.numbers != row.numbers:
            raise StoreError(f"some of its deals stored in {_span(old)}", where, "whole blocks")
        if old.figures != row.figures:
            wanted = "the same figures from each survey of the same deals"
            raise StoreError("figures that differ from those stored", where, wanted)
        return False

    def _meets(self, row: Row) -> Row | None:
        """The stored block that shares deals with this one, if there is one."""
        query = f"SELECT {_COLUMNS} FROM blocks WHERE first <= ? ORDER BY first DESC LIMIT 1"
        for values in self._db.execute(query, (f"{row.numbers[-1]:020}",)):
            old = self._row(values)
            return old if old.numbers[-1] >= row.numbers[0] else None
        return None


def _span(row: Row) -> str:
    return f"block {row.numbers[0]} to {row.numbers[-1]}"


def _called(path: str) -> str:
    return f"store {path.encode(errors='replace').decode()}"


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except ValueError:  # a NUL in it, say
        return False
    except PermissionError:  # what that means is told when it is opened
        return True


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Tell what goes wrong with the file in one sentence."""
    try:
        yield
    except sqlite3.Error as error:
        kind = (getattr(error, "sqlite_errorname", None) or "").removeprefix("SQLITE_")
        got, wanted = _TOLD.get(kind.partition("_")[0], (str(error), "a file as a survey wrote it"))
        raise StoreError(got, _called(path), wanted) from error
    except UnicodeDecodeError as error:  # damage can reach the text of SQLite's own error
        got, wanted = _TOLD["CORRUPT"]
        raise StoreError(got, _called(path), wanted) from error


def _connect(path: str, mode: str) -> sqlite3.Connection:
    if "\0" in path:
        raise StoreError(clip(path), "store", "a name that a file can have")
    address = Path(path).absolute().as_uri()
    db = _connected(f"{address}?mode={mode}")
    if mode == "rw" and not _can_read(db) and not _is_file(f"{path}-wal"):
        db.close()
        # Beside a file of this kind SQLite wants to make another one, which a folder that
        # cannot be written does not allow; nor can anyone write to the store then.
        db = _connected(f"{address}?immutable=1")
    return db


def _connected(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, uri=True, timeout=_PATIENCE_SECONDS, isolation_level=None)


def _can_read(db: sqlite3.Connection) -> bool:
    try:
        db.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        return error.sqlite_errorname not in ("SQLITE_CANTOPEN", "SQLITE_READONLY_DIRECTORY")
    except (sqlite3.Error, UnicodeDecodeError):
        return True  # whatever else is wrong is told later
    return True


def _is_empty(db: sqlite3.Connection, path: str) -> bool:
    """Whether nothing is in the file. Raises ``StoreError`` if it is another program's."""
    [[kind]] = db.execute("PRAGMA application_id")
    [[form]] = db.execute("PRAGMA user_version")
    [[things]] = db.execute("SELECT count(*) FROM sqlite_master")
    if things == 0 and kind == 0:
        return True
    if kind != _APPLICATION:
        raise StoreError("another program's file", _called(path), "a file that a survey wrote")
    if form != _FORMAT:
        raise StoreError(f"format {form}", _called(path), f"format {_FORMAT}")
    return False


def _make(db: sqlite3.Connection, question: Question) -> None:
    """Begin a store, unless another process just did."""
    row = asdict(question)
    row["rules"] = json.dumps(row["rules"])
    marks = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {_FORMAT};"
    db.execute("BEGIN IMMEDIATE")
    [[things]] = db.execute("SELECT count(*) FROM sqlite_master")
    if not things:
        for statement in f"{_TABLES}{marks}".split(";"):
            db.execute(statement)
        names = ", ".join(row)
        marked = ", ".join(f":{name}" for name in row)
        db.execute(f"INSERT INTO question ({names}) VALUES ({marked})", row)
    db.execute("COMMIT")


def _hold_whole(db: sqlite3.Connection, path: str) -> None:
    for [found] in db.execute("PRAGMA quick_check"):
        if found != "ok":
            raise StoreError("a damaged file", _called(path), "a file as a survey wrote it")


def _question(db: sqlite3.Connection, path: str) -> Question:
    names = [field.name for field in fields(Question)]
    try:
        [values] = db.execute(f"SELECT {', '.join(names)} FROM question")
        given = dict(zip(names, values, strict=True))
        rules = json.loads(given.pop("rules"))
        rules["layout"] = tuple(rules["layout"])
        return Question(rules=Rules(**rules), **given)
    except (ValueError, TypeError, KeyError, sqlite3.OperationalError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError("no question", _called(path), "a file as a survey wrote it") from None


def _hold_same(got: Question, wanted: Question, path: str) -> None:
    """Refuse a store that is about another question, and say what is another."""
    for field in fields(Question):
        theirs, ours = getattr(got, field.name), getattr(wanted, field.name)
        if theirs != ours:
            what = "kernel version" if field.name == "kernel" else field.name
            raise StoreError(f"{what} {_short(theirs)}", _called(path), f"{what} {_short(ours)}")


def _short(value: object) -> str:
    return value.name or repr(value) if isinstance(value, Rules) else str(value)
