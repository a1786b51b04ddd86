"""Answers to and from JSON, one object a line. What is read is a stranger's, so all is checked.

``docs/json.md`` tells every field. The entries of a proof are packed, since a hard deal has
hundreds of thousands: those of a row order are grouped by ``left``, in rising order, and a group
is the list ``[difference to the left of the group before, position, position, ...]``, the first
difference being to 0. A position is the list ``[waste, packet, redeals]``, in a proof of the
optimum ``[waste, turns, redeals, packet]``, without the zeros at its end, and only the number
where one number is left. Positions rise too, so that a proof has one text. For example
``[[3,0],[4,1,[1,1]]]`` stands for the entries ``Entry(3, 0)``, ``Entry(7, 1)``, ``Entry(7, 1, 1)``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any, Final, get_args

from osmosis_solver.answer import (
    Answer,
    CostEntry,
    CostProof,
    Entry,
    Limit,
    Lost,
    Minimise,
    OrderProof,
    Proof,
    Spent,
    Unknown,
    Won,
)
from osmosis_solver.cards import SUITS
from osmosis_solver.deal import Deal
from osmosis_solver.errors import IllegalMove, NotationError, ProofError
from osmosis_solver.game import State
from osmosis_solver.moves import Move
from osmosis_solver.notation import format_line, parse_line
from osmosis_solver.rules import Rules
from osmosis_solver.strict import (
    LARGEST,
    Place,
    built,
    fields_of,
    items_of,
    load,
    must_equal,
    one_of,
    refused,
    text_of,
    whole,
    wrong,
)

SCHEMA: Final = "osmosis-solver/answer/1"

_FIELDS: Final = (
    "schema",
    "deal",
    "rules",
    "after",
    "verdict",
    "minimise",
    "line",
    "turns",
    "passes",
    "score",
    "optimal",
    "at_least",
    "proof",
    "positions",
    "seconds",
    "limit",
)
_RULES_FIELDS: Final = ("name", "draw", "passes", "waste", "row_start", "layout")
_ORDER_FIELDS: Final = ("order", "prefix", "entries")
_LONGEST_CODE: Final = 2_000
_LONGEST_PLAY: Final = 100_000
_MOST_PILES: Final = 1_000
_MOST_ORDERS: Final = math.factorial(len(SUITS))
_MOST_CARDS: Final = 51
_MOST_LEFT: Final = 2**_MOST_CARDS - 1
_MOST_OF_ENTRY: Final = (_MOST_CARDS, _MOST_CARDS, LARGEST)
_MOST_OF_COST: Final = (_MOST_CARDS, LARGEST, LARGEST, _MOST_CARDS)

_Group = list[Any]


def to_line(answer: Answer, after: Iterable[Move] = ()) -> str:
    """The answer as one line of JSON without blanks or line end; ``from_json`` reads it back.

    Raises ``NotationError`` as ``to_json`` does.
    """
    return json.dumps(to_json(answer, after), separators=(",", ":"), allow_nan=False)


def to_json(answer: Answer, after: Iterable[Move] = ()) -> dict[str, Any]:
    """The answer as an object for ``json``; ``from_json`` reads it back.

    ``after`` is the line that leads from the deal to where the search began, which has to be
    given if it began anywhere else: else ``NotationError``. Seconds are rounded to
    microseconds; the entries of a proof are sorted, each written once.
    """
    led = tuple(after)
    if _state_after(answer.deal, answer.rules, led) != answer.start:
        raise refused(str(answer.start), ("after",), "the line from the deal to the answer's start")
    fields = {
        "schema": SCHEMA,
        "deal": answer.deal.code,
        "rules": _rules_to_json(answer.rules),
        "after": format_line(led) if led else None,
        "verdict": answer.verdict,
        "minimise": answer.minimise if isinstance(answer, Won) else None,
        "line": None if answer.line is None else format_line(answer.line),
        "at_least": answer.at_least if isinstance(answer, Won) else None,
        "proof": _proof_to_json(answer),
        "limit": answer.limit,
        "positions": answer.spent.positions,
        "seconds": round(answer.spent.seconds, 6),
        **_given_by_the_rest(answer),
    }
    return {name: fields[name] for name in _FIELDS}


def _state_after(deal: Deal, rules: Rules, line: tuple[Move, ...]) -> State:
    try:
        return State.start(deal, rules).play_all(line)
    except IllegalMove as error:
        raise refused(str(error), ("after",), "legal moves") from None


def _given_by_the_rest(answer: Answer) -> dict[str, Any]:
    return {
        "turns": answer.turns if isinstance(answer, Won) else None,
        "passes": answer.passes if isinstance(answer, Won) else None,
        "score": answer.score,
        "optimal": answer.optimal,
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


def _proof_to_json(answer: Answer) -> dict[str, Any] | None:
    if isinstance(answer, Unknown) or answer.proof is None:
        return None
    if isinstance(answer, Lost):
        parts = [
            {
                "order": part.order,
                "prefix": part.prefix,
                "entries": _packed(map(_of_entry, part.entries)),
            }
            for part in answer.proof.orders
        ]
        return {"most": answer.proof.most, "orders": parts}
    costs = answer.proof.orders
    return {
        "orders": [
            {"order": order, "entries": _packed(map(_of_cost, entries))} for order, entries in costs
        ]
    }


# ---- entries -------------------------------------------------------------------------------


def _of_entry(entry: Entry) -> tuple[int, ...]:
    return entry


def _of_cost(entry: CostEntry) -> tuple[int, ...]:
    return entry.left, entry.waste, entry.turns, entry.redeals, entry.packet


def _to_cost(left: int, waste: int, turns: int, redeals: int, packet: int) -> CostEntry:
    return CostEntry(left, waste, packet, turns, redeals)


def _packed(entries: Iterable[tuple[int, ...]]) -> list[_Group]:
    """Entries, ``left`` first, in groups."""
    groups: list[_Group] = []
    before = 0
    for left, *position in sorted(set(entries)):
        if left != before or not groups:
            groups.append([left - before])
            before = left
        while len(position) > 1 and not position[-1]:
            del position[-1]
        groups[-1].append(position if len(position) > 1 else position[0])
    return groups


def _unpacked(value: object, limits: tuple[int, ...], place: Place) -> Iterator[tuple[int, ...]]:
    """The entries of groups, each number of a position held to its limit."""
    left = 0
    for i, group in enumerate(items_of(value, place)):
        if type(group) is not list or len(group) < 2:
            raise wrong(group, (*place, i), "a list of a difference and positions")
        left += whole(group[0], (*place, i, 0), most=_MOST_LEFT - left, least=min(i, 1))
        before: tuple[int, ...] = ()
        for j in range(1, len(group)):
            position = _position(group[j], limits)
            if position <= before:
                raise _wrong_position(group[j], limits, (*place, i, j))
            before = position
            yield left, *position


def _position(value: Any, limits: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers of a position, or nothing if they break the form."""
    if type(value) is int:
        return (value, *(0,) * (len(limits) - 1)) if 0 <= value <= limits[0] else ()
    if type(value) is not list or not 2 <= len(value) <= len(limits) or value[-1] == 0:
        return ()
    for number, most in zip(value, limits, strict=False):
        if type(number) is not int or not 0 <= number <= most:
            return ()
    return (*value, *(0,) * (len(limits) - len(value)))


def _wrong_position(value: object, limits: tuple[int, ...], place: Place) -> NotationError:
    most = ", ".join(map(str, limits))
    return wrong(
        value,
        place,
        f"a position above the one before, its numbers at most {most}, without zeros at its end",
    )


# ---- reading -------------------------------------------------------------------------------


def from_json(source: str | dict[str, Any]) -> Answer:
    """The answer that ``to_json`` or ``to_line`` wrote: an object, or its text.

    It begins where the line ``after`` leads. Nothing is taken on trust but the answer itself,
    which ``check`` is for: fields, types, sizes and what one field says of another are held to
    the form. A text is at most ``LONGEST_LINE`` characters long. Raises ``NotationError`` whose
    ``where`` names the place in the object, and ``ProofError`` where one field claims of the
    others what is not so (``turns``, ``passes``, ``score``, ``optimal``, the rules' name).
    Reads a million entries in a few seconds.
    """
    value = load(source) if isinstance(source, str) else source
    fields = fields_of(value, _FIELDS, ())
    must_equal(fields["schema"], SCHEMA, ("schema",))
    deal, rules = _deal(fields["deal"]), _rules(fields["rules"])
    led = _line(fields, "after") or ()
    if not led:
        must_equal(fields["after"], None, ("after",))
    answer = _answer(_state_after(deal, rules, led), fields, _spent(fields))
    for name, ours in _given_by_the_rest(answer).items():
        _must_agree(fields[name], ours, (name,))
    return answer


def _must_agree(got: object, wanted: object, place: Place) -> None:
    """What one field says of another is a claim: a false one is no proof, if well formed."""
    try:
        must_equal(got, wanted, place)
    except NotationError as error:
        if type(got) is not type(wanted) and got is not None and wanted is not None:
            raise
        raise ProofError(error.got, error.where, error.wanted) from None


def _limit(value: object) -> Limit:
    return one_of(value, get_args(Limit), ("limit",))


def _limit_or_none(fields: dict[str, Any], can_be: bool) -> Limit | None:
    """The limit that kept an optimum from being proved, if one can have."""
    if fields["limit"] is None or not can_be:
        must_equal(fields["limit"], None, ("limit",))
        return None
    return _limit(fields["limit"])


def _answer(start: State, fields: dict[str, Any], spent: Spent) -> Answer:
    verdict = one_of(fields["verdict"], ("won", "lost", "unknown"), ("verdict",))
    line = _line(fields, "line")
    if verdict == "won":
        return _won(start, line, fields, spent)
    for name in ("minimise", "at_least"):
        must_equal(fields[name], None, (name,))
    score = whole(fields["score"], ("score",), least=start.score, most=len(start.deal) - 1)
    if verdict == "lost":
        proof = _proof(fields["proof"], start)
        limit = _limit_or_none(fields, line is not None and proof.most != score)
        return Lost(start, proof, score, line, limit, spent=spent)
    must_equal(fields["proof"], None, ("proof",))
    return Unknown(start, _limit(fields["limit"]), score, line, spent=spent)


def _won(start: State, line: tuple[Move, ...] | None, fields: dict[str, Any], spent: Spent) -> Won:
    if line is None:
        raise wrong(None, ("line",), "a text")
    if fields["minimise"] is None:
        for name in ("at_least", "proof"):
            must_equal(fields[name], None, (name,))
        return Won(start, line, limit=_limit_or_none(fields, False), spent=spent)
    minimise = one_of(fields["minimise"], get_args(Minimise), ("minimise",))
    at_least, proof = fields["at_least"], fields["proof"]
    return Won(
        start,
        line,
        minimise,
        None if at_least is None else whole(at_least, ("at_least",)),
        None if proof is None else _cost_proof(proof),
        _limit_or_none(fields, proof is None),
        spent=spent,
    )


def _deal(value: object) -> Deal:
    code = text_of(value, ("deal",), most=_LONGEST_CODE)
    return built(lambda: Deal.from_code(code), ("deal",))


def _rules(value: object) -> Rules:
    place = ("rules",)
    fields = fields_of(value, _RULES_FIELDS, place)
    layout = items_of(fields["layout"], (*place, "layout"), most=_MOST_PILES)
    for name in ("draw", "passes"):
        if name == "draw" or fields[name] is not None:
            whole(fields[name], (*place, name), least=1)
    given = {name: fields[name] for name in ("draw", "passes", "waste", "row_start")}
    rules = built(lambda: Rules(**given, layout=tuple(layout)), place)
    _must_agree(fields["name"], rules.name, (*place, "name"))
    return rules


def _spent(fields: dict[str, Any]) -> Spent:
    seconds = fields["seconds"]
    if type(seconds) not in (int, float) or not 0 <= seconds <= LARGEST:
        raise wrong(seconds, ("seconds",), "a number from 0 up")
    return Spent(whole(fields["positions"], ("positions",)), float(seconds))


def _line(fields: dict[str, Any], name: str) -> tuple[Move, ...] | None:
    if fields[name] is None:
        return None
    text = text_of(fields[name], (name,), most=_LONGEST_PLAY)
    return built(lambda: parse_line(text), (name,))


def _proof(value: object, start: State) -> Proof:
    fields = fields_of(value, ("most", "orders"), ("proof",))
    if fields["most"] is not None:
        whole(fields["most"], ("proof", "most"), least=start.score, most=len(start.deal) - 1)
    return Proof([_order(*part) for part in _parts(fields, _ORDER_FIELDS)], fields["most"])


def _parts(fields: dict[str, Any], names: tuple[str, ...]) -> Iterator[tuple[Any, Place]]:
    """The part of a proof for each row order, with its place."""
    place = ("proof", "orders")
    for i, part in enumerate(items_of(fields["orders"], place, most=_MOST_ORDERS)):
        yield fields_of(part, names, (*place, i)), (*place, i)


def _order(fields: dict[str, Any], place: Place) -> OrderProof:
    suits = _suits(fields, place)
    prefix = whole(fields["prefix"], (*place, "prefix"), most=_MOST_CARDS)
    read = _unpacked(fields["entries"], _MOST_OF_ENTRY, (*place, "entries"))
    return OrderProof(suits, prefix, tuple(Entry(*entry) for entry in read))


def _cost_proof(value: object) -> CostProof:
    fields = fields_of(value, ("orders",), ("proof",))
    return CostProof(tuple(_cost_order(*part) for part in _parts(fields, ("order", "entries"))))


def _cost_order(fields: dict[str, Any], place: Place) -> tuple[str, tuple[CostEntry, ...]]:
    read = _unpacked(fields["entries"], _MOST_OF_COST, (*place, "entries"))
    # They were written in the order of their turns, and searches sort them as they are.
    return _suits(fields, place), tuple(sorted(_to_cost(*entry) for entry in read))


def _suits(fields: dict[str, Any], place: Place) -> str:
    order = text_of(fields["order"], (*place, "order"), most=len(SUITS))
    if not order or len(set(order)) < len(order) or not set(order) <= set(SUITS):
        raise wrong(order, (*place, "order"), "different suits out of C D H S")
    return order
