"""How many native deals the advisor's player wins, by ways to choose that differ.

``python bench/advice.py --deals 10000`` plays those of the first 10,000 deals that can be won at
all, as nobody wins the others, by standard rules with whole packets seen. ``--plain`` takes the
first play that wins most completions, ``--depth`` looks so many shown cards ahead.
"""

import argparse
import time
from unittest.mock import patch

from osmosis_solver import OSMOSIS, Deal, State, sight, solve
from osmosis_solver.policy import Player
from osmosis_solver.sight import Plan, Sight, Step
from osmosis_solver.sitting import final_score


def plainly(self: Sight, completions: int, seed: int) -> tuple[Step, ...]:
    """``Sight.plan`` by plain sampling: the play that wins most if all is seen after it."""
    if found := self.safe():
        return found[1]
    plans = self.weigh(completions, seed).plans
    return max(plans, key=_first_wins).steps[:1] if plans else ()


def _first_wins(plan: Plan) -> int:
    return plan.most


def main() -> None:
    """Play, and print the share that is won and the time a game takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--completions", type=int, default=100)
    parser.add_argument("--depth", type=int, default=sight.DEPTH)
    parser.add_argument("--plain", action="store_true")
    asked = parser.parse_args()
    deals = range(asked.deals)
    winnable = [n for n in deals if solve(State.start(Deal.from_number(n))).verdict == "won"]
    player = Player("advisor", asked.completions, "packets")
    plan = plainly if asked.plain else Sight.plan
    began = time.process_time()
    with patch.object(sight, "DEPTH", asked.depth), patch.object(Sight, "plan", plan):
        won = sum(final_score(player, number, OSMOSIS) == 52 for number in winnable)
    spent = 1000 * (time.process_time() - began) / len(winnable)
    print(f"{len(winnable)} of {asked.deals} can be won, {won} are: {won / asked.deals:.2%}")
    print(f"{spent:.1f} ms of processor time a game that can be won")


if __name__ == "__main__":
    main()
