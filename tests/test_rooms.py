"""The rooms of the package: imports run one way, every file is on the list, none is too long."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import osmosis_solver

HOME = Path(osmosis_solver.__file__).parent
PACKAGE = "osmosis_solver"

# A file imports only files of earlier lines.
STEPS = [
    {"errors", "_nocython", "_words"},
    {"_bits"},
    {"_board", "extras"},
    {"cards", "rules", "strict", "shares"},
    {"moves", "numbering", "_table"},
    {"notation"},
    {"deal"},
    {"game", "_plain"},
    {"answer", "policy", "_general", "_referee", "_strategies"},
    {"testing", "proof_game", "reference", "_kernel", "_cheapest"},
    {"check", "why_lost", "_sweep", "_advise", "view"},
    {"drive", "_ways"},
    {"optimum", "_plans"},
    {"solver", "sight"},
    {"why_won", "advisor"},
    {"explain", "headline", "svg", "wire", "picture", "asked", "advice", "play", "sitting"},
    {"options", "told", "waiting", "block", "closed"},
    {"notebook", "page", "tally"},
    {"render", "row"},
    {"meter", "store"},
    {"surveyor", "report", "export", "plots"},
    {"survey", "paired"},
    {"__init__", "cli_advise", "cli_play", "cli_survey"},
    {"cli"},
    {"__main__"},
]
STEP = {name: number for number, step in enumerate(STEPS) for name in step}
LONGEST = 420
FILES = sorted(path.stem for path in HOME.glob("*.py"))


def imports(source: str) -> set[str]:
    """The files of the package that a source text imports, wherever the import stands.

    Only how a value shows itself in a notebook may reach for a later file: the pictures.
    """
    found: set[str] = set()
    for node in nodes(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {name for alias in node.names for name in ours(alias.name)}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            if module == PACKAGE:
                found |= {alias.name if alias.name in STEP else "__init__" for alias in node.names}
            else:
                found |= ours(module)
    return found


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree without the bodies of methods like ``_repr_svg_``."""
    yield tree
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.FunctionDef) and node.name.startswith("_repr_")):
            yield from nodes(node)


def ours(module: str) -> set[str]:
    """The file behind a module's full name, if it is one of the package."""
    if module == PACKAGE:
        return {"__init__"}
    return {module.split(".")[1]} if module.startswith(PACKAGE + ".") else set()


def imports_of(name: str) -> set[str]:
    """The files of the package that one of its files imports."""
    return imports((HOME / f"{name}.py").read_text())


def wrong_way(name: str, imported: set[str]) -> set[str]:
    """The imports that do not lead to an earlier step."""
    return {other for other in imported if STEP[other] >= STEP[name]}


def test_every_file_is_on_the_list() -> None:
    """Every file of the package has a step."""
    assert set(FILES) <= set(STEP)


@pytest.mark.parametrize("name", FILES)
def test_imports_run_one_way(name: str) -> None:
    """A file imports only files of earlier steps; so there is no cycle."""
    assert wrong_way(name, imports_of(name)) == set()


def test_the_checker_stands_alone() -> None:
    """What checks knows nothing of what finds, directly or through what it imports."""
    known, todo = set(), ["check"]
    while todo:
        name = todo.pop()
        known.add(name)
        todo += imports_of(name) - known
    assert known.isdisjoint({"_board", "_kernel", "_cheapest", "solver", "reference"})


def test_the_kernel_imports_nothing() -> None:
    """The fast rooms take and give plain integers and know nothing else of the package."""
    rooms = {"_nocython", "_bits", "_words", "_board", "_table", "_plain"}
    rooms |= {"_general", "_kernel", "_cheapest", "_sweep", "_advise", "_ways", "_plans"}
    assert all(imports_of(name) <= rooms for name in rooms)


@pytest.mark.parametrize("name", FILES)
def test_files_are_short(name: str) -> None:
    """A file can be read in one sitting."""
    lines = (HOME / f"{name}.py").read_text().count("\n")
    assert lines <= LONGEST


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import osmosis_solver.deal", {"deal"}),
        ("import osmosis_solver", {"__init__"}),
        ("from osmosis_solver.cards import Card", {"cards"}),
        ("from osmosis_solver import _kernel, solve", {"_kernel", "__init__"}),
        ("def f():\n    if True:\n        from osmosis_solver.cli import main", {"cli"}),
        ("import os, osmosis_solver.rules as r", {"rules"}),
        ("import osmosis_solver_tools\nfrom attrs import frozen", set()),
        ("def _repr_svg_(self):\n    from osmosis_solver import render", set()),
    ],
)
def test_imports_are_found(source: str, found: set[str]) -> None:
    """The test itself sees every form of import, also inside functions."""
    assert imports(source) == found


def test_a_wrong_way_is_seen() -> None:
    """An import of a later step, of the same step or of the file itself is a wrong way."""
    assert wrong_way("game", {"deal", "cards", "answer"}) == {"answer"}
    assert wrong_way("reference", {"game", "_kernel", "reference"}) == {"_kernel", "reference"}
