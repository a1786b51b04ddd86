"""The errors of the package: few, all of them ``ValueError``, each carrying its data."""

from __future__ import annotations

_LONGEST_QUOTE = 40


def clip(got: object) -> str:
    """``repr`` of what was got, cut to a length that fits into a one-line message."""
    if isinstance(got, int) and got.bit_length() > 128:
        return f"a number of {got.bit_length()} bits"
    if isinstance(got, str) and len(got) > _LONGEST_QUOTE:
        return repr(got[:_LONGEST_QUOTE]) + "..."
    try:
        text = repr(got)
    except ValueError:  # Python does not write out an int of thousands of digits
        text = f"a {type(got).__name__} that is too long to show"
    return text if len(text) <= 2 * _LONGEST_QUOTE else text[: 2 * _LONGEST_QUOTE] + "..."


class OsmosisError(ValueError):
    """Base of every error the package raises on purpose.

    ``got`` is what was met, ``where`` the place it was met at, ``wanted`` what would
    have been right. The message is one sentence made of the three.
    """

    def __init__(self, got: str, where: str, wanted: str) -> None:
        super().__init__(got, where, wanted)
        self.got = got
        self.where = where
        self.wanted = wanted

    def __str__(self) -> str:
        return f"{self.where}: got {self.got}, wanted {self.wanted}"


class NotationError(OsmosisError):
    """A text or a number that is not in the notation; ``line`` and ``column`` count from 1."""

    def __init__(
        self,
        got: str,
        where: str,
        wanted: str,
        *,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(got, where, wanted)
        self.line = line
        self.column = column


class DealError(OsmosisError):
    """Cards that do not make a deal: one twice, one missing, no base card."""


class RulesError(OsmosisError):
    """A rules record with a field that the game does not know."""


class IllegalMove(OsmosisError):
    """A move that the rules forbid here; ``move`` is its text, ``reason`` says why."""

    def __init__(self, move: str, reason: str, where: str = "illegal move") -> None:
        super().__init__(move, where, "a legal move")
        self.move = move
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.where} {self.move}: {self.reason}"


class ProofError(OsmosisError):
    """An answer that does not verify: the line does not win or the proof has a gap."""


class StoreError(OsmosisError):
    """A store of a survey that cannot be read or written, or that is about something else."""
