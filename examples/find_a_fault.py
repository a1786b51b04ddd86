"""Test a small wrong program against the library: ``python examples/find_a_fault.py``.

Needs hypothesis: ``pip install "osmosis-solver[testing]"``.
"""

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from osmosis_solver import OSMOSIS, Rules
from osmosis_solver.testing import Disagreement, OsmosisMachine, deals, starts


class WrongGame:
    """Standard Osmosis, but a row looks at row 1 instead of the row above."""

    def __init__(self, deal: str) -> None:
        reserve, self.base, stock = deal.split(":")
        self.piles = [cards(pile) for pile in reserve.split("/")]
        self.stock, self.waste, self.rows = cards(stock), cards(""), [[self.base]]

    def tops(self) -> list[str]:
        """The cards that lie open."""
        return [pile[-1] for pile in [*self.piles, self.waste] if pile]

    def row_for(self, card: str) -> list[str] | None:
        """The row that takes the card: wrong for rows 3 and 4."""
        for row in self.rows:
            if row[0][1] == card[1]:
                above = self.rows[0]
                fits = row is above or card[0] in [other[0] for other in above]
                return row if fits else None
        return [] if card[0] == self.base[0] else None

    def moves(self) -> list[str]:
        """The legal moves, in notation."""
        plays = [card for card in self.tops() if self.row_for(card) is not None]
        return plays + (["."] if self.stock else ["|"] if self.waste else [])

    def play(self, move: str) -> None:
        """Make a legal move."""
        if move == ".":
            self.waste += self.stock[:3]
            del self.stock[:3]
        elif move == "|":
            self.stock, self.waste = self.waste, []
        else:
            next(p for p in [*self.piles, self.waste] if p[-1:] == [move]).pop()
            row = self.row_for(move)
            self.rows += [] if row else [[move]]
            if row:
                row.append(move)


def cards(text: str) -> list[str]:
    """The card names in a text: two letters each."""
    return [text[i : i + 2] for i in range(0, len(text), 2)]


class WrongGameMachine(OsmosisMachine):
    """Says how the wrong game is asked."""

    cases = starts(deals(max_cards=9), st.just(OSMOSIS))

    def start(self, deal: str, rules: Rules) -> None:
        """Deal the cards."""
        self.game = WrongGame(deal)

    def moves(self) -> str:
        """The legal moves in one text."""
        return " ".join(self.game.moves())

    def play(self, move: str) -> None:
        """Make a move."""
        self.game.play(move)

    def read(self) -> tuple[str, str, str, str]:
        """The position in four texts."""
        piles, rows = ("/".join(map("".join, part)) for part in (self.game.piles, self.game.rows))
        return piles, "".join(self.game.waste), "".join(self.game.stock), rows


def main() -> None:
    """Show the counterexample. A test suite would only say ``TestGame = ...TestCase``."""
    how = settings(
        max_examples=500, derandomize=True, database=None, phases=[Phase.generate, Phase.shrink]
    )
    try:
        run_state_machine_as_test(WrongGameMachine, settings=how)
    except Disagreement as fault:
        print(fault)


if __name__ == "__main__":
    main()
