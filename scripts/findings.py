#!/usr/bin/env python3
"""Plays the games of docs/findings.md again and prints its tables.

Sheets are kept in target/findings, so that an interrupted run can be continued. Needs the command in target/release
(cargo build --release --bin raichi), or another one named by the environment variable RAICHI.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "target" / "findings"
RAICHI = os.environ.get("RAICHI", ROOT / "target" / "release" / "raichi")

# Title, games, agent of every seat, number of games.
QUESTIONS = [
    (
        "Does moving first matter?",
        [
            "tic-tac-toe", "connect-four", "hex:size=7", "hex", "hex:swap=true", "nim", "othello", "sim", "sim:players=3",
            "yavalath", "yavalath:swap=false", "yavalath:players=3", "french-military", "black", "tablut", "kaalu",
            "nim3p", "poker",
        ],
        "mcts:sims=400",
        400,
    ),
    (
        "Does moving first matter in the long games?",
        ["focus:rule=none", "al-jabar", "jabirs-transmutations"],
        "mcts:sims=200",
        200,
    ),
    (
        "Does a king that goes four steps at most balance tablut?",
        ["tablut", "tablut:king-range=4"],
        "mcts:sims=2000",
        200,
    ),
    (
        "Which rule of symmetry-breaking suits Focus?",
        ["focus:rule=none", "focus:rule=draw-wins", "focus"],
        "mcts:sims=200",
        200,
    ),
    (
        "How do Al-Jabar's other groups play?",
        [f"al-jabar:group={group}" for group in ("2/2", "3", "4", "5", "2/3,copies=12", "3/3", "4/4")]
        + ["al-jabar:players=3", "al-jabar:players=4"],
        "mcts:sims=100",
        100,
    ),
    (
        "What do Al-Jabar's house rules change?",
        ["al-jabar"]
        + [f"al-jabar:{rule}" for rule in ("hand=7", "hand=20", "limit=2", "limit=4", "spectrum=false", "gift=false")],
        "mcts:sims=50",
        40,
    ),
    (
        "Do games of Al-Jabar in larger groups end?",
        [f"al-jabar:group={group}" for group in ("2/2/2/2", "9,copies=18", "3/3/3", "5/5", "2/2/2/2/2,limit=3,copies=6")],
        "mcts:sims=20",
        20,
    ),
    (
        "Do they end where agents look at what is held?",
        [f"al-jabar:group={group}" for group in ("2/2/2/2", "3/3/3", "5/5", "2/2/2/2/2,limit=3,copies=6")],
        "mcts:sims=100,evaluator=hand",
        10,
    ),
    (
        "What does the extra rule change in Nim3P?",
        ["nim3p", "nim3p:extra=false"],
        "mcts:sims=400",
        400,
    ),
    (
        "What does it change that White must pin Black on B?",
        ["french-military", "french-military:goal=b"],
        "mcts:sims=400",
        400,
    ),
    (
        "Do fewer nodes mean more ties in Sim, and does the coalition help?",
        [f"sim:nodes={n}" for n in range(4, 11)]
        + [f"sim:nodes={n},players=3" for n in range(4, 11)]
        + [f"sim:nodes={n},players=3,coalition=1-2" for n in range(4, 11)],
        "mcts:sims=200",
        200,
    ),
    (
        "What do rising blinds change in Poker?",
        ["poker", "poker:rise=10", "poker:rise=3", "poker:rise=1"],
        "mcts:sims=200",
        200,
    ),
    (
        "Do turns that are taken together change Jabir's Transmutations?",
        ["jabirs-transmutations", "jabirs-transmutations:turns=together"],
        "mcts:sims=50",
        40,
    ),
    (
        "What do the rules of the house cost in Blackjack?",
        ["blackjack"]
        + [
            f"blackjack:{rule}"
            for rule in (
                "soft17=hit", "insurance=half", "insurance=none", "natural=6:5", "peek=false", "double-after-split=false",
                "surrender=false",
            )
        ],
        "expectation",
        500,
    ),
]  # fmt: skip


def sheet(game, agent, n_games, threads):
    """The balance sheet of so many games, played now or read from the folder."""
    name = f"{game}-{agent.removeprefix('mcts:sims=')}-{n_games}.json".replace("/", ".").replace(":", "_")
    if not (KEPT / name).exists():
        print(f"{n_games} games of {game}, {agent} …", file=sys.stderr, flush=True)
        command = [RAICHI, "balance", game, "--agent", agent, "--games", str(n_games), "--json"]
        done = subprocess.run([*command, "--threads", str(threads)], stdout=subprocess.PIPE, check=True)
        (KEPT / name).write_bytes(done.stdout)
    return json.loads((KEPT / name).read_text())


def share(estimate):
    return f"{100 * estimate['value']:.0f} ({100 * estimate['low']:.0f}–{100 * estimate['high']:.0f})"


def payoff(estimate):
    return f"{estimate['value']:.2f} ({estimate['low']:.2f} to {estimate['high']:.2f})"


def row(found):
    # A player alone wins nothing but what it is paid.
    alone = len(found["seats"]) == 1
    wins = payoff(found["seats"][0]["payoff"]) if alone else " · ".join(share(seat["wins"]) for seat in found["seats"])
    ends = ", ".join(f"{end} {n}" for end, n in sorted(found["ends"].items(), key=lambda item: -item[1]))
    lead = found["lead_changes"]
    lead = "–" if lead is None else f"{lead['value']:.1f}"
    length = f"{found['length']['mean']:.0f} ± {found['length']['deviation']:.0f}"
    actions = f"{found['branching']['mean']:.0f}, {found['most_actions']}"
    cells = [f"`{found['game']}`", wins, share(found["drawn"]), length, actions, lead, ends]
    return f"| {' | '.join(cells)} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only the questions whose title has this text in it")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="how many games are played at once")
    args = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    for title, games, agent, n_games in (question for question in QUESTIONS if args.only in question[0]):
        print(f"## {title}\n\n{n_games} games of each, `{agent}` on every seat.\n")
        print("| game | wins by seat, % | shared, % | plies | actions: mean, most | changes of lead | ends |")
        print("|---|---|---|---|---|---|---|")
        for game in games:
            print(row(sheet(game, agent, n_games, args.threads)), flush=True)
        print()


main()
