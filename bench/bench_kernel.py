"""The fast searches on the known deals, and the ratio to the reference engine.

``pytest bench -s`` prints positions and ratios, which repeat; the times of a shared machine
do not, so look at the least and the median.
"""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from osmosis_solver import NAMED_RULES, Budget, Deal, Rules, State, kernel_kind, solve
from osmosis_solver._cheapest import Cheapest
from osmosis_solver._kernel import Search
from osmosis_solver.drive import in_numbers
from osmosis_solver.solver import best_score

DATA = Path(__file__).parent.parent / "tests" / "data" / "known_deals.tsv"
COLUMNS = ["OSMOSIS", "THREE_PASSES", "GAMERULES", "DRAW_ONE", "AISLERIOT", "BRIDESMAIDS"]
COLUMNS += ["RELAXED"]
REFERENCE_POSITIONS = 2_000
WON, FULL, LOST, DONE = 2, 3, 5, 8
Engine = Callable[[State], int]


def known(name: str) -> list[tuple[Deal, str]]:
    """The 300 random deals of the known file with their verdicts under the named rules."""
    rows = [line.split("\t") for line in DATA.read_text().splitlines() if line[0] != "#"]
    return [(Deal.from_code(row[0]), row[2 + COLUMNS.index(name)]) for row in rows[:300]]


def settle(start: State) -> int:
    """One deal in the kernel alone, from its making to its verdict: positions searched."""
    kernel = Search(**in_numbers(start, tuple(start.row_orders())))
    while (event := kernel.run(10**9)) not in (WON, LOST):
        if event == FULL:
            kernel.grow(10**9)
    return kernel.counts()[0]


def cheapest(start: State) -> int:
    """One won deal to its fewest turns in the kernel alone: positions searched."""
    search = Cheapest(**in_numbers(start, tuple(start.row_orders())))
    while (event := search.run(10**9)) != DONE:
        if event == FULL:
            search.grow(10**9)
    return search.counts()[0]


def report(name: str, what: str, benchmark: Any, engine: Engine, deals: list[Deal]) -> None:
    """Run the engine over the deals and print positions and milliseconds a deal."""
    starts = [State.start(deal, rules_of(name)) for deal in deals]
    positions = benchmark(lambda: [engine(start) for start in starts])
    least, median = (
        1e3 * getattr(benchmark.stats.stats, s) / len(starts) for s in ("min", "median")
    )
    print(f"\n{name}, {what}: {len(starts)} deals, {kernel_kind()} kernel;")
    print(f"  positions a deal {statistics.mean(positions):.1f}, most {max(positions)};")
    print(f"  ms a deal, least {least:.4f}, median {median:.4f}")


def rules_of(name: str) -> Rules:
    """The named rules."""
    return NAMED_RULES[name]


@pytest.mark.parametrize("name", COLUMNS)
def test_verdict(benchmark: Any, name: str) -> None:
    """Won or lost, over the 300 random deals."""
    report(name, "verdict", benchmark, settle, [deal for deal, _ in known(name)])


@pytest.mark.parametrize("name", [name for name in COLUMNS if name != "BRIDESMAIDS"])
def test_fewest_turns(benchmark: Any, name: str) -> None:
    """The fewest turns, over those of the 300 random deals that are won."""
    won = [deal for deal, verdict in known(name) if verdict[0] == "W"]
    report(name, "fewest turns", benchmark, cheapest, won)


def test_best_score(benchmark: Any) -> None:
    """The best score, line and proof included, over the lost ones of the 300 random deals."""
    lost = [deal for deal, verdict in known("OSMOSIS") if verdict == "L"]
    answers = benchmark.pedantic(lambda: [best_score(deal) for deal in lost], rounds=3)
    median = 1e3 * benchmark.stats.stats.median / len(lost)
    print(f"\nOSMOSIS, best score: {len(lost)} deals, {median:.2f} ms a deal")
    print(f"  mean best score {statistics.mean(answer.score for answer in answers):.1f}")


def test_against_reference() -> None:
    """The same deals in both engines, the reference cut short."""
    deals = [deal for deal, _ in known("OSMOSIS")][:40]
    began = time.perf_counter()
    ours = [solve(deal) for deal in deals]
    middle = time.perf_counter()
    limit = Budget(positions=REFERENCE_POSITIONS)
    theirs = [solve(deal, engine="reference", budget=limit) for deal in deals]
    ended = time.perf_counter()
    settled = sum(answer.verdict != "unknown" for answer in theirs)
    print(f"\n{len(deals)} deals: the kernel settles {len(ours)}; the reference settles {settled}")
    print(f"  with {REFERENCE_POSITIONS} positions a deal, and takes")
    print(f"  {(ended - middle) / (middle - began):.0f} times as long for that")
    for our, their in zip(ours, theirs, strict=True):
        assert their.verdict in (our.verdict, "unknown")
