"""Cards: one name each, a few looser spellings, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import NOT_TEXT, cards, spellings

from osmosis_solver.cards import DECK, RANKS, SUIT_SIGNS, SUITS, Card
from osmosis_solver.errors import NotationError, clip


@given(cards)
def test_round_trip(card: Card) -> None:
    """The text and the ``repr`` of a card give the card back."""
    assert Card.parse(str(card)) == card
    assert eval(repr(card)) == card
    assert (RANKS[card.rank - 1], card.suit) == (card.name[0], card.name[1])


@given(st.data(), cards)
def test_looser_spellings(data: st.DataObject, card: Card) -> None:
    """Lower case, 10 for T, suit signs and outer blanks are read; the name stays the same."""
    assert Card.parse(data.draw(spellings(card))) == card
    assert Card.parse(f" {card} ") == card


def test_deck() -> None:
    """The deck holds 52 cards, each at its own index, suits C D H S, ace to king."""
    assert [card.index for card in DECK] == list(range(52))
    assert len(set(DECK)) == 52
    assert DECK[0] == Card("AC")
    assert DECK[-1] == Card("KS")


ACCEPTED = {
    rank + suit
    for card in DECK
    for rank in {card.name[0], card.name[0].lower(), *(["10"] if card.rank == 10 else [])}
    for suit in {
        card.suit,
        card.suit.lower(),
        SUIT_SIGNS[card.suit],
        "♧♢♡♤"[SUITS.index(card.suit)],
    }
}


def test_every_short_text() -> None:
    """Of all texts of a rank-like and a suit-like sign only the spellings are cards.

    Smallest case that failed: the long s, whose upper case is S.
    """
    letters = sorted({c for c in map(chr, range(0x2700)) if not c.isspace() and not c.isdigit()})
    for sign in letters:
        for text in ("A" + sign, sign + "C"):
            if text in ACCEPTED:
                assert Card.parse(text).name in map(str, DECK)
            else:
                with pytest.raises(NotationError):
                    Card.parse(text)


@given(st.text(max_size=4))
def test_other_text_is_refused(text: str) -> None:
    """A text is a card iff it is one of the spellings; the error quotes it."""
    if text.strip() in ACCEPTED:
        assert isinstance(Card.parse(text), Card)
    else:
        with pytest.raises(NotationError) as caught:
            Card.parse(text)
        assert caught.value.got == repr(text)


@pytest.mark.parametrize(
    "name", ["td", "10D", "T♦", "TD ", "", "T", "TDD", "D" * 10_000, *NOT_TEXT], ids=clip
)
def test_the_name_is_strict(name: str) -> None:
    """``Card`` itself takes the proper name only, and the error is short."""
    with pytest.raises(NotationError) as caught:
        Card(name)
    assert caught.value.where == "card"
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", NOT_TEXT, ids=clip)
def test_only_text_is_parsed(text: str) -> None:
    """What is no text is refused with the same kind of error."""
    with pytest.raises(NotationError):
        Card.parse(text)


def test_a_card_cannot_change() -> None:
    """A card is a frozen value, equal and hashed by its name."""
    card = Card("TD")
    with pytest.raises(AttributeError):
        card.rank = 3  # type: ignore[misc]
    assert hash(card) == hash(Card.parse("10♦"))
