"""Players' policies: what greedy does, and that its quick form does the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import states

from osmosis_solver import policy
from osmosis_solver.answer import Budget
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Play
from osmosis_solver.policy import POLICIES, Player, final_score, greedy
from osmosis_solver.rules import DRAW_ONE, NAMED_RULES, OSMOSIS, Rules
from osmosis_solver.solver import best_score

PLAIN = st.builds(
    Rules,
    draw=st.integers(1, 40),
    passes=st.none() | st.integers(1, 4),
    waste=st.sampled_from(["top", "packet"]),
    row_start=st.sampled_from(["base", "any"]),
    layout=st.sampled_from([(4, 4, 4, 4), (), (1, 0, 12), (51,)]),
)


def by_the_words(state: State) -> int:
    """Greedy once more, as the docstring words it; from the start of a pass."""
    before = -1
    while state.score > before:
        before = state.score
        while True:
            plays = [move for move in state.legal_moves() if isinstance(move, Play)]
            reserve = [play for play in plays if any(play.card in pile for pile in state.reserve)]
            if plays:
                state = state.play((reserve or plays)[0])
            elif state.stock:
                state = state.play(TURN)
            else:
                break
        if REDEAL not in state.legal_moves():
            return state.score
        state = state.play(REDEAL)
    return state.score


@given(states())
def test_greedy_is_as_it_is_worded(state: State) -> None:
    """From the first position greedy does what its docstring says, move by move."""
    start = State.start(state.deal, state.rules)
    assert greedy(start) == by_the_words(start)


@given(states())
def test_greedy_leaves_nothing_to_play(state: State) -> None:
    """It brings home no more than can be, and no less than lies on the rows already."""
    best = best_score(state, budget=Budget(positions=20_000))
    assert state.score <= greedy(state)
    if best.optimal or best.verdict == "won":
        assert greedy(state) <= best.score


@given(states())
def test_greedy_ends_stuck(state: State) -> None:
    """With passes left it stops only where no play can come up, wherever in a pass it began."""
    if state.rules.passes is None:
        end = state
        while greedy(end) > end.score:
            end = next_greedy(end)
        assert end.is_won or end.is_stuck


def next_greedy(state: State) -> State:
    """The position after greedy's next play."""
    while True:
        move = state.legal_moves()[0]
        state = state.play(move)
        if isinstance(move, Play):
            return state


@given(st.integers(0, 2**64 - 1), PLAIN)
def test_quick_greedy_is_greedy(number: int, rules: Rules) -> None:
    """The quick form of a policy reaches the score of the plain one on every native deal."""
    start = State.start(Deal.from_number(number, rules.layout), rules)
    assert final_score("greedy", number, rules) == greedy(start)


@pytest.mark.parametrize("name", sorted(NAMED_RULES))
def test_quick_greedy_under_named_rules(name: str) -> None:
    """So it does under the rules that are surveyed."""
    rules = NAMED_RULES[name]
    for number in range(5):
        start = State.start(Deal.from_number(number, rules.layout), rules)
        assert final_score("greedy", number, rules) == greedy(start)


def test_a_policy_without_a_quick_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy is whatever stands in the dictionary: a function from a position to a score."""
    monkeypatch.setitem(POLICIES, "idle", lambda state: state.score)
    assert final_score("idle", 0, OSMOSIS) == 1
    monkeypatch.delitem(policy._QUICK, "greedy")
    assert final_score("greedy", 0, OSMOSIS) == greedy(State.start(Deal.from_number(0)))


@pytest.mark.parametrize("name", ["greedy", "thoughtful", "advisor 100 packets", "advisor 7 tops"])
def test_a_player_has_a_name(name: str) -> None:
    """The name gives the player back."""
    assert str(Player.named(name)) == name


def test_the_advisor_by_default() -> None:
    """What the name does not say is what is given beside it, or else what is usual."""
    assert Player.named("advisor") == Player("advisor", 100, "packets")
    assert Player.named("advisor", 7, "reserve") == Player.named("advisor 7 reserve")
    assert Player.named("advisor 7", sees="tops") == Player("advisor", 7, "tops")


def test_the_reserve_comes_first() -> None:
    """Of two plays into one row the reserve's left one is made, and may shut the other out.

    Row 2 goes to hearts, whose ace lies open on the reserve, before the diamonds of the waste
    top; greedy so loses what the other order wins.
    """
    start = State.start(Deal.from_code("2HAH:AC:2CAD2D"), Rules(draw=2))
    assert start.legal_moves()[0] == Play(start.reserve[0][-1])
    assert greedy(start) == by_the_words(start)


@pytest.mark.parametrize(("rules", "won"), [(OSMOSIS, 93), (DRAW_ONE, 563)])
def test_greedy_counts(rules: Rules, won: int) -> None:
    """How many of the first 2,000 native deals it wins: what players' sites might count."""
    assert sum(final_score("greedy", n, rules) == 52 for n in range(2000)) == won
