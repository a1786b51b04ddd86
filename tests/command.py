"""The command ``osmosis`` as tests run it, and what they ask it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from typing import Any

from click.testing import CliRunner, Result

from osmosis_solver.check import check
from osmosis_solver.cli import osmosis
from osmosis_solver.wire import from_json

WON = "2D/3D:AC:3C2CAD"
LOST = "AD2D:AC:2C"  # AD opens row 2 but lies under 2D, and 2D needs row 2
TEXT = "Base: AC\nReserve: 2D\nReserve: 3D\nStock: 3C 2C\nStock: AD\n"
FALL = "9C . . 7C . . AC . . . . . 4C . JC . . 5C | . . . . . TD 9D TH QC QD"
"""A line on PySolFC deal 3 whose move 27, TH, throws the win away."""
GOOD = FALL.partition(" TH")[0]


def run(*args: str, text: str | bytes | None = None) -> Result:
    """The command with these arguments and this standard input."""
    return CliRunner().invoke(osmosis, args, input=text)


def answers(result: Result) -> list[dict[str, Any]]:
    """What ``--json`` printed; each line must be an answer that verifies."""
    lines = result.stdout.splitlines()
    for line in lines:
        check(from_json(line))
    return [json.loads(line) for line in lines]


def written(*args: str) -> list[str]:
    """The JSON lines of some answers."""
    return run("solve", "--json", *args).stdout.splitlines(keepends=True)


def process(*args: str, **options: Any) -> subprocess.Popen[bytes]:
    """The command as a process of its own, which heeds Ctrl-C."""
    # A shell starts what runs in the background with the signal ignored, and that is inherited.
    if os.name == "posix":
        options["preexec_fn"] = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    command = [sys.executable, "-m", "osmosis_solver", *args]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, **options)
