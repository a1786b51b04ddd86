"""Plausible wrong rules, by name: those that solvers have had, and those that ours could have."""

from __future__ import annotations

from planting import Fault

# What a reader of the source would write by mistake, or an early version did write.
_LOOKED = """        self._end_packets(n, waste, packet, end)
        self._canonise(n"""

FAULTS = {
    # Which plays need not be tried.
    "the last card is forced in mid-pass": Fault(
        "_board",
        _LOOKED,
        """        bit = 1 << left.bit_length() >> 1
        if self.exact and (self.now | self.next) & bit:
            self.now &= bit
            self.next &= bit
            first = n if self.limited and self.now else 64
"""
        + _LOOKED,
    ),
    "the waste top is forced": Fault(
        "_board",
        _LOOKED,
        """        if first == waste:
            for j in range(n and left.bit_length()):
                if (left >> j) & 1 and count_of(left & ((1 << j) - 1)) + 1 == waste:
                    self.now = 1 << j
                    self.next = 0
"""
        + _LOOKED,
    ),
    "a base-rank card is safe without a fixed order": Fault(
        "reference",
        "            for move in state.legal_moves()\n        ]",
        """            for move in [
                move
                for move in state.legal_moves()
                if getattr(move, "card", None) in [pile[-1] for pile in state.reserve if pile]
                and move.card.rank == state.deal.base.rank
            ][:1] or state.legal_moves()
        ]""",
        "_Search.steps_from",
    ),
    "the plain search forces the waste top": Fault(
        "reference",
        "            for move in state.legal_moves()\n        ]",
        """            for move in [
                move
                for move in state.legal_moves()
                if getattr(move, "card", None) in state.waste
            ] or state.legal_moves()
        ]""",
        "_Search.steps_from",
    ),
    # Where in the pass the stock stands.
    "the waste pointer is canonised under a pass limit": Fault(
        "_board",
        "if self.pointer and not self.limited and (ended or self.mod[waste] == 0):",
        "if self.pointer and (ended or self.mod[waste] == 0):",
    ),
    "the last packet is as good in every pass": Fault(
        "_board",
        "elif self.packets and self.exact and self.end_now > self.end_next:",
        "elif False:",
    ),
    "the last packet is a card larger": Fault(
        "_board",
        "self.end_next = (n - 1) % self.draw",
        "self.end_next = n % self.draw",
    ),
    "the last packet of this pass is a card larger": Fault(
        "_board",
        "packet - 1 if waste == n else (n - waste - 1) % self.draw",
        "packet - 1 if waste == n else (n - waste) % self.draw",
    ),
    "the last place comes up only at a whole turn": Fault(
        "_board",
        "return self.mod[place - waste] == 0 or (place == n and end)",
        "return self.mod[place - waste] == 0",
    ),
    "a packet at a whole turn is whole": Fault(
        "_general", "if self.limited or self.mod[place]:", "if self.mod[place]:"
    ),
    "a key without the packet": Fault(
        "_general",
        "key |= cython.cast(cython.ulonglong, self.p_packet) << 57",
        "key |= 0",
    ),
    # What is known by the cards left.
    "a refuted start is refuted for all places": Fault(
        "_plain",
        "        if kind == 0 or (self.exact and left & (bit - 1) == 0):\n",
        "        if kind == 0 or word & START or (self.exact and left & (bit - 1) == 0):\n",
    ),
    "a refuted place is refuted wherever it is": Fault(
        "_plain",
        "        return index_of(below & -below) < cython.cast(\n"
        "            cython.int, (word >> (LOW_AT + 6 * kind)) & LOW\n"
        "        )\n",
        "        return (word >> (LOW_AT + 6 * kind)) & LOW != 0\n",
    ),
    "the plays of one remainder serve for the other": Fault(
        "_plain",
        "            return word & (START | START_SHORT) != 0\n        return index_of",
        "            return word & (START | START_SHORT) != 0\n"
        "        kind = 1\n"
        "        return index_of",
    ),
    "what a place offers is refuted with what lies before it": Fault(
        "_plain",
        "        return index_of(bits & -bits) if bits else self.size\n",
        "        return self.size\n",
    ),
    "a start whose bound fell short has passed it": Fault(
        "_plain",
        "                if count_of(closed) >= self.target:\n",
        "                if True:\n",
    ),
    "a place is refuted whose start was not tried": Fault(
        "_plain",
        "            return fresh | ahead\n",
        "            return ahead or fresh\n",
    ),
    "a proof leaves out what was refuted by trying": Fault(
        "_plain",
        "        marks: cython.ulonglong = self.f_marks[d] | START\n",
        "        marks = self.f_marks[d] | START\n"
        "        if self.f_kind[d]:\n"
        "            marks |= ONE << (ONLY_SHORT_AT + self.f_kind[d])\n",
    ),
    "a proof lists a later place of the remainder": Fault(
        "_table",
        "        while self.mod[place] != kind:\n            place += 1\n",
        "        while self.mod[place] != kind:\n"
        "            place += 1\n"
        "        place += self.draw\n",
    ),
    "the cards above a play keep their places": Fault(
        "_plain",
        "self.f_turns[old + self.mod[kind + 1]] & after\n",
        "self.f_turns[old + kind] & after\n",
    ),
    "the last card left comes up only at a whole turn": Fault(
        "_plain",
        "        if self.exact or gone & self.first_of_tail:",
        "        if not self.exact and gone & self.first_of_tail:",
    ),
    "the last card left of a prefix waits for all of the tail": Fault(
        "_plain",
        "        if self.exact or gone & self.first_of_tail:",
        "        if self.exact:",
    ),
    "a place behind which no card is left is the start, in a prefix too": Fault(
        "_plain",
        "        if kind and self.exact and left & ((ONE << under) - 1) == 0:",
        "        if kind and left & ((ONE << under) - 1) == 0:",
    ),
    "the waste top may not be played again": Fault(
        "_plain",
        "            ahead &= (ONE << under) | ((ONE << under) - 1)\n",
        "            ahead &= (ONE << under) - 1\n",
    ),
    "the closure by cards left bares the next card but one": Fault(
        "_plain",
        "        return ((played << 1) + ~left) & left\n",
        "        played = ((played << 1) + ~left) & left\n"
        "        return ((played << 1) + ~left) & left\n",
    ),
    "the closure by cards left bares no card": Fault(
        "_plain",
        "        return ((played << 1) + ~left) & left\n",
        "        return 0\n",
    ),
    "the closure by cards left asks for a card too many": Fault(
        "_plain",
        "(self.f_turns[at + 1] & below_one)",
        "(self.f_turns[at + 1] & below_two)",
    ),
    "the closure by cards left forgets cards before a place": Fault(
        "_plain",
        "below_one: cython.ulonglong = self.closed_one\n",
        "below_one: cython.ulonglong = 0\n",
    ),
    "the closure of a place is that of the start": Fault(
        "_plain",
        "self.closed_up | (self.f_turns[4 * depth + kind] & (bit | (bit - 1)))\n",
        "self.closed_up\n",
    ),
    "the tail is counted from the prefix on": Fault(
        "_table",
        "self.tail_turns[self.mod[i + 1]] |=",
        "self.tail_turns[self.mod[i + 1 - self.prefix]] |=",
    ),
    "a closure's second card is forgotten where its first is new": Fault(
        "_plain",
        "below_two = two if two > below_one else below_one\n",
        "below_two = below_one\n",
    ),
    "a closure's card that is not its first is forgotten": Fault(
        "_plain",
        "                elif one > below_two:\n",
        "                elif False:\n",
    ),
    "the tail asks for a card too many": Fault(
        "_plain",
        "up |= self.tail_turns[1] & (bit - 1)\n",
        "up |= 0\n",
    ),
    "the tail asks for a card too many where two are gone": Fault(
        "_plain",
        "up |= self.tail_turns[2] & ((ONE << top_of(gone)) - 1)\n",
        "up |= 0\n",
    ),
    "a card of the tail is bared by itself": Fault(
        "_plain",
        "((gone << 1) & self.tail_left)",
        "(gone & self.tail_left)",
    ),
    "the tail's last place comes up at whole turns": Fault(
        "_table",
        "        if place == self.size or self.mod[place] == 0:",
        "        if self.mod[place] == 0:",
    ),
    "the tail has no turn ends of the pass under way": Fault(
        "_table",
        "        return self.waste0 > 0 and place >= self.waste0 and self.mod",
        "        return False and self.mod",
    ),
    "the tail's cards that were played are forgotten": Fault(
        "_plain",
        "            gone = self.closed_gone\n        else:",
        "            pass\n        else:",
    ),
    "passes do not count": Fault(
        "_general",
        "self.plain = self.pointer and not self.limited and not self.packets",
        "self.plain = self.pointer and not self.packets",
    ),
    "packets do not count": Fault(
        "_general",
        "self.plain = self.pointer and not self.limited and not self.packets",
        "self.plain = self.pointer and not self.limited",
    ),
    "the word has room for any sequence": Fault(
        "_general",
        "if self.draw > 3 or self.size > 47:",
        "if self.draw > 3:",
    ),
    # What only verdicts without proofs leave out.
    "the last card is forced in mid-pass, plain": Fault(
        "_plain",
        "                fresh = left & -left\n",
        "                fresh = left & -left\n                ahead = 0\n",
    ),
    "the first play of a pass is forced": Fault(
        "_plain",
        "            if self.prunes & LAST and self.exact and fresh & left & -left:\n"
        "                fresh = left & -left\n",
        "            if self.prunes & LAST and self.exact and fresh:\n"
        "                fresh = ONE << top_of(fresh)\n",
    ),
    "the card under a played one of the reserve stays covered": Fault(
        "_plain",
        "            self.closed_open |= union_of(self.under_card, bits)\n",
        "            self.closed_open |= self.under_card[index_of(bits)]\n",
    ),
    # Passes.
    "a redeal costs no pass": Fault("_general", "            redeals -= 1\n", "            pass\n"),
    "refuted with fewer redeals is refuted": Fault(
        "_general",
        "return self.keys[slot] != 0 and (self.values[slot] & ~SHORT) >= redeals",
        "return self.keys[slot] != 0",
    ),
    "no win needs more than one redeal": Fault(
        "_board",
        "self.redeals0 = min(redeals, len(sequence))",
        "self.redeals0 = min(redeals, 1)",
    ),
    "the bound has a pass too few": Fault(
        "_board",
        "while (redeals > 0 or not self.limited)",
        "while (redeals > 1 or not self.limited)",
    ),
    "a redeal without a play before it ends the game": Fault(
        "game",
        "(redeals == 1 and moves == (REDEAL,))",
        "(redeals == 0 and moves == (REDEAL,))",
        "State.is_stuck",
    ),
    "canonical keys forget the pass": Fault(
        "game",
        "        if self.redeals_left is not None:\n            return self.key\n",
        "",
        "State.canonical_key",
    ),
    "a pass too many": Fault(
        "game",
        "None if rules.passes is None else rules.passes - 1",
        "None if rules.passes is None else rules.passes",
        "State.start",
    ),
    # Bounds.
    "rule 8 asks for a card too many": Fault(
        "_board",
        "return count_of(gone & below) >= self.mod[place]",
        "return count_of(gone & below) > self.mod[place]",
    ),
    "rule 8 asks for a card too few": Fault(
        "_board",
        "return count_of(gone & below) >= self.mod[place]",
        "return count_of(gone & below) + 1 >= self.mod[place]",
    ),
    "rule 8 forgets that a card may be bared": Fault(
        "_board", "if after & -after & gone:", "if False:"
    ),
    "rule 8 forgets the pass under way": Fault(
        "_board",
        "if waste > 0 and place >= waste and self.mod[place - waste] == 0:",
        "if False:",
    ),
    "the pass under way has no turn ends in the tail": Fault(
        "_board", "            waste = self.waste0\n", "            waste = 0\n"
    ),
    "the tail's last place is like any other": Fault(
        "_board", "if place == self.size or (gone >> place) & 1:", "if (gone >> place) & 1:"
    ),
    "the tail's cards home are not counted as gone": Fault(
        "_general", "            gone = self.closed_gone\n", ""
    ),
    "the last card of a prefix waits for all of the tail": Fault(
        "_board",
        "end: cython.bint = self.exact or (home & self.seq_bit[self.prefix]) != 0",
        "end: cython.bint = self.exact",
    ),
    "the bound forgets the end of later passes": Fault(
        "_board",
        "if gone >= self.mod[place] or place >= last:",
        "if gone >= self.mod[place]:",
    ),
    "the bound's packets are a card short": Fault(
        "_board",
        "if self.packets and seen == packet:",
        "if self.packets and seen + 1 >= packet:",
    ),
    "the bound is that of the position before it was turned on": Fault(
        "_general",
        "self._falls_short(home, left, gone, self.p_waste, self.p_packet, redeals)",
        "self._falls_short(home, left, gone, waste, packet, redeals)",
    ),
    # Budgets.
    "a search that is cut has refuted": Fault(
        "_kernel",
        "        if result == DEAD:\n            self._next_order()",
        "        if result != WON:\n            self._next_order()",
    ),
    "prefixes serve under a pass limit too": Fault(
        "_kernel",
        "return self.prunes & PREFIX and wide and not self.limited",
        "return self.prunes & PREFIX and wide",
    ),
    # The cheapest win.
    "the estimate is a turn too high": Fault(
        "_board",
        "self.turns_ahead = (n - waste + self.draw - 1) // self.draw",
        "self.turns_ahead = (n - waste + self.draw - 1) // self.draw + 1",
    ),
    "the estimate turns cards that are home": Fault(
        "_board",
        "self.turns_ahead += (n - gone + self.draw - 1) // self.draw",
        "self.turns_ahead += (n + self.draw - 1) // self.draw",
    ),
    "redeals are no part of a position": Fault(
        "_cheapest", "0x7FFFFF if self.limited else 0x7C0FFF", "0x7C0FFF"
    ),
    "the first way to a position is the cheapest": Fault(
        "_cheapest",
        "if self.ahead[to] == _DEAD or self.cost[to] <= cost:",
        "if True:",
    ),
    "a short turn costs none": Fault(
        "_cheapest",
        "turns += (at + self.draw - 1) // self.draw",
        "turns += at // self.draw",
    ),
    # Proofs.
    "entries are thinned under a pass limit": Fault(
        "drive", "        if limited\n", "        if False\n", "_thin"
    ),
    # The checker.
    "checker: the last turn brings up no card": Fault(
        "proof_game",
        "self.exact and place == n, place - waste",
        "False, place - waste",
        "Game.steps",
    ),
    "checker: the last redeal brings up no card": Fault(
        "proof_game",
        "and (redeals or self.redeals is None):",
        "and (redeals > 1 or self.redeals is None):",
        "Game.steps",
    ),
    "checker: the last card of a prefix is never bared": Fault(
        "proof_game",
        "bared = not self.exact and home & self.sequence[self.prefix] != 0",
        "bared = False",
        "Game.steps",
    ),
    "checker: the pass under way has no turn ends of its own": Fault(
        "proof_game",
        "if w and place >= w and (place - w) % self.draw == 0:",
        "if False:",
        "Game._fixpoint",
    ),
    "checker: a turn end asks for a card too many": Fault(
        "proof_game",
        "if before >= place % self.draw or i >= last:",
        "if before > place % self.draw or i >= last:",
        "Game._ends",
    ),
    "checker: the prefix cards home are not counted as gone": Fault(
        "proof_game",
        "place, before = j + 1, gone + behind",
        "place, before = j + 1, gone",
        "Game._ends",
    ),
    "checker: the end of a later pass is like any other place": Fault(
        "proof_game",
        "if before >= place % self.draw or i >= last:",
        "if before >= place % self.draw:",
        "Game._ends",
    ),
    "checker: a packet is a card short": Fault(
        "proof_game",
        "if self.packets and seen == packet:",
        "if self.packets and seen + 1 >= packet:",
        "Game._play_down",
    ),
    "checker: an entry covers one with more redeals": Fault(
        "check",
        "if not any(p >= after.packet and r >= after.redeals for p, r in listed):",
        "if not any(p >= after.packet for p, r in listed):",
        "_is_lost",
    ),
    # The game itself.
    "a row asks row 1, not the row above": Fault(
        "game",
        "_holds(self.rows[i - 1], card.rank)",
        "_holds(self.rows[0], card.rank)",
        "State.row_for",
    ),
    "a row opened with any rank asks row 1": Fault(
        "game",
        "_holds(self.rows[-1], card.rank)",
        "_holds(self.rows[0], card.rank)",
        "State.row_for",
    ),
    "a row opens before its base card": Fault("_bits", "    if any_start:\n", "    if True:\n"),
    "what is left of a packet stays open": Fault(
        "game",
        'packet = size if self.rules.waste == "packet"',
        'packet = self.packet + size if self.rules.waste == "packet"',
        "State._turn",
    ),
    "a redeal turns the order of the waste around": Fault(
        "game",
        "stock=self.waste, redeals_left",
        "stock=self.waste[::-1], redeals_left",
        "State._redeal",
    ),
}
