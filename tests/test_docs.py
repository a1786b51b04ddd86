"""The pages of the docs: generated ones are up to date, what they show is what comes."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from fnmatch import fnmatch
from pathlib import Path

import help_page
import pytest
from command import run

import osmosis_solver

DOCS = Path(__file__).parent.parent / "docs"
# A survey takes a minute, so its figures are held by its own tests.
SHOWN = ("tutorial.md", "at_the_table.md")
# What is drawn at random is another number under another version of the advice.
DRAWN = r"[0-9.]+(?= %| of 100 completions)|(?<= in )[0-9]+(?=[,.])|(?<=interval ).*"


def test_the_help_pages_are_true() -> None:
    """The page of the command line is what the command says: ``python tests/help_page.py``."""
    assert help_page.PAGE.read_text(encoding="utf-8") == help_page.page()


def test_every_command_has_its_help_page() -> None:
    """The page has a section for each command, with its options."""
    text = help_page.PAGE.read_text(encoding="utf-8")
    sections = dict(
        re.findall(r"^## (osmosis.*)\n\n```text\n(Usage: [^`]*)```$", text, re.MULTILINE)
    )
    commands = {"advise", "check", "hint", "play", "report", "show", "solve", "survey"}
    assert {f"osmosis {name}" for name in commands} <= set(sections)
    for name, help_text in sections.items():
        assert help_text.startswith(f"Usage: {name} ")
        assert "-h, --help" in help_text


def shown() -> list[tuple[str, str]]:
    """The commands that pages show, each with what it prints."""
    texts = [(DOCS / name).read_text(encoding="utf-8") for name in SHOWN]
    blocks = [
        block for text in texts for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    ]
    found = [
        part.partition("\n") for block in blocks for part in re.split(r"^\$ ", block, flags=re.M)
    ]
    return [(command, output) for command, _, output in found if command]


def files() -> dict[str, str]:
    """The files that pages show, by name."""
    return {
        command.removeprefix("cat "): text for command, text in shown() if command[:4] == "cat "
    }


@pytest.mark.parametrize(
    ("command", "output"), [each for each in shown() if not each[0].startswith("cat ")]
)
def test_what_is_shown_is_what_comes(
    command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command on the page prints what stands under it, dots for what is left out.

    What ``cat`` shows are the files that the others read.
    """
    if "interval" in output:
        pytest.importorskip("scipy", reason="extra survey is not installed")
    for name, text in files().items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    keys = None
    if command.startswith("printf "):
        keys, command = command.removeprefix("printf ").split(" | ")
    program, *args = shlex.split(command)
    assert program == "osmosis"
    told, output = (re.sub(DRAWN, "#", text) for text in (run(*args, text=keys).stdout, output))
    assert OutputChecker().check_output(output, told, ELLIPSIS | NORMALIZE_WHITESPACE), told


def test_the_reference_is_whole() -> None:
    """Every public name of the library stands in the reference, and the site has every page."""
    text = (DOCS / "reference.md").read_text(encoding="utf-8")
    for name in osmosis_solver.__all__:
        assert re.search(rf"\b{name}\b", text), name
    pages = {path.stem for path in DOCS.glob("*.md")} - {"index"}
    lists = re.findall(r"```{toctree}\n(.*?)```", (DOCS / "index.md").read_text(), re.DOTALL)
    listed = [line for text in lists for line in text.splitlines() if not line.startswith(":")]
    missing = [page for page in pages if not any(fnmatch(page, pattern) for pattern in listed)]
    assert missing == []


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    """Sphinx finds no broken link, no page that is in no list, no docstring that it cannot read."""
    for package in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(package)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(DOCS), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Win the deal or prove that nobody can" in (tmp_path / "reference.html").read_text()
    assert not re.search(
        r'<(script|link|img)[^>]*"https?://', (tmp_path / "index.html").read_text()
    )
