"""A short run of the fuzzer; ``tests/fuzz.py`` has the inputs, the laws and the long run."""

from __future__ import annotations

import pytest
from fuzz import TARGETS, Tally, fuzz, true_answers
from hypothesis import settings

from osmosis_solver.check import check
from osmosis_solver.wire import from_json


@pytest.mark.parametrize("name", TARGETS)
def test_inputs_are_refused_or_mean_what_they_say(name: str) -> None:
    """Any input is refused with one line of the package's own errors, or keeps its law."""
    tally = fuzz(name, settings(max_examples=200))
    assert 0 < tally.taken < tally.tried


def test_the_true_answers_are_true() -> None:
    """What the fuzzer mutates verifies before it is mutated."""
    for text in true_answers():
        check(from_json(text))


@pytest.mark.parametrize("error", [ValueError, RecursionError, KeyError, AssertionError])
def test_a_wrong_error_is_seen(error: type[Exception]) -> None:
    """The fuzzer itself lets no other error pass."""

    def law(_: object) -> None:
        raise error

    with pytest.raises(error):
        Tally().try_one(law, "")
