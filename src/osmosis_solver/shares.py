"""A share of many deals or a mean over them, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any, Final, NamedTuple

from osmosis_solver.extras import bring

_CONFIDENCE: Final = 0.95
_DIGITS: Final = Decimal("0.000001")


class Share(NamedTuple):
    """A share of all deals and the 95 % interval for it, rounded outward to six digits.

    ``low`` counts the undecided deals as misses, ``high`` as hits, ``share`` as misses.
    """

    share: float
    low: float
    high: float


class Mean(NamedTuple):
    """A mean and the 95 % interval for it (Student's t), which is empty where all are alike."""

    mean: float
    low: float
    high: float


def mean_of(distribution: Mapping[int, int], digits: int = 4) -> Mean | None:
    """The mean of a distribution, rounded, or None of an empty one (extra ``survey``).

    >>> mean_of({30: 50, 40: 50})
    Mean(mean=35.0, low=34.0029, high=35.9971)
    """
    count = sum(distribution.values())
    if not count:
        return None
    whole = sum(value * deals for value, deals in distribution.items()) / count
    squares = sum(deals * (value - whole) ** 2 for value, deals in distribution.items())
    low = high = whole
    if squares:
        error = (squares / (count - 1) / count) ** 0.5
        student: Any = bring("scipy.stats", "survey").t
        low, high = student.interval(_CONFIDENCE, count - 1, loc=whole, scale=error)
    return Mean(*(round(float(value), digits) for value in (whole, low, high)))


def share_of(hits: int, undecided: int, deals: int) -> Share:
    """The share of hits among so many deals, of which some are undecided (extra ``survey``).

    >>> share_of(269, 0, 1000)
    Share(share=0.269, low=0.242438, high=0.29733)
    """
    if not deals:
        return Share(0.0, 0.0, 1.0)
    low, high = _wilson(hits, deals)[0], _wilson(hits + undecided, deals)[1]
    return Share(round(hits / deals, 6), _outward(low, ROUND_FLOOR), _outward(high, ROUND_CEILING))


def _wilson(hits: int, deals: int) -> tuple[float, float]:
    """The Wilson interval as scipy has it: statsmodels would bring scipy, and pandas too."""
    test: Any = bring("scipy.stats", "survey").binomtest(hits, deals)
    found = test.proportion_ci(_CONFIDENCE, method="wilson")
    return found.low, found.high


def _outward(value: float, rounding: str) -> float:
    return float(min(max(Decimal(value).quantize(_DIGITS, rounding), Decimal(0)), Decimal(1)))
