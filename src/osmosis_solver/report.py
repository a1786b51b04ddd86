"""A survey's tally told: as one JSON object for programs, in lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import asdict

from osmosis_solver.rules import Rules
from osmosis_solver.shares import Mean, Share, mean_of
from osmosis_solver.tally import MANY_HOME, QUANTILES, Tally, mean
from osmosis_solver.told import many

SCHEMA: Final = "osmosis-solver/survey/1"
_MOST_SPANS: Final = 5


def joined(numbers: Iterable[range]) -> list[range]:
    """Ranges in order, those that follow on one another put together.

    >>> joined([range(0, 10), range(10, 20), range(50, 60)])
    [range(0, 20), range(50, 60)]
    """
    spans = list[range]()
    for each in numbers:
        if spans and spans[-1].stop == each.start:
            spans[-1] = range(spans[-1].start, each.stop)
        else:
            spans.append(each)
    return spans


def rules_object(rules: Rules) -> dict[str, Any]:
    """Rules as an object for JSON."""
    return {"name": rules.name, **asdict(rules), "layout": list(rules.layout)}


def to_object(tally: Tally, numbers: Iterable[range]) -> dict[str, Any]:
    """The figures as one object for JSON; ``docs/survey.md`` describes it field by field."""
    question = tally.question
    return {
        "schema": SCHEMA,
        "rules": rules_object(question.rules),
        "what": question.what,
        "policy": question.policy,
        "kernel": question.kernel,
        "limits": {"positions": question.positions, "megabytes": question.megabytes},
        "numbers": [[each.start, each.stop - 1] for each in joined(numbers)],
        "deals": tally.deals,
        "won": tally.won,
        "lost": tally.lost,
        "unknown": tally.undecided,
        "unknown_by": tally.unknown,
        **tally.share_won._asdict(),
        "effort": _effort(tally),
        "turns": _distribution(tally.turns),
        "passes": _distribution(tally.passes),
        "scores": _distribution(tally.scores),
        "mean_score": _mean(mean_of(tally.scores)),
        "mean_lost_score": mean(tally.lost_scores),
        "many_home": {"cards": MANY_HOME, **tally.share_home()._asdict()} if tally.scores else None,
        "unsettled": tally.unsettled,
        "checked": tally.checked,
        "seconds": round(tally.seconds, 3),
    }


def _mean(found: Mean | None) -> dict[str, float] | None:
    return None if found is None else found._asdict()


def _effort(tally: Tally) -> dict[str, Any] | None:
    if tally.question.policy is not None:
        return None
    return {
        "mean": round(tally.positions / tally.deals, 3) if tally.deals else None,
        "quantiles": {str(share): tally.effort_within(share) for share in QUANTILES},
        "most": tally.most,
        "hardest": [{"number": number, "positions": most} for most, number in tally.hardest],
    }


def _distribution(found: Mapping[int, int]) -> dict[str, Any] | None:
    if not found:
        return None
    return {
        "mean": mean(found),
        "deals": {str(value): found[value] for value in sorted(found)},
    }


def told_survey(tally: Tally, numbers: Iterable[range]) -> Iterator[str]:
    """The figures in lines for people, at most 80 wide."""
    yield f"{tally.question.name}: {many(tally.deals, 'native deal')}{told_spans(joined(numbers))}"
    if not tally.deals:
        return
    yield ""
    yield f"  won      {tally.won:>14,}   {percent(tally.share_won)}"
    yield f"  {'not won' if tally.question.policy else 'lost   '}  {tally.lost:>14,}"
    yield f"  unknown  {tally.undecided:>14,}{_limits(tally.unknown)}"
    yield ""
    if tally.question.policy is None:
        yield from _told_effort(tally)
    yield from _told_distributions(tally)
    yield f"{_told_checked(tally)}; CPU time {clock(tally.seconds)}, {_each(tally)}."


def told_spans(spans: Sequence[range]) -> str:
    """The first few of some ranges, each with a comma before it."""
    told = [f"{each.start} to {each.stop - 1}" for each in spans[:_MOST_SPANS]]
    rest = len(spans) - len(told)
    return "".join(f", {span}" for span in told) + (
        f" and {many(rest, 'more range')}" if rest else ""
    )


def percent(share: Share) -> str:
    """A share with its interval.

    >>> percent(Share(0.269, 0.242438, 0.29733))
    '26.9000 %  (95 % interval 24.2438 to 29.7330)'
    """
    whole, low, high = (f"{100 * value:.4f}" for value in share)
    return f"{whole} %  (95 % interval {low} to {high})"


def _limits(unknown: Mapping[str, int]) -> str:
    hit = [f"{deals:,} by the limit on {limit}" for limit, deals in unknown.items() if deals]
    return f"   ({', '.join(hit)})" if hit else ""


def _told_effort(tally: Tally) -> Iterator[str]:
    yield f"Positions a deal: mean {tally.positions / tally.deals:,.1f}."
    for share in QUANTILES:
        part = f"{100 * share:g} %"
        yield f"  {part:>8} of the deals took at most {tally.effort_within(share):,}"
    if tally.hardest:
        yield f"  the hardest, deal {tally.hardest[0][1]}, took {tally.most:,}"
    yield ""


def _told_distributions(tally: Tally) -> Iterator[str]:
    for name, found in (("turns", tally.turns), ("passes", tally.passes)):
        if found:
            yield f"Fewest {name} of a won deal: {_ends(found)}."
    if tally.lost_scores:
        whose = (
            "Cards home where not won"
            if tally.question.policy
            else "Most cards home of a lost deal"
        )
        yield f"{whose}: {_ends(tally.lost_scores)}."
    scored = mean_of(tally.scores)
    if scored is not None:
        yield f"  {MANY_HOME} or more, wins included: {percent(tally.share_home())}"
        interval = f"95 % interval {scored.low:.4f} to {scored.high:.4f}"
        yield f"  mean, wins included: {scored.mean:.4f}  ({interval})"
    if tally.unsettled:
        yield f"  left open by a limit: {tally.unsettled:,}"
    if tally.turns or tally.scores:
        yield ""


def _ends(found: Mapping[int, int]) -> str:
    return f"{min(found)} to {max(found)}, mean {mean(found):.2f}"


def _told_checked(tally: Tally) -> str:
    done = ("game", "played again") if tally.question.policy else ("answer", "proved again")
    return f"{many(tally.checked, done[0])} {done[1]}"


def _each(tally: Tally) -> str:
    return f"{1e6 * tally.seconds / tally.deals:,.0f} microseconds a deal"


def clock(seconds: float) -> str:
    """Seconds as hours, minutes and seconds.

    >>> clock(3725.4)
    '1:02:05'
    """
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
