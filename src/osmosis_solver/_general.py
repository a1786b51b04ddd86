# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""One search, and the depth-first search that serves where passes or packets count.

Where neither does, and a position fits, it hands over to ``_plain``. A position of its own table
is the cards left, the waste and the packet; the value is the redeals left for which it is
refuted. Words are those of ``_board``; types stand in ``_general.pxd``.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # pragma: no cover - depends on what is installed
    from osmosis_solver import _nocython as cython

if not cython.compiled:
    from osmosis_solver._bits import count_of, index_of, slot_of
    from osmosis_solver._plain import Plain
    from osmosis_solver._words import (
        BOUND,
        DEAD,
        FIRST_SHIFT,
        FIRST_TABLE,
        FULL,
        OCCUPIED,
        ONE,
        OPEN,
        RUNNING,
        SHORT,
        WON,
    )


_FRAMES = "f_next f_key f_waste f_packet f_redeals f_end_now f_end_next f_rest".split()


class General(Plain):
    """One search under the row order at hand, whatever the rules."""

    def __init__(self, *args, **named):
        """Take over a position as ``Plain`` does."""
        super().__init__(*args, **named)
        if not cython.compiled:
            for name in _FRAMES:
                setattr(self, name, [0] * 64)
        self.plain = self.pointer and not self.limited and not self.packets
        if self.draw > 3 or self.size > 47:
            # What is known of a position does not fit into a word.
            self.plain = False
        self.values = array("B", bytes(0 if self.plain else FIRST_TABLE))
        self.spare_values = self.values[:0]

    def _enter(self, depth, home, left, gone, waste, packet, redeals):
        """Evaluate a position: WON, DEAD, or OPEN with its plays in the frame ``depth``."""
        key: cython.ulonglong
        score: cython.int
        if self.exact:
            home = self._close_free(home, 0)
            score = count_of(home)
            if score > self.best:
                self.best = score
        else:
            home = self._close_aligned(home, left, waste, gone, self.reserve | self.tail)
            gone = self.closed_gone
        if count_of(home) >= self.target:
            return WON
        if left == 0:
            return DEAD
        self._look(home, left, waste, packet, redeals)
        if not self.now and not self.next:
            return DEAD
        key = left | (cython.cast(cython.ulonglong, self.p_waste) << 51)
        key |= cython.cast(cython.ulonglong, self.p_packet) << 57
        if not self.diving and self._is_stored(key, redeals):
            return DEAD
        self.positions += 1
        if self.prunes & BOUND and not self.diving:
            if self._falls_short(home, left, gone, self.p_waste, self.p_packet, redeals):
                self._store(key, SHORT | redeals)
                return DEAD
        self.f_home[depth] = home
        self.f_left[depth] = left
        self.f_gone[depth] = gone
        self.f_waste[depth] = self.p_waste
        self.f_packet[depth] = self.p_packet
        self.f_redeals[depth] = redeals
        self.f_now[depth] = self.now
        self.f_next[depth] = self.next
        self.f_end_now[depth] = self.end_now
        self.f_end_next[depth] = self.end_next
        self.f_key[depth] = key
        return OPEN

    # ---- the transposition table -----------------------------------------------------

    def _key_slot(self, key):
        """The slot that holds the key, or the empty one where it belongs."""
        slot: cython.Py_ssize_t = slot_of(key, self.shift)
        key |= OCCUPIED
        while self.keys[slot] != key and self.keys[slot] != 0:
            slot = (slot + 1) & (self.slots - 1)
        return slot

    def _store(self, key, value):
        slot: cython.Py_ssize_t = self._key_slot(key)
        if self.keys[slot] == 0:
            self.keys[slot] = key | OCCUPIED
            self.used += 1
        self.values[slot] = value

    def _double_keys(self):
        """Move keys and values into the spare room, twice as large."""
        i: cython.Py_ssize_t
        old_slots: cython.Py_ssize_t = self.slots
        self._swap()
        self.values, self.spare_values = self.spare_values, self.values
        for i in range(old_slots):
            if self.spare_keys[i] != 0:
                self._store(self.spare_keys[i] & ~OCCUPIED, self.spare_values[i])

    def grow(self, most_bytes):
        """Double the table, unless old and new together would take more than ``most_bytes``.

        The old table stays as the room for the next one, here or in another search.
        """
        slots: cython.Py_ssize_t = 2 * self.slots
        if (slots + self.slots) * self._slot_bytes() > most_bytes:
            return False
        if len(self.spare_keys) < slots:
            self._drop_spare()
            if (slots + len(self.keys)) * self._slot_bytes() > most_bytes:
                self.keys = array("Q", bytes(self.keys[: self.slots]))
                self.values = array("B", bytes(self.values[: self.slots]))
            self.spare_keys = array("Q", [0]) * slots
            self.spare_values = array("B", [0]) * (0 if self.plain else slots)
        if self.plain:
            self._double()
        else:
            self._double_keys()
        return True

    def _slot_bytes(self):
        return 8 if self.plain else 9

    def _drop_spare(self):
        self.spare_keys = self.keys[:0]
        self.spare_values = self.values[:0]

    def release(self):
        """Give back the memory of a table whose search is over; what it held is forgotten."""
        if len(self.keys) > FIRST_TABLE:
            self.keys = array("Q", bytes(8 * FIRST_TABLE))
            self.values = array("B", bytes(0 if self.plain else FIRST_TABLE))
            self.slots = FIRST_TABLE
            self.shift = FIRST_SHIFT
            self.used = 0
        self._drop_spare()

    def _is_stored(self, key, redeals):
        """Whether the position is refuted already, with no fewer redeals left."""
        slot: cython.Py_ssize_t = self._key_slot(key)
        return self.keys[slot] != 0 and (self.values[slot] & ~SHORT) >= redeals

    # ---- one search ------------------------------------------------------------------

    def _begin(self, prefix, diving):
        """Set out from the start under the order at hand; the answer is _enter's."""
        result: cython.int
        waste: cython.int = self.waste0
        packet: cython.int = self.packet0
        self._clear()
        self.prefix = prefix
        self.exact = prefix == self.size
        self.diving = diving
        self.tail = 0
        if not self.exact:
            for i in range(prefix, self.size):
                self.tail |= self.seq_bit[i]
            if waste > prefix:
                waste = 0
                packet = 0
        if self.plain:
            result = self._begin_plain()
        else:
            result = self._enter(
                0, self.home0, (ONE << prefix) - 1, 0, waste, packet, self.redeals0
            )
        self.depth = 0 if result == OPEN else -1
        return result

    def _step(self):
        """Try one more play of the deepest open position; what it came to, as _enter says."""
        d: cython.int = self.depth
        bits: cython.ulonglong = self.f_now[d]
        bit: cython.ulonglong
        left: cython.ulonglong = self.f_left[d]
        place: cython.int
        packet: cython.int
        redeals: cython.int = self.f_redeals[d]
        result: cython.int
        passes: cython.bint = bits == 0
        if passes:
            bits = self.f_next[d]
            redeals -= 1
        if not bits:
            self._store(self.f_key[d], self.f_redeals[d])
            self.depth = d - 1
            return DEAD
        bit = bits & -bits
        while bits != bit:
            bits ^= bit
            bit = bits & -bits
        place = count_of(left & (bit - 1)) + 1
        if passes:
            self.f_next[d] ^= bit
        else:
            self.f_now[d] ^= bit
        packet = self._rest(d, place, count_of(left), passes)
        self.f_card[d] = index_of(bit)
        self.f_rest[d] = packet
        result = self._enter(
            d + 1,
            self.f_home[d] | self.seq_bit[index_of(bit)],
            left ^ bit,
            self.f_gone[d] | bit,
            place - 1,
            packet,
            redeals,
        )
        if result == OPEN:
            self.depth = d + 1
        return result

    def _rest(self, d, place, n, passes):
        """How many cards of its packet a play leaves on top, at the most."""
        rest: cython.int = self.draw - 1
        if not self.packets:
            return 0
        if place == n:
            rest = self.f_end_next[d] if passes else self.f_end_now[d]
        elif place == self.f_waste[d] and not passes:
            if self.limited or self.mod[place]:
                rest = self.f_packet[d] - 1
        return rest if rest < place - 1 else place - 1

    def _search(self, stop):
        """Go on until the order is settled (WON or DEAD), or RUNNING at ``stop``, or FULL."""
        result: cython.int
        while self.depth >= 0:
            if self.positions >= stop:
                return RUNNING
            # Where words are grouped by neighbours, few are found at once in a fuller table.
            if 4 * self.used >= (2 if self.plain else 3) * self.slots:
                return FULL
            result = self._step_plain() if self.plain else self._step()
            if result == WON or (self.diving and result == DEAD):
                return result
        return DEAD

    def _keyed_entries(self):
        i: cython.Py_ssize_t
        key: cython.ulonglong
        entries = []
        for i in range(self.slots):
            key = self.keys[i]
            if key != 0 and not self.values[i] & SHORT:
                left = key & ((ONE << 51) - 1)
                entries.append((left, (key >> 51) & 63, (key >> 57) & 63, self.values[i]))
        return entries
