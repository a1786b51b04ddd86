"""``solve``: known verdicts, the reference for a rival, budgets, interrupts, refusals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_game import can_win, typicals
from strategies import deals, states

from osmosis_solver import _kernel
from osmosis_solver.answer import Answer, Budget, Lost, Spent, Unknown, Watcher, Won
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.errors import OsmosisError
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN
from osmosis_solver.reference import depth_first
from osmosis_solver.rules import DRAW_ONE, GAMERULES, OSMOSIS, PYSOL_BRIDESMAIDS, RELAXED, Rules
from osmosis_solver.solver import Solver, best_score, kernel_kind, solve

DATA = Path(__file__).parent / "data"
NAMES, *KNOWN = [
    line.split("\t")
    for line in (DATA / "known_deals.tsv").read_text().splitlines()
    if not line.startswith("# a rules column")
]
RANDOM, HARD = KNOWN[:300], KNOWN[300:]
BRIDESMAIDS = [
    line.split("\t")
    for line in (DATA / "known_bridesmaids.tsv").read_text().splitlines()
    if not line.startswith("#")
]
named = pytest.mark.parametrize("name", NAMES[2:])
ALL = sum(_kernel.PRUNES.values())
SWITCHES = [ALL, 0, *(ALL - one for one in _kernel.PRUNES.values())]


# ---- known verdicts ------------------------------------------------------------------


def compare(answer: Answer, known: str) -> None:
    """Hold an answer against a column of the files: L, W:fewest turns, or ? for not known."""
    assert not isinstance(answer, Unknown)
    if known != "?":
        assert answer.verdict == ("lost" if known == "L" else "won")
    if isinstance(answer, Won) and known != "?":
        assert answer.turns >= int(known.split(":")[1])
    assert (answer.score == len(answer.deal)) == isinstance(answer, Won)


def test_known_files_are_whole() -> None:
    """There are 300 random deals, 30 hard ones, and 40 without a reserve."""
    assert (len(RANDOM), len(HARD), len(BRIDESMAIDS)) == (300, 30, 40)


@named
def test_known_random_deals(name: str) -> None:
    """Verdicts of an independent program are reproduced, and every answer is verified."""
    for row in RANDOM:
        answer = solve(Deal.from_code(row[0]), Rules.named(name))
        compare(answer, row[NAMES.index(name)])
        if name == "OSMOSIS" and row[1] != "?":
            assert answer.score <= int(row[1])
        check(answer)


@named
def test_known_hard_deals(name: str) -> None:
    """The verdicts of the hardest deals are reproduced too, and every win is verified."""
    for row in HARD:
        answer = solve(Deal.from_code(row[0]), Rules.named(name))
        compare(answer, row[NAMES.index(name)])
        if isinstance(answer, Won):
            check(answer)


@pytest.mark.slow
@named
def test_known_hard_proofs(name: str) -> None:
    """Every loss among the hardest deals is verified, entry by entry."""
    for row in HARD:
        check(solve(Deal.from_code(row[0]), Rules.named(name)))


def test_known_deals_without_a_reserve() -> None:
    """Verdicts for 51 stock cards are reproduced, and every answer is verified."""
    for code, known in BRIDESMAIDS:
        answer = solve(Deal.from_code(code), PYSOL_BRIDESMAIDS)
        compare(answer, known)
        check(answer)


# ---- the reference -------------------------------------------------------------------


@settings(max_examples=500)
@given(states(deals(max_cards=14), max_draw=6))
def test_kernel_against_reference(start: State) -> None:
    """With every prune on, with none, and with each switched off: the plain search's verdict.

    Every answer is verified, and a loss has seen no better score than there is.
    """
    compare_with_reference(start)


@settings(max_examples=3000)
@given(typicals)
def test_kernel_against_reference_on_typical_positions(start: State) -> None:
    """The same for positions at random, which are harder than those that shrink well."""
    compare_with_reference(start)


def compare_with_reference(start: State) -> None:
    """Hold every mixture of switches against the plain search."""
    plain = depth_first(start, Budget(positions=4000), Watcher())
    assume(not isinstance(plain, Unknown))
    for prunes in SWITCHES:
        answer = Solver(start, Budget(), Watcher(), prunes).run()
        assert answer.verdict == plain.verdict
        assert not isinstance(answer, Unknown)
        assert start.score <= answer.score <= plain.score
        check(answer)


@settings(max_examples=100)
@given(states(deals(min_cards=16, max_cards=32, max_ranks=10), max_draw=5))
def test_prunes_against_each_other(start: State) -> None:
    """On larger decks, where plain search takes too long, no switch changes a verdict."""
    verdicts = set()
    for prunes in SWITCHES:
        answer = Solver(start, Budget(positions=20000), Watcher(), prunes).run()
        check(answer)
        verdicts.add(answer.verdict)
    assert len(verdicts - {"unknown"}) <= 1


@settings(max_examples=200)
@given(states(deals(max_cards=9)))
def test_verdict_by_row_orders(start: State) -> None:
    """Won iff some full row order is won by plain search over all its moves."""
    won = any(can_win(start, order) for order in start.row_orders())
    assert solve(start).verdict == ("won" if won else "lost")


@given(states(deals(max_cards=20)))
def test_a_line_from_any_state(start: State) -> None:
    """A win replays move by move from where the search began; turns and passes are counted."""
    answer = solve(start)
    if isinstance(answer, Won):
        assert start.play_all(answer.line).is_won
        assert answer.start == start
        assert answer.turns == answer.line.count(TURN)
        assert answer.passes == 1 + answer.line.count(REDEAL)
        assert answer.score == len(start.deal)


@settings(max_examples=50)
@given(states(deals(max_cards=20)))
def test_same_again(start: State) -> None:
    """The same question gets the same answer, cost included but for the clock."""
    one, two = solve(start), solve(start)
    assert one == two
    assert one.spent.positions == two.spent.positions


# ---- budgets -------------------------------------------------------------------------

# Two deals that take a long search: one is lost, one won.
LONG_LOSS = State.start(Deal.from_code(KNOWN[304][0]), GAMERULES)
LONG_WIN = State.start(Deal.from_code(KNOWN[324][0]), OSMOSIS)


@given(states(deals(min_cards=8, max_cards=24)), st.integers(1, 60), st.sampled_from(SWITCHES))
def test_positions_limit(start: State, positions: int, prunes: int) -> None:
    """A bound on positions gives the unbounded verdict or Unknown, and is kept.

    An answer found within the bound is the unbounded one.
    """
    free = Solver(start, Budget(positions=10**5), Watcher(), prunes).run()
    bound = Solver(start, Budget(positions=positions), Watcher(), prunes).run()
    check(bound)
    if isinstance(bound, Unknown):
        assert bound.limit == "positions"
        assert start.score <= bound.score < len(start.deal)
        assert bound.spent.positions <= free.spent.positions
    else:
        assert bound.verdict == free.verdict
    if isinstance(bound, Lost):
        assert bound == free
    assert bound.spent.positions <= positions


@pytest.mark.parametrize("prunes", [ALL, ALL - _kernel.PRUNES["dive"]])
@pytest.mark.parametrize("start", [LONG_LOSS, LONG_WIN], ids=["loss", "win"])
@pytest.mark.parametrize("positions", [1, 10, 48, 100, 1000, 10000])
def test_positions_limit_on_hard_deals(start: State, positions: int, prunes: int) -> None:
    """A hard deal is unknown within a small bound, whose every position is used."""
    answer = Solver(start, Budget(positions=positions), Watcher(), prunes).run()
    assert isinstance(answer, Unknown)
    assert answer.limit == "positions"
    assert answer.spent.positions == positions


def test_seconds_limit() -> None:
    """A time that is over before it begins ends the search at the first look at the clock."""
    answer = solve(LONG_LOSS, budget=Budget(seconds=1e-9))
    assert isinstance(answer, Unknown)
    assert answer.limit == "seconds"
    assert answer.spent.positions < 10000


@pytest.mark.parametrize("megabytes", [1, 2, 4])
def test_memory_limit(megabytes: int) -> None:
    """A loss whose proof does not fit is unknown for want of memory."""
    answer = solve(LONG_LOSS, budget=Budget(megabytes=megabytes))
    assert isinstance(answer, Unknown)
    assert answer.limit == "memory"


@given(states(deals(min_cards=10, max_cards=24)))
def test_bounds_on_everything(start: State) -> None:
    """With all three limits small an answer is never a wrong one."""
    free = solve(start, budget=Budget(positions=10**5))
    answer = solve(start, budget=Budget(seconds=1e-6, positions=3, megabytes=1))
    check(answer)
    assert answer.verdict in (free.verdict, "unknown")


# ---- watchers and interrupts ---------------------------------------------------------


class _Stopper(Watcher):
    def __init__(self, calls: int) -> None:
        self.calls = calls
        self.seen = list[Spent]()

    def progress(self, spent: Spent) -> None:
        self.seen.append(spent)
        if len(self.seen) == self.calls:
            raise RuntimeError("enough")


@pytest.mark.parametrize("calls", [1, 3])
def test_a_watcher_that_raises(calls: int) -> None:
    """What a watcher raises ends the search and arrives; positions only ever grew till then."""
    watcher = _Stopper(calls)
    with pytest.raises(RuntimeError, match="enough"):
        solve(LONG_LOSS, watcher=watcher)
    positions = [spent.positions for spent in watcher.seen]
    assert len(positions) == calls
    assert positions == sorted(set(positions))


# A shell starts what runs in the background with the signal ignored, and that is inherited.
SEARCH_FOR_EVER = """
import signal
import sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from osmosis_solver.answer import Budget, Watcher
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.rules import GAMERULES
from osmosis_solver.solver import Solver

class Teller(Watcher):
    told = False
    def progress(self, spent):
        if not self.told:
            print("searching", flush=True)
            self.told = True

Solver(State.start(Deal.from_code(sys.argv[1]), GAMERULES), Budget(), Teller(), 0).run()
print("answered")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT to another process is for POSIX")
def test_interrupt() -> None:
    """A search that would run for hours ends at SIGINT with KeyboardInterrupt, no answer told."""
    import osmosis_solver

    package = str(Path(osmosis_solver.__file__).parent.parent)
    with subprocess.Popen(
        [sys.executable, "-c", SEARCH_FOR_EVER, KNOWN[304][0]],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": package},
    ) as process:
        assert process.stdout
        try:
            assert process.stdout.readline() == "searching\n"
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert out == ""
    assert err.strip().endswith("KeyboardInterrupt")
    assert process.returncode != 0


# ---- what is refused -----------------------------------------------------------------


def answers() -> Iterator[Answer]:
    """One answer of each kind."""
    deal = Deal.from_pysol(24)
    yield solve(deal)
    yield solve(deal, RELAXED)
    yield solve(LONG_LOSS, budget=Budget(positions=1))
    yield next(a for n in count() if (a := solve(Deal.from_number(n))).verdict == "won")


def test_an_answer_has_no_truth_value() -> None:
    """``bool`` of an answer is a TypeError, whichever it is."""
    told = list(answers())
    assert {answer.verdict for answer in told} == {"won", "lost", "unknown"}
    for answer in told:
        with pytest.raises(TypeError, match="verdict"):
            bool(answer)


def test_rules_of_a_state() -> None:
    """A state is solved under its own rules; any others beside it are refused."""
    start = State.start(Deal.from_pysol(24), RELAXED)
    assert solve(start).rules == solve(start, RELAXED).rules == RELAXED
    with pytest.raises(OsmosisError, match="rules"):
        solve(start, DRAW_ONE)


BAD: list[Any] = ["", "Kernel", "fast", None, 0, b"kernel", ["kernel"], 10**5000]


@pytest.mark.parametrize("engine", BAD, ids=map(str, range(8)))
def test_engines(engine: Any) -> None:
    """An engine that does not exist is refused with the two that do."""
    with pytest.raises(OsmosisError, match="'kernel' or 'reference'"):
        solve(Deal.from_pysol(24), engine=engine)


@pytest.mark.parametrize(
    "deal", [None, 24, "24", Deal.from_pysol(24).code, [], 10**5000], ids=map(str, range(6))
)
def test_no_deals(deal: Any) -> None:
    """What is neither a deal nor a state is refused, a number or a code, too."""
    with pytest.raises(OsmosisError, match="a Deal or a State"):
        solve(deal)


@pytest.mark.parametrize("bad", ["OSMOSIS", "", 0, 3, [], b"", (3, None)])
def test_no_rules(bad: Any) -> None:
    """What is no ``Rules`` record is refused, a name of rules, too."""
    with pytest.raises(OsmosisError, match="a Rules record"):
        solve(Deal.from_pysol(24), bad)


@pytest.mark.parametrize("bad", [0, 1.5, "1", [], {"seconds": 1}])
def test_no_budget(bad: Any) -> None:
    """What is no ``Budget`` is refused."""
    with pytest.raises(OsmosisError, match="a Budget"):
        solve(Deal.from_pysol(24), budget=bad)


def test_engines_agree() -> None:
    """Both engines answer the same question through the same door."""
    deal = Deal.from_code("2D/3D:AC:3C2CAD")
    for engine in ("kernel", "reference"):
        assert solve(deal, engine=engine).verdict == "won"


def test_an_uncompiled_kernel_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no compiled kernel each question warns of it, in the caller's name."""
    monkeypatch.setattr(_kernel, "COMPILED", False)
    for ask in (solve, best_score):
        with pytest.warns(RuntimeWarning, match="uncompiled, many times slower") as caught:
            ask(Deal.from_code(":AC:AD"))
        assert caught[0].filename == __file__


def test_kernel_kind() -> None:
    """The kernel says which of its two forms it is."""
    assert kernel_kind() == ("compiled" if _kernel.COMPILED else "pure Python")
