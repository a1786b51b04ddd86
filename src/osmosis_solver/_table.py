# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""What ``_plain`` looks up: the words of its table, and sets of the row order at hand.

In these two rooms cards of the sequence are counted from its end: the last one has bit 0. Types
stand in ``_table.pxd``; what a word says is under rule 6 in ``docs/theory.md``.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # pragma: no cover - depends on what is installed
    from osmosis_solver import _nocython as cython

if not cython.compiled:
    from osmosis_solver._bits import count_of, index_of
    from osmosis_solver._board import Board
    from osmosis_solver._words import (
        FIRST_SHIFT,
        FIRST_TABLE,
        LEFT,
        LOW,
        LOW_AT,
        ONE,
        ONLY_SHORT_AT,
        START,
    )


_NUMBERS = "tail_left tail_sure first_of_tail".split()
_SETS = "tail_turns under_card mirror card_at f_open".split()


class Table(Board):
    """A position, a table of words, and sets to look up."""

    def __init__(self, *args, **named):
        """Take over a position as ``Board`` does, with an empty table."""
        super().__init__(*args, **named)
        if not cython.compiled:
            for name in _NUMBERS:
                setattr(self, name, 0)
            for name in _SETS:
                setattr(self, name, [0] * 64)
            self.f_turns = [0] * 4 * 64
        self.keys = array("Q", bytes(8 * FIRST_TABLE))
        self.spare_keys = self.keys[:0]
        self.slots = FIRST_TABLE
        self.shift = FIRST_SHIFT
        self.used = 0

    def _clear(self):
        """Empty the table, and make it small again if it grew."""
        if self.slots > FIRST_TABLE:
            self.slots = FIRST_TABLE
            self.shift = FIRST_SHIFT
            self._wipe()
        elif self.used > 0:
            self._wipe()

    def _wipe(self):
        i: cython.Py_ssize_t
        for i in range(self.slots):
            self.keys[i] = 0
        self.used = 0

    def _swap(self):
        self.keys, self.spare_keys = self.spare_keys, self.keys
        self.slots *= 2
        self.shift -= 1
        self._wipe()

    def _entries(self):
        """The positions that were refuted by trying all plays, as ``refutation`` tells them."""
        i: cython.Py_ssize_t
        word: cython.ulonglong
        left: cython.ulonglong
        kind: cython.int
        entries = []
        for i in range(self.slots):
            word = self.keys[i]
            left = self._turned_about(word & LEFT)
            if word & START:
                entries.append((left, 0, 0, 0))
            for kind in range(1, self.draw):
                place = self._first_place(word, left, kind)
                if place > 0:
                    entries.append((left, place, 0, 0))
        return entries

    def _turned_about(self, left):
        """The same cards counted from the start of the sequence."""
        found: cython.ulonglong = 0
        while left:
            found |= ONE << (self.size - 1 - index_of(left & -left))
            left &= left - 1
        return found

    def _first_place(self, word, left, kind):
        """The first place of that remainder whose plays are refuted one by one, or 0."""
        reach: cython.int = (word >> (LOW_AT + 6 * kind)) & LOW
        place: cython.int
        if reach == 0 or word & (ONE << (ONLY_SHORT_AT + kind)):
            return 0
        place = count_of(left & ((ONE << (self.size - reach)) - 1)) + 1
        while self.mod[place] != kind:
            place += 1
        return place

    # ---- the row order and the prefix at hand --------------------------------------------

    def _look_up_sequence(self):
        """The sequence from its end, its places by their remainders, and the tail."""
        i: cython.int
        bit: cython.ulonglong
        self.tail_left = (ONE << (self.size - self.prefix)) - 1
        self.first_of_tail = (self.tail_left >> 1) + 1 if self.tail_left else 0
        self.tail_sure = 0
        for i in range(64):
            self.mirror[i] = 0
        for i in range(3):
            self.f_turns[i] = 0
            self.tail_turns[i] = 0
        for i in range(self.size):
            bit = ONE << (self.size - 1 - i)
            self.mirror[index_of(self.seq_bit[i])] = bit
            self.card_at[index_of(bit)] = self.seq_bit[i]
            if i < self.prefix:
                self.f_turns[self.mod[i + 1]] |= bit
            else:
                self.tail_turns[self.mod[i + 1]] |= bit
                if self._is_tail_sure(i + 1):
                    self.tail_sure |= bit

    def _is_tail_sure(self, place):
        """Whether a card of the tail may come up as it lies at the start."""
        if place == self.size or self.mod[place] == 0:
            return True
        return self.waste0 > 0 and place >= self.waste0 and self.mod[place - self.waste0] == 0

    def _look_up_reserve(self):
        """The tops of the reserve at the start, and what lies under each card of it."""
        i: cython.int
        bit: cython.ulonglong
        self.f_open[0] = 0
        for i in range(64):
            self.under_card[i] = 0
        for i in range(self.reserve_size):
            bit = self._bit(self.pile_card[i])
            if self.pile_cover[i] >= 0:
                self.under_card[index_of(self._bit(self.pile_cover[i]))] = bit
            else:
                self.f_open[0] |= bit
