"""How far a long run is, shown on a terminal while it lasts."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import click

from osmosis_solver.answer import Budget, Minimise, Spent, Watcher, count
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move
from osmosis_solver.told import turns_and_passes

if TYPE_CHECKING:
    from rich.live import Live

_SILENT_SECONDS: Final = 1.0
_SECONDS_A_LOOK: Final = 0.1


class Meter(Watcher):
    """A watcher that shows deals done, the rate and what is left on standard error.

    It is silent for the first second, and after each answer if that went to the same
    screen. ``total`` is how many deals there are.
    """

    def __init__(self, total: int, budget: Budget, *, shared_screen: bool) -> None:
        self._total, self._budget, self._shared_screen = total, budget, shared_screen
        self._done = 0
        self._begun = monotonic()
        self._next_look = self._begun + _SILENT_SECONDS
        self._live: Live | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.clear()

    def progress(self, spent: Spent) -> None:
        """Show where the search of this deal stands."""
        self._show(spent)

    def answered(self) -> None:
        """One deal more is answered; leave the screen clean for what is printed next."""
        self._done += 1
        if self._shared_screen:
            self.clear()
            self._next_look = monotonic() + _SILENT_SECONDS
        else:
            self._show(None)

    def clear(self) -> None:
        """Wipe the display away, so that a line can be printed; it comes back by itself."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _show(self, spent: Spent | None) -> None:
        now = monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _SECONDS_A_LOOK
        if self._live is None:
            self._live = live()
        text = run_so_far(self._done, self._total, now - self._begun)
        here = f"; {search_so_far(spent, self._budget)}" if spent else ""
        self._live.update(text + here, refresh=True)


class Progress(Watcher):
    """A watcher that tells of each better line, a line each on standard error.

    ``meter`` is told how it goes if there is one. ``name`` is what the deal is called.
    """

    def __init__(
        self, meter: Meter | None, name: str, start: State, minimise: Minimise | None
    ) -> None:
        self._meter, self._name, self._start, self._minimise = meter, name, start, minimise

    def progress(self, spent: Spent) -> None:
        """Pass it on to the meter."""
        if self._meter is not None:
            self._meter.progress(spent)

    def improved(self, line: tuple[Move, ...], at_least: int | None) -> None:
        """Tell the line's turns and passes with what all wins need, or the cards it brings home."""
        if self._meter is not None:
            self._meter.clear()
        click.echo(f"{self._name}: {self._told(line, at_least)}", err=True)

    def _told(self, line: tuple[Move, ...], at_least: int | None) -> str:
        if self._minimise is None:
            return f"{self._start.play_all(line).score} of {len(self._start.deal)} cards home"
        bound = "" if at_least is None else f"; at least {at_least} {self._minimise} needed"
        return f"{turns_and_passes(count(line, TURN), 1 + count(line, REDEAL))}{bound}"


def live() -> Live:
    """A display on standard error that is shown when it is told to and leaves nothing behind."""
    from rich.console import Console
    from rich.live import Live

    console = Console(file=sys.stderr, highlight=False)
    shown = Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False)
    shown.start()
    return shown


def run_so_far(done: int, total: int, seconds: float) -> str:
    """Deals done, deals a second and the time left at that rate, as one phrase.

    >>> run_so_far(30, 120, 60.0)
    'deal 31 of 120, 0.5 a second, 0:03:00 left'
    """
    place = f"deal {min(done + 1, total)} of {total}"
    if not done or seconds <= 0:
        return place
    left = round(max(total - done, 0) * seconds / done)
    clock = f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}"
    return f"{place}, {done / seconds:,.1f} a second, {clock} left"


def search_so_far(spent: Spent, budget: Budget) -> str:
    """Positions and seconds spent on one deal, of the limits that there are.

    >>> search_so_far(Spent(1200, 3.2), Budget(seconds=60))
    '1,200 positions in 3 of 60 s'
    """
    positions = f"{spent.positions:,}"
    positions += "" if budget.positions is None else f" of {budget.positions:,}"
    seconds = f"{spent.seconds:.0f}"
    seconds += "" if budget.seconds is None else f" of {budget.seconds:g}"
    return f"{positions} positions in {seconds} s"
