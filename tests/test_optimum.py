"""The cheapest win and the best score: the reference and known deals for rivals, budgets, edges."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any, get_args

import pytest
from attrs import define
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import deals, states
from test_kernel import needs_compiled, source_module

from osmosis_solver import _cheapest, _kernel, drive, optimum
from osmosis_solver.answer import (
    Answer,
    Budget,
    Limit,
    Lost,
    Minimise,
    Spent,
    Unknown,
    Watcher,
    Won,
)
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.drive import Purse, in_numbers
from osmosis_solver.errors import OsmosisError
from osmosis_solver.game import State
from osmosis_solver.moves import Move
from osmosis_solver.notation import format_line, parse_line
from osmosis_solver.optimum import best
from osmosis_solver.reference import a_star
from osmosis_solver.reference import best_score as plain_best_score
from osmosis_solver.rules import GAMERULES, OSMOSIS, PYSOL_BRIDESMAIDS, Rules
from osmosis_solver.solver import best_score, solve
from osmosis_solver.wire import from_json, to_line

DATA = Path(__file__).parent / "data"
NAMES, *KNOWN = [
    line.split("\t")
    for line in (DATA / "known_deals.tsv").read_text().splitlines()
    if not line.startswith("# a rules column")
]
RANDOM, HARD = KNOWN[:300], KNOWN[300:]
BRIDESMAIDS = [
    line.split("\t")
    for line in (DATA / "known_bridesmaids.tsv").read_text().splitlines()
    if not line.startswith("#")
]
named = pytest.mark.parametrize("name", NAMES[2:])
both = pytest.mark.parametrize("minimise", get_args(Minimise))
minimised = st.sampled_from(get_args(Minimise))
larger = states(deals(min_cards=14, max_cards=28, max_ranks=9), max_draw=6)
ENOUGH = Budget(positions=10**5)


def costs(answer: Answer) -> tuple[int, int]:
    """Turns and passes of a win."""
    assert isinstance(answer, Won)
    return answer.turns, answer.passes


# ---- the reference -------------------------------------------------------------------


@settings(max_examples=400)
@given(states(deals(max_cards=12), max_draw=6), minimised)
def test_optima_against_reference(start: State, minimise: Minimise) -> None:
    """The verdict and both counts are those of the plain search; both answers are verified."""
    plain = a_star(start, Budget(positions=4000), Watcher(), minimise)
    assume(not isinstance(plain, Unknown))
    answer = solve(start, minimise=minimise)
    for told in (plain, answer):
        check(told)
        assert told.verdict == plain.verdict
        if isinstance(told, Won):
            assert told.optimal
            assert costs(told) == costs(plain)
            assert told.at_least == getattr(told, minimise)
            assert told.minimise == minimise


@settings(max_examples=400)
@given(states(deals(max_cards=12), max_draw=6))
def test_best_scores_against_reference(start: State) -> None:
    """The best score is that of the plain search; both answers are verified and optimal."""
    plain = plain_best_score(start, Budget(positions=4000), Watcher())
    assume(not isinstance(plain, Unknown))
    for answer in (plain, best_score(start)):
        check(answer)
        assert answer.verdict == plain.verdict
        assert answer.score == plain.score
        if isinstance(answer, Lost):
            assert answer.optimal
            assert answer.proof.most == answer.score


@settings(max_examples=150)
@given(larger)
def test_turns_and_passes(start: State) -> None:
    """The cheapest by turns has no fewer passes, by passes no fewer turns; each is verified."""
    by_turns = solve(start, minimise="turns", budget=ENOUGH)
    by_passes = solve(start, minimise="passes", budget=ENOUGH)
    some = solve(start)
    for answer in (by_turns, by_passes):
        check(answer)
        assert answer.verdict == some.verdict
    if isinstance(some, Won):
        turns, passes = costs(by_turns)
        assert turns <= costs(by_passes)[0]
        assert passes >= costs(by_passes)[1]
        assert turns <= some.turns
        assert costs(by_passes)[1] <= some.passes


@settings(max_examples=100)
@given(larger)
def test_best_scores_of_larger_decks(start: State) -> None:
    """The best score is verified, and won iff the deal is; a dive never has more."""
    some, best = solve(start, budget=ENOUGH), best_score(start, budget=ENOUGH)
    check(best)
    assert best.verdict == some.verdict
    assert best.score >= some.score
    assert best.optimal or not isinstance(best, Lost)


@settings(max_examples=100)
@given(larger, minimised)
def test_along_an_optimal_line(start: State, minimise: Minimise) -> None:
    """After each move of a cheapest line the rest of it is the cheapest, and no score is lost."""
    answer = solve(start, minimise=minimise)
    if not isinstance(answer, Won):
        return
    state = start
    for number, move in enumerate(answer.line, 1):
        state = state.play(move)
        if number % 8 == 0:
            rest = Won(state, answer.line[number:], spent=answer.spent)
            assert costs(solve(state, minimise=minimise)) == costs(rest)


# ---- known deals ---------------------------------------------------------------------


def known_turns(row: list[str], name: str) -> int | None:
    """The fewest turns of a known deal, if it is known to be won."""
    known = row[NAMES.index(name)]
    return int(known[2:]) if known.startswith("W:") else None


def best_of_known(row: list[str], name: str, minimise: Minimise) -> Won:
    """The cheapest win of a deal that is known to be won."""
    answer = solve(Deal.from_code(row[0]), Rules.named(name), minimise=minimise)
    assert isinstance(answer, Won)
    assert answer.optimal
    return answer


def met(rows: list[list[str]], name: str) -> list[Won]:
    """The cheapest wins of known deals, after holding their turns against the file."""
    found = []
    for row in rows:
        turns = known_turns(row, name)
        if turns is not None:
            found.append(best_of_known(row, name, "turns"))
            assert found[-1].turns == found[-1].at_least == turns
    return found


@named
def test_known_random_deals(name: str) -> None:
    """The fewest turns that an independent program found are met exactly, and are optimal."""
    for answer in met(RANDOM, name)[::8]:
        check(answer)


@named
def test_known_deals_by_passes(name: str) -> None:
    """The fewest passes are no more than those of the fewest turns, for no fewer turns."""
    for row in RANDOM[::5]:
        turns = known_turns(row, name)
        if turns is not None:
            answer = best_of_known(row, name, "passes")
            assert answer.turns >= turns
            assert answer.passes <= best_of_known(row, name, "turns").passes


def test_known_deals_without_a_reserve() -> None:
    """The fewest turns with 51 cards in the stock are met, and some are verified."""
    found = []
    for code, known in BRIDESMAIDS:
        if known.startswith("W:"):
            found.append(solve(Deal.from_code(code), PYSOL_BRIDESMAIDS, minimise="turns"))
            assert costs(found[-1])[0] == int(known[2:])
            assert found[-1].optimal
    for answer in sorted(found, key=lambda a: a.spent.positions)[:5]:
        check(answer)


@pytest.mark.slow
@named
def test_all_known_deals(name: str) -> None:
    """All known optima are verified, those of the hardest deals and those by passes too."""
    for answer in met(KNOWN, name):
        check(answer)
    for row in RANDOM:
        if known_turns(row, name) is not None:
            check(best_of_known(row, name, "passes"))


@pytest.mark.slow
def test_all_known_deals_without_a_reserve() -> None:
    """All optima with 51 cards in the stock are verified, by turns and by passes."""
    for code, known in BRIDESMAIDS:
        for minimise in get_args(Minimise):
            answer = solve(Deal.from_code(code), PYSOL_BRIDESMAIDS, minimise=minimise)
            assert answer.verdict == ("lost" if known == "L" else "won") or known == "?"
            check(answer)


def scores(rows: list[list[str]]) -> list[Answer]:
    """The best scores of known deals, after holding them against the file."""
    found = []
    for row in rows:
        answer = best_score(Deal.from_code(row[0]))
        assert answer.optimal or isinstance(answer, Won)
        assert row[1] in ("?", str(answer.score))
        found.append(answer)
    return found


def test_known_scores() -> None:
    """Every known best score is met, and those not known are found; some are verified."""
    for answer in scores(RANDOM)[::6]:
        check(answer)


@pytest.mark.slow
def test_all_known_scores() -> None:
    """All best scores are verified, those of the hardest deals too."""
    for answer in scores(KNOWN):
        check(answer)


# ---- budgets -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long_win() -> Won:
    """An optimum that takes the kernel some ten thousand positions to prove."""
    answer = solve(Deal.from_code(KNOWN[311][0]), minimise="turns")
    assert isinstance(answer, Won)
    return answer


class _Improved(Watcher):
    """Keeps the lines that it is shown."""

    def __init__(self) -> None:
        self.lines = list[tuple[Move, ...]]()
        self.bounds = list[int | None]()

    def improved(self, line: tuple[Move, ...], at_least: int | None) -> None:
        self.lines.append(line)
        self.bounds.append(at_least)


def is_fair(answer: Answer, known: Won) -> bool:
    """Whether an answer to the same question under a budget is true beside the known optimum."""
    check(answer)
    if isinstance(answer, Unknown):
        return answer.score < len(answer.deal)
    assert isinstance(answer, Won)
    assert known.minimise
    count, optimum = getattr(answer, known.minimise), getattr(known, known.minimise)
    if answer.optimal:
        return costs(answer) == costs(known)
    return answer.at_least is not None and answer.at_least <= optimum <= count


@settings(max_examples=150)
@given(larger, minimised, st.integers(1, 200))
def test_positions_limit(start: State, minimise: Minimise, positions: int) -> None:
    """Within a bound on positions the answer is the optimum, or true as far as it goes."""
    known = solve(start, minimise=minimise, budget=ENOUGH)
    answer = solve(start, minimise=minimise, budget=Budget(positions=positions))
    if isinstance(known, Won):
        assert is_fair(answer, known)
    else:
        assert isinstance(answer, Lost | Unknown)
    # With the last position that is allowed the limit is hit, whatever may be left to conclude.
    if known.spent.positions < positions:
        assert answer == known


@both
@pytest.mark.parametrize("positions", [1, 100, 1000, 10000])
def test_positions_limit_on_a_long_search(
    long_win: Won, positions: int, minimise: Minimise
) -> None:
    """The more positions, the better the line and what is proved; the end is the optimum."""
    known = solve(long_win.start, minimise=minimise)
    assert isinstance(known, Won)
    one = solve(long_win.start, minimise=minimise, budget=Budget(positions=positions))
    two = solve(long_win.start, minimise=minimise, budget=Budget(positions=2 * positions))
    assert is_fair(one, known)
    assert is_fair(two, known)
    if isinstance(one, Won) and isinstance(two, Won):
        assert one.at_least is not None
        assert two.at_least is not None
        assert one.at_least <= two.at_least
        assert getattr(one, minimise) >= getattr(two, minimise)


@pytest.mark.parametrize("budget", [Budget(seconds=1e-9), Budget(seconds=1e-6, megabytes=1)])
def test_seconds_limit(long_win: Won, budget: Budget) -> None:
    """A time that is over before it begins leaves a line that is not proved optimal, if any."""
    answer = solve(long_win.start, minimise="turns", budget=budget)
    assert not answer.optimal
    assert is_fair(answer, long_win)


def test_memory_limit(long_win: Won) -> None:
    """A search that does not fit into memory leaves the best line so far, no proof."""
    answer = solve(long_win.start, minimise="turns", budget=Budget(megabytes=1))
    assert not answer.optimal
    assert is_fair(answer, long_win)


def test_no_memory_for_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the search ends, but its proof does not fit into memory, the optimum is a bound."""
    deal = Deal.from_code(RANDOM[1][0])
    known = solve(deal, minimise="turns")
    monkeypatch.setattr(optimum, "BYTES_AN_ENTRY", 10**9)
    answer = solve(deal, minimise="turns")
    assert isinstance(known, Won)
    assert isinstance(answer, Won)
    assert (answer.limit, answer.proof) == ("memory", None)
    assert answer.at_least == known.turns
    assert (answer.line, answer.spent.positions) == (known.line, known.spent.positions)


# Were the stock open, all cards would come home; the budget ends as the deal is found to be lost.
CUT = State.start(Deal.from_code(":2H:AS2S2CAHAC"), Rules(passes=2, waste="packet"))
CUT_BUDGET = Budget(positions=6)


def test_a_loss_is_proved_though_its_score_is_not() -> None:
    """Where the closures at the start bound no score, the proof is that of the loss."""
    answer = best_score(CUT, budget=CUT_BUDGET)
    assert isinstance(answer, Lost)
    assert (answer.score, answer.limit, answer.optimal) == (3, "positions", False)
    assert answer.proof.most is None
    check(answer)


def test_no_memory_for_the_proof_of_a_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where that proof does not fit into memory, the verdict is unknown: half of it is none."""
    monkeypatch.setattr(drive, "BYTES_AN_ENTRY", 10**9)
    answer = best_score(CUT, budget=CUT_BUDGET)
    assert isinstance(answer, Unknown)
    assert (answer.score, answer.limit) == (3, "memory")
    check(answer)


@define
class _Hurried(Purse):
    """A budget whose time is over at the look at the clock after so many."""

    looks: int = 0

    def limit(self, positions: int) -> Limit | None:
        self.looks -= 1
        return "seconds" if self.looks < 0 else None


@pytest.mark.parametrize("row", RANDOM[:40:4], ids=lambda row: row[0][:8])
def test_time_may_end_at_any_moment(row: list[str]) -> None:
    """Whenever it does, the answer holds, comes back from JSON, and has a limit or is the best.

    So it is where the closures at the start prove the score that was found before.
    """
    start = State.start(Deal.from_code(row[0]))
    for looks in count():
        purse = _Hurried(Budget(), Watcher(), looks=looks)
        answer = best(start, purse)
        check(answer)
        assert from_json(to_line(answer)) == answer
        if not isinstance(answer, Won):
            assert (answer.limit is None) == answer.optimal
        if purse.looks >= 0:
            break
    assert answer == best_score(start)


@settings(max_examples=150)
@given(larger, st.integers(1, 100))
def test_best_score_within_a_budget(start: State, positions: int) -> None:
    """A best score under a bound is no more than the best; what it claims is verified."""
    best = best_score(start, budget=ENOUGH)
    answer = best_score(start, budget=Budget(positions=positions))
    check(answer)
    assert answer.score <= best.score
    if isinstance(answer, Lost):
        assert answer.proof.most is None or best.score <= answer.proof.most
    if answer.optimal:
        assert answer.score == best.score
    if not isinstance(answer, Won):
        assert answer.line is not None
        assert start.play_all(answer.line).score == answer.score < len(start.deal)
        assert isinstance(best, Lost | Unknown) or isinstance(answer, Unknown)


# ---- watchers and interrupts ---------------------------------------------------------


@both
def test_improved_lines(long_win: Won, minimise: Minimise) -> None:
    """Each line shown wins and is cheaper than the one before; the last one is the answer's."""
    watcher = _Improved()
    answer = solve(long_win.start, minimise=minimise, watcher=watcher)
    assert isinstance(answer, Won)
    assert watcher.lines[-1] == answer.line
    told = [Won(answer.start, line, spent=Spent(0, 0)) for line in watcher.lines]
    for line in told:
        check(line)
    paid = [costs(line)[:: 1 if minimise == "turns" else -1] for line in told]
    assert paid == sorted(set(paid), reverse=True)
    assert len(paid) > 1
    bounds = [bound for bound in watcher.bounds if bound is not None]
    assert bounds == sorted(bounds)
    assert all(bound <= paid[-1][0] for bound in bounds)


def test_improved_scores() -> None:
    """Each line shown has more cards home than the one before; the last one is the answer's."""
    longest = 0
    for row in RANDOM[:30]:
        watcher = _Improved()
        answer = best_score(Deal.from_code(row[0]), watcher=watcher)
        if isinstance(answer, Lost):
            reached = [answer.start.play_all(line).score for line in watcher.lines]
            assert reached == sorted(set(reached))
            assert watcher.lines[-1] == answer.line
            longest = max(longest, len(reached))
    assert longest > 1


class _Interrupter(Watcher):
    def progress(self, spent: Spent) -> None:
        raise KeyboardInterrupt

    def improved(self, line: tuple[Move, ...], at_least: int | None) -> None:
        raise KeyboardInterrupt


@both
@pytest.mark.parametrize("engine", ["kernel", "reference"])
def test_interrupts(minimise: Minimise, engine: Any) -> None:
    """What a watcher raises, be it KeyboardInterrupt, ends the search and arrives."""
    deal = Deal.from_code(RANDOM[1][0])
    with pytest.raises(KeyboardInterrupt):
        solve(deal, minimise=minimise, engine=engine, watcher=_Interrupter())
    with pytest.raises(KeyboardInterrupt):
        best_score(Deal.from_code(RANDOM[0][0]), engine=engine, watcher=_Interrupter())


@settings(max_examples=60)
@given(larger, minimised)
def test_same_again(start: State, minimise: Minimise) -> None:
    """The same question gets the same answer, cost included but for the clock."""
    for one, two in (
        (solve(start, minimise=minimise), solve(start, minimise=minimise)),
        (best_score(start), best_score(start)),
    ):
        assert one == two
        assert one.spent.positions == two.spent.positions


# ---- edges ---------------------------------------------------------------------------

EDGES = [
    (":AC:", OSMOSIS, "", "won", 0, 1),
    ("2C3C:AC:", OSMOSIS, "", "won", 0, 1),
    (":AC:ADAHAS", Rules(draw=1), "", "won", 3, 1),
    (":AC:ADAHAS", Rules(draw=50), "", "won", 1, 1),
    (":AC:2C3C", Rules(draw=2, passes=1), "", "won", 1, 1),
    (":AC:2C3C", Rules(draw=2, waste="packet"), "", "won", 1, 1),
    (":AC:2C3C", Rules(draw=2, waste="packet"), ". 3C 2C", "won", 0, 1),
    ("2D:AC:2CAD", Rules(draw=2, passes=2), ". AD", "won", 0, 1),
    ("2D/3D:AC:3C2CAD", Rules(draw=3, passes=2), "", "won", 1, 1),
    ("AD2D:AC:2C", OSMOSIS, "", "lost", 0, 0),
    ("AD2D:AC:2C", OSMOSIS, ". 2C", "lost", 0, 0),
    (":AC:2DAD2C", Rules(draw=3, passes=1), "", "won", 1, 1),
    (":AC:2D2CAD", Rules(draw=1, passes=1), "", "won", 3, 1),
    (":AC:2D2CAD", Rules(draw=1, passes=1, waste="packet"), "", "lost", 0, 0),
    (":AC:2D2CAD", Rules(draw=1, passes=2, waste="packet"), "", "won", 4, 2),
    (":AC:2D2CAD", Rules(draw=1, passes=2, waste="packet"), ". . 2C .", "won", 1, 2),
    (":AC:2D2CAD", Rules(draw=1, passes=2, waste="packet"), ". . . |", "lost", 0, 0),
]


@pytest.mark.parametrize("edge", EDGES, ids=lambda edge: f"{edge[0]}-{edge[2]}")
@pytest.mark.parametrize("engine", ["kernel", "reference"])
def test_edges(edge: tuple[str, Rules, str, str, int, int], engine: Any) -> None:
    """One suit, one rank, no stock, no reserve, won, stuck, the last pass, a turn of all cards."""
    code, given_rules, line, verdict, turns, passes = edge
    start = State.start(Deal.from_code(code), given_rules).play_all(parse_line(line))
    for minimise in get_args(Minimise):
        answer = solve(start, minimise=minimise, engine=engine)
        check(answer)
        assert answer.verdict == verdict
        if isinstance(answer, Won):
            assert answer.optimal
            assert costs(answer) == (turns, passes), format_line(answer.line)
    best = best_score(start, engine=engine)
    check(best)
    assert best.verdict == verdict


@pytest.mark.parametrize("bad", ["", "Turns", "score", 0, True, ["turns"], b"turns"])
@pytest.mark.parametrize("engine", ["kernel", "reference"])
def test_what_is_minimised(bad: Any, engine: Any) -> None:
    """What is neither turns nor passes is refused with the two that are."""
    with pytest.raises(OsmosisError, match="'turns' or 'passes'"):
        solve(Deal.from_pysol(24), minimise=bad, engine=engine)


@pytest.mark.parametrize("bad", ["", "Kernel", None, 0, ["kernel"]])
def test_engines_of_best_scores(bad: Any) -> None:
    """An engine that does not exist is refused with the two that do."""
    with pytest.raises(OsmosisError, match="'kernel' or 'reference'"):
        best_score(Deal.from_pysol(24), engine=bad)


# ---- compiled or not -----------------------------------------------------------------


def uncompiled() -> Any:
    """The source of the search for the cheapest win as a plain Python module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, "osmosis_solver._board", source_module("_board"))
        return source_module("_cheapest")


PLAIN = uncompiled()


def story(start: State, by_passes: bool, step: int, module: Any = _cheapest) -> list[Any]:
    """All that a search for the cheapest win says on its way, to its end or 3000 positions."""
    orders = tuple(start.row_orders())
    search = module.Cheapest(**in_numbers(start, orders), by_passes=by_passes)
    events = {number: name for name, number in module.EVENTS.items()}
    told: list[Any] = []
    while not told or (told[-1][0] != "done" and search.counts()[0] < 3000):
        event = events[search.run(step)]
        told.append((event, search.counts(), search.least()))
        if event == "full":
            assert search.grow(10**9)
        if event == "better":
            told.append((event, search.line()))
    return [told, [search.certificate(number) for number in range(len(orders))]]


@needs_compiled
@settings(max_examples=100)
@given(larger, st.booleans(), st.sampled_from([1, 20, 1000]))
def test_uncompiled(start: State, by_passes: bool, step: int) -> None:
    """Compiled or not: the same events, positions, bounds, lines and certificates."""
    assert story(start, by_passes, step, PLAIN) == story(start, by_passes, step)


@needs_compiled
@both
def test_uncompiled_on_full_decks(minimise: Minimise) -> None:
    """Compiled or not, for decks of 52 cards: the same story."""
    assert _kernel.COMPILED
    for row in [row for row in RANDOM if known_turns(row, "GAMERULES")][:4]:
        start = State.start(Deal.from_code(row[0]), GAMERULES)
        by_passes = minimise == "passes"
        assert story(start, by_passes, 500, PLAIN) == story(start, by_passes, 500)


@needs_compiled
@both
def test_uncompiled_as_its_room_grows(minimise: Minimise) -> None:
    """Compiled or not, where the first room is too small: the same story."""
    start, by_passes = State.start(Deal.from_code(KNOWN[311][0])), minimise == "passes"
    told = story(start, by_passes, 10**6, PLAIN)
    assert any(event[0] == "full" for event in told[0])
    assert told == story(start, by_passes, 10**6)


@pytest.mark.parametrize("module", [_cheapest, PLAIN])
def test_a_room_that_may_not_grow(module: Any) -> None:
    """Where old and new room together would pass the limit, nothing changes."""
    start = State.start(Deal.from_pysol(3))
    search = module.Cheapest(**in_numbers(start, tuple(start.row_orders())))
    before = search.counts()
    assert not search.grow(1)
    assert search.counts() == before


@pytest.mark.parametrize("module", [_cheapest, PLAIN])
def test_a_win_by_the_reserve_costs_nothing(module: Any) -> None:
    """It is found before any position is taken, by the first row order that has one."""
    start = State.start(Deal.from_code("2D2C/AD:AC:"))
    search = module.Cheapest(**in_numbers(start, tuple(start.row_orders())))
    assert module.EVENTS["done"] == search.run(1)
    assert (search.line(), search.least()) == ((0, []), (0, 0))


@needs_compiled
def test_uncompiled_where_a_cheaper_way_is_found() -> None:
    """Compiled or not, where positions are reached again for less: the same story."""
    start = State.start(Deal.from_code(KNOWN[269][0]), Rules(draw=4, waste="packet"))
    assert story(start, True, 500, PLAIN) == story(start, True, 500)


@pytest.mark.parametrize("module", [_cheapest, PLAIN])
def test_a_win_by_the_last_card_of_the_next_pass(module: Any) -> None:
    """2D, turned too early and dead in its packet, is waited for in the pass after."""
    start = State.start(Deal.from_code(":AC:2D2CAD"), Rules(draw=1, waste="packet"))
    told, _ = story(start, False, 10, module)
    assert told[-1][0] == "done"
    assert told[-1][2] == (4, 1)
