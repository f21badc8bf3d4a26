//! An observation as the numbers that a network reads: planes over a grid, or one flat list.
//!
//! A value with a name becomes a 1 in the plane of its name (none for the least, which is mostly "empty"); so does an amount
//! of few values. Other amounts become two numbers between 0 and 1, one in proportion and one by logarithms. Blocks that do
//! not lie on the grid fill planes of their own with one number. The seat that looks is told too, and one plane is all 1, so
//! that a convolution sees where the grid ends. Who is to act is left out: positions are looked at by who is.
//!
//! A convolution does the same everywhere. Where rules make places differ (the rows of Connect Four, which a threat is good
//! or bad on), coordinates can be told as well: Liu and others, *An intriguing failing of convolutional neural networks and
//! the CoordConv solution* (2018).

use raichi_core::encoding::{Block, Layout, Meaning, Shape};
use raichi_core::seat::Seat;

use super::number::Number;

/// Amounts of so many values have a plane each.
const FEW_VALUES: i32 = 16;
/// Numbers that do not lie on the grid, at most, beside it.
const MOST_BESIDE: usize = 64;
/// Planes of coordinates: how far down and to the right a cell lies, from 0 to 1, and whether its row and its column have odd
/// numbers, counted from 0.
const N_COORDINATES: usize = 4;
/// The least grid over which a network convolves where nothing is said.
const LEAST_GRID: usize = 16;

/// Over what a network is laid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The grid, where there is one that is large enough.
    Auto,
    /// One flat list.
    Flat,
    /// The grid.
    Grid,
}

/// How one entry is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A number for each value but the least.
    OneOf,
    /// Two numbers: in proportion, and by logarithms.
    Scaled,
}

/// Entries of an observation that are told in the same way.
#[derive(Clone, Copy, Debug)]
struct Part {
    first: usize,
    len: usize,
    min: i32,
    max: i32,
    kind: Kind,
    /// Whether the entries are the cells of the grid.
    on_grid: bool,
    /// The first plane, of all entries on the grid or of the first entry beside it.
    plane: usize,
}

impl Part {
    fn n_planes_each(&self) -> usize {
        match self.kind {
            Kind::OneOf => (self.max - self.min).max(0) as usize,
            Kind::Scaled => 2,
        }
    }

    fn n_planes(&self) -> usize {
        self.n_planes_each() * if self.on_grid { 1 } else { self.len }
    }

    /// The numbers of a value other than 0: which of them, and what.
    #[inline]
    fn tell(&self, value: i32, mut put: impl FnMut(usize, f32)) {
        let above = value.clamp(self.min, self.max) - self.min;
        match self.kind {
            Kind::OneOf if above > 0 => put(above as usize - 1, 1.0),
            Kind::OneOf => {}
            Kind::Scaled => {
                let (above, most) = (above as f32, (self.max - self.min) as f32);
                put(0, above / most);
                put(1, above.ln_1p() / most.ln_1p());
            }
        }
    }
}

/// How observations of a game become numbers.
#[derive(Clone, Debug)]
pub struct Planes {
    parts: Vec<Part>,
    grid: Option<(usize, usize)>,
    n_planes: usize,
    n_seats: usize,
    observation_len: usize,
    /// The first plane of the coordinates, where they are told.
    coordinates: Option<usize>,
}

impl Planes {
    /// The planes for a game of this layout.
    ///
    /// # Errors
    /// A sentence, where a grid is wanted and there is none, or too much lies beside it.
    pub fn new(layout: &Layout, n_seats: usize, wanted: Wanted) -> Result<Planes, String> {
        let grid = largest_grid(layout);
        let over_grid = |grid: Option<(usize, usize)>| Planes::over(layout, n_seats, grid);
        match (wanted, grid) {
            (Wanted::Flat, _) | (Wanted::Auto, None) => Ok(over_grid(None)),
            (Wanted::Grid, None) => Err("its encoding has no grid to convolve over; net=layers needs none".into()),
            (_, Some((rows, columns))) => {
                let planes = over_grid(grid);
                let fits = planes.n_beside() <= MOST_BESIDE;
                let is_large = rows * columns >= LEAST_GRID && rows.min(columns) >= 3;
                match wanted {
                    Wanted::Auto if fits && is_large => Ok(planes),
                    Wanted::Auto => Ok(over_grid(None)),
                    _ if fits => Ok(planes),
                    _ => Err(format!(
                        "its encoding has {} numbers beside the grid, and at most {MOST_BESIDE} are spread over one; \
                         net=layers takes all",
                        planes.n_beside()
                    )),
                }
            }
        }
    }

    fn over(layout: &Layout, n_seats: usize, grid: Option<(usize, usize)>) -> Planes {
        let mut plane = 0;
        let mut parts = Vec::new();
        for (first, block) in layout.offsets().filter(|(_, block)| block.name != "to act" && block.max > block.min) {
            let on_grid =
                matches!((block.shape, grid), (Shape::Grid { rows, columns }, Some(grid)) if (rows, columns) == grid);
            let kind = kind_of(block);
            let part = Part { first, len: block.len(), min: block.min, max: block.max, kind, on_grid, plane };
            plane += part.n_planes();
            parts.push(part);
        }
        // The seat that looks, and ones.
        let n_planes = plane + n_seats + 1;
        Planes { parts, grid, n_planes, n_seats, observation_len: layout.len(), coordinates: None }
    }

    /// The same, and where `wanted` each cell of the grid knows where it lies. A flat list stays as it is.
    #[must_use]
    pub fn with_coordinates(self, wanted: bool) -> Planes {
        if !wanted || self.grid.is_none() || self.coordinates.is_some() {
            return self;
        }
        Planes { coordinates: Some(self.n_planes), n_planes: self.n_planes + N_COORDINATES, ..self }
    }

    fn n_beside(&self) -> usize {
        self.parts.iter().filter(|part| !part.on_grid).map(Part::n_planes).sum()
    }

    /// Rows and columns of the grid; `None` where the numbers are a flat list.
    pub fn grid(&self) -> Option<(usize, usize)> {
        self.grid
    }

    /// How many numbers each cell has, or the flat list.
    pub fn n_planes(&self) -> usize {
        self.n_planes
    }

    /// How many numbers an observation becomes.
    pub fn len(&self) -> usize {
        self.n_planes * self.n_cells()
    }

    /// Whether it becomes no numbers; it never does.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many entries an observation has.
    pub fn observation_len(&self) -> usize {
        self.observation_len
    }

    fn n_cells(&self) -> usize {
        self.grid.map_or(1, |(rows, columns)| rows * columns)
    }

    /// Appends the numbers of what `seat` observes, the planes of a cell beside each other.
    pub fn write<T: Number>(&self, observation: &[i32], seat: Seat, numbers: &mut Vec<T>) {
        let start = numbers.len();
        numbers.resize(start + self.len(), T::ZERO);
        let cells = &mut numbers[start..];
        for part in &self.parts {
            let entries = &observation[part.first..part.first + part.len];
            for (i, &value) in entries.iter().enumerate() {
                if part.on_grid {
                    let cell = &mut cells[i * self.n_planes + part.plane..];
                    part.tell(value, |plane, number| cell[plane] = T::of(number.into()));
                } else {
                    let first = part.plane + i * part.n_planes_each();
                    part.tell(value, |plane, number| self.fill(cells, first + plane, number));
                }
            }
        }
        let end = self.coordinates.unwrap_or(self.n_planes);
        self.fill(cells, end - 1 - self.n_seats + seat, 1.0);
        self.fill(cells, end - 1, 1.0);
        if let (Some(first), Some((rows, columns))) = (self.coordinates, self.grid) {
            let share = |i: usize, n: usize| i as f32 / (n - 1).max(1) as f32;
            for (i, cell) in cells.chunks_exact_mut(self.n_planes).enumerate() {
                let (row, column) = (i / columns, i % columns);
                let told = [share(row, rows), share(column, columns), (row % 2) as f32, (column % 2) as f32];
                cell[first..].iter_mut().zip(told).for_each(|(number, told)| *number = T::of(told.into()));
            }
        }
    }

    fn fill<T: Number>(&self, cells: &mut [T], plane: usize, number: f32) {
        cells.iter_mut().skip(plane).step_by(self.n_planes).for_each(|cell| *cell = T::of(number.into()));
    }
}

fn kind_of(block: &Block) -> Kind {
    let is_named = matches!(block.meaning, Meaning::Names(_));
    if is_named || block.max - block.min < FEW_VALUES { Kind::OneOf } else { Kind::Scaled }
}

/// The shape of the grids that have the most entries together.
fn largest_grid(layout: &Layout) -> Option<(usize, usize)> {
    let shapes = layout.blocks.iter().filter_map(|block| match block.shape {
        Shape::Grid { rows, columns } => Some((rows, columns)),
        Shape::Numbers(_) => None,
    });
    let shapes: Vec<(usize, usize)> = shapes.collect();
    let entries = |shape: (usize, usize)| shapes.iter().filter(|&&other| other == shape).count() * shape.0 * shape.1;
    // Of equal ones the first.
    shapes.iter().rev().copied().max_by_key(|&shape| entries(shape))
}

#[cfg(test)]
mod tests {
    use raichi_core::encoding::seat_names;

    use super::*;

    fn layout() -> Layout {
        Layout::new([
            Block::grid("board", 4, 5, &seat_names("empty", 2)),
            Block::to_act(2),
            Block::amounts("stock", 1, 3, "stones"),
            Block::amounts("chips", 1, 1000, "chips"),
        ])
    }

    #[test]
    fn every_value_is_told_where_it_stands() {
        let planes = Planes::new(&layout(), 2, Wanted::Auto).unwrap();
        // Own and other stones; three values of the stock; two of the chips; the seat; ones.
        assert_eq!((planes.grid(), planes.n_planes()), (Some((4, 5)), 2 + 3 + 2 + 2 + 1));
        let mut observation = vec![0; planes.observation_len()];
        (observation[7], observation[19], observation[21], observation[22]) = (1, 2, 2, 1000);
        let mut numbers: Vec<f32> = vec![9.0];
        planes.write(&observation, 1, &mut numbers);
        let cell = |i: usize| &numbers[1 + 10 * i..][..10];
        assert_eq!(cell(0), [0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
        assert_eq!(cell(7)[..2], [1.0, 0.0]);
        assert_eq!(cell(19)[..2], [0.0, 1.0]);
        assert_eq!(numbers[1..].iter().filter(|&&number| number != 0.0).count(), 2 + 5 * 20);
    }

    #[test]
    fn coordinates_come_after_all_else() {
        let planes = Planes::new(&layout(), 2, Wanted::Auto).unwrap();
        let told = planes.clone().with_coordinates(true);
        assert_eq!((planes.n_planes(), told.n_planes()), (10, 14));
        assert_eq!(planes.clone().with_coordinates(false).n_planes(), 10);
        let mut observation = vec![0; planes.observation_len()];
        (observation[7], observation[22]) = (1, 500);
        let (mut without, mut with): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
        planes.write(&observation, 1, &mut without);
        told.write(&observation, 1, &mut with);
        for (i, (with, without)) in with.chunks_exact(14).zip(without.chunks_exact(10)).enumerate() {
            assert_eq!(with[..10], *without, "cell {i}");
        }
        // The second row of four, the third column of five; the last cell.
        assert_eq!(with[7 * 14 + 10..8 * 14], [1.0 / 3.0, 0.5, 1.0, 0.0]);
        assert_eq!(with[19 * 14 + 10..], [1.0, 1.0, 1.0, 0.0]);
        let flat = Planes::new(&layout(), 2, Wanted::Flat).unwrap();
        assert_eq!(flat.clone().with_coordinates(true).len(), flat.len());
    }

    #[test]
    fn without_a_grid_all_is_one_list() {
        let planes = Planes::new(&layout(), 2, Wanted::Flat).unwrap();
        assert_eq!((planes.grid(), planes.len()), (None, 40 + 3 + 2 + 2 + 1));
        let heaps = Layout::new([Block::amounts("heaps", 3, 7, "items"), Block::to_act(2)]);
        assert_eq!(Planes::new(&heaps, 2, Wanted::Auto).unwrap().len(), 3 * 7 + 2 + 1);
        assert!(Planes::new(&heaps, 2, Wanted::Grid).unwrap_err().contains("net=layers"));
    }
}
