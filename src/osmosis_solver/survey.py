"""The survey: a question about many native deals. What does the work is loaded when it is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from osmosis_solver.answer import Budget
from osmosis_solver.rules import OSMOSIS, Rules

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from osmosis_solver.block import What
    from osmosis_solver.store import Store
    from osmosis_solver.tally import Tally

CHECK: Final = 0.01
"""The share of the answers that is proved again if nothing else is asked for."""


def survey(  # noqa: PLR0913 - all but the question itself is by name
    numbers: range | tuple[int, int],
    rules: Rules = OSMOSIS,
    *,
    what: What = "verdict",
    policy: str | None = None,
    executor: Executor | None = None,
    store: Store | str | Path | None = None,
    check: float = CHECK,
    block: int | None = None,
    budget: Budget | None = None,
    ahead: int = 32,
    watcher: Callable[[Tally], None] | None = None,
) -> Tally:
    """Ask the same of every native deal of a range of numbers, and tell what they come to.

    ``numbers`` is a range in steps of 1, or its start and stop. ``what`` and ``policy`` are
    those of ``Question``. The deals go out in blocks of ``block``, at most ``ahead`` at a
    time, to the ``executor``: a process pool, ``dask``'s ``Client.get_executor()``, a thread
    pool; without one they are measured here. With a ``store``, a ``Store`` or the path of
    one, finished blocks are kept, and those kept before are not measured again; whatever
    ends a survey, the same call goes on from there, and the figures are the same.

    ``budget`` limits each deal, by positions and megabytes only, for seconds are not the
    same on every run; 10^8 positions and 512 MB if it is not given. Of ``check``, a share
    from 0 to 1, the answers are proved again by ``solve`` and ``check``, which deals being
    decided by their numbers alone. ``watcher`` is called with the tally so far, before the
    first block and after each. Costs what the deals cost without line and proof, well under a
    millisecond each for the verdict of standard ones, and some milliseconds for each answer
    that is proved again, 65 on average for the fewest turns.

    Raises ``ProofError`` that names the deal if an answer is not what is proved,
    ``StoreError`` for a store that is about something else or fails, ``OsmosisError`` for
    values that make no sense and for a worker that is lost.

    >>> survey(range(100)).won
    27
    """
    from osmosis_solver.surveyor import Plan, ask, run

    question = ask(rules, what, policy, budget)
    plan = Plan(executor, check, block, ahead)
    return run(question, numbers, plan, store, watcher)
