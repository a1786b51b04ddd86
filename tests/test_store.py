"""The store of a survey: nothing is lost or counted twice, and what is wrong is told in a line."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from made_blocks import cut_blocks

from osmosis_solver import store as room
from osmosis_solver.block import Block, Question, Task, measure
from osmosis_solver.errors import StoreError
from osmosis_solver.row import pack, unpack
from osmosis_solver.rules import DRAW_ONE, Rules
from osmosis_solver.store import Store
from osmosis_solver.tally import Tally, total

QUESTION = Question(what="turns")
BLOCKS = [measure(Task(QUESTION, first, 10)) for first in range(0, 60, 10)]
ALL = total(QUESTION, map(Tally.of, BLOCKS))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with all blocks but the last."""
    with Store.open(tmp_path / "a.db", QUESTION) as store:
        for block in BLOCKS[:-1]:
            assert store.put(block)
    return tmp_path / "a.db"


@given(st.binary().map(lambda data: bytes(byte % 4 for byte in data)))
def test_packing(verdicts: bytes) -> None:
    """Packed verdicts take two bits a deal and come back."""
    assert len(pack(verdicts)) == -(-len(verdicts) // 4)
    assert unpack(pack(verdicts), len(verdicts)) == verdicts


@settings(max_examples=40)
@given(cut_blocks(), st.data())
def test_a_store_has_what_it_was_given(cut: tuple[Block, list[Block]], data: st.DataObject) -> None:
    """However deals are cut, ordered and spread over stores that are merged, in whatever order and
    how often, the tally is that of the deals, and each deal has its answers.
    """
    whole, parts = cut
    with TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in "abc"]
        stores = [Store.open(path, whole.question) for path in paths]
        for part in parts:
            stores[data.draw(st.integers(0, 2))].put(part)
        for other in data.draw(st.permutations([*paths[1:], *paths])):
            stores[0].merge(other)
        assert stores[0].tally() == Tally.of(whole)
        blocks = list(stores[0].blocks())
        for column in ("verdicts", "turns", "passes", "fewest_passes", "scores"):
            kept = b"".join(getattr(block, column) for block in blocks)
            assert kept == getattr(whole, column)
        assert [block.first for block in blocks] == sorted(part.first for part in parts)
        for store in stores:
            store.close()


def test_it_comes_back(path: Path) -> None:
    """A store that is opened again goes on, with the question that it was begun with."""
    with Store.open(path) as store:
        assert store.question == QUESTION
        assert store.put(BLOCKS[-1])
        assert store.tally() == ALL
        assert store.stored() == [range(first, first + 10) for first in range(0, 60, 10)]
        assert [numbers for numbers, _ in store.tallies()] == store.stored()
    assert os.listdir(path.parent) == ["a.db"]


def test_part_of_a_store(path: Path) -> None:
    """The tally of a range of numbers is that of the blocks in it."""
    with Store.read(path) as store:
        assert store.tally(range(10, 30)) == Tally.of(BLOCKS[1]) + Tally.of(BLOCKS[2])


def test_nothing_is_counted_twice(path: Path) -> None:
    """A block that is stored already is not stored again, whoever measured it, and how."""
    with Store.open(path) as store:
        before = store.tally()
        assert not store.put(evolve(BLOCKS[0], seconds=77.0, checked=1))
        assert store.tally() == before
        assert store.tally().seconds == before.seconds


@pytest.mark.parametrize("first", [5, 15, 45])
def test_a_block_across_others_is_refused(path: Path, first: int) -> None:
    """Blocks share no deals unless they are the same."""
    with Store.open(path) as store, pytest.raises(StoreError, match="some of its deals stored in"):
        store.put(measure(Task(QUESTION, first, 10)))


def test_other_figures_are_refused(path: Path) -> None:
    """Two surveys that disagree on a deal do not get into one store, and what is there stays."""
    wrong = evolve(BLOCKS[0], verdicts=bytes([1 - BLOCKS[0].verdicts[0]]) + BLOCKS[0].verdicts[1:])
    with Store.open(path) as store:
        before = store.tally()
        with pytest.raises(StoreError, match="block 0 to 9: got figures that differ"):
            store.put(wrong)
        assert store.tally() == before


def test_a_merge_takes_all_or_nothing(path: Path, tmp_path: Path) -> None:
    """A merge that fails at its last block leaves the store as it was."""
    with Store.open(tmp_path / "b.db", QUESTION) as other:
        other.put(measure(Task(QUESTION, 100, 10)))
        other.put(measure(Task(QUESTION, 45, 10)))
    with Store.open(path) as store:
        before = store.stored()
        with pytest.raises(StoreError, match="block 45 to 54"):
            store.merge(tmp_path / "b.db")
        assert store.stored() == before


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (Question(DRAW_ONE, what="turns"), "got rules OSMOSIS, wanted rules DRAW_ONE"),
        (Question(Rules(draw=7), what="turns"), r"got rules OSMOSIS, wanted rules Rules\(draw=7"),
        (Question(what="score"), "got what turns, wanted what score"),
        (Question(policy="greedy"), "got what turns, wanted what verdict"),
        (Question(policy="advisor 9"), "got what turns, wanted what verdict"),
        (Question(what="turns", positions=9), "got positions 100000000, wanted positions 9"),
        (Question(what="turns", kernel="0"), "got kernel version .*, wanted kernel version 0"),
    ],
)
def test_another_question_is_refused(path: Path, question: Question, told: str) -> None:
    """A store of other rules, another question or another version of the search is refused."""
    with pytest.raises(StoreError, match=told):
        Store.open(path, question)
    with Store.open(path.parent / "other.db", question) as other:
        with pytest.raises(StoreError, match="wanted"):
            other.merge(path)
        with pytest.raises(StoreError, match="wanted"):
            other.put(BLOCKS[0])
        assert other.stored() == []


def test_an_older_kernel_can_be_read(tmp_path: Path) -> None:
    """What another version found can be told, only not added to."""
    old = evolve(QUESTION, kernel="0")
    with Store.open(tmp_path / "old.db", old) as store:
        store.put(evolve(BLOCKS[0], question=old))
    with Store.read(tmp_path / "old.db") as store:
        assert store.tally().question.kernel == "0"
        assert store.tally().deals == 10


# ---- what can be wrong with a file -----------------------------------------------------


def one_line(message: str, call: Callable[[], object]) -> None:
    """The call is refused in one line that says so."""
    with pytest.raises(StoreError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("cut", [10, 100, 3000, 4096, 8192])
def test_a_truncated_file(path: Path, cut: int) -> None:
    """A store of which only a part is left is told to be damaged."""
    path.write_bytes(path.read_bytes()[:cut])
    one_line("damaged", lambda: Store.read(path))
    one_line("damaged", lambda: Store.open(path, QUESTION))


def test_changed_bytes(path: Path) -> None:
    """Whichever byte of a store is changed, its figures stay or it is told to be damaged."""
    data, told = path.read_bytes(), 0
    with Store.read(path) as store:
        right = store.tally()
    source = random.Random(0)
    for place in source.sample(range(len(data)), 150):
        changed = bytearray(data)
        changed[place] ^= source.randrange(1, 256)
        path.write_bytes(changed)
        try:
            with Store.read(path) as store:
                assert store.tally() == right
        except StoreError:
            told += 1
    assert told > 10


def test_other_files(tmp_path: Path) -> None:
    """Files that are no store are refused, and stay as they are."""
    garbage, empty, other = (tmp_path / name for name in ("garbage", "empty", "other.db"))
    garbage.write_bytes(random.Random(0).randbytes(5000))
    empty.touch()
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE mine (yours)")
    db.close()
    before = other.read_bytes()
    for call in (Store.read, Store.open, lambda path: Store.open(path, QUESTION)):
        one_line("no store", lambda: call(garbage))  # noqa: B023 - called at once
        one_line("another program's file", lambda: call(other))  # noqa: B023
    one_line("no question", lambda: Store.read(empty))
    assert other.read_bytes() == before
    Store.open(empty, QUESTION).close()  # to begin a store in an empty file is fine


def test_another_format(path: Path) -> None:
    """A store of a later format is refused."""
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 2")
    db.close()
    one_line("got format 2, wanted format 1", lambda: Store.read(path))


def test_files_that_are_not_there(tmp_path: Path) -> None:
    """So are missing files, folders and names that no file can have."""
    one_line("no such file", lambda: Store.read(tmp_path / "none.db"))
    one_line("no such file", lambda: Store.open(tmp_path / "none.db"))
    one_line("cannot be opened", lambda: Store.open(tmp_path / "none" / "a.db", QUESTION))
    one_line("cannot be opened", lambda: Store.open(tmp_path, QUESTION))
    one_line("a name that a file can have", lambda: Store.open("a\0b", QUESTION))
    one_line("no such file", lambda: Store.read("a\0b"))


def test_names_with_odd_signs(tmp_path: Path) -> None:
    """Names with signs that mean something in an address are names all the same."""
    odd = tmp_path / "a ?mode=ro#%41&é.db"
    with Store.open(odd, QUESTION) as store:
        store.put(BLOCKS[0])
    assert os.listdir(tmp_path) == [odd.name]
    with Store.read(odd) as store:
        assert store.tally().deals == 10


def test_a_locked_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that another program holds is told to be locked; reading goes on."""
    monkeypatch.setattr(room, "_PATIENCE_SECONDS", 0.05)
    with Store.open(path) as store:
        rival = sqlite3.connect(path, isolation_level=None)
        rival.execute("BEGIN IMMEDIATE")
        one_line("locked", lambda: store.put(BLOCKS[-1]))
        one_line("locked", lambda: Store.open(path))
        with Store.read(path) as reader:
            assert reader.tally().deals == 50
        rival.execute("ROLLBACK")
        rival.close()
        assert store.put(BLOCKS[-1])


def test_two_writers(path: Path) -> None:
    """Two surveys may write to one store at once; what both have is counted once."""
    with Store.open(path) as one, Store.open(path) as two:
        late = measure(Task(QUESTION, 60, 10))
        assert one.put(BLOCKS[-1])
        assert not two.put(BLOCKS[-1])
        assert two.put(late)
        assert not one.put(late)
        assert one.tally() == two.tally() == ALL + Tally.of(late)


@contextmanager
def nobody() -> Iterator[None]:
    """What a user is who owns no file."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_what_may_not_be_written(path: Path) -> None:
    """A store in a folder that cannot be written can be read, and writing is refused."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        kept = folder / "a.db"
        kept.write_bytes(path.read_bytes())
        kept.chmod(0o444)
        folder.chmod(0o555)
        with nobody():
            with Store.read(kept) as store:
                assert store.tally().deals == 50
            one_line("cannot be", lambda: Store.open(kept))
            one_line("cannot be", lambda: Store.open(folder / "new.db", QUESTION))
        folder.chmod(0)
        with nobody():
            one_line("cannot be opened", lambda: Store.read(kept))
        folder.chmod(0o755)


FILL = """
import resource, signal, sys
from osmosis_solver.block import Question, Task, measure
from osmosis_solver.errors import StoreError
from osmosis_solver.store import Store
with Store.open(sys.argv[1], Question(policy="greedy")) as store:
    store.put(measure(Task(store.question, 0, 10)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.RLIM_INFINITY))
    try:
        for first in range(10, 10**6, 10):
            store.put(measure(Task(store.question, first, 10)))
    except StoreError as error:
        print(first, error)
"""


def test_a_full_disk(tmp_path: Path) -> None:
    """Where the file cannot grow any more, what was stored is kept; with more room it goes on."""
    path = tmp_path / "a.db"
    done = subprocess.run(
        [sys.executable, "-c", FILL, str(path)], capture_output=True, text=True, check=True
    )
    first, _, told = done.stdout.strip().partition(" ")
    assert "all that was stored before is kept" in told
    assert "\n" not in told
    with Store.open(path) as store:
        assert store.tally().deals == int(first) > 10
        assert store.put(measure(Task(store.question, int(first), 10)))


KILLED = """
import sys
from osmosis_solver.block import Question, Task, measure
from osmosis_solver.store import Store
with Store.open(sys.argv[1], Question(what="turns")) as store:
    for first in range(0, 10**6, 10):
        block = measure(Task(store.question, first, 10))
        store.put(block)
        print(first, flush=True)
"""


@pytest.mark.parametrize("after", [1, 7, 30])
def test_kill(tmp_path: Path, after: int) -> None:
    """After kill -9 the store has every block that was put, whole, and takes more."""
    path = tmp_path / "a.db"
    command = [sys.executable, "-c", KILLED, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as victim:
        assert victim.stdout is not None
        for _ in range(after):
            last = int(victim.stdout.readline())
        os.kill(victim.pid, signal.SIGKILL)
    with Store.open(path) as store:
        numbers = store.stored()
        assert len(numbers) >= after
        assert [each.start for each in numbers] == list(range(0, 10 * len(numbers), 10))
        whole = measure(Task(QUESTION, 0, last + 10))
        assert store.tally(range(last + 10)) == Tally.of(whole)
        assert store.put(measure(Task(QUESTION, numbers[-1].stop, 10)))
