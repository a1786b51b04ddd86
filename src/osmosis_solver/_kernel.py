# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The fast room: plain integers in, plain integers out; compiled by Cython or run as it is.

Words used here, on top of the game's own. The *sequence* is waste and stock in one, as at
the start; card j of it (from 0) has bit j. Under a fixed row order card ``rank`` of row
``row`` has bit ``13 * row + rank`` of a 52-bit *card set*; ``home`` is always such a set: the
cards on the rows. A *position* is (``left``, ``waste``, ``packet``, ``redeals``): which cards
of the sequence are left, how many of these lie on the waste, how many of those the packet
rule still lets play, and the redeals left; the reserve has been played as far as it goes.
A card's *place* counts the cards left up to it, from 1. The *prefix* is the first so many
cards of the sequence; an exact search has the whole sequence for a prefix. The rules that
prune, with their proofs, are in ``docs/theory.md``; each has a switch.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # pragma: no cover - depends on what is installed
    from osmosis_solver import _nocython as cython

COMPILED = bool(cython.compiled)

# What a step of the search comes to, and what ``run`` reports.
RUNNING = cython.declare(cython.int, 0)
DEAD = cython.declare(cython.int, 1)
WON = cython.declare(cython.int, 2)
FULL = cython.declare(cython.int, 3)
OPEN = cython.declare(cython.int, 4)
LOST = cython.declare(cython.int, 5)
STARVED = cython.declare(cython.int, 6)
EVENTS = {"running": 0, "dead": 1, "won": 2, "full": 3, "lost": 5, "starved": 6}

# The switches, one bit each: rules 5, 6, 8 (with 10) and 9, and the dive.
FREE = cython.declare(cython.int, 1)
POINTER = cython.declare(cython.int, 2)
BOUND = cython.declare(cython.int, 4)
PREFIX = cython.declare(cython.int, 8)
DIVE = cython.declare(cython.int, 16)
PRUNES = {"free": 1, "pointer": 2, "bound": 4, "prefix": 8, "dive": 16}

# The stages of the portfolio.
IN_FREE = cython.declare(cython.int, 0)
IN_DIVE = cython.declare(cython.int, 1)
IN_EXACT = cython.declare(cython.int, 2)
IN_PREFIX = cython.declare(cython.int, 3)

_ONE = cython.declare(cython.ulonglong, 1)
_M64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_HASH = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_BRUIJN = cython.declare(cython.ulonglong, 0x03F79D71B4CB0A89)
_ROW_STARTS = cython.declare(cython.ulonglong, 0x0000008004002001)
_S1 = cython.declare(cython.ulonglong, 0x5555555555555555)
_S2 = cython.declare(cython.ulonglong, 0x3333333333333333)
_S4 = cython.declare(cython.ulonglong, 0x0F0F0F0F0F0F0F0F)
_S8 = cython.declare(cython.ulonglong, 0x0101010101010101)
_OCCUPIED = cython.declare(cython.ulonglong, 1 << 63)
_INDEX = cython.declare(cython.int[64])
if not cython.compiled:
    _INDEX = [0] * 64
for _i in range(64):
    _INDEX[((0x03F79D71B4CB0A89 << _i) & 0xFFFFFFFFFFFFFFFF) >> 58] = _i

_FIRST_TABLE = 1 << 10
_BYTES_A_SLOT = 9
_FOREVER = cython.declare(cython.longlong, 1 << 62)
_SHORT = cython.declare(cython.int, 128)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _index(bit: cython.ulonglong) -> cython.int:
    return _INDEX[((bit * _BRUIJN) & _M64) >> 58]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _count(bits: cython.ulonglong) -> cython.int:
    bits = bits - ((bits >> 1) & _S1)
    bits = (bits & _S2) + ((bits >> 2) & _S2)
    bits = (bits + (bits >> 4)) & _S4
    return ((bits * _S8) & _M64) >> 56


@cython.final
@cython.cclass
class Search:
    """One deal, all its row orders; ``run`` goes on in slices until something is settled."""

    # The deal and the rules.
    draw: cython.int
    any_start: cython.bint
    packets: cython.bint
    limited: cython.bint
    base_rank: cython.int
    suits: cython.int
    size: cython.int
    seq_card: cython.int[64]
    pile_card: cython.int[64]
    pile_cover: cython.int[64]
    reserve_size: cython.int
    home_card: cython.int[64]
    home_size: cython.int
    waste0: cython.int
    packet0: cython.int
    redeals0: cython.int
    mod: cython.int[64]
    prunes: cython.int
    # The row orders: row_of[4 * order + suit], and which are refuted.
    orders: cython.int
    row_of: cython.int[96]
    refuted: cython.int[24]
    lost_in: cython.int
    lost_prefix: cython.int
    # The row order at hand.
    order: cython.int
    deck: cython.ulonglong
    row1: cython.ulonglong
    bases: cython.ulonglong
    reserve: cython.ulonglong
    sequence: cython.ulonglong
    tail: cython.ulonglong
    home0: cython.ulonglong
    seq_bit: cython.ulonglong[64]
    seq_index: cython.int[64]
    cover: cython.ulonglong[64]
    # The search at hand.
    prefix: cython.int
    exact: cython.bint
    diving: cython.bint
    depth: cython.int
    f_left: cython.ulonglong[64]
    f_home: cython.ulonglong[64]
    f_gone: cython.ulonglong[64]
    closed_gone: cython.ulonglong
    f_now: cython.ulonglong[64]
    f_next: cython.ulonglong[64]
    f_key: cython.ulonglong[64]
    f_waste: cython.int[64]
    f_packet: cython.int[64]
    f_redeals: cython.int[64]
    f_end_now: cython.int[64]
    f_end_next: cython.int[64]
    f_rest: cython.int[64]
    f_card: cython.int[64]
    # What the last look at a position found.
    now: cython.ulonglong
    next: cython.ulonglong
    p_waste: cython.int
    p_packet: cython.int
    end_now: cython.int
    end_next: cython.int
    place_bit: cython.ulonglong[64]
    # The transposition table.
    keys: cython.ulonglong[::1]
    values: cython.uchar[::1]
    slots: cython.Py_ssize_t
    used: cython.Py_ssize_t
    shift: cython.int
    # The portfolio.
    stage: cython.int
    turn_of: cython.int
    busy: cython.bint
    budget: cython.longlong
    task_stop: cython.longlong
    widened: cython.bint
    searched: cython.bint
    next_prefix: cython.int[24]
    # What is told.
    positions: cython.longlong
    best: cython.int

    def __init__(
        self,
        sequence,
        piles,
        home,
        orders,
        ranks,
        base_rank,
        draw,
        packets,
        any_start,
        redeals,
        waste=0,
        packet=0,
        prunes=31,
    ):
        """Take over a position. Cards are ``13 * suit + rank``, suits and ranks from 0.

        ``piles`` are the reserve bottom to top, ``orders`` lists of suits row 1 first,
        ``ranks`` how many there are, ``redeals`` the redeals left or None.
        """
        self._make_arrays()
        self.size = len(sequence)
        self.suits = len(orders[0])
        self.base_rank = base_rank
        self.draw = min(draw, 63)
        self.packets = packets
        self.any_start = any_start
        self.limited = redeals is not None
        # No win needs more redeals than the sequence has cards: each is followed by a play.
        self.redeals0 = min(redeals, len(sequence)) if redeals is not None else 0
        self.waste0 = waste
        self.packet0 = packet
        self.prunes = prunes
        for j, card in enumerate(sequence):
            self.seq_card[j] = card
        self._take_reserve(piles)
        self.home_size = len(home)
        for j, card in enumerate(home):
            self.home_card[j] = card
        for i in range(64):
            self.mod[i] = i % self.draw
        self.orders = len(orders)
        for o, rows in enumerate(orders):
            for row, suit in enumerate(rows):
                self.row_of[4 * o + suit] = row
        self._take_ranks(ranks)
        self.keys = array("Q", bytes(8 * _FIRST_TABLE))
        self.values = array("B", bytes(_FIRST_TABLE))
        self.slots = _FIRST_TABLE
        self.shift = 64 - 10
        self.depth = -1
        self.budget = 48
        for i in range(24):
            self.next_prefix[i] = 6

    def _make_arrays(self):
        if not cython.compiled:
            names = "seq_card pile_card pile_cover home_card mod seq_bit seq_index cover f_left"
            names += " f_home f_gone f_now f_next f_key f_waste f_packet f_redeals f_end_now"
            names += " f_end_next f_rest f_card place_bit refuted next_prefix"
            for name in names.split():
                setattr(self, name, [0] * 64)
            self.row_of = [0] * 96
            names = "order stage turn_of busy task_stop widened searched positions best used"
            names += " lost_in lost_prefix early diving exact"
            for name in names.split():
                setattr(self, name, 0)

    def _take_reserve(self, piles):
        r = 0
        for pile in piles:
            for i, card in enumerate(pile):
                self.pile_card[r] = card
                self.pile_cover[r] = pile[i + 1] if i + 1 < len(pile) else -1
                r += 1
        self.reserve_size = r

    def _take_ranks(self, ranks):
        row = (1 << ranks) - 1
        self.row1 = row
        deck = 0
        bases = 0
        for i in range(self.suits):
            deck |= row << (13 * i)
            bases |= 1 << (13 * i + self.base_rank)
        self.deck = deck
        self.bases = bases

    # ---- the row order at hand -------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bit(self, card: cython.int) -> cython.ulonglong:
        row: cython.int = self.row_of[4 * self.order + card // 13]
        return _ONE << (13 * row + card % 13)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _set_order(self, order: cython.int) -> cython.void:
        i: cython.int
        bit: cython.ulonglong
        self.order = order
        self.reserve = 0
        self.sequence = 0
        self.home0 = 0
        for i in range(64):
            self.seq_index[i] = -1
        for i in range(self.size):
            bit = self._bit(self.seq_card[i])
            self.seq_bit[i] = bit
            self.seq_index[_index(bit)] = i
            self.sequence |= bit
        for i in range(self.reserve_size):
            bit = self._bit(self.pile_card[i])
            self.reserve |= bit
            self.cover[_index(bit)] = 0
            if self.pile_cover[i] >= 0:
                self.cover[_index(bit)] = self._bit(self.pile_cover[i])
        for i in range(self.home_size):
            self.home0 |= self._bit(self.home_card[i])

    # ---- closures --------------------------------------------------------------------

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _playable(self, home: cython.ulonglong) -> cython.ulonglong:
        below: cython.ulonglong = (home << 13) & self.deck
        opened: cython.ulonglong
        if self.any_start:
            return self.row1 | below
        opened = ((home >> self.base_rank) & _ROW_STARTS) * 0x1FFF
        return self.row1 | (below & (opened | self.bases))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _close_free(self, home: cython.ulonglong, free: cython.ulonglong) -> cython.ulonglong:
        """Play the reserve, and the cards ``free`` as if they lay open, as far as it goes."""
        bits: cython.ulonglong
        bit: cython.ulonglong
        before: cython.ulonglong
        while True:
            before = home
            bits = self._playable(home) & ~home & (self.reserve | free)
            home |= bits & free
            bits &= self.reserve
            while bits:
                bit = bits & -bits
                bits ^= bit
                if not self.cover[_index(bit)] & ~home:
                    home |= bit
            if home == before:
                return home

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _close_aligned(
        self,
        home: cython.ulonglong,
        left: cython.ulonglong,
        waste: cython.int,
        gone: cython.ulonglong,
        allowed: cython.ulonglong,
    ) -> cython.ulonglong:
        """Rule 8's closure over the cards ``allowed``, passes without limit.

        ``gone`` has the cards of the sequence that are home; ``closed_gone`` those after.
        """
        bits: cython.ulonglong
        bit: cython.ulonglong
        before: cython.ulonglong
        j: cython.int
        while True:
            before = home
            bits = self._playable(home) & ~home & allowed
            while bits:
                bit = bits & -bits
                bits ^= bit
                j = self.seq_index[_index(bit)]
                if j < 0:
                    if not self.cover[_index(bit)] & ~home:
                        home |= bit
                elif self._may_come_up(j, left, waste, gone):
                    home |= bit
                    gone |= _ONE << j
            if home == before:
                self.closed_gone = gone
                return home

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _may_come_up(
        self,
        j: cython.int,
        left: cython.ulonglong,
        waste: cython.int,
        gone: cython.ulonglong,
    ) -> cython.bint:
        """Rule 8 for card j, ``gone`` being the cards of the sequence played so far.

        A card of the tail counts its place in the whole sequence as at the start.
        """
        below: cython.ulonglong = (_ONE << j) - 1
        place: cython.int = j + 1
        after: cython.ulonglong
        if j < self.prefix:
            after = left & ~(below | (_ONE << j))
            if after:
                if after & -after & gone:
                    return True
            elif self.exact or (gone >> self.prefix) & 1:
                return True
            below &= left
            place = _count(below) + 1
        else:
            waste = self.waste0
            if place == self.size or (gone >> place) & 1:
                return True
        if self.mod[place] == 0:
            return True
        if waste > 0 and place >= waste and self.mod[place - waste] == 0:
            return True
        return _count(gone & below) >= self.mod[place]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _close_passes(
        self,
        home: cython.ulonglong,
        left: cython.ulonglong,
        waste: cython.int,
        packet: cython.int,
        redeals: cython.int,
    ) -> cython.ulonglong:
        """The closure pass by pass (exact search only): this pass, then ``redeals`` more."""
        n: cython.int = 0
        place: cython.int
        gone: cython.int
        last: cython.int
        bit: cython.ulonglong
        started: cython.ulonglong = home
        while left:
            bit = left & -left
            left ^= bit
            n += 1
            self.place_bit[n] = self.seq_bit[_index(bit)]
        if waste > 0 and (packet > 0 or not self.packets):
            home = self._play_down(home, started, waste, packet)
        while waste < n:
            packet = self.draw if waste + self.draw < n else n - waste
            waste += packet
            home = self._play_down(home, started, waste, packet)
        while (redeals > 0 or not self.limited) and home != self.deck:
            redeals -= 1
            started = home
            last = n
            while last > 0 and self.place_bit[last] & started:
                last -= 1
            gone = 0
            for place in range(1, n + 1):
                if gone >= self.mod[place] or place >= last:
                    home = self._play_down(home, started, place, self.draw)
                if self.place_bit[place] & started:
                    gone += 1
            if home == started:
                break
        return home

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play_down(
        self,
        home: cython.ulonglong,
        started: cython.ulonglong,
        place: cython.int,
        packet: cython.int,
    ) -> cython.ulonglong:
        """Play from the waste top at ``place`` down, in a packet at most that many cards."""
        bit: cython.ulonglong
        seen: cython.int = 0
        while place > 0:
            bit = self.place_bit[place]
            place -= 1
            if not bit & started:
                if self.packets and seen == packet:
                    return home
                seen += 1
            if not bit & home:
                if not self._playable(home) & bit:
                    return home
                home = self._close_free(home | bit, 0)
        return home

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _falls_short(
        self,
        home: cython.ulonglong,
        left: cython.ulonglong,
        gone: cython.ulonglong,
        waste: cython.int,
        packet: cython.int,
        redeals: cython.int,
    ) -> cython.bint:
        """Whether even the bound (rules 8 and 10) leaves a card that never comes home."""
        if self.limited or (self.packets and self.exact):
            home = self._close_passes(home, left, waste, packet, redeals)
        else:
            home = self._close_aligned(home, left, waste, gone, self.reserve | self.sequence)
        return home != self.deck

    # ---- one position ----------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look(
        self,
        home: cython.ulonglong,
        left: cython.ulonglong,
        waste: cython.int,
        packet: cython.int,
        redeals: cython.int,
    ) -> cython.void:
        """Find the plays of a position, in this pass and in the next; canonise the waste."""
        bits: cython.ulonglong = self._playable(home) & ~home & self.sequence
        bit: cython.ulonglong
        n: cython.int = _count(left)
        place: cython.int
        first: cython.int = 64
        # Whether the last place comes up at the end of any pass.
        end: cython.bint = self.exact or (home & self.seq_bit[self.prefix]) != 0
        if not self.limited and self.prunes & POINTER:
            if self.mod[waste] == 0 or (self.exact and waste == n and not self.packets):
                waste = 0
                packet = 0
        self.now = 0
        self.next = 0
        while bits:
            bit = bits & -bits
            bits ^= bit
            bit = _ONE << self.seq_index[_index(bit)]
            if not bit & left:
                continue
            place = _count(left & (bit - 1)) + 1
            if self.mod[place] == 0 or (place == n and end):
                self.next |= bit
            if self._comes_now(place, n, waste, packet, end):
                self.now |= bit
                if place < first and (self.limited or not bit & self.next):
                    first = place
        self._end_packets(n, waste, packet, end)
        self._canonise(n, waste, packet, first)
        if not self.limited:
            self.now |= self.next
            self.next = 0
            if self.end_next > self.end_now:
                self.end_now = self.end_next
        elif redeals == 0:
            self.next = 0
        elif not self.packets:
            self.next &= ~self.now

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _comes_now(
        self,
        place: cython.int,
        n: cython.int,
        waste: cython.int,
        packet: cython.int,
        end: cython.bint,
    ) -> cython.bint:
        if place < waste:
            return False
        if place == waste:
            return packet > 0 or not self.packets
        return self.mod[place - waste] == 0 or (place == n and end)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _end_packets(
        self, n: cython.int, waste: cython.int, packet: cython.int, end: cython.bint
    ) -> cython.void:
        """How much of its packet a play at the last place leaves, in this pass and the next."""
        self.end_now = 0
        self.end_next = 0
        if not self.packets or n == 0:
            return
        if not self.exact:
            self.end_next = self.draw - 1
            self.end_now = packet - 1 if waste == n and not end else self.draw - 1
            return
        self.end_next = (n - 1) % self.draw
        self.end_now = packet - 1 if waste == n else (n - waste - 1) % self.draw

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _canonise(
        self, n: cython.int, waste: cython.int, packet: cython.int, first: cython.int
    ) -> cython.void:
        """Rule 6: turn on to the first play that this pass offers and its start does not."""
        self.p_waste = waste
        self.p_packet = packet
        if not self.prunes & POINTER or first == waste:
            return
        self.p_packet = self.draw if self.packets else 0
        if first < 64:
            self.p_waste = first
            if self.packets and self.mod[first - waste]:
                self.p_packet = self.mod[first - waste]
        elif self.limited:
            self.p_waste = n
            self.p_packet = 0
        elif self.packets and self.exact and self.end_now > self.end_next:
            self.p_waste = waste
            self.p_packet = packet
            if waste < n:
                self.p_waste += self.draw * ((n - 1 - waste) // self.draw)
                self.p_packet = 0
        else:
            self.p_waste = 0
            self.p_packet = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enter(
        self,
        depth: cython.int,
        home: cython.ulonglong,
        left: cython.ulonglong,
        gone: cython.ulonglong,
        waste: cython.int,
        packet: cython.int,
        redeals: cython.int,
    ) -> cython.int:
        """Evaluate a position: WON, DEAD, or OPEN with its plays in the frame ``depth``."""
        key: cython.ulonglong
        score: cython.int
        if self.exact:
            home = self._close_free(home, 0)
            score = _count(home)
            if score > self.best:
                self.best = score
        else:
            home = self._close_aligned(home, left, waste, gone, self.reserve | self.tail)
            gone = self.closed_gone
        if home == self.deck:
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
                self._store(key, _SHORT | redeals)
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

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _slot(self, key: cython.ulonglong) -> cython.Py_ssize_t:
        """The slot that holds the key, or the empty one where it belongs."""
        slot: cython.Py_ssize_t = ((key * _HASH) & _M64) >> self.shift
        key |= _OCCUPIED
        while self.keys[slot] != key and self.keys[slot] != 0:
            slot = (slot + 1) & (self.slots - 1)
        return slot

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_stored(self, key: cython.ulonglong, redeals: cython.int) -> cython.bint:
        """Whether the position is refuted already, with no fewer redeals left."""
        slot: cython.Py_ssize_t = self._slot(key)
        return self.keys[slot] != 0 and (self.values[slot] & ~_SHORT) >= redeals

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _store(self, key: cython.ulonglong, value: cython.int) -> cython.void:
        slot: cython.Py_ssize_t = self._slot(key)
        if self.keys[slot] == 0:
            self.keys[slot] = key | _OCCUPIED
            self.used += 1
        self.values[slot] = value

    def grow(self, most_bytes):
        """Double the table, unless old and new together would take more than ``most_bytes``."""
        if 3 * self.slots * _BYTES_A_SLOT > most_bytes:
            return False
        old_keys = self.keys
        old_values = self.values
        old_slots: cython.Py_ssize_t = self.slots
        self._make_table(2 * old_slots)
        self._move(old_keys, old_values, old_slots)
        return True

    def _make_table(self, slots):
        self.keys = array("Q", [0]) * slots
        self.values = array("B", [0]) * slots
        self.slots = slots
        self.shift = 65 - int(slots).bit_length()
        self.used = 0

    def _move(
        self,
        keys: cython.ulonglong[::1],
        values: cython.uchar[::1],
        slots: cython.Py_ssize_t,
    ):
        i: cython.Py_ssize_t
        for i in range(slots):
            if keys[i] != 0:
                self._store(keys[i] & ~_OCCUPIED, values[i])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _clear(self) -> cython.void:
        i: cython.Py_ssize_t
        if self.used == 0:
            return
        for i in range(self.slots):
            self.keys[i] = 0
        self.used = 0

    # ---- one search ------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self, prefix: cython.int, diving: cython.bint) -> cython.int:
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
        result = self._enter(
            0, self.home0, (_ONE << prefix) - 1, 0, waste, packet, self.redeals0
        )
        self.depth = 0 if result == OPEN else -1
        return result

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self) -> cython.int:
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
        place = _count(left & (bit - 1)) + 1
        if passes:
            self.f_next[d] ^= bit
        else:
            self.f_now[d] ^= bit
        packet = self._rest(d, place, _count(left), passes)
        self.f_card[d] = _index(bit)
        self.f_rest[d] = packet
        result = self._enter(
            d + 1,
            self.f_home[d] | self.seq_bit[_index(bit)],
            left ^ bit,
            self.f_gone[d] | bit,
            place - 1,
            packet,
            redeals,
        )
        if result == OPEN:
            self.depth = d + 1
        return result

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rest(
        self, d: cython.int, place: cython.int, n: cython.int, passes: cython.bint
    ) -> cython.int:
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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _search(self, stop: cython.longlong) -> cython.int:
        """Go on until the order is settled (WON or DEAD), or RUNNING at ``stop``, or FULL."""
        result: cython.int
        while self.depth >= 0:
            if self.positions >= stop:
                return RUNNING
            if 4 * self.used >= 3 * self.slots:
                return FULL
            result = self._step()
            if result == WON or (self.diving and result == DEAD):
                return result
        return DEAD

    # ---- the portfolio ---------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _refute(self, prefix: cython.int) -> cython.int:
        self.lost_prefix = prefix
        self.refuted[self.order] = 1
        self.lost_in = self.order
        return DEAD

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _next_task(self) -> cython.int:
        """Begin the next piece of work; OPEN if there is more, else what is settled."""
        result: cython.int
        prefix: cython.int = self.size
        if self.turn_of == self.orders:
            return self._next_round()
        if self.refuted[self.turn_of]:
            self.turn_of += 1
            return OPEN
        self._set_order(self.turn_of)
        if self.stage == IN_FREE:
            self.turn_of += 1
            if self.prunes & FREE and self._close_free(self.home0, self.sequence) != self.deck:
                self.searched = False
                return self._refute(0)
            return OPEN
        if self.stage == IN_PREFIX:
            prefix = self.next_prefix[self.turn_of]
        self.task_stop = self.positions + self.budget
        result = self._begin(prefix, self.stage == IN_DIVE)
        self.busy = result == OPEN
        self.searched = self.busy
        return OPEN if self.busy else self._settle(result)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _next_round(self) -> cython.int:
        o: cython.int
        alive: cython.bint = False
        for o in range(self.orders):
            alive = alive or not self.refuted[o]
        if not alive:
            return LOST
        self.turn_of = 0
        if self.stage == IN_FREE and self.prunes & DIVE:
            self.stage = IN_DIVE
        elif self.stage != IN_EXACT:
            self.stage = IN_EXACT
        elif not self.widened:
            return STARVED
        else:
            self.budget *= 4
        self.widened = False
        return OPEN

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _settle(self, result: cython.int) -> cython.int:
        """Draw the conclusion of a finished or cut piece of work."""
        if self.stage == IN_DIVE:
            self.turn_of += 1
            return WON if result == WON else OPEN
        if result == WON:
            if self.exact:
                return WON
            self.next_prefix[self.turn_of] += 3
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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _leave(self) -> cython.void:
        """After a cut exact search the prefixes are tried; after a cut prefix, the next order."""
        wide: cython.bint = self.next_prefix[self.turn_of] < self.size
        if self.stage == IN_EXACT and self.prunes & PREFIX and wide and not self.limited:
            self.stage = IN_PREFIX
        else:
            self._next_order()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _next_order(self) -> cython.void:
        self.stage = IN_EXACT
        self.turn_of += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, stop: cython.longlong) -> cython.int:
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
            else:
                result = self._next_task()
            if result != OPEN:
                return result

    def run(self, positions):
        """Search about so many positions more; the GIL is free meanwhile.

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
        i: cython.Py_ssize_t
        key: cython.ulonglong
        for i in range(self.slots):
            key = self.keys[i]
            if key != 0 and not self.values[i] & _SHORT:
                left = key & ((_ONE << 51) - 1)
                entries.append((left, (key >> 51) & 63, (key >> 57) & 63, self.values[i]))
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
