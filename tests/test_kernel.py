"""The kernel: its plays are the game's, its table keeps everything, its two forms are one."""

from __future__ import annotations

import importlib.util
import sys
import tracemalloc
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_game import can_win, close_reserve, entry_of, positions, successors, typicals
from strategies import deals, states

from osmosis_solver import _kernel, _words, testing
from osmosis_solver.answer import Budget, Entry, OrderProof, Unknown, Watcher
from osmosis_solver.cards import Card
from osmosis_solver.check import check_order
from osmosis_solver.deal import Deal
from osmosis_solver.drive import Drive, Purse
from osmosis_solver.game import State
from osmosis_solver.notation import parse_line
from osmosis_solver.rules import GAMERULES, NAMED_RULES, OSMOSIS, Rules
from osmosis_solver.solver import Solver, solve

ALL = sum(_kernel.PRUNES.values())
EVENTS = {number: name for name, number in _kernel.EVENTS.items()}
some_prunes = st.sampled_from([ALL, *(ALL - one for one in _kernel.PRUNES.values()), 0])
# Where the search by cards left is used: no pass limit, no packets.
plain_rules = st.builds(
    Rules, draw=st.sampled_from([3, 2, 1]), row_start=st.sampled_from(["base", "any"])
)
VERDICTS_ONLY = sum(_kernel.VERDICT_PRUNES.values())
for_verdicts = st.sampled_from(
    [ALL + one for one in (VERDICTS_ONLY, *_kernel.VERDICT_PRUNES.values())]
)
larger = deals(min_cards=12, max_cards=30, max_suits=4, max_ranks=9)


def uncompiled(cython: bool = True) -> ModuleType:
    """The kernel's source as a plain Python module, with or without Cython to import."""
    with pytest.MonkeyPatch.context() as patch:
        if not cython:
            patch.setitem(sys.modules, "cython", None)
        for room in ("_board", "_table", "_plain", "_general"):
            patch.setitem(sys.modules, f"osmosis_solver.{room}", source_module(room))
        return source_module("_kernel")


def source_module(name: str) -> ModuleType:
    """A fast room read from its source, whether or not there is a compiled one."""
    path = Path(__file__).parent.parent / "src" / "osmosis_solver" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"uncompiled{name}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAIN = uncompiled()


def search_of(start: State, prunes: int = ALL, orders: Any = None, kernel: Any = _kernel) -> Any:
    """A kernel search from a state, in numbers."""
    deal = start.deal

    def number(card: Card) -> int:
        return 13 * deal.suits.index(card.suit) + deal.ranks.index(card.name[0])

    return kernel.Search(
        [number(card) for card in (*start.waste, *start.stock)],
        [[number(card) for card in pile] for pile in start.reserve],
        [number(card) for row in start.rows for card in row],
        [[deal.suits.index(suit) for suit in order] for order in orders or start.row_orders()],
        len(deal.ranks),
        deal.ranks.index(deal.base.name[0]),
        start.rules.draw,
        start.rules.waste == "packet",
        start.rules.row_start == "any",
        start.redeals_left,
        waste=len(start.waste),
        packet=start.packet,
        prunes=prunes,
    )


def story(search: Any, step: int = 10**9, most_bytes: int = 10**8) -> list[Any]:
    """All that a search says on its way, without how often it paused, to its end."""
    told: list[Any] = []
    while True:
        event = EVENTS[search.run(step)]
        if event == "full" and not search.grow(most_bytes):
            search.starve()
        if event != "running":
            told.append((event, search.counts()))
        if event == "dead":
            told.append(search.refutation())
        if event == "won":
            told.append(search.line())
        if event in ("won", "lost", "starved"):
            told += [search.dive_everywhere(), search.counts()[:2]]
            return told


@settings(max_examples=800)
@given(typicals)
def test_refuted_positions_are_those_of_the_game(start: State) -> None:
    """With no prune on, a refuted row order lists every position of the game with a play left.

    A position that differs from a listed one only in fewer packet cards or redeals is none
    of its own: so it is the largest of these that are compared.
    """
    for order in start.row_orders():
        search = search_of(start, 0, [order])
        told = story(search)
        if told[0][0] == "won":
            continue
        _, prefix, listed = told[1]
        reached = {entry_of(start, p) for p, after in positions(start, order).items() if after}
        assert prefix == len(start.waste) + len(start.stock) or not listed
        assert largest(Entry(*entry) for entry in listed) == largest(reached)


def largest(entries: Iterable[Entry]) -> set[Entry]:
    """The entries that no other one with the same cards left and waste outdoes."""
    groups: dict[tuple[int, int], list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry[:2], []).append(entry)
    return {a for group in groups.values() for a in group if not any(outdone(a, b) for b in group)}


def outdone(a: Entry, b: Entry) -> bool:
    """Whether b has no fewer packet cards and redeals than a, and is not a."""
    return a != b and a.packet <= b.packet and a.redeals <= b.redeals


@given(start=states(larger), prunes=some_prunes)
def test_a_line_replays(start: State, prunes: int) -> None:
    """A win names cards of the sequence that come up one after the other and bring all home."""
    search = search_of(start, prunes)
    if EVENTS[search.run(2000)] != "won":
        return
    number, plays = search.line()
    order = list(start.row_orders())[number]
    sequence = (*start.waste, *start.stock)
    position = close_reserve(start, order)
    for j, rest in plays:
        after = [s for s in successors(position, order) if play_between(position, s, sequence[j])]
        position = max(after, key=lambda s: (s.packet >= rest, s.redeals_left or 0))
        assert start.rules.waste == "top" or position.packet >= rest
    assert position.is_won


def play_between(before: State, after: State, card: Card) -> bool:
    """Whether the play of that card leads from one position to the other."""
    gone = {*before.waste, *before.stock} - {*after.waste, *after.stock}
    return gone == {card}


@settings(max_examples=200)
@given(start=states(larger), prunes=some_prunes, step=st.sampled_from([1, 2, 50, 1000]))
def test_slices(start: State, prunes: int, step: int) -> None:
    """A search that pauses all the time says what one without a pause says."""
    if settled(start, prunes):
        paused = story(search_of(start, prunes), step)
        assert paused == story(search_of(start, prunes))


def verdict(search: Any) -> str:
    """What a search comes to."""
    return next(
        str(event) for event, *_ in reversed(story(search)[:-2]) if event in ("won", "lost")
    )


@given(start=testing.states(deals(max_cards=12), plain_rules), prunes=for_verdicts)
def test_prunes_for_verdicts_against_the_reference(start: State, prunes: int) -> None:
    """Prunes that leave no proof leave the verdict: that of the reference engine."""
    told = solve(start, engine="reference").verdict
    assert Drive(start, Purse(Budget(), Watcher()), prunes, proves=False).run() == told


@given(start=testing.states(larger, plain_rules), prunes=for_verdicts)
@settings(max_examples=300)
def test_prunes_for_verdicts_on_larger_decks(start: State, prunes: int) -> None:
    """The same against a search without them, on decks that the reference cannot settle."""
    if settled(start, ALL):
        assert verdict(search_of(start, prunes)) == verdict(search_of(start, ALL))


@given(start=testing.states(larger, plain_rules), prunes=for_verdicts)
def test_uncompiled_prunes_for_verdicts(start: State, prunes: int) -> None:
    """The uncompiled kernel with them goes the same way, step by step."""
    if settled(start, prunes):
        slow, fast = search_of(start, prunes, kernel=PLAIN), search_of(start, prunes)
        assert verdict(slow) == verdict(fast)
        assert slow.counts() == fast.counts()


def settled(start: State, prunes: int) -> bool:
    """Whether the compiled kernel needs few positions, so that a slow search will end too."""
    search = search_of(start, prunes)
    return EVENTS[search.run(2000)] in ("won", "dead", "lost")


@pytest.mark.parametrize(("rules", "prunes", "first"), [(GAMERULES, 0, 768), (OSMOSIS, 2, 512)])
def test_a_table_that_grows_keeps_everything(rules: Rules, prunes: int, first: int) -> None:
    """No position is lost or changed when the table doubles, and the slots in use stay few."""
    search, sizes = search_of(State.start(Deal.from_pysol(24), rules), prunes), list[int]()
    while len(sizes) < 9:
        event = EVENTS[search.run(10**9)]
        if event != "full":
            continue
        before, used = search.refutation()[2], search.counts()[2]
        assert search.grow(10**9)
        assert search.refutation()[2] == before
        assert search.counts()[2] == used
        # A word of the search by cards left may stand for several entries of a proof, or none.
        assert prunes or len(before) == used
        sizes.append(used)
    # Each further search starts with a small table again.
    assert set(sizes) == {first * 2**i for i in range(len(set(sizes)))}


def test_a_word_of_the_table_is_found_where_its_cards_belong() -> None:
    """Also a word of a position whose plays were still being tried when the table grew."""
    search = search_of(State.start(Deal.from_pysol(24)), 2, kernel=PLAIN)
    for _ in range(3):
        while EVENTS[search.run(10**9)] != "full":
            pass
        words = [(slot, word) for slot, word in enumerate(search.keys) if word]
        assert all(search._slot(word & _words.LEFT) == slot for slot, word in words)
        assert search.grow(10**9)


HARD = State.start(Deal.from_pysol(24), GAMERULES)
KNOWN = (Path(__file__).parent / "data" / "known_deals.tsv").read_text().splitlines()[2:]
HARDEST = State.start(Deal.from_code(KNOWN[304].split("\t")[0]), GAMERULES)


def test_a_table_that_may_not_grow_stays() -> None:
    """Where old and new table together would pass the limit, nothing changes."""
    search = search_of(HARD, 0)
    while EVENTS[search.run(10**9)] != "full":
        pass
    before = search.refutation()
    assert not search.grow(1)
    assert search.refutation() == before
    assert EVENTS[search.run(10**9)] == "full"


@pytest.mark.parametrize("megabytes", [1, 3, 10])
@pytest.mark.parametrize("prunes", [0, ALL])
def test_memory_limit(megabytes: int, prunes: int) -> None:
    """The memory really taken stays within the limit, whether it ends the search or not."""
    solver = Solver(HARDEST, Budget(megabytes=megabytes, positions=10**6), Watcher(), prunes)
    tracemalloc.start()
    try:
        answer = solver.run()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= megabytes * 10**6
    assert isinstance(answer, Unknown)


@settings(max_examples=500)
@given(typicals, some_prunes, st.integers(1, 5))
def test_prefix_proofs(start: State, prunes: int, prefix: int) -> None:
    """What a search over a short prefix refutes is lost, and the checker sees it the same way.

    Short decks seldom take such a search. So the budget of an exact one is cut to nothing and
    the first prefix made short, which only the uncompiled kernel lets one do.
    """
    orders = list(start.row_orders())
    search = search_of(start, prunes | _kernel.PRUNES["prefix"], kernel=PLAIN)
    search.budget, search.next_prefix = 1, [prefix] * 24
    assume(prefix < len(start.waste) + len(start.stock))
    told = story(search)
    for i, part in enumerate(told[:-2]):
        if part[0] == "dead":
            number, cards, entries = told[i + 1]
            assert not can_win(start, orders[number])
            found = OrderProof(orders[number], cards, [Entry(*entry) for entry in entries])
            check_order(start, found)
    won = any(can_win(start, order) for order in orders)
    events = [part[0] for part in told[:-2] if isinstance(part[0], str)]
    assert events[-1] == ("won" if won else "lost")


def test_prefix_before_the_packet() -> None:
    """A packet that lies behind the prefix is no packet of the prefix's positions."""
    deal = Deal.from_code("6D8HKC/7S7H:3H:KSTHJD7CJHKD8DJC7DKHJS6C3S3C8STSTC3D6S6H8CTD")
    start = State.start(deal, Rules(draw=4, waste="packet", row_start="any"))
    start = start.play_all(parse_line("7H 7S . . ."))
    search = search_of(start, ALL - _kernel.PRUNES["pointer"], kernel=PLAIN)
    search.budget, search.next_prefix = 30, [9] * 24
    told = story(search)
    after_dead = [told[i + 1] for i, part in enumerate(told[:-2]) if part[0] == "dead"]
    assert any(0 < prefix < 12 and entries for _, prefix, entries in after_dead)
    for _, _, entries in after_dead:
        assert all(packet <= waste for _, waste, packet, _ in entries)


@given(states(deals(max_cards=12)))
def test_uncompiled_without_cython(start: State) -> None:
    """Where Cython is missing the kernel runs all the same, and tells the same."""
    assert story(search_of(start, kernel=BARE)) == story(search_of(start))


BARE = uncompiled(cython=False)
needs_compiled = pytest.mark.skipif(
    not _kernel.COMPILED, reason="the kernel was built without a compiler: one form only"
)


@needs_compiled
@settings(max_examples=150)
@given(start=states(larger, max_draw=6), prunes=some_prunes)
def test_uncompiled_kernel_on_larger_decks(start: State, prunes: int) -> None:
    """Compiled or not: the same events, positions, lines and refutations."""
    if settled(start, prunes):
        slow = search_of(start, prunes, kernel=PLAIN)
        assert story(slow) == story(search_of(start, prunes))


NAMED = sorted(NAMED_RULES)


@needs_compiled
@pytest.mark.parametrize("name", NAMED)
def test_uncompiled_kernel_on_full_decks(name: str) -> None:
    """Compiled or not, for numbered deals of 52 cards: the same story."""
    rules = Rules.named(name)
    for number in range(12):
        start = State.start(Deal.from_number(number, rules.layout), rules)
        if settled(start, ALL):
            assert story(search_of(start, kernel=PLAIN)) == story(search_of(start))
