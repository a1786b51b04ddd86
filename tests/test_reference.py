"""The reference engine, held against a search that is plainer still."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import get_args

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import deals, starts, states

from osmosis_solver.answer import (
    Answer,
    Budget,
    CostEntry,
    Entry,
    Lost,
    Minimise,
    OrderProof,
    Proof,
    Spent,
    Unknown,
    Watcher,
    Won,
)
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.errors import ProofError
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move, Play
from osmosis_solver.reference import STATE_BYTES, a_star, best_score, depth_first, least_turns
from osmosis_solver.rules import BRIDESMAIDS, OSMOSIS, Rules

NO_LIMIT = Budget()
small = states(deals(max_cards=9))
engines = pytest.mark.parametrize("engine", [depth_first, a_star, best_score])
minimised = st.sampled_from(get_args(Minimise))

WINNABLE = State.start(Deal.from_code("2D/3D:AC:3C2CAD"), Rules(draw=1))
# AD opens row 2 but lies under 2D for ever, and 2D needs row 2.
LOST = State.start(Deal.from_code("AD2D:AC:2C"), OSMOSIS)
LONG = State.start(Deal.from_pysol(24), OSMOSIS)


def run(engine: object, start: State, budget: Budget = NO_LIMIT) -> Answer:
    """The answer of one engine, with nobody watching."""
    assert callable(engine)
    answer = engine(start, budget, Watcher())
    assert isinstance(answer, Won | Lost | Unknown)
    return answer


def all_states(start: State) -> dict[State, int]:
    """Every state that can be reached, with the fewest turns to it, by rounds of one turn."""
    fewest: dict[State, int] = {}
    turns, now = 0, [start]
    while now:
        later: list[State] = []
        while now:
            state = now.pop()
            if state in fewest:
                continue
            fewest[state] = turns
            for move in state.legal_moves():
                (later if move == TURN else now).append(state.play(move))
        turns, now = turns + 1, later
    return fewest


def fewest_turns(start: State) -> int | None:
    """Turns of the shortest win, or None."""
    return min((t for state, t in all_states(start).items() if state.is_won), default=None)


@given(small)
def test_verdict_and_fewest_turns(start: State) -> None:
    """Both engines say won iff a breadth-first search meets a win; A* takes its turns."""
    fewest = fewest_turns(start)
    deep, best = run(depth_first, start), run(a_star, start)
    assert deep.verdict == best.verdict == ("lost" if fewest is None else "won")
    if isinstance(deep, Won) and isinstance(best, Won):
        assert best.turns == fewest
        assert deep.turns >= best.turns


@settings(max_examples=25)
@given(starts(deals(min_cards=10, max_cards=16)))
def test_engines_agree_on_larger_decks(start: State) -> None:
    """The two engines give one verdict, and no line has fewer turns than A*'s."""
    budget = Budget(positions=2000)
    deep, best = run(depth_first, start, budget), run(a_star, start, budget)
    if not isinstance(deep, Unknown) and not isinstance(best, Unknown):
        assert deep.verdict == best.verdict
    if isinstance(deep, Won) and isinstance(best, Won):
        assert deep.turns >= best.turns


@engines
@given(start=small)
def test_a_win_replays(engine: object, start: State) -> None:
    """The line of a win is legal and wins; its turns and passes are those of its moves."""
    answer = run(engine, start)
    if isinstance(answer, Won):
        assert start.play_all(answer.line).is_won
        assert answer.start == start
        assert answer.turns == sum(move == TURN for move in answer.line)
        assert answer.passes == 1 + sum(move == REDEAL for move in answer.line)


@engines
@given(start=states(deals(max_cards=12)))
def test_losses_pass_the_checker(engine: object, start: State) -> None:
    """Every answer verifies; and a winnable start has no proof, not by all its states either."""
    answer = run(engine, start, Budget(positions=2000))
    check(answer)
    if isinstance(answer, Won):
        reached = list(all_states(start))[:2000]
        n = len(start.waste) + len(start.stock)
        parts = [OrderProof(o, n, entries_under(o, start, reached)) for o in orders_of(start)]
        with pytest.raises(ProofError):
            check(Lost(start, Proof(parts), start.score, spent=Spent(0, 0)))


def cheapest_costs(start: State, minimise: Minimise) -> dict[State, tuple[int, int]]:
    """Every state with the least that leads to it: costs are lowered until none can be."""
    least, todo = {start: (0, 0)}, [start]
    while todo:
        state = todo.pop()
        for move in state.legal_moves():
            more = (move == TURN, move == REDEAL)
            first, second = more if minimise == "turns" else more[::-1]
            cost = least[state][0] + first, least[state][1] + second
            after = state.play(move)
            if after not in least or cost < least[after]:
                least[after] = cost
                todo.append(after)
    return least


@given(small, minimised)
def test_both_counts_are_least(start: State, minimise: Minimise) -> None:
    """A* finds the least of what is minimised, then of the other, with a proof that verifies."""
    costs = [cost for s, cost in cheapest_costs(start, minimise).items() if s.is_won]
    answer = a_star(start, NO_LIMIT, Watcher(), minimise)
    check(answer)
    assert answer.verdict == ("won" if costs else "lost")
    if isinstance(answer, Won):
        cost = answer.turns, answer.passes - 1
        assert min(costs) == (cost if minimise == "turns" else cost[::-1])
        assert answer.optimal
        assert answer.minimise == minimise
        assert answer.at_least == getattr(answer, minimise)


@settings(max_examples=50)
@given(small, minimised)
def test_a_proof_lists_what_is_short_of_the_optimum(start: State, minimise: Minimise) -> None:
    """Its entries are states at the least cost that leads there, short of the optimum."""
    answer = a_star(start, NO_LIMIT, Watcher(), minimise)
    if not isinstance(answer, Won):
        return
    assert answer.proof
    optimum = getattr(answer, minimise) - (minimise == "passes")
    reached = cheapest_costs(start, minimise)
    for order, entries in answer.proof.orders:
        below = {s for s, (first, _) in reached.items() if first <= optimum}
        known = {e[:3] for e in entries_under(order, start, list(below))}
        assert all(type(e) is CostEntry and e[:3] in known for e in entries)
        assert len(set(entries)) == len(entries)


@given(small)
def test_the_best_score(start: State) -> None:
    """It is the most that any state reached has home; the line reaches it, and the proof holds."""
    answer = best_score(start, NO_LIMIT, Watcher())
    check(answer)
    best = max(state.score for state in all_states(start))
    assert answer.score == best
    if isinstance(answer, Lost):
        assert answer.line is not None
        assert start.play_all(answer.line).score == best == answer.proof.most
        assert answer.optimal


@given(small, minimised)
def test_improved_lines(start: State, minimise: Minimise) -> None:
    """Lines are shown as they get better; the last one is the answer's."""
    watcher = _Keeper()
    answer = best_score(start, NO_LIMIT, watcher)
    scores = [start.play_all(line).score for line in watcher.lines]
    assert scores == sorted(set(scores))
    assert isinstance(answer, Won | Lost)
    assert answer.line == (watcher.lines[-1] if watcher.lines else ())
    watcher = _Keeper()
    best = a_star(start, NO_LIMIT, watcher, minimise)
    assert watcher.lines == ([best.line] if isinstance(best, Won) else [])


class _Keeper(Watcher):
    def __init__(self) -> None:
        self.lines = list[tuple[Move, ...]]()

    def improved(self, line: tuple[Move, ...], at_least: int | None) -> None:
        self.lines.append(line)


@given(small)
def test_estimate(start: State) -> None:
    """The estimate is at most the turns of any win and falls by no more than a move's turns."""
    fewest = fewest_turns(start)
    assert fewest is None or least_turns(start) <= fewest
    for move in start.legal_moves():
        assert least_turns(start) - least_turns(start.play(move)) <= (move == TURN)


@engines
@given(start=small)
def test_a_loss_is_every_state(engine: object, start: State) -> None:
    """A loss is proved by exactly the states that can be reached, and scores the best of them.

    More redeals left than there are cards count as so many.
    """
    answer = run(engine, start)
    if isinstance(answer, Lost):
        cards = len(start.waste) + len(start.stock)
        reached = all_states(evolve(start, redeals_left=fewer(start.redeals_left, cards)))
        assert answer.score == max(state.score for state in reached)
        assert [part.order for part in answer.proof.orders] == orders_of(start)
        for part in answer.proof.orders:
            assert part.prefix == len(start.waste) + len(start.stock)
            assert part.entries == entries_under(part.order, start, list(reached))


def fewer(redeals: int | None, cards: int) -> int | None:
    """Redeals, but no more than cards; None stays None."""
    return None if redeals is None else min(redeals, cards)


@engines
@given(start=small, more=st.integers(0, 10**9))
def test_passes_beyond_the_cards_change_nothing(engine: object, start: State, more: int) -> None:
    """With a redeal for each card or any number more, the same states are met, to one answer.

    And the verdict and the score are those without a limit.
    """
    cards = len(start.waste) + len(start.stock)
    just = run(engine, with_passes(start, cards + 1))
    many = run(engine, with_passes(start, cards + 1 + more))
    check(many)
    assert many.spent.positions == just.spent.positions
    assert evolve(many, start=just.start) == just
    free = run(engine, with_passes(start, None))
    assert (many.verdict, many.score) == (free.verdict, free.score)


def with_passes(start: State, passes: int | None) -> State:
    """The position as it is in the first of so many passes."""
    rules = evolve(start.rules, passes=passes)
    return evolve(start, rules=rules, redeals_left=None if passes is None else passes - 1)


def orders_of(start: State) -> list[str]:
    """The row orders that begin with the rows of ``start``."""
    opened = [row[0].suit for row in start.rows]
    every = map("".join, permutations(start.deal.suits))
    return [order for order in every if order.startswith("".join(opened))]


def entries_under(order: str, start: State, reached: list[State]) -> tuple[Entry, ...]:
    """The proof format, spelled out once more: fixed order, reserve closed, cards left."""
    found = set()
    for state in reached:
        suits = [row[0].suit for row in state.rows]
        if suits != list(order[: len(suits)]):
            continue
        tops = {pile[-1] for pile in state.reserve if pile}
        after = {
            state.play(move).rows
            for move in state.legal_moves()
            if isinstance(move, Play) and move.card in tops
        }
        if any(rows[-1][0].suit == order[len(rows) - 1] for rows in after):
            continue
        sequence = start.waste + start.stock
        left = [card in state.waste + state.stock for card in sequence]
        if any(left):
            bits = sum(2**j for j, here in enumerate(left) if here)
            found.add(Entry(bits, len(state.waste), state.packet, state.redeals_left or 0))
    return tuple(sorted(found))


@engines
def test_small_known_answers(engine: object) -> None:
    """A deal won by hand is won, and one lost by hand is lost in one order with one entry."""
    won, lost = run(engine, WINNABLE), run(engine, LOST)
    assert isinstance(won, Won)
    assert won.turns == 3
    assert isinstance(lost, Lost)
    assert lost.score == 2
    assert [(part.order, part.prefix) for part in lost.proof.orders] == [("CD", 1)]
    assert lost.proof.orders[0].entries == (Entry(1, 0), Entry(1, 1))


KNOWN = (Path(__file__).parent / "data" / "known_deals.tsv").read_text().splitlines()[2:]


@pytest.mark.parametrize("row", KNOWN[1:6], ids=lambda row: row[:19])
def test_known_single_pass_losses(row: str) -> None:
    """A full deal that another program found lost in a single pass is lost here, and checks."""
    code, *verdicts = row.split("\t")
    assert verdicts[6] == "L"
    answer = run(
        depth_first, State.start(Deal.from_code(code), BRIDESMAIDS), Budget(positions=5000)
    )
    assert isinstance(answer, Lost)
    check(answer)


@engines
def test_a_won_start_needs_no_move(engine: object) -> None:
    """A deck of one card is won by the empty line."""
    answer = run(engine, State.start(Deal.from_code(":AC:")))
    assert isinstance(answer, Won)
    assert answer.line == ()
    assert answer.spent.positions == 1


@engines
@given(start=small, positions=st.integers(1, 30))
def test_positions_limit(engine: object, start: State, positions: int) -> None:
    """No more states are taken than allowed; what is decided within the limit is the same."""
    free, bound = run(engine, start), run(engine, start, Budget(positions=positions))
    assert bound.spent.positions == min(positions, free.spent.positions)
    if free.spent.positions <= positions:
        assert bound == free
    else:
        assert isinstance(bound, Unknown)
        assert bound.limit == "positions"
        assert start.score <= bound.score <= len(start.deal)


@engines
def test_memory_limit(engine: object) -> None:
    """The table stops growing at the megabytes given, by the documented cost of a state."""
    answer = run(engine, LONG, Budget(megabytes=1))
    assert isinstance(answer, Unknown)
    assert answer.limit == "memory"
    assert answer.spent.positions <= 10**6 // STATE_BYTES
    assert answer.score > 1


@engines
def test_time_limit(engine: object) -> None:
    """A time that is over before it begins ends the search at the first look at the clock."""
    answer = run(engine, LONG, Budget(seconds=1e-9))
    assert isinstance(answer, Unknown)
    assert answer.limit == "seconds"
    assert answer.spent.positions < 1000


class _Stopper(Watcher):
    def __init__(self) -> None:
        self.seen: list[Spent] = []

    def progress(self, spent: Spent) -> None:
        self.seen.append(spent)
        if len(self.seen) == 3:
            raise KeyboardInterrupt


@engines
def test_watcher(engine: object) -> None:
    """The watcher is called every few hundred states, and what it raises ends the search."""
    watcher = _Stopper()
    assert callable(engine)
    with pytest.raises(KeyboardInterrupt):
        engine(LONG, NO_LIMIT, watcher)
    positions = [spent.positions for spent in watcher.seen]
    assert positions == sorted(set(positions))
    assert all(b - a < 1000 for a, b in zip([0, *positions], positions, strict=False))
