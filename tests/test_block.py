"""Blocks of a survey: the same answers as ``solve``, limits, versions."""

from __future__ import annotations

import hashlib
import pickle
from array import array
from typing import Any

import pytest
from attrs import evolve

from osmosis_solver import block
from osmosis_solver._kernel import VERDICT_PRUNES
from osmosis_solver._sweep import Sweep
from osmosis_solver.advisor import advise
from osmosis_solver.answer import Budget, Watcher
from osmosis_solver.block import (
    KERNEL,
    LOST,
    NO_COUNT,
    NO_TURNS,
    OPEN,
    WON,
    Block,
    Question,
    Task,
    measure,
    numbers,
)
from osmosis_solver.deal import Deal
from osmosis_solver.drive import ALL_PRUNES, Drive, Purse, in_numbers
from osmosis_solver.errors import OsmosisError
from osmosis_solver.game import State
from osmosis_solver.rules import DRAW_ONE, NAMED_RULES, OSMOSIS, Rules
from osmosis_solver.solver import best_score, solve
from osmosis_solver.view import View

# The figures of a version of the kernel: whoever changes one of these gives KERNEL a new
# version, and adds its digest here.
DIGESTS = {"1": "b3f82774de283856", "2": "3ae1bd2e0d8c205c", "3": "a723e575a403511b"}


# The same for the advice, by ADVISOR.
ADVICE = {"5": "77ff1a537e7c97b4"}


def asked(rules: Rules = OSMOSIS, first: int = 0, count: int = 40, **named: Any) -> Block:
    """The block of a question."""
    return measure(Task(Question(rules, **named), first, count))


@pytest.mark.parametrize("name", sorted(NAMED_RULES))
def test_verdicts_are_those_of_solve(name: str) -> None:
    """A deal's verdict is what ``solve`` proves."""
    rules = NAMED_RULES[name]
    found = asked(rules)
    for number, code in enumerate(found.verdicts):
        answer = solve(Deal.from_number(number, rules.layout), rules)
        assert code == {"lost": LOST, "won": WON}[answer.verdict]


@pytest.mark.parametrize("name", ["OSMOSIS", "AISLERIOT", "GAMERULES", "PYSOL_BRIDESMAIDS"])
def test_fewest_are_those_of_solve(name: str) -> None:
    """Turns and passes are those of the wins that ``solve`` proves to be the cheapest."""
    rules = NAMED_RULES[name]
    found = asked(rules, count=20, what="turns")
    turns = numbers("H", found.turns)
    for i, code in enumerate(found.verdicts):
        deal = Deal.from_number(i, rules.layout)
        if code != WON:
            assert (turns[i], found.passes[i], found.fewest_passes[i]) == (0, 0, 0)
            continue
        fewest, least = (solve(deal, rules, minimise=what) for what in ("turns", "passes"))
        assert fewest.verdict == least.verdict == "won"
        assert (turns[i], found.passes[i]) == (fewest.turns, fewest.passes)
        assert found.fewest_passes[i] == least.passes


@pytest.mark.parametrize("name", ["OSMOSIS", "AISLERIOT", "GAMERULES", "PYSOL_BRIDESMAIDS"])
def test_scores_are_those_of_best_score(name: str) -> None:
    """The cards that come home are those that ``best_score`` proves to be the most."""
    rules = NAMED_RULES[name]
    found = asked(rules, count=20, what="score")
    assert list(found.scores) == [
        best_score(Deal.from_number(number, rules.layout), rules).score for number in range(20)
    ]


class Tight(Purse):
    """A purse whose limit on memory is no whole number of megabytes."""

    most_bytes = 10**9

    def room(self, entries: int) -> int:
        """The limit, whatever a proof takes."""
        return self.most_bytes


def start_of(rules: Rules, number: int) -> State:
    """A native deal before the first move."""
    return State.start(Deal.from_number(number, rules.layout), rules)


def one_by_one(
    rules: Rules, deals: range, positions: int, most_bytes: int
) -> list[tuple[int, int]]:
    """Verdict code and positions of native deals, each driven alone from Python."""
    found = []
    for number in deals:
        purse = Tight(Budget(positions=positions), Watcher())
        purse.most_bytes = most_bytes
        drive = Drive(start_of(rules, number), purse, EVERY_PRUNE, proves=False)
        code = ({"lost": LOST, "won": WON} | OPEN)[drive.run()]
        found.append((code, drive.positions))
    return found


def in_a_row(rules: Rules, deals: range, positions: int, most_bytes: int) -> list[tuple[int, int]]:
    """The same by the fast room, all with one search."""
    first = start_of(rules, 7)
    sweep = Sweep(rules.layout, **in_numbers(first, tuple(first.row_orders())))
    codes, searched = bytearray(len(deals)), array("I", bytes(4 * len(deals)))
    sweep.run_many(deals[0], len(deals), positions, most_bytes, codes, searched)
    return list(zip(codes, searched, strict=True))


EVERY_PRUNE = ALL_PRUNES + sum(VERDICT_PRUNES.values())
LAYOUTS = [(), (1,), (51,), (4, 4, 4, 4), (1, 2, 3, 4, 5, 6), (13, 0, 13), (2,) * 20]


@pytest.mark.parametrize("name", sorted(NAMED_RULES))
def test_deals_in_a_row_are_those_one_by_one(name: str) -> None:
    """Verdicts and positions do not depend on what was searched before, whatever the layout."""
    for layout in dict.fromkeys([NAMED_RULES[name].layout, *LAYOUTS]):
        rules = evolve(NAMED_RULES[name], layout=layout)
        asked = (rules, range(100, 115), 3000, 10**9)
        assert in_a_row(*asked) == one_by_one(*asked)


@pytest.mark.parametrize("name", ["OSMOSIS", "GAMERULES", "THREE_PASSES", "PYSOL_BRIDESMAIDS"])
def test_small_limits_in_a_row(name: str) -> None:
    """A deal that hits a limit is unknown by it, as one by one, and spoils none after it."""
    rules, codes = NAMED_RULES[name], set[int]()
    for positions in (1, 50, 3000, 30_000):
        for most_bytes in (1, 30_000, 60_000):
            asked = (rules, range(286, 301), positions, most_bytes)
            found = in_a_row(*asked)
            assert found == one_by_one(*asked)
            codes |= {code for code, _ in found}
    assert codes == {LOST, WON, *OPEN.values()}


def test_blocks_are_cut_from_one_row() -> None:
    """A deal has the same answer in every block that it is in."""
    whole = asked(count=30, what="turns")
    late = asked(first=20, count=10, what="turns")
    assert whole.verdicts[20:] == late.verdicts
    assert whole.positions[80:] == late.positions
    assert whole.turns[40:] == late.turns


def test_the_last_numbers() -> None:
    """Numbers go up to 2^64 - 1."""
    assert asked(first=2**64 - 3, count=3).last == 2**64 - 1


def test_blocks_travel() -> None:
    """Tasks and blocks are values that can be sent to other processes."""
    task = Task(Question(DRAW_ONE, what="turns"), 5, 3)
    assert pickle.loads(pickle.dumps(task)) == task
    found = measure(task)
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.last == task.last == 7


@pytest.mark.parametrize("what", ["verdict", "turns", "score"])
def test_limit_on_positions(what: Any) -> None:
    """A deal that is given up is unknown by the limit on positions, and took as many."""
    found = asked(what=what, positions=1, count=20)
    searched = numbers("I", found.positions)
    assert set(found.verdicts) == {LOST, OPEN["positions"]}
    for i, code in enumerate(found.verdicts):
        if code == OPEN["positions"]:
            assert searched[i] >= 1
            assert not found.turns or numbers("H", found.turns)[i] == NO_TURNS
            assert not found.scores or found.scores[i] == NO_COUNT


def test_limit_after_the_verdict() -> None:
    """A won deal whose fewest turns are left open is won all the same."""
    plain = asked(what="turns", count=20)
    found = asked(what="turns", count=20, positions=40)
    left = [i for i in range(20) if found.passes[i] == NO_COUNT and found.verdicts[i] == WON]
    assert left
    assert all(plain.verdicts[i] == WON and numbers("H", found.turns)[i] == NO_TURNS for i in left)


def test_limit_on_memory() -> None:
    """Where a megabyte does not hold the search for the fewest turns, that limit is named."""
    found = asked(first=15127, count=1, what="turns", megabytes=1)
    assert found.verdicts == bytes([WON])
    assert numbers("H", found.turns)[0] == NO_TURNS - 1
    assert found.passes[0] == found.fewest_passes[0] == NO_COUNT - 1


def test_policy_scores() -> None:
    """A policy's block has its scores; only a full deck is won; it searches nothing."""
    found = asked(DRAW_ONE, policy="greedy")
    assert [score == 52 for score in found.scores] == [code == WON for code in found.verdicts]
    assert 0 < sum(found.verdicts) < found.count
    assert set(found.positions) == {0}


def test_who_knows_every_card() -> None:
    """The thoughtful player does what can be done, and is cut short by the same limits."""
    for most in (10**8, 30):
        player, best = (
            asked(policy="thoughtful", positions=most),
            asked(what="score", positions=most),
        )
        assert evolve(player, question=best.question) == best


def test_the_advisor() -> None:
    """It wins no deal that cannot be won, and brings home no more than can be."""
    found, best = asked(policy="advisor 5"), asked(what="score")
    assert found.question.policy == "advisor 5 packets"
    assert all(a <= b for a, b in zip(found.scores, best.scores, strict=True))
    assert 0 < sum(found.verdicts) <= sum(best.verdicts)


def test_the_advice_has_a_version_of_its_own() -> None:
    """So the store of its player alone is refused when the advice has become another one."""
    assert Question(policy="advisor").kernel == f"{block.KERNEL}, advisor {block.ADVISOR}"
    assert Question(policy="thoughtful").kernel == Question().kernel == block.KERNEL


def test_another_kernel_is_refused() -> None:
    """A worker with another version of the search does not answer."""
    task = Task(Question(kernel="another"), 0, 1)
    with pytest.raises(
        OsmosisError, match=r"worker: got kernel version .*, wanted version another"
    ):
        measure(task)


@pytest.mark.parametrize(
    "given",
    [
        {"rules": "OSMOSIS"},
        {"what": "wins"},
        {"policy": "bold"},
        {"policy": ""},
        {"policy": 1},
        {"policy": "greedy 100"},
        {"policy": "advisor 0"},
        {"policy": "advisor many"},
        {"policy": "advisor 100 all"},
        {"policy": "advisor 100 tops too"},
        {"policy": "thoughtful", "what": "score"},
        {"policy": "greedy", "what": "turns"},
        {"positions": 0},
        {"positions": 2**32},
        {"positions": True},
        {"positions": 1.5},
        {"megabytes": 0},
        {"megabytes": None},
    ],
)
def test_questions_that_make_no_sense(given: dict[str, Any]) -> None:
    """They are refused in one sentence that names the field."""
    with pytest.raises(OsmosisError, match=r"^survey") as caught:
        Question(**given)
    assert "\n" not in str(caught.value)


def digest() -> str:
    """A digest of all figures of some deals, under every named rules record."""
    told = hashlib.sha256()
    for rules in dict.fromkeys(NAMED_RULES.values()):
        for what, count in (("verdict", 100), ("turns", 20), ("score", 20)):
            found = evolve(asked(rules, count=count, what=what), seconds=0.0)
            told.update(repr((found.verdicts, found.positions, found.turns)).encode())
            told.update(repr((found.passes, found.fewest_passes, found.scores)).encode())
    return told.hexdigest()[:16]


def test_a_version_of_the_kernel_keeps_its_figures() -> None:
    """What changes a verdict, a fewest, a score or the positions counted changes ``KERNEL`` too.

    Two surveys of one version must be mergeable, and a store of another one be refused.
    """
    assert block.KERNEL == KERNEL
    assert digest() == DIGESTS[KERNEL]


def advice_digest() -> str:
    """A digest of what the advisor brings home of some deals, whatever it sees."""
    told = hashlib.sha256()
    names = "OSMOSIS", "DRAW_ONE", "GAMERULES", "THREE_PASSES", "AISLERIOT"
    for rules in map(NAMED_RULES.__getitem__, names):
        for eyes in ("packets", "tops", "reserve"):
            told.update(asked(rules, count=8, policy=f"advisor 10 {eyes}").scores)
    # What each move is said to win, whether or not it is made.
    for number in range(12):
        start = State.start(Deal.from_number(number))
        told.update(repr(advise(View.showing(start, start.stock)).moves).encode())
    # A deal that takes a long search once all cards are seen.
    told.update(asked(first=196, count=1, policy="advisor 10 reserve").scores)
    return told.hexdigest()[:16]


def test_a_version_of_the_advice_keeps_its_figures() -> None:
    """What changes what the advisor's player brings home changes ``ADVISOR`` too."""
    assert advice_digest() == ADVICE[block.ADVISOR]
