"""Deals: a whole deck in any layout, and nothing less, held to it at the door."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cards, deals

from osmosis_solver.cards import DECK, SUITS, Card
from osmosis_solver.deal import Deal
from osmosis_solver.errors import DealError, IllegalMove, NotationError, OsmosisError, clip

some_deals = deals(max_cards=52, max_ranks=13)


def deal_of(laid: list[Card], piles: int = 0) -> Deal:
    """The first card as the base, then piles of one card, then the stock."""
    return Deal([[card] for card in laid[1 : 1 + piles]], laid[0], laid[1 + piles :])


@given(some_deals)
def test_a_deal_holds_a_deck(deal: Deal) -> None:
    """A deal has its suits times its ranks, each card once; its length counts them."""
    laid = list(deal.cards())
    assert len(laid) == len(set(laid)) == len(deal) == len(deal.suits) * len(deal.ranks)
    assert {str(card) for card in laid} == {r + s for s in deal.suits for r in deal.ranks}
    assert list(deal.suits) == [suit for suit in SUITS if suit in deal.suits]
    assert [Card(rank + "C").rank for rank in deal.ranks] == sorted(
        Card(rank + "C").rank for rank in deal.ranks
    )
    assert laid[0] == deal.base
    assert laid[1:] == [*(card for pile in deal.reserve for card in pile), *deal.stock]


@given(st.data(), some_deals)
def test_a_card_twice(data: st.DataObject, deal: Deal) -> None:
    """A card that is there twice is named, wherever the two lie."""
    laid = list(deal.cards())
    double = data.draw(st.sampled_from(laid))
    laid.insert(data.draw(st.integers(0, len(laid))), double)
    with pytest.raises(DealError, match=f"got {double} 2 times"):
        deal_of(laid, data.draw(st.integers(0, len(laid))))


@given(st.data(), deals(min_cards=4, max_cards=52, max_ranks=13))
def test_a_card_missing(data: st.DataObject, deal: Deal) -> None:
    """A card that is missing from suits times ranks is named, unless a whole side is gone."""
    laid = list(deal.cards())
    gone = data.draw(st.sampled_from(laid))
    laid.remove(gone)
    if any(c.suit == gone.suit for c in laid) and any(c.rank == gone.rank for c in laid):
        with pytest.raises(DealError, match=f"got no {gone}"):
            deal_of(laid)
    else:
        assert len(deal_of(laid)) == len(laid)


@given(st.lists(cards, min_size=1, unique=True, max_size=8))
def test_any_cards(laid: list[Card]) -> None:
    """Different cards make a deal iff their number is that of their suits times their ranks."""
    whole = len({card.suit for card in laid}) * len({card.rank for card in laid})
    if len(laid) == whole:
        assert len(deal_of(laid)) == whole
    else:
        with pytest.raises(DealError):
            deal_of(laid)


AC: Any = Card("AC")
NOT_CARDS: list[Any] = ["AC", None, 1, 1.0, b"AC", (AC,), 10**5000, (10**5000,), DECK]


@pytest.mark.parametrize("thing", NOT_CARDS, ids=clip)
@pytest.mark.parametrize(
    "lay",
    [
        lambda thing: Deal([], thing, []),
        lambda thing: Deal([], AC, [thing]),
        lambda thing: Deal([[thing]], AC, []),
    ],
    ids=["base", "stock", "reserve"],
)
def test_only_cards(lay: Callable[[Any], Deal], thing: Any) -> None:
    """A deal of anything but cards is refused, and the error is short."""
    with pytest.raises(DealError) as caught:
        lay(thing)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("thing", [None, 4, 1.5, AC, 10**5000], ids=clip)
@pytest.mark.parametrize(
    "lay",
    [
        lambda thing: Deal(thing, AC, []),
        lambda thing: Deal([thing], AC, []),
        lambda thing: Deal([], AC, thing),
    ],
    ids=["reserve", "pile", "stock"],
)
def test_only_sequences(lay: Callable[[Any], Deal], thing: Any) -> None:
    """A reserve, pile or stock that is no sequence is refused as a bad deal."""
    with pytest.raises(DealError):
        lay(thing)


@given(deals())
def test_a_deal_is_a_value(deal: Deal) -> None:
    """Deals are equal and hashed by their cards' places, frozen, and survive a copy."""
    again = Deal(list(map(list, deal.reserve)), deal.base, iter(deal.stock))
    assert again == deal
    assert hash(again) == hash(deal)
    assert copy.deepcopy(deal) == pickle.loads(pickle.dumps(deal)) == deal
    with pytest.raises(AttributeError):
        deal.base = AC  # type: ignore[misc]
    if len(deal.stock) > 1:
        assert Deal(deal.reserve, deal.base, deal.stock[::-1]) != deal


def test_the_layout_counts() -> None:
    """An empty pile beside others is part of the deal; a reserve of empty piles is none."""
    one, two = Card("AC"), Card("2C")
    assert Deal([[two], []], one, []) != Deal([[two]], one, [])
    assert Deal([[]], one, [two]).reserve == Deal([], one, [two]).reserve == ()


@pytest.mark.parametrize(
    "error",
    [
        OsmosisError("a", "b", "c"),
        NotationError("a", "b", "c", line=2, column=3),
        DealError("a", "b", "c"),
        IllegalMove("AC", "why", "illegal move 3,"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_are_values_that_travel(error: OsmosisError) -> None:
    """An error is a ``ValueError`` of one sentence and keeps its data through a copy."""
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(error, ValueError)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
    assert "\n" not in str(error)
