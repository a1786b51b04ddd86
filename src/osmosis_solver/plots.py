"""Pictures of a survey: how the share settled, how effort and turns and scores are spread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from osmosis_solver.errors import StoreError, clip
from osmosis_solver.extras import bring
from osmosis_solver.shares import Share
from osmosis_solver.store import Store
from osmosis_solver.tally import Tally, mean, most_of

_MOST_POINTS: Final = 400
_COLOUR: Final = "#1f5f8b"
_PALE: Final = "#bcd5e6"


def draw_plots(store: Store, folder: str | Path) -> list[Path]:
    """Draw what the store has figures for as PNG files in a folder; returns their paths.

    ``share.png``: the share won over the deals counted so far, with its 95 % band.
    ``effort.png``: which share of the deals took more positions than so many.
    ``turns.png``, ``passes.png``: won deals by each, ``scores.png``: lost ones by cards home,
    where asked for. Needs the
    extra ``plots``. Raises ``StoreError`` if the folder or a file cannot be written.
    """
    bring("matplotlib", "plots")
    tally, home = store.tally(), Path(folder)
    if not tally.deals:
        raise StoreError("no deals", f"plots of {clip(store.path)}", "one block at least")
    try:
        home.mkdir(parents=True, exist_ok=True)
        return [_saved(figure, home / f"{name}.png") for name, figure in _figures(store, tally)]
    except OSError as error:
        got = error.strerror or str(error)
        raise StoreError(got, f"plots in {clip(str(folder))}", "a folder to write to") from error


def _figures(store: Store, tally: Tally) -> Iterator[tuple[str, Any]]:
    name = tally.question.name
    yield "share", _share(name, list(_course(store, tally)))
    if tally.question.policy is None:
        yield "effort", _effort(name, tally)
    home = "cards home where not won" if tally.question.policy else "most cards home of a lost deal"
    for file, of, found in (
        ("turns", "fewest turns of a won deal", tally.turns),
        ("passes", "fewest passes of a won deal", tally.passes),
        ("scores", home, tally.lost_scores),
    ):
        if found:
            yield file, _bars(name, of, found)


def _course(store: Store, tally: Tally) -> Iterator[tuple[int, Share]]:
    """Deals counted and the share won among them, at points that thin out as they grow."""
    so_far, next_at = Tally(tally.question), 0.0
    for _, block in store.tallies():
        so_far += block
        if so_far.deals >= next_at or so_far.deals == tally.deals:
            yield so_far.deals, so_far.share_won
            next_at = so_far.deals * (1 + 10 / _MOST_POINTS)


def _axes(title: str, across: str, up: str) -> tuple[Any, Any]:
    figure = bring("matplotlib.figure", "plots").Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _share(name: str, course: list[tuple[int, Share]]) -> Any:
    figure, axes = _axes(f"Share won: {name}", "deals counted", "share won, %")
    deals = [count for count, _ in course]
    shares, lows, highs = ([100 * share[i] for _, share in course] for i in range(3))
    axes.fill_between(deals, lows, highs, color=_PALE, label="95 % interval")
    axes.plot(deals, shares, color=_COLOUR, label=f"share won: {shares[-1]:.4f} % in the end")
    axes.axhline(shares[-1], color="#888888", linewidth=0.8, linestyle="--")
    if len(deals) > 1:
        axes.set_xscale("log")
    axes.legend()
    return figure


def _effort(name: str, tally: Tally) -> Any:
    figure, axes = _axes(
        f"Effort: {name}", "positions searched", "share of the deals that took more"
    )
    left, points = tally.deals, list[tuple[int, float]]()
    for number in sorted(tally.effort):
        left -= tally.effort[number]
        points.append((max(1, most_of(number)), left / tally.deals))
    axes.step([at for at, _ in points], [more for _, more in points], where="post", color=_COLOUR)
    axes.set_xscale("log")
    axes.set_yscale("log")
    return figure


def _bars(name: str, of: str, found: Mapping[int, int]) -> Any:
    figure, axes = _axes(f"{of[0].upper()}{of[1:]}: {name}", of, "deals")
    axes.bar(list(found), list(found.values()), width=0.9, color=_COLOUR)
    middle = mean(found)
    if middle is not None:
        axes.axvline(middle, color="#c0392b", linewidth=1, label=f"mean {middle:.2f}")
        axes.legend()
    axes.yaxis.set_major_formatter("{x:,.0f}")
    return figure


def _saved(figure: Any, path: Path) -> Path:
    figure.savefig(path, dpi=120)
    return path
