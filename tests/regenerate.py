"""Make the golden file and the perft tables anew, and show what differs from those on disk.

``python tests/regenerate.py`` only shows the difference; with ``--write`` it is written too. The
library must be importable, compiled. Exits with 1 if something differs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import test_golden
import test_perft
import tiny_game

from osmosis_solver.deal import Deal
from osmosis_solver.rules import NAMED_RULES

MOST_POSITIONS = 1500
MOST_DEPTH = 40

# Short decks under mixtures that no named rules have: name, code, draw, passes, waste, row start.
SHORT = """
six_top      2D/3D:AC:3C2CAD                         2 0 top    base
six_packet   2D/3D:AC:3C2CAD                         2 2 packet base
six_any      :2C:3D2DAC3CAD                          3 3 top    any
six_piles    3CAD/2D3D:AC:2C                         1 1 packet any
nine_top     AD2H/3D:2C:3HAC2D3CAH                   2 3 top    base
nine_packet  AD2H/3D:2C:3HAC2D3CAH                   2 0 packet any
nine_three   3H/AH/3D:AC:2D2HAD3C2C                  3 2 packet base
twelve_top   2S3D/AD:3C:3HAC2D3SASAH2C2H             2 2 top    any
twelve_four  2S3D/AD:3C:3HAC2D3SASAH2C2H             4 0 packet any
twelve_one   3S/2S/3D/AD:2C:3HAC2DASAH3C2H           1 2 top    base
"""
FULL = {
    "OSMOSIS": (1, 24, 32000),
    "GAMERULES": (1, 100000),
    "DRAW_ONE": (24,),
    "THREE_PASSES": (32000,),
    "AISLERIOT": (100000,),
    "BRIDESMAIDS": (1,),
    "PYSOL_BRIDESMAIDS": (24,),
    "RELAXED": (1, 24),
}


def perft_tables() -> Iterator[tuple[str, tiny_game.Table]]:
    """Every table that is kept, by name."""
    for line in SHORT.strip().splitlines():
        name, code, draw, passes, waste, row_start = line.split()
        yield name, tiny_game.Table(code, int(draw), int(passes), waste, row_start)
    for name, numbers in FULL.items():
        rules = NAMED_RULES[name]
        for number in numbers:
            code = Deal.from_pysol(number, rules.layout).code
            waste, row_start = rules.waste, rules.row_start
            table = tiny_game.Table(code, rules.draw, rules.passes or 0, waste, row_start)
            yield f"{name.lower()}_{number}", table


def perft_text(table: tiny_game.Table) -> str:
    """A table as it is kept, to the depth where there are too many positions or none."""
    counts = tiny_game.perft(table, 1)
    while counts[-1][0] and counts[-1][0] < MOST_POSITIONS and len(counts) <= MOST_DEPTH:
        counts = tiny_game.perft(table, len(counts))
    rows = [f"{depth}\t{positions}\t{lines}" for depth, (positions, lines) in enumerate(counts)]
    return "\n".join(["# " + " ".join(map(str, table)), "depth\tpositions\tlines", *rows]) + "\n"


def files() -> Iterator[tuple[Path, str]]:
    """Every file with the text that it should have."""
    for name, table in perft_tables():
        yield test_perft.HOME / f"{name}.tsv", perft_text(table)
    rows = (test_golden.golden(*pair) for pair in test_golden.asked())
    yield test_golden.PATH, test_golden.as_text(rows)


def main() -> int:
    """Show the difference, write it if told to."""
    differs = False
    for path, text in files():
        old = path.read_text() if path.exists() else ""
        lines = unified_diff(
            old.splitlines(True), text.splitlines(True), f"old {path.name}", f"new {path.name}", n=0
        )
        sys.stdout.writelines(lines)
        differs = differs or old != text
        if "--write" in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
