use std::cmp::Ordering;

use raichi_core::game::{Game, Phase};
use raichi_core::notation::Notation;
use raichi_core::random::{FastRng, Rng, index, stream};
use raichi_games::cards::{Card, CardSet, N_CARDS};
use raichi_games::poker::hands::strength;
use raichi_games::poker::{Poker, State};
use raichi_solve::{Unsolved, Work};

use super::cfr::{Cfr, Refused};
use super::layout::{Hands, Layout, WIDTH};
use super::position::{NotSolved, Remaining, remaining};
use super::sizes::{Betting, NoTree, Size};
use super::strategy;
use super::sweep;
use super::tree::{Action, Node};
use super::{Options, Weights, solve};
use crate::poker::equity::Range;
use crate::unlimited::unlimited;

fn cards(text: &str) -> CardSet {
    text.split(' ').map(|card| Card::parse(card).expect("the test's cards exist")).collect()
}

fn range(text: &str) -> Range {
    Range::parse(text).expect("the test's range is one")
}

fn unit(rng: &mut FastRng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

fn random_cards(n: usize, rng: &mut FastRng) -> CardSet {
    let mut cards = CardSet::EMPTY;
    while cards.len() < n {
        cards.insert(Card::from_index(index(rng, N_CARDS)));
    }
    cards
}

/// About `n` hands with weights; few cards are used, so that hands often share one.
fn random_range(n: usize, rng: &mut FastRng) -> Range {
    let few: Vec<Card> = random_cards(16, rng).iter().collect();
    let mut hand = || loop {
        let (one, other) = (few[index(rng, few.len())], few[index(rng, few.len())]);
        if one != other {
            return ([one, other].into_iter().collect::<CardSet>(), 0.05 + 0.95 * unit(rng));
        }
    };
    let mut found: Vec<(CardSet, f64)> = Vec::new();
    for _ in 0..n {
        let next = hand();
        if found.iter().all(|known| known.0 != next.0) {
            found.push(next);
        }
    }
    Range::of(found)
}

fn sizes(bets: &str, raises: &str) -> Betting {
    let read = |text| Size::parse_all(text).expect("the test's sizes are sizes");
    let (bets, raises) = (read(bets), read(raises));
    Betting { pot: 100, stack: 300, bets, raises, leads: None, add_all_in: 0.0, force_all_in: 0.0, merge: 0.0 }
}

/// The turn example of postflop-solver, as its documentation describes it.
fn example() -> Betting {
    Betting {
        pot: 200,
        stack: 900,
        leads: Size::parse_all("50%"),
        add_all_in: 1.5,
        force_all_in: 0.15,
        merge: 0.1,
        ..sizes("60%,e,a", "2.5x")
    }
}

#[test]
fn ends_are_worth_what_comparing_all_pairs_of_hands_says() {
    fn check<const L: usize>(rng: &mut FastRng) {
        let board = random_cards(5, rng);
        let hands = [random_range(60, rng), random_range(50, rng)].map(|range| Hands::new(&range, board));
        let layout = Layout::new(&hands, board);
        let [own, other] = &layout.sides;
        let mut weights = vec![[0.0; L]; other.stride];
        weights[..other.n].iter_mut().flatten().for_each(|weight| *weight = unit(rng) as f32);
        let (mut beaten, mut all) = (vec![[0.0; L]; own.n], vec![[0.0; L]; own.n]);
        let sums = sweep::showdown(own, other, &weights, &mut beaten);
        sweep::totals(own, &weights, &mut all, &sums);
        let mut alone = vec![[0.0; L]; own.n];
        sweep::totals(own, &weights, &mut alone, &sweep::all(other, &weights));
        assert_eq!(all, alone);
        let mut equal = vec![[0.0; L]; own.n];
        sweep::equal(own, other, &weights, &mut equal);
        for (at, &nth) in own.order.iter().enumerate() {
            let ours = hands[0].cards[usize::from(nth)];
            let (mut of_beaten, mut of_all, mut of_equal) = ([0.0; L], [0.0; L], [0.0; L]);
            for (weights, &nth) in weights.iter().zip(&other.order) {
                let theirs = hands[1].cards[usize::from(nth)];
                if theirs.minus(ours) != theirs {
                    continue;
                }
                let sign = match strength(ours.union(board)).cmp(&strength(theirs.union(board))) {
                    Ordering::Greater => 1.0,
                    Ordering::Equal => 0.0,
                    Ordering::Less => -1.0,
                };
                for lane in 0..L {
                    of_beaten[lane] += sign * f64::from(weights[lane]);
                    of_all[lane] += f64::from(weights[lane]);
                    of_equal[lane] += if sign == 0.0 { f64::from(weights[lane]) } else { 0.0 };
                }
            }
            for lane in 0..L {
                assert!((f64::from(beaten[at][lane]) - of_beaten[lane]).abs() < 1e-4, "{at} {lane}");
                assert!((f64::from(all[at][lane]) - of_all[lane]).abs() < 1e-4, "{at} {lane}");
                assert!((f64::from(equal[at][lane]) - of_equal[lane]).abs() < 1e-4, "{at} {lane}");
            }
        }
    }
    let mut rng = stream(1, "test", 0);
    for _ in 0..20 {
        check::<4>(&mut rng);
        check::<8>(&mut rng);
    }
}

/// Values and best responses by the textbook: every pair of hands is compared, in 64 bits.
struct Plain<'a> {
    cfr: &'a Cfr,
    learner: usize,
    best: bool,
}

/// Where strategies are found: the street, the river and the rows that were passed.
struct Place {
    deal: Option<(usize, usize)>,
    rows: [usize; 2],
    n_deals: usize,
}

impl Plain<'_> {
    fn root(&self, tree: &Node, board: CardSet) -> f64 {
        let [own, other] = [self.learner, 1 - self.learner].map(|seat| &self.cfr.hands[seat]);
        let weights: Vec<f64> = other.weights.iter().map(|&weight| f64::from(weight)).collect();
        let values = self.values(tree, board, &weights, &mut Place { deal: None, rows: [0; 2], n_deals: 0 });
        values.iter().zip(&own.weights).map(|(value, &weight)| value * f64::from(weight)).sum::<f64>() / self.cfr.total
    }

    /// The average strategy of `seat` with a hand.
    fn shares(&self, place: &Place, seat: usize, hand: usize, row: usize, n: usize) -> Vec<f64> {
        let (layout, begin) = match place.deal {
            None => (&self.cfr.root_layout, 0),
            Some((deal, river)) => {
                let begins = &self.cfr.strategies.begins[deal * self.cfr.rivers.len() + river];
                (&self.cfr.rivers[river].layout, begins[seat])
            }
        };
        let side = &layout.sides[seat];
        let even = vec![1.0 / n as f64; n];
        let Some(at) = side.order.iter().position(|&nth| usize::from(nth) == hand) else { return even };
        let sum = |action: usize| {
            f64::from(self.cfr.strategies.sums[seat][begin + (row + action) * side.stride + at].max(0.0))
        };
        let total: f64 = (0..n).map(sum).sum();
        if total > 0.0 { (0..n).map(|action| sum(action) / total).collect() } else { even }
    }

    fn values(&self, node: &Node, board: CardSet, weights: &[f64], place: &mut Place) -> Vec<f64> {
        let [own, other] = [self.learner, 1 - self.learner].map(|seat| &self.cfr.hands[seat]);
        let fits = |hand: CardSet, with: CardSet| hand.minus(with) == hand;
        let sum_of = |pays: &dyn Fn(CardSet, CardSet) -> f64| -> Vec<f64> {
            let value = |&ours: &CardSet| {
                let theirs = other.cards.iter().zip(weights);
                let theirs = theirs.filter(|(theirs, _)| fits(ours, board) && fits(**theirs, ours.union(board)));
                theirs.map(|(&theirs, weight)| weight * pays(ours, theirs)).sum()
            };
            own.cards.iter().map(value).collect()
        };
        let sign = if self.learner == 0 { 1.0 } else { -1.0 };
        match node {
            Node::Fold { pays } => sum_of(&|_, _| sign * f64::from(*pays)),
            Node::Showdown { even, odd, stake } => sum_of(&|ours, theirs| {
                let better = strength(ours.union(board)).cmp(&strength(theirs.union(board))) as i8;
                let odd = if better == 0 { *odd } else { 0.0 };
                sign * f64::from(even + odd) + f64::from(better) * f64::from(*stake)
            }),
            Node::Deal(next) => {
                let mut values = vec![0.0; own.cards.len()];
                let deal = place.n_deals;
                place.n_deals += 1;
                for (nth, river) in self.cfr.rivers.iter().enumerate() {
                    let full = board.union([river.card].into_iter().collect());
                    let possible = other.cards.iter().zip(weights);
                    let weights: Vec<f64> =
                        possible.map(|(&hand, weight)| if fits(hand, full) { weight / 44.0 } else { 0.0 }).collect();
                    let mut place = Place { deal: Some((deal, nth)), rows: [0; 2], n_deals: 0 };
                    let after = self.values(next, full, &weights, &mut place);
                    values.iter_mut().zip(after).for_each(|(sum, value)| *sum += value);
                }
                values
            }
            Node::Act { seat, choices } => {
                let (n, row) = (choices.len(), place.rows[*seat]);
                place.rows[*seat] += n;
                let n_hands = self.cfr.hands[*seat].cards.len();
                let shares: Vec<Vec<f64>> = (0..n_hands).map(|hand| self.shares(place, *seat, hand, row, n)).collect();
                let mut after = Vec::new();
                for (action, (_, next)) in choices.iter().enumerate() {
                    let played = weights.iter().enumerate();
                    let weights: Vec<f64> = match *seat == self.learner {
                        true => weights.to_vec(),
                        false => played.map(|(hand, weight)| weight * shares[hand][action]).collect(),
                    };
                    after.push(self.values(next, board, &weights, place));
                }
                let value = |hand: usize| {
                    let each = after.iter().map(|values| values[hand]);
                    match (*seat == self.learner, self.best) {
                        (false, _) => each.sum(),
                        (true, true) => each.fold(f64::MIN, f64::max),
                        (true, false) => each.zip(&shares[hand]).map(|(value, share)| value * share).sum(),
                    }
                };
                (0..own.cards.len()).map(value).collect()
            }
        }
    }
}

#[test]
fn values_and_exploitability_are_those_of_the_plain_form() {
    let mut rng = stream(2, "test", 0);
    for (n_board, betting) in [
        (5, sizes("50%,a", "2.5x")),
        (5, Betting { stack: 60, ..sizes("30%,100%", "60%,a") }),
        (4, Betting { stack: 120, leads: Size::parse_all("30%"), ..sizes("50%", "a") }),
        (4, example()),
    ] {
        let board = random_cards(n_board, &mut rng);
        let ranges = [random_range(9, &mut rng), random_range(12, &mut rng)];
        let tree = betting.tree(n_board == 5).expect("the test's trees are small");
        let mut cfr = Cfr::new(&tree, board, [&ranges[0], &ranges[1]], false, usize::MAX).expect("hands fit");
        for _ in 0..7 {
            cfr.iterate(&Weights::DEFAULT);
        }
        let exploitability = assert_plain(&mut cfr, &tree, board);
        assert!(exploitability > 0.01, "seven iterations leave something to win");
    }
}

/// Value and exploitability are those of the plain form; returns the exploitability.
fn assert_plain(cfr: &mut Cfr, tree: &Node, board: CardSet) -> f64 {
    let (value, exploitability) = (cfr.value(), cfr.exploitability());
    let plain = |learner, best| Plain { cfr, learner, best }.root(tree, board);
    assert!((value - plain(0, false)).abs() < 1e-3, "{value} {}", plain(0, false));
    assert!((value + plain(1, false)).abs() < 1e-3, "what one seat gets the other pays");
    let expected = (plain(0, true) + plain(1, true)) / 2.0;
    assert!((exploitability - expected).abs() < 1e-3, "{exploitability} {expected}");
    exploitability
}

#[test]
fn a_river_with_bluffs_comes_to_its_known_equilibrium() {
    // The first seat has the nuts or nothing, the second a hand between; one bet of the pot.
    let board = cards("2c 7d 9s Jh Kc");
    let betting = Betting { stack: 100, ..sizes("100%", "") };
    let tree = betting.tree(true).expect("a small tree");
    let mut cfr = Cfr::new(&tree, board, [&range("KdKh,4s3s"), &range("AcAd")], true, usize::MAX).expect("hands fit");
    for _ in 0..2000 {
        cfr.iterate(&Weights::DEFAULT);
    }
    assert!(cfr.exploitability() < 0.05, "{}", cfr.exploitability());
    // Half the bluffs are bet, a third of all bets; half of them are called: 75 of the pot of 100.
    assert!((cfr.value() - 25.0).abs() < 0.05, "{}", cfr.value());
    let root = cfr.at_root().expect("the first seat acts");
    assert_eq!((root.seat, &root.actions[..]), (0, &[Action::Check, Action::AllIn(100)][..]));
    let bet = |hand: &str| {
        let found = root.hands.iter().find(|known| known.hand == cards(hand)).expect("it is in the range");
        (found.shares[1], found.worth[1])
    };
    let ((nuts, worth), (air, worth_of_air)) = (bet("Kd Kh"), bet("4s 3s"));
    assert!(nuts > 0.999 && (air / (air + nuts) - 1.0 / 3.0).abs() < 0.01, "{nuts} {air}");
    // Where half the bets are called the nuts win 100 and half of 100, nothing wins and loses the same.
    assert!((worth - 100.0).abs() < 1.0 && (worth_of_air + 50.0).abs() < 1.0, "{worth} {worth_of_air}");
}

#[test]
fn exchanging_suits_changes_no_value() {
    let board = cards("Td 9d 6d Qd");
    let ranges = [range("AA,KJ,T9s,76s:0.5"), range("QQ-99,AJs+,87s")];
    let tree = Betting { stack: 200, ..sizes("60%", "a") }.tree(false).expect("a small tree");
    let solved = |exchange, n| {
        let mut cfr = Cfr::new(&tree, board, [&ranges[0], &ranges[1]], exchange, usize::MAX).expect("hands fit");
        for _ in 0..n {
            cfr.iterate(&Weights::DEFAULT);
        }
        (cfr.value(), cfr.exploitability(), cfr.n_rivers(), cfr.at_root().expect("the first seat acts"))
    };
    let (plain, exchanged) = (solved(false, 0), solved(true, 0));
    // Nine diamonds, and one of each rank of the other suits.
    assert_eq!((plain.2, exchanged.2), (48, 22));
    assert!((plain.0 - exchanged.0).abs() < 1e-3, "{} {}", plain.0, exchanged.0);
    assert!((plain.1 - exchanged.1).abs() < 1e-3, "{} {}", plain.1, exchanged.1);
    for (one, other) in plain.3.hands.iter().zip(&exchanged.3.hands) {
        assert_eq!(one.hand, other.hand);
        assert!(one.worth.iter().zip(&other.worth).all(|(one, other)| (one - other).abs() < 0.01), "{one:?} {other:?}");
    }
    // Where one action is as good as another, rounding decides which is learned: then only values are the same.
    let (plain, exchanged) = (solved(false, 150), solved(true, 150));
    let unsure = plain.1 + exchanged.1;
    assert!(unsure < 0.2 && (plain.0 - exchanged.0).abs() <= unsure, "{} {} {unsure}", plain.0, exchanged.0);
    // Where a range tells suits apart, nothing is exchanged but what it leaves alike.
    let uneven = range("AA,AcKc");
    let cfr = Cfr::new(&tree, board, [&uneven, &ranges[1]], true, usize::MAX).expect("hands fit");
    assert_eq!(cfr.n_rivers(), 9 + 13 + 13);
}

#[test]
fn learning_comes_near_to_an_equilibrium() {
    let ranges = [range("66+,AJ+,T9s"), range("88+,AT+,JTs")];
    let tree = example().tree(false).expect("a small tree");
    let mut cfr = Cfr::new(&tree, cards("Td 9d 6h Qc"), [&ranges[0], &ranges[1]], true, usize::MAX).expect("hands fit");
    let begin = cfr.exploitability();
    for _ in 0..100 {
        cfr.iterate(&Weights::DEFAULT);
    }
    assert!(cfr.exploitability() < begin / 100.0, "{begin} {}", cfr.exploitability());
    assert!((cfr.value() + cfr.pass(1, super::street::Mode::Average)).abs() < 1e-2);
}

#[test]
fn memory_is_counted_before_it_is_taken() {
    let ranges = [range("66+,AJ+,T9s"), range("88+,AT+,JTs")];
    for board in ["Td 9d 6d Qd", "Td 9d 6h Qc 2s"].map(cards) {
        let tree = example().tree(board.len() == 5).expect("a small tree");
        let new = |memory| Cfr::new(&tree, board, [&ranges[0], &ranges[1]], true, memory);
        let bytes = new(usize::MAX).expect("hands fit").bytes();
        assert_eq!(new(bytes).map(|cfr| cfr.bytes()), Ok(bytes));
        assert_eq!(new(bytes - 1).err(), Some(Refused::Memory(bytes)));
    }
}

#[test]
fn bets_have_the_sizes_that_were_asked_for() {
    let actions = |node: &Node| match node {
        Node::Act { choices, .. } => choices.iter().map(|choice| choice.0.to_string()).collect::<Vec<_>>().join(", "),
        other => format!("{other:?}"),
    };
    let after = |node: &Node, nth: usize| match node {
        Node::Act { choices, .. } => choices[nth].1.clone(),
        Node::Deal(next) => (**next).clone(),
        other => other.clone(),
    };
    let root = example().tree(false).expect("a small tree");
    // As the example's own documentation has it.
    assert_eq!(actions(&root), "check, bet 120, bet 216, all-in 900");
    let bet = after(&root, 1);
    assert_eq!(actions(&bet), "fold, call, raise 300");
    // A raise to 750 would leave 150, which is less than 0.15 of the pot of 1,700.
    assert_eq!(actions(&after(&bet, 2)), "fold, call, all-in 900");
    // 440 in the pot: after a check the first seat called a bet, and leads with half of it.
    let called = after(&after(&after(&after(&root, 0), 1), 1), 0);
    assert_eq!(actions(&called), "check, bet 220");
    assert_eq!(after(&bet, 0), Node::Fold { pays: 100.0 });
    let all_in = after(&after(&root, 3), 1);
    assert_eq!(after(&all_in, 0), Node::Showdown { even: 0.0, odd: 0.0, stake: 1000.0 });
    let wide = sizes("10%,20%,30%,40%,50%,60%,70%,80%,90%", "a").tree(true);
    assert_eq!(wide, Err(NoTree::Wide));
    let deep = Betting { pot: 1, stack: 1_000_000, ..sizes("1%", "1%") }.tree(true);
    assert_eq!(deep, Err(NoTree::Deep));
    for text in ["", "60", "x", "-5%", "0%", "1e9%", "b"] {
        assert_eq!(Size::parse(text), None, "{text}");
    }
}

fn game(params: &str) -> Poker {
    let game = raichi_games::game(&format!("poker{params}")).expect("the test's parameters are right");
    let game: &std::sync::Arc<raichi_core::path::PathGame<Poker>> = game.as_any().downcast_ref().expect("it is poker");
    *game.game()
}

/// A random round up to a turn or river with two seats left, by actions of the game itself.
fn random_round(game: &Poker, rng: &mut FastRng) -> Option<State> {
    let mut state = game.initial_state();
    loop {
        let is_late = state.board().len() >= 4 && state.live().len() == 2;
        if is_late && index(rng, 3) == 0 {
            return Some(state);
        }
        step(game, &mut state, rng)?;
        if state.board().is_empty() && state.dealt_in().iter().any(|seat| state.hole(seat).len() < 2) && is_late {
            return None;
        }
    }
}

/// A random ply; `None` when the game is over. Folds and all-ins are rare, so that rounds last.
fn step(game: &Poker, state: &mut State, rng: &mut FastRng) -> Option<()> {
    match game.phase(state) {
        Phase::Over => return None,
        Phase::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            game.apply_outcome(state, outcomes[index(rng, outcomes.len())].0);
        }
        Phase::Act(seats) => {
            let mut actions = Vec::new();
            game.legal_actions(state, seats.first(), &mut actions);
            let mut action = actions[index(rng, actions.len())];
            if index(rng, 3) > 0 {
                action = actions[index(rng, actions.len().min(3))];
            }
            game.apply(state, seats.first(), action);
        }
    }
    Some(())
}

#[test]
fn ends_of_the_games_own_betting_pay_what_the_game_pays() {
    let mut rng = stream(3, "test", 0);
    let (mut n_ends, mut n_odd) = (0, 0);
    for params in
        [":players=2,chips=60,rounds=1", ":players=4,chips=50,rounds=1", ":players=3,chips=100,rounds=4,rise=1"]
    {
        let game = game(params);
        for _ in 0..1200 {
            let Some(start) = random_round(&game, &mut rng) else { continue };
            let remaining = match remaining(&game, &start) {
                Ok(remaining) => remaining,
                Err(why) => panic!("{why}: {start:?}"),
            };
            let (mut node, mut state) = (&remaining.tree, start);
            let mut board = start.board();
            // The tree is followed as the game goes on.
            while !matches!(node, Node::Fold { .. } | Node::Showdown { .. }) {
                match (node, game.phase(&state)) {
                    (Node::Deal(next), Phase::Chance) => {
                        let mut outcomes = Vec::new();
                        game.outcomes(&state, &mut outcomes);
                        let card = outcomes[index(&mut rng, outcomes.len())].0;
                        board.insert(card);
                        game.apply_outcome(&mut state, card);
                        node = next;
                    }
                    (Node::Act { seat, choices }, Phase::Act(acting)) => {
                        let real = acting.first();
                        assert_eq!(real, remaining.seats[*seat]);
                        let (action, next) = &choices[index(&mut rng, choices.len())];
                        let mut words = Vec::new();
                        game.legal_actions(&state, real, &mut words);
                        let named = |word: &&raichi_games::poker::Action| {
                            format!("{word:?}").to_lowercase() == action.word().replace('-', "")
                        };
                        game.apply(&mut state, real, *words.iter().find(named).expect("the tree's actions are legal"));
                        node = next;
                    }
                    other => panic!("the tree and the game go apart: {other:?}"),
                }
            }
            let hand = |nth: usize| strength(start.hole(remaining.seats[nth]).union(board));
            let won = match node {
                Node::Fold { pays } => *pays,
                Node::Showdown { even, odd, stake } => match hand(0).cmp(&hand(1)) {
                    Ordering::Greater => even + stake,
                    Ordering::Equal => {
                        n_odd += u32::from(*odd != 0.0);
                        even + odd
                    }
                    Ordering::Less => even - stake,
                },
                _ => unreachable!("the betting is over"),
            };
            for (nth, sign) in [(0, 1.0), (1, -1.0)] {
                let seat = remaining.seats[nth];
                let chips = f64::from(state.stack(seat) + state.staked(seat));
                let expected = remaining.base[nth] + sign * f64::from(won);
                assert!((chips - expected).abs() < 1e-9, "{chips} {expected} {start:?} {remaining:?}");
            }
            n_ends += 1;
        }
    }
    assert!(n_ends > 300 && n_odd > 0, "{n_ends} {n_odd}");
}

fn position(game: &Poker, text: &str) -> State {
    game.parse_position(text).expect("the test's position is one").state
}

#[test]
fn values_are_those_of_the_plain_form_where_stacks_differ() {
    let two = game("");
    let mut rng = stream(5, "test", 0);
    for text in [
        "Th9d7c2d2c 0 dealer=1 stacks=100/60 staked=20/20 cards=AsAh/KdKc",
        "Th9d7c2d2c 0 dealer=1 stacks=60/100 staked=20/20 cards=AsAh/KdKc",
        "Th9d7c2d2c 0 dealer=1 stacks=100/0 staked=20/80 bets=0/60 cards=AsAh/KdKc",
        "Th9d7c2d 0 dealer=1 stacks=40/20 staked=70/70 cards=AsAh/KdKc",
        "Th9d7c2d 0 dealer=1 stacks=20/40 staked=70/70 cards=AsAh/KdKc",
        "Th9d7c2d 0 dealer=1 stacks=100/0 staked=20/80 bets=0/60 cards=AsAh/KdKc",
    ] {
        let state = position(&two, text);
        let tree = remaining(&two, &state).expect("it can be solved").tree;
        let ranges = [random_range(9, &mut rng), random_range(12, &mut rng)];
        let mut cfr = Cfr::new(&tree, state.board(), [&ranges[0], &ranges[1]], false, usize::MAX).expect("hands fit");
        for _ in 0..3 {
            cfr.iterate(&Weights::DEFAULT);
            assert_plain(&mut cfr, &tree, state.board());
        }
    }
    // Three seats were dealt in: what the one that folded has put in is part of the pots.
    let three = game(":players=3,chips=60,rounds=4");
    let mut n_solved = 0;
    while n_solved < 20 {
        let Some(state) = random_round(&three, &mut rng) else { continue };
        let Ok(Remaining { tree, seats, .. }) = remaining(&three, &state) else { continue };
        if state.board().len() < 5 || state.stack(seats[0]) == state.stack(seats[1]) {
            continue;
        }
        let ranges = [random_range(20, &mut rng), random_range(20, &mut rng)];
        let Ok(mut cfr) = Cfr::new(&tree, state.board(), [&ranges[0], &ranges[1]], false, usize::MAX) else { continue };
        (0..3).for_each(|_| cfr.iterate(&Weights::DEFAULT));
        assert_plain(&mut cfr, &tree, state.board());
        n_solved += 1;
    }
}

#[test]
fn whatever_answers_an_all_in_of_fewer_chips_is_worth_the_same() {
    let two = game("");
    let state = position(&two, "Th9d7c2d2c 0 dealer=1 stacks=100/0 staked=20/80 bets=0/60 cards=4h3s/KdKc");
    let remaining = remaining(&two, &state).expect("it can be solved");
    // Beyond the 100 chips that each had; the cards of the position decide nothing.
    for (own, worth) in [("4h3s", [0.0, -60.0, -60.0, -60.0]), ("AsAh", [0.0, 100.0, 100.0, 100.0])] {
        let ranges = [&range(own), &range("KdKc")];
        let mut cfr = Cfr::new(&remaining.tree, state.board(), ranges, true, usize::MAX).expect("hands fit");
        // Several, since memory of an earlier pass must not count.
        (0..40).for_each(|_| cfr.iterate(&Weights::DEFAULT));
        let root = cfr.at_root().expect("the first seat acts");
        let words: Vec<&str> = root.actions.iter().map(|action| action.word()).collect();
        assert_eq!(words, ["fold", "call", "raise", "all-in"]);
        let found: Vec<f64> = root.hands[0].worth.iter().map(|worth| remaining.base[0] - 100.0 + worth).collect();
        assert!(found.iter().zip(worth).all(|(found, worth)| (found - worth).abs() < 1e-3), "{own} {found:?}");
        let value = remaining.base[0] - 100.0 + cfr.value();
        let best = worth.into_iter().fold(f64::MIN, f64::max);
        assert!((value - best).abs() < 0.05 && cfr.exploitability() < 0.05, "{own} {value} {}", cfr.exploitability());
    }
}

#[test]
fn chips_beyond_the_shorter_stack_change_no_value() {
    let ranges = [range("AA,TT,43s,KQ,88"), range("KK,99,65s,AJ,QJ")];
    let solved = |params: &str, stacks: &str| {
        let game = game(params);
        let state = position(&game, &format!("Th9d7c2d2c 0 dealer=1 stacks={stacks} staked=20/20 cards=AsAh/KdKc"));
        let remaining = remaining(&game, &state).expect("it can be solved");
        let options = Options { weights: Weights::DEFAULT, iterations: 2000, target: 0.04 };
        let found = unlimited(|work| solve(&remaining.tree, state.board(), [&ranges[0], &ranges[1]], &options, work));
        let found = found.expect("hands fit");
        assert!(found.exploitability <= options.target, "{stacks} {}", found.exploitability);
        found.value
    };
    let equal = solved(":chips=80", "60/60");
    for stacks in ["100/60", "60/100"] {
        let value = solved("", stacks);
        // Each is no further from the game's value than its exploitability, twice.
        assert!((value - equal).abs() < 0.16, "{stacks} {value} {equal}");
    }
}

#[test]
fn the_smallest_sums_make_no_infinite_shares() {
    for sum in [0.0, 1e-45, 1e-40, 1e-38, 1e-30, 1.0] {
        let mut next = [0.0; 2 * WIDTH];
        strategy::play(2, &[1.0; WIDTH], &[[sum; WIDTH], [0.0; WIDTH]].concat(), &mut next);
        let total = next[0] + next[WIDTH];
        assert!((total - 1.0).abs() < 1e-5, "{sum} {next:?}");
    }
}

#[test]
fn positions_that_cannot_be_solved_are_refused() {
    let two = game("");
    let mut state = two.initial_state();
    assert_eq!(remaining(&two, &state), Err(NotSolved::Street));
    let three = game(":players=3");
    assert_eq!(remaining(&three, &three.initial_state()), Err(NotSolved::Seats));
    let deep = game(":chips=100000,blind=2");
    state = deep.initial_state();
    let mut rng = stream(4, "test", 0);
    while state.board().len() < 5 {
        match deep.phase(&state) {
            Phase::Act(seats) => {
                let action = match state.to_call(seats.first()) {
                    0 => raichi_games::poker::Action::Check,
                    _ => raichi_games::poker::Action::Call,
                };
                deep.apply(&mut state, seats.first(), action);
            }
            _ => step(&deep, &mut state, &mut rng).expect("the game goes on"),
        }
    }
    assert_eq!(remaining(&deep, &state), Err(NotSolved::Deep));
}

#[test]
fn a_solution_ends_at_its_target_and_refuses_what_does_not_fit() {
    let tree = sizes("100%", "a").tree(true).expect("a small tree");
    let (board, any) = (cards("2c 7d 9s Jh Kc"), Range::any());
    let options = Options { weights: Weights::DEFAULT, iterations: 1000, target: 1.0 };
    let solved = |ranges: [&Range; 2], work: &Work<'_>| solve(&tree, board, ranges, &options, work);
    let found = unlimited(|work| solved([&any, &any], work)).expect("it is solved");
    assert!(found.exploitability <= 1.0 && found.iterations < 1000, "{} {}", found.exploitability, found.iterations);
    // Check or bet, then check or bet, fold call or raise, and so on, with 1,081 hands each.
    assert_eq!(found.information_sets, 6 * 1081);
    let small = unlimited(|work| solved([&any, &any], &Work { memory: 1000, ..*work }));
    assert_eq!(small, Err(Unsolved::OutOfMemory));
    // The same hand for both, or none that the board leaves.
    for (one, other) in [("AsAh", "AsAh"), ("KcQc", "any")] {
        let none = unlimited(|work| solved([&range(one), &range(other)], work));
        assert!(matches!(none, Err(Unsolved::Unknown(_))), "{none:?}");
    }
}
