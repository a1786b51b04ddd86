from collections.abc import Sequence
from typing import Any

from osmosis_solver._kernel import Search

class Guesses(Search):
    cut: int
    def __init__(
        self, *args: Any, unseen: Sequence[int], prunes: int = 127, **named: Any
    ) -> None: ...
    def add(
        self,
        left: int,
        reserve: int,
        waste: int,
        packet: int,
        redeals: int | None,
        opened: Sequence[int],
    ) -> int: ...
    def path(self, option: int) -> list[tuple[int, int]]: ...
    def settle(
        self, option: int, seed: int, number: int, exact: bool, positions: int, most_bytes: int
    ) -> tuple[list[int], int]: ...
