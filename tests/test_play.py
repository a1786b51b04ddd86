"""A deal on the table: what the keys do, what is told after each move, and a real terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command import FALL, GOOD, LOST, WON, run
from hypothesis import given
from hypothesis import strategies as st
from strategies import choices, starts

from osmosis_solver.advice import hint, look_back
from osmosis_solver.answer import Budget
from osmosis_solver.cli_play import play_on, press, pressed_keys, split_keys, windows_keys
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.moves import Play
from osmosis_solver.notation import format_line, parse_line
from osmosis_solver.play import Outlook, Table
from osmosis_solver.rules import OSMOSIS
from osmosis_solver.solver import best_score, solve

DEAL3 = State.start(Deal.from_pysol(3))
MOVERS: list[Callable[[Table], bool]] = [
    *(Table.forth, Table.back, Table.redo, Table.forth_to_play, Table.back_to_play),
    *(Table.first, Table.last),
]


@given(starts(), st.lists(st.one_of(st.sampled_from(MOVERS), st.integers(0, 9)), max_size=12))
def test_the_table_tells_the_truth(
    start: State, asked: list[Callable[[Table], bool] | int]
) -> None:
    """Whatever was pressed, the line leads to the position, and the outlook is the solver's."""
    table = Table(start)
    for act in asked:
        moves = table.state.legal_moves()
        if not isinstance(act, int):
            act(table)
        elif moves:
            table.make(moves[act % len(moves)])
        assert start.play_all(table.line) == table.state
        known, answer = table.outlook, solve(table.state, minimise="turns")
        assert known.verdict == answer.verdict
        assert table.state.play_all(known.line).score == known.score
        if answer.verdict == "won":
            assert (known.turns, known.score) == (answer.turns, len(start.deal))
        else:
            assert known.score == best_score(table.state).score
        assert known.optimal
        assert table.fatal == look_back(start, table.line).fatal


@given(starts(), choices)
def test_what_is_taken_back_can_be_made_again(start: State, picks: list[int]) -> None:
    """Back to the start and forth again by redo goes through the same positions."""
    table, seen = Table(start), [start]
    for pick in picks[:8]:
        moves = table.state.legal_moves()
        if moves:
            table.make(moves[pick % len(moves)])
            seen.append(table.state)
    back = [table.state]
    while table.back():
        back.append(table.state)
    assert back == seen[::-1]
    forth = [table.state]
    while table.redo():
        forth.append(table.state)
    assert forth == seen
    table.first()
    assert table.state == start
    assert not table.back()


def test_the_jumps_stop_at_plays() -> None:
    """On to the next play, back to before the last one, to the end and to the start."""
    table = Table(DEAL3)
    scores = []
    while table.forth_to_play():
        assert isinstance(table.last_move, Play)
        scores.append(table.state.score)
    assert scores == list(range(2, 53))
    assert not table.forth()
    assert table.back_to_play()
    assert table.state.score == 51
    assert table.outlook.line[0] == table.line[-1] or isinstance(table.outlook.line[0], Play)
    assert table.first()
    assert not table.back_to_play()
    assert table.last()
    assert table.state.is_won
    assert not table.last()


def test_another_move_forgets_what_was_taken_back() -> None:
    """A move of one's own in the past leaves nothing to make again."""
    table = Table(DEAL3)
    table.forth()
    table.forth()
    table.first()
    table.make(DEAL3.legal_moves()[-1])
    assert not table.redo()
    assert len(table.line) == 1


def test_limits_are_told() -> None:
    """A limit leaves open what it leaves open, with what was found until then."""
    table = Table(State.start(Deal.from_pysol(1)), Budget(positions=1))
    known = table.outlook
    assert (known.verdict, known.limit) == ("unknown", "positions")
    assert table.start.play_all(known.line).score == known.score
    shown = run("play", "--pysol", "1", "--positions", "1", text="").stdout
    assert "Not settled whether this can be won: the limit on positions was hit." in shown


def test_step_through_a_win() -> None:
    """The keys next, back and next play; the last move is named, and the win is told."""
    first, *rest = (text for text in run("play", WON, text="nnbpl").stdout.split("Deal 1, ")[1:])
    assert first.startswith("rules OSMOSIS, no move made\n")
    assert "Winnable: the win from here takes 1 turn, 1 pass; none takes fewer turns." in first
    named = [text.partition("\n")[0].partition("OSMOSIS, ")[2] for text in rest]
    assert named == [
        "move 1: turn", "move 2: AD played", "move 1: turn", "move 2: AD played",
        "move 6: 3D played",
    ]  # fmt: skip
    assert "\nWon: all cards are home.\n" in rest[-1]
    assert "\nScore  6 of 6\nMoves  none\n" in rest[-1]
    line = rest[-1].partition("The line of play:\n\n")[2]
    assert run("check", "--deal", WON, "--line", line).stdout == "wins\n"


def test_play_oneself_until_it_is_too_late() -> None:
    """One's own plays by number: the move that throws the win away is told at once."""
    before = run("play", "--pysol", "3", "--after", GOOD, text="").stdout
    assert "\nMoves  1 TH   2 6C   t turn\n" in before
    assert "Winnable: the win from here takes 22 turns, 4 passes; none takes fewer" in before
    after = run("play", "--pysol", "3", "--after", GOOD, text="1").stdout
    assert "\nLost since move 27 (TH played). The most from here is " in after
    undone = run("play", "--pysol", "3", "--after", GOOD, text="1u").stdout
    assert undone.count("Winnable: the win from here takes 22 turns") == 2


def test_a_lost_deal() -> None:
    """The best line is stepped through in place of a win, and said to be no more than that."""
    start = State.start(Deal.from_pysol(24))
    shown = run("play", "--pysol", "24", text="l").stdout
    assert "\nLost from the start. The most from here is 32 of 52 cards.\n" in shown
    assert "\nScore  32 of 52\n" in shown
    assert "\nLost from the start. No more cards come home.\n" in shown
    line = parse_line(shown.partition("The line of play:\n\n")[2])
    assert start.play_all(line).score == 32


@pytest.mark.parametrize(
    ("args", "keys", "told"),
    [
        ((WON,), "b", "This is the start."),
        ((WON,), "ln", "No move leads on to more cards."),
        ((WON,), "r", "No move was taken back."),
        ((WON,), "9", "There is no play 9 here."),
        ((WON,), "~", "'~' is no key; ? lists the keys."),
        ((WON,), "\u20ac", "'\\u20ac' is no key; ? lists the keys."),
        ((WON,), "?", "r: make it again"),
        ((LOST, "--passes", "1"), "tt", "Nothing to turn: all 1 passes are used."),
        ((WON,), "lt", "Nothing to turn: the stock is empty."),
        ((WON,), "h", hint(State.start(Deal.from_code(WON))).reason),
    ],
)
def test_what_the_keys_say(args: tuple[str, ...], keys: str, told: str) -> None:
    """What cannot be done is said; help and hints are told."""
    shown = run("play", *args, text=keys).stdout
    assert told in shown


def test_every_way_to_name_a_deal(tmp_path: Path) -> None:
    """Code, file, PySolFC and native number; more than one deal or none is wrong usage."""
    (tmp_path / "deal").write_text(WON)
    for args in ((WON,), ("--file", str(tmp_path / "deal")), ("--pysol", "3"), ("--number", "7")):
        assert "Reserve" in run("play", *args, text="q").stdout
    assert run("play").exit_code == 2
    assert run("play", WON, LOST).exit_code == 2
    bad = run("play", WON, "--after", "KS")
    assert (bad.exit_code, bad.stderr.count("\n")) == (2, 1)


def test_no_keys_after_quit() -> None:
    """What is typed after q is not looked at; line ends are no keys."""
    assert run("play", WON, text="n\nq~~~").stdout.count("Reserve") == 2


def test_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Started without standard input, the first board is all there is."""
    monkeypatch.setattr(sys, "stdin", None)
    with pressed_keys() as keys:
        assert list(keys) == []


@given(st.lists(st.sampled_from(["n", "\x1b[C", "\x1b[1~", "\x1bOH", "\xe0K", "7"])), st.data())
def test_keys_are_split(keys: list[str], data: st.DataObject) -> None:
    """However a terminal chops what is pressed, the same keys come out."""
    text = "".join(keys)
    inner = [i for i in range(1, len(text)) if text[i - 1] != "\xe0"]
    cuts = sorted(data.draw(st.sets(st.sampled_from(inner)))) if inner else []
    ends = zip([0, *cuts], [*cuts, len(text)], strict=True)
    assert list(split_keys(text[a:b] for a, b in ends)) == keys


def test_the_keys_of_a_windows_console(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arrows of Windows are keys too; Ctrl-Z ends them."""
    pressed = iter(["\xe0M", "\x00K", "h"])

    def getchar() -> str:
        for key in pressed:
            return key
        raise EOFError

    monkeypatch.setattr("click.getchar", getchar)
    keys = list(split_keys(windows_keys()))
    assert keys == ["\xe0M", "\x00K", "h"]
    table = Table(DEAL3)
    play_on(table, "a deal", keys[:2])
    assert table.line == ()
    assert table.redo()


def test_every_play_has_a_key() -> None:
    """The keys shown before the plays make these plays."""
    start = State.start(Deal.from_code("/".join(["2C", "3C", "AD"]) + ":AC:2D3D"), OSMOSIS)
    for number, play in enumerate(start.legal_moves()[:-1], 1):
        table = Table(start)
        assert press(table, str(number)) == ""
        assert table.line == (play,)


def test_a_line_with_limits_is_no_promise() -> None:
    """Where the fewest turns are not proved, it is not said that none takes fewer."""
    known = Outlook.of(DEAL3, Budget(positions=100))
    if known.verdict == "won" and not known.optimal:
        shown = run("play", "--pysol", "3", "--positions", "100", text="").stdout
        assert "shorter ones may exist" in " ".join(shown.split())
    else:
        pytest.fail("the limit no longer cuts this search: choose another")


# ---- a real terminal -----------------------------------------------------------------------


class Terminal:
    """The command in a pseudo-terminal of its own."""

    def __init__(self, *args: str, **environ: str) -> None:
        import pty

        self.unread = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # pragma: no cover - the child becomes the command
            plain = {
                k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "PYTHONIOENCODING")
            }
            command = [sys.executable, "-m", "osmosis_solver", *args]
            # Where the tests run in the background, Ctrl-C is ignored from the start.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execve(sys.executable, command, {**plain, "COLUMNS": "80", **environ})

    def read(self) -> bytes:
        """The next byte, or none at the end; fails if nothing comes, rather than wait for ever."""
        assert select.select([self.fd], [], [], 300)[0], f"silent after {self.unread!r}"
        try:
            return os.read(self.fd, 1)
        except OSError:  # the end, as Linux says it
            return b""

    def until(self, wanted: str) -> str:
        """What is written up to that text; fails if the command ends without it."""
        while not self.unread.endswith(wanted):
            data = self.read()
            assert data, f"no {wanted!r} in {self.unread!r}"
            self.unread += data.decode("latin-1")
        seen, self.unread = self.unread, ""
        return seen.encode("latin-1").decode()

    @property
    def echoes(self) -> bool:
        """Whether what is typed is shown."""
        import termios

        return bool(termios.tcgetattr(self.fd)[3] & termios.ECHO)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.fd, keys.encode())

    def end(self) -> int:
        """The exit status; the terminal must echo again."""
        while self.read():
            pass
        assert self.echoes
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals of POSIX")
def test_in_a_terminal() -> None:
    """Arrow keys step, the screen is wiped for each board, signs and colours are shown."""
    terminal = Terminal("play", WON, TERM="xterm-256color", PYTHONIOENCODING="utf-8")
    assert "♦" in terminal.until("q quit")
    assert not terminal.echoes
    terminal.type("\x1b[C\x1b[C")
    shown = terminal.until("AD played")
    assert "\x1b[2J" in shown
    assert re.search(r"\x1b\[[\d;]*\b31m", terminal.until("q quit"))
    terminal.type("\x1b[D")
    terminal.until("move 1: turn")
    terminal.type("\x1b[F")
    terminal.until("Won: all cards are home.")
    terminal.type("q")
    assert terminal.end() == 0


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals of POSIX")
@pytest.mark.parametrize(
    "environ",
    [
        {"TERM": "dumb", "PYTHONIOENCODING": "utf-8"},
        {"TERM": "xterm", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
        {"TERM": "xterm", "PYTHONIOENCODING": "cp437"},
    ],
)
def test_in_a_plain_terminal(environ: dict[str, str]) -> None:
    """Without colours or signs there is plain ASCII; Ctrl-D quits, Ctrl-C ends it with 130."""
    terminal = Terminal("play", WON, **environ)
    shown = terminal.until("q quit")
    terminal.type("p")
    shown += terminal.until("AD played") + terminal.until("q quit")
    assert shown.isascii()
    assert not re.search(r"\x1b\[\d+m", shown)
    assert ("\x1b[2J" in shown) == (environ["TERM"] == "xterm")
    terminal.type("\x04")
    terminal.until("The line of play:")
    assert terminal.end() == 0
    broken = Terminal("play", WON, **environ)
    broken.until("q quit")
    broken.type("\x03")
    broken.until("interrupted")
    assert broken.end() == 130


def test_the_line_at_the_end() -> None:
    """The line of play can be pasted back; without a move none is told."""
    shown = run("play", "--pysol", "3", "--after", FALL, text="").stdout
    told = shown.partition("The line of play:\n\n")[2]
    assert format_line(parse_line(told)) == format_line(parse_line(FALL))
    assert "The line of play" not in run("play", WON, text="").stdout
