#!/usr/bin/env python3
"""Trains presets several times and measures what comes of it: the table of mean and spread in docs/learning.md.

    python3 scripts/learning.py [--runs 3] [ROW ...]

Runs differ in their seed: 1, 2, 3. Agents, evaluations and times are kept in target/learning, and the same command goes on
where it was stopped. Needs the command in target/release (cargo build --release --bin raichi), or another one named by the
environment variable RAICHI.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "target" / "learning"
RAICHI = os.environ.get("RAICHI", ROOT / "target" / "release" / "raichi")

# By row: the game; then what is measured: the agent, where NAME is the trained one, how it is evaluated, and which of the
# figures counts.
ALONE = "trained:NAME"
ROWS = {
    "tic-tac-toe": ("tic-tac-toe", [(ALONE, "--against perfect --starts all", "kept"), (ALONE, "--positions all", "right")]),
    "nim": ("nim", [(ALONE, "--positions 2000", "right")]),
    "nim3p": ("nim3p", [(ALONE, "--positions 2000", "right")]),
    "french-military": ("french-military", [(ALONE, "--positions 2000", "right")]),
    "black": ("black:rows=6,columns=6", [(ALONE, "--positions 2000", "right")]),
    "sim": ("sim", [(ALONE, "--positions 2000", "right")]),
    "hex-6": ("hex:size=6", [(ALONE, "--against perfect --seat 0 --games 200", "won")]),
    "kaalu": (
        "kaalu",
        [
            (
                "alphabeta:evaluator=NAME,time=20ms",
                "--against mcts:evaluator=hand,time=20ms --starts plies:2 --games 60",
                "won",
            )
        ],
    ),
    "jabir": (
        "jabirs-transmutations",
        [
            (ALONE, "--against mcts:time=20ms --games 60", "won"),
            ("mcts:evaluator=NAME,time=20ms", "--against mcts:time=20ms --games 90", "won"),
        ],
    ),
    "connect-four": (
        "connect-four",
        [
            (ALONE, "--against perfect --seat 0 --games 200", "score"),
            ("mcts:evaluator=NAME,sims=1000", "--against perfect --seat 0 --games 50", "score"),
        ],
    ),
    "hex-7": ("hex:size=7", [(ALONE, "--against perfect --seat 0 --games 40", "won")]),
    "yavalath": (
        "yavalath",
        [
            (
                "alphabeta:evaluator=NAME,time=20ms",
                "--against alphabeta:evaluator=hand,time=20ms --starts plies:2 --games 60",
                "won",
            )
        ],
    ),
    "othello": (
        "othello",
        [
            (ALONE, f"--against alphabeta:evaluator=hand,depth={depth},nodes=100000000 --starts plies:4 --games 100", "won")
            for depth in (1, 2, 4, 6)
        ]
        + [
            ("alphabeta:evaluator=NAME,depth=6,nodes=100000000", f"--against {rival} --starts plies:4 --games 40", "won")
            for rival in ("alphabeta:evaluator=hand,depth=9,nodes=100000000", "mcts:sims=10000")
        ],
    ),
    "al-jabar": (
        "al-jabar",
        [("mcts:evaluator=NAME,time=20ms", "--against alphabeta:evaluator=hand,time=20ms --games 60", "won")],
    ),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="of these: " + ", ".join(ROWS))
    parser.add_argument("--runs", type=int, default=3, help="how many seeds")
    asked = parser.parse_args()
    unknown = [row for row in asked.rows if row not in ROWS]
    if unknown:
        parser.error(f"there is no row {unknown[0]}; the rows are {', '.join(ROWS)}")
    KEPT.mkdir(parents=True, exist_ok=True)
    print("| game | seconds | who, how evaluated | what | runs | mean ± spread |\n|---|---|---|---|---|---|", flush=True)
    for row in asked.rows or ROWS:
        game, evaluations = ROWS[row]
        runs = [run(row, game, evaluations, seed) for seed in range(1, asked.runs + 1)]
        for i, (agent, how, what) in enumerate(evaluations):
            figures = [run["evaluations"][i] for run in runs]
            seconds = mean_and_spread([run["seconds"] for run in runs], "{:.0f}") if i == 0 else ""
            each = ", ".join(f"{figure:.3f}" for figure in figures)
            print(f"| {game if i == 0 else ''} | {seconds} | `{agent}` `{how}` | {what} | {each} "
                  f"| {mean_and_spread(figures, '{:.3f}')} |", flush=True)


def run(row, game, evaluations, seed):
    """What came of a training; trains and evaluates what is missing."""
    path = KEPT / f"{row}-{seed}.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    name = f"{row}-{seed}"
    if "seconds" not in found:
        begun = time.monotonic()
        command = ["train", game, "--seed", str(seed), "--out", name, "--eval", "against random --games 2", "--eval-every", "1000000000"]
        raichi(*command)
        found = {"seconds": time.monotonic() - begun, "evaluations": []}
        path.write_text(json.dumps(found))
    for agent, how, what in evaluations[len(found["evaluations"]):]:
        lines = raichi("eval", agent.replace("NAME", name), "--game", game, *how.split(), "--json")
        figures = json.loads(lines.splitlines()[-1])
        figure = figures["wins"] / figures["games"] if what == "won" else figures[what]
        found["evaluations"].append(figure)
        path.write_text(json.dumps(found))
    return found


def raichi(*arguments):
    """What the command writes to standard output."""
    done = subprocess.run([RAICHI, *arguments, "--agents-dir", KEPT / "agents"], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return done.stdout


def mean_and_spread(figures, form):
    """The spread is the standard deviation of the runs."""
    mean = sum(figures) / len(figures)
    if len(figures) < 2:
        return form.format(mean)
    spread = math.sqrt(sum((figure - mean) ** 2 for figure in figures) / (len(figures) - 1))
    return f"{form.format(mean)} ± {form.format(spread)}"


if __name__ == "__main__":
    main()
