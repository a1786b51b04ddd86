"""Advice in mid-game: which move threw the win away, and which one is the best now."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from attrs import evolve, frozen

from osmosis_solver.answer import Answer, Budget, Lost, Unknown, Won
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move, Play
from osmosis_solver.solver import solve

# ---- looking back --------------------------------------------------------------------------


@frozen
class Past:
    """How far along a line of play the win lasted.

    After its first ``winnable`` moves the position could still be won, after its first ``lost``
    ones it was lost: the largest and the smallest number for which this was proved, None for
    none. ``moves`` is the length of the line.
    """

    winnable: int | None
    lost: int | None
    moves: int

    @property
    def fatal(self) -> int | None:
        """The number, from 1, of the move that threw the win away, if it is clear which did."""
        if self.winnable is None or self.lost is None or self.lost > self.winnable + 1:
            return None
        return self.lost


def look_back(start: State, line: Iterable[Move], budget: Budget | None = None) -> Past:
    """Where along a line the position was still winnable and where it was lost.

    By bisection, for once lost is always lost: a win from a later position, with the moves that
    lead to it put before, is a win from an earlier one. Solves about log2 of the line's length
    positions, each with the budget; those that stay unknown cost twice that at most, and leave
    a gap. Raises ``IllegalMove`` with the place in the line.
    """
    moves = tuple(line)
    start.play_all(moves)

    @cache
    def verdict(number: int) -> str:
        return solve(start.play_all(moves[:number]), budget=budget).verdict

    numbers = range(len(moves) + 1)
    not_won = bisect_left(numbers, True, key=lambda number: verdict(number) != "won")
    lost = bisect_left(numbers, True, key=lambda number: verdict(number) == "lost")
    return Past(not_won - 1 if not_won else None, lost if lost in numbers else None, len(moves))


def fatal_move(start: State, line: Iterable[Move], budget: Budget | None = None) -> int | None:
    """The number, from 1, of the move after which the position is lost though it was not before.

    None if the end of the line can still be won, if the start was lost already, or if the
    budget leaves it open (``look_back`` tells these apart). Costs and errors are its own.

    >>> from osmosis_solver import Deal, parse_line
    >>> start = State.start(Deal.from_pysol(3))
    >>> fatal_move(start, parse_line("9C . . 7C . . AC"))
    """
    return look_back(start, line, budget).fatal


# ---- the next move -------------------------------------------------------------------------


@frozen
class Hint:
    """The next move of a line with the fewest turns, and why, in sentences.

    ``move`` is None if there is none to be named: the position is lost, unknown or won
    already. ``answer`` is what ``solve`` says of the position, minimising turns; its line
    begins with the move.
    """

    move: Move | None
    reason: str
    answer: Answer


def hint(state: State, budget: Budget | None = None) -> Hint:
    """The best move in a position that legal play can reach, under its own rules.

    All that the reason says was proved while it was made: what the other moves would cost or
    lose is solved for each. What the budget, which each position has to itself, leaves open
    is called so. Where a play is as good as a turn or a redeal, it is the play. Costs up to
    a few searches for the fewest turns, milliseconds each for most standard deals.

    >>> from osmosis_solver import Deal
    >>> hint(State.start(Deal.from_code("2CAD/AH:AC:2D2H"))).reason
    'Play AH to open row 2: opening it with AD now would lose.'
    """
    answer = solve(state, minimise="turns", budget=budget)
    if isinstance(answer, Lost):
        return Hint(None, "No line wins from here.", answer)
    if isinstance(answer, Unknown):
        limit = f"the limit on {answer.limit} was hit"
        return Hint(None, f"Whether this can be won is not settled: {limit}.", answer)
    if not answer.line:
        return Hint(None, "All cards are home.", answer)
    adviser = _Adviser(answer, budget)
    best = adviser.best
    return Hint(best.line[0], adviser.reason() + _as_far(best), best)


def _as_far(best: Won) -> str:
    if best.optimal:
        return ""
    least = f"at least {best.at_least} {'is' if best.at_least == 1 else 'are'} needed"
    turns = _many(best.turns, "turn")
    limit = f"; the limit on {best.limit} was hit" if best.limit else ""
    return f" The win found takes {turns}; {least}{limit}."


_EQUAL: Final = "would do as well"
_OPEN: Final = "would be better is not settled"


class _Adviser:
    """Compares the first move of a win with the others that a player might think of."""

    def __init__(self, best: Won, budget: Budget | None) -> None:
        self.best, self.state, self.budget = best, best.start, budget
        self.then = cache(self._then)
        self.plays = [move for move in self.state.legal_moves() if isinstance(move, Play)]
        if not isinstance(best.line[0], Play):
            self._prefer_a_play()

    def _then(self, move: Move) -> Answer:
        return solve(self.state.play(move), minimise="turns", budget=self.budget)

    def _prefer_a_play(self) -> None:
        """Where a play costs neither a turn nor a pass more, advise the play."""
        for play in self.plays:
            then = self.then(play)
            if self._fate(play) == _EQUAL and isinstance(then, Won):
                self.best = evolve(self.best, line=(play, *then.line))
                return

    def reason(self) -> str:
        """Why the first move of the win is the one to make, as a sentence."""
        move = self.best.line[0]
        if isinstance(move, Play):
            return self._why_play(move)
        head = "Turn" if move == TURN else "Redeal"
        if self.plays:
            return f"{head}: {self._told(self.plays, 'playing {} now')}."
        empty = "" if move == TURN else "the stock is empty and "
        idle = "that lies open belongs on a row" if any(self.state.open_cards()) else "lies open"
        return f"{head}: {empty}no card {idle}."

    def _why_play(self, play: Play) -> str:
        state, card = self.state, play.card
        row = state.row_for(card)
        if row == len(state.rows):
            head = f"Play {card} to open row {row + 1}"
            rivals = [p for p in self.plays if p != play and state.row_for(p.card) == row]
            why = self._told(rivals, "opening it with {} now") if rivals else self._without()
            return f"{head}: {why}."
        on_waste = state.waste[-1:] == (card,)
        return f"Play {card}: {self._without() if on_waste else _RESERVE}."

    def _without(self) -> str:
        """What becomes of it if one goes on through the stock instead of playing the card."""
        on = [move for move in self.state.legal_moves() if not isinstance(move, Play)]
        if on:
            doing = "turning on without it" if on == [TURN] else "redealing without it"
            equal = self._fate(on[0]) == _EQUAL
            return (
                f"it costs nothing, and {doing} gains nothing" if equal else self._told(on, doing)
            )
        if len(self.plays) == 1:
            return "no other move is left"
        return "it costs nothing" if self.best.optimal else "the win found goes on so"

    def _told(self, others: Iterable[Move], doing: str) -> str:
        """What the other moves would lead to, those of one fate together."""
        fates: dict[str, list[str]] = {}
        for move in others:
            fates.setdefault(self._fate(move), []).append(str(move))
        return ", and ".join(_clauses(fates, doing))

    def _fate(self, move: Move) -> str:
        """What another move would lead to, as the rest of a clause."""
        then, best = self.then(move), self.best
        if isinstance(then, Lost):
            return "would lose"
        if isinstance(then, Unknown):
            return _OPEN
        least = then.turns if then.optimal else then.at_least or 0
        more = least + (move == TURN) - best.turns
        if more > 0:
            return f"would cost {'' if then.optimal else 'at least '}{_many(more, 'turn')} more"
        if not then.optimal or not best.optimal:
            return _OPEN
        passes = then.passes + (move == REDEAL) - best.passes
        return f"would cost {_many(passes, 'pass')} more" if passes else _EQUAL


_RESERVE: Final = "it is on the reserve and costs nothing"
"""True of every card whose suit has a row: no other play, turn or redeal needs it where it is,
and on its row it hinders none, so a win without this play goes on as well after it."""


def _clauses(fates: dict[str, list[str]], doing: str) -> Iterator[str]:
    for fate, moves in fates.items():
        *firsts, last = moves
        done = doing.format(f"{', '.join(firsts)} or {last}" if firsts else last)
        yield f"whether {done} {fate}" if fate == _OPEN else f"{done} {fate}"


def _many(count: int, word: str) -> str:
    plural = word + ("es" if word.endswith("s") else "s")
    return f"{count} {word if count == 1 else plural}"
