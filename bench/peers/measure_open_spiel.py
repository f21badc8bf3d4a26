"""OpenSpiel's figures: uniformly random playouts and MCTS simulations a second, in C++ throughout."""

import time

import pyspiel

from answer import answer

GAMES = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "hex": "hex(board_size=11)",
    "hex:size=7": "hex(board_size=7)",
    "nim": "nim(pile_sizes=5;5;5)",
    "othello": "othello",
    "blackjack:rounds=1": "blackjack",
}


def first_decision(game):
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def search(game, n_simulations, n_playouts):
    """One search from the first decision; answers how long it took, in seconds."""
    evaluator = pyspiel.RandomRolloutEvaluator(n_playouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, n_simulations, 1000, False, 1, False)
    state = first_decision(game)
    start = time.perf_counter()
    bot.mcts_search(state)
    return time.perf_counter() - start


def measure(what, game, seconds):
    if game not in GAMES:
        return None
    game = pyspiel.load_game(GAMES[game])
    # A search of one simulation is its leaf's playouts and nothing else.
    once = (lambda n: search(game, 1, n)) if what == "playouts" else (lambda n: search(game, n, 1))
    n = 16
    while (elapsed := once(n)) < seconds / 2:
        n = max(2 * n, int(n * seconds / max(elapsed, 1e-6) / 2))
    return n / elapsed


answer(measure)
