//! The positions that are learned from: the last ones of the games of training.

use std::collections::VecDeque;

use crate::learner::{Numbers, Saved, Tensor};

/// Numbers of actions are kept as how many times this, and what is left.
const PART: u32 = 1 << 16;

/// A position and what a network should say of it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Sample {
    /// What the seat that acts observes.
    pub(crate) observation: Box<[i32]>,
    pub(crate) seat: u8,
    /// The legal action numbers.
    pub(crate) actions: Box<[u32]>,
    /// How likely each should be.
    pub(crate) policy: Box<[f32]>,
    pub(crate) values: Box<[f32]>,
}

/// The last positions, the oldest first.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Window {
    pub(crate) samples: VecDeque<Sample>,
    most: usize,
}

impl Window {
    pub(crate) fn new(most: usize) -> Window {
        Window { samples: VecDeque::new(), most }
    }

    pub(crate) fn push(&mut self, sample: Sample) {
        if self.samples.len() == self.most {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
    }

    /// The positions as tensors.
    pub(crate) fn save(&self) -> Vec<Tensor> {
        let tensor = |name: &str, numbers: Numbers| Tensor { name: format!("window.{name}"), numbers };
        let samples = &self.samples;
        // Numbers of 32 bits with a fraction hold whole ones up to 2²⁴: numbers of actions are kept in two parts.
        let parts = |&action: &u32| [action / PART, action % PART].map(|part| part as f32);
        let observations = samples.iter().flat_map(|sample| sample.observation.iter().map(|&entry| entry as f32));
        vec![
            tensor("observations", Numbers::F32(observations.collect())),
            tensor("seats", Numbers::I8(samples.iter().map(|sample| sample.seat as i8).collect())),
            tensor("counts", Numbers::I16(samples.iter().map(|sample| sample.actions.len() as i16).collect())),
            tensor(
                "actions",
                Numbers::F32(samples.iter().flat_map(|sample| sample.actions.iter().flat_map(parts)).collect()),
            ),
            tensor("policy", Numbers::F32(samples.iter().flat_map(|sample| sample.policy.iter().copied()).collect())),
            tensor("values", Numbers::F32(samples.iter().flat_map(|sample| sample.values.iter().copied()).collect())),
        ]
    }

    /// Reads what was saved; `None` where it does not fit together.
    pub(crate) fn read(
        &mut self,
        saved: &Saved,
        observation_len: usize,
        n_values: usize,
        n_actions: u64,
        n_seats: usize,
    ) -> Option<()> {
        let floats = |name: &str| match saved.tensor(&format!("window.{name}")) {
            Some(Numbers::F32(numbers)) if numbers.iter().all(|number| number.is_finite()) => Some(numbers.as_slice()),
            _ => None,
        };
        let shorts = |name: &str| match saved.tensor(&format!("window.{name}")) {
            Some(Numbers::I16(numbers)) if numbers.iter().all(|&number| number >= 0) => Some(numbers.as_slice()),
            _ => None,
        };
        let Some(Numbers::I8(seats)) = saved.tensor("window.seats") else { return None };
        let (mut observations, mut values) = (floats("observations")?, floats("values")?);
        let (mut actions, mut policy) = (floats("actions")?, floats("policy")?);
        let counts = shorts("counts")?;
        if counts.len() != seats.len() {
            return None;
        }
        self.samples.clear();
        for (&count, &seat) in counts.iter().zip(seats) {
            let count = count as usize;
            let observation = take(&mut observations, observation_len)?.iter().map(|&entry| entry as i32).collect();
            let parts = take(&mut actions, 2 * count)?.chunks_exact(2);
            let actions: Box<[u32]> =
                parts.map(|parts| (parts[0] as u32).wrapping_mul(PART).wrapping_add(parts[1] as u32)).collect();
            let policy = take(&mut policy, count)?.into();
            let values = take(&mut values, n_values)?.into();
            let fits = actions.iter().all(|&action| u64::from(action) < n_actions);
            let seat = u8::try_from(seat).ok().filter(|&seat| fits && usize::from(seat) < n_seats)?;
            self.push(Sample { observation, seat, actions, policy, values });
        }
        (observations.is_empty() && actions.is_empty() && policy.is_empty() && values.is_empty()).then_some(())
    }
}

/// The first so many, which are taken off.
fn take<'a, T>(numbers: &mut &'a [T], n: usize) -> Option<&'a [T]> {
    let (first, rest) = numbers.split_at_checked(n)?;
    *numbers = rest;
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(i: i32) -> Sample {
        Sample {
            observation: [i, -i, 7].into(),
            seat: (i % 2) as u8,
            actions: (0..=i as u32 % 4).map(|j| j * 1_000_000_007).collect(),
            policy: (0..=i % 4).map(|j| j as f32 / 8.0).collect(),
            values: [i as f32 / 16.0].into(),
        }
    }

    #[test]
    fn the_oldest_are_forgotten_and_the_rest_reads_back() {
        let mut window = Window::new(5);
        (0..12).for_each(|i| window.push(sample(i)));
        assert_eq!(window.samples.iter().cloned().collect::<Vec<_>>(), (7..12).map(sample).collect::<Vec<_>>());
        let saved = Saved { tensors: window.save(), ..Saved::default() };
        let mut back = Window::new(5);
        back.read(&saved, 3, 1, 3_000_000_022, 2).unwrap();
        assert_eq!(back, window);
        // Another layout, fewer actions, fewer seats.
        assert!(back.read(&saved, 2, 1, 3_000_000_022, 2).is_none());
        assert!(back.read(&saved, 3, 2, 3_000_000_022, 2).is_none());
        assert!(back.read(&saved, 3, 1, 3_000_000_021, 2).is_none());
        assert!(back.read(&saved, 3, 1, 3_000_000_022, 1).is_none());
    }
}
