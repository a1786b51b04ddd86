"""The command line: what is asked, and the exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import LOST, TEXT, WON, answers, run

from osmosis_solver import solver
from osmosis_solver.answer import Answer, Spent, Unknown
from osmosis_solver.asked import count_deals
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.rules import NAMED_RULES, Rules
from osmosis_solver.wire import from_json

OPEN = "3D2D:AC:2C3CAD"  # what ``unsolved`` leaves unknown


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


@pytest.mark.parametrize(
    "text", ["", TEXT, TEXT * 3, f"{WON}\n{TEXT}\n# no\n{LOST} # one\n\n{TEXT}"]
)
def test_deals_are_counted_as_they_are_read(text: str) -> None:
    """The count for the progress display is the number of deals that reading gives."""
    assert count_deals(text) == len(list(Deal.read_many(text)))


def test_a_limit_that_kept_the_best_from_being_proved_is_in_the_answer() -> None:
    """The JSON names the limit of an optimum that is not proved, and comes back verified."""
    for ask in (["--minimise", "turns"], ["--best"]):
        deal = "3" if ask[0] == "--minimise" else "24"
        cut = run("solve", "--pysol", deal, *ask, "--positions", "20", "--json")
        fields = json.loads(cut.stdout)
        assert (fields["limit"], fields["optimal"], cut.exit_code) == ("positions", False, 3)
        assert run("check", "-", text=cut.stdout).exit_code == 0


def test_files_repeat(tmp_path: Path) -> None:
    """Each --file is read, in the order given."""
    for name, code in (("a", ":AC:"), ("b", ":AD:")):
        (tmp_path / name).write_text(code + "\n")
    args = ("--file", str(tmp_path / "a"), "--file", str(tmp_path / "b"))
    answers = [json.loads(line) for line in run("solve", *args, "--json").stdout.splitlines()]
    assert [answer["deal"] for answer in answers] == [":AC:", ":AD:"]
