"""The rules record: its fields, its names, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve, fields
from hypothesis import given
from strategies import NOT_TEXT, rules

from osmosis_solver import rules as named
from osmosis_solver.errors import RulesError, clip
from osmosis_solver.rules import NAMED_RULES, Rules

# The table of the specification: draw, passes, waste, row_start, layout.
FOUR = (4, 4, 4, 4)
TABLE: dict[str, tuple[Any, ...]] = {
    "OSMOSIS": (3, None, "top", "base", FOUR),
    "TREASURE_TROVE": (3, None, "top", "base", FOUR),
    "PEEK": (3, None, "top", "base", FOUR),
    "GAMERULES": (3, None, "packet", "base", FOUR),
    "DRAW_ONE": (1, None, "top", "base", FOUR),
    "THREE_PASSES": (3, 3, "top", "base", FOUR),
    "AISLERIOT": (1, 3, "top", "base", FOUR),
    "BRIDESMAIDS": (3, 1, "top", "base", FOUR),
    "PYSOL_BRIDESMAIDS": (3, None, "top", "base", ()),
    "RELAXED": (3, None, "top", "any", FOUR),
}


@pytest.mark.parametrize("name", TABLE)
def test_named_rules(name: str) -> None:
    """Each name stands for its line of the table, as a value, by name and in the register."""
    rules = Rules(*TABLE[name])
    assert getattr(named, name) == NAMED_RULES[name] == Rules.named(name) == rules
    assert Rules.named(name.lower().replace("_", "-")) == rules
    assert rules.name is not None
    assert Rules.named(rules.name) == rules


def test_no_other_names() -> None:
    """The register holds the names of the table and no more."""
    assert list(NAMED_RULES) == list(TABLE)
    assert Rules(draw=2).name is None


@given(rules())
def test_repr(record: Rules) -> None:
    """The ``repr`` of a record is what one would type; equality and hash are by value."""
    again = eval(repr(record))
    assert again == record
    assert hash(again) == hash(record)


NOT_NATURAL = [0, -1, 1.0, 2.5, "3", "", True, False, float("inf"), 2**63, 10**5000, -(10**5000)]
BAD: dict[str, list[Any]] = {
    "draw": [*NOT_NATURAL, None, [], (10**5000,)],
    "passes": [*NOT_NATURAL, "none", [], (10**5000,)],
    "waste": ["Top", "", "pack", "packet ", None, True, 0, [], ["top"], (10**5000,)],
    "row_start": ["Any", "", "bases", None, True, 1, [], "top", (10**5000,)],
    "layout": [
        *([4, 4, 4, 4], 16, None, "4444", (4.0,), (True,), (-1,), (52,), (26, 26), ("4",)),
        *((None,), ((4,),), (10**5000,), (-(10**5000),)),
    ],
}


@pytest.mark.parametrize(
    ("field", "value"), [(f, v) for f, values in BAD.items() for v in values], ids=clip
)
def test_bad_values(field: str, value: Any) -> None:
    """A value that the game does not know is refused by an error that names its field."""
    with pytest.raises(RulesError) as caught:
        evolve(Rules(), **{field: value})
    assert field in caught.value.where
    assert caught.value.wanted
    assert len(str(caught.value)) < 250


def test_every_field_is_checked() -> None:
    """No field is left out of the list of bad values."""
    assert [field.name for field in fields(Rules)] == list(BAD)


@pytest.mark.parametrize(
    "name",
    ["", " ", "OSMOSIS ", "O", "\N{LATIN SMALL LETTER LONG S}", "X" * 10_000, *NOT_TEXT],
    ids=clip,
)
def test_unknown_names(name: str) -> None:
    """A name that is not in the register is refused, whatever it is."""
    with pytest.raises(RulesError) as caught:
        Rules.named(name)
    assert "OSMOSIS" in caught.value.wanted
    assert len(caught.value.got) < 100


@pytest.mark.parametrize("name", ["oſmosis", "three_paßes"])
def test_letters_with_a_plain_upper_case(name: str) -> None:
    """A name is not made known by letters whose upper case is S or SS."""
    with pytest.raises(RulesError):
        Rules.named(name)


def test_a_record_cannot_change() -> None:
    """A rules record is frozen."""
    with pytest.raises(AttributeError):
        Rules().draw = 1  # type: ignore[misc]
