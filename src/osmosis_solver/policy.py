"""Players, for comparison: which there are, and what a simple rule of play brings home.

A simple policy plays from a position to its end and gives the final score. It is a function of
``POLICIES``; a quicker form of it for numbered deals, held to the same scores by the tests, may
stand in ``_QUICK``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal, Self, get_args

from attrs import define, field, frozen

from osmosis_solver.cards import DECK
from osmosis_solver.deal import Deal
from osmosis_solver.errors import OsmosisError, clip
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, Play
from osmosis_solver.numbering import native_order
from osmosis_solver.rules import Rules

Policy = Callable[[State], int]

Eyes = Literal["packets", "tops", "reserve"]
MOST_COMPLETIONS: Final = 10_000

_COMPLETIONS: Final = 100
_NUMBER: Final = re.compile("[0-9]{1,9}")
_NUMBER_OF: Final = {card.name: number for number, card in enumerate(DECK)}
_RANKS: Final = 13


def greedy(state: State) -> int:
    """The score of a player who takes every play at once and looks at no face-down card.

    Of several plays the reserve comes first, left to right, then the waste; so the first
    suit come takes the next row. The stock is turned when nothing can be played, and turned
    over after each pass that brought a play home, as often as the rules allow.

    >>> greedy(State.start(Deal.from_code("2CAD/AH:AC:2D2H")))
    4
    """
    brought = bool(state.waste)  # what this pass brought before is not known
    while moves := state.legal_moves():
        move = moves[0]
        if move == REDEAL and not brought:
            break
        brought = move != REDEAL and (brought or isinstance(move, Play))
        state = state.play(move)
    return state.score


def final_score(policy: str, number: int, rules: Rules) -> int:
    """The score that a policy of ``POLICIES`` reaches on a native deal."""
    if policy in _QUICK:
        return _QUICK[policy](number, rules)
    return POLICIES[policy](State.start(Deal.from_number(number, rules.layout), rules))


@define
class _Greedy:
    """``greedy`` on cards that are numbers, suit by suit, ace to king."""

    rules: Rules
    piles: list[list[int]]
    stock: list[int]
    base: int
    waste: list[int] = field(factory=list)
    live: int = 0
    """Waste cards that may be played, from the top down."""
    order: list[int] = field(factory=list)
    ranks: list[int] = field(factory=lambda: [0] * 4)
    """A bit for each rank that is home, by suit."""
    score: int = 0

    def run(self) -> int:
        self._bring(self.base)
        before = -1
        left = self.rules.passes
        while self.score > before and left != 0:
            before = self.score
            left = None if left is None else left - 1
            self._pass()
        return self.score

    def _pass(self) -> None:
        """One pass; the plays from the reserve before it are made in it."""
        draw, packets, at = self.rules.draw, self.rules.waste == "packet", 0
        self._play_out()
        while at < len(self.stock):
            packet = self.stock[at : at + draw]
            at += len(packet)
            self.waste += packet
            self.live = len(packet) if packets else len(self.waste)
            if self._play_waste():  # a turn alone brings no play from the reserve
                self._play_out()
        self.stock, self.waste, self.live = self.waste, [], 0

    def _play_out(self) -> None:
        while self._play_reserve() or self._play_waste():
            pass

    def _play_reserve(self) -> bool:
        for pile in self.piles:
            if pile and self._takes(pile[-1]):
                self._bring(pile.pop())
                return True
        return False

    def _play_waste(self) -> bool:
        if not (self.live and self._takes(self.waste[-1])):
            return False
        self._bring(self.waste.pop())
        self.live -= 1
        return True

    def _takes(self, card: int) -> bool:
        suit, rank = divmod(card, _RANKS)
        order = self.order
        if suit in order:
            row = order.index(suit)
            return row == 0 or bool(self.ranks[order[row - 1]] >> rank & 1)
        if self.rules.row_start == "any":
            return bool(self.ranks[order[-1]] >> rank & 1)
        return rank == self.base % _RANKS

    def _bring(self, card: int) -> None:
        suit, rank = divmod(card, _RANKS)
        if suit not in self.order:
            self.order.append(suit)
        self.ranks[suit] |= 1 << rank
        self.score += 1


def _quick_greedy(number: int, rules: Rules) -> int:
    cards = [_NUMBER_OF[card.name] for card in native_order(number)]
    piles, at = list[list[int]](), 0
    for size in rules.layout:
        piles.append(cards[at : at + size])
        at += size
    return _Greedy(rules, piles, cards[at + 1 :], cards[at]).run()


POLICIES: Final[dict[str, Policy]] = {"greedy": greedy}
_QUICK: Final[dict[str, Callable[[int, Rules], int]]] = {"greedy": _quick_greedy}


@frozen
class Player:
    """A player that a survey can ask about.

    - ``kind``: ``"advisor"``, who does what the advice says and sees no hidden card;
      ``"thoughtful"``, who knows every card and errs never; or one of ``POLICIES``.
    - ``completions``: how many the advisor draws for each advice.
    - ``sees``: of the cards that a turn moves the advisor sees all, ``"packets"``, or the
      last, ``"tops"``; with ``"reserve"`` all, and the whole reserve from the start.

    The last two say nothing of other players.
    """

    kind: str
    completions: int = _COMPLETIONS
    sees: Eyes = "packets"

    @classmethod
    def named(cls, name: object, completions: int | None = None, sees: str | None = None) -> Self:
        """The player of that name, which ``str`` gives back. Raises ``OsmosisError``.

        The other two, if they are given, stand for what the name does not say.

        >>> str(Player.named("advisor")), str(Player.named("advisor 200 tops"))
        ('advisor 100 packets', 'advisor 200 tops')
        """
        kind, *more = (name.split() if isinstance(name, str) else []) or [""]
        if kind not in kinds() or len(more) > (2 if kind == "advisor" else 0):
            raise OsmosisError(clip(name), "survey, policy", "one of " + ", ".join(kinds()))
        if kind != "advisor":
            if completions is not None or sees is not None:
                got = f"completions or what is seen for {kind}"
                raise OsmosisError(got, "survey, policy", "these for the advisor only")
            return cls(kind)
        given = dict(zip(("completions", "sees"), more, strict=False))
        return cls(
            kind,
            _drawn(given.get("completions", completions)),
            _eyes(given.get("sees", sees)),
        )

    def __str__(self) -> str:
        return f"advisor {self.completions} {self.sees}" if self.kind == "advisor" else self.kind


def kinds() -> list[str]:
    """The players that a survey can ask about."""
    return sorted({*POLICIES, "advisor", "thoughtful"})


def _drawn(value: object) -> int:
    number = int(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
    if number is None:
        return _COMPLETIONS
    if type(number) is not int or not 1 <= number <= MOST_COMPLETIONS:
        wanted = f"a whole number from 1 to {MOST_COMPLETIONS}"
        raise OsmosisError(clip(value), "survey, completions", wanted)
    return number


def _eyes(value: str | None) -> Eyes:
    found = next((each for each in get_args(Eyes) if each == value), None)
    if value is not None and found is None:
        wanted = "'packets', 'tops' or 'reserve'"
        raise OsmosisError(clip(value), "survey, what is seen", wanted)
    return found or "packets"
