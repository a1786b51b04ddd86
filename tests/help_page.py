"""The help pages of the command as a page of the docs: ``python tests/help_page.py`` writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner

from osmosis_solver.cli import osmosis

PAGE = Path(__file__).parent.parent / "docs" / "command_line.md"
HEAD = """\
# The command line

What `osmosis --help` and the help of each command say. This page is written by
`python tests/help_page.py`.
"""


def page() -> str:
    """The page, of the commands as they are."""
    return "\n".join([HEAD, *_sections()])


def _sections() -> Iterator[str]:
    text = _help()
    yield _section("osmosis", text)
    for name in re.findall(r"^  (\w+) ", text.partition("Commands:")[2], re.MULTILINE):
        yield _section(f"osmosis {name}", _help(name))


def _help(*command: str) -> str:
    """What the command tells in a terminal of 80 columns."""
    told = CliRunner(env={"COLUMNS": "80"}).invoke(
        osmosis, [*command, "--help"], prog_name="osmosis", catch_exceptions=False
    )
    return told.stdout.rstrip()


def _section(name: str, text: str) -> str:
    return f"## {name}\n\n```text\n{text}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
