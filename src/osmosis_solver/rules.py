"""The rules record and the named rules."""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

from attrs import evolve, field, frozen

from osmosis_solver.errors import RulesError, clip

Waste = Literal["top", "packet"]
RowStart = Literal["base", "any"]


def _natural(where: str, got: object) -> None:
    if isinstance(got, bool) or not isinstance(got, int) or not 1 <= got < 2**63:
        raise RulesError(clip(got), where, "a whole number from 1 to 2^63 - 1")


def _check_draw(_: Any, __: Any, value: object) -> None:
    _natural("rules field draw", value)


def _check_passes(_: Any, __: Any, value: object) -> None:
    if value is not None:
        _natural("rules field passes (None is without limit)", value)


def _one_of(where: str, choices: tuple[str, ...]) -> Any:
    def check(_: Any, __: Any, value: object) -> None:
        if value not in choices:
            raise RulesError(clip(value), f"rules field {where}", " or ".join(map(repr, choices)))

    return check


def _check_layout(_: Any, __: Any, value: object) -> None:
    wanted = "a tuple of pile sizes from 0 up with at most 51 cards together"
    sizes = value if isinstance(value, tuple) else None
    if sizes is None or not all(type(size) is int and size >= 0 for size in sizes):
        raise RulesError(clip(value), "rules field layout", wanted)
    if sum(sizes) > 51:
        raise RulesError(clip(value), "rules field layout", wanted)


@frozen
class Rules:
    """How the game is played. Raises ``RulesError`` for a value the game does not know.

    - ``draw``: cards a turn, from 1 up.
    - ``passes``: how many passes through the stock are allowed; None is without limit.
    - ``waste``: ``"top"``, the waste top is always playable; ``"packet"``, only the cards
      of the packet turned last.
    - ``row_start``: ``"base"``, a suit opens its row with the base rank; ``"any"``, with
      any card whose rank is in the row above.
    - ``layout``: the sizes of the reserve piles that a *numbered* deal is dealt with. A
      deal given card by card brings its own layout; this field does not touch play.

    >>> Rules(draw=2, passes=5)
    Rules(draw=2, passes=5, waste='top', row_start='base', layout=(4, 4, 4, 4))
    """

    draw: int = field(default=3, validator=_check_draw)
    passes: int | None = field(default=None, validator=_check_passes)
    waste: Waste = field(default="top", validator=_one_of("waste", get_args(Waste)))
    row_start: RowStart = field(default="base", validator=_one_of("row_start", get_args(RowStart)))
    layout: tuple[int, ...] = field(default=(4, 4, 4, 4), validator=_check_layout)

    @property
    def name(self) -> str | None:
        """The first name of this record in ``NAMED_RULES``, or None."""
        return next((name for name, rules in NAMED_RULES.items() if rules == self), None)

    @classmethod
    def named(cls, name: str) -> Rules:
        """The rules of that name, upper or lower case, ``-`` for ``_``. Raises ``RulesError``."""
        plain = isinstance(name, str) and name.isascii()  # "ſ" and "ß" have upper cases too
        found = NAMED_RULES.get(name.upper().replace("-", "_")) if plain else None
        if found is None:
            raise RulesError(clip(name), "rules name", "one of " + ", ".join(NAMED_RULES))
        return found


OSMOSIS: Final = Rules()
TREASURE_TROVE: Final = OSMOSIS
PEEK: Final = OSMOSIS
GAMERULES: Final = evolve(OSMOSIS, waste="packet")
DRAW_ONE: Final = evolve(OSMOSIS, draw=1)
THREE_PASSES: Final = evolve(OSMOSIS, passes=3)
AISLERIOT: Final = evolve(OSMOSIS, draw=1, passes=3)
BRIDESMAIDS: Final = evolve(OSMOSIS, passes=1)
PYSOL_BRIDESMAIDS: Final = evolve(OSMOSIS, layout=())
RELAXED: Final = evolve(OSMOSIS, row_start="any")

NAMED_RULES: Final[dict[str, Rules]] = {
    "OSMOSIS": OSMOSIS,
    "TREASURE_TROVE": TREASURE_TROVE,
    "PEEK": PEEK,
    "GAMERULES": GAMERULES,
    "DRAW_ONE": DRAW_ONE,
    "THREE_PASSES": THREE_PASSES,
    "AISLERIOT": AISLERIOT,
    "BRIDESMAIDS": BRIDESMAIDS,
    "PYSOL_BRIDESMAIDS": PYSOL_BRIDESMAIDS,
    "RELAXED": RELAXED,
}
