from collections.abc import Sequence

class Board:
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
        target: int | None = None,
    ) -> None: ...
