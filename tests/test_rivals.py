"""Exhaustive: on every deal of tiny decks kernel, reference and a third program agree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import Literal, get_args

import pytest
from tiny_game import Pair, Table, Truth, truth

from osmosis_solver import solver
from osmosis_solver.answer import Answer, Lost, Unknown, Won
from osmosis_solver.cards import DECK, Card
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.moves import REDEAL, TURN
from osmosis_solver.rules import RowStart, Rules, Waste

Engine = Literal["kernel", "reference"]
Sizes = tuple[int, ...]

EVERY_RULES = [
    Rules(draw=draw, passes=passes, waste=waste, row_start=row_start)
    for draw, passes in product((1, 2, 3), (None, 1, 2, 3))
    for waste in get_args(Waste)
    for row_start in get_args(RowStart)
]


def reserves(most: int, largest: int) -> Iterator[Sizes]:
    """Every way to make piles of at most so many cards in all, the larger piles first."""
    yield ()
    for size in range(1, min(most, largest) + 1):
        for rest in reserves(most - size, size):
            yield (size, *rest)


def every_deal(suits: str, ranks: str, bases: str) -> Iterator[Deal]:
    """Every deal of a deck, but one of those that differ only in names of suits or in piles.

    The base card is of the first suit and of one of the ranks ``bases``.
    """
    deck = [card for card in DECK if card.suit in suits and card.name[0] in ranks]
    seen = set()
    for base in (Card(rank + suits[0]) for rank in bases):
        for order in permutations(card for card in deck if card != base):
            for deal in layouts(base, order):
                code = canonical(deal, suits)
                if code not in seen:
                    seen.add(code)
                    yield deal


def layouts(base: Card, order: tuple[Card, ...]) -> Iterator[Deal]:
    """The cards laid out with every reserve."""
    for sizes in reserves(len(order), len(order)):
        piles, at = [], 0
        for size in sizes:
            piles.append(order[at : at + size])
            at += size
        yield Deal(piles, base, order[at:])


def canonical(deal: Deal, suits: str) -> str:
    """One code for all deals that differ only in names of suits or in the order of piles."""
    codes = []
    for names in permutations(suits):
        code = deal.code.translate(str.maketrans(suits, "".join(names)))
        reserve, base, stock = code.split(":")
        codes.append(f"{'/'.join(sorted(reserve.split('/')))}:{base}:{stock}")
    return min(codes)


def table_of(deal: Deal, rules: Rules) -> Table:
    """A deal under rules as the third program takes it."""
    return Table(deal.code, rules.draw, rules.passes or 0, rules.waste, rules.row_start)


def told(deal: Deal, rules: Rules, engine: Engine) -> Truth:
    """The same as the library tells it; every answer is verified."""
    best = solver.best_score(deal, rules, engine=engine)
    plain = solver.solve(deal, rules, engine=engine)
    turns = solver.solve(deal, rules, minimise="turns", engine=engine)
    passes = solver.solve(deal, rules, minimise="passes", engine=engine)
    for answer in (best, plain, turns, passes):
        check(answer)
        assert not isinstance(answer, Unknown)
        assert answer.verdict == best.verdict
    assert best.optimal or isinstance(best, Won)
    return Truth(best.score, cost(turns), cost(passes))


def cost(answer: Answer) -> Pair | None:
    """Turns and redeals of a win that is proved to be optimal."""
    if isinstance(answer, Lost):
        return None
    assert answer.optimal
    assert answer.line is not None
    return answer.line.count(TURN), answer.line.count(REDEAL)


def compare(deal: Deal, rules: Rules) -> Truth:
    """Hold three programs against one another."""
    known = truth(table_of(deal, rules))
    assert told(deal, rules, "kernel") == known
    assert told(deal, rules, "reference") == known
    return known


def deals_by_cutting(suits: str, ranks: str) -> Iterator[Deal]:
    """Every deal of a deck whatsoever: every order of the cards, cut in every way."""
    deck = [card for card in DECK if card.suit in suits and card.name[0] in ranks]
    for base, *order in permutations(deck):
        for cuts in product((False, True), repeat=len(order)):
            piles: list[list[Card]] = [[]]
            for card, cut in zip(order, cuts, strict=True):
                piles[-1].append(card)
                if cut:
                    piles.append([])
            yield Deal(piles[:-1], base, piles[-1])


@pytest.mark.parametrize(("suits", "ranks"), [("CD", "A2"), ("CDH", "A2")])
def test_every_deal_is_there_once(suits: str, ranks: str) -> None:
    """Each deal of the deck is in the list under one name, and none is there twice."""
    listed = [canonical(deal, suits) for deal in every_deal(suits, ranks, ranks)]
    assert len(listed) == len(set(listed))
    assert set(listed) == {canonical(deal, suits) for deal in deals_by_cutting(suits, ranks)}


def compare_all(suits: str, ranks: str, bases: str, every: list[Rules], step: int = 1) -> Pair:
    """Compare on each ``step``-th pair of a deal and rules: how many there were, and were won."""
    pairs = product(every_deal(suits, ranks, bases), every)
    chosen = [pair for i, pair in enumerate(pairs) if i % step == 0]
    won = [compare(*pair).turns is not None for pair in chosen]
    return len(won), sum(won)


def test_two_suits_of_two_ranks() -> None:
    """All 68 deals under all 48 rules: one verdict, best score, fewest turns, fewest passes."""
    assert compare_all("CD", "A2", "A2", EVERY_RULES) == (3264, 2356)


# The steps are prime and do not divide 48, so every rules record has its share of deals.
def test_a_slice_of_two_suits_of_three_ranks() -> None:
    """The same for one in 97 of the pairs of the next larger deck."""
    assert compare_all("CD", "A23", "A23", EVERY_RULES, 97) == (2296, 1344)


def test_a_slice_of_three_suits_of_two_ranks() -> None:
    """The same for one in 97 of a deck that has two row orders."""
    assert compare_all("CDH", "A2", "A2", EVERY_RULES, 97) == (770, 438)


DRAWS = {draw: [rules for rules in EVERY_RULES if rules.draw == draw] for draw in (1, 2, 3)}


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "won"), [(1, 15986), (2, 14540), (3, 13226)])
def test_all_of_two_suits_of_three_ranks(draw: int, won: int) -> None:
    """All deals of two suits of three ranks, the base card an ace."""
    assert compare_all("CD", "A23", "A", DRAWS[draw]) == (24736, won)


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "won"), [(1, 7861), (2, 6979), (3, 6315)])
def test_all_of_three_suits_of_two_ranks(draw: int, won: int) -> None:
    """All deals of three suits of two ranks, the base card an ace."""
    assert compare_all("CDH", "A2", "A", DRAWS[draw]) == (12448, won)
