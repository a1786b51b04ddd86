# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The depth-first search where neither passes nor packets count, and the table.

What a play leads to depends only on the cards left and on the place it is played from. So a
position shares with all others of the same cards left what is known of each play. The table
has, for the cards left and a remainder by ``draw``, the first place from which on all plays
with that remainder, and all that a new pass offers, are refuted (docs/theory.md, rule 6).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # pragma: no cover - depends on what is installed
    from osmosis_solver import _nocython as cython

if not cython.compiled:
    from osmosis_solver._bits import count_of, index_of, playable_of, prefetch, slot_of, top_of
    from osmosis_solver._board import Board
    from osmosis_solver._words import (
        BOUND,
        DEAD,
        FIRST_SHIFT,
        FIRST_TABLE,
        LEFT,
        LOW,
        LOW_AT,
        ONE,
        ONLY_SHORT_AT,
        OPEN,
        POINTER,
        START,
        START_PASSED,
        START_SHORT,
        WON,
    )

_NUMBERS = "prunes depth diving used positions best tail tail_sure closed_fresh closed_sure".split()
_FRAMES = "f_left f_home f_gone f_now f_kind f_from f_marks f_card above tail_turns".split()


class Plain(Board):
    """A position under one row order at a time, its search stack and its table."""

    def __init__(self, *args, prunes=31, **named):
        """Take over a position as ``Board`` does; ``prunes`` are the switches that are on."""
        super().__init__(*args, **named)
        if not cython.compiled:
            for name in _NUMBERS:
                setattr(self, name, 0)
            for name in _FRAMES:
                setattr(self, name, [0] * 64)
            self.f_turns = [0] * 4 * 64
        self.prunes = prunes
        self.pointer = prunes & POINTER != 0
        self.keys = array("Q", bytes(8 * FIRST_TABLE))
        self.spare_keys = self.keys[:0]
        self.slots = FIRST_TABLE
        self.shift = FIRST_SHIFT
        self.depth = -1

    # ---- the transposition table -----------------------------------------------------

    def _slot(self, left):
        """The slot that holds the cards left, or the empty one where they belong."""
        slot: cython.Py_ssize_t = slot_of(left, self.shift)
        while self.keys[slot] & LEFT != left and self.keys[slot] != 0:
            slot = (slot + 1) & (self.slots - 1)
        return slot

    def _note(self, left, kind, low, marks):
        """All is refuted from card ``low`` on with remainder ``kind``; ``marks`` says more."""
        slot: cython.Py_ssize_t = self._slot(left)
        word: cython.ulonglong = self.keys[slot]
        only_short: cython.ulonglong
        if word == 0:
            word = left
            self.used += 1
        if kind:
            only_short = ONE << (ONLY_SHORT_AT + kind)
            word &= ~(only_short | (cython.cast(cython.ulonglong, LOW) << (LOW_AT + 6 * kind)))
            word |= cython.cast(cython.ulonglong, LOW - low) << (LOW_AT + 6 * kind)
        self.keys[slot] = word | marks

    def _fetch(self, left):
        """Have the processor bring up what the table has for the cards left: it is far away."""
        if cython.compiled:
            prefetch(cython.address(self.keys[slot_of(left, self.shift)]))

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

    def _double(self):
        """Move the table into the spare room, twice as large."""
        i: cython.Py_ssize_t
        old_slots: cython.Py_ssize_t = self.slots
        self._swap()
        for i in range(old_slots):
            if self.spare_keys[i] != 0:
                self.keys[self._slot(self.spare_keys[i] & LEFT)] = self.spare_keys[i]
                self.used += 1

    def _swap(self):
        self.keys, self.spare_keys = self.spare_keys, self.keys
        self.slots *= 2
        self.shift -= 1
        self._wipe()

    def _entries(self):
        """The positions that were refuted by trying all plays, as ``refutation`` tells them."""
        i: cython.Py_ssize_t
        word: cython.ulonglong
        kind: cython.int
        entries = []
        for i in range(self.slots):
            word = self.keys[i]
            if word & START:
                entries.append((word & LEFT, 0, 0, 0))
            for kind in range(1, self.draw):
                place = self._first_place(word, kind)
                if place > 0:
                    entries.append((word & LEFT, place, 0, 0))
        return entries

    def _first_place(self, word, kind):
        """The first place of that remainder whose plays are refuted one by one, or 0."""
        low: cython.int = (word >> (LOW_AT + 6 * kind)) & LOW
        place: cython.int
        if low == 0 or word & (ONE << (ONLY_SHORT_AT + kind)):
            return 0
        place = count_of(word & LEFT & ((ONE << (LOW - low)) - 1)) + 1
        while self.mod[place] != kind:
            place += 1
        return place

    # ---- the search ------------------------------------------------------------------

    def _begin_plain(self):
        """Set out from the start under the order and the prefix at hand; _enter's answer."""
        i: cython.int
        above: cython.ulonglong = 0
        left: cython.ulonglong = (ONE << self.prefix) - 1
        for i in range(self.draw):
            self.f_turns[i] = 0
            self.tail_turns[i] = 0
        self.tail_sure = 0
        for i in range(self.size - 1, -1, -1):
            self.above[i] = above
            above |= self.seq_bit[i]
            if i < self.prefix:
                self.f_turns[self.mod[i + 1]] |= self.seq_bit[i]
            else:
                self.tail_turns[self.mod[i + 1]] |= self.seq_bit[i]
                if self._is_tail_sure(i + 1):
                    self.tail_sure |= self.seq_bit[i]
        i = self.waste0 if self.waste0 <= self.prefix else 0
        return self._enter_plain(0, self.home0, left, 0, self.mod[i], i - 1)

    def _is_tail_sure(self, place):
        """Whether a card of the tail may come up as it lies at the start."""
        if place == self.size or self.mod[place] == 0:
            return True
        return self.waste0 > 0 and place >= self.waste0 and self.mod[place - self.waste0] == 0

    def _reach(self, depth, home, left, sure, gone, tail_only):
        """Rule 8's closure: of the prefix (unless ``tail_only``), the tail and the reserve.

        ``sure`` are the cards of the prefix that may come up as things lie; ``gone`` the cards
        of the sequence that are home, ``closed_gone`` those after.
        """
        fresh: cython.ulonglong = 0 if tail_only else self.closed_fresh
        before: cython.ulonglong
        bits: cython.ulonglong
        bit: cython.ulonglong
        up: cython.ulonglong
        covered: cython.ulonglong
        j: cython.int
        while True:
            before = home
            up = self._tail_up(gone)
            if not tail_only:
                up |= sure | self._prefix_up(depth, fresh)
            bits = self._cards_for(home) & ~home
            covered = bits & self.reserve
            bits &= up
            home |= bits
            while bits:
                bit = bits & -bits
                bits ^= bit
                j = self.seq_index[index_of(bit)]
                bit = ONE << j
                gone |= bit
                # The card under it is bared.
                if j <= self.prefix:
                    fresh |= bit & left
                    bit = left & (bit - 1)
                    if bit:
                        sure |= self.seq_bit[top_of(bit)]
            while covered:
                bit = covered & -covered
                covered ^= bit
                if not self.cover[index_of(bit)] & ~home:
                    home |= bit
            if home == before:
                self.closed_gone = gone
                self.closed_fresh = fresh
                self.closed_sure = sure
                return home

    def _reach_ahead(self, depth, home, left, kind, ahead):
        """Go on with the closure of the start of a pass for a place with cards ahead."""
        j: cython.int = index_of(ahead & -ahead)
        sure: cython.ulonglong = self.above[j] | self.seq_bit[j]
        sure = self.closed_sure | (sure & self.f_turns[4 * depth + kind])
        return self._reach(depth, home, left, sure, self.closed_gone, False)

    def _prefix_up(self, depth, fresh):
        """Cards of the prefix that come up at a turn's end since so many before them are gone."""
        up: cython.ulonglong = 0
        kind: cython.int = 1
        while fresh and kind < self.draw:
            up |= self.f_turns[4 * depth + kind] & self.above[index_of(fresh & -fresh)]
            fresh &= fresh - 1
            kind += 1
        return up

    def _tail_up(self, gone):
        """Cards of the tail that may come up, places counted in the whole sequence."""
        up: cython.ulonglong = self.tail_sure
        kind: cython.int = 1
        if self.exact:
            return 0
        # Bared by the next card of the sequence, itself in the tail.
        up |= self._bared_tail(gone)
        while gone and kind < self.draw:
            up |= self.tail_turns[kind] & self.above[index_of(gone & -gone)]
            gone &= gone - 1
            kind += 1
        return up

    def _bared_tail(self, gone):
        bits: cython.ulonglong = (gone >> self.prefix) >> 1
        up: cython.ulonglong = 0
        while bits:
            up |= self.seq_bit[self.prefix + index_of(bits & -bits)]
            bits &= bits - 1
        return up

    def _enter_plain(self, depth, home, left, gone, kind, low):
        """Evaluate a position: WON, DEAD, or OPEN with the plays to try in the frame ``depth``.

        The waste top is card ``low`` of the sequence, -1 if there is none, and the remainder
        of its place is ``kind``.
        """
        word: cython.ulonglong = 0
        score: cython.int
        bits: cython.ulonglong
        fresh: cython.ulonglong
        ahead: cython.ulonglong = 0
        sure: cython.ulonglong
        below: cython.int
        if kind and self.exact and (left >> low) >> 1 == 0:
            kind = 0
        if not self.diving:
            word = self.keys[self._slot(left)]
            if self._is_refuted(word, kind, low):
                return DEAD
        if self.exact:
            home = self._close_free(home, 0)
            score = count_of(home)
            if score > self.best:
                self.best = score
        else:
            home = self._reach(depth, home, left, 0, gone, True)
            gone = self.closed_gone
            score = count_of(home)
        if score >= self.target:
            return WON
        bits = self._cards_for(home) & ~home & self.sequence
        sure = self.f_turns[4 * depth]
        # The last place comes up at the end of any pass.
        if left and (self.exact or home & self.seq_bit[self.prefix]):
            sure |= self.seq_bit[top_of(left)]
        fresh = self._indices(bits & sure)
        bits = 0 if kind == 0 else self._indices(bits & self.f_turns[4 * depth + kind] & ~sure)
        if kind:
            ahead = bits & ~((ONE << low) - 1)
        if not fresh and not ahead:
            return DEAD
        # The first card from which on the same is offered as from ``low``.
        bits ^= ahead
        below = top_of(bits) + 1 if bits else 0
        if not self.diving:
            if not ahead and word & (START | START_SHORT):
                self._note(left, kind, below, ONE << (ONLY_SHORT_AT + kind) if kind else 0)
                return DEAD
            self._fetch(left ^ (ONE << top_of(fresh | ahead)))
            if self.prunes & BOUND and not word & START_PASSED:
                self.closed_fresh = 0
                bits = self._reach(depth, home, left, sure, gone, False)
                if count_of(bits) >= self.target:
                    word |= START_PASSED
                elif (
                    not ahead
                    or count_of(self._reach_ahead(depth, bits, left, kind, ahead)) < self.target
                ):
                    bits = ONE << (ONLY_SHORT_AT + kind) if kind else 0
                    self._note(left, kind, below, bits | START_SHORT)
                    return DEAD
        self.positions += 1
        if not word & START:
            ahead |= fresh
        elif kind and not word & (ONE << (ONLY_SHORT_AT + kind)):
            # Of the plays ahead the last ones are refuted.
            ahead &= (ONE << (LOW - ((word >> (LOW_AT + 6 * kind)) & LOW))) - 1
        self.f_now[depth] = ahead
        self.f_home[depth] = home
        self.f_left[depth] = left
        self.f_gone[depth] = gone
        self.f_kind[depth] = kind
        self.f_marks[depth] = word & START_PASSED
        self.f_from[depth] = below
        return OPEN

    def _is_refuted(self, word, kind, low):
        """Whether the table's word for the cards left says so of this place of the waste."""
        if kind == 0:
            return word & (START | START_SHORT) != 0
        return low + cython.cast(cython.int, (word >> (LOW_AT + 6 * kind)) & LOW) >= LOW

    def _cards_for(self, home):
        """The cards that have a row, and those of row 1: ``_playable``, compiled in line here."""
        return playable_of(home, self.row1, self.deck, self.bases, self.base_rank, self.any_start)

    def _indices(self, cards):
        """A card set's cards of the sequence by their numbers in it."""
        found: cython.ulonglong = 0
        while cards:
            found |= ONE << self.seq_index[index_of(cards & -cards)]
            cards &= cards - 1
        return found

    def _step_plain(self):
        """Try one more play of the deepest open position; what it came to, as _enter says."""
        d: cython.int = self.depth
        j: cython.int
        kind: cython.int
        low: cython.int = -1
        bit: cython.ulonglong
        below: cython.ulonglong
        result: cython.int
        if not self.f_now[d]:
            self._leave_plain()
            return DEAD
        j = top_of(self.f_now[d])
        bit = ONE << j
        self.f_now[d] ^= bit
        self.f_card[d] = j
        if self.f_now[d]:
            self._fetch(self.f_left[d] ^ (ONE << top_of(self.f_now[d])))
        below = self.f_left[d] & (bit - 1)
        kind = self.mod[count_of(below)]
        if below:
            low = top_of(below)
        self._shift(d, j)
        result = self._enter_plain(
            d + 1,
            self.f_home[d] | self.seq_bit[j],
            self.f_left[d] ^ bit,
            self.f_gone[d] | bit,
            kind,
            low,
        )
        if result == OPEN:
            self.depth = d + 1
        return result

    def _shift(self, d, j):
        """The remainders of the next frame: the cards above card j move down a place."""
        kind: cython.int
        above: cython.ulonglong = self.above[j]
        keep: cython.ulonglong = ~(above | self.seq_bit[j])
        old: cython.Py_ssize_t = 4 * d
        for kind in range(self.draw - 1):
            self.f_turns[old + 4 + kind] = (self.f_turns[old + kind] & keep) | (
                self.f_turns[old + kind + 1] & above
            )
        kind = self.draw - 1
        self.f_turns[old + 4 + kind] = (self.f_turns[old + kind] & keep) | (
            self.f_turns[old] & above
        )

    def _leave_plain(self):
        """All plays of the deepest position are refuted: note it."""
        d: cython.int = self.depth
        marks: cython.ulonglong = self.f_marks[d] | START
        self._note(self.f_left[d], self.f_kind[d], self.f_from[d], marks)
        self.depth = d - 1
