"""Advice to a player who does not see every card: it never looks; if all is seen it is exact."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
import test_kernel
from hidden_game import Best, belief_of, some_view
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_game import typical, typicals
from strategies import states

from osmosis_solver import Budget, Deal, OsmosisError, Play, Rules, State, sight, solve
from osmosis_solver.advisor import Advice, _Walk, advise, plan, sight_of
from osmosis_solver.moves import Move
from osmosis_solver.rules import NAMED_RULES
from osmosis_solver.sight import Step, Verdict
from osmosis_solver.view import View, glimpse

seeds = st.integers(0, 2**64 - 1)
randoms = st.randoms(use_true_random=False)
LARGE = 10**9


def mid_game(number: int) -> State:
    """A full deal under some named rules, after some moves."""
    source = random.Random(number)
    rules = source.choice(list(NAMED_RULES.values()))
    state = State.start(Deal.from_number(number, rules.layout), rules)
    for _ in range(source.randrange(60)):
        plays = [move for move in state.legal_moves() if isinstance(move, Play)]
        moves = plays or state.legal_moves()
        if moves:
            state = state.play(source.choice(moves))
    return state


# ---- it does not peek, and can be had again ----------------------------------------------------


@given(states(), randoms, seeds)
@settings(max_examples=60)
def test_equal_views_get_equal_advice(state: State, source: random.Random, seed: int) -> None:
    """Whatever lies in the unseen places, the advice is the same: it knows the view alone."""
    view = View.of(state)
    cards = list(view.unseen)
    source.shuffle(cards)
    other = View.showing(view.completed(cards), [card for card in view.places if card is not None])
    assert advise(other, completions=8, seed=seed) == advise(view, completions=8, seed=seed)


def test_full_decks_that_look_alike_get_equal_advice() -> None:
    """The same with 52 cards, of which most are unseen."""
    for number in range(5):
        view = View.of(State.start(Deal.from_number(number)))
        cards = list(view.unseen)
        random.Random(number).shuffle(cards)
        other = View.of(view.completed(cards))
        assert advise(other, completions=20) == advise(view, completions=20)


@given(states(), seeds)
@settings(max_examples=60)
def test_a_plan_begins_with_the_move_that_is_advised(state: State, seed: int) -> None:
    """``plan`` is the plan of ``advise``, and each of its moves is legal as far as it is known."""
    view = View.of(state)
    moves = plan(view, 8, seed)
    assert moves == advise(view, completions=8, seed=seed).plan
    assert moves[:1] == ((advise(view, completions=8, seed=seed).best,) if moves else ())
    view.completed().play_all(moves)


@given(states(), seeds)
@settings(max_examples=30)
def test_every_legal_move_is_ranked_once(state: State, seed: int) -> None:
    """The best comes first, each with a chance, or all without any."""
    advice = advise(View.of(state), completions=9, seed=seed)
    assert sorted(map(str, (each.move for each in advice.moves))) == sorted(
        map(str, state.legal_moves())
    )
    counts = [each.won for each in advice.moves]
    assert all(count is None for count in counts) or counts == sorted(counts, reverse=True)  # type: ignore[type-var]


# ---- with all cards seen it is exact -----------------------------------------------------------


def agrees(state: State) -> None:
    """The advice wins if the solver does, and tells so; else it says that nothing does."""
    advice = advise(View.showing(state, state.deal.cards()))
    if state.is_won or not state.legal_moves():
        assert advice.best is None
        return
    assert advice.proved
    assert advice.best is not None
    won = solve(state).verdict == "won"
    assert (solve(state.play(advice.best)).verdict == "won") == won
    if advice.moves[0].completions:
        assert advice.moves[0].won == won
        assert not won or state.play_all(advice.plan).score > state.score


def test_with_all_cards_seen_it_agrees_with_the_solver() -> None:
    """Of 300 positions of short decks, each that can be won still can after the first move."""
    for seed in range(300):
        agrees(typical(seed))


def test_with_all_cards_seen_it_agrees_on_full_decks() -> None:
    """The same of 30 positions of full deals under named rules."""
    for number in range(30):
        agrees(mid_game(number))


@pytest.mark.slow
def test_it_agrees_on_a_thousand_of_each() -> None:
    """The same of 1,000 positions of short decks and 1,000 of full deals."""
    for number in range(1000):
        agrees(typical(10**6 + number))
        agrees(mid_game(10**6 + number))


# ---- verdicts of completions -------------------------------------------------------------------


@given(typicals, randoms, seeds, st.integers(0, 10**6))
@settings(max_examples=60)
def test_verdicts_of_completions_are_those_of_solve(
    state: State, source: random.Random, seed: int, number: int
) -> None:
    """Under any completion the fast rooms say of a view what ``solve`` says of it completed."""
    view = some_view(state, source.randrange(8), source)
    sight = sight_of(view)
    cards, verdict = sight.guesses().settle(0, seed, number, False, LARGE, LARGE)
    names = {sight_number: card for card, sight_number in _numbers(view).items()}
    done = view.completed(names[card] for card in cards)
    assert (verdict == 1) == (solve(done).verdict == "won")


def _numbers(view: View) -> dict[Any, int]:
    suits = sorted({card.suit for card in view.deck}, key="CDHS".index)
    ranks = sorted({card.rank for card in view.deck})
    return {c: 13 * suits.index(c.suit) + ranks.index(c.rank) for c in view.deck}


def test_all_completions_are_taken_where_they_are_few() -> None:
    """If no more than are asked for exist, each comes once; else each card comes everywhere."""
    view = View.from_text("Deck: CD A234\nBase: AC\nReserve: ?? ?? ?? 2C\nStock: 3C 4C AD\n")
    guesses = sight_of(view).guesses()
    taken = {tuple(guesses.settle(0, 1, k, True, LARGE, LARGE)[0]) for k in range(6)}
    drawn = [tuple(guesses.settle(0, 1, k, False, LARGE, LARGE)[0]) for k in range(200)]
    assert len(taken) == 6
    assert set(drawn) == taken
    assert max(map(drawn.count, taken)) < 60


def test_more_completions_are_drawn_where_few_can_be_won() -> None:
    """Under a pass limit, until a quarter of what is asked for can be won, or ten times as many."""
    drawn = set[int]()
    for number in range(40):
        state = State.start(Deal.from_number(number), NAMED_RULES["THREE_PASSES"])
        found = sight_of(View.of(state)).weigh(20, number)
        drawn.add(found.drawn)
        assert 20 <= found.drawn <= 200
        assert found.winnable >= 5 or found.drawn == 200
        assert found.winnable == 5 or found.drawn in (20, 200)
    assert {200} < drawn
    free = sight_of(View.of(State.start(Deal.from_number(0))))
    assert free.weigh(20, 0).drawn == 20


def test_a_huge_pass_limit_is_like_a_large_one() -> None:
    """What fits no word of the fast rooms is advised on as what does."""
    ranked = list[Any]()
    for passes in (999, 2**62):
        start = State.start(Deal.from_number(0), Rules(passes=passes))
        ranked.append(advise(View.showing(start, start.stock), completions=20).moves)
    assert ranked[0] == ranked[1]
    assert ranked[0][0].completions


# ---- what plans are worth ----------------------------------------------------------------------


def with_plans(count: int) -> Iterator[View]:
    """So many views of short decks with few hidden cards, in which there is something to weigh."""
    seed = 10**6
    while count:
        seed += 1
        source = random.Random(seed)
        view = some_view(typical(seed), source.randrange(2, 5), source)
        if view.unseen and sight_of(view).safe() is None and view.completed().legal_moves():
            count -= 1
            yield view


def weighed(view: View, depth: int) -> Verdict:
    """All completions of a view weighed so many shown cards ahead."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sight, "DEPTH", depth)
        return sight_of(view).weigh(24, 0)


def _moves(view: View, steps: Iterable[Step]) -> tuple[Move, ...]:
    return _Walk.of(view).moves(steps)


def wins(states: Iterable[State]) -> int:
    """How many of the positions can be won."""
    return sum(solve(state).verdict == "won" for state in states)


def wins_where_it_ends(view: View) -> None:
    """One shown card ahead; a play wins at most what the solver wins after it, all cards seen.

    A plan that wins ends where a card is shown, or where all are home.
    """
    verdict = weighed(view, 1)
    belief, seen = belief_of(view)
    assert verdict.exact
    assert verdict.winnable == wins(belief)
    for each in verdict.plans:
        moves = _moves(view, each.steps)
        if each.won >= 0:
            ends = [state.play_all(moves) for state in belief]
            assert each.won == wins(ends)
            assert not each.won or ends[0].is_won or not glimpse(ends[0], view.sees) <= seen
        # Other plans may play the same card passes later, and win less.
        first = _moves(view, each.steps[:1])
        assert each.most <= wins(state.play_all(first) for state in belief)


def wins_as_those_behind_it(view: View) -> None:
    """Those that look alike once a card is shown go on with one plan, after what is safe."""
    belief, seen = belief_of(view)
    for each in weighed(view, 2).plans:
        if each.won >= 0:
            moves = _moves(view, each.steps)
            assert each.won == _behind(view, [s.play_all(moves) for s in belief], seen)


def test_a_plan_wins_what_the_solver_wins_where_it_ends() -> None:
    """Of 150 views."""
    for view in with_plans(150):
        wins_where_it_ends(view)


def test_two_cards_ahead_a_plan_wins_what_the_best_plans_behind_it_win() -> None:
    """Of 150 views."""
    for view in with_plans(150):
        wins_as_those_behind_it(view)


BARED = """Deck: CDH A234
Base: 2H
Reserve: AH ?? 4C
Reserve: ?? AC
Waste: ?? 3C
Stock: ?? 3D 2C
Rows: 2H 3H
Redeals: 0
Packet: 2
"""


def test_a_plan_ends_where_a_play_bares_an_unseen_card_of_the_waste() -> None:
    """Whatever that card is, all its moves are legal."""
    rules = Rules(draw=3, passes=1, waste="packet", row_start="any")
    view = View.from_text(BARED, rules)
    belief, _ = belief_of(view)
    for each in weighed(view, 2).plans:
        assert all(state.play_all(_moves(view, each.steps)) for state in belief)


def _behind(view: View, belief: list[State], seen: Any) -> int:
    groups: dict[View, list[State]] = {}
    for state in belief:
        look = View.showing(state, seen | glimpse(state, view.sees), view.sees)
        groups.setdefault(look, []).append(state)
    return sum(_best(look, group) for look, group in groups.items())


def _best(view: View, belief: list[State]) -> int:
    if belief[0].is_won:
        return len(belief)
    place = sight_of(view).reserve_place()
    if place is not None:
        moves = _moves(view, [Step(place)])
        return _behind(view, [s.play_all(moves) for s in belief], belief_of(view)[1])
    return max([0, *(each.won for each in weighed(view, 1).plans)])


# ---- safe moves --------------------------------------------------------------------------------


def with_safe_moves(kind: str, count: int) -> Iterator[View]:
    """So many views of short decks in which a safe move of a kind is found."""
    seed = 0
    while count:
        seed += 1
        source = random.Random(seed)
        view = some_view(typical(seed), source.randrange(4), source)
        found = sight_of(view).safe()
        if view.unseen and found and found[0] == kind:
            count -= 1
            yield view


@pytest.mark.parametrize("kind", ["reserve", "waste", "scout", "open"])
def test_safe_moves_lose_nothing(kind: str) -> None:
    """Over all completions, the best way to play on wins as many as the best that begins so."""
    for view in with_safe_moves(kind, 16):
        loses_nothing(view)


def loses_nothing(view: View) -> None:
    """The first move of a plan wins as many completions as any way to play on."""
    belief, seen = belief_of(view)
    best = Best(view.sees)
    moves = plan(view)
    assert _after(best, belief, seen, moves[:1]) == best.of(belief, seen), f"{moves}\n{view}"


def _after(best: Best, belief: tuple[State, ...], seen: Any, moves: tuple[Any, ...]) -> int:
    return best.after(tuple(state.play_all(moves) for state in belief), seen)


def test_what_is_not_safe_is_not_called_so() -> None:
    """A card that opens a row may take it from another; under a pass limit turns have a price."""
    text = "Base: AC\nReserve: ?? ?? ?? AD\nReserve: ?? ?? ?? AH\nStock: " + "?? " * 43 + "\n"
    assert sight_of(View.from_text(text, Rules(passes=2))).safe() is None
    found = sight_of(View.from_text(text)).safe()
    assert found is not None
    assert found[0] == "scout"


SHIFTED = """\
Deck: CD A23456
Base: AD
Reserve:
Reserve: 3C
Waste: 4D 5C 3D
Stock: 4C 2C AC 2D 6C
Rows: AD 5D 6D
Redeals: 1
"""
OPENS = """\
Deck: CDH A234
Base: 4C
Waste: 4D
Stock: 2C 2H 4H 3D 3H ?? AH AC 3C 2D
Rows: 4C
Redeals: 0
"""


@pytest.mark.parametrize(
    ("text", "rules"),
    [(SHIFTED, Rules(passes=3)), (OPENS, Rules(draw=1, passes=1, row_start="any"))],
)
def test_a_play_from_the_waste_that_costs_a_win_is_not_called_safe(text: str, rules: Rules) -> None:
    """By draw 3 it moves the cards under it to other packets; or it opens a row."""
    view = View.from_text(text, rules)
    belief, seen = belief_of(view)
    best = Best(view.sees)
    assert _after(best, belief, seen, (Play(belief[0].waste[-1]),)) < best.of(belief, seen)
    assert sight_of(view).safe() is None


# ---- what is told ------------------------------------------------------------------------------


def told(number: int, **asked: Any) -> Advice:
    """Advice at the start of a deal whose stock was seen."""
    state = State.start(Deal.from_number(number))
    return advise(View.of(state, seen=state.stock), **asked)


def test_reasons_name_the_move_and_its_rivals() -> None:
    """One sentence tells what the first move is and how often it and the next ones win."""
    start = State.start(Deal.from_number(3))
    assert advise(View.of(start)).reason == (
        "Turn: scouting is free, so see the stock before you play from it."
    )
    advice = next(
        each for each in map(told, range(20)) if len(each.moves) > 1 and each.moves[0].won
    )
    assert f"won in {advice.moves[0].won} of 100 completions" in advice.reason
    assert advice.reason.count(".") == 1


def test_a_limit_that_is_hit_is_told() -> None:
    """Searches that run into a limit count as no win, and the advice says how many did."""
    assert told(3, budget=Budget(positions=1)).cut > 0
    state = State.start(Deal.from_number(3))
    view = View.showing(state, state.deal.cards())
    advice = advise(view, budget=Budget(positions=1))
    assert advice.cut > 0
    assert not advice.proved
    assert "limit" in advice.reason


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"completions": 0}, "advise, completions: got 0"),
        ({"completions": True}, "advise, completions: got True"),
        ({"completions": 10**9}, "advise, completions: got 1000000000"),
        ({"seed": -1}, "advise, seed: got -1"),
        ({"seed": 2**64}, "advise, seed: got 18446744073709551616"),
        ({"budget": Budget(seconds=1)}, "advise, budget: got 1 seconds"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(asked: dict[str, Any], message: str) -> None:
    """The error says what was got and what was wanted."""
    with pytest.raises(OsmosisError, match=message):
        told(3, **asked)


def test_the_end_of_the_game() -> None:
    """There is no advice where no move is left, and none worth making where no play comes up."""
    won = State.start(Deal.from_code(":AC:"))
    assert advise(View.of(won)).reason == "All cards are home."
    stuck = State.start(Deal.from_code("2DAD:AC:3D2C3C"), Rules(draw=3))
    assert plan(View.showing(stuck, stuck.deal.cards())) != ()


# ---- the two forms of the fast rooms -----------------------------------------------------------


@given(states(), randoms, seeds)
@settings(max_examples=25)
def test_compiled_or_not_the_same_is_told(state: State, source: random.Random, seed: int) -> None:
    """The fast rooms weigh the same without a compiler."""
    view = some_view(state, source.randrange(8), source)
    sight = sight_of(view)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("osmosis_solver.sight.Plans", PLAIN.Plans)
        plain = sight.weigh(6, seed)
    assert plain == sight.weigh(6, seed)


def _uncompiled() -> Any:
    import sys

    with pytest.MonkeyPatch.context() as patch:
        for room in ("_board", "_table", "_plain", "_general", "_kernel", "_advise", "_ways"):
            patch.setitem(sys.modules, f"osmosis_solver.{room}", test_kernel.source_module(room))
        return test_kernel.source_module("_plans")


PLAIN = _uncompiled()


@pytest.mark.parametrize("number", [196, 2304])
def test_with_all_cards_seen_a_long_search_is_no_loss(number: int) -> None:
    """Where nothing is hidden the plan of a game is that of advice: a win, however long it took."""
    start = State.start(Deal.from_number(number))
    view = View.showing(start, start.deal.cards())
    moves = plan(view)
    assert moves[0] == advise(view).best
    assert solve(start.play_all(moves)).verdict == "won"
