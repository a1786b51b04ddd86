"""The command ``osmosis``: reads what was asked, calls the library, prints the answer."""

from __future__ import annotations

import os
import re
import sys
import textwrap
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Final, TextIO

import click
from attrs import evolve

from osmosis_solver.answer import Answer, Budget, Lost, Spent, Unknown, Won
from osmosis_solver.asked import Asked, AskedDeal, at, called, read_file, read_lines
from osmosis_solver.deal import Deal
from osmosis_solver.errors import IllegalMove, NotationError, OsmosisError, clip
from osmosis_solver.game import State
from osmosis_solver.moves import Move
from osmosis_solver.notation import format_line, parse_line
from osmosis_solver.rules import NAMED_RULES, OSMOSIS, Rules

if TYPE_CHECKING:
    from osmosis_solver.meter import Meter

_BAD_INPUT: Final = 2
_INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141
_STATUS: Final = {"won": 0, "lost": 1, "unknown": 3}
_TEXT_WIDTH: Final = 78
_DEAL_OPTIONS: Final = ("codes", "file", "pysol", "number")
_RULES_OPTIONS: Final = ("rules", "draw", "passes", "waste", "row_start")

_Decorated = Callable[..., Any]


class _Command(click.Group):
    """A group whose every failure is one line on standard error and an exit status."""

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        try:
            run: Callable[..., Any] = super().main
            status = run(*args, standalone_mode=False, **extra)
        except click.UsageError as error:
            usage = f"; u{error.ctx.get_usage()[1:]}" if error.ctx else ""
            status = _complain(error.format_message().rstrip(".") + usage)
        except click.ClickException as error:
            status = _complain(error.format_message())
        except click.Abort:
            status = _INTERRUPTED
        except OSError as error:
            _silence()
            status = _complain(f"cannot write: {error.strerror}")
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
    click.echo(f"osmosis: {' '.join(message.split())}", err=True)
    return status


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


def _passes(_: click.Context, __: click.Parameter, value: str | None) -> int | str | None:
    if value is None or value.lower() == "none":
        return value and "none"
    if not re.fullmatch("[0-9]{1,9}", value):
        raise click.BadParameter(f"got {clip(value)}, wanted a whole number or none")
    return int(value)


def _stack(*decorators: Callable[[_Decorated], _Decorated]) -> Callable[[_Decorated], _Decorated]:
    def decorate(command: _Decorated) -> _Decorated:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


_deal_options = _stack(
    click.argument("codes", metavar="[CODE]...", nargs=-1),
    click.option(
        "--file", metavar="FILE", help="Deal codes, one a line, or deal texts; - is standard input."
    ),
    click.option(
        "--pysol", metavar="N", multiple=True, help="A PySolFC deal number: 24, ms24. Repeatable."
    ),
    click.option(
        "--number", metavar="N", type=int, multiple=True, help="A native deal number. Repeatable."
    ),
)
_rules_options = _stack(
    click.option(
        "--rules", metavar="NAME", help=f"{', '.join(NAMED_RULES)}. OSMOSIS if not given."
    ),
    click.option("--draw", metavar="N", type=int, help="Cards a turn, in place of the rules' own."),
    click.option(
        "--passes",
        metavar="N|none",
        callback=_passes,
        help="Passes through the stock that are allowed.",
    ),
    click.option(
        "--waste", type=click.Choice(["top", "packet"]), help="Which waste cards are playable."
    ),
    click.option(
        "--row-start",
        type=click.Choice(["base", "any"]),
        help="What opens a row: base rank, or any.",
    ),
)


def _rules(given: dict[str, Any]) -> Rules:
    rules = OSMOSIS if given["rules"] is None else Rules.named(given["rules"])
    changes = {name: given[name] for name in _RULES_OPTIONS[1:] if given[name] is not None}
    if changes.get("passes") == "none":
        changes["passes"] = None
    return evolve(rules, **changes)


def _describe(rules: Rules) -> str:
    if rules.name:
        return rules.name
    passes = "no limit of passes" if rules.passes is None else f"passes {rules.passes}"
    return f"draw {rules.draw}, {passes}, waste {rules.waste}, row start {rules.row_start}"


def _asked(given: dict[str, Any]) -> Asked:
    codes, path, pysol, number = (given[name] for name in _DEAL_OPTIONS)
    file = None if path is None else read_file(path)
    asked = Asked(codes, file, pysol, number, _rules(given).layout)
    if asked.nothing:
        raise click.UsageError("no deal given", click.get_current_context())
    return asked


@osmosis.command(short_help="Solve deals.")
@_deal_options
@_rules_options
@click.option("--seconds", metavar="S", type=float, help="Most seconds for each deal.")
@click.option("--positions", metavar="N", type=int, help="Most positions for each deal.")
@click.option("--memory", metavar="MB", type=int, help="Most megabytes for the search.")
@click.option(
    "--engine", type=click.Choice(["kernel", "reference"]), default="kernel", help="The search."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines, one object a deal.")
def solve(**given: Any) -> int:
    """Solve deals: CODEs first, then those of the file, of PySolFC, native ones.

    \b
    Exit status: 0 all won; 1 some lost, none unknown; 3 some unknown;
    2 bad input or usage (the answers before it are printed).
    """
    from osmosis_solver.solver import solve as solve_deal

    deals, rules, budget = _asked(given), _rules(given), _budget(given)
    verdicts: Counter[str] = Counter()
    with _meter(len(deals), budget) as meter:
        for asked in deals:
            answer = solve_deal(
                asked.deal, rules, budget=budget, engine=given["engine"], watcher=meter
            )
            if meter is not None:
                meter.answered()
            _tell_machine(answer) if given["as_json"] else _tell_person(asked, answer)
            verdicts[answer.verdict] += 1
    if verdicts.total() > 1 and not given["as_json"]:
        click.echo(_tally(verdicts))
    return max(_STATUS[verdict] for verdict in verdicts)


def _budget(given: dict[str, Any]) -> Budget:
    names = {"seconds": "seconds", "positions": "positions", "memory": "megabytes"}
    limits = {ours: given[name] for name, ours in names.items() if given[name] is not None}
    return Budget(**limits)


def _tell_machine(answer: Answer) -> None:
    from osmosis_solver.wire import to_line

    click.echo(to_line(answer))


def _tell_person(asked: AskedDeal, answer: Answer) -> None:
    _tell_position(asked, answer.start)
    click.echo(f"\n{_verdict(answer)}")
    for line in _reasons(answer):
        click.echo(line)
    click.echo(f"\n{_cost(answer.spent)}\n")


def _reasons(answer: Answer) -> Iterator[str]:
    if isinstance(answer, Won):
        yield from ("", *_by_pass(answer.line))
    elif isinstance(answer, Lost):
        from osmosis_solver.explain import explain

        yield ""
        for paragraph in explain(answer).splitlines():
            yield textwrap.fill(paragraph, _TEXT_WIDTH, subsequent_indent="  ")


def _tell_position(asked: AskedDeal, state: State) -> None:
    from osmosis_solver.picture import draw

    click.echo(f"{asked.name}, rules {_describe(state.rules)}\n")
    draw(state)


def _verdict(answer: Answer) -> str:
    if isinstance(answer, Won):
        return f"Won: {_many(answer.turns, 'turn')}, {_many(answer.passes, 'pass', 'passes')}."
    reached = f"the best found reaches {answer.score} of {len(answer.deal)} cards."
    if isinstance(answer, Unknown):
        return f"Unknown: the limit on {answer.limit} was hit; {reached}"
    return f"Lost: {reached}"


def _cost(spent: Spent) -> str:
    return f"{_many(spent.positions, 'position')} searched in {spent.seconds:.2f} s."


def _many(count: int, one: str, more: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def _by_pass(line: tuple[Move, ...]) -> Iterator[str]:
    """The line of play in notation, a new line for each pass, wider blanks after plays."""
    for number, text in enumerate(format_line(line).split("|")):
        turns = (part.strip() for part in re.findall(r"[. ]*[^.]+|[. ]+", text))
        first = "| " if number else "  "
        yield (
            textwrap.fill(
                "  ".join(filter(None, turns)),
                _TEXT_WIDTH,
                initial_indent=first,
                subsequent_indent="  ",
            )
            or first
        )


def _tally(verdicts: Counter[str]) -> str:
    parts = [f"{verdicts[verdict]:,} {verdict}" for verdict in _STATUS if verdicts[verdict]]
    return f"{verdicts.total():,} deals: {', '.join(parts)}"


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
@_rules_options
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
        return _check_line(given["deal"], given["line"], _rules(given))
    if any(given[name] is not None for name in ("deal", "line", *_RULES_OPTIONS)):
        message = "a line of one's own takes both --deal and --line, and no FILE"
        raise click.UsageError(message, click.get_current_context())
    return _check_answers(given["file"] or "-")


def _check_line(code: str, line: str, rules: Rules) -> int:
    start, moves = State.start(Deal.from_code(code), rules), parse_line(line)
    try:
        state = start.play_all(moves)
    except IllegalMove as error:
        click.echo(str(error))
        return 1
    won = state.is_won
    click.echo("wins" if won else f"legal, reaches {_many(state.score, 'card')}")
    return 0 if won else 1


def _check_answers(path: str) -> int:
    statuses = set()
    for place, answer in enumerate(_answers(path), 1):
        status, told = _verify(answer)
        click.echo(f"{place}: {answer.verdict}, {told}")
        statuses.add(status)
    if not statuses:
        raise NotationError("no answer", called(path), "answers as JSON Lines")
    return 1 if 1 in statuses else max(statuses)


def _verify(answer: Answer) -> tuple[int, str]:
    from osmosis_solver.check import check as verify

    if isinstance(answer, Unknown):
        return _STATUS["unknown"], f"nothing to verify: the limit on {answer.limit} was hit"
    try:
        verify(answer)
    except OsmosisError as error:
        return 1, f"does not verify: {error}"
    return 0, "verified"


def _answers(path: str) -> Iterator[Answer]:
    from osmosis_solver.strict import LONGEST_LINE
    from osmosis_solver.wire import from_json

    for place, text in read_lines(path, LONGEST_LINE):
        try:
            answer = from_json(text)
        except OsmosisError as error:
            raise at(place, error) from None
        yield answer


@osmosis.command(short_help="Draw deals, or the position after a line of play.")
@_deal_options
@_rules_options
@click.option("--line", metavar="LINE", default="", help="Draw the position after this line.")
def show(**given: Any) -> int:
    """Draw deals, or the position after a line of play.

    The top of each reserve pile and of the waste is in brackets. In the rows, a dot marks
    a card that the row would take now. The stock is grouped by turns, the next card first.

    \b
    Exit status: 0, or 2 for bad input or usage, an illegal line included.
    """
    deals, rules, line = _asked(given), _rules(given), parse_line(given["line"])
    for place, asked in enumerate(deals):
        if place:
            click.echo()
        _tell_position(asked, State.start(asked.deal, rules).play_all(line))
    return 0


def main() -> None:
    """Run the command ``osmosis`` and end the process with its exit status."""
    warnings.showwarning = lambda message, *_: click.echo(f"osmosis: {message}", err=True)
    osmosis.main(prog_name="osmosis")
