"""The testing kit: its strategies reach every feature, its machine finds every planted fault."""

# ruff: noqa: D102 - what a fault's method does is said by the class

from __future__ import annotations

import doctest
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Hashable
from copy import copy
from pathlib import Path
from typing import Any, ClassVar, cast

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from osmosis_solver import DRAW_ONE, OSMOSIS, PYSOL_BRIDESMAIDS, Card, Deal, Rules, State
from osmosis_solver._referee import Game
from osmosis_solver.moves import Move
from osmosis_solver.notation import parse_line
from osmosis_solver.testing import (
    Disagreement,
    OsmosisMachine,
    cards,
    deals,
    decks,
    lines,
    position_texts,
    rules,
    starts,
    states,
)

ROOT = Path(__file__).parent.parent
UNSHRUNK = settings(max_examples=300, phases=[Phase.generate])
SHRUNK = settings(max_examples=300, phases=[Phase.generate, Phase.shrink])


class Small:
    """The whole game on lists of card names: written from the rules, sharing no code with us."""

    def start(self, code: str, rules: Rules) -> None:
        """Deal the cards."""
        reserve, base, stock = code.split(":")
        self.law = rules
        self.dealt = [*pairs(stock)]
        self.base = base
        self.suits = set(code) & set("CDHS")
        self.piles = [pairs(pile) for pile in reserve.split("/")]
        self.stock, self.waste, self.rows = pairs(stock), list[str](), [[base]]
        self.passes, self.live = 1, 0

    def tops(self) -> list[str]:
        """The cards that may be played if a row takes them."""
        tops = [pile[-1] for pile in self.piles if pile]
        return tops + self.waste[-1:] if self.waste_is_open() else tops

    def waste_is_open(self) -> bool:
        """Whether the waste top may be played."""
        return self.law.waste == "top" or self.live > 0

    def row_of(self, card: str) -> int | None:
        """The row that takes the card."""
        for number, row in enumerate(self.rows):
            if row[0][1] == card[1]:
                return number if number == 0 or self.has(number - 1, card) else None
        return len(self.rows) if self.opens(card) else None

    def has(self, number: int, card: str) -> bool:
        """Whether a row has the card's rank."""
        return card[0] in [other[0] for other in self.rows[number]]

    def opens(self, card: str) -> bool:
        """Whether a card without a row opens the next one."""
        if self.law.row_start == "base":
            return card[0] == self.base[0]
        return self.has(len(self.rows) - 1, card)

    def may_redeal(self) -> bool:
        """Whether the waste may be turned over."""
        more = self.law.passes is None or self.passes < self.law.passes
        return more and not self.stock and bool(self.waste)

    def moves(self) -> list[str]:
        """The legal moves."""
        plays = [card for card in self.tops() if self.row_of(card) is not None]
        return plays + ["."] * bool(self.stock) + ["|"] * self.may_redeal()

    def play(self, move: str) -> None:
        """Make a legal move."""
        if move == ".":
            self.turn()
        elif move == "|":
            self.redeal()
        else:
            self.bring_home(move)

    def turn(self) -> None:
        """Turn the next cards."""
        packet, self.stock = self.stock[: self.law.draw], self.stock[self.law.draw :]
        self.waste = self.waste + packet
        self.live = len(packet)

    def redeal(self) -> None:
        """Turn the waste over."""
        self.stock, self.waste, self.live = self.waste, [], 0
        self.passes += 1

    def bring_home(self, card: str) -> None:
        """Play a card."""
        number = self.row_of(card)
        assert number is not None
        if number == len(self.rows):
            self.rows.append([])
        self.rows[number].append(card)
        if card in self.waste:
            self.leave_waste()
        for pile in self.piles:
            if pile[-1:] == [card]:
                pile.pop()

    def leave_waste(self) -> None:
        """Take the top off the waste."""
        self.waste.pop()
        self.live -= 1

    def left(self) -> int:
        """How many cards are not home."""
        return len(self.stock) + len(self.waste) + sum(map(len, self.piles))

    def stuck(self) -> bool:
        """Whether no play comes up in the rest of this pass and in one whole pass more."""
        other = copy(self)
        for _ in range(2 * len(self.dealt) + 4):
            moves = other.moves()
            if not moves or moves[0] not in ".|":
                break
            other.play(moves[0])
        return bool(self.left()) and (not moves or moves[0] in ".|")

    def key(self) -> tuple[Any, ...]:
        """Everything that tells two positions apart."""
        live = self.live if self.law.waste == "packet" else 0
        left = None if self.law.passes is None else self.passes
        orders = tuple(row[0][1] for row in self.rows), tuple(map(len, self.piles))
        return (*orders, tuple(self.waste), tuple(self.stock), live, left)


def pairs(text: str) -> list[str]:
    """The card names in a text without blanks."""
    return [text[i : i + 2] for i in range(0, len(text), 2)]


class AskSmall(OsmosisMachine):
    """Asks a ``Small``; the faulty ones are subclasses with another ``make``."""

    make: ClassVar[type[Small]] = Small

    def __init__(self) -> None:
        super().__init__()
        self.small = self.make()

    def start(self, deal: str, rules: Rules) -> None:
        """Deal."""
        self.small.start(deal, rules)

    def moves(self) -> str:
        """Join them."""
        return " ".join(self.small.moves())

    def play(self, move: str) -> None:
        """Make one."""
        self.small.play(move)

    def read(self) -> tuple[str, str, str, str]:
        """Join the cards."""
        small = self.small
        piles, rows = ("/".join(map("".join, part)) for part in (small.piles, small.rows))
        return piles, "".join(small.waste), "".join(small.stock), rows


class AskSmallMore(AskSmall):
    """Asks for the verdict on being stuck and for the key too."""

    def stuck(self) -> bool:
        """Ask."""
        return self.small.stuck()

    def key(self) -> Hashable:
        """Ask."""
        return self.small.key()


class TopRow(Small):
    """Looks at row 1 and not at the row above."""

    def has(self, number: int, card: str) -> bool:
        return super().has(0, card)


class OpensFreely(Small):
    """Lets any card of a new suit open a row under row_start = "any"."""

    def opens(self, card: str) -> bool:
        return self.law.row_start == "any" or super().opens(card)


class BaseOnly(Small):
    """Does not know row_start = "any"."""

    def opens(self, card: str) -> bool:
        return card[0] == self.base[0]


class SuitsBound(Small):
    """Binds the suits to rows 2 to 4 beforehand, in the order of the alphabet."""

    def opens(self, card: str) -> bool:
        waiting = set(self.suits) - {row[0][1] for row in self.rows}
        return super().opens(card) and card[1] == min(waiting)


class TwoRowsAtOnce(Small):
    """Puts the first card of a new suit on the last row instead of on a new one."""

    def bring_home(self, card: str) -> None:
        number = self.row_of(card)
        super().bring_home(card)
        if number == len(self.rows) - 1 and number > 1 and len(self.rows[number]) == 1:
            self.rows[number - 1] += self.rows.pop()


class WholePacketsOnly(Small):
    """Turns no packet smaller than the draw."""

    def moves(self) -> list[str]:
        short = len(self.stock) < self.law.draw
        return [move for move in super().moves() if move != "." or not short]


class PacketReversed(Small):
    """Turns the packet as one block: its first card comes up."""

    def turn(self) -> None:
        super().turn()
        if self.live:
            self.waste[-self.live :] = self.waste[-self.live :][::-1]


class RedealReversed(Small):
    """Turns the waste over card by card."""

    def redeal(self) -> None:
        super().redeal()
        self.stock = self.stock[::-1]


class PassTooMany(Small):
    """Counts redeals where passes are meant."""

    def may_redeal(self) -> bool:
        more = self.law.passes is None or self.passes <= self.law.passes
        return more and not self.stock and bool(self.waste)


class EarlyRedeal(Small):
    """Redeals before the stock is empty."""

    def may_redeal(self) -> bool:
        return bool(self.waste) and self.law.passes is None


class PacketIgnored(Small):
    """Leaves the whole waste open under waste = "packet"."""

    def waste_is_open(self) -> bool:
        return True


class PacketOfOne(Small):
    """Lets one card of a packet be played and no more."""

    def leave_waste(self) -> None:
        super().leave_waste()
        self.live = 0


class PacketDies(Small):
    """Lets a play from the reserve end the packet."""

    def bring_home(self, card: str) -> None:
        live = self.live if card in self.waste else 1
        super().bring_home(card)
        self.live = min(self.live, live)


class CardTwice(Small):
    """Leaves a card on the waste that went home."""

    def leave_waste(self) -> None:
        self.live -= 1


class CardLost(Small):
    """Drops a card when a packet of four is turned."""

    def turn(self) -> None:
        super().turn()
        if self.live == 4:
            self.waste = self.waste[:-1]


class ScoreFalls(Small):
    """Takes a card back from its row at a redeal."""

    def redeal(self) -> None:
        super().redeal()
        if len(self.rows[0]) > 1:
            self.piles[0].append(self.rows[0].pop())


class BottomFirst(Small):
    """Plays the reserve piles from their bottom."""

    def tops(self) -> list[str]:
        turned = copy(self)
        turned.piles = [pile[:1] for pile in self.piles]
        return Small.tops(turned)


class NotWiped(Small):
    """Keeps the packet of the game before."""

    def start(self, code: str, rules: Rules) -> None:
        waste = getattr(self, "waste", [])
        super().start(code, rules)
        self.waste = [card for card in waste if card in self.stock]
        self.stock = [card for card in self.stock if card not in self.waste]


class StuckTooSoon(Small):
    """Takes a position without a play for a stuck one."""

    def stuck(self) -> bool:
        return bool(self.left()) and all(move in ".|" for move in self.moves())


class StuckTooLate(Small):
    """Is stuck only when there is no move at all."""

    def stuck(self) -> bool:
        return bool(self.left()) and not self.moves()


class KeyWithoutOrder(Small):
    """Forgets in its key which suit has which row."""

    def key(self) -> tuple[Any, ...]:
        orders, *rest = super().key()
        return (len(orders), *rest)


class KeyWithoutPlace(Small):
    """Forgets in its key where in the pass the stock stands."""

    def key(self) -> tuple[Any, ...]:
        *rest, waste, stock, live, left = super().key()
        return (*rest, waste + stock, live, left)


class KeyWithoutPasses(Small):
    """Forgets in its key which pass it is."""

    def key(self) -> tuple[Any, ...]:
        return super().key()[:-1]


class KeyWithHistory(Small):
    """Counts turns in its key."""

    turns = 0

    def turn(self) -> None:
        self.turns += 1
        super().turn()

    def key(self) -> tuple[Any, ...]:
        return (*super().key(), self.turns)


class Crashes(Small):
    """Breaks where the third row opens."""

    def bring_home(self, card: str) -> None:
        super().bring_home(card)
        if len(self.rows) == 3:
            raise KeyError("no third row")


FAULTS = sorted(set(Small.__subclasses__()) - {Crashes}, key=lambda fault: fault.__name__)


def machine_for(fault: type[Small], base: type[AskSmall] = AskSmallMore) -> type[AskSmall]:
    """The machine that tests a fault."""
    return cast("type[AskSmall]", type(f"Ask{fault.__name__}", (base,), {"make": fault}))


def complaint(machine: type[OsmosisMachine], how: settings) -> Disagreement:
    """What the machine finds."""
    with pytest.raises(Disagreement) as caught:
        run_state_machine_as_test(machine, settings=how)
    return caught.value


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_found(fault: type[Small]) -> None:
    """A wrong rule is found, and the line of play that is named is one of the named deal."""
    found = complaint(machine_for(fault), UNSHRUNK)
    start = State.start(Deal.from_code(found.deal), found.rules)
    assert start.play_all(parse_line(found.line)).score <= len(start.deal) <= 9
    assert f"deal:  {found.deal}\n  rules: {found.rules!r}\n  line:  " in str(found)


# Slow, for hypothesis stops to shrink by the clock: a busy machine keeps larger examples.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "base", "most_cards", "most_moves", "words"),
    [
        (RedealReversed, AskSmall, 6, 2, "not in the order of the deal"),
        (KeyWithoutPlace, AskSmallMore, 2, 1, "another position"),
        (PassTooMany, AskSmall, 6, 3, "passes"),
    ],
)
def test_counterexamples_are_small(
    fault: type[Small], base: type[AskSmall], most_cards: int, most_moves: int, words: str
) -> None:
    """The shrunk counterexample has hardly more cards and moves than the fault needs."""
    found = complaint(machine_for(fault, base), SHRUNK)
    assert len(Deal.from_code(found.deal)) <= most_cards
    assert len(parse_line(found.line)) <= most_moves
    assert words in found.what


def test_a_correct_game_passes() -> None:
    """An implementation that keeps the rules passes, as pytest and unittest run it."""
    case = machine_for(Small).TestCase
    case.settings = settings(case.settings, max_examples=100)
    assert case().run().wasSuccessful()  # type: ignore[union-attr]


def test_a_crash_is_told_with_its_place() -> None:
    """An error that the program raises is passed on with deal, rules, line and move."""
    with pytest.raises(KeyError, match="no third row") as caught:
        run_state_machine_as_test(machine_for(Crashes), settings=UNSHRUNK)
    note = caught.value.__notes__[0]
    assert [line.split(":")[0].strip() for line in note.splitlines()] == [
        *("deal", "rules", "line", "move")
    ]


def test_rules_may_be_kept_on_the_machine() -> None:
    """A subclass may keep ``self.rules`` and ``self.deal``, though hypothesis has rules too."""

    class Keeps(AskSmall):
        def start(self, deal: str, rules: Rules) -> None:
            self.deal, self.rules = deal, rules  # type: ignore[assignment]
            super().start(deal, rules)

    run_state_machine_as_test(Keeps, settings=settings(UNSHRUNK, max_examples=30))


READ: list[tuple[Any, str]] = [
    (("", "", "AD", "AC", ""), "wanted four texts: reserve, waste, stock, rows"),
    (":AC:AD", "wanted four texts"),
    (("", "", "XX", "AC"), "read() gives 'XX' for the stock: line of play, line 1, column 1"),
    (("", "", ["AD"], "AC"), "for the stock"),
    (("", "", "A/D", "AC"), "read() gives 2 piles for the stock, wanted one"),
    (("", ".", "AD", "AC"), "read() gives '.' for the waste, wanted cards only"),
    (("", "", "", "AC"), "AD is gone"),
    (("AD", "", "AD", "AC"), "AD is there 2 times"),
    (("", "AH", "AD", "AC"), "AH is not in this deal"),
    (("", "", "", "ACAD"), "row 1 holds more than one suit: ACAD"),
    (("", "AD", "", "AC"), "waste: got AD, wanted no card"),
    (("AD", "", "", "AC"), "reserve: got AD, wanted no card"),
]


@pytest.mark.parametrize(("texts", "words"), READ)
def test_what_read_gives_is_judged(texts: Any, words: str) -> None:
    """A position that is no position, or another one, is told by what is wrong with it."""
    game = Game(State.start(Deal.from_code(":AC:AD")))
    with pytest.raises(Disagreement) as caught:
        game.compare_position(texts)
    assert words in caught.value.what


def test_reading_is_generous() -> None:
    """Blanks, lower case, 10 for T, rows in any order and left out piles are all right."""
    game = Game(State.start(Deal.from_code("/TC/:9C:9DTD")))
    game.play("TC")
    game.compare_position(["", "", "9d 10D", "10c 9c"])
    game.compare_moves(" .")


def test_rows_have_to_be_nested() -> None:
    """A row with a rank that the row above has not is told, and so is a score that falls."""
    game = Game(State.start(Deal.from_code(":AC:AD2D2C")))
    with pytest.raises(Disagreement, match="row 2 holds 2D, but row 1 has no 2"):
        game.compare_position(("", "", "2C", "AC/AD2D"))
    game.score = 2
    with pytest.raises(Disagreement, match="the score fell from 2 to 1"):
        game.compare_position(("", "", "AD2D2C", "AC"))


@pytest.mark.parametrize(
    ("code", "text", "words"),
    [
        (":AC:AD", "", "moves() does not list ., but cards are left in the stock"),
        (":AC:AD", ". |", "moves() lists |, but the stock still holds 1 cards"),
        (":AC:AD", ". .", "moves() lists ., but once is enough"),
        ("AD:AC:", "", "moves() does not list AD, but row 2 takes it"),
        (":AC:AD", ". AD", "moves() lists AD, but AD is in the stock"),
        (":AC:AD", "turn", "moves() gives 'turn': line of play, line 1, column 1"),
    ],
)
def test_moves_are_judged(code: str, text: str, words: str) -> None:
    """A move too many or too few is told with the reason."""
    with pytest.raises(Disagreement) as caught:
        Game(State.start(Deal.from_code(code))).compare_moves(text)
    assert words in caught.value.what


@pytest.mark.parametrize(
    ("code", "line", "stuck", "words"),
    [
        (":AC:AD", ". AD", True, "the game is won"),
        (":AC:AD", "", True, "AD can be played after ."),
        ("AD:AC:", "", True, "AD can be played"),
        ("2D2CAD:AC:", "AD", True, "2C can be played"),
        (":AC:2DAD2C", "", True, "2C can be played after ."),
        ("AD2D:AC:2C", "", False, ""),
    ],
)
def test_stuck_is_judged(code: str, line: str, stuck: bool, words: str) -> None:
    """A wrong verdict on being stuck is told with the next play."""
    game = Game(State.start(Deal.from_code(code)))
    for move in line.split():
        game.play(move)
    if not words:
        game.compare_stuck(stuck)
        return
    with pytest.raises(Disagreement) as caught:
        game.compare_stuck(stuck)
    assert caught.value.what == f"stuck() is {stuck}, but {words}"


def features(state: State) -> list[str]:
    """What of the game a position shows."""
    rules = state.rules
    mid_pass = bool(state.waste and state.stock)
    shown = {
        f"draw {rules.draw}": True,
        f"passes {rules.passes}": True,
        f"waste {rules.waste}": True,
        f"row_start {rules.row_start}": True,
        f"layout {rules.layout}": True,
        f"{len(state.deal.suits)} suits": True,
        f"{len(state.rows)} rows": True,
        "no reserve dealt": not state.deal.reserve,
        "no stock dealt": not state.deal.stock,
        "stock empty": not state.stock,
        "in mid pass": mid_pass,
        "part of a packet": rules.waste == "packet" and 0 < state.packet < rules.draw and mid_pass,
        "a dead packet": rules.waste == "packet" and bool(state.waste) and not state.packet,
        "no redeal left": state.redeals_left == 0,
        "a redeal made": state.redeals_left not in {None, (rules.passes or 0) - 1},
        "won": state.is_won,
        "stuck": state.is_stuck,
        "no move": not state.legal_moves(),
        "choice of plays": len(state.legal_moves()) > 2,
    }
    return [name for name, here in shown.items() if here]


FEATURES = [
    *("draw 1", "draw 2", "draw 3", "draw 4"),
    *("passes None", "passes 1", "passes 2", "passes 3", "passes 4"),
    *("waste top", "waste packet", "row_start base", "row_start any"),
    *("layout (4, 4, 4, 4)", "layout ()", "1 suits", "2 suits", "3 suits", "4 suits"),
    *("1 rows", "2 rows", "3 rows", "4 rows", "no reserve dealt", "no stock dealt", "stock empty"),
    *("in mid pass", "part of a packet", "a dead packet", "no redeal left", "a redeal made"),
    *("won", "stuck", "no move", "choice of plays"),
]


def count(strategy: st.SearchStrategy[State], examples: int = 1000) -> Counter[str]:
    """How many of so many drawn positions show each feature."""
    counts: Counter[str] = Counter()

    @settings(max_examples=examples, phases=[Phase.generate])
    @given(strategy)
    def run(state: State) -> None:
        counts.update(["all", *features(state)])

    run()
    return counts


def test_every_feature_is_drawn() -> None:
    """Of 1,000 positions of ``states()`` and of larger decks at least 10 show each feature."""
    counts = count(states()) + count(states(deals(min_cards=10, max_cards=20)))
    assert counts["all"] == 2000
    assert {name: counts[name] for name in FEATURES if counts[name] < 10} == {}
    assert set(counts) <= {*FEATURES, "all"}


@given(states())
def test_states_keep_the_laws(state: State) -> None:
    """A position has the cards of its deal, and rows that legal play makes."""
    Game(state).compare_position(position_texts(state))


@given(st.data(), starts())
def test_lines_are_legal(data: st.DataObject, start: State) -> None:
    """A line can be played from its position and keeps to the given length."""
    line = data.draw(lines(start, max_moves=7))
    assert len(line) <= 7
    start.play_all(line)


@given(deals(short=False), deals(short=False, rules=PYSOL_BRIDESMAIDS))
def test_whole_decks_keep_the_layout(deal: Deal, bare: Deal) -> None:
    """With ``short=False`` all 52 cards are dealt as the rules lay them out."""
    assert (len(deal), [len(pile) for pile in deal.reserve]) == (52, [4, 4, 4, 4])
    assert (len(bare), bare.reserve) == (52, ())


@given(decks(min_cards=5, max_cards=9, max_suits=3, max_ranks=4))
def test_decks_keep_their_bounds(deck: list[Card]) -> None:
    """A deck is some suits times some ranks, within the bounds."""
    suits, ranks = {card.suit for card in deck}, {card.rank for card in deck}
    assert 5 <= len(deck) == len(set(deck)) == len(suits) * len(ranks) <= 9
    assert len(suits) <= 3
    assert len(ranks) <= 4


@given(deals(min_cards=10, max_cards=10, max_ranks=10, max_piles=2))
def test_deals_keep_their_bounds(deal: Deal) -> None:
    """A deal of a short deck keeps to the bounds on cards and piles."""
    assert len(deal) == 10
    assert len(deal.reserve) <= 2


@pytest.mark.parametrize("kind", [Card, Deal, Rules, State, Move])
def test_types_are_registered(kind: Any) -> None:
    """``st.from_type`` draws valid values of every type of the game."""
    values: list[object] = []

    @settings(max_examples=50)
    @given(st.from_type(kind))
    def run(value: object) -> None:
        values.append(value)

    run()
    assert len(set(values)) >= 4 - (kind is Move)
    assert all(isinstance(value, kind) for value in values)


def least(strategy: st.SearchStrategy[Any], wanted: Callable[[Any], bool]) -> Any:
    """The value that a failing test would be shrunk to."""
    return find(strategy, wanted, settings=settings(max_examples=500))


def test_strategies_shrink_well() -> None:
    """Values shrink to few cards, the standard rules and short lines."""
    start = State.start(Deal.from_code(":AC:AD"))
    assert least(cards(), lambda card: card.rank > 2) == Card("3C")
    assert least(rules(), lambda _: True) == OSMOSIS
    assert least(rules(max_draw=2), lambda _: True) == DRAW_ONE
    assert least(deals(), lambda deal: len(deal) > 2).code == ":AC:ADAH"
    assert len(least(deals(), lambda deal: len(deal.reserve) == 2)) == 2
    assert str(least(lines(start), lambda line: len(line) > 1)[-1]) == "AD"
    won = least(states(), lambda state: state.is_won and len(state.rows) > 1)
    assert (len(won.deal), won.rules) == (2, OSMOSIS)


@pytest.mark.parametrize("module", ["osmosis_solver", "osmosis_solver.cli"])
def test_the_library_does_not_import_hypothesis(module: str) -> None:
    """Who only solves deals neither needs nor pays for hypothesis."""
    code = f"import sys, {module}; sys.exit('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_example_shows_its_fault() -> None:
    """The example finds the wrong rule and shows it in a short line of a small deal."""
    run = [sys.executable, str(ROOT / "examples" / "find_a_fault.py")]
    out = subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()
    assert "but row 2 has no" in out[0]
    assert [line.split(":")[0] for line in out[1:]] == ["  deal", "  rules", "  line"]
    assert len(Deal.from_code(out[1].split(": ", 1)[1].strip())) <= 9


def test_the_page_on_the_kit_holds_true() -> None:
    """The blocks of ``docs/testing_kit.md`` run one after the other, and show what they say."""
    page = str(ROOT / "docs" / "testing_kit.md")
    failed, tried = doctest.testfile(page, module_relative=False, optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 5) == (0, True)
