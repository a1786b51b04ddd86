"""The game under one row order, as the checker sees it, and the lemmas that it relies on.

It knows no kernel and no search. n is the number of cards left
in waste and stock together (the *sequence*), d is ``draw``.

**Orders.** Every line fits a full row order: the suits in the order in which it opens rows,
the others behind. Playing by a fixed order never breaks the rules, since row i gets its first
card only from a rank in row i - 1. So a position is lost iff it is lost under every order that
begins with the suits of its rows. Under one order, more cards home never make a playable card
unplayable (**Monotone**): a card needs its rank in the row above and, to open a row by
``row_start = "base"``, to be of the base rank; cards never leave a row.

**Reserve.** Under one order a playable reserve top is played at once at no loss: by Monotone
any win can still be followed, leaving that play out where it stood, for the play neither needs
nor moves waste and stock. So a position is (cards of the sequence left, waste, packet,
redeals), the reserve being played as far as it goes.

**Places.** Between two plays from the waste there are only turns and redeals. So from a
position with the waste top at place w (counted among the cards left, from 1) the next card
played from the waste comes from place w if it is still playable by the packet rule; or from a
place p > w with p - w a multiple of d, or p = n (in this pass); or from a multiple of d or n
after a redeal. Further redeals bring no other places. The play at p leaves p - 1 cards on the
waste. Hence a position is lost iff cards are left and each such play leads to a lost position;
and if each play of a position is also among the plays of lost positions with the same cards
left, with no fewer packet cards and redeals afterwards, it is lost too (**Cover**), since more
of either takes no line away. Two redeals without a play between them undo each other, so no
win needs more redeals than the sequence has cards.

**Passes.** At any time the cards home lie within the set H that ``Game.bound`` computes. By
induction over the passes of a line: say that at the start of a pass its cards home are within
H. A turn ends at a card only if the number of cards played before it in earlier passes makes
its place a multiple of d, so at least (place mod d) cards before it are in H; or if no card is
left behind it, so all of these are in H. In the pass already begun turns end at w + kd and at
n. What is played at one standing of the waste is played from its top down, so when the line
plays a card, all cards above it are home in the line, hence in H, and ``bound`` plays it too
if it is playable, by Monotone; under the packet rule the packet, d cards not home when the
pass began, reaches no further down in the line than in H, which has more cards home.

**Prefix.** Keep only the first K cards of the sequence exact. Their places depend on no card
behind them, so positions of the prefix and the plays between them are those of Places; but its
last card comes up also when all cards behind it are home, so whenever the first card behind
it may be. What the tail (the cards behind the prefix) and the reserve may have brought home by
now is within the set that ``bound`` computes over the tail alone, with the cards of the prefix
played so far counted as home: the induction of Passes holds over the whole line from the
start, for tail places counted as at the start, if the turn ends of the pass that was under way
at the start are admitted always. If this set with the prefix played is not the whole deck, or
the positions listed are closed under play, no line of the real game wins. A pass limit is left
out of account here, which only takes lines away.

**Score.** All of this holds for any number of cards: if "H is not the whole deck" is read as "H has
at most s cards", also for the cards home at each position listed, no line brings home more than s.

**Cost.** A play from place p costs the turns that bring it up soonest: ceil((p - w) / d) in
this pass; ceil((n - w) / d) + ceil(p / d) and a redeal in the next; plays from the reserve cost
nothing, and further redeals lead to the same position for more. What is still ahead of a
position: to the end of the pass ceil((n - w) / d) turns, since every card ahead is turned before
it is played or the waste is turned over; and for each further pass that ``closures`` needs to
bring all cards home, a redeal and a turn for every d cards, or fewer at the end, that are not in
H when the pass begins. By Passes a line has no more cards home then, so it needs no fewer
passes, and no fewer turns in each. So if each play of each position listed, at the cost listed,
leads to a position listed at no higher cost, perhaps with more redeals left (which take no line
away), or to one from which cost and what is ahead come to C or more, and so does the start, no
win costs less than C: each position along such a win would be listed like that, but the last
one, won, is not a position to list.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from osmosis_solver.answer import Entry
from osmosis_solver.cards import Card
from osmosis_solver.game import State


class Game:
    """The game under one row order, seen from the positions of a proof.

    A card is the bit 13 * row + rank, and ``home`` a set of such bits. ``wants`` maps a
    card to the cards that must be home before it: its rank in the row above, its row's base
    card, and in the reserve the card that lies on it.
    """

    def __init__(self, start: State, order: str, prefix: int, most: int | None = None) -> None:
        rules, ranks = start.rules, start.deal.ranks
        self.bit = {
            card: 1 << 13 * order.index(card.suit) + ranks.index(card.name[0])
            for card in start.deal.cards()
        }
        self.wants = dict(self._wants(start, order))
        for pile in start.reserve:
            for card, cover in pairwise(pile):
                self.wants[self.bit[card]] |= self.bit[cover]
        self.sequence = tuple(self.bit[card] for card in (*start.waste, *start.stock))
        self.reserve = tuple(self.bit[card] for pile in start.reserve for card in pile)
        self.start_home = sum(self.bit[card] for row in start.rows for card in row)
        self.deck = sum(self.bit.values())
        self.most = len(start.deal) - 1 if most is None else most
        self.draw = rules.draw
        self.packets = rules.waste == "packet"
        self.waste, self.packet = len(start.waste), start.packet
        self.prefix = prefix
        self.exact = prefix == len(self.sequence)
        self.redeals = start.redeals_left if self.exact else None
        self._homes: dict[int, int] = {}
        self._offered: dict[int, list[tuple[int, int]]] = {}

    def _wants(self, start: State, order: str) -> Iterator[tuple[int, int]]:
        for card, bit in self.bit.items():
            row = order.index(card.suit)
            base = self.bit[Card(start.deal.base.name[0] + card.suit)]
            opened = start.rules.row_start == "any" or row == 0
            yield bit, (bit >> 13 if row else 0) | (0 if opened or bit == base else base)

    def first(self) -> Entry:
        """The position at the start. A waste top in the tail is no place of the prefix, and
        more redeals than cards are no use.
        """
        waste, packet = (self.waste, self.packet) if self.waste <= self.prefix else (0, 0)
        return Entry((1 << self.prefix) - 1, waste, packet, self._most_redeals())

    def _most_redeals(self) -> int:
        return min(self.redeals or 0, self.prefix)

    def is_position(self, entry: Entry) -> bool:
        """Whether an entry's numbers lie in range."""
        left, waste, packet, redeals = entry
        return (
            0 < left < 1 << self.prefix
            and 0 <= waste <= left.bit_count()
            and 0 <= packet <= (min(waste, self.draw) if self.packets else 0)
            and 0 <= redeals <= self._most_redeals()
        )

    def falls_short(self, home: int) -> bool:
        """Whether these are no more cards than a line is said to bring home."""
        return home.bit_count() <= self.most

    def plays(self, position: Entry) -> Iterator[tuple[int, Entry]]:
        """The plays of a position (Places): the card of the sequence, the position after."""
        return ((card, after) for card, after, _ in self.steps(position))

    def steps(self, position: Entry) -> Iterator[tuple[int, Entry, tuple[int, int]]]:
        """The plays of a position with their turns and redeals (Cost)."""
        left, waste, packet, redeals = position
        home, n = self.home_at(left), left.bit_count()
        # The last card of the prefix also comes up once the tail behind it is played.
        bared = not self.exact and home & self.sequence[self.prefix] != 0
        for place, j in self.offered(left):
            at_end, ahead, rest = self.exact and place == n, place - waste, left ^ 1 << j
            if ahead == 0 and (packet or not self.packets):
                yield j, Entry(rest, place - 1, max(packet - 1, 0), redeals), (0, 0)
            if ahead > 0 and (ahead % self.draw == 0 or at_end):
                after = Entry(rest, place - 1, self._under(ahead), redeals)
                yield j, after, (self._turns(ahead), 0)
            if bared and place == n:
                under = self._under(min(place, self.draw))
                yield j, Entry(rest, place - 1, under, redeals), (0, 0)
            if (place % self.draw == 0 or at_end) and (redeals or self.redeals is None):
                after = Entry(rest, place - 1, self._under(place), max(redeals - 1, 0))
                yield j, after, (self._turns(n - waste) + self._turns(place), 1)

    def offered(self, left: int) -> list[tuple[int, int]]:
        """The cards that have a row when these are left, each after its place."""
        if left not in self._offered:
            home, places = self.home_at(left), enumerate(_cards_of(left), 1)
            wanted = ((place, j, self.wants[self.sequence[j]]) for place, j in places)
            self._offered[left] = [(p, j) for p, j, wants in wanted if home & wants == wants]
        return self._offered[left]

    def _turns(self, cards: int) -> int:
        return -(-cards // self.draw)

    def _under(self, turned: int) -> int:
        """How much of its packet lies under the last of so many cards turned."""
        return (turned - 1) % self.draw if self.packets else 0

    def turn_on(self, position: Entry) -> Entry:
        """Turn as long as no place passed offers a play: by Places the worth stays the same."""
        left, waste, packet, redeals = position
        count, offered = left.bit_count(), {place for place, _ in self.offered(left)}
        while waste % self.draw or self.redeals is not None:
            live = waste and (packet or not self.packets)
            if live and waste in offered:
                return Entry(left, waste, packet, redeals)
            if waste + self.draw > count:
                if self.exact and (self.packets or self.redeals is not None):
                    return Entry(left, waste, 0, redeals)
                break
            waste, packet = waste + self.draw, self.draw if self.packets else 0
        return Entry(left, 0, 0, redeals)

    def home_at(self, left: int) -> int:
        """The cards home when these cards of the prefix are left: exact, or Prefix's bound."""
        if left not in self._homes:
            gone = ~left & (1 << self.prefix) - 1
            home = self.start_home | sum(self.sequence[j] for j in _cards_of(gone))
            home = self._play_reserve(home)
            tail = range(self.prefix, len(self.sequence))
            self._homes[left] = home if self.exact else self._fixpoint(left, 0, [*tail], home)
        return self._homes[left]

    def bound(self, position: Entry) -> int:
        """A set that holds every card that any line from the position brings home (Passes)."""
        if self.exact:
            return [*self.closures(position)][-1]
        left, waste, _, _ = position
        cards = [*_cards_of(left), *range(self.prefix, len(self.sequence))]
        return self._fixpoint(left, waste, cards, self.home_at(left))

    def closures(self, position: Entry) -> Iterator[int]:
        """The growing sets of Passes at the end of this pass and of each further one, as long
        as redeals are left and something is gained. Over the whole sequence only.
        """
        left, waste, packet, redeals = position
        started = home = self.home_at(left)
        cards = [*_cards_of(left)]
        if waste and (packet or not self.packets):
            home = self._play_down(cards, waste, home, started, packet)
        while waste < len(cards):
            size = min(self.draw, len(cards) - waste)
            waste += size
            home = self._play_down(cards, waste, home, started, size)
        yield home
        while self.redeals is None or redeals > 0:
            redeals, started = redeals - 1, home
            for end in self._ends(left, cards, started):
                home = self._play_down(cards, end, home, started, self.draw)
            if home == started:
                return
            yield home

    def ahead(self, position: Entry) -> tuple[int, int] | None:
        """Turns and redeals that every win from the position needs; None if there is none."""
        left, waste, _, _ = position
        redeals, turns = 0, self._turns(left.bit_count() - waste)
        for home in self.closures(position):
            if home == self.deck:
                return turns, redeals
            still = sum(1 for j in _cards_of(left) if not self.sequence[j] & home)
            redeals, turns = redeals + 1, turns + self._turns(still)
        return None

    def _fixpoint(self, left: int, waste: int, cards: list[int], home: int) -> int:
        """Passes without limit over a prefix (none of it, if not in ``cards``) and the tail."""
        while True:
            started = home
            ends = set(self._ends(left, cards, started))
            for i, j in enumerate(cards, 1):
                place, w = (i, waste) if j < self.prefix else (j + 1, self.waste)
                if w and place >= w and (place - w) % self.draw == 0:
                    ends.add(i)
            for end in sorted(ends):
                home = self._play_down(cards, end, home, started, self.draw)
            if home == started:
                return home

    def _ends(self, left: int, cards: list[int], started: int) -> Iterator[int]:
        """The places where a turn of a later pass may end, those home at its start given."""
        last = max((i for i, j in enumerate(cards, 1) if not self.sequence[j] & started), default=0)
        gone = 0
        behind = self.prefix - left.bit_count()
        for i, j in enumerate(cards, 1):
            if j < self.prefix:
                place, before = i, gone
            else:
                place, before = j + 1, gone + behind
            if before >= place % self.draw or i >= last:
                yield i
            gone += self.sequence[j] & started != 0

    def _play_down(self, cards: list[int], place: int, home: int, started: int, packet: int) -> int:
        """Play from the waste top at ``place`` down as far as it goes, then the reserve."""
        seen = 0
        for j in reversed(cards[:place]):
            bit = self.sequence[j]
            if not bit & started:
                if self.packets and seen == packet:
                    return home
                seen += 1
            if not bit & home:
                if home & self.wants[bit] != self.wants[bit]:
                    return home
                home = self._play_reserve(home | bit)
        return home

    def _play_reserve(self, home: int) -> int:
        """Play the reserve as far as it goes."""
        left = [bit for bit in self.reserve if not bit & home]
        before = None
        while before != home:
            before = home
            for bit in left:
                if home & self.wants[bit] == self.wants[bit]:
                    home |= bit
        return home


def _cards_of(left: int) -> Iterator[int]:
    """The numbers of the bits set, upwards."""
    while left:
        bit = left & -left
        left ^= bit
        yield bit.bit_length() - 1
