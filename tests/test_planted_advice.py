"""Planted faults of the rooms that weigh plans: each is caught by a law of ``test_advisor.py``.

``CAUGHT`` names for each fault the law, and the number of a view that keeps it with the source as
it is and breaks it with the fault in it; the numbers were found by trying one view after another.
"""

from __future__ import annotations

import random

import pytest
import test_advisor
from hidden_game import some_view
from plain_game import typical
from planted_advice import FAULTS
from planting import planted_advice

from osmosis_solver import OsmosisError
from osmosis_solver.view import View

# Uncompiled it warns that it is slow.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def ends(number: int) -> None:
    """What plans win where they end."""
    test_advisor.wins_where_it_ends(_view(number, 2, 5))


def behind(number: int) -> None:
    """What plans win with the best plans behind them."""
    test_advisor.wins_as_those_behind_it(_view(number, 2, 5))


def safe(number: int) -> None:
    """What the first move of a plan wins of all that can be won."""
    test_advisor.loses_nothing(_view(number, 0, 4))


def _view(number: int, least: int, most: int) -> View:
    source = random.Random(number)
    return some_view(typical(number), source.randrange(least, most), source)


CAUGHT = {
    "a completion deals a card twice": (ends, 1000003),
    "not all completions are taken": (ends, 1000003),
    "a covered card of the reserve lies open": (ends, 1000003),
    "a packet that was turned is closed": (ends, 1000003),
    "a row that was opened may be another suit's": (ends, 1000003),
    "options that look different are one": (behind, 1000003),
    "options with the rows in another order are one": (ends, 1000006),
    "what was known of an option is known of the next in its place": (behind, 1000039),
    "a plan goes on behind a card of the reserve that it shows": (ends, 1000195),
    "a plan goes on behind a card of the waste that it bares": (ends, 1000021),
    "a plan goes on behind a turn that shows a card": (ends, 1000006),
    "a play that bares a card of the waste shows nothing": (ends, 1000064),
    "a safe play may open a row": (behind, 1000091),
    "a card of the reserve that was shown is shown again": (ends, 1000024),
    "a card of the waste that was shown is shown again": (ends, 1000064),
    "a card that was turned is shown again": (ends, 1000003),
    "who sees tops sees whole packets": (ends, 1000040),
    "who sees packets sees tops": (behind, 1001457),
    "a plan's redeal costs no pass": (ends, 1000064),
    "a redeal is made when none is left": (ends, 1000040),
    "no plan redeals": (behind, 1000047),
    "a play from the waste leaves the waste as it was": (ends, 1000006),
    "what lies under the top may be played": (ends, 1000741),
    "a card that has no row yet asks the first": (ends, 1000716),
    "a suit gets a row for each card": (behind, 1000732),
    "no plan turns the stock to see more": (behind, 1000751),
    "plays behind a shown card are read off another completion": (behind, 1000751),
    "two completions that look alike need no common plan": (behind, 1001404),
    "a play that shows nothing is a plan": (ends, 1000716),
    "a plan is dropped that could still win one more than the best": (behind, 1000858),
    "a plan is not weighed whose first play may win one more": (behind, 1000722),
    "a plan that may win one more behind its end is dropped": (behind, 1000722),
    "a plan is worth what its first play wins": (behind, 1000858),
    "what is shown is not told apart": (behind, 1000722),
    "who was shown a card sees all": (behind, 1000716),
    "the card of the reserve that is shown is not looked at": (behind, 1000955),
    "the card of the sequence that is shown is not looked at": (behind, 1000722),
    "a safe play behind a shown card shows nothing": (behind, 1000955),
    "a card of the reserve that opens a row is safe": (safe, 23),
    "a waste top that opens a row is safe": (safe, 436),
    "any waste top is safe by any draw": (safe, 628),
    "a waste top whose packet is closed is safe": (safe, 2453),
    "scouting is free under a pass limit": (safe, 114),
    "any waste comes back": (safe, 82),
    "a card of the sequence that opens a row is safe": (safe, 2584),
}
LAWS = {law.__name__: law for law in (ends, behind, safe)}
CASES = sorted({(law.__name__, number) for law, number in CAUGHT.values()})


def test_every_fault_is_on_the_list() -> None:
    """Each fault has a law that catches it."""
    assert list(CAUGHT) == list(FAULTS)


@pytest.mark.parametrize(("law", "number"), CASES)
def test_without_faults(law: str, number: int) -> None:
    """The source as it is keeps the law at every view at which a fault breaks it."""
    with planted_advice():
        LAWS[law](number)


@pytest.mark.parametrize("name", list(FAULTS))
def test_faults_are_caught(name: str) -> None:
    """With the fault in it the law is broken, or a plan has a move that is not legal."""
    law, number = CAUGHT[name]
    with planted_advice(FAULTS[name]), pytest.raises((AssertionError, OsmosisError)):
        law(number)
