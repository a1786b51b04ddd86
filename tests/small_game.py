"""A whole game on lists of card names, and the machine of the testing kit that asks it."""

from __future__ import annotations

from collections.abc import Hashable
from copy import copy
from typing import Any, ClassVar, cast

from osmosis_solver import Rules
from osmosis_solver.testing import (
    OsmosisMachine,
)


class Small:
    """The whole game on lists of card names: written from the rules, sharing no code with us."""

    def start(self, code: str, rules: Rules) -> None:
        """Deal the cards."""
        reserve, base, stock = code.split(":")
        self.law = rules
        self.dealt = [*pairs(stock)]
        self.base = base
        self.suits = set(code) & set("CDHS")
        self.piles = [pairs(pile) for pile in reserve.split("/")]
        self.stock, self.waste, self.rows = pairs(stock), list[str](), [[base]]
        self.passes, self.live = 1, 0

    def tops(self) -> list[str]:
        """The cards that may be played if a row takes them."""
        tops = [pile[-1] for pile in self.piles if pile]
        return tops + self.waste[-1:] if self.waste_is_open() else tops

    def waste_is_open(self) -> bool:
        """Whether the waste top may be played."""
        return self.law.waste == "top" or self.live > 0

    def row_of(self, card: str) -> int | None:
        """The row that takes the card."""
        for number, row in enumerate(self.rows):
            if row[0][1] == card[1]:
                return number if number == 0 or self.has(number - 1, card) else None
        return len(self.rows) if self.opens(card) else None

    def has(self, number: int, card: str) -> bool:
        """Whether a row has the card's rank."""
        return card[0] in [other[0] for other in self.rows[number]]

    def opens(self, card: str) -> bool:
        """Whether a card without a row opens the next one."""
        if self.law.row_start == "base":
            return card[0] == self.base[0]
        return self.has(len(self.rows) - 1, card)

    def may_redeal(self) -> bool:
        """Whether the waste may be turned over."""
        more = self.law.passes is None or self.passes < self.law.passes
        return more and not self.stock and bool(self.waste)

    def moves(self) -> list[str]:
        """The legal moves."""
        plays = [card for card in self.tops() if self.row_of(card) is not None]
        return plays + ["."] * bool(self.stock) + ["|"] * self.may_redeal()

    def play(self, move: str) -> None:
        """Make a legal move."""
        if move == ".":
            self.turn()
        elif move == "|":
            self.redeal()
        else:
            self.bring_home(move)

    def turn(self) -> None:
        """Turn the next cards."""
        packet, self.stock = self.stock[: self.law.draw], self.stock[self.law.draw :]
        self.waste = self.waste + packet
        self.live = len(packet)

    def redeal(self) -> None:
        """Turn the waste over."""
        self.stock, self.waste, self.live = self.waste, [], 0
        self.passes += 1

    def bring_home(self, card: str) -> None:
        """Play a card."""
        number = self.row_of(card)
        assert number is not None
        if number == len(self.rows):
            self.rows.append([])
        self.rows[number].append(card)
        if card in self.waste:
            self.leave_waste()
        for pile in self.piles:
            if pile[-1:] == [card]:
                pile.pop()

    def leave_waste(self) -> None:
        """Take the top off the waste."""
        self.waste.pop()
        self.live -= 1

    def left(self) -> int:
        """How many cards are not home."""
        return len(self.stock) + len(self.waste) + sum(map(len, self.piles))

    def stuck(self) -> bool:
        """Whether no play comes up in the rest of this pass and in one whole pass more."""
        other = copy(self)
        for _ in range(2 * len(self.dealt) + 4):
            moves = other.moves()
            if not moves or moves[0] not in ".|":
                break
            other.play(moves[0])
        return bool(self.left()) and (not moves or moves[0] in ".|")

    def key(self) -> tuple[Any, ...]:
        """Everything that tells two positions apart."""
        live = self.live if self.law.waste == "packet" else 0
        left = None if self.law.passes is None else self.passes
        orders = tuple(row[0][1] for row in self.rows), tuple(map(len, self.piles))
        return (*orders, tuple(self.waste), tuple(self.stock), live, left)


def pairs(text: str) -> list[str]:
    """The card names in a text without blanks."""
    return [text[i : i + 2] for i in range(0, len(text), 2)]


class AskSmall(OsmosisMachine):
    """Asks a ``Small``; the faulty ones are subclasses with another ``make``."""

    make: ClassVar[type[Small]] = Small

    def __init__(self) -> None:
        super().__init__()
        self.small = self.make()

    def start(self, deal: str, rules: Rules) -> None:
        """Deal."""
        self.small.start(deal, rules)

    def moves(self) -> str:
        """Join them."""
        return " ".join(self.small.moves())

    def play(self, move: str) -> None:
        """Make one."""
        self.small.play(move)

    def read(self) -> tuple[str, str, str, str]:
        """Join the cards."""
        small = self.small
        piles, rows = ("/".join(map("".join, part)) for part in (small.piles, small.rows))
        return piles, "".join(small.waste), "".join(small.stock), rows


class AskSmallMore(AskSmall):
    """Asks for the verdict on being stuck and for the key too."""

    def stuck(self) -> bool:
        """Ask."""
        return self.small.stuck()

    def key(self) -> Hashable:
        """Ask."""
        return self.small.key()


def machine_for(fault: type[Small], base: type[AskSmall] = AskSmallMore) -> type[AskSmall]:
    """The machine that tests a fault."""
    return cast("type[AskSmall]", type(f"Ask{fault.__name__}", (base,), {"make": fault}))
