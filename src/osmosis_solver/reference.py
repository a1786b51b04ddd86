"""The reference engine: plain searches over ``State`` objects, the rival of the kernel.

Nothing is pruned but states met before, and redeals that no line can use. If no card of the waste
is played between two redeals, the second finds what the first found: both may be left out with
the turns between, since plays from the reserve do not need them; and so may a redeal after which
nothing is played from the waste. So each redeal that is left has a card of waste or stock that is
played before the next one, and a pass limit that allows more redeals than there are such cards is
taken for one that allows as many.

Slow, and meant to be read in one sitting.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from time import perf_counter
from typing import Final, NamedTuple

from attrs import evolve
from sortedcontainers import SortedList

from osmosis_solver.answer import (
    Answer,
    Budget,
    CostEntry,
    CostProof,
    Entry,
    Limit,
    Lost,
    Minimise,
    OrderProof,
    Proof,
    Spent,
    Unknown,
    Watcher,
    Won,
)
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move

STATE_BYTES: Final = 1500
"""What a state of a full deck costs: tracemalloc says 490 to 630 bytes for the state with its
places in the table and the open list, and 120 for its entry in each of up to six row orders."""
STATES_BETWEEN_LOOKS: Final = 256


def depth_first(start: State, budget: Budget, watcher: Watcher) -> Answer:
    """Whether ``start`` can be won: the first line found, or a proof from every state.

    Plays come before turns, and each state is entered once. ``positions`` counts the
    states taken from the stack. Cost: one ``State`` for each position that can be reached.
    """
    search = _Search(start, budget, watcher)
    stack = [search.first]
    while stack:
        if limit := search.limit():
            return search.unknown(limit)
        key = stack.pop()
        if search.take(key).is_won:
            return search.won(key)
        stack += search.enter(key)
    return search.lost()


def best_score(start: State, budget: Budget, watcher: Watcher) -> Answer:
    """The most cards that any line brings home, with such a line: ``depth_first`` to the end.

    Only a win ends it sooner. The proof that no line has more lists every state, as that of a
    loss does.
    """
    search = _Search(start, budget, watcher)
    stack, best = [search.first], search.first
    while stack:
        if limit := search.limit():
            return search.unknown(limit, best)
        key = stack.pop()
        state = search.take(key)
        if state.score > search.table[best].state.score:
            best = key
            watcher.improved(tuple(search.line(best)), None)
        if state.is_won:
            return search.won(key)
        stack += search.enter(key)
    return search.lost(best)


def a_star(start: State, budget: Budget, watcher: Watcher, minimise: Minimise = "turns") -> Answer:
    """A win with the fewest turns or passes, ties broken by the other, or a proof of loss.

    Takes the state that promises the cheapest win next; ``positions`` counts the states taken.
    The cost of a line is the pair of its turns and redeals, the one to minimise first; pairs
    are compared and added like numbers. The first win taken is the cheapest: by
    ``least_turns`` the estimate never overestimates, and no move makes it fall by more than
    the move costs, so a state is first taken with the least that leads to it.

    The proof lists all states whose cost and estimate come to less than the optimum. All of
    these were taken and their moves followed; so were all states on the way from one of them
    to another, since cost and estimate together never fall. The bound of ``check`` is no
    smaller than the estimate.
    """
    search = _Search(start, budget, watcher)
    open_list = SortedList([_promise(search.first, search.table[search.first], minimise)])
    while open_list:
        if limit := search.limit():
            return search.unknown(limit)
        promise = open_list.pop()
        key = promise[-1]
        if promise != _promise(key, search.table[key], minimise):
            continue  # a cheaper way was found since
        if search.take(key).is_won:
            return search.cheapest(key, minimise)
        for step in search.steps_from(key):
            after = step.state.key
            known = search.table.get(after)
            if known is None or step.cost(minimise) < known.cost(minimise):
                search.table[after] = step
                open_list.add(_promise(after, step, minimise))
    return search.lost()


def least_turns(state: State) -> int:
    """Turns that any win from here takes at least: the stock's cards by ``draw``, rounded up.

    Every card of the stock must reach its row, which it can only do from the waste, and a
    turn brings at most ``draw`` of them there. So this never overestimates. A turn makes it
    fall by one at most, a play leaves it as it is, a redeal makes it grow.
    """
    return -(-len(state.stock) // state.rules.draw)


class _Step(NamedTuple):
    """A state, the key of the state before it, the move between, turns and redeals so far."""

    state: State
    before: int
    move: Move | None
    turns: int
    redeals: int

    def cost(self, minimise: Minimise, more_turns: int = 0) -> tuple[int, int]:
        turns = self.turns + more_turns
        return (self.redeals, turns) if minimise == "passes" else (turns, self.redeals)

    def least(self, minimise: Minimise) -> tuple[int, int]:
        """What a win on this way costs at least."""
        return self.cost(minimise, least_turns(self.state))


def _promise(key: int, step: _Step, minimise: Minimise) -> tuple[int, int, int, int]:
    """Sorts last what is to be taken next: the least cost in all, then most cards home."""
    first, second = step.least(minimise)
    return -first, -second, step.state.score, key


class _Search:
    """The table of all states met, by key, and what the search has cost so far."""

    def __init__(self, start: State, budget: Budget, watcher: Watcher) -> None:
        self.start, self.budget, self.watcher = start, budget, watcher
        state = _within_reason(start)
        self.first = state.key
        self.table = {self.first: _Step(state, self.first, None, 0, 0)}
        self.positions = 0
        self.began = perf_counter()

    def limit(self) -> Limit | None:
        """The limit that forbids to take one more state, or None. Looks at the clock rarely."""
        if self.budget.positions is not None and self.positions >= self.budget.positions:
            return "positions"
        if len(self.table) * STATE_BYTES > self.budget.megabytes * 10**6:
            return "memory"
        if self.positions % STATES_BETWEEN_LOOKS == STATES_BETWEEN_LOOKS - 1:
            spent = self.spent()
            self.watcher.progress(spent)
            if self.budget.seconds is not None and spent.seconds > self.budget.seconds:
                return "seconds"
        return None

    def take(self, key: int) -> State:
        self.positions += 1
        return self.table[key].state

    def enter(self, key: int) -> list[int]:
        """The keys of the states one move on that were not met before, the first move last."""
        fresh = []
        for step in reversed(self.steps_from(key)):
            after = step.state.key
            if after not in self.table:
                self.table[after] = step
                fresh.append(after)
        return fresh

    def steps_from(self, key: int) -> list[_Step]:
        state, _, _, turns, redeals = self.table[key]
        return [
            _Step(state.play(move), key, move, turns + (move == TURN), redeals + (move == REDEAL))
            for move in state.legal_moves()
        ]

    def spent(self) -> Spent:
        return Spent(self.positions, perf_counter() - self.began)

    def score(self) -> int:
        return max(s.state.score for s in self.table.values() if not s.state.is_won)

    def line(self, key: int) -> list[Move]:
        line: list[Move] = []
        while (step := self.table[key]).move is not None:
            line.append(step.move)
            key = step.before
        return line[::-1]

    def won(self, key: int) -> Won:
        return Won(self.start, self.line(key), spent=self.spent())

    def cheapest(self, key: int, minimise: Minimise) -> Won:
        won, win = self.won(key), self.table[key].cost(minimise)
        self.watcher.improved(won.line, getattr(won, minimise))
        steps = [step for step in self.table.values() if step.least(minimise) < win]
        orders = (
            (order, _cost_entries(self.start, order, steps)) for order in _row_orders(self.start)
        )
        proof = CostProof(tuple((order, entries) for order, entries in orders if entries))
        return evolve(won, minimise=minimise, at_least=getattr(won, minimise), proof=proof)

    def unknown(self, limit: Limit, best: int | None = None) -> Unknown:
        if best is None:
            return Unknown(self.start, limit, self.score(), spent=self.spent())
        score = self.table[best].state.score
        return Unknown(self.start, limit, score, self.line(best), spent=self.spent())

    def lost(self, best: int | None = None) -> Lost:
        """The loss, proved by every state met: none is left whose moves were not followed."""
        states = [step.state for step in self.table.values()]
        orders = [_order_proof(self.start, order, states) for order in _row_orders(self.start)]
        score = self.score()
        if best is None:
            return Lost(self.start, Proof(orders), score, spent=self.spent())
        return Lost(self.start, Proof(orders, score), score, self.line(best), spent=self.spent())


def _within_reason(start: State) -> State:
    """The position with no more redeals left than a line can use."""
    cards = len(start.waste) + len(start.stock)
    if start.redeals_left is None or start.redeals_left <= cards:
        return start
    return evolve(start, redeals_left=cards)


def _row_orders(start: State) -> Iterator[str]:
    """Every order of the deck's suits that begins with the rows of ``start``."""
    opened = _suits(start)
    others = (suit for suit in start.deal.suits if suit not in opened)
    for rest in permutations(others):
        yield opened + "".join(rest)


def _order_proof(start: State, order: str, states: list[State]) -> OrderProof:
    """The states that are positions under the order."""
    entries = {
        Entry(bits, len(state.waste), state.packet, state.redeals_left or 0)
        for state in states
        if (bits := _position(start, order, state))
    }
    return OrderProof(order, len(start.waste) + len(start.stock), tuple(sorted(entries)))


def _cost_entries(start: State, order: str, steps: list[_Step]) -> tuple[CostEntry, ...]:
    """The states that are positions under the order, with what it costs to come there."""
    entries = {
        CostEntry(bits, len(step.state.waste), step.state.packet, step.turns, step.redeals)
        for step in steps
        if (bits := _position(start, order, step.state))
    }
    return tuple(sorted(entries))


def _position(start: State, order: str, state: State) -> int:
    """Which cards of the sequence are left, one bit for each, if the state is a position.

    It is one if it fits the order and leaves the reserve nothing to play under it. 0 if not.
    """
    if not order.startswith(_suits(state)) or _reserve_plays(state, order):
        return 0
    left = {*state.waste, *state.stock}
    return sum(1 << j for j, card in enumerate((*start.waste, *start.stock)) if card in left)


def _reserve_plays(state: State, order: str) -> bool:
    rows = order[: len(state.rows) + 1]  # the suits that have a row or may open the next
    tops = (pile[-1] for pile in state.reserve if pile)
    return any(top.suit in rows and state.row_for(top) is not None for top in tops)


def _suits(state: State) -> str:
    return "".join(row[0].suit for row in state.rows)
