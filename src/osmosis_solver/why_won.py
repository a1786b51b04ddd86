"""Why a line wins: which suit opens which row, which plays are left, and what else would lose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import evolve, frozen

from osmosis_solver.answer import Budget, Lost, Won
from osmosis_solver.cards import SUIT_NAMES, Card
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, Move, Play
from osmosis_solver.solver import solve
from osmosis_solver.why_lost import Case, cases, counted, listed, opened_rows, rows_told, waits_told

EACH_CLAIM: Final = Budget(positions=20_000)
"""What the proof of one claim may cost if nothing else is asked for."""

_LONGEST_REASON: Final = 4


@frozen
class Opening:
    """A play of the line that opens a row, and what is proved of the other suits.

    After ``moves`` moves, in pass ``number``, ``card`` opens row ``row``. Each of ``losing`` lay
    open as well and could have opened it, but no line wins after that. Each of ``never`` is a
    case of cards that wait for one another if a suit without a row takes this row, now or
    later; together they are all cases of that suit.
    """

    moves: int
    number: int
    card: Card
    row: int
    losing: tuple[Card, ...] = ()
    never: tuple[Case, ...] = ()


@frozen
class HeldBack:
    """A legal play of the waste top that the line passes over, since no line wins after it.

    Passed over after ``moves`` moves, in pass ``number``. ``opens`` is the row that it would open,
    None if its suit has one. ``shifted`` is a card that comes up by turning and redealing alone,
    this pass or next, if ``card`` is left, and does not if it is played; and if ``shifted`` lay
    open beside the reserve, the play would not lose. None where no one card is to blame.
    """

    moves: int
    number: int
    card: Card
    opens: int | None
    shifted: Card | None


Claim = Opening | HeldBack


def claims(answer: Won, budget: Budget = EACH_CLAIM) -> Iterator[Claim]:
    """The claims about a win, in the order of the line.

    Each was proved while it was made, by ``solve`` on the position after the other play; what
    ``budget``, which each position has to itself, leaves open is not claimed. A play that is
    passed over is claimed once a pass. Costs a search for each play that is passed over, and
    one more for each card that may be to blame.
    """
    state, number, told = answer.start, 1, set[tuple[int, Card]]()
    for moves, move in enumerate(answer.line):
        if not isinstance(move, Play):
            held = _held_back(state, moves, number, budget)
            if held is not None and (number, held.card) not in told:
                told.add((number, held.card))
                yield held
        elif state.row_for(move.card) == len(state.rows):
            yield _opening(state, move.card, moves, number, budget)
        number += move == REDEAL
        state = state.play(move)


def told_won(answer: Won, budget: Budget = EACH_CLAIM) -> Iterator[str]:
    """The sentences about a win, pass by pass."""
    if not answer.line:
        yield "Won already: all cards are home."
        return
    best = f"; no win needs fewer {answer.minimise}" if answer.optimal else ""
    cost = f"{counted(answer.turns, 'turn')} and {counted(answer.passes, 'pass')}"
    yield f"Won in {cost}{best}."
    yield rows_told(answer.start)
    found = list(claims(answer, budget))
    for number, line in enumerate(_passes(answer.line), 1):
        plays = sum(isinstance(move, Play) for move in line)
        yield f"Pass {number} brings {counted(plays, 'card')} home."
        for claim in found:
            if claim.number == number:
                yield _claim_told(answer.start, answer.line, claim)


# ---- proofs --------------------------------------------------------------------------------


def _loses(state: State, card: Card, budget: Budget) -> bool:
    return isinstance(solve(state.play(Play(card)), budget=budget), Lost)


def _opening(state: State, card: Card, moves: int, number: int, budget: Budget) -> Opening:
    row = len(state.rows)
    others = [
        other for other in state.open_cards()
        if other.suit != card.suit and state.row_for(other) == row
    ]  # fmt: skip
    losing = tuple(other for other in others if _loses(state, other, budget))
    return Opening(moves, number, card, row + 1, losing, tuple(_never(state, card.suit)))


def _never(state: State, suit: str) -> Iterator[Case]:
    """The cases of each other suit that cannot have the next row, whatever is played."""
    opened, found = opened_rows(state), list(cases(state))
    for other in state.deal.suits:
        if other in opened or other == suit:
            continue
        its = [case for case in found if case.rows.startswith(opened + other)]
        if all(case.waits for case in its):
            yield from its


def _held_back(state: State, moves: int, number: int, budget: Budget) -> HeldBack | None:
    top = Play(state.waste[-1]) if state.waste else None
    if top is None or top not in state.legal_moves() or not _loses(state, top.card, budget):
        return None
    opens = state.row_for(top.card) == len(state.rows)
    shifted = None if opens else _shifted(state, top.card, budget)
    return HeldBack(moves, number, top.card, len(state.rows) + 1 if opens else None, shifted)


def _shifted(state: State, card: Card, budget: Budget) -> Card | None:
    """The first card that the play moves out of reach and that is all that it lacks."""
    after = state.play(Play(card))
    lacks = bared(after)
    for other in bared(state):
        if other not in lacks and other != card and _would_save(after, other, budget):
            return other
    return None


def _would_save(after: State, other: Card, budget: Budget) -> bool:
    return isinstance(solve(laid_open(after, other), budget=budget), Won)


def bared(state: State) -> list[Card]:
    """The cards that turns and redeals alone bring to the top, in this pass and the next."""
    found = [state.waste[-1]] if state.waste else []
    redeals = 0
    while True:
        move = next((move for move in state.legal_moves() if not isinstance(move, Play)), None)
        redeals += move == REDEAL
        if move is None or redeals > 1:
            return list(dict.fromkeys(found))
        state = state.play(move)
        found += state.waste[-1:]


def laid_open(state: State, card: Card) -> State:
    """The position with a card of stock or waste as a reserve pile of its own."""
    stock = tuple(other for other in state.stock if other != card)
    waste = tuple(other for other in state.waste if other != card)
    packet = state.packet - (card in state.waste[len(state.waste) - state.packet :])
    return evolve(state, reserve=(*state.reserve, (card,)), stock=stock, waste=waste, packet=packet)


# ---- sentences -----------------------------------------------------------------------------


def _passes(line: tuple[Move, ...]) -> Iterator[list[Move]]:
    found: list[Move] = []
    for move in line:
        if move == REDEAL:
            yield found
            found = []
        found.append(move)
    yield found


def _claim_told(start: State, line: tuple[Move, ...], claim: Claim) -> str:
    if isinstance(claim, HeldBack):
        held = f"{claim.card} is left on the waste in pass {claim.number}"
        return f"{held}: playing it would {_what_goes_wrong(claim)}."
    suit = SUIT_NAMES[claim.card.suit].capitalize()
    told = f"{suit} open row {claim.row} in pass {claim.number} with {claim.card}."
    if claim.losing:
        told += f" Opening it with {listed(claim.losing).replace(' and ', ' or ')} now would lose."
    return told + _never_told(start.play_all(line[: claim.moves]), claim)


def _what_goes_wrong(claim: HeldBack) -> str:
    if claim.opens is not None:
        return f"give {SUIT_NAMES[claim.card.suit]} row {claim.opens} and lose"
    return "lose" if claim.shifted is None else f"shift {claim.shifted} out of reach"


def _never_told(state: State, claim: Opening) -> str:
    """Each suit that cannot have the row, with the reason if it is one and short."""
    told, unexplained = "", []
    for suit in dict.fromkeys(case.rows[claim.row - 1] for case in claim.never):
        its = [case for case in claim.never if case.rows[claim.row - 1] == suit]
        if len(its) > 1 or len(its[0].waits) > _LONGEST_REASON:
            unexplained.append(SUIT_NAMES[suit])
        else:
            told += _cannot([SUIT_NAMES[suit]], waits_told(state, its[0]).rstrip("."))
    if unexplained:
        told += _cannot(unexplained, "cards that wait for one another would never come home")
    return told


def _cannot(suits: list[str], reason: str) -> str:
    return f" {listed(suits).capitalize()} cannot have that row: {reason}."
