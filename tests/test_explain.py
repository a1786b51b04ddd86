"""Answers told in sentences: every reason told is true, and every row order has one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import strategies
from hypothesis import example, given, settings
from hypothesis import strategies as st

from osmosis_solver.answer import Budget, Lost, Spent, Unknown, Won
from osmosis_solver.cards import SUIT_NAMES, Card
from osmosis_solver.deal import Deal
from osmosis_solver.explain import Case, Wait, cases, explain, most_home
from osmosis_solver.game import State
from osmosis_solver.moves import Play
from osmosis_solver.notation import parse_line
from osmosis_solver.proof_game import Game
from osmosis_solver.rules import NAMED_RULES, OSMOSIS, THREE_PASSES, Rules
from osmosis_solver.solver import solve

SMALL = strategies.states(strategies.deals(min_cards=4, max_cards=10, max_piles=3))
MOST_STATES = 3000


def reached(code: str, draw: int, line: str) -> State:
    """The position after a line of play."""
    return State.start(Deal.from_code(code), Rules(draw=draw)).play_all(parse_line(line))


# Rare among random positions: the turns of the pass under way free a card, and do not though
# its place differs by a whole number of turns; places block some orders, plain cycles the rest.
UNDER_WAY = reached("9D:TD:8CTCQDQC9C8D", 3, ". QD 9D")
ALREADY_PAST = reached("QSTD:TC:QC5CTSQD5D5S", 4, "TD . .")
MIXED = reached("QS/2D2H:JS:7SJHQD7DQHJD2S7H", 4, "QS .")


def home(state: State) -> set[Card]:
    """The cards on the rows."""
    return {card for row in state.rows for card in row}


def reachable(start: State) -> Iterator[State]:
    """Every position that legal moves reach, the start too; only the first few thousand."""
    seen, todo = {start.key}, [start]
    while todo and len(seen) < MOST_STATES:
        state = todo.pop()
        yield state
        for move in state.legal_moves():
            after = state.play(move)
            if after.key not in seen:
                seen.add(after.key)
                todo.append(after)


def fits(state: State, rows: str) -> bool:
    """Whether the suits of the rows opened so far agree with these."""
    opened = "".join(row[0].suit for row in state.rows)
    return rows.startswith(opened) or opened.startswith(rows)


def is_due(start: State, wait: Wait, done: set[Card]) -> bool:
    """Whether these cards home are enough for what the wait says."""
    if wait.reason != "place":
        return wait.on[0] in done
    sequence = (*start.waste, *start.stock)
    place = sequence.index(wait.card) + 1
    before = sum(card in done for card in sequence[: place - 1])
    return wait.on[0] in done or before >= place % start.rules.draw


def shortest_cycle(start: State, rows: str) -> int | None:
    """The length of a shortest cycle of plain waits, by walks of growing length."""
    game = Game(start, rows, 0)
    away = [card for card in start.deal.cards() if card not in home(start)]
    above = {
        (low, high) for pile in start.reserve for i, low in enumerate(pile) for high in pile[i:]
    }
    waits = {
        card: {
            other
            for other in away
            if other != card
            and (game.wants[game.bit[card]] & game.bit[other] or (card, other) in above)
        }
        for card in away
    }
    ends = {card: {card} for card in away}
    for length in range(1, len(away) + 1):
        ends = {card: set().union(*(waits[end] for end in ends[card])) for card in away}
        if any(card in ends[card] for card in away):
            return length
    return None


def full(start: State, case: Case) -> list[str]:
    """The row orders that a case speaks of."""
    return [order for order in start.row_orders() if order.startswith(case.rows)]


@given(strategies.states(strategies.deals(max_cards=12)))
@settings(max_examples=150)
def test_every_answer_is_told(start: State) -> None:
    """Any answer has its sentences, each line ends with a full stop and none is empty."""
    answers = [solve(start), solve(start, budget=Budget(positions=1))]
    for answer in answers:
        lines = explain(answer).split("\n")
        assert all(line.endswith(".") and line == line.strip() for line in lines)
        assert lines[0].startswith(("Won", "No line of play wins", "Unknown"))


@given(SMALL)
@settings(max_examples=200)
def test_every_row_order_has_one_case(start: State) -> None:
    """The cases speak of each row order once, and a case that speaks of several has a reason."""
    told = list(cases(start))
    assert sorted(order for case in told for order in full(start, case)) == sorted(
        start.row_orders()
    )
    assert all(case.waits or full(start, case) == [case.rows] for case in told)


@given(SMALL)
@settings(max_examples=150)
def test_every_row_order_is_named(start: State) -> None:
    """Each case is a line of its own, which names the row of every suit it speaks of."""
    answer = solve(start)
    if not isinstance(answer, Lost):
        return
    lines = explain(answer).split("\n")[1:]
    told = list(cases(start))
    assert len(lines) == len(told)
    for line, case in zip(lines, told, strict=True):
        condition = line.partition(":")[0].lower()
        for i in range(len(start.rows), len(case.rows)):
            name = SUIT_NAMES[case.rows[i]]
            assert f"{name} row {i + 1}" in condition.replace("take row", "row")
        several = len(full(start, case)) > 1
        assert (f"whoever takes rows {len(case.rows) + 1} " in condition) == several


@given(SMALL)
@settings(max_examples=200)
def test_waits_are_true(start: State) -> None:
    """In every position that can be reached in the row order told, a card that waits came
    home only after what it waits for; and no card of a case ever comes home.
    """
    told = [case for case in cases(start) if case.waits]
    for state in reachable(start) if told else ():
        done = home(state)
        for case in told:
            if fits(state, case.rows):
                assert done.isdisjoint(wait.card for wait in case.waits)
    for case in told:
        for wait in case.waits:
            assert not is_due(start, wait, home(start))


@given(SMALL)
@settings(max_examples=200)
def test_waits_hold_each_other(start: State) -> None:
    """Each wait is for cards of the same case, and stays unmet while none of them is home,
    whatever else is; a case without a place is one single cycle.
    """
    for case in cases(start):
        blocked = {wait.card for wait in case.waits}
        assert len(blocked) == len(case.waits)
        others = set(start.deal.cards()) - blocked
        for wait in case.waits:
            assert set(wait.on) <= blocked
            assert not is_due(start, wait, others)
        if case.waits and all(wait.reason != "place" for wait in case.waits):
            cycle = [wait.card for wait in case.waits]
            assert [wait.on[0] for wait in case.waits] == [*cycle[1:], cycle[0]]


@given(SMALL)
@settings(max_examples=200)
def test_plain_waits_are_true(start: State) -> None:
    """A wait for a row, for a base card or under a card is one that the game itself names."""
    for case in cases(start):
        for wait in case.waits:
            card, on = wait.card, wait.on[0]
            if wait.reason == "cover":
                pile = next(pile for pile in start.reserve if card in pile)
                assert pile.index(card) < pile.index(on)
            elif wait.reason == "base":
                assert start.rules.row_start == "base"
                assert on == Card(start.deal.base.name[0] + card.suit) != card
                assert case.rows[0] != card.suit
            elif wait.reason == "row":
                row = case.rows.index(card.suit)
                assert on == Card(card.name[0] + case.rows[row - 1])
                assert row > 0


@given(SMALL)
@example(UNDER_WAY)
@example(ALREADY_PAST)
@example(MIXED)
@settings(max_examples=200)
def test_a_reason_is_told_if_there_is_one(start: State) -> None:
    """An order has a reason if and only if the checker's closure at the start falls short of
    the deck; the cycle is plain if one exists, and as short as those of each order told.
    """
    for case in cases(start):
        plain = bool(case.waits) and all(wait.reason != "place" for wait in case.waits)
        for order in full(start, case):
            game = Game(start, order, 0)
            assert bool(case.waits) == (game.home_at(0) != game.deck)
            length = shortest_cycle(start, order)
            assert plain == (length is not None)
            if length is not None:
                assert len(case.waits) >= length
                assert len(case.waits) == length or full(start, case) != [order]


@given(SMALL)
@example(State.start(Deal.from_code(":2C:2DAH2HADAC"), Rules(draw=2)))
@example(State.start(Deal.from_code(":AD:2DAH2CAC2H"), Rules(draw=3)))
@settings(max_examples=200)
def test_a_knot_is_tight(start: State) -> None:
    """No card can be left out of a knot: some other card would be the next to come home.

    A case may be of several row orders and counts only what its cards wait for in all of them.
    A cycle, in which no place matters, comes first: a smaller knot may be within.
    """
    for case in cases(start):
        if all(wait.reason != "place" for wait in case.waits):
            continue
        for left_out in case.waits:
            blocked = {wait.card for wait in case.waits if wait != left_out}
            assert not supported(start, case.rows, blocked)


def supported(start: State, rows: str, blocked: set[Card]) -> set[Card]:
    """The cards left when those that could come home before the rest are taken out."""
    orders = [order for order in start.row_orders() if order.startswith(rows)]
    wanted = [wants(start, order) for order in orders]
    while True:
        others = set(start.deal.cards()) - blocked
        freed = {
            card
            for card in blocked
            if not set.intersection(*(before[card] for before in wanted)) - others
            and may_come_up(start, card, others)
        }
        if not freed:
            return blocked
        blocked = blocked - freed


def wants(start: State, order: str) -> dict[Card, set[Card]]:
    """For each card those that must be home before it in a row order."""
    game = Game(start, order, 0)
    return {
        card: {other for other, its in game.bit.items() if game.wants[bit] & its}
        for card, bit in game.bit.items()
    }


def may_come_up(start: State, card: Card, done: set[Card]) -> bool:
    """Whether the card's place lets it come up at some time while only these are home."""
    sequence = (*start.waste, *start.stock)
    if card not in sequence:
        return True
    place, waste = sequence.index(card) + 1, len(start.waste)
    if place == len(sequence) or sequence[place] in done:
        return True
    if waste and place >= waste and (place - waste) % start.rules.draw == 0:
        return True
    return sum(c in done for c in sequence[: place - 1]) >= place % start.rules.draw


@given(SMALL)
@settings(max_examples=150)
def test_no_line_brings_home_more(start: State) -> None:
    """No position reached in a row order has more cards home than its proof part allows."""
    answer = solve(start)
    if not isinstance(answer, Lost):
        return
    most = {part.order: most_home(start, part) for part in answer.proof.orders if not part.entries}
    for state in reachable(start):
        for order, bound in most.items():
            if fits(state, order):
                assert state.score <= bound


@given(SMALL)
@settings(max_examples=100)
def test_a_win_names_each_row(start: State) -> None:
    """Each row that the line opens is told with its suit, its pass and the card."""
    answer = solve(start)
    if not isinstance(answer, Won):
        return
    told, state, redeals = explain(answer), start, 0
    for number, move in enumerate(answer.line):
        after = state.play(move)
        redeals = sum(str(m) == "|" for m in answer.line[: number + 1])
        if isinstance(move, Play) and len(after.rows) > len(state.rows):
            row = f"open row {len(after.rows)} in pass {redeals + 1} with {move.card}."
            assert row in told
        state = after
    assert told.count(" open row ") == len(state.rows) - len(start.rows)


@pytest.mark.parametrize("rules", NAMED_RULES.values(), ids=list(NAMED_RULES))
@given(number=st.integers(0, 2**64 - 1))
@settings(max_examples=3)
def test_standard_deals_are_told(rules: Rules, number: int) -> None:
    """Every named game has its sentences."""
    answer = solve(Deal.from_number(number, rules.layout), rules, budget=Budget(positions=2000))
    assert explain(answer)


def told(deal: Deal, rules: Rules = OSMOSIS) -> list[str]:
    """The lines of an explanation."""
    return explain(solve(deal, rules)).split("\n")


def test_pysol_24() -> None:
    """A loss that does not hang on the row order is told once."""
    assert told(Deal.from_pysol(24)) == [
        "No line of play wins. Clubs have row 1.",
        "Whoever takes rows 2 to 4: 5S waits for 9S to open its row; 9S lies under 5S in"
        " reserve pile 3. So none of them ever comes home.",
    ]


def test_pysol_32000() -> None:
    """Row orders with a cycle of their own are told one by one."""
    lines = told(Deal.from_pysol(32000))
    assert lines[0] == "No line of play wins. Hearts have row 1."
    assert lines[1] == (
        "If clubs take row 2, whoever takes rows 3 and 4: 3C waits for 3H in the row above;"
        " 3H lies under 3C in reserve pile 2. So none of them ever comes home."
    )
    assert lines[3] == (
        "If diamonds take row 2, spades row 3 and clubs row 4: 4S waits for 4D in the row above;"
        " 4D lies under AC in reserve pile 2; AC waits for 4C to open row 4; 4C waits for 4S in"
        " the row above. So none of them ever comes home."
    )
    assert len(lines) == 6


def test_places_of_all_orders_are_told() -> None:
    """A reason by places that does not hang on the row order is told once."""
    assert told(Deal.from_code("AS:2S:2D2CACAD"), Rules(draw=4)) == [
        "No line of play wins. Spades have row 1.",
        "Whoever takes rows 2 and 3: AC waits for 2C to open its row; 2C, card 2 of the stock, does"
        " not come up before AC behind it is home. So none of them ever comes home.",
    ]


def test_places_are_told() -> None:
    """Where only the places in the stock block a card, both ways to free it are told."""
    line = told(Deal.from_pysol(8))[2]
    assert line == (
        "If clubs take row 2, spades row 3 and hearts row 4: 7C, card 11 of the stock, does not"
        " come up before TS behind it is home or 2 of the 10 cards before it are, and KS, 8H, 9C,"
        " 9H, TC, 4S, QH, QS and 7H wait too; TS, KS, 4S and QS wait for 7S to open row 3; 7S"
        " waits for 7C in the row above; 8H, 9H and QH wait for 7H to open row 4; 7H waits for 7S"
        " in the row above; 9C and TC wait for 7C to open row 2. So none of them ever comes home."
    )


def test_too_few_passes_are_told() -> None:
    """Where no cycle blocks a deal, a pass limit is told by the cards that come home at most."""
    assert told(Deal.from_pysol(6), THREE_PASSES)[1] == (
        "If clubs take row 2, hearts row 3 and spades row 4: no cycle of waiting blocks it at the"
        " start, but however the turns fall, at most 47 of 52 cards come home in 3 passes."
    )


def test_a_packet_too_small_is_told() -> None:
    """Without a pass limit too the cards that come home are counted, where no cycle blocks them.

    2H lies open as long as this packet lasts, which is not until 2S comes up; later it lies under
    2C, which waits for it.
    """
    start = State.start(Deal.from_code("AC:AS:2HAH2C2S"), Rules(draw=2, waste="packet"))
    answer = solve(start.play_all(parse_line(". AH AC")))
    assert explain(answer).split("\n")[1:] == [
        "No cycle of waiting blocks it at the start, but however the turns fall, at most 4 of 6"
        " cards come home."
    ]


def test_a_search_of_one_position_is_owned() -> None:
    """One position that was followed is told in the singular."""
    lines = told(Deal.from_code(":AD:3D2C2D3C4D5C5DAC4C"), Rules(waste="packet"))
    assert lines[1:] == [
        "If clubs take row 2: no cycle of waiting blocks it at the start; 1 position of all cards"
        " of the stock was followed, and each play from it leads to one that offers no more, or"
        " where some card never comes home."
    ]


def test_a_search_is_owned() -> None:
    """Where a search was needed, the positions followed are counted, none is hidden."""
    answer = solve(Deal.from_number(117))
    assert isinstance(answer, Lost)
    lines = explain(answer).split("\n")[1:]
    parts = {part.order: part for part in answer.proof.orders}
    searched = 0
    for line, case in zip(lines, cases(answer.start), strict=True):
        if not case.waits:
            searched += 1
            assert f"; {len(parts[case.rows].entries)} positions of " in line
            assert "of the stock were followed, and each play from them leads to another" in line
    assert searched > 0


def test_a_win_is_told() -> None:
    """A win is told by its cost and by who took which row when."""
    lines = told(Deal.from_pysol(3))
    assert lines[0].startswith("Won in ")
    assert lines[1] == "Clubs have row 1."
    assert sum(" open row " in line for line in lines) == 3
    home = [re.fullmatch(r"Pass (\d+) brings (\d+) cards? home\.", line) for line in lines]
    passes = [(int(found[1]), int(found[2])) for found in home if found]
    assert [number for number, _ in passes] == list(range(1, len(passes) + 1))
    assert sum(cards for _, cards in passes) == 51


def test_a_win_at_the_start() -> None:
    """Where no move is left to make, that is said."""
    assert told(Deal.from_code(":AC:")) == ["Won already: all cards are home."]


def test_an_open_question_is_owned() -> None:
    """An unknown names the limit, what was spent and the best line."""
    start = State.start(Deal.from_pysol(6))
    lines = explain(Unknown(start, "positions", 40, spent=Spent(1, 0.25))).split("\n")
    assert lines == [
        "Unknown. The number of positions allowed was used up, after 1 position and 0.2 seconds;"
        " more might settle it.",
        "The best line found brings 40 of 52 cards home.",
    ]
    memory = explain(Unknown(start, "memory", 40, spent=Spent(1000, 3.0)))
    assert memory.startswith("Unknown. The memory allowed was used up, after 1000 positions and 3")
