"""Why a deal is lost: cards that wait for one another, told row order by row order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Literal

from attrs import frozen

from osmosis_solver.answer import Lost, OrderProof
from osmosis_solver.cards import SUIT_NAMES, Card
from osmosis_solver.game import State
from osmosis_solver.proof_game import Game

Reason = Literal["row", "base", "cover", "place"]


@frozen
class Wait:
    """A card that does not come home before others do.

    - ``"row"``: it waits for its rank in the row above. ``"base"``: for the base card of its
      row. ``"cover"``: it lies under the other in a reserve pile.
    - ``"place"``: a card of the sequence that comes up only once ``on[0]``, the card behind
      it, is home, or some of ``on[1:]``, cards before it.
    """

    card: Card
    reason: Reason
    on: tuple[Card, ...]


@frozen
class Case:
    """Row orders that are lost for the same reason.

    ``rows`` begins them all, row 1 first. Each of ``waits`` is for cards of others of them, so
    that none of these cards is ever the first to come home; no waits, no such reason.
    """

    rows: str
    waits: tuple[Wait, ...] = ()


Plain = Mapping[Card, Mapping[Card, Reason]]


def told_lost(answer: Lost) -> Iterator[str]:
    """The sentences about a loss."""
    start = answer.start
    parts = {part.order: part for part in answer.proof.orders}
    yield f"No line of play wins. {rows_told(start)}"
    for case in cases(start):
        told = waits_told(start, case) if case.waits else _search_told(start, parts[case.rows])
        told = _if_rows(start, case.rows) + told
        yield told[0].upper() + told[1:]


def cases(start: State) -> Iterator[Case]:
    """Every row order, those with one reason together; plain cycles before other reasons."""
    orders = list(start.row_orders())
    uncycled = [order for order in orders if not _cycle(_plain_waits(start, order))]
    yield from _cases(start, opened_rows(start), uncycled)


def _cases(start: State, rows: str, uncycled: list[str]) -> Iterator[Case]:
    orders = [order for order in start.row_orders() if order.startswith(rows)]
    rows = orders[0] if len(orders) == 1 else rows
    plain = _plain_waits(start, rows)
    waits = _cycle(plain)
    if not waits and set(orders) <= set(uncycled):
        waits = _knot(plain, _Places(start))
    if waits or len(orders) == 1:
        yield Case(rows, waits)
        return
    for suit in start.deal.suits:
        if suit not in rows:
            yield from _cases(start, rows + suit, uncycled)


def _plain_waits(start: State, rows: str) -> Plain:
    """What each card not yet home waits for wherever the stock stands, the first rows given."""
    home = {card for row in start.rows for card in row}
    away = [card for card in start.deal.cards() if card not in home]
    waits: dict[Card, dict[Card, Reason]] = {card: {} for card in away}
    for pile in start.reserve:
        for card, cover in combinations(pile, 2):
            waits[card][cover] = "cover"
    for card in away:
        base = Card(start.deal.base.name[0] + card.suit)
        if start.rules.row_start == "base" and card.suit != rows[0] and base != card:
            waits[card][base] = "base"
        if card.suit in rows[1:]:
            waits[card][Card(card.name[0] + rows[rows.index(card.suit) - 1])] = "row"
    return {
        card: {on: why for on, why in ons.items() if on in waits} for card, ons in waits.items()
    }


def _cycle(plain: Plain) -> tuple[Wait, ...]:
    """A shortest cycle of plain waits, or nothing."""
    best: list[Card] = []
    for card in sorted(plain, key=_by_index):
        path = _way_back(plain, card)
        if path and (not best or len(path) < len(best)):
            best = path
    return tuple(
        Wait(card, plain[card][on], (on,))
        for card, on in zip(best, [*best[1:], *best[:1]], strict=True)
    )


def _way_back(plain: Plain, first: Card) -> list[Card]:
    """The cards of a shortest cycle through a card, breadth first, or nothing."""
    before = {first: first}
    queue = [first]
    for card in queue:
        for on in plain[card]:
            if on == first:
                return _path(before, card)
            if on not in before:
                before[on] = card
                queue.append(on)
    return []


def _path(before: Mapping[Card, Card], last: Card) -> list[Card]:
    path = [last]
    while before[path[-1]] != path[-1]:
        path.append(before[path[-1]])
    return path[::-1]


def _by_index(card: Card) -> int:
    return card.index


# ---- places in the sequence ----------------------------------------------------------------


class _Places:
    """When the places of the sequence allow its cards to come up (Places of ``check``)."""

    def __init__(self, start: State) -> None:
        self.sequence = (*start.waste, *start.stock)
        self.number = {card: j for j, card in enumerate(self.sequence)}
        self.draw, self.waste = start.rules.draw, len(start.waste)

    def wait(self, card: Card, blocked: set[Card]) -> Wait | None:
        """Why the card does not come up while the blocked cards are not home, if so.

        A turn of a later pass ends at the card at place p if so many cards before it were
        played that p less these is a multiple of ``draw``, or if no card is left behind it;
        the turns of the pass under way end where they do. Else a play from on it bares it.
        """
        j = self.number.get(card, len(self.sequence))
        behind = self.sequence[j + 1 : j + 2]
        if not behind or behind[0] not in blocked:
            return None
        if self.waste and j + 1 >= self.waste and (j + 1 - self.waste) % self.draw == 0:
            return None
        before = [other for other in self.sequence[:j] if other in blocked]
        if j - len(before) >= (j + 1) % self.draw:
            return None
        alone = j < (j + 1) % self.draw  # no cards before it are enough
        return Wait(card, "place", behind if alone else (*behind, *before))


def _knot(plain: Plain, places: _Places) -> tuple[Wait, ...]:
    """A small set of cards of which none is the first to come home, or nothing."""
    whole = _supported(plain, places, set(plain))
    if not whole:
        return ()
    cards = sorted(whole, key=_by_index)
    tries = [cards, cards[::-1], sorted(cards, key=lambda card: (card.name[0], card.index))]
    least = min((_shrunk(plain, places, set(whole), order) for order in tries), key=len)
    return tuple(_told_in_order(plain, places, least))


def _supported(plain: Plain, places: _Places, blocked: set[Card]) -> set[Card]:
    """What is left of the cards when those that wait for none of the rest are taken out."""
    blocked = set(blocked)
    while True:
        freed = [card for card in blocked if _wait(plain, places, card, blocked) is None]
        if not freed:
            return blocked
        blocked.difference_update(freed)


def _wait(plain: Plain, places: _Places, card: Card, blocked: set[Card]) -> Wait | None:
    for on, why in plain[card].items():
        if on in blocked:
            return Wait(card, why, (on,))
    return places.wait(card, blocked)


def _shrunk(plain: Plain, places: _Places, blocked: set[Card], order: Iterable[Card]) -> set[Card]:
    for card in order:
        if card in blocked:
            blocked = _supported(plain, places, blocked - {card}) or blocked
    return blocked


def _told_in_order(plain: Plain, places: _Places, blocked: set[Card]) -> Iterator[Wait]:
    """The waits of a blocked set, each card after one that waits for it if that can be."""
    waits = (_wait(plain, places, card, blocked) for card in sorted(blocked, key=_by_index))
    untold = {wait.card: wait for wait in waits if wait is not None}
    queue: list[Card] = []
    while untold:
        wait = untold.pop(next((card for card in queue if card in untold), next(iter(untold))))
        yield wait
        queue = [*wait.on, *queue]


# ---- sentences -----------------------------------------------------------------------------


def waits_told(start: State, case: Case) -> str:
    """What the cards of a case wait for, as a sentence."""
    alike: dict[object, list[Wait]] = {}
    for wait in _from_a_row(case):
        alike.setdefault((wait.on if wait.reason == "base" else wait.card), []).append(wait)
    told = "; ".join(_wait_told(start, case.rows, waits) for waits in alike.values())
    return f"{told}. So none of them ever comes home."


def _from_a_row(case: Case) -> tuple[Wait, ...]:
    """A cycle begun at a card that waits for a row, if that can be; a knot as it is."""
    waits = case.waits
    starts = [i for i, wait in enumerate(waits) if wait.reason in ("row", "base")]
    if not starts or any(wait.reason == "place" for wait in waits):
        return waits
    first = min(
        starts, key=lambda i: (waits[i].reason != "row", case.rows.find(waits[i].card.suit))
    )
    return (*waits[first:], *waits[:first])


def _wait_told(start: State, rows: str, alike: list[Wait]) -> str:
    wait = alike[0]
    card, on = wait.card, wait.on[0]
    if wait.reason == "row":
        return f"{card} waits for {on} in the row above"
    if wait.reason == "base":
        row = f"row {rows.index(card.suit) + 1}" if card.suit in rows else "its row"
        verb = "waits" if len(alike) == 1 else "wait"
        return f"{listed(wait.card for wait in alike)} {verb} for {on} to open {row}"
    if wait.reason == "cover":
        pile = next(i for i, pile in enumerate(start.reserve, 1) if card in pile)
        return f"{card} lies under {on} in reserve pile {pile}"
    return _place_told(start, wait)


def _place_told(start: State, wait: Wait) -> str:
    sequence = (*start.waste, *start.stock)
    place = sequence.index(wait.card) + 1
    needed = place % start.rules.draw
    where = "the stock" if not start.waste else "waste and stock together"
    told = f"{wait.card}, card {place} of {where}, does not come up before {wait.on[0]} behind it"
    if len(wait.on) == 1:
        return f"{told} is home"
    before = place - 1
    many = f"{needed} of the {before} cards before it" if before > 1 else f"{sequence[0]} before it"
    verb = "is" if needed == 1 else "are"
    return f"{told} is home or {many} {verb}, and {listed(wait.on[1:])} wait too"


def _search_told(start: State, part: OrderProof) -> str:
    opening = "no cycle of waiting blocks it at the start"
    if not part.entries:
        return f"{opening}, but {_passes_told(start, part)}"
    cards = _cards_told(start, part.prefix)
    followed = counted(len(part.entries), "position")
    if len(part.entries) == 1:
        return (
            f"{opening}; 1 position of {cards} was followed, and each play from it leads to one"
            " that offers no more, or where some card never comes home."
        )
    return (
        f"{opening}; {followed} of {cards} were followed, and each play from them leads to"
        " another of them, to one that offers no more, or to one where some card never comes home."
    )


def _cards_told(start: State, prefix: int) -> str:
    size = len(start.waste) + len(start.stock)
    where = "waste and stock" if start.waste else "the stock"
    if prefix == size:
        return f"all cards of {where}"
    return f"the first {counted(prefix, 'card')} of {where}"


def _passes_told(start: State, part: OrderProof) -> str:
    most, cards = most_home(start, part), len(start.deal)
    if start.redeals_left is None:
        return f"however the turns fall, at most {most} of {cards} cards come home."
    passes = start.redeals_left + 1
    left = "in the one pass" if passes == 1 else f"in {passes} passes"
    return f"however the turns fall, at most {most} of {cards} cards come home {left}."


def most_home(start: State, part: OrderProof) -> int:
    """How many cards come home at most, by the checker's bound on the first position."""
    game = Game(start, part.order, part.prefix)
    first = game.first()
    stuck = not first.left or not any(game.plays(first))
    home = game.home_at(first.left) if stuck else game.bound(game.turn_on(first))
    return home.bit_count()


def opened_rows(start: State) -> str:
    """The suits that have rows, row 1 first."""
    return "".join(row[0].suit for row in start.rows)


def rows_told(start: State) -> str:
    """Which suits have rows at the start, as a sentence."""
    first, *others = list(opened_rows(start))
    told = [f"{SUIT_NAMES[first].capitalize()} have row 1"]
    told += [f"{SUIT_NAMES[suit]} row {i}" for i, suit in enumerate(others, 2)]
    return listed(told) + "."


def _if_rows(start: State, rows: str) -> str:
    """Which row orders are meant: nothing if all rows are open at the start."""
    opened, suits = len(start.rows), len(start.deal.suits)
    told = [f"{SUIT_NAMES[rows[i]]} row {i + 1}" for i in range(opened, len(rows))]
    told = ["if " + listed(told).replace(" row", " take row", 1)] if told else []
    if len(rows) < suits:
        to = "and" if len(rows) + 2 == suits else "to"
        told.append(f"whoever takes rows {len(rows) + 1} {to} {suits}")
    return ", ".join(told) + (": " if told else "")


def listed(items: Iterable[object]) -> str:
    """``a, b and c``."""
    *firsts, last = map(str, items)
    return f"{', '.join(firsts)} and {last}" if firsts else last


def counted(number: int, word: str) -> str:
    """``1 turn``, ``2 passes``."""
    plural = word + ("es" if word.endswith("s") else "s")
    return f"{number} {word if number == 1 else plural}"
