"""The picture of a position: every card in its place, within the width, for any layout."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import choices, starts, states, walk

from osmosis_solver.cards import Card
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.notation import parse_line
from osmosis_solver.picture import WIDTH, can_paint, draw, painted, picture
from osmosis_solver.rules import GAMERULES, NAMED_RULES, OSMOSIS, THREE_PASSES, Rules

LINE = "9C . . 7C . . AC . . . . . 4C . JC . . 5C | . . . . . TD 6C 9D"
numbered = st.builds(
    lambda number, rules: State.start(Deal.from_number(number, rules.layout), rules),
    st.integers(0, 2**64 - 1),
    st.sampled_from(list(NAMED_RULES.values())),
)
full_decks = st.builds(lambda start, picks: walk(start, picks)[0], numbered, choices)


def cards_in(text: str) -> list[str]:
    """The cards of a text in reading order."""
    return re.findall(r"(?<![\\w])[A2-9TJQK][CDHS](?![\\w])", text)


def block(text: str, start: str, end: str) -> str:
    """What stands between two labels."""
    return text[text.index(start) : text.index(end)]


def test_a_standard_deal_in_play() -> None:
    """The whole picture, as a player sees it."""
    state = State.start(Deal.from_pysol(3), OSMOSIS).play_all(parse_line(LINE))
    assert picture(state).splitlines() == [
        "Reserve                   A  2  3  4  5  6  7  8  9  T  J  Q  K",
        "1  KC 6S 7D [QS]   row 1  AC .  .  4C 5C 6C 7C .  9C TC JC .  .",
        "2  2D 8H JH [8S]   row 2  .        .  .  .  .     9D TD .",
        "3  QC [TH]         row 3                             .",
        "4  7H 4D JS [QD]   row 4",
        "",
        "Stock  15 cards, 5 turns to go",
        "  2S 3C 9H   KD 7S 3S   9S 2C 3H   AH 2H 5H   8C 4S 5S",
        "Waste  13 cards",
        "  QH TS 5D 6H KS AD 4H AS JD 8D 6D 3D [KH]",
        "Score  10 of 52",
        "Moves  TH .",
    ]


def test_a_packet_and_a_pass_limit() -> None:
    """A bar stands before the playable packet, and the redeals left are told."""
    deal = Deal.from_code("2CAD/:AC:2D2H2SAHAS")
    state = State.start(deal, Rules(draw=2, passes=2, waste="packet")).play_all(parse_line(". ."))
    assert picture(state).splitlines() == [
        "Reserve             A  2",
        "1  2C [AD]   row 1  AC .",
        "2  -         row 2  .",
        "             row 3",
        "             row 4",
        "",
        "Stock  1 card, 1 turn to go, 1 redeal left",
        "  AS",
        "Waste  4 cards",
        "  2D 2H | 2S [AH]",
        "Score  1 of 8",
        "Moves  AD AH .",
    ]


@given(st.one_of(states(), full_decks))
def test_every_card_is_drawn_once(state: State) -> None:
    """Each card of the deal stands in the picture once, and again only among the moves."""
    board = picture(state).rpartition("Moves")[0]
    assert sorted(cards_in(board)) == sorted(map(str, state.deal.cards()))


@given(st.one_of(states(), full_decks))
def test_stock_and_waste_keep_their_order(state: State) -> None:
    """Stock: next card first. Waste: top last, in brackets if it can be played."""
    text = picture(state)
    assert cards_in(block(text, "Stock", "Waste")) == [str(card) for card in state.stock]
    waste = block(text, "Waste", "Score")
    assert cards_in(waste) == [str(card) for card in state.waste]
    assert len(cards_in(waste.partition("|")[2])) == state.packet
    playable = bool(state.waste and (state.packet or state.rules.waste == "top"))
    assert waste.count("[") == playable
    assert (f"[{state.waste[-1]}]" in waste) == playable if state.waste else "empty" in waste


@given(st.one_of(states(), full_decks))
def test_the_rows_show_what_they_take(state: State) -> None:
    """A cell holds the card of its row and rank, or a dot if the row takes it now, or blank."""
    lines = picture(state).splitlines()
    ranks = next(line for line in lines if line.endswith("  ".join(state.deal.ranks)))
    columns = [len(ranks) - 3 * i for i in range(1, len(state.deal.ranks))]
    columns = [len(ranks) - 1, *[column - 1 for column in columns]][::-1]
    opened = [row[0].suit for row in state.rows]
    others = [suit for suit in state.deal.suits if suit not in opened]
    for number, suit in enumerate([*opened, *others]):
        line = next(line for line in lines if f"row {number + 1}" in line).ljust(WIDTH)
        for rank, column in zip(state.deal.ranks, columns, strict=True):
            card = Card(rank + suit)
            on_row = number < len(opened) and card in state.rows[number]
            wanted = str(card) if on_row else ". " if state.row_for(card) == number else "  "
            assert line[column : column + 2] == wanted


@given(st.one_of(states(), full_decks, starts()))
def test_plain_ascii_within_the_width(state: State) -> None:
    """No line is wider than 80 columns, none ends in blanks, all is ASCII."""
    for line in picture(state).split("\n"):
        assert len(line) <= WIDTH
        assert line == line.rstrip()
        assert line.isascii()


@pytest.mark.parametrize("layout", [(), (51,), (20, 0, 31), (3,) * 7, (1,) * 51, (0,) * 12])
def test_any_layout(layout: tuple[int, ...]) -> None:
    """No reserve, one large pile, many small ones: each card is drawn, within the width."""
    state = State.start(Deal.from_number(1, layout), THREE_PASSES)
    lines = picture(state).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert sorted(cards_in("\n".join(lines[:-1]))) == sorted(map(str, state.deal.cards()))


@given(st.one_of(states(), full_decks))
def test_the_painted_picture_is_the_same(state: State) -> None:
    """Painted, only suit letters become signs; the red cards alone are red."""
    text = painted(state)
    letters = text.plain.translate(str.maketrans("♣♦♥♠", "CDHS"))
    assert letters == picture(state)
    red = sorted(text.plain[s.start : s.end] for s in text.spans if s.style == "red")
    assert red == sorted(re.findall(r"\w[♦♥]", text.plain))
    assert not re.search(r"[A2-9TJQK][CDHS]", text.plain)


class Screen(io.StringIO):
    """A stream that says that it is a terminal."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """What the terminal can show."""
        return self._encoding

    def isatty(self) -> bool:
        """A terminal."""
        return True


@pytest.mark.parametrize(
    ("stream", "environ", "paints"),
    [
        (Screen(), {}, True),
        (Screen("UTF8"), {"NO_COLOR": "", "TERM": "xterm"}, True),
        (Screen(), {"NO_COLOR": "1"}, False),
        (Screen(), {"TERM": "dumb"}, False),
        (Screen("ascii"), {}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_who_gets_paint(stream: io.StringIO, environ: Mapping[str, str], paints: bool) -> None:
    """Paint is for a terminal that shows signs and colours, unless the person minds."""
    assert can_paint(stream, environ) == paints


def test_draw_fits_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file gets letters, a terminal gets signs and colours."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    state = State.start(Deal.from_pysol(24), GAMERULES)
    file, screen = io.StringIO(), Screen()
    draw(state, file)
    draw(state, screen)
    assert file.getvalue() == picture(state) + "\n"
    assert "\x1b[31m" in screen.getvalue()
    assert re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()) == painted(state).plain + "\n"
