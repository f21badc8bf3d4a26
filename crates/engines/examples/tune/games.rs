//! What is asked for, and the game it is asked of as a concrete type.

use raichi_core::erased::{create, split_spec};
use raichi_engines::{black, connect_four, focus, hex, kaalu, othello, sim, tablut, yavalath};
use raichi_games as games;

use crate::{fit, matches};

/// The entries `key=value` after what comes by place.
pub(crate) struct Settings<'a>(&'a [String]);

impl Settings<'_> {
    pub(crate) fn number(&self, key: &str, default: u64) -> u64 {
        let given = self.0.iter().find_map(|entry| entry.strip_prefix(key)?.strip_prefix('='));
        given.map_or(default, |text| text.parse().expect("settings are whole numbers"))
    }

    /// Puts the numbers of `weights=W1,W2,…` in place of the first ones.
    pub(crate) fn replace(&self, weights: &mut [f32]) {
        let given = self.0.iter().find_map(|entry| entry.strip_prefix("weights="));
        for (weight, text) in weights.iter_mut().zip(given.into_iter().flat_map(|all| all.split(','))) {
            *weight = text.parse().expect("weights are numbers");
        }
    }
}

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let usage = || "tune match SPEC A B …, tune fit SPEC …, tune time SPEC".to_string();
    let (command, rest) = arguments.split_first().ok_or_else(usage)?;
    let (spec, rest) = rest.split_first().ok_or_else(usage)?;
    let (id, params) = split_spec(spec);
    macro_rules! games {
        ($($id:literal => $game:ty, $hand:ty;)+) => {
            match id {
                $($id => {
                    let game = create::<$game>(params).map_err(|why| why.to_string())?;
                    match command.as_str() {
                        "match" => matches::run::<$game, $hand>(game, rest),
                        "fit" => fit::run::<$game, $hand>(game, &Settings(rest)),
                        "time" => fit::time::<$game, $hand>(game),
                        _ => return Err(usage()),
                    }
                })+
                _ => return Err(format!("{id} has no evaluator that can be tuned")),
            }
        };
    }
    games! {
        "black" => games::black::Black, black::Hand;
        "connect-four" => games::connect_four::ConnectFour, connect_four::Hand;
        "focus" => games::focus::Focus, focus::Hand;
        "hex" => games::hex::Hex, hex::Hand;
        "kaalu" => games::kaalu::Kaalu, kaalu::Hand;
        "othello" => games::othello::Othello, othello::Hand;
        "sim" => games::sim::Sim, sim::Hand;
        "tablut" => games::tablut::Tablut, tablut::Hand;
        "yavalath" => games::yavalath::Yavalath, yavalath::Hand;
    }
    Ok(())
}

/// The settings after the two players of a match.
pub(crate) fn settings(rest: &[String]) -> Settings<'_> {
    Settings(rest)
}
