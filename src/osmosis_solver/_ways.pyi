from typing import Any

from osmosis_solver._advise import Guesses

class Ways(Guesses):
    def __init__(self, *args: Any, tops: bool = False, **named: Any) -> None: ...
