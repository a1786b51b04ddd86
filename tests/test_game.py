"""The rules of the game, one law a test; the exhaustive laws walk every state of a short deal."""

from __future__ import annotations

import copy
import pickle
from itertools import permutations, product
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import NOT_TEXT, choices, deals, rules, starts, states, walk

from osmosis_solver.cards import RANKS, Card
from osmosis_solver.deal import Deal
from osmosis_solver.errors import IllegalMove, OsmosisError, clip
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move, Play
from osmosis_solver.notation import parse_line
from osmosis_solver.rules import OSMOSIS, Rules

PACKET = Rules(waste="packet")
PAIR = Rules(draw=2, waste="packet")
every_position = states(deals(max_cards=16))


def at(code: str, line: str = "", record: Rules = OSMOSIS) -> State:
    """The position of a deal after a line of play."""
    return State.start(Deal.from_code(code), record).play_all(parse_line(line))


def refused(state: State, move: Move) -> str:
    """Why a move is illegal here."""
    with pytest.raises(IllegalMove) as caught:
        state.play(move)
    assert caught.value.move == str(move)
    return caught.value.reason


def play(name: str) -> Play:
    """The play of the card of that name."""
    return Play(Card(name))


# Rows.


def rank_may_go(state: State, card: Card) -> bool:
    """Rules 1 and 2 of the specification, said once more, over sets of names."""
    rows = [{c.name for c in row} for row in state.rows]
    suits = [row[0].suit for row in state.rows]
    rank = card.name[0]
    if card.suit == suits[0]:
        return True
    if card.suit in suits:
        above = suits.index(card.suit) - 1
        return rank + suits[above] in rows[above]
    if state.rules.row_start == "base":
        return rank == state.deal.base.name[0]
    return rank + suits[-1] in rows[-1]


@given(every_position)
def test_legal_moves_are_those_of_the_rules(state: State) -> None:
    """The legal moves are the open cards that a row takes, and a turn or a redeal."""
    open_cards = {pile[-1] for pile in state.reserve if pile}
    if state.waste and (state.rules.waste == "top" or state.packet):
        open_cards.add(state.waste[-1])
    plays = {Play(card) for card in open_cards if rank_may_go(state, card)}
    rest: set[Move] = {TURN} if state.stock else set()
    if not state.stock and state.waste and state.redeals_left != 0:
        rest = {REDEAL}
    assert set(state.legal_moves()) == plays | rest
    assert len(set(state.legal_moves())) == len(state.legal_moves())


@given(every_position)
def test_illegal_moves_are_refused_with_a_reason(state: State) -> None:
    """Every move that is not legal is refused by name and reason, and legal ones are not."""
    suits_and_ranks = product("CDHS", RANKS)
    every: list[Move] = [TURN, REDEAL, *(play(rank + suit) for suit, rank in suits_and_ranks)]
    legal = state.legal_moves()
    for move in every:
        if move in legal:
            assert state.play(move) != state
        else:
            assert refused(state, move)


@given(every_position)
def test_rows_are_nested(state: State) -> None:
    """Rows hold one suit each, sorted, row 1 the base's, each inside the row above it."""
    assert state.rows[0][0].suit == state.deal.base.suit
    assert len({row[0].suit for row in state.rows}) == len(state.rows)
    for row in state.rows:
        assert len({card.suit for card in row}) == 1
        assert [card.rank for card in row] == sorted({card.rank for card in row})
    for above, row in zip(state.rows, state.rows[1:], strict=False):
        assert {card.rank for card in row} <= {card.rank for card in above}
        if state.rules.row_start == "base":
            assert state.deal.base.rank in {card.rank for card in row}


@given(every_position)
def test_cards_are_kept(state: State) -> None:
    """Reserve, waste, stock and rows hold each card of the deal once, in the deal's order."""
    here = [*state.waste, *state.stock, *(c for part in state.reserve + state.rows for c in part)]
    assert sorted(map(str, here)) == sorted(map(str, state.deal.cards()))
    sequence = [card for card in state.deal.stock if card in state.waste + state.stock]
    assert [*state.waste, *state.stock] == sequence
    for pile, dealt in zip(state.reserve, state.deal.reserve, strict=True):
        assert dealt[: len(pile)] == pile
    assert state.score == sum(map(len, state.rows))
    assert state.is_won == (state.score == len(state.deal))


@given(starts(), choices)
def test_every_win_has_all_plays(start: State, picks: list[int]) -> None:
    """The score is one more than the plays so far; a win has a play for all cards but the base."""
    end, line = walk(start, picks)
    plays = sum(isinstance(move, Play) for move in line)
    assert end.score == 1 + plays
    assert end.is_won == (plays == len(start.deal) - 1)


def test_row_one_takes_its_suit() -> None:
    """Row 1 takes any card of its suit in any order."""
    for line in permutations(("3C", "5C", "KC")):
        assert at("5C/KC/3C:7C:", " ".join(line)).is_won


def test_a_row_takes_what_the_row_above_holds() -> None:
    """A card waits until the row directly above holds its rank."""
    state = at("2D/AD/2C:AC:", "AD")
    assert refused(state, play("2D")) == "row 1 has no 2, so row 2 does not take 2D"
    assert state.play(play("2C")).play(play("2D")).is_won


def test_the_third_row_waits_for_the_second() -> None:
    """Row 3 asks row 2, not row 1."""
    state = at("2D/AD/2C/2HAH:AC:", "AH AD 2C")
    assert state.row_for(Card("2D")) is None
    assert refused(state, play("2D")) == "row 2 has no 2, so row 3 does not take 2D"
    assert state.play_all(parse_line("2H 2D")).is_won


def test_the_fourth_row_waits_for_the_third() -> None:
    """Row 4 asks row 3, not row 2."""
    state = at("2H/AH/2S/AS/2D/AD/2C:AC:", "AD AH AS 2C 2D")
    assert refused(state, play("2S")) == "row 3 has no 2, so row 4 does not take 2S"
    assert state.play_all(parse_line("2H 2S")).is_won


def test_rows_open_with_the_base_rank() -> None:
    """Under ``row_start = "base"`` only the base rank opens a row, always the next one."""
    state = at("AD/2C/2D:AC:", "2C")
    assert refused(state, play("2D")) == "suit D has no row yet, and only AD opens one"
    assert state.row_for(Card("AD")) == 1
    assert state.play(play("AD")).row_for(Card("2D")) == 1


def test_rows_open_with_any_rank_of_the_row_above() -> None:
    """Under ``row_start = "any"`` any card opens the next row if the row above has its rank."""
    relaxed = Rules(row_start="any")
    state = at("AD/2C/2D/2H/AH:AC:", record=relaxed)
    assert refused(state, play("2D")) == "row 1 has no 2, so 2D does not open row 2"
    state = state.play_all(parse_line("2C 2D"))
    assert state.rows[1] == (Card("2D"),)
    assert refused(state, play("AH")) == "row 2 has no A, so AH does not open row 3"
    assert state.play_all(parse_line("2H AD AH")).is_won


@pytest.mark.parametrize("line", ["AD AH", "AH AD"])
def test_the_player_chooses_the_rows(line: str) -> None:
    """Which suit opens which row is the order of play, and rows are never skipped."""
    state = at("AD/AH:AC:", line)
    assert state.is_won
    assert [str(row[0]) for row in state.rows[1:]] == line.split()


def test_row_orders_to_come() -> None:
    """Suits with a row keep it; the others may still come in any order."""
    assert [*at("AD/AH:AC:").row_orders()] == ["CDH", "CHD"]
    assert [*at("AD/AH:AC:", "AH").row_orders()] == ["CHD"]


def test_only_the_top_of_a_pile_is_open() -> None:
    """A card under another one in the reserve is not open."""
    assert refused(at("2C3C:AC:"), play("2C")) == "2C lies under 3C in reserve pile 1"
    assert at("2C3C:AC:", "3C 2C").is_won
    deep = at("2C3C4C5C:AC:")
    assert refused(deep, play("3C")) == "3C lies under 4C in reserve pile 1"
    assert refused(deep, play("4C")) == "4C lies under 5C in reserve pile 1"


# Stock and waste.


@given(every_position)
def test_a_turn(state: State) -> None:
    """A turn moves ``draw`` cards, or all that are left, onto the waste, the last one on top."""
    size = min(state.rules.draw, len(state.stock))
    if not size:
        assert refused(state, TURN) == "the stock is empty"
        return
    after = state.play(TURN)
    assert after.waste == state.waste + state.stock[:size]
    assert after.stock == state.stock[size:]
    assert after.packet == (size if state.rules.waste == "packet" else 0)
    same = evolve(after, waste=state.waste, stock=state.stock, packet=state.packet)
    assert same == state


def test_the_last_packet_is_short() -> None:
    """Five cards are turned as three and two; the last card is on top."""
    state = at(":AC:2C3C4C5C6C", "..")
    assert state.waste[-1] == Card("6C")
    assert state.stock == ()
    assert at(":AC:2C3C4C5C6C", "..", PACKET).packet == 2


@given(every_position)
def test_a_redeal(state: State) -> None:
    """A redeal keeps the order, needs an empty stock, cards on the waste and a pass left."""
    if state.stock:
        assert refused(state, REDEAL) == f"the stock still holds {len(state.stock)} cards"
    elif not state.waste:
        assert refused(state, REDEAL) == "the waste is empty"
    elif state.redeals_left == 0:
        assert refused(state, REDEAL) == f"all {state.rules.passes} passes are used"
    else:
        after = state.play(REDEAL)
        left = None if state.redeals_left is None else state.redeals_left - 1
        assert after == evolve(state, waste=(), stock=state.waste, redeals_left=left, packet=0)


@given(deals(min_cards=4, max_suits=2), rules(), st.integers(0, 3))
def test_passes(deal: Deal, record: Rules, more: int) -> None:
    """The stock can be run through ``passes`` times in all, or for ever, plays or not."""
    assume(deal.stock)
    passes = 0
    state = State.start(deal, record)
    while passes < (record.passes or 4) + more:
        passes += 1
        while state.stock:
            state = state.play(TURN)
        if passes == record.passes:
            assert REDEAL not in state.legal_moves()
            return
        state = state.play(REDEAL)
    assert record.passes is None


def test_the_waste_top_is_open_at_any_time() -> None:
    """Under ``waste = "top"`` a play bares the card under it, of an earlier packet too."""
    pair = Rules(draw=2)
    assert at(":AC:2C3C4C5C", "..5C 4C 3C 2C", pair).is_won
    assert refused(at(":AC:2C3C4C5C", ".", pair), play("2C")) == "2C lies under 3C on the waste"
    assert refused(at(":AC:2C3C4C5C", ".", pair), play("4C")) == "4C is in the stock"
    assert refused(at(":AC:2C3C4C5C", "..", pair), play("3C")) == "3C lies under 4C on the waste"
    assert refused(at(":AC:2C3C4C5C", "..", pair), play("4C")) == "4C lies under 5C on the waste"


def test_only_the_last_packet_is_open() -> None:
    """Under ``waste = "packet"`` cards of an earlier packet are dead until the next pass."""
    state = at(":AC:2C3C4C5C", "..5C 4C", PAIR)
    assert refused(state, play("3C")) == "3C is not of the packet turned last"
    assert at(":AC:2C3C4C5C", "..5C 4C|.3C 2C", PAIR).is_won


def test_a_packet_does_not_outlive_turn_or_redeal() -> None:
    """At a turn or a redeal what is left of the packet is dead."""
    state = at(":AC:2C3C4C5C", "..|", PAIR)
    assert (state.packet, state.legal_moves()) == (0, (TURN,))
    assert at(":AC:2C3C4C5C", ".3C", PAIR).packet == 1
    state = at(":AC:2C3C4C5C", ".3C.5C 4C", PAIR)
    assert refused(state, play("2C")) == "2C is not of the packet turned last"


def test_reserve_plays_come_between_the_plays_of_a_packet() -> None:
    """A play from the reserve leaves the packet as it is."""
    state = at("2C:AC:3C4C", ".4C 2C", PAIR)
    assert state.packet == 1
    assert state.play(play("3C")).is_won


def test_each_play_from_a_packet_leaves_one_card_less() -> None:
    """A packet of three is played one card at a time."""
    lines = [".", ".4C", ".4C 3C", ".4C 3C 2C"]
    assert [at(":AC:2C3C4C5C", line, PACKET).packet for line in lines] == [3, 2, 1, 0]


@given(every_position)
def test_packet_bounds(state: State) -> None:
    """The packet is never larger than a turn or the waste, and 0 under ``waste = "top"``."""
    assert 0 <= state.packet <= min(state.rules.draw, len(state.waste))
    if state.rules.waste == "top":
        assert state.packet == 0


# Refusals.


def test_cards_that_are_elsewhere() -> None:
    """A card on a row, or of no deal, is refused with that reason."""
    state = at("2C:AC:", "2C")
    assert refused(state, play("2C")) == "2C is on its row already"
    assert refused(state, play("AC")) == "AC is on its row already"
    assert refused(state, play("KS")) == "KS is not in this deal"
    assert refused(state, play("3C")) == "3C is not in this deal"


def test_a_line_names_the_place() -> None:
    """The first illegal move of a line is named by its number, move and reason."""
    with pytest.raises(IllegalMove) as caught:
        at("2C:AC:3C", ". 3C . 2C")
    assert str(caught.value) == "illegal move 3, .: the stock is empty"
    assert (caught.value.move, caught.value.reason) == (".", "the stock is empty")
    assert isinstance(caught.value, OsmosisError)


@pytest.mark.parametrize("thing", ["AC", ".", "A" * 10_000, Card("AC"), *NOT_TEXT], ids=clip)
def test_only_moves_are_played(thing: Any) -> None:
    """What is no move, or a play of no card, is refused as an illegal move."""
    for move in (thing, Play(thing)):
        with pytest.raises(IllegalMove) as caught:
            at("2C:AC:").play(move)
        assert len(str(caught.value)) < 200


# A state is a value.


@given(every_position)
def test_a_state_is_a_value(state: State) -> None:
    """A state is frozen, equal and hashed by value, and survives ``repr``-free copies."""
    again = evolve(state)
    assert again == state
    assert hash(again) == hash(state)
    assert pickle.loads(pickle.dumps(state)) == copy.deepcopy(state) == state
    before = repr(state)
    for move in state.legal_moves():
        assert state.play(move) != state
    assert repr(state) == before
    with pytest.raises(AttributeError):
        state.waste = ()  # type: ignore[misc]


@given(every_position)
@example(at(":AC:2C3C4C5C6C7C", ".3C.5C 4C", PAIR))
def test_equal_values_play_alike(state: State) -> None:
    """A copy of a move, and rules whose texts are copies, make the same of a position."""
    record = evolve(state.rules, waste=copied(state.rules.waste))
    record = evolve(record, row_start=copied(record.row_start))
    again = evolve(state, rules=record)
    assert again.canonical_key == state.canonical_key
    assert again.legal_moves() == state.legal_moves()
    every: list[Move] = [TURN, REDEAL, *map(Play, state.deal.cards())]
    for move in every:
        assert outcome(again, copy.deepcopy(move)) == outcome(state, move)


def outcome(state: State, move: Move) -> tuple[State, str]:
    """What a move makes of a position, its rules left out, or the position and why it is none."""
    try:
        return evolve(state.play(move), rules=OSMOSIS), ""
    except IllegalMove as error:
        return evolve(state, rules=OSMOSIS), str(error)


def copied(text: Any) -> Any:
    """The same text, but another object, as when it was read from a file."""
    return "".join(list(text))


@given(starts())
def test_a_start(start: State) -> None:
    """At the start the base card is on row 1, the waste is empty and the first pass has begun."""
    assert start.rows == ((start.deal.base,),)
    assert (start.reserve, start.stock, start.waste) == (start.deal.reserve, start.deal.stock, ())
    assert start.score == 1
    assert start.redeals_left == (None if start.rules.passes is None else start.rules.passes - 1)
