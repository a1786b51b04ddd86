"""A block as it is stored: verdicts packed, positions summed up, a checksum over all."""

from __future__ import annotations

import json
import zlib
from typing import Any, Final, NamedTuple, Self

from osmosis_solver.block import Block, Question
from osmosis_solver.tally import Tally

# These differ from run to run; all else of a block is the same whoever measures it.
_OF_THE_RUN: Final = ("checked", "seconds", "crc")
# What each byte of packed verdicts says of the first to the fourth of its deals.
_UNPACKING: Final = tuple(bytes(byte >> 2 * i & 3 for byte in range(256)) for i in range(4))


class Row(NamedTuple):
    """A block as it is stored."""

    first: str
    deals: int
    verdicts: bytes
    turns: bytes
    passes: bytes
    fewest_passes: bytes
    scores: bytes
    positions: int
    effort: str
    hardest: str
    won: int
    lost: int
    unknown: int
    checked: int
    seconds: float
    crc: int

    @classmethod
    def of(cls, block: Block) -> Self:
        """The row that keeps a block."""
        tally = Tally.of(block)
        row = cls(
            first=f"{block.first:020}",
            deals=block.count,
            verdicts=pack(block.verdicts),
            turns=block.turns,
            passes=block.passes,
            fewest_passes=block.fewest_passes,
            scores=block.scores,
            positions=tally.positions,
            effort=json.dumps(sorted(tally.effort.items())),
            hardest=json.dumps(tally.hardest),
            won=tally.won,
            lost=tally.lost,
            unknown=tally.undecided,
            checked=block.checked,
            seconds=block.seconds,
            crc=0,
        )
        return row._replace(crc=row.right_crc)

    @property
    def numbers(self) -> range:
        """The numbers of its deals."""
        return range(int(self.first), int(self.first) + self.deals)

    @property
    def right_crc(self) -> int:
        """The checksum of all but the checksum."""
        return zlib.crc32(repr(self[:-1]).encode())

    @property
    def figures(self) -> tuple[Any, ...]:
        """All that does not differ from run to run."""
        return tuple(value for name, value in self._asdict().items() if name not in _OF_THE_RUN)

    def block(self, question: Question) -> Block:
        """The block, without its positions."""
        return Block(
            question=question,
            first=self.numbers[0],
            count=self.deals,
            verdicts=unpack(self.verdicts, self.deals),
            positions=b"",
            turns=self.turns,
            passes=self.passes,
            fewest_passes=self.fewest_passes,
            scores=self.scores,
            checked=self.checked,
            seconds=self.seconds,
        )

    def tally(self, question: Question) -> Tally:
        """The tally of the block, positions included."""
        effort = dict(json.loads(self.effort))
        hardest = tuple((positions, number) for positions, number in json.loads(self.hardest))
        return Tally.known(self.block(question), self.positions, effort, hardest)


def pack(verdicts: bytes) -> bytes:
    """Verdicts at two bits a deal, the first deal lowest.

    >>> pack(bytes([1, 0, 2, 3, 1])).hex()
    'e101'
    """
    padded = verdicts + bytes(-len(verdicts) % 4)
    quarters = (int.from_bytes(padded[i::4]) << 2 * i for i in range(4))
    return sum(quarters).to_bytes(len(padded) // 4)


def unpack(packed: bytes, count: int) -> bytes:
    """The verdicts of so many deals, a byte each."""
    verdicts = bytearray(4 * len(packed))
    for i, table in enumerate(_UNPACKING):
        verdicts[i::4] = packed.translate(table)
    return bytes(verdicts[:count])
