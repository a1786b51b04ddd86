"""The advisor's player: shown no hidden card, and its quick form does as the plain one does."""

from __future__ import annotations

import random
from itertools import permutations
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osmosis_solver.advisor import sight_of
from osmosis_solver.cards import DECK, Card
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.numbering import native_order
from osmosis_solver.policy import Eyes, Player
from osmosis_solver.rules import NAMED_RULES, Rules
from osmosis_solver.sight import Sight, Step
from osmosis_solver.sitting import Sitting, advised, final_score, plain_score, seed_of
from osmosis_solver.view import View, glimpse

FEW = 4
EYES: tuple[Eyes, ...] = ("packets", "tops", "reserve")
NUMBERS = st.integers(0, 2**64 - 1)
PLAIN = st.builds(
    Rules,
    draw=st.integers(1, 5),
    passes=st.none() | st.integers(1, 4),
    waste=st.sampled_from(["top", "packet"]),
    row_start=st.sampled_from(["base", "any"]),
    layout=st.sampled_from([(4, 4, 4, 4), (), (1, 0, 12), (51,)]),
)


def whim(sight: Sight, completions: int, seed: int) -> tuple[Step, ...]:
    """In place of the best plan: any of them."""
    plans = sight.weigh(completions, seed).plans
    return random.Random(seed).choice(plans).steps if plans else ()


@pytest.fixture(params=[Sight.plan, whim], ids=["plan", "whim"])
def advice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What both forms are told: the advice, or anything."""
    monkeypatch.setattr(Sight, "plan", request.param)


def start_of(cards: list[int], rules: Rules) -> State:
    """The first position of a deal given in dealing order."""
    names = [DECK[card] for card in cards]
    piles, at = list[tuple[Card, ...]](), 0
    for size in rules.layout:
        piles.append(tuple(names[at : at + size]))
        at += size
    return State.start(Deal(tuple(piles), names[at], tuple(names[at + 1 :])), rules)


def seat(number: int, rules: Rules, eyes: Eyes) -> tuple[State, Sitting, list[int]]:
    """The first position of a native deal, the player who sits down at it, and the cards."""
    cards = [card.index for card in native_order(number)]
    return start_of(cards, rules), Sitting.down(rules, eyes, cards.__getitem__), cards


@pytest.mark.usefixtures("advice")
@pytest.mark.parametrize("eyes", EYES)
@settings(max_examples=15)
@given(number=NUMBERS, rules=PLAIN)
def test_both_forms_do_the_same(number: int, rules: Rules, eyes: Eyes) -> None:
    """Whatever the advice is, the quick form makes the moves of the plain one, to the end."""
    start, quick, _ = seat(number, rules, eyes)
    score = quick.play_out(FEW)
    assert quick.line == list(advised(start, FEW, eyes))
    assert start.play_all(quick.line).score == score


@pytest.mark.parametrize("name", sorted(NAMED_RULES))
def test_both_forms_under_named_rules(name: str) -> None:
    """So it does under the rules that are surveyed."""
    rules, player = NAMED_RULES[name], Player("advisor", 20)
    for number in range(2):
        start = State.start(Deal.from_number(number, rules.layout), rules)
        assert final_score(player, number, rules) == plain_score(player, start)


@pytest.mark.usefixtures("advice")
@pytest.mark.parametrize("eyes", EYES)
@settings(max_examples=10)
@given(number=NUMBERS, rules=PLAIN)
def test_it_sees_what_the_table_shows(number: int, rules: Rules, eyes: Eyes) -> None:
    """Whenever it asks, its sight is that of the view after the moves made, card by card."""
    start, quick, _ = seat(number, rules, eyes)
    going = True
    while going:
        seen = [c for pile in start.reserve for c in pile] if eyes == "reserve" else eyes
        view = View.of(start, quick.line, seen=seen)
        assert quick.sight() == sight_of(view)
        going = quick.go_on(FEW)


@pytest.mark.parametrize("eyes", EYES)
@settings(max_examples=15)
@given(number=NUMBERS, rules=PLAIN, when=st.integers(0, 12), seed=st.integers(0, 99))
def test_what_is_hidden_changes_nothing(
    number: int, rules: Rules, eyes: Eyes, when: int, seed: int
) -> None:
    """Deals that differ only in cards not seen lead to the same moves as long as they are not."""
    _, quick, cards = seat(number, rules, eyes)
    for _ in range(when):
        quick.go_on(FEW)
    hidden = [place for place in range(52) if quick.known[place] < 0]
    other = list(cards)
    for place, source in zip(hidden, random.Random(seed).sample(hidden, len(hidden)), strict=True):
        other[place] = cards[source]
    again = Sitting.down(rules, eyes, other.__getitem__)
    for _ in range(when):
        again.go_on(FEW)
    assert again.line == quick.line
    assert again.sight() == quick.sight()


@settings(max_examples=20)
@given(number=NUMBERS, rules=PLAIN)
def test_no_card_is_asked_for_before_it_lies_open(number: int, rules: Rules) -> None:
    """At each place that it asks for lies a card that the moves so far have laid open."""
    state, _, cards = seat(number, rules, "packets")
    asked = set[Card]()

    def show(place: int) -> int:
        asked.add(DECK[cards[place]])
        return cards[place]

    quick, seen, done = Sitting.down(rules, "packets", show), glimpse(state), 0
    while quick.go_on(FEW):
        for move in quick.line[done:]:
            state = state.play(move)
            seen |= glimpse(state)
        done = len(quick.line)
        assert asked <= seen


@pytest.mark.usefixtures("advice")
@settings(max_examples=20)
@given(number=NUMBERS, rules=PLAIN)
def test_it_ends_where_nothing_comes_up(number: int, rules: Rules) -> None:
    """The game ends won, or where no play can come up any more."""
    start, quick, _ = seat(number, rules, "packets")
    quick.play_out(FEW)
    end = start.play_all(quick.line)
    assert end.is_won or end.is_stuck


def test_each_view_has_a_seed_of_its_own() -> None:
    """The seed is made of what is seen: equal views have the same, others do not."""
    deals = [f"{'/'.join(order)}:AC:2C2D2H2S" for order in permutations(["AD", "AH", "AS"])]
    starts = [State.start(Deal.from_code(code)) for code in deals]
    seeds = [seed_of(View.of(start)) for start in starts]
    assert seeds == [seed_of(View.of(start)) for start in starts]
    assert len(set(seeds)) == factorial(3)
