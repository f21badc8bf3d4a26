//! What plies lead to from a position that hides something: what it hides is known to nobody.

use raichi_core::random::stream;
use raichi_core::score_sheet;
use raichi_core::{AnyGame, AnyMatch, Viewer};
use serde_json::Value;

use crate::args::Start;
use crate::failure::Failure;

/// How often what a position hides is drawn, to see whether what plies lead to depends on it.
const DRAWS: u64 = 64;

/// What a history leads to from where play begins, and who sees it: `None` where nothing is hidden. Two ends are the same where
/// `described` says the same of them.
///
/// # Errors
/// When a ply is refused, or what the plies lead to depends on what the position hides; what `described` refuses.
pub(super) fn reached(
    game: &dyn AnyGame,
    start: &Start,
    history: &str,
    described: impl Fn(&dyn AnyMatch, Viewer) -> Result<Value, Failure>,
) -> Result<(Box<dyn AnyMatch>, Option<Viewer>), Failure> {
    let mut current = start.open(game)?;
    let seer = current.seen_by();
    let played = score_sheet::play(&mut *current, history).map_err(|why| Failure::Refused(why.to_string()));
    let seat = match seer {
        Some(Viewer::Seat(seat)) if !history.trim().is_empty() => seat,
        Some(_) if !history.trim().is_empty() => {
            let why = "--position is what a spectator sees: what plies lead to from there is not in the text";
            return Err(Failure::Refused(why.into()));
        }
        seer => return played.map(|()| (current, seer)),
    };
    // What is not in the text was chosen arbitrarily: an outcome that the seat can expect may be impossible with it.
    let viewer = Viewer::Seat(seat);
    let mut reached: Option<(Box<dyn AnyMatch>, Value)> = None;
    let mut n_reached = 0;
    for number in 0..DRAWS {
        let mut drawn = start.open(game)?;
        drawn.draw_hidden(&mut stream(0, "replay", number)).expect("a seat wrote the text");
        if score_sheet::play(&mut *drawn, history).is_err() {
            continue;
        }
        n_reached += 1;
        let shown = described(&*drawn, viewer)?;
        match &reached {
            Some((_, first)) if *first != shown => {
                return Err(Failure::Refused(format!(
                    "--position is what seat {seat} sees, and what these plies lead to depends on what it hides, which is not in \
                     the text"
                )));
            }
            Some(_) => {}
            None => reached = Some((drawn, shown)),
        }
    }
    match reached {
        // One draw alone has nothing to be compared with.
        Some((current, _)) if n_reached > 1 => Ok((current, Some(viewer))),
        _ => Err(played.err().unwrap_or_else(|| {
            Failure::Refused(format!(
                "what --position hides allows these plies in {n_reached} of {DRAWS} draws, too few to say what they lead to"
            ))
        })),
    }
}
