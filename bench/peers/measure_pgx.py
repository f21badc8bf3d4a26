"""Pgx's figures: uniformly random playouts a second, a batch of games side by side in one compiled loop."""

import time

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

from answer import answer

GAMES = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "hex": "hex",
    "othello": "othello",
    "2048": "2048",
}
BATCH = 1024
STEPS = 64


def rollout(env):
    """A compiled function that plays STEPS steps of every game of the batch and counts the games that ended."""
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry, _):
        state, key, ended = carry
        key, for_actions, for_steps = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(for_actions, logits, axis=-1)
        state = step(state, action, jax.random.split(for_steps, BATCH))
        return (state, key, ended + state.terminated.sum() + (state.truncated & ~state.terminated).sum()), None

    return jax.jit(lambda state, key: jax.lax.scan(one, (state, key, jnp.int32(0)), None, length=STEPS)[0])


def measure(what, game, seconds):
    if what != "playouts" or game not in GAMES:
        return None
    env = pgx.make(GAMES[game])
    key = jax.random.PRNGKey(1)
    state = jax.vmap(env.init)(jax.random.split(key, BATCH))
    play = rollout(env)
    # The first call compiles; it also takes the games out of step with each other.
    state, key, ended = play(state, key)
    jax.block_until_ready(ended)
    total, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        state, key, ended = play(state, key)
        total += int(ended)
    return total / elapsed


answer(measure)
