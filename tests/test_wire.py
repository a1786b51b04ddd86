"""Answers as JSON: what is written comes back, and what is not an answer is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from strategies import choices, starts, walk

from osmosis_solver import wire
from osmosis_solver.answer import Answer, Entry, Limit, Lost, OrderProof, Proof, Spent, Unknown, Won
from osmosis_solver.cards import SUITS, Card
from osmosis_solver.deal import Deal
from osmosis_solver.errors import NotationError, clip
from osmosis_solver.game import State
from osmosis_solver.moves import TURN, Play
from osmosis_solver.wire import from_json, to_json, to_line

spents = st.builds(
    Spent, st.integers(0, 2**63 - 1), st.floats(0, 1e6).map(lambda seconds: round(seconds, 6))
)
entries = st.builds(
    Entry,
    st.integers(0, 2**51 - 1),
    st.integers(0, 51),
    st.integers(0, 51),
    st.integers(0, 2**63 - 1),
)
order_proofs = st.builds(
    OrderProof,
    st.lists(st.sampled_from(SUITS), min_size=1, unique=True).map("".join),
    st.integers(0, 51),
    st.lists(entries, max_size=4).map(tuple),
)


@st.composite
def wins(draw: DrawFn) -> Won:
    """A line of play that is legal; whether it wins is for the checker to say."""
    start = draw(starts())
    return Won(start, walk(start, draw(choices))[1], spent=draw(spents))


@st.composite
def losses(draw: DrawFn) -> Lost:
    """A loss with any proof in the form; whether it proves is for the checker to say."""
    start = draw(starts().filter(lambda start: len(start.deal) > 1))
    proof = Proof(draw(st.lists(order_proofs, max_size=3)))
    return Lost(start, proof, draw(st.integers(1, len(start.deal) - 1)), spent=draw(spents))


@st.composite
def unknowns(draw: DrawFn) -> Unknown:
    """An unknown with any limit."""
    start = draw(starts().filter(lambda start: len(start.deal) > 1))
    limit = draw(st.sampled_from(get_args(Limit)))
    return Unknown(start, limit, draw(st.integers(1, len(start.deal) - 1)), spent=draw(spents))


answers: SearchStrategy[Answer] = st.one_of(wins(), losses(), unknowns())


def places(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every value inside an object, itself included."""
    yield place
    inside: Any = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value)
    for key, part in inside:
        yield from places(part, (*place, key))


def with_value(value: Any, place: tuple[str | int, ...], new: Any) -> Any:
    """A copy of an object with another value at a place."""
    if not place:
        return new
    changed = copy.deepcopy(value)
    inside = changed
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = new
    return changed


@given(answers)
def test_answers_come_back(answer: Answer) -> None:
    """An answer, written as an object or as a line and read again, is the same answer."""
    for form in (to_json(answer), to_line(answer), json.dumps(to_json(answer), indent=1)):
        back = from_json(form)
        assert back == answer
        assert type(back) is type(answer)
        assert back.spent == answer.spent


@given(answers)
def test_a_line_is_short_and_one(answer: Answer) -> None:
    """A written line holds no line end, and no blank but those of the line of play."""
    fields = to_json(answer)
    assert "\n" not in to_line(answer)
    assert to_line(answer).count(" ") == (fields["line"] or "").count(" ")
    for part in (fields["proof"] or {"orders": []})["orders"]:
        assert all(len(entry) == 2 or entry[-1] for entry in part["entries"])


def test_the_form() -> None:
    """The fields, their order and their values are those of the schema, for ever."""
    start = State.start(Deal.from_code("2CAD/AH:AC:2D2H"))
    won = Won(start, (Play(Card("AD")), TURN), spent=Spent(5, 0.25))
    proof = Proof([OrderProof("CDH", 2, (Entry(3, 0), Entry(1, 1, 1), Entry(2, 1, 0, 1)))])
    lost = Lost(start, proof, 4, spent=Spent(7, 1.0))
    head = (
        '{"schema":"osmosis-solver/answer/1","deal":"2CAD/AH:AC:2D2H","rules":{"name":"OSMOSIS",'
        '"draw":3,"passes":null,"waste":"top","row_start":"base","layout":[4,4,4,4]},'
    )
    assert to_line(won) == head + (
        '"verdict":"won","line":"AD .","turns":1,"passes":1,"score":6,"proof":null,'
        '"positions":5,"seconds":0.25,"limit":null}'
    )
    assert to_line(lost) == head + (
        '"verdict":"lost","line":null,"turns":null,"passes":null,"score":4,'
        '"proof":{"orders":[{"order":"CDH","prefix":2,"entries":[[3,0],[1,1,1],[2,1,0,1]]}]},'
        '"positions":7,"seconds":1.0,"limit":null}'
    )


def test_no_room_for_the_middle_of_a_game() -> None:
    """An answer that does not begin with the deal is refused, not written as another one."""
    middle = State.start(Deal.from_code("2CAD/AH:AC:2D2H")).play(TURN)
    with pytest.raises(NotationError):
        to_json(Won(middle, (), spent=Spent(0, 0.0)))


junk = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 60),
    st.sampled_from((2**51, 2**63, 10**400, -(2**63))),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from(("won", "lost", "unknown", "seconds", "AD .", ":AC:", "OSMOSIS")),
    st.sampled_from(([], {}, [[]], [0, 0], {"orders": []}, [1] * 2000)),
)


@given(answers, st.data(), junk)
def test_a_changed_value_is_refused_or_means_what_it_says(
    answer: Answer, data: st.DataObject, new: Any
) -> None:
    """With any one value changed, the object is refused or read as an answer that has it."""
    fields = to_json(answer)
    place = data.draw(st.sampled_from(list(places(fields))))
    changed = with_value(fields, place, new)
    try:
        back = to_json(from_json(changed))
    except NotationError as error:
        assert error.where.startswith("answer")  # noqa: PT017
        return
    assert not isinstance(new, bool)
    if "entries" not in place:  # there a zero at the end may be left out
        assert at(back, place) == (pytest.approx(new, abs=1e-6) if type(new) is float else new)


@given(answers, st.data())
def test_every_field_and_no_other(answer: Answer, data: st.DataObject) -> None:
    """An object with a field less or a field more is refused, at every level."""
    fields = to_json(answer)
    objects = [place for place in places(fields) if isinstance(at(fields, place), dict)]
    place = data.draw(st.sampled_from(objects))
    inside = at(fields, place)
    missing = data.draw(st.sampled_from(sorted(inside)))
    less = {name: value for name, value in inside.items() if name != missing}
    for changed in (less, {**inside, "more": 1}):
        with pytest.raises(NotationError):
            from_json(with_value(fields, place, changed))


def at(value: Any, place: tuple[str | int, ...]) -> Any:
    """The value at a place inside an object."""
    for key in place:
        value = value[key]
    return value


WON = to_line(Won(State.start(Deal.from_code("2C:AC:")), (Play(Card("2C")),), spent=Spent(1, 0)))
DEEP = 100_000


def change(old: str, new: str) -> str:
    """The text of a won answer with one part of it changed."""
    assert WON.count(old) == 1
    return WON.replace(old, new)


@pytest.mark.parametrize(
    ("text", "where", "got"),
    [
        ("", "answer, column 1", "the end"),
        ("{", "answer, column 2", "the end"),
        ('{\n"schema":}', "answer, line 2, column 10", "'}'"),
        ("null", "answer", "null"),
        ("[]", "answer", "a list"),
        (WON + WON, f"answer, column {len(WON) + 1}", clip(WON[:20])),
        (WON[:-1] + ',"limit":null}', "answer", "field 'limit' twice"),
        (change('"draw":3', '"draw":3,"draw":3'), "answer", "field 'draw' twice"),
        (change('"seconds":0', '"seconds":NaN'), "answer", "NaN"),
        (change('"seconds":0', '"seconds":-Infinity'), "answer", "-Infinity"),
        (change('"seconds":0', '"seconds":1e999'), "answer, seconds", "inf"),
        (change('"seconds":0', '"seconds":-0.5'), "answer, seconds", "-0.5"),
        (change('"seconds":0', '"seconds":true'), "answer, seconds", "True"),
        (change('"positions":1', '"positions":1.0'), "answer, positions", "1.0"),
        (change('"positions":1', '"positions":true'), "answer, positions", "True"),
        (change('"turns":0', '"turns":false'), "answer, turns", "False"),
        (change('"turns":0', '"turns":1'), "answer, turns", "1"),
        (change('"passes":1', '"passes":2'), "answer, passes", "2"),
        (change('"score":2', '"score":52'), "answer, score", "52"),
        (change('"limit":null', '"limit":"seconds"'), "answer, limit", "'seconds'"),
        (change('"proof":null', '"proof":{}'), "answer, proof", "an object"),
        (change('"line":"2C"', '"line":null'), "answer, line", "null"),
        (
            change('"line":"2C"', '"line":"2X"'),
            "answer, line: line of play, line 1, column 1",
            "'2X'",
        ),
        (change('"verdict":"won"', '"verdict":"lost"'), "answer, line", "'2C'"),
        (change('"verdict":"won"', '"verdict":"Won"'), "answer, verdict", "'Won'"),
        (change("answer/1", "answer/2"), "answer, schema", "'osmosis-solver/answer/2'"),
        (change("2C:AC:", "2C:AC:2C"), "answer, deal: deal", "2C 2 times"),
        (change("2C:AC:", "2C"), "answer, deal: deal code, line 1, column 1", "'2C'"),
        (change('"name":"OSMOSIS"', '"name":"PEEK"'), "answer, rules.name", "'PEEK'"),
        (change('"name":"OSMOSIS"', '"name":null'), "answer, rules.name", "null"),
        (change('"draw":3', '"draw":0'), "answer, rules.draw", "0"),
        (change('"draw":3', '"draw":"3"'), "answer, rules.draw", "'3'"),
        (change("[4,4,4,4]", "[4,4,4,4.0]"), "answer, rules: rules field layout", "(4, 4, 4, 4.0)"),
        (change('"waste":"top"', '"waste":"\\ud800"'), "answer, rules: rules field waste", None),
        (change('"layout":[4,4,4,4]', f'"layout":[{"0," * 1000}0]'), "answer, rules.layout", None),
    ],
)
def test_refusals_name_the_place(text: str, where: str, got: str | None) -> None:
    """What is not an answer is refused with the place in the object and what stood there."""
    with pytest.raises(NotationError) as caught:
        from_json(text)
    assert caught.value.where == where
    assert got is None or caught.value.got == got
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "[" * DEEP,
        "[" * 900 + "]" * 900,
        '{"a":' * DEEP,
        change('"proof":null', '"proof":' + "[" * DEEP + "]" * DEEP),
        change('"score":2', '"score":' + "9" * DEEP),
        change('"score":2', '"score":-' + "9" * DEEP),
        change('"line":"2C"', '"line":"' + ". " * DEEP + '"'),
        change("2C:AC:", "/" * DEEP + "2C:AC:"),
        "{" + ",".join(f'"{i}":0' for i in range(DEEP)) + "}",
    ],
    ids=lambda text: f"{text[:12]}, {len(text)}",
)
def test_large_and_deep_things_are_refused(text: str) -> None:
    """Endless nesting, giant numbers and texts that no game gives raise the one error."""
    with pytest.raises(NotationError):
        from_json(text)


def test_the_longest_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text of the limit is read, one of a character more is not looked at."""
    monkeypatch.setattr(wire, "LONGEST_LINE", len(WON))
    assert from_json(WON).verdict == "won"
    with pytest.raises(NotationError, match=f"got {len(WON) + 1} characters"):
        from_json(WON + " ")


@given(st.text(max_size=80) | st.recursive(junk, st.lists).map(str))
def test_any_text_is_refused_or_read(text: str) -> None:
    """No text raises anything but ``NotationError``."""
    with pytest.raises(NotationError):
        from_json(text)
