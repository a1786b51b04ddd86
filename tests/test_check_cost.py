"""The checker on optima: none that is false is ever accepted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from heapq import heappop, heappush
from itertools import count, islice
from typing import Any, NamedTuple, get_args

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_game import close_reserve, fits
from strategies import choices, deals, rules, states, walk

from osmosis_solver.answer import (
    Answer,
    Budget,
    CostEntry,
    CostProof,
    Entry,
    Minimise,
    Proof,
    Spent,
    Watcher,
    Won,
)
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.errors import ProofError
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN
from osmosis_solver.proof_game import Game
from osmosis_solver.reference import a_star
from osmosis_solver.rules import Rules
from osmosis_solver.solver import solve

FREE = Spent(0, 0.0)
Cost = tuple[int, int]
minimised = st.sampled_from(("turns", "passes"))
small = states(deals(max_cards=10))


def holds(answer: Answer) -> bool:
    """Whether the checker accepts; any error but ``ProofError`` comes through."""
    try:
        check(answer)
    except ProofError:
        return False
    return True


def in_order(minimise: str | None, turns: int, redeals: int) -> Cost:
    """Turns and redeals, the one to minimise first."""
    return (redeals, turns) if minimise == "passes" else (turns, redeals)


def cheapest(start: State, minimise: str | None, order: str = "") -> Cost | None:
    """What the cheapest win costs, by all lines (that fit the row order), or None."""
    ties, seen = count(), set[State]()
    todo = [((0, 0), next(ties), start)]
    while todo:
        cost, _, state = heappop(todo)
        if state.is_won:
            return cost
        if state in seen:
            continue
        seen.add(state)
        for move in state.legal_moves():
            more = in_order(minimise, move == TURN, move == REDEAL)
            after = state.play(move)
            if after not in seen and (not order or fits(after, order)):
                heappush(todo, (plus(cost, more), next(ties), after))
    return None


def plus(one: Cost, two: Cost) -> Cost:
    """Two costs added up."""
    return one[0] + two[0], one[1] + two[1]


def claim(start: State, line: Any, minimise: Minimise, proof: Any) -> Won:
    """The claim that the line is the cheapest, by this proof."""
    bare = Won(start, line, spent=FREE)
    return evolve(bare, minimise=minimise, at_least=getattr(bare, minimise), proof=proof)


def is_optimal(won: Won) -> bool:
    """Whether no line is cheaper than the one claimed, by all lines."""
    return in_order(won.minimise, won.turns, won.passes - 1) == cheapest(won.start, won.minimise)


# ---- the strongest fakes --------------------------------------------------------------


def strongest(won: Won, order: str) -> tuple[CostEntry, ...]:
    """The largest part that is closed by the checker's own rules, for the line's cost.

    If any part does, this one does: entries at the cheapest cost by which the checker itself
    comes there are the easiest to reach, so a part that lists less or cheaper ones stays
    closed when these take their place. Each play leaves fewer cards, so going from few cards
    left to many finds which of them hold.
    """
    game = Game(won.start, order, len(won.start.waste) + len(won.start.stock))
    most = in_order(won.minimise, won.turns, won.passes - 1)
    reached, kept = all_reached(game, won.minimise), dict[Entry, Cost]()
    held = Held(game, won.minimise, kept, most)
    for position in sorted(reached, key=lambda p: p.left.bit_count()):
        cost = reached[position]
        steps = [
            (to, plus(cost, in_order(won.minimise, *more))) for to, more in ways(game, position)
        ]
        if position.left and all(held(*step) for step in steps):
            kept[position] = cost
    redeals = game.first().redeals
    return tuple(
        CostEntry(*p[:3], *in_order(won.minimise, *cost))
        for p, cost in kept.items()
        if game.redeals is None or in_order(won.minimise, *cost)[1] == redeals - p.redeals
    )


def ways(game: Game, position: Entry) -> Iterator[tuple[Entry, Cost]]:
    """The positions one play on with their turns and redeals."""
    return ((after, cost) for _, after, cost in game.steps(position))


def all_reached(game: Game, minimise: str | None) -> dict[Entry, Cost]:
    """Every position that the checker sees, with the cheapest cost to come there."""
    reached, todo = dict[Entry, Cost](), [((0, 0), game.first())]
    while todo:
        cost, position = heappop(todo)
        if position not in reached:
            reached[position] = cost
            for after, more in ways(game, position):
                heappush(todo, (plus(cost, in_order(minimise, *more)), after))
    return reached


class Held(NamedTuple):
    """Whether a position that is reached at some cost is listed no dearer, or bounded."""

    game: Game
    minimise: str | None
    kept: dict[Entry, Cost]
    most: Cost

    def __call__(self, position: Entry, cost: Cost) -> bool:
        """Whether it is."""
        more = range(position.redeals, self.game.first().redeals + 1)
        richer = [position._replace(redeals=redeals) for redeals in more]
        if any(self.kept[p] <= cost for p in richer if p in self.kept):
            return True
        ahead = self.game.ahead(position)
        return ahead is None or plus(cost, in_order(self.minimise, *ahead)) >= self.most


def strongest_claim(start: State, line: Any, minimise: Minimise) -> Won:
    """The claim that the line is the cheapest, with the strongest proof that there can be."""
    won = claim(start, line, minimise, CostProof(()))
    parts = ((order, strongest(won, order)) for order in start.row_orders())
    return evolve(won, proof=CostProof(tuple(parts)))


@settings(max_examples=400)
@given(small, choices, minimised)
def test_the_strongest_fake(start: State, detour: list[int], minimise: Minimise) -> None:
    """A line is accepted with the strongest proof iff it is the cheapest, by all lines."""
    middle, line = walk(start, detour)
    rest = solve(middle)
    assume(isinstance(rest, Won))
    assert isinstance(rest, Won)
    fake = strongest_claim(start, (*line, *rest.line), minimise)
    assert holds(fake) == is_optimal(fake)


unlimited = rules().map(lambda named: evolve(named, passes=None))


@settings(max_examples=100)
@given(deals(max_cards=9), unlimited, minimised)
def test_an_empty_lap_is_not_optimal(deal: Deal, named: Rules, minimise: Minimise) -> None:
    """A pass that plays nothing, put before the cheapest line, is seen whatever the proof."""
    start = State.start(deal, named)
    won = solve(start, minimise=minimise)
    if not isinstance(won, Won) or not start.stock:
        return
    lap = [TURN] * -(-len(start.stock) // start.rules.draw)
    line = (*lap, REDEAL, *won.line)
    assert not holds(claim(start, line, minimise, won.proof))
    assert not holds(claim(start, line, minimise, CostProof(())))
    assert not holds(strongest_claim(start, line, minimise))


# ---- true proofs, altered -------------------------------------------------------------


def plain_holds(won: Won) -> bool:
    """The condition on a proof, once more, by plays of ``State`` and the true costs of the rest.

    No bound is larger than these, so what the checker accepts must hold here too.
    """
    assert won.proof
    listed = dict(won.proof.orders)
    most = in_order(won.minimise, won.turns, won.passes - 1)
    return all(
        plain_part(won, order, listed.get(order, ()), most) for order in won.start.row_orders()
    )


def plain_part(won: Won, order: str, entries: tuple[CostEntry, ...], most: Cost) -> bool:
    """The condition on one row order's part."""
    start, listed = won.start, dict[tuple[int, int, int, int], Cost]()
    for e in entries:
        used = 0 if start.redeals_left is None else e.redeals
        listed[e.left, e.waste, e.packet, used] = in_order(won.minimise, e.turns, e.redeals)
    todo, seen = [(close_reserve(start, order), (0, 0), 0)], set[Any]()
    while todo:
        state, cost, used = todo.pop()
        left = {*state.waste, *state.stock}
        sequence = enumerate((*start.waste, *start.stock))
        bits = sum(1 << j for j, card in sequence if card in left)
        spots = [(bits, len(state.waste), state.packet, redeals) for redeals in range(used + 1)]
        known = min((listed[s] for s in spots if s in listed), default=None)
        if known is None or known > cost:
            rest = cheapest(state, won.minimise, order)
            if rest is not None and plus(cost, rest) < most:
                return False
        elif (bits, state, known) not in seen:
            seen.add((bits, state, known))
            todo += plain_steps(state, order, known, used, won.minimise)
    return True


def plain_steps(
    state: State, order: str, cost: Cost, used: int, minimise: str | None
) -> Iterator[tuple[State, Cost, int]]:
    """The positions after the next play from the waste, what they cost, and the redeals used."""
    redeals = 0
    while True:
        moves = state.legal_moves()
        top = state.waste[-1:]
        for move in moves:
            if move not in (TURN, REDEAL) and (move.card,) == top:  # type: ignore[union-attr]
                after = state.play(move)
                if fits(after, order):
                    limited = 0 if state.redeals_left is None else used + redeals
                    yield close_reserve(after, order), cost, limited
        if not moves or moves[-1] not in (TURN, REDEAL) or redeals + (moves[-1] == REDEAL) > 1:
            return
        redeals += moves[-1] == REDEAL
        cost = plus(cost, in_order(minimise, moves[-1] == TURN, moves[-1] == REDEAL))
        state = state.play(moves[-1])


@cache
def optima() -> tuple[Won, ...]:
    """Optimal answers of both engines, each with entries in its proof."""
    found = (won for number in count() for won in optima_of(short_start(number)))
    return tuple(islice(found, 60))


def optima_of(start: State) -> Iterator[Won]:
    """The cheapest wins of a position by both engines, where a proof lists anything."""
    for minimise in get_args(Minimise):
        plain = a_star(start, Budget(), Watcher(), minimise)
        for answer in (solve(start, minimise=minimise), plain):
            if isinstance(answer, Won) and answer.proof and answer.proof.orders:
                yield answer


def short_start(number: int) -> State:
    """A deal of 12 cards without a reserve, by the order of a numbered one; rules in turn."""
    order = [c for c in Deal.from_number(number).cards() if c.rank <= 4 and c.suit != "C"]
    named = Rules(
        draw=2 + number % 3,
        passes=(None, 3, 5)[number // 3 % 3],
        waste=("top", "packet")[number % 2],
        row_start=("base", "any")[number // 2 % 2],
    )
    return State.start(Deal((order[:1],), order[1], order[2:]), named)


an_optimum = st.integers(0, 59).map(lambda i: optima()[i])


def test_optima_to_start_from() -> None:
    """They are accepted as they are, and hold by plain play; all rules are among them."""
    for won in optima():
        assert holds(won)
        assert plain_holds(won)
    starts = [won.start for won in optima()]
    assert {s.rules.waste for s in starts} == {"top", "packet"}
    assert {s.rules.row_start for s in starts} == {"base", "any"}
    assert {s.redeals_left is None for s in starts} == {True, False}


def altered(won: Won, part: int, entries: tuple[Any, ...]) -> Won:
    """The answer with the entries of one row order's part replaced."""
    assert won.proof
    parts = list(won.proof.orders)
    parts[part] = (parts[part][0], entries)
    return evolve(won, proof=CostProof(tuple(parts)))


@st.composite
def an_entry(draw: st.DrawFn) -> tuple[Won, int, tuple[CostEntry, ...], int]:
    """An optimum, the number of a part, its entries, and the number of one of these."""
    won = draw(an_optimum)
    assert won.proof
    part = draw(st.integers(0, len(won.proof.orders) - 1))
    entries = won.proof.orders[part][1]
    return won, part, entries, draw(st.integers(0, len(entries) - 1))


@settings(max_examples=80)
@given(an_entry(), st.integers(1, 3))
def test_a_missing_entry(chosen: tuple[Won, int, tuple[CostEntry, ...], int], gone: int) -> None:
    """Without an entry or more the proof is refused, or holds all the same by plain play."""
    won, part, entries, at = chosen
    shorter = altered(won, part, entries[:at] + entries[at + gone :])
    assert not holds(shorter) or plain_holds(shorter)


def test_removals_are_refused() -> None:
    """The kernel lists nothing that it need not: no entry of its proofs may be left out.

    Unless the position is listed once more with more redeals left.
    """
    starts = {won.start: won.minimise for won in optima()}
    for start, minimise in starts.items():
        won = solve(start, minimise=minimise)
        assert isinstance(won, Won)
        assert won.proof
        for part, (_, entries) in enumerate(won.proof.orders):
            for at in range(len(entries)):
                shorter = altered(won, part, entries[:at] + entries[at + 1 :])
                same = [e for e in entries if e[:3] == entries[at][:3]]
                assert not holds(shorter) or len(same) > 1


@settings(max_examples=200)
@given(an_entry(), st.sampled_from(CostEntry._fields), st.sampled_from((-2, -1, 1, 2, 8, 2**60)))
def test_an_altered_entry(
    chosen: tuple[Won, int, tuple[CostEntry, ...], int], name: str, by: int
) -> None:
    """With a number of an entry changed the proof is refused, or holds all the same."""
    won, part, entries, at = chosen
    changed = entries[at]._replace(**{name: getattr(entries[at], name) + by})
    other = altered(won, part, (*entries[:at], changed, *entries[at + 1 :]))
    assert not holds(other) or plain_holds(other)
    if min(changed) < 0:
        assert not holds(other)


@settings(max_examples=100)
@given(an_entry(), st.integers(1, 5))
def test_a_dearer_entry(chosen: tuple[Won, int, tuple[CostEntry, ...], int], by: int) -> None:
    """A position listed at more turns than it costs is as good as not listed."""
    won, part, entries, at = chosen
    dearer = entries[at]._replace(turns=entries[at].turns + by)
    other = altered(won, part, (*entries[:at], dearer, *entries[at + 1 :]))
    shorter = altered(won, part, entries[:at] + entries[at + 1 :])
    assert not holds(other) or holds(shorter)


@given(an_entry())
def test_an_entry_twice(chosen: tuple[Won, int, tuple[CostEntry, ...], int]) -> None:
    """The same position twice is refused, at the same cost or another; the order is all one."""
    won, part, entries, at = chosen
    again = entries[at]._replace(turns=entries[at].turns + 1)
    assert not holds(altered(won, part, (*entries, entries[at])))
    assert not holds(altered(won, part, (*entries, again)))
    assert holds(altered(won, part, entries[::-1]))


@given(an_entry())
def test_an_entry_too_many(chosen: tuple[Won, int, tuple[CostEntry, ...], int]) -> None:
    """What is no position, or costs less than nothing, is refused though the rest is a proof.

    A position with one card left, at a million turns or redeals, is dear enough to be closed.
    """
    won, part, entries, at = chosen
    entry, dear = entries[at], CostEntry(1, 0, 0, 10**6, 10**6)
    bad = [entry._replace(left=0), entry._replace(waste=60), entry._replace(packet=-1)]
    assert dear[:3] not in {e[:3] for e in entries}
    for more in (*bad, dear._replace(turns=-1), dear._replace(redeals=-1)):
        assert not holds(altered(won, part, (*entries, more)))


@given(an_optimum, st.randoms(use_true_random=False))
def test_row_orders_swapped(won: Won, source: Any) -> None:
    """Parts under the wrong row orders, or one order twice, are refused or hold all the same."""
    assert won.proof
    names = [order for order, _ in won.proof.orders]
    every = list(won.start.row_orders())
    source.shuffle(every)
    swapped = zip(every, (entries for _, entries in won.proof.orders), strict=False)
    other = evolve(won, proof=CostProof(tuple(swapped)))
    assert not holds(other) or plain_holds(other)
    twice = CostProof((*won.proof.orders, won.proof.orders[0]))
    assert not holds(evolve(won, proof=twice))
    unknown = CostProof((*won.proof.orders, (names[0][::-1] + "X", ())))
    assert not holds(evolve(won, proof=unknown))


@given(an_optimum, st.integers(-3, 3), st.sampled_from(("turns", "passes", None, "", 0, "score")))
def test_what_is_said_changed(won: Won, by: int, minimise: Any) -> None:
    """Another bound than the line's own count is refused, and another count must be minimal."""
    assert won.at_least is not None
    assert holds(evolve(won, at_least=won.at_least + by)) == (by == 0)
    not_whole: list[Any] = [None, float(won.at_least), str(won.at_least), (won.at_least,)]
    for least in not_whole:
        assert not holds(evolve(won, at_least=least))
    if minimise not in ("turns", "passes"):
        assert not holds(evolve(won, minimise=minimise))
    else:
        other = claim(won.start, won.line, minimise, won.proof)
        assert not holds(other) or is_optimal(other)


@settings(max_examples=300)
@given(an_optimum, small, minimised)
def test_transplanted_proofs(won: Won, start: State, minimise: Minimise) -> None:
    """The proof of another deal is accepted only where the line is optimal all the same."""
    line = solve(start)
    assume(isinstance(line, Won))
    assert isinstance(line, Won)
    other = claim(start, line.line, minimise, won.proof)
    assert not holds(other) or is_optimal(other)


@settings(max_examples=100)
@given(an_optimum, rules(max_draw=5))
def test_proofs_under_other_rules(won: Won, named: Rules) -> None:
    """A proof made under other rules is accepted only where the line is optimal all the same."""
    assert won.minimise
    start = State.start(won.deal, named)
    line = solve(start)
    assume(isinstance(line, Won))
    assert isinstance(line, Won)
    other = claim(start, line.line, won.minimise, won.proof)
    assert not holds(other) or is_optimal(other)


def test_a_redeal_in_vain() -> None:
    """A play that comes up in this pass need not be followed into the next one.

    The position after it is listed with a redeal more to spend, at a lower cost.
    """
    deal = Deal.from_code(":2S:2CAH2HAS2DADAC")
    won = solve(deal, Rules(draw=4, passes=4), minimise="turns")
    assert isinstance(won, Won)
    check(won)


GOOD = CostEntry(1, 0, 0, 0, 0)
# Any: the very types are wrong.
PROOF: Any = CostProof
WITH: Any = CostEntry(1, 0, 0, 0, 0)._replace
NO_PROOF: list[Any] = [
    *("", 0, (), [], Proof(()), CostProof, PROOF([]), PROOF(None), PROOF(0)),
    *(PROOF(((),)), PROOF((("SHCD",),)), PROOF((("SHCD", (), ()),))),
    *(PROOF(("SHCD",)), PROOF(("SH",)), PROOF((None,))),
    *(PROOF((("SHCD", None),)), PROOF((("SHCD", 0),)), PROOF(((0, ()),))),
    *(PROOF((("SHCD", ((1, 0, 0, 0, 0),)),)), PROOF((("SHCD", (None,)),))),
    *(PROOF((("SHCD", (WITH(turns=x),)),)) for x in (0.0, True, None, "0", b"")),
    *(PROOF((("SHCD", (WITH(left=x),)),)) for x in (0, -1, 10**5000, 2**64, 128)),
    *(PROOF((("SHCD", (WITH(redeals=x),)),)) for x in (-1, 4, 10**5000)),
    PROOF((("SHCD", (Entry(1, 0),)),)),
    PROOF((("SHCD", iter([GOOD])),)),
    PROOF((("SHCD", (GOOD,)), ("SHDC", None))),
]


@pytest.mark.parametrize("proof", NO_PROOF, ids=map(str, range(len(NO_PROOF))))
def test_no_proofs(proof: Any) -> None:
    """What is no proof, or has what is no number or no position, is refused with ``ProofError``."""
    won = solve(Deal.from_code(":2S:2CAH2HAS2DADAC"), Rules(draw=4, passes=4), minimise="turns")
    with pytest.raises(ProofError):
        check(evolve(won, proof=proof))


def test_fewest_turns_and_fewest_passes_apart() -> None:
    """Where they are of two lines, each proof holds for its own line and count, no other.

    Smallest deal found. In most small deals one line has the fewest of both, so that a checker
    which compares them in the wrong order would hardly show.
    """
    start = State.start(
        Deal.from_code(":2D:AH2C2SACAS2HAD"), Rules(draw=1, passes=None, waste="packet")
    )
    turns, passes = solve(start, minimise="turns"), solve(start, minimise="passes")
    assert isinstance(turns, Won)
    assert isinstance(passes, Won)
    assert (turns.turns, turns.passes) == (11, 3)
    assert (passes.turns, passes.passes) == (12, 2)
    for won, other in ((turns, passes), (passes, turns)):
        check(won)
        copied: Any = "".join(list(won.minimise or ""))  # the same word from elsewhere
        check(evolve(won, minimise=copied))
        for proof in (won.proof, other.proof):
            assert not holds(evolve(other, at_least=None, minimise=won.minimise, proof=proof))
            least = getattr(other, won.minimise or "turns")
            told = evolve(other, minimise=won.minimise, at_least=least, proof=proof)
            assert not holds(told)
