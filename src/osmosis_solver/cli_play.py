"""The command ``play``, in a file of its own that only it loads."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from operator import methodcaller
from string import ascii_uppercase, digits
from typing import Any, Final, get_args

import click

from osmosis_solver.advice import hint
from osmosis_solver.closed import ClosedTable
from osmosis_solver.errors import IllegalMove
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move, Play
from osmosis_solver.notation import parse_line
from osmosis_solver.options import (
    asked_budget,
    asked_deals,
    asked_rules,
    budget_options,
    deal_options,
    rules_options,
    the_deal,
    wrong_usage,
)
from osmosis_solver.picture import draw
from osmosis_solver.play import Table
from osmosis_solver.sight import MOST_COMPLETIONS
from osmosis_solver.told import by_pass, describe, many, turns_and_passes, wrapped
from osmosis_solver.view import Sees

_KEY: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|[\x00\xe0].|.", re.DOTALL)
_CUT_KEY: Final = re.compile(r"\x1b(\[[0-9;]*|O)?\Z")
# How terminals and Windows spell the keys that are no letters.
_NAMES: Final = {
    **dict.fromkeys(("\x1b[C", "\x1bOC", "\xe0M", "\x00M", " ", "\r"), "n"),
    **dict.fromkeys(("\x1b[D", "\x1bOD", "\xe0K", "\x00K", "\x7f", "\b", "u"), "b"),
    **dict.fromkeys(("\x1b[B", "\x1bOB", "\xe0P", "\x00P"), "p"),
    **dict.fromkeys(("\x1b[A", "\x1bOA", "\xe0H", "\x00H"), "v"),
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "\xe0G", "\x00G"), "f"),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "\xe0O", "\x00O"), "l"),
}
_END: Final = "\x04"  # Ctrl-D
_SILENT: Final = "\n\t"
_PLAY_KEYS: Final = digits[1:] + ascii_uppercase
_KEYS: Final = """\
n, right or space   the next move of the line that the solver knows
p, down             on through its next play; l, end: to its end
b, left or u        take a move back; r: make it again
v, up               back through the last play; f, home: to the start
1 to 9, A to Z      make the play of that number
t                   turn the stock, or redeal
h                   a hint: the best move, and why
q                   quit"""
_FEW_KEYS: Final = "n next  p next play  b back  t turn  h hint  ? keys  q quit"


@click.command(short_help="Step through a deal, or play it.")
@deal_options
@rules_options
@click.option("--after", metavar="LINE", default="", help="Begin after this line of play.")
@click.option("--closed", is_flag=True, help="Hide the cards that a player does not see.")
@click.option(
    "--sees", type=click.Choice(get_args(Sees)), help="With --closed, what a turn shows; packets."
)
@click.option(
    "--completions",
    metavar="N",
    type=click.IntRange(1, MOST_COMPLETIONS),
    help="With --closed, how many completions a hint draws; 100.",
)
@budget_options
def play(**given: Any) -> int:
    """Step through the best line of a deal with the keys, or play the deal oneself.

    After every move it is told whether the deal can still be won. "n" makes the next move of
    the line that the solver knows from here: the win with the fewest turns, or the most
    cards. "b" goes back, "p" on to the next play, a number makes a play of one's own, "t"
    turns or redeals, "h" is a hint, "?" lists all keys, "q" quits. Each limit is for each
    position that is looked at. Without a terminal the keys are read from standard input.

    With --closed hidden cards are shown as ?? and nothing looks at them: "n" makes the move
    that is advised by what was seen, "h" tells why, and what can be won is not told. What
    was seen stays seen, also when moves are taken back.

    \b
    Exit status: 0, or 2 for bad input or usage, an illegal line included.
    """
    asked, line = the_deal(asked_deals(given)), parse_line(given["after"])
    first, budget = State.start(asked.deal, asked_rules(given)), asked_budget(given)
    first.play_all(line)
    table = _closed(given, first) or Table(first, budget)
    for move in line:
        table.make(move)
    with pressed_keys() as keys:
        play_on(table, asked.name, keys)
    return 0


def _closed(given: dict[str, Any], first: State) -> ClosedTable | None:
    """A table whose hidden cards stay hidden, if it was asked for."""
    named = {name: given[name] for name in ("completions", "sees") if given[name] is not None}
    if not given["closed"]:
        if named:
            raise wrong_usage("--sees and --completions are for --closed")
        return None
    if any(given[name] is not None for name in ("seconds", "positions", "memory")):
        raise wrong_usage("--closed asks no solver, so it takes no limits")
    return ClosedTable(first, **named)


def play_on(table: Table, name: str, keys: Iterable[str]) -> None:
    """Show the table, then do what each key says and show it again; tell the line at the end."""
    _show(table, name, "")
    for key in keys:
        if key == "q":
            break
        if key not in _SILENT:
            _show(table, name, press(table, _NAMES.get(key, key)))
    if table.line:
        click.echo("\nThe line of play:\n")
        for text in by_pass(table.line):
            click.echo(text)


def press(table: Table, key: str) -> str:
    """Do what a key says, and tell what there is to say of it."""
    if key in _PLAY_KEYS:
        return _own_play(table, key)
    if key == "t":
        return _turn(table)
    if key == "h":
        return _hint(table)
    if key == "?":
        return _KEYS
    if key not in _MOVES:
        return f"{key!a} is no key; ? lists the keys."
    move, otherwise = _MOVES[key]
    return "" if move(table) else otherwise


def _hint(table: Table) -> str:
    if isinstance(table, ClosedTable):
        return table.advice.reason
    return hint(table.state, table.budget).reason


_NO_LINE: Final = "No move leads on to more cards."
_NO_PAST: Final = "This is the start."
_MOVES: Final[dict[str, tuple[Callable[[Table], bool], str]]] = {
    "n": (methodcaller("forth"), _NO_LINE),
    "p": (methodcaller("forth_to_play"), _NO_LINE),
    "l": (methodcaller("last"), _NO_LINE),
    "b": (methodcaller("back"), _NO_PAST),
    "v": (methodcaller("back_to_play"), _NO_PAST),
    "f": (methodcaller("first"), _NO_PAST),
    "r": (methodcaller("redo"), "No move was taken back."),
}


def _own_play(table: Table, key: str) -> str:
    plays = _plays(table.state)
    number = _PLAY_KEYS.index(key)
    if number >= len(plays):
        return f"There is no play {key} here."
    table.make(plays[number])
    return ""


def _turn(table: Table) -> str:
    try:
        table.make(TURN if table.state.stock or not table.state.waste else REDEAL)
    except IllegalMove as error:
        return f"Nothing to turn: {error.reason}."
    return ""


def _plays(state: State) -> list[Play]:
    return [move for move in state.legal_moves() if isinstance(move, Play)]


# ---- what is shown -------------------------------------------------------------------------


def _show(table: Table, name: str, message: str) -> None:
    _clear()
    state, moved = table.state, table.last_move
    card = moved.card if isinstance(moved, Play) else None
    click.echo(f"{name}, rules {describe(state.rules)}, {_last_move(table)}\n")
    seen = table.seen if isinstance(table, ClosedTable) else None
    draw(state, moves=_moves_told(state), moved=card, seen=seen)
    click.echo(f"\n{wrapped(_outlook(table))}")
    click.echo(_FEW_KEYS)
    if message:
        click.echo(f"\n{message if message == _KEYS else wrapped(message)}")


def _clear() -> None:
    """An empty screen, or a blank line where there is no screen that can be emptied."""
    stream = sys.stdout
    if stream is not None and stream.isatty() and os.environ.get("TERM") not in ("dumb", "unknown"):
        click.clear()
    else:
        click.echo()


def _last_move(table: Table) -> str:
    """How many moves were made, and which was the last."""
    move, number = table.last_move, len(table.line)
    if move is None:
        return "no move made"
    return f"move {number}: {_move_told(move)}"


def _move_told(move: Move) -> str:
    return f"{move} played" if isinstance(move, Play) else {TURN: "turn", REDEAL: "redeal"}[move]


def _moves_told(state: State) -> str:
    """The legal moves, each with its key."""
    told = [f"{key} {play}" for key, play in zip(_PLAY_KEYS, _plays(state), strict=False)]
    last = state.legal_moves()[-1:]
    told += [f"t {_move_told(move)}" for move in last if not isinstance(move, Play)]
    return "   ".join(told)


def _outlook(table: Table) -> str:
    """Whether the game can still be won, and what is the best that is known."""
    known, state = table.outlook, table.state
    if state.is_won:
        return "Won: all cards are home."
    if isinstance(table, ClosedTable):
        unseen = many(len(table.view.unseen), "card is", "cards are")
        return (
            f"Closed: {unseen} not seen as yet. To tell whether this can be won is to look at them."
        )
    if known.verdict == "won":
        cost = turns_and_passes(known.turns, known.passes)
        best = "none takes fewer turns" if known.optimal else "shorter ones may exist"
        return f"Winnable: the win from here takes {cost}; {best}."
    if known.verdict == "unknown":
        limit = f"the limit on {known.limit} was hit"
        return f"Not settled whether this can be won: {limit}. {_most(table)}"
    fatal = table.fatal
    since = (
        f"since move {fatal} ({_move_told(table.line[fatal - 1])})" if fatal else "from the start"
    )
    return f"Lost {since}. {_most(table)}"


def _most(table: Table) -> str:
    known, state = table.outlook, table.state
    what = "The most" if known.optimal else "The best found"
    if known.score == state.score and known.optimal:
        return "No more cards come home."
    return f"{what} from here is {known.score} of {many(len(state.deal), 'card')}."


# ---- keys ----------------------------------------------------------------------------------


@contextmanager
def pressed_keys() -> Iterator[Iterator[str]]:
    """The keys as they are pressed; without a terminal the letters of standard input."""
    if sys.stdin is None:
        yield iter(())
    elif not sys.stdin.isatty():
        yield (key for line in sys.stdin for key in line)
    elif os.name == "posix":
        with _key_by_key(sys.stdin.fileno()):
            yield split_keys(_chunks(sys.stdin.fileno()))
    else:
        yield split_keys(windows_keys())


@contextmanager
def _key_by_key(terminal: int) -> Iterator[None]:
    """The terminal hands over each key at once and does not echo it."""
    # click.getchar would do so for one key, and forget keys that are pressed between two.
    import termios
    import tty

    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _chunks(terminal: int) -> Iterator[str]:
    while data := os.read(terminal, 64):
        text, end, _ = data.decode(errors="replace").partition(_END)
        yield text.replace("\n", "\r")
        if end:
            return


def windows_keys() -> Iterator[str]:
    """The keys of a Windows console, up to Ctrl-Z."""
    while True:
        try:
            yield click.getchar()
        except EOFError:
            return


def split_keys(chunks: Iterable[str]) -> Iterator[str]:
    """The single keys of what a terminal sends, which may be several keys, the last one cut.

    >>> list(split_keys(["n\\x1b[C\\x1b", "[Dq"]))
    ['n', '\\x1b[C', '\\x1b[D', 'q']
    """
    rest = ""
    for chunk in chunks:
        text = rest + chunk
        cut = _CUT_KEY.search(text)
        rest = text[cut.start() :] if cut else ""
        yield from _KEY.findall(text[: len(text) - len(rest)])
