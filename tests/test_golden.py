"""The golden file: 150 native deals with what the solver says and what it costs, unchanged.

A change that is meant is written by ``python tests/regenerate.py --write``, which shows it first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from osmosis_solver import _kernel
from osmosis_solver.answer import Lost, Unknown, Won
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.rules import NAMED_RULES, Rules
from osmosis_solver.solver import best_score, solve
from osmosis_solver.wire import to_json

PATH = Path(__file__).parent / "data" / "golden.tsv"
HEAD = "rules\tnumber\tverdict\tturns\tscore\tproof\tpositions"
NAMES = [name for name, rules in NAMED_RULES.items() if rules.name == name]


class Golden(NamedTuple):
    """One row: the fewest turns of a win (0 if lost), the best score, bytes of the loss's proof.

    ``positions`` are those that the plain question took, without optimum or score.
    """

    rules: str
    number: int
    verdict: str
    turns: int
    score: int
    proof: int
    positions: int


def golden(name: str, number: int) -> Golden:
    """Ask anew."""
    rules = Rules.named(name)
    deal = Deal.from_number(number, rules.layout)
    answer = solve(deal, rules)
    assert not isinstance(answer, Unknown)
    cheapest = solve(deal, rules, minimise="turns")
    turns = cheapest.turns if isinstance(cheapest, Won) else 0
    score = best_score(deal, rules).score
    proof = (
        len(json.dumps(to_json(answer)["proof"], separators=(",", ":")))
        if isinstance(answer, Lost)
        else 0
    )
    return Golden(name, number, answer.verdict, turns, score, proof, answer.spent.positions)


def as_text(rows: Iterator[Golden]) -> str:
    """The file."""
    return "\n".join([HEAD, *("\t".join(map(str, row)) for row in rows)]) + "\n"


def asked() -> list[tuple[str, int]]:
    """The rules and numbers of the file: for each rules record easy deals and hard ones."""
    cells = [row.split("\t") for row in PATH.read_text().splitlines()[1:]]
    return [(name, int(number)) for name, number, *_ in cells]


ROWS = PATH.read_text().splitlines()[1:]


def test_the_file_is_whole() -> None:
    """All named rules are there, with won and lost deals, and 150 different rows in all."""
    assert len(set(asked())) == len(ROWS) == 150
    assert {name for name, _ in asked()} == set(NAMES)
    assert {row.split("\t")[2] for row in ROWS} == {"won", "lost"}


needs_compiled = pytest.mark.skipif(
    not _kernel.COMPILED, reason="too slow without a compiler, and the two forms tell the same"
)


@needs_compiled
def test_golden() -> None:
    """Verdict, optimum, best score, size of the proof and positions are what they were."""
    assert as_text(golden(*pair) for pair in asked()).splitlines()[1:] == ROWS


@needs_compiled
def test_golden_proofs() -> None:
    """Optima and best scores like those of the file are proved: one deal in ten."""
    for name, number in asked()[::10]:
        rules = Rules.named(name)
        deal = Deal.from_number(number, rules.layout)
        best = best_score(deal, rules)
        check(best)
        assert best.optimal == isinstance(best, Lost)
        if isinstance(best, Won):
            fewest = solve(deal, rules, minimise="turns")
            check(fewest)
            assert fewest.optimal
