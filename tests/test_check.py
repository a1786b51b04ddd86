"""The checker: what it accepts is true, and what is broken it refuses with ``ProofError``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_game import can_win, close_reserve, entry_of, positions, successors, typicals
from strategies import deals, rules, states, walk

from osmosis_solver.answer import (
    Answer,
    Budget,
    Entry,
    Lost,
    OrderProof,
    Proof,
    Spent,
    Unknown,
    Watcher,
    Won,
)
from osmosis_solver.cards import DECK
from osmosis_solver.check import _is_lost, check, check_order
from osmosis_solver.deal import Deal
from osmosis_solver.errors import ProofError
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Play
from osmosis_solver.proof_game import Game
from osmosis_solver.reference import depth_first
from osmosis_solver.rules import DRAW_ONE, GAMERULES, OSMOSIS, RELAXED, Rules
from osmosis_solver.solver import solve

FREE = Spent(0, 0.0)
small = deals(max_cards=10)
WINNABLE = State.start(Deal.from_code("2D/3D:AC:3C2CAD"), Rules(draw=1))
# AD opens row 2 but lies under 2D for ever, and 2D needs row 2.
LOSABLE = State.start(Deal.from_code("AD2D:AC:2C"), OSMOSIS)


def holds(answer: Answer) -> bool:
    """Whether the checker accepts; any error but ``ProofError`` comes through."""
    try:
        check(answer)
    except ProofError:
        return False
    return True


def claim(start: State, *parts: OrderProof) -> Lost:
    """The claim that ``start`` is lost, with these parts for its proof."""
    return Lost(start, Proof(parts), start.score, spent=FREE)


def is_won(start: State) -> bool:
    """Whether some line wins, by all lines."""
    return any(can_win(start, order) for order in start.row_orders())


# ---- what is accepted is true --------------------------------------------------------


def strongest(start: State, order: str, prefix: int) -> OrderProof:
    """The largest set of entries that is closed by the checker's own rules.

    Closed sets have closed unions, and each play leaves fewer cards, so going through all
    entries from few cards left to many finds it. If this set proves nothing, no set does.
    """
    game = Game(start, order, prefix)
    covers: dict[int, dict[int, set[tuple[int, int]]]] = {}
    kept: list[Entry] = []
    for left in sorted(range(1, 1 << prefix), key=int.bit_count):
        closed = [
            entry
            for entry in all_entries(game, left)
            if all(_is_lost(game, after, covers) for _, after in game.plays(entry))
        ]
        places = covers.setdefault(left, {})
        for card, after in (play for entry in closed for play in game.plays(entry)):
            places.setdefault(card, set()).add((after.packet, after.redeals))
        kept += closed
    return OrderProof(order, prefix, kept)


def all_entries(game: Game, left: int) -> Iterator[Entry]:
    """Every position with these cards left, also those that no line reaches."""
    for waste in range(left.bit_count() + 1):
        for packet in range((min(waste, game.draw) if game.packets else 0) + 1):
            for redeals in range(min(game.redeals or 0, len(game.sequence)) + 1):
                yield Entry(left, waste, packet, redeals)


def accepts(start: State, part: OrderProof) -> bool:
    """Whether the checker accepts one row order's part."""
    try:
        check_order(start, part)
    except ProofError:
        return False
    return True


@settings(max_examples=400)
@given(typicals, st.integers(0, 6))
def test_no_set_of_entries_proves_a_winnable_order_lost(start: State, prefix: int) -> None:
    """For a row order that wins, the strongest proof is refused, with any prefix."""
    n = len(start.waste) + len(start.stock)
    for order in start.row_orders():
        if can_win(start, order):
            assert not any(accepts(start, OrderProof(order, k)) for k in range(n + 1))
            assert not accepts(start, strongest(start, order, min(prefix, n)))


@settings(max_examples=150)
@given(states(deals(max_cards=12, max_piles=3)))
def test_an_exact_proof_exists_iff_the_order_is_lost(start: State) -> None:
    """With the whole sequence for a prefix, the strongest proof is accepted iff nothing wins."""
    n = len(start.waste) + len(start.stock)
    assume(n <= 6)
    for order in start.row_orders():
        assert accepts(start, strongest(start, order, n)) == (not can_win(start, order))


@settings(max_examples=100)
@given(typicals, st.integers(0, 10), st.randoms(use_true_random=False))
def test_random_claims_against_winnable_deals(
    start: State, prefix: int, source: random.Random
) -> None:
    """Proofs of the game's own positions, of all or some at random, prove no winnable deal lost."""
    n = len(start.waste) + len(start.stock)
    assume(is_won(start))
    parts = []
    for order in start.row_orders():
        reached = sorted({entry_of(start, p) for p in positions(start, order)})
        entries = [e for e in reached if e.left and source.random() < 0.9]
        parts.append(OrderProof(order, n, entries))
    assert not holds(claim(start, *parts))
    exact = [evolve(part, prefix=min(prefix, n)) for part in parts]
    assert not holds(claim(start, *exact))


# ---- proofs with a change ------------------------------------------------------------


@cache
def proofs() -> tuple[Lost, ...]:
    """Proofs with parts that do not hold without entries, also of starts in mid-pass."""
    source, found = random.Random(0), list[Lost]()
    while len(found) < 60:
        choices = [source.randint(0, 11) for _ in range(source.choice((0, 0, 1, 2, 4)))]
        start, _ = walk(State.start(random_deal(source), random_rules(source)), choices)
        answer = solve(start)
        if isinstance(answer, Lost) and any(part.entries for part in answer.proof.orders):
            found.append(answer)
    return tuple(found)


def random_deal(source: random.Random) -> Deal:
    """A deal of 15 to 24 cards with up to 8 in the reserve."""
    suits, ranks = source.choice([("CDH", "A2345"), ("CDHS", "A2345"), ("CDHS", "A23456")])
    cards = [card for card in DECK if card.suit in suits and card.name[0] in ranks]
    source.shuffle(cards)
    one, two = source.randint(1, 5), source.randint(5, 9)
    return Deal([cards[1:one], cards[one:two]], cards[0], cards[max(one, two) :])


def random_rules(source: random.Random) -> Rules:
    """Rules with up to 4 cards a turn, half of them with a pass limit."""
    passes = source.choice((None, None, 2, 3))
    waste, row_start = source.choice(("top", "packet")), source.choice(("base", "any"))
    return Rules(source.randint(1, 4), passes, waste, row_start)  # type: ignore[arg-type]


def test_proofs_to_start_from() -> None:
    """The proofs that the tests below change are accepted as they are, and some are long."""
    assert all(map(holds, proofs()))
    assert max(len(part.entries) for lost in proofs() for part in lost.proof.orders) > 10
    assert {lost.rules.waste for lost in proofs()} == {"top", "packet"}
    assert {lost.rules.passes for lost in proofs()} == {None, 2, 3}
    assert any(lost.start.waste for lost in proofs())


def plain_holds(start: State, part: OrderProof) -> bool:
    """What the checker checks of an exact proof, once more, by plays of ``State`` alone.

    Only for the bound it asks the checker: whether a position needs no entry at all when it
    is a start of its own.
    """
    after = {e: successors(state_at(start, part.order, e), part.order) for e in part.entries}
    offered: dict[int, list[Entry]] = {}
    for entry, plays in after.items():
        offered.setdefault(entry.left, []).extend(entry_of(start, play) for play in plays)
    first = close_reserve(start, part.order)
    return all(
        is_settled(start, position, offered, part.order)
        for position in (first, *chain.from_iterable(after.values()))
    )


def is_settled(start: State, position: State, offered: dict[int, list[Entry]], order: str) -> bool:
    """Whether all plays of the position are offered by entries, or its own bound falls short."""
    left = position.waste + position.stock
    if not left:
        return not position.is_won
    beside = offered.get(entry_of(start, position).left, [])
    plays = [entry_of(start, play) for play in successors(position, order)]
    if all(any(covers(other, play) for other in beside) for play in plays):
        return True
    return accepts(position, OrderProof(order, len(left)))


def covers(other: Entry, entry: Entry) -> bool:
    """Whether the other position leaves no less packet and redeals, else the same."""
    return (
        other[:2] == entry[:2] and other.packet >= entry.packet and other.redeals >= entry.redeals
    )


def state_at(start: State, order: str, entry: Entry) -> State:
    """The state that an entry of an exact proof speaks of, if play can bring its cards home.

    The cards gone lie for once each on a reserve pile of its own, and are played from there.
    """
    sequence = start.waste + start.stock
    left = tuple(card for j, card in enumerate(sequence) if entry.left >> j & 1)
    gone = tuple((card,) for card in sequence if card not in left)
    state = evolve(
        start,
        reserve=start.reserve + gone,
        waste=left[: entry.waste],
        stock=left[entry.waste :],
        packet=entry.packet,
        redeals_left=entry.redeals if start.redeals_left is not None else None,
    )
    state = close_reserve(state, order)
    assume(not any(state.reserve[len(start.reserve) :]))
    return evolve(state, reserve=state.reserve[: len(start.reserve)])


@st.composite
def parts_of_proofs(draw: st.DrawFn) -> tuple[Lost, int]:
    """A proof, and the number of one of its parts that has entries and an exact prefix."""
    lost = draw(st.sampled_from(proofs()))
    n = len(lost.start.waste) + len(lost.start.stock)
    exact = [i for i, p in enumerate(lost.proof.orders) if p.entries and p.prefix == n]
    assume(exact)
    return lost, draw(st.sampled_from(exact))


@settings(max_examples=200)
@given(parts_of_proofs(), st.integers(0, 10**6), st.integers(1, 2))
def test_a_missing_entry_is_missed(chosen: tuple[Lost, int], number: int, gone: int) -> None:
    """Without an entry or two a part is accepted iff what is left of it is closed all the same."""
    lost, i = chosen
    part = lost.proof.orders[i]
    at = number % len(part.entries)
    shorter = evolve(part, entries=part.entries[:at] + part.entries[at + gone :])
    assert accepts(lost.start, shorter) == plain_holds(lost.start, shorter)


@settings(max_examples=300)
@given(
    parts_of_proofs(),
    st.integers(0, 10**6),
    st.sampled_from(Entry._fields),
    st.sampled_from((-1, 1, 2, 8, 2**60)),
)
def test_an_altered_entry(chosen: tuple[Lost, int], number: int, name: str, by: int) -> None:
    """With a number of an entry changed a part is refused, or is closed all the same."""
    lost, i = chosen
    part, start = lost.proof.orders[i], lost.start
    at = number % len(part.entries)
    entry = part.entries[at]
    changed = entry._replace(**{name: getattr(entry, name) + by})
    altered = evolve(part, entries=(*part.entries[:at], changed, *part.entries[at + 1 :]))
    if Game(start, part.order, part.prefix).is_position(changed):
        assert accepts(start, altered) == plain_holds(start, altered)
    else:
        assert not accepts(start, altered)


@given(parts_of_proofs())
def test_no_entry_too_many(chosen: tuple[Lost, int]) -> None:
    """Entries twice, or in another order, change nothing."""
    lost, i = chosen
    part = lost.proof.orders[i]
    assert accepts(lost.start, evolve(part, entries=part.entries * 2))
    assert accepts(lost.start, evolve(part, entries=part.entries[::-1]))


def test_removals_are_refused_by_the_hundred() -> None:
    """Most entries of a proof are needed: the laws above are not about the empty case."""
    refused = 0
    for lost in proofs():
        for part in lost.proof.orders:
            for at in range(len(part.entries)):
                entries = part.entries[:at] + part.entries[at + 1 :]
                refused += not accepts(lost.start, evolve(part, entries=entries))
    assert refused > 100


@given(st.integers(0, 59), st.data())
def test_prefix_changed(index: int, data: st.DataObject) -> None:
    """A part whose prefix is not from 0 to the length of the sequence is refused.

    With another prefix in that range nobody can tell without a search, but a shorter prefix
    without entries is no more accepted than the exact one without entries.
    """
    lost = proofs()[index]
    part = data.draw(st.sampled_from(lost.proof.orders))
    n = len(lost.start.waste) + len(lost.start.stock)
    for prefix in (-1, n + 1, 10**9, -n):
        assert not accepts(lost.start, evolve(part, prefix=prefix))
    if lost.rules.passes is None and accepts(lost.start, OrderProof(part.order, 0)):
        assert accepts(lost.start, OrderProof(part.order, n))


def test_row_orders() -> None:
    """A proof with an order missing, twice, of other suits or of another length is refused."""
    lost = next(p for p in proofs() if len(p.proof.orders) > 1)
    parts = lost.proof.orders
    assert holds(claim(lost.start, *parts[::-1]))
    assert not holds(claim(lost.start))
    assert not holds(claim(lost.start, *parts[1:]))
    assert not holds(claim(lost.start, *parts[1:], parts[1]))
    assert not holds(claim(lost.start, *parts, parts[0]))
    for order in ("", "X", "CC", "CDHS?", parts[0].order[::-1], parts[0].order.lower(), "♣♦"):
        assert not holds(claim(lost.start, evolve(parts[0], order=order), *parts[1:]))


@settings(max_examples=200)
@given(st.integers(0, 59), states(small), st.data())
def test_transplanted_proofs(index: int, other: State, data: st.DataObject) -> None:
    """The proof of another deal or of other rules is refused, or the deal is lost indeed."""
    lost = proofs()[index]
    if holds(claim(other, *lost.proof.orders)):
        assert not is_won(other)
    shuffled = data.draw(st.permutations(list(lost.start.deal.stock)))
    moved = State.start(evolve(lost.start.deal, stock=shuffled), lost.rules)
    if holds(claim(moved, *lost.proof.orders)):
        assert depth_first(moved, Budget(positions=3000), Watcher()).verdict != "won"


@given(st.integers(0, 59), rules(max_draw=5))
def test_proofs_under_other_rules(index: int, other: Rules) -> None:
    """A proof read under other rules is refused, or the deal is lost under those, too."""
    lost = proofs()[index]
    start = State.start(lost.deal, other)
    if holds(claim(start, *lost.proof.orders)):
        assert depth_first(start, Budget(positions=3000), Watcher()).verdict != "won"


def test_a_search_cannot_be_left_out() -> None:
    """Where a loss takes a search, the claim of the empty prefix is refused."""
    refused = 0
    for lost in proofs():
        bare = [evolve(part, prefix=0, entries=()) for part in lost.proof.orders]
        refused += not holds(claim(lost.start, *bare))
    assert refused > 20


# ---- what is no proof at all ---------------------------------------------------------

HUGE = 10**5000
NO_NUMBER: list[Any] = [-1, HUGE, -HUGE, 2**63, 1.0, float("nan"), float("inf"), "1", None, (), []]
ORDER = next(WINNABLE.row_orders())


@pytest.mark.parametrize("bad", NO_NUMBER, ids=map(str, range(11)))
def test_bad_numbers(bad: Any) -> None:
    """A number that is none, or out of range, is a ``ProofError`` wherever it stands."""
    for i in range(4):
        numbers: list[Any] = [7, 0, 0, 0]
        numbers[i] = bad
        assert not holds(claim(WINNABLE, OrderProof(ORDER, 3, (Entry(*numbers),))))
        assert not holds(claim(LOSABLE, OrderProof("CD", 1, (Entry(1, 0), Entry(*numbers)))))
    assert not holds(claim(LOSABLE, OrderProof("CD", bad)))


NO_PART: list[Any] = [None, 3, "C", b"CD", 1.5, HUGE, ["CD"], (7, 0, 0, 0), (7, 0), Entry(1, 0)]


@pytest.mark.parametrize("bad", NO_PART, ids=map(str, range(10)))
def test_bad_parts(bad: Any) -> None:
    """A thing of another type in an answer is a ``ProofError``, never another error."""
    assert not holds(Lost(LOSABLE, bad, 1, spent=FREE))
    assert not holds(claim(LOSABLE, bad))
    assert not holds(claim(LOSABLE, OrderProof(bad, 1)))
    assert type(bad) is Entry or not holds(claim(LOSABLE, OrderProof("CD", 1, (bad,))))
    assert not holds(Lost(bad, Proof(()), 1, spent=FREE))
    assert not holds(Won(bad, (), spent=FREE))
    assert not holds(Won(WINNABLE, (bad,), spent=FREE))
    assert not holds(Won(WINNABLE, (Play(bad),), spent=FREE))
    assert not holds(bad)


def test_entries_that_can_be_read_once() -> None:
    """Entries from a generator are no way round: each is counted and each is checked."""
    entries = (Entry(left, waste) for left in range(1, 8) for waste in range(left.bit_count() + 1))
    assert not holds(claim(WINNABLE, OrderProof(ORDER, 3, entries)))


BRIDESMAIDS_DEAL = Deal.from_pysol(3, ())


@pytest.mark.parametrize("draw", [1, 2, 3, 50, 51, 10**6, 2**63 - 1])
@pytest.mark.parametrize("passes", [None, 1, 2**63 - 1])
@pytest.mark.parametrize("waste", ["top", "packet"])
def test_largest_sequence(draw: int, passes: int | None, waste: Any) -> None:
    """With 51 cards in the sequence each prefix is judged, and the same with no use of entries."""
    start = State.start(BRIDESMAIDS_DEAL, Rules(draw, passes, waste, layout=()))
    verdict = solve(start).verdict
    for prefix in (0, 1, 25, 50, 51):
        bare = [OrderProof(order, prefix) for order in start.row_orders()]
        far = [Entry(2**51 - 1, 51, 0, 2**62), Entry(1, 1, 0, 0)]
        told = [OrderProof(order, prefix, far) for order in start.row_orders()]
        assert verdict == "lost" or not holds(claim(start, *bare))
        assert verdict == "lost" or not holds(claim(start, *told))


# ---- wins ----------------------------------------------------------------------------


@pytest.mark.parametrize("named", [OSMOSIS, GAMERULES, RELAXED, DRAW_ONE])
def test_lines_with_a_change(named: Rules) -> None:
    """A line with a move dropped, doubled or swapped is accepted iff it replays to a win."""
    answers = (solve(Deal.from_number(number), named) for number in range(100))
    won = next(answer for answer in answers if isinstance(answer, Won))
    start, line = won.start, won.line
    assert holds(Won(start, line, spent=FREE))
    assert not holds(Won(start, line[:-1], spent=FREE))
    assert not holds(Won(start, (*line, TURN), spent=FREE))
    assert not holds(Won(start, (*line, REDEAL), spent=FREE))
    for i, move in enumerate(line):
        dropped, doubled = line[:i] + line[i + 1 :], (*line[:i], move, *line[i:])
        swapped = (*line[:i], *line[i : i + 2][::-1], *line[i + 2 :])
        for changed in (dropped, doubled, swapped):
            assert holds(Won(start, changed, spent=FREE)) == wins(start, changed)
        if isinstance(move, Play):
            assert not holds(Won(start, dropped, spent=FREE))
            assert not holds(Won(start, doubled, spent=FREE))


def wins(start: State, line: tuple[Any, ...]) -> bool:
    """Whether each move is among the legal ones and the last position is won."""
    for move in line:
        if move not in start.legal_moves():
            return False
        start = start.play(move)
    return start.is_won


def test_an_unknown_claims_nothing() -> None:
    """There is nothing to refuse in an Unknown."""
    assert holds(Unknown(WINNABLE, "seconds", 1, spent=FREE))


@pytest.mark.parametrize("score", [-1, 0, 4, 5, 10**9, True, None, "3"])
def test_an_impossible_score_is_refused(score: Any) -> None:
    """A loss claims no score that is below the start's, a win, or no number."""
    lost = solve(Deal.from_code("AD2D:AC:2C"))
    assert isinstance(lost, Lost)
    check(lost)
    with pytest.raises(ProofError):
        check(evolve(lost, score=score))
