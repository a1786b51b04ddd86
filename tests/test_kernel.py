"""The kernel: its plays are the game's, its table keeps everything, its two forms are one."""

from __future__ import annotations

import importlib.util
import sys
import tracemalloc
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_game import entry_of, positions
from strategies import deals, starts, states

from osmosis_solver import _kernel
from osmosis_solver.answer import Budget, Entry, Unknown, Watcher
from osmosis_solver.cards import Card
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.moves import Play
from osmosis_solver.rules import GAMERULES, OSMOSIS, Rules
from osmosis_solver.solver import Solver

ALL = sum(_kernel.PRUNES.values())
EVENTS = {number: name for name, number in _kernel.EVENTS.items()}
some_prunes = st.sampled_from([ALL, *(ALL - one for one in _kernel.PRUNES.values()), 0])
larger = deals(min_cards=12, max_cards=30, max_suits=4, max_ranks=9)


def uncompiled(cython: bool = True) -> ModuleType:
    """The kernel's source as a plain Python module, with or without Cython to import."""
    path = Path(__file__).parent.parent / "src" / "osmosis_solver" / "_kernel.py"
    spec = importlib.util.spec_from_file_location("uncompiled_kernel", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        if not cython:
            patch.setitem(sys.modules, "cython", None)
        spec.loader.exec_module(module)
    return module


PLAIN = uncompiled()


def search_of(start: State, prunes: int = ALL, orders: Any = None, kernel: Any = _kernel) -> Any:
    """A kernel search from a state, in numbers."""
    deal = start.deal

    def number(card: Card) -> int:
        return 13 * deal.suits.index(card.suit) + deal.ranks.index(card.name[0])

    return kernel.Search(
        [number(card) for card in (*start.waste, *start.stock)],
        [[number(card) for card in pile] for pile in start.reserve],
        [number(card) for row in start.rows for card in row],
        [[deal.suits.index(suit) for suit in order] for order in orders or start.row_orders()],
        len(deal.ranks),
        deal.ranks.index(deal.base.name[0]),
        start.rules.draw,
        start.rules.waste == "packet",
        start.rules.row_start == "any",
        start.redeals_left,
        waste=len(start.waste),
        packet=start.packet,
        prunes=prunes,
    )


def story(search: Any, step: int = 10**9, most_bytes: int = 10**8) -> list[Any]:
    """All that a search says on its way, without how often it paused, to its end."""
    told: list[Any] = []
    while True:
        event = EVENTS[search.run(step)]
        if event == "full" and not search.grow(most_bytes):
            search.starve()
        if event != "running":
            told.append((event, search.counts()))
        if event == "dead":
            told.append(search.refutation())
        if event == "won":
            told.append(search.line())
        if event in ("won", "lost", "starved"):
            told += [search.dive_everywhere(), search.counts()[:2]]
            return told


@given(states(deals(max_cards=12)))
def test_uncompiled_without_cython(start: State) -> None:
    """Where Cython is missing the kernel runs all the same, and tells the same."""
    assert story(search_of(start, kernel=BARE)) == story(search_of(start))


BARE = uncompiled(cython=False)
