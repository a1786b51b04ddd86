"""Deal numbers: PySolFC's own deals, and native ones that never change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import NOT_TEXT

from osmosis_solver.cards import DECK
from osmosis_solver.deal import Deal
from osmosis_solver.errors import NotationError, clip
from osmosis_solver.numbering import _below, native_order, pysol_order, scramble

# The table of the specification.
PYSOL = {
    1: "JD5DKDAD/2D7HKCQC/9H7C9SKH/JC5H5S3H:2S:KS9DQDJSASAH",
    24: "4C2D2CKD/5H7HQHJS/QCAH9S5S/5D7S2S6C:9C:3C6HJCTHKH6S",
    32000: "7S6DJC9D/4D3H3CAC/JS3D2C9C/8DTH5S2S:4H:6S8S9STS9HKD",
    100000: "5CTH5SJS/2D4S2H9S/9HTD6SQD/6D4H4DTS:JD:8H5HQS2C5D4C",
}


@pytest.mark.parametrize("number", PYSOL)
def test_pysol_table(number: int) -> None:
    """The four deals of the table come out as PySolFC deals them."""
    deal = Deal.from_pysol(number)
    assert deal.code.startswith(PYSOL[number])
    assert Deal.from_pysol(str(number)) == deal


@given(st.integers(1, 31999))
def test_small_numbers_are_microsoft(number: int) -> None:
    """Up to 31999 a number and its ``ms`` form are the same deal, in any case, with blanks."""
    order = pysol_order(number)
    assert pysol_order(f"ms{number}") == pysol_order(f" MS{number} ") == order
    assert sorted(order, key=lambda card: card.index) == list(DECK)


@given(st.integers(32000, 10**20))
def test_large_numbers_are_not(number: int) -> None:
    """From 32000 up (32000 too) a number is not the Microsoft deal of that number."""
    order = pysol_order(number)
    assert pysol_order(str(number)) == order
    assert sorted(order, key=lambda card: card.index) == list(DECK)
    if number < 2**33:
        assert pysol_order(f"ms{number}") != order


def test_bridesmaids_layout() -> None:
    """Without a reserve the base card is dealt first and all others are the stock."""
    order = pysol_order(24)
    deal = Deal.from_pysol(24, ())
    assert (deal.reserve, deal.base, deal.stock) == ((), order[0], order[1:])


BAD_NUMBERS: list[Any] = [
    *(0, -1, -24, 10**20 + 1, "0", "-1", "+1", "1.0", "1e3", "0x10", "1_000", "٣", "２４", "²"),
    *("", " ", "ms", "msX", "ms0", "ms-1", "ms 1", "ms1.0", "m1", "s1", "msms1", "mſ1", "ms٣"),
    *(f"ms{2**33}", "ms" + "9" * 10_000, "9" * 10_000, "AC", ":AC:", "24\n24", "24 24"),
    *(x for x in NOT_TEXT if type(x) is not int or abs(x) > 24),
]


@pytest.mark.parametrize("number", BAD_NUMBERS, ids=clip)
def test_bad_pysol_numbers(number: Any) -> None:
    """All else is no PySolFC number, and the error is short and says what one is."""
    with pytest.raises(NotationError) as caught:
        Deal.from_pysol(number)
    assert caught.value.where == "PySolFC deal number"
    assert "msN" in caught.value.wanted
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "layout", [(4, 4, 4), (16,), (0,), [4, 4, 4, 4], None, 4, (10**5000,)], ids=clip
)
def test_bad_pysol_layouts(layout: Any) -> None:
    """PySolFC deals two layouts, and no other is guessed at."""
    with pytest.raises(NotationError):
        Deal.from_pysol(24, layout)


# Frozen for ever: a survey names its deals by these numbers.
GOLDEN_FILE = Path(__file__).parent / "data" / "native_deals.tsv"
NATIVE = [line.split("\t") for line in GOLDEN_FILE.read_text().splitlines()[1:]]


@pytest.mark.parametrize(("number", "code"), NATIVE)
def test_native_golden_values(number: str, code: str) -> None:
    """A native number means the same deal in every release."""
    deal = Deal.from_number(int(number))
    assert deal.code == code
    assert tuple(card for pile in deal.reserve for card in pile) == native_order(int(number))[:16]


@given(st.integers(0, 2**64 - 1))
def test_native_orders_are_permutations(number: int) -> None:
    """Every native order holds each card once, and the next number deals another one."""
    order = native_order(number)
    assert sorted(order, key=lambda card: card.index) == list(DECK)
    assert native_order((number + 1) % 2**64) != order


@given(st.lists(st.integers(0, 12), max_size=4).map(tuple))
def test_native_layouts(layout: tuple[int, ...]) -> None:
    """Any layout of at most 51 cards is dealt pile by pile, then the base, then the stock."""
    deal = Deal.from_number(7, layout)
    reserve = [card for pile in deal.reserve for card in pile]
    assert (*reserve, deal.base, *deal.stock) == native_order(7)
    assert tuple(map(len, deal.reserve)) == (layout if any(layout) else ())


@pytest.mark.parametrize(
    "number", [-1, 2**64, 1.0, "1", *(x for x in NOT_TEXT if x not in (0, 24))], ids=clip
)
def test_bad_native_numbers(number: Any) -> None:
    """All but the whole numbers from 0 to 2^64 - 1 is refused."""
    with pytest.raises(NotationError) as caught:
        Deal.from_number(number)
    assert caught.value.where == "native deal number"


HUGE = [(10**5000,), (-(10**5000),), (2**70,)]


@pytest.mark.parametrize(
    "layout",
    [
        (52,),
        (26, 26),
        (-1,),
        (5, -1),
        (1.0,),
        (True,),
        ("4",),
        (None,),
        [4],
        "",
        "44",
        None,
        4,
        {},
        *HUGE,
    ],
    ids=clip,
)
def test_bad_native_layouts(layout: Any) -> None:
    """A layout is a tuple of whole sizes that leave a card for the base."""
    with pytest.raises(NotationError) as caught:
        Deal.from_number(0, layout)
    assert caught.value.where == "layout"


GOLDEN = 0x9E3779B97F4A7C15


def unmix(word: int) -> int:
    """The one state whose splitmix64 word is ``word``: each step of the mixing undone."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9)):
        word = unshift(word, shift) * pow(factor, -1, 2**64) % 2**64
    return (unshift(word, 30) - GOLDEN) % 2**64


def unshift(word: int, shift: int) -> int:
    """The x with ``x ^ x >> shift == word``."""
    found = word
    for _ in range(64 // shift + 1):
        found = word ^ found >> shift
    return found


def test_splitmix64_words() -> None:
    """The generator is splitmix64: its published first words for the seed 1234567."""
    words = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    for step, word in enumerate(words):
        assert scramble((1234567 + (step + 1) * GOLDEN) % 2**64) == word
        assert unmix(word) == (1234567 + step * GOLDEN) % 2**64


@pytest.mark.parametrize("bound", [*range(2, 53), 3 * 2**30, 2**32 - 5])
def test_the_bounded_draw_is_unbiased(bound: int) -> None:
    """Every result has the same number of 32-bit words, or the draw takes the next word.

    The words that give j lie in one run, so its two ends and the rejected words beside
    them show its length: it is 2^32 // bound for every j.
    """
    for j in {0, 1, bound // 2, bound - 1}:
        first = -(-j * 2**32 // bound)
        after = -(-(j + 1) * 2**32 // bound)
        taken = [word for word in ends(first, after) if draws(word, bound) == j]
        low, high = min(taken), max(taken)
        assert high - low + 1 == 2**32 // bound
        for word in {first, low - 1, high + 1, after - 1}:
            if first <= word < after and not low <= word <= high:
                assert draws(word, bound) is None


def ends(first: int, after: int) -> list[int]:
    """The words near both ends of a run."""
    return sorted(
        {w for end in (first, after) for w in range(end - 3, end + 3) if first <= w < after}
    )


def draws(upper: int, bound: int) -> int | None:
    """What a word with that upper half draws, or None if the next word is taken."""
    state = unmix(upper << 32)
    after, drawn = _below(state, bound)
    return drawn if after == (state + GOLDEN) % 2**64 else None


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**32))
def test_the_draw_is_below_its_bound(state: int, bound: int) -> None:
    """A draw is from 0 to the bound, the bound left out."""
    assert 0 <= _below(state, bound)[1] < bound
