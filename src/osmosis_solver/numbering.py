"""Deal numbers: the dealing order that belongs to a PySolFC or a native number."""

from __future__ import annotations

import random
import re
from typing import Final

from osmosis_solver.cards import DECK, RANKS, Card
from osmosis_solver.errors import NotationError, clip

_MASK64: Final = 2**64 - 1
_MASK32: Final = 2**32 - 1
_FIRST_PYTHON_NUMBER: Final = 32000
_LAST_MICROSOFT_NUMBER: Final = 2**33 - 1
_LAST_PYTHON_NUMBER: Final = 10**20
_PYSOL_TEXT: Final = re.compile("(ms|)([0-9]{1,30})")
_BY_RANK: Final = tuple(card for rank in RANKS for card in DECK if card.name[0] == rank)
_PYTHON_DECK: Final = tuple(card for suit in "CSHD" for card in DECK if card.suit == suit)


def pysol_order(number: int | str) -> tuple[Card, ...]:
    """The 52 cards in PySolFC's dealing order for a deal number.

    1 to 31999, and ``"msN"`` for N up to 2^33 - 1, use the Microsoft generator; numbers
    from 32000 up, at most 10^20, use Python's Mersenne Twister, as PySolFC does. Raises
    ``NotationError`` for anything else.

    >>> [card.name for card in pysol_order("ms24")][:5]
    ['4C', '5H', 'QC', '5D', '2D']
    """
    microsoft, value = _read_pysol(number)
    cards = _microsoft_shuffle(value) if microsoft else _python_shuffle(value)
    return tuple(reversed(cards))


def _read_pysol(number: int | str) -> tuple[bool, int]:
    prefix, value = _split_pysol(number)
    microsoft = prefix == "ms" or value < _FIRST_PYTHON_NUMBER
    if 1 <= value <= (_LAST_MICROSOFT_NUMBER if microsoft else _LAST_PYTHON_NUMBER):
        return microsoft, value
    wanted = "a whole number from 1 to 10^20, or msN with N from 1 to 2^33 - 1"
    raise NotationError(clip(number), "PySolFC deal number", wanted)


def _split_pysol(number: object) -> tuple[str, int]:
    if isinstance(number, int) and not isinstance(number, bool):
        return "", number
    found = _PYSOL_TEXT.fullmatch(number.strip().lower()) if isinstance(number, str) else None
    return (found[1], int(found[2])) if found else ("", 0)


def _microsoft_shuffle(number: int) -> list[Card]:
    from pysol_cards.random import LCRandom31  # only who asks for such a deal pays for it

    cards: list[Card] = LCRandom31(number).shuffle(list(_BY_RANK))
    return cards


def _python_shuffle(number: int) -> list[Card]:
    source = random.Random(number)
    cards = list(_PYTHON_DECK)
    for i in range(len(cards) - 1, 0, -1):
        j = int(source.random() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def native_order(number: int) -> tuple[Card, ...]:
    """The 52 cards in dealing order for a native number, 0 to 2^64 - 1. Raises ``NotationError``.

    The deck sorted C D H S, ace to king, is shuffled by Fisher-Yates from its end. The
    random words are splitmix64's (Steele, Lea and Flood, 2014) with the number as its
    state; a bounded draw takes the upper half of a word by Lemire's multiplication with
    rejection (2019), which is unbiased. This is frozen: golden values in the tests.

    >>> [card.name for card in native_order(0)][:5]
    ['KC', 'TH', '9C', 'TS', '3C']
    """
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= _MASK64:
        raise NotationError(clip(number), "native deal number", "a whole number from 0 to 2^64 - 1")
    cards = list(DECK)
    state = number
    for i in range(len(cards) - 1, 0, -1):
        state, j = _below(state, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def _below(state: int, bound: int) -> tuple[int, int]:
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK64
        product = (scramble(state) >> 32) * bound
        if product & _MASK32 >= (1 << 32) % bound:
            return state, product >> 32


def scramble(word: int) -> int:
    """A number of 64 bits that looks like chance, another one for each: splitmix64's mixing."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & _MASK64
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _MASK64
    return word ^ (word >> 31)
