"""An answer as one self-contained HTML page that plays the line of play, or shows why none wins."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from osmosis_solver.answer import Answer, Lost
from osmosis_solver.cards import DECK, SUIT_NAMES, SUITS
from osmosis_solver.explain import Case, explain
from osmosis_solver.headline import best, headline, many
from osmosis_solver.moves import Move
from osmosis_solver.notation import format_line
from osmosis_solver.rules import Rules
from osmosis_solver.svg import HIGH, WIDE, board, face, suit_sign
from osmosis_solver.waiting import Blocked, blocked, waiting
from osmosis_solver.wire import to_json

_NO_MARKUP = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def page(answer: Answer, after: Iterable[Move] = (), title: str = "Osmosis") -> str:
    """The answer as the text of an HTML page, which loads nothing and needs no network.

    It holds the object of ``to_json(answer, after)``, which is also what it plays from; a
    loss is as large as its proof. ``after`` is the line that leads from the deal to where
    the search began, to be given if it began anywhere else: else ``NotationError``. ``title``
    names the deal. Text from outside is escaped, and the page's policy lets no script run but
    its own. Costs a little more than ``explain``.
    """
    led, found = tuple(after), list(blocked(answer)) if isinstance(answer, Lost) else []
    script, style = _part("page_game.js") + _part("page.js"), _part("page.css")
    parts = {
        "script": script,
        "script_hash": _hash(script),
        "style": style,
        "style_hash": _hash(style),
        "symbols": "".join(_symbols()),
        "answer": json_text(to_json(answer, led)),
        "blocked": json_text(_blocked_json(found)),
        "player": _player(answer),
        "why": _why(answer, found) if isinstance(answer, Lost) else "",
        "words": "" if isinstance(answer, Lost) else _words(answer),
        **_escaped(answer, led, title),
    }
    return _filled("page.html", parts)


def _escaped(answer: Answer, led: tuple[Move, ...], title: str) -> dict[str, str]:
    """The words of the page."""
    rules, spent, known = answer.rules, answer.spent, best(answer)
    return {
        "title": escape(title),
        "verdict": escape(answer.verdict),
        "headline": escape(headline(answer)),
        "best": f'<p class="best">{escape(known)}</p>' if known else "",
        "rules": escape(rules.name or "of its own"),
        "rules_told": escape(_rules_told(rules)),
        "code": escape(answer.deal.code),
        "line": "".join(_lines(answer, led)),
        "cost": escape(f"{many(spent.positions, 'position')} in {spent.seconds:.2f} seconds"),
    }


def _part(name: str) -> str:
    """One of the page's own files."""
    return files("osmosis_solver").joinpath(name).read_text(encoding="utf-8")


def _filled(name: str, parts: dict[str, str]) -> str:
    return Template(_part(name)).substitute(parts)


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def json_text(value: Any) -> str:
    """JSON that can stand in a script element: none of its characters can end the element.

    >>> json_text("</script>")
    '"\\\\u003c/script\\\\u003e"'
    """
    return json.dumps(value, separators=(",", ":")).translate(_NO_MARKUP)


def _symbols() -> Iterator[str]:
    """The drawings that the script uses: 52 cards and 4 suit signs."""
    for card in DECK:
        yield f'<symbol id="card-{card}" viewBox="0 0 {WIDE} {HIGH}">{face(card)}</symbol>'
    for suit in SUITS:
        sign = suit_sign(suit, 0, 0, 1)
        yield f'<symbol id="suit-{suit}" viewBox="-12 -12 24 24">{sign}</symbol>'


def _rules_told(rules: Rules) -> str:
    passes = "no limit of passes" if rules.passes is None else many(rules.passes, "pass", "passes")
    waste = "the waste top" if rules.waste == "top" else "the packet turned last"
    start = "its base rank" if rules.row_start == "base" else "any card that fits"
    draw = many(rules.draw, "card")
    return f"{draw} a turn, {passes}, {waste} is playable, a row opens with {start}"


def _lines(answer: Answer, led: tuple[Move, ...]) -> Iterator[str]:
    for name, line in (("Moves made before", led), ("Line of play", answer.line)):
        if line:
            yield f"<dt>{name}</dt><dd><code>{escape(format_line(line))}</code></dd>"


def _player(answer: Answer) -> str:
    """What plays the line, or only the deal; a lost one has its board further down."""
    if answer.line:
        return _filled("page_player.html", {"board": board(answer.start)})
    if isinstance(answer, Lost):
        return ""
    return f'<section class="words"><h2>The deal</h2>{board(answer.start)}</section>'


def _words(answer: Answer) -> str:
    told = "".join(f"<p>{escape(line)}</p>" for line in explain(answer).splitlines())
    return f'<section class="words"><h2>In words</h2>{told}</section>'


# ---- a lost deal ---------------------------------------------------------------------------


def _kinds(found: list[Blocked]) -> list[tuple[Case, str]]:
    """The cases among the row orders, each once, with its words."""
    return list(dict.fromkeys((one.case, one.told) for one in found))


def _blocked_json(found: list[Blocked]) -> list[dict[str, Any]]:
    """What blocks each row order, in the order of the choice among them."""
    kinds = [case for case, _ in _kinds(found)]
    return [
        {
            "order": one.order,
            "never": sorted(map(str, one.never)),
            "waits": [str(wait.card) for wait in one.case.waits],
            "kind": kinds.index(one.case),
        }
        for one in found
    ]


def _why(answer: Lost, found: list[Blocked]) -> str:
    options = (
        f'<option value="{i}">{_order_told(one.order)}</option>' for i, one in enumerate(found)
    )
    return _filled(
        "page_why.html",
        {
            "orders": "".join(options),
            "board": board(answer.start),
            "cases": "".join(_cases(found)),
        },
    )


def _order_told(order: str) -> str:
    return ", ".join(SUIT_NAMES[suit] for suit in order)


def _cases(found: list[Blocked]) -> Iterator[str]:
    for kind, (case, told) in enumerate(_kinds(found)):
        ring = waiting(case) if case.waits else ""
        yield f'<div class="case" id="case-{kind}"><p>{escape(told)}</p>{ring}</div>'
