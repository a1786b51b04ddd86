"""Plausible wrong rules of the rooms that weigh plans, by name."""

from __future__ import annotations

from planting import Fault

FAULTS = {
    # Completions, and how an option is laid out under one.
    "a completion deals a card twice": Fault(
        "_advise", "            self.filled[j] = card\n", "            card = self.filled[j]\n"
    ),
    "not all completions are taken": Fault("_advise", "number % (i + 1))\n", "number % i)\n"),
    "a covered card of the reserve lies open": Fault(
        "_advise",
        "if self.covered[i] and (reserve >> (i + 1)) & 1:",
        "if self.covered[i] and (reserve >> (i + 1)) & 2:",
    ),
    "a packet that was turned is closed": Fault(
        "_advise", "self.packet0 = self.o_packet[option]", "self.packet0 = 0"
    ),
    "a row that was opened may be another suit's": Fault(
        "_advise", "                    fits = False\n", "                    fits = o == 0\n"
    ),
    # Which options are one.
    "options that look different are one": Fault(
        "_advise", "            self.o_mark[i] != self.o_mark[j]\n            or ", "            "
    ),
    "options with the rows in another order are one": Fault(
        "_advise",
        "!= self.o_rows[4 * j + row]:\n                return False",
        "!= self.o_rows[4 * j + row]:\n                return True",
    ),
    "what was known of an option is known of the next in its place": Fault(
        "_advise", "            self.known[at + k] = UNKNOWN\n", "            pass\n"
    ),
    # From option to option.
    "a plan goes on behind a card of the reserve that it shows": Fault(
        "_ways",
        "                if self._uncovers(i, place - RESERVE):\n                    break\n",
        "                self._uncovers(i, place - RESERVE)\n",
    ),
    "a plan goes on behind a card of the waste that it bares": Fault(
        "_ways",
        "                if self._bares(i):\n                    break\n",
        "                self._bares(i)\n",
    ),
    "a plan goes on behind a turn that shows a card": Fault(
        "_ways",
        "            if self._turns_up(i) or left == 0:\n",
        "            self._turns_up(i)\n            if left == 0:\n",
    ),
    "a play that bares a card of the waste shows nothing": Fault(
        "_ways",
        "        self._note_step(i, j)\n        self._bares(i)\n",
        "        self._note_step(i, j)\n",
    ),
    "a safe play may open a row": Fault("_ways", "if best < 0 and not safely:", "if best < 0:"),
    "a card of the reserve that was shown is shown again": Fault(
        "_ways",
        "        self.o_bare[i] |= bit\n        return True\n",
        "        return True\n",
    ),
    "a card of the waste that was shown is shown again": Fault(
        "_ways",
        "        self.o_shown[i] |= bit\n        return True\n",
        "        return True\n",
    ),
    "a card that was turned is shown again": Fault(
        "_ways", "        self.o_shown[i] |= fresh\n", ""
    ),
    "who sees tops sees whole packets": Fault(
        "_ways", "place = waste if self.tops else place - 1", "place = place - 1"
    ),
    "who sees packets sees tops": Fault(
        "_ways", "place = waste if self.tops else place - 1", "place = waste"
    ),
    "a plan's redeal costs no pass": Fault(
        "_ways", "            self.o_redeals[i] -= self.limited\n", ""
    ),
    "a redeal is made when none is left": Fault(
        "_ways", "or (self.limited and self.o_redeals[at] == 0)", ""
    ),
    "no plan redeals": Fault("_ways", "                redeals += 1\n", "                return\n"),
    "a play from the waste leaves the waste as it was": Fault(
        "_ways",
        "        self.o_waste[i] = count_of(self.o_left[i] & (bit - 1))\n",
        "",
    ),
    "what lies under the top may be played": Fault(
        "_ways",
        "        return not (self.covered[j] and (self.o_reserve[i] >> (j + 1)) & 1)\n",
        "        return True\n",
    ),
    "a card that has no row yet asks the first": Fault(
        "_ways",
        "return playable & (ONE << (13 * self.o_opened[root] + card % 13)) != 0",
        "return playable & (ONE << (13 * 0 + card % 13)) != 0",
    ),
    "a suit gets a row for each card": Fault(
        "_ways",
        "            if self.o_rows[4 * i + row] == card // 13:\n                return\n",
        "            pass\n",
    ),
    "no plan turns the stock to see more": Fault(
        "_ways",
        "                self._join(j, first)\n                return\n",
        "                return\n",
    ),
    # What a plan is worth.
    "plays behind a shown card are read off another completion": Fault(
        "_plans",
        "        self._complete(self.seed, self.stack[low], self.exactly)\n        self._branch",
        "        self._branch",
    ),
    "two completions that look alike need no common plan": Fault(
        "_plans", "(high - low <= 1 and root > 0)", "(high - low <= 2 and root > 0)"
    ),
    "a play that shows nothing is a plan": Fault(
        "_plans",
        "            if i < middle and not self._is_shown(i, root):\n                continue\n",
        "",
    ),
    "a plan is dropped that could still win one more than the best": Fault(
        "_plans",
        "            elif top - k - 1 <= best:",
        "            elif top - k - 1 <= best + 1:",
    ),
    "a plan is not weighed whose first play may win one more": Fault(
        "_plans",
        "if self.o_bound[self.o_from[i]] <= best:",
        "if self.o_bound[self.o_from[i]] <= best + 1:",
    ),
    "a plan that may win one more behind its end is dropped": Fault(
        "_plans", "        if top - high <= best:", "        if top - high <= best + 1:"
    ),
    "a plan is worth what its first play wins": Fault(
        "_plans",
        "        if depth == 1:\n            return top - high\n",
        "        return top - high\n",
    ),
    "what is shown is not told apart": Fault(
        "_plans",
        "                if self.stack[high + k - low] == i:",
        "                if i == first:",
    ),
    "who was shown a card sees all": Fault(
        "_plans", "            total += i < 0\n", "            total += 1\n"
    ),
    "the card of the reserve that is shown is not looked at": Fault(
        "_plans",
        "                self.o_mark[i] ^= mixed(4096 + 64 * j + self.all_reserve[j])\n",
        "                pass\n",
    ),
    "the card of the sequence that is shown is not looked at": Fault(
        "_plans",
        "                self.o_mark[i] ^= mixed(64 * j + self.all_seq[j] + 1)\n",
        "                pass\n",
    ),
    "a safe play behind a shown card shows nothing": Fault(
        "_plans", "            self._uncovers(i, place - RESERVE)\n", "            pass\n"
    ),
    # What is safe.
    "a card of the reserve that opens a row is safe": Fault(
        "sight",
        "            if not self.opens(card) and self.fits(card):\n                return place\n"
        "        return None\n\n    def waste_place",
        "            if self.fits(card):\n                return place\n"
        "        return None\n\n    def waste_place",
        "Sight.reserve_place",
    ),
    "a waste top that opens a row is safe": Fault(
        "sight",
        "if card == HIDDEN or self.opens(card) or not self.fits(card):",
        "if card == HIDDEN or not self.fits(card):",
        "Sight.waste_place",
    ),
    "any waste top is safe by any draw": Fault(
        "sight",
        "        if self.draw != 1 and self.waste < len(self.sequence):\n            return None\n",
        "",
        "Sight.waste_place",
    ),
    "a waste top whose packet is closed is safe": Fault(
        "sight",
        "if not self.waste or (self.packets and not self.packet):",
        "if not self.waste:",
        "Sight.waste_place",
    ),
    "scouting is free under a pass limit": Fault(
        "sight",
        "            place = self.waste_place()\n            return None",
        "            place = None\n        if False:\n            return None",
        "Sight.safe",
    ),
    "any waste comes back": Fault(
        "sight",
        "        return ended or self.waste % self.draw == 0\n",
        "        return True\n",
        "Sight._comes_back",
    ),
    "a card of the sequence that opens a row is safe": Fault(
        "sight",
        "            if card != HIDDEN and not self.opens(card) and self.fits(card):\n",
        "            if card != HIDDEN and self.fits(card):\n",
        "Sight.open_place",
    ),
}
