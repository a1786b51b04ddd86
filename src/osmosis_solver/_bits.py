"""Bit helpers of the fast rooms. Compiled, ``_bits.pxd`` is used in place of this file."""

from __future__ import annotations


def index_of(bit: int) -> int:
    """The number of the one bit that is set."""
    return bit.bit_length() - 1


def count_of(bits: int) -> int:
    """How many bits are set."""
    return bits.bit_count()


def slot_of(key: int, shift: int) -> int:
    """Where in a table of 2^(64 - shift) slots a key belongs (Fibonacci hashing)."""
    return (key * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF) >> shift
