from typing import Any

from osmosis_solver._table import Table

class Plain(Table):
    def __init__(self, *args: Any, prunes: int = 31, **named: Any) -> None: ...
