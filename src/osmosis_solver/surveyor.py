"""Does a survey: blocks of deals out to an executor, and in; a share of them proved again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from attrs import evolve, field, frozen
from attrs.validators import optional

from osmosis_solver.answer import Answer, Budget, Won
from osmosis_solver.block import (
    LAST_NUMBER,
    LOST,
    NO_COUNT,
    WON,
    Block,
    Question,
    Task,
    What,
    measure,
    numbers,
)
from osmosis_solver.check import check as verify
from osmosis_solver.deal import Deal
from osmosis_solver.errors import OsmosisError, ProofError, clip
from osmosis_solver.game import State
from osmosis_solver.numbering import scramble
from osmosis_solver.rules import Rules
from osmosis_solver.sitting import plain_score
from osmosis_solver.solver import best_score, solve
from osmosis_solver.tally import Tally

if TYPE_CHECKING:
    from osmosis_solver.store import Store

DEALS_A_BLOCK: Final = {
    "verdict": 10_000,
    "turns": 1_000,
    "score": 1_000,
    "policy": 2_000,
    "advisor": 100,
}
"""How many deals a block has if nothing else is asked for: some seconds of work."""
_MOST_A_BLOCK: Final = 10**6
_POSITIONS: Final = 10**8


def _share(_: Any, __: Any, check: Any) -> None:
    right_kind = isinstance(check, int | float) and not isinstance(check, bool)
    if not right_kind or not 0 <= check <= 1:
        raise OsmosisError(clip(check), "survey, check", "a share from 0 to 1")


def _natural(where: str) -> Any:
    def check(_: Any, __: Any, value: Any) -> None:
        if type(value) is not int or not 1 <= value <= _MOST_A_BLOCK:
            raise OsmosisError(clip(value), where, f"a whole number from 1 to {_MOST_A_BLOCK}")

    return check


@frozen
class Plan:
    """How a survey is done: by whom, with which share checked, in which blocks.

    ``block`` is how many deals a block has, None for what is usual; ``ahead`` how many blocks
    are handed out at a time.
    """

    executor: Executor | None
    check: float = field(validator=_share)
    block: int | None = field(validator=optional(_natural("survey, deals a block")))
    ahead: int = field(validator=_natural("survey, blocks ahead"))


def run(
    question: Question,
    numbers: range | tuple[int, int],
    plan: Plan,
    store: Store | str | Path | None = None,
    watcher: Callable[[Tally], None] | None = None,
) -> Tally:
    """Do a survey, as ``survey`` tells."""
    wanted, tell = _range(numbers), watcher or (lambda _: None)
    with _opened(store, question) as kept:
        stored = [] if kept is None else [each for each in kept.stored() if _meet(each, wanted)]
        _hold_inside(stored, wanted)
        tally = Tally(question) if kept is None else kept.tally(wanted)
        tell(tally)
        for done in _blocks(_tasks(question, wanted, plan.block, stored), plan):
            if kept is None or kept.put(done):
                tally += Tally.of(done)
            tell(tally)
        return tally if kept is None else kept.tally(wanted)


def work(task: Task, share: float) -> Block:
    """What a worker does: measure a task, and prove a share of its answers again."""
    block = measure(task)
    checked = sum(_prove_again(block, number) for number in chosen(task.first, task.last, share))
    return evolve(block, checked=checked)


def chosen(first: int, last: int, share: float) -> Iterator[int]:
    """The numbers from ``first`` to ``last`` whose answers are proved again.

    One of each run of so many numbers that the share is ``share`` at least, scrambled so
    that no pattern of numbers escapes. Whether a number is chosen depends on it alone.

    >>> list(chosen(0, 9, 0.5))
    [0, 3, 4, 6, 8]
    """
    if share <= 0:
        return
    width = max(1, int(1 / share))
    for run in range(first // width, last // width + 1):
        number = run * width + scramble(run) % width
        if first <= number <= last:
            yield number


class _Said(NamedTuple):
    """What is said of one deal; None for what was not asked or is not settled."""

    verdict: str
    turns: int | None = None
    passes: int | None = None
    fewest_passes: int | None = None
    score: int | None = None

    def __str__(self) -> str:
        named = self._asdict().items()
        return ", ".join(
            str(value) if name == "verdict" else f"{name.replace('_', ' ')} {value}"
            for name, value in named
            if value is not None
        )


def _prove_again(block: Block, number: int) -> bool:
    """Whether the answer for a deal is proved; False if a limit leaves it open.

    Raises ``ProofError`` if something else is proved, or a proof does not verify.
    """
    said = _said(block, number - block.first)
    if said is None:
        return False
    start = State.start(Deal.from_number(number, block.question.rules.layout), block.question.rules)
    where = f"survey, native deal {number}, {block.question.name}"
    try:
        proved = _proved(block.question, start, said)
    except ProofError as error:
        raise ProofError(f"a proof that fails: {error}", where, "one that verifies") from error
    if proved is not None and proved != said:
        raise ProofError(str(said), where, f"{proved}, which is proved")
    return proved is not None


def _said(block: Block, i: int) -> _Said | None:
    """The answer of a block for its i-th deal, or None where a limit was hit."""
    code = block.verdicts[i]
    if code not in (WON, LOST):
        return None
    verdict = "won" if code == WON else "lost"
    if block.scores:
        score = block.scores[i]
        return _Said(verdict, score=score) if score < NO_COUNT - 1 else None
    if not block.turns or code == LOST:
        return _Said(verdict)
    if block.passes[i] >= NO_COUNT - 1:
        return None
    turns = numbers("H", block.turns[2 * i : 2 * i + 2])[0]
    return _Said(verdict, turns, block.passes[i], block.fewest_passes[i])


def _proved(question: Question, start: State, said: _Said) -> _Said | None:
    """The same by the solver's proofs, or by the policy's plain form; None if a limit is hit."""
    budget = Budget(positions=question.positions, megabytes=question.megabytes)
    if question.player is not None and question.measure != "score":
        return _played(plain_score(question.player, start), start, budget)
    if question.measure == "score":
        best = best_score(start, budget=budget)
        return _Said(best.verdict, score=best.score) if _settled(best) else None
    if question.what == "turns" and said.verdict == "won":
        return _fewest(start, budget)
    verdict = _settled(solve(start, budget=budget))
    return _Said(verdict) if verdict else None


def _played(score: int, start: State, budget: Budget) -> _Said:
    """What a policy did, which wins only what can be won."""
    if score == len(start.deal) and _settled(solve(start, budget=budget)) == "lost":
        return _Said("lost")
    return _Said("won" if score == len(start.deal) else "lost", score=score)


def _fewest(start: State, budget: Budget) -> _Said | None:
    turns = solve(start, minimise="turns", budget=budget)
    passes = solve(start, minimise="passes", budget=budget)
    if not (_settled(turns) and _settled(passes)):
        return None
    if isinstance(turns, Won) and isinstance(passes, Won):
        return _Said("won", turns.turns, turns.passes, passes.passes)
    return _Said("lost")


def _settled(answer: Answer) -> str | None:
    """The verdict of an answer, once its proofs are verified; None if a limit was hit."""
    verify(answer)
    return None if answer.limit else answer.verdict


def _blocks(tasks: Iterable[Task], plan: Plan) -> Iterator[Block]:
    """The blocks of the tasks, as they are finished."""
    if plan.executor is None:
        yield from (work(task, plan.check) for task in tasks)
        return
    pending = dict[Future[Block], Task]()
    try:
        for task in tasks:
            pending[_submit(plan.executor, task, plan.check)] = task
            if len(pending) >= plan.ahead:
                yield from _finished(pending)
        while pending:
            yield from _finished(pending)
    finally:
        for future in pending:
            future.cancel()


def _submit(executor: Executor, task: Task, share: float) -> Future[Block]:
    try:
        return executor.submit(work, task, share)
    except BrokenExecutor as error:
        raise _lost(task, error) from error


def _finished(pending: dict[Future[Block], Task]) -> Iterator[Block]:
    """The next finished blocks, before the error is raised if one of them has failed."""
    done = wait(pending, return_when=FIRST_COMPLETED).done
    failed = dict[Future[Block], Task]()
    for future in done:
        task = pending.pop(future)
        if future.cancelled() or future.exception() is not None:
            failed[future] = task
        else:
            yield future.result()
    for future, task in failed.items():
        try:
            future.result()
        except (Exception, CancelledError) as error:
            if _is_loss(error):
                raise _lost(task, error) from error
            raise


def _is_loss(error: BaseException) -> bool:
    """Whether it tells of a worker that is gone, and not of what it found."""
    of_dask = type(error).__module__.partition(".")[0] == "distributed"
    return of_dask or isinstance(error, BrokenExecutor | CancelledError | MemoryError)


def _lost(task: Task, error: BaseException) -> OsmosisError:
    return OsmosisError(
        f"{type(error).__name__}, a lost worker",
        f"survey, deals {task.first} to {task.last}",
        "their answers; what a store has kept is kept, and the same survey goes on from it",
    )


def _tasks(
    question: Question, wanted: range, block: int | None, stored: Iterable[range]
) -> Iterator[Task]:
    """What is wanted and not stored, cut at the multiples of the block's size."""
    at = wanted.start
    size = block or DEALS_A_BLOCK[question.measure]
    for stop, after in [*((each.start, each.stop) for each in stored), (wanted.stop, wanted.stop)]:
        while at < stop:
            end = min(stop, (at // size + 1) * size)
            yield Task(question, at, end - at)
            at = end
        at = after


def _meet(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop


def _hold_inside(stored: Iterable[range], wanted: range) -> None:
    """Refuse numbers that cut a stored block: its positions are known in sum only."""
    for each in stored:
        if each.start < wanted.start or each.stop > wanted.stop:
            got = f"deals {wanted.start} to {wanted.stop - 1}"
            block = f"deals {each.start} to {each.stop - 1}"
            raise OsmosisError(got, "survey, numbers", f"all or none of {block}, a stored block")


def _opened(
    store: Store | str | Path | None, question: Question
) -> AbstractContextManager[Store | None]:
    """The store, to be closed again if only its path was given."""
    if store is None:
        return nullcontext()
    from osmosis_solver.store import Store

    if isinstance(store, Store):
        store.hold(question)
        return nullcontext(store)
    if not isinstance(store, str | Path):
        raise OsmosisError(clip(store), "survey, store", "a Store, a path or None")
    return Store.open(store, question)


def ask(rules: Rules, what: What, policy: str | None, budget: Budget | None) -> Question:
    """The question of a survey. Raises ``OsmosisError`` for what makes no sense."""
    limits = Budget() if budget is None else budget
    if not isinstance(limits, Budget) or limits.seconds is not None:
        wanted = "a Budget without seconds, which are not the same on every run, or None"
        raise OsmosisError(clip(limits), "survey, budget", wanted)
    return Question(rules, what, policy, limits.positions or _POSITIONS, limits.megabytes)


def _range(numbers: Any) -> range:
    wanted = "a range in steps of 1, or its start and stop, of numbers from 0 to 2^64 - 1"
    pair = isinstance(numbers, tuple) and [type(value) for value in numbers] == [int, int]
    found = range(*numbers) if pair else numbers
    if not isinstance(found, range) or found.step != 1:
        raise OsmosisError(clip(numbers), "survey, numbers", wanted)
    if not 0 <= found.start < found.stop <= LAST_NUMBER + 1:
        raise OsmosisError(clip(numbers), "survey, numbers", f"{wanted}, one at least")
    return found
