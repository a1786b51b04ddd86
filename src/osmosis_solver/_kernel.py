# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The fast search: whether so many cards can be brought home, depth-first with a table.

Plain integers in, plain integers out; compiled by Cython or run as it is. ``Search`` is a
portfolio over the row orders: a closure and a dive for each, then rounds of growing budgets
of exact searches and of searches over a prefix, until one order is won or all are refuted.
Words are those of ``_board``; types stand in ``_kernel.pxd``.
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
        DIVE,
        FIRST_SHIFT,
        FIRST_TABLE,
        FREE,
        FULL,
        IN_DIVE,
        IN_EXACT,
        IN_FREE,
        IN_PREFIX,
        LOST,
        OCCUPIED,
        ONE,
        OPEN,
        PREFIX,
        RUNNING,
        SHORT,
        STARVED,
        WON,
    )

COMPILED = bool(cython.compiled)

EVENTS = {"running": 0, "dead": 1, "won": 2, "full": 3, "lost": 5, "starved": 6}

PRUNES = {"free": 1, "pointer": 2, "bound": 4, "prefix": 8, "dive": 16}

_FOREVER = 1 << 60
# Tuned on 60,000 native deals under the standard rules (docs/performance.md).
_FIRST_BUDGET = 64
_BUDGET_FACTOR = 8
_PREFIX_FACTOR = 5
_PREFIX_STEP = 6
_NUMBERS = "plain stage turn_of busy searched widened budget task_stop lost_in lost_prefix".split()
_FRAMES = """f_next f_key f_waste f_packet f_redeals f_end_now f_end_next f_rest refuted
next_prefix""".split()


class Search(Plain):
    """One deal, all its row orders; ``run`` goes on in slices until something is settled."""

    def __init__(self, *args, prunes=31, **named):
        """Take over a position as ``Board`` does; ``prunes`` are the switches that are on."""
        super().__init__(*args, prunes=prunes, **named)
        if not cython.compiled:
            for name in _NUMBERS:
                setattr(self, name, 0)
            for name in _FRAMES:
                setattr(self, name, [0] * 64)
        self.plain = self.pointer and not self.limited and not self.packets
        if self.draw > 3 or self.size > 47:
            # What is known of a position does not fit into a word.
            self.plain = False
        self.values = array("B", bytes(0 if self.plain else FIRST_TABLE))
        self.spare_values = self.values[:0]
        self._renew()

    def _renew(self):
        """Start over, with another deal perhaps."""
        i: cython.int
        self.stage = IN_FREE
        self.turn_of = 0
        self.busy = False
        self.searched = False
        self.widened = False
        self.budget = _FIRST_BUDGET
        self.positions = 0
        self.best = 0
        self.depth = -1
        for i in range(24):
            self.refuted[i] = 0
            self.next_prefix[i] = _PREFIX_STEP

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
            if 4 * self.used >= 3 * self.slots:
                return FULL
            result = self._step_plain() if self.plain else self._step()
            if result == WON or (self.diving and result == DEAD):
                return result
        return DEAD

    # ---- the portfolio ---------------------------------------------------------------

    def _refute(self, prefix):
        self.lost_prefix = prefix
        self.refuted[self.order] = 1
        self.lost_in = self.order
        return DEAD

    def _next_task(self):
        """Begin the next piece of work; OPEN if there is more, else what is settled."""
        result: cython.int
        prefix: cython.int = self.size
        if self.turn_of == self.orders:
            return self._next_round()
        if self.refuted[self.turn_of]:
            self.turn_of += 1
            return OPEN
        if self.stage == IN_FREE:
            self._set_rows(self.turn_of)
            self.turn_of += 1
            if self.prunes & FREE and self._is_out_of_reach():
                self.searched = False
                return self._refute(0)
            return OPEN
        self._set_order(self.turn_of)
        if self.stage == IN_PREFIX:
            prefix = self.next_prefix[self.turn_of]
        # A dive has no budget but the cards: each position plays one.
        self.task_stop = self.positions + self._allowance()
        result = self._begin(prefix, self.stage == IN_DIVE)
        self.busy = result == OPEN
        self.searched = self.busy
        return OPEN if self.busy else self._settle(result)

    def _allowance(self):
        """How many positions the next piece of work may take."""
        if self.stage == IN_DIVE:
            return 64
        return _PREFIX_FACTOR * self.budget if self.stage == IN_PREFIX else self.budget

    def _is_out_of_reach(self):
        """Rule 5: even with the whole sequence lying open too few cards come home."""
        return count_of(self._close_free(self.home0, self.sequence)) < self.target

    def _next_round(self):
        o: cython.int
        alive: cython.int = 0
        last: cython.int = 0
        for o in range(self.orders):
            if not self.refuted[o]:
                alive += 1
                last = o
        if alive == 0:
            return LOST
        self.turn_of = 0
        if self.stage == IN_FREE and self.prunes & DIVE:
            self.stage = IN_DIVE
        elif self.stage != IN_EXACT:
            self.stage = IN_EXACT
        elif not self.widened:
            return STARVED
        else:
            self.budget *= _BUDGET_FACTOR
            if alive == 1 and not self._is_wide(last):
                self.budget = _FOREVER
        self.widened = False
        return OPEN

    def _settle(self, result):
        """Draw the conclusion of a finished or cut piece of work."""
        if self.stage == IN_DIVE:
            self.turn_of += 1
            return WON if result == WON else OPEN
        if result == WON:
            if self.exact:
                return WON
            self.next_prefix[self.turn_of] += _PREFIX_STEP
            if self.next_prefix[self.turn_of] >= self.size:
                self._next_order()
            return OPEN
        if result == DEAD:
            self._next_order()
            # Where no pass is under way and packets do not matter, the bound on the first
            # position is that of the empty prefix, which is easier to explain.
            if self.searched or self.limited or self.packets or self.waste0 > 0:
                return self._refute(self.prefix)
            return self._refute(0)
        self.widened = True
        self._leave()
        return OPEN

    def _leave(self):
        """After a cut exact search the prefixes are tried; after a cut prefix, the next order."""
        if self.stage == IN_EXACT and self._is_wide(self.turn_of):
            self.stage = IN_PREFIX
        else:
            self._next_order()

    def _is_wide(self, order):
        """Whether a longer prefix of this order may yet be refuted with less work."""
        wide: cython.bint = self.next_prefix[order] < self.size
        return self.prunes & PREFIX and wide and not self.limited

    def _next_order(self):
        self.stage = IN_EXACT
        self.turn_of += 1

    def _run(self, stop):
        result: cython.int
        while True:
            if self.busy:
                result = self._search(stop if stop < self.task_stop else self.task_stop)
                if result == FULL:
                    return FULL
                if result == RUNNING and self.positions < self.task_stop:
                    return RUNNING
                self.busy = False
                result = self._settle(result)
            elif self.positions >= stop:
                return RUNNING
            else:
                result = self._next_task()
            if result != OPEN:
                return result

    def run(self, positions):
        """Search at most so many positions more; the GIL is free meanwhile.

        Returns one of ``EVENTS``: "running", not settled yet; "dead", one more row order
        is refuted (``refutation`` tells it, before the next ``run``); "lost", all are;
        "won" (``line`` tells how); "full", the table must ``grow`` or the search be
        ``starve``d; "starved", every search was.
        """
        stop: cython.longlong = self.positions + positions
        result: cython.int
        with cython.nogil:
            result = self._run(stop)
        return result

    def starve(self):
        """Give up the piece of work whose table may not grow."""
        self._give_up()

    def _give_up(self):
        self.busy = False
        self._leave()

    def line(self):
        """The win: the row order's number, and the sequence cards in the order of play,
        each with what it leaves of its packet at the least.
        """
        return self.order, [(self.f_card[i], self.f_rest[i]) for i in range(self.depth + 1)]

    def refutation(self):
        """The refuted order's number, the prefix, and the proof's entries as tuples
        (left, waste, packet, redeals).
        """
        entries = []
        if not self.searched:
            return self.lost_in, self.lost_prefix, entries
        entries = self._entries() if self.plain else self._keyed_entries()
        entries.sort()
        return self.lost_in, self.lost_prefix, entries

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

    def counts(self):
        """Positions searched, the best score that a line was seen to reach, table entries."""
        return self.positions, self.best, self.used if self.searched else 0

    def dive_everywhere(self):
        """Dive in every row order for the sake of the best score; whether one won.

        This ends the search. Positions of these dives are not counted.
        """
        positions: cython.longlong = self.positions
        o: cython.int
        result: cython.int = DEAD
        for o in range(self.orders):
            self._set_order(o)
            result = self._begin(self.size, True)
            if result == OPEN:
                result = self._search(_FOREVER)
            if result == WON:
                break
        self.positions = positions
        return result == WON

    def reach(self):
        """How many cards the free closure brings home under the best of the row orders."""
        o: cython.int
        most: cython.int = 0
        for o in range(self.orders):
            self._set_order(o)
            most = max(most, count_of(self._close_free(self.home0, self.sequence)))
        return most
