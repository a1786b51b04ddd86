"""An independent checker: it replays lines with ``game`` and verifies proofs entry by entry.

It knows no kernel and no search. What it relies on are the lemmas in ``proof_game``.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TypeGuard

from osmosis_solver.answer import (
    Answer,
    CostEntry,
    CostProof,
    Entry,
    Lost,
    Minimise,
    OrderProof,
    Proof,
    Unknown,
    Won,
)
from osmosis_solver.errors import IllegalMove, ProofError, clip
from osmosis_solver.game import State
from osmosis_solver.proof_game import Game


def check(answer: Answer) -> None:
    """Verify an answer; return if it holds, raise ``ProofError`` with the gap if not.

    A win is replayed move by move, and if it is said to be optimal, the proof of that is
    verified; a loss is verified for every row order, and so is a best score; a line that
    goes with a score is replayed. ``score`` without a line, ``at_least`` without a proof and
    an unknown verdict claim nothing. Costs about 0.1 ms for each move, and for each play of
    each entry.
    """
    if not isinstance(answer, Won | Lost | Unknown) or not isinstance(answer.start, State):
        raise ProofError(clip(answer), "answer", "Won, Lost or Unknown from a State")
    if isinstance(answer, Won):
        _check_line(answer, len(answer.deal))
        if answer.proof is not None:
            check_cost(answer)
        return
    if answer.line is not None:
        _check_line(answer, answer.score)
    if isinstance(answer, Lost):
        _check_loss(answer)


def _check_line(answer: Answer, score: int) -> None:
    try:
        end = answer.start.play_all(answer.line or ())
    except IllegalMove as error:
        raise ProofError(str(error), "line of play", "legal moves") from None
    if end.score != score:
        got = f"{end.score} of {len(end.deal)} cards home at the end"
        raise ProofError(got, "line of play", f"{score} cards home")


def _check_loss(answer: Lost) -> None:
    wanted = sorted(answer.start.row_orders())
    proof = answer.proof
    parts = proof.orders if isinstance(proof, Proof) else (proof,)
    for part in parts:
        _check_form(part)
    got = [part.order for part in parts]
    if sorted(got) != wanted:
        raise ProofError(clip(" ".join(got)), "row orders of the proof", " ".join(wanted))
    _check_score(answer, proof.most)
    for part in parts:
        check_order(answer.start, part, proof.most)


def _check_score(answer: Lost, most: object) -> None:
    least, last = answer.start.score, len(answer.deal) - 1
    if type(answer.score) is not int or not least <= answer.score <= last:
        raise ProofError(clip(answer.score), "score of a loss", f"a number from {least} to {last}")
    if most is not None and (type(most) is not int or not answer.score <= most <= last):
        wanted = f"a number from the score, {answer.score}, to {last}"
        raise ProofError(clip(most), "most cards of the proof", wanted)


def _check_form(part: object) -> None:
    """Refuse what is no ``OrderProof`` of whole numbers, before anything is made of it."""
    if not isinstance(part, OrderProof) or not isinstance(part.order, str):
        raise ProofError(clip(part), "proof", "an OrderProof with its row order for each order")
    numbers = chain((part.prefix,), *part.entries) if _are_entries(part) else ("",)
    if any(type(number) is not int for number in numbers):
        where = f"proof for row order {clip(part.order)}"
        raise ProofError(clip(part), where, "a prefix and entries in whole numbers")


def _are_entries(part: OrderProof) -> bool:
    return all(type(entry) is Entry for entry in part.entries)


# For each set of cards left: the plays, by card, of the positions listed with it, each as
# what the play leaves of the packet and of the redeals.
Covers = dict[int, dict[int, set[tuple[int, int]]]]


def check_order(start: State, part: OrderProof, most: int | None = None) -> None:
    """Verify the proof's part for one row order: no line brings home more than ``most``, or all.

    Raises ``ProofError`` with the gap.
    """
    where = f"proof for row order {part.order}"
    if not 0 <= part.prefix <= len(start.waste) + len(start.stock):
        got = f"prefix {clip(part.prefix)}"
        raise ProofError(got, where, "no more cards than the sequence has")
    game = Game(start, part.order, part.prefix, most)
    covers: Covers = {}
    for entry in part.entries:
        if not game.is_position(entry):
            raise ProofError(clip(tuple(entry)), where, "entries that are positions of the deal")
        places = covers.setdefault(entry.left, {})
        for card, after in game.plays(entry):
            places.setdefault(card, set()).add((after.packet, after.redeals))
    if not _is_lost(game, game.first(), covers):
        raise ProofError("a first position that may be won", where, "one listed or out of reach")
    for entry in part.entries:
        for _, after in game.plays(entry):
            if not _is_lost(game, after, covers):
                got = f"a play from {tuple(entry)} to {tuple(after)}, which may be won"
                raise ProofError(got, where, "plays to positions listed or out of reach")


def _is_lost(game: Game, position: Entry, covers: Covers) -> bool:
    """Whether what is home falls short and Cover holds, or else the bound falls short."""
    if not game.falls_short(game.home_at(position.left)):
        return False
    known = covers.get(position.left, {})
    for card, after in game.plays(position):
        listed = known.get(card, ())
        if not any(p >= after.packet and r >= after.redeals for p, r in listed):
            return game.falls_short(game.bound(game.turn_on(position)))
    return True


def check_cost(answer: Won) -> None:
    """Verify by ``answer.proof`` that no win needs fewer turns or passes.

    Raises ``ProofError`` with the gap.
    """
    proof = answer.proof
    if not _is_cost_proof(proof) or answer.minimise not in ("turns", "passes"):
        raise ProofError(clip(proof), "proof of the optimum", "a CostProof of what is said")
    listed = dict(proof.orders)
    least = answer.at_least
    if type(least) is not int or least != getattr(answer, answer.minimise):
        got = f"at least {clip(least)}"
        raise ProofError(got, "proof of the optimum", f"the {answer.minimise} of the line")
    orders = set(answer.start.row_orders())
    if not set(listed) <= orders or len(listed) < len(proof.orders):
        raise ProofError(
            clip(" ".join(listed)), "row orders of the proof", " ".join(sorted(orders))
        )
    for order in sorted(orders):
        _check_cost_order(answer, order, listed.get(order, ()))


def _is_cost_proof(proof: object) -> TypeGuard[CostProof]:
    if not isinstance(proof, CostProof) or type(proof.orders) is not tuple:
        return False
    return all(type(part) is tuple and len(part) == 2 and _is_part(*part) for part in proof.orders)


def _is_part(order: object, entries: object) -> bool:
    if not isinstance(order, str) or type(entries) is not tuple:
        return False
    return all(type(e) is CostEntry and all(type(number) is int for number in e) for e in entries)


def _cost(minimise: Minimise | None, turns: int, redeals: int) -> tuple[int, int]:
    return (redeals, turns) if minimise == "passes" else (turns, redeals)


def _check_cost_order(answer: Won, order: str, entries: tuple[CostEntry, ...]) -> None:
    start, where = answer.start, f"proof of the optimum for row order {order}"
    game = Game(start, order, len(start.waste) + len(start.stock))
    limited = game.redeals is not None
    first = game.first()
    cost = partial(_cost, answer.minimise)
    most = cost(answer.turns, answer.passes - 1)

    def holds(position: Entry, turns: int, redeals: int) -> bool:
        # More redeals left take no win away: the kernel lists the position that has most.
        for unused in range(position.redeals, first.redeals + 1):
            known = listed.get(position._replace(redeals=unused))
            if known is not None and known <= cost(turns, redeals):
                return True
        ahead = game.ahead(position)
        return ahead is None or cost(turns + ahead[0], redeals + ahead[1]) >= most

    listed: dict[Entry, tuple[int, int]] = {}
    for entry in entries:
        position = Entry(*entry[:3], first.redeals - entry.redeals if limited else 0)
        if not game.is_position(position) or min(entry) < 0 or position in listed:
            raise ProofError(clip(tuple(entry)), where, "different positions of the deal")
        listed[position] = cost(entry.turns, entry.redeals)
    if not holds(first, 0, 0):
        raise ProofError("a first position with a cheaper win", where, "one listed or too dear")
    for (left, waste, packet, turns, redeals), position in zip(entries, listed, strict=True):
        for _, after, (more_turns, more_redeals) in game.steps(position):
            if not holds(after, turns + more_turns, redeals + more_redeals):
                got = f"a play from {(left, waste, packet)} to {tuple(after)}"
                raise ProofError(got, where, "plays to positions listed or too dear")
