"""The game between two plays from the waste, spelled out with ``State`` and nothing else.

A *position* is a state whose reserve has been played as far as one row order lets it. This
is the rival of the kernel and of the checker, which have shortcuts to the same positions.
"""

from __future__ import annotations

import random

from hypothesis import strategies as st

from osmosis_solver.answer import Entry
from osmosis_solver.cards import DECK
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, Play
from osmosis_solver.rules import Rules

DECKS = ("CD A23456", "CDH A234", "CDHS A23", "CDH A2345", "CDHS A234")


def typical(seed: int) -> State:
    """A position with every choice equally likely, in mid-game half of the time.

    Draws that hypothesis makes card by card come out small and regular, and a deal has to be
    neither for its verdict to hang on a single place of the stock. Only the seed is drawn.
    """
    source = random.Random(seed)
    suits, ranks = source.choice(DECKS).split()
    cards = [card for card in DECK if card.suit in suits and card.name[0] in ranks]
    source.shuffle(cards)
    one = 1 + source.choice((0, 0, 1, 2, 3))
    two = one + source.choice((0, 1, 2, 3))
    deal = Deal([cards[1:one], cards[one:two]], cards[0], cards[two:])
    state = State.start(deal, typical_rules(source))
    for _ in range(source.choice((0, 0, 0, 1, 2, 3, 5, 8))):
        moves = state.legal_moves()
        if moves:
            state = state.play(source.choice(moves))
    return state


def typical_rules(source: random.Random) -> Rules:
    """Rules with every mixture of waste, row start and pass limit equally likely."""
    return Rules(
        draw=source.choice((1, 2, 2, 3, 3, 4, 5)),
        passes=source.choice((None, None, None, 1, 2, 3, 4)),
        waste=source.choice(("top", "packet")),
        row_start=source.choice(("base", "any")),
    )


typicals = st.integers(0, 2**32 - 1).map(typical)


def fits(state: State, order: str) -> bool:
    """Whether the rows were opened as the row order has it."""
    return "".join(row[0].suit for row in state.rows) == order[: len(state.rows)]


def close_reserve(state: State, order: str) -> State:
    """Play from the reserve as far as it goes under the row order."""
    tops = {pile[-1] for pile in state.reserve if pile}
    for move in state.legal_moves():
        if isinstance(move, Play) and move.card in tops and fits(state.play(move), order):
            return close_reserve(state.play(move), order)
    return state


def successors(state: State, order: str) -> list[State]:
    """The positions after the next play from the waste: any place of this pass and the next."""
    found, redeals = [], 0
    while True:
        top = Play(state.waste[-1]) if state.waste else None
        moves = state.legal_moves()
        if top in moves and fits(state.play(top), order):
            found.append(close_reserve(state.play(top), order))
        if not moves or isinstance(moves[-1], Play):
            return found
        redeals += moves[-1] == REDEAL
        if redeals > 1:
            return found
        state = state.play(moves[-1])


def entry_of(start: State, position: State) -> Entry:
    """The position as an entry of an exact proof that begins at ``start``."""
    left = {*position.waste, *position.stock}
    bits = sum(1 << j for j, card in enumerate((*start.waste, *start.stock)) if card in left)
    return Entry(bits, len(position.waste), position.packet, position.redeals_left or 0)


def positions(start: State, order: str) -> dict[State, list[State]]:
    """Every position that can be reached, the first one included, with its successors."""
    reached: dict[State, list[State]] = {}
    todo = [close_reserve(start, order)]
    while todo:
        position = todo.pop()
        if position not in reached:
            reached[position] = successors(position, order)
            todo += reached[position]
    return reached


def can_win(start: State, order: str) -> bool:
    """Whether some line of play wins with the suits in this row order: by all its moves."""
    seen, todo = {start}, [start]
    while todo:
        state = todo.pop()
        if state.is_won:
            return True
        after = {state.play(move) for move in state.legal_moves()}
        new = {s for s in after - seen if fits(s, order)}
        seen |= new
        todo += new
    return False
