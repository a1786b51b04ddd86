"""The command line: terminals, streams, signals, and what is imported."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command import LOST, WON, process, run

from osmosis_solver import cli, meter, solver
from osmosis_solver.answer import Budget, Spent


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


def test_the_first_deal_has_no_rate() -> None:
    """Before the first answer, or in no time at all, there is nothing to tell the rate from."""
    assert meter.run_so_far(0, 9, 5.0) == "deal 1 of 9"
    assert meter.run_so_far(4, 9, 0.0) == "deal 5 of 9"


def test_an_interrupt_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends with status 130 and one line."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(solver, "solve", interrupted)
    result = run("solve", WON)
    assert result.exit_code == 130
    assert result.stderr == "osmosis: interrupted\n"


def test_an_interrupt_before_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while the arguments are read ends with status 130 too."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.osmosis, "make_context", interrupted)
    assert run("solve", WON).exit_code == 130


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
        ("import osmosis_solver", ["click", "osmosis_solver.render", "osmosis_solver.svg", "rich"]),
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
