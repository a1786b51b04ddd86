"""What the blocks of a survey come to: counts, shares with their intervals, effort, distributions.

Tallies of disjoint sets of deals add up to that of all, in any order and however they are cut.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, Self

from attrs import field, frozen

from osmosis_solver.block import DECK, LOST, NO_COUNT, OPEN, WON, Block, Question, numbers
from osmosis_solver.errors import OsmosisError
from osmosis_solver.shares import Share, share_of

HARDEST: Final = 10
"""How many of the hardest deals are kept."""
MANY_HOME: Final = 40
"""Cards home that a report counts as many."""
QUANTILES: Final = (0.5, 0.9, 0.99, 0.999, 0.9999)

_CODES: Final = (LOST, WON, *OPEN.values())
# A bin of the histogram is an eighth of a power of two; below 16 each number has its own.
_EXACT: Final = 16
_FINE_BITS: Final = 3


def bin_of(positions: int) -> int:
    """The bin of the histogram of effort for that many positions.

    >>> bin_of(15), bin_of(16), bin_of(17), bin_of(18)
    (15, 16, 16, 17)
    """
    if positions < _EXACT:
        return positions
    shift = positions.bit_length() - 1 - _FINE_BITS
    return (shift << _FINE_BITS) + (positions >> shift)


def most_of(number: int) -> int:
    """The most positions that fall into a bin, less than an eighth above the fewest.

    >>> most_of(15), most_of(16)
    (15, 17)
    """
    if number < _EXACT:
        return number
    shift = (number >> _FINE_BITS) - 1
    return ((number - (shift << _FINE_BITS) + 1) << shift) - 1


def _counter(value: Mapping[int, int]) -> Counter[int]:
    return Counter(value)


@frozen(unsafe_hash=False)
class Tally:
    """The figures of a survey over the deals counted so far; ``+`` adds those of others.

    - ``verdicts``: deals by verdict, as coded in ``Block``.
    - ``positions``: searched in all; ``effort``: deals by ``bin_of`` their positions;
      ``hardest``: positions and number of the deals with the most, these first.
    - ``turns``, ``passes``: won deals by the fewest; ``scores``: deals by cards home. What a
      limit left open is not in these, and counts in ``unsettled``.
    - ``checked``: how many answers were proved again; ``seconds`` of CPU time. Two tallies
      are equal whatever these are.
    """

    question: Question
    verdicts: Counter[int] = field(factory=Counter, converter=_counter)
    positions: int = 0
    effort: Counter[int] = field(factory=Counter, converter=_counter)
    hardest: tuple[tuple[int, int], ...] = ()
    turns: Counter[int] = field(factory=Counter, converter=_counter)
    passes: Counter[int] = field(factory=Counter, converter=_counter)
    scores: Counter[int] = field(factory=Counter, converter=_counter)
    unsettled: int = 0
    checked: int = field(default=0, eq=False)
    seconds: float = field(default=0.0, eq=False)

    @classmethod
    def of(cls, block: Block) -> Self:
        """The tally of one block."""
        searched = numbers("I", block.positions)
        deals_at, effort = Counter(searched), Counter[int]()
        for positions, deals in deals_at.items():
            effort[bin_of(positions)] += deals
        # There are few different numbers, so this is quicker than to rank all deals.
        least = min(heapq.nlargest(HARDEST, deals_at), default=0)
        top = [(p, block.first + i) for i, p in enumerate(searched) if p >= least and p]
        hardest = tuple(sorted(top, key=_hardest_first)[:HARDEST])
        return cls.known(block, sum(searched), effort, hardest)

    @classmethod
    def known(
        cls,
        block: Block,
        positions: int,
        effort: Mapping[int, int],
        hardest: tuple[tuple[int, int], ...],
    ) -> Self:
        """The tally of a block whose positions are known as what they come to only."""
        turns, passes = _won_counts(block)
        scores = {s: n for s, n in Counter(block.scores).items() if s < NO_COUNT - 1}
        settled = sum(scores.values()) if block.question.has_scores else turns.total()
        asked = len(block.scores) or (block.verdicts.count(WON) + _open(block))
        return cls(
            question=block.question,
            verdicts={code: deals for code in _CODES if (deals := block.verdicts.count(code))},
            positions=positions,
            effort=effort,
            hardest=hardest,
            turns=turns,
            passes=passes,
            scores=scores,
            unsettled=asked - settled if block.turns or block.scores else 0,
            checked=block.checked,
            seconds=block.seconds,
        )

    def __add__(self, other: Self) -> Self:
        if other.question != self.question:
            raise OsmosisError(f"one of {other.question.name}", "tally", self.question.name)
        hardest = sorted((*self.hardest, *other.hardest), key=_hardest_first)
        return type(self)(
            question=self.question,
            verdicts=self.verdicts + other.verdicts,
            positions=self.positions + other.positions,
            effort=self.effort + other.effort,
            hardest=tuple(hardest[:HARDEST]),
            turns=self.turns + other.turns,
            passes=self.passes + other.passes,
            scores=self.scores + other.scores,
            unsettled=self.unsettled + other.unsettled,
            checked=self.checked + other.checked,
            seconds=self.seconds + other.seconds,
        )

    @property
    def deals(self) -> int:
        """How many deals are counted."""
        return self.verdicts.total()

    @property
    def won(self) -> int:
        """Deals that can be won, or that the policy won."""
        return self.verdicts[WON]

    @property
    def lost(self) -> int:
        """Deals that nobody can win, or that the policy did not win."""
        return self.verdicts[LOST]

    @property
    def unknown(self) -> dict[str, int]:
        """Deals without a verdict, by the limit that was hit."""
        return {limit: self.verdicts[code] for limit, code in OPEN.items()}

    @property
    def undecided(self) -> int:
        """All deals without a verdict."""
        return sum(self.unknown.values())

    @property
    def share_won(self) -> Share:
        """The share of deals that can be won. Needs the extra ``survey``."""
        return share_of(self.won, self.undecided, self.deals)

    @property
    def lost_scores(self) -> Counter[int]:
        """Deals by cards home, without those of which all came home."""
        return Counter({score: deals for score, deals in self.scores.items() if score != DECK})

    def share_home(self, cards: int = MANY_HOME) -> Share:
        """The share of deals of which so many cards or more can come home (extra ``survey``)."""
        hits = sum(deals for score, deals in self.scores.items() if score >= cards)
        return share_of(hits, self.unsettled, self.deals)

    def effort_within(self, share: float) -> int:
        """A number of positions that at least that share of the deals took no more than.

        The histogram bounds it from above: it is less than an eighth above the fewest
        positions of which that is true, and never above those of the hardest deal.
        """
        counted, wanted = 0, share * self.deals
        for number in sorted(self.effort):
            counted += self.effort[number]
            if counted >= wanted:
                return min(most_of(number), self.most)
        return self.most

    @property
    def most(self) -> int:
        """The positions of the hardest deal."""
        return self.hardest[0][0] if self.hardest else 0


def total(question: Question, tallies: Iterable[Tally]) -> Tally:
    """The sum of tallies, none included."""
    return sum(tallies, Tally(question))


def mean(distribution: Mapping[int, int]) -> float | None:
    """The mean of a distribution to four digits, or None of an empty one.

    >>> mean({30: 1, 40: 3})
    37.5
    """
    count = sum(distribution.values())
    summed = sum(value * deals for value, deals in distribution.items())
    return round(summed / count, 4) if count else None


def _hardest_first(entry: tuple[int, int]) -> tuple[int, int]:
    return -entry[0], entry[1]


def _open(block: Block) -> int:
    return sum(block.verdicts.count(code) for code in OPEN.values())


def _won_counts(block: Block) -> tuple[Counter[int], Counter[int]]:
    """Won deals by fewest turns and by fewest passes, where these were asked and settled."""
    fewest = block.fewest_passes
    settled = [i for i, passes in enumerate(fewest) if 0 < passes < NO_COUNT - 1]
    turns = numbers("H", block.turns)
    return Counter(turns[i] for i in settled), Counter(fewest[i] for i in settled)
