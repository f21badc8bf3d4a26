//! The rule book, clause by clause.

use std::collections::HashSet;

use raichi_core::erased::{AnyMatch, create, split_spec};
use raichi_core::game::{Choice, Game, Payoffs, Phase};
use raichi_core::history::By;
use raichi_core::information::Information;
use raichi_core::notation::Notation;
use raichi_core::perft::KnownCounts;
use raichi_core::picture::{Cell, Shape, Tone, View};
use raichi_core::random::{self, FastRng, stream};
use raichi_core::verdict::{Called, Ending, Names};
use raichi_core::{Encoding, Match, Scene, Viewer};

use super::board::{CARDS, Card, Metal, Resource};
use super::reference::Reference;
use super::rules::{Draft, HAND, JabirsTransmutations, N_SEATS, Stage, State, Step};

const GAME: JabirsTransmutations = JabirsTransmutations { eureka_for_all: false, max_rounds: 60, together: false };

/// A position to try things on, by text.
struct Table {
    game: JabirsTransmutations,
    state: State,
}

impl Table {
    fn new(state: State) -> Table {
        Table { game: GAME, state }
    }

    /// The turn of a seat in Play, the board empty, no cards.
    fn turn_of(seat: u8) -> Table {
        let mut state = GAME.initial_state();
        state.tokens = [[0; 14]; N_SEATS];
        state.stage = Stage::Play(seat);
        Table::new(state)
    }

    /// The starting seat's choice after an event, from the first position.
    fn event(outcome: &str) -> Table {
        let mut table = Table::new(GAME.initial_state());
        table.happens(outcome);
        table
    }

    fn with(mut self, seat: usize, tokens: &[(Resource, u8)], fire: u8, water: u8) -> Table {
        for &(resource, n) in tokens {
            self.state.tokens[seat][resource as usize] = n;
        }
        self.state.saved[seat] = [fire, water];
        self
    }

    fn legal(&self, seat: usize) -> Vec<String> {
        let mut actions = Vec::new();
        self.game.legal_actions(&self.state, seat, &mut actions);
        actions.iter().map(|&action| self.game.action_text(&self.state, seat, action)).collect()
    }

    fn plays(&mut self, seat: usize, text: &str) -> &mut Table {
        assert!(self.legal(seat).contains(&text.to_string()), "{text} is not among {:?}", self.legal(seat));
        let action = self.game.parse_action(&self.state, seat, text).unwrap();
        self.game.apply(&mut self.state, seat, action);
        self
    }

    fn happens(&mut self, text: &str) -> &mut Table {
        assert_eq!(self.game.phase(&self.state), Phase::Chance, "before {text}");
        let outcome = self.game.parse_outcome(&self.state, text).unwrap();
        self.game.apply_outcome(&mut self.state, outcome);
        self
    }

    /// Why an action is refused.
    fn refuses(&self, seat: usize, text: &str) -> String {
        assert!(!self.legal(seat).contains(&text.to_string()), "{text} is legal");
        let action = self.game.parse_action(&self.state, seat, text).unwrap();
        self.game.why_illegal(&self.state, seat, action)
    }

    /// A seat's tokens as text: `2 lead, 1 tin`, metals included.
    fn board(&self, seat: usize) -> String {
        let tokens = Resource::ALL.iter().map(|&one| (self.state.tokens[seat][one as usize], one.word()));
        let metals = Metal::ALL.iter().map(|&one| (self.state.metals[seat][one as usize], one.word()));
        let all = tokens.chain(metals).filter(|&(n, _)| n > 0);
        all.map(|(n, word)| format!("{n} {word}")).collect::<Vec<_>>().join(", ")
    }

    /// Deals these cards to each seat in order from the starting seat.
    fn deal(&mut self, hands: [[&str; HAND]; N_SEATS]) -> &mut Table {
        for card in hands.as_flattened() {
            self.happens(&format!("~{card}"));
        }
        self
    }

    /// All seats draft the first card of their hands until the draft is over.
    fn draft_all(&mut self) -> &mut Table {
        while let (Stage::Draft(_), Phase::Act(seats)) = (self.state.stage, self.game.phase(&self.state)) {
            let first = self.legal(seats.first())[0].clone();
            self.plays(seats.first(), &first);
        }
        self
    }
}

use Resource::*;

// The start

#[test]
fn every_seat_starts_with_one_token_on_each_primary_resource_and_the_decks_are_full() {
    let table = Table::new(GAME.initial_state());
    for seat in 0..3 {
        assert_eq!(table.board(seat), "1 cinnabar, 1 lead, 1 yellow-salt");
        assert_eq!(table.state.supply(seat), 25);
    }
    assert_eq!(CARDS.iter().sum::<u8>(), 80);
    let mut outcomes = AnyMatch::outcomes(&Match::new(GAME), Viewer::Referee);
    outcomes.sort();
    let weights: Vec<(&str, u64)> = outcomes.iter().map(|(text, weight)| (text.as_str(), *weight)).collect();
    assert_eq!(weights, [("~disaster", 1), ("~eureka", 3), ("~explosion", 1), ("~favor", 1), ("~steal", 1)]);
}

#[test]
fn parameters_are_as_declared() {
    let spec =
        |text| create::<JabirsTransmutations>(text).map(|game| game.spec().to_string()).map_err(|why| why.to_string());
    assert_eq!(spec(None).unwrap(), "jabirs-transmutations");
    assert_eq!(spec(Some("max-rounds=60,eureka=chooser")).unwrap(), "jabirs-transmutations");
    assert_eq!(spec(Some("max-rounds=10000,eureka=all")).unwrap(), "jabirs-transmutations:eureka=all,max-rounds=10000");
    assert!(spec(Some("max-rounds=0")).unwrap_err().contains("a whole number from 1 to 10000"));
    assert!(spec(Some("max-rounds=10001")).unwrap_err().contains("a whole number from 1 to 10000"));
    assert!(spec(Some("eureka=none")).unwrap_err().contains("one of chooser, all"));
}

// Event phase

#[test]
fn an_eureka_gives_the_chooser_an_elixir() {
    let mut table = Table::event("~eureka");
    assert_eq!(table.legal(0), ["eureka-hotness", "eureka-coldness", "eureka-wetness", "eureka-dryness"]);
    table.plays(0, "eureka-coldness");
    assert_eq!(table.board(0), "1 cinnabar, 1 lead, 1 yellow-salt, 1 coldness");
    assert_eq!(table.board(1), "1 cinnabar, 1 lead, 1 yellow-salt");
    assert_eq!(table.state.stage, Stage::Deal(0));
}

#[test]
fn with_eureka_all_every_seat_that_has_a_token_gains() {
    let mut table = Table::event("~eureka").with(1, &[(Cinnabar, 26)], 0, 0);
    table.game.eureka_for_all = true;
    table.plays(0, "eureka-dryness");
    assert!(table.board(0).ends_with("1 dryness") && table.board(2).ends_with("1 dryness"));
    assert_eq!(table.board(1), "26 cinnabar, 1 lead, 1 yellow-salt", "all 28 were on the board");
}

#[test]
fn an_eureka_without_a_token_changes_nothing_but_is_legal() {
    let mut table = Table::event("~eureka").with(0, &[(Cinnabar, 26)], 0, 0);
    table.plays(0, "eureka-hotness");
    assert_eq!(table.board(0), "26 cinnabar, 1 lead, 1 yellow-salt");
}

#[test]
fn an_explosion_takes_the_larger_half_from_everybody() {
    let mut table = Table::event("~explosion").with(0, &[(Tin, 3)], 0, 0).with(1, &[(Tin, 4)], 0, 0);
    table.state.tokens[2][Tin as usize] = 1;
    assert_eq!(table.legal(0).len(), 14, "any resource but the metals");
    assert!(table.legal(0).contains(&"explosion-wetness".to_string()));
    table.plays(0, "explosion-tin");
    assert_eq!([0, 1, 2].map(|seat| table.state.tokens[seat][Tin as usize]), [1, 2, 0]);
    assert_eq!(table.state.supply(0), 24, "lost tokens return to the supply");
    assert!(Table::event("~explosion").refuses(0, "favor-lead").contains("the event is explosion"));
    assert!(GAME.parse_action(&table.state, 0, "explosion-gold").is_err());
}

#[test]
fn a_disaster_discards_everybodys_saved_cards_of_a_kind() {
    let mut table = Table::event("~disaster").with(0, &[], 1, 2).with(1, &[], 3, 0);
    assert_eq!(table.legal(0), ["disaster-fire", "disaster-water"]);
    table.plays(0, "disaster-fire");
    assert_eq!(table.state.saved, [[0, 2], [0, 0], [0, 0]]);
    assert_eq!(table.state.discard, [4, 0, 0, 0, 0]);
    assert!(Table::event("~disaster").refuses(0, "disaster-lead").contains("fire or water"));
}

#[test]
fn a_favor_gives_two_primary_tokens_or_as_many_as_there_are() {
    let mut table = Table::event("~favor");
    assert_eq!(table.legal(0), ["favor-cinnabar", "favor-lead", "favor-yellow-salt"]);
    table.plays(0, "favor-lead");
    assert_eq!(table.board(0), "1 cinnabar, 3 lead, 1 yellow-salt");
    let mut table = Table::event("~favor").with(0, &[(Tin, 24)], 0, 0);
    table.plays(0, "favor-lead");
    assert_eq!(table.state.tokens[0][Lead as usize], 2, "one token was left");
}

#[test]
fn stealing_puts_ones_own_token_in_the_place_of_an_opponents() {
    let mut table = Table::event("~steal").with(1, &[(Tin, 1), (Wetness, 2)], 0, 0);
    table.state.tokens[2] = [0; 14];
    assert_eq!(
        table.legal(0),
        ["steal-1-cinnabar", "steal-1-lead", "steal-1-yellow-salt", "steal-1-tin"],
        "neither elixirs nor what nobody has"
    );
    assert!(table.refuses(0, "steal-1-wetness").contains("elixir"));
    assert!(table.refuses(0, "steal-2-lead").contains("seat 2 has no token on lead"));
    assert!(table.refuses(0, "steal-0-lead").contains("from an opponent"));
    assert!(table.refuses(0, "no-event").contains("something to steal"));
    assert!(GAME.parse_action(&table.state, 0, "steal-3-lead").is_err());
    table.plays(0, "steal-1-tin");
    assert_eq!(table.board(0), "1 cinnabar, 1 lead, 1 yellow-salt, 1 tin");
    assert_eq!(table.board(1), "1 cinnabar, 1 lead, 1 yellow-salt, 2 wetness");
    assert_eq!((table.state.supply(0), table.state.supply(1)), (24, 23), "the stolen token is its owner's again");
}

#[test]
fn when_nothing_can_be_stolen_the_only_action_is_no_event() {
    let mut nobody_has_any = Table::event("~steal");
    nobody_has_any.state.tokens = [[0; 14]; 3];
    nobody_has_any.state.tokens[1][Hotness as usize] = 2;
    nobody_has_any.state.metals[1] = [1, 1];
    assert_eq!(nobody_has_any.legal(0), ["no-event"]);
    nobody_has_any.plays(0, "no-event");
    assert_eq!(nobody_has_any.state.stage, Stage::Deal(0));
    let no_token_to_put = Table::event("~steal").with(0, &[(Cinnabar, 26)], 0, 0);
    assert_eq!(no_token_to_put.legal(0), ["no-event"]);
    assert!(no_token_to_put.refuses(0, "steal-1-lead").contains("all your tokens are on the board"));
}

#[test]
fn the_event_deck_is_used_up_before_it_is_made_up_again() {
    let mut rng = stream(11, "test", 0);
    let mut game = Match::new(GAME);
    let mut events = Vec::new();
    while events.len() < 14 {
        if game.state().stage == Stage::Event {
            game.sample_outcome(&mut rng).unwrap();
            let text = game.plies().last().expect("an event was turned").text.clone();
            events.push(text);
        } else if let (Stage::Play(seat), Phase::Act(_)) = (game.state().stage, game.phase()) {
            // Nobody makes anything, so the game lasts.
            let last = *game.legal_actions(seat.into()).last().unwrap();
            game.play(seat.into(), last).unwrap();
        } else {
            step(&mut game, &mut rng);
        }
    }
    for seven in events.chunks_mut(7) {
        seven.sort();
        assert_eq!(seven, ["~disaster", "~eureka", "~eureka", "~eureka", "~explosion", "~favor", "~steal"]);
    }
}

#[test]
fn the_next_seat_starts_the_next_round_and_only_it_chooses() {
    let mut table = Table::turn_of(2);
    assert_eq!(table.state.starter(), 0);
    table.plays(2, "end").happens("~favor");
    assert_eq!(GAME.phase(&table.state), Phase::seat(1));
    table.plays(1, "favor-lead").deal([["lead"; 6], ["cinnabar"; 6], ["yellow-salt"; 6]]);
    assert_eq!(table.state.draft.hands[1], [0, 0, 0, 6, 0], "the starting seat is dealt to first");
    assert_eq!(table.state.draft.hands[2], [0, 0, 6, 0, 0]);
    table.draft_all();
    assert_eq!(table.state.stage, Stage::Play(1), "and it has the first turn");
    table.plays(1, "end").plays(2, "end");
    assert_eq!(table.state.stage, Stage::Play(0));
}

// Draft phase

const MIXED: [[&str; HAND]; N_SEATS] = [
    ["fire", "fire", "water", "cinnabar", "lead", "yellow-salt"],
    ["cinnabar", "cinnabar", "cinnabar", "lead", "lead", "lead"],
    ["water", "water", "water", "yellow-salt", "yellow-salt", "fire"],
];

fn drafting() -> Table {
    let mut table = Table::event("~favor");
    table.plays(0, "favor-lead").deal(MIXED);
    table
}

#[test]
fn cards_are_dealt_by_what_is_left_in_the_deck() {
    let mut game = Match::new(GAME);
    game.play_history("~favor favor-lead ~fire ~fire ~lead").unwrap();
    let weights: Vec<u64> = AnyMatch::outcomes(&game, Viewer::Referee).into_iter().map(|(_, weight)| weight).collect();
    // ~cinnabar ~fire ~lead ~water ~yellow-salt
    assert_eq!(weights, [20, 24, 9, 14, 10]);
}

#[test]
fn all_seats_draft_at_the_same_time_one_action_a_kind() {
    let mut table = drafting();
    let Phase::Act(seats) = GAME.phase(&table.state) else { panic!("seats draft") };
    assert_eq!(seats.iter().collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(table.legal(0), ["draft-fire", "draft-water", "draft-cinnabar", "draft-lead", "draft-yellow-salt"]);
    assert_eq!(table.legal(1), ["draft-cinnabar", "draft-lead"]);
    assert!(table.refuses(1, "draft-fire").contains("no fire card"));
    table.plays(1, "draft-lead");
    let Phase::Act(seats) = GAME.phase(&table.state) else { panic!("seats draft") };
    assert_eq!(seats.iter().collect::<Vec<_>>(), [0, 2], "who has picked waits");
}

#[test]
fn what_is_left_goes_one_seat_to_the_left() {
    let mut table = drafting();
    table.plays(2, "draft-fire").plays(0, "draft-fire").plays(1, "draft-lead");
    assert_eq!(table.state.held(1), &[1, 1, 1, 1, 1], "seat 1 has what seat 0 left");
    assert_eq!(table.state.held(2), &[0, 0, 3, 2, 0], "seat 2 what seat 1 left");
    assert_eq!(table.state.held(0), &[0, 3, 0, 0, 2], "and seat 0 what seat 2 left");
    assert_eq!(table.legal(0), ["draft-water", "draft-yellow-salt"]);
}

#[test]
fn after_six_turns_everybody_has_six_cards_which_become_tokens_in_the_seats_turn() {
    let mut table = drafting();
    table.draft_all();
    assert_eq!(table.state.draft, Draft::NONE);
    // Seat 0 drafted fire, water, cinnabar, cinnabar, yellow salt and lead; its turn has come, the others' has not.
    assert_eq!(table.state.saved[0], [1, 1]);
    assert_eq!(table.board(0), "3 cinnabar, 4 lead, 2 yellow-salt", "with the favor's two");
    assert_eq!(table.state.discard, [0, 0, 2, 1, 1]);
    assert_eq!(table.board(1), "1 cinnabar, 1 lead, 1 yellow-salt");
    assert_eq!(table.state.drafted[1].iter().sum::<u8>(), 6);
    table.plays(0, "end");
    assert_eq!(table.state.drafted[1], [0; 5]);
    assert_ne!(table.board(1), "1 cinnabar, 1 lead, 1 yellow-salt");
}

#[test]
fn cards_without_a_token_are_just_discarded_cinnabar_before_lead_before_yellow_salt() {
    let mut table = Table::turn_of(0).with(1, &[(Tin, 25)], 0, 0);
    table.state.drafted[1] = [0, 0, 2, 2, 2];
    table.plays(0, "end");
    assert_eq!(table.board(1), "2 cinnabar, 1 lead, 25 tin");
    assert_eq!(table.state.discard, [0, 0, 2, 2, 2]);
}

/// A deck with so many cards left, the others saved up in the discards; the starting seat is about to choose.
fn short_deck(deck: [u8; 5]) -> State {
    let mut state = Table::event("~favor").state;
    state.deck = deck;
    state.discard = std::array::from_fn(|kind| CARDS[kind] - deck[kind]);
    state
}

#[test]
fn the_discards_are_shuffled_in_when_the_deck_is_empty_and_a_card_is_due() {
    let mut table = Table::new(short_deck([2, 0, 0, 0, 0]));
    table.plays(0, "favor-lead").happens("~fire");
    assert_eq!((table.state.deck, table.state.discard[1]), ([1, 0, 0, 0, 0], 14), "not earlier");
    table.happens("~fire");
    assert_eq!((table.state.deck, table.state.discard), ([24, 14, 20, 10, 10], [0; 5]));
    // Exactly enough for the deal: nothing is shuffled in before the next.
    let mut table = Table::new(short_deck([6, 6, 6, 0, 0]));
    table.plays(0, "favor-lead").deal([["fire"; 6], ["water"; 6], ["cinnabar"; 6]]);
    assert_eq!((table.state.deck, table.state.discard), ([0; 5], [20, 8, 14, 10, 10]));
    // An empty deck takes in what a disaster has just discarded.
    let mut table = Table::new(short_deck([0; 5])).with(0, &[], 2, 0);
    table.state.discard[0] -= 2;
    table.state.stage = Stage::Choice(super::Event::Disaster);
    table.plays(0, "disaster-fire");
    assert_eq!((table.state.deck, table.state.discard), (CARDS, [0; 5]));
}

// Play phase

#[test]
fn example_1_two_quicksilver_and_a_fire_make_pure_quicksilver() {
    let mut table = Table::turn_of(0).with(0, &[(Quicksilver, 2)], 1, 0).with(1, &[(Quicksilver, 1)], 1, 0);
    assert_eq!(table.legal(0), ["pure-quicksilver", "end"]);
    table.plays(0, "pure-quicksilver");
    assert_eq!((table.board(0).as_str(), table.state.saved[0]), ("1 pure-quicksilver", [0, 0]));
    table.plays(0, "end");
    assert_eq!(table.legal(1), ["end"], "one quicksilver is not enough");
    assert_eq!(table.refuses(1, "pure-quicksilver"), "it needs 2 quicksilver, and you have 1");
    table.state.tokens[1][Quicksilver as usize] = 3;
    table.state.saved[1] = [0, 1];
    assert_eq!(table.refuses(1, "pure-quicksilver"), "it needs a fire card");
}

#[test]
fn example_2_two_cinnabar_make_quicksilver_and_on_three_or_more_sulfur() {
    for (roll, board) in [
        ("~1", "1 cinnabar, 1 quicksilver"),
        ("~2", "1 cinnabar, 1 quicksilver"),
        ("~3", "1 cinnabar, 1 quicksilver, 1 sulfur"),
        ("~6", "1 cinnabar, 1 quicksilver, 1 sulfur"),
    ] {
        let mut table = Table::turn_of(2).with(2, &[(Cinnabar, 3)], 2, 0);
        table.plays(2, "quicksilver");
        assert_eq!(table.board(2), "1 cinnabar, 1 quicksilver", "the product that is certain comes before the roll");
        table.happens(roll);
        assert_eq!((table.board(2).as_str(), table.state.saved[2]), (board, [1, 0]), "{roll}");
        assert_eq!(table.state.discard, [1, 0, 0, 0, 0]);
    }
}

#[test]
fn example_3_gold_from_tin_and_copper_may_be_tried_again_with_the_same_card() {
    let mut table = Table::turn_of(0).with(0, &[(Tin, 2), (Copper, 1)], 1, 0);
    table.plays(0, "gold-copper");
    assert_eq!(table.board(0), "2 tin, 1 copper", "nothing leaves before the roll");
    table.happens("~2");
    assert_eq!((table.board(0).as_str(), table.state.saved[0]), ("1 tin, 1 copper", [1, 0]));
    assert_eq!(table.state.discard, [0; 5]);
    table.plays(0, "gold-copper").happens("~3");
    assert_eq!((table.board(0).as_str(), table.state.saved[0]), ("1 gold", [0, 0]));
    assert_eq!(table.state.discard, [1, 0, 0, 0, 0]);
}

#[test]
fn each_transmutation_takes_its_reactants_and_card_and_gives_its_products() {
    // name, tokens, fire, water, roll, board afterwards, fire and water afterwards
    type Case = (&'static str, &'static [(Resource, u8)], [u8; 2], Option<&'static str>, &'static str, [u8; 2]);
    let cases: [Case; 17] = [
        ("arsenic", &[(YellowSalt, 2)], [1, 1], None, "1 sulfur, 1 arsenic", [1, 0]),
        ("tin", &[(Lead, 1), (Quicksilver, 1)], [1, 0], Some("~3"), "1 tin", [0, 0]),
        ("tin", &[(Lead, 1), (Quicksilver, 1)], [1, 0], Some("~2"), "1 lead", [1, 0]),
        ("copper", &[(Lead, 2), (Arsenic, 1)], [1, 0], None, "1 copper", [0, 0]),
        ("distilled-sulfur", &[(Sulfur, 2)], [0, 1], None, "1 distilled-sulfur", [0, 0]),
        ("pure-quicksilver", &[(Quicksilver, 2)], [1, 1], None, "1 pure-quicksilver", [0, 1]),
        ("wetness", &[(DistilledSulfur, 1)], [0, 1], Some("~2"), "1 wetness", [0, 0]),
        ("wetness", &[(DistilledSulfur, 1)], [0, 1], Some("~3"), "1 hotness, 1 wetness", [0, 0]),
        ("silver", &[(Tin, 1), (Coldness, 1)], [1, 0], None, "1 silver", [0, 0]),
        ("gold-wetness", &[(PureQuicksilver, 1), (DistilledSulfur, 1), (Wetness, 1)], [0, 0], None, "1 gold", [0, 0]),
        ("gold-dryness", &[(PureQuicksilver, 1), (Dryness, 1), (Tin, 1)], [0, 0], None, "1 gold", [0, 0]),
        ("gold-copper", &[(Tin, 1), (Copper, 1)], [1, 0], Some("~6"), "1 gold", [0, 0]),
        ("gold-copper", &[(Tin, 1), (Copper, 1)], [1, 0], Some("~1"), "1 copper", [1, 0]),
        ("gold-hotness", &[(Arsenic, 1), (Copper, 1), (Hotness, 1)], [0, 0], Some("~3"), "1 gold", [0, 0]),
        ("gold-hotness", &[(Arsenic, 1), (Copper, 1), (Hotness, 1)], [0, 0], Some("~2"), "1 copper, 1 hotness", [0, 0]),
        ("quicksilver", &[(Cinnabar, 2)], [1, 0], Some("~4"), "1 quicksilver, 1 sulfur", [0, 0]),
        ("quicksilver", &[(Cinnabar, 2)], [1, 0], Some("~1"), "1 quicksilver", [0, 0]),
    ];
    for (name, tokens, [fire, water], roll, board, saved) in cases {
        let mut table = Table::turn_of(1).with(1, tokens, fire, water);
        table.plays(1, name);
        assert_eq!(roll.is_some(), GAME.phase(&table.state) == Phase::Chance, "{name}");
        if let Some(roll) = roll {
            table.happens(roll);
        }
        assert_eq!((table.board(1).as_str(), table.state.saved[1]), (board, saved), "{name} {roll:?}");
        let used = [fire - saved[0], water - saved[1]];
        assert_eq!([table.state.discard[0], table.state.discard[1]], used, "{name} {roll:?}");
        assert_eq!(table.state.stage, Stage::Play(1));
        // Each single reactant, and the card, is needed.
        for &(resource, n) in tokens {
            let mut lacking = Table::turn_of(1).with(1, tokens, fire, water);
            lacking.state.tokens[1][resource as usize] = n - 1;
            assert!(lacking.refuses(1, name).contains(&format!("it needs {n} {}", resource.word())));
        }
        let without_cards = Table::turn_of(1).with(1, tokens, 0, 0);
        let needs_card = !["gold-wetness", "gold-dryness", "gold-hotness"].contains(&name);
        assert_eq!(!without_cards.legal(1).contains(&name.to_string()), needs_card, "{name}");
    }
}

#[test]
fn metals_that_are_out_are_not_made() {
    let mut table = Table::turn_of(0).with(0, &[(Tin, 1), (Coldness, 1), (Copper, 1)], 1, 0);
    table.state.metals = [[8, 0], [0, 15], [0, 0]];
    assert_eq!(table.legal(0), ["silver", "gold-copper", "end"]);
    table.state.metals = [[8, 0], [0, 15], [1, 1]];
    assert_eq!(table.legal(0), ["end"]);
    assert_eq!(table.refuses(0, "silver"), "no silver is left");
    assert_eq!(table.refuses(0, "gold-copper"), "no gold is left");
    // All four ways to make gold.
    let everything: Vec<(Resource, u8)> = Resource::ALL.iter().map(|&resource| (resource, 1)).collect();
    let mut table = Table::turn_of(0).with(0, &everything, 1, 0);
    let golds = |table: &Table| table.legal(0).iter().filter(|text| text.starts_with("gold")).count();
    assert_eq!(golds(&table), 4);
    table.state.metals[0] = [0, 16];
    assert_eq!(golds(&table), 0);
}

#[test]
fn a_product_die_is_rolled_only_while_a_token_is_left() {
    let mut table = Table::turn_of(0).with(0, &[(DistilledSulfur, 1), (Lead, 27)], 0, 1);
    table.plays(0, "wetness");
    assert_eq!((table.board(0).as_str(), table.state.stage), ("27 lead, 1 wetness", Stage::Play(0)));
    let mut table = Table::turn_of(0).with(0, &[(DistilledSulfur, 1), (Lead, 26)], 0, 1);
    table.plays(0, "wetness").happens("~5");
    assert_eq!(table.board(0), "26 lead, 1 hotness, 1 wetness");
    // Two reactants leave before one product comes, so quicksilver always has a token for sulfur.
    let mut table = Table::turn_of(0).with(0, &[(Cinnabar, 28)], 1, 0);
    table.plays(0, "quicksilver").happens("~3");
    assert_eq!(table.board(0), "26 cinnabar, 1 quicksilver, 1 sulfur");
}

#[test]
fn a_turn_ends_with_at_most_three_fire_and_water() {
    let mut table = Table::turn_of(0).with(0, &[(Cinnabar, 2)], 3, 2);
    assert_eq!(table.legal(0), ["quicksilver", "discard-fire", "discard-water"]);
    assert!(table.refuses(0, "end").contains("more than 3"));
    table.plays(0, "discard-water");
    assert_eq!(table.legal(0), ["quicksilver", "discard-fire", "discard-water"], "transmuting is legal in between");
    table.plays(0, "quicksilver").happens("~1");
    assert_eq!(table.legal(0), ["end"]);
    assert!(table.refuses(0, "discard-fire").contains("only while you hold more than 3"));
    table.plays(0, "end");
    assert_eq!((table.state.saved[0], table.state.discard), ([2, 1], [1, 1, 0, 0, 0]), "three are kept");
    let only_fire = Table::turn_of(0).with(0, &[], 4, 0);
    assert_eq!(only_fire.legal(0), ["discard-fire"]);
    assert!(only_fire.refuses(0, "discard-water").contains("no water card"));
}

// The end

fn at_the_end(metals: [[u8; 2]; 3], tokens: [&[(Resource, u8)]; 3]) -> Table {
    let mut table = Table::turn_of(2);
    for (seat, tokens) in tokens.into_iter().enumerate() {
        table = table.with(seat, tokens, 0, 0);
    }
    table.state.metals = metals;
    table
}

#[test]
fn the_game_ends_after_a_round_in_which_somebody_has_seventeen() {
    let elixirs: &[(Resource, u8)] = &[(Hotness, 1), (Dryness, 1)];
    let mut table = at_the_end([[0, 3], [0, 0], [0, 0]], [elixirs, &[], &[]]);
    assert_eq!(table.state.points(0), 17);
    assert_eq!(GAME.phase(&table.state), Phase::seat(2), "not before all three have played");
    table.plays(2, "end");
    assert_eq!((GAME.phase(&table.state), GAME.end_reason(&table.state)), (Phase::Over, "seventeen"));
    assert_eq!(GAME.payoffs(&table.state), Payoffs::new([1.0, 0.0, 0.0]));
    let mut table = at_the_end([[0, 3], [0, 0], [0, 0]], [&[(Coldness, 1)], &[], &[]]);
    table.plays(2, "end");
    assert_eq!(table.state.stage, Stage::Event, "sixteen is not enough");
}

#[test]
fn the_game_ends_after_the_last_round() {
    let mut table = at_the_end([[0, 0], [1, 0], [0, 0]], [&[], &[], &[]]);
    table.game.max_rounds = 1;
    table.plays(2, "end");
    assert_eq!((GAME.phase(&table.state), GAME.end_reason(&table.state)), (Phase::Over, "rounds"));
    assert_eq!(GAME.payoffs(&table.state), Payoffs::new([0.0, 1.0, 0.0]));
    // Both at once: seventeen is named first.
    let mut table = at_the_end([[0, 4], [0, 0], [0, 0]], [&[], &[], &[]]);
    table.game.max_rounds = 1;
    table.plays(2, "end");
    assert_eq!(GAME.end_reason(&table.state), "seventeen");
}

#[test]
fn ties_go_to_gold_then_silver_then_tokens() {
    let payoffs = |metals, tokens| GAME.payoffs(&at_the_end(metals, tokens).state);
    let ten: &[(Resource, u8)] = &[(Wetness, 10)];
    let seven: &[(Resource, u8)] = &[(Wetness, 7)];
    let four: &[(Resource, u8)] = &[(Wetness, 4)];
    // 18 points each way.
    assert_eq!(
        payoffs([[1, 3], [0, 3], [6, 0]], [&[], &[(Hotness, 3), (Lead, 9)], &[]]),
        Payoffs::new([1.0, 0.0, 0.0])
    );
    assert_eq!(
        payoffs([[2, 1], [1, 1], [0, 1]], [&[], &[(Hotness, 3)], &[(Hotness, 6)]]),
        Payoffs::new([1.0, 0.0, 0.0])
    );
    // 10 points, no gold: silver decides; then tokens.
    assert_eq!(payoffs([[0, 0], [1, 0], [2, 0]], [ten, seven, four]), Payoffs::new([0.0, 0.0, 1.0]));
    let with_lead: &[(Resource, u8)] = &[(Wetness, 7), (Lead, 1)];
    assert_eq!(payoffs([[1, 0], [1, 0], [0, 0]], [with_lead, seven, ten]), Payoffs::new([1.0, 0.0, 0.0]));
    assert_eq!(payoffs([[1, 0], [1, 0], [0, 0]], [seven, seven, ten]), Payoffs::new([0.5, 0.5, 0.0]));
    let third = 1.0 / 3.0;
    assert_eq!(GAME.payoffs(&GAME.initial_state()), Payoffs::new([third; 3]), "broken off at the start");
}

#[test]
fn what_broke_a_tie_is_told() {
    let names = Names::called(["Blue", "Green", "Red"].map(Called::one));
    let text = |reason, metals, tokens: [&[(Resource, u8)]; N_SEATS]| {
        let state = at_the_end(metals, tokens).state;
        let payoffs = GAME.payoffs(&state);
        GAME.end_text(&state, &Ending { reason, payoffs: &payoffs, names: &names, max_plies: None })
    };
    let three: &[(Resource, u8)] = &[(Hotness, 3)];
    let by_gold = text("seventeen", [[0, 3], [6, 0], [0, 0]], [three, &[], &[]]);
    assert_eq!(by_gold, "Blue wins with 18 points (tie broken by gold)");
    let by_silver = text("rounds", [[0, 0], [1, 0], [2, 0]], [&[(Wetness, 10)], &[(Wetness, 7)], &[(Wetness, 4)]]);
    assert_eq!(by_silver, "Red wins with 10 points (tie broken by silver): all rounds are played");
    let by_tokens = text("rounds", [[0, 0], [0, 0], [0, 0]], [&[(Wetness, 1), (Lead, 1)], &[(Wetness, 1)], &[]]);
    assert_eq!(by_tokens, "Blue wins with 1 point (tie broken by tokens): all rounds are played");
    let by_points = text("rounds", [[0, 0], [0, 0], [0, 0]], [&[(Wetness, 2)], &[(Wetness, 1)], &[]]);
    assert_eq!(by_points, "Blue wins with 2 points: all rounds are played");
}

// Against the slow program

fn step(game: &mut Match<JabirsTransmutations>, rng: &mut FastRng) {
    match game.phase() {
        Phase::Chance => {
            game.sample_outcome(rng).unwrap();
        }
        Phase::Act(seats) => {
            let seat = seats.iter().nth(random::index(rng, seats.len())).unwrap();
            let action = game.game().random_action(game.state(), seat, &mut Vec::new(), rng);
            game.play(seat, action).unwrap();
        }
        Phase::Over => unreachable!("the caller has looked"),
    }
}

#[test]
fn random_games_agree_with_the_slow_program_at_every_ply() {
    let mut ends = std::collections::BTreeMap::new();
    for seed in 0..160 {
        let mut rng = stream(seed, "reference", 0);
        let together = seed >= 100;
        let eureka_for_all = seed % 2 == 1;
        let max_rounds = [60, 1, 8, 60, 3, 14][seed as usize % 6];
        let rules = JabirsTransmutations { eureka_for_all, max_rounds, together };
        let mut ours = Match::new(rules);
        let mut slow = Reference::new(eureka_for_all, max_rounds.into(), together);
        while ours.phase() != Phase::Over {
            assert!(!slow.is_over());
            let to_act: Vec<usize> = if let Phase::Act(seats) = ours.phase() { seats.iter().collect() } else { vec![] };
            let place = || AnyMatch::history(&ours, Viewer::Referee);
            assert_eq!(to_act, slow.to_act(), "{}", place());
            assert_eq!(AnyMatch::outcomes(&ours, Viewer::Referee), slow.outcomes(), "{}", place());
            for &seat in &to_act {
                assert_eq!(AnyMatch::legal(&ours, seat), slow.legal(seat), "{}", place());
            }
            assert_eq!(ours.game().payoffs(ours.state()).as_slice(), slow.payoffs(), "{}", place());
            step(&mut ours, &mut rng);
            let ply = ours.plies().last().unwrap();
            match ply.by {
                By::Seat(seat) => slow.play(seat, &ply.text),
                By::Chance => slow.happen(&ply.text),
            }
        }
        assert!(slow.is_over());
        assert_eq!(ours.end_reason(), Some(slow.end_reason()));
        assert_eq!(AnyMatch::payoffs(&ours).as_slice(), slow.payoffs());
        *ends.entry(ours.end_reason().unwrap()).or_insert(0) += 1;
    }
    assert!(ends["seventeen"] > 20 && ends["rounds"] > 20, "both ends come up: {ends:?}");
}

#[test]
fn the_known_counts_agree_with_the_slow_program() {
    for line in KnownCounts::parse(include_str!("perft.txt")).unwrap() {
        let rules = create::<JabirsTransmutations>(split_spec(&line.spec).1).unwrap();
        let mut slow = Reference::new(rules.eureka_for_all, rules.max_rounds.into(), rules.together);
        for token in line.history.split_whitespace() {
            match (token.split_once(':'), slow.to_act().as_slice()) {
                _ if token.starts_with('~') => slow.happen(token),
                (Some((seat, action)), _) => slow.play(seat.parse().unwrap(), action),
                (None, &[seat]) => slow.play(seat, token),
                (None, _) => panic!("{token} names no seat"),
            }
        }
        for depth in (1..).take_while(|&depth| line.at(depth).is_some_and(|count| count < 20_000)) {
            assert_eq!(Some(slow.perft(depth)), line.at(depth), "perft {depth} of {}", line.spec);
        }
    }
}

// Information

#[test]
fn picks_and_dealt_cards_are_secret_and_all_else_is_public() {
    let mut game = Match::new(GAME);
    game.play_history("~favor favor-lead ~fire ~fire ~water ~lead ~lead ~lead").unwrap();
    game.play_history("~cinnabar ~cinnabar ~cinnabar ~cinnabar ~cinnabar ~cinnabar").unwrap();
    game.play_history("~water ~water ~water ~water ~water ~water 1:draft-cinnabar 0:draft-fire").unwrap();
    let hidden = ["~?"; 6].join(" ");
    assert_eq!(
        AnyMatch::history(&game, Viewer::Seat(0)),
        format!("~favor favor-lead ~fire ~fire ~water ~lead ~lead ~lead {hidden} {hidden} 1:? 0:draft-fire")
    );
    assert_eq!(
        AnyMatch::history(&game, Viewer::Spectator),
        format!("~favor favor-lead {hidden} {hidden} {hidden} 1:? 0:?")
    );
    // The last to pick is the only one to act, so its seat is not written.
    game.play_history("draft-water").unwrap();
    assert!(AnyMatch::history(&game, Viewer::Seat(1)).ends_with("1:draft-cinnabar 0:? ?"));
    assert!(AnyMatch::history(&game, Viewer::Referee).ends_with("1:draft-cinnabar 0:draft-fire draft-water"));
}

#[test]
fn others_see_only_how_many_cards_a_seat_holds_and_has_drafted() {
    let mut table = drafting();
    table.plays(1, "draft-lead");
    let seen = |viewer| GAME.sketch(&Scene::of(&table.state), viewer).to_string();
    let line = |text: String| text.lines().find(|line| line.starts_with("Green")).unwrap().to_string();
    assert_eq!(line(seen(Viewer::Seat(1))), "Green holds none; drafted 1 lead; hand 3 cinnabar, 2 lead");
    assert_eq!(line(seen(Viewer::Referee)), line(seen(Viewer::Seat(1))));
    assert_eq!(line(seen(Viewer::Seat(0))), "Green holds none; drafted 1 cards; hand 5 cards");
    assert_eq!(line(seen(Viewer::Spectator)), line(seen(Viewer::Seat(0))));
    let tray = |viewer| {
        let picture = GAME.picture(&Scene::of(&table.state), viewer);
        let tray = picture.areas.into_iter().find(|area| area.id == "seat:1").unwrap();
        tray.pieces.into_iter().filter_map(|piece| piece.text).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(tray(Viewer::Seat(1)), "lead cinnabar 3 lead 2");
    assert_eq!(tray(Viewer::Seat(2)), "1 5");
}

#[test]
fn nothing_on_the_map_lies_upon_another_thing() {
    let board = GAME.picture(&Scene::of(&drafting().state), Viewer::Spectator).areas.remove(0);
    let half = |cell: &Cell| match cell.shape {
        Shape::Rect { width, height } => (width / 2.0, height / 2.0),
        _ => (0.5, 0.58),
    };
    for (i, cell) in board.cells.iter().enumerate() {
        let (w, h) = half(cell);
        assert!(cell.x - w > 0.0 && cell.x + w < board.width, "{cell:?}");
        assert!(cell.y - h > 0.0 && cell.y + h < board.height, "{cell:?}");
        for other in &board.cells[..i] {
            let (ow, oh) = half(other);
            let apart = (cell.x - other.x).abs() > w + ow || (cell.y - other.y).abs() > h + oh;
            assert!(apart, "{} and {}", cell.id, other.id);
        }
    }
}

#[test]
fn what_can_be_carried_out_is_lit_up_while_a_seat_plays() {
    let mut rng = stream(5, "lit", 0);
    let mut game = Match::new(GAME);
    let mut n_lit = 0;
    while game.phase() != Phase::Over && n_lit < 20 {
        step(&mut game, &mut rng);
        let board = game.picture(Viewer::Spectator).areas.remove(0);
        let lit: Vec<&str> = board
            .cells
            .iter()
            .filter(|cell| cell.label.as_deref().is_some_and(|label| label.ends_with("can be carried out now")))
            .inspect(|cell| assert_ne!(cell.tone, Tone::Plain))
            .map(|cell| cell.id.as_str())
            .collect();
        let legal = match (game.state().stage, game.phase()) {
            (Stage::Play(seat), Phase::Act(_)) => AnyMatch::touches(&game, seat.into()),
            _ => Vec::new(),
        };
        let open: Vec<&str> =
            legal.iter().map(|touch| touch.path[0].as_str()).filter(|id| id.starts_with("make:")).collect();
        assert_eq!(lit.iter().collect::<HashSet<_>>(), open.iter().collect::<HashSet<_>>());
        n_lit += lit.len();
    }
    assert!(n_lit > 5, "some recipes could be carried out");
}

/// A game played at random until it stands in the deal or the draft after at least `n_plies` plies.
fn amid_the_draft(n_plies: usize, rng: &mut FastRng) -> Match<JabirsTransmutations> {
    let mut game = Match::new(GAME);
    loop {
        let secret = matches!(game.state().stage, Stage::Deal(1..) | Stage::Draft(_));
        if secret && game.plies().len() >= n_plies {
            return game;
        }
        if game.phase() == Phase::Over {
            game = Match::new(GAME);
        }
        step(&mut game, rng);
    }
}

/// The game that would have led to `guess`, ply for ply as `seat` saw the game.
fn retold(game: &Match<JabirsTransmutations>, guess: &State, seat: usize) -> Match<JabirsTransmutations> {
    let is_secret = |ply: &raichi_core::history::Ply| !ply.seen_by(Viewer::Spectator);
    let before = game.plies().iter().rposition(|ply| !is_secret(ply)).unwrap() + 1;
    // Old cards come first; of its own hand the seat knows the order.
    let mut dealt = Vec::new();
    for order in 0..N_SEATS {
        let hand = (guess.starter() + order) % N_SEATS;
        let mut left = guess.draft.hands[hand];
        for turn in 0..HAND {
            if let Some(card) = guess.draft.picks[(hand + turn) % N_SEATS][turn] {
                left[card as usize] += 1;
            }
        }
        let n_old = usize::from(guess.draft.n_old).saturating_sub(order * HAND);
        let old = if (1..HAND).contains(&n_old) { guess.draft.old } else { [0; 5] };
        let cards = |counts: [u8; 5]| {
            Card::ALL.iter().flat_map(move |&card| vec![format!("~{}", card.word()); counts[card as usize].into()])
        };
        let in_order = cards(old).chain(cards(std::array::from_fn(|kind| left[kind] - old[kind])));
        dealt.extend(in_order);
    }
    let mut again = Match::new(GAME);
    let mut turns = [0; N_SEATS];
    for (i, ply) in game.plies().iter().enumerate() {
        let token = match ply.by {
            _ if i < before || ply.seen_by(Viewer::Seat(seat)) => ply.token(Viewer::Referee),
            By::Chance => dealt[i - before].clone(),
            By::Seat(seat) => {
                let card = guess.draft.picks[seat][turns[seat]].unwrap().word();
                if ply.simultaneous { format!("{seat}:draft-{card}") } else { format!("draft-{card}") }
            }
        };
        if let (By::Seat(seat), true) = (ply.by, i >= before) {
            turns[seat] += 1;
        }
        again.play_token(&token).unwrap_or_else(|why| panic!("{token}: {why}"));
    }
    again
}

#[test]
fn a_determinization_is_the_end_of_a_game_that_the_seat_could_have_seen() {
    let mut n_split = 0;
    for seed in 0..300u64 {
        let mut rng = stream(seed, "determinize", 0);
        // Around the fifth round's deal the first deck runs out.
        let game = amid_the_draft(if seed % 2 == 0 { 20 + seed as usize } else { 170 + seed as usize % 90 }, &mut rng);
        n_split += usize::from(!game.state().draft.n_old.is_multiple_of(6));
        for seat in 0..N_SEATS {
            let guess = GAME.determinize(game.state(), seat, &mut rng);
            let again = retold(&game, &guess, seat);
            assert_eq!(again.state().position(), &guess, "seat {seat}: {}", AnyMatch::history(&game, Viewer::Referee));
            let viewer = Viewer::Seat(seat);
            assert_eq!(AnyMatch::history(&again, viewer), AnyMatch::history(&game, viewer));
            for n_plies in (0..=game.plies().len()).rev().take(40).step_by(3) {
                let pictures = (again.picture_after(n_plies, viewer), game.picture_after(n_plies, viewer));
                assert_eq!(pictures.0, pictures.1, "seat {seat} after {n_plies}");
            }
        }
    }
    assert!(n_split > 20, "the deck ran out within a hand only {n_split} times");
}

#[test]
fn who_sees_the_end_of_the_deck_knows_what_was_dealt_before() {
    // Eight cards are left: six go to seat 0, two to seat 1, then the discards are shuffled in.
    let mut table = Table::new(short_deck([3, 0, 2, 2, 1]));
    table.plays(0, "favor-lead");
    table.deal([
        ["fire", "fire", "cinnabar", "lead", "lead", "yellow-salt"],
        ["fire", "cinnabar", "water", "water", "water", "fire"],
        ["lead"; 6],
    ]);
    let mut rng = stream(5, "test", 0);
    let mut hands_of_0 = std::collections::BTreeSet::new();
    for _ in 0..300 {
        let by_1 = GAME.determinize(&table.state, 1, &mut rng);
        assert_eq!(by_1.draft.hands[0], [2, 0, 1, 2, 1], "seat 1 saw two of the eight, so it knows the six");
        let by_0 = GAME.determinize(&table.state, 0, &mut rng);
        assert_eq!(by_0.draft.old, [1, 0, 1, 0, 0], "seat 0 saw six, so it knows the two");
        assert!(by_0.draft.hands[1][0] >= 1 && by_0.draft.hands[1][2] >= 1);
        let by_2 = GAME.determinize(&table.state, 2, &mut rng);
        let eight: [u8; 5] = std::array::from_fn(|kind| by_2.draft.hands[0][kind] + by_2.draft.old[kind]);
        assert_eq!(eight, [3, 0, 2, 2, 1], "seat 2 knows the eight together");
        hands_of_0.insert(by_2.draft.hands[0]);
    }
    // Two of eight cards of these kinds: 3·2/2 + … = 9 different pairs.
    assert_eq!(hands_of_0.len(), 9);
}

#[test]
fn a_seat_remembers_the_hands_it_passed_on() {
    let mut table = drafting();
    let mut rng = stream(6, "test", 0);
    // Seat 2 has picked already, in secret: the others redraw that as well.
    table.plays(2, "draft-fire");
    let firsts: std::collections::BTreeSet<_> =
        (0..200).map(|_| GAME.determinize(&table.state, 0, &mut rng).draft.picks[2][0].unwrap().word()).collect();
    assert_eq!(firsts.len(), 5, "{firsts:?}");
    table.plays(0, "draft-lead").plays(1, "draft-cinnabar");
    // Seat 1 holds what seat 0 left: two fires, a water, a cinnabar and a yellow salt.
    table.plays(1, "draft-water");
    for _ in 0..200 {
        let guess = GAME.determinize(&table.state, 0, &mut rng);
        let picked = guess.draft.picks[1][1].unwrap();
        let left: u8 = guess.draft.hands[0].iter().sum();
        assert!(matches!(picked, Card::Fire | Card::Water | Card::Cinnabar | Card::YellowSalt) && left == 4);
        assert_eq!(guess.draft.hands[0][picked as usize] + 1, [2, 1, 1, 0, 1][picked as usize]);
    }
    table.plays(0, "draft-water").plays(2, "draft-lead");
    // Turn 2, seat 2 holds seat 0's cards: two fires, a cinnabar, a yellow salt.
    table.plays(0, "draft-cinnabar").plays(1, "draft-water").plays(2, "draft-fire");
    // Turn 3, they are back: seat 0 knows that fire and water were taken, but not by whom.
    assert_eq!(table.state.held(0), &[1, 0, 1, 0, 1]);
    let orders: std::collections::BTreeSet<_> = (0..60)
        .map(|_| GAME.determinize(&table.state, 0, &mut rng).draft)
        .map(|draft| (draft.picks[1][1].unwrap().word(), draft.picks[2][2].unwrap().word()))
        .collect();
    assert_eq!(Vec::from_iter(orders), [("fire", "water"), ("water", "fire")]);
}

/// The law that makes a determinization fair: over many games that chance alone played, nothing that can be counted
/// comes more often in the guesses than in the games themselves, whatever the seat saw meanwhile.
#[test]
fn determinizations_come_as_often_as_the_truth() {
    let mut rng = stream(7, "fair", 0);
    // The discards are shuffled in after no card, within the first, second and third hand, and between hands.
    for deck in [[9u8, 9, 9, 9, 9], [1, 0, 1, 1, 1], [3, 1, 2, 1, 1], [4, 3, 4, 2, 2], [3, 3, 2, 2, 2]] {
        let mut excess = std::collections::BTreeMap::new();
        let n_games = 12_000;
        for _ in 0..n_games {
            let mut table = Table::new(short_deck(deck));
            table.plays(0, "favor-lead");
            let n_plies = random::index(&mut rng, 36);
            for _ in 0..n_plies {
                match GAME.phase(&table.state) {
                    Phase::Chance => {
                        let outcome = GAME.sample_outcome(&table.state, &mut rng);
                        GAME.apply_outcome(&mut table.state, outcome);
                    }
                    Phase::Act(seats) => {
                        // Any of the cards, not any of the kinds, is picked.
                        let seat = seats.iter().nth(random::index(&mut rng, seats.len())).unwrap();
                        let kind = super::rules::random_kind(&mut rng, table.state.held(seat));
                        GAME.apply(&mut table.state, seat, super::Action::Draft(Card::ALL[kind]));
                    }
                    Phase::Over => unreachable!("the draft is not over"),
                }
            }
            if !matches!(table.state.stage, Stage::Deal(_) | Stage::Draft(_)) {
                continue;
            }
            let viewer = random::index(&mut rng, 3);
            let guess = GAME.determinize(&table.state, viewer, &mut rng);
            let own_fire = table.state.held(viewer)[0];
            for feature in 0..24 {
                let (truth, guessed) = (count(&table.state, feature), count(&guess, feature));
                // Apart by what the seat holds, so that it is not right on the average alone.
                for key in [(viewer, feature, 99, 0), (viewer, feature, own_fire, 1)] {
                    let entry: &mut (f64, f64) = excess.entry(key).or_default();
                    entry.0 += guessed - truth;
                    entry.1 += (guessed - truth).powi(2);
                }
            }
        }
        for (key, (sum, squares)) in excess {
            // Under fairness truth and guess can be exchanged, so the sum is a walk with these steps.
            assert!(sum.abs() <= 4.8 * squares.sqrt() + 1e-9, "{deck:?} {key:?}: {sum} of {}", squares.sqrt());
        }
    }
}

/// Something countable about the hidden cards.
fn count(state: &State, feature: usize) -> f64 {
    let draft = &state.draft;
    let product = |a: [u8; 5], b: [u8; 5]| a.iter().zip(&b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>();
    let picked = |seat: usize, turn: usize| f64::from(u8::from(draft.picks[seat][turn] == Some(Card::Fire)));
    match feature {
        0..3 => draft.hands[feature][0].into(),
        3..6 => draft.hands[feature - 3][1].into(),
        6..9 => product(draft.hands[feature - 6], draft.hands[(feature - 5) % 3]),
        9..12 => product(draft.hands[feature - 9], state.deck),
        12..15 => picked(feature - 12, 0),
        15..18 => picked(feature - 15, 1),
        18..21 => picked(feature - 18, 2),
        21 => draft.old[0].into(),
        22 => product(draft.old, draft.hands[0]),
        _ => product(draft.old, draft.old),
    }
}

// Positions and numbers

fn text(table: &Table, viewer: Viewer) -> String {
    GAME.position_text(&table.state, viewer)
}

#[test]
fn positions_name_tokens_cards_and_the_stage() {
    let start = Table::new(GAME.initial_state());
    let board = "cinnabar.lead.yellow-salt/cinnabar.lead.yellow-salt/cinnabar.lead.yellow-salt";
    let events = "events=eureka*3.explosion.disaster.favor.steal";
    assert_eq!(text(&start, Viewer::Seat(0)), format!("{board} chance round=0 {events} saved=-/-/- discard=-"));
    let choice = text(&Table::event("~steal"), Viewer::Seat(0));
    let left = "events=eureka*3.explosion.disaster.favor";
    assert_eq!(choice, format!("{board} 0 round=0 event=steal {left} saved=-/-/- discard=-"));
    let mut play = Table::turn_of(1).with(1, &[(Resource::Cinnabar, 2)], 1, 2);
    play.state.drafted[2] = [4, 0, 0, 1, 1];
    play.state.metals[0] = [1, 2];
    play.state.deck = [21, 12, 20, 9, 9];
    let all = "events=eureka*3.explosion.disaster.favor.steal saved=-/F.W*2/-";
    let expected = format!("silver.gold*2/cinnabar*2/- 1 round=0 {all} drafted=-/-/F*4.L.Y discard=-");
    assert_eq!(text(&play, Viewer::Spectator), expected);
    assert_eq!(GAME.parse_position(&expected).unwrap().state, play.state);
    play.plays(1, "quicksilver");
    let expected = "silver.gold*2/quicksilver/- chance round=0 die=1:quicksilver";
    assert!(text(&play, Viewer::Spectator).starts_with(expected), "{}", text(&play, Viewer::Spectator));
}

#[test]
fn hands_are_written_as_far_as_a_viewer_has_seen_them() {
    let mut table = drafting();
    let hands = |table: &Table, viewer| {
        let text = text(table, viewer);
        text[text.find("hands=").unwrap()..].to_string()
    };
    let dealt = hands(&table, Viewer::Referee);
    assert_eq!(dealt, "hands=[FFWCLY]/[CCCLLL]/[FWWWYY]");
    assert_eq!(hands(&table, Viewer::Seat(1)), "hands=[??????]/[CCCLLL]/[??????] seen-by=1");
    table.plays(0, "draft-lead").plays(1, "draft-cinnabar");
    assert_eq!(hands(&table, Viewer::Seat(0)), "hands=[FFWCLY]L[FFWCY]/?[?????]/[??????] seen-by=0");
    table.plays(2, "draft-fire").plays(1, "draft-water");
    // Seat 1 has picked from seat 0's hand, which seat 0 has seen: it was one of five cards.
    assert_eq!(hands(&table, Viewer::Referee), "hands=LW[FFCY]/C[CCLLL]/F[WWWYY]");
    assert_eq!(hands(&table, Viewer::Seat(0)), "hands=[FFWCLY]L?[????]/?[?????]/?[WWWYY] seen-by=0");
    assert_eq!(hands(&table, Viewer::Seat(1)), "hands=?[FFWCY]W[FFCY]/[CCCLLL]C[CCLLL]/?[?????] seen-by=1");
    assert_eq!(hands(&table, Viewer::Spectator), "hands=??[????]/?[?????]/?[?????] seen-by=spectator");
    table.plays(0, "draft-water").plays(2, "draft-lead");
    table.plays(0, "draft-cinnabar").plays(1, "draft-water").plays(2, "draft-fire");
    // The first hand is back: fire and water are missing.
    assert_eq!(hands(&table, Viewer::Seat(0)), "hands=[FFWCLY]L??[FCY]/??[CCLL]C[CLL]/?[WWWYY]W?[???] seen-by=0");
    let text = text(&table, Viewer::Seat(0));
    let read = GAME.parse_position(&text).unwrap();
    let draft = &read.state.draft;
    let taken = [draft.picks[1][1], draft.picks[2][2]].map(|card| card.unwrap().word());
    assert_eq!((read.seen_by, taken), (Some(Viewer::Seat(0)), ["fire", "water"]), "who took which is made up");
}

#[test]
fn a_view_is_read_as_a_state_that_the_seat_cannot_tell_from_the_true_one() {
    let mut n_split = 0;
    for seed in 0..200u64 {
        let mut rng = stream(seed, "views", 0);
        let game = amid_the_draft(if seed % 2 == 0 { 20 + seed as usize } else { 170 + seed as usize % 90 }, &mut rng);
        n_split += usize::from(game.state().split_hand().is_some());
        for viewer in [Viewer::Seat(0), Viewer::Seat(1), Viewer::Seat(2), Viewer::Spectator] {
            let text = game.position_text(viewer);
            let read = GAME.parse_position(&text).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(GAME.position_text(&read.state, viewer), text);
            let Viewer::Seat(seat) = viewer else { continue };
            let again = retold(&game, &read.state, seat);
            assert_eq!(again.state().position(), &read.state, "{text}");
            let drawn = GAME.determinize(&read.state, seat, &mut rng);
            assert_eq!(GAME.position_text(&drawn, viewer), text);
        }
    }
    assert!(n_split > 20, "the deck ran out within a hand only {n_split} times");
}

#[test]
fn what_was_dealt_before_the_shuffle_is_public_but_for_the_hand_that_was_being_dealt() {
    let mut table = Table::new(short_deck([3, 0, 2, 2, 1]));
    table.plays(0, "favor-lead");
    table.deal([
        ["fire", "fire", "cinnabar", "lead", "lead", "yellow-salt"],
        ["fire", "cinnabar", "water", "water", "water", "fire"],
        ["lead"; 6],
    ]);
    let tail = |viewer| {
        let text = text(&table, viewer);
        text[text.find("hands=").unwrap()..].to_string()
    };
    let old = "old=F*3.C*2.L*2.Y";
    assert_eq!(tail(Viewer::Referee), format!("hands=[FFCLLY]/[FFWWWC]/[LLLLLL] {old} split=FC"));
    assert_eq!(tail(Viewer::Seat(1)), format!("hands=[??????]/[FFWWWC]/[??????] {old} split=FC seen-by=1"));
    assert_eq!(tail(Viewer::Seat(0)), format!("hands=[FFCLLY]/[??????]/[??????] {old} split=?? seen-by=0"));
    for (from, to, says) in [
        ("split=FC", "split=FF", "cards of that hand which were dealt before, and so are in old"),
        ("split=FC", "split=F", "2 cards, or as many question marks"),
        ("split=FC", "split=??", "one of the cards F, W, C, L and Y"),
        (" split=FC", "", "split=… at the end: a hand was being dealt at the shuffle"),
        ("old=F*3", "old=F*2.W", "cards of that hand which were dealt before, and so are in old"),
        ("C*2.L*2.Y split=FC", "C*2.L*2 split=F", "all cards of the hands dealt first"),
    ] {
        let text = text(&table, Viewer::Referee);
        let wrong = text.replacen(from, to, 1);
        assert_ne!(text, wrong, "{from} occurs");
        let error = GAME.parse_position(&wrong).expect_err(&wrong).to_string();
        assert!(error.contains(says), "{wrong}: {error}");
    }
}

#[test]
fn the_example_in_the_header_can_be_set_up() {
    let example = "cinnabar.lead/lead*2/tin.gold 1 round=3 events=eureka*2.favor saved=F*2/W/- drafted=-/-/F*4.L.Y \
                   discard=F*12.C*3";
    let read = GAME.parse_position(example).unwrap();
    assert_eq!(GAME.position_text(&read.state, Viewer::Spectator), example);
}

#[test]
fn positions_that_cannot_be_set_up_are_refused_with_the_place() {
    let play = "silver/-/cinnabar*2 2 round=1 events=eureka*3.favor saved=F/-/F*4.W*5 drafted=F*4.L.Y/-/- discard=C*4";
    assert!(GAME.parse_position(play).is_ok_and(|read| read.state.stage == Stage::Play(2)));
    for (from, to, says) in [
        ("silver", "silver*10", "character 8: `10` cannot stand here; expected a number from 2 to 9"),
        ("silver", "sliver", "character 1: `sliver` cannot stand here; expected one of cinnabar, lead,"),
        (
            "cinnabar*2",
            "cinnabar*20.lead*9",
            "character 10: `cinnabar*20.lead*9` cannot stand here; expected at most 28",
        ),
        ("/-/cinnabar", "/cinnabar", "expected three parts with / between them, one a seat"),
        ("*2 2", "*2 1", "expected drafted=… with 6 cards of seat 2"),
        ("*2 2", "*2 3", "expected the seat to act, 0 to 2, draft, chance or over"),
        (
            "*2 2",
            "*2 over",
            "character 21: `over` cannot stand here; expected a seat, draft or chance: nobody has 17 points",
        ),
        ("round=1", "round=60", "expected fewer than 60 rounds completed before the end"),
        ("round=1", "round=61", "character 29: `61` cannot stand here; expected a number from 0 to 60"),
        ("round=1", "round=1 event=favor", "expected an event that is not in the event deck too"),
        ("round=1", "round=1 event=steal die=1:tin", "expected one stage"),
        ("round=1", "round=1 die=1:tin", "expected one stage"),
        ("favor", "favor*2", "expected no number: there is only one of that"),
        ("F*4.W*5", "F*5.W*5", "expected at most 9 saved cards of seat 2"),
        ("saved=F/", "saved=F*4/", "expected at most 3 saved cards of seat 0"),
        ("F*4.L.Y", "F*4.L.L", "expected one of F, W, C, L, Y that is not there yet"),
        ("F*4.L.Y", "F*4.L", "expected drafted=… with 6 cards of seat 0"),
        ("C*4", "F*20", "expected no more of any card than there are"),
        ("C*4", "C*4 old=F", "expected hands=… before it"),
        ("C*4", "C*4 seen-by=1", "expected the end of the field, as that viewer sees it"),
    ] {
        let text = play.replacen(from, to, 1);
        assert_ne!(text, play, "{from} occurs");
        let error = GAME.parse_position(&text).expect_err(&text).to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    let draft = "-/-/- draft round=1 events=- saved=-/-/- discard=- hands=[FFWCLY]L?[????]/?[?????]/?[WCLYY] seen-by=0";
    assert!(GAME.parse_position(draft).is_ok_and(|read| read.state.stage == Stage::Draft(1)));
    for (from, to, says) in [
        ("- draft", "- chance", "expected up to six cards for one seat after another"),
        ("- draft", "- 0", "expected chance or draft where there are hands"),
        ("[FFWCLY]", "[FFWCL]", "expected as many cards as are left"),
        ("[FFWCLY]L", "[FFWCLY]Z", "expected one of the cards F, W, C, L and Y"),
        ("]L?", "]F?", ""),
        ("]L?", "]C??", "expected as many cards as are left"),
        ("[WCLYY]", "[WCLY]", "expected six cards in each hand"),
        ("[?????]", "[WCLYY]", "character 77: `WCLYY"),
        (" seen-by=0", "", "expected only at the end and open, unless the text names a viewer"),
        ("seen-by=0", "seen-by=1", "as that viewer sees it"),
        ("seen-by=0", "seen-by=spectator", "as that viewer sees it"),
    ] {
        let text = draft.replacen(from, to, 1);
        if says.is_empty() {
            assert!(GAME.parse_position(&text).is_ok(), "{text}");
            continue;
        }
        assert_ne!(text, draft, "{from} occurs");
        let error = GAME.parse_position(&text).expect_err(&text).to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn an_observation_shows_the_table_and_the_hands_that_a_seat_has_held() {
    let mut table = drafting();
    table.plays(0, "draft-lead").plays(1, "draft-cinnabar").plays(2, "draft-fire").plays(1, "draft-water");
    let layout = GAME.layout();
    let seen = |seat: usize| {
        let mut seen = vec![-1; layout.len()];
        GAME.observe(&table.state, seat, &mut seen);
        let blocks =
            layout.offsets().map(|(first, block)| (block.name.clone(), seen[first..first + block.len()].to_vec()));
        blocks.collect::<std::collections::HashMap<String, Vec<i32>>>()
    };
    let one = seen(1);
    let held: Vec<&[i32]> = one["hands when held"].chunks(5).collect();
    assert_eq!(held[0], [0, 0, 3, 3, 0], "its own hand, before it picked");
    assert_eq!(held[4], [2, 1, 1, 0, 1], "the hand that was dealt to seat 0, the last from here, in the second turn");
    assert!([1, 2, 3, 5].iter().all(|&row| held[row] == [0; 5]));
    assert_eq!(one["picks from them"], [3, 0, 0, 0, 2, 0], "cinnabar and water");
    assert_eq!(one["cards picked"], [2, 1, 1]);
    assert_eq!((one["to act"].as_slice(), one["starting seat"].as_slice()), ([0, 1, 1].as_slice(), [3].as_slice()));
    assert_eq!((one["board"][..6].to_vec(), one["event deck"].clone()), (vec![1, 1, 1, 1, 1, 3], vec![3, 1, 1, 0, 1]));
    assert_eq!(seen(0)["to act"], [1, 0, 1]);
}

#[test]
fn actions_are_numbered_verb_by_verb() {
    assert_eq!(GAME.n_actions(), 14 + 14 + 5 + 14 + 3 * 14 + 1 + 5 + 12 + 5 + 1);
    let state = GAME.initial_state();
    let number = |text: &str| GAME.action_number(GAME.parse_action(&state, 0, text).unwrap());
    let texts = ["eureka-hotness", "explosion-cinnabar", "disaster-fire", "favor-lead", "steal-1-lead", "no-event"];
    assert_eq!(texts.map(number), [10, 14, 28, 34, 47 + 15, 89]);
    assert_eq!(["draft-fire", "quicksilver", "discard-water", "end"].map(number), [90, 95, 108, 112]);
    for number in 0..GAME.n_actions() {
        let action = GAME.numbered_action(number).expect("every number is an action's");
        assert_eq!(GAME.action_number(action), number);
        let text = GAME.action_text(&state, 0, action);
        assert_eq!(GAME.parse_action(&state, 0, &text), Ok(action));
    }
    assert_eq!(GAME.numbered_action(GAME.n_actions()), None);
}

// Turns taken together

const TOGETHER: JabirsTransmutations = JabirsTransmutations { together: true, ..GAME };

impl Table {
    /// A step in Play in this round, the board empty, no cards.
    fn step_of_round(round: u16) -> Table {
        let mut state = TOGETHER.initial_state();
        state.tokens = [[0; 14]; N_SEATS];
        (state.stage, state.round, state.step) = (Stage::Together, round, Some(Step::FIRST));
        Table { game: TOGETHER, state }
    }

    fn to_act(&self) -> Vec<usize> {
        if let Phase::Act(seats) = self.game.phase(&self.state) { seats.iter().collect() } else { vec![] }
    }

    fn seen_by(&self, viewer: Viewer) -> String {
        self.game.position_text(&self.state, viewer)
    }
}

#[test]
fn turns_together_is_the_last_parameter() {
    let spec = |text: &str| create::<JabirsTransmutations>(Some(text)).unwrap().spec().to_string();
    assert_eq!(spec("turns=in-order"), "jabirs-transmutations");
    let all = "jabirs-transmutations:eureka=all,max-rounds=9,turns=together";
    assert_eq!(spec("turns=together,max-rounds=9,eureka=all"), all);
    let refused = create::<JabirsTransmutations>(Some("turns=both")).unwrap_err().to_string();
    assert!(refused.contains("one of in-order, together"), "{refused}");
}

#[test]
fn before_the_first_step_the_cards_of_all_seats_are_taken() {
    let draft = "~favor favor-cinnabar ~fire ~fire ~water ~cinnabar ~lead ~yellow-salt ~fire ~fire ~water ~cinnabar ~lead \
                 ~yellow-salt ~fire ~fire ~water ~cinnabar ~lead ~yellow-salt 0:draft-fire 1:draft-fire draft-fire \
                 0:draft-fire 1:draft-fire draft-fire 0:draft-water 1:draft-water draft-water 0:draft-cinnabar \
                 1:draft-cinnabar draft-cinnabar 0:draft-lead 1:draft-lead draft-lead 0:draft-yellow-salt \
                 1:draft-yellow-salt draft-yellow-salt";
    let mut game = Match::new(TOGETHER);
    game.play_history(draft).unwrap();
    let table = Table { game: TOGETHER, state: *game.state().position() };
    assert_eq!(table.board(0), "4 cinnabar, 2 lead, 2 yellow-salt");
    for seat in [1, 2] {
        assert_eq!(table.board(seat), "2 cinnabar, 2 lead, 2 yellow-salt");
    }
    assert_eq!((table.state.saved, table.state.drafted), ([[2, 1]; 3], [[0; 5]; 3]));
    assert_eq!(table.to_act(), [0, 1, 2]);
    for seat in 0..3 {
        assert_eq!(table.legal(seat), ["quicksilver", "arsenic", "end"]);
    }
    // Two write their seats, the last one does not; then each has its die before the next.
    game.play_history("1:quicksilver 0:arsenic quicksilver ~1 ~6 0:end 2:end end ~eureka").unwrap();
}

#[test]
fn choices_are_carried_out_in_order_of_play_each_with_its_die() {
    let mut table = Table::step_of_round(1).with(0, &[(Cinnabar, 2)], 1, 0).with(1, &[(Cinnabar, 2)], 1, 0).with(
        2,
        &[(YellowSalt, 2)],
        0,
        1,
    );
    table.plays(0, "quicksilver").plays(2, "arsenic");
    assert_eq!(table.to_act(), [1]);
    assert_eq!((table.board(2), table.state.saved[2]), ("2 yellow-salt".into(), [0, 1]), "nothing is carried out yet");
    // Seat 1 starts this round: its die comes first, then seat 2, then the die of seat 0.
    table.plays(1, "quicksilver");
    assert_eq!(table.state.stage, Stage::Die(1, 0));
    assert_eq!((table.board(1), table.board(2)), ("1 quicksilver".into(), "2 yellow-salt".into()));
    table.happens("~3");
    assert_eq!(table.state.stage, Stage::Die(0, 0));
    assert_eq!((table.board(1), table.board(2)), ("1 quicksilver, 1 sulfur".into(), "1 sulfur, 1 arsenic".into()));
    table.happens("~1");
    assert_eq!((table.board(0), table.to_act()), ("1 quicksilver".into(), vec![0, 1, 2]));
}

#[test]
fn who_has_ended_takes_no_further_part_and_play_is_over_when_all_have() {
    let mut table = Table::step_of_round(0).with(2, &[(Sulfur, 4)], 0, 2);
    table.plays(0, "end").plays(2, "distilled-sulfur").plays(1, "end");
    assert_eq!(table.to_act(), [2]);
    assert_eq!(table.state.tokens[2][DistilledSulfur as usize], 1);
    // The only seat left acts alone, and everybody sees what it does.
    table.plays(2, "distilled-sulfur");
    assert_eq!(table.state.tokens[2][DistilledSulfur as usize], 2);
    let end = table.game.parse_action(&table.state, 2, "end").unwrap();
    assert!(table.game.sees_action(&table.state, 2, end, Viewer::Seat(0)));
    table.plays(2, "end");
    assert_eq!((table.state.stage, table.state.round, table.state.step), (Stage::Event, 1, None));
    // With 17 points of somebody the game is over.
    let mut last = Table::step_of_round(0);
    last.state.metals[1] = [4, 1];
    last.plays(0, "end").plays(1, "end").plays(2, "end");
    assert_eq!((last.state.stage, last.game.end_reason(&last.state)), (Stage::Over, "seventeen"));
}

#[test]
fn what_is_not_legal_any_more_does_nothing() {
    let silver: &[(Resource, u8)] = &[(Tin, 1), (Coldness, 1)];
    let mut table = Table::step_of_round(0).with(0, silver, 1, 0).with(1, silver, 1, 0).with(2, &[], 0, 0);
    table.state.metals[2][Metal::Silver as usize] = 8;
    table.plays(1, "silver").plays(0, "silver").plays(2, "end");
    assert_eq!((table.board(0), table.state.saved[0]), ("1 silver".into(), [0, 0]));
    assert_eq!((table.state.metals[1][0], table.board(1)), (0, "1 tin, 1 coldness".into()));
    assert_eq!((table.state.saved[1], table.to_act()), ([1, 0], vec![0, 1]));
    // With a die: none is rolled, and nothing leaves the board.
    let gold: &[(Resource, u8)] = &[(Tin, 1), (Copper, 1)];
    let mut table = Table::step_of_round(2).with(2, gold, 1, 0).with(1, gold, 1, 0);
    table.state.metals[0][Metal::Gold as usize] = 15;
    table.state.metals[0][Metal::Silver as usize] = 0;
    table.plays(1, "gold-copper").plays(0, "end").plays(2, "gold-copper");
    assert_eq!(table.state.stage, Stage::Die(2, 10));
    table.happens("~6");
    assert_eq!((table.state.metals[2][1], table.state.metals[1][1]), (1, 0));
    assert_eq!(
        (table.board(1), table.state.stage, table.to_act()),
        ("1 tin, 1 copper".into(), Stage::Together, vec![1, 2])
    );
    // Where the first fails, the second has its try.
    let mut table = Table::step_of_round(2).with(2, gold, 1, 0).with(1, gold, 1, 0);
    table.state.metals[0][Metal::Gold as usize] = 15;
    table.plays(1, "gold-copper").plays(0, "end").plays(2, "gold-copper").happens("~1");
    assert_eq!(table.state.stage, Stage::Die(1, 10));
}

#[test]
fn a_choice_is_hidden_until_the_last_one_is_made() {
    let mut table = Table::step_of_round(0).with(0, &[(Cinnabar, 2)], 1, 0).with(1, &[(Sulfur, 2)], 0, 1);
    let sees = |table: &Table, seat: usize, text: &str, viewer: Viewer| {
        let action = table.game.parse_action(&table.state, seat, text).unwrap();
        table.game.sees_action(&table.state, seat, action, viewer)
    };
    for viewer in [Viewer::Seat(1), Viewer::Seat(2), Viewer::Spectator] {
        assert!(!sees(&table, 0, "quicksilver", viewer));
    }
    assert!(sees(&table, 0, "quicksilver", Viewer::Seat(0)) && sees(&table, 0, "end", Viewer::Referee));
    table.plays(0, "quicksilver");
    assert!(
        table.seen_by(Viewer::Seat(0)).contains(" play round=0 ")
            && table.seen_by(Viewer::Seat(0)).contains(" chosen=quicksilver/-/- ")
    );
    assert!(
        table.seen_by(Viewer::Seat(1)).contains(" chosen=?/-/- ")
            && table.seen_by(Viewer::Seat(1)).ends_with(" seen-by=1")
    );
    table.plays(1, "distilled-sulfur");
    assert!(sees(&table, 2, "end", Viewer::Seat(0)), "the last choice completes the step");
    // For all that seat 2 knows the others may have chosen anything that is legal for them, each as often.
    let mut counts = std::collections::BTreeMap::new();
    let mut rng = stream(1, "test", 0);
    for _ in 0..4000 {
        let guess = table.game.determinize(&table.state, 2, &mut rng);
        let words = guess.step.unwrap().chosen.map(|action| action.map_or("-".into(), |action| action.text()));
        *counts.entry(words.join(" ")).or_insert(0) += 1;
        assert_eq!(table.game.position_text(&guess, Viewer::Seat(2)), table.seen_by(Viewer::Seat(2)));
    }
    let expected = ["end distilled-sulfur -", "end end -", "quicksilver distilled-sulfur -", "quicksilver end -"];
    assert_eq!(counts.keys().collect::<Vec<_>>(), expected);
    assert!(counts.values().all(|&n| (900..1100).contains(&n)), "{counts:?}");
    // A seat knows its own.
    let own = table.game.determinize(&table.state, 0, &mut rng).step.unwrap().chosen[0];
    assert_eq!(own, table.state.step.unwrap().chosen[0]);
    // Then everybody sees what was chosen.
    let end = table.game.parse_action(&table.state, 2, "end").unwrap();
    let shown = table.game.aftermath(&table.state, Choice::Action(2, end)).expect("the step is complete");
    assert!(table.game.position_text(&shown, Viewer::Spectator).contains(" chosen=quicksilver/distilled-sulfur/end "));
    table.plays(2, "end");
    assert!(
        table.seen_by(Viewer::Seat(2)).contains(" die=0:quicksilver ")
            && table.seen_by(Viewer::Seat(2)).contains(" chosen=-/distilled-sulfur/end ")
    );
}

#[test]
fn pictures_say_who_has_chosen_and_after_the_step_what() {
    let mut game = Match::new(TOGETHER);
    let mut rng = stream(3, "test", 0);
    while game.state().stage != Stage::Together {
        self::step(&mut game, &mut rng);
    }
    let badges = |game: &Match<JabirsTransmutations>, viewer| -> Vec<String> {
        let picture = AnyMatch::picture(game, viewer);
        picture.badges.into_iter().map(|badge| format!("{} {}", badge.seat, badge.text)).collect()
    };
    let first = AnyMatch::legal(&game, 0)[0].clone();
    game.play_text(0, &first).unwrap();
    assert_eq!(badges(&game, Viewer::Seat(0)), [format!("0 has chosen {first}")]);
    assert_eq!(badges(&game, Viewer::Seat(1)), ["0 has chosen"]);
    for seat in [1, 2] {
        let text = AnyMatch::legal(&game, seat)[0].clone();
        game.play_text(seat, &text).unwrap();
    }
    let notes = AnyMatch::picture(&game, Viewer::Spectator).notes;
    let told = notes.iter().find(|note| note.starts_with("Chosen before: ")).unwrap_or_else(|| panic!("{notes:?}"));
    assert!(told.contains(&format!("Blue {first}")), "{told}");
    // The history of a seat keeps the choices of others hidden but for the last one.
    let seen = AnyMatch::history(&game, Viewer::Seat(1));
    assert!(seen.contains("0:?"), "{seen}");
}

#[test]
fn the_cap_counts_a_complete_step_up_to_the_first_die_and_an_incomplete_one_for_nothing() {
    // Seat 0's copper brings nothing yet; what is ranked is the board.
    let silver: &[(Resource, u8)] = &[(Tin, 1), (Coldness, 1)];
    let mut table =
        Table::step_of_round(0).with(0, silver, 1, 0).with(1, &[(Hotness, 2)], 0, 0).with(2, &[(Cinnabar, 2)], 1, 0);
    table.plays(0, "silver").plays(1, "end");
    assert_eq!(
        table.game.payoffs(&table.state),
        Payoffs::new([0.0, 1.0, 0.0]),
        "two elixirs, and the silver is not made"
    );
    table.plays(2, "quicksilver");
    assert_eq!(table.state.stage, Stage::Die(2, 0));
    assert_eq!(table.game.payoffs(&table.state), Payoffs::new([1.0, 0.0, 0.0]));
}

#[test]
fn positions_of_steps_read_back_and_are_checked() {
    let game = create::<JabirsTransmutations>(Some("turns=together")).unwrap();
    let text = "cinnabar*2/sulfur*2.tin.copper/tin.copper play round=1 events=eureka*2 saved=F/F.W/F ended=0 chosen=-/gold-copper/- \
                discard=F*3";
    let read = game.parse_position(text).unwrap();
    assert_eq!(game.position_text(&read.state, Viewer::Referee), text);
    assert_eq!(game.game().phase(&read.state), Phase::seat(2));
    let view = text.replace("gold-copper", "?") + " seen-by=2";
    let seen = game.parse_position(&view).unwrap();
    assert_eq!(game.position_text(&seen.state, Viewer::Seat(2)), view);
    assert_eq!(seen.state.step.unwrap().chosen[1].unwrap().text(), "distilled-sulfur", "the first that it can choose");
    for (from, to, says) in [
        (" play ", " 2 ", "expected play where turns are taken together"),
        ("ended=0", "ended=00", "seats in rising order"),
        ("ended=0", "ended=3", "seats in rising order"),
        ("ended=0", "ended=01", "- for a seat that has ended its turn"),
        ("ended=0 chosen=-/gold-copper/-", "ended=012", "a seat that has not chosen"),
        ("gold-copper/-", "gold-copper/end", "a seat that has not chosen"),
        ("gold-copper", "silver", "- or an action that the seat could choose"),
        ("gold-copper", "?", "- or an action that the seat could choose"),
        ("gold-copper", "discard-fire", "- or an action that the seat could choose"),
        ("-/gold-copper/-", "-/gold-copper", "three parts"),
        (" play ", " chance ", "this only in Play"),
        (" ended=0", " drafted=F*6/-/- ended=0", "drafted=… with 0 cards of seat 0"),
        ("saved=F/", "saved=F*4/", "at most 3 saved cards of seat 0"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let why = game.parse_position(&changed).expect_err(&changed).to_string();
        assert!(why.contains(says), "{changed}: {why}");
    }
    // A roll: seat 1 starts round 1, so that seat 2 comes behind it, and seat 0 has ended.
    let roll = text
        .replace(" play round=1", " chance round=1 die=1:gold-copper")
        .replace("-/gold-copper/-", "-/-/gold-copper");
    let read = game.parse_position(&roll).unwrap();
    assert_eq!(game.position_text(&read.state, Viewer::Seat(0)), roll);
    for (from, to) in [("-/-/gold-copper", "-/-/-"), ("-/-/gold-copper", "-/end/gold-copper"), ("ended=0", "ended=01")]
    {
        assert!(game.parse_position(&roll.replace(from, to)).is_err(), "{to}");
    }
    assert!(GAME.parse_position(text).is_err(), "turns are taken in order there");
}

#[test]
fn an_observation_shows_the_own_choice_and_that_others_have_chosen() {
    let mut table = Table::step_of_round(0).with(0, &[(Cinnabar, 2)], 1, 0).with(1, &[(Sulfur, 2)], 0, 1);
    table.plays(0, "quicksilver").plays(1, "end");
    let layout = TOGETHER.layout();
    assert_eq!(GAME.layout().len() + 3, layout.len());
    let chosen = |seat: usize| {
        let mut seen = vec![0; layout.len()];
        TOGETHER.observe(&table.state, seat, &mut seen);
        seen[layout.len() - 3..].to_vec()
    };
    assert_eq!([0, 1, 2].map(chosen), [[6, 1, 0], [3, 0, 1], [0, 1, 1]]);
}
