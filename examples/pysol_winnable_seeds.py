"""List the PySolFC deal numbers from 32000 up whose Osmosis deal can be won, in their order.

PySolFC deals Peek from the same cards, so the list serves both games. Run it with how many
numbers are wanted; ``--jobs`` spreads the work over processes. The list is the same for any
number of jobs:

    python examples/pysol_winnable_seeds.py 50000 --jobs 2 > osmosis_winnable.txt
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import chain, count, islice

from osmosis_solver import Deal, solve

FIRST = 32000
"""The first number that PySolFC shuffles by Python's generator."""
BLOCK = 500


def winnable_in(block: range) -> list[int]:
    """The numbers of a block whose deal is won; a deal that no budget of ours ends is an error."""
    found = []
    for number in block:
        verdict = solve(Deal.from_pysol(number)).verdict
        if verdict == "unknown":
            raise RuntimeError(f"deal {number} is undecided within the default budget")
        if verdict == "won":
            found.append(number)
    return found


def winnable(first: int, executor: Executor | None = None, ahead: int = 1) -> Iterator[int]:
    """All winnable numbers from ``first`` on, in order, ``ahead`` blocks at a time."""
    for start in count(first, BLOCK * ahead):
        blocks = [range(start + BLOCK * i, start + BLOCK * (i + 1)) for i in range(ahead)]
        found = executor.map(winnable_in, blocks) if executor else map(winnable_in, blocks)
        yield from chain.from_iterable(found)


def main() -> None:
    """Print as many numbers as asked for, one a line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("count", type=int, help="how many numbers to list")
    parser.add_argument("--first", type=int, default=FIRST, help="the first number to try")
    parser.add_argument("--jobs", type=int, default=1, help="processes to use")
    asked = parser.parse_args()
    if min(asked.count, asked.first, asked.jobs) < 1:
        parser.error("count, --first and --jobs are whole numbers from 1 up")
    if asked.jobs == 1:
        print(*islice(winnable(asked.first), asked.count), sep="\n")
        return
    with ProcessPoolExecutor(asked.jobs) as executor:
        numbers = winnable(asked.first, executor, 2 * asked.jobs)
        print(*islice(numbers, asked.count), sep="\n")


if __name__ == "__main__":
    main()
