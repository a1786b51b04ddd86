"""The game as the checker sees it: places that a proof over a prefix rests on, by hand."""

from __future__ import annotations

from osmosis_solver.answer import Entry
from osmosis_solver.cards import Card
from osmosis_solver.deal import Deal
from osmosis_solver.game import State
from osmosis_solver.notation import parse_line
from osmosis_solver.proof_game import Game
from osmosis_solver.rules import Rules


def test_a_play_bared_by_the_tail_leaves_the_cards_below_it_on_the_waste() -> None:
    """The last card of the prefix, bared from place 3, leaves two cards: not a new pass."""
    start = State.start(Deal.from_code(":AC:2C3C4C5C"), Rules(draw=2))
    game = Game(start, "C", prefix=3)
    plays = list(game.plays(Entry(0b111, 0, 0, 0)))
    assert (2, Entry(0b011, 2, 0, 0)) in plays


def test_the_bound_counts_every_turn_of_the_pass_under_way() -> None:
    """From a waste of one card turns by two end at place 3, though nothing before it is gone."""
    start = State.start(Deal.from_code("AD2D/4C/5C:AC:3D3C4D2C5D"), Rules(draw=2))
    start = start.play_all(parse_line(". 3C"))
    game = Game(start, "CD", prefix=0)
    assert game.bound(game.first()) & game.bit[Card("2C")]
    assert not game.bound(game.first()) & game.bit[Card("4D")]
