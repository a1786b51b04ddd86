"""Planted faults: each of a list of plausible wrong rules is caught by a test of this suite.

``CAUGHT`` names for each fault the test, and a case of it that passes with the source as it is
and fails with the fault in it. The cases were found by running the test on random positions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import test_check
import test_golden
import test_kernel
import test_keys
import test_optimum
import test_perft
import test_solver
from planted_faults import FAULTS
from planting import Fault, planted, read
from tiny_game import Table

from osmosis_solver.answer import Lost
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.errors import OsmosisError
from osmosis_solver.game import State
from osmosis_solver.notation import parse_line
from osmosis_solver.rules import Rules
from osmosis_solver.solver import solve

# Uncompiled it warns that it is slow; bodies of tests by hypothesis assume outside of it.
pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning"),
]


def position(text: str) -> State:
    """A position: deal code, draw, passes (0 for no limit), waste, row start, and maybe a line."""
    code, draw, passes, waste, row_start, *line = text.split(" ", 5)
    start = test_perft.start_of(Table(code, int(draw), int(passes), waste, row_start))
    return start.play_all(parse_line(" ".join(line)))


def body(test: Any) -> Callable[..., None]:
    """What a test of hypothesis does with one example."""
    inner: Callable[..., None] = test.hypothesis.inner_test
    return inner


def verdict(text: str) -> None:
    """One example of the test that holds every mixture of switches against the plain search."""
    body(test_solver.test_kernel_against_reference_on_typical_positions)(position(text))


def hurried(text: str) -> None:
    """The same for the prunes that leave no proof, by one search."""
    test = body(test_kernel.test_prunes_for_verdicts_against_the_reference)
    test(position(text), test_kernel.ALL + test_kernel.VERDICTS_ONLY)


def turns(text: str) -> None:
    """One example of the test of the fewest turns."""
    body(test_optimum.test_optima_against_reference)(position(text), "turns")


def prefix(text: str) -> None:
    """One example of the test that forces proofs with a prefix, here of one card."""
    body(test_kernel.test_prefix_proofs)(position(text), test_kernel.ALL, 1)


def claims(text: str) -> None:
    """Examples of the test that no proof of a winnable order is accepted."""
    for prefix in (0, 3, 6):
        test = body(test_check.test_no_set_of_entries_proves_a_winnable_order_lost)
        test(position(text), prefix)


def stuck(text: str) -> None:
    """One example of the test of the redeal cycle."""
    body(test_keys.test_stuck)(position(text))


def keys(text: str) -> None:
    """One example of the test of canonical keys."""
    body(test_keys.test_canonical_keys_keep_winnability)(position(text))


def perft(name: str) -> None:
    """One table of positions and lines."""
    test_perft.test_the_game_counts_so(test_perft.HOME / f"{name}.tsv")


def golden(pair: str) -> None:
    """The positions of one row of the golden file."""
    name, number = pair.split()
    (row,) = (r.split("\t") for r in test_golden.ROWS if r.startswith(f"{name}\t{number}\t"))
    rules = Rules.named(name)
    answer = solve(Deal.from_number(int(number), rules.layout), rules)
    assert answer.spent.positions == int(row[-1])


def proof(pair: str) -> None:
    """The proof of a native deal that is lost."""
    name, number = pair.split()
    rules = Rules.named(name)
    answer = solve(Deal.from_number(int(number), rules.layout), rules)
    assert isinstance(answer, Lost)
    check(answer)


SHORT = "4H2C3D/AC:4C:AD3H4D2D3CAH2H 2 3 packet any AC . . . AH"
TAIL = "4D/:4S:3H4HASAC4C3D3SAH2CAD2S2H2D3C 3 0 packet base 4D . . . . . | ."
BARED = "3D2HAC/:4C:2C4H2D3H3CADAH4D 2 0 top base AC . . . . | . 4H"
PILES = "2C/2DACAD:6D:3C6C5C4C3D5D4D 4 4 packet any"
THREES = "AD/2SAS:AC:3S2D3H3CAH2C3D2H 3 0 top base"
OPENED = "AH/:2C:AC3C2HADAS3H2D3S3D2S 3 0 top any"
SPADELESS = "3D/4C3C:6D:7D2C6C7C5D5C2D4DADAC 3 0 top base"
FOURS = "/AS3H:AH:2H4HAD3S2S5D4D5H3C2D2C5SAC3D5C4C4S 3 0 top any 3H AS . . ."
THREE = "2H/:3H:AC3S3D2CAHASAD3C2S2D 3 0 top any"

CAUGHT: dict[str, tuple[Callable[[str], None], str]] = {
    "the last card is forced in mid-pass": (verdict, THREES),
    "the waste top is forced": (verdict, ":3C:AC2D2C2S3D2H3SAD3HAHAS 3 0 top any . 2C 2D"),
    "a base-rank card is safe without a fixed order": (
        verdict,
        "2S/3D3S3C:2H:3HADAH2DASAC2C 1 0 packet base",
    ),
    "the plain search forces the waste top": (
        verdict,
        "/AS3D:2C:3C3HAC2SADAH2D3S2H 2 4 packet base . .",
    ),
    "the waste pointer is canonised under a pass limit": (verdict, SHORT),
    "the last packet is as good in every pass": (
        verdict,
        ":2S:AD3H3C4S2D2C2H3SAH4CAC3DAS4H4D 5 0 packet base . 2D",
    ),
    "the last packet is a card larger": (
        verdict,
        "5H/AD:AH:2C5D3C4C2H4H3D4D5CAC2D3H 5 0 packet base 5H AD",
    ),
    "the last packet of this pass is a card larger": (
        verdict,
        "5H/AD:AH:2C5D3C4C2H4H3D4D5CAC2D3H 5 0 packet base 5H AD",
    ),
    "the last place comes up only at a whole turn": (turns, SHORT),
    "a packet at a whole turn is whole": (verdict, ":2D:2C3D6C5D6D5C3C4C4DACAD 2 2 packet any"),
    "a key without the packet": (
        verdict,
        "AD2D2H/5D:2C:3C4DAH5H3D5C4CAC4H3H 3 4 packet base . 2H 2D",
    ),
    "a refuted start is refuted for all places": (verdict, FOURS),
    "a refuted place is refuted wherever it is": (proof, "OSMOSIS 2586"),
    "the plays of one remainder serve for the other": (verdict, SPADELESS),
    "what a place offers is refuted with what lies before it": (
        verdict,
        "2C2H3C/2S:AS:3SACAD3DAH2D3H 3 0 top base .",
    ),
    "a start whose bound fell short has passed it": (golden, "OSMOSIS 456"),
    "a place is refuted whose start was not tried": (
        verdict,
        ":2D:4D2H3HAD4HAH3D 3 0 top any",
    ),
    "a proof leaves out what was refuted by trying": (verdict, SPADELESS),
    "a proof lists a later place of the remainder": (
        verdict,
        ":2H:2CASAC3CAD2D2S3D3S3HAH 3 0 top base",
    ),
    "the cards above a play keep their places": (verdict, THREE),
    "the last card left comes up only at a whole turn": (verdict, THREE),
    "the last card left of a prefix waits for all of the tail": (prefix, THREES),
    "a place behind which no card is left is the start, in a prefix too": (
        prefix,
        "3S2DAC/4D:4S:ADAS3C2C4H2S3D4C2HAH3H 2 0 top any 4D . AS",
    ),
    "the waste top may not be played again": (verdict, THREE),
    "the closure by cards left bares the next card but one": (verdict, THREES),
    "the closure by cards left bares no card": (verdict, THREES),
    "the closure by cards left asks for a card too many": (
        verdict,
        "3C3S/:AD:2HACAH3D2S3HAS2D2C 3 0 top base",
    ),
    "the closure by cards left forgets cards before a place": (
        verdict,
        ":4H:4S3DASAH2S2C3C2H4D4C3H2DACAD3S 3 0 top any",
    ),
    "the closure of a place is that of the start": (verdict, THREES),
    "the tail is counted from the prefix on": (prefix, THREES),
    "a closure's second card is forgotten where its first is new": (verdict, FOURS),
    "a closure's card that is not its first is forgotten": (verdict, FOURS),
    "the tail asks for a card too many": (prefix, THREES),
    "the tail asks for a card too many where two are gone": (prefix, OPENED),
    "a card of the tail is bared by itself": (prefix, THREES),
    "the tail's last place comes up at whole turns": (prefix, OPENED),
    "the tail has no turn ends of the pass under way": (
        prefix,
        "/2S4H2H:AD:4C4D3D4S2C3C3SASAHAC3H2D 3 0 top any . 3D",
    ),
    "the tail's cards that were played are forgotten": (prefix, OPENED),
    "passes do not count": (verdict, "/5D2C4D:3D:AD6CAC2D6D5C3C4C 2 2 top base"),
    "packets do not count": (
        verdict,
        ":5H:5C2DAC4D3DAD2CAH2H3H4C3C5D4H 3 0 packet any . .",
    ),
    "the word has room for any sequence": (golden, "PYSOL_BRIDESMAIDS 112"),
    "the last card is forced in mid-pass, plain": (
        hurried,
        ":3S:AS2SAC3C2C 2 0 top any",
    ),
    "the first play of a pass is forced": (
        hurried,
        ":AH:4H3D2H4DAD3H2D 3 0 top any",
    ),
    "the card under a played one of the reserve stays covered": (
        verdict,
        "3DAC2D/AD3C:2C: 3 0 top any",
    ),
    "a redeal costs no pass": (verdict, SHORT),
    "refuted with fewer redeals is refuted": (
        verdict,
        "/5D3HAD:AH:3C2H2D4C2C5C5H3D4H4DAC 2 3 packet base",
    ),
    "no win needs more than one redeal": (verdict, SHORT),
    "the bound has a pass too few": (verdict, SHORT),
    "a redeal without a play before it ends the game": (
        stuck,
        "4CAD/AC5D2D:4D:3D5C3C6C6D2C 5 3 packet any AD 4C",
    ),
    "canonical keys forget the pass": (
        keys,
        "3CAC/:AH:4H2D4C3D4D3HAD2C2H 5 1 packet base . AC . 2H 2C AD 3H 3C",
    ),
    "a pass too many": (perft, "six_packet"),
    "rule 8 asks for a card too many": (
        verdict,
        "/4H:4S:AH2D3C2S4C2H2CAC4D3H3S3DASAD 5 0 top any",
    ),
    "rule 8 asks for a card too few": (golden, "GAMERULES 412"),
    "rule 8 forgets that a card may be bared": (
        verdict,
        BARED,
    ),
    "rule 8 forgets the pass under way": (prefix, TAIL),
    "the pass under way has no turn ends in the tail": (
        prefix,
        "3CAC/4C3D:2D:6D2C5D6C5C4DAD 3 0 packet base . 3D 5D",
    ),
    "the tail's last place is like any other": (
        prefix,
        "2H/AD2D:3D:AC3H2S3CAS3SAH2C 3 0 packet any 2D 2H",
    ),
    "the tail's cards home are not counted as gone": (prefix, TAIL),
    "the last card of a prefix waits for all of the tail": (prefix, TAIL),
    "the bound forgets the end of later passes": (
        verdict,
        "/AD:3D:2C6D2D3C5C4CAC5D4D6C 3 2 packet any AD . . . 4D",
    ),
    "the bound's packets are a card short": (verdict, SHORT),
    "the bound is that of the position before it was turned on": (golden, "GAMERULES 412"),
    "a search that is cut has refuted": (prefix, SHORT),
    "prefixes serve under a pass limit too": (
        prefix,
        "3S/:3H:2SAD3DAC3CAS2C2D2HAH 2 4 top base",
    ),
    "the estimate is a turn too high": (turns, SHORT),
    "the estimate turns cards that are home": (turns, SHORT),
    "redeals are no part of a position": (
        turns,
        "/3C3H:AS:2H2SAH2D2C3DAC3SAD 2 3 packet base",
    ),
    "the first way to a position is the cheapest": (
        turns,
        "2H2D/AD:5D:AH5C4H5H4C2C3D4DAC3C3H 3 0 packet any",
    ),
    "a short turn costs none": (turns, "2D4H/ADAH:4C:2H3D3CAC4D3H2C 5 0 packet base"),
    "entries are thinned under a pass limit": (
        verdict,
        ":5H:5D4C3DAD2H4HACAH2C2D3C5C3H4D 2 3 packet base",
    ),
    "checker: the last turn brings up no card": (claims, PILES),
    "checker: the last redeal brings up no card": (claims, SHORT),
    "checker: the last card of a prefix is never bared": (claims, THREE),
    "checker: the pass under way has no turn ends of its own": (claims, BARED),
    "checker: a turn end asks for a card too many": (claims, SHORT),
    "checker: the prefix cards home are not counted as gone": (claims, THREE),
    "checker: the end of a later pass is like any other place": (claims, PILES),
    "checker: a packet is a card short": (claims, SHORT),
    "checker: an entry covers one with more redeals": (claims, SHORT),
    "a row asks row 1, not the row above": (perft, "nine_three"),
    "a row opened with any rank asks row 1": (perft, "twelve_top"),
    "a row opens before its base card": (
        verdict,
        "3HAH/AD4H2C:2H:4DAC4C3C3D2D 3 1 packet base AH 2C 3H 4H .",
    ),
    "what is left of a packet stays open": (perft, "six_packet"),
    "a redeal turns the order of the waste around": (perft, "nine_top"),
}
CASES = sorted({(test.__name__, text) for test, text in CAUGHT.values()})


def test_every_fault_is_on_the_list() -> None:
    """Each fault has a test that catches it."""
    assert list(CAUGHT) == list(FAULTS)


@pytest.mark.parametrize(("test", "text"), CASES, ids=[f"{test} {text}" for test, text in CASES])
def test_without_faults(test: str, text: str) -> None:
    """The source as it is passes every case that a fault fails."""
    with planted():
        globals()[test](text)


@pytest.mark.parametrize("name", list(FAULTS))
def test_faults_are_caught(name: str) -> None:
    """With the fault in it, the test fails, or the library refuses its own answer."""
    test, text = CAUGHT[name]
    with planted(FAULTS[name]), pytest.raises((AssertionError, OsmosisError)):
        test(text)


def test_a_text_that_does_not_stand_there() -> None:
    """A fault that no longer fits the source, or fits two places, is no silent success."""
    for text in ("no such text", "self"):
        with pytest.raises(AssertionError, match="stands not once"):
            read("_board", [Fault("_board", text, "")])


def test_nothing_stays_planted() -> None:
    """Afterwards the library is as it was."""
    start = position(SHORT)
    before = solve(start)
    with planted(FAULTS["a redeal costs no pass"]):
        pass
    assert solve(start) == before
