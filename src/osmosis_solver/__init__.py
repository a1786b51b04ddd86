"""Osmosis solitaire, solved: a winning line of play or a proof that there is none."""
