"""Answers that a stranger made to be large: what they cost to refuse does not grow out of hand."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest

from osmosis_solver.answer import Entry, Lost, OrderProof, Proof, Spent
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.errors import OsmosisError, ProofError
from osmosis_solver.game import State
from osmosis_solver.proof_game import Game
from osmosis_solver.rules import Rules
from osmosis_solver.solver import solve
from osmosis_solver.wire import from_json, to_json

PASSES = 10**7
LOST = State.start(Deal.from_code("AD3D2D:AC:2C3C"), Rules(draw=1, passes=PASSES))


def test_no_more_redeals_are_listed_than_cards() -> None:
    """More redeals left than there are cards count as so many, and are none of an entry's numbers.

    Else one proof could list many positions with the same cards left, for the checker to
    hold each against all others.
    """
    game = Game(LOST, "CD", 2)
    assert game.first().redeals == 2
    for redeals in range(3):
        assert game.is_position(Entry(3, 0, 0, redeals))
    for redeals in (3, PASSES - 1):
        assert not game.is_position(Entry(3, 0, 0, redeals))
        lost = Lost(LOST, Proof([OrderProof("CD", 2, [Entry(3, 0, 0, redeals)])]), 1, spent=SPENT)
        with pytest.raises(ProofError, match="wanted entries that are positions of the deal"):
            check(lost)


SPENT = Spent(0, 0)


def test_passes_beyond_the_cards_are_proved() -> None:
    """The solver's own proofs keep to that, however many passes there may be."""
    for engine in ("kernel", "reference"):
        lost = solve(LOST, engine=engine)
        assert isinstance(lost, Lost)
        check(lost)


def fields() -> dict[str, Any]:
    """A true answer as an object, its proof with one row order to put things into."""
    return to_json(solve(Deal.from_pysol(24)))


MANY = 50_000
ENDLESS = {
    "a number of many digits": "9" * MANY,
    "many lists in lists": "[" * MANY + "]" * MANY,
    "many empty lists": "[" + "[]," * MANY + "[]]",
    "many entries that do not rise": "[" + "[0,0]," * MANY + "[1,0]]",
    "many positions of the same cards": "[[1" + ",0" * MANY + "]]",
    "many infinities": "[" + "1e999," * MANY + "1]",
    "a text of many characters": '"' + "\\u0041" * MANY + '"',
}


@pytest.mark.parametrize("field", ["prefix", "entries"])
@pytest.mark.parametrize("text", ENDLESS.values(), ids=list(ENDLESS))
def test_what_is_huge_is_refused_for_little(text: str, field: str) -> None:
    """Refused with a short message, and no more than 100 bytes of memory for a character."""
    asked = fields()
    asked["proof"]["orders"][0][field] = "?"
    line = json.dumps(asked).replace('"?"', text)
    tracemalloc.start()
    try:
        with pytest.raises(OsmosisError) as caught:
            from_json(line)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(str(caught.value)) < 400
    assert peak < 100 * len(line)
