"""A share of many deals, and how sure it is."""

from __future__ import annotations

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
