//! The same game once more, as slow and as literal as can be: piles of cards that are words, tokens in maps, the table
//! of transmutations read from text. `tests.rs` plays both side by side.

use std::collections::BTreeMap;

// name | reactants | card | what a failing die on the reactant side costs | products | product of a kind die
const TABLE: &str = "\
quicksilver      | 2 cinnabar                                       | fire  |             | quicksilver      | sulfur
arsenic          | 2 yellow-salt                                    | water |             | sulfur arsenic   |
tin              | 1 lead 1 quicksilver                             | fire  | quicksilver | tin              |
copper           | 2 lead 1 arsenic                                 | fire  |             | copper           |
distilled-sulfur | 2 sulfur                                         | water |             | distilled-sulfur |
pure-quicksilver | 2 quicksilver                                    | fire  |             | pure-quicksilver |
wetness          | 1 distilled-sulfur                               | water |             | wetness          | hotness
silver           | 1 tin 1 coldness                                 | fire  |             | silver           |
gold-wetness     | 1 pure-quicksilver 1 distilled-sulfur 1 wetness  |       |             | gold             |
gold-dryness     | 1 pure-quicksilver 1 dryness 1 tin               |       |             | gold             |
gold-copper      | 1 tin 1 copper                                   | fire  | tin         | gold             |
gold-hotness     | 1 arsenic 1 copper 1 hotness                     |       | arsenic     | gold             |";

const PRIMARY: &str = "cinnabar lead yellow-salt";
const SECONDARY: &str = "quicksilver sulfur arsenic tin copper distilled-sulfur pure-quicksilver";
const ELIXIRS: &str = "hotness coldness wetness dryness";

type Word = &'static str;

struct Row {
    name: Word,
    reactants: Vec<(usize, Word)>,
    card: Word,
    risks: Word,
    products: Vec<Word>,
    adds: Word,
}

fn table() -> Vec<Row> {
    let row = |line: Word| {
        let columns: Vec<Word> = line.split('|').map(str::trim).collect();
        let reactants: Vec<Word> = columns[1].split_whitespace().collect();
        Row {
            name: columns[0],
            reactants: reactants.chunks(2).map(|pair| (pair[0].parse().unwrap(), pair[1])).collect(),
            card: columns[2],
            risks: columns[3],
            products: columns[4].split_whitespace().collect(),
            adds: columns[5],
        }
    };
    TABLE.lines().map(row).collect()
}

fn words(lists: &[Word]) -> Vec<Word> {
    lists.iter().flat_map(|list| list.split_whitespace()).collect()
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Event,
    Choose(Word),
    Deal,
    Draft,
    Play(usize),
    Together,
    Die(usize, Word),
    Over,
}

/// The game as the contract tells it.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    eureka_for_all: bool,
    max_rounds: usize,
    together: bool,
    /// Who has ended its turn, and what is chosen and not done: of turns that are taken together.
    ended: Vec<usize>,
    chosen: BTreeMap<usize, String>,
    round: usize,
    step: Step,
    tokens: Vec<BTreeMap<Word, usize>>,
    saved: Vec<Vec<Word>>,
    hands: Vec<Vec<Word>>,
    picks: Vec<Vec<Word>>,
    event_deck: Vec<Word>,
    deck: Vec<Word>,
    discards: Vec<Word>,
}

fn remove(pile: &mut Vec<Word>, word: &str) -> Word {
    let at = pile.iter().position(|&one| one == word).expect("it is there");
    pile.remove(at)
}

fn distinct(pile: &[Word]) -> BTreeMap<Word, u64> {
    let mut kinds = BTreeMap::new();
    pile.iter().for_each(|&word| *kinds.entry(word).or_default() += 1);
    kinds
}

impl Reference {
    pub(super) fn new(eureka_for_all: bool, max_rounds: usize, together: bool) -> Reference {
        let pile = |counts: &[(Word, usize)]| counts.iter().flat_map(|&(word, n)| vec![word; n]).collect::<Vec<_>>();
        let start: BTreeMap<Word, usize> = words(&[PRIMARY]).into_iter().map(|word| (word, 1)).collect();
        Reference {
            eureka_for_all,
            max_rounds,
            together,
            ended: vec![],
            chosen: BTreeMap::new(),
            round: 1,
            step: Step::Event,
            tokens: vec![start; 3],
            saved: vec![vec![]; 3],
            hands: vec![vec![]; 3],
            picks: vec![vec![]; 3],
            event_deck: vec![],
            deck: pile(&[("fire", 26), ("water", 14), ("cinnabar", 20), ("lead", 10), ("yellow-salt", 10)]),
            discards: vec![],
        }
    }

    fn order(&self) -> [usize; 3] {
        [0, 1, 2].map(|i| (self.round - 1 + i) % 3)
    }

    fn count(&self, seat: usize, resource: &str) -> usize {
        self.tokens[seat].get(resource).copied().unwrap_or(0)
    }

    fn metals_out(&self, metal: &str) -> usize {
        (0..3).map(|seat| self.count(seat, metal)).sum()
    }

    fn supply(&self, seat: usize) -> usize {
        let on_board: usize = words(&[PRIMARY, SECONDARY, ELIXIRS]).iter().map(|word| self.count(seat, word)).sum();
        28 - on_board
    }

    fn place(&mut self, seat: usize, product: Word) {
        let there_is_one = match product {
            "gold" => self.metals_out("gold") < 16,
            "silver" => self.metals_out("silver") < 9,
            _ => self.supply(seat) > 0,
        };
        if there_is_one {
            *self.tokens[seat].entry(product).or_default() += 1;
        }
    }

    fn lose(&mut self, seat: usize, resource: &str, n: usize) {
        *self.tokens[seat].get_mut(resource).expect("the seat has it") -= n;
    }

    pub(super) fn is_over(&self) -> bool {
        self.step == Step::Over
    }

    /// The seats that may act.
    pub(super) fn to_act(&self) -> Vec<usize> {
        match self.step {
            Step::Choose(_) => vec![self.order()[0]],
            Step::Draft => {
                let fewest = self.picks.iter().map(Vec::len).min().unwrap();
                (0..3).filter(|&seat| self.picks[seat].len() == fewest).collect()
            }
            Step::Play(seat) => vec![seat],
            Step::Together => {
                (0..3).filter(|seat| !self.ended.contains(seat) && !self.chosen.contains_key(seat)).collect()
            }
            _ => vec![],
        }
    }

    /// What may happen, with weights, when chance acts.
    pub(super) fn outcomes(&self) -> Vec<(String, u64)> {
        let weights = match self.step {
            Step::Event if self.event_deck.is_empty() => {
                BTreeMap::from([("eureka", 3), ("explosion", 1), ("disaster", 1), ("favor", 1), ("steal", 1)])
            }
            Step::Event => distinct(&self.event_deck),
            Step::Deal if self.deck.is_empty() => distinct(&self.discards),
            Step::Deal => distinct(&self.deck),
            Step::Die(..) => words(&["1 2 3 4 5 6"]).into_iter().map(|roll| (roll, 1)).collect(),
            _ => BTreeMap::new(),
        };
        weights.into_iter().map(|(word, weight)| (format!("~{word}"), weight)).collect()
    }

    /// The texts of a seat's actions, sorted.
    pub(super) fn legal(&self, seat: usize) -> Vec<String> {
        let join = |verb: &str, objects: Vec<Word>| objects.iter().map(|one| format!("{verb}-{one}")).collect();
        let mut legal: Vec<String> = match self.step {
            Step::Choose("eureka") => join("eureka", words(&[ELIXIRS])),
            Step::Choose("explosion") => join("explosion", words(&[PRIMARY, SECONDARY, ELIXIRS])),
            Step::Choose("disaster") => join("disaster", vec!["fire", "water"]),
            Step::Choose("favor") => join("favor", words(&[PRIMARY])),
            Step::Choose(_) => {
                let mut thefts = vec![];
                for from in (0..3).filter(|&from| from != seat && self.supply(seat) > 0) {
                    for resource in words(&[PRIMARY, SECONDARY]) {
                        if self.count(from, resource) > 0 {
                            thefts.push(format!("steal-{from}-{resource}"));
                        }
                    }
                }
                if thefts.is_empty() { vec!["no-event".into()] } else { thefts }
            }
            Step::Draft => join("draft", distinct(&self.hands[seat]).into_keys().collect()),
            Step::Play(_) | Step::Together => {
                let possible = |row: &Row| {
                    row.reactants.iter().all(|&(n, resource)| self.count(seat, resource) >= n)
                        && (row.card.is_empty() || self.saved[seat].contains(&row.card))
                        && !(row.products == ["gold"] && self.metals_out("gold") == 16)
                        && !(row.products == ["silver"] && self.metals_out("silver") == 9)
                };
                let mut legal: Vec<String> =
                    table().iter().filter(|row| possible(row)).map(|row| row.name.to_string()).collect();
                if self.saved[seat].len() <= 3 {
                    legal.push("end".into());
                } else {
                    legal.extend(distinct(&self.saved[seat]).keys().map(|card| format!("discard-{card}")));
                }
                legal
            }
            _ => vec![],
        };
        legal.sort();
        legal
    }

    pub(super) fn happen(&mut self, text: &str) {
        let word = text.strip_prefix('~').unwrap();
        match self.step.clone() {
            Step::Event => {
                if self.event_deck.is_empty() {
                    self.event_deck = words(&["eureka eureka eureka explosion disaster favor steal"]);
                }
                self.step = Step::Choose(remove(&mut self.event_deck, word));
            }
            Step::Deal => {
                if self.deck.is_empty() {
                    self.deck.append(&mut self.discards);
                }
                let card = remove(&mut self.deck, word);
                let seat = self.order().into_iter().find(|&seat| self.hands[seat].len() < 6).unwrap();
                self.hands[seat].push(card);
                if self.hands.iter().all(|hand| hand.len() == 6) {
                    self.step = Step::Draft;
                }
            }
            Step::Die(seat, name) => {
                let row = table().into_iter().find(|row| row.name == name).unwrap();
                let kind = word.parse::<u8>().unwrap() >= 3;
                self.step = if self.together { Step::Together } else { Step::Play(seat) };
                match (row.risks, kind) {
                    ("", true) => self.place(seat, row.adds),
                    ("", false) => {}
                    (_, true) => self.react(seat, &row),
                    (risked, false) => self.lose(seat, risked, 1),
                }
                if self.together {
                    self.do_what_was_chosen();
                }
            }
            step => panic!("chance does not act in {step:?}"),
        }
    }

    fn react(&mut self, seat: usize, row: &Row) {
        for &(n, resource) in &row.reactants {
            self.lose(seat, resource, n);
        }
        if !row.card.is_empty() {
            self.discards.push(remove(&mut self.saved[seat], row.card));
        }
        for product in &row.products {
            self.place(seat, product);
        }
    }

    pub(super) fn play(&mut self, seat: usize, text: &str) {
        match self.step.clone() {
            Step::Choose(event) => {
                self.choose(seat, event, text);
                self.step = Step::Deal;
            }
            Step::Draft => {
                let card = remove(&mut self.hands[seat], text.strip_prefix("draft-").unwrap());
                self.picks[seat].push(card);
                let n = self.picks[0].len();
                if self.picks.iter().all(|picks| picks.len() == n) {
                    // To the left: what seat 2 holds goes to seat 0.
                    self.hands.rotate_right(1);
                    if n == 6 && self.together {
                        self.order().into_iter().for_each(|seat| self.begin_turn(seat));
                        (self.step, self.ended) = (Step::Together, vec![]);
                    } else if n == 6 {
                        self.begin_turn(self.order()[0]);
                    }
                }
            }
            Step::Together => {
                self.chosen.insert(seat, text.to_string());
                if self.to_act().is_empty() {
                    self.do_what_was_chosen();
                }
            }
            Step::Play(_) if text == "end" => {
                let order = self.order();
                match order.iter().position(|&one| one == seat).unwrap() {
                    2 => self.end_round(),
                    place => self.begin_turn(order[place + 1]),
                }
            }
            Step::Play(_) => self.transmute_or_discard(seat, text),
            step => panic!("nobody acts in {step:?}"),
        }
    }

    fn transmute_or_discard(&mut self, seat: usize, text: &str) {
        match text.strip_prefix("discard-") {
            Some(card) => self.discards.push(remove(&mut self.saved[seat], card)),
            None => {
                let row = table().into_iter().find(|row| row.name == text).unwrap();
                if row.risks.is_empty() {
                    self.react(seat, &row);
                }
                if !row.risks.is_empty() || !row.adds.is_empty() && self.supply(seat) > 0 {
                    self.step = Step::Die(seat, row.name);
                }
            }
        }
    }

    /// Seat by seat, until somebody has to roll.
    fn do_what_was_chosen(&mut self) {
        for seat in self.order() {
            let Some(text) = self.chosen.remove(&seat) else { continue };
            if text == "end" {
                self.ended.push(seat);
            } else if self.legal(seat).contains(&text) {
                self.transmute_or_discard(seat, &text);
            }
            if self.step != Step::Together {
                return;
            }
        }
        if self.ended.len() == 3 {
            self.end_round();
        }
    }

    fn choose(&mut self, seat: usize, event: &str, text: &str) {
        let known = |word: &str| words(&[PRIMARY, SECONDARY, ELIXIRS]).into_iter().find(|&one| one == word);
        let object = text.strip_prefix(event).and_then(|rest| rest.strip_prefix('-')).unwrap_or("");
        match event {
            "eureka" => {
                let gain = if self.eureka_for_all { vec![0, 1, 2] } else { vec![seat] };
                gain.into_iter().for_each(|seat| self.place(seat, known(object).unwrap()));
            }
            "explosion" => {
                for seat in 0..3 {
                    let n = self.count(seat, object);
                    if n > 0 {
                        self.lose(seat, object, n.div_ceil(2));
                    }
                }
            }
            "disaster" => {
                for saved in &mut self.saved {
                    while saved.contains(&object) {
                        self.discards.push(remove(saved, object));
                    }
                }
            }
            "favor" => (0..2).for_each(|_| self.place(seat, known(object).unwrap())),
            _ if text == "no-event" => {}
            _ => {
                let (from, resource) = object.split_once('-').unwrap();
                self.lose(from.parse().unwrap(), resource, 1);
                self.place(seat, known(resource).unwrap());
            }
        }
    }

    fn begin_turn(&mut self, seat: usize) {
        self.step = Step::Play(seat);
        let mut cards = std::mem::take(&mut self.picks[seat]);
        for primary in words(&[PRIMARY]) {
            while cards.contains(&primary) {
                self.discards.push(remove(&mut cards, primary));
                self.place(seat, primary);
            }
        }
        self.saved[seat].append(&mut cards);
    }

    fn end_round(&mut self) {
        self.round += 1;
        let done = self.end_reason() == "seventeen" || self.round > self.max_rounds;
        self.step = if done { Step::Over } else { Step::Event };
    }

    fn points(&self, seat: usize) -> usize {
        let elixirs: usize = words(&[ELIXIRS]).iter().map(|word| self.count(seat, word)).sum();
        5 * self.count(seat, "gold") + 3 * self.count(seat, "silver") + elixirs
    }

    pub(super) fn end_reason(&self) -> &'static str {
        if (0..3).any(|seat| self.points(seat) >= 17) { "seventeen" } else { "rounds" }
    }

    pub(super) fn payoffs(&self) -> Vec<f64> {
        let rank = |seat: usize| {
            let all: usize = self.tokens[seat].values().sum();
            (self.points(seat), self.count(seat, "gold"), self.count(seat, "silver"), all)
        };
        let best = (0..3).map(rank).max().unwrap();
        let n_best = (0..3).filter(|&seat| rank(seat) == best).count();
        (0..3).map(|seat| if rank(seat) == best { 1.0 / n_best as f64 } else { 0.0 }).collect()
    }

    /// The number of legal paths of exactly `depth` plies, outcomes and the actions of all seats that may act included.
    pub(super) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut total = 0;
        for (outcome, _) in self.outcomes() {
            let mut next = self.clone();
            next.happen(&outcome);
            total += next.perft(depth - 1);
        }
        for seat in self.to_act() {
            for action in self.legal(seat) {
                let mut next = self.clone();
                next.play(seat, &action);
                total += next.perft(depth - 1);
            }
        }
        total
    }
}
