"""Numbers that the fast rooms share. Compiled, ``_words.pxd`` is used in place of this file."""

from __future__ import annotations

# What a step of a search comes to, and what a search reports.
RUNNING = 0
DEAD = 1
WON = 2
FULL = 3
OPEN = 4
LOST = 5
STARVED = 6

# The switches, one bit each: rules 5, 6, 8 (with 10) and 9, and the dive.
FREE = 1
POINTER = 2
BOUND = 4
PREFIX = 8
DIVE = 16
# Of verdicts without proofs: rule 7, and no bound where one play is left to try.
LAST = 32
FORCED = 64

# The stages of the portfolio.
IN_FREE = 0
IN_DIVE = 1
IN_EXACT = 2
IN_PREFIX = 3

# A mark on a value of the table of ``_kernel``: refuted by the bound alone.
SHORT = 128

# A word of the table of ``_plain``: the cards left; for the remainders 1 and 2, how many cards
# of the end it is of which all is refuted; marks.
LEFT = (1 << 47) - 1
LOW = 63
LOW_AT = 41
ONLY_SHORT_AT = 58
START = 1 << 61
START_SHORT = 1 << 62
START_PASSED = 1 << 63

GROUP_AT = 18

FIRST_TABLE = 1 << 10
FIRST_SHIFT = 64 - 10

ONE = 1
OCCUPIED = 1 << 63
ROW_STARTS = 0x0000008004002001
