"""What an answer is: won with a line, lost with a proof, or unknown with the limit hit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, NoReturn, cast

from attrs import field, frozen

from osmosis_solver.deal import Deal
from osmosis_solver.errors import OsmosisError, clip
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move
from osmosis_solver.rules import Rules

Limit = Literal["seconds", "positions", "memory"]
Minimise = Literal["turns", "passes"]


def _positive(wanted: str, kinds: type | tuple[type, ...], optional: bool) -> Any:
    def check(_: Any, attribute: Any, value: Any) -> None:
        if value is None and optional:
            return
        right_kind = isinstance(value, kinds) and not isinstance(value, bool)
        if not right_kind or not 0 < value < 2**63:
            raise OsmosisError(clip(value), f"budget {attribute.name}", wanted)

    return check


@frozen
class Budget:
    """How much one deal may cost. Raises ``OsmosisError`` for a limit that is not positive.

    ``seconds`` of wall time and ``positions`` searched, None for no limit; ``megabytes``
    (10^6 bytes) of the search's tables and of the proof that it gathers. A search for the
    cheapest win passes ``positions`` by the plays of one position at the most.
    """

    seconds: float | None = field(
        default=None,
        validator=_positive("a positive number below 2^63, or None", (int, float), True),
    )
    positions: int | None = field(
        default=None, validator=_positive("a positive whole number below 2^63, or None", int, True)
    )
    megabytes: int = field(
        default=512, validator=_positive("a positive whole number below 2^63", int, False)
    )


@frozen
class Spent:
    """What an answer cost: positions searched and seconds of wall time."""

    positions: int
    seconds: float


class Entry(NamedTuple):
    """One position of a proof, under the row order of its ``OrderProof``.

    ``left``: bit j is set if card j of the sequence (waste, then stock, as at the start)
    is one of the first ``prefix`` cards and not yet played. ``waste``: how many of these
    lie on the waste. ``packet``: how many of them the packet rule still lets play.
    ``redeals``: redeals left under a pass limit, no more than the sequence has cards.
    """

    left: int
    waste: int
    packet: int = 0
    redeals: int = 0


def _entries(value: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(value)


@frozen
class OrderProof:
    """Why no line wins with the suits in this row order.

    ``order`` names all suits, row 1 first. The first ``prefix`` cards of the sequence are
    followed exactly, the rest only through the closure that ``check`` computes; the
    positions of ``entries`` are closed under play. No entries: the closure falls short at
    the very start.
    """

    order: str
    prefix: int
    entries: tuple[Entry, ...] = field(default=(), converter=_entries)


def _orders(value: Iterable[OrderProof]) -> tuple[OrderProof, ...]:
    return tuple(value)


@frozen
class Proof:
    """A proof of a loss: one part for every row order that the start still allows.

    With ``most`` it proves that no line brings home more cards than that, without that no
    line brings home all.
    """

    orders: tuple[OrderProof, ...] = field(converter=_orders)
    most: int | None = None


class CostEntry(NamedTuple):
    """One position of a proof that no win is cheaper, with what it cost to come there.

    ``left``, ``waste`` and ``packet`` are those of ``Entry``, over the whole sequence;
    ``turns`` and ``redeals`` are the fewest, in the order that is minimised, on any line to it.
    """

    left: int
    waste: int
    packet: int
    turns: int
    redeals: int


@frozen
class CostProof:
    """A proof that a win is the cheapest: for each row order the positions short of it.

    Each play of a listed position leads to a listed one, at no lower cost than is listed,
    or to one from which the bound of ``check`` allows no cheaper win. A row order that is
    left out lists nothing: the bound at the start is enough.
    """

    orders: tuple[tuple[str, tuple[CostEntry, ...]], ...]


@frozen
class _Answer:
    """What all answers share: where the search began and what it cost."""

    start: State
    spent: Spent = field(eq=False, kw_only=True)

    @property
    def deal(self) -> Deal:
        """The deal that was asked about."""
        return self.start.deal

    @property
    def rules(self) -> Rules:
        """The rules that it was asked under."""
        return self.start.rules

    def _repr_html_(self) -> str:
        """The answer as pictures with few words, for notebooks."""
        from osmosis_solver import render

        return render.notebook(cast("Answer", self))

    def __bool__(self) -> NoReturn:
        raise TypeError("an answer is won, lost or unknown, not true or false: ask its verdict")


def count(moves: Iterable[Move], kind: Move) -> int:
    """How many of the moves are of that kind (``TURN``, ``REDEAL``)."""
    return sum(1 for move in moves if move == kind)


def _moves(value: Iterable[Move]) -> tuple[Move, ...]:
    return tuple(value)


def _moves_or_none(value: Iterable[Move] | None) -> tuple[Move, ...] | None:
    return None if value is None else tuple(value)


@frozen
class Won(_Answer):
    """The deal can be won: ``line`` is a whole winning line of play.

    If the fewest turns or passes were asked for, ``minimise`` says which (ties are broken
    by the other), ``at_least`` is what every win needs of it, and ``proof`` proves the line
    optimal; without a proof the budget ran out first, and ``limit`` says which part of it.
    """

    line: tuple[Move, ...] = field(converter=_moves)
    minimise: Minimise | None = None
    at_least: int | None = None
    proof: CostProof | None = None
    limit: Limit | None = None

    @property
    def optimal(self) -> bool:
        """Whether the line is proved to need the fewest of what was minimised."""
        return self.proof is not None

    @property
    def verdict(self) -> Literal["won"]:
        """``"won"``."""
        return "won"

    @property
    def turns(self) -> int:
        """Turns of the stock in the line."""
        return count(self.line, TURN)

    @property
    def passes(self) -> int:
        """Passes through the stock that the line uses, the one it begins in included."""
        return 1 + count(self.line, REDEAL)

    @property
    def score(self) -> int:
        """Cards on the rows at the end: the whole deck."""
        return len(self.deal)


@frozen
class Lost(_Answer):
    """No line of play wins: ``proof`` shows it. ``score`` is the best that was reached.

    If the best score was asked for, ``line`` reaches ``score``, and ``proof.most`` is the
    most that any line can reach; the two are equal unless the budget ran out first, and
    then ``limit`` says which part of it.
    """

    proof: Proof
    score: int
    line: tuple[Move, ...] | None = field(default=None, converter=_moves_or_none)
    limit: Limit | None = None

    @property
    def verdict(self) -> Literal["lost"]:
        """``"lost"``."""
        return "lost"

    @property
    def optimal(self) -> bool:
        """Whether no line is proved to reach more than ``score``."""
        return self.line is not None and self.proof.most == self.score


@frozen
class Unknown(_Answer):
    """The budget ran out: ``limit`` says which part. ``score`` is the best that was reached.

    ``line`` reaches it, if the best score was asked for.
    """

    limit: Limit
    score: int
    line: tuple[Move, ...] | None = field(default=None, converter=_moves_or_none)

    @property
    def verdict(self) -> Literal["unknown"]:
        """``"unknown"``."""
        return "unknown"

    @property
    def optimal(self) -> bool:
        """Never: the verdict itself is open."""
        return False


Answer = Won | Lost | Unknown


class Watcher:
    """Someone who looks on while ``solve`` works. All methods do nothing; override them.

    An exception raised here ends the search and reaches the caller of ``solve``.
    """

    def progress(self, spent: Spent) -> None:
        """Called every few milliseconds of a search that takes longer."""

    def improved(self, line: tuple[Move, ...], at_least: int | None) -> None:
        """Called with each better line: fewer turns, fewer passes or a higher score than before.

        ``at_least`` is what is proved so far of the turns or passes that are minimised.
        """
