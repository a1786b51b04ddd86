"""The testing kit's judge: what it says of a program that is wrong, or writes in its own way."""

from __future__ import annotations

from typing import Any

import pytest

from osmosis_solver import Deal, State
from osmosis_solver._referee import Game
from osmosis_solver.testing import (
    Disagreement,
)

READ: list[tuple[Any, str]] = [
    (("", "", "AD", "AC", ""), "wanted four texts: reserve, waste, stock, rows"),
    (":AC:AD", "wanted four texts"),
    (("", "", "XX", "AC"), "read() gives 'XX' for the stock: line of play, line 1, column 1"),
    (("", "", ["AD"], "AC"), "for the stock"),
    (("", "", "A/D", "AC"), "read() gives 2 piles for the stock, wanted one"),
    (("", ".", "AD", "AC"), "read() gives '.' for the waste, wanted cards only"),
    (("", "", "", "AC"), "AD is gone"),
    (("AD", "", "AD", "AC"), "AD is there 2 times"),
    (("", "AH", "AD", "AC"), "AH is not in this deal"),
    (("", "", "", "ACAD"), "row 1 holds more than one suit: ACAD"),
    (("", "AD", "", "AC"), "waste: got AD, wanted no card"),
    (("AD", "", "", "AC"), "reserve: got AD, wanted no card"),
]


@pytest.mark.parametrize(("texts", "words"), READ)
def test_what_read_gives_is_judged(texts: Any, words: str) -> None:
    """A position that is no position, or another one, is told by what is wrong with it."""
    game = Game(State.start(Deal.from_code(":AC:AD")))
    with pytest.raises(Disagreement) as caught:
        game.compare_position(texts)
    assert words in caught.value.what


def test_reading_is_generous() -> None:
    """Blanks, lower case, 10 for T, rows in any order and left out piles are all right."""
    game = Game(State.start(Deal.from_code("/TC/:9C:9DTD")))
    game.play("TC")
    game.compare_position(["", "", "9d 10D", "10c 9c"])
    game.compare_moves(" .")


def test_rows_have_to_be_nested() -> None:
    """A row with a rank that the row above has not is told, and so is a score that falls."""
    game = Game(State.start(Deal.from_code(":AC:AD2D2C")))
    with pytest.raises(Disagreement, match="row 2 holds 2D, but row 1 has no 2"):
        game.compare_position(("", "", "2C", "AC/AD2D"))
    game.score = 2
    with pytest.raises(Disagreement, match="the score fell from 2 to 1"):
        game.compare_position(("", "", "AD2D2C", "AC"))


@pytest.mark.parametrize(
    ("code", "text", "words"),
    [
        (":AC:AD", "", "moves() does not list ., but cards are left in the stock"),
        (":AC:AD", ". |", "moves() lists |, but the stock still holds 1 cards"),
        (":AC:AD", ". .", "moves() lists ., but once is enough"),
        ("AD:AC:", "", "moves() does not list AD, but row 2 takes it"),
        (":AC:AD", ". AD", "moves() lists AD, but AD is in the stock"),
        (":AC:AD", "turn", "moves() gives 'turn': line of play, line 1, column 1"),
    ],
)
def test_moves_are_judged(code: str, text: str, words: str) -> None:
    """A move too many or too few is told with the reason."""
    with pytest.raises(Disagreement) as caught:
        Game(State.start(Deal.from_code(code))).compare_moves(text)
    assert words in caught.value.what


@pytest.mark.parametrize(
    ("code", "line", "stuck", "words"),
    [
        (":AC:AD", ". AD", True, "the game is won"),
        (":AC:AD", "", True, "AD can be played after ."),
        ("AD:AC:", "", True, "AD can be played"),
        ("2D2CAD:AC:", "AD", True, "2C can be played"),
        (":AC:2DAD2C", "", True, "2C can be played after ."),
        ("AD2D:AC:2C", "", False, ""),
    ],
)
def test_stuck_is_judged(code: str, line: str, stuck: bool, words: str) -> None:
    """A wrong verdict on being stuck is told with the next play."""
    game = Game(State.start(Deal.from_code(code)))
    for move in line.split():
        game.play(move)
    if not words:
        game.compare_stuck(stuck)
        return
    with pytest.raises(Disagreement) as caught:
        game.compare_stuck(stuck)
    assert caught.value.what == f"stuck() is {stuck}, but {words}"
