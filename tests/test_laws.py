"""Laws that every solver of the game must keep: names do not matter, easier rules lose nothing.

Each law's docstring ends with why it holds. What looks like a law and is none stands in
``docs/testing.md`` with the case that shows it.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_game import typical
from test_kernel import EVENTS, search_of

from osmosis_solver.answer import Answer, Budget, Entry, Lost, OrderProof, Unknown, Won
from osmosis_solver.cards import RANKS, SUITS, Card
from osmosis_solver.check import check_order
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Play
from osmosis_solver.rules import NAMED_RULES, Rules
from osmosis_solver.solver import best_score, solve
from osmosis_solver.wire import to_json

Pair = tuple[int, int]
NEVER: Pair = (10**6, 10**6)


class Worth(NamedTuple):
    """What a position is worth: its best score, and its cheapest wins, ``NEVER`` if lost.

    ``turns`` is (turns, redeals) of the win with the fewest turns, ``passes`` is (redeals,
    turns) of the one with the fewest redeals.
    """

    score: int
    turns: Pair
    passes: Pair


def worth(start: State) -> Worth:
    """Ask for all of it."""
    answer = best_score(start)
    turns = cost(solve(start, minimise="turns"))
    passes = cost(solve(start, minimise="passes"))
    assert (answer.verdict == "won") == (turns != NEVER) == (passes != NEVER)
    return Worth(answer.score, turns, passes[::-1])


def cost(answer: Answer) -> Pair:
    """Turns and redeals of a win, ``NEVER`` for a loss."""
    assert not isinstance(answer, Unknown)
    assert isinstance(answer, Lost) or answer.optimal
    return (answer.line.count(TURN), answer.line.count(REDEAL)) if answer.line else no_line(answer)


def no_line(answer: Answer) -> Pair:
    """What a position costs that is won already, or cannot be."""
    return (0, 0) if isinstance(answer, Won) else NEVER


def is_no_worse(easier: Worth, harder: Worth) -> bool:
    """Whether one position is worth at least what another is, in every respect."""
    cheaper = easier.turns <= harder.turns and easier.passes <= harder.passes
    return cheaper and easier.score >= harder.score


def start_of(seed: int) -> State:
    """The first position of a random deal of a short deck under random rules."""
    position = typical(seed)
    return State.start(position.deal, position.rules)


def with_rules(start: State, **changes: Any) -> State:
    """The same deal under changed rules."""
    return State.start(start.deal, evolve(start.rules, **changes))


seeds = st.integers(0, 2**32 - 1)
starts = seeds.map(start_of)
positions = seeds.map(typical)
rngs = seeds.map(random.Random)
some = settings(max_examples=200)

# ---- names ---------------------------------------------------------------------------


def renamed(deal: Deal, name: Callable[[Card], str]) -> Deal:
    """The deal with every card called by another name."""

    def all_of(cards: tuple[Card, ...]) -> list[Card]:
        return [Card(name(card)) for card in cards]

    return Deal(map(all_of, deal.reserve), Card(name(deal.base)), all_of(deal.stock))


def other_suits(deal: Deal, source: random.Random) -> Deal:
    """The deal with its suits renamed at random."""
    suits = dict(zip(deal.suits, source.sample(SUITS, len(deal.suits)), strict=True))
    return renamed(deal, lambda card: card.name[0] + suits[card.suit])


def other_ranks(deal: Deal, source: random.Random) -> Deal:
    """The deal with its ranks renamed at random."""
    ranks = dict(zip(deal.ranks, source.sample(RANKS, len(deal.ranks)), strict=True))
    return renamed(deal, lambda card: ranks[card.name[0]] + card.suit)


def other_piles(deal: Deal, source: random.Random) -> Deal:
    """The deal with its reserve piles in another order, and an empty one among them."""
    return Deal(source.sample((*deal.reserve, ()), len(deal.reserve) + 1), deal.base, deal.stock)


changes = pytest.mark.parametrize("change", [other_suits, other_ranks, other_piles])


@changes
@some
@given(start=starts, source=rngs)
def test_names_do_not_matter(change: Any, start: State, source: random.Random) -> None:
    """Renamed suits, renamed ranks and permuted piles keep score, optima and verdict.

    The rules ask of suits and ranks only whether two are the same, and of a pile only its top.
    """
    assert worth(State.start(change(start.deal, source), start.rules)) == worth(start)


@changes
@pytest.mark.parametrize("name", sorted(NAMED_RULES))
@settings(max_examples=12)
@given(source=rngs)
def test_names_do_not_matter_on_full_decks(change: Any, name: str, source: random.Random) -> None:
    """The same for verdicts and fewest turns of native deals."""
    rules = Rules.named(name)
    deal = Deal.from_number(source.randrange(2**64), rules.layout)
    budget = Budget(positions=5000)
    one = solve(deal, rules, minimise="turns", budget=budget)
    two = solve(change(deal, source), rules, minimise="turns", budget=budget)
    assert one.verdict == two.verdict or "unknown" in (one.verdict, two.verdict)
    if isinstance(one, Won) and isinstance(two, Won) and one.optimal and two.optimal:
        assert (one.turns, one.passes) == (two.turns, two.passes)


# ---- easier rules --------------------------------------------------------------------


@some
@given(starts)
def test_packet_to_top(start: State) -> None:
    """Where any waste top may be played, a deal is worth no less than with packets.

    Every line by packets is legal, move for move.
    """
    harder, easier = with_rules(start, waste="packet"), with_rules(start, waste="top")
    assert is_no_worse(worth(easier), worth(harder))


@some
@given(starts)
def test_base_to_any(start: State) -> None:
    """Where rows open with any rank, a deal is worth no less than where the base rank opens them.

    By base rank every row begins with that rank, so the row above always holds it.
    """
    harder, easier = with_rules(start, row_start="base"), with_rules(start, row_start="any")
    assert is_no_worse(worth(easier), worth(harder))


@some
@given(start=starts, passes=st.integers(1, 4))
def test_a_pass_more(start: State, passes: int) -> None:
    """With a pass more a deal is worth no less, and without a limit no less than with one."""
    few, more, all_of_them = (
        worth(with_rules(start, passes=p)) for p in (passes, passes + 1, None)
    )
    assert is_no_worse(more, few)
    assert is_no_worse(all_of_them, more)


@some
@given(start=starts, passes=st.integers(1, 4))
def test_a_pass_limit_is_a_bound(start: State, passes: int) -> None:
    """A deal is won in k passes iff its fewest passes without a limit are k or less.

    The win with the fewest passes then costs the same. A line is legal under a limit iff it
    is legal without one and keeps it.
    """
    free, bound = (worth(with_rules(start, passes=p)) for p in (None, passes))
    if free.passes[0] < passes:
        assert bound.passes == free.passes
        assert bound.score == free.score
    else:
        assert bound.passes == bound.turns == NEVER


@some
@given(start=starts, draw=st.integers(1, 3), times=st.integers(2, 3))
def test_a_draw_that_divides(start: State, draw: int, times: int) -> None:
    """Under waste top a draw that divides another loses no win, pass or score (3 to 1, 4 to 2).

    A turn of ``times`` as many cards is up to ``times`` turns that lead to the same waste.
    """
    harder, easier = (worth(with_rules(start, draw=d, waste="top")) for d in (draw * times, draw))
    assert easier.score >= harder.score
    assert easier.passes[0] <= harder.passes[0]
    assert easier.turns[0] <= harder.turns[0] * times


@some
@given(starts)
def test_draw_one_without_a_limit_is_easiest(start: State) -> None:
    """No draw, waste or pass limit wins what draw one without a limit loses, packet or not.

    There every card of the stock comes up in every pass, with all cards below it to come.
    """
    one = [worth(with_rules(start, draw=1, passes=None, waste=w)) for w in ("top", "packet")]
    assert one[0].score == one[1].score >= worth(start).score


# ---- easier deals --------------------------------------------------------------------


@some
@given(start=starts, source=rngs)
def test_a_pile_cut_in_two(start: State, source: random.Random) -> None:
    """A reserve pile cut in two piles makes a deal worth no less.

    Every card then waits for some of the cards that it waited for before.
    """
    assume(any(len(pile) > 1 for pile in start.reserve))
    pile = source.choice([pile for pile in start.reserve if len(pile) > 1])
    cut = source.randrange(1, len(pile))
    others = [other for other in start.reserve if other != pile]
    deal = Deal([*others, pile[:cut], pile[cut:]], start.deal.base, start.stock)
    assert is_no_worse(worth(State.start(deal, start.rules)), worth(start))


def moved_out(start: State, place: int) -> State:
    """The deal with one card of the stock in a reserve pile of its own."""
    stock = [card for i, card in enumerate(start.stock) if i != place]
    piles = (*start.reserve, (start.stock[place],))
    return State.start(Deal(piles, start.deal.base, stock), start.rules)


@some
@given(starts)
def test_the_last_stock_card_laid_open(start: State) -> None:
    """The last card of the stock in a pile of its own makes a deal worth no less.

    No other card's turn changes, but that the last one ends a card sooner or is not needed:
    then what it would have covered or put out of the packet stays open.
    """
    assume(start.stock)
    assert is_no_worse(worth(moved_out(start, len(start.stock) - 1)), worth(start))


@some
@given(start=starts, source=rngs)
def test_a_stock_card_laid_open_by_draw_one(start: State, source: random.Random) -> None:
    """By draw one any card of the stock in a pile of its own makes a deal worth no less.

    Its turn is left out of the line, and a redeal that would turn over it alone.
    """
    assume(start.stock)
    one = with_rules(start, draw=1)
    after = moved_out(one, source.randrange(len(one.stock)))
    assert is_no_worse(worth(after), worth(one))


# ---- moves ---------------------------------------------------------------------------


@some
@given(positions)
def test_a_position_is_worth_its_best_move(start: State) -> None:
    """A win, its price and the best score are those of the best move, plus what it costs."""
    now, after = worth(start), []
    for move in start.legal_moves():
        then, turn, redeal = worth(start.play(move)), move == TURN, move == REDEAL
        turns = then.turns[0] + turn, then.turns[1] + redeal
        passes = then.passes[0] + redeal, then.passes[1] + turn
        after.append(Worth(then.score, turns, passes))
    if not start.is_won:
        assert now.score == max([start.score, *(w.score for w in after)])
        assert now.turns == min([NEVER, *(w.turns for w in after)])
        assert now.passes == min([NEVER, *(w.passes for w in after)])


@some
@given(positions)
def test_a_reserve_card_whose_suit_has_a_row(start: State) -> None:
    """To play it from the reserve costs nothing: it binds no suit to a row, and only bares."""
    opened = {row[0].suit for row in start.rows}
    tops = {pile[-1] for pile in start.reserve if pile and pile[-1].suit in opened}
    for move in start.legal_moves():
        if isinstance(move, Play) and move.card in tops:
            assert worth(start.play(move)) == worth(start)


# ---- bounds and repeats --------------------------------------------------------------

LONG = [
    ("OSMOSIS", 299),
    ("GAMERULES", 299),
    ("OSMOSIS", 28),
    ("THREE_PASSES", 537),
    ("THREE_PASSES", 91),
    ("PYSOL_BRIDESMAIDS", 9),
    ("PYSOL_BRIDESMAIDS", 4),
]


def native(name: str, number: int) -> State:
    """The start of a native deal under named rules."""
    rules = Rules.named(name)
    return State.start(Deal.from_number(number, rules.layout), rules)


def within(start: State, slots: int) -> str:
    """How a search ends whose table never has more than so many slots; its proofs are verified.

    A table is only doubled if 27 bytes a slot are allowed it.
    """
    search, orders = search_of(start), list(start.row_orders())
    while True:
        event = EVENTS[search.run(10**9)]
        if event == "full" and not search.grow(27 * slots - 1):
            search.starve()
        elif event == "dead":
            number, prefix, entries = search.refutation()
            if len(entries) < MOST_CHECKED:
                found = [Entry(*entry) for entry in entries]
                check_order(start, OrderProof(orders[number], prefix, found))
        elif event != "full":
            return event


MOST_CHECKED = 300


@pytest.mark.parametrize(("name", "number"), LONG)
def test_table_sizes(name: str, number: int) -> None:
    """However many entries the table may have, the verdict is the same or none is given.

    What is refuted before the table is full is proved all the same.
    """
    start = native(name, number)
    verdict = solve(start).verdict
    ends = [within(start, 2**k) for k in range(10, 17)]
    assert set(ends) <= {verdict, "starved"}
    assert ends[-1] == verdict


def test_tables_that_starve() -> None:
    """Some of these searches do starve with the smallest table."""
    ends = [within(native(name, number), 2**10) for name, number in LONG]
    assert "starved" in ends


QUESTIONS: list[Callable[[State], Answer]] = [
    solve,
    best_score,
    lambda start: solve(start, minimise="turns"),
    lambda start: solve(start, minimise="passes"),
    lambda start: solve(start, engine="reference", budget=Budget(positions=300)),
    lambda start: solve(start, budget=Budget(positions=100)),
]


def texts() -> list[str]:
    """Every question about some deals, answered in JSON without seconds."""
    found = []
    for name, number in [("OSMOSIS", 3), ("GAMERULES", 412), ("RELAXED", 194), *LONG[4:5]]:
        for question in QUESTIONS:
            told = to_json(question(native(name, number)))
            del told["seconds"]
            found.append(json.dumps(told))
    return found


def test_the_same_answer_byte_for_byte() -> None:
    """The same question gets the same JSON, again and in other processes that hash otherwise."""
    here = texts()
    assert texts() == here
    for seed in ("1", "2"):
        command = "import json, test_laws; print(json.dumps(test_laws.texts()))"
        path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed}
        ran = subprocess.run(
            [sys.executable, "-c", command],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        assert json.loads(ran.stdout) == here
