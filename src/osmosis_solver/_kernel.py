# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The fast search: whether so many cards can be brought home, depth-first with a table.

Plain integers in, plain integers out; compiled by Cython or run as it is. ``Search`` is a
portfolio over the row orders: a closure and a dive for each, then rounds of growing budgets
of exact searches and of searches over a prefix, until one order is won or all are refuted.
Words are those of ``_board``; types stand in ``_kernel.pxd``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # pragma: no cover - depends on what is installed
    from osmosis_solver import _nocython as cython

if not cython.compiled:
    from osmosis_solver._bits import count_of
    from osmosis_solver._general import General
    from osmosis_solver._words import (
        DEAD,
        DIVE,
        FREE,
        FULL,
        IN_DIVE,
        IN_EXACT,
        IN_FREE,
        IN_PREFIX,
        LOST,
        OPEN,
        PREFIX,
        RUNNING,
        STARVED,
        WON,
    )

COMPILED = bool(cython.compiled)

EVENTS = {"running": 0, "dead": 1, "won": 2, "full": 3, "lost": 5, "starved": 6}

PRUNES = {"free": 1, "pointer": 2, "bound": 4, "prefix": 8, "dive": 16}
# Those that leave no proof for the checker, or a longer one: for verdicts alone.
VERDICT_PRUNES = {"last": 32, "forced": 64}

# Every switch there is: for verdicts alone.
EVERY_PRUNE = sum([*PRUNES.values(), *VERDICT_PRUNES.values()])

_FOREVER = 1 << 60
# Tuned on 60,000 native deals under the standard rules (docs/performance.md).
_FIRST_BUDGET = 64
_BUDGET_FACTOR = 8
_PREFIX_FACTOR = 5
_PREFIX_STEP = 6
_NUMBERS = "stage turn_of busy searched widened budget task_stop lost_in lost_prefix".split()
_FRAMES = ["refuted", "next_prefix"]


class Search(General):
    """One deal, all its row orders; ``run`` goes on in slices until something is settled."""

    def __init__(self, *args, prunes=31, **named):
        """Take over a position as ``Board`` does; ``prunes`` are the switches that are on."""
        super().__init__(*args, prunes=prunes, **named)
        if not cython.compiled:
            for name in _NUMBERS:
                setattr(self, name, 0)
            for name in _FRAMES:
                setattr(self, name, [0] * 64)
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

    def _run_within(self, positions, most_bytes):
        """Settle all, the table grown as need be: WON, LOST, or STARVED; RUNNING if a limit on
        positions was hit.
        """
        event: cython.int
        grown: cython.bint
        while True:
            event = self._run(positions)
            if event == FULL:
                with cython.gil:
                    grown = self.grow(most_bytes)
                if not grown:
                    self._give_up()
            elif event != DEAD:
                return event
            if self.positions >= positions:
                return RUNNING

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
