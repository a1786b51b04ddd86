"""A testing kit: hypothesis strategies, and a machine that tests another program's game.

Needs hypothesis: ``pip install "osmosis-solver[testing]"``. Importing this module registers
the strategies, so that ``st.from_type(Deal)`` works, and ``Card``, ``Rules`` and ``State``.
``docs/testing_kit.md`` shows the use.

>>> from hypothesis import find
>>> find(deals(), lambda deal: len(deal.suits) > 1).code
':AC:AD'
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from hypothesis.strategies import SearchStrategy

from osmosis_solver._referee import Disagreement, Game, position_texts
from osmosis_solver._strategies import (
    cards,
    deals,
    decks,
    lines,
    register,
    rules,
    starts,
    states,
)
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.rules import Rules

__all__ = [
    "Disagreement",
    "OsmosisMachine",
    "cards",
    "deals",
    "decks",
    "lines",
    "position_texts",
    "rules",
    "starts",
    "states",
]

register()


class OsmosisMachine(RuleBasedStateMachine):
    """Plays random lines of random deals in another program and here, and compares.

    A subclass says how the other program is asked, in plain texts: it defines ``start``,
    ``moves``, ``play`` and ``read``, and ``stuck`` and ``key`` if the program has them.
    ``cases`` says which deals and rules are tried. The subclass's ``TestCase`` is a test
    for pytest and for unittest. It fails with a ``Disagreement`` that names the deal, the
    rules, the line of play and what differs; an error that the program raises gets these
    as a note.

    >>> from osmosis_solver import format_line, parse_line
    >>> class OursAgainstOurs(OsmosisMachine):
    ...     cases = starts(deals(max_cards=6))
    ...
    ...     def start(self, deal: str, rules: Rules) -> None:
    ...         self.state = State.start(Deal.from_code(deal), rules)
    ...
    ...     def moves(self) -> str:
    ...         return format_line(self.state.legal_moves())
    ...
    ...     def play(self, move: str) -> None:
    ...         self.state = self.state.play_all(parse_line(move))
    ...
    ...     def read(self) -> tuple[str, str, str, str]:
    ...         return position_texts(self.state)
    >>> case = OursAgainstOurs.TestCase
    >>> case.settings = settings(case.settings, max_examples=10)
    >>> case().run().wasSuccessful()
    True
    """

    cases: ClassVar[SearchStrategy[State]] = starts(deals(max_cards=9))

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # Explaining traces every line that runs, which makes shrinking take minutes.
        test = cls.TestCase
        phases = [phase for phase in test.settings.phases if phase is not Phase.explain]
        test.settings = settings(test.settings, phases=phases)

    def __init__(self) -> None:
        super().__init__()
        self.__game: Game

    def start(self, deal: str, rules: Rules) -> None:
        """Begin a game: ``deal`` is a deal code, the fields of ``rules`` are plain values."""
        raise NotImplementedError

    def moves(self) -> str:
        """The legal moves in any order, with blanks between: ``"AD KH ."``, ``"|"``, ``""``."""
        raise NotImplementedError

    def play(self, move: str) -> None:
        """Make a move: a card such as ``"AD"``, ``"."`` (a turn) or ``"|"`` (a redeal)."""
        raise NotImplementedError

    def read(self) -> Sequence[str]:
        """The position in four texts: reserve, waste, stock, rows.

        Reserve piles are written bottom to top with ``/`` between, the waste with its top
        last, the stock with its next card first, the rows from row 1 down with ``/``
        between and the cards of a row in any order. Piles without a card may be left out.
        """
        raise NotImplementedError

    def stuck(self) -> bool | None:
        """Whether no play can come up any more in a game not won; None is not compared."""
        return None

    def key(self) -> Hashable | None:
        """What the program tells positions of one deal apart by; None is not compared."""
        return None

    @initialize(case=st.runner().flatmap(lambda machine: machine.cases.map(_case)))
    def first_deal(self, case: tuple[str, Rules]) -> None:
        """Begin with a deal, given as its code, and rules."""
        deal, rules = case
        self.__game = Game(State.start(Deal.from_code(deal), rules))
        with self.__noted():
            self.start(deal, rules)

    @precondition(lambda self: self.__game.state.legal_moves())
    @rule(move=st.runner().flatmap(lambda machine: _any_move(machine.__game.state)))
    def next_move(self, move: str) -> None:
        """Make a legal move in both games."""
        with self.__noted(f"\n  move:  {move}"):
            self.play(move)
        self.__game.play(move)

    @precondition(lambda self: self.__game.is_over)
    @rule()
    def same_deal_again(self) -> None:
        """Begin the deal once more; its positions can be met again on other ways."""
        self.__game.again()
        with self.__noted():
            self.start(self.__game.code, self.__game.rules)

    @precondition(lambda self: self.__game.is_over)
    @rule(case=st.runner().flatmap(lambda machine: machine.cases.map(_case)))
    def other_deal(self, case: tuple[str, Rules]) -> None:
        """Begin another deal in the same program."""
        self.first_deal(case)

    @invariant()
    def both_agree(self) -> None:
        """Cards, legal moves, being stuck and key are right, in this order."""
        with self.__noted():
            texts, moves, stuck, key = self.read(), self.moves(), self.stuck(), self.key()
        self.__game.compare_position(texts)
        self.__game.compare_moves(moves)
        if stuck is not None:
            self.__game.compare_stuck(stuck)
        if key is not None:
            self.__game.compare_key(key)

    @contextmanager
    def __noted(self, more: str = "") -> Iterator[None]:
        try:
            yield
        except Exception as error:
            error.add_note(self.__game.where + more)
            raise


def _case(start: State) -> tuple[str, Rules]:
    return start.deal.code, start.rules


def _any_move(state: State) -> SearchStrategy[str]:
    return st.sampled_from([str(move) for move in state.legal_moves()])
