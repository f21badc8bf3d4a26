//! Seats called by colours are shown in them, and no two seats alike.

use raichi_core::picture::Tone;
use raichi_games::REGISTRY;

const COLOURS: [(&str, Tone); 6] = [
    ("Black", Tone::Black),
    ("White", Tone::White),
    ("Red", Tone::Red),
    ("Yellow", Tone::Yellow),
    ("Blue", Tone::Blue),
    ("Green", Tone::Green),
];

fn check(spec: &str) {
    let game = raichi_games::game(spec).expect("the spec makes a game");
    let n_seats = game.facts().n_seats;
    for seat in 0..n_seats {
        let (name, tone) = (game.seat_name(seat), game.seat_tone(seat));
        if let Some(&(_, expected)) = COLOURS.iter().find(|&&(colour, _)| name == colour) {
            assert_eq!(tone, expected, "{spec}: {name}");
        }
        assert!((0..seat).all(|other| game.seat_tone(other) != tone), "{spec}: two seats are {tone:?}");
    }
}

#[test]
fn seats_are_shown_in_the_colours_they_are_called_by() {
    for entry in REGISTRY {
        check(entry.id);
    }
    for spec in ["sim:players=3", "yavalath:players=3", "yavalath:swap=false", "yavalath:swap=true"] {
        check(spec);
    }
}

#[test]
fn colours_that_are_no_names_are_the_games_own() {
    let tones = |spec: &str| {
        let game = raichi_games::game(spec).expect("the spec makes a game");
        (0..game.facts().n_seats).map(|seat| (game.seat_name(seat), game.seat_tone(seat))).collect::<Vec<_>>()
    };
    for (name, tone) in tones("tablut") {
        assert_eq!(tone, if name == "Swedes" { Tone::White } else { Tone::Black });
    }
    assert_eq!(tones("tic-tac-toe")[1], ("O".into(), Tone::Seat(1)));
}
