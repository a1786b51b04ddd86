"""Walk through a line of play: ``python examples/walk_line.py [CODE "AD . . KS | TD"]``."""

import sys

from osmosis_solver import Deal, Move, OsmosisError, Play, State, Won, parse_line, solve


def main() -> None:
    """Walk the line that is given, or the shortest win of PySolFC's deal 3."""
    try:
        if len(sys.argv) > 2:
            walk(State.start(Deal.from_code(sys.argv[1])), parse_line(sys.argv[2]))
        else:
            answer = solve(Deal.from_pysol(3), minimise="turns")
            walk(answer.start, answer.line if isinstance(answer, Won) else ())
    except OsmosisError as error:
        sys.exit(str(error))


def walk(state: State, line: tuple[Move, ...]) -> None:
    """Show to which row each play goes, and what is on it then."""
    for number, move in enumerate(line, 1):
        row = state.row_for(move.card) if isinstance(move, Play) else None
        state = state.play(move)
        if row is not None:
            cards = " ".join(map(str, state.rows[row]))
            print(f"{number:4}  {move}  row {row + 1}: {cards}")
    print("Won." if state.is_won else "Stuck." if state.is_stuck else "Not over yet.")


if __name__ == "__main__":
    main()
