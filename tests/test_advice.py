"""Advice in mid-game: what it says of the past and of the next move is true."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import choices, deals, starts, states, walk

from osmosis_solver import advice
from osmosis_solver.advice import Hint, Past, fatal_move, hint, look_back
from osmosis_solver.answer import Answer, Budget, Lost, Proof, Spent, Unknown, Won
from osmosis_solver.cards import Card
from osmosis_solver.check import check
from osmosis_solver.deal import Deal
from osmosis_solver.errors import IllegalMove
from osmosis_solver.game import State
from osmosis_solver.moves import REDEAL, TURN, Move, Play
from osmosis_solver.notation import parse_line
from osmosis_solver.rules import BRIDESMAIDS, DRAW_ONE, OSMOSIS, RELAXED, Rules
from osmosis_solver.solver import solve

SMALL = deals(min_cards=2, max_cards=9, max_piles=3)


def cheapest(state: State) -> Answer:
    """What the reference engine says of a position."""
    return solve(state, minimise="turns", engine="reference")


@given(starts(SMALL, 3), choices)
def test_the_fatal_move(start: State, picks: list[int]) -> None:
    """It is the first move after which the reference engine finds no win, though before it one."""
    _, line = walk(start, picks)
    verdicts = [
        solve(start.play_all(line[:number]), engine="reference").verdict
        for number in range(len(line) + 1)
    ]
    assert verdicts == sorted(verdicts, reverse=True), "once lost, always lost"
    won = verdicts.count("won")
    past = look_back(start, line)
    assert past == Past(won - 1 if won else None, won if won < len(verdicts) else None, len(line))
    assert fatal_move(start, line) == (won if 0 < won < len(verdicts) else None)


@given(st.integers(0, 35), st.integers(-1, 40), st.sets(st.integers(0, 35)))
def test_what_is_unknown_leaves_a_gap(moves: int, last_won: int, unknown: set[int]) -> None:
    """Only what was proved is said, with few questions; no gap where nothing is unknown."""
    start, asked = State.start(Deal.from_pysol(24), DRAW_ONE), list[int]()

    def answer(state: State, budget: Budget | None) -> Answer:
        number = len(state.waste)
        asked.append(number)
        if number in unknown:
            return Unknown(state, "seconds", 1, spent=Spent(0, 0))
        if number <= last_won:
            return Won(state, (), spent=Spent(0, 0))
        return Lost(state, Proof([]), 1, spent=Spent(0, 0))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(advice, "solve", answer)
        past = look_back(start, [TURN] * moves)
        fatal = fatal_move(start, [TURN] * moves)
    assert past.winnable is None or past.winnable <= last_won
    assert past.lost is None or past.lost > last_won
    assert past.moves == moves
    true = last_won + 1 if 0 <= last_won < moves else None
    assert fatal in (None, true)
    if not unknown:
        assert fatal == true
        assert (past.winnable is None) == (last_won < 0)
        assert (past.lost is None) == (last_won >= moves)
    assert len(asked) <= 4 * (moves + 1).bit_length()


def test_an_illegal_line_is_named() -> None:
    """A line that is illegal raises the error of the game, with the place."""
    with pytest.raises(IllegalMove, match=r"illegal move 2, 7C"):
        fatal_move(State.start(Deal.from_pysol(3)), parse_line("9C 7C"))


CLAIM = re.compile(
    r"(?P<whether>whether )?"
    r"(?P<doing>playing (?P<play>.+) now|opening it with (?P<opener>.+) now"
    r"|turning on without it|redealing without it) "
    r"(?P<fate>would lose|would do as well|gains nothing|would be better is not settled"
    r"|would cost (?P<least>at least )?(?P<many>\d+) (?P<what>turn|pass)(s|es)? more)"
)


def claims(advised: Hint) -> Iterator[tuple[Move, re.Match[str]]]:
    """What the reason says of moves that are not advised, a move at a time."""
    for found in CLAIM.finditer(advised.reason):
        cards = found["play"] or found["opener"]
        if cards:
            for card in re.split(", | or ", cards):
                yield Play(Card(card)), found
        else:
            yield (TURN if found["doing"].startswith("turning") else REDEAL), found


def holds(state: State, move: Move, claim: re.Match[str], best: Won) -> bool:
    """Whether the reference engine agrees with a claim."""
    then = cheapest(state.play(move))
    if claim["fate"] == "would lose":
        return isinstance(then, Lost)
    if not isinstance(then, Won):
        return False
    turns = then.turns + (move == TURN) - best.turns
    passes = then.passes + (move == REDEAL) - best.passes
    if not claim["many"]:
        return turns == passes == 0
    if claim["what"] == "turn":
        return turns == int(claim["many"]) and not claim["least"]
    return (turns, passes) == (0, int(claim["many"]))


@given(states(SMALL, 3))
@settings(max_examples=200)
def test_all_that_a_hint_says_is_true(state: State) -> None:
    """The move begins a cheapest win, and what the reason says of other moves holds."""
    advised, rival = hint(state), cheapest(state)
    check(advised.answer)
    assert advised.answer.verdict == rival.verdict
    assert advised.reason[0].isupper()
    assert advised.reason[-1] == "."
    if not isinstance(rival, Won) or state.is_won:
        assert advised.move is None
        return
    answer = advised.answer
    assert isinstance(answer, Won)
    assert (answer.turns, answer.passes, answer.optimal) == (rival.turns, rival.passes, True)
    assert advised.move == answer.line[0]
    assert advised.move in state.legal_moves()
    for move, claim in claims(advised):
        assert holds(state, move, claim, rival)
        assert move != advised.move
        opens = isinstance(move, Play) and state.row_for(move.card) == len(state.rows)
        assert opens or not claim["opener"]
    if not isinstance(advised.move, Play):
        plays = [move for move in state.legal_moves() if isinstance(move, Play)]
        thens = [cheapest(state.play(play)) for play in plays]
        best = (rival.turns, rival.passes)
        assert not any(isinstance(t, Won) and (t.turns, t.passes) == best for t in thens)
    assert_no_other_claim_is_wrong(state, advised)


def assert_no_other_claim_is_wrong(state: State, advised: Hint) -> None:
    """The move is named, and what is said of the position without other moves is so."""
    reason, move = advised.reason, advised.move
    plays = [move for move in state.legal_moves() if isinstance(move, Play)]
    if isinstance(move, Play):
        opens = state.row_for(move.card) == len(state.rows)
        to_open = f" to open row {len(state.rows) + 1}" if opens else ""
        assert reason.startswith(f"Play {move.card}{to_open}: ")
    else:
        assert reason.startswith("Turn: " if move == TURN else "Redeal: ")
    if "no card" in reason:
        assert not plays
        assert ("no card lies open" in reason) == (not any(state.open_cards()))
    if "the stock is empty" in reason:
        assert not state.stock
    if "on the reserve" in reason:
        assert isinstance(move, Play)
        assert any(pile[-1:] == (move.card,) for pile in state.reserve)
    if "no other move is left" in reason:
        assert state.legal_moves() == (move,)
    assert "settled" not in reason
    assert re.search(r"no card|costs nothing|no other move", reason) or list(claims(advised))


@given(states(SMALL, 3))
@settings(max_examples=50)
def test_following_hints_wins(state: State) -> None:
    """From a position that can be won, hint by hint, the game is won at the cost foretold."""
    answer = hint(state).answer
    if not isinstance(answer, Won):
        return
    turns, passes = 0, 1
    while (move := hint(state).move) is not None:
        state = state.play(move)
        turns += move == TURN
        passes += move == REDEAL
    assert state.is_won
    assert (turns, passes) == (answer.turns, answer.passes)


@given(states(SMALL, 3), st.integers(1, 30))
def test_a_small_budget_says_what_it_leaves_open(state: State, positions: int) -> None:
    """Within any budget: the move begins the best win found, and a limit that was hit is named."""
    advised = hint(state, Budget(positions=positions))
    answer, rival = advised.answer, cheapest(state)
    if isinstance(answer, Unknown):
        assert advised == Hint(
            None, "Whether this can be won is not settled: the limit on positions was hit.", answer
        )
    elif isinstance(answer, Won) and answer.line:
        assert isinstance(rival, Won)
        assert advised.move == answer.line[0]
        assert answer.optimal != ("the limit on positions was hit" in advised.reason)
        check(answer)
        for move, claim in claims(advised):
            if claim["whether"]:
                continue
            then = cheapest(state.play(move))
            if claim["fate"] == "would lose":
                assert isinstance(then, Lost)
            elif claim["what"] == "turn" and isinstance(then, Won):
                more = then.turns + (move == TURN) - answer.turns
                assert more >= int(claim["many"])
                assert claim["least"] or more == int(claim["many"])


def reached(number: int, line: str) -> State:
    """The position after a line of play on a deal of PySolFC."""
    return State.start(Deal.from_pysol(number)).play_all(parse_line(line))


def native(number: int, line: str, rules: Rules = OSMOSIS) -> State:
    """The position after a line of play on a native deal."""
    return State.start(Deal.from_number(number), rules).play_all(parse_line(line))


NINE = "9D . . 4D . . . . . . . . . AD . | . . 3D KD . 6D . . TD TS . 8D 8S . ."
LINE = "9C . . 7C . . AC . . . . . 4C . JC . . 5C | . . . . . TD 9D "


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (reached(3, ""), "Play 9C: it is on the reserve and costs nothing."),
        (reached(3, "9C ."), "Turn: no card that lies open belongs on a row."),
        (reached(3, LINE), "Play 6C: turning on without it would cost 7 turns more."),
        (reached(3, LINE + "TH"), "No line wins from here."),
        (reached(24, ""), "No line wins from here."),
        (
            native(3, ". 6H", RELAXED),
            "Play 6D to open row 2: turning on without it would cost 7 turns more.",
        ),
        (native(6, ""), "Play JC to open row 2: opening it with JH now would cost 3 turns more."),
        (native(3, ". 6H QH ."), "Turn: no card that lies open belongs on a row."),
        (
            native(28, ". . . . .", RELAXED),
            "Turn: playing JD now would cost 5 turns more, and playing 2C now would cost 1 turn"
            " more.",
        ),
        (
            native(9, NINE, RELAXED),
            "Turn: playing 8C now would lose, and playing QD now would cost 1 turn more.",
        ),
        (
            native(9, NINE.partition(" 3D")[0], RELAXED),
            "Play 3D: turning on without it would cost 1 pass more.",
        ),
        (
            State.start(Deal.from_code(":AC:AD"), BRIDESMAIDS).play(TURN),
            "Play AD to open row 2: no other move is left.",
        ),
        (
            State.start(Deal.from_code("2D:2S:ADAS"), BRIDESMAIDS).play(TURN),
            "Play 2D to open row 2: it costs nothing.",
        ),
    ],
)
def test_reasons(state: State, reason: str) -> None:
    """Reasons are told in these words."""
    assert hint(state).reason == reason


@pytest.mark.parametrize(
    ("best_proved", "then", "told"),
    [
        (True, None, "whether {} would be better is not settled."),
        (True, (3, None, False), "whether {} would be better is not settled."),
        (True, (3, -1, False), "whether {} would be better is not settled."),
        (True, (3, 0, False), "{} would cost at least 1 turn more."),
        (True, (3, 1, False), "{} would cost at least 2 turns more."),
        (True, (1, 1, True), "{} would cost 2 turns more."),
        (True, (-1, -1, True), "it costs nothing, and {} gains nothing."),
        (False, (-1, -1, True), "whether {} would be better is not settled."),
        (False, (-2, -2, True), "whether {} would be better is not settled."),
        (False, (1, 1, True), "{} would cost 2 turns more."),
    ],
)
def test_what_limits_leave_open(
    best_proved: bool,
    then: tuple[int, int | None, bool] | None,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a move that was not settled only what was proved is said.

    ``then`` has the turns of the win found after it, what all wins there need, both less the
    turns of the best win here, and whether that is proved.
    """
    state = reached(3, LINE)
    best = solve(state, minimise="turns")
    assert isinstance(best, Won)
    turns = best.turns

    def answer(asked: State, **_: object) -> Answer:
        if asked == state:
            return best if best_proved else evolve(best, proof=None, at_least=9, limit="memory")
        assert asked == state.play(TURN)
        if then is None:
            return Unknown(asked, "memory", 20, spent=best.spent)
        more, least, proved = then
        line = [TURN] * (turns + more) + [REDEAL] * (best.passes - 1)
        at_least = None if least is None else turns + least
        proof = best.proof if proved else None
        return Won(asked, line, "turns", at_least, proof, spent=best.spent)

    monkeypatch.setattr(advice, "solve", answer)
    reason = "Play 6C: " + told.format("turning on without it")
    if not best_proved:
        reason += f" The win found takes {turns} turns; at least 9 are needed"
        reason += "; the limit on memory was hit."
    assert hint(state).reason == reason
