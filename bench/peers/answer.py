"""The language between run.py and a peer's process: a line `WHAT GAME SECONDS` in, a line with the rate out."""

import sys


def answer(measure):
    """Answers every line of standard input; `measure(what, game, seconds)` gives a rate, or None without the game."""
    # Libraries that print must not be taken for answers.
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        what, game, seconds = line.split()
        rate = measure(what, game, float(seconds))
        print("-" if rate is None else f"{rate:.1f}", file=out, flush=True)
