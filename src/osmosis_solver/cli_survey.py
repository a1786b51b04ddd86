"""The commands ``survey`` and ``report``, in a file of their own that only they load."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Self, get_args

import click

from osmosis_solver.answer import Budget
from osmosis_solver.block import What
from osmosis_solver.errors import OsmosisError, ProofError, clip
from osmosis_solver.extras import bring
from osmosis_solver.meter import live
from osmosis_solver.options import asked_rules, rules_options, wrong_usage
from osmosis_solver.policy import Eyes, Player, kinds
from osmosis_solver.report import clock, to_object, told_survey
from osmosis_solver.store import Store
from osmosis_solver.survey import CHECK
from osmosis_solver.survey import survey as run_survey
from osmosis_solver.tally import Tally

if TYPE_CHECKING:
    from rich.live import Live

_CONTRADICTED: Final = 1
_UNKNOWN: Final = 3
_INTERRUPTED: Final = 130
_SECONDS_A_LOOK: Final = 0.1
_AHEAD: Final = 4
_SECONDS_TO_CONNECT: Final = 20


@click.command(short_help="How many of many deals can be won.")
@click.option("--deals", metavar="N", type=int, required=True, help="How many native deals.")
@click.option("--start", metavar="N", type=int, default=0, help="The first number; 0.")
@rules_options
@click.option(
    "--what",
    type=click.Choice(get_args(What)),
    default="verdict",
    help="Whether they can be won; also the fewest turns and passes; or the most cards home.",
)
@click.option("--policy", type=click.Choice(kinds()), help="What this player does, to compare.")
@click.option(
    "--completions", metavar="N", type=int, help="How many the advisor draws for each advice; 100."
)
@click.option(
    "--sees",
    type=click.Choice(get_args(Eyes)),
    help="What the advisor sees: whole packets, their last cards, or the reserve as well.",
)
@click.option("--store", metavar="FILE", help="Keep what is finished here, and go on from it.")
@click.option("--jobs", metavar="N", type=click.IntRange(1, 1024), help="Processes at work; 1.")
@click.option("--dask", metavar="ADDRESS", help="Work on the Dask cluster of this scheduler.")
@click.option(
    "--check", metavar="SHARE", type=float, default=CHECK, help=f"Answers proved again; {CHECK}."
)
@click.option("--block", metavar="N", type=int, help="Deals that are measured at a time.")
@click.option("--positions", metavar="N", type=int, help="Most positions for each deal.")
@click.option("--memory", metavar="MB", type=int, help="Most megabytes for each search.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def survey(**given: Any) -> int:
    """Survey native deals: how many can be won, and what that takes.

    With --store the survey may be ended at any moment; the same command goes on from what is
    kept there. A share of the answers is proved again, and a false one ends the survey.

    \b
    Exit status: 0 all decided; 3 some unknown; 1 an answer that a proof contradicts;
    2 bad input or usage, or a store or a worker that fails; 130 interrupted.
    """
    if given["jobs"] is not None and given["dask"] is not None:
        raise wrong_usage("either --jobs or --dask, not both")
    bring("scipy.stats", "survey")  # tells now, not after hours, if it is missing
    wanted = range(given["start"], given["start"] + given["deals"])
    try:
        tally = _survey(given, wanted)
    except ProofError as error:
        click.echo(f"osmosis: {error}", err=True)
        return _CONTRADICTED
    except KeyboardInterrupt:
        if given["store"] is None:
            raise
        kept = f"what is finished is kept in {given['store']}, the same command goes on from it"
        click.echo(f"osmosis: interrupted; {kept}", err=True)
        return _INTERRUPTED
    return _tell(tally, [wanted], given["as_json"])


def _survey(given: dict[str, Any], wanted: range) -> Tally:
    policy = _policy(given)
    limits = {"positions": given["positions"], "megabytes": given["memory"]}
    budget = Budget(**{name: limit for name, limit in limits.items() if limit is not None})
    rules = asked_rules(given)
    with _workers(given) as (executor, ahead), _meter(len(wanted)) as meter:
        return run_survey(
            (wanted.start, wanted.stop),
            rules,
            what=given["what"],
            policy=policy,
            executor=executor,
            store=given["store"],
            check=given["check"],
            block=given["block"],
            budget=budget,
            ahead=ahead,
            watcher=meter,
        )


def _policy(given: dict[str, Any]) -> str | None:
    """The player that was asked for, by name."""
    kind, completions, sees = given["policy"], given["completions"], given["sees"]
    if kind is None and (completions is not None or sees is not None):
        raise wrong_usage("--completions and --sees are for --policy advisor")
    return None if kind is None else str(Player.named(kind, completions, sees))


@click.command(short_help="Tell what a survey has found.")
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--merge", metavar="OTHER", multiple=True, help="Take the deals of this store over first."
)
@click.option(
    "--against", metavar="OTHER", help="Compare it deal by deal with this store of the same deals."
)
@click.option("--export", metavar="FILE", help="Write a Parquet file, one row a deal.")
@click.option("--plots", metavar="DIR", help="Draw pictures in this folder.")
def report(**given: Any) -> int:
    """Tell what the survey whose store is FILE has found, also while it runs.

    With --merge the deals of other stores are taken over into FILE, which is begun if there
    is none; a deal that both have is counted once. With --against it is told which deals one
    store wins and the other does not, and by how much their shares differ.

    \b
    Exit status: 0 all decided; 3 some unknown; 2 bad input or usage.
    """
    bring("scipy.stats", "survey")
    for other in given["merge"]:
        _merge(given["file"], other)
    with Store.read(given["file"]) as store:
        if given["export"] is not None:
            _export(store, given["export"])
        if given["plots"] is not None:
            _plots(store, given["plots"])
        if given["against"] is not None:
            return _compare(store, given["against"], given["as_json"])
        return _tell(store.tally(), store.stored(), given["as_json"])


def _compare(store: Store, path: str, as_json: bool) -> int:
    from osmosis_solver import paired

    with Store.read(path) as other:
        found = paired.compare(store, other)
    lines = [json.dumps(paired.to_object(found))] if as_json else paired.told_comparison(found)
    for line in lines:
        click.echo(line)
    return _UNKNOWN if any(found.unknown) else 0


COMMANDS: Final = {"survey": survey, "report": report}


def _merge(path: str, other: str) -> None:
    with Store.read(other) as source:
        question = source.question
    with Store.open(path, question) as store:
        new = store.merge(other)
    click.echo(f"{new:,} new blocks from {other}", err=True)


def _export(store: Store, path: str) -> None:
    from osmosis_solver.export import export

    click.echo(f"{export(store, path):,} rows written to {path}", err=True)


def _plots(store: Store, folder: str) -> None:
    from osmosis_solver.plots import draw_plots

    for path in draw_plots(store, folder):
        click.echo(f"drawn: {path}", err=True)


def _tell(tally: Tally, numbers: Iterable[range], as_json: bool) -> int:
    if as_json:
        click.echo(json.dumps(to_object(tally, numbers)))
    else:
        for line in told_survey(tally, numbers):
            click.echo(line)
    return _UNKNOWN if tally.undecided or tally.unsettled else 0


# ---- who works -----------------------------------------------------------------------


@contextmanager
def _workers(given: dict[str, Any]) -> Iterator[tuple[Executor | None, int]]:
    """The executor that was asked for, and how many blocks to hand it at a time."""
    if given["dask"] is not None:
        with _cluster(given["dask"]) as found:
            yield found
    elif (given["jobs"] or 1) > 1:
        with _pool(given["jobs"]) as executor:
            yield executor, _AHEAD * given["jobs"]
    else:
        yield None, 1


@contextmanager
def _pool(jobs: int) -> Iterator[Executor]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_work)
    try:
        yield pool
    except BaseException:
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_work() -> None:
    """In a new process: leave Ctrl-C to the parent, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    distributed = bring("distributed", "dask")
    try:
        client = distributed.Client(address, timeout=_SECONDS_TO_CONNECT)
    except (OSError, ValueError, TimeoutError) as error:
        wanted = "the address of a scheduler that answers, such as tcp://host:8786"
        raise OsmosisError(f"{clip(address)} ({error})", "Dask cluster", wanted) from error
    with client:
        threads = sum(client.nthreads().values())
        yield client.get_executor(pure=False), _AHEAD * max(threads, 1)


# ---- the display ---------------------------------------------------------------------


def _meter(total: int) -> Any:
    if sys.stderr is None or not sys.stderr.isatty():
        return nullcontext()
    return SurveyMeter(total)


class SurveyMeter:
    """Shows on standard error how far a survey is; call it with each tally."""

    def __init__(self, total: int, clock: Callable[[], float] = monotonic) -> None:
        self._total, self._clock = total, clock
        self._began, self._next_look = clock(), 0.0
        self._before: int | None = None
        self._live: Live | None = None

    def __enter__(self) -> Self:
        self._live = live()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, tally: Tally) -> None:
        """Show the figures so far, unless some were shown just now."""
        now = self._clock()
        if self._before is None:  # what the store had is not of this run
            self._before, self._began = tally.deals, now
        if now >= self._next_look and self._live is not None:
            self._next_look = now + _SECONDS_A_LOOK
            done = tally.deals - self._before
            text = so_far(tally, self._total, done, now - self._began)
            self._live.update(text, refresh=True)


def so_far(tally: Tally, total: int, done: int, seconds: float) -> str:
    """Deals counted, deals a second and time left; the share won with its interval.

    ``done`` deals took ``seconds``; others may have been counted before.
    """
    told = f"{tally.deals:,} of {total:,} deals"
    if done and seconds > 0:
        left = (total - tally.deals) * seconds / done
        told += f", {done / seconds:,.0f} a second, {clock(left)} left"
    if tally.deals:
        share, low, high = (100 * value for value in tally.share_won)
        told += f"\n{share:.4f} % won (95 % interval {low:.4f} to {high:.4f})"
    return told + (f", {tally.undecided:,} unknown" if tally.undecided else "")
