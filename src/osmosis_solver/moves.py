"""The three moves: a play, a turn and a redeal."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from osmosis_solver.cards import Card


@frozen
class Play:
    """A card goes from a reserve top or the waste top to its row. Text: the card."""

    card: Card

    def __str__(self) -> str:
        return self.card.name


@frozen
class Turn:
    """The next cards of the stock go to the waste. Text: ``.``"""

    def __str__(self) -> str:
        return "."


@frozen
class Redeal:
    """The waste is turned over to be the stock again. Text: ``|``"""

    def __str__(self) -> str:
        return "|"


Move = Play | Turn | Redeal
TURN: Final = Turn()
REDEAL: Final = Redeal()
