//! The same game once more, as slow and as literal as can be: piles are lists of pieces, a piece is its list of digits,
//! and plies are texts. `tests.rs` plays both side by side.

use std::collections::BTreeSet;

type Piece = Vec<usize>;
type Pile = Vec<Piece>;

const LETTERS: &str = "100R 010Y 001B 110O 011G 101P 111W 000K";

#[derive(Clone)]
pub(super) struct Reference {
    moduli: Vec<usize>,
    /// All pieces there are, in the order of texts, and what they are called.
    colours: Vec<(Piece, String)>,
    max_rounds: usize,
    /// How many pieces may be given, and taken.
    limit: usize,
    /// Whether the spectrum may be given for one zero whatever the limit.
    spectrum: bool,
    /// Whether what cancels gives the others a zero each.
    gift: bool,
    hand_size: usize,
    bag: Pile,
    pub(super) center: Pile,
    pub(super) hands: Vec<Pile>,
    n_dealt: usize,
    acting: usize,
    /// The piece that `draw` has asked for is still to come.
    draws: bool,
    has_drawn: bool,
    last_round: bool,
    rounds: usize,
    pub(super) end: Option<&'static str>,
}

impl Reference {
    pub(super) fn new(players: usize, moduli: &[usize], copies: usize, max_rounds: usize) -> Reference {
        let mut pieces: Vec<Piece> = vec![vec![]];
        for &modulus in moduli {
            pieces = pieces.iter().flat_map(|piece| (0..modulus).map(move |d| [&piece[..], &[d]].concat())).collect();
        }
        pieces.rotate_left(1);
        let text = |piece: &Piece| piece.iter().map(usize::to_string).collect::<String>();
        let mut colours: Vec<(Piece, String)> = pieces.iter().map(|piece| (piece.clone(), text(piece))).collect();
        if moduli == [2, 2, 2] {
            let piece = |word: &str| word[..3].chars().map(|digit| usize::from(digit == '1')).collect();
            colours = LETTERS.split(' ').map(|word| (piece(word), word[3..].into())).collect();
        }
        let exponent = exponent(moduli);
        let zero = pieces.pop().expect("the zero is last");
        Reference {
            moduli: moduli.into(),
            colours,
            max_rounds,
            limit: moduli.len(),
            spectrum: true,
            gift: true,
            hand_size: (pieces.len() + 1) * exponent - exponent - 1,
            bag: pieces.iter().flat_map(|piece| vec![piece.clone(); copies]).collect(),
            center: vec![zero],
            hands: vec![vec![]; players],
            n_dealt: 0,
            acting: 0,
            draws: false,
            has_drawn: false,
            last_round: false,
            rounds: 0,
            end: None,
        }
    }

    /// The same with other rules of the house.
    pub(super) fn with_house(self, hand: usize, limit: usize, spectrum: bool, gift: bool) -> Reference {
        Reference { hand_size: hand, limit, spectrum, gift, ..self }
    }

    /// Everything that can come next, outcomes or actions.
    pub(super) fn legal(&self) -> BTreeSet<String> {
        if self.end.is_some() {
            return BTreeSet::new();
        }
        if self.is_dealing() || self.draws {
            return self.bag.iter().map(|piece| format!("~{}", self.text(piece))).collect();
        }
        let mut legal = self.exchanges();
        let few = self.hands[self.acting].len() <= self.moduli.len();
        if legal.is_empty() && self.bag.is_empty() || self.last_round {
            legal.insert("pass".into());
        }
        if !self.bag.is_empty() {
            legal.insert("draw".into());
        }
        if few && !self.has_drawn && !self.last_round {
            legal.insert("final".into());
        }
        legal
    }

    fn exchanges(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let hand = &self.hands[self.acting];
        let takes = self.choices(&self.center);
        for give in self.choices(hand) {
            for take in takes.iter().filter(|&take| *take != give && self.sum(take) == self.sum(&give)) {
                found.insert(format!("{}>{}", self.texts(&give), self.texts(take)));
            }
        }
        let n = self.moduli.len();
        let mut spectrum: Pile = (0..n).map(|i| (0..n).map(|j| usize::from(i == j)).collect()).collect();
        spectrum.push(self.moduli.iter().map(|modulus| modulus - 1).collect());
        let zero = vec![0; n];
        if self.spectrum && self.center.contains(&zero) && without(hand, &spectrum).is_some() {
            found.insert(format!("{}>{}", self.texts(&spectrum), self.text(&zero)));
        }
        found
    }

    /// Each choice of one to `limit` pieces of a pile, once, as a sorted list.
    fn choices(&self, pile: &Pile) -> BTreeSet<Pile> {
        let mut all: BTreeSet<Pile> = BTreeSet::from([vec![]]);
        for _ in 0..self.limit {
            let mut longer = all.clone();
            for choice in &all {
                for piece in without(pile, choice).expect("it is of the pile").into_iter().collect::<BTreeSet<_>>() {
                    let mut choice = choice.clone();
                    choice.push(piece);
                    choice.sort();
                    longer.insert(choice);
                }
            }
            all = longer;
        }
        all.remove(&vec![]);
        all
    }

    pub(super) fn play(&mut self, token: &str) {
        if let Some(name) = token.strip_prefix('~') {
            return self.receive(self.piece(name));
        }
        match token {
            "draw" => self.draws = true,
            "final" => self.last_round = true,
            "pass" => self.next(),
            _ => {
                self.exchange(token);
                self.next();
            }
        }
    }

    fn receive(&mut self, piece: Piece) {
        self.bag = without(&self.bag, &vec![piece.clone()]).expect("the bag holds it");
        if !self.is_dealing() {
            self.hands[self.acting].push(piece);
            (self.draws, self.has_drawn) = (false, true);
            return;
        }
        match self.hands.iter_mut().find(|hand| hand.len() < self.hand_size) {
            Some(hand) => hand.push(piece),
            None => self.center.push(piece),
        }
        self.n_dealt += 1;
    }

    fn exchange(&mut self, token: &str) {
        let (give, take) = token.split_once('>').expect("it is an exchange");
        let (give, take) = (self.pieces(give), self.pieces(take));
        let hand = without(&self.hands[self.acting], &give).expect("the hand holds it");
        self.hands[self.acting] = [hand, take.clone()].concat();
        self.center = [without(&self.center, &take).expect("the Center holds it"), give.clone()].concat();
        let zero = vec![0; self.moduli.len()];
        let exponent = exponent(&self.moduli);
        let colours: Pile =
            self.colours.iter().map(|(piece, _)| piece.clone()).filter(|piece| *piece != zero).collect();
        for colour in colours {
            while let Some(rest) = without(&self.center, &vec![colour.clone(); exponent]) {
                self.center = rest;
                self.center.push(zero.clone());
                if self.gift && without(&give, &vec![colour.clone(); exponent]).is_none() {
                    for other in (0..self.hands.len()).filter(|&other| other != self.acting) {
                        self.hands[other].push(zero.clone());
                    }
                }
            }
        }
    }

    fn next(&mut self) {
        if self.hands[self.acting].len() == 1 {
            self.last_round = true;
        }
        self.has_drawn = false;
        self.acting += 1;
        if self.acting < self.hands.len() {
            return;
        }
        self.acting = 0;
        self.rounds += 1;
        if self.last_round {
            self.end = Some("final-round");
        } else if self.rounds == self.max_rounds {
            self.end = Some("rounds");
        }
    }

    pub(super) fn payoffs(&self) -> Vec<f64> {
        let sizes: Vec<usize> = self.hands.iter().map(Vec::len).collect();
        let best = *sizes.iter().min().expect("there are hands");
        let winners = sizes.iter().filter(|&&size| size == best).count();
        let pay = |&size: &usize| match (sizes.len(), winners, size == best) {
            (2, 2, _) => 0.0,
            (2, _, won) => {
                if won {
                    1.0
                } else {
                    -1.0
                }
            }
            (_, winners, won) => {
                if won {
                    1.0 / winners as f64
                } else {
                    0.0
                }
            }
        };
        sizes.iter().map(pay).collect()
    }

    /// The number of ways to go on for exactly so many plies.
    pub(super) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let after = |token: &String| {
            let mut next = self.clone();
            next.play(token);
            next.perft(depth - 1)
        };
        if depth == 1 { self.legal().len() as u64 } else { self.legal().iter().map(after).sum() }
    }

    fn is_dealing(&self) -> bool {
        self.n_dealt <= self.hands.len() * self.hand_size
    }

    fn sum(&self, pile: &Pile) -> Piece {
        (0..self.moduli.len()).map(|i| pile.iter().map(|piece| piece[i]).sum::<usize>() % self.moduli[i]).collect()
    }

    fn text(&self, piece: &Piece) -> &str {
        &self.colours.iter().find(|(other, _)| other == piece).expect("every piece has a text").1
    }

    fn piece(&self, text: &str) -> Piece {
        self.colours.iter().find(|(_, other)| other == text).expect("it is the text of a piece").0.clone()
    }

    /// A pile's pieces as texts in their order.
    pub(super) fn texts(&self, pile: &Pile) -> String {
        let all = self.colours.iter().flat_map(|(piece, text)| {
            let count = pile.iter().filter(|&other| other == piece).count();
            std::iter::repeat_n(text.as_str(), count)
        });
        all.collect::<Vec<_>>().join(if self.moduli == [2, 2, 2] { "" } else { "." })
    }

    fn pieces(&self, texts: &str) -> Pile {
        if self.moduli == [2, 2, 2] {
            return texts.chars().map(|letter| self.piece(&letter.to_string())).collect();
        }
        texts.split('.').map(|text| self.piece(text)).collect()
    }
}

/// The least number that is a multiple of each modulus.
fn exponent(moduli: &[usize]) -> usize {
    (1..).find(|n| moduli.iter().all(|modulus| n % modulus == 0)).expect("their product is one")
}

/// What is left of a pile, if it holds all of `pieces`.
fn without(pile: &Pile, pieces: &Pile) -> Option<Pile> {
    let mut rest = pile.clone();
    for piece in pieces {
        rest.swap_remove(rest.iter().position(|other| other == piece)?);
    }
    Some(rest)
}
