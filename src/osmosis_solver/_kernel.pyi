from collections.abc import Sequence

COMPILED: bool
EVENTS: dict[str, int]
PRUNES: dict[str, int]

class Search:
    def __init__(
        self,
        sequence: Sequence[int],
        piles: Sequence[Sequence[int]],
        home: Sequence[int],
        orders: Sequence[Sequence[int]],
        ranks: int,
        base_rank: int,
        draw: int,
        packets: bool,
        any_start: bool,
        redeals: int | None,
        waste: int = 0,
        packet: int = 0,
        prunes: int = ...,
    ) -> None: ...
    def run(self, positions: int) -> int: ...
    def grow(self, most_bytes: int) -> bool: ...
    def starve(self) -> None: ...
    def line(self) -> tuple[int, list[tuple[int, int]]]: ...
    def refutation(self) -> tuple[int, int, list[tuple[int, int, int, int]]]: ...
    def counts(self) -> tuple[int, int, int]: ...
    def dive_everywhere(self) -> bool: ...
