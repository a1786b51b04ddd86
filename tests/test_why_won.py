"""Why a line wins: every claim is checked again, by the solver, the checker and by hand."""

from __future__ import annotations

from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_game import can_win, typicals

from osmosis_solver._kernel import Search
from osmosis_solver.answer import Answer, Budget, Watcher, Won
from osmosis_solver.cards import Card
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.drive import ALL_PRUNES, Drive, Purse, in_numbers
from osmosis_solver.explain import explain
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Play
from osmosis_solver.rules import NAMED_RULES, OSMOSIS, Rules
from osmosis_solver.solver import solve
from osmosis_solver.why_won import HeldBack, Opening, claims

SEARCHED = 12


def verified(state: State) -> Answer:
    """The answer of the solver, verified by the checker."""
    answer = solve(state)
    check(answer)
    return answer


def tops(state: State) -> set[Card]:
    """Each card that is on top of the waste now or after turns, in this pass or the next."""
    seen = set(state.waste[-1:])
    for redeal in (0, 1):
        while state.stock:
            state = state.play(TURN)
            seen.add(state.waste[-1])
        if redeal == 0 and REDEAL in state.legal_moves():
            state = state.play(REDEAL)
    return seen


def beside(state: State, card: Card) -> State:
    """The position with that card of stock or waste on a pile of its own."""
    live = set(state.waste[len(state.waste) - state.packet :]) if state.packet else set()
    return evolve(
        state,
        reserve=(*state.reserve, (card,)),
        stock=tuple(c for c in state.stock if c != card),
        waste=tuple(c for c in state.waste if c != card),
        packet=len(live - {card}),
    )


def loses(state: State, order: str) -> bool:
    """Whether the kernel finds no win with the suits in that row order."""
    drive = Drive(state, Purse(Budget(), Watcher()))
    drive.orders = (order,)
    drive.search = Search(**in_numbers(state, drive.orders), target=None, prunes=ALL_PRUNES)
    return drive.run() == "lost"


def verify(answer: Won) -> int:
    """Verify each claim about a win; how many there are."""
    found = list(claims(answer))
    for claim in found:
        state = answer.start.play_all(answer.line[: claim.moves])
        assert claim.number == 1 + answer.line[: claim.moves].count(REDEAL)
        if isinstance(claim, HeldBack):
            verify_held(answer, claim, state)
        else:
            verify_opening(answer, claim, state)
    return sum(isinstance(claim, HeldBack) or bool(claim.losing or claim.never) for claim in found)


def verify_held(answer: Won, claim: HeldBack, state: State) -> None:
    """The line passes over a legal play that loses, and the card named is what it costs."""
    assert not isinstance(answer.line[claim.moves], Play)
    after = state.play(Play(claim.card))
    assert verified(after).verdict == "lost"
    assert claim.opens == (len(after.rows) if len(after.rows) > len(state.rows) else None)
    if claim.shifted is not None:
        assert claim.shifted in tops(state) - tops(after)
        assert verified(beside(after, claim.shifted)).verdict == "won"


def verify_opening(answer: Won, claim: Opening, state: State) -> None:
    """The line opens the row; the others that lay open lose; the suits that never can cannot."""
    assert answer.line[claim.moves] == Play(claim.card)
    assert state.row_for(claim.card) == len(state.rows) == claim.row - 1
    for other in claim.losing:
        assert other.suit != claim.card.suit
        assert len(state.play(Play(other)).rows) == claim.row
        assert verified(state.play(Play(other))).verdict == "lost"
    orders = list(state.row_orders())
    suits = {case.rows[claim.row - 1] for case in claim.never}
    assert claim.card.suit not in suits
    for order in orders:
        if order[claim.row - 1] in suits:
            assert any(order.startswith(case.rows) for case in claim.never)
            assert loses(state, order)
            if len(state.deal) <= SEARCHED:
                assert not can_win(state, order)


@given(typicals)
@settings(max_examples=150)
def test_claims_about_short_deals(start: State) -> None:
    """Each claim about a win of a short deal, under any rules, is true."""
    answer = solve(start, minimise="turns")
    if isinstance(answer, Won):
        verify(answer)


@given(st.sampled_from(list(NAMED_RULES.values())), st.integers(0, 2**64 - 1), st.booleans())
@settings(max_examples=60)
def test_claims_about_standard_deals(rules: Rules, number: int, shortest: bool) -> None:
    """Each claim about a win of a standard deal is true, be it the shortest or any."""
    deal = Deal.from_number(number, rules.layout)
    answer = solve(deal, rules, minimise="turns" if shortest else None)
    if isinstance(answer, Won):
        verify(answer)


def test_claims_are_made() -> None:
    """The first 60 PySolFC deals have claims of each kind, and each is true."""
    won = [solve(Deal.from_pysol(number), minimise="turns") for number in range(1, 61)]
    wins = [answer for answer in won if isinstance(answer, Won)]
    assert sum(map(verify, wins)) > len(wins)
    found = [claim for answer in wins for claim in claims(answer)]
    held = [claim for claim in found if isinstance(claim, HeldBack)]
    openings = [claim for claim in found if isinstance(claim, Opening)]
    assert any(claim.shifted for claim in held)
    assert any(claim.opens for claim in held)
    assert any(claim.shifted is None and claim.opens is None for claim in held)
    assert any(claim.losing for claim in openings)
    assert any(claim.never for claim in openings)


def test_without_a_budget_nothing_is_claimed_that_takes_one() -> None:
    """What a position of search cannot settle is not claimed."""
    answer = solve(Deal.from_pysol(3), minimise="turns")
    assert "left on the waste" in explain(answer)
    assert "left on the waste" not in explain(answer, Budget(positions=1))


def test_a_play_that_shifts_a_card() -> None:
    """The whole story of a deal: rows, why no other suit, what is left and what it would cost."""
    answer = solve(Deal.from_pysol(18), OSMOSIS, minimise="turns")
    assert explain(answer).split("\n") == [
        "Won in 27 turns and 3 passes; no win needs fewer turns.",
        "Clubs have row 1.",
        "Pass 1 brings 9 cards home.",
        "Hearts open row 2 in pass 1 with 2H. Diamonds cannot have that row: cards that wait for"
        " one another would never come home.",
        "Pass 2 brings 24 cards home.",
        "JH is left on the waste in pass 2: playing it would shift 4C out of reach.",
        "Spades open row 3 in pass 2 with 2S. Diamonds cannot have that row: 2S waits for 2D in"
        " the row above; 2D lies under 8S in reserve pile 1; 8S waits for 2S to open row 4. So"
        " none of them ever comes home.",
        "Diamonds open row 4 in pass 2 with 2D.",
        "Pass 3 brings 18 cards home.",
    ]


def test_an_opening_that_is_left() -> None:
    """A card that would take a row is left for another; the row that it would take is named."""
    lines = explain(solve(Deal.from_pysol(11), minimise="turns")).split("\n")
    assert "8C is left on the waste in pass 1: playing it would give clubs row 2 and lose." in lines
