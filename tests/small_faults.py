"""Wrong rules that a person might write, each as a change of ``Small``."""

# ruff: noqa: D102 - what a fault's method does is said by the class

from __future__ import annotations

from copy import copy
from typing import Any

from small_game import Small

from osmosis_solver import Rules


class TopRow(Small):
    """Looks at row 1 and not at the row above."""

    def has(self, number: int, card: str) -> bool:
        return super().has(0, card)


class OpensFreely(Small):
    """Lets any card of a new suit open a row under row_start = "any"."""

    def opens(self, card: str) -> bool:
        return self.law.row_start == "any" or super().opens(card)


class BaseOnly(Small):
    """Does not know row_start = "any"."""

    def opens(self, card: str) -> bool:
        return card[0] == self.base[0]


class SuitsBound(Small):
    """Binds the suits to rows 2 to 4 beforehand, in the order of the alphabet."""

    def opens(self, card: str) -> bool:
        waiting = set(self.suits) - {row[0][1] for row in self.rows}
        return super().opens(card) and card[1] == min(waiting)


class TwoRowsAtOnce(Small):
    """Puts the first card of a new suit on the last row instead of on a new one."""

    def bring_home(self, card: str) -> None:
        number = self.row_of(card)
        super().bring_home(card)
        if number == len(self.rows) - 1 and number > 1 and len(self.rows[number]) == 1:
            self.rows[number - 1] += self.rows.pop()


class WholePacketsOnly(Small):
    """Turns no packet smaller than the draw."""

    def moves(self) -> list[str]:
        short = len(self.stock) < self.law.draw
        return [move for move in super().moves() if move != "." or not short]


class PacketReversed(Small):
    """Turns the packet as one block: its first card comes up."""

    def turn(self) -> None:
        super().turn()
        if self.live:
            self.waste[-self.live :] = self.waste[-self.live :][::-1]


class RedealReversed(Small):
    """Turns the waste over card by card."""

    def redeal(self) -> None:
        super().redeal()
        self.stock = self.stock[::-1]


class PassTooMany(Small):
    """Counts redeals where passes are meant."""

    def may_redeal(self) -> bool:
        more = self.law.passes is None or self.passes <= self.law.passes
        return more and not self.stock and bool(self.waste)


class EarlyRedeal(Small):
    """Redeals before the stock is empty."""

    def may_redeal(self) -> bool:
        return bool(self.waste) and self.law.passes is None


class PacketIgnored(Small):
    """Leaves the whole waste open under waste = "packet"."""

    def waste_is_open(self) -> bool:
        return True


class PacketOfOne(Small):
    """Lets one card of a packet be played and no more."""

    def leave_waste(self) -> None:
        super().leave_waste()
        self.live = 0


class PacketDies(Small):
    """Lets a play from the reserve end the packet."""

    def bring_home(self, card: str) -> None:
        live = self.live if card in self.waste else 1
        super().bring_home(card)
        self.live = min(self.live, live)


class CardTwice(Small):
    """Leaves a card on the waste that went home."""

    def leave_waste(self) -> None:
        self.live -= 1


class CardLost(Small):
    """Drops a card when a packet of four is turned."""

    def turn(self) -> None:
        super().turn()
        if self.live == 4:
            self.waste = self.waste[:-1]


class ScoreFalls(Small):
    """Takes a card back from its row at a redeal."""

    def redeal(self) -> None:
        super().redeal()
        if len(self.rows[0]) > 1:
            self.piles[0].append(self.rows[0].pop())


class BottomFirst(Small):
    """Plays the reserve piles from their bottom."""

    def tops(self) -> list[str]:
        turned = copy(self)
        turned.piles = [pile[:1] for pile in self.piles]
        return Small.tops(turned)


class NotWiped(Small):
    """Keeps the packet of the game before."""

    def start(self, code: str, rules: Rules) -> None:
        waste = getattr(self, "waste", [])
        super().start(code, rules)
        self.waste = [card for card in waste if card in self.stock]
        self.stock = [card for card in self.stock if card not in self.waste]


class StuckTooSoon(Small):
    """Takes a position without a play for a stuck one."""

    def stuck(self) -> bool:
        return bool(self.left()) and all(move in ".|" for move in self.moves())


class StuckTooLate(Small):
    """Is stuck only when there is no move at all."""

    def stuck(self) -> bool:
        return bool(self.left()) and not self.moves()


class KeyWithoutOrder(Small):
    """Forgets in its key which suit has which row."""

    def key(self) -> tuple[Any, ...]:
        orders, *rest = super().key()
        return (len(orders), *rest)


class KeyWithoutPlace(Small):
    """Forgets in its key where in the pass the stock stands."""

    def key(self) -> tuple[Any, ...]:
        *rest, waste, stock, live, left = super().key()
        return (*rest, waste + stock, live, left)


class KeyWithoutPasses(Small):
    """Forgets in its key which pass it is."""

    def key(self) -> tuple[Any, ...]:
        return super().key()[:-1]


class KeyWithHistory(Small):
    """Counts turns in its key."""

    turns = 0

    def turn(self) -> None:
        self.turns += 1
        super().turn()

    def key(self) -> tuple[Any, ...]:
        return (*super().key(), self.turns)


class Crashes(Small):
    """Breaks where the third row opens."""

    def bring_home(self, card: str) -> None:
        super().bring_home(card)
        if len(self.rows) == 3:
            raise KeyError("no third row")


FAULTS = sorted(set(Small.__subclasses__()) - {Crashes}, key=lambda fault: fault.__name__)
