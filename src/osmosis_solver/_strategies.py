"""Hypothesis strategies for cards, decks, deals, rules, positions and lines of play."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from osmosis_solver.cards import DECK, RANKS, SUITS, Card
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.moves import Move
from osmosis_solver.rules import OSMOSIS, Rules

_LAYOUTS: Final = ((4, 4, 4, 4), ())
_MAX_PILES: Final = 4


def cards() -> SearchStrategy[Card]:
    """Any card of the 52; shrinks to the ace of clubs."""
    return st.sampled_from(DECK)


def decks(
    *, min_cards: int = 1, max_cards: int = 12, max_suits: int = 4, max_ranks: int = 6
) -> SearchStrategy[list[Card]]:
    """Some suits times some ranks, sorted; shrinks to few cards, clubs and low ranks."""
    deal = _short_deals((max_suits, max_ranks), (min_cards, max_cards), 0)
    return deal.map(lambda deal: sorted(deal.cards(), key=lambda card: card.index))


def deals(  # noqa: PLR0913 - every knob is by name and has a default
    *,
    rules: Rules = OSMOSIS,
    short: bool = True,
    min_cards: int = 1,
    max_cards: int = 12,
    max_suits: int = 4,
    max_ranks: int = 6,
    max_piles: int = _MAX_PILES,
) -> SearchStrategy[Deal]:
    """Deals of short decks with any reserve, or with ``short=False`` of the whole deck.

    A whole deck is dealt into ``rules.layout``, and the other arguments bound the short
    decks: ``max_piles=0`` leaves out the reserve, and up to 52 cards may be asked for.
    Shrinks to few cards, no reserve and the sorted order of cards.
    """
    if not short:
        return st.permutations(DECK).map(lambda deck: _dealt(deck, rules.layout))
    return _short_deals((max_suits, max_ranks), (min_cards, max_cards), max_piles)


def _dealt(order: list[Card], layout: Iterable[int]) -> Deal:
    base, *rest = order
    reserve = []
    for size in layout:
        reserve.append(rest[:size])
        rest = rest[size:]
    return Deal(reserve, base, rest)


def _some_blocks(sizes: list[int]) -> SearchStrategy[list[_Block]]:
    """So many blocks as one of the sizes, or more: larger decks have more to show."""
    least = st.sampled_from(sizes[:-1] or sizes)
    return least.flatmap(lambda size: st.lists(_BLOCK, min_size=size, max_size=sizes[-1]))


# A rank, as its place among the ranks not yet taken, and for each suit where its card goes.
_Block = tuple[int, tuple[int, ...]]
_PLACES: Final = 12
_STOCK_SHARES: Final = (1, 0, 3, 6, 12, 12)
_BLOCK: Final = st.tuples(
    st.integers(0, len(RANKS) - 1), st.tuples(*[st.integers(0, 1000 * _PLACES - 1)] * len(SUITS))
)


def _short_deals(
    sides: tuple[int, int], bounds: tuple[int, int], max_piles: int
) -> SearchStrategy[Deal]:
    """Drawn rank by rank, so that a rank can be dropped and all other cards stay in order.

    A shuffled deck of another size is quite another deal, and does not shrink.
    """
    suits, ranks = sides
    sizes: dict[int, list[int]] = {}
    for shape in product(range(1, suits + 1), range(1, ranks + 1)):
        if bounds[0] <= shape[0] * shape[1] <= bounds[1]:
            sizes.setdefault(shape[0], []).append(shape[1])
    parts = {
        count: st.tuples(
            st.lists(st.sampled_from(SUITS), min_size=count, max_size=count, unique=True),
            _some_blocks(some),
            st.integers(0, max_piles),
            st.sampled_from(_STOCK_SHARES),
        )
        for count, some in sizes.items()
    }
    counts = sorted(count for count in parts for _ in range(count))  # more suits, more choices
    return st.sampled_from(counts).flatmap(parts.__getitem__).map(_laid_out)


def _spread(blocks: list[_Block], suits: list[str]) -> list[tuple[int, int, Card]]:
    """The cards, each with its key in the shuffle and its place, in their order."""
    left, spread = [*RANKS], []
    for pick, numbers in blocks:
        rank = left.pop(pick % len(left))
        for suit in suits:
            key, place = divmod(numbers[SUITS.index(suit)], _PLACES)
            spread.append((key, place, Card(rank + suit)))
    return sorted(spread, key=lambda item: (item[0], item[2].index))


def _laid_out(drawn: tuple[list[str], list[_Block], int, int]) -> Deal:
    suits, blocks, piles, share = drawn
    (_, _, base), *rest = _spread(blocks, suits)
    slots = max(1, piles + share)
    slotted = [(place % slots, card) for _, place, card in rest]
    reserve = [[card for slot, card in slotted if slot == pile] for pile in range(piles)]
    return Deal(reserve, base, [card for slot, card in slotted if slot >= piles])


def rules(max_draw: int = 4) -> SearchStrategy[Rules]:
    """Rules of every mixture: 1 to ``max_draw`` cards a turn, no limit or 1 to 4 passes.

    Shrinks to ``OSMOSIS``, or to draw one if ``max_draw`` is less than three.
    """
    draws = sorted(range(1, max_draw + 1), key=lambda draw: (draw != OSMOSIS.draw, draw))
    return st.builds(
        Rules,
        draw=st.sampled_from(draws),
        passes=st.sampled_from((None, 1, 2, 3, 4)),
        waste=st.sampled_from(("top", "packet")),
        row_start=st.sampled_from(("base", "any")),
        layout=st.sampled_from(_LAYOUTS),
    )


_DEALS: Final = deals()
_RULES: Final = rules()


def starts(
    deals: SearchStrategy[Deal] = _DEALS, rules: SearchStrategy[Rules] = _RULES
) -> SearchStrategy[State]:
    """First positions: of any of the deals under any of the rules."""
    return st.builds(State.start, deals, rules)


def states(
    deals: SearchStrategy[Deal] = _DEALS, rules: SearchStrategy[Rules] = _RULES
) -> SearchStrategy[State]:
    """Positions that legal lines of up to 40 moves reach from ``starts(deals, rules)``."""
    return st.builds(lambda start, steps: walk(start, steps)[0], starts(deals, rules), choices())


def lines(start: State, max_moves: int = 40) -> SearchStrategy[tuple[Move, ...]]:
    """Legal lines of play from a position; shrinks to short ones with plays before turns."""
    return choices(max_moves).map(lambda steps: tuple(walk(start, steps)[1]))


def choices(max_size: int = 40) -> SearchStrategy[list[int]]:
    """What ``walk`` goes by; many are short, for short games are soon over."""
    # Sizes are drawn first: left to itself hypothesis makes lists of five on average.
    sizes = st.sampled_from(sorted([*range(max_size + 1), *[*range(max_size // 4)] * 4]))
    step = st.integers(0, 11)
    return sizes.flatmap(lambda size: st.lists(step, min_size=size, max_size=size))


def walk(start: State, choices: Iterable[int]) -> tuple[State, list[Move]]:
    """Play the legal move that each choice picks, to the end of choices or of play."""
    state, line = start, []
    for choice in choices:
        moves = state.legal_moves()
        if not moves:
            break
        line.append(moves[choice % len(moves)])
        state = state.play(line[-1])
    return state, line


def register() -> None:
    """Let ``st.from_type`` and ``st.builds`` know the types; the parts of moves follow."""
    st.register_type_strategy(Card, cards())
    st.register_type_strategy(Deal, _DEALS)
    st.register_type_strategy(Rules, _RULES)
    st.register_type_strategy(State, states())
