"""The definition of the game: a position, its legal moves, and what a move makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Self

from attrs import evolve, frozen

from osmosis_solver.cards import Card
from osmosis_solver.deal import Deal
from osmosis_solver.errors import IllegalMove, clip
from osmosis_solver.moves import REDEAL, TURN, Move, Play, Redeal, Turn
from osmosis_solver.rules import OSMOSIS, Rules


@frozen
class State:
    """A position of one deal under one rules record; equality and hash are by value.

    - ``reserve``: what is left of the piles, bottom to top.
    - ``waste``: turned cards, the top last. ``stock``: cards to be turned, the next first.
    - ``rows``: the cards on each opened row, ace to king; row 1 first.
    - ``redeals_left``: None without a pass limit.
    - ``packet``: under ``waste = "packet"``, how many waste cards are still playable from
      the top down; 0 under ``waste = "top"``, where it never matters.

    ``State.start`` makes the first position, ``play`` all others.
    """

    deal: Deal
    rules: Rules
    reserve: tuple[tuple[Card, ...], ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]
    rows: tuple[tuple[Card, ...], ...]
    redeals_left: int | None
    packet: int = 0

    @classmethod
    def start(cls, deal: Deal, rules: Rules = OSMOSIS) -> Self:
        """The position before the first move."""
        left = None if rules.passes is None else rules.passes - 1
        return cls(deal, rules, deal.reserve, (), deal.stock, ((deal.base,),), left)

    def __str__(self) -> str:
        rows = " / ".join("".join(map(str, row)) for row in self.rows)
        return f"{self.score} cards home: {rows}; {len(self.waste)} on the waste"

    def _repr_svg_(self) -> str:
        """The position as a drawing, for notebooks."""
        from osmosis_solver import render

        return render.svg(self)

    @property
    def score(self) -> int:
        """Cards on the rows, the base card included."""
        return sum(map(len, self.rows))

    @property
    def is_won(self) -> bool:
        """All cards are on the rows."""
        return self.score == len(self.deal)

    @property
    def turn_size(self) -> int:
        """How many cards the next turn moves."""
        return min(self.rules.draw, len(self.stock))

    def open_cards(self) -> Iterator[Card]:
        """The cards that lie open to be played: reserve tops left to right, the waste top."""
        for pile in self.reserve:
            if pile:
                yield pile[-1]
        if self.waste and (self.packet or self.rules.waste == "top"):
            yield self.waste[-1]

    def row_for(self, card: Card) -> int | None:
        """The row (0 is row 1) that would take the card now, wherever it lies, or None."""
        for i, row in enumerate(self.rows):
            if row[0].suit == card.suit:
                return i if i == 0 or _holds(self.rows[i - 1], card.rank) else None
        if self.rules.row_start == "any":
            return len(self.rows) if _holds(self.rows[-1], card.rank) else None
        return len(self.rows) if card.rank == self.deal.base.rank else None

    def row_orders(self) -> Iterator[str]:
        """The row orders that can still come about, each as its suits, row 1 first."""
        opened = [row[0].suit for row in self.rows]
        rest = [suit for suit in self.deal.suits if suit not in opened]
        return ("".join((*opened, *more)) for more in permutations(rest))

    def legal_moves(self) -> tuple[Move, ...]:
        """Plays from the reserve left to right, the waste play, a turn or a redeal."""
        moves: list[Move] = [Play(c) for c in self.open_cards() if self.row_for(c) is not None]
        if self.stock:
            moves.append(TURN)
        elif self.waste and self.redeals_left != 0:
            moves.append(REDEAL)
        return tuple(moves)

    def play(self, move: Move) -> Self:
        """The position after a move. Raises ``IllegalMove`` with the move and the reason.

        >>> state = State.start(Deal.from_code("2CAD/AH:AC:2D2H"))
        >>> state.play(Play(Card("AD"))).score
        2
        """
        if isinstance(move, Play) and isinstance(move.card, Card):
            return self._play_card(move.card)
        if isinstance(move, Turn):
            return self._turn()
        if isinstance(move, Redeal):
            return self._redeal()
        raise IllegalMove(clip(move), "a move is a Play of a card, a Turn or a Redeal")

    def play_all(self, moves: Iterable[Move]) -> Self:
        """The position after all the moves. Raises ``IllegalMove`` that also names the place."""
        state = self
        for number, move in enumerate(moves, 1):
            try:
                state = state.play(move)
            except IllegalMove as error:
                raise IllegalMove(error.move, error.reason, f"illegal move {number},") from None
        return state

    def _play_card(self, card: Card) -> Self:
        row = self.row_for(card)
        if card not in self.open_cards():
            raise IllegalMove(str(card), self._why_covered(card))
        if row is None:
            raise IllegalMove(str(card), self._why_no_row(card))
        rows = (*self.rows, ()) if row == len(self.rows) else self.rows
        longer = tuple(sorted((*rows[row], card), key=lambda c: c.rank))
        rows = (*rows[:row], longer, *rows[row + 1 :])
        if self.waste and self.waste[-1] == card:
            packet = max(self.packet - 1, 0)
            return evolve(self, rows=rows, waste=self.waste[:-1], packet=packet)
        reserve = tuple(p[:-1] if p and p[-1] == card else p for p in self.reserve)
        return evolve(self, rows=rows, reserve=reserve)

    def _turn(self) -> Self:
        size = self.turn_size
        if not size:
            raise IllegalMove(".", "the stock is empty")
        packet = size if self.rules.waste == "packet" else 0
        waste = (*self.waste, *self.stock[:size])
        return evolve(self, waste=waste, stock=self.stock[size:], packet=packet)

    def _redeal(self) -> Self:
        if self.stock:
            raise IllegalMove("|", f"the stock still holds {len(self.stock)} cards")
        if not self.waste:
            raise IllegalMove("|", "the waste is empty")
        if self.redeals_left == 0:
            raise IllegalMove("|", f"all {self.rules.passes} passes are used")
        left = None if self.redeals_left is None else self.redeals_left - 1
        return evolve(self, waste=(), stock=self.waste, redeals_left=left, packet=0)

    def _why_covered(self, card: Card) -> str:
        for number, pile in enumerate(self.reserve, 1):
            if card in pile:
                return f"{card} lies under {pile[pile.index(card) + 1]} in reserve pile {number}"
        if card in self.stock:
            return f"{card} is in the stock"
        if card in self.waste:
            if card == self.waste[-1]:
                return f"{card} is not of the packet turned last"
            return f"{card} lies under {self.waste[self.waste.index(card) + 1]} on the waste"
        if any(card in row for row in self.rows):
            return f"{card} is on its row already"
        return f"{card} is not in this deal"

    def _why_no_row(self, card: Card) -> str:
        for i, row in enumerate(self.rows):
            if row[0].suit == card.suit:
                return f"row {i} has no {card.name[0]}, so row {i + 1} does not take {card}"
        if self.rules.row_start == "any":
            last = len(self.rows)
            return f"row {last} has no {card.name[0]}, so {card} does not open row {last + 1}"
        opener = self.deal.base.name[0] + card.suit
        return f"suit {card.suit} has no row yet, and only {opener} opens one"

    @property
    def key(self) -> int:
        """An exact number for the position.

        For one deal and one rules record two positions have equal keys if and only if
        they are equal: the number holds, each in digits of its own, the redeals left, which
        stock cards are left, the size of each reserve pile, the row of each suit, how many
        cards lie on the waste and the packet; and these give back every field, since stock
        and waste keep the deal's order and all cards left out are on the rows.
        """
        return self._pack(len(self.waste), self.packet)

    @property
    def canonical_key(self) -> int:
        """A key that also forgets where in the pass the stock stands, if that cannot matter.

        Positions with equal canonical keys are all winnable or all not. It differs from
        ``key`` only if passes are unlimited. Write w for the cards on the waste, n for
        stock and waste together, d for ``draw``.

        1. If w is 0, a multiple of d, or n, the position is worth the start of a pass.
           Turning on to the end and redealing leads there. And from there w/d turns lead
           back, to a whole packet; or, if w is n, a whole pass does. Its last packet may be
           smaller than the one here, but a win from here that plays k cards of its packet
           before it redeals can be followed all the same: the last card of the sequence
           ends every pass on top, so these k cards come up one a pass if need be.
        2. Else, if the waste top cannot be played before the next turn, the position is
           worth the one after that turn. The turn is legal, so it is worth no less. And a
           win from here only makes plays from the reserve before its first turn; these
           neither need nor change stock and waste, so they can follow the turn as well.
           ``_reachable_from_reserve`` bounds from above what those plays can bring home.
        """
        if self.redeals_left is not None:
            return self.key
        waste, packet = len(self.waste), self.packet
        size, packets = self.rules.draw, self.rules.waste == "packet"
        sequence, home = (*self.waste, *self.stock), self._reachable_from_reserve()
        for place in range(waste, len(sequence), size) if waste % size else ():
            live = packet or not packets
            if live and self._may_take(sequence[place - 1], home):
                return self._pack(place, packet)
            packet = size if packets else 0
        return self._pack(0, 0)

    def _pack(self, waste: int, packet: int) -> int:
        left = {*self.waste, *self.stock}
        key = self.redeals_left or 0
        for card in self.deal.stock:
            key = key << 1 | (card in left)
        opened = {row[0].suit: number for number, row in enumerate(self.rows, 1)}
        numbers = (opened.get(suit, 0) for suit in self.deal.suits)
        for digit in (*map(len, self.reserve), *numbers, waste, packet):
            key = key << 6 | digit  # no deck has more than 52 cards
        return key

    def _may_take(self, card: Card, home: set[Card]) -> bool:
        """Whether the card could have a row once ``home`` is on the rows; never a wrong no.

        A suit without a row might get any of the rows to come, and all of those lie under
        the last opened row, so its ranks are the most that such a row can ask for.
        """
        suits = [row[0].suit for row in self.rows]
        row = suits.index(card.suit) if card.suit in suits else len(suits)
        return row == 0 or any(c.rank == card.rank and c.suit == suits[row - 1] for c in home)

    def _reachable_from_reserve(self) -> set[Card]:
        """All cards home, and all that plays from the reserve alone might bring home."""
        home = {card for row in self.rows for card in row}
        before = -1
        while len(home) > before:
            before = len(home)
            for pile in self.reserve:
                top = next((card for card in reversed(pile) if card not in home), None)
                if top is not None and self._may_take(top, home):
                    home.add(top)
        return home

    @property
    def is_stuck(self) -> bool:
        """No play can come up any more, however the stock is turned: the redeal cycle.

        A pass without a play restores the order it began with, so the rest of this pass
        and one whole pass more show all that ever comes up. A won position is not stuck.
        """
        if self.is_won:
            return False
        state, redeals = self, 0
        while True:
            moves = state.legal_moves()
            if any(isinstance(move, Play) for move in moves):
                return False
            if not moves or (redeals == 1 and moves == (REDEAL,)):
                return True
            redeals += moves == (REDEAL,)
            state = state.play(moves[0])


def _holds(row: tuple[Card, ...], rank: int) -> bool:
    return any(card.rank == rank for card in row)
