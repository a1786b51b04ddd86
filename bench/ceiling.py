"""How often a player who may not look can win at best, estimated at the first move that is weighed.

    python bench/ceiling.py --deals 5500 --step 10 --completions 10000 --ahead 4

For each native deal, standard rules, whole packets seen: scouting and safe moves are made; then
plans are weighed on random completions so many shown cards ahead, and behind the last of these the
player is told all cards. So he can win no more often than the best plan says, among the plans that
winning lines suggest; the best is taken on the completions that it is measured on, which errs
upward too.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy

from osmosis_solver import OSMOSIS, sight
from osmosis_solver.numbering import native_order
from osmosis_solver.sight import Sight
from osmosis_solver.sitting import _NUMBER_OF, Sitting

POSITIONS = 2000
SEEDS = 10**6
# What is asked of every deal, to make up for a sample that is luckier than all deals are.
ROUGHLY = 100, 2


class Estimate(NamedTuple):
    """Shares of the completions: won by the best plan, and won by who sees all cards."""

    plan: float
    everything: float


def first_weighed(number: int) -> Sight | None:
    """What is seen of a deal once nothing is safe any more; None if nothing is hidden then."""
    cards = [_NUMBER_OF[card.name] for card in native_order(number)]
    sitting = Sitting.down(OSMOSIS, "packets", cards.__getitem__)
    while sitting.sight().safe():
        sitting.go_on(1)
    seen = sitting.sight()
    return seen if seen.hidden_places() else None


def estimate(number: int, completions: int, ahead: int) -> Estimate:
    """What the best plan at a deal's first weighed move wins."""
    seen = first_weighed(number)
    if seen is None:
        return Estimate(0.0, 0.0)
    sight.DEPTH = ahead  # type: ignore[misc]
    verdict = seen.weigh(completions, number + SEEDS, POSITIONS)
    won = max([0, *(plan.won for plan in verdict.plans)])
    return Estimate(won / verdict.drawn, verdict.winnable / verdict.drawn)


def told(sample: range, found: list[Estimate], rough: list[Estimate]) -> Iterator[str]:
    """Means over the sample, and over all deals by regression on the rough estimates."""
    lost = numpy.array([each.everything - each.plan for each in found])
    yield f"sample of {len(found)}: the best plan wins {_mean([each.plan for each in found])},"
    yield f"  all cards seen {_mean([each.everything for each in found])},"
    yield f"  the difference {_mean(lost)}"
    every = numpy.array([(1.0, *each) for each in rough])
    known = every[list(sample)]
    factors = numpy.linalg.lstsq(known, lost, rcond=None)[0]
    error = (lost - known @ factors).std(ddof=3) / len(lost) ** 0.5
    yield f"over all {len(rough)}, by regression: the difference {every.mean(0) @ factors:.4%},"
    yield f"  standard error {error:.4%}"


def _mean(values: object) -> str:
    array = numpy.asarray(values)
    return f"{array.mean():.4%} (standard error {array.std(ddof=1) / len(array) ** 0.5:.4%})"


def main() -> None:
    """Take the options and print the estimates."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--all", type=int, default=10000, help="deals that are asked about")
    asked.add_argument("--deals", type=int, default=5500, help="deals that the sample is from")
    asked.add_argument("--step", type=int, default=10, help="every so many of them is in it")
    asked.add_argument("--completions", type=int, default=10000)
    asked.add_argument("--ahead", type=int, default=4, help="shown cards")
    given = asked.parse_args()
    sample = range(0, given.deals, given.step)
    found = [estimate(number, given.completions, given.ahead) for number in sample]
    rough = [estimate(number, *ROUGHLY) for number in range(given.all)]
    print("\n".join(told(sample, found, rough)))


if __name__ == "__main__":
    main()
