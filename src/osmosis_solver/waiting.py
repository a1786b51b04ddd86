"""Why a deal is lost, as pictures: the cards that wait for one another, and all that never move."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, pi, sin
from typing import Final

from attrs import frozen

from osmosis_solver.answer import Lost, OrderProof
from osmosis_solver.cards import Card
from osmosis_solver.explain import Case, Reason, Wait, cases, explain
from osmosis_solver.proof_game import Game
from osmosis_solver.svg import HIGH, WIDE, card_at, drawing, words

Point = tuple[float, float]

_WHY: Final[dict[Reason, str]] = {
    "row": "in the row above",
    "base": "to open its row",
    "cover": "lying on it",
    "place": "right behind it",
}
_APART: Final = 104
_APART_TOLD: Final = 160
_BEND: Final = 0.22
_OFF: Final = 34  # from the middle of a card to an arrow
_MARGIN: Final = 62
_MOST_TOLD: Final = 6
_ARROW: Final = "#6a2fb5"


@frozen
class Blocked:
    """What blocks one row order: its case, the case in words, and the cards that never move."""

    order: str
    case: Case
    told: str
    never: frozenset[Card]


def blocked(answer: Lost) -> Iterator[Blocked]:
    """Each row order that is still possible, and what blocks it at the start.

    ``never`` is what the checker's bound leaves out: cards that no line brings home under
    that row order. It may be empty, where only the search shows that the order is lost.
    """
    told = told_cases(answer)
    for part in answer.proof.orders:
        case, words_of_it = next(pair for pair in told if part.order.startswith(pair[0].rows))
        yield Blocked(part.order, case, words_of_it, never_home(answer, part))


def told_cases(answer: Lost) -> list[tuple[Case, str]]:
    """The row orders that are lost for the same reason, and that reason in words."""
    lines = explain(answer).splitlines()
    found = list(cases(answer.start))
    return list(zip(found, lines[-len(found) :], strict=True))


def never_home(answer: Lost, part: OrderProof) -> frozenset[Card]:
    """The cards that no line brings home under the row order of that part of the proof."""
    game = Game(answer.start, part.order, part.prefix)
    first = game.first()
    stuck = not first.left or not any(game.plays(first))
    home = game.home_at(first.left) if stuck else game.bound(game.turn_on(first))
    return frozenset(card for card, bit in game.bit.items() if not bit & home)


def waiting(case: Case) -> str:
    """The cards of a case in a ring, an arrow from each to a card that it waits for.

    A broken arrow leads to a card of which some would do in place of the one that the solid
    arrow leads to. With few cards each arrow says for what it waits.
    """
    ring = _Ring(case.waits)
    arrows = [part for wait in case.waits for part in ring.arrows(wait)]
    cards = [ring.card(wait.card) for wait in case.waits]
    label = "; ".join(f"{w.card} waits for {' or '.join(map(str, w.on))}" for w in case.waits)
    return drawing(ring.width, ring.height, f"A cycle of waiting: {label}", [*arrows, *cards])


class _Ring:
    """Places of cards in a ring, clockwise from the top; two stand side by side."""

    def __init__(self, waits: tuple[Wait, ...]) -> None:
        count = len(waits)
        self.few = count <= _MOST_TOLD and all(len(wait.on) == 1 for wait in waits)
        apart = _APART_TOLD if self.few else _APART
        radius = max(apart / 2 / sin(pi / count), 78)
        turned = 0.5 if count == 2 else 0
        angles = [2 * pi * (i - turned) / count for i in range(count)]
        spots = [(radius * 1.25 * sin(a), -radius * cos(a)) for a in angles]
        side = _MARGIN + 44 * self.few
        left, top = min(x for x, _ in spots) - side, min(y for _, y in spots) - _MARGIN
        self.width = max(x for x, _ in spots) - left + side
        self.height = max(y for _, y in spots) - top + _MARGIN
        self.spot = {
            wait.card: (x - left, y - top) for wait, (x, y) in zip(waits, spots, strict=True)
        }

    def card(self, card: Card) -> str:
        """A card at its place."""
        x, y = self.spot[card]
        return card_at(card, x - WIDE / 2, y - HIGH / 2)

    def arrows(self, wait: Wait) -> Iterator[str]:
        """The arrows from a card to those that it waits for."""
        for number, on in enumerate(wait.on):
            start, end = self.spot[wait.card], self.spot[on]
            yield _arrow(start, end, broken=number > 0)
            if self.few:
                yield _label(start, end, _WHY[wait.reason])


def _bent(start: Point, end: Point, bend: float) -> Point:
    """The middle of the way, shifted to the left of the way by a share of its length."""
    (x, y), (u, v) = start, end
    return (x + u) / 2 + (v - y) * bend, (y + v) / 2 - (u - x) * bend


def _towards(start: Point, end: Point, far: float) -> Point:
    (x, y), (u, v) = start, end
    share = far / (hypot(u - x, v - y) or 1)
    return x + (u - x) * share, y + (v - y) * share


def _arrow(start: Point, end: Point, broken: bool) -> str:
    middle = _bent(start, end, _BEND)
    (x, y), (u, v) = _towards(start, middle, _OFF), _towards(end, middle, _OFF + 10)
    tip = _towards(end, middle, _OFF)
    across = ((v - tip[1]) * 0.55, (tip[0] - u) * 0.55)
    head = f"{tip[0]:.1f},{tip[1]:.1f} {u + across[0]:.1f},{v + across[1]:.1f} "
    head += f"{u - across[0]:.1f},{v - across[1]:.1f}"
    dashes = ' stroke-dasharray="5 4" opacity=".55"' if broken else ""
    return (
        f'<path d="M{x:.1f} {y:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {u:.1f} {v:.1f}" fill="none"'
        f' stroke="{_ARROW}" stroke-width="{1.5 if broken else 2.5}"{dashes}/>'
        f'<polygon points="{head}" fill="{_ARROW}"/>'
    )


def _label(start: Point, end: Point, why: str) -> str:
    """Words on the middle of an arrow, with a rim that keeps the arrow out of them."""
    middle = _bent(start, end, _BEND)
    (x, y), (u, v) = _towards(start, middle, _OFF), _towards(end, middle, _OFF + 10)
    return words(
        (x + u) / 4 + middle[0] / 2, (y + v) / 4 + middle[1] / 2 + 4, why, "middle", rim=True
    )
