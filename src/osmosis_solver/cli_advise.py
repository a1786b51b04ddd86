"""The command ``advise``, in a file of its own that only it loads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, get_args

import click
from attrs import asdict

from osmosis_solver.advisor import Advice, Advised, advise
from osmosis_solver.answer import Budget
from osmosis_solver.asked import at, read_file
from osmosis_solver.errors import OsmosisError
from osmosis_solver.moves import REDEAL, TURN, Move, Play
from osmosis_solver.notation import format_line
from osmosis_solver.options import asked_rules, rules_options
from osmosis_solver.picture import draw
from osmosis_solver.shares import Share
from osmosis_solver.sight import MOST_COMPLETIONS
from osmosis_solver.told import describe, many, wrapped
from osmosis_solver.view import Sees, View

SCHEMA: Final = "osmosis-solver/advice/1"
_LOST: Final = 1
_UNKNOWN: Final = 3


@click.command("advise", short_help="The best next move by what is seen at the table.")
@click.argument("file", metavar="FILE")
@rules_options
@click.option(
    "--sees",
    type=click.Choice(get_args(Sees)),
    default="packets",
    help="What a turn shows: the whole packet, or its last card.",
)
@click.option(
    "--completions",
    metavar="N",
    type=click.IntRange(1, MOST_COMPLETIONS),
    default=100,
    help="How many ways to fill in the unseen cards are drawn; 100.",
)
@click.option("--seed", metavar="N", type=int, default=0, help="Which ones are drawn; 0.")
@click.option("--positions", metavar="N", type=int, help="Most positions for each of them.")
@click.option("--memory", metavar="MB", type=int, help="Most megabytes for each search.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def advise_command(**given: Any) -> int:
    """Rank the legal moves of a position of which some cards are unseen.

    FILE (- is standard input) tells what is seen, ?? being an unseen card:

    \b
      Base: 7S
      Reserve: ?? ?? ?? AD    # one line a pile, bottom to top
      Waste: 2C TH 4S         # the top last
      Stock: ?? ?? ?? 9H      # the next card first
      Rows: 7S 8S / 7D        # row 1 first; the base card alone if left out

    The unseen cards are filled in at random again and again, and a move is worth as many of
    these completions as the best plan that begins with it wins. The same seed gives the same
    advice.

    \b
    Exit status: 0 the move named wins some completion or is safe, or the game is won;
    1 no way to play on wins; 3 no completion is won, which proves nothing; 2 bad input
    or usage.
    """
    view = _view(given)
    advice = advise(
        view, completions=given["completions"], seed=given["seed"], budget=_budget(given)
    )
    if given["as_json"]:
        click.echo(json.dumps(to_object(advice, given["seed"])))
    else:
        _tell(advice)
    return _status(advice)


def _view(given: dict[str, Any]) -> View:
    file = read_file(given["file"])
    try:
        return View.from_text(file.text, asked_rules(given), given["sees"])
    except OsmosisError as error:
        raise at(file.name, error) from None


def _budget(given: dict[str, Any]) -> Budget | None:
    names = {"positions": "positions", "memory": "megabytes"}
    limits = {ours: given[name] for name, ours in names.items() if given[name] is not None}
    return Budget(**limits) if limits else None


def _status(advice: Advice) -> int:
    """What is known of the first move."""
    state = advice.view.completed()
    if state.is_won or (advice.moves and advice.moves[0].won != 0):
        return 0
    return _LOST if advice.proved or not advice.moves else _UNKNOWN


def to_object(advice: Advice, seed: int) -> dict[str, Any]:
    """The advice as one object for JSON; ``docs/json.md`` describes it field by field."""
    view = advice.view
    rules = {"name": view.rules.name, **asdict(view.rules), "layout": list(view.rules.layout)}
    return {
        "schema": SCHEMA,
        "rules": rules,
        "sees": view.sees,
        "view": view.text,
        "unseen": [str(card) for card in view.unseen],
        "seed": seed,
        "reason": advice.reason,
        "proved": advice.proved,
        "plan": format_line(advice.plan),
        "cut": advice.cut,
        "moves": [_move_object(each) for each in advice.moves],
    }


def _move_object(each: Advised) -> dict[str, Any]:
    share = _share(each)
    return {
        "move": format_line((each.move,)),
        "won": each.won,
        "completions": each.completions,
        "dropped": each.dropped,
        "share": each.chance,
        "low": None if share is None or each.dropped else share.low,
        "high": None if share is None else share.high,
    }


def _share(each: Advised) -> Share | None:
    """The share with its interval, None without the packages that compute it."""
    try:
        return each.share
    except OsmosisError:
        return None


# ---- telling -----------------------------------------------------------------------------


def _tell(advice: Advice) -> None:
    view = advice.view
    unseen = many(len(view.unseen), "card is", "cards are")
    click.echo(f"Rules {describe(view.rules)}, {unseen} unseen\n")
    draw(view.completed(), seen=set(view.deck) - set(view.unseen))
    click.echo(f"\n{wrapped(advice.reason)}")
    for line in _told(advice):
        click.echo(line)


def _told(advice: Advice) -> Iterator[str]:
    if any(each.won is not None for each in advice.moves):
        yield ""
        yield from map(_row, advice.moves)
    if len(advice.plan) > 1:
        yield ""
        yield wrapped(f"The plan, up to the next card shown: {format_line(advice.plan)}")
    if advice.cut:
        yield ""
        hit = many(advice.cut, "search", "searches")
        yield f"{hit} hit a limit and counted as no win."


def _row(each: Advised) -> str:
    """A move in the table: its name, and its share with the interval."""
    if each.won is None:
        return f"  {named(each.move):6}"
    least = "at most " if each.dropped else ""
    share, percent = _share(each), f"{100 * (each.chance or 0):5.1f} %"
    told = f"  {named(each.move):6}  {least:8}{percent}"
    if share is None or each.dropped:
        return told
    return f"{told}  (95 % interval {100 * share.low:.1f} to {100 * share.high:.1f})"


def named(move: Move) -> str:
    """A move in a word."""
    return str(move) if isinstance(move, Play) else {TURN: "turn", REDEAL: "redeal"}[move]
