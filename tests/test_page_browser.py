"""The page in a real browser: stepped through by keys and clicks, held against the library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import changed, opened, read, shown, started, written
from command import LOST, WON
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import starts

from osmosis_solver.answer import Answer, Budget, Lost, Won
from osmosis_solver.cards import Card
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.moves import Play
from osmosis_solver.notation import parse_line
from osmosis_solver.rules import BRIDESMAIDS, GAMERULES, OSMOSIS, RELAXED, Rules
from osmosis_solver.solver import best_score, solve
from osmosis_solver.waiting import blocked

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    with started() as running:
        yield running


def won(rules: Rules = OSMOSIS, number: int = 3) -> Won:
    """A deal that is won, with the fewest turns."""
    answer = solve(Deal.from_pysol(number, rules.layout), rules, minimise="turns")
    assert isinstance(answer, Won)
    return answer


def lost() -> Lost:
    """A deal that is lost, with its best line."""
    answer = best_score(Deal.from_pysol(24), BRIDESMAIDS)
    assert isinstance(answer, Lost)
    assert answer.line
    return answer


def positions(answer: Answer) -> list[State]:
    """The positions of an answer's line."""
    states = [answer.start]
    for move in answer.line or ():
        states.append(states[-1].play(move))
    return states


def assert_shows(page: Page, state: State) -> dict[str, Any]:
    """The board shows a position; returns what it shows."""
    board = read(page)
    assert {name: board[name] for name in shown(state)} == shown(state)
    taken = {(state.row_for(c), c.rank) for c in away(state) if state.row_for(c) is not None}
    assert board["takes"] == len(taken)
    return board


def away(state: State) -> set[Card]:
    """The cards not home."""
    return set(state.deal.cards()) - {card for row in state.rows for card in row}


@pytest.mark.parametrize(
    "answer",
    [
        won(),
        lost(),
        solve(Deal.from_code(WON), Rules(draw=2)),
        pytest.param(won(GAMERULES), marks=pytest.mark.slow),
        pytest.param(won(RELAXED, 24), marks=pytest.mark.slow),
    ],
    ids=["won", "lost", "tiny", "packets", "relaxed"],
)
def test_keys_step_to_the_end(browser: Browser, tmp_path: Path, answer: Answer) -> None:
    """Each position is the library's, and so is what each move moved and unlocked."""
    states = positions(answer)
    with opened(browser, written(tmp_path, answer)) as page:
        assert_shows(page, states[0])
        for before, move, state in zip(states, answer.line or (), states[1:], strict=False):
            page.keyboard.press("ArrowRight")
            board, wanted = assert_shows(page, state), changed(before, move, state)
            assert {name: board[name] for name in wanted} == wanted
        assert page.locator("#next").is_disabled()
        page.keyboard.press("ArrowRight")
        assert_shows(page, states[-1])
        page.keyboard.press("ArrowLeft")
        assert_shows(page, states[-2])
        page.keyboard.press("Home")
        assert_shows(page, states[0])
        page.keyboard.press("ArrowLeft")
        assert_shows(page, states[0])
        page.keyboard.press("End")
        assert_shows(page, states[-1])


@pytest.mark.slow
@settings(max_examples=200)
@given(starts(), st.booleans())
def test_any_deal_under_any_rules(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, start: State, best: bool
) -> None:
    """Each position is the library's, whatever the deck, the layout and the rules."""
    answer = best_score(start) if best else solve(start)
    with opened(browser, written(tmp_path_factory.mktemp("page"), answer)) as page:
        if answer.line:
            for state in positions(answer):
                assert_shows(page, state)
                page.keyboard.press("ArrowRight")
        elif isinstance(answer, Lost):
            board = read(page, "lost-board")
            assert {name: board[name] for name in shown(start)} == shown(start)


@pytest.mark.parametrize(
    "answer",
    [solve(Deal.from_code(WON)), lost(), pytest.param(won(), marks=pytest.mark.slow)],
    ids=["tiny", "lost", "won"],
)
def test_clicks_step_to_the_end(browser: Browser, tmp_path: Path, answer: Answer) -> None:
    """Next leads to the library's last position; back, first and last do what they say."""
    states = positions(answer)
    with opened(browser, written(tmp_path, answer)) as page:
        assert page.locator("#first").is_disabled()
        assert page.locator("#back").is_disabled()
        for _ in answer.line or ():
            page.click("#next")
        assert_shows(page, states[-1])
        assert page.locator("#last").is_disabled()
        page.click("#back")
        assert_shows(page, states[-2])
        page.click("#first")
        assert_shows(page, states[0])
        page.click("#last")
        assert_shows(page, states[-1])


def test_controls_keep_their_keys(browser: Browser, tmp_path: Path) -> None:
    """Home and End choose in a choice, Space presses the button that has the focus."""
    states = positions(lost())
    with opened(browser, written(tmp_path, lost())) as page:
        page.focus("#speed")
        page.keyboard.press("End")
        assert page.input_value("#speed") == "100"
        assert_shows(page, states[0])
        page.focus("#next")
        page.keyboard.press("Space")
        assert_shows(page, states[1])
        assert page.inner_text("#auto") == "Play"
        page.keyboard.press("Control+ArrowRight")
        assert_shows(page, states[1])


def test_the_move_list(browser: Browser, tmp_path: Path) -> None:
    """It has a button for each move under the heading of its pass; a click jumps there."""
    answer = won()
    states = positions(answer)
    with opened(browser, written(tmp_path, answer)) as page:
        buttons = page.locator("#moves button")
        assert buttons.count() == len(states)
        assert page.locator("#moves h3").all_inner_texts() == [
            f"Pass {i + 1}" for i in range(answer.passes)
        ]
        for number in (40, 3, len(answer.line), 0):
            buttons.nth(number).click()
            assert_shows(page, states[number])
            current = page.locator("[aria-current=step]")
            assert current.count() == 1
            assert current.get_attribute("data-move") == str(number)
            assert current.is_visible()
        opening = next(
            i
            for i, (one, other) in enumerate(pairwise(states), 1)
            if len(other.rows) > len(one.rows)
        )
        line = page.locator("#moves li").filter(has=page.locator(f"[data-move='{opening}']"))
        assert "Rows now take" in line.inner_text()
        assert "opens row 2" in (buttons.nth(opening).get_attribute("aria-label") or "")


def test_the_slider(browser: Browser, tmp_path: Path) -> None:
    """Its place is the move; its own keys move it by one; the pass at hand is marked."""
    answer = won()
    states = positions(answer)
    with opened(browser, written(tmp_path, answer)) as page:
        page.fill("#slider", "30")
        assert_shows(page, states[30])
        page.focus("#slider")
        page.keyboard.press("ArrowRight")
        assert_shows(page, states[31])
        page.keyboard.press("End")
        assert_shows(page, states[-1])
        assert page.locator("#passes span").count() == answer.passes
        assert page.locator("#passes .here").inner_text() == str(answer.passes)
        told = page.get_attribute("#slider", "aria-valuetext") or ""
        assert told.startswith(f"Move {len(answer.line)} of {len(answer.line)}, pass 5.")


def test_autoplay(browser: Browser, tmp_path: Path) -> None:
    """Space plays and pauses, by the speed chosen, up to the end; then it starts anew."""
    answer = lost()
    states = positions(answer)
    with opened(browser, written(tmp_path, answer)) as page:
        page.clock.install()
        page.keyboard.press("Space")
        assert page.inner_text("#auto") == "Pause"
        page.clock.run_for(3_000)
        assert_shows(page, states[3])
        page.keyboard.press("Space")
        assert page.inner_text("#auto") == "Play"
        page.clock.run_for(3_000)
        assert_shows(page, states[3])
        page.select_option("#speed", "100")
        page.click("#auto")
        page.clock.run_for(500)
        assert_shows(page, states[8])
        page.clock.run_for(100 * len(states))
        assert_shows(page, states[-1])
        assert page.inner_text("#auto") == "Play"
        page.click("#auto")
        assert_shows(page, states[0])
        page.clock.run_for(100)
        assert_shows(page, states[1])
        page.keyboard.press("ArrowRight")
        page.clock.run_for(1_000)
        assert_shows(page, states[2])


def test_touch(browser: Browser, tmp_path: Path) -> None:
    """A swipe to the left goes on, to the right goes back; a tap and a short one do nothing."""
    states = positions(won())
    with opened(browser, written(tmp_path, won()), **PHONE) as page:
        touch = page.context.new_cdp_session(page)

        def swipe(start: int, end: int) -> None:
            for kind, points in (
                ("touchStart", [{"x": start, "y": 200}]),
                ("touchMove", [{"x": end, "y": 200}]),
                ("touchEnd", []),
            ):
                touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        page.tap("#next")
        page.locator("#now", has_text="Move 1 of").wait_for()
        swipe(300, 100)
        assert_shows(page, states[2])
        swipe(100, 300)
        assert_shows(page, states[1])
        swipe(100, 100)
        swipe(100, 120)
        assert_shows(page, states[1])


def test_a_screen_reader_hears_the_move(browser: Browser, tmp_path: Path) -> None:
    """The live region reads the move in words; each part of the board says what lies there."""
    answer = won()
    number = answer.line.index(Play(Card("TD"))) + 1
    state = positions(answer)[number]
    with opened(browser, written(tmp_path, answer)) as page:
        page.fill("#slider", str(number))
        region = page.get_by_role("status")
        told = region.inner_text()
        assert told.startswith(
            f"Move {number} of {len(answer.line)}, pass 2. The 10 of diamonds opens row 2. "
        )
        assert told.endswith(f"{state.score} of 52 cards home.")
        for name in ("Row 2, diamonds: 10", "Row 3, not opened"):
            assert page.get_by_role("img", name=name, exact=True).count() == 1
        assert page.get_by_role("img", name=re.compile("^Reserve pile 1, the top last: ")).count()
        assert page.get_by_role("img", name=re.compile("^Stock, the next card first: ")).count()


def test_a_lost_deal(browser: Browser, tmp_path: Path) -> None:
    """For each row order: faint cards never move, framed ones wait, one reason is shown."""
    answer = solve(Deal.from_number(12))
    assert isinstance(answer, Lost)
    with opened(browser, written(tmp_path, answer)) as page:
        for number, one in enumerate(blocked(answer)):
            page.select_option("#order", str(number))
            board, waits = read(page, "lost-board"), {wait.card for wait in one.case.waits}
            assert {name: board[name] for name in shown(answer.start)} == shown(answer.start)
            assert board["dim"] == sorted(map(str, one.never - waits))
            assert board["ring"] == sorted(map(str, waits))
            case = page.locator(".case:visible")
            assert case.count() == 1
            assert one.told in case.inner_text()
            assert case.locator("svg polygon").count() == len(waits)
            assert page.inner_text("#never") == f"{len(one.never)} cards of 52 never come home."


def test_from_within_a_game(browser: Browser, tmp_path: Path) -> None:
    """The page begins where the search began."""
    line = parse_line("9C . . 7C . .")
    answer = solve(State.start(Deal.from_pysol(3)).play_all(line), minimise="turns")
    with opened(browser, written(tmp_path, answer, after=line)) as page:
        assert_shows(page, answer.start)
        page.keyboard.press("End")
        assert_shows(page, positions(answer)[-1])


ALL = {
    "won": won(),
    "lost": best_score(Deal.from_pysol(24), BRIDESMAIDS),
    "orders": solve(Deal.from_number(12)),
    "unknown": solve(Deal.from_pysol(1), budget=Budget(positions=1)),
    "tiny": solve(Deal.from_code(LOST)),
}


@pytest.mark.parametrize("name", ALL)
def test_accessible(browser: Browser, tmp_path: Path, name: str) -> None:
    """axe-core finds nothing wrong on a phone, nor too little contrast in dark mode."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs extra dev")
    with opened(browser, written(tmp_path, ALL[name], title="A deal"), **PHONE) as page:
        page.keyboard.press("ArrowRight")
        for scheme, options in (("light", None), ("dark", {"runOnly": ["color-contrast"]})):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            results = axe.Axe().run(page, options=options)
            assert results.response["passes"]
            assert results.violations_count == 0, results.generate_report()


def test_axe_would_notice(browser: Browser, tmp_path: Path) -> None:
    """A slider without a name and text as pale as its paper are found."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs extra dev")
    with opened(browser, written(tmp_path, ALL["won"])) as page:
        page.evaluate("document.getElementById('slider').removeAttribute('aria-label')")
        page.evaluate("document.querySelector('.deal').style.color = '#eeeeee'")
        found = {one["id"] for one in axe.Axe().run(page).response["violations"]}
        assert found == {"label", "color-contrast"}


@pytest.mark.parametrize("name", ALL)
def test_no_width_is_too_small(browser: Browser, tmp_path: Path, name: str) -> None:
    """Nothing sticks out to the side, and the buttons are large enough for a finger."""
    with opened(browser, written(tmp_path, ALL[name])) as page:
        page.keyboard.press("End")
        for width in (320, 360, 768, 1200):
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            boxes = [button.bounding_box() for button in page.locator(".controls button").all()]
            assert all(box and min(box["width"], box["height"]) >= 44 for box in boxes)


def test_print(browser: Browser, tmp_path: Path) -> None:
    """On paper there are no controls, and every reason and every move is there."""
    answer = lost()
    with opened(browser, written(tmp_path, answer)) as page:
        page.emulate_media(media="print")
        assert page.locator("button:visible").count() == len(answer.line or ()) + 1
        assert not page.locator(".bar, .speed, .choice").locator("visible=true").count()
        cases = page.locator(".case")
        assert all(case.is_visible() for case in cases.all())
        moves = page.locator("#moves")
        assert moves.evaluate("(list) => list.scrollHeight <= list.clientHeight + 1")
        assert page.pdf()[:5] == b"%PDF-"


def test_without_scripts(browser: Browser, tmp_path: Path) -> None:
    """The board at the start, the reasons and the words are there all the same."""
    with opened(browser, written(tmp_path, lost()), java_script_enabled=False) as page:
        assert page.get_by_role("img", name="Osmosis, 1 of 52 cards home").first.is_visible()
        assert all(case.is_visible() for case in page.locator(".case").all())
        assert page.get_by_text("Without scripts").is_visible()
        assert not page.locator("button:visible, select:visible, input:visible").count()


def test_markup_in_a_title_is_dead(browser: Browser, tmp_path: Path) -> None:
    """A title full of markup runs nothing and makes no element."""
    title = "</script><script>console.error(1)</script><img src=x onerror=console.error(2)>"
    with opened(browser, written(tmp_path, won(), title=title)) as page:
        assert page.locator("img:not([role])").count() == 0
        assert page.locator("img").count() == 0
        assert title in page.inner_text(".deal")
