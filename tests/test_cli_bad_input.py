"""The command line: bad input is refused in one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from command import LOST, WON, answers, process, run

from osmosis_solver import asked

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


LONG = "9" * 9999


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((LONG,), "No such command '999"),
        ((f"--{LONG}",), "No such option '--999"),
        *((("solve", WON, f"--{name}", LONG), name) for name in ("draw", "number", "memory")),
        *((("solve", WON, f"--{name}", LONG), name) for name in ("seconds", "positions", "passes")),
        *(
            (("solve", WON, f"--{name}", "x" + LONG), name)
            for name in ("draw", "number", "seconds")
        ),
        *((("solve", WON, f"--{name}", LONG), name) for name in ("engine", "waste", "row-start")),
        *((("solve", WON, f"--{name}", LONG), "wanted") for name in ("rules", "pysol", "file")),
        (("solve", WON, "--after", LONG), "wanted a card"),
        (("solve", LONG), "wanted a deal code"),
        (("check", LONG), "wanted a file"),
        (("check", "-", LONG), "unexpected extra argument"),
        (("solve", WON, "--engine", "9 " * 5000), "'kernel', 'reference'"),
    ],
    ids=lambda part: "-" if isinstance(part, str) else " ".join(part)[:60],
)
def test_what_is_long_is_cut(args: tuple[str, ...], told: str) -> None:
    """However long the argument, a short line tells where it stood or what was wanted."""
    result = run(*args)
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 500


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


def test_a_file_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of deals is read up to a size and refused above it, with the size."""
    file = tmp_path / "deals.txt"
    file.write_text(WON)
    monkeypatch.setattr(asked, "LARGEST_FILE", len(WON))
    assert run("show", "--file", str(file)).exit_code == 0
    file.write_text(WON + "\n")
    result = run("show", "--file", str(file))
    assert result.exit_code == 2
    assert result.stderr.endswith(f"got a longer file, wanted at most {len(WON)} bytes\n")
