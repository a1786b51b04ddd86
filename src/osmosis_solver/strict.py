"""Holds JSON that a stranger wrote to its form: types, sizes and fields, each refusal in one place.

Every function takes the place of a value in the object, and raises ``NotationError`` with it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn, TypeVar

from osmosis_solver.errors import NotationError, OsmosisError, clip

LONGEST_LINE: Final = 2**26
"""Characters of the longest text that ``load`` reads."""
LARGEST: Final = 2**63 - 1
"""The largest whole number of any field."""

Place = tuple[str | int, ...]
_Built = TypeVar("_Built")
_Choice = TypeVar("_Choice", bound=str)


def load(text: str) -> object:
    """The value that a JSON text stands for: no field twice, no NaN, no endless nesting."""
    if len(text) > LONGEST_LINE:
        raise refused(f"{len(text)} characters", (), f"at most {LONGEST_LINE}")
    try:
        return json.loads(
            text, object_pairs_hook=_once, parse_constant=_constant, parse_int=_shortened
        )
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        where = f"answer, {line}column {error.colno}"
        got = clip(text[error.pos : error.pos + 20]) if text[error.pos :] else "the end"
        raise NotationError(
            got, where, "an answer as JSON", line=error.lineno, column=error.colno
        ) from None
    except RecursionError:
        raise refused("lists in lists without end", (), "an answer as JSON") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise refused(f"field {clip(twice)} twice", (), "each field once")
    return fields


def _constant(name: str) -> NoReturn:
    raise refused(name, (), "a number")


def _shortened(digits: str) -> int:
    """A number too long for any field stays too large when cut; the field then refuses it."""
    return int(digits[:60])


def fields_of(value: object, names: Iterable[str], place: Place) -> dict[str, Any]:
    """An object with these fields and no others."""
    if type(value) is not dict:
        raise wrong(value, place, "an object")
    for name in names:
        if name not in value:
            raise refused(f"no field {name!r}", place, "all fields of the form")
    for name in value:
        if name not in names:
            raise refused(f"field {clip(name)}", place, "only the fields of the form")
    return value


def items_of(value: object, place: Place, most: int | None = None) -> list[Any]:
    """A list, of at most so many items."""
    if type(value) is not list:
        raise wrong(value, place, "a list")
    if most is not None and len(value) > most:
        raise refused(f"a list of {len(value)}", place, f"at most {most}")
    return value


def text_of(value: object, place: Place, most: int) -> str:
    """A text of at most so many characters."""
    if type(value) is not str:
        raise wrong(value, place, "a text")
    if len(value) > most:
        raise refused(f"a text of {len(value)} characters", place, f"at most {most}")
    return value


def whole(value: object, place: Place, most: int = LARGEST, least: int = 0) -> int:
    """A whole number from ``least`` to ``most``."""
    if type(value) is int and least <= value <= most:
        return value
    raise wrong(value, place, f"a whole number from {least} to {most}")


def one_of(value: object, choices: tuple[_Choice, ...], place: Place) -> _Choice:
    """One of a few texts."""
    for choice in choices:
        if value == choice:
            return choice
    raise wrong(value, place, " or ".join(map(repr, choices)))


def must_equal(value: object, wanted: object, place: Place) -> None:
    """Refuse what is not this value, of this type."""
    if type(value) is not type(wanted) or value != wanted:
        raise wrong(value, place, "null" if wanted is None else repr(wanted))


def built(build: Callable[[], _Built], place: Place) -> _Built:
    """What is built of a value, its error told as one of that place."""
    try:
        return build()
    except OsmosisError as error:
        raise NotationError(error.got, f"{_spell(place)}: {error.where}", error.wanted) from None


def wrong(value: object, place: Place, wanted: str) -> NotationError:
    """The error that a value is not what is wanted there."""
    got = {type(None): "null", list: "a list", dict: "an object"}.get(type(value)) or clip(value)
    return refused(got, place, wanted)


def refused(got: str, place: Place, wanted: str) -> NotationError:
    """The same error, what was got in words."""
    return NotationError(got, _spell(place), wanted)


def _spell(place: Place) -> str:
    """The place in the object as one writes it: ``answer, proof.orders[0].prefix``."""
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return f"answer, {path[1:]}" if path else "answer"
