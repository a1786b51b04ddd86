"""The drawings: every card once, in its place, legible, whatever colours an eye can tell apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import starts, states

from osmosis_solver.cards import Card
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.moves import TURN
from osmosis_solver.rules import GAMERULES, THREE_PASSES
from osmosis_solver.svg import FACE, HIGH, INK, TABLE, TEXT, WIDE, board, face

SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float]


def drawn(text: str) -> dict[Card, Box]:
    """The cards of a drawing with place and scale; no card may be there twice."""
    suits = {ink: suit for suit, ink in INK.items()}
    found: dict[Card, Box] = {}
    for group in ET.fromstring(text).iter(f"{SVG}g"):
        rank = next(group.iter(f"{SVG}text"))
        card = Card((rank.text or "").replace("10", "T") + suits[rank.attrib["fill"]])
        assert card not in found
        x, y, scale = map(float, re.findall(r"[\d.]+", group.attrib["transform"]))
        found[card] = (x, y, scale)
    return found


def size(text: str) -> tuple[float, float]:
    """Width and height of a drawing."""
    _, _, width, height = map(float, ET.fromstring(text).attrib["viewBox"].split())
    return width, height


any_state = st.one_of(states(), starts())


@given(any_state)
def test_every_card_is_drawn_once(state: State) -> None:
    """Each card of the deal is drawn, within the drawing."""
    text = board(state)
    cards, (width, height) = drawn(text), size(text)
    assert set(cards) == set(state.deal.cards())
    for x, y, scale in cards.values():
        assert x >= 0
        assert y >= 0
        assert x + WIDE * scale <= width
        assert y + HIGH * scale <= height


@given(any_state)
def test_cards_lie_where_they_are(state: State) -> None:
    """Rows share a line and ranks a column; piles, waste and stock read in their order."""
    cards = drawn(board(state))
    home = [card for row in state.rows for card in row]
    for one, other in combinations(home, 2):
        assert (cards[one][0] == cards[other][0]) == (one.rank == other.rank)
        assert (cards[one][1] == cards[other][1]) == (one.suit == other.suit)
    for pile in (*state.reserve, state.waste):
        assert [cards[card][0] for card in pile] == sorted({cards[card][0] for card in pile})
    reading = sorted(state.stock, key=lambda card: (cards[card][1], cards[card][0]))
    assert reading == list(state.stock)


@given(any_state)
def test_what_is_open_is_large(state: State) -> None:
    """Cards on rows and cards that lie open are drawn large, all others small."""
    large = {card for card, (_, _, scale) in drawn(board(state)).items() if scale == 1}
    assert large == {*state.open_cards(), *(card for row in state.rows for card in row)}


@given(any_state)
def test_a_frame_for_each_card_that_a_row_takes(state: State) -> None:
    """A dashed frame stands for each rank that a row would take a card of now."""
    opened = {row[0].suit for row in state.rows}
    frames = set()
    for card in state.deal.cards():
        if not any(card in row for row in state.rows):
            row = state.row_for(card)
            if row is not None:
                frames.add((row, card.rank))
    assert opened
    assert board(state).count("stroke-dasharray") == len(frames)


@pytest.mark.parametrize("layout", [(), (51,), (20, 0, 31), (3,) * 7, (1,) * 51])
def test_any_layout(layout: tuple[int, ...]) -> None:
    """No reserve, one large pile, many small ones: every card is drawn."""
    state = State.start(Deal.from_number(1, layout), THREE_PASSES)
    assert set(drawn(board(state))) == set(state.deal.cards())


def test_what_no_card_shows_is_told() -> None:
    """How many cards of a packet are playable and how many redeals are left."""
    deal = Deal.from_number(1)
    assert "Waste 3, the last 3 still playable" in board(State.start(deal, GAMERULES).play(TURN))
    assert "Stock 35, 2 redeals left" in board(State.start(deal, THREE_PASSES))


def test_dimmed_and_ringed_cards() -> None:
    """A dimmed card is faint; a ringed one has a ring around it and no other has."""
    state = State.start(Deal.from_code("2CAD/AH:AC:2D2H"))
    text = board(state, dim=[Card("2C")], ring=[Card("AD"), Card("2H")])
    assert text.count('opacity=".3"') == 1
    assert text.count('stroke-width="3"') == 2


def test_a_notebook_draws_a_state() -> None:
    """A notebook finds the drawing where it looks for it."""
    state = State.start(Deal.from_pysol(24))
    assert state._repr_svg_() == board(state)


# ---- colours -------------------------------------------------------------------------------

# What eyes without one kind of cone make of linear red, green and blue: Machado, Oliveira and
# Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009.
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no long": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no middle": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no short": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
Colour = tuple[float, ...]


def linear(text: str) -> Colour:
    """A colour as linear red, green and blue."""
    parts = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)


def seen(colour: Colour, eye: str) -> Colour:
    """What an eye makes of a colour."""
    return tuple(
        min(max(sum(a * b for a, b in zip(line, colour, strict=True)), 0), 1) for line in EYES[eye]
    )


def lab(colour: Colour) -> Colour:
    """A colour in CIELAB, where distances are about as large as they look."""
    r, g, b = colour
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def light(colour: Colour) -> float:
    """Relative luminance."""
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of the web's accessibility guidelines."""
    low, high = sorted((light(linear(one)), light(linear(other))))
    return (high + 0.05) / (low + 0.05)


def pairs() -> Iterator[tuple[str, str]]:
    """Two suits and an eye."""
    return combinations(INK, 2)


@pytest.mark.parametrize("eye", EYES)
def test_suits_are_told_apart_by_colour(eye: str) -> None:
    """Any two suits differ clearly in colour to every eye, beside differing in shape."""
    for one, other in pairs():
        colours = (lab(seen(linear(INK[suit]), eye)) for suit in (one, other))
        distance = sum((a - b) ** 2 for a, b in zip(*colours, strict=True)) ** 0.5
        assert distance > 20, (one, other)


def test_all_can_be_read() -> None:
    """Ranks, signs and words have the contrast that small text needs."""
    assert min(contrast(ink, FACE) for ink in INK.values()) >= 4.5
    assert contrast(TEXT, TABLE) >= 4.5


def test_suits_differ_in_shape() -> None:
    """Without any colour two cards of one rank still differ, and so do two ranks."""
    shapes = {re.sub("#[0-9a-f]{6}", "", face(Card("A" + suit))) for suit in "CDHS"}
    assert len(shapes) == 4
    assert len({face(Card(rank + "C")) for rank in "A23456789TJQK"}) == 13
