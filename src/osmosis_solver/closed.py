"""A deal on the table whose hidden cards stay hidden: what is known is what was seen."""

from __future__ import annotations

from attrs import define, field

from osmosis_solver.advisor import Advice, advise, plan
from osmosis_solver.cards import Card
from osmosis_solver.game import State
from osmosis_solver.moves import Move
from osmosis_solver.play import Outlook, Table
from osmosis_solver.view import Sees, View, glimpse


@define
class ClosedTable(Table):
    """A table at which the advisor stands in for the solver: ``forth`` makes the move it advises.

    ``seen`` are the cards seen so far; they stay seen when moves are taken back. Of a turn
    ``sees`` tells what it shows. No outlook is known, for that would take a look.
    """

    completions: int = 100
    sees: Sees = "packets"
    seen: set[Card] = field(init=False, factory=set)
    _planned: tuple[State | None, tuple[Move, ...]] = field(init=False, default=(None, ()))

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.seen |= glimpse(self.start, self.sees)

    def _look(self, state: State) -> Outlook:
        return Outlook("unknown", (), state.score, optimal=False)

    @property
    def view(self) -> View:
        """What is seen now."""
        return View.showing(self.state, self.seen, self.sees)

    @property
    def advice(self) -> Advice:
        """What the advisor says of the position now. Costs some milliseconds."""
        return advise(self.view, completions=self.completions)

    def make(self, move: Move) -> None:
        """Make any move, and see what it shows. Raises ``IllegalMove``."""
        super().make(move)
        self.seen |= glimpse(self.state, self.sees)

    def forth(self) -> bool:
        """Make the move that is advised; False where no play can come up any more."""
        at, moves = self._planned
        if at != self.state or not moves:
            moves = plan(self.view, self.completions)
        if not moves:
            return False
        self.make(moves[0])
        self._planned = self.state, moves[1:]
        return True
