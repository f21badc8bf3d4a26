"""PettingZoo's figures: uniformly random playouts a second through its Python interface."""

import random
import time

from pettingzoo.classic import connect_four_v3, tictactoe_v3

from answer import answer

GAMES = {"tic-tac-toe": tictactoe_v3, "connect-four": connect_four_v3}


def playout(env, rng):
    env.reset()
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return
        legal = [i for i, allowed in enumerate(observation["action_mask"]) if allowed]
        env.step(rng.choice(legal))


def measure(what, game, seconds):
    if what != "playouts" or game not in GAMES:
        return None
    env, rng = GAMES[game].raw_env(), random.Random(1)
    n, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        playout(env, rng)
        n += 1
    return n / elapsed


answer(measure)
