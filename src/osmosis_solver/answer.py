"""What an answer is: won with a line, lost with a proof, or unknown with the limit hit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, NoReturn

from attrs import field, frozen

from osmosis_solver.deal import Deal
from osmosis_solver.errors import OsmosisError, clip
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move
from osmosis_solver.rules import Rules

Limit = Literal["seconds", "positions", "memory"]


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
    (10^6 bytes) of the search's tables and of the proof that it gathers.
    """

    seconds: float | None = field(
        default=None, validator=_positive("a positive number or None", (int, float), True)
    )
    positions: int | None = field(
        default=None, validator=_positive("a positive whole number or None", int, True)
    )
    megabytes: int = field(default=512, validator=_positive("a positive whole number", int, False))


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
    ``redeals``: redeals left under a pass limit.
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
    """A proof of a loss: one part for every row order that the start still allows."""

    orders: tuple[OrderProof, ...] = field(converter=_orders)


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

    def __bool__(self) -> NoReturn:
        raise TypeError("an answer is won, lost or unknown, not true or false: ask its verdict")


def count(moves: Iterable[Move], kind: Move) -> int:
    """How many of the moves are of that kind (``TURN``, ``REDEAL``)."""
    return sum(1 for move in moves if move == kind)


def _moves(value: Iterable[Move]) -> tuple[Move, ...]:
    return tuple(value)


@frozen
class Won(_Answer):
    """The deal can be won: ``line`` is a whole winning line of play."""

    line: tuple[Move, ...] = field(converter=_moves)

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
        """Passes through the stock that the line uses, the first one included."""
        return 1 + count(self.line, REDEAL)

    @property
    def score(self) -> int:
        """Cards on the rows at the end: the whole deck."""
        return len(self.deal)


@frozen
class Lost(_Answer):
    """No line of play wins: ``proof`` shows it. ``score`` is the best that was reached."""

    proof: Proof
    score: int

    @property
    def verdict(self) -> Literal["lost"]:
        """``"lost"``."""
        return "lost"


@frozen
class Unknown(_Answer):
    """The budget ran out: ``limit`` says which part. ``score`` is the best that was reached."""

    limit: Limit
    score: int

    @property
    def verdict(self) -> Literal["unknown"]:
        """``"unknown"``."""
        return "unknown"


Answer = Won | Lost | Unknown


class Watcher:
    """Someone who looks on while ``solve`` works. All methods do nothing; override them.

    An exception raised here ends the search and reaches the caller of ``solve``.
    """

    def progress(self, spent: Spent) -> None:
        """Called every few milliseconds of a search that takes longer."""
