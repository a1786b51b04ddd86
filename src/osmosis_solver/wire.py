"""Answers to and from JSON, one object a line. What is read is a stranger's, so all is checked."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn, TypeVar, get_args

from osmosis_solver.answer import (
    Answer,
    Entry,
    Limit,
    Lost,
    OrderProof,
    Proof,
    Spent,
    Unknown,
    Won,
)
from osmosis_solver.cards import SUITS
from osmosis_solver.deal import Deal
from osmosis_solver.errors import NotationError, OsmosisError, clip
from osmosis_solver.game import State
from osmosis_solver.moves import Move
from osmosis_solver.notation import format_line, parse_line
from osmosis_solver.rules import Rules

SCHEMA: Final = "osmosis-solver/answer/1"
LONGEST_LINE: Final = 2**26
"""Characters of the longest text that ``from_json`` reads."""

_FIELDS: Final = (
    "schema",
    "deal",
    "rules",
    "verdict",
    "line",
    "turns",
    "passes",
    "score",
    "proof",
    "positions",
    "seconds",
    "limit",
)
_RULES_FIELDS: Final = ("name", "draw", "passes", "waste", "row_start", "layout")
_ORDER_FIELDS: Final = ("order", "prefix", "entries")
_GIVEN_BY_THE_REST: Final = ("turns", "passes", "score", "limit")
_LONGEST_CODE: Final = 2_000
_LONGEST_PLAY: Final = 100_000
_MOST_PILES: Final = 1_000
_MOST_ORDERS: Final = math.factorial(len(SUITS))
_LARGEST: Final = 2**63
_MOST_OF_ENTRY: Final = (2**51 - 1, 51, 51, _LARGEST - 1)

_Place = tuple[str | int, ...]
_Built = TypeVar("_Built")
_Choice = TypeVar("_Choice", bound=str)


def to_line(answer: Answer) -> str:
    """The answer as one line of JSON without blanks or line end; ``from_json`` reads it back."""
    return json.dumps(to_json(answer), separators=(",", ":"), allow_nan=False)


def to_json(answer: Answer) -> dict[str, Any]:
    """The answer as an object for ``json``; ``from_json`` reads it back.

    Seconds are rounded to microseconds. Raises ``NotationError`` for an answer that begins
    in the middle of a game: the form has room for a deal only.
    """
    if answer.start != State.start(answer.deal, answer.rules):
        raise _wrong(str(answer.start), (), "an answer that begins with the deal")
    won = answer if isinstance(answer, Won) else None
    return {
        "schema": SCHEMA,
        "deal": answer.deal.code,
        "rules": _rules_to_json(answer.rules),
        "verdict": answer.verdict,
        "line": None if won is None else format_line(won.line),
        "turns": None if won is None else won.turns,
        "passes": None if won is None else won.passes,
        "score": answer.score,
        "proof": _proof_to_json(answer.proof) if isinstance(answer, Lost) else None,
        "positions": answer.spent.positions,
        "seconds": round(answer.spent.seconds, 6),
        "limit": answer.limit if isinstance(answer, Unknown) else None,
    }


def _rules_to_json(rules: Rules) -> dict[str, Any]:
    return {
        "name": rules.name,
        "draw": rules.draw,
        "passes": rules.passes,
        "waste": rules.waste,
        "row_start": rules.row_start,
        "layout": list(rules.layout),
    }


def _proof_to_json(proof: Proof) -> dict[str, Any]:
    return {
        "orders": [
            {
                "order": part.order,
                "prefix": part.prefix,
                "entries": [_entry_to_json(entry) for entry in part.entries],
            }
            for part in proof.orders
        ]
    }


def _entry_to_json(entry: Entry) -> list[int]:
    if entry.redeals:
        return list(entry)
    return list(entry[:3]) if entry.packet else list(entry[:2])


def from_json(source: str | dict[str, Any]) -> Answer:
    """The answer that ``to_json`` or ``to_line`` wrote: an object, or its text.

    Nothing is taken on trust but the answer itself, which ``check`` is for: fields, types,
    sizes and what one field says of another are held to the form. A text is at most
    ``LONGEST_LINE`` characters long. Raises ``NotationError`` whose ``where`` names the
    place in the object.
    """
    value = _load(source) if isinstance(source, str) else source
    fields = _object(value, _FIELDS, ())
    _equal(fields["schema"], SCHEMA, ("schema",))
    start = State.start(_deal(fields["deal"]), _rules(fields["rules"]))
    answer = _answer(start, fields, _spent(fields))
    ours = to_json(answer)
    for name in _GIVEN_BY_THE_REST:
        _equal(fields[name], ours[name], (name,))
    return answer


def _answer(start: State, fields: dict[str, Any], spent: Spent) -> Answer:
    verdict = _one_of(fields["verdict"], ("won", "lost", "unknown"), ("verdict",))
    for name, owner in (("line", "won"), ("proof", "lost")):
        if verdict != owner:
            _equal(fields[name], None, (name,))
    if verdict == "won":
        return Won(start, _line(fields["line"]), spent=spent)
    score = _whole(fields["score"], ("score",), least=1, most=len(start.deal) - 1)
    if verdict == "lost":
        return Lost(start, _proof(fields["proof"]), score, spent=spent)
    return Unknown(start, _one_of(fields["limit"], get_args(Limit), ("limit",)), score, spent=spent)


def _deal(value: object) -> Deal:
    code = _text(value, ("deal",), most=_LONGEST_CODE)
    return _built(lambda: Deal.from_code(code), ("deal",))


def _rules(value: object) -> Rules:
    place = ("rules",)
    fields = _object(value, _RULES_FIELDS, place)
    layout = _list(fields["layout"], (*place, "layout"), most=_MOST_PILES)
    for name in ("draw", "passes"):
        if name == "draw" or fields[name] is not None:
            _whole(fields[name], (*place, name), least=1)
    given = {name: fields[name] for name in ("draw", "passes", "waste", "row_start")}
    rules = _built(lambda: Rules(**given, layout=tuple(layout)), place)
    _equal(fields["name"], rules.name, (*place, "name"))
    return rules


def _spent(fields: dict[str, Any]) -> Spent:
    seconds = fields["seconds"]
    if type(seconds) not in (int, float) or not 0 <= seconds < _LARGEST:
        raise _wrong(seconds, ("seconds",), "a number from 0 up")
    return Spent(_whole(fields["positions"], ("positions",)), float(seconds))


def _line(value: object) -> tuple[Move, ...]:
    text = _text(value, ("line",), most=_LONGEST_PLAY)
    return _built(lambda: parse_line(text), ("line",))


def _proof(value: object) -> Proof:
    place = ("proof", "orders")
    parts = _list(_object(value, ("orders",), ("proof",))["orders"], place, most=_MOST_ORDERS)
    return Proof(_order(part, (*place, i)) for i, part in enumerate(parts))


def _order(value: object, place: _Place) -> OrderProof:
    fields = _object(value, _ORDER_FIELDS, place)
    order = _text(fields["order"], (*place, "order"), most=len(SUITS))
    if not order or len(set(order)) < len(order) or not set(order) <= set(SUITS):
        raise _wrong(order, (*place, "order"), "different suits out of C D H S")
    prefix = _whole(fields["prefix"], (*place, "prefix"), most=51)
    entries = _list(fields["entries"], (*place, "entries"))
    read = (_entry(entry, (*place, "entries", i)) for i, entry in enumerate(entries))
    return OrderProof(order, prefix, tuple(read))


def _entry(value: object, place: _Place) -> Entry:
    numbers = _list(value, place, most=len(_MOST_OF_ENTRY))
    if len(numbers) < 2:
        raise _wrong(value, place, "two to four numbers: left, waste, packet, redeals")
    limits = zip(numbers, _MOST_OF_ENTRY, strict=False)
    return Entry(*[_whole(n, (*place, i), most=most) for i, (n, most) in enumerate(limits)])


def _load(text: str) -> object:
    if len(text) > LONGEST_LINE:
        raise _wrong_raw(f"{len(text)} characters", (), f"at most {LONGEST_LINE}")
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
        raise _wrong_raw("lists in lists without end", (), "an answer as JSON") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise _wrong_raw(f"field {clip(twice)} twice", (), "each field once")
    return fields


def _constant(name: str) -> NoReturn:
    raise _wrong_raw(name, (), "a number")


def _shortened(digits: str) -> int:
    """A number too long for any field stays too large when cut; the field then refuses it."""
    return int(digits[:60])


def _object(value: object, names: Iterable[str], place: _Place) -> dict[str, Any]:
    if type(value) is not dict:
        raise _wrong(value, place, "an object")
    for name in names:
        if name not in value:
            raise _wrong_raw(f"no field {name!r}", place, "all fields of the form")
    for name in value:
        if name not in names:
            raise _wrong_raw(f"field {clip(name)}", place, "only the fields of the form")
    return value


def _list(value: object, place: _Place, most: int | None = None) -> list[Any]:
    if type(value) is not list:
        raise _wrong(value, place, "a list")
    if most is not None and len(value) > most:
        raise _wrong_raw(f"a list of {len(value)}", place, f"at most {most}")
    return value


def _text(value: object, place: _Place, most: int) -> str:
    if type(value) is not str:
        raise _wrong(value, place, "a text")
    if len(value) > most:
        raise _wrong_raw(f"a text of {len(value)} characters", place, f"at most {most}")
    return value


def _whole(value: object, place: _Place, most: int = _LARGEST - 1, least: int = 0) -> int:
    if type(value) is int and least <= value <= most:
        return value
    raise _wrong(value, place, f"a whole number from {least} to {most}")


def _one_of(value: object, choices: tuple[_Choice, ...], place: _Place) -> _Choice:
    for choice in choices:
        if value == choice:
            return choice
    raise _wrong(value, place, " or ".join(map(repr, choices)))


def _equal(value: object, wanted: object, place: _Place) -> None:
    if type(value) is not type(wanted) or value != wanted:
        raise _wrong(value, place, "null" if wanted is None else repr(wanted))


def _built(build: Callable[[], _Built], place: _Place) -> _Built:
    try:
        return build()
    except OsmosisError as error:
        raise NotationError(error.got, f"{_spell(place)}: {error.where}", error.wanted) from None


def _wrong(value: object, place: _Place, wanted: str) -> NotationError:
    got = {type(None): "null", list: "a list", dict: "an object"}.get(type(value)) or clip(value)
    return _wrong_raw(got, place, wanted)


def _wrong_raw(got: str, place: _Place, wanted: str) -> NotationError:
    return NotationError(got, _spell(place), wanted)


def _spell(place: _Place) -> str:
    """The place in the object as one writes it: ``answer, proof.orders[0].prefix``."""
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return f"answer, {path[1:]}" if path else "answer"
