//! What hands are worth, all at once, by what they count.

/// How numbers are kept: in half the room where else there is too little.
pub(super) trait Kept: Copy {
    const NONE: Self;
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
}

impl Kept for f64 {
    const NONE: f64 = 0.0;
    fn from_f64(value: f64) -> f64 {
        value
    }
    fn to_f64(self) -> f64 {
        self
    }
}

impl Kept for f32 {
    const NONE: f32 = 0.0;
    fn from_f64(value: f64) -> f32 {
        value as f32
    }
    fn to_f64(self) -> f64 {
        self.into()
    }
}

/// What hands are worth, by hard count, and those in which an ace counts eleven.
pub(super) struct Worths {
    pub(super) hard: [f64; 32],
    pub(super) soft: [f64; 12],
}

impl Worths {
    pub(super) fn of(worth: f64) -> Worths {
        Worths { hard: [worth; 32], soft: [worth; 12] }
    }

    /// Of a hand with these counts.
    pub(super) fn of_hand(&self, hard: usize, is_soft: bool) -> f64 {
        if is_soft { self.soft[hard] } else { self.hard[hard] }
    }

    /// Adds to what hands of these counts are worth before a card what they are worth after it, as often as it comes.
    #[inline]
    pub(super) fn add(&mut self, after: &Worths, value: usize, chance: f64, least: usize, most: usize) {
        let mut from = least;
        if value == 1 {
            for count in least..=most.min(10) {
                self.hard[count] += chance * after.soft[count + 1];
            }
            from = from.max(11);
        }
        if from <= most {
            let after = &after.hard[from + value..=most + value];
            self.hard[from..=most].iter_mut().zip(after).for_each(|(worth, after)| *worth += chance * after);
        }
        for count in least..=most.min(10) {
            let after = if count + value <= 11 { after.soft[count + value] } else { after.hard[count + value] };
            self.soft[count] += chance * after;
        }
    }
}
