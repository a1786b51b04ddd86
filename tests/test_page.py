"""The page of an answer: one file, its data the answer's JSON, nothing in it that could do harm."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from command import LOST, WON, run
from hypothesis import given
from hypothesis import strategies as st

from osmosis_solver import render
from osmosis_solver.answer import Answer, Budget, Lost
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.errors import NotationError, OsmosisError
from osmosis_solver.game import State
from osmosis_solver.notation import parse_line
from osmosis_solver.page import json_text
from osmosis_solver.rules import GAMERULES, Rules
from osmosis_solver.solver import best_score, solve
from osmosis_solver.waiting import blocked
from osmosis_solver.wire import from_json, to_json

HOSTILE = "</title></script><script>alert(1)</script><img src=x onerror=alert(2)> & \" ' $script"
VOID = {"meta", "input"}


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the texts of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element of a drawing that has nothing in it."""
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """An element ends: it must be the one begun last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """A text."""
        self.texts.append((self.open[-1] if self.open else "", data))


def answers() -> list[Answer]:
    """One of each kind, with and without a line or a proof of the best."""
    return [
        solve(Deal.from_code(WON)),
        solve(Deal.from_code(LOST)),
        solve(Deal.from_pysol(3), minimise="turns"),
        best_score(Deal.from_pysol(24)),
        solve(Deal.from_pysol(1), budget=Budget(positions=1)),
        best_score(Deal.from_code(LOST)),
        solve(Deal.from_code(":AC:")),
        solve(Deal.from_number(3, ()), GAMERULES),
        solve(Deal.from_number(12), Rules(draw=60, passes=2)),
    ]


def data(text: str, name: str) -> str:
    """What a script element of that id holds."""
    found = re.findall(rf'<script type="application/json" id="{name}">(.*?)</script>', text)
    assert len(found) == 1
    return str(found[0])


@pytest.mark.parametrize("answer", answers(), ids=lambda answer: answer.deal.code[:20])
def test_a_page_holds_its_answer(answer: Answer) -> None:
    """The page is well formed, and its data is the answer's JSON, which verifies."""
    text = render.html(answer)
    elements = Elements(text)
    assert not elements.open
    read = from_json(data(text, "answer"))
    assert read == answer
    if read.verdict != "unknown":
        check(read)
    assert json.loads(data(text, "answer")) == to_json(answer)
    ids = [attributes["id"] for _, attributes in elements.found if "id" in attributes]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("answer", answers(), ids=lambda answer: answer.deal.code[:20])
def test_a_page_loads_nothing(answer: Answer) -> None:
    """No element names another file, and the policy lets only the page's own script run."""
    text = render.html(answer)
    for tag, attributes in Elements(text).found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form", "a")
        assert "src" not in attributes
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        assert attributes.get("href", "#").startswith("#")  # type: ignore[union-attr]
    assert "default-src 'none'; script-src 'sha256-" in text
    assert "unsafe" not in text
    assert "url(" not in text
    assert "@import" not in text


@pytest.mark.parametrize("answer", answers()[:2])
def test_no_text_becomes_markup(answer: Answer) -> None:
    """A title full of markup gives the elements that a plain one gives, and is shown as it is."""
    plain, hostile = Elements(render.html(answer, title="x")), None
    text = render.html(answer, title=HOSTILE)
    hostile = Elements(text)
    assert Counter(tag for tag, _ in hostile.found) == Counter(tag for tag, _ in plain.found)
    assert any(HOSTILE in told for tag, told in hostile.texts if tag == "p")
    scripts = [told for tag, told in hostile.texts if tag == "script"]
    assert scripts == [told for tag, told in plain.texts if tag == "script"]


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_no_data_ends_its_element(value: object) -> None:
    """Any texts come back from the data, which has none of the characters that make markup."""
    text = json_text(value)
    assert not set("<>&") & set(text)
    assert json.loads(text) == value


def test_the_blocked_cards_are_those_of_the_proof() -> None:
    """For each row order, the cards that never move, those that wait, and a case that is shown."""
    answer = solve(Deal.from_number(12))
    assert isinstance(answer, Lost)
    text = render.html(answer)
    told = json.loads(data(text, "blocked"))
    for one, ours in zip(told, blocked(answer), strict=True):
        assert one["order"] == ours.order
        assert one["never"] == sorted(map(str, ours.never))
        assert one["waits"] == [str(wait.card) for wait in ours.case.waits]
        assert f'<div class="case" id="case-{one["kind"]}"><p>{ours.told}</p>' in text
    assert text.count("<option value") == len(told)


def test_the_bound_is_told() -> None:
    """A line that is proved the best says so; one that is not does not."""
    best = solve(Deal.from_pysol(3), minimise="turns")
    assert '<p class="best">No win needs fewer turns: proved.</p>' in render.html(best)
    assert 'class="best"' not in render.html(solve(Deal.from_pysol(3)))


def test_a_page_from_within_a_game() -> None:
    """The line that led there is needed, and comes along."""
    line = parse_line("9C . . 7C")
    answer = solve(State.start(Deal.from_pysol(3)).play_all(line))
    with pytest.raises(NotationError):
        render.html(answer)
    text = render.html(answer, line)
    assert json.loads(data(text, "answer"))["after"] == "9C . . 7C"
    assert "<dt>Moves made before</dt><dd><code>9C . . 7C</code></dd>" in text


def test_a_page_is_written(tmp_path: Path) -> None:
    """The file holds the page; what cannot be written is an error that names it."""
    answer = solve(Deal.from_code(WON))
    render.write_html(tmp_path / "a.html", answer, title="t")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == render.html(answer, title="t")
    for path in (tmp_path, tmp_path / "no" / "a.html", "\0"):
        with pytest.raises(OsmosisError, match=r"^page .*: got .*, wanted a file to write to$"):
            render.write_html(path, answer)


def test_the_page_is_packaged() -> None:
    """Each of the page's own files is one that a build takes along."""
    home = Path(render.__file__).parent
    options = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
    patterns = options["tool"]["setuptools"]["package-data"]["osmosis_solver"]
    files = [path for path in home.glob("page*") if path.suffix != ".py"]
    assert len(files) == 6
    assert all(any(path.match(pattern) for pattern in patterns) for path in files)


# ---- the command ---------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "status"), [(WON, 0), (LOST, 1)])
def test_the_command_writes_a_page(tmp_path: Path, code: str, status: int) -> None:
    """``--html`` writes the page of the answer that ``--json`` prints, and changes no status."""
    out = tmp_path / "out.html"
    result = run("solve", code, "--json", "--html", str(out))
    assert result.exit_code == status
    assert json.loads(data(out.read_text(), "answer")) == json.loads(result.stdout)
    assert run("solve", code, "--html", str(out)).exit_code == status


def test_the_command_names_the_deal(tmp_path: Path) -> None:
    """The title is the deal's name on the terminal; a line before it comes along."""
    out = tmp_path / "out.html"
    assert run("solve", "--pysol", "3", "--after", "9C .", "--html", str(out)).exit_code == 0
    assert "PySolFC deal 3, rules OSMOSIS" in out.read_text()
    assert json.loads(data(out.read_text(), "answer"))["after"] == "9C ."


def test_a_deal_file_cannot_make_markup(tmp_path: Path) -> None:
    """A file with markup in its name and its comments gives a page without it."""
    file = tmp_path / "<b onclick=1>.txt"
    file.write_text("# </script><script>\nBase: AC\nReserve: 2D\nReserve: 3D\nStock: 3C 2C AD\n")
    out = tmp_path / "out.html"
    assert run("solve", "--file", str(file), "--html", str(out)).exit_code == 0
    tags = {tag for tag, _ in Elements(out.read_text()).found}
    assert "b" not in tags
    assert "&lt;b onclick=1&gt;.txt" in out.read_text()


def test_a_page_is_of_one_deal(tmp_path: Path) -> None:
    """Several deals, or a place that cannot be written: status 2 and one line."""
    out = tmp_path / "out.html"
    several = run("solve", WON, LOST, "--html", str(out))
    assert several.exit_code == 2
    assert "2 deals given, and a page is of one deal only" in several.stderr
    assert not out.exists()
    bad = run("solve", WON, "--html", str(tmp_path))
    assert bad.exit_code == 2
    assert bad.stderr.count("\n") == 1
    assert "Won" in bad.stdout
