"""The text forms: deal code, deal text, line of play. Each comes back as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from osmosis_solver.cards import Card, card_at
from osmosis_solver.errors import NotationError, clip
from osmosis_solver.moves import REDEAL, TURN, Move, Play

_WANTED_CARD: Final = "a card such as TD"
_WANTED_CODE: Final = "a deal code such as 2CAD/AH:AC:2D2H (reserve piles, base card, stock)"
_WANTED_LINE: Final = "a line that begins with Base:, Reserve: or Stock:"
_LABELLED: Final = re.compile(r"\s*((?a:base|reserve|stock))\s*:", re.IGNORECASE)
# What no deal code looks like, for it has no blanks.
_MISNAMED: Final = re.compile(r"\s*[^\W\d_]{3,}\s*:(\s|$)")


class Layout(NamedTuple):
    """The cards of a deal as they were read, not yet held against a deck."""

    reserve: tuple[tuple[Card, ...], ...]
    base: Card
    stock: tuple[Card, ...]


def _check_text(text: object, where: str) -> None:
    if not isinstance(text, str):
        raise NotationError(clip(text), where, "a text")


def _refuse(text: str, start: int, wanted: str, where: str, line: int) -> NotationError:
    start += len(text[start:]) - len(text[start:].lstrip()) if text[start:].strip() else 0
    lines = (text[:start] + "^").splitlines()
    line, column = line + len(lines) - 1, len(lines[-1])
    got = clip(text[start:].split(None, 1)[0]) if text[start:].strip() else "the end of the line"
    return NotationError(
        got, f"{where}, line {line}, column {column}", wanted, line=line, column=column
    )


def _read_cards(text: str, start: int, end: int, where: str, line: int) -> list[Card]:
    cards = []
    while start < end:
        if text[start].isspace() or text[start] == ",":
            start += 1
            continue
        found = card_at(text[:end], start)
        if found is None:
            raise _refuse(text, start, _WANTED_CARD, where, line)
        cards.append(found[0])
        start = found[1]
    return cards


def parse_code(text: str, line: int = 1) -> Layout:
    """Read a deal code: ``reserve/piles:base:stock``, without blanks.

    Raises ``NotationError`` with line and column for anything else.

    >>> parse_code("2CAD/AH:AC:2D2H").base
    Card(name='AC')
    """
    where = "deal code"
    _check_text(text, where)
    start = len(text) - len(text.lstrip())
    code = text.rstrip()
    blank = re.search(r"[\s,]", code[start:])
    if blank:
        wanted = "a code without blanks and commas"
        raise _refuse(text, start + blank.start(), wanted, where, line)
    parts = _spans(code, start, ":")
    if len(parts) != 3:
        raise _refuse(text, start if len(parts) < 3 else parts[3][0] - 1, _WANTED_CODE, where, line)
    (left, right), base_span, stock_span = parts
    piles = _spans(code[:right], left, "/")
    reserve = tuple(tuple(_read_cards(code, *pile, where, line)) for pile in piles)
    base = _read_cards(code, *base_span, where, line)
    if len(base) != 1:
        raise _refuse(text, base_span[0], "one base card", where, line)
    return Layout(reserve, base[0], tuple(_read_cards(code, *stock_span, where, line)))


def _spans(text: str, start: int, mark: str) -> list[tuple[int, int]]:
    spans = []
    for part in text[start:].split(mark):
        spans.append((start, start + len(part)))
        start += len(part) + 1
    return spans


def format_code(deal: Layout) -> str:
    """The deal code of a deal; ``parse_code`` reads it back."""
    piles = "/".join("".join(map(str, pile)) for pile in deal.reserve)
    return f"{piles}:{deal.base}:{''.join(map(str, deal.stock))}"


def format_text(deal: Layout) -> str:
    """The deal text of a deal, several lines; ``parse_text`` reads it back."""
    lines = [f"Base: {deal.base}"]
    lines += [" ".join(["Reserve:", *map(str, pile)]) for pile in deal.reserve]
    cards = [str(card) for card in deal.stock]
    lines += [" ".join(["Stock:", *cards[i : i + 13]]) for i in range(0, len(cards), 13)]
    return "\n".join(lines) + "\n"


def parse_text(text: str) -> Layout:
    """Read one deal text (``Base:``, ``Reserve:`` and ``Stock:`` lines, ``#`` comments).

    Commas between cards count as blanks. Raises ``NotationError`` with line and column.
    """
    _check_text(text, "deal text")
    reader = _TextReader()
    for number, line in enumerate(text.splitlines(), 1):
        reader.read(line, number)
    return reader.layout()


def parse_deals(text: str) -> Iterator[Layout]:
    """Read a file of deals: deal codes, one a line, or deal texts, in any mixture.

    A blank line or a second ``Base:`` ends a deal text; ``#`` starts a comment. The
    deals come one by one; a bad one raises ``NotationError`` when its turn comes.
    """
    _check_text(text, "deals")
    reader = _TextReader()
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.partition("#")[0]
        labelled = _LABELLED.match(bare)
        if not labelled and _MISNAMED.match(bare):
            raise _refuse(bare, 0, _WANTED_LINE, "deal text", number)
        ends = not line.strip() or (bare.strip() and not labelled) or _second_base(labelled, reader)
        if ends and not reader.empty and (reader.base is not None or line.strip()):
            yield reader.layout()
            reader = _TextReader()
        if labelled:
            reader.read(line, number)
        elif bare.strip():
            yield parse_code(bare, number)
    if not reader.empty:
        yield reader.layout()


def _second_base(labelled: re.Match[str] | None, reader: _TextReader) -> bool:
    """Whether the line begins another deal: a base card alone is taken for a mistake."""
    begun = reader.base is not None and (reader.reserve or reader.stock)
    return bool(begun and labelled and labelled[1].lower() == "base")


class _TextReader:
    """Gathers the labelled lines of one deal text."""

    def __init__(self) -> None:
        self.base: Card | None = None
        self.reserve: list[tuple[Card, ...]] = []
        self.stock: list[Card] = []
        self.empty = True
        self.first_line = 1

    def read(self, line: str, number: int) -> None:
        bare = line.partition("#")[0]
        if not bare.strip():
            return
        labelled = _LABELLED.match(bare)
        if labelled is None:
            raise _refuse(bare, 0, _WANTED_LINE, "deal text", number)
        if self.empty:
            self.empty, self.first_line = False, number
        cards = _read_cards(bare, labelled.end(), len(bare), "deal text", number)
        self._take(labelled[1].lower(), cards, bare, labelled.end(), number)

    def _take(self, label: str, cards: list[Card], line: str, start: int, number: int) -> None:
        if label == "stock":
            self.stock += cards
        elif label == "reserve":
            self.reserve.append(tuple(cards))
        elif len(cards) != 1 or self.base is not None:
            raise _refuse(line, start, "one base card in one Base: line", "deal text", number)
        else:
            self.base = cards[0]

    def layout(self) -> Layout:
        if self.base is None:
            where = f"deal text, line {self.first_line}, column 1"
            got = "no base card" if not self.empty else "no deal"
            raise NotationError(got, where, "a Base: line", line=self.first_line, column=1)
        return Layout(tuple(self.reserve), self.base, tuple(self.stock))


def parse_line(text: str) -> tuple[Move, ...]:
    """Read a line of play: cards for plays, ``.`` for a turn, ``|`` for a redeal.

    Blanks between plays may be left out where nothing is doubtful. Raises
    ``NotationError`` with line and column.

    >>> [str(move) for move in parse_line("AD . . KS | 10d")]
    ['AD', '.', '.', 'KS', '|', 'TD']
    """
    _check_text(text, "line of play")
    moves: list[Move] = []
    for number, line in enumerate(text.splitlines(), 1):
        start = 0
        while start < len(line):
            start = _read_move(line, start, number, moves)
    return tuple(moves)


def _read_move(line: str, start: int, number: int, moves: list[Move]) -> int:
    if line[start].isspace():
        return start + 1
    if line[start] in ".|":
        moves.append(TURN if line[start] == "." else REDEAL)
        return start + 1
    found = card_at(line, start)
    if found is None:
        wanted = "a card for a play, . for a turn or | for a redeal"
        raise _refuse(line, start, wanted, "line of play", number)
    moves.append(Play(found[0]))
    return found[1]


def format_line(moves: Iterable[Move]) -> str:
    """The line of play in notation; ``parse_line`` reads it back."""
    return " ".join(map(str, moves))
