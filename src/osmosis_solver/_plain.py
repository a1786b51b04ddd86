# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The depth-first search where neither passes nor packets count, and the table.

What a play leads to depends only on the cards left and on the place it is played from. So a
position shares with all others of the same cards left what is known of each play. The table
has, for the cards left and a remainder by ``draw``, the first place from which on all plays
with that remainder, and all that a new pass offers, are refuted (docs/theory.md, rule 6).

In this room cards of the sequence are counted from its end: the last one has bit 0. So the
card under another is found by carrying upward, and the last play is the lowest bit.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # pragma: no cover - depends on what is installed
    from osmosis_solver import _nocython as cython

if not cython.compiled:
    from osmosis_solver._bits import (
        count_of,
        index_of,
        playable_of,
        prefetch,
        slot_of,
        top_of,
        union_of,
    )
    from osmosis_solver._table import Table
    from osmosis_solver._words import (
        BOUND,
        DEAD,
        FORCED,
        GROUP_AT,
        LAST,
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

_NUMBERS = """prunes depth diving positions best tail
closed_gone closed_one closed_two closed_up closed_open""".split()
_FRAMES = "f_left f_home f_gone f_now f_kind f_from f_marks f_card f_slot play_slots".split()


class Plain(Table):
    """A position under one row order at a time, its search stack and its table."""

    def __init__(self, *args, prunes=31, **named):
        """Take over a position as ``Board`` does; ``prunes`` are the switches that are on."""
        super().__init__(*args, **named)
        if not cython.compiled:
            for name in _NUMBERS:
                setattr(self, name, 0)
            for name in _FRAMES:
                setattr(self, name, [0] * 64)
        self.prunes = prunes
        self.pointer = prunes & POINTER != 0
        self.depth = -1

    # ---- the transposition table -----------------------------------------------------

    def _first_slot(self, left):
        """Where cards left belong: those that differ in a few cards of the middle are neighbours.

        A search goes to and fro between such positions, and eight words come from memory at once.
        """
        few: cython.ulonglong = (left >> GROUP_AT) & 7
        return slot_of(left ^ (few << GROUP_AT), self.shift) ^ few

    def _slot(self, left):
        """The slot that holds the cards left, or the empty one where they belong."""
        return self._slot_from(self._first_slot(left), left)

    def _slot_from(self, slot, left):
        # A taken slot leads to the next eight, one place on; nine is odd, so all slots are met.
        last: cython.Py_ssize_t = self.slots - 1
        word: cython.ulonglong = self.keys[slot]
        while word != 0 and (word ^ left) & LEFT:
            slot = (slot + 9) & last
            word = self.keys[slot]
        return slot

    def _note(self, slot, left, kind, reach, marks):
        """Refuted is all at places with remainder ``kind`` of the last ``reach`` cards.

        ``marks`` says more. ``slot`` is where the cards left were looked for, found or not.
        """
        word: cython.ulonglong
        only_short: cython.ulonglong
        slot = self._slot_from(slot, left)
        word = self.keys[slot]
        if word == 0:
            word = left
            self.used += 1
        if kind:
            only_short = ONE << (ONLY_SHORT_AT + kind)
            word &= ~(only_short | (cython.cast(cython.ulonglong, LOW) << (LOW_AT + 6 * kind)))
            word |= cython.cast(cython.ulonglong, reach) << (LOW_AT + 6 * kind)
        self.keys[slot] = word | marks

    def _double(self):
        """Move the table into the spare room, twice as large."""
        i: cython.Py_ssize_t
        old_slots: cython.Py_ssize_t = self.slots
        self._swap()
        for i in range(old_slots):
            if self.spare_keys[i] != 0:
                self.keys[self._slot(self.spare_keys[i] & LEFT)] = self.spare_keys[i]
                self.used += 1
        for i in range(self.depth + 1):
            self.f_slot[i] = self._slot(self.f_left[i])

    # ---- the search ------------------------------------------------------------------

    def _begin_plain(self):
        """Set out from the start under the order and the prefix at hand; _enter's answer."""
        waste: cython.int = self.waste0 if self.waste0 <= self.prefix else 0
        kind: cython.int = self.mod[waste]
        left: cython.ulonglong
        self._look_up_sequence()
        self._look_up_reserve()
        left = ((ONE << self.size) - 1) & ~self.tail_left
        return self._enter_plain(0, self.home0, left, 0, kind, self.size - waste, self._slot(left))

    def _reach(self, depth, home, left, up, gone, offered, seen):
        """Rule 8's closure: of the prefix, the tail and the reserve.

        ``up`` are the cards of the sequence that may come up as things lie; ``gone`` those
        that are home, ``closed_gone`` those after. ``offered`` are cards of the sequence that
        have a row, and ``seen`` says which cards were looked at for that.
        """
        before: cython.ulonglong
        bits: cython.ulonglong
        one: cython.ulonglong
        two: cython.ulonglong
        # The places after one card that is gone, and after two.
        below_one: cython.ulonglong = self.closed_one
        below_two: cython.ulonglong = self.closed_two
        uncovered: cython.ulonglong = self.closed_open
        at: cython.Py_ssize_t = 4 * depth
        while True:
            before = home
            bits = self._cards_for(home) & ~home
            offered |= union_of(self.mirror, bits & self.sequence & ~seen)
            seen |= bits
            bits &= uncovered
            if bits:
                home |= bits
                uncovered |= union_of(self.under_card, bits)
            if not self.exact:
                up |= self._tail_up(gone)
            bits = offered & up
            if bits:
                offered ^= bits
                gone |= bits
                # Bared, or at a turn's end since so many before are gone.
                up |= self._bared(left, bits)
                one = 0
                two = 0
                while bits:
                    two = one
                    one = bits & -bits
                    bits ^= one
                    home |= self.card_at[index_of(one)]
                # The bits rose, so these are the first two cards.
                one -= 1
                two = two - 1 if two else 0
                if one > below_one:
                    below_two = two if two > below_one else below_one
                    below_one = one
                elif one > below_two:
                    below_two = one
                up |= (self.f_turns[at + 1] & below_one) | (self.f_turns[at + 2] & below_two)
            if home == before or home == self.deck:
                self.closed_gone = gone
                self.closed_one = below_one
                self.closed_two = below_two
                self.closed_up = up
                self.closed_open = uncovered
                return home

    def _play_reserve(self, home):
        """Play the reserve as far as it goes, from and to ``closed_open``."""
        bits: cython.ulonglong = self._cards_for(home) & ~home & self.closed_open
        while bits:
            home |= bits
            self.closed_open |= union_of(self.under_card, bits)
            bits = self._cards_for(home) & ~home & self.closed_open
        return home

    def _reach_ahead(self, depth, home, left, kind, ahead):
        """Go on with the closure of the start of a pass for a place with cards ahead."""
        bit: cython.ulonglong = ONE << top_of(ahead)
        up: cython.ulonglong = self.closed_up | (self.f_turns[4 * depth + kind] & (bit | (bit - 1)))
        return self._reach(depth, home, left, up, self.closed_gone, 0, 0)

    def _bared(self, left, played):
        """The cards of the prefix right under the played ones: a carry runs over the gaps."""
        played &= left | self.first_of_tail
        return ((played << 1) + ~left) & left

    def _tail_up(self, gone):
        """Cards of the tail that may come up, places counted in the whole sequence."""
        up: cython.ulonglong = self.tail_sure | ((gone << 1) & self.tail_left)
        bit: cython.ulonglong
        if gone:
            bit = ONE << top_of(gone)
            up |= self.tail_turns[1] & (bit - 1)
            gone ^= bit
        if gone:
            up |= self.tail_turns[2] & ((ONE << top_of(gone)) - 1)
        return up

    def _enter_plain(self, depth, home, left, gone, kind, under, slot):
        """Evaluate a position: WON, DEAD, or OPEN with the plays to try in the frame ``depth``.

        The waste top has bit ``under``, or there is none; the remainder of its place is ``kind``.
        ``slot`` is the table's, and its word does not refute this place.
        """
        score: cython.int
        word: cython.ulonglong = self.keys[slot]
        bits: cython.ulonglong
        seen: cython.ulonglong
        plays: cython.ulonglong
        fresh: cython.ulonglong
        ahead: cython.ulonglong = 0
        sure: cython.ulonglong
        closed: cython.ulonglong
        reach: cython.int
        if kind and self.exact and left & ((ONE << under) - 1) == 0:
            kind = 0
        self.closed_one = 0
        self.closed_two = 0
        self.closed_open = self.f_open[depth]
        if not self.exact:
            home = self._reach(depth, home, 0, 0, gone, 0, self.sequence & ~self.tail)
            gone = self.closed_gone
        else:
            home = self._play_reserve(home)
        self.f_open[depth] = self.closed_open
        score = count_of(home)
        if self.exact and score > self.best:
            self.best = score
        if score >= self.target:
            return WON
        seen = self._cards_for(home) & ~home
        bits = union_of(self.mirror, seen & self.sequence)
        sure = self.f_turns[4 * depth]
        # The last place comes up at the end of any pass.
        if self.exact or gone & self.first_of_tail:
            sure |= left & -left
        fresh = bits & sure
        reach = self.size
        if kind:
            ahead = bits & self.f_turns[4 * depth + kind] & ~sure
            reach = self._as_far(ahead, under)
            ahead &= (ONE << under) | ((ONE << under) - 1)
        plays = fresh | ahead
        if not plays:
            return DEAD
        if not self.diving:
            if not ahead and word & (START | START_SHORT):
                self._note(slot, left, kind, reach, ONE << (ONLY_SHORT_AT + kind) if kind else 0)
                return DEAD
            plays = self._new_plays(word, left, kind, fresh, ahead)
            plays = self._open_plays(left, plays)
            if self._is_bound_due(word, plays):
                closed = self._reach(depth, home, left, sure, gone, bits, seen)
                if count_of(closed) >= self.target:
                    word |= START_PASSED
                elif (
                    not ahead
                    or count_of(self._reach_ahead(depth, closed, left, kind, ahead)) < self.target
                ):
                    bits = ONE << (ONLY_SHORT_AT + kind) if kind else 0
                    self._note(slot, left, kind, reach, bits | START_SHORT)
                    return DEAD
        self.positions += 1
        if not plays:
            self._note(slot, left, kind, reach, word & START_PASSED | START)
            return DEAD
        self.f_now[depth] = plays
        self.f_home[depth] = home
        self.f_left[depth] = left
        self.f_gone[depth] = gone
        self.f_kind[depth] = kind
        self.f_marks[depth] = word & START_PASSED
        self.f_from[depth] = reach
        self.f_slot[depth] = slot
        return OPEN

    def _as_far(self, bits, under):
        """How many cards of the end offer what the card ``under`` offers: up to the next play."""
        bits &= ~((ONE << under) | ((ONE << under) - 1))
        return index_of(bits & -bits) if bits else self.size

    def _new_plays(self, word, left, kind, fresh, ahead):
        """Of the plays of a new pass and of those ahead the ones that are not refuted yet."""
        if not word & START:
            # Rule 7: the last card of all hinders nothing.
            if self.prunes & LAST and self.exact and fresh & left & -left:
                fresh = left & -left
            return fresh | ahead
        if kind and not word & (ONE << (ONLY_SHORT_AT + kind)):
            ahead &= ~((ONE << ((word >> (LOW_AT + 6 * kind)) & LOW)) - 1)
        return ahead

    def _open_plays(self, left, plays):
        """The plays that lead to positions which the table does not refute."""
        bits: cython.ulonglong = plays
        bit: cython.ulonglong
        slot: cython.Py_ssize_t
        i: cython.int = 0
        # All are asked for at once, so that the waits overlap.
        while bits:
            self.play_slots[i] = self._first_slot(left ^ (bits & -bits))
            if cython.compiled:
                prefetch(cython.address(self.keys[self.play_slots[i]]))
            bits &= bits - 1
            i += 1
        bits = plays
        i = 0
        while bits:
            bit = bits & -bits
            bits ^= bit
            slot = self._slot_from(self.play_slots[i], left ^ bit)
            if self._is_known(self.keys[slot], left, bit):
                plays ^= bit
            i += 1
        return plays

    def _is_known(self, word, left, bit):
        """Whether the table's word for what the play of a card leaves refutes that play."""
        below: cython.ulonglong = left & ~(bit | (bit - 1))
        kind: cython.int = self.mod[count_of(below)]
        if kind == 0 or (self.exact and left & (bit - 1) == 0):
            return word & (START | START_SHORT) != 0
        return index_of(below & -below) < cython.cast(
            cython.int, (word >> (LOW_AT + 6 * kind)) & LOW
        )

    def _is_bound_due(self, word, plays):
        """Whether the bound may tell something new, and not what the one play will tell."""
        if word & START_PASSED or not self.prunes & BOUND:
            return False
        return plays & (plays - 1) or not self.prunes & FORCED

    def _cards_for(self, home):
        """The cards that have a row, and those of row 1: ``_playable``, compiled in line here."""
        return playable_of(home, self.row1, self.deck, self.bases, self.base_rank, self.any_start)

    def _step_plain(self):
        """Try one more play of the deepest open position; what it came to, as _enter says."""
        d: cython.int = self.depth
        under: cython.int = self.size
        bit: cython.ulonglong
        below: cython.ulonglong
        next_left: cython.ulonglong
        slot: cython.Py_ssize_t
        result: cython.int
        while True:
            if not self.f_now[d]:
                self._leave_plain()
                return DEAD
            bit = self.f_now[d] & -self.f_now[d]
            self.f_now[d] ^= bit
            slot = self._slot(self.f_left[d] ^ bit)
            if self.diving or not self._is_known(self.keys[slot], self.f_left[d], bit):
                break
        self.f_card[d] = self.size - 1 - index_of(bit)
        if cython.compiled and self.f_now[d]:
            # The word for the next play is far away: have it brought up meanwhile.
            next_left = self.f_left[d] ^ (self.f_now[d] & -self.f_now[d])
            prefetch(cython.address(self.keys[self._first_slot(next_left)]))
        below = self.f_left[d] & ~(bit | (bit - 1))
        if below:
            under = index_of(below & -below)
        self._shift(d, bit)
        self.f_open[d + 1] = self.f_open[d]
        result = self._enter_plain(
            d + 1,
            self.f_home[d] | self.card_at[index_of(bit)],
            self.f_left[d] ^ bit,
            self.f_gone[d] | bit,
            self.mod[count_of(below)],
            under,
            slot,
        )
        if result == OPEN:
            self.depth = d + 1
        return result

    def _shift(self, d, bit):
        """The remainders of the next frame: the cards after the play move down a place."""
        kind: cython.int
        moved: cython.ulonglong
        after: cython.ulonglong = bit - 1
        keep: cython.ulonglong = ~(bit | after)
        old: cython.Py_ssize_t = 4 * d
        for kind in range(self.draw):
            moved = self.f_turns[old + self.mod[kind + 1]] & after
            self.f_turns[old + 4 + kind] = (self.f_turns[old + kind] & keep) | moved

    def _leave_plain(self):
        """All plays of the deepest position are refuted: note it."""
        d: cython.int = self.depth
        marks: cython.ulonglong = self.f_marks[d] | START
        self._note(self.f_slot[d], self.f_left[d], self.f_kind[d], self.f_from[d], marks)
        self.depth = d - 1
