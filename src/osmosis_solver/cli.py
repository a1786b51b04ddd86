"""The command ``osmosis``: reads what was asked, calls the library, prints the answer."""

from __future__ import annotations

import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from osmosis_solver.answer import Answer, Budget, Lost, Unknown, Watcher
from osmosis_solver.asked import at, called, read_lines
from osmosis_solver.deal import Deal
from osmosis_solver.errors import IllegalMove, NotationError, OsmosisError, ProofError
from osmosis_solver.game import State
from osmosis_solver.moves import Move
from osmosis_solver.notation import parse_line
from osmosis_solver.options import (
    RULES_OPTIONS,
    asked_budget,
    asked_deals,
    asked_rules,
    budget_options,
    deal_options,
    one_deal_options,
    rules_options,
    the_deal,
    wrong_usage,
)
from osmosis_solver.rules import Rules
from osmosis_solver.told import (
    many,
    optimum,
    tally,
    tell_answer,
    tell_hint,
    tell_position,
    told_past,
)

if TYPE_CHECKING:
    from osmosis_solver.meter import Meter

_BAD_INPUT: Final = 2
_INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141
_LONGEST_MESSAGE: Final = 400
_LATE: Final = ("advise", "play", "report", "survey")
_STATUS: Final = {"won": 0, "lost": 1, "unknown": 3}

_Question = Callable[[State, Watcher | None], Answer]


class _Command(click.Group):
    """A group whose every failure is one line on standard error and an exit status.

    The commands of ``_LATE`` are loaded when they are asked for, since few runs need them.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted((*super().list_commands(ctx), *_LATE))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _LATE:
            return super().get_command(ctx, cmd_name)
        if cmd_name == "advise":
            from osmosis_solver.cli_advise import advise_command

            return advise_command
        if cmd_name == "play":
            from osmosis_solver.cli_play import play

            return play
        from osmosis_solver.cli_survey import COMMANDS

        return COMMANDS[cmd_name]

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        try:
            run: Callable[..., Any] = super().main
            status = run(*args, standalone_mode=False, **extra)
        except click.ClickException as error:
            asked = getattr(error, "ctx", None)
            usage = f"; u{asked.get_usage()[1:]}" if asked else ""
            status = _complain(error.format_message().rstrip(".") + usage)
        except click.Abort:
            status = _INTERRUPTED
        except OSError as error:
            _silence()
            status = _complain(f"cannot write: {error.strerror}")
        except UnicodeEncodeError as error:
            unknown = ascii(error.object[error.start])
            status = _complain(f"cannot write: {error.encoding} has no {unknown}")
        return sys.exit(status) if standalone_mode else status

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OsmosisError as error:
            return _complain(str(error))
        except KeyboardInterrupt:
            return _complain("interrupted", _INTERRUPTED)
        except BrokenPipeError:
            _silence()
            return _PIPE_CLOSED


def _complain(message: str, status: int = _BAD_INPUT) -> int:
    click.echo(f"osmosis: {_short(' '.join(message.split()))}", err=True)
    return status


def _short(message: str) -> str:
    """The message without its middle if it is long: its ends say where and what is wanted."""
    # Click quotes an argument as it is, be it a million digits.
    half = _LONGEST_MESSAGE // 2
    if len(message) <= _LONGEST_MESSAGE:
        return message
    return f"{message[:half]} ... {message[-half:]}"


def _silence() -> None:
    """Send what is still in the buffer nowhere, so that the interpreter can end in peace."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from importlib.metadata import PackageNotFoundError, version

    from osmosis_solver.solver import kernel_kind

    try:
        number = version("osmosis-solver")
    except PackageNotFoundError:
        number = "(not installed)"
    click.echo(f"osmosis {number}, {kernel_kind()} kernel")
    ctx.exit()


@click.group(
    cls=_Command,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and which kernel is in use, then exit.",
)
@click.pass_context
def osmosis(ctx: click.Context) -> None:
    """Solve the solitaire game Osmosis: a winning line of play, or a proof of none.

    A line of play is written as cards (a play), "." (a turn of the stock) and "|" (a
    redeal), as in "AD KH . . KS 9C | . 4S".
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@osmosis.command(short_help="Solve deals.")
@deal_options
@rules_options
@click.option(
    "--minimise", type=click.Choice(["turns", "passes"]), help="Win with the fewest of these."
)
@click.option("--best", is_flag=True, help="Bring home as many cards as can be.")
@click.option("--after", metavar="LINE", help="Solve one deal from after this line of play.")
@budget_options
@click.option(
    "--engine", type=click.Choice(["kernel", "reference"]), default="kernel", help="The search."
)
@click.option("--progress", is_flag=True, help="Tell of each better line on standard error.")
@click.option("--explain", is_flag=True, help="Tell of a win why it takes this line.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines, one object a deal.")
@click.option("--html", metavar="FILE", help="Write one deal's answer as a page to look at.")
def solve(**given: Any) -> int:
    """Solve deals: CODEs first, then those of the file, of PySolFC, native ones.

    With --after a line that threw the win away is told, and by which move.

    \b
    Exit status: 0 all won; 1 some lost, none unknown; 3 some unknown, be it only
    whether a win or a score is the best, if that was asked; 2 bad input or usage
    (the answers before it are printed).
    """
    deals, rules, budget = asked_deals(given), asked_rules(given), asked_budget(given)
    ask, line = _question(given, budget), parse_line(given["after"] or "")
    for name, what in (("after", "a line of play"), ("html", "a page")):
        if given[name] is not None:
            the_deal(deals, what)
    verdicts, statuses = Counter[str](), set[int]()
    with _meter(len(deals), budget) as meter:
        for place, asked in enumerate(deals, 1):
            first = State.start(asked.deal, rules)
            state = first.play_all(line)
            answer = ask(state, _watcher(given, meter, f"deal {place}", state))
            if meter is not None:
                meter.answered()
            if given["as_json"]:
                _tell_machine(answer, line)
            else:
                tell_position(asked.name, state, len(line))
                past = _told_past(answer, first, line, budget)
                tell_answer(answer, past, reasons=given["explain"])
            if given["html"] is not None:
                _write_page(given["html"], answer, line, asked.name)
            verdicts[answer.verdict] += 1
            statuses.add(_status(answer))
    if verdicts.total() > 1 and not given["as_json"]:
        click.echo(tally(verdicts))
    return max(statuses)


def _status(answer: Answer) -> int:
    """3 where a limit left open what was asked, else what the verdict says."""
    return _STATUS["unknown" if answer.limit else answer.verdict]


def _question(given: dict[str, Any], budget: Budget) -> _Question:
    """What is asked of each deal: any win, the cheapest win, or the best score."""
    from osmosis_solver import solver

    minimise, engine = given["minimise"], given["engine"]
    if given["best"] and minimise is not None:
        raise wrong_usage("either --best or --minimise, not both")
    if given["explain"] and given["as_json"]:
        raise wrong_usage("either --explain or --json, not both")
    if given["best"]:
        return lambda state, watcher: solver.best_score(
            state, budget=budget, engine=engine, watcher=watcher
        )
    return lambda state, watcher: solver.solve(
        state, minimise=minimise, budget=budget, engine=engine, watcher=watcher
    )


def _watcher(given: dict[str, Any], meter: Meter | None, name: str, state: State) -> Watcher | None:
    if not given["progress"]:
        return meter
    from osmosis_solver.meter import Progress

    return Progress(meter, name, state, given["minimise"])


def _tell_machine(answer: Answer, after: tuple[Move, ...]) -> None:
    from osmosis_solver.wire import to_line

    click.echo(to_line(answer, after))


def _write_page(path: str, answer: Answer, after: tuple[Move, ...], title: str) -> None:
    from osmosis_solver.render import write_html

    write_html(path, answer, after, title)


def _told_past(answer: Answer, first: State, line: tuple[Move, ...], budget: Budget) -> str:
    """If it is lost after a line: which of its moves threw the win away."""
    if not line or not isinstance(answer, Lost):
        return ""
    from osmosis_solver.advice import look_back

    return told_past(look_back(first, line, budget), line)


@osmosis.command(short_help="The best next move, and why.")
@one_deal_options
@rules_options
@click.option("--after", metavar="LINE", default="", help="The line of play made so far.")
@budget_options
def hint(**given: Any) -> int:
    """Name the next move of a win with the fewest turns, and why it is the one to make.

    If it is too late, say so, and by which move the win was thrown away. Each limit is for
    each position that is looked at, which may be a few.

    \b
    Exit status: 0 a move is named, or the game is won; 1 no line wins any more;
    3 a limit was hit before this was clear; 2 bad input or usage.
    """
    from osmosis_solver import advice

    asked, budget = the_deal(asked_deals(given)), asked_budget(given)
    first, line = State.start(asked.deal, asked_rules(given)), parse_line(given["after"])
    state = first.play_all(line)
    advised = advice.hint(state, budget)
    tell_position(asked.name, state, len(line))
    tell_hint(advised, _told_past(advised.answer, first, line, budget))
    return _status(advised.answer)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _meter(total: int, budget: Budget) -> AbstractContextManager[Meter | None]:
    if not _is_terminal(sys.stderr):
        return nullcontext()
    from osmosis_solver.meter import Meter

    return Meter(total, budget, shared_screen=_is_terminal(sys.stdout))


@osmosis.command(short_help="Verify answers, or try a line of play of one's own.")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--deal", metavar="CODE", help="A deal code, for a line of one's own.")
@click.option("--line", metavar="LINE", help='The line of play on it, such as "AD . . KH".')
@rules_options
def check(**given: Any) -> int:
    """Verify the answers that "solve --json" wrote in FILE (standard input if not given).

    With --deal and --line: whether a line of one's own is legal, and how far it comes. The
    rules options are for that only; answers bring their rules along.

    \b
    Exit status: 0 all verify (a line of one's own: it wins); 1 something does not
    verify (the line is illegal or does not win); 3 some are unknown, which leaves
    nothing to verify; 2 input that cannot be read.
    """
    if given["deal"] is not None and given["line"] is not None and given["file"] is None:
        return _check_line(given["deal"], given["line"], asked_rules(given))
    if any(given[name] is not None for name in ("deal", "line", *RULES_OPTIONS)):
        raise wrong_usage("a line of one's own takes both --deal and --line, and no FILE")
    return _check_answers(given["file"] or "-")


def _check_line(code: str, line: str, rules: Rules) -> int:
    start, moves = State.start(Deal.from_code(code), rules), parse_line(line)
    try:
        state = start.play_all(moves)
    except IllegalMove as error:
        click.echo(str(error))
        return 1
    won = state.is_won
    click.echo("wins" if won else f"legal, reaches {many(state.score, 'card')}")
    return 0 if won else 1


def _check_answers(path: str) -> int:
    statuses = set()
    for place, answer in enumerate(_answers(path), 1):
        if isinstance(answer, ProofError):
            status, told = 1, f"does not verify: {answer}"
        else:
            status, told = _verify(answer)
            told = f"{answer.verdict}, {told}"
        click.echo(f"{place}: {told}")
        statuses.add(status)
    if not statuses:
        raise NotationError("no answer", called(path), "answers as JSON Lines")
    return 1 if 1 in statuses else max(statuses)


def _verify(answer: Answer) -> tuple[int, str]:
    from osmosis_solver.check import check as verify

    try:
        verify(answer)
    except OsmosisError as error:
        return 1, f"does not verify: {error}"
    if isinstance(answer, Unknown):
        line = "nothing to verify" if answer.line is None else "its line verified"
        return _STATUS["unknown"], f"{line}: the limit on {answer.limit} was hit"
    best = optimum(answer)
    return 0, f"verified: {best}" if best else "verified"


def _answers(path: str) -> Iterator[Answer | ProofError]:
    """The answers of a file; in the place of one that contradicts itself what is wrong."""
    from osmosis_solver.strict import LONGEST_LINE
    from osmosis_solver.wire import from_json

    for place, text in read_lines(path, LONGEST_LINE):
        try:
            answer: Answer | ProofError = from_json(text)
        except ProofError as error:
            answer = error
        except OsmosisError as error:
            raise at(place, error) from None
        yield answer


@osmosis.command(short_help="Draw deals, or the position after a line of play.")
@deal_options
@rules_options
@click.option("--line", metavar="LINE", default="", help="Draw the position after this line.")
def show(**given: Any) -> int:
    """Draw deals, or the position after a line of play.

    The top of each reserve pile and of the waste is in brackets. In the rows, a dot marks
    a card that the row would take now. The stock is grouped by turns, the next card first.

    \b
    Exit status: 0, or 2 for bad input or usage, an illegal line included.
    """
    deals, rules, line = asked_deals(given), asked_rules(given), parse_line(given["line"])
    for place, asked in enumerate(deals):
        if place:
            click.echo()
        tell_position(asked.name, State.start(asked.deal, rules).play_all(line))
    return 0


def main() -> None:
    """Run the command ``osmosis`` and end the process with its exit status."""
    warnings.showwarning = lambda message, *_: click.echo(f"osmosis: {message}", err=True)
    osmosis.main(prog_name="osmosis")
