"""Hammers the fast rooms: the known deals, then random positions for so many seconds.

``python tests/hammer.py 60`` is a plain run. It is meant for builds that watch memory:
``docs/testing.md`` has the commands. The random part reaches more rules and odder decks than the
tests do, pauses after every position or never, and lets tables grow whenever they are full.
"""

from __future__ import annotations

import random
import sys
import time
from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hidden_game import some_view
from strategies import walk

from osmosis_solver import Budget, Card, Deal, Rules, State, best_score, kernel_kind, sight, solve
from osmosis_solver._cheapest import EVENTS as CHEAPEST_EVENTS
from osmosis_solver._cheapest import Cheapest
from osmosis_solver._kernel import EVENTS, VERDICT_PRUNES, Search
from osmosis_solver._sweep import Sweep
from osmosis_solver.advisor import advise, plan, sight_of
from osmosis_solver.cards import RANKS, SUITS
from osmosis_solver.drive import ALL_PRUNES, in_numbers

DATA = Path(__file__).parent / "data"
DRAWS = (1, 2, 3, 3, 3, 4, 5, 7, 13, 51, 52, 63, 64, 65, 1000, 2**62)
PASSES = (None, None, None, 1, 2, 3, 5, 51, 52, 53, 60, 64, 2**62)
MOST_POSITIONS = 60_000


def known_states() -> Iterator[tuple[State, str]]:
    """The known deals under their rules, each with what is known: ``L``, ``W:turns`` or ``?``."""
    head, _, *lines = (DATA / "known_deals.tsv").read_text().splitlines()
    names = head.split("\t")[2:]
    for line in lines:
        code, _, *known = line.split("\t")
        for name, verdict in zip(names, known, strict=True):
            yield State.start(Deal.from_code(code), Rules.named(name)), verdict


def ask_all(state: State, known: str, budget: Budget) -> str:
    """Every question about one position; the verdict, which must be the known one."""
    plain, scored = solve(state, budget=budget), best_score(state, budget=budget)
    turns = solve(state, minimise="turns", budget=budget)
    passes = solve(state, minimise="passes", budget=budget)
    told = {plain.verdict, scored.verdict, turns.verdict, passes.verdict} - {"unknown"}
    assert len(told) <= 1
    assert not told or known == "?" or told == {"lost" if known == "L" else "won"}
    if turns.verdict == "won" and turns.optimal and known.startswith("W"):
        assert turns.turns == int(known[2:])
    return plain.verdict


def any_state(source: random.Random) -> State:
    """A position of a deck of any size, in any layout, under rules of any mixture."""
    suits = source.sample(SUITS, source.choice((1, 2, 3, 4, 4, 4)))
    ranks = source.sample(RANKS, source.randint(1, 13))
    base, *stock = source.sample(cards := [Card(r + s) for s in suits for r in ranks], len(cards))
    reserve = []
    for _ in range(source.randint(0, 5)):
        size = source.randint(0, min(len(stock), 6))
        reserve.append(stock[:size])
        stock = stock[size:]
    rules = Rules(
        draw=source.choice(DRAWS),
        passes=source.choice(PASSES),
        waste=source.choice(("top", "packet")),
        row_start=source.choice(("base", "any")),
    )
    steps = [source.randint(0, 11) for _ in range(source.choice((0, 0, 3, 10, 40, 150)))]
    return walk(State.start(Deal(reserve, base, stock), rules), steps)[0]


def hammer_kernel(state: State, source: random.Random) -> int:
    """A depth-first search in odd slices, with every question in between; how often it grew."""
    prunes = ALL_PRUNES - source.choice((0, 0, 1, 2, 4, 8, 16, ALL_PRUNES))
    prunes += source.choice((0, *VERDICT_PRUNES.values(), sum(VERDICT_PRUNES.values())))
    target = source.choice((None, None, source.randint(state.score, len(state.deal) + 1)))
    orders = tuple(state.row_orders())
    search = Search(**in_numbers(state, orders), prunes=prunes, target=target)
    step, grown, event = source.choice((1, 7, 1000, 10**6)), 0, EVENTS["running"]
    while search.counts()[0] < MOST_POSITIONS and event not in (EVENTS["won"], EVENTS["lost"]):
        event = search.run(step)
        if event == EVENTS["full"]:
            grown += 1
            if not search.grow(source.choice((10**9, 10**9, 10**9, 1))):
                search.starve()
        elif event == EVENTS["dead"]:
            search.refutation()
        elif event == EVENTS["starved"]:
            break
        step = 1000 if search.counts()[0] > 300 else step
    search.line()
    search.refutation()
    search.dive_everywhere()
    search.line()
    search.reach()
    return grown


def hammer_cheapest(state: State, source: random.Random) -> int:
    """A search for the cheapest win in odd slices; how often it grew."""
    orders, limit = tuple(state.row_orders()), source.choice((None, None, (5, 0), (0, 0), (30, 3)))
    by_passes = source.random() < 0.5
    search = Cheapest(**in_numbers(state, orders), by_passes=by_passes, limit=limit)
    step, grown, event = source.choice((1, 7, 1000, 10**6)), 0, CHEAPEST_EVENTS["running"]
    while search.counts()[0] < MOST_POSITIONS and event != CHEAPEST_EVENTS["done"]:
        event = search.run(step)
        if event == CHEAPEST_EVENTS["full"]:
            grown += search.grow(10**9)
        elif event == CHEAPEST_EVENTS["better"]:
            search.line()
        step = 1000 if search.counts()[0] > 300 else step
    search.least()
    for order in range(len(orders)):
        search.certificate(order)
    return grown


def hammer_sweep(source: random.Random) -> int:
    """A few native deals in a row, of any layout, under any rules and limits; how many."""
    layout = tuple(source.randint(0, 6) for _ in range(source.randint(0, 8)))
    rules = Rules(
        draw=source.choice(DRAWS),
        passes=source.choice(PASSES),
        waste=source.choice(("top", "packet")),
        row_start=source.choice(("base", "any")),
        layout=layout,
    )
    number, count = source.randrange(2**64 - 20), source.choice((0, 1, 20))
    start = State.start(Deal.from_number(number, layout), rules)
    sweep = Sweep(layout, **in_numbers(start, tuple(start.row_orders())))
    codes, searched = bytearray(count), array("I", bytes(4 * count))
    limits = source.choice((1, 100, 3000)), source.choice((1, 3000, 10**8))
    sweep.run_many(number, count, *limits, codes, searched)
    return count


def hammer_advice(state: State, source: random.Random) -> None:
    """A view of a position, weighed so many cards ahead within odd limits, and its advice."""
    view = some_view(state, source.choice((0, 1, 3, 12, 52)), source)
    sight.DEPTH = source.randint(1, 4)  # type: ignore[misc]
    positions, megabytes = source.choice((1, 20, 500, 10**4)), source.choice((1, 64))
    sight_of(view).weigh(source.choice((1, 5, 40)), source.randrange(2**64), positions, megabytes)
    assert plan(view, 5) == advise(view, completions=5).plan


def main(seconds: float, seed: int = 0) -> None:
    """The known deals, then random positions for so long."""
    source = random.Random(seed)
    began = time.perf_counter()
    budget = Budget(megabytes=64, positions=200_000)
    told = Counter(ask_all(state, known, budget) for state, known in known_states())
    took = time.perf_counter() - began
    print(f"{kernel_kind()} kernel; known deals: {dict(told)}, {took:.0f} s", flush=True)
    began, tried, grown, swept = time.perf_counter(), 0, 0, 0
    while time.perf_counter() - began < seconds:
        state = any_state(source)
        if tried % 4 == 0:
            limits = Budget(megabytes=source.choice((1, 64)), positions=source.choice((50, 20_000)))
            ask_all(state, "?", limits)
        grown += hammer_kernel(state, source) + hammer_cheapest(state, source)
        swept += hammer_sweep(source)
        hammer_advice(state, source)
        tried += 1
    print(f"{tried} random positions, {grown} times a table grew, {seconds:.0f} s")
    print(f"{swept} native deals in a row, {tried} views advised on")


if __name__ == "__main__":
    main(float(sys.argv[1]), *map(int, sys.argv[2:]))
