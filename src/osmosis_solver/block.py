"""One block of a survey: consecutive native deals, measured one after the other."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator
from time import thread_time
from typing import Any, Final, Literal, NamedTuple, get_args

from attrs import Factory, field, frozen
from attrs.converters import optional

from osmosis_solver import _cheapest, _kernel, _sweep
from osmosis_solver.answer import Budget, Limit, Watcher
from osmosis_solver.deal import Deal
from osmosis_solver.drive import Drive, Purse, in_numbers
from osmosis_solver.errors import OsmosisError, clip
from osmosis_solver.game import State
from osmosis_solver.policy import Player
from osmosis_solver.rules import OSMOSIS, Rules
from osmosis_solver.sitting import final_score

KERNEL: Final = "3"
"""Version of all that a survey's figures come from; surveys of two versions do not mix.

It changes with every change of a verdict, a fewest, a best score or of the positions that are
counted for it (``tests/test_block.py`` holds a digest of them for each version).
"""
ADVISOR: Final = "5"
"""Version of the advice, on which a survey of its player depends as well."""

What = Literal["verdict", "turns", "score"]

LOST: Final = 0
WON: Final = 1
OPEN: Final[dict[str, int]] = {"positions": 2, "memory": 3}
"""The verdict of a deal that is unknown, by the limit that was hit."""
MOST_POSITIONS: Final = 2**32 - 1
LAST_NUMBER: Final = 2**64 - 1

# What stands for a fewest or a score that was not settled, counted down from the largest number.
NO_TURNS: Final = 2**16 - 1
NO_COUNT: Final = 2**8 - 1

DECK: Final = 52
"""Cards of a native deal."""

_EVENT_NAMES: Final = {number: name for name, number in _cheapest.EVENTS.items()}
# How many deals the fast room settles before Python may look up: Ctrl-C waits so long.
_SLICE: Final = 500 if _kernel.COMPILED else 1
_LIMITS: Final = {code: limit for limit, code in OPEN.items()}


def _among(where: str, choices: tuple[object, ...]) -> Any:
    def check(_: Any, __: Any, value: object) -> None:
        if value not in choices:
            raise OsmosisError(clip(value), where, " or ".join(map(repr, choices)))

    return check


def _rules(_: Any, __: Any, value: object) -> None:
    if not isinstance(value, Rules):
        raise OsmosisError(clip(value), "survey, rules", "a Rules record")


def _player(name: str) -> str:
    return str(Player.named(name))


def version(policy: str | None) -> str:
    """The version of all that the figures of a survey come from."""
    asks = policy is not None and Player.named(policy).kind == "advisor"
    return f"{KERNEL}, advisor {ADVISOR}" if asks else KERNEL


def _limit(where: str, most: int) -> Any:
    def check(_: Any, __: Any, value: object) -> None:
        if type(value) is not int or not 1 <= value <= most:
            raise OsmosisError(clip(value), where, f"a whole number from 1 to {most}")

    return check


@frozen
class Question:
    """What a survey asks of each deal. Raises ``OsmosisError`` for what it does not know.

    - ``what``: ``"verdict"``, whether it can be won; ``"turns"``, also with how few turns and
      passes; ``"score"``, also how many cards of a lost deal can come home.
    - ``policy``: not what can be done but what this player does, by name (``Player.named``).
    - ``positions``, ``megabytes``: the limits for each deal, as in ``Budget``.
    - ``kernel``: which version of the search answers.
    """

    rules: Rules = field(default=OSMOSIS, validator=_rules)
    what: What = field(default="verdict", validator=_among("survey, what", get_args(What)))
    policy: str | None = field(default=None, converter=optional(_player))
    positions: int = field(
        default=10**8, validator=_limit("survey, limit on positions", MOST_POSITIONS)
    )
    megabytes: int = field(default=512, validator=_limit("survey, limit on megabytes", 10**9))
    kernel: str = Factory(lambda self: version(self.policy), takes_self=True)

    def __attrs_post_init__(self) -> None:
        if self.policy is not None and self.what != "verdict":
            wanted = "what to be 'verdict', since a policy ends with one score"
            raise OsmosisError(f"what {self.what!r}", f"survey of policy {self.policy}", wanted)

    @property
    def player(self) -> Player | None:
        """Whose play is asked about, None if it is what can be done."""
        return None if self.policy is None else Player.named(self.policy)

    @property
    def measure(self) -> str:
        """What is to be measured: ``what``, or ``"policy"`` if games are to be played."""
        if self.player is None:
            return self.what
        return {"thoughtful": "score", "advisor": "advisor"}.get(self.player.kind, "policy")

    @property
    def name(self) -> str:
        """The rules, by name if they have one, and what is asked."""
        return f"{self.rules.name or self.rules}, {self.asked}"

    @property
    def asked(self) -> str:
        """What is asked, or of which player."""
        return self.what if self.policy is None else f"policy {self.policy}"

    @property
    def has_scores(self) -> bool:
        """Whether it brings the score of each deal."""
        return self.what == "score" or self.policy is not None


@frozen
class Task:
    """A question about ``count`` native deals from ``first`` on."""

    question: Question
    first: int
    count: int

    @property
    def last(self) -> int:
        """The last number."""
        return self.first + self.count - 1

    def starts(self) -> Iterator[State]:
        """The deals, one by one, before the first move."""
        rules = self.question.rules
        for number in range(self.first, self.first + self.count):
            yield State.start(Deal.from_number(number, rules.layout), rules)


@frozen
class Block:
    """The answers to a task, one number a deal in each column; columns not asked for are empty.

    - ``verdicts``: a byte each: ``LOST``, ``WON``, or which limit of ``OPEN`` was hit. Under
      a policy ``LOST`` only says that the player did not win.
    - ``positions``: searched; four bytes each, the low one first.
    - ``turns``, ``passes``: of the win with the fewest turns, ties broken by passes;
      ``fewest_passes``: of the win with the fewest passes. ``turns`` has two bytes each, the
      low one first.
    - ``scores``: the most cards that come home, or what the policy brought home.
    - ``checked``: how many answers were proved again. ``seconds`` of CPU time.

    A deal that has no fewest turns or passes has 0 passes there. One where a limit was hit
    has ``NO_TURNS`` or ``NO_COUNT``, less 0 for the limit on positions and 1 for memory.
    """

    question: Question
    first: int
    count: int
    verdicts: bytes
    positions: bytes
    turns: bytes = b""
    passes: bytes = b""
    fewest_passes: bytes = b""
    scores: bytes = b""
    checked: int = 0
    seconds: float = field(default=0.0, eq=False)

    @property
    def last(self) -> int:
        """The last number."""
        return self.first + self.count - 1


def measure(task: Task) -> Block:
    """Answer a task. Costs what its deals cost and builds no line and no proof.

    Raises ``OsmosisError`` if the question is for another version of the search.
    """
    ours = version(task.question.policy)
    if task.question.kernel != ours:
        got = f"kernel version {ours}"
        wanted = f"version {task.question.kernel}, which asked for it"
        raise OsmosisError(got, "survey worker", wanted)
    began = thread_time()
    columns = _MEASURES[task.question.measure](task)
    seconds = thread_time() - began
    return Block(task.question, task.first, task.count, **columns, seconds=seconds)


def _verdicts(
    rules: Rules, first: int, count: int, positions: int, megabytes: int
) -> tuple[bytes, bytes]:
    """Verdicts and positions of native deals, as columns of a ``Block``."""
    first_start = State.start(Deal.from_number(first, rules.layout), rules)
    named = in_numbers(first_start, tuple(first_start.row_orders()))
    sweep = _sweep.Sweep(rules.layout, **named)
    verdicts, searched = bytearray(), array("I")
    for start in range(first, first + count, _SLICE):
        size = min(_SLICE, first + count - start)
        codes, taken = bytearray(size), array("I", bytes(4 * size))
        sweep.run_many(start, size, positions, megabytes * 10**6, codes, taken)
        verdicts += codes
        searched += taken
    return bytes(verdicts), _low_first(searched)


def _low_first(column: array[int]) -> bytes:
    if sys.byteorder == "big":
        column = column[:]
        column.byteswap()
    return column.tobytes()


def numbers(kind: Literal["H", "I"], column: bytes) -> array[int]:
    """A column of two (``"H"``) or four (``"I"``) bytes a deal as numbers."""
    found = array(kind, column)
    if sys.byteorder == "big":
        found.byteswap()
    return found


class _Settled(NamedTuple):
    """What a search after the verdict found, or the limit it hit; all positions of the deal."""

    found: tuple[int, int, int] | int | None
    limit: Limit | None
    positions: int


def _ask_verdict(task: Task) -> dict[str, Any]:
    ask = task.question
    found = _verdicts(ask.rules, task.first, task.count, ask.positions, ask.megabytes)
    return dict(zip(("verdicts", "positions"), found, strict=True))


def _settle(
    task: Task, todo: int, search: Callable[[State, Purse], _Settled]
) -> tuple[dict[str, Any], Iterator[tuple[int, _Settled | None]]]:
    """Verdicts first; then, while they are drawn, what a search finds of the ``todo`` ones.

    The positions of the columns are complete when the last is drawn.
    """
    columns = _ask_verdict(task)
    searched = numbers("I", columns["positions"])
    budget = Budget(positions=task.question.positions, megabytes=task.question.megabytes)

    def each() -> Iterator[tuple[int, _Settled | None]]:
        for i, (code, start) in enumerate(zip(columns["verdicts"], task.starts(), strict=True)):
            if code != todo:
                yield code, None
                continue
            settled = search(start, Purse(budget, Watcher(), before=searched[i]))
            searched[i] = min(settled.positions, MOST_POSITIONS)
            yield code, settled
        columns["positions"] = _low_first(searched)

    return columns, each()


def _ask_turns(task: Task) -> dict[str, Any]:
    columns, each = _settle(task, WON, _fewest)
    turns, passes, fewest = array("H"), bytearray(), bytearray()
    for code, settled in each:
        short = _short_by(code, settled)
        if settled is not None and isinstance(settled.found, tuple):
            found = settled.found
        elif short is not None:
            found = (NO_TURNS - short, NO_COUNT - short, NO_COUNT - short)
        else:
            found = (0, 0, 0)
        turns.append(found[0])
        passes.append(found[1])
        fewest.append(found[2])
    return columns | {
        "turns": _low_first(turns),
        "passes": bytes(passes),
        "fewest_passes": bytes(fewest),
    }


def _ask_score(task: Task) -> dict[str, Any]:
    columns, each = _settle(task, LOST, _best)
    scores = bytearray()
    for code, settled in each:
        short = _short_by(code, settled)
        if settled is not None and isinstance(settled.found, int):
            scores.append(settled.found)
        else:
            scores.append(DECK if short is None else NO_COUNT - short)
    return columns | {"scores": bytes(scores)}


def _short_by(code: int, settled: _Settled | None) -> int | None:
    """Which limit was hit on the way to what was asked: 0 for positions, 1 for memory."""
    limit = settled.limit if settled is not None else _LIMITS.get(code)
    return None if limit is None else OPEN[limit] - OPEN["positions"]


def _ask_policy(task: Task) -> dict[str, Any]:
    player, rules = Player.named(task.question.policy), task.question.rules
    last = task.first + task.count
    scores = bytes(final_score(player, number, rules) for number in range(task.first, last))
    verdicts = bytes(WON if score == DECK else LOST for score in scores)
    return {"verdicts": verdicts, "positions": bytes(4 * task.count), "scores": scores}


_MEASURES: Final[dict[str, Callable[[Task], dict[str, Any]]]] = {
    "verdict": _ask_verdict,
    "turns": _ask_turns,
    "score": _ask_score,
    "policy": _ask_policy,
    "advisor": _ask_policy,
}


def _fewest(start: State, purse: Purse) -> _Settled:
    """Turns and passes of the win with the fewest turns, and the fewest passes, of a won deal."""
    turns, limit = _cheapest_pair(start, purse, by_passes=False)
    if turns is None:
        return _Settled(None, limit, purse.before)
    if turns[1] == 0:  # fewer redeals than none there are not
        return _Settled((turns[0], 1, 1), None, purse.before)
    redeals, limit = _cheapest_pair(start, purse, by_passes=True)
    if redeals is None:
        return _Settled(None, limit, purse.before)
    return _Settled((turns[0], turns[1] + 1, redeals[0] + 1), None, purse.before)


def _cheapest_pair(
    start: State, purse: Purse, by_passes: bool
) -> tuple[tuple[int, int] | None, Limit | None]:
    """What the cheapest win costs, what is minimised first, or the limit that was hit."""
    search = _cheapest.Cheapest(**in_numbers(start, tuple(start.row_orders())), by_passes=by_passes)
    limit: Limit | None = None
    while limit is None:
        event = _EVENT_NAMES[search.run(purse.slice(search.counts()[0]))]
        if event == "done":
            break
        if event == "full" and not search.grow(purse.room(0)):
            limit = "memory"
        else:
            limit = purse.limit(search.counts()[0])
    purse.keep(search.counts()[0])
    return (None, limit) if limit else (search.least(), None)


def _best(start: State, purse: Purse) -> _Settled:
    """The most cards that a line of a lost deal brings home: one more each time, from a dive on."""
    dive = Drive(start, purse, target=len(start.deal) + 1, proves=False)
    dive.search.dive_everywhere()
    score = dive.best
    while True:
        drive = Drive(start, purse, target=score + 1, proves=False)
        end: Any = drive.run()
        if end == "lost":
            return _Settled(score, None, purse.before)
        if end != "won":
            return _Settled(None, end, purse.before)
        score = drive.best
