"""The kernel against the reference engine on the same deals: ``pytest bench -s``.

Prints positions and ratios, which repeat; the times of a shared machine do not.
"""

import statistics
import time
from pathlib import Path
from typing import Any

import pytest

from osmosis_solver import NAMED_RULES, Budget, Deal, State, kernel_kind, solve
from osmosis_solver._kernel import Search
from osmosis_solver.drive import in_numbers

DATA = Path(__file__).parent.parent / "tests" / "data" / "known_deals.tsv"
REFERENCE_POSITIONS = 2_000
EVENT_WON, EVENT_LOST, EVENT_FULL = 2, 5, 3


def random_deals() -> list[Deal]:
    """The 300 random deals of the known file."""
    lines = [line for line in DATA.read_text().splitlines() if not line.startswith("#")]
    return [Deal.from_code(line.split("\t")[0]) for line in lines[:300]]


def search(start: State) -> int:
    """One deal in the kernel alone, from its making to its verdict: positions searched."""
    kernel = Search(**in_numbers(start, tuple(start.row_orders())))
    while (event := kernel.run(10**9)) not in (EVENT_WON, EVENT_LOST):
        if event == EVENT_FULL:
            kernel.grow(10**9)
    return kernel.counts()[0]


@pytest.mark.parametrize("name", ["OSMOSIS", "THREE_PASSES", "GAMERULES", "DRAW_ONE", "RELAXED"])
def test_kernel(benchmark: Any, name: str) -> None:
    """Mean time of a deal in the kernel over 300 random deals, with positions searched."""
    starts = [State.start(deal, NAMED_RULES[name]) for deal in random_deals()]
    positions = benchmark(lambda: [search(start) for start in starts])
    mean = benchmark.stats.stats.mean / len(starts)
    print(f"\n{name}: {kernel_kind()} kernel, {statistics.mean(positions):.1f} positions a deal,")
    print(f"at most {max(positions)}; {mean * 1e3:.4f} ms a deal in the kernel")


def test_against_reference() -> None:
    """Positions a second of both engines on the same deals, the reference cut short."""
    deals = random_deals()[:40]
    began = time.perf_counter()
    ours = [solve(deal) for deal in deals]
    middle = time.perf_counter()
    limit = Budget(positions=REFERENCE_POSITIONS)
    theirs = [solve(deal, engine="reference", budget=limit) for deal in deals]
    ended = time.perf_counter()
    settled = sum(answer.verdict != "unknown" for answer in theirs)
    print(f"\n{len(deals)} deals: the kernel settles {len(ours)} in {middle - began:.3f} s;")
    print(f"the reference settles {settled} with {REFERENCE_POSITIONS} positions each,")
    print(f"in {ended - middle:.1f} s: {(ended - middle) / (middle - began):.0f} times as long")
    for our, their in zip(ours, theirs, strict=True):
        assert their.verdict in (our.verdict, "unknown")
