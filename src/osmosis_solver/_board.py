# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The ground of the fast rooms: one position under one row order, its closures and its plays.

Words used here, on top of the game's own. The *sequence* is waste and stock in one, as at
the start; card j of it (from 0) has bit j. Under a fixed row order card ``rank`` of row
``row`` has bit ``13 * row + rank`` of a 52-bit *card set*; ``home`` is always such a set: the
cards on the rows. A *position* is (``left``, ``waste``, ``packet``, ``redeals``): which cards
of the sequence are left, how many of these lie on the waste, how many of those the packet
rule still lets play, and the redeals left; the reserve has been played as far as it goes.
A card's *place* counts the cards left up to it, from 1. The *prefix* is the first so many
cards of the sequence; an exact search has the whole sequence for a prefix.

Types stand in ``_board.pxd``; without a compiler this is plain Python. The rules that prune,
with their proofs, are in ``docs/theory.md``; each has a switch.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # pragma: no cover - depends on what is installed
    from osmosis_solver import _nocython as cython

if not cython.compiled:
    from osmosis_solver._bits import count_of, index_of, playable_of
    from osmosis_solver._words import ONE

COMPILED = bool(cython.compiled)
_NUMBERS = """any_start packets limited base_rank suits size reserve_size waste0 packet0
sequence_cards reserve_cards home_cards redeals0 pointer orders order prefix exact target""".split()
_ARRAYS = "seq_card pile_card pile_cover mod seq_bit seq_index cover place_bit".split()


class Board:
    """A deal under its rules, and the row order at hand."""

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
        target=None,
    ):
        """Take over a position. Cards are ``13 * suit + rank``, suits and ranks from 0.

        ``piles`` are the reserve bottom to top, ``orders`` lists of suits row 1 first,
        ``ranks`` how many there are, ``redeals`` the redeals left or None. ``target`` is
        how many cards a search wants to see home, the whole deck if not given.
        """
        if not cython.compiled:
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
        for j, card in enumerate(sequence):
            self.seq_card[j] = card
        self._take_reserve(piles)
        self.sequence_cards = sum([ONE << card for card in sequence])
        self.reserve_cards = sum([ONE << card for pile in piles for card in pile])
        self.home_cards = sum([ONE << card for card in home])
        for i in range(64):
            self.mod[i] = i % self.draw
        self.orders = len(orders)
        for o, rows in enumerate(orders):
            for row, suit in enumerate(rows):
                self.row_of[4 * o + suit] = row
        self._take_ranks(ranks)
        self.target = self.suits * ranks if target is None else target
        self.pointer = True

    def _make_arrays(self):
        for name in _ARRAYS:
            setattr(self, name, [0] * 64)
        self.row_of = [0] * 96
        for name in _NUMBERS:
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

    def _bit(self, card):
        row: cython.int = self.row_of[4 * self.order + card // 13]
        return ONE << (13 * row + card % 13)

    def _in_rows(self, cards):
        """A card set by suits as one by rows."""
        suit: cython.int
        found: cython.ulonglong = 0
        for suit in range(self.suits):
            found |= ((cards >> (13 * suit)) & 0x1FFF) << (13 * self.row_of[4 * self.order + suit])
        return found

    def _set_order(self, order):
        """Take the row order at hand, the places of the sequence too."""
        i: cython.int
        bit: cython.ulonglong
        self._set_rows(order)
        for i in range(64):
            self.seq_index[i] = -1
        for i in range(self.size):
            bit = self._bit(self.seq_card[i])
            self.seq_bit[i] = bit
            self.seq_index[index_of(bit)] = i

    def _set_rows(self, order):
        """Take the row order at hand, as far as the reserve and the rows go."""
        i: cython.int
        self.order = order
        self.sequence = self._in_rows(self.sequence_cards)
        self.reserve = self._in_rows(self.reserve_cards)
        self.home0 = self._in_rows(self.home_cards)
        for i in range(self.reserve_size):
            self.cover[index_of(self._bit(self.pile_card[i]))] = (
                self._bit(self.pile_cover[i]) if self.pile_cover[i] >= 0 else 0
            )

    # ---- closures --------------------------------------------------------------------

    def _playable(self, home):
        return playable_of(home, self.row1, self.deck, self.bases, self.base_rank, self.any_start)

    def _close_free(self, home, free):
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
                if not self.cover[index_of(bit)] & ~home:
                    home |= bit
            if home == before:
                return home

    def _close_aligned(self, home, left, waste, gone, allowed):
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
                j = self.seq_index[index_of(bit)]
                if j < 0:
                    if not self.cover[index_of(bit)] & ~home:
                        home |= bit
                elif self._may_come_up(j, left, waste, gone):
                    home |= bit
                    gone |= ONE << j
            if home == before:
                self.closed_gone = gone
                return home

    def _may_come_up(self, j, left, waste, gone):
        """Rule 8 for card j, ``gone`` being the cards of the sequence played so far.

        A card of the tail counts its place in the whole sequence as at the start.
        """
        below: cython.ulonglong = (ONE << j) - 1
        place: cython.int = j + 1
        after: cython.ulonglong
        if j < self.prefix:
            after = left & ~(below | (ONE << j))
            if after:
                if after & -after & gone:
                    return True
            elif self.exact or (gone >> self.prefix) & 1:
                return True
            below &= left
            place = count_of(below) + 1
        else:
            waste = self.waste0
            if place == self.size or (gone >> place) & 1:
                return True
        if self.mod[place] == 0:
            return True
        if waste > 0 and place >= waste and self.mod[place - waste] == 0:
            return True
        return count_of(gone & below) >= self.mod[place]

    def _close_passes(self, home, left, waste, packet, redeals):
        """The closure pass by pass (exact search only): this pass, then ``redeals`` more.

        ``turns_ahead`` and ``redeals_ahead`` come to be the fewest turns and redeals that
        any line needs to bring all cards home, if the closure does (docs/theory.md).
        """
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
            self.place_bit[n] = self.seq_bit[index_of(bit)]
        self.redeals_ahead = 0
        self.turns_ahead = (n - waste + self.draw - 1) // self.draw
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
            self.redeals_ahead += 1
            self.turns_ahead += (n - gone + self.draw - 1) // self.draw
            if home == started:
                break
        return home

    def _play_down(self, home, started, place, packet):
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

    def _falls_short(self, home, left, gone, waste, packet, redeals):
        """Whether even the bound (rules 8 and 10) leaves fewer cards home than wanted."""
        if self.limited or (self.packets and self.exact):
            home = self._close_passes(home, left, waste, packet, redeals)
        else:
            home = self._close_aligned(home, left, waste, gone, self.reserve | self.sequence)
        return count_of(home) < self.target

    # ---- one position ----------------------------------------------------------------

    def _look(self, home, left, waste, packet, redeals):
        """Find the plays of a position, in this pass and in the next; canonise the waste."""
        bits: cython.ulonglong = self._playable(home) & ~home & self.sequence
        bit: cython.ulonglong
        n: cython.int = count_of(left)
        place: cython.int
        first: cython.int = 64
        # Whether the last place comes up at the end of any pass.
        end: cython.bint = self.exact or (home & self.seq_bit[self.prefix]) != 0
        ended: cython.bint = self.exact and waste == n and not self.packets
        if self.pointer and not self.limited and (ended or self.mod[waste] == 0):
            waste = 0
            packet = 0
        self.now = 0
        self.next = 0
        while bits:
            bit = bits & -bits
            bits ^= bit
            bit = ONE << self.seq_index[index_of(bit)]
            if not bit & left:
                continue
            place = count_of(left & (bit - 1)) + 1
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

    def _comes_now(self, place, n, waste, packet, end):
        if place < waste:
            return False
        if place == waste:
            return packet > 0 or not self.packets
        return self.mod[place - waste] == 0 or (place == n and end)

    def _end_packets(self, n, waste, packet, end):
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

    def _canonise(self, n, waste, packet, first):
        """Rule 6: turn on to the first play that this pass offers and its start does not."""
        self.p_waste = waste
        self.p_packet = packet
        if not self.pointer or first == waste:
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
