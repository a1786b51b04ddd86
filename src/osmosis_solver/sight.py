"""A view in numbers, as the fast rooms take it: moves that are safe, and the plan that wins most.

Cards are ``13 * suit + rank``, both counted from 0 in the deck's own order; suits and ranks of
a short deck have no gaps. ``advisor`` tells in words and moves what is found here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import factorial
from typing import Final, NamedTuple

from attrs import frozen

from osmosis_solver._plans import Plans

HIDDEN: Final = -1
"""Stands for a card that is not seen."""
RESERVE: Final = 64
"""In a step: what the places of the reserve begin at, counted pile by pile from the bottom."""
TURNS: Final = 128
"""In a step: turns and redeals until a card is seen that was not before."""
POSITIONS: Final = 500
"""Positions that each verdict may take where cards are hidden."""
OPEN_POSITIONS: Final = 1_000_000
"""The same where no card is hidden."""
DEPTH: Final = 2
"""How many shown cards ahead plans are made."""
MEGABYTES: Final = 64
ENOUGH: Final = 4
"""Under a pass limit: more is drawn until one completion for so many asked for can be won."""
TIMES: Final = 10
"""The same: how many are drawn at the most for each that is asked for."""
MOST_COMPLETIONS: Final = 10_000
"""How many are drawn at the most; each takes a byte for each of the options."""

_RANKS: Final = 13
_MANY_REDEALS: Final = 1000  # no plan makes so many, and no win needs more than 51
_LARGEST_FACTORIAL: Final = 9


class Step(NamedTuple):
    """A card to play by its place, brought up by turns if need be, or ``TURNS``.

    ``place``: a number in the sequence as it lies before the plan, ``RESERVE`` plus a number
    in the reserve, or ``TURNS``. ``rest``: how many cards of its packet it leaves at the least.
    """

    place: int
    rest: int = 0


class Plan(NamedTuple):
    """Steps up to the next card shown, how many completions they win, and -1 if it was dropped.

    ``most`` is how many its first play wins with all cards seen.
    """

    steps: tuple[Step, ...]
    won: int
    most: int


class Verdict(NamedTuple):
    """What the plans came to: ``drawn`` completions, of which ``winnable`` with all cards seen.

    ``cut``: how many verdicts ran into a limit and counted as no win. ``exact``: the
    completions are all that there are.
    """

    plans: tuple[Plan, ...]
    drawn: int
    winnable: int
    cut: int
    exact: bool


@frozen
class Sight:
    """What a player sees, in numbers: no card that is hidden is in it.

    ``sequence`` is the waste, then the stock; ``home`` has a bit for each card on the rows,
    ``order`` the suits that have one, row 1 first. ``redeals`` is None without a limit.
    """

    draw: int
    packets: bool
    any_start: bool
    tops: bool
    suits: int
    ranks: int
    base_rank: int
    sequence: tuple[int, ...]
    piles: tuple[tuple[int, ...], ...]
    home: int
    order: tuple[int, ...]
    waste: int = 0
    packet: int = 0
    redeals: int | None = None

    def fits(self, card: int) -> bool:
        """Whether a card has a row now, wherever it lies."""
        suit, rank = divmod(card, _RANKS)
        if suit in self.order:
            row = self.order.index(suit)
            return row == 0 or self._has(self.order[row - 1], rank)
        if self.any_start:
            return self._has(self.order[-1], rank)
        return rank == self.base_rank

    def _has(self, suit: int, rank: int) -> bool:
        return bool(self.home >> (_RANKS * suit + rank) & 1)

    def opens(self, card: int) -> bool:
        """Whether a card's suit has no row yet."""
        return card // _RANKS not in self.order

    def hidden_places(self) -> list[int]:
        """The places that are hidden, as steps count them."""
        places = [j for j, card in enumerate(self.sequence) if card == HIDDEN]
        reserve = (card for pile in self.piles for card in pile)
        return places + [RESERVE + j for j, card in enumerate(reserve) if card == HIDDEN]

    def reserve_tops(self) -> Iterator[tuple[int, int]]:
        """The reserve's top cards, each with its place."""
        place = RESERVE - 1
        for pile in self.piles:
            place += len(pile)
            if pile:
                yield place, pile[-1]

    # ---- moves that are safe ---------------------------------------------------------------

    def safe(self) -> tuple[str, tuple[Step, ...]] | None:
        """A kind of safe move and its steps, or None: ``reserve``, ``waste``, ``scout``, ``open``.

        A move is safe if for every way to play on there is one that begins with it and wins
        whenever the other does, whatever the hidden cards are.
        """
        place = self.reserve_place()
        if place is not None:
            return "reserve", (Step(place),)
        if self.redeals is not None:
            place = self.waste_place()
            return None if place is None else ("waste", (Step(place),))
        if shown := self.scouting():
            return "scout", (Step(TURNS),) * shown
        found = self.open_place()
        return None if found is None else ("open", (Step(found),))

    def reserve_place(self) -> int | None:
        """A top card of the reserve whose suit has a row that takes it.

        It may be played at once: no row order is decided by it, stock and waste lie as before,
        the card under it is seen sooner, and its row takes every card that it took before. So
        whoever would play on without it can make the same moves after it, and leave it out
        where it came.
        """
        for place, card in self.reserve_tops():
            if not self.opens(card) and self.fits(card):
                return place
        return None

    def waste_place(self) -> int | None:
        """The waste top, if its suit has a row that takes it and nothing is lost by the play.

        By draw one, or with the stock empty, whatever the pass limit. Take any way to play on
        without it. After the play all other cards lie in the same order, and no row order is
        decided by it. By draw one each of them comes up after as many others as before: make
        the same moves, but leave out the play and each turn of that card. With the stock
        empty it is the last card of the sequence: in each pass all others come up as before,
        the cards under it at the end of the pass even without its play; leave out the play,
        and the turn that turns that card alone. The row it goes to takes every card that it
        took before, and no move is made later in the passes than it was.
        """
        if not self.waste or (self.packets and not self.packet):
            return None
        if self.draw != 1 and self.waste < len(self.sequence):
            return None
        card = self.sequence[self.waste - 1]
        if card == HIDDEN or self.opens(card) or not self.fits(card):
            return None
        return self.waste - 1

    def scouting(self) -> int:
        """How often a card is shown on the way that costs nothing, if passes are free.

        The waste must be one that any pass brings back: none, whole packets or all cards.
        Turning on and redealing comes back there with nothing played, so all ways to play on
        are still there, and more is seen.
        """
        if not self._comes_back():
            return 0
        shown = sum(self._is_new(up, size) for up, size in self._turns(self.waste))
        return shown or sum(self._is_new(up, size) for up, size in self._turns(0))

    def _comes_back(self) -> bool:
        ended = self.waste == len(self.sequence) and not self.packets
        return ended or self.waste % self.draw == 0

    def _turns(self, waste: int) -> Iterator[tuple[int, int]]:
        """The waste after each turn of the rest of a pass, and how many cards were turned."""
        size = len(self.sequence)
        while waste < size:
            turned = min(self.draw, size - waste)
            waste += turned
            yield waste, turned

    def _is_new(self, waste: int, turned: int) -> bool:
        first = waste - 1 if self.tops else waste - turned
        return HIDDEN in self.sequence[first:waste]

    def open_place(self) -> int | None:
        """A card of the sequence that is as good as open, whose suit has a row that takes it.

        Passes must be free. By draw one every card comes up in every pass, wherever it lies,
        and goes on doing so whatever was played. By other numbers the last card of the
        sequence does, from where a pass may as well begin: with it gone all other cards keep
        their places, and the one before it comes up at the end of every pass instead. So it
        may be played at once: the row it goes to has more cards, all else is as it was.
        """
        if self.draw == 1:
            places = range(len(self.sequence))
        elif self._comes_back() and not self.packets:
            places = range(max(len(self.sequence) - 1, 0), len(self.sequence))
        else:
            return None
        for place in places:
            card = self.sequence[place]
            if card != HIDDEN and not self.opens(card) and self.fits(card):
                return place
        return None

    # ---- moves that are weighed ------------------------------------------------------------

    def weigh(
        self,
        completions: int,
        seed: int,
        positions: int | None = None,
        megabytes: int = MEGABYTES,
    ) -> Verdict:
        """Draw completions, or take all if there are no more, and weigh the plans on them.

        Under a pass limit few completions can be won before the stock is known, and few wins
        tell little: there more are drawn where it needs be (``ENOUGH``, ``TIMES``).

        Each search may take ``positions``; if not given, ``POSITIONS``, or ``OPEN_POSITIONS``
        where nothing is hidden.
        """
        hidden = self.hidden_places()
        positions = positions or (POSITIONS if hidden else OPEN_POSITIONS)
        least, most, exact = self._draws(len(hidden), completions)
        plans = self.guesses()
        drawn, winnable, told = plans.judge(
            seed, least, least // ENOUGH, most, exact, DEPTH, positions, megabytes * 10**6
        )
        found = tuple(Plan(tuple(map(Step._make, path)), won, most) for path, won, most in told)
        return Verdict(found, drawn, winnable, plans.cut, exact)

    def _draws(self, hidden: int, completions: int) -> tuple[int, int, bool]:
        """How many completions are drawn, at the least and the most, and whether all there are."""
        if hidden <= _LARGEST_FACTORIAL and factorial(hidden) <= completions:
            return factorial(hidden), factorial(hidden), True
        if self.redeals is None:
            return completions, completions, False
        return completions, max(completions, min(TIMES * completions, MOST_COMPLETIONS)), False

    def guesses(self) -> Plans:
        """The fast rooms, with the view as option 0."""
        missing = self._missing()
        sequence = [next(missing) if card == HIDDEN else card for card in self.sequence]
        piles = [
            [next(missing) if card == HIDDEN else card for card in pile] for pile in self.piles
        ]
        rest = [suit for suit in range(self.suits) if suit not in self.order]
        plans = Plans(
            sequence,
            piles,
            [card for card in range(52) if self.home >> card & 1],
            [(*self.order, *more) for more in permutations(rest)],
            self.ranks,
            self.base_rank,
            self.draw,
            self.packets,
            self.any_start,
            self.redeals,
            self.waste,
            self.packet,
            unseen=self.hidden_places(),
            tops=self.tops,
        )
        left, reserve = (1 << len(sequence)) - 1, (1 << sum(map(len, piles))) - 1
        redeals = None if self.redeals is None else min(self.redeals, _MANY_REDEALS)
        plans.add(left, reserve, self.waste, self.packet, redeals, self.order)
        return plans

    def _missing(self) -> Iterator[int]:
        """The cards that are nowhere to be seen."""
        seen = {*self.sequence, *(card for pile in self.piles for card in pile)}
        for suit in range(self.suits):
            for card in range(_RANKS * suit, _RANKS * suit + self.ranks):
                if card not in seen and not self.home >> card & 1:
                    yield card

    def plan(self, completions: int, seed: int) -> tuple[Step, ...]:
        """The steps to take up to where the next card is shown; none if no play can come up.

        Safe moves first; else the plan that wins the most completions.
        """
        if found := self.safe():
            return found[1]
        plans = self.weigh(completions, seed).plans
        return max(plans, key=lambda plan: plan.won).steps if plans else ()
