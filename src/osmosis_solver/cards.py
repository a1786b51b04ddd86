"""Cards: their names, ranks and suits."""

from __future__ import annotations

from typing import Final

from attrs import field, frozen

from osmosis_solver.errors import NotationError, clip

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
SUIT_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUIT_NAMES: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_SUIT_OF_SIGN: Final = {
    **{suit: suit for suit in SUITS},
    **{sign: suit for suit, sign in SUIT_SIGNS.items()},
    **dict(zip("♧♢♡♤", SUITS, strict=True)),
    **{suit.lower(): suit for suit in SUITS},
}


@frozen
class Card:
    """One card, named by its rank ``A23456789TJQK`` and its suit ``C D H S``.

    ``rank`` runs from 1 (ace) to 13 (king). Raises ``NotationError`` for any other name;
    ``Card.parse`` takes the looser spellings.

    >>> Card("TD").rank, Card("TD").suit
    (10, 'D')
    """

    name: str
    rank: int = field(init=False, repr=False, eq=False)
    suit: str = field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        name = self.name
        if not (isinstance(name, str) and len(name) == 2):
            raise _no_card(name)
        if name[0] not in RANKS or name[1] not in SUITS:
            raise _no_card(name)
        object.__setattr__(self, "rank", RANKS.index(name[0]) + 1)
        object.__setattr__(self, "suit", name[1])

    @property
    def index(self) -> int:
        """Place in the deck sorted by suit (C D H S), then rank: 0 to 51."""
        return 13 * SUITS.index(self.suit) + self.rank - 1

    def __str__(self) -> str:
        return self.name

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card that ``text`` names: ``TD``, ``10d`` or ``T♦``. Raises ``NotationError``.

        >>> Card.parse("10d")
        Card(name='TD')
        """
        card = card_at(text.strip(), 0) if isinstance(text, str) else None
        if card is None or card[1] != len(text.strip()):
            raise _no_card(text)
        return card[0]


def _no_card(got: object) -> NotationError:
    return NotationError(clip(got), "card", "a rank A23456789TJQK and a suit C D H S, such as TD")


DECK: Final = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
_CARD_OF_NAME: Final = {card.name: card for card in DECK}


def card_at(text: str, start: int) -> tuple[Card, int] | None:
    """The card spelled at ``text[start:]`` and the index after it, or None."""
    rank = text[start : start + 1].upper()  # of all letters only a, t, j, q, k become ranks
    after = start + 1
    if text[start : start + 2] == "10":
        rank, after = "T", start + 2
    suit = _SUIT_OF_SIGN.get(text[after : after + 1])  # not upper(): that makes S of "ſ"
    card = _CARD_OF_NAME.get(rank + suit) if suit else None
    return (card, after + 1) if card else None
