"""Plants wrong rules: rereads a room with one place of its source changed, and puts it to use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
import test_kernel

import osmosis_solver
from osmosis_solver import drive, optimum, sight
from osmosis_solver.game import State
from osmosis_solver.moves import Move

PACKAGE = "osmosis_solver"
ADVICE = ("_advise", "_ways", "_plans")
FAST = ("_bits", "_board", "_table", "_plain", "_general", "_kernel", "_cheapest", *ADVICE)


class Fault(NamedTuple):
    """A wrong rule: in ``room`` the text ``old``, which stands there once, becomes ``new``.

    In the plain rooms only ``part``, a function or a method, is put to use.
    """

    room: str
    old: str
    new: str
    part: str = ""


def read(room: str, faults: list[Fault]) -> ModuleType:
    """A room as a plain Python module of its own, with the faults that are meant for it."""
    path = Path(osmosis_solver.__file__).parent / f"{room}.py"
    source = path.read_text()
    for fault in faults:
        if fault.room == room:
            assert source.count(fault.old) == 1, f"planted text stands not once in {room}"
            source = source.replace(fault.old, fault.new)
    module = ModuleType(f"planted_{room.strip('_')}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, module.__name__, module)
        exec(compile(source, str(path), "exec"), module.__dict__)
    return module


@contextmanager
def planted(*faults: Fault) -> Iterator[None]:
    """The library with the fast rooms uncompiled and the faults in it."""
    with pytest.MonkeyPatch.context() as patch:
        for room in ("_bits", "_board", "_table", "_plain", "_general"):
            patch.setitem(sys.modules, f"{PACKAGE}.{room}", read(room, [*faults]))
        kernel, cheapest = read("_kernel", [*faults]), read("_cheapest", [*faults])
        for module, name, changed in (
            (drive, "_kernel", kernel),
            (optimum, "_cheapest", cheapest),
            (test_kernel, "PLAIN", kernel),
        ):
            patch.setattr(module, name, changed)
        patch.setattr(drive, "_go", go)
        for fault in faults:
            if fault.room not in FAST:
                replace_part(patch, fault)
        yield


@contextmanager
def planted_advice(*faults: Fault) -> Iterator[None]:
    """The same with the rooms that weigh plans uncompiled too."""
    with planted(*faults), pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, f"{PACKAGE}._kernel", vars(drive)["_kernel"])
        for room in ADVICE:
            patch.setitem(sys.modules, f"{PACKAGE}.{room}", read(room, [*faults]))
        patch.setattr(sight, "Plans", sys.modules[f"{PACKAGE}._plans"].Plans)
        yield


MOST_MOVES = 1000
_go = drive._go


def go(state: State, move: Move, moves: list[Move]) -> State:
    """A move of a line that is told; a card that never comes up is waited for in vain."""
    assert len(moves) < MOST_MOVES, "a line without end"
    return _go(state, move, moves)


def replace_part(patch: pytest.MonkeyPatch, fault: Fault) -> None:
    """Put the changed function or method into the room in use."""
    room: Any = import_module(f"{PACKAGE}.{fault.room}")
    changed: Any = read(fault.room, [fault])
    *owners, name = fault.part.split(".")
    for owner in owners:
        room, changed = getattr(room, owner), vars(changed)[owner]
    patch.setattr(room, name, vars(changed)[name])
