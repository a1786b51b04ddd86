"""Bit helpers of the fast rooms. Compiled, ``_bits.pxd`` is used in place of this file."""

from __future__ import annotations

from osmosis_solver._words import ROW_STARTS


def index_of(bit: int) -> int:
    """The number of the one bit that is set."""
    return bit.bit_length() - 1


def top_of(bits: int) -> int:
    """The number of the highest bit that is set."""
    return bits.bit_length() - 1


def count_of(bits: int) -> int:
    """How many bits are set."""
    return bits.bit_count()


def slot_of(key: int, shift: int) -> int:
    """Where in a table of 2^(64 - shift) slots a key belongs (Fibonacci hashing)."""
    return (key * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF) >> shift


def union_of(sets: list[int], bits: int) -> int:
    """The sets of all the bits that are set, together."""
    found = 0
    while bits:
        found |= sets[index_of(bits & -bits)]
        bits &= bits - 1
    return found


# Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014): SplitMix64.
STEP = 0x9E3779B97F4A7C15
_MIX1 = 0xBF58476D1CE4E5B9
_MIX2 = 0x94D049BB133111EB
_MASK64 = 2**64 - 1


def mixed(word: int) -> int:
    """What SplitMix64 makes of a word of its sequence, whose words are ``STEP`` apart."""
    word = ((word ^ (word >> 30)) * _MIX1) & _MASK64
    word = ((word ^ (word >> 27)) * _MIX2) & _MASK64
    return word ^ (word >> 31)


def playable_of(  # noqa: PLR0913, PLR0917 - a C macro would not take fewer
    home: int, row1: int, deck: int, bases: int, base_rank: int, any_start: bool
) -> int:
    """The cards that have a row when ``home`` are on the rows, and all of row 1.

    A card is ``13 * row + rank``. It needs its rank in the row above and, unless
    ``any_start``, a row that its base card has opened, or to be that card.
    """
    below = (home << 13) & deck
    if any_start:
        return row1 | below
    opened = ((home >> base_rank) & ROW_STARTS) * 0x1FFF
    return row1 | (below & (opened | bases))


def prefetch(address: object) -> None:
    """Have the processor bring up what lies there; without a compiler there is no such thing."""
