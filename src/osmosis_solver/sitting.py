"""A player who asks the advisor plays whole deals, shown what is seen at the table and no more.

There are two forms. ``advised`` is the plain one, by ``State`` and ``View``. ``Sitting`` is the
quick one for native deals, in numbers, held by the tests to the same moves: it does not hold the
deal, but asks for a card by its place once the card lies open.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Self

from attrs import define, field

from osmosis_solver.advisor import plan
from osmosis_solver.cards import DECK
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move, Play
from osmosis_solver.numbering import native_order
from osmosis_solver.policy import POLICIES, Eyes, Player
from osmosis_solver.policy import final_score as simple_score
from osmosis_solver.rules import Rules
from osmosis_solver.sight import HIDDEN, RESERVE, TURNS, Sight, Step
from osmosis_solver.view import Sees, View, glimpse

_RANKS: Final = 13
_NO_CARD: Final = 255


def final_score(player: Player, number: int, rules: Rules) -> int:
    """The score that a player reaches on a native deal."""
    if player.kind != "advisor":
        return simple_score(player.kind, number, rules)
    cards = [_NUMBER_OF[card.name] for card in native_order(number)]
    return Sitting.down(rules, player.sees, cards.__getitem__).play_out(player.completions)


def plain_score(player: Player, start: State) -> int:
    """The same by the player's plain form."""
    if player.kind != "advisor":
        return POLICIES[player.kind](start)
    return start.play_all(advised(start, player.completions, player.sees)).score


def advised(start: State, completions: int = 100, eyes: Eyes = "packets") -> Iterator[Move]:
    """The moves of who does what ``plan`` says, from the start of a deal to the end of the game.

    ``eyes`` is what is seen (``Player.sees``). Where a turn is the only legal move and shows a
    card, nothing is asked. Each plan plays a card or shows one, and there is none where no
    play can come up any more.
    """
    sees: Sees = "tops" if eyes == "tops" else "packets"
    state, seen = start, glimpse(start, sees)
    if eyes == "reserve":
        seen |= {card for pile in start.reserve for card in pile}
    view = View.showing(state, seen, sees)
    while moves := _forced(state, view) or plan(view, completions, seed_of(view)):
        for move in moves:
            state = state.play(move)
            seen |= glimpse(state, sees)
            yield move
        view = View.showing(state, seen, sees)


def _forced(state: State, view: View) -> tuple[Move, ...]:
    """The turn that is to be made, if it is all there is to do and shows a card; or nothing."""
    packet = view.stock[: view.rules.draw]
    shown = packet if view.sees == "packets" else packet[-1:]
    return (TURN,) if None in shown and state.legal_moves() == (TURN,) else ()


def seed_of(view: View) -> int:
    """The seed for the advice at a view: made of what is seen alone, another for each view."""
    return _seed(HIDDEN if card is None else card.index for card in view.places)


def _seed(cards: Iterable[int]) -> int:
    return zlib.crc32(bytes(_NO_CARD if card == HIDDEN else card for card in cards))


_NUMBER_OF: Final = {card.name: card.index for card in DECK}


@define
class Sitting:
    """``advised`` at one deal of 52 cards, each known by its place once ``show`` was asked.

    A place is a number in the dealing order: reserve piles bottom to top, base card, stock.
    ``sequence`` has the places of waste and stock that are left, ``waste`` is how many of them
    are turned; ``line`` the moves made.
    """

    rules: Rules
    tops: bool
    show: Callable[[int], int]
    piles: list[list[int]]
    sequence: list[int]
    redeals: int | None
    waste: int = 0
    packet: int = 0
    home: int = 0
    order: list[int] = field(factory=list)
    known: list[int] = field(factory=lambda: [HIDDEN] * len(DECK))
    line: list[Move] = field(factory=list)

    @classmethod
    def down(cls, rules: Rules, eyes: Eyes, show: Callable[[int], int]) -> Self:
        """Sit down at a deal whose card at each place is told by ``show``."""
        piles, at = list[list[int]](), 0
        for size in rules.layout:
            piles.append(list(range(at, at + size)))
            at += size
        redeals = None if rules.passes is None else rules.passes - 1
        found = cls(rules, eyes == "tops", show, piles, list(range(at + 1, len(DECK))), redeals)
        found._look([at])
        found._bring(found.known[at])
        for pile in piles:
            found._look(pile if eyes == "reserve" else pile[-1:])
        return found

    @property
    def score(self) -> int:
        """Cards on the rows."""
        return self.home.bit_count()

    def play_out(self, completions: int) -> int:
        """Play to the end of the game; the score."""
        while self.go_on(completions):
            pass
        return self.score

    def go_on(self, completions: int) -> bool:
        """Ask, and do what is said; whether there was anything to do."""
        sight = self.sight()
        if self._is_forced(sight):
            return self._turn()
        cards = (*sight.sequence, *(card for pile in sight.piles for card in pile))
        steps = sight.plan(completions, _seed(cards))
        places, reserve = list(self.sequence), [place for pile in self.piles for place in pile]
        for step in steps:
            if step.place == TURNS:
                self._turn_until_shown()
            elif step.place >= RESERVE:
                self._play_reserve(reserve[step.place - RESERVE])
            else:
                self._play_waste(places[step.place], step)
        return bool(steps)

    def _is_forced(self, sight: Sight) -> bool:
        packet = sight.sequence[self.waste :][: sight.draw]
        if HIDDEN not in (packet[-1:] if self.tops else packet):
            return False
        up = [pile[-1] for pile in sight.piles if pile]
        if self.waste and (self.packet or not sight.packets):
            up.append(sight.sequence[self.waste - 1])
        return not any(map(sight.fits, up))

    def sight(self) -> Sight:
        """What is seen."""
        known, rules = self.known, self.rules
        return Sight(
            draw=rules.draw,
            packets=rules.waste == "packet",
            any_start=rules.row_start == "any",
            tops=self.tops,
            suits=len(DECK) // _RANKS,
            ranks=_RANKS,
            base_rank=known[sum(rules.layout)] % _RANKS,
            sequence=tuple([known[place] for place in self.sequence]),
            piles=tuple([tuple([known[place] for place in pile]) for pile in self.piles]),
            home=self.home,
            order=tuple(self.order),
            waste=self.waste,
            packet=self.packet,
            redeals=self.redeals,
        )

    def _play_reserve(self, place: int) -> None:
        [pile] = [pile for pile in self.piles if pile[-1:] == [place]]
        pile.pop()
        self._look(pile[-1:])
        self._play(place)

    def _play_waste(self, place: int, step: Step) -> None:
        while not self._is_up(place, step.rest):
            self._turn()
        self.waste -= 1
        self.packet = max(self.packet - 1, 0)
        del self.sequence[self.waste]
        self._look(self.sequence[max(self.waste - 1, 0) : self.waste])
        self._play(place)

    def _is_up(self, place: int, rest: int) -> bool:
        if not self.waste or self.sequence[self.waste - 1] != place:
            return False
        return self.rules.waste == "top" or self.packet > rest

    def _turn_until_shown(self) -> None:
        while not self._turn():
            pass

    def _turn(self) -> bool:
        """Turn or redeal; whether a card is seen that was not before."""
        before = self.waste
        if before == len(self.sequence):
            self.line.append(REDEAL)
            self.waste = self.packet = 0
            self.redeals = None if self.redeals is None else self.redeals - 1
            return False
        self.line.append(TURN)
        self.waste = min(before + self.rules.draw, len(self.sequence))
        self.packet = self.waste - before if self.rules.waste == "packet" else 0
        return self._look(self.sequence[self.waste - 1 if self.tops else before : self.waste])

    def _play(self, place: int) -> None:
        self.line.append(Play(DECK[self.known[place]]))
        self._bring(self.known[place])

    def _bring(self, card: int) -> None:
        self.home |= 1 << card
        if card // _RANKS not in self.order:
            self.order.append(card // _RANKS)

    def _look(self, places: Iterable[int]) -> bool:
        """See what lies open; whether there was a card to see."""
        hidden = [place for place in places if self.known[place] == HIDDEN]
        for place in hidden:
            self.known[place] = self.show(place)
        return bool(hidden)
