"""Two surveys of the same deals, compared deal by deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from attrs import asdict, frozen

from osmosis_solver.block import NO_COUNT, OPEN, WON, Question
from osmosis_solver.errors import StoreError
from osmosis_solver.extras import bring
from osmosis_solver.report import joined, rules_object, told_spans
from osmosis_solver.shares import Mean, mean_of
from osmosis_solver.store import Store
from osmosis_solver.told import describe

SCHEMA: Final = "osmosis-solver/comparison/1"
_SHARE_DIGITS: Final = 6


@frozen
class Comparison:
    """What two surveys, ``one`` and ``other``, come to over the same deals.

    - ``both``, ``only_one``, ``only_other``, ``neither``: deals by who wins them, or of which
      question the answer is a win. A deal without a verdict counts as not won; ``unknown``
      says how many these are in each.
    - ``share``: by how much the share won of ``one`` is the larger, from -1 to 1, with the
      paired interval at 95 % (Student's t on the differences of the deals).
    - ``p``: McNemar's test, exact: how likely numbers so unequal of deals that only one wins
      are, if both win as often.
    - ``score``: by how much the mean score of ``one`` is the larger, over the deals of which
      both have one; ``scored`` is how many these are. None if there are none.
    """

    one: Question
    other: Question
    numbers: tuple[range, ...]
    both: int
    only_one: int
    only_other: int
    neither: int
    unknown: tuple[int, int]
    share: Mean
    p: float
    score: Mean | None
    scored: int

    @property
    def deals(self) -> int:
        """How many deals are compared."""
        return self.both + self.only_one + self.only_other + self.neither


def compare(one: Store, other: Store) -> Comparison:
    """Compare two surveys deal by deal (extra ``survey``). Holds some bytes a deal in memory.

    Raises ``StoreError`` unless they are of the same deals under the same rules.
    """
    numbers = _same_deals(one, other)
    ours, theirs = _Columns(one), _Columns(other)
    found = Counter(
        (a == WON, b == WON) for a, b in zip(ours.verdicts, theirs.verdicts, strict=True)
    )
    only_one, only_other = found[True, False], found[False, True]
    differences = {1: only_one, -1: only_other, 0: found[True, True] + found[False, False]}
    scores = _score_differences(ours.scores, theirs.scores)
    return Comparison(
        one=one.question,
        other=other.question,
        numbers=numbers,
        both=found[True, True],
        only_one=only_one,
        only_other=only_other,
        neither=found[False, False],
        unknown=(ours.unknown, theirs.unknown),
        share=mean_of(differences, _SHARE_DIGITS) or Mean(0, 0, 0),
        p=_mcnemar(only_one, only_other),
        score=mean_of(scores),
        scored=scores.total(),
    )


class _Columns:
    """The verdicts and the scores of all deals of a store, by number."""

    def __init__(self, store: Store) -> None:
        blocks = list(store.blocks())
        self.verdicts = b"".join(block.verdicts for block in blocks)
        self.scores = b"".join(block.scores for block in blocks)
        self.unknown = sum(self.verdicts.count(code) for code in OPEN.values())


def _score_differences(ours: bytes, theirs: bytes) -> Counter[int]:
    """Deals by the difference of their scores; those of which one is not settled are left out."""
    if not ours or not theirs:
        return Counter()
    pairs = Counter(zip(ours, theirs, strict=True))
    differences = Counter[int]()
    for (a, b), deals in pairs.items():
        if max(a, b) < NO_COUNT - 1:
            differences[a - b] += deals
    return differences


def _mcnemar(only_one: int, only_other: int) -> float:
    if not only_one + only_other:
        return 1.0
    test: Any = bring("scipy.stats", "survey")
    return float(test.binomtest(only_one, only_one + only_other).pvalue)


def _same_deals(one: Store, other: Store) -> tuple[range, ...]:
    """The numbers of the deals. Raises ``StoreError`` if the other store has other ones."""
    where = f"store {other.path}"
    if one.question.rules != other.question.rules:
        got, wanted = describe(other.question.rules), describe(one.question.rules)
        raise StoreError(f"rules {got}", where, f"rules {wanted}, to compare it with {one.path}")
    ours, theirs = joined(one.stored()), joined(other.stored())
    if ours != theirs:
        wanted = f"deals {_told(ours)}, to compare it with {one.path}"
        raise StoreError(f"deals {_told(theirs)}", where, wanted)
    if not ours:
        raise StoreError("no deals", where, "some to compare")
    return tuple(ours)


def _told(numbers: list[range]) -> str:
    return told_spans(numbers).removeprefix(", ") or "none"


# ---- telling -----------------------------------------------------------------------------


def to_object(found: Comparison) -> dict[str, Any]:
    """The figures as one object for JSON; ``docs/survey.md`` describes it field by field."""
    return {
        "schema": SCHEMA,
        "rules": rules_object(found.one.rules),
        "numbers": [[each.start, each.stop - 1] for each in found.numbers],
        "deals": found.deals,
        "one": _asked(found.one),
        "other": _asked(found.other),
        "both": found.both,
        "only_one": found.only_one,
        "only_other": found.only_other,
        "neither": found.neither,
        "unknown": list(found.unknown),
        "share": found.share._asdict(),
        "p": found.p,
        "score": None if found.score is None else {**found.score._asdict(), "deals": found.scored},
    }


def _asked(question: Question) -> dict[str, Any]:
    named = asdict(question)
    return {name: named[name] for name in ("what", "policy", "kernel")}


def told_comparison(found: Comparison) -> Iterator[str]:
    """The figures in lines for people."""
    ours, theirs = found.one.asked, found.other.asked
    width = max(len(f"only by {each}") for each in (ours, theirs))
    yield f"{describe(found.one.rules)}: {found.deals:,} native deals{told_spans(found.numbers)}"
    yield ""
    rows = {
        "won by both": found.both,
        f"only by {ours}": found.only_one,
        f"only by {theirs}": found.only_other,
        "by neither": found.neither,
    }
    for name, deals in rows.items():
        yield f"  {name:{width}}  {deals:>14,}   {100 * deals / found.deals:8.4f} %"
    yield ""
    yield from _told_differences(found, ours, theirs)


def _told_differences(found: Comparison, ours: str, theirs: str) -> Iterator[str]:
    points = Mean(*(100 * value for value in found.share))
    yield f"{ours} less {theirs}:"
    yield f"  share won   {_signed(points, ' points')}"
    p = f"= {found.p:.3g}" if found.p else "< 1e-300"  # too small for a float
    yield f"  by McNemar's exact test p {p}"
    if found.score is not None:
        left = found.deals - found.scored
        yield f"  mean score  {_signed(found.score)}" + (f", {left:,} deals left out" * bool(left))
    if any(found.unknown):
        yield f"  unknown, counted as not won: {found.unknown[0]:,} and {found.unknown[1]:,}"


def _signed(found: Mean, unit: str = "") -> str:
    return f"{found.mean:+.4f}{unit}  (95 % interval {found.low:+.4f} to {found.high:+.4f})"
