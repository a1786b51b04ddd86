"""The testing kit's machine: it finds every planted fault, and passes what is right."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from small_faults import FAULTS, Crashes, KeyWithoutPlace, PassTooMany, RedealReversed
from small_game import AskSmall, AskSmallMore, Small, machine_for

from osmosis_solver import Deal, Rules, State
from osmosis_solver.notation import parse_line
from osmosis_solver.testing import (
    Disagreement,
    OsmosisMachine,
)

ROOT = Path(__file__).parent.parent
UNSHRUNK = settings(max_examples=300, phases=[Phase.generate])
SHRUNK = settings(max_examples=300, phases=[Phase.generate, Phase.shrink])


def complaint(machine: type[OsmosisMachine], how: settings) -> Disagreement:
    """What the machine finds."""
    with pytest.raises(Disagreement) as caught:
        run_state_machine_as_test(machine, settings=how)
    return caught.value


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_found(fault: type[Small]) -> None:
    """A wrong rule is found, and the line of play that is named is one of the named deal."""
    found = complaint(machine_for(fault), UNSHRUNK)
    start = State.start(Deal.from_code(found.deal), found.rules)
    assert start.play_all(parse_line(found.line)).score <= len(start.deal) <= 9
    assert f"deal:  {found.deal}\n  rules: {found.rules!r}\n  line:  " in str(found)


# Slow, for hypothesis stops to shrink by the clock: a busy machine keeps larger examples.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "base", "most_cards", "most_moves", "words"),
    [
        (RedealReversed, AskSmall, 6, 2, "not in the order of the deal"),
        (KeyWithoutPlace, AskSmallMore, 2, 1, "another position"),
        (PassTooMany, AskSmall, 6, 3, "passes"),
    ],
)
def test_counterexamples_are_small(
    fault: type[Small], base: type[AskSmall], most_cards: int, most_moves: int, words: str
) -> None:
    """The shrunk counterexample has hardly more cards and moves than the fault needs."""
    found = complaint(machine_for(fault, base), SHRUNK)
    assert len(Deal.from_code(found.deal)) <= most_cards
    assert len(parse_line(found.line)) <= most_moves
    assert words in found.what


def test_a_correct_game_passes() -> None:
    """An implementation that keeps the rules passes, as pytest and unittest run it."""
    case = machine_for(Small).TestCase
    case.settings = settings(case.settings, max_examples=100)
    assert case().run().wasSuccessful()  # type: ignore[union-attr]


def test_what_a_subclass_has_to_define() -> None:
    """Without its four methods a machine says so; being stuck and keys need not be told."""
    machine = OsmosisMachine()
    for ask in (lambda: machine.start(":AC:", Rules()), machine.moves, machine.read):
        with pytest.raises(NotImplementedError):
            ask()
    with pytest.raises(NotImplementedError):
        machine.play(".")
    assert (machine.stuck(), machine.key()) == (None, None)


def test_a_crash_is_told_with_its_place() -> None:
    """An error that the program raises is passed on with deal, rules, line and move."""
    with pytest.raises(KeyError, match="no third row") as caught:
        run_state_machine_as_test(machine_for(Crashes), settings=UNSHRUNK)
    note = caught.value.__notes__[0]
    assert [line.split(":")[0].strip() for line in note.splitlines()] == [
        *("deal", "rules", "line", "move")
    ]


def test_rules_may_be_kept_on_the_machine() -> None:
    """A subclass may keep ``self.rules`` and ``self.deal``, though hypothesis has rules too."""

    class Keeps(AskSmall):
        def start(self, deal: str, rules: Rules) -> None:
            self.deal, self.rules = deal, rules  # type: ignore[assignment]
            super().start(deal, rules)

    run_state_machine_as_test(Keeps, settings=settings(UNSHRUNK, max_examples=30))


@pytest.mark.parametrize("module", ["osmosis_solver", "osmosis_solver.cli"])
def test_the_library_does_not_import_hypothesis(module: str) -> None:
    """Who only solves deals neither needs nor pays for hypothesis."""
    code = f"import sys, {module}; sys.exit('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_example_shows_its_fault() -> None:
    """The example finds the wrong rule and shows it in a short line of a small deal."""
    run = [sys.executable, str(ROOT / "examples" / "find_a_fault.py")]
    out = subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()
    assert "but row 2 has no" in out[0]
    assert [line.split(":")[0] for line in out[1:]] == ["  deal", "  rules", "  line"]
    assert len(Deal.from_code(out[1].split(": ", 1)[1].strip())) <= 9


def test_the_page_on_the_kit_holds_true() -> None:
    """The blocks of ``docs/testing_kit.md`` run one after the other, and show what they say."""
    page = str(ROOT / "docs" / "testing_kit.md")
    failed, tried = doctest.testfile(page, module_relative=False, optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 5) == (0, True)
