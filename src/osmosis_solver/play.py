"""A deal on the table: moves made and taken back, and what the solver knows at each."""

from __future__ import annotations

from typing import Final, Literal, Self

from attrs import define, evolve, field, frozen

from osmosis_solver.answer import Budget, Limit, Won, count
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move, Play
from osmosis_solver.solver import best_score, solve

Verdict = Literal["won", "lost", "unknown"]

_START: Final = 0


@frozen
class Outlook:
    """What is known of a position: whether it can be won, and the best line from it.

    ``line`` wins, in the fewest turns if ``optimal``; where no win is known it brings home the
    most cards that were found, and ``optimal`` says that none brings home more. ``score`` is
    what it reaches. ``limit`` is the limit that was hit, if one was.
    """

    verdict: Verdict
    line: tuple[Move, ...]
    score: int
    optimal: bool
    limit: Limit | None = None

    @classmethod
    def of(cls, state: State, budget: Budget | None = None) -> Self:
        """Ask the solver. Costs a search for the fewest turns, or one for the best score."""
        answer = solve(state, minimise="turns", budget=budget)
        if not isinstance(answer, Won):
            answer = best_score(state, budget=budget)
        return cls(answer.verdict, answer.line or (), answer.score, answer.optimal, answer.limit)

    @property
    def turns(self) -> int:
        """Turns that the line takes."""
        return count(self.line, TURN)

    @property
    def passes(self) -> int:
        """Passes that the line takes, the one under way included."""
        return 1 + count(self.line, REDEAL)

    def after_next(self) -> Self:
        """What is known after the first move of the line."""
        # A tail of a line with the fewest turns has the fewest: a better tail would make a
        # better line. So with scores.
        return evolve(self, line=self.line[1:])


@frozen
class Step:
    """A position on the way, the move that led to it (None at the start), what is known of it."""

    state: State
    move: Move | None
    outlook: Outlook


@define
class Table:
    """One deal being played. Every method that moves says whether there was anything to do.

    A move of the known line costs nothing, any other one a question to the solver within
    ``budget``. What is taken back can be made again until another move is made there.
    """

    start: State
    budget: Budget | None = None
    _steps: list[Step] = field(init=False)
    _at: int = field(init=False, default=_START)

    def __attrs_post_init__(self) -> None:
        self._steps = [Step(self.start, None, self._look(self.start))]

    @property
    def state(self) -> State:
        """The position now."""
        return self._here.state

    @property
    def outlook(self) -> Outlook:
        """What is known of the position now."""
        return self._here.outlook

    @property
    def last_move(self) -> Move | None:
        """The move that led here, None at the start."""
        return self._here.move

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves from the start to here."""
        return tuple(step.move for step in self._steps[: self._at + 1] if step.move is not None)

    @property
    def fatal(self) -> int | None:
        """The number, from 1, of the move that threw the win away, if one here did."""
        verdicts = [step.outlook.verdict for step in self._steps[: self._at + 1]]
        lost = verdicts.index("lost") if "lost" in verdicts else 0
        return lost if lost and verdicts[lost - 1] == "won" else None

    @property
    def _here(self) -> Step:
        return self._steps[self._at]

    def make(self, move: Move) -> None:
        """Make any move. Raises ``IllegalMove``."""
        if self._can_redo() == move:
            self._at += 1
            return
        state, known = self.state.play(move), self.outlook
        follows = known.line[:1] == (move,)
        outlook = known.after_next() if follows else self._look(state)
        self._at += 1
        self._steps[self._at :] = [Step(state, move, outlook)]

    def forth(self) -> bool:
        """Make the next move of the known line."""
        if not self.outlook.line:
            return False
        self.make(self.outlook.line[0])
        return True

    def back(self) -> bool:
        """Take the last move back."""
        if self._at == _START:
            return False
        self._at -= 1
        return True

    def redo(self) -> bool:
        """Make the move again that was taken back last."""
        if self._can_redo() is None:
            return False
        self._at += 1
        return True

    def forth_to_play(self) -> bool:
        """Follow the known line through its next play."""
        moved = self.forth()
        while moved and not isinstance(self.last_move, Play) and self.forth():
            pass
        return moved

    def back_to_play(self) -> bool:
        """Take moves back through the last play."""
        moved, through = self.back(), False
        while moved and not through and self._at > _START:
            through = isinstance(self._steps[self._at + 1].move, Play)
            self._at -= not through
        return moved

    def first(self) -> bool:
        """Take all moves back."""
        moved, self._at = self._at > _START, _START
        return moved

    def last(self) -> bool:
        """Follow the known line to its end."""
        moved = self.forth()
        while moved and self.forth():
            pass
        return moved

    def _look(self, state: State) -> Outlook:
        """What is known of a position."""
        return Outlook.of(state, self.budget)

    def _can_redo(self) -> Move | None:
        return self._steps[self._at + 1].move if self._at + 1 < len(self._steps) else None
