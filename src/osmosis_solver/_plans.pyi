from typing import Any

from osmosis_solver._ways import Ways

class Plans(Ways):
    spent: int
    drawn: int
    def __init__(self, *args: Any, **named: Any) -> None: ...
    def judge(
        self,
        seed: int,
        least: int,
        enough: int,
        most: int,
        exact: bool,
        depth: int,
        positions: int,
        most_bytes: int,
    ) -> tuple[int, int, list[tuple[list[tuple[int, int]], int, int]]]: ...
