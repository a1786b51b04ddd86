from typing import Any

from osmosis_solver._board import Board

class Table(Board):
    def __init__(self, *args: Any, **named: Any) -> None: ...
