#!/usr/bin/env python3
"""Measures Raichi beside its peers, in turns on one core, and prints both sides. See README.md."""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SCRATCH = ROOT / "target" / "peers"
GAMES = ["tic-tac-toe", "connect-four", "hex", "hex:size=7", "nim", "othello", "2048"]
SEARCH_GAMES = ["connect-four"]
PERFT_GAMES = ["connect-four"]
PERFT_DEPTH = 9


def say(text):
    print(text, file=sys.stderr, flush=True)


def install():
    """The virtual environment with the Python peers; those that cannot be had are left out."""
    python = SCRATCH / "venv" / "bin" / "python"
    if not python.exists():
        say("making a virtual environment …")
        subprocess.run([sys.executable, "-m", "venv", SCRATCH / "venv"], check=True)
    for line in (HERE / "requirements.txt").read_text().split():
        say(f"installing {line} …")
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", line])
        if done.returncode != 0:
            say(f"{line} could not be installed; it is left out")
    return python


def build():
    say("building Raichi and the Rust peers …")
    subprocess.run(["cargo", "build", "--profile", "figures", "--bin", "raichi"], cwd=ROOT, check=True)
    target = SCRATCH / "rust"
    subprocess.run(["cargo", "build", "--release", "--target-dir", target], cwd=HERE / "rust", check=True)
    raichi_target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return raichi_target / "figures" / "raichi", target / "release" / "peers"


class Process:
    """A peer's process, asked a line at a time."""

    def __init__(self, name, command, prefix=""):
        self.name, self.prefix = name, prefix
        env = {
            **os.environ,
            "JAX_PLATFORMS": "cpu",
            "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
        }
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": env, "cwd": HERE}
        self.process = subprocess.Popen(list(map(str, command)), **pipes)

    def measure(self, what, game, seconds):
        try:
            self.process.stdin.write(f"{self.prefix}{what} {game} {seconds}\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline().strip()
        except BrokenPipeError:
            line = ""
        return float(line) if line not in ("", "-") else None


class Raichi:
    """`raichi bench` gives all figures of a game at once; they are asked for once a round."""

    name = "raichi"

    def __init__(self, binary):
        self.binary, self.figures = binary, {}

    def measure(self, what, game, seconds):
        if what == "playouts":
            command = [self.binary, "bench", game, "--seconds", str(seconds), "--json"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                say(done.stderr.strip())
                return None
            self.figures[game] = json.loads(done.stdout)
        if what == "perft":
            # To the peers' depth, with a table of positions as the fastest of theirs has.
            command = [self.binary, "perft", game, str(PERFT_DEPTH), "--json"]
            return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["leaves_per_second"]
        figures = self.figures.get(game, {})
        names = {"playouts": "playouts", "mcts": "simulations", "alphabeta": "nodes"}
        return figures.get(f"{names[what]}_per_second")


def rate(figure):
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if figure >= unit:
            return f"{figure / unit:.3g}{name}"
    return f"{figure:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1, help="for each figure (1)")
    parser.add_argument("--rounds", type=int, default=3, help="the median of so many is printed (3)")
    parser.add_argument("--core", type=int, default=min(os.sched_getaffinity(0)), help="the core all run on")
    args = parser.parse_args()

    python = install()
    raichi, rust = build()
    os.sched_setaffinity(0, {args.core})
    ours = Raichi(raichi)
    peers = [
        Process("OpenSpiel", [python, "measure_open_spiel.py"]),
        Process("Pgx", [python, "measure_pgx.py"]),
        Process("PettingZoo", [python, "measure_pettingzoo.py"]),
        Process("board-game", [rust], "board-game "),
        Process("minimax", [rust], "minimax "),
    ]
    tasks = [("playouts", game) for game in GAMES] + [("perft", game) for game in PERFT_GAMES]
    tasks += [(what, game) for what in ("mcts", "alphabeta") for game in SEARCH_GAMES]
    found = {}
    for round_idx in range(args.rounds):
        for what, game in tasks:
            for side in [ours, *peers]:
                say(f"round {round_idx + 1} of {args.rounds}: {what} of {game}, {side.name}")
                figure = side.measure(what, game, args.seconds)
                if figure:
                    found.setdefault((what, game, side.name), []).append(figure)

    print("| what | game | raichi | peer | the peer's | ratio |")
    print("|---|---|---|---|---|---|")
    for what, game in tasks:
        mine = found.get((what, game, ours.name))
        for peer in peers:
            theirs = found.get((what, game, peer.name))
            if mine and theirs:
                a, b = statistics.median(mine), statistics.median(theirs)
                print(f"| {what} | {game} | {rate(a)}/s | {peer.name} | {rate(b)}/s | {a / b:.3g} |")
    print(f"\nMedians of {args.rounds} rounds of {args.seconds:g} s a figure, all on core {args.core}, in turns.")


main()
