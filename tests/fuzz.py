"""Fuzzes every parser and the command line: random inputs from grammars, mutated, and a law each.

``tests/test_fuzz.py`` runs a few of each in every test run. The long run, with other inputs
each time, is a command: ``python tests/fuzz.py 100000``, or with names of ``TARGETS`` behind.
"""

from __future__ import annotations

import copy
import faulthandler
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from strategies import deals

from osmosis_solver.answer import Answer, Budget, Lost, Won
from osmosis_solver.asked import count_deals
from osmosis_solver.cards import RANKS, SUITS, Card
from osmosis_solver.check import check
from osmosis_solver.cli import osmosis
from osmosis_solver.deal import Deal
from osmosis_solver.errors import NotationError, OsmosisError, ProofError
from osmosis_solver.game import State
from osmosis_solver.notation import format_line, parse_line
from osmosis_solver.rules import NAMED_RULES, Rules
from osmosis_solver.solver import best_score, solve
from osmosis_solver.wire import from_json, to_json, to_line

WON = "2D/3D:AC:3C2CAD"
LOST = "AD2D:AC:2C"
MIDDLE = "6D3D/4D:3C:5D4C6C5C"
TEXT = "Base: AC\nReserve: 2D\nReserve: 3D # top\nStock: 3C 2C\nStock: AD\n"
BUDGET = Budget(positions=3000)
SIGNS = dict(zip("♣♧♦♢♥♡♠♤", "CCDDHHSS", strict=True))
SPELLED = str.maketrans(
    {**{c.lower(): c for c in SUITS + RANKS if c.isalpha()}, **SIGNS}  # not upper(): "ſ" to "S"
)

# Characters that look like others, end lines, are no text or take room.
ODD = list("\x00\t\n\r\x0b\x1c\x85\xa0\u2028\ufeff\u200b\ud800\udfffſKßéŤ１٣²#:/.|,-_+10\"'{}[]\\")
PIECES = ["10", "TD", "10♦", "Base:", "Stock:", "\r\n", "9" * 40, "ms", " "]
scraps = st.sampled_from(ODD + PIECES)


@st.composite
def mutated(draw: DrawFn, texts: SearchStrategy[str]) -> str:
    """A text of the form after a few changes: scraps put in, parts cut, doubled or moved."""
    text = draw(texts)
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 4)))
        part = draw(st.sampled_from(("", text[start:end] * 2, text[:start])) | scraps)
        text = text[:start] + part + text[end:]
    return text


def _joined(parts: SearchStrategy[str], most: int = 8) -> SearchStrategy[str]:
    return st.lists(parts, max_size=most).map("".join)


rule_names = st.sampled_from([*NAMED_RULES, "draw-one", "Peek"])
card_names = st.sampled_from([rank + suit for rank in RANKS for suit in SUITS])
STYLES: list[Callable[[str], str]] = [
    str,
    str.lower,
    lambda text: text.replace("T", "10").replace("D", "♦").replace("H", "♡"),
]
some_deals = deals() | st.sampled_from([Deal.from_pysol(24), Deal.from_code(MIDDLE)])


@st.composite
def styled(draw: DrawFn, texts: SearchStrategy[str]) -> str:
    """The same text in another spelling."""
    return draw(st.sampled_from(STYLES))(draw(texts))


codes = styled(some_deals.map(lambda deal: deal.code) | st.just("/2C:AC:"))
texts = styled(some_deals.map(lambda deal: deal.text) | st.sampled_from([TEXT, "# none\n", ""]))
files = st.lists(codes | texts | scraps, max_size=4).map("\n".join)
plays = _joined(styled(card_names) | st.sampled_from([".", "|", " ", "10d", "\n"]), 12)
numbers = st.one_of(
    st.integers(), st.integers(2**62, 2**65), st.sampled_from([24, 10**20, 10**20 + 1]), st.floats()
)
number_texts = numbers.map(str) | st.sampled_from(["ms24", "MS8589934591", "9" * 5000])
# Python does not write out such a number, so hypothesis must not see it as a sample.
endless = st.just(5000).map(lambda digits: 10**digits)
others = st.sampled_from([[[]], ["AC"], {"a": 1}, {}, [], b"AC", "won", "lost", "turns", "CD"])
any_value = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 60), numbers, endless, _joined(scraps, 3), others
)


# ---- laws of the text forms -----------------------------------------------------------------


def card_law(text: str) -> None:
    """A card that is read is the one spelled, and comes back."""
    card = Card.parse(text)
    assert card.name == text.strip().translate(SPELLED).replace("10", "T")
    assert Card.parse(str(card)) == card


def code_law(text: str) -> None:
    """A deal that is read holds the cards spelled, in their places, and comes back."""
    deal = Deal.from_code(text)
    spelled = text.strip().translate(SPELLED).replace("10", "T")
    assert deal.code == (spelled if deal.reserve else spelled.lstrip("/"))
    assert Deal.from_code(deal.code) == deal


def text_law(text: str) -> None:
    """A deal that is read comes back, from either of its forms."""
    deal = Deal.from_text(text)
    assert Deal.from_text(deal.text) == deal == Deal.from_code(deal.code)


def file_law(text: str) -> None:
    """The deals of a file are as many as were counted, and come back in either form."""
    deals = list(Deal.read_many(text))
    assert len(deals) == count_deals(text)
    assert list(Deal.read_many("\n".join(deal.code for deal in deals))) == deals
    assert list(Deal.read_many("".join(deal.text for deal in deals))) == deals


def line_law(text: str) -> None:
    """A line that is read holds the moves spelled, and comes back."""
    moves = parse_line(text)
    spelled = "".join(text.split()).translate(SPELLED).replace("10", "T")
    assert "".join(map(str, moves)) == spelled
    assert parse_line(format_line(moves)) == moves


def pysol_law(number: Any) -> None:
    """A number that is taken means itself, with or without spelling."""
    deal = Deal.from_pysol(number)
    assert len(deal) == 52
    assert Deal.from_pysol(str(number).strip().lower().lstrip("0")) == deal


def native_law(number: Any) -> None:
    """A number that is taken is a whole number in range."""
    assert len(Deal.from_number(number)) == 52
    assert type(number) is int
    assert 0 <= number < 2**64


def rules_law(name: Any) -> None:
    """A name that is taken is one of the table."""
    assert Rules.named(name) == NAMED_RULES[name.upper().replace("-", "_")]


# ---- answers --------------------------------------------------------------------------------


@cache
def true_answers() -> tuple[str, ...]:
    """Written answers of every kind to small deals, all of them true."""
    return tuple(_true_answers())


def _true_answers() -> Iterator[str]:
    rules = (Rules(draw=1), Rules(draw=2, passes=2), Rules(waste="packet", row_start="any"))
    for code in (WON, LOST, MIDDLE):
        for rule in rules:
            first = State.start(Deal.from_code(code), rule)
            for line in ("", "."):
                state, led = first.play_all(parse_line(line)), parse_line(line)
                yield to_line(solve(state), led)
                yield to_line(solve(state, minimise="turns"), led)
                yield to_line(best_score(state), led)
    yield to_line(solve(Deal.from_pysol(24)))
    yield to_line(solve(Deal.from_number(5), minimise="passes", budget=Budget(positions=9)))


@st.composite
def answers(draw: DrawFn) -> str:
    """A true answer with values changed, or with its text changed."""
    text = draw(st.sampled_from(true_answers()))
    if draw(st.booleans()):
        return draw(mutated(st.just(text)))
    value = json.loads(text)
    for _ in range(draw(st.integers(1, 3))):
        value = draw(_changed(value))
    with suppress(TypeError, ValueError):  # bytes and endless numbers have no JSON
        return json.dumps(value)
    return repr(value)[:10_000] if _is_short(value) else "9" * 10_000


def _is_short(value: Any) -> bool:
    try:
        return bool(repr(value))
    except ValueError:
        return False


@st.composite
def _changed(draw: DrawFn, value: Any) -> Any:
    """A copy of a JSON value with one value somewhere in it another one, gone or doubled."""
    places = list(_places(value))
    inside, key = draw(st.sampled_from(places)) if places else ((), "")
    value = copy.deepcopy(value)
    holder = value
    for part in inside:
        holder = holder[part]
    if not places:
        return draw(any_value)
    old, kind = holder[key], draw(st.sampled_from(("near", "near", "any", "gone", "more")))
    if kind == "gone":
        del holder[key]
    elif kind == "near" and isinstance(old, int | float) and not isinstance(old, bool):
        holder[key] = draw(st.sampled_from((old + 1, old - 1, -old, 2 * old, 2**63, 0.5)))
    elif kind == "near" and isinstance(old, str):
        holder[key] = draw(mutated(st.just(old)))
    elif kind == "more" and isinstance(old, list):
        holder[key] = old * draw(st.sampled_from((2, 30)))
    elif kind == "more" and isinstance(holder, dict):
        holder[draw(st.sampled_from(("x", "Deal", "deal ", "entries")))] = old
    else:
        holder[key] = draw(any_value)
    return value


def _places(value: Any, inside: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    pairs: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value[:40])
    for key, part in pairs:
        yield inside, key
        yield from _places(part, (*inside, key))


def answer_law(text: str) -> None:
    """An answer that is read comes back, and if it verifies it is true."""
    answer = from_json(text)
    after = parse_line(json.loads(text)["after"] or "")
    again = to_line(answer, after)
    assert to_line(from_json(again), after) == again
    assert from_json(to_json(answer, after)) == from_json(again)
    try:
        check(answer)
    except ProofError:
        return
    assert_true(answer)


def assert_true(answer: Answer) -> None:
    """What has verified is what the solver finds as well, if it finds anything."""
    if isinstance(answer, Lost):
        ours = best_score(answer.start, budget=BUDGET)
        assert not isinstance(ours, Won)
        if isinstance(ours, Lost) and ours.optimal and answer.proof.most is not None:
            assert answer.proof.most >= ours.score
    elif isinstance(answer, Won) and answer.optimal:
        cheapest = solve(answer.start, minimise=answer.minimise, budget=BUDGET)
        if isinstance(cheapest, Won) and cheapest.optimal:
            assert answer.at_least == cheapest.at_least


# ---- the command line -----------------------------------------------------------------------


class Call(NamedTuple):
    """Arguments of the command and what it reads on standard input."""

    args: list[str]
    text: str


some_text = mutated(st.one_of(codes, plays, number_texts, st.sampled_from(["OSMOSIS", "none"])))
OPTIONS: dict[str, SearchStrategy[list[str]]] = {
    "--rules": (rule_names | mutated(rule_names)).map(lambda name: [name]),
    "--draw": st.sampled_from([["1"], ["2"], ["0"], ["x"], [str(2**62)], ["9" * 5000]]),
    "--passes": st.sampled_from([["none"], ["1"], ["3"], ["0"], ["999999999"], ["NONE"], [""]]),
    "--waste": st.sampled_from([["top"], ["packet"], ["TOP"], []]),
    "--row-start": st.sampled_from([["base"], ["any"], ["an"]]),
    "--minimise": st.sampled_from([["turns"], ["passes"], ["cards"]]),
    "--best": st.just([]),
    "--json": st.just([]),
    "--progress": st.just([]),
    "--engine": st.sampled_from([["kernel"], ["reference"]]),
    "--seconds": st.sampled_from([["1"], ["1e-9"], ["nan"], ["inf"], ["-1"], ["1e999"], ["0x1"]]),
    "--memory": st.sampled_from([["1"], ["0"], ["9" * 30]]),
    "--pysol": mutated(number_texts).map(lambda text: [text]),
    "--number": mutated(number_texts).map(lambda text: [text]),
    "--after": mutated(plays | st.sampled_from([".", ". .", ""])).map(lambda text: [text]),
    "--line": mutated(plays | st.sampled_from([".", ". .", ""])).map(lambda text: [text]),
    "--deal": mutated(codes).map(lambda code: [code]),
    "--file": st.sampled_from([["-"], ["-"], ["no/such\x00"], ["."], ["\udcff"], [""]]),
    "--help": st.just([]),
    "--": some_text.map(lambda text: [text]),
}
_RULES = ("--rules", "--draw", "--passes", "--waste", "--row-start")
_LIMITS = ("--seconds", "--memory")
_DEALS = ("--pysol", "--number", "--file")
_KINDS = ("--minimise", "--best", "--engine", "--json", "--progress", "--after")
KNOWN = {
    "solve": (*_RULES, *_LIMITS, *_DEALS, *_KINDS),
    "hint": (*_RULES, *_LIMITS, "--pysol", "--after"),
    "check": ("--rules", "--draw", "--deal", "--line"),
    "show": (*_RULES, *_DEALS, "--line"),
}


@st.composite
def calls(draw: DrawFn) -> Call:
    """A call that is nearly right, with a bounded search."""
    command = draw(st.sampled_from(sorted(KNOWN)))
    args = [draw(st.sampled_from([command] * 19 + ["sovle"]))]
    known = draw(st.lists(st.sampled_from(KNOWN[command]), max_size=4, unique=True))
    for name in [*known, *draw(st.sampled_from([[]] * 9 + [["--nosuch"], ["--help"], ["--"]]))]:
        args += [name, *draw(OPTIONS.get(name, st.just([])))]
    if command == "check":
        return Call(args + draw(st.sampled_from([[], ["-"]])), "\n".join(draw(_lines_of_answers)))
    args += draw(st.lists(codes | mutated(codes), max_size=2))
    if "--" not in args and command != "show":
        args += ["--positions", draw(st.sampled_from(["200", "1"]))]
    return Call(args, draw(mutated(files)))


_lines_of_answers = st.lists(answers() | st.deferred(lambda: st.sampled_from(true_answers())))


def call_law(call: Call) -> None:
    """An exit status of the list; bad input is one line on standard error, else there is none."""
    result = CliRunner().invoke(osmosis, call.args, input=call.text.encode(errors="surrogatepass"))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (0, 1, 2, 3)
    told = result.stderr.splitlines()
    if result.exit_code == 2:
        assert told[-1].startswith("osmosis: ")
        assert len(told) == 1 or "--progress" in call.args
        raise OsmosisError(told[-1][:80], "call", "exit status 0, 1 or 3")
    if "--progress" not in call.args:
        assert not told
    if call.args[0] == "solve" and "--json" in call.args and "--help" not in call.args:
        for line in result.stdout.splitlines():
            check(from_json(line))


# ---- running --------------------------------------------------------------------------------

Law = Callable[[Any], None]
TARGETS: dict[str, tuple[SearchStrategy[Any], Law]] = {
    "card": (mutated(styled(card_names)) | any_value, card_law),
    "code": (mutated(codes), code_law),
    "text": (mutated(texts), text_law),
    "file": (mutated(files), file_law),
    "line": (mutated(plays), line_law),
    "pysol": (mutated(number_texts) | any_value, pysol_law),
    "native": (numbers | any_value, native_law),
    "rules": (mutated(styled(rule_names)) | any_value, rules_law),
    "answer": (answers(), answer_law),
    "call": (calls(), call_law),
}


class Tally:
    """How many inputs were tried, and how many of them were taken rather than refused."""

    def __init__(self) -> None:
        self.tried = self.taken = 0

    def one_line(self, error: OsmosisError) -> None:
        """What an error must be like."""
        message = str(error)
        assert 0 < len(message) < 1000
        assert "\n" not in message
        if isinstance(error, NotationError) and error.line is not None:
            assert error.line >= 1

    def try_one(self, law: Law, value: Any) -> None:
        """Hold one input against the law: it is refused with the package's error, or keeps it."""
        self.tried += 1
        try:
            law(value)
        except OsmosisError as error:
            self.one_line(error)
        else:
            self.taken += 1


def fuzz(name: str, options: settings, seconds: int = 0) -> Tally:
    """Hold inputs of a target against its law. A hang ends the process, if it may have seconds."""
    strategy, law = TARGETS[name]
    tally = Tally()

    @options
    @given(strategy)
    def run(value: Any) -> None:
        if seconds:
            faulthandler.dump_traceback_later(seconds, exit=True)
        tally.try_one(law, value)

    run()
    faulthandler.cancel_dump_traceback_later()
    return tally


def main(count: int, *names: str) -> None:
    """The long run: ``count`` inputs over all the targets, or over those named."""
    for name in names or TARGETS:
        began = time.perf_counter()
        options = settings(
            max_examples=count // len(names or TARGETS),
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        tally = fuzz(name, options, seconds=60)
        took = time.perf_counter() - began
        print(f"{name}: {tally.tried} inputs, {tally.taken} taken, {took:.0f} s", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
