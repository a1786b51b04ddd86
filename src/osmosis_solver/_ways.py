# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""What plays and turns lead to, when cards are unseen: from option to option.

Nothing here asks what an unseen card is before it is shown. Types stand in ``_ways.pxd``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # pragma: no cover - depends on what is installed
    from osmosis_solver import _nocython as cython

if not cython.compiled:
    from osmosis_solver._advise import MOST_OPTIONS, RESERVE, TURNS, Guesses
    from osmosis_solver._bits import count_of, index_of
    from osmosis_solver._words import ONE

# Two whole passes by draw one take no more.
_MOST_TURNS = 128


class Ways(Guesses):
    """The ways on from an option."""

    def __init__(self, *args, tops=False, **named):
        """Take over a position as ``Guesses`` does; ``tops``: of a turn the last card is seen."""
        super().__init__(*args, **named)
        self.tops = tops

    # ---- from option to option --------------------------------------------------------

    def _follow(self, root, first):
        """List the position where the win at hand first shows a card; its number."""
        i: cython.int = self.listed
        number: cython.int = 0
        place: cython.int
        self._copy(i, root)
        while True:
            place = self._from_reserve(i, False)
            if place >= 0:
                self._note_step(i, place)
                if self._uncovers(i, place - RESERVE):
                    break
            elif number > self.depth:
                break
            elif self._reach_card(i, number):
                self._note_step(i, TURNS)
                break
            else:
                place = self.taken[self.f_card[number]]
                number += 1
                self._play_waste(i, place)
                self._note_step(i, place)
                if self._bares(i):
                    break
        return self._join(i, first)

    def _home_of(self, i):
        """The cards home in an option, by rows of the order at hand."""
        j: cython.int
        home: cython.ulonglong = self.deck
        for j in range(self.length):
            if (self.o_left[i] >> j) & 1:
                home &= ~self._bit(self.all_seq[j])
        for j in range(self.reserve_length):
            if (self.o_reserve[i] >> j) & 1:
                home &= ~self._bit(self.all_reserve[j])
        return home

    def _from_reserve(self, i, safely):
        """Play a card of the reserve, one that opens no row if there is one; -1 for none."""
        j: cython.int
        row: cython.int
        best: cython.int = -1
        bit: cython.ulonglong
        home: cython.ulonglong = self._home_of(i)
        playable: cython.ulonglong = self._playable(home) & ~home
        for j in range(self.reserve_length):
            if not self._is_top(i, j):
                continue
            bit = self._bit(self.all_reserve[j])
            row = index_of(bit) // 13
            if not playable & bit or row > self.o_opened[i]:
                continue
            if row < self.o_opened[i]:
                best = j
                break
            if best < 0 and not safely:
                best = j
        if best < 0:
            return -1
        self.o_reserve[i] ^= ONE << best
        self._give_row(i, self.all_reserve[best])
        return RESERVE + best

    def _uncovers(self, i, j):
        """Whether the play of reserve card j shows a card; it is shown from now on."""
        bit: cython.ulonglong
        if j == 0 or not self.covered[j - 1]:
            return False
        bit = ONE << (j - 1)
        if not self.unseen_reserve & bit & ~self.o_bare[i]:
            return False
        self.o_bare[i] |= bit
        return True

    def _bares(self, i):
        """Whether the waste top is a card not seen before; it is shown from now on."""
        bit: cython.ulonglong
        if self.o_waste[i] == 0:
            return False
        bit = self._nth(self.o_left[i], self.o_waste[i])
        if not self.unseen_sequence & bit & ~self.o_shown[i]:
            return False
        self.o_shown[i] |= bit
        return True

    def _nth(self, left, place):
        """The bit of the card at a place."""
        while place > 1:
            left &= left - 1
            place -= 1
        return left & -left

    def _play_waste(self, i, j):
        bit: cython.ulonglong = ONE << j
        self.o_left[i] ^= bit
        self.o_waste[i] = count_of(self.o_left[i] & (bit - 1))
        if self.packets:
            self.o_packet[i] -= 1
        self._give_row(i, self.all_seq[j])

    def _reach_card(self, i, number):
        """Turn on until the card of the win's step is up, or a new card; whether it is that."""
        bit: cython.ulonglong = ONE << self.taken[self.f_card[number]]
        place: cython.int = count_of(self.o_left[i] & (bit - 1)) + 1
        rest: cython.int = self.f_rest[number] if self.packets else 0
        if not self.packets and not self.limited and not self.unseen_sequence & ~self.o_shown[i]:
            return False
        left: cython.int = _MOST_TURNS
        while not (self.o_waste[i] == place and (not self.packets or self.o_packet[i] > rest)):
            left -= 1
            if self._turns_up(i) or left == 0:
                return True
        return False

    def _turns_up(self, i):
        """Turn or redeal; whether a card is seen that was not before."""
        n: cython.int = count_of(self.o_left[i])
        waste: cython.int = self.o_waste[i]
        place: cython.int
        fresh: cython.ulonglong = 0
        if waste == n:
            self.o_waste[i] = 0
            self.o_packet[i] = 0
            self.o_redeals[i] -= self.limited
            return False
        self.o_waste[i] = waste + self.draw if waste + self.draw < n else n
        if self.packets:
            self.o_packet[i] = self.o_waste[i] - waste
        place = self.o_waste[i]
        while place > waste:
            fresh |= self._nth(self.o_left[i], place)
            place = waste if self.tops else place - 1
        fresh &= self.unseen_sequence & ~self.o_shown[i]
        self.o_shown[i] |= fresh
        return fresh != 0

    # ---- the next play ------------------------------------------------------------------

    def _branch(self, root):
        """List what each next play leads to, and the next turns that show a card."""
        first: cython.int = self.listed
        j: cython.int
        home: cython.ulonglong
        self._keep_orders(root)
        self.order = 0
        home = self._home_of(root)
        home = self._playable(home) & ~home
        for j in range(self.reserve_length):
            if self._is_top(root, j) and self._fits(root, home, self.all_reserve[j]):
                self._list_reserve(root, j, first)
        self._branch_waste(root, home, first)

    def _branch_waste(self, root, playable, first):
        """The same from the waste, as the stock is turned on until a card is shown."""
        # The last option is never listed: it is the position as it is turned on.
        at: cython.int = MOST_OPTIONS - 1
        redeals: cython.int = 0
        j: cython.int
        self._copy(at, root)
        while redeals < 3:
            if self.o_waste[at] > 0 and (self.o_packet[at] > 0 or not self.packets):
                j = index_of(self._nth(self.o_left[at], self.o_waste[at]))
                if self._fits(root, playable, self.all_seq[j]):
                    self._list_waste(at, j, first)
            if self.o_waste[at] == count_of(self.o_left[at]):
                if self.o_waste[at] == 0 or (self.limited and self.o_redeals[at] == 0):
                    return
                redeals += 1
            if self._turns_up(at):
                j = self.listed
                self._copy(j, at)
                self._note_step(j, TURNS)
                self._join(j, first)
                return

    def _list_reserve(self, root, j, first):
        i: cython.int = self.listed
        self._copy(i, root)
        self.o_reserve[i] ^= ONE << j
        self._give_row(i, self.all_reserve[j])
        self._note_step(i, RESERVE + j)
        self._uncovers(i, j)
        self._join(i, first)

    def _list_waste(self, at, j, first):
        i: cython.int = self.listed
        self._copy(i, at)
        self._play_waste(i, j)
        self._note_step(i, j)
        self._bares(i)
        self._join(i, first)

    def _is_top(self, i, j):
        """Whether reserve card j is the top of its pile."""
        if not (self.o_reserve[i] >> j) & 1:
            return False
        return not (self.covered[j] and (self.o_reserve[i] >> (j + 1)) & 1)

    def _fits(self, root, playable, card):
        """Whether a card has a row, whichever row its suit is to have."""
        row: cython.int
        for row in range(self.o_opened[root]):
            if self.o_rows[4 * root + row] == card // 13:
                return playable & (ONE << (13 * row + card % 13)) != 0
        return playable & (ONE << (13 * self.o_opened[root] + card % 13)) != 0

    def _give_row(self, i, card):
        """The suit of a card gets the next row if it has none."""
        row: cython.int
        for row in range(self.o_opened[i]):
            if self.o_rows[4 * i + row] == card // 13:
                return
        self.o_rows[4 * i + self.o_opened[i]] = card // 13
        self.o_opened[i] += 1
