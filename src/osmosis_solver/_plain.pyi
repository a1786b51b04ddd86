from typing import Any

from osmosis_solver._board import Board

class Plain(Board):
    def __init__(self, *args: Any, prunes: int = 31, **named: Any) -> None: ...
