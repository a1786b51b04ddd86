"""Walk through a line of play: ``python examples/walk_line.py [CODE "AD . . KS | TD"]``."""

import sys

from osmosis_solver import Deal, Play, State, Won, parse_line, solve


def main() -> None:
    """Show what each play of the line does, or of the solution of PySolFC's deal 3."""
    if len(sys.argv) > 2:
        state = State.start(Deal.from_code(sys.argv[1]))
        line = parse_line(sys.argv[2])
    else:
        answer = solve(Deal.from_pysol(3))
        state, line = answer.start, answer.line if isinstance(answer, Won) else ()
    for number, move in enumerate(line, 1):
        state = state.play(move)
        if isinstance(move, Play):
            print(f"{number:4}  {move.card}  {state}")
    print("Won." if state.is_won else "Stuck." if state.is_stuck else "Not over yet.")


if __name__ == "__main__":
    main()
