"""``python -m osmosis_solver`` is the command ``osmosis``."""

from osmosis_solver.cli import main

if __name__ == "__main__":
    main()
