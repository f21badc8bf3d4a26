#!/usr/bin/env python3
"""Measures agents at equal time, game by game, and prints the table of docs/strength.md.

    python3 scripts/strength.py [--minutes 20] [--time 20ms] [--threads 2] [--best-only] [GAME ...]

Each game's records are kept in target/strength, and the same command goes on where it was stopped. Needs the command in
target/release (cargo build --release --bin raichi), or another one named by the environment variable RAICHI. With --best-only
two agents meet: the first and the second of the table at 20 ms, which must have been played.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "target" / "strength"
RAICHI = os.environ.get("RAICHI", ROOT / "target" / "release" / "raichi")

# The games in which a solver does not answer from the start, and how many plies of a game are drawn at random before it
# begins; games that deal or have chance from the start need none.
OPENINGS = {
    "connect-four": 4,
    "othello": 6,
    "hex": 1,
    "yavalath": 3,
    "tablut": 2,
    "focus": 6,
    "kaalu": 3,
    "al-jabar": 0,
    "jabirs-transmutations": 0,
    "poker": 0,
    "2048": 0,
    "blackjack": 0,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="of these: " + ", ".join(OPENINGS))
    parser.add_argument("--minutes", default="20", help="of thinking, of each thread, for a game")
    parser.add_argument("--time", default="20ms", help="of each agent, for a ply")
    parser.add_argument("--threads", default=str(os.cpu_count()), help="how many games are played at once")
    parser.add_argument("--best-only", action="store_true", help="only the best two at 20 ms")
    asked = parser.parse_args()
    unknown = [game for game in asked.games if game not in OPENINGS]
    if unknown:
        parser.error(f"no table is planned for {unknown[0]}; the games are {', '.join(OPENINGS)}")
    KEPT.mkdir(parents=True, exist_ok=True)
    print("| game | games, minutes | agents |\n|---|---|---|", flush=True)
    for game in asked.games or OPENINGS:
        agents = best_two(KEPT / f"{game}.20ms.json", asked.time) if asked.best_only else []
        print(row(measure(game, agents, asked), asked.time), flush=True)


def measure(game, agents, asked):
    """Plays what is missing; returns what `raichi strength` says."""
    command = [RAICHI, "strength", "--game", game, "--openings", str(OPENINGS[game])]
    command += ["--time", asked.time, "--minutes", asked.minutes, "--threads", asked.threads]
    command += ["--out", str(KEPT / f"{game}.{asked.time}.jsonl"), "--json"]
    if agents:
        command += [agents[0], "--reference", agents[1]]
    played = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if played.returncode != 0:
        sys.exit(played.returncode)
    found = json.loads(played.stdout.splitlines()[0])
    if not asked.best_only:
        (KEPT / f"{game}.{asked.time}.json").write_text(json.dumps(found))
    return found


def best_two(path, time):
    """The first two agents of a table, with another time."""
    if not path.exists():
        sys.exit(f"{path} is missing: play the table at 20 ms first")
    agents = json.loads(path.read_text())["standings"]["agents"]
    thinking = [agent for agent in sorted(agents, key=strength, reverse=True) if "time=" in agent["spec"]]
    return [agent["spec"].replace("time=20ms", f"time={time}") for agent in thinking[:2]]


def strength(agent):
    """Elo, or what a game brought where there is none."""
    return agent["elo"]["value"] if agent["elo"] else agent["points"] / max(agent["games"], 1)


def row(found, time):
    """A game's line of the table: its agents from the strongest on, Elo over the reference, or what a game brought."""
    standings = found["standings"]
    agents = [agent for agent in sorted(standings["agents"], key=strength, reverse=True) if agent["games"] > 0]
    described = "; ".join(f"`{short(agent['spec'], time)}` {worth(agent)}" for agent in agents)
    return f"| {found['game']} | {standings['n_games']}, {found['minutes']:.1f} | {described} |"


def worth(agent):
    """With the interval of 95 %."""
    unit, digits = ("elo", "+.0f") if agent["elo"] else ("payoff", "+,.1f")
    value, low, high = (f"{agent[unit][key]:{digits}}".replace("-", "−") for key in ("value", "low", "high"))
    return f"{value} [{low}, {high}]" if low != high else value


def short(spec, time):
    """A spec without the time that all have."""
    kind, _, options = spec.partition(":")
    options = ",".join(option for option in options.split(",") if option and option != f"time={time}")
    return f"{kind}:{options}" if options else kind


if __name__ == "__main__":
    main()
