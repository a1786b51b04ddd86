"""The reference engine: plain searches over ``State`` objects, the rival of the kernel.

Nothing is pruned but states met before. Slow, and meant to be read in one sitting.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from time import perf_counter
from typing import Final, NamedTuple

from sortedcontainers import SortedList

from osmosis_solver.answer import (
    Answer,
    Budget,
    Entry,
    Limit,
    Lost,
    OrderProof,
    Proof,
    Spent,
    Unknown,
    Watcher,
    Won,
)
from osmosis_solver.game import State
from osmosis_solver.moves import TURN, Move

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
    stack = [start.key]
    while stack:
        if limit := search.limit():
            return search.unknown(limit)
        key = stack.pop()
        if search.take(key).is_won:
            return search.won(key)
        for step in reversed(search.steps_from(key)):
            after = step.state.key
            if after not in search.table:
                search.table[after] = step
                stack.append(after)
    return search.lost()


def a_star(start: State, budget: Budget, watcher: Watcher) -> Answer:
    """A line with the fewest turns, or a proof of loss. Takes what promises fewest turns next.

    ``positions`` counts the states taken from the open list. The first win taken has the
    fewest turns: ``least_turns`` never overestimates, and by no move does it fall by more
    than the turns of that move (a turn takes at most ``draw`` cards from the stock, a play
    none, a redeal adds some). So a state is first taken with the fewest turns that lead to it.
    """
    search = _Search(start, budget, watcher)
    open_list = SortedList([_promise(start.key, search.table[start.key])])
    while open_list:
        if limit := search.limit():
            return search.unknown(limit)
        promise = open_list.pop()
        key = promise[-1]
        if promise != _promise(key, search.table[key]):
            continue  # a way with fewer turns was found since
        if search.take(key).is_won:
            return search.won(key)
        for step in search.steps_from(key):
            after = step.state.key
            if after not in search.table or step.turns < search.table[after].turns:
                search.table[after] = step
                open_list.add(_promise(after, step))
    return search.lost()


def least_turns(state: State) -> int:
    """Turns that any win from here takes at least: the stock's cards by ``draw``, rounded up.

    Every card of the stock must reach its row, which it can only do from the waste, and a
    turn brings at most ``draw`` of them there. So this never overestimates.
    """
    return -(-len(state.stock) // state.rules.draw)


class _Step(NamedTuple):
    """A state, the key of the state before it, the move between, and the turns so far."""

    state: State
    before: int
    move: Move | None
    turns: int


def _promise(key: int, step: _Step) -> tuple[int, int, int]:
    """Sorts last what is to be taken next: fewest turns in all, then most cards home."""
    return -(step.turns + least_turns(step.state)), step.state.score, key


class _Search:
    """The table of all states met, by key, and what the search has cost so far."""

    def __init__(self, start: State, budget: Budget, watcher: Watcher) -> None:
        self.start, self.budget, self.watcher = start, budget, watcher
        self.table = {start.key: _Step(start, start.key, None, 0)}
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

    def steps_from(self, key: int) -> list[_Step]:
        state, turns = self.table[key].state, self.table[key].turns
        return [
            _Step(state.play(move), key, move, turns + (move == TURN))
            for move in state.legal_moves()
        ]

    def spent(self) -> Spent:
        return Spent(self.positions, perf_counter() - self.began)

    def score(self) -> int:
        return max(s.state.score for s in self.table.values() if not s.state.is_won)

    def won(self, key: int) -> Won:
        line: list[Move] = []
        while (step := self.table[key]).move is not None:
            line.append(step.move)
            key = step.before
        return Won(self.start, line[::-1], spent=self.spent())

    def unknown(self, limit: Limit) -> Unknown:
        return Unknown(self.start, limit, self.score(), spent=self.spent())

    def lost(self) -> Lost:
        """The loss, proved by every state met: none is left whose moves were not followed."""
        states = [step.state for step in self.table.values()]
        orders = [_order_proof(self.start, order, states) for order in _row_orders(self.start)]
        return Lost(self.start, Proof(orders), self.score(), spent=self.spent())


def _row_orders(start: State) -> Iterator[str]:
    """Every order of the deck's suits that begins with the rows of ``start``."""
    opened = _suits(start)
    others = (suit for suit in start.deal.suits if suit not in opened)
    for rest in permutations(others):
        yield opened + "".join(rest)


def _order_proof(start: State, order: str, states: list[State]) -> OrderProof:
    """The states that fit the order and leave the reserve nothing to play under it."""
    sequence = (*start.waste, *start.stock)
    entries = set()
    for state in states:
        if order.startswith(_suits(state)) and not _reserve_plays(state, order):
            left = {*state.waste, *state.stock}
            bits = sum(1 << j for j, card in enumerate(sequence) if card in left)
            if bits:
                entry = Entry(bits, len(state.waste), state.packet, state.redeals_left or 0)
                entries.add(entry)
    return OrderProof(order, len(sequence), tuple(sorted(entries)))


def _reserve_plays(state: State, order: str) -> bool:
    rows = order[: len(state.rows) + 1]  # the suits that have a row or may open the next
    tops = (pile[-1] for pile in state.reserve if pile)
    return any(top.suit in rows and state.row_for(top) is not None for top in tops)


def _suits(state: State) -> str:
    return "".join(row[0].suit for row in state.rows)
