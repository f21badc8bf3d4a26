//! The weights in one block of memory, which several threads read and change at the same time.
//!
//! Each is a number of 32 bits. Threads that change the same weight at the same moment may lose one of two changes; nothing
//! else can happen, and with one thread nothing does. Memory that no position has touched costs nothing.
//!
//! *Temporal coherence* (Beal and Smith, 1999): each weight has a step size of its own, by how much of what it was told to
//! change added up, and how much cancelled out.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use raichi_machine::{Zeroed, prefetch};

/// How the step size of a weight follows from its coherence, which is from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Coherence {
    /// It does not: all weights have the same.
    Off,
    /// It is proportional.
    Identity,
    /// It grows exponentially, to 1 at full coherence: `exp(beta * (x - 1))` (Bagheri and others, 2015).
    Exponential {
        /// The larger, the sooner a weight slows down.
        beta: f32,
    },
}

/// [`Coherence`] made ready: the exponential is looked up, in steps of 1/1024.
pub struct Rates {
    coherence: Coherence,
    table: Vec<f32>,
}

const STEPS: f32 = 1024.0;

impl Rates {
    /// The step sizes of `coherence`.
    pub fn of(coherence: Coherence) -> Rates {
        let exponential = |beta: f32| move |step: u16| (beta * (f32::from(step) / STEPS - 1.0)).exp();
        let table = match coherence {
            Coherence::Exponential { beta } => (0..=STEPS as u16).map(exponential(beta)).collect(),
            _ => Vec::new(),
        };
        Rates { coherence, table }
    }

    /// The step size at a coherence of `x`, from 0 to 1.
    #[inline]
    pub fn at(&self, x: f32) -> f32 {
        match self.coherence {
            Coherence::Off => 1.0,
            Coherence::Identity => x,
            Coherence::Exponential { .. } => self.table[((x * STEPS) as usize).min(STEPS as usize)],
        }
    }
}

/// The weights, and what is remembered of their changes.
pub struct Weights {
    values: Zeroed<AtomicU32>,
    /// The sum of the changes asked for, and of their absolute values; none where coherence is off.
    changes: Option<Zeroed<[AtomicU32; 2]>>,
}

#[inline]
fn get(number: &AtomicU32) -> f32 {
    f32::from_bits(number.load(Relaxed))
}

#[inline]
fn set(number: &AtomicU32, value: f32) {
    number.store(value.to_bits(), Relaxed);
}

impl Weights {
    /// `len` weights of 0; `None` where the system does not give so much memory.
    pub fn new(len: usize, coherent: bool) -> Option<Weights> {
        let changes = if coherent { Some(Zeroed::new(len)?) } else { None };
        Some(Weights { values: Zeroed::new(len)?, changes })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A weight.
    #[inline]
    pub fn get(&self, i: usize) -> f32 {
        get(&self.values[i])
    }

    /// Sets a weight.
    pub fn set(&self, i: usize, value: f32) {
        set(&self.values[i], value);
    }

    /// Asks the processor for a weight.
    #[inline]
    pub fn prefetch(&self, i: usize) {
        prefetch(&self.values[i]);
    }

    /// Asks the processor for what is remembered of the changes of weights that are soon to change.
    #[inline]
    pub fn prefetch_changes(&self, first: usize, indices: &[u32]) {
        if let Some(changes) = &self.changes {
            indices.iter().for_each(|&index| prefetch(&changes[first + index as usize]));
        }
    }

    /// The sum of the weights `first + index`.
    #[inline]
    pub fn sum(&self, first: usize, indices: &[u32]) -> f32 {
        indices.iter().map(|&index| self.get(first + index as usize)).sum()
    }

    /// Changes the weights `first + index` by `change` each, or by as much of it as their coherence lets through.
    #[inline]
    pub fn change(&self, first: usize, indices: impl Iterator<Item = u32>, change: f32, rates: &Rates) {
        match &self.changes {
            None => {
                for index in indices {
                    let weight = &self.values[first + index as usize];
                    set(weight, get(weight) + change);
                }
            }
            Some(changes) => {
                let magnitude = change.abs();
                for index in indices {
                    let i = first + index as usize;
                    let [sum, absolute] = &changes[i];
                    let (of_sum, of_absolute) = (get(sum), get(absolute));
                    let rate = if of_absolute == 0.0 { 1.0 } else { rates.at(of_sum.abs() / of_absolute) };
                    set(&self.values[i], get(&self.values[i]) + rate * change);
                    set(sum, of_sum + change);
                    set(absolute, of_absolute + magnitude);
                }
            }
        }
    }

    /// All weights, in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        self.values.iter().map(get)
    }

    /// The two sums of each weight, one after the other; none where coherence is off.
    pub fn changes(&self) -> Option<impl Iterator<Item = f32> + '_> {
        self.changes.as_ref().map(|changes| changes.iter().flatten().map(get))
    }

    /// Sets what [`Weights::changes`] returned.
    pub fn set_changes(&self, numbers: impl Iterator<Item = f32>) {
        let places = self.changes.iter().flat_map(|changes| changes.iter().flatten());
        places.zip(numbers).for_each(|(place, number)| set(place, number));
    }
}
