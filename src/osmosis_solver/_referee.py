"""Holds what another program says of a game against the game: the judge of the testing kit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final, NoReturn

from attrs import define, field

from osmosis_solver.cards import Card
from osmosis_solver.errors import IllegalMove, NotationError, clip
from osmosis_solver.game import State
from osmosis_solver.moves import Move, Play
from osmosis_solver.notation import format_line, parse_line
from osmosis_solver.rules import Rules

Pile = Sequence[Card]
Parts = dict[str, list[Pile]]
_PARTS: Final = ("reserve", "waste", "stock", "rows")


class Disagreement(AssertionError):
    """What the tested program says cannot be right; a failed test, so not an ``OsmosisError``.

    ``what`` says what is wrong. ``deal`` (a code), ``rules`` and ``line`` (in notation)
    lead to the position. The message holds all four.
    """

    def __init__(self, what: str, deal: str, rules: Rules, line: str) -> None:
        super().__init__(what, deal, rules, line)
        self.what = what
        self.deal = deal
        self.rules = rules
        self.line = line

    def __str__(self) -> str:
        return f"{self.what}\n{_where(self.deal, self.rules, self.line)}"


def _where(deal: str, rules: Rules, line: str) -> str:
    return f"  deal:  {deal}\n  rules: {rules}\n  line:  {line or '(no move yet)'}"


@define
class Game:
    """One deal as it is played, and all that was met in it so far.

    The ``compare`` methods raise ``Disagreement``.
    """

    state: State
    line: list[Move] = field(factory=list)
    score: int = 0
    is_over: bool = field(init=False)
    key_of: dict[State, Hashable] = field(factory=dict)
    met: dict[Hashable, tuple[State, str]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._set(self.state)

    @property
    def code(self) -> str:
        """The code of the deal."""
        return self.state.deal.code

    @property
    def rules(self) -> Rules:
        """The rules that the deal is played by."""
        return self.state.rules

    @property
    def where(self) -> str:
        """Three lines that lead to the position: deal, rules, line of play."""
        return _where(self.code, self.rules, format_line(self.line))

    def again(self) -> None:
        """Go back to the start; what was met stays known."""
        self.line, self.score = [], 0
        self._set(State.start(self.state.deal, self.rules))

    def play(self, text: str) -> None:
        """Make one move, given in notation. Raises ``IllegalMove``."""
        (move,) = parse_line(text)
        self._set(self.state.play(move))
        self.line.append(move)

    def _set(self, state: State) -> None:
        self.state = state
        self.is_over = state.is_won or state.is_stuck  # kept: it is asked for often

    def compare_position(self, texts: Sequence[str]) -> None:
        """Hold the four texts of ``OsmosisMachine.read`` against the position.

        The laws come first, for they say more than that something differs.
        """
        parts = self._read(texts)
        score = sum(map(len, parts["rows"]))
        complaint = (
            _not_conserved(self.state, parts)
            or (score < self.score and f"the score fell from {self.score} to {score}")
            or _not_nested(parts["rows"])
            or _not_in_order(self.state, [*parts["waste"], *parts["stock"]])
            or _not_ours(self.state, parts)
        )
        if complaint:
            self._fail(complaint)
        self.score = score

    def compare_moves(self, text: str) -> None:
        """Hold a list of legal moves in notation against those of the position."""
        try:
            found = Counter(parse_line(text))
        except NotationError as error:
            self._fail(f"moves() gives {clip(text)}: {error}")
        wanted = Counter(self.state.legal_moves())
        for move in found - wanted:
            self._fail(f"moves() lists {move}, but {_why_not(self.state, move)}")
        for move in wanted - found:
            self._fail(f"moves() does not list {move}, but {_why(self.state, move)}")

    def compare_stuck(self, stuck: bool) -> None:
        """Hold a verdict on being stuck against the position."""
        if bool(stuck) != self.state.is_stuck:
            self._fail(f"stuck() is {stuck}, but {_next_play(self.state)}")

    def compare_key(self, key: Hashable) -> None:
        """Hold a key against the keys of all positions met in this deal."""
        before = self.key_of.setdefault(self.state, key)
        if before != key:
            self._fail(f"one position has two keys, {clip(before)} and {clip(key)}")
        other, line = self.met.setdefault(key, (self.state, format_line(self.line)))
        if other != self.state:
            place = f"after {line}" if line else "before the first move"
            self._fail(f"key() is {clip(key)}, as it is in another position, {place}")

    def _read(self, texts: object) -> Parts:
        if not (isinstance(texts, tuple | list) and len(texts) == len(_PARTS)):
            self._fail(f"read() gives {clip(texts)}, wanted four texts: {', '.join(_PARTS)}")
        return {part: self._piles(part, text) for part, text in zip(_PARTS, texts, strict=True)}

    def _piles(self, part: str, text: object) -> list[Pile]:
        piles = text.split("/") if isinstance(text, str) else [text]
        if part in ("waste", "stock") and len(piles) > 1:
            self._fail(f"read() gives {len(piles)} piles for the {part}, wanted one")
        return [pile for pile in (self._pile(part, pile) for pile in piles) if pile]

    def _pile(self, part: str, text: object) -> list[Card]:
        try:
            moves = parse_line(text)  # type: ignore[arg-type]  # it refuses what is no text
        except NotationError as error:
            self._fail(f"read() gives {clip(text)} for the {part}: {error}")
        if not all(isinstance(move, Play) for move in moves):
            self._fail(f"read() gives {clip(text)} for the {part}, wanted cards only")
        return [move.card for move in moves if isinstance(move, Play)]

    def _fail(self, what: str) -> NoReturn:
        # Raised in one place only: hypothesis takes errors from two places for two bugs, and
        # shrinks each by itself, for minutes. So it shows the smallest of all disagreements.
        raise Disagreement(what, self.code, self.rules, format_line(self.line)) from None


def position_texts(state: State) -> tuple[str, str, str, str]:
    """A position as ``OsmosisMachine.read`` gives it.

    >>> from osmosis_solver import Deal
    >>> position_texts(State.start(Deal.from_code("2CAD/AH:AC:2D2H")))
    ('2CAD/AH', '', '2D2H', 'AC')
    """
    return _join(state.reserve), _join([state.waste]), _join([state.stock]), _join(state.rows)


def _join(piles: Sequence[Pile]) -> str:
    return "/".join("".join(map(str, pile)) for pile in piles)


def _not_conserved(state: State, parts: Parts) -> str:
    found = Counter(card for piles in parts.values() for pile in piles for card in pile)
    wanted = Counter(state.deal.cards())
    for card in wanted | found:
        if not wanted[card]:
            return f"{card} is not in this deal"
        if found[card] != 1:
            return f"{card} is there {found[card]} times" if found[card] else f"{card} is gone"
    return ""


def _not_nested(rows: list[Pile]) -> str:
    for number, row in enumerate(rows):
        if len({card.suit for card in row}) > 1:
            return f"row {number + 1} holds more than one suit: {_join([row])}"
        above = {card.rank for card in (rows[number - 1] if number else row)}
        for card in row:
            if card.rank not in above:
                return f"row {number + 1} holds {card}, but row {number} has no {card.name[0]}"
    return ""


def _not_in_order(state: State, piles: list[Pile]) -> str:
    sequence = [card for pile in piles for card in pile]
    dealt = [card for card in state.deal.stock if card in sequence]
    if sequence == dealt:
        return ""
    got, wanted = _join([sequence]), _join([dealt])
    return f"waste and stock are not in the order of the deal: got {got}, wanted {wanted}"


def _not_ours(state: State, parts: Parts) -> str:
    ours: tuple[Sequence[Pile], ...] = (state.reserve, [state.waste], [state.stock], state.rows)
    for part, piles in zip(_PARTS, ours, strict=True):
        got = [sorted(pile, key=_rank) if part == "rows" else [*pile] for pile in parts[part]]
        wanted = [[*pile] for pile in piles if pile]
        if got != wanted:
            return f"{part}: got {_join(got) or 'no card'}, wanted {_join(wanted) or 'no card'}"
    return ""


def _rank(card: Card) -> int:
    return card.rank


def _why_not(state: State, move: Move) -> str:
    try:
        state.play(move)
    except IllegalMove as error:
        return error.reason
    return "once is enough"


def _why(state: State, move: Move) -> str:
    if isinstance(move, Play):
        rows = enumerate(state.play(move).rows, 1)
        return next(f"row {number} takes it" for number, row in rows if move.card in row)
    return "cards are left in the stock" if state.stock else "a redeal is left"


def _next_play(state: State) -> str:
    if state.is_won:
        return "the game is won"
    if state.is_stuck:
        return "no play can come up any more"
    steps: list[Move] = []
    while not isinstance(move := state.legal_moves()[0], Play):
        steps.append(move)
        state = state.play(move)
    return f"{move} can be played" + (f" after {format_line(steps)}" if steps else "")
