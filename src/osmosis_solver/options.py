"""The options that commands share: which deal, under which rules, within which limits."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import click
from attrs import evolve

from osmosis_solver.answer import Budget
from osmosis_solver.asked import Asked, AskedDeal, read_file
from osmosis_solver.errors import clip
from osmosis_solver.rules import NAMED_RULES, OSMOSIS, Rules

RULES_OPTIONS: Final = ("rules", "draw", "passes", "waste", "row_start")

_Decorated = Callable[..., Any]
_Decorator = Callable[[_Decorated], _Decorated]


def _passes(_: click.Context, __: click.Parameter, value: str | None) -> int | str | None:
    if value is None or value.lower() == "none":
        return value and "none"
    if not re.fullmatch("[0-9]{1,9}", value):
        raise click.BadParameter(f"got {clip(value)}, wanted a whole number or none")
    return int(value)


def _stack(*decorators: _Decorator) -> _Decorator:
    def decorate(command: _Decorated) -> _Decorated:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


deal_options = _stack(
    click.argument("codes", metavar="[CODE]...", nargs=-1),
    click.option(
        "--file",
        metavar="FILE",
        multiple=True,
        help="Deal codes, one a line, or deal texts; - is standard input. Repeatable.",
    ),
    click.option(
        "--pysol", metavar="N", multiple=True, help="A PySolFC deal number: 24, ms24. Repeatable."
    ),
    click.option(
        "--number", metavar="N", type=int, multiple=True, help="A native deal number. Repeatable."
    ),
)
one_deal_options = _stack(
    click.argument("codes", metavar="[CODE]", nargs=-1),
    click.option("--pysol", metavar="N", multiple=True, help="A PySolFC deal number: 24, ms24."),
    click.option("--number", metavar="N", type=int, multiple=True, help="A native deal number."),
)
rules_options = _stack(
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
budget_options = _stack(
    click.option("--seconds", metavar="S", type=float, help="Most seconds for each deal."),
    click.option("--positions", metavar="N", type=int, help="Most positions for each deal."),
    click.option("--memory", metavar="MB", type=int, help="Most megabytes for the search."),
)


def asked_rules(given: dict[str, Any]) -> Rules:
    """The rules that were asked for. Raises ``RulesError``."""
    rules = OSMOSIS if given["rules"] is None else Rules.named(given["rules"])
    changes = {name: given[name] for name in RULES_OPTIONS[1:] if given[name] is not None}
    if changes.get("passes") == "none":
        changes["passes"] = None
    return evolve(rules, **changes)


def asked_deals(given: dict[str, Any]) -> Asked:
    """The deals that were asked for; one at least, or it is wrong usage."""
    files = tuple(map(read_file, given.get("file", ())))
    layout = asked_rules(given).layout
    asked = Asked(given["codes"], files, given["pysol"], given["number"], layout)
    if asked.nothing:
        raise wrong_usage("no deal given")
    return asked


def the_deal(deals: Asked, what: str = "a line of play") -> AskedDeal:
    """The one deal that was asked for; more are wrong usage, for what is wanted is of one deal."""
    if len(deals) > 1:
        raise wrong_usage(f"{len(deals)} deals given, and {what} is of one deal only")
    [deal] = deals
    return deal


def asked_budget(given: dict[str, Any]) -> Budget:
    """The limits that were asked for."""
    names = {"seconds": "seconds", "positions": "positions", "memory": "megabytes"}
    limits = {ours: given[name] for name, ours in names.items() if given[name] is not None}
    return Budget(**limits)


def wrong_usage(message: str) -> click.UsageError:
    """The error that a command was called in a way that makes no sense."""
    return click.UsageError(message, click.get_current_context())
