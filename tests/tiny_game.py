"""The game once more, by a program that shares no code with the library and imports none of it.

Written from the rules alone, for counts and for rivalry on short decks: cards are numbers, a
position is a tuple, every question is answered by looking at all positions there are.
"""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heappush
from typing import NamedTuple

RANKS = "A23456789TJQK"

# (reserve piles, waste, stock, rows, redeals left, packet); a row is (suit, its cards).
Cards = tuple[str, ...]
Rows = tuple[tuple[str, Cards], ...]
Position = tuple[tuple[Cards, ...], Cards, Cards, Rows, int, int]
Pair = tuple[int, int]
ENDLESS = -1


class Table(NamedTuple):
    """A deal laid out under rules, as plain values: ``passes`` is 0 for no limit."""

    code: str
    draw: int
    passes: int
    waste: str
    row_start: str

    @property
    def first(self) -> Position:
        """The position before the first move."""
        reserve, base, stock = self.code.split(":")
        piles = tuple(names(pile) for pile in reserve.split("/") if pile)
        redeals = self.passes - 1 if self.passes else ENDLESS
        return piles, (), names(stock), ((base[1], (base[0],)),), redeals, 0

    @property
    def size(self) -> int:
        """How many cards the deck has."""
        return sum(letter in RANKS for letter in self.code)

    @property
    def base_rank(self) -> str:
        """The rank of the base card."""
        return self.code.split(":")[1][0]


def names(text: str) -> Cards:
    """The cards of a stretch of a deal code."""
    return tuple(text[i : i + 2] for i in range(0, len(text), 2))


def after_play(table: Table, rows: Rows, card: str) -> Rows | None:
    """The rows with the card on them, or None if none takes it."""
    rank, suit = card[0], card[1]
    for i, (of, held) in enumerate(rows):
        if of == suit:
            if i and rank not in rows[i - 1][1]:
                return None
            return (*rows[:i], (suit, tuple(sorted((*held, rank)))), *rows[i + 1 :])
    fits = rank in rows[-1][1] if table.row_start == "any" else rank == table.base_rank
    return (*rows, (suit, (rank,))) if fits else None


def after_moves(table: Table, position: Position) -> list[tuple[str, Position]]:
    """What every legal move leads to: ``.`` a turn, ``|`` a redeal, else the card played."""
    piles, waste, stock, rows, redeals, packet = position
    found: list[tuple[str, Position]] = []
    for i, pile in enumerate(piles):
        if pile and (more := after_play(table, rows, pile[-1])):
            less = (*piles[:i], pile[:-1], *piles[i + 1 :])
            found.append((pile[-1], (less, waste, stock, more, redeals, packet)))
    if waste and (packet or table.waste == "top") and (more := after_play(table, rows, waste[-1])):
        rest = packet - 1 if packet else 0
        found.append((waste[-1], (piles, waste[:-1], stock, more, redeals, rest)))
    if stock:
        turned = stock[: table.draw]
        fresh = len(turned) if table.waste == "packet" else 0
        found.append((".", (piles, waste + turned, stock[table.draw :], rows, redeals, fresh)))
    elif waste and redeals:
        found.append(("|", (piles, (), waste, rows, max(redeals - 1, ENDLESS), 0)))
    return found


def score(position: Position) -> int:
    """Cards on the rows."""
    return sum(len(held) for _, held in position[3])


class Truth(NamedTuple):
    """The best score; the cost of the wins with the fewest turns and with the fewest redeals.

    Costs are (turns, redeals), None without a win; ties are broken by the other number.
    """

    score: int
    turns: Pair | None
    redeals: Pair | None


def truth(table: Table) -> Truth:
    """All there is to know of a short deal, from the whole graph of its positions."""
    graph: dict[Position, list[tuple[str, Position]]] = {}
    todo = [table.first]
    while todo:
        position = todo.pop()
        if position not in graph:
            graph[position] = after_moves(table, position)
            todo += [after for _, after in graph[position]]
    best = max(map(score, graph))
    if best < table.size:
        return Truth(best, None, None)
    numbers = {position: i for i, position in enumerate(graph)}
    edges = [[(move, numbers[after]) for move, after in steps] for steps in graph.values()]
    goals = [score(position) == best for position in graph]
    turns = cheapest(edges, goals, {".": (1, 0), "|": (0, 1)})
    redeals = cheapest(edges, goals, {".": (0, 1), "|": (1, 0)})
    return Truth(best, turns, redeals[::-1])


def cheapest(
    edges: list[list[tuple[str, int]]], goals: list[bool], prices: dict[str, Pair]
) -> Pair:
    """What the cheapest way from position 0 to a goal costs (Dijkstra)."""
    known = {0: (0, 0)}
    queue = [((0, 0), 0)]
    while True:
        cost, i = heappop(queue)
        if goals[i]:
            return cost
        if cost > known[i]:
            continue
        for move, after in edges[i]:
            more = prices.get(move, (0, 0))
            there = cost[0] + more[0], cost[1] + more[1]
            if after not in known or there < known[after]:
                known[after] = there
                heappush(queue, (there, after))


def perft(table: Table, depth: int) -> list[Pair]:
    """For 0 to ``depth`` moves: how many positions so many moves lead to, and in how many lines."""
    level = Counter({table.first: 1})
    counts = [(1, 1)]
    while len(counts) <= depth:
        after: Counter[Position] = Counter()
        for position, lines in level.items():
            for _, there in after_moves(table, position):
                after[there] += lines
        level = after
        counts.append((len(level), level.total()))
    return counts
