from array import array
from typing import Any

from osmosis_solver._kernel import Search

class Sweep(Search):
    def __init__(self, layout: tuple[int, ...], **named: Any) -> None: ...
    def run_many(
        self,
        first: int,
        count: int,
        positions: int,
        most_bytes: int,
        verdicts: bytearray,
        searched: array[int],
    ) -> None: ...
