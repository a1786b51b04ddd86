# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The cheapest win: A* over the positions of all row orders to a proven optimum.

The cost of a line is its turns, then its redeals, or the other way round, as one number:
4096 times the first plus the second. A line needs fewer than 4096 of either, since each pass
but the one under way brings a play, and there are at most 51 plays from the waste. Between
two plays the cost is that of the turns (and redeal) that bring the card up soonest, with as
much of its packet under it. Where packets do not matter, a card that comes up in this pass is
not played in the next: that leads to the same position, for more, with a redeal less.

The estimate of the rest is what ``Board._close_passes`` counts: the turns to the end of this
pass, since every card ahead must be turned before it is played or the waste is turned over;
then, for each further pass that its closure needs, a turn for every ``draw`` cards that the
closure leaves at the start of the pass. A line has no more cards home at the start of its j-th
pass than the closure, so it needs no fewer passes, and no fewer turns in each; so the
estimate never overestimates, in turns and redeals each, hence in their combination. A closure
that falls short shows a dead end.

Words are those of ``_board``; types stand in ``_cheapest.pxd``.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # pragma: no cover - depends on what is installed
    from osmosis_solver import _nocython as cython

if not cython.compiled:
    from osmosis_solver._bits import count_of, index_of, slot_of
    from osmosis_solver._board import Board

# What ``run`` reports.
RUNNING = 0
FULL = 3
BETTER = 7
DONE = 8
EVENTS = {"running": 0, "full": 3, "better": 7, "done": 8}

_ONE = 1
_UNIT = 4096
_DEAD = 1 << 30
_FIRST_ROOM = 1 << 10
# The most plays of one position: each card of the sequence, in this pass and the next.
_MOST_PLAYS = 2 * 64
BYTES_A_NODE = 61


class Cheapest(Board):
    """One deal, all its row orders; ``run`` goes on in slices until the optimum is proved."""

    def __init__(self, *args, by_passes=False, limit=None, **named):
        """Take over a position as ``Board`` does.

        Turns are counted first, with ``by_passes`` redeals; ``limit`` is a cost (a pair in
        that order) that is known to be reached.
        """
        super().__init__(*args, **named)
        self.prefix = self.size
        self.exact = True
        self.by_passes = by_passes
        self.limit = _DEAD if limit is None else limit[0] * _UNIT + limit[1]
        self.best_node = -1
        self.nodes = 0
        self.open_nodes = 0
        self.positions = 0
        self._make_room(_FIRST_ROOM)
        for order in range(self.orders):
            self._begin_order(order)

    def _make_room(self, room):
        def longer(kind, old, size):
            new = array(kind, [0]) * size
            if old is not None:
                memoryview(new)[: len(old)] = memoryview(old)
            return new

        fresh = self.nodes == 0
        self.left = longer("Q", None if fresh else self.left, room)
        self.home = longer("Q", None if fresh else self.home, room)
        self.info = longer("Q", None if fresh else self.info, room)
        self.cost = longer("i", None if fresh else self.cost, room)
        self.ahead = longer("i", None if fresh else self.ahead, room)
        self.parent = longer("i", None if fresh else self.parent, room)
        self.closed = longer("B", None if fresh else self.closed, room)
        self.heap = longer("Q", None if fresh else self.heap, 2 * room)
        self.table = array("i", [0]) * (2 * room)
        self.shift = 64 - int(2 * room).bit_length() + 1
        self.room = room
        self._fill_table()

    def _fill_table(self):
        i: cython.int
        for i in range(self.nodes):
            self.table[self._slot(self.left[i], self.info[i])] = i + 1

    def grow(self, most_bytes):
        """Double the room, unless old and new together would take more than ``most_bytes``."""
        if 3 * self.room * BYTES_A_NODE > most_bytes:
            return False
        self._make_room(2 * self.room)
        return True

    def _begin_order(self, order):
        node: cython.int = self.nodes
        self._set_order(order)
        self._add(
            (_ONE << self.size) - 1,
            self._close_free(self.home0, 0),
            self.waste0 | (self.packet0 << 6) | (order << 18),
            -1,
        )
        self.cost[node] = 0
        self._estimate(node, self.waste0, self.packet0, self.redeals0)
        if self.home[node] == self.deck and self.limit > 0:
            self.limit = 0
            self.best_node = node
        if self.ahead[node] < self.limit:
            self._push(node)

    def _add(self, left, home, info, parent):
        node: cython.int = self.nodes
        self.left[node] = left
        self.home[node] = home
        self.info[node] = info
        self.parent[node] = parent
        self.closed[node] = 0
        self.table[self._slot(left, info)] = node + 1
        self.nodes = node + 1

    def _slot(self, left, key):
        """The slot of the node with these cards left in this place, or where it belongs.

        Without a pass limit the redeals so far are no part of a position; the card last
        played never is.
        """
        mask: cython.ulonglong = 0x7FFFFF if self.limited else 0x7C0FFF
        node: cython.int
        slot: cython.Py_ssize_t
        key &= mask
        slot = slot_of(left ^ (key << 41), self.shift)
        while True:
            node = self.table[slot] - 1
            if node < 0 or (self.left[node] == left and (self.info[node] & mask) == key):
                return slot
            slot = (slot + 1) & (2 * self.room - 1)

    def _price(self, turns, redeals):
        if self.by_passes:
            return redeals * _UNIT + turns
        return turns * _UNIT + redeals

    def _estimate(self, node, waste, packet, redeals):
        self.positions += 1
        home: cython.ulonglong = self.home[node]
        if home == self.deck:
            self.ahead[node] = 0
        elif self._close_passes(home, self.left[node], waste, packet, redeals) == self.deck:
            self.ahead[node] = self._price(self.turns_ahead, self.redeals_ahead)
        else:
            self.ahead[node] = _DEAD

    # ---- the open list ---------------------------------------------------------------

    def _push(self, node):
        """Put a node on the open list: least f first, then fewest cards left, then newest."""
        f: cython.ulonglong = self.cost[node] + self.ahead[node]
        word: cython.ulonglong = count_of(self.left[node])
        i: cython.Py_ssize_t = self.open_nodes
        up: cython.Py_ssize_t
        word = (f << 38) | (word << 32) | (0x7FFFFFFF - node)
        self.open_nodes += 1
        while i > 0:
            up = (i - 1) >> 1
            if self.heap[up] <= word:
                break
            self.heap[i] = self.heap[up]
            i = up
        self.heap[i] = word

    def _pop(self):
        """The node first on the open list, or -1 if its entry is out of date."""
        first: cython.ulonglong = self.heap[0]
        word: cython.ulonglong
        i: cython.Py_ssize_t = 0
        down: cython.Py_ssize_t = 1
        size: cython.Py_ssize_t = self.open_nodes - 1
        node: cython.int = 0x7FFFFFFF - (first & 0x7FFFFFFF)
        f: cython.int = first >> 38
        word = self.heap[size]
        self.open_nodes = size
        while down < size:
            if down + 1 < size and self.heap[down + 1] < self.heap[down]:
                down += 1
            if word <= self.heap[down]:
                break
            self.heap[i] = self.heap[down]
            i = down
            down = 2 * i + 1
        self.heap[i] = word
        if self.closed[node] or self.cost[node] + self.ahead[node] != f:
            return -1
        return node

    # ---- the search ------------------------------------------------------------------

    def _run(self, stop):
        node: cython.int
        f: cython.int
        while self.open_nodes > 0:
            f = self.heap[0] >> 38
            if f >= self.limit:
                return DONE
            if self.positions >= stop:
                return RUNNING
            if self.nodes + _MOST_PLAYS > self.room:
                return FULL
            if self.open_nodes + _MOST_PLAYS > 2 * self.room:
                return FULL
            node = self._pop()
            if node < 0:
                continue
            self.closed[node] = 1
            if self._expand(node):
                return BETTER
        return DONE

    def _expand(self, node):
        """Reach all positions one play further on; whether a cheaper win is among them."""
        info: cython.ulonglong = self.info[node]
        left: cython.ulonglong = self.left[node]
        bits: cython.ulonglong
        bit: cython.ulonglong
        n: cython.int = count_of(left)
        j: cython.int
        at: cython.int
        waste: cython.int = info & 63
        packet: cython.int = (info >> 6) & 63
        redeals: cython.int = (info >> 12) & 63
        turns: cython.int
        rest: cython.int
        better: cython.bint = False
        comes: cython.bint
        order: cython.int = (info >> 18) & 31
        if order != self.order:
            self._set_order(order)
        bits = self._playable(self.home[node]) & ~self.home[node] & self.sequence
        while bits:
            bit = bits & -bits
            bits ^= bit
            j = self.seq_index[index_of(bit)]
            at = count_of(left & ((_ONE << j) - 1)) + 1
            comes = self._comes_now(at, n, waste, packet, True)
            if comes:
                turns = (at - waste + self.draw - 1) // self.draw
                rest = packet - 1 if at == waste else (at - waste - 1) % self.draw
                if self._reach(node, j, at - 1, rest, redeals, self._price(turns, 0)):
                    better = True
            if comes and not self.packets:
                continue
            if (self.mod[at] == 0 or at == n) and (not self.limited or redeals < self.redeals0):
                turns = (n - waste + self.draw - 1) // self.draw
                turns += (at + self.draw - 1) // self.draw
                rest = (at - 1) % self.draw
                if self._reach(node, j, at - 1, rest, redeals + 1, self._price(turns, 1)):
                    better = True
        return better

    def _reach(self, node, j, waste, packet, redeals, cost):
        """Come to the position after a play; whether it is a cheaper win than the best."""
        left: cython.ulonglong = self.left[node] ^ (_ONE << j)
        home: cython.ulonglong = self.home[node] | self.seq_bit[j]
        info: cython.ulonglong = waste | (self.order << 18)
        to: cython.int
        if not self.packets:
            packet = 0
        elif packet > waste:
            packet = waste
        info |= (packet << 6) | (redeals << 12) | (j << 23)
        cost += self.cost[node]
        if cost >= self.limit:
            return False
        to = self.table[self._slot(left, info)] - 1
        if to >= 0:
            if self.ahead[to] == _DEAD or self.cost[to] <= cost:
                return False
            self.info[to] = info
            self.parent[to] = node
            self.closed[to] = 0
        else:
            to = self.nodes
            self._add(left, self._close_free(home, 0), info, node)
            self._estimate(to, waste, packet, self.redeals0 - redeals)
        self.cost[to] = cost
        if self.ahead[to] == _DEAD or cost + self.ahead[to] >= self.limit:
            return False
        if self.home[to] == self.deck:
            self.limit = cost
            self.best_node = to
            return True
        self._push(to)
        return False

    def run(self, positions):
        """Search about so many positions more; the GIL is free meanwhile.

        Returns one of ``EVENTS``: "running"; "full", the search must ``grow`` or end;
        "better", a cheaper win is found (``line``); "done", none cheaper than the cheapest
        found, or than ``limit``, exists.
        """
        stop: cython.longlong = self.positions + positions
        result: cython.int
        with cython.nogil:
            result = self._run(stop)
        return result

    def line(self):
        """The cheapest win found: the row order's number, and the sequence cards in the
        order of play, each with what it leaves of its packet at the least.
        """
        plays = []
        node = self.best_node
        while self.parent[node] >= 0:
            plays.append((int(self.info[node] >> 23 & 63), int(self.info[node] >> 6 & 63)))
            node = self.parent[node]
        plays.reverse()
        return int(self.info[self.best_node] >> 18 & 31), plays

    def least(self):
        """What every win costs at the least, as a pair: the first and the second count."""
        cost = self.limit
        if self.open_nodes and int(self.heap[0] >> 38) < cost:
            cost = self.heap[0] >> 38
        return int(cost // _UNIT), int(cost % _UNIT)

    def certificate(self, order):
        """The positions of one row order that a proof of the optimum lists: tuples (left,
        waste, packet, turns, redeals), the last two so far.
        """
        found = []
        i: cython.int
        for i in range(self.nodes):
            listed = self.closed[i] and self.cost[i] + self.ahead[i] < self.limit
            if listed and self.info[i] >> 18 & 31 == order:
                first, second = self.cost[i] // _UNIT, self.cost[i] % _UNIT
                costs = (second, first) if self.by_passes else (first, second)
                info = int(self.info[i])
                found.append((int(self.left[i]), info & 63, info >> 6 & 63, *costs))
        return sorted(found)

    def counts(self):
        """Positions searched so far, and how many a certificate would list at the most."""
        return self.positions, self.nodes
