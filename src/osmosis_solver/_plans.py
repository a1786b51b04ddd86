# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Which plan wins most often, when cards are unseen: a search over what is shown on the way.

A *plan* leads from an option, by plays and turns that need no card unseen as yet, to where the
next card is shown. What it is worth is counted over the completions: those with the same card
there go on with one plan, the best for them together. ``docs/advice.md`` says what that gains.
Types stand in ``_plans.pxd``.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # pragma: no cover - depends on what is installed
    from osmosis_solver import _nocython as cython

if not cython.compiled:
    from osmosis_solver._advise import IS_LOST, IS_WON, MOST_OPTIONS, RESERVE, UNKNOWN
    from osmosis_solver._bits import mixed
    from osmosis_solver._ways import Ways


class Plans(Ways):
    """The plans that are weighed in a position of which some cards are unseen."""

    def __init__(self, *args, **named):
        """Take over a position as ``Ways`` does."""
        super().__init__(*args, **named)
        self.spent = 0
        self.drawn = 0
        self.stack = array("i", [0])
        self.nothing = self.stack

    # ---- a search over what is shown --------------------------------------------------

    def judge(self, seed, least, enough, most, exact, depth, positions, most_bytes):
        """Weigh the plans of option 0 up to ``depth`` shown cards ahead; the GIL is free.

        ``least`` completions are drawn, and more until ``enough`` of them can be won with all
        cards seen, ``most`` at the most; ``exact`` takes all there are in turn. A limit on
        ``positions`` or ``most_bytes`` that is hit counts as no win. Returns how many were
        drawn, how many can be won, and the plans as tuples: the cards played, each with what it
        leaves of its packet; how many completions it wins, -1 if it was dropped; and how many
        at most.
        """
        found = array("i", [-1]) * MOST_OPTIONS
        self.stack = array("i", [0]) * (max(least, enough) * (3 * depth + 3))
        self.columns = most
        self.known = array("B", [UNKNOWN]) * (MOST_OPTIONS * most)
        won = self._judge(seed, least, enough, most, exact, depth, positions, most_bytes, found)
        told = []
        for i in range(1, self.listed):
            told.append((self.path(i), found[i], self.o_bound[self.o_from[i]]))
        return self.drawn, won, told

    def _judge(
        self,
        seed: cython.ulonglong,
        least: cython.int,
        enough: cython.int,
        most: cython.int,
        exact: cython.bint,
        depth: cython.int,
        positions: cython.longlong,
        most_bytes: cython.longlong,
        found: cython.int[::1],
    ):
        won: cython.int = 0
        self.seed = seed
        self.exactly = exact
        self.positions_each = positions
        self.bytes_each = most_bytes
        self.spent = 0
        self.cut = 0
        self.drawn = 0
        with cython.nogil:
            while self.drawn < least or (self.drawn < most and won < enough):
                if self._wins(0, self.drawn):
                    self.stack[won] = self.drawn
                    won += 1
                self.drawn += 1
            self._plan(0, 0, won, depth, found)
        return won

    def _wins(self, option, number):
        """Whether an option wins under a completion; what is known is not searched again."""
        at: cython.Py_ssize_t = self.columns * option + number
        before: cython.Py_ssize_t = self.columns * self.o_from[option] + number
        if self.known[at] == UNKNOWN and option > 0 and self.known[before] == IS_LOST:
            self.known[at] = IS_LOST
        if self.known[at] == UNKNOWN:
            self.spent += 1
            self._complete(self.seed, number, self.exactly)
            if self._verdict(option, self.positions_each, self.bytes_each) == IS_WON:
                self.known[at] = IS_WON
            else:
                self.known[at] = IS_LOST
        return self.known[at] == IS_WON

    def _plan(self, root, low, high, depth, found):
        """How many of the completions on the stack the best plan wins; all win from ``root``."""
        i: cython.int
        first: cython.int = self.listed
        middle: cython.int
        last: cython.int
        best: cython.int = 0
        value: cython.int
        if depth == 0 or (high - low <= 1 and root > 0):
            return high - low
        # What was shown on the way is the same under all of them; the plays are read off the first.
        self._complete(self.seed, self.stack[low], self.exactly)
        self._branch(root)
        middle = self.listed
        for i in range(first, middle):
            self._draft(i, root, low, high, middle)
        last = self.listed
        for i in range(first, last):
            if i < middle and not self._is_shown(i, root):
                continue
            if self.o_bound[self.o_from[i]] <= best:
                continue
            value = self._value(i, low, high, depth, best)
            if value > best:
                best = value
            if root == 0:
                found[i] = value
        if root > 0:
            self.listed = first
        return best

    def _draft(self, i, root, low, high, middle):
        """Count the wins after a play, and list where each of them first shows a card."""
        k: cython.int
        last: cython.Py_ssize_t
        self.o_from[i] = i
        self.o_bound[i] = 0
        for k in range(low, high):
            if self._wins(i, self.stack[k]):
                self.o_bound[i] += 1
                if not self._is_shown(i, root) and self.listed < MOST_OPTIONS - 256:
                    last = self._follow(i, middle)
                    self.known[self.columns * last + self.stack[k]] = IS_WON

    def _value(self, i, low, high, depth, best):
        """How many completions a plan wins; -1 if that cannot be more than ``best``."""
        k: cython.int
        top: cython.int = high
        for k in range(low, high):
            if self._wins(i, self.stack[k]):
                self.stack[top] = self.stack[k]
                top += 1
            elif top - k - 1 <= best:
                return -1
        if top - high <= best:
            return -1
        if depth == 1:
            return top - high
        return self._after(i, high, top, depth - 1)

    def _is_shown(self, i, root):
        """Whether a card is seen at an option that was not at the root."""
        return self.o_shown[i] != self.o_shown[root] or self.o_bare[i] != self.o_bare[root]

    def _after(self, leaf, low, high, depth):
        """What the best plans win of the completions once the card shown at ``leaf`` is seen."""
        k: cython.int
        i: cython.int
        top: cython.int
        first: cython.int = self.listed
        last: cython.int
        total: cython.int = 0
        free: cython.int = 2 * high - low
        # Above the completions lie the numbers of what is seen under each, above these one group.
        for k in range(low, high):
            self._complete(self.seed, self.stack[k], self.exactly)
            i = self._see(leaf, first) if self.listed < MOST_OPTIONS - 256 else -1
            self.stack[high + k - low] = i
            total += i < 0
        last = self.listed
        for i in range(first, last):
            top = free
            for k in range(low, high):
                if self.stack[high + k - low] == i:
                    self.stack[top] = self.stack[k]
                    top += 1
            total += self._plan(i, free, top, depth, self.nothing)
        self.listed = first
        return total

    def _see(self, leaf, first):
        """List what is seen at an option under the completion at hand, its safe plays made."""
        i: cython.int = self.listed
        j: cython.int
        place: cython.int
        self._copy(i, leaf)
        self._keep_orders(i)
        self.order = 0
        self.o_steps[i] = 0
        while True:
            place = self._from_reserve(i, True)
            if place < 0:
                break
            self._uncovers(i, place - RESERVE)
        for j in range(self.length):
            if (self.o_shown[i] >> j) & 1:
                self.o_mark[i] ^= mixed(64 * j + self.all_seq[j] + 1)
        for j in range(self.reserve_length):
            if (self.o_bare[i] >> j) & 1:
                self.o_mark[i] ^= mixed(4096 + 64 * j + self.all_reserve[j])
        return self._join(i, first)
