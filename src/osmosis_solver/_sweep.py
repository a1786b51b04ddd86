# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Verdicts of many native deals in a row: nothing is built in Python for a single deal."""

from __future__ import annotations

try:
    import cython
except ImportError:  # pragma: no cover - depends on what is installed
    from osmosis_solver import _nocython as cython

from osmosis_solver._kernel import EVERY_PRUNE

if not cython.compiled:
    from osmosis_solver._bits import STEP, mixed
    from osmosis_solver._kernel import Search
    from osmosis_solver._words import LOST, ONE, ROW_STARTS, STARVED, WON

# What a deal comes to: the codes of ``block``.
IS_LOST = 0
IS_WON = 1
IS_OUT_OF_POSITIONS = 2
IS_OUT_OF_MEMORY = 3

_DECK_SIZE = 52
_MOST = 2**32 - 1
_TWO32 = 2**32
_MASK64 = 2**64 - 1


class Sweep(Search):
    """A search that takes one native deal after the other, all under the same rules."""

    def __init__(self, layout, **named):
        """Take over the rules of some deal that was laid out like that, as ``Board`` does.

        All switches are on if ``prunes`` is not given.
        """
        super().__init__(**{"prunes": EVERY_PRUNE, **named})
        if not cython.compiled:
            self.cards = [0] * 52
            self.covered = [False] * 52
        self.base_suit = named["home"][0] // 13
        i = 0
        for size in layout:
            for k in range(size):
                self.covered[i] = k + 1 < size
                i += 1

    def run_many(
        self,
        first: cython.ulonglong,
        count: cython.Py_ssize_t,
        positions: cython.longlong,
        most_bytes: cython.longlong,
        verdicts: cython.uchar[::1],
        searched: cython.uint[::1],
    ):
        """Settle ``count`` native deals from ``first`` on; the GIL is free meanwhile.

        ``positions`` and ``most_bytes`` limit each deal. ``verdicts`` takes a byte a deal,
        ``searched`` its positions, at most 2^32 - 1.
        """
        i: cython.Py_ssize_t
        with cython.nogil:
            for i in range(count):
                self._deal(first + i)
                verdicts[i] = self._verdict(positions, most_bytes)
                searched[i] = self.positions if self.positions < _MOST else _MOST

    def _verdict(self, positions, most_bytes):
        """Settle the deal at hand within the limits."""
        event: cython.int = self._run_within(positions, most_bytes)
        if event == WON:
            return IS_WON
        if event == LOST:
            return IS_LOST
        return IS_OUT_OF_MEMORY if event == STARVED else IS_OUT_OF_POSITIONS

    def _deal(self, number):
        """Shuffle and lay out; suits are renamed so that row 1 keeps the suit it has.

        The other suits keep their order, since row orders are tried in the order of suits.
        """
        i: cython.int
        size: cython.int = self.reserve_size
        base: cython.int
        self._shuffle(number)
        base = self.cards[size] // 13
        for i in range(_DECK_SIZE):
            self.cards[i] = self._renamed(self.cards[i], base)
        self.reserve_cards = 0
        for i in range(size):
            self.pile_card[i] = self.cards[i]
            self.pile_cover[i] = self.cards[i + 1] if self.covered[i] else -1
            self.reserve_cards |= ONE << self.cards[i]
        self.home_cards = ONE << self.cards[size]
        self.sequence_cards = self.deck & ~self.reserve_cards & ~self.home_cards
        for i in range(self.size):
            self.seq_card[i] = self.cards[size + 1 + i]
        self.base_rank = self.cards[size] % 13
        self.bases = ROW_STARTS << self.base_rank
        self._renew()

    def _renamed(self, card, base):
        suit: cython.int = card // 13
        if suit == base:
            suit = self.base_suit
        else:
            if suit > base:
                suit -= 1
            if suit >= self.base_suit:
                suit += 1
        return 13 * suit + card % 13

    def _shuffle(self, number):
        """The shuffle of ``numbering.native_order``, cards as ``13 * suit + rank``."""
        i: cython.int
        j: cython.int
        card: cython.int
        product: cython.ulonglong
        for i in range(_DECK_SIZE):
            self.cards[i] = i
        i = _DECK_SIZE - 1
        while i > 0:
            number = (number + STEP) & _MASK64
            product = (mixed(number) >> 32) * (i + 1)
            if product % _TWO32 >= _TWO32 % (i + 1):
                j = cython.cast(cython.int, product >> 32)
                card = self.cards[i]
                self.cards[i] = self.cards[j]
                self.cards[j] = card
                i -= 1
