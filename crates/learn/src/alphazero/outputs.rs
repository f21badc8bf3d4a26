//! The outputs of a policy, and which of them an action's logit is the sum of: the action's number alone or, where there are more
//! numbers than a network can have outputs, its factors.

use raichi_core::encoding::Encoding;

use crate::network::net::sum_of;

/// Outputs of a policy, at most.
const MOST_OUTPUTS: u64 = 4096;
/// Action numbers, at most: those of 32 bits.
const MOST_NUMBERS: u64 = 1 << 32;

/// How many outputs the policy of a game has.
///
/// # Errors
/// A sentence, where its actions are too many.
pub(super) fn n_outputs<G: Encoding>(game: &G) -> Result<u64, String> {
    match (game.n_actions(), game.n_factors()) {
        (n_actions, _) if n_actions <= MOST_OUTPUTS => Ok(n_actions),
        (n_actions, n_factors) if n_actions <= MOST_NUMBERS && n_factors <= MOST_OUTPUTS => Ok(n_factors),
        (n_actions, n_factors) => Err(format!(
            "it has {n_actions} actions, put together from {n_factors} factors: more than {MOST_NUMBERS} actions or {MOST_OUTPUTS} factors are \
             too many; ntuple has no policy"
        )),
    }
}

/// The outputs of an action, in place of what was in `outputs`.
pub(super) fn outputs_of<G: Encoding>(game: &G, action: G::Action, outputs: &mut Vec<u64>) {
    if game.n_actions() > MOST_OUTPUTS {
        game.factors(action, outputs);
    } else {
        outputs.clear();
        outputs.push(game.action_number(action));
    }
}

/// The logit of an action, by the outputs of a policy. `memory` is for its outputs.
pub(super) fn logit<G: Encoding>(game: &G, action: G::Action, policy: &[f32], memory: &mut Vec<u64>) -> f32 {
    // Networks from elsewhere have an output for each number, however many.
    if policy.len() as u64 == game.n_actions() {
        return policy[game.action_number(action) as usize];
    }
    outputs_of(game, action, memory);
    sum_of(policy, memory)
}
