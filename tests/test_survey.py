"""Surveys: the same figures however the work is done, false answers caught, nothing lost."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import osmosis_solver
from osmosis_solver import block
from osmosis_solver.answer import Budget
from osmosis_solver.block import LOST, OPEN, Question, Task, measure
from osmosis_solver.deal import Deal
from osmosis_solver.errors import OsmosisError, ProofError, StoreError
from osmosis_solver.policy import POLICIES
from osmosis_solver.rules import AISLERIOT, DRAW_ONE, OSMOSIS
from osmosis_solver.solver import solve
from osmosis_solver.store import Store
from osmosis_solver.survey import survey
from osmosis_solver.surveyor import chosen
from osmosis_solver.tally import Tally

NUMBERS = range(300)
PLAIN = Tally.of(measure(Task(Question(), 0, 300)))


class Backwards(Executor):
    """An executor that finishes the last thing it was given first."""

    def __init__(self, at_once: int) -> None:
        self.at_once, self.most, self.waiting = at_once, 0, list[tuple[Future[Any], Any]]()

    def submit(self, call: Any, /, *args: Any, **named: Any) -> Future[Any]:
        """Take a call; when there are enough, make them all, from the last on."""
        future = Future[Any]()
        self.waiting.append((future, lambda: call(*args, **named)))
        self.most = max(self.most, len(self.waiting))
        if len(self.waiting) == self.at_once:
            while self.waiting:
                done, made = self.waiting.pop()
                done.set_result(made())
        return future


@pytest.mark.parametrize("what", ["verdict", "turns", "score"])
def test_what_is_asked(what: Any) -> None:
    """The tally is that of one block with all the deals, and all the answers checked hold."""
    whole = Tally.of(measure(Task(Question(DRAW_ONE, what), 0, 60)))
    found = survey(range(60), DRAW_ONE, what=what, block=25, check=0.05)
    assert found == whole
    assert found.checked == len(list(chosen(0, 59, 0.05))) == 3


def test_policy() -> None:
    """A policy is surveyed likewise; each game is played again by its plain form."""
    found = survey(range(200), DRAW_ONE, policy="greedy", check=0.1)
    assert found.checked == 20
    assert found.won == found.scores[52] > 20
    assert found.won < survey(range(200), DRAW_ONE, check=0).won


def test_figures_are_those_of_solve() -> None:
    """The share won is that of the deals that ``solve`` wins."""
    won = sum(solve(Deal.from_number(number)).verdict == "won" for number in NUMBERS)
    assert survey(NUMBERS).won == won


def test_threads() -> None:
    """On threads the figures are those of a serial survey."""
    with ThreadPoolExecutor(3) as executor:
        assert survey(NUMBERS, executor=executor, block=17) == PLAIN


def test_processes() -> None:
    """On processes too."""
    with ProcessPoolExecutor(2) as executor:
        assert survey((0, 300), executor=executor, block=40, ahead=3) == PLAIN


@given(
    size=st.integers(1, 100),
    cuts=st.sets(st.integers(1, 299), max_size=3),
    order=st.randoms(use_true_random=False),
)
@settings(max_examples=10)
def test_split_and_merge(size: int, cuts: set[int], order: Any) -> None:
    """Any block size, any split into surveys with stores of their own, any order of merging."""
    ends = [0, *sorted(cuts), 300]
    parts = list(pairwise(ends))
    order.shuffle(parts)
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{start}.db") for start, _ in parts]
        for part, path in zip(parts, paths, strict=True):
            survey(part, store=path, block=size, check=0)
        with Store.open(paths[0]) as store:
            for path in paths:
                store.merge(path)
            assert store.tally() == PLAIN
            assert survey(NUMBERS, store=store) == PLAIN


def test_any_order_and_a_bounded_number_ahead(tmp_path: Path) -> None:
    """Blocks may finish in any order, and no more than asked for are handed out at a time."""
    executor = Backwards(5)
    assert survey(NUMBERS, executor=executor, block=20, ahead=5, store=tmp_path / "a.db") == PLAIN
    assert executor.most == 5


def test_going_on(tmp_path: Path) -> None:
    """What a store has is not measured again, whatever the block size was."""
    path = tmp_path / "a.db"
    survey((100, 200), store=path, block=30, check=0)
    seen = list[int]()
    found = survey(NUMBERS, store=path, block=70, watcher=lambda tally: seen.append(tally.deals))
    assert found == PLAIN
    assert seen == [100, 170, 200, 210, 280, 300]  # cut at 70 and 100, then at 210 and 280
    assert survey((100, 200), store=path) == survey((100, 200))
    assert survey(NUMBERS, store=path, executor=Backwards(99)) == PLAIN


def test_numbers_that_cut_a_stored_block(tmp_path: Path) -> None:
    """They are refused, since the positions of a block are kept in sum only."""
    path = tmp_path / "a.db"
    survey((0, 50), store=path, block=20)
    told = "got deals 30 to 99, wanted all or none of deals 20 to 39, a stored block"
    with pytest.raises(OsmosisError, match=told):
        survey((30, 100), store=path)
    with Store.open(path) as store, pytest.raises(StoreError, match="rules"):
        survey((0, 50), DRAW_ONE, store=store)


def test_the_watcher_may_end_it(tmp_path: Path) -> None:
    """An error of the watcher, as Ctrl-C would be, ends the survey; the store has what is done."""

    def stop(tally: Tally) -> None:
        if tally.deals >= 100:
            raise KeyboardInterrupt

    path = tmp_path / "a.db"
    with ThreadPoolExecutor(2) as executor, pytest.raises(KeyboardInterrupt):
        survey(NUMBERS, executor=executor, block=10, store=path, watcher=stop)
    with Store.read(path) as store:
        assert 100 <= store.tally().deals < 300
    assert survey(NUMBERS, store=path) == PLAIN


# ---- checks ----------------------------------------------------------------------------


@given(st.integers(0, 2**64 - 500), st.integers(0, 300), st.floats(0.001, 1))
def test_chosen_by_number_alone(first: int, count: int, share: float) -> None:
    """Which numbers are checked does not depend on the block, and at least the share is."""
    whole = list(chosen(first, first + 400, share))
    part = list(chosen(first + 50, first + 50 + count, share))
    assert part == [number for number in whole if first + 50 <= number <= first + 50 + count]
    assert len(whole) >= int(share * 401) - 1
    assert list(chosen(first, first + 5, 1.0)) == list(range(first, first + 6))
    assert list(chosen(first, first + 400, 0.0)) == []


def flipped(which: int) -> Any:
    """``block._verdicts`` with one deal's verdict wrong."""
    right = block._verdicts

    def wrong(rules: Any, first: int, count: int, positions: int, megabytes: int) -> Any:
        verdicts, searched = right(rules, first, count, positions, megabytes)
        changed = bytearray(verdicts)
        if first <= which < first + count:
            changed[which - first] ^= 1
        return bytes(changed), searched

    return wrong


@pytest.mark.parametrize("number", [0, 5])
@pytest.mark.parametrize("what", ["verdict", "turns"])
def test_a_wrong_verdict_is_caught(
    number: int, what: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A verdict that is not what is proved stops the survey and names the deal and its rules."""
    monkeypatch.setattr(block, "_verdicts", flipped(number))
    if what == "turns":  # a lost deal has no fewest turns to look for
        monkeypatch.setattr(block, "_fewest", lambda *_: block._Settled((9, 9, 9), None, 1))
    said, proved = ("won", "lost") if PLAIN_VERDICTS[number] == LOST else ("lost", "won")
    told = rf"native deal {number}, AISLERIOT, {what}: got {said}.*, wanted {proved}"
    with pytest.raises(ProofError, match=told):
        survey((number, number + 1), AISLERIOT, what=what, check=1, store=tmp_path / "a.db")
    with Store.read(tmp_path / "a.db") as store:
        assert store.stored() == []


PLAIN_VERDICTS = measure(Task(Question(AISLERIOT), 0, 20)).verdicts


@pytest.mark.parametrize(
    ("what", "room", "found", "told"),
    [
        ("turns", "_fewest", (20, 3, 3), "got won, turns 20, passes 3, fewest passes 3, wanted"),
        ("score", "_best", 3, "got lost, score 3, wanted lost, score"),
    ],
)
def test_a_wrong_figure_is_caught(
    what: Any, room: str, found: Any, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So does a fewest or a score that is not what is proved."""
    monkeypatch.setattr(block, room, lambda *_: block._Settled(found, None, 1))
    with pytest.raises(ProofError, match=told):
        survey(range(10), what=what, check=1)


def test_a_wrong_policy_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a score that the plain form of a policy does not reach."""
    monkeypatch.setattr(block, "final_score", lambda *_: 51)
    with pytest.raises(ProofError, match=r"got lost, score 51, wanted lost, score \d"):
        survey(range(10), policy="greedy", check=1)
    monkeypatch.setattr(block, "final_score", lambda *_: 52)
    monkeypatch.setitem(POLICIES, "greedy", lambda state: 52)
    with pytest.raises(ProofError, match="got won, score 52, wanted lost"):
        survey(range(10), policy="greedy", check=1)


def test_a_player_is_played_again() -> None:
    """The advisor's games are played again plainly, the thoughtful one's scores proved."""
    found = survey(range(6), policy="advisor 4 tops", check=1)
    assert (found.deals, found.checked) == (6, 6)
    found = survey(range(6), policy="thoughtful", check=1)
    assert (found.scores, found.checked) == (survey(range(6), what="score").scores, 6)


def test_unknown_is_not_checked() -> None:
    """A deal that a limit left open has no answer to prove, and is told as open."""
    found = survey(range(100), budget=Budget(positions=1), check=1)
    assert found.unknown["positions"] == found.verdicts[OPEN["positions"]] > 0
    assert found.checked == found.lost < 100


# ---- workers that are lost ---------------------------------------------------------------


def die_at_100(task: Task, share: float) -> Any:
    """A worker that is killed when it comes to deal 100, after others are done."""
    if task.first <= 100 < task.first + task.count:
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGKILL)
    return measure(task)


def test_a_killed_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed worker of a process pool ends the survey; what was finished is kept."""
    path = tmp_path / "a.db"
    room = sys.modules["osmosis_solver.surveyor"]
    with monkeypatch.context() as planted:
        planted.setattr(room, "work", die_at_100)
        with (
            ProcessPoolExecutor(2) as executor,
            pytest.raises(OsmosisError, match=r"survey, deals \d+ to \d+: got Broken.*lost worker"),
        ):
            survey(NUMBERS, executor=executor, block=20, ahead=4, store=path)
    with Store.read(path) as store:
        assert 0 < store.tally().deals < 300
    assert survey(NUMBERS, store=path) == PLAIN


def test_a_broken_executor() -> None:
    """One that takes no work any more is told likewise."""

    class Broken(Executor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            raise BrokenExecutor

    with pytest.raises(OsmosisError, match="deals 0 to 9999: got BrokenExecutor, a lost worker"):
        survey((0, 10**5), executor=Broken())


def test_an_error_of_a_worker_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no lost worker but a mistake comes out as it is."""
    monkeypatch.setattr(block, "_verdicts", lambda *_: 1 / 0)
    with ThreadPoolExecutor(1) as executor, pytest.raises(ZeroDivisionError):
        survey(NUMBERS, executor=executor)


KILLED = """
import sys
from osmosis_solver import survey
print("begun", flush=True)
def tell(tally): print(tally.deals, flush=True)
survey(range(3000), store=sys.argv[1], block=20, check=0, watcher=tell)
"""


def test_kill_and_go_on(tmp_path: Path) -> None:
    """A survey that is killed twice in mid-run and then let run ends as an unbroken one does."""
    path = tmp_path / "a.db"
    deals = list[int]()
    for until in (200, 700):
        command = [sys.executable, "-c", KILLED, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as victim:
            assert victim.stdout is not None
            assert victim.stdout.readline() == "begun\n"
            deals += [next(n for n in map(int, victim.stdout) if n >= until)]
            os.kill(victim.pid, signal.SIGKILL)
    with Store.read(path) as store:
        assert 700 <= store.tally().deals < 3000
    assert survey(range(3000), store=path, check=0) == survey(range(3000), check=0)


# ---- what makes no sense -----------------------------------------------------------------


@pytest.mark.parametrize(
    "numbers",
    [
        *(range(0), range(5, 5), range(0, 10, 2), range(9, 0, -1), range(-1, 5)),
        *((5, 5), (6, 5), (-1, 5), (0, 2**64 + 1), (0, 1, 2), (0.0, 5), ("0", "5"), (True, 5)),
        *([0, 1], 5, None, "0-5", {0, 1}, iter(range(5)), range(2**64, 2**64 + 1)),
    ],
)
def test_numbers_that_are_no_range(numbers: Any) -> None:
    """Only a range in steps of one within 0 to 2^64 - 1, or its ends, will do."""
    with pytest.raises(
        OsmosisError, match=r"survey, numbers: got .*, wanted a range in steps of 1"
    ):
        survey(numbers)


@pytest.mark.parametrize(
    "named",
    [
        *(
            {"check": -0.1},
            {"check": 1.1},
            {"check": "1"},
            {"check": True},
            {"check": float("nan")},
        ),
        *({"block": -1}, {"block": 1.5}, {"block": 10**7}, {"ahead": 0}, {"ahead": None}),
        *({"budget": Budget(seconds=1.0)}, {"budget": 5}, {"store": 5}, {"rules": None}),
        *({"what": "won"}, {"policy": "timid"}, {"policy": "greedy", "what": "score"}),
    ],
)
def test_values_that_make_no_sense(named: dict[str, Any]) -> None:
    """They are refused in one line before anything is measured."""
    with pytest.raises(OsmosisError, match=r"^survey[^\n]*got [^\n]*wanted [^\n]*$"):
        survey((0, 10), **named)


def test_the_public_door() -> None:
    """The package offers the function, though a room has its name."""
    assert osmosis_solver.survey is survey
    assert (osmosis_solver.Store, osmosis_solver.Tally) == (Store, Tally)
    with pytest.raises(AttributeError, match="no attribute 'Census'"):
        _ = osmosis_solver.Census
    assert set(osmosis_solver.__all__) <= {*dir(osmosis_solver)}
    assert Question().rules == OSMOSIS
    assert evolve(Question(), what="turns").name == "OSMOSIS, turns"
    assert re.fullmatch(r"\w+", block.KERNEL)


# ---- Dask ----------------------------------------------------------------------------------


@contextmanager
def cluster() -> Iterator[Any]:
    """A real cluster on this machine, with two worker processes of one thread, and its client."""
    distributed = pytest.importorskip("distributed", reason="extra dask is not installed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as local,
        distributed.Client(local) as client,
    ):
        yield client


@pytest.mark.slow
def test_dask_with_a_worker_killed(tmp_path: Path) -> None:
    """On a Dask cluster a killed worker's blocks are done by another: none lost, none twice."""
    path, killed, seen = tmp_path / "a.db", threading.Event(), list[int]()
    whole = survey(range(4000), check=0)
    with cluster() as client:
        pids = client.run(os.getpid)

        def kill_one(tally: Tally) -> None:
            seen.append(tally.deals)
            if tally.deals >= 400 and not killed.is_set():
                killed.set()
                os.kill(next(iter(pids.values())), signal.SIGKILL)

        executor = client.get_executor(pure=False)
        found = survey(
            range(4000), executor=executor, block=50, ahead=8, store=path, watcher=kill_one
        )
    assert killed.is_set()
    assert found == whole
    assert seen == sorted(set(seen))
    with Store.read(path) as store:
        assert sum(map(len, store.stored())) == 4000
        assert store.tally() == whole
