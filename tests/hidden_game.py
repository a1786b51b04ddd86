"""The game with hidden cards, played out in full: the best that any player can do, on short decks.

A *belief* is all positions that look alike to the player; what is seen is the same in each. This
is the rival of what ``sight`` calls safe.
"""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any, get_args

from osmosis_solver.cards import Card
from osmosis_solver.game import State
from osmosis_solver.moves import Play
from osmosis_solver.view import Sees, View, glimpse

Seen = frozenset[Card]


class Best:
    """How many of the positions of a belief the best way to play on wins."""

    def __init__(self, sees: Any) -> None:
        self.sees = sees
        self.known: dict[tuple[State, ...], int] = {}

    def of(self, belief: tuple[State, ...], seen: Seen) -> int:
        """The most positions that can be won, if ``seen`` are the cards known to all."""
        if belief[0].is_won:
            return len(belief)
        if belief not in self.known:
            self.known[belief] = self._of(belief, seen)
        return self.known[belief]

    def _of(self, belief: tuple[State, ...], seen: Seen) -> int:
        best, at, met = 0, belief, set[State]()
        while at[0] not in met and best < len(belief):
            met.add(at[0])
            plays = [move for move in at[0].legal_moves() if isinstance(move, Play)]
            for play in plays:
                best = max(best, self.after(tuple(s.play(play) for s in at), seen))
            others = [move for move in at[0].legal_moves() if not isinstance(move, Play)]
            if not others:
                break
            at = tuple(state.play(others[0]) for state in at)
            if any(not glimpse(state, self.sees) <= seen for state in at):
                return max(best, self.after(at, seen))
        return best

    def after(self, belief: tuple[State, ...], seen: Seen) -> int:
        """The same once the player has looked: those that look different are told apart."""
        groups: dict[tuple[Any, ...], list[State]] = {}
        for state in belief:
            groups.setdefault(_looks(state, self.sees), []).append(state)
        return sum(
            self.of(tuple(group), seen | glimpse(group[0], self.sees)) for group in groups.values()
        )


def _looks(state: State, sees: Any) -> tuple[Any, ...]:
    last = state.rules.draw if sees == "packets" else 1
    return tuple(pile[-1:] for pile in state.reserve), state.waste[-last:]


def belief_of(view: View) -> tuple[tuple[State, ...], Seen]:
    """All positions that look like a view, and what is seen in it."""
    home = {card for row in view.rows for card in row}
    seen = frozenset(home | {card for card in view.places if card is not None})
    return tuple(view.completed(order) for order in permutations(view.unseen)), seen


def some_view(state: State, hidden: int, source: random.Random) -> View:
    """A position of which so many cards, or all that need not be seen, are hidden."""
    sees: Sees = source.choice(get_args(Sees))
    up = glimpse(state, "tops")
    rest = sorted(set(state.deal.cards()) - up, key=lambda card: card.index)
    source.shuffle(rest)
    return View.showing(state, up | set(rest[hidden:]), sees)
