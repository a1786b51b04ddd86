"""A real browser for the tests: Debian's Chromium, or whichever is installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from osmosis_solver import render
from osmosis_solver.answer import Answer
from osmosis_solver.game import State
from osmosis_solver.moves import Move, Play

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
READ = """() => {
    const cards = (root) => [...root.querySelectorAll("[data-card]")].map((c) => c.dataset.card);
    const board = document.getElementById("BOARD");
    const groups = (name) => [...board.querySelectorAll(name)].map(cards);
    const marked = (name) => [...board.querySelectorAll(name)].map((c) => c.dataset.card).sort();
    return {
        reserve: groups(".pile"), rows: groups(".row"),
        waste: groups(".waste").flat(), stock: groups(".stock").flat(),
        open: marked(".card.open"), moved: marked(".moved"), unlocked: marked(".unlocked"),
        dim: marked(".dim"), ring: marked(".ring"), takes: board.querySelectorAll(".takes").length,
    };
}"""


def chromium() -> str:
    """Where Chromium is; without one, or without what drives it, the test is skipped."""
    pytest.importorskip("playwright.sync_api", reason="needs Playwright: the extra dev")
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    return found


@contextmanager
def started() -> Iterator[Browser]:
    """The browser, without a window."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, file: Path, **options: Any) -> Iterator[Page]:
    """A page from a file. Errors on its console, and anything that it loads, fail the test."""
    page = browser.new_page(**options)
    wrong: list[str] = []
    asked: list[str] = []
    page.on("console", lambda said: wrong.append(f"{said.type}: {said.text}"))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    yield page
    page.close()
    assert wrong == []
    assert asked == [file.as_uri()]


def written(folder: Path, answer: Answer, **options: Any) -> Path:
    """The file of an answer's page."""
    render.write_html(folder / "page.html", answer, **options)
    return folder / "page.html"


def read(page: Page, board: str = "board") -> dict[str, Any]:
    """What a board shows."""
    found: dict[str, Any] = page.evaluate(READ.replace("BOARD", board))
    return found


def shown(state: State) -> dict[str, Any]:
    """What a board should show of a position."""
    rows = [[str(card) for card in row] for row in state.rows]
    return {
        "reserve": [[str(card) for card in pile] for pile in state.reserve],
        "rows": rows + [[] for _ in range(len(state.deal.suits) - len(rows))],
        "waste": [str(card) for card in state.waste],
        "stock": [str(card) for card in state.stock],
        "open": sorted({*map(str, state.open_cards()), *(rows[0][:0])}),
    }


def changed(before: State, move: Move, state: State) -> dict[str, Any]:
    """The cards that should be marked after a move: those that moved, those it unlocked."""
    if not isinstance(move, Play):
        moved = state.waste[len(before.waste) :]
        return {"moved": sorted(map(str, moved)), "unlocked": []}
    home = {card for row in state.rows for card in row}
    bared = set(state.open_cards()) - set(before.open_cards())
    away = set(state.deal.cards()) - home
    taken = {c for c in away if before.row_for(c) is None and state.row_for(c) is not None}
    return {"moved": [str(move)], "unlocked": sorted(map(str, bared | taken))}
