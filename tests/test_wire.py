"""Answers as JSON: what is written comes back, and what is not an answer is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from strategies import choices, deals, starts, walk

from osmosis_solver import strict
from osmosis_solver.answer import (
    Answer,
    Budget,
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
from osmosis_solver.cards import SUITS, Card
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.errors import NotationError, ProofError, clip
from osmosis_solver.game import State
from osmosis_solver.moves import TURN, Move, Play
from osmosis_solver.notation import format_line, parse_line
from osmosis_solver.rules import GAMERULES
from osmosis_solver.solver import best_score, solve
from osmosis_solver.wire import from_json, to_json, to_line

spents = st.builds(
    Spent, st.integers(0, 2**63 - 1), st.floats(0, 1e6).map(lambda seconds: round(seconds, 6))
)
large = st.integers(0, 2**63 - 1)
few = st.integers(0, 51)
lefts = st.one_of(st.integers(0, 2**51 - 1), st.integers(0, 3))
orders = st.lists(st.sampled_from(SUITS), min_size=1, unique=True).map("".join)
entries = st.builds(Entry, lefts, few, few, large)
order_proofs = st.builds(OrderProof, orders, few, st.lists(entries, max_size=6))
costs = st.builds(CostEntry, lefts, few, few, large, large)
cost_proofs = st.builds(
    CostProof,
    st.lists(st.tuples(orders, st.lists(costs, max_size=6).map(tuple)), max_size=3).map(tuple),
)
Written = tuple[Answer, list[Move]]
"""An answer and the line from the deal to its start."""


@st.composite
def middles(draw: DrawFn) -> tuple[State, list[Move]]:
    """A position that is not won, of a deal of two cards or more, and the line to it."""
    start = draw(starts(deals(min_cards=2)))
    state, led = walk(start, draw(choices))
    while state.is_won:
        led = led[:-1]
        state = start.play_all(led)
    return state, led


@st.composite
def wins(draw: DrawFn) -> Written:
    """A line of play that is legal; whether it wins is for the checker to say."""
    start = draw(starts())
    state, led = walk(start, draw(choices))
    minimise = draw(st.sampled_from((None, *get_args(Minimise))))
    more: dict[str, Any] = {}
    if minimise is not None:
        more = {"at_least": draw(st.none() | large), "proof": draw(st.none() | cost_proofs)}
    line = walk(state, draw(choices))[1]
    return Won(state, line, minimise, **more, spent=draw(spents)), led


@st.composite
def losses(draw: DrawFn) -> Written:
    """A loss with any proof in the form; whether it proves is for the checker to say."""
    state, led = draw(middles())
    scores = st.integers(state.score, len(state.deal) - 1)
    proof = Proof(draw(st.lists(order_proofs, max_size=3)), draw(st.none() | scores))
    line = draw(st.none() | choices.map(lambda picks: walk(state, picks)[1]))
    return Lost(state, proof, draw(scores), line, spent=draw(spents)), led


@st.composite
def unknowns(draw: DrawFn) -> Written:
    """An unknown with any limit."""
    state, led = draw(middles())
    limit = draw(st.sampled_from(get_args(Limit)))
    line = draw(st.none() | choices.map(lambda picks: walk(state, picks)[1]))
    score = draw(st.integers(state.score, len(state.deal) - 1))
    return Unknown(state, limit, score, line, spent=draw(spents)), led


written: SearchStrategy[Written] = st.one_of(wins(), losses(), unknowns())


def in_order(answer: Answer) -> Answer:
    """The same answer, its proof's entries sorted and each once; that is how they come back."""
    if isinstance(answer, Lost):
        parts = (evolve(part, entries=sorted(set(part.entries))) for part in answer.proof.orders)
        return evolve(answer, proof=evolve(answer.proof, orders=parts))
    if isinstance(answer, Won) and answer.proof is not None:
        sorts = ((order, tuple(sorted(set(found)))) for order, found in answer.proof.orders)
        return evolve(answer, proof=CostProof(tuple(sorts)))
    return answer


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


@given(written)
def test_answers_come_back(written: Written) -> None:
    """An answer, written as an object or as a line and read again, is the same answer."""
    answer, led = written
    fields = to_json(answer, led)
    for form in (fields, to_line(answer, led), json.dumps(fields, indent=1)):
        back = from_json(form)
        assert back == in_order(answer)
        assert type(back) is type(answer)
        assert back.spent == answer.spent
        assert to_json(back, led) == fields


@given(starts(deals(max_cards=10), 3), choices, st.sampled_from(("turns", "passes", None)))
@settings(max_examples=60)
def test_real_answers_come_back_and_verify(
    start: State, picks: list[int], minimise: Minimise | None
) -> None:
    """What the solver says of any position verifies as well after it was written and read."""
    state, led = walk(start, picks)
    budget = Budget(positions=2000)
    for answer in (solve(state, minimise=minimise, budget=budget), best_score(state)):
        back = from_json(to_line(answer, led))
        assert back == answer
        check(back)


@given(written)
def test_a_line_is_short_and_one(written: Written) -> None:
    """A written line holds no line end, and no blank but those of the lines of play."""
    answer, led = written
    text = to_line(answer, led)
    assert "\n" not in text
    played = (answer.line or (), led)
    assert text.count(" ") == sum(format_line(line).count(" ") for line in played)


def test_the_form() -> None:
    """The fields, their order and their values are those of the schema, for ever."""
    start = State.start(Deal.from_code("2CAD/AH:AC:2D2H"))
    after = start.play(TURN)
    won = Won(start, (Play(Card("AD")), TURN), spent=Spent(5, 0.25))
    found = (CostEntry(3, 1, 0, 0, 0), CostEntry(7, 2, 1, 5, 0), CostEntry(7, 2, 0, 5, 0))
    best = evolve(won, minimise="turns", at_least=1, proof=CostProof((("CDH", found),)))
    seen = (Entry(3, 0), Entry(7, 1, 1), Entry(7, 1), Entry(8, 1, 0, 1))
    lost = Lost(after, Proof([OrderProof("CDH", 2, seen)]), 4, spent=Spent(7, 1.0))
    most = Lost(start, Proof([OrderProof("CDH", 0)], 4), 4, (Play(Card("AD")),), spent=lost.spent)
    unknown = Unknown(start, "memory", 2, spent=Spent(1, 0.5))
    head = (
        '{"schema":"osmosis-solver/answer/1","deal":"2CAD/AH:AC:2D2H","rules":{"name":"OSMOSIS",'
        '"draw":3,"passes":null,"waste":"top","row_start":"base","layout":[4,4,4,4]},"after":'
    )
    assert to_line(won) == head + (
        'null,"verdict":"won","minimise":null,"line":"AD .","turns":1,"passes":1,"score":6,'
        '"optimal":false,"at_least":null,"proof":null,"positions":5,"seconds":0.25,"limit":null}'
    )
    assert to_line(best) == head + (
        'null,"verdict":"won","minimise":"turns","line":"AD .","turns":1,"passes":1,"score":6,'
        '"optimal":true,"at_least":1,"proof":{"orders":[{"order":"CDH","entries":'
        '[[3,1],[4,[2,5],[2,5,0,1]]]}]},"positions":5,"seconds":0.25,"limit":null}'
    )
    assert to_line(lost, [TURN]) == head + (
        '".","verdict":"lost","minimise":null,"line":null,"turns":null,"passes":null,"score":4,'
        '"optimal":false,"at_least":null,"proof":{"most":null,"orders":[{"order":"CDH","prefix":2,'
        '"entries":[[3,0],[4,1,[1,1]],[1,[1,0,1]]]}]},"positions":7,"seconds":1.0,"limit":null}'
    )
    assert to_line(most) == head + (
        'null,"verdict":"lost","minimise":null,"line":"AD","turns":null,"passes":null,"score":4,'
        '"optimal":true,"at_least":null,"proof":{"most":4,"orders":[{"order":"CDH","prefix":0,'
        '"entries":[]}]},"positions":7,"seconds":1.0,"limit":null}'
    )
    assert to_line(unknown) == head + (
        'null,"verdict":"unknown","minimise":null,"line":null,"turns":null,"passes":null,"score":2,'
        '"optimal":false,"at_least":null,"proof":null,"positions":1,"seconds":0.5,"limit":"memory"}'
    )


@given(written, choices)
def test_the_line_to_the_start_must_lead_there(written: Written, picks: list[int]) -> None:
    """With a line that is illegal or leads elsewhere an answer is not written as another one."""
    answer, _ = written
    first = State.start(answer.deal, answer.rules)
    state, led = walk(first, picks)
    if state != answer.start:
        with pytest.raises(NotationError, match=r"^answer, after: got "):
            to_json(answer, led)
    with pytest.raises(NotationError, match=r"^answer, after: got illegal move "):
        to_json(answer, [*led, Play(answer.deal.base)])


HARD = (
    "4C8H8C5C/TD2HTSAS/6HAD4HAC/5SQS7DQH:3C:6CKDQCJCKH6DJS7C5D4D4S2S8SJDKCAH7H3H3D2D9CTH6SQDTC5H"
    "7S9S8D2C9HJH9DKS3S"
)


def test_a_hard_proof_is_compact() -> None:
    """The entries of one of the hardest known deals take 10.5 bytes each at most."""
    answer = solve(Deal.from_code(HARD), GAMERULES)
    assert isinstance(answer, Lost)
    many = sum(len(part.entries) for part in answer.proof.orders)
    assert many > 50_000
    text = to_line(answer)
    assert len(text) < 1000 + 10.5 * many
    assert from_json(text) == in_order(answer)


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


@given(written, st.data(), junk)
def test_a_changed_value_is_refused_or_means_what_it_says(
    written: Written, data: st.DataObject, new: Any
) -> None:
    """With any one value changed, the object is refused or read as an answer that has it."""
    answer, led = written
    fields = to_json(answer, led)
    place = data.draw(st.sampled_from(list(places(fields))))
    changed = with_value(fields, place, new)
    try:
        back = to_json(from_json(changed), parse_line(changed["after"] or ""))
    except (NotationError, ProofError) as error:
        assert error.where.startswith("answer")  # noqa: PT017
        return
    assert not isinstance(new, bool) or place == ("optimal",)
    assert at(back, place) == (pytest.approx(new, abs=1e-6) if type(new) is float else new)


@given(written, st.data())
def test_every_field_and_no_other(written: Written, data: st.DataObject) -> None:
    """An object with a field less or a field more is refused, at every level."""
    fields = to_json(*written)
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
        (change('"verdict":"won"', '"verdict":"lost"'), "answer, score", "2"),
        (change('"after":null', '"after":""'), "answer, after", "''"),
        (
            change('"after":null', '"after":"."'),
            "answer, after",
            "illegal move 1, .: the stock is empty",
        ),
        (change('"optimal":false', '"optimal":true'), "answer, optimal", "True"),
        (change('"minimise":null', '"minimise":"score"'), "answer, minimise", "'score'"),
        (change('"at_least":null', '"at_least":0'), "answer, at_least", "0"),
        (change('"verdict":"won"', '"verdict":"Won"'), "answer, verdict", "'Won'"),
        (change("answer/1", "answer/2"), "answer, schema", "'osmosis-solver/answer/2'"),
        (change("2C:AC:", "2C:AC:2C"), "answer, deal: deal", "2C 2 times"),
        (change("2C:AC:", "2C"), "answer, deal: deal code, line 1, column 1", "'2C'"),
        (change('"name":"OSMOSIS"', '"name":"PEEK"'), "answer, rules.name", "'PEEK'"),
        (change('"name":"OSMOSIS"', '"name":null'), "answer, rules.name", "null"),
        (change('"draw":3', '"draw":0'), "answer, rules.draw", "0"),
        (change('"draw":3', '"draw":"3"'), "answer, rules.draw", "'3'"),
        (change("[4,4,4,4]", "[4,4,4,4.0]"), "answer, rules: rules field layout", "(4, 4, 4, 4.0)"),
        (change("[4,4,4,4]", "4"), "answer, rules.layout", "4"),
        (change('"waste":"top"', '"waste":"\\ud800"'), "answer, rules: rules field waste", None),
        (change('"layout":[4,4,4,4]', f'"layout":[{"0," * 1000}0]'), "answer, rules.layout", None),
    ],
)
def test_refusals_name_the_place(text: str, where: str, got: str | None) -> None:
    """What is not an answer is refused with the place in the object and what stood there."""
    with pytest.raises((NotationError, ProofError)) as caught:
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
    """Endless nesting, giant numbers and texts that no game gives are refused."""
    with pytest.raises((NotationError, ProofError)):
        from_json(text)


def test_the_longest_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text of the limit is read, one of a character more is not looked at."""
    monkeypatch.setattr(strict, "LONGEST_LINE", len(WON))
    assert from_json(WON).verdict == "won"
    with pytest.raises(NotationError, match=f"got {len(WON) + 1} characters"):
        from_json(WON + " ")


@given(st.text(max_size=80) | st.recursive(junk, st.lists).map(str))
def test_any_text_is_refused_or_read(text: str) -> None:
    """No text raises anything but ``NotationError``."""
    with pytest.raises(NotationError):
        from_json(text)


LOST = Lost(
    State.start(Deal.from_code("AD2D:AC:2C")), Proof([OrderProof("CD", 1)]), 2, spent=Spent(1, 0)
)
BEST = Won(
    State.start(Deal.from_code("2C:AC:")),
    (Play(Card("2C")),),
    "turns",
    0,
    CostProof((("C", (CostEntry(1, 0, 0, 0, 0),)),)),
    spent=Spent(1, 0),
)


@pytest.mark.parametrize(
    ("entries", "where", "got"),
    [
        ([[]], "[0]", "a list"),
        ([[1]], "[0]", "a list"),
        ([1], "[0]", "1"),
        ([[-1, 0]], "[0][0]", "-1"),
        ([[1, 0], [0, 1]], "[1][0]", "0"),
        ([[2**51, 0]], "[0][0]", str(2**51)),
        ([[2**50, 0], [2**50, 0]], "[1][0]", str(2**50)),
        ([[1, 0, 0]], "[0][2]", "0"),
        ([[1, 5, 3]], "[0][2]", "3"),
        ([[1, 5, [4, 1]]], "[0][2]", "a list"),
        ([[1, -1]], "[0][1]", "-1"),
        ([[1, 52]], "[0][1]", "52"),
        ([[1, True]], "[0][1]", "True"),
        ([[1, [0, True]]], "[0][1]", "a list"),
        ([[1, 1.0]], "[0][1]", "1.0"),
        ([[1, [5]]], "[0][1]", "a list"),
        ([[1, [5, 0]]], "[0][1]", "a list"),
        ([[1, []]], "[0][1]", "a list"),
        ([[1, [52, 1]]], "[0][1]", "a list"),
        ([[1, [0, 1, 0, 0, 1]]], "[0][1]", "a list"),
        ([[1, [0, [1]]]], "[0][1]", "a list"),
    ],
)
@pytest.mark.parametrize("answer", [LOST, BEST], ids=("lost", "best"))
def test_packed_entries_are_held_to_their_form(
    answer: Answer, entries: list[Any], where: str, got: str
) -> None:
    """Groups and positions rise, hold no number twice and none too large, and end in no zero."""
    place = ("proof", "orders", 0, "entries")
    with pytest.raises(NotationError) as caught:
        from_json(with_value(to_json(answer), place, entries))
    spelled = f"answer, proof.orders[0].entries{where}"
    assert caught.value.where == spelled
    assert caught.value.got == got


@pytest.mark.parametrize("answer", [LOST, BEST], ids=("lost", "best"))
@pytest.mark.parametrize("order", ["", "CC", "CX", "cd"])
def test_row_orders_are_suits(answer: Answer, order: str) -> None:
    """A row order is of different suits, one at least."""
    with pytest.raises(NotationError) as caught:
        from_json(with_value(to_json(answer), ("proof", "orders", 0, "order"), order))
    assert caught.value.where == "answer, proof.orders[0].order"
    assert caught.value.got == repr(order)
