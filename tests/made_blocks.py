"""Blocks of a survey with made-up answers, and parts of blocks."""

from __future__ import annotations

import struct
from itertools import pairwise

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from osmosis_solver.block import LOST, NO_COUNT, NO_TURNS, OPEN, WON, Block, Question
from osmosis_solver.rules import DRAW_ONE, OSMOSIS

QUESTIONS = [
    Question(),
    Question(DRAW_ONE, what="turns"),
    Question(OSMOSIS, what="score", positions=1000),
    Question(policy="greedy"),
]


@st.composite
def blocks(draw: DrawFn, question: Question, first: int = 0, most: int = 40) -> Block:
    """A block of that question with any answers."""
    codes = [LOST, WON] if question.policy else [LOST, WON, *OPEN.values()]
    verdicts = bytes(draw(st.lists(st.sampled_from(codes), min_size=1, max_size=most)))
    count = len(verdicts)
    # Few different numbers: ties between the hardest are where sums can go wrong.
    searched = st.integers(0, 5) | st.integers(0, 2**32 - 1) | st.sampled_from([15, 16, 17, 2**31])
    positions = draw(st.lists(searched, min_size=count, max_size=count))
    turns, fewest, scores = list[int](), bytearray(), bytearray()
    for code in verdicts:
        short = draw(st.sampled_from([None, None, 0, 1]))
        if code in OPEN.values():
            short = code - OPEN["positions"]
        settled = short is None
        won = code == WON
        turns.append(NO_TURNS - (short or 0) if not settled and code else 40 * won)
        fewest.append(NO_COUNT - (short or 0) if not settled and code else draw(_small) * won)
        scores.append(52 if won else draw(_small) if settled else NO_COUNT - (short or 0))
    has_turns = question.what == "turns"
    return Block(
        question=question,
        first=first,
        count=count,
        verdicts=verdicts,
        positions=struct.pack(f"<{count}I", *positions),
        turns=struct.pack(f"<{count}H", *turns) if has_turns else b"",
        passes=bytes(fewest) if has_turns else b"",
        fewest_passes=bytes(fewest) if has_turns else b"",
        scores=bytes(scores) if question.has_scores else b"",
        checked=draw(st.integers(0, count)),
        seconds=1.0,
    )


_small = st.integers(1, 9)


@st.composite
def cut_blocks(draw: DrawFn) -> tuple[Block, list[Block]]:
    """A block of any question, and the same deals in parts, in any order."""
    whole = draw(
        blocks(draw(st.sampled_from(QUESTIONS)), draw(st.sampled_from([0, 7, 2**64 - 99])))
    )
    cuts = draw(st.sets(st.integers(0, whole.count)))
    ends = sorted(cuts | {0, whole.count})
    parts = [part(whole, start, stop) for start, stop in pairwise(ends)]
    return whole, draw(st.permutations(parts))


def part(whole: Block, start: int, stop: int) -> Block:
    """The deals from the ``start``-th on and before the ``stop``-th; they count as unchecked."""
    return evolve(
        whole,
        first=whole.first + start,
        count=stop - start,
        verdicts=whole.verdicts[start:stop],
        positions=whole.positions[4 * start : 4 * stop],
        turns=whole.turns[2 * start : 2 * stop],
        passes=whole.passes[start:stop],
        fewest_passes=whole.fewest_passes[start:stop],
        scores=whole.scores[start:stop],
        checked=0,
    )
