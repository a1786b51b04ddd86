"""The command line: what it prints, where, and with which exit status."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from osmosis_solver import advice, cli, meter, solver
from osmosis_solver.advice import Past
from osmosis_solver.answer import Answer, Budget, Lost, Spent, Unknown
from osmosis_solver.asked import count_deals
from osmosis_solver.check import check
from osmosis_solver.cli import osmosis
from osmosis_solver.deal import Deal
from osmosis_solver.explain import explain
from osmosis_solver.game import State
from osmosis_solver.notation import parse_line
from osmosis_solver.picture import picture
from osmosis_solver.rules import NAMED_RULES, Rules
from osmosis_solver.told import told_past
from osmosis_solver.wire import from_json

WON = "2D/3D:AC:3C2CAD"
LOST = "AD2D:AC:2C"  # AD opens row 2 but lies under 2D, and 2D needs row 2
OPEN = "3D2D:AC:2C3CAD"  # what ``unsolved`` leaves unknown
TEXT = "Base: AC\nReserve: 2D\nReserve: 3D\nStock: 3C 2C\nStock: AD\n"


def run(*args: str, text: str | bytes | None = None) -> Result:
    """The command with these arguments and this standard input."""
    return CliRunner().invoke(osmosis, args, input=text)


def answers(result: Result) -> list[dict[str, Any]]:
    """What ``--json`` printed; each line must be an answer that verifies."""
    lines = result.stdout.splitlines()
    for line in lines:
        check(from_json(line))
    return [json.loads(line) for line in lines]


def process(*args: str, **options: Any) -> subprocess.Popen[bytes]:
    """The command as a process of its own, which heeds Ctrl-C."""
    # A shell starts what runs in the background with the signal ignored, and that is inherited.
    if os.name == "posix":
        options["preexec_fn"] = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    command = [sys.executable, "-m", "osmosis_solver", *args]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, **options)


def test_bare_command_shows_help() -> None:
    """Without a command: the help, and all is well."""
    bare, asked = run(), run("--help")
    assert bare.exit_code == asked.exit_code == 0
    assert bare.stdout == asked.stdout
    assert all(name in bare.stdout for name in ("solve", "hint", "check", "show", "--version"))


@pytest.mark.parametrize("command", ["solve", "hint", "check", "show"])
def test_help_fits_a_terminal(command: str) -> None:
    """The help of every command is at most 80 columns wide and names the exit status."""
    result = run(command, "-h")
    assert result.exit_code == 0
    assert "Exit status" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.parametrize("kind", ["compiled", "pure Python"])
def test_version_names_the_kernel(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """``--version`` says which of the two kernels is in use."""
    monkeypatch.setattr(solver, "kernel_kind", lambda: kind)
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("osmosis ")
    assert result.stdout.endswith(f", {kind} kernel\n")


@pytest.fixture
def unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that runs out of memory on one deal, whatever the real one learns."""
    real = solver.solve

    def solve(start: State, **options: Any) -> Answer:
        if start.deal.code == OPEN:
            return Unknown(start, "memory", 2, spent=Spent(9, 0.5))
        return real(start, **options)

    monkeypatch.setattr(solver, "solve", solve)


@pytest.mark.parametrize(
    ("deals", "verdicts", "status"),
    [
        ((WON, WON), ["won", "won"], 0),
        ((LOST, WON), ["lost", "won"], 1),
        ((OPEN,), ["unknown"], 3),
        ((LOST, OPEN, WON), ["lost", "unknown", "won"], 3),
    ],
)
@pytest.mark.parametrize("engine", ["kernel", "reference"])
@pytest.mark.usefixtures("unsolved")
def test_exit_status_of_solve(
    deals: tuple[str, ...], verdicts: list[str], status: int, engine: str
) -> None:
    """0 all won; 1 some lost, none unknown; 3 some unknown; for machines and for people."""
    as_json = run("solve", "--json", "--engine", engine, "--draw", "1", *deals)
    for_people = run("solve", "--engine", engine, "--draw", "1", *deals)
    assert [answer["verdict"] for answer in answers(as_json)] == verdicts
    assert as_json.exit_code == for_people.exit_code == status
    assert as_json.stderr == for_people.stderr == ""
    for verdict in verdicts:
        assert f"\n{verdict.capitalize()}: " in for_people.stdout


@pytest.mark.parametrize(
    ("option", "limit"), [(("--positions", "1"), "positions"), (("--seconds", "1e-9"), "seconds")]
)
def test_budget_options(option: tuple[str, ...], limit: str) -> None:
    """A budget that is too small gives an unknown that names the limit."""
    [answer] = answers(run("solve", "--json", "--engine", "reference", "--pysol", "3", *option))
    assert (answer["verdict"], answer["limit"]) == ("unknown", limit)


def test_deals_are_answered_in_order(tmp_path: Path) -> None:
    """Codes first, then the file, PySolFC numbers, native numbers, each in its own order."""
    file = tmp_path / "deals.txt"
    file.write_text(f"# codes and texts\n{LOST}  # the first\n\n{TEXT}\n{TEXT}{WON}\n")
    numbers = ("--number", "7", "--pysol", "ms24", "--number", "5", "--pysol", "32000")
    result = run("solve", "--json", *numbers, "--file", str(file), LOST, WON)
    assert [answer["deal"] for answer in answers(result)] == [
        *(LOST, WON, LOST, WON, WON, WON),
        *(Deal.from_pysol(24).code, Deal.from_pysol(32000).code),
        *(Deal.from_number(7).code, Deal.from_number(5).code),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_standard_input_as_the_file(end: str, mark: str) -> None:
    """``--file -`` reads standard input, with any line ends and with a byte order mark."""
    result = run(
        "solve", "--json", "--file", "-", text=mark + f"{WON}\n\n{TEXT}".replace("\n", end)
    )
    assert [answer["deal"] for answer in answers(result)] == [WON, WON]


@pytest.mark.parametrize(
    ("args", "rules"),
    [
        ((), Rules()),
        (("--rules", "draw-one"), NAMED_RULES["DRAW_ONE"]),
        (("--rules", "THREE_PASSES", "--passes", "none"), Rules()),
        (("--rules", "Three_Passes", "--passes", "5", "--draw", "2"), Rules(draw=2, passes=5)),
        (("--waste", "packet", "--row-start", "any"), Rules(waste="packet", row_start="any")),
        (("--rules", "PYSOL_BRIDESMAIDS", "--draw", "1"), Rules(draw=1, layout=())),
    ],
)
def test_rules_options(args: tuple[str, ...], rules: Rules) -> None:
    """The named rules, with the fields that are given in place of their own."""
    result = run("solve", "--json", *args, "--pysol", "24", "--number", "3")
    told = [from_json(line) for line in result.stdout.splitlines()]
    assert [answer.rules for answer in told] == [rules, rules]
    assert told[0].deal == Deal.from_pysol(24, rules.layout)
    assert told[1].deal == Deal.from_number(3, rules.layout)


BAD = [
    ("solve",),
    ("show",),
    ("nosuch",),
    ("solve", "--nosuch", WON),
    ("solve", "24"),
    ("solve", "2D/3D:AC:3C2C"),
    ("solve", WON + "AD"),
    ("solve", ""),
    ("solve", WON, "--rules", "nosuch"),
    ("solve", WON, "--rules", ""),
    ("solve", WON, "--draw", "0"),
    ("solve", WON, "--draw", "9" * 5000),
    ("solve", WON, "--passes", "-1"),
    ("solve", WON, "--passes", "some"),
    ("solve", WON, "--waste", "all"),
    ("solve", WON, "--seconds", "nan"),
    ("solve", WON, "--seconds", "-1"),
    ("solve", WON, "--positions", "0"),
    ("solve", WON, "--memory", "0"),
    ("solve", WON, "--engine", "steam"),
    ("solve", "--pysol", "0"),
    ("solve", "--pysol", WON),
    ("solve", "--number", "-1"),
    ("solve", "--number", "x"),
    ("solve", "--file", "no/such/file"),
    ("solve", "--file", "."),
    ("solve", WON, "--minimise", "score"),
    ("solve", WON, "--minimise", "turns", "--best"),
    ("solve", WON, WON, "--after", "."),
    ("solve", "--after", "."),
    ("solve", WON, "--after", "AD"),
    ("solve", WON, "--after", "XX"),
    ("hint",),
    ("hint", WON, "--pysol", "3"),
    ("hint", WON, WON),
    ("hint", "24"),
    ("hint", WON, "--after", "AD"),
    ("hint", WON, "--after", "XX"),
    ("hint", WON, "--rules", "nosuch"),
    ("hint", WON, "--seconds", "0"),
    ("check", "no/such/file"),
    ("check", "."),
    ("check", "--deal", WON),
    ("check", "--line", "AD"),
    ("check", "--deal", WON, "--line", "AD", "no/such/file"),
    ("check", "--rules", "PEEK"),
    ("check", "--deal", "24", "--line", "AD"),
    ("check", "--deal", WON, "--line", "A"),
    ("check", "a", "b"),
    ("show", WON, "--line", "XX"),
    ("show", WON, "--line", "AD"),
]


@pytest.mark.parametrize("args", BAD, ids=lambda args: " ".join(args)[:60])
def test_bad_input_is_one_line(args: tuple[str, ...]) -> None:
    """Bad input or usage: exit status 2, one line on standard error, nothing else."""
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("osmosis: ")
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("\n")


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\x00\x00", b"\xff\xfeA\x00", b"\x00" * 99, b""]
)
@pytest.mark.parametrize("args", [("solve", "--file", "-"), ("check", "-"), ("check",)])
def test_what_is_no_text_is_refused(args: tuple[str, ...], data: bytes) -> None:
    """Binary, wrongly encoded and empty files are bad input, refused in one line."""
    result = run(*args, text=data)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("osmosis: standard input")
    assert result.stderr.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="file names of bytes")
def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    """A file is read whatever bytes its name has; in the output they become question marks."""
    file = os.fsdecode(bytes(tmp_path) + b"/\xff.txt")
    Path(file).write_text(WON)
    result = run("show", "--file", file)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Deal 1 of {tmp_path}/?.txt, rules OSMOSIS\n")


@pytest.mark.parametrize("name", ["a\x00b", "\ud800"])
@pytest.mark.parametrize("args", [("check",), ("show", "--file")])
def test_a_name_that_no_file_has(args: tuple[str, ...], name: str) -> None:
    """It is bad input, told in one line."""
    result = run(*args, name)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"osmosis: file name: got {name!r}, wanted ")


def test_what_the_terminal_cannot_show(tmp_path: Path) -> None:
    """A character that the output's encoding lacks ends the run with status 2 and one line."""
    file = tmp_path / "日.txt"
    file.write_text(WON)
    env = {**os.environ, "PYTHONIOENCODING": "latin-1:strict"}
    with process("show", "--file", str(file), env=env) as running:
        told = running.communicate()
    assert running.returncode == 2
    assert told == (b"", b"osmosis: cannot write: latin-1 has no '\\u65e5'\n")


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("2D/3D:AC:3C2C", "deal 3: deal: got no AD"),
        ("2D/3D:AC:3C2CXD", "deal 3: deal code, line 3, column 14: got 'XD'"),
        ("Base: AC 2C", "deal 3: deal text, line 3, column 7: got 'AC'"),
    ],
)
def test_answers_before_bad_input_are_printed(bad: str, told: str) -> None:
    """A bad deal in a file ends the run with status 2, after the answers before it."""
    result = run("solve", "--json", "--file", "-", text=f"{WON}\n{LOST}\n{bad}\n{WON}\n")
    assert [answer["deal"] for answer in answers(result)] == [WON, LOST]
    assert result.exit_code == 2
    assert result.stderr.startswith(f"osmosis: standard input, {told}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "text", ["", TEXT, TEXT * 3, f"{WON}\n{TEXT}\n# no\n{LOST} # one\n\n{TEXT}"]
)
def test_deals_are_counted_as_they_are_read(text: str) -> None:
    """The count for the progress display is the number of deals that reading gives."""
    assert count_deals(text) == len(list(Deal.read_many(text)))


def test_a_win_for_people() -> None:
    """The board, the verdict, a line that can be pasted back as it stands, the cost."""
    result = run("solve", "--pysol", "3")
    start = State.start(Deal.from_pysol(3))
    assert result.stdout.startswith(f"PySolFC deal 3, rules OSMOSIS\n\n{picture(start)}\n\nWon: ")
    assert max(map(len, result.stdout.splitlines())) <= 80
    verdict, line, cost = result.stdout.partition("\n\nWon: ")[2].strip().split("\n\n")
    state = start.play_all(parse_line(line))
    assert state.is_won
    taken = f"{line.count('.')} turns, {1 + line.count('|')} passes."
    assert verdict == f"{taken} (--minimise turns finds the shortest win.)"
    assert "searched in" in cost
    assert len(line.splitlines()) >= 1 + line.count("|")
    assert run("check", "--deal", start.deal.code, "--line", line).stdout == "wins\n"


def test_a_loss_for_people() -> None:
    """The board, the verdict, and every word of the reasons."""
    result = run("solve", LOST)
    answer = solver.solve(Deal.from_code(LOST))
    assert picture(answer.start) in result.stdout
    assert "\n\nLost: the best found reaches " in result.stdout
    assert isinstance(answer, Lost)
    assert " ".join(explain(answer).split()) in " ".join(result.stdout.split())
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.parametrize("minimise", ["turns", "passes"])
def test_the_cheapest_win_for_people(minimise: str) -> None:
    """What the line takes, and that no other takes less; else what is proved and the limit."""
    args = ("solve", "--pysol", "3", "--minimise", minimise)
    best = f"\n\nWon: 39 turns, 5 passes: no win needs fewer {minimise}.\n\n"
    assert best in run(*args).stdout
    cut = run(*args, "--positions", "20")
    assert cut.exit_code == 3
    rushed = cut.stdout
    bound = (
        rf"Won: \d+ turns, \d+ passes: every win needs at least \d+ {minimise}; "
        r"the limit on positions was hit\."
    )
    assert re.search(bound, " ".join(rushed.split()))
    assert max(map(len, rushed.splitlines())) <= 80


def test_the_best_score_for_people() -> None:
    """The score, that no line has a higher one, and a line that reaches it, to be pasted back."""
    result = run("solve", "--pysol", "24", "--best")
    assert result.exit_code == 1
    assert "\n\nLost: the best line reaches 32 of 52 cards.\n\n" in result.stdout
    over = "\n\nNo line brings home more than 32 cards; this one brings home 32:\n\n"
    line = result.stdout.partition(over)[2].partition("\n\n")[0]
    assert State.start(Deal.from_pysol(24)).play_all(parse_line(line)).score == 32
    assert "\n\nNo line of play wins. " in result.stdout
    assert "\n\nWon: " in run("solve", "--pysol", "3", "--best").stdout


def test_a_best_score_out_of_budget_for_people() -> None:
    """What is proved of all lines so far, the limit that was hit, and the best line found."""
    cut = run("solve", "--pysol", "24", "--best", "--positions", "20")
    assert cut.exit_code == 3
    rushed = cut.stdout
    most = re.search(r"\nAt most (\d+) cards can come home; the limit on positions was", rushed)
    assert most
    assert int(most[1]) >= 32
    assert "\n\nLost: the best found reaches " in rushed


FALL = "9C . . 7C . . AC . . . . . 4C . JC . . 5C | . . . . . TD 9D TH QC QD"
"""A line on PySolFC deal 3 whose move 27, TH, throws the win away."""
GOOD = FALL.partition(" TH")[0]

TOO_LATE = """\
PySolFC deal 3, rules OSMOSIS, after 29 moves

Reserve                   A  2  3  4  5  6  7  8  9  T  J  Q  K
1  KC 6S 7D [QS]   row 1  AC .  .  4C 5C .  7C .  9C TC JC QC .
2  2D 8H JH [8S]   row 2  .        .  .     .     9D TD .  QD
3  -               row 3                          .  TH    .
4  7H 4D [JS]      row 4                             .

Stock  15 cards, 5 turns to go
  2S 3C 9H   KD 7S 3S   9S 2C 3H   AH 2H 5H   8C 4S 5S
Waste  14 cards
  QH TS 5D 6H KS AD 4H AS JD 8D 6D 3D KH [6C]
Score  12 of 52
Moves  6C .

No line wins from here.
This was still winnable before move 27 (TH).
"""


def test_a_hint_for_people() -> None:
    """The position, the move, why, and how far the win is; or since when it is too late."""
    result = run("hint", "--pysol", "3", "--after", GOOD)
    state = State.start(Deal.from_pysol(3)).play_all(parse_line(GOOD))
    assert result.exit_code == 0
    assert result.stdout == (
        f"PySolFC deal 3, rules OSMOSIS, after 26 moves\n\n{picture(state)}\n\n"
        "Play 6C: turning on without it would cost 7 turns more.\n"
        "From here the win takes 22 turns, 4 passes; none takes fewer turns.\n"
    )
    late = run("hint", "--pysol", "3", "--after", FALL)
    assert (late.stdout, late.exit_code) == (TOO_LATE, 1)


@pytest.mark.parametrize(
    ("args", "told", "status"),
    [
        ((WON, "--draw", "1", "--after", ". . . AD 2C 3C 2D 3D"), "All cards are home.\n", 0),
        ((LOST,), "No line wins from here.\n", 1),
        (
            (LOST, "--after", "."),
            "No line wins from here.\nThe deal was lost from the start.\n",
            1,
        ),
    ],
)
def test_a_hint_without_a_move(args: tuple[str, ...], told: str, status: int) -> None:
    """When there is no move to name it is said why, and since when."""
    result = run("hint", *args)
    assert result.stdout.endswith(f"\n\n{told}")
    assert result.exit_code == status


def test_a_hint_out_of_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that was hit is named, with status 3."""

    def unknown(start: State, **_: object) -> Answer:
        return Unknown(start, "seconds", 2, spent=Spent(9, 0.5))

    monkeypatch.setattr(advice, "solve", unknown)
    result = run("hint", WON)
    told = "Whether this can be won is not settled: the limit on seconds was hit."
    assert result.stdout.endswith(f"\n\n{told}\n")
    assert result.exit_code == 3


@pytest.mark.parametrize(
    ("past", "told"),
    [
        (Past(26, 27, 29), "This was still winnable before move 27 (TH)."),
        (Past(3, 4, 29), "This was still winnable before move 4 (7C)."),
        (Past(1, 2, 29), "This was still winnable before move 2 (turn)."),
        (Past(18, 19, 29), "This was still winnable before move 19 (redeal)."),
        (Past(None, 0, 29), "The deal was lost from the start."),
        (Past(None, 7, 29), "Whether this was winnable before is not settled within the limits."),
        (
            Past(None, None, 29),
            "Whether this was winnable before is not settled within the limits.",
        ),
        (
            Past(4, 9, 29),
            "The win was thrown away by one of the moves 5 to 9; which one is not settled within"
            " the limits.",
        ),
    ],
)
def test_the_past_in_words(past: Past, told: str) -> None:
    """What is known of when the win was thrown away, and no more."""
    assert told_past(past, parse_line(FALL)) == told


def test_solve_after_a_line() -> None:
    """The position after the line is solved; a line that threw the win away is told."""
    late = run("solve", "--pysol", "3", "--after", FALL)
    assert late.exit_code == 1
    assert late.stdout.startswith(TOO_LATE.partition("No line")[0] + "Lost: ")
    assert "\nThis was still winnable before move 27 (TH).\n\n" in late.stdout
    args = ("--pysol", "3", "--after", GOOD, "--minimise", "turns")
    told = "\n\nWon: 22 turns, 4 passes: no win needs fewer turns.\n"
    assert told in run("solve", *args).stdout
    [line] = run("solve", "--json", *args).stdout.splitlines()
    fields = json.loads(line)
    assert (fields["after"], fields["turns"], fields["optimal"]) == (GOOD, 22, True)
    assert from_json(line).start == State.start(Deal.from_pysol(3)).play_all(parse_line(GOOD))


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize(
    ("args", "form"),
    [
        (
            ("--pysol", "3", "--minimise", "turns"),
            r"deal 1: (\d+) turns, \d+ passes(; at least \d+ turns needed)?",
        ),
        (
            ("--pysol", "3", "--minimise", "passes"),
            r"deal 1: \d+ turns, (\d+) passes(; at least \d+ passes needed)?",
        ),
        (("--pysol", "24", "--best"), r"deal 1: (\d+) of 52 cards home"),
    ],
)
def test_progress_tells_of_each_better_line(
    args: tuple[str, ...], form: str, terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line for each better one on standard error, terminal or not; the last is the answer's."""
    monkeypatch.setattr(cli, "_is_terminal", lambda _: terminal)
    result = run("solve", "--json", "--progress", *args)
    found = [re.fullmatch(form, line) for line in result.stderr.splitlines()]
    values = [int(line[1]) for line in found if line]
    assert len(values) == len(found) >= 2
    answer = json.loads(result.stdout)
    assert values == sorted(values, reverse="--best" not in args)
    assert values[-1] == answer["score" if "--best" in args else args[-1]]


def test_several_deals_for_people() -> None:
    """Several deals are named one by one and counted at the end."""
    result = run("solve", "--draw", "2", WON, LOST)
    assert "Deal 1, rules draw 2, no limit of passes, waste top, row start base\n" in result.stdout
    assert "\nDeal 2, rules draw 2" in result.stdout
    assert result.stdout.endswith("2 deals: 1 won, 1 lost\n")


def written(*args: str) -> list[str]:
    """The JSON lines of some answers."""
    return run("solve", "--json", *args).stdout.splitlines(keepends=True)


def test_check_reads_what_solve_writes(tmp_path: Path) -> None:
    """All verify: status 0, a line for each, from a file, ``-`` or standard input."""
    lines = written("--draw", "1", WON, LOST)
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(lines))
    text = "".join(lines)
    for result in (run("check", str(file)), run("check", "-", text=text), run("check", text=text)):
        assert result.exit_code == 0
        assert result.stdout == "1: won, verified\n2: lost, verified\n"
        assert result.stderr == ""


def test_check_says_what_is_proved() -> None:
    """Optimal wins, best scores and positions in mid-game are read back and verified."""
    text = "".join(
        written(*args)[0]
        for args in [
            ("--pysol", "3", "--minimise", "turns"),
            ("--pysol", "3", "--minimise", "passes", "--after", GOOD),
            ("--pysol", "24", "--best"),
            ("--pysol", "3", "--best", "--after", FALL),
            ("--pysol", "3", "--minimise", "turns", "--positions", "20"),
        ]
    )
    result = run("check", text=text)
    assert result.stdout == (
        "1: won, verified: no win needs fewer turns\n"
        "2: won, verified: no win needs fewer passes\n"
        "3: lost, verified: no line brings home more than 32 cards\n"
        "4: lost, verified: no line brings home more than 39 cards\n"
        "5: won, verified\n"
    )
    assert result.exit_code == 0


@pytest.mark.usefixtures("unsolved")
def test_exit_status_of_check() -> None:
    """1 if something does not verify, else 3 if some are unknown, else 0."""
    won, lost = written("--draw", "1", WON, LOST)
    unknown = written(OPEN)[0]
    wrong = won.replace(json.loads(won)["line"], "2D . .").replace('"turns":3', '"turns":2')
    mixed = run("check", text=won + unknown + lost)
    assert mixed.exit_code == 3
    assert "\n2: unknown, nothing to verify: the limit on memory was hit\n" in mixed.stdout
    broken = run("check", text=won + wrong + unknown + lost)
    assert broken.exit_code == 1
    assert broken.stdout.splitlines()[1].startswith("2: won, does not verify: line of play: ")
    assert broken.stdout.splitlines()[3] == "4: lost, verified"


def test_check_names_the_bad_line() -> None:
    """A line that is no answer ends the run with status 2, after the verdicts before it."""
    won = written("--draw", "1", WON)[0]
    result = run("check", text=won + "\n" + won[:-20] + "\n" + won)
    assert result.exit_code == 2
    assert result.stdout == "1: won, verified\n"
    assert result.stderr.startswith("osmosis: standard input, line 3: answer, column ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "told", "status"),
    [
        (". . . AD 2C 3C 2D 3D", "wins\n", 0),
        (". . .\nad 2c", "legal, reaches 3 cards\n", 1),
        ("", "legal, reaches 1 card\n", 1),
        (". . 3C", "illegal move 3, 3C: 3C lies under 2C on the waste\n", 1),
        (". 2D", "illegal move 2, 2D: suit D has no row yet, and only AD opens one\n", 1),
    ],
)
def test_a_line_of_ones_own(line: str, told: str, status: int) -> None:
    """A line wins, or is legal and reaches so many cards, or the first illegal move is named."""
    result = run("check", "--deal", WON, "--rules", "draw_one", "--line", line)
    assert (result.stdout, result.exit_code, result.stderr) == (told, status, "")


def test_show() -> None:
    """The picture of the deals, or of the position after a line, under their names."""
    line = "9C . . 7C"
    state = State.start(Deal.from_pysol(3))
    drawn = picture(state.play_all(parse_line(line)))
    assert (
        run("show", "--pysol", "3").stdout == f"PySolFC deal 3, rules OSMOSIS\n\n{picture(state)}\n"
    )
    assert run("show", "--pysol", "3", "--line", line).stdout.endswith(f"\n\n{drawn}\n")
    both = run("show", WON, LOST)
    assert both.exit_code == 0
    assert both.stdout.count("Score  1 of") == 2
    assert "\n\nDeal 2, rules OSMOSIS\n\n" in both.stdout


def test_an_interrupt_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends with status 130 and one line."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(solver, "solve", interrupted)
    result = run("solve", WON)
    assert result.exit_code == 130
    assert result.stderr == "osmosis: interrupted\n"


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
def test_answers_are_flushed_and_an_interrupt_ends_the_run() -> None:
    """An answer can be read while the next one is searched for; Ctrl-C then ends the search."""
    with process("solve", "--json", "--engine", "reference", LOST, "--pysol", "3") as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert json.loads(running.stdout.readline())["verdict"] == "lost"
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        assert running.stdout.read() == b""
        assert running.stderr.read() == b"osmosis: interrupted\n"
    assert running.returncode == 130


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
@pytest.mark.parametrize("args", [("--json",), ()])
def test_a_closed_pipe_ends_quietly(args: tuple[str, ...], tmp_path: Path) -> None:
    """When nobody reads any more the run ends, with nothing on standard error."""
    file = tmp_path / "deals.txt"
    file.write_text(f"{WON}\n" * 2000)  # more output than a pipe holds
    with process("solve", *args, "--file", str(file)) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


@pytest.mark.skipif(os.name != "posix", reason="redirections of a POSIX shell")
@pytest.mark.parametrize(
    ("args", "closed", "status"),
    [
        (f"solve {WON}", ">&-", 0),
        (f"solve {LOST} --json", ">&-", 1),
        (f"solve {LOST}", "2>&-", 1),
        ("solve nonsense", "2>&-", 2),
        ("solve --file -", "<&-", 2),
        ("check", "<&-", 2),
    ],
)
def test_closed_streams(args: str, closed: str, status: int) -> None:
    """A standard stream that is closed from the start changes no exit status."""
    command = f"{shlex.quote(sys.executable)} -m osmosis_solver {args} {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert done.stderr.count("\n") == (closed == "<&-")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("args", [("--help",), ("solve", WON), ("show", WON)])
def test_a_full_disk_is_one_line(args: tuple[str, ...]) -> None:
    """What cannot be written ends the run with status 2 and one line."""
    command = [sys.executable, "-m", "osmosis_solver", *args]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"osmosis: cannot write: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("action", "absent"),
    [
        ("import osmosis_solver", ["click", "rich"]),
        (
            "import osmosis_solver.cli as c; c.osmosis.main(['--help'], standalone_mode=False)",
            ["rich"],
        ),
        (
            "import osmosis_solver.cli as c; "
            f"c.osmosis.main(['show', '{WON}'], standalone_mode=False)",
            ["rich"],
        ),
    ],
)
def test_imports_are_made_where_used(action: str, absent: list[str]) -> None:
    """Who does not draw in colour does not wait for rich, nor a library user for click."""
    code = f"{action}\nimport sys\nassert not set({absent}) & set(sys.modules), sorted(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


class Screen(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """A terminal."""
        return True


def watched(monkeypatch: pytest.MonkeyPatch, silent: float, *, shared: bool) -> str:
    """What a meter writes on a terminal during the second of three deals."""
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(meter, "_SILENT_SECONDS", silent)
    monkeypatch.setattr(meter, "_SECONDS_A_LOOK", 0)
    with meter.Meter(3, Budget(seconds=60), shared_screen=shared) as watcher:
        watcher.answered()
        watcher.progress(Spent(1200, 3.2))
    return screen.getvalue()


@pytest.mark.parametrize("shared", [False, True])
def test_the_meter(shared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal: deals done, rate, what is left, the search at hand; then wiped away."""
    told = watched(monkeypatch, 0, shared=shared)
    assert "deal 2 of 3, " in told
    assert " a second, 0:00:0" in told
    assert "; 1,200 positions in 3 of 60 s" in told
    assert told.rindex("\x1b[2K") > told.rindex("positions")


def test_the_meter_is_silent_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is over soon shows nothing."""
    assert watched(monkeypatch, 3600, shared=False) == ""


def test_a_limit_that_kept_the_best_from_being_proved_is_in_the_answer() -> None:
    """The JSON names the limit of an optimum that is not proved, and comes back verified."""
    for ask in (["--minimise", "turns"], ["--best"]):
        deal = "3" if ask[0] == "--minimise" else "24"
        cut = run("solve", "--pysol", deal, *ask, "--positions", "20", "--json")
        fields = json.loads(cut.stdout)
        assert (fields["limit"], fields["optimal"], cut.exit_code) == ("positions", False, 3)
        assert run("check", "-", text=cut.stdout).exit_code == 0


def test_an_answer_that_contradicts_itself_does_not_hide_the_next() -> None:
    """A field that the others belie fails that answer; the ones after it are still verified."""
    good = run("solve", "--pysol", "3", "--json").stdout
    fields = json.loads(good)
    fields["turns"] -= 1
    result = run("check", "-", text=json.dumps(fields) + "\n" + good)
    first, second = result.stdout.splitlines()
    assert first == "1: does not verify: answer, turns: got 147, wanted 148"
    assert second == "2: won, verified"
    assert result.exit_code == 1


def test_files_repeat(tmp_path: Path) -> None:
    """Each --file is read, in the order given."""
    for name, code in (("a", ":AC:"), ("b", ":AD:")):
        (tmp_path / name).write_text(code + "\n")
    args = ("--file", str(tmp_path / "a"), "--file", str(tmp_path / "b"))
    answers = [json.loads(line) for line in run("solve", *args, "--json").stdout.splitlines()]
    assert [answer["deal"] for answer in answers] == [":AC:", ":AD:"]


def test_a_bad_code_among_several_is_named() -> None:
    """Which of the codes is bad is said."""
    result = run("solve", ":AC:", "AD:AC:AD")
    assert "deal 2: deal: got AD 2 times" in result.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Base: AC\nReserv: 2C\n", "line 2, column 1: got 'Reserv:', wanted a line that begins"),
        ("Base: AC\nBase: AD\n", "line 2, column 7: got 'AD', wanted one base card"),
    ],
)
def test_a_slip_in_a_deal_text_is_no_deal(text: str, told: str) -> None:
    """A misspelt label or a second base card is refused before anything is answered."""
    result = run("solve", "--file", "-", text=text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr
