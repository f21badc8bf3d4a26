//! The group whose elements are the colours: what they are, what they add up to, and what the game cannot tell apart.

use arrayvec::ArrayVec;

/// The most moduli of a group.
pub(super) const MAX_MODULI: usize = 5;
/// The most colours besides the zero.
pub(super) const MAX_COLOURED: usize = 31;
/// The most elements of a group.
pub(super) const MAX_ORDER: usize = MAX_COLOURED + 1;

/// A colour by its place in the order of all texts, from 0. In every group the zero is 31, and so comes last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Colour(pub(super) u8);

impl Colour {
    /// The zero of every group.
    pub(super) const ZERO: Colour = Colour(MAX_COLOURED as u8);

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0.into()
    }
}

/// A digit for each modulus, zeros behind them.
pub(super) type Element = [u8; MAX_MODULI];

/// A map of colours, by their places.
pub(super) type Map = [Colour; MAX_ORDER];

/// A sum of cyclic groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    moduli: ArrayVec<u8, MAX_MODULI>,
    exponent: u8,
    /// Of the colours but the zero, in their order.
    elements: ArrayVec<Element, MAX_COLOURED>,
}

/// The published game has an order of its own: R Y B O G P W.
const PUBLISHED: [[u8; 3]; 7] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]];

impl Group {
    /// The group of these moduli, unless it is too large: above 32 elements.
    ///
    /// # Panics
    /// When there are not one to five moduli, or one of them is below 2.
    pub fn new(moduli: &[u8]) -> Option<Group> {
        assert!((1..=MAX_MODULI).contains(&moduli.len()), "there are one to five moduli");
        assert!(moduli.iter().all(|&modulus| modulus >= 2), "moduli are at least 2");
        let order: usize = moduli.iter().map(|&modulus| usize::from(modulus)).product();
        if order > MAX_ORDER {
            return None;
        }
        let elements = if moduli == [2, 2, 2] {
            PUBLISHED.into_iter().map(|[r, y, b]| [r, y, b, 0, 0]).collect()
        } else {
            (1..order).map(|number| digits(moduli, number)).collect()
        };
        let exponent = moduli.iter().copied().fold(1, least_common_multiple);
        Some(Group { moduli: moduli.iter().copied().collect(), exponent, elements })
    }

    pub(super) fn moduli(&self) -> &[u8] {
        &self.moduli
    }

    /// How many moduli there are, and so the most pieces with which the final round can be called.
    #[inline]
    pub(super) fn n_moduli(&self) -> usize {
        self.moduli.len()
    }

    /// So many pieces of a colour, whichever it is, sum to zero.
    #[inline]
    pub(super) fn exponent(&self) -> u8 {
        self.exponent
    }

    /// How many colours there are, the zero among them.
    pub(super) fn order(&self) -> usize {
        self.n_coloured() + 1
    }

    #[inline]
    pub(super) fn n_coloured(&self) -> usize {
        self.elements.len()
    }

    /// Whether the colours are those of the published game and have their names.
    pub(super) fn is_published(&self) -> bool {
        self.moduli[..] == [2, 2, 2]
    }

    /// All colours but the zero, in order.
    #[inline]
    pub(super) fn coloured(&self) -> impl DoubleEndedIterator<Item = Colour> + Clone + use<> {
        (0..self.elements.len() as u8).map(Colour)
    }

    /// All colours in order.
    pub(super) fn colours(&self) -> impl Iterator<Item = Colour> + Clone + use<> {
        self.coloured().chain([Colour::ZERO])
    }

    pub(super) fn element(&self, colour: Colour) -> Element {
        self.elements.get(colour.index()).copied().unwrap_or_default()
    }

    /// The colour of an element whose digits are below the moduli.
    pub(super) fn colour(&self, element: Element) -> Colour {
        let coloured = self.elements.iter().position(|&other| other == element);
        coloured.map_or(Colour::ZERO, |i| Colour(i as u8))
    }

    pub(super) fn sum(&self, colours: impl IntoIterator<Item = Colour>) -> Colour {
        let mut sum = Element::default();
        for colour in colours {
            for ((digit, more), modulus) in sum.iter_mut().zip(self.element(colour)).zip(&self.moduli) {
                *digit = (*digit + more) % modulus;
            }
        }
        self.colour(sum)
    }

    /// The unit vectors and the vector of all (modulus − 1), which sum to zero.
    pub(super) fn spectrum(&self) -> ArrayVec<Colour, { MAX_MODULI + 1 }> {
        let n = self.n_moduli();
        let unit = |i| std::array::from_fn(|j| u8::from(i == j));
        let last = std::array::from_fn(|i| self.moduli.get(i).map_or(0, |&modulus| modulus - 1));
        (0..n).map(unit).chain([last]).map(|element| self.colour(element)).collect()
    }

    /// The automorphisms that keep the spectrum, the identity first.
    pub(super) fn symmetries(&self) -> Vec<Map> {
        let mut maps = Vec::new();
        for images in permutations(&self.spectrum()) {
            if let Some(map) = self.automorphism(&images[..self.n_moduli()])
                && !maps.contains(&map)
            {
                maps.push(map);
            }
        }
        maps
    }

    /// The automorphism that takes the unit vectors to `images`, if there is one. What it makes of the last vector of
    /// the spectrum follows, since all of it sums to zero.
    fn automorphism(&self, images: &[Colour]) -> Option<Map> {
        let times = |n: u8, colour| std::iter::repeat_n(colour, n.into());
        let is_defined = |(&modulus, &image)| self.sum(times(modulus, image)) == Colour::ZERO;
        if !self.moduli.iter().zip(images).all(is_defined) {
            return None;
        }
        let mut map = [Colour::ZERO; MAX_ORDER];
        for colour in self.coloured() {
            let digits = self.element(colour);
            map[colour.index()] =
                self.sum(digits.into_iter().zip(images).flat_map(|(digit, &image)| times(digit, image)));
        }
        // Nothing else is taken to zero, so no two colours are taken to the same.
        self.coloured().all(|colour| map[colour.index()] != Colour::ZERO).then_some(map)
    }
}

fn digits(moduli: &[u8], mut number: usize) -> Element {
    let mut element = Element::default();
    for (digit, &modulus) in element.iter_mut().zip(moduli).rev() {
        *digit = (number % usize::from(modulus)) as u8;
        number /= usize::from(modulus);
    }
    element
}

fn least_common_multiple(a: u8, b: u8) -> u8 {
    (1..).map(|n| n * a).find(|multiple| multiple.is_multiple_of(b)).expect("a · b is one")
}

/// All orders of `items`, theirs first.
fn permutations(items: &[Colour]) -> Vec<Vec<Colour>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut orders = Vec::new();
    for (i, &first) in items.iter().enumerate() {
        let rest = [&items[..i], &items[i + 1..]].concat();
        orders.extend(permutations(&rest).into_iter().map(|rest| [&[first], &rest[..]].concat()));
    }
    orders
}
