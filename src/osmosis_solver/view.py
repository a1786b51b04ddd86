"""What a player sees of a position, apart from it: some cards are unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, Literal, Self, get_args

from attrs import field, frozen

from osmosis_solver.cards import DECK, Card
from osmosis_solver.deal import Deal
from osmosis_solver.errors import DealError, NotationError, clip
from osmosis_solver.game import State
from osmosis_solver.moves import Move
from osmosis_solver.rules import OSMOSIS, Rules

Sees = Literal["packets", "tops"]
Place = Card | None
"""A card, or None for one that is not seen."""

UNSEEN: Final = "??"
_LABELS: Final = ("deck", "base", "reserve", "waste", "stock", "rows", "redeals", "packet")


def glimpse(state: State, sees: Sees = "packets") -> set[Card]:
    """The cards that lie face up: all on the rows, the reserve tops and what a turn just showed.

    Of a turn whole packets are seen, or with ``sees = "tops"`` the last card only.
    """
    seen = {card for row in state.rows for card in row}
    seen |= {pile[-1] for pile in state.reserve if pile}
    last = state.rules.draw if sees == "packets" else 1
    return seen | set(state.waste[-last:])


def watched(start: State, line: Iterable[Move] = (), sees: Sees = "packets") -> set[Card]:
    """All cards seen by who sits down at ``start`` and makes the moves of ``line``."""
    state, seen = start, glimpse(start, sees)
    if sees == "packets":
        seen |= set(start.waste)
    for move in line:
        state = state.play(move)
        seen |= glimpse(state, sees)
    return seen


@frozen
class View:
    """What a player sees; equality and hash are by value. A card that is unseen is None.

    - ``base``, ``reserve``, ``waste``, ``stock``, ``rows``, ``redeals_left`` and ``packet`` are
      those of ``State``.
    - ``sees``: what a turn shows, ``"packets"`` or of each packet the last card, ``"tops"``.
    - ``deck``: all cards in play; the unseen ones are those that are nowhere to be seen.

    Raises ``DealError`` with the reason for what no player can see.
    """

    rules: Rules
    base: Card
    reserve: tuple[tuple[Place, ...], ...]
    waste: tuple[Place, ...]
    stock: tuple[Place, ...]
    rows: tuple[tuple[Card, ...], ...]
    redeals_left: int | None = None
    packet: int = 0
    sees: Sees = field(default="packets")
    deck: tuple[Card, ...] = DECK

    def __attrs_post_init__(self) -> None:
        _hold(self)

    @classmethod
    def of(
        cls, start: State, line: Iterable[Move] = (), *, seen: Sees | Iterable[Card] = "packets"
    ) -> Self:
        """What is seen after the moves of ``line`` by who sits down at ``start``.

        ``seen`` is what a turn shows, or else the cards that were seen, besides those that
        lie face up. Raises ``IllegalMove``.
        """
        moves = tuple(line)
        state = start.play_all(moves)
        if isinstance(seen, str):
            return cls.showing(state, watched(start, moves, seen), seen)
        return cls.showing(state, {*seen, *watched(start, moves)})

    @classmethod
    def showing(cls, state: State, seen: Iterable[Card], sees: Sees = "packets") -> Self:
        """A position of which just these cards, and what lies face up, are seen."""
        known = {*seen, *glimpse(state, "tops")}

        def show(cards: tuple[Card, ...]) -> tuple[Place, ...]:
            return tuple(card if card in known else None for card in cards)

        return cls(
            rules=state.rules,
            base=state.deal.base,
            reserve=tuple(map(show, state.reserve)),
            waste=show(state.waste),
            stock=show(state.stock),
            rows=state.rows,
            redeals_left=state.redeals_left,
            packet=state.packet,
            sees=sees,
            deck=tuple(sorted(state.deal.cards(), key=lambda card: card.index)),
        )

    @property
    def places(self) -> tuple[Place, ...]:
        """The places that are not on the rows: waste, stock, reserve piles bottom to top."""
        return (*self.waste, *self.stock, *(card for pile in self.reserve for card in pile))

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that are nowhere to be seen, sorted by suit and rank."""
        seen = {*self.places, *(card for row in self.rows for card in row)}
        return tuple(card for card in self.deck if card not in seen)

    def completed(self, cards: Iterable[Card] | None = None) -> State:
        """A position that looks like this, the unseen cards in the order given or their own.

        Its deal is one that has the same cards, not the one that was dealt. Raises
        ``DealError`` for other cards than the unseen ones.
        """
        order = self.unseen if cards is None else tuple(cards)
        if Counter(order) != Counter(self.unseen):
            got = " ".join(map(str, order)) or "no card"
            raise DealError(clip(got), "view, a completion", "each unseen card once")
        more = iter(order)

        def fill(places: tuple[Place, ...]) -> tuple[Card, ...]:
            return tuple(next(more) if card is None else card for card in places)

        waste, stock = fill(self.waste), fill(self.stock)
        reserve = tuple(map(fill, self.reserve))
        home = tuple(c for row in self.rows for c in row if c != self.base)
        deal = Deal(reserve, self.base, (*home, *waste, *stock))
        rest = self.redeals_left
        return State(deal, self.rules, reserve, waste, stock, self.rows, rest, self.packet)

    @property
    def text(self) -> str:
        """The view as text, ``??`` for an unseen card; ``View.from_text`` reads it back."""
        lines = [] if self.deck == DECK else [f"Deck: {_sides(self.deck)}"]
        lines += [f"Base: {self.base}"]
        lines += [_line("Reserve", pile) for pile in self.reserve]
        lines += [_line("Waste", self.waste), _line("Stock", self.stock)]
        lines += ["Rows: " + " / ".join(" ".join(map(str, row)) for row in self.rows)]
        if self.redeals_left is not None:
            lines.append(f"Redeals: {self.redeals_left}")
        if self.rules.waste == "packet":
            lines.append(f"Packet: {self.packet}")
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        return self.text

    @classmethod
    def from_text(cls, text: str, rules: Rules = OSMOSIS, sees: Sees = "packets") -> Self:
        """Read the text of a view. Raises ``NotationError`` or ``DealError``.

        ``Deck:`` names the suits and the ranks of a short deck (``Deck: CDH A23``), since a
        text in which cards are unseen cannot tell; it is left out for 52 cards. ``Rows:`` may
        be left out where only the base card is home, ``Redeals:`` where the first pass is
        under way, ``Packet:`` where a whole packet was just turned.
        """
        lines = _Lines.read(text)
        base = lines.one_card("base")
        rows = lines.rows() or ((base,),)
        waste = lines.cards("waste")
        left = None if rules.passes is None else rules.passes - 1
        packet = min(rules.draw, len(waste)) if rules.waste == "packet" else 0
        return cls(
            rules=rules,
            base=base,
            reserve=lines.piles(),
            waste=waste,
            stock=lines.cards("stock"),
            rows=rows,
            redeals_left=left if rules.passes is None else lines.number("redeals", left),
            packet=lines.number("packet", packet) or 0,
            sees=sees,
            deck=lines.deck(),
        )


def _sides(deck: tuple[Card, ...]) -> str:
    """The suits and the ranks of a deck."""
    first = deck[0]
    ranks = (card.name[0] for card in deck if card.suit == first.suit)
    suits = (card.suit for card in deck if card.rank == first.rank)
    return f"{''.join(suits)} {''.join(ranks)}"


def _line(label: str, places: tuple[Place, ...]) -> str:
    return " ".join([f"{label}:", *(UNSEEN if card is None else str(card) for card in places)])


# ---- reading -------------------------------------------------------------------------------


@frozen
class _Lines:
    """The labelled lines of a text: label, what follows it, and the number of the line."""

    found: tuple[tuple[str, str, int], ...]

    @classmethod
    def read(cls, text: str) -> Self:
        if not isinstance(text, str):
            raise NotationError(clip(text), "view", "a text")
        found = []
        for number, line in enumerate(text.splitlines(), 1):
            label, colon, rest = line.partition("#")[0].partition(":")
            name = label.strip().lower()
            if not (name or colon):
                continue
            if not colon or name not in _LABELS:
                wanted = "a line that begins with " + ", ".join(f"{n.title()}:" for n in _LABELS)
                raise NotationError(clip(label.strip()), f"view, line {number}", wanted)
            found.append((name, rest, number))
        return cls(tuple(found))

    def _of(self, label: str) -> Iterator[tuple[str, int]]:
        return ((rest, number) for name, rest, number in self.found if name == label)

    def cards(self, label: str) -> tuple[Place, ...]:
        return tuple(c for rest, number in self._of(label) for c in _places(rest, number))

    def piles(self) -> tuple[tuple[Place, ...], ...]:
        return tuple(_places(rest, number) for rest, number in self._of("reserve"))

    def rows(self) -> tuple[tuple[Card, ...], ...]:
        texts = [(part, n) for rest, n in self._of("rows") for part in rest.split("/")]
        rows = [_read(part, f"view, line {number}") for part, number in texts]
        return tuple(tuple(sorted(row, key=lambda card: card.rank)) for row in rows)

    def deck(self) -> tuple[Card, ...]:
        texts = [rest.split() for rest, _ in self._of("deck")]
        if not texts:
            return DECK
        suits, ranks = [*texts[-1], "", ""][:2]
        deck = tuple(c for c in DECK if c.suit in suits.upper() and c.name[0] in ranks.upper())
        sides = len(set(suits.upper())), len(set(ranks.upper()))
        if len(texts) > 1 or len(texts[0]) != 2 or len(deck) != sides[0] * sides[1] or not deck:
            wanted = "once the suits and the ranks, such as CDH A23"
            raise NotationError(clip(" ".join(texts[-1])), "view, deck", wanted)
        return deck

    def one_card(self, label: str) -> Card:
        cards = [c for c in self.cards(label) if c is not None]
        if len(cards) != 1:
            raise NotationError(f"{len(cards)} cards", f"view, {label}", "one card")
        return cards[0]

    def number(self, label: str, otherwise: int | None) -> int | None:
        texts = [rest.strip() for rest, _ in self._of(label)]
        if not texts:
            return otherwise
        if len(texts) > 1 or not (texts[0].isascii() and texts[0].isdigit() and len(texts[0]) < 10):
            raise NotationError(clip(texts[-1]), f"view, {label}", "one whole number")
        return int(texts[0])


def _read(text: str, where: str) -> list[Card]:
    cards = []
    for word in text.replace(",", " ").split():
        try:
            cards.append(Card.parse(word))
        except NotationError as error:
            raise NotationError(error.got, where, f"{UNSEEN} or {error.wanted}") from None
    return cards


def _places(text: str, number: int) -> tuple[Place, ...]:
    places: list[Place] = []
    for i, part in enumerate(text.split(UNSEEN)):
        if i:
            places.append(None)
        places += _read(part, f"view, line {number}")
    return tuple(places)


# ---- what can be seen ------------------------------------------------------------------------


def _hold(view: View) -> None:
    """Raise ``DealError`` with the reason if no player can see this."""
    if view.sees not in get_args(Sees):
        raise DealError(clip(view.sees), "view, what a turn shows", "'packets' or 'tops'")
    _hold_deck(view)
    _hold_cards(view)
    _hold_rows(view)
    for number, pile in enumerate(view.reserve, 1):
        if pile and pile[-1] is None:
            raise DealError(
                "an unseen top", f"view, reserve pile {number}", "its top card, which lies face up"
            )
    if view.waste and view.waste[-1] is None:
        raise DealError("an unseen top", "view, waste", "its top card, which lies face up")
    packets = view.rules.waste == "packet"
    most = min(view.rules.draw, len(view.waste)) if packets else 0
    if not 0 <= view.packet <= most:
        raise DealError(f"{view.packet}", "view, cards left of the packet", f"0 to {most}")
    passes, left = view.rules.passes, view.redeals_left
    if (passes is None) != (left is None) or (passes is not None and not 0 <= (left or 0) < passes):
        wanted = "none under unlimited passes" if passes is None else f"0 to {passes - 1}"
        raise DealError(f"{left}", "view, redeals left", wanted)


def _hold_deck(view: View) -> None:
    suits = {card.suit for card in view.deck}
    names = {card.name[0] for card in view.deck}
    whole = tuple(card for card in DECK if card.suit in suits and card.name[0] in names)
    if view.deck != whole:
        got = f"{len(view.deck)} cards of {len(suits)} suits and {len(names)} ranks"
        raise DealError(got, "view, deck", "some suits times some ranks, sorted")
    if view.base not in view.deck:
        raise DealError(str(view.base), "view, base", "a card of the deck")


def _hold_cards(view: View) -> None:
    home = [card for row in view.rows for card in row]
    seen = Counter([card for card in (*view.places, *home) if card is not None])
    for card, times in seen.items():
        if times > 1:
            raise DealError(f"{card} {times} times", "view", "each card once")
        if card not in view.deck:
            raise DealError(f"{card}", "view", "cards of the deck only")
    places, missing = view.places.count(None), len(view.unseen)
    if places != missing:
        got = f"{places} unseen places for {missing} cards that are nowhere to be seen"
        raise DealError(got, "view", "as many places as cards")


def _hold_rows(view: View) -> None:
    if not view.rows or view.base not in view.rows[0]:
        raise DealError("row 1", "view", f"a row 1 with the base card {view.base}")
    suits = [card.suit for row in view.rows for card in row[:1]]
    for number, row in enumerate(view.rows):
        where = f"view, row {number + 1}"
        if not row or {card.suit for card in row} != {suits[number]}:
            raise DealError("no card or cards of several suits", where, "cards of one suit")
        if suits.index(suits[number]) != number:
            raise DealError(f"suit {suits[number]} again", where, "one row for each suit")
        ranks = {card.rank for card in row}
        if number and (more := ranks - {card.rank for card in view.rows[number - 1]}):
            card = next(card for card in row if card.rank in more)
            raise DealError(f"{card}", where, f"cards whose rank is on row {number}")
        if view.rules.row_start == "base" and view.base.rank not in ranks:
            raise DealError(f"no {view.base.name[0]}{suits[number]}", where, "its base card")
