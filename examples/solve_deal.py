"""Solve a deal and say what came out: ``python examples/solve_deal.py [DEAL CODE]``."""

import sys

from osmosis_solver import (
    Budget,
    Deal,
    Lost,
    OsmosisError,
    Unknown,
    Won,
    check,
    explain,
    format_line,
    solve,
)


def main() -> None:
    """Solve the deal whose code is given, or PySolFC's deal 3."""
    try:
        deal = Deal.from_code(sys.argv[1]) if len(sys.argv) > 1 else Deal.from_pysol(3)
    except OsmosisError as error:
        sys.exit(str(error))
    answer = solve(deal, budget=Budget(seconds=60))
    check(answer)
    match answer:
        case Won():
            print(f"Won in {answer.turns} turns and {answer.passes} passes:")
            print(format_line(answer.line))
        case Lost():
            print(explain(answer))
        case Unknown():
            print(f"Not settled: the limit on {answer.limit} was hit.")


if __name__ == "__main__":
    main()
