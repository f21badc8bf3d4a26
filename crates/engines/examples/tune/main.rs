//! Tunes and measures hand-made evaluators and playout policies of games for two seats.
//!
//! ```text
//! tune match SPEC A B [games=100] [seed=1] [opening=6]   plays A against B, both sides of each opening
//! tune fit SPEC [games=300] [nodes=2000] [seed=1] [opening=8] [noise=10] [rounds=300] [weights=W1,W2,…]   weights from self-play
//! tune time SPEC                                        nanoseconds an evaluation
//! ```
//!
//! A player is `hand@NODES` (alpha-beta with the hand-made evaluator), `hand@NODES=W1,W2,…` (the same with other
//! weights), `flat@NODES` (alpha-beta that knows wins only), `alphabeta@NODES`, `learned@NODES`, `mcts@SIMULATIONS` and
//! `mcts-policy@SIMULATIONS` (the crate's searches, with the evaluator made by hand, with the one that was learned, with neither
//! and with the policy), `uct@SIMULATIONS` and `policy@SIMULATIONS` (a plain tree search, with random playouts or those of the
//! playout policy), `puct@SIMULATIONS` (a tree search by the evaluator's priors and values). Budgets count nodes or simulations, so
//! that a busy machine changes nothing; a match also says what each player took of the processor's time, so that budgets can be
//! chosen that take the same.

mod alphabeta;
#[path = "../clock/mod.rs"]
mod clock;
mod fit;
mod games;
mod matches;
mod tree;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Err(why) = games::run(&arguments) {
        eprintln!("{why}");
        std::process::exit(2);
    }
}
