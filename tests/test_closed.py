"""A closed table: nothing that is shown or advised there depends on a card that was not seen."""

from __future__ import annotations

import io
import random
from contextlib import redirect_stdout
from typing import get_args

import pytest
from command import run
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import states

from osmosis_solver.cards import Card
from osmosis_solver.cli_play import play_on
from osmosis_solver.closed import ClosedTable
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.moves import TURN, Play
from osmosis_solver.picture import picture
from osmosis_solver.play import Outlook
from osmosis_solver.view import Sees, View

KEYS = "tnhpp1tbbhrvffnl?"


DEAL = Deal.from_number(5)


def table(deal: Deal, sees: Sees = "packets") -> ClosedTable:
    """A closed table with that deal."""
    return ClosedTable(State.start(deal), completions=20, sees=sees)


def shown(played: ClosedTable, keys: str) -> str:
    """All that is shown while these keys are pressed."""
    screen = io.StringIO()
    with redirect_stdout(screen):
        play_on(played, "Deal", keys)
    return screen.getvalue()


def mixed(deal: Deal, seen: set[Card], source: random.Random) -> Deal:
    """The same deal with the cards that are not seen in other places."""
    hidden = [card for card in deal.cards() if card not in seen]
    become = dict(zip(hidden, source.sample(hidden, len(hidden)), strict=True))
    reserve = (tuple(become.get(card, card) for card in pile) for pile in deal.reserve)
    return Deal(reserve, deal.base, (become.get(card, card) for card in deal.stock))


@given(states(), st.integers(0, 99))
def test_the_picture_shows_what_is_seen(state: State, seed: int) -> None:
    """Equal views have equal pictures, and no unseen card is named in one."""
    view = View.of(state)
    seen = set(view.deck) - set(view.unseen)
    other = view.completed(random.Random(seed).sample(view.unseen, len(view.unseen)))
    shown = picture(state, seen=seen)
    assert shown == picture(other, seen=seen)
    assert shown.count("??") == len(view.unseen)
    assert picture(state, seen=set(view.deck)) == picture(state)


@pytest.mark.parametrize("sees", get_args(Sees))
@settings(max_examples=8)
@given(number=st.integers(0, 2**64 - 1), seed=st.integers(0, 99))
def test_nothing_peeks(sees: Sees, number: int, seed: int) -> None:
    """All that is shown is the same whatever the cards are that are never seen."""
    deal = Deal.from_number(number)
    one = table(deal, sees)
    told = shown(one, KEYS)
    other = table(mixed(deal, one.seen, random.Random(seed)), sees)
    assert shown(other, KEYS) == told
    assert other.line == one.line


def test_the_solver_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """For its verdict would be a look at the hidden cards."""
    monkeypatch.setattr(Outlook, "of", None)
    told = shown(table(DEAL), KEYS)
    assert "Closed: 12 cards are not seen as yet." in told
    assert "innable" not in told


@settings(max_examples=10)
@given(number=st.integers(0, 2**64 - 1))
def test_what_was_seen_stays_seen(number: int) -> None:
    """Moves that are taken back leave their cards seen, and the stock shows them."""
    played = table(Deal.from_number(number))
    for _ in range(4):
        played.make(TURN)
    packets = played.state.waste
    played.first()
    assert played.view.stock[: len(packets)] == packets
    assert not played.line


def test_next_is_what_is_advised() -> None:
    """The next move is the first that the advisor names, on to the end of the game."""
    played = table(DEAL)
    assert played.advice.best == TURN
    played.last()
    assert played.state.is_won or played.state.is_stuck
    assert not played.forth()
    assert played.first()
    while played.forth_to_play():
        assert isinstance(played.last_move, Play)


def test_another_move_changes_the_plan() -> None:
    """After a move of one's own the advice is asked again."""
    played = table(DEAL)
    assert played.forth()
    played.make(TURN)
    assert played.forth()
    assert played.line == (TURN,) * 3


def test_of_a_packet_the_last_card() -> None:
    """With tops seen a turn shows one card more, with packets three."""
    packets, tops = table(DEAL, "packets"), table(DEAL, "tops")
    packets.make(TURN)
    tops.make(TURN)
    assert (len(packets.view.unseen), len(tops.view.unseen)) == (47 - 3, 47 - 1)


def test_command() -> None:
    """Hidden cards are question marks; the hint is the advisor's; limits make no sense."""
    result = run("play", "--number", "5", "--closed", "--completions", "20", text="hnq")
    assert result.exit_code == 0
    assert "1  ?? ?? ?? [QH]" in result.stdout
    assert table(DEAL).advice.reason in result.stdout.replace("\n  ", " ")
    for more in (["--positions", "9"], ["--seconds", "1"]):
        result = run("play", "--number", "5", "--closed", *more)
        assert result.exit_code == 2
        assert "takes no limits" in result.stderr
    result = run("play", "--number", "5", "--sees", "tops")
    assert result.exit_code == 2
    assert "--sees and --completions are for --closed" in result.stderr
    result = run("play", "--number", "5", "--closed", "--completions", "0")
    assert result.exit_code == 2
    assert "'--completions'" in result.stderr
