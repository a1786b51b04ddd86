"""The text forms: what is written is read back, and what is not notation is refused in place."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import NOT_TEXT, cards, choices, deals, spellings, starts, walk

import osmosis_solver.moves
from osmosis_solver.cards import Card
from osmosis_solver.deal import Deal
from osmosis_solver.errors import NotationError, OsmosisError, clip
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move, Play
from osmosis_solver.notation import format_line, parse_line

moves: st.SearchStrategy[Move] = st.one_of(st.just(TURN), st.just(REDEAL), st.builds(Play, cards))
some_deals = deals(max_cards=52, max_ranks=13)


def read_all(text: str) -> list[Deal]:
    """All deals of a file's text."""
    return list(Deal.read_many(text))


READERS: dict[str, Callable[[str], object]] = {
    "code": Deal.from_code,
    "text": Deal.from_text,
    "file": read_all,
    "line": parse_line,
}


@given(some_deals)
@example(Deal.from_pysol(24))
@example(Deal([[]], Card("AC"), []))
@example(Deal([[], []], Card("AC"), []))
def test_deals_come_back(deal: Deal) -> None:
    """Code and text of a deal give the deal back; the code is one line without blanks.

    Smallest case that failed: a reserve of one empty pile, whose code is that of none.
    """
    assert Deal.from_code(deal.code) == Deal.from_text(deal.text) == deal
    assert Deal.from_code(str(deal)).code == deal.code
    assert not any(sign.isspace() for sign in deal.code)
    assert eval(repr(deal)) == deal
    assert hash(Deal.from_code(deal.code)) == hash(deal)


@given(st.data(), deals())
def test_loose_codes(data: st.DataObject, deal: Deal) -> None:
    """A code may spell its cards loosely and stand between blanks."""

    def spell(row: tuple[Card, ...]) -> str:
        return "".join(data.draw(spellings(card)) for card in row)

    piles = "/".join(map(spell, deal.reserve))
    code = f"{piles}:{spell((deal.base,))}:{spell(deal.stock)}"
    assert Deal.from_code(f" {code}\n") == deal


def stock_line(cards: tuple[Card, ...]) -> str:
    """A stock line without a blank."""
    return "STOCK:" + "".join(map(str, cards))


@given(st.data(), deals())
def test_loose_texts(data: st.DataObject, deal: Deal) -> None:
    """A deal text may mix its lines, wrap the stock, use blanks, commas, cases and comments."""
    cut = data.draw(st.integers(0, len(deal.stock)))
    groups = [
        [f" stock :{','.join(map(str, deal.stock[:cut]))} # first", stock_line(deal.stock[cut:])],
        ["reserve: " + "  ".join(map(str, pile)) for pile in deal.reserve],
        [f"\t\u00a0Base\u00a0:{deal.base}"],
        ["# a comment", "   "],
    ]
    lines = chain.from_iterable(data.draw(st.permutations(groups)))
    assert Deal.from_text("\n".join(lines)) == deal


def test_a_long_line() -> None:
    """Lines may be as long as they like: hundreds of blanks before, between and after the cards."""
    blank = " " * 300
    deal = Deal.from_text(f"Base:{blank}AC{blank}\nStock:{blank}2C{blank},{blank}3C{blank}# none")
    assert deal.code == ":AC:2C3C"
    assert parse_line(f"{blank}2C{blank}.") == (Play(Card("2C")), TURN)


@given(st.lists(st.tuples(deals(), st.sampled_from(("{0.code}\n", "{0.text}", "{0.text}\n")))))
def test_files(parts: list[tuple[Deal, str]]) -> None:
    """A file gives its deals in order, codes and texts in any mixture, with comments."""
    text = "# deals\n" + "".join(form.format(deal) for deal, form in parts) + "\n# end"
    assert read_all(text) == [deal for deal, _ in parts]


def test_where_a_deal_text_ends() -> None:
    """A blank line, a second base or a code ends a deal text; a comment does not, nor does a
    blank line before there is a base card.
    """
    first = "Base: AC\nStock: 2C\n# the same deal\nStock: 3C\n"
    others = "Base: AC\n \nBase: AD\nReserve: 2D\n:AH:\n\nReserve: 2S\n\nBase: AS"
    codes = [deal.code for deal in read_all(first + others)]
    assert codes == [":AC:2C3C", ":AC:", "2D:AD:", ":AH:", "2S:AS:"]


def test_a_file_is_read_one_deal_at_a_time() -> None:
    """A bad deal is refused in its turn, after those before it, with its own line."""
    found = Deal.read_many(":AC:2C\n# none\nBase: AC\n\n:AC:2X")
    assert next(found).code == ":AC:2C"
    assert next(found).code == ":AC:"
    with pytest.raises(NotationError) as caught:
        next(found)
    assert (caught.value.line, caught.value.column, caught.value.got) == (5, 5, "'2X'")


@given(st.lists(moves))
def test_lines_of_play_come_back(line: list[Move]) -> None:
    """A line of play gives itself back, with blanks and without, over several lines."""
    assert parse_line(format_line(line)) == tuple(line)
    assert parse_line("".join(map(str, line))) == tuple(line)
    assert parse_line("\n".join(map(str, line))) == tuple(line)
    assert [eval(repr(move), vars(osmosis_solver.moves)) for move in line] == line


@given(st.data(), starts(), choices)
def test_a_written_line_replays(data: st.DataObject, start: State, picks: list[int]) -> None:
    """A legal line that was written down, loosely too, leads where it led."""
    end, line = walk(start, picks)
    words = [
        data.draw(spellings(move.card)) if isinstance(move, Play) else str(move) for move in line
    ]
    assert start.play_all(parse_line(" ".join(words))) == end


REFUSED: dict[str, list[tuple[str, int, int, str]]] = {
    # a text, and the line, column and thing that the error names
    "code": [
        ("", 1, 1, "the end of the line"),
        ("  ", 1, 3, "the end of the line"),
        ("AC", 1, 1, "'AC'"),
        ("24", 1, 1, "'24'"),
        ("AC:2C", 1, 1, "'AC:2C'"),
        ("::", 1, 2, "':'"),
        (":ACAD:", 1, 2, "'ACAD:'"),
        (":AC:2C:", 1, 7, "':'"),
        (":AC:2C:3C:4C", 1, 7, "':3C:4C'"),
        (":AC: 2C", 1, 6, "'2C'"),
        (":AC:2C,3C", 1, 7, "',3C'"),
        (":AC:2C\n3C", 2, 1, "'3C'"),
        ("\n\n :AC:2X", 3, 6, "'2X'"),
        (":AC:2C1", 1, 7, "'1'"),
        (":AC:1C", 1, 5, "'1C'"),
        ("2C/:AC:3C/4C", 1, 10, "'/4C'"),
        ("2C/3C:AC:4C:", 1, 12, "':'"),
        (":AC:٣C", 1, 5, "'٣C'"),
        (":Aſ:", 1, 2, "'Aſ:'"),
        ("\ufeff:AC:", 1, 1, r"'\ufeff:AC:'"),
        ("\0" * 10_000, 1, 1, repr("\0" * 40) + "..."),
        ("2C" * 5_000, 1, 1, repr("2C" * 20) + "..."),
        (":" * 10_000, 1, 3, repr(":" * 40) + "..."),
        ("/" * 10_000, 1, 1, repr("/" * 40) + "..."),
    ],
    "text": [
        ("", 1, 1, "no deal"),
        ("# x\n\n", 1, 1, "no deal"),
        ("Base:", 1, 6, "the end of the line"),
        ("Base: # AC", 1, 6, "the end of the line"),
        ("Base: AC AD", 1, 7, "'AC'"),
        ("Base:       AC AD", 1, 13, "'AC'"),
        ("Base: AC\n Base: AD", 2, 8, "'AD'"),
        ("\nStock: 2C", 2, 1, "no base card"),
        ("Base: AC\nStock: 2C 3X 4C", 2, 11, "'3X'"),
        ("Base: AC\nStock: 2C +3C", 2, 11, "'+3C'"),
        ("Base: AC\n  2C 3C", 2, 3, "'2C'"),
        ("Base: AC\nStock 2C", 2, 1, "'Stock'"),
        ("Base: AC\nWaste: 2C", 2, 1, "'Waste:'"),
        ("Base: AC\nBase: AC", 2, 7, "'AC'"),
        (":AC:2C", 1, 1, "':AC:2C'"),
        ("Baſe: AC", 1, 1, "'Baſe:'"),
        ("Base: AC\nReſerve: 2C", 2, 1, "'Reſerve:'"),
        ("Base: AC\nſtock: 2C", 2, 1, "'ſtock:'"),
        ("Base: " + "A" * 10_000, 1, 7, repr("A" * 40) + "..."),
    ],
    "file": [
        ("AC\n", 1, 1, "'AC'"),
        (":AC:\n\nStock: 2C\n:AC:", 3, 1, "no base card"),
        ("Base: AC\nStock: 2C 3\n", 2, 11, "'3'"),
        ("Waste: 2C", 1, 1, "'Waste:'"),
        ("Base: AC\n\n   Waste: 2C", 3, 4, "'Waste:'"),
        (":AC: # x\n  :AC:2C 3C", 2, 10, "'3C'"),
    ],
    "line": [
        ("AD KX", 1, 4, "'KX'"),
        ("AD . .\n| 4S, 5S", 2, 5, "','"),
        ("ADD", 1, 3, "'D'"),
        ("A D", 1, 1, "'A'"),
        ("1", 1, 1, "'1'"),
        ("turn", 1, 1, "'turn'"),
        ("…", 1, 1, "'…'"),
        ("A" * 10_000, 1, 1, repr("A" * 40) + "..."),
    ],
}


@pytest.mark.parametrize(
    ("reader", "text", "line", "column", "got"),
    [(reader, *case) for reader, cases in REFUSED.items() for case in cases],
    ids=clip,
)
def test_refusals(reader: str, text: str, line: int, column: int, got: str) -> None:
    """Bad text is refused with what was got, where, and what was wanted."""
    with pytest.raises(NotationError) as caught:
        READERS[reader](text)
    error = caught.value
    assert (error.line, error.column, error.got) == (line, column, got)
    assert f"line {line}, column {column}" in error.where
    assert error.wanted


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", NOT_TEXT, ids=clip)
def test_only_text_is_read(reader: str, text: Any) -> None:
    """What is no text is refused as bad notation, not by an accident further in."""
    with pytest.raises(NotationError) as caught:
        READERS[reader](text)
    assert caught.value.wanted == "a text"


pieces = st.sampled_from(
    [
        *"A2T1C0DHSX♠/:.|,# \t\n\r\v\x1c\x85\u2028\0ſKß٣",
        "10",
        "Base:",
        "Reserve:",
        "Stock:",
        "AC",
        "2C",
    ]
)
noise = st.lists(pieces, max_size=25).map("".join)


@pytest.mark.parametrize("reader", READERS)
@given(text=st.one_of(noise, st.text()))
def test_any_text_is_read_or_refused_in_place(reader: str, text: str) -> None:
    """Any text is read, or refused by a short error; its place in the text holds what was got."""
    error = refusal(reader, text)
    assert "\n" not in str(error)
    assert len(str(error)) < 300
    if isinstance(error, NotationError) and error.got not in ("no deal", "no base card"):
        assert error.line is not None
        assert error.column is not None
        rest = [*text.splitlines(), ""][error.line - 1][error.column - 1 :]
        bare = rest.partition("#")[0]
        words = [clip(part.split(None, 1)[0]) for part in (rest, bare) if part.strip()]
        if error.got == "the end of the line":
            assert not bare.strip()
        else:
            assert error.got in words


def refusal(reader: str, text: str) -> OsmosisError | None:
    """How the text is refused, or None if it is read."""
    try:
        READERS[reader](text)
    except OsmosisError as error:
        return error
    return None


@given(noise)
def test_what_is_read_is_written_alike(text: str) -> None:
    """Whatever text is read as a deal, its code and text are that deal again."""
    try:
        deal = Deal.from_code(text)
    except OsmosisError:
        return
    assert Deal.from_code(deal.code) == Deal.from_text(deal.text) == deal
