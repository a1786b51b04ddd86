# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Verdicts of positions of which some cards are unseen, completed at random again and again.

A *completion* gives each unseen place one of the unseen cards. An *option* is a position that
the player can bring about; it is laid out and settled under any completion, and nothing is
built in Python for that. Words are those of ``_board``; types stand in ``_advise.pxd``.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # pragma: no cover - depends on what is installed
    from osmosis_solver import _nocython as cython

from osmosis_solver._kernel import EVERY_PRUNE

if not cython.compiled:
    from osmosis_solver._bits import STEP, mixed
    from osmosis_solver._kernel import Search
    from osmosis_solver._words import LOST, ONE, WON

# What an option comes to under a completion.
IS_LOST = 0
IS_WON = 1
IS_OPEN = 2
UNKNOWN = 3

MOST_OPTIONS = 1024
# In a path: a card of the reserve, by its number plus this; below it, one of the sequence.
RESERVE = 64
# In a path: turns and redeals until a card is seen that was not before.
TURNS = 128

_TWO32 = 2**32
_MASK64 = 2**64 - 1
_NUMBERS = "length reserve_length unseen listed all_orders".split()
_SMALL = "all_seq all_reserve covered places pool filled taken".split()
_OPTIONS = """o_left o_reserve o_waste o_packet o_redeals o_opened o_steps
o_shown o_bare o_mark o_bound o_from""".split()


class Guesses(Search):
    """A position, its unseen cards, and the options that are weighed."""

    def __init__(self, *args, unseen, prunes=EVERY_PRUNE, **named):
        """Take over a position as ``Board`` does, its unseen cards in any order.

        ``unseen`` are their places: a number in the sequence, or ``RESERVE`` plus the number of
        a reserve card, counted pile by pile from the bottom.
        """
        super().__init__(*args, prunes=prunes, **named)
        if not cython.compiled:
            self._make_tables()
        self.length = self.size
        self.reserve_length = self.reserve_size
        for i in range(self.length):
            self.all_seq[i] = self.seq_card[i]
        for i in range(self.reserve_length):
            self.all_reserve[i] = self.pile_card[i]
            self.covered[i] = self.pile_cover[i] >= 0
        self.all_orders = self.orders
        for i in range(96):
            self.all_rows[i] = self.row_of[i]
        self.unseen_reserve = 0
        self.unseen_sequence = 0
        for i, place in enumerate(unseen):
            self.places[i] = place
            if place >= RESERVE:
                self.unseen_reserve |= ONE << (place - RESERVE)
            else:
                self.unseen_sequence |= ONE << place
        self.unseen = len(unseen)
        self._gather(sorted(self._at(place) for place in unseen))
        self.listed = 0
        self.cut = 0
        self.known = array("B")
        self.columns = 0

    def _make_tables(self):
        for name in _NUMBERS:
            setattr(self, name, 0)
        for name in _SMALL:
            setattr(self, name, [0] * 64)
        for name in _OPTIONS:
            setattr(self, name, [0] * MOST_OPTIONS)
        self.o_rows = [0] * 4 * MOST_OPTIONS
        self.o_path = [0] * 64 * MOST_OPTIONS
        self.o_rest = [0] * 64 * MOST_OPTIONS
        self.all_rows = [0] * 96

    def _at(self, place):
        return self.all_seq[place] if place < RESERVE else self.all_reserve[place - RESERVE]

    def _gather(self, cards):
        for i, card in enumerate(cards):
            self.pool[i] = card

    # ---- options ---------------------------------------------------------------------

    def add(self, left, reserve, waste, packet, redeals, opened):
        """List an option, and tell its number; or -1 if there are ``MOST_OPTIONS``.

        ``left`` and ``reserve`` have a bit for each card of the sequence and of the reserve
        that is not home, ``opened`` the suits that have a row, row 1 first.
        """
        i = self.listed
        if i == MOST_OPTIONS:
            return -1
        self.o_left[i] = left
        self.o_reserve[i] = reserve
        self.o_waste[i] = waste
        self.o_packet[i] = packet
        self.o_redeals[i] = redeals or 0
        self.o_opened[i] = len(opened)
        for row, suit in enumerate(opened):
            self.o_rows[4 * i + row] = suit
        self.o_steps[i] = 0
        self.o_shown[i] = 0
        self.o_bare[i] = 0
        self.o_mark[i] = 0
        self.listed = i + 1
        return i

    def path(self, option):
        """The cards that lead from option 0 to one that ``draft`` listed, in the order of play,
        each with what it leaves of its packet at the least.
        """
        start = 64 * option
        steps = range(start, start + self.o_steps[option])
        return [(self.o_path[i], self.o_rest[i]) for i in steps]

    def _copy(self, i, j):
        """Make option i of option j, at the same cards shown."""
        row: cython.int
        self.o_left[i] = self.o_left[j]
        self.o_reserve[i] = self.o_reserve[j]
        self.o_waste[i] = self.o_waste[j]
        self.o_packet[i] = self.o_packet[j]
        self.o_redeals[i] = self.o_redeals[j]
        self.o_opened[i] = self.o_opened[j]
        self.o_shown[i] = self.o_shown[j]
        self.o_bare[i] = self.o_bare[j]
        self.o_mark[i] = 0
        self.o_from[i] = j
        self.o_steps[i] = self.o_steps[j]
        for row in range(self.o_steps[j]):
            self.o_path[64 * i + row] = self.o_path[64 * j + row]
            self.o_rest[64 * i + row] = self.o_rest[64 * j + row]
        for row in range(4):
            self.o_rows[4 * i + row] = self.o_rows[4 * j + row]

    def _same(self, i, j):
        row: cython.int
        if (
            self.o_mark[i] != self.o_mark[j]
            or self.o_left[i] != self.o_left[j]
            or self.o_reserve[i] != self.o_reserve[j]
            or self.o_waste[i] != self.o_waste[j]
            or self.o_packet[i] != self.o_packet[j]
            or self.o_redeals[i] != self.o_redeals[j]
            or self.o_opened[i] != self.o_opened[j]
            or self.o_shown[i] != self.o_shown[j]
            or self.o_bare[i] != self.o_bare[j]
        ):
            return False
        for row in range(self.o_opened[i]):
            if self.o_rows[4 * i + row] != self.o_rows[4 * j + row]:
                return False
        return True

    def _join(self, i, first):
        """The listed option from ``first`` on that is the same as i, which is listed if new."""
        j: cython.int
        for j in range(first, i):
            if self._same(i, j):
                return j
        self.listed = i + 1
        self._forget(i)
        return i

    def _forget(self, i):
        """Nothing is known as yet of an option that is listed anew."""
        k: cython.Py_ssize_t
        at: cython.Py_ssize_t = self.columns
        at *= i
        for k in range(self.columns):
            self.known[at + k] = UNKNOWN

    def _note_step(self, i, place):
        steps: cython.int = self.o_steps[i]
        if steps < 64:
            self.o_path[64 * i + steps] = place
            self.o_rest[64 * i + steps] = self.o_packet[i]
            self.o_steps[i] = steps + 1

    # ---- completions -----------------------------------------------------------------

    def _complete(self, seed, number, exact):
        """Give the unseen places the cards of a completion; of all in turn if ``exact``."""
        i: cython.int
        j: cython.int
        card: cython.int
        product: cython.ulonglong
        word: cython.ulonglong = (mixed(seed) + number) & _MASK64
        word = mixed(word)
        for i in range(self.unseen):
            self.filled[i] = self.pool[i]
        i = self.unseen - 1
        while i > 0:
            if exact:
                j = cython.cast(cython.int, number % (i + 1))
                number //= i + 1
            else:
                word = (word + STEP) & _MASK64
                product = (mixed(word) >> 32) * (i + 1)
                if product % _TWO32 < _TWO32 % (i + 1):
                    continue
                j = cython.cast(cython.int, product >> 32)
            card = self.filled[i]
            self.filled[i] = self.filled[j]
            self.filled[j] = card
            i -= 1
        for i in range(self.unseen):
            if self.places[i] < RESERVE:
                self.all_seq[self.places[i]] = self.filled[i]
            else:
                self.all_reserve[self.places[i] - RESERVE] = self.filled[i]

    # ---- verdicts --------------------------------------------------------------------

    def _lay(self, option):
        """Lay out an option under the completion at hand."""
        i: cython.int
        n: cython.int = 0
        card: cython.int
        left: cython.ulonglong = self.o_left[option]
        reserve: cython.ulonglong = self.o_reserve[option]
        self.sequence_cards = 0
        self.reserve_cards = 0
        for i in range(self.length):
            if (left >> i) & 1:
                card = self.all_seq[i]
                self.seq_card[n] = card
                self.taken[n] = i
                self.sequence_cards |= ONE << card
                n += 1
        self.size = n
        n = 0
        for i in range(self.reserve_length):
            if (reserve >> i) & 1:
                card = self.all_reserve[i]
                self.pile_card[n] = card
                self.pile_cover[n] = -1
                if self.covered[i] and (reserve >> (i + 1)) & 1:
                    self.pile_cover[n] = self.all_reserve[i + 1]
                self.reserve_cards |= ONE << card
                n += 1
        self.reserve_size = n
        self.home_cards = self.deck & ~self.sequence_cards & ~self.reserve_cards
        self.waste0 = self.o_waste[option]
        self.packet0 = self.o_packet[option]
        self.redeals0 = self.o_redeals[option]
        if self.redeals0 > self.size:
            self.redeals0 = self.size
        self._keep_orders(option)
        self._renew()

    def _keep_orders(self, option):
        """The row orders that the rows of an option allow."""
        o: cython.int
        i: cython.int
        fits: cython.bint
        self.orders = 0
        for o in range(self.all_orders):
            fits = True
            for i in range(self.o_opened[option]):
                if self.all_rows[4 * o + self.o_rows[4 * option + i]] != i:
                    fits = False
            if fits:
                for i in range(4):
                    self.row_of[4 * self.orders + i] = self.all_rows[4 * o + i]
                self.orders += 1

    def _verdict(self, option, positions, most_bytes):
        """Settle an option under the completion at hand within the limits."""
        event: cython.int
        self._lay(option)
        event = self._run_within(positions, most_bytes)
        if event == WON:
            return IS_WON
        if event == LOST:
            return IS_LOST
        self.cut += 1
        return IS_OPEN

    def settle(self, option, seed, number, exact, positions, most_bytes):
        """Complete, and settle an option within the limits: the cards that the unseen places
        get, in the order in which these were given, and 0 for lost, 1 for won, 2 for open.
        """
        self._complete(seed, number, exact)
        verdict = self._verdict(option, positions, most_bytes)
        return [self._at(self.places[i]) for i in range(self.unseen)], verdict
