"""Osmosis solitaire, solved: a winning line of play, or a proof that there is none.

>>> from osmosis_solver import Deal, check, solve
>>> answer = solve(Deal.from_pysol(24))
>>> answer.verdict
'lost'
>>> check(answer)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from osmosis_solver.advice import Hint, fatal_move, hint
from osmosis_solver.answer import (
    Answer,
    Budget,
    CostEntry,
    CostProof,
    Entry,
    Limit,
    Lost,
    Minimise,
    OrderProof,
    Proof,
    Spent,
    Unknown,
    Watcher,
    Won,
)
from osmosis_solver.cards import Card
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.errors import (
    DealError,
    IllegalMove,
    NotationError,
    OsmosisError,
    ProofError,
    RulesError,
    StoreError,
)
from osmosis_solver.explain import explain
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move, Play, Redeal, Turn
from osmosis_solver.notation import format_line, parse_line
from osmosis_solver.rules import (
    AISLERIOT,
    BRIDESMAIDS,
    DRAW_ONE,
    GAMERULES,
    NAMED_RULES,
    OSMOSIS,
    PEEK,
    PYSOL_BRIDESMAIDS,
    RELAXED,
    THREE_PASSES,
    TREASURE_TROVE,
    Rules,
)
from osmosis_solver.solver import best_score, kernel_kind, solve
from osmosis_solver.survey import survey
from osmosis_solver.wire import from_json, to_json

if TYPE_CHECKING:
    from osmosis_solver.advisor import Advice, Advised, advise
    from osmosis_solver.shares import Share
    from osmosis_solver.store import Store
    from osmosis_solver.tally import Tally
    from osmosis_solver.view import View

__all__ = [
    "AISLERIOT",
    "BRIDESMAIDS",
    "DRAW_ONE",
    "GAMERULES",
    "NAMED_RULES",
    "OSMOSIS",
    "PEEK",
    "PYSOL_BRIDESMAIDS",
    "REDEAL",
    "RELAXED",
    "THREE_PASSES",
    "TREASURE_TROVE",
    "TURN",
    "Advice",
    "Advised",
    "Answer",
    "Budget",
    "Card",
    "CostEntry",
    "CostProof",
    "Deal",
    "DealError",
    "Entry",
    "Hint",
    "IllegalMove",
    "Limit",
    "Lost",
    "Minimise",
    "Move",
    "NotationError",
    "OrderProof",
    "OsmosisError",
    "Play",
    "Proof",
    "ProofError",
    "Redeal",
    "Rules",
    "RulesError",
    "Share",
    "Spent",
    "State",
    "Store",
    "StoreError",
    "Tally",
    "Turn",
    "Unknown",
    "View",
    "Watcher",
    "Won",
    "advise",
    "best_score",
    "check",
    "explain",
    "fatal_move",
    "format_line",
    "from_json",
    "hint",
    "kernel_kind",
    "parse_line",
    "solve",
    "survey",
    "to_json",
]


_ROOM_OF = {
    "Advice": "advisor",
    "Advised": "advisor",
    "Share": "shares",
    "Store": "store",
    "Tally": "tally",
    "View": "view",
    "advise": "advisor",
}


def __getattr__(name: str) -> Any:
    """What only surveys and players with hidden cards need is loaded when it is asked for."""
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"osmosis_solver.{_ROOM_OF[name]}"), name)


def __dir__() -> list[str]:
    """All names, those too that are not loaded as yet."""
    return sorted({*globals(), *__all__})
