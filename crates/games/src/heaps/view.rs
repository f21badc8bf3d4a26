//! Heaps as stacks of lying sticks: touching a stick takes it and all above it, as many as is written beside it.

use raichi_core::picture::{Area, Picture, PieceKind, Shape, Sketch, Text, Tone};
use raichi_core::placement::{Form, Place, Placements};

use super::notation::letter;
use super::{Heaps, Setup, Take};

// Taller heaps go on in a further column at the right.
const TALLEST: u8 = 15;
const COLUMN: f64 = 1.5;
const STICK: f64 = 0.46;
const GAP: f64 = 0.4;
/// A stick, and to the right of it how many a touch takes.
const LENGTH: f64 = 1.0;
const COUNT: f64 = 0.52;
/// With more heaps than this their sticks are too small to write beside them.
const FEW: usize = 6;
/// A sheet of paper for heaps of real sticks, upright; the gap between two of its fields, and the highest that they are.
const SHEET: (f64, f64) = (12.0, 13.2);
const SHEET_GAP: f64 = 0.3;
const HIGHEST_FIELD: f64 = 2.6;

impl Setup {
    /// What may be put where: a stick on each heap, up to its size at the start.
    pub fn placements(&self, title: &str) -> Placements {
        let empty = self.picture(&Heaps::holding(&vec![0; self.sizes.len()]), title);
        let heaps = (0..).zip(&self.sizes);
        let mut placements =
            Placements::on(empty, [], Form::Counts).piece("Stick", "", PieceKind::Stick, Tone::Neutral);
        placements.places = heaps
            .map(|(heap, &size)| Place { ids: (0..size).map(|level| id(heap, level)).collect(), most: size.into() })
            .collect();
        placements
    }

    /// A field for each heap, to lay real sticks in: so many places as a large heap has would be too small for any. What
    /// the heap holds at first is written beside its letter.
    pub fn sheets(&self, title: &str) -> Vec<Area> {
        let n_heaps = self.sizes.len();
        let n_columns = if n_heaps > FEW { 2 } else { 1 };
        let n_rows = n_heaps.div_ceil(n_columns);
        let (width, height) = (SHEET.0 / n_columns as f64, HIGHEST_FIELD.min(SHEET.1 / n_rows as f64));
        let mut sheet = Area::board(title, SHEET.0, height * n_rows as f64);
        for (heap, &size) in (0..).zip(&self.sizes) {
            let (column, row) = (usize::from(heap) / n_rows, usize::from(heap) % n_rows);
            let (x, y) = ((column as f64 + 0.5) * width, (row as f64 + 0.5) * height);
            let shape = Shape::Rect { width: width - SHEET_GAP, height: height - SHEET_GAP };
            sheet.cell(letter(heap).to_string(), x, y, shape, Tone::Light);
            let left = x - width / 2.0 + 0.8;
            sheet.caption(left, y - 0.2, letter(heap).to_string());
            sheet.texts.last_mut().expect("a caption was just added").size = 0.5;
            sheet.caption(left, y + 0.35, size.to_string());
        }
        vec![sheet]
    }

    /// The heaps as data. Places of sticks that are gone stay, empty.
    pub fn picture(&self, heaps: &Heaps, title: &str) -> Picture {
        let floor = f64::from(self.largest().min(TALLEST)) * STICK + 0.2;
        let across = self.sizes.iter().map(|&size| width(size) + GAP).sum();
        let mut board = Area::board(title, across, floor + 1.0);
        let mut left = GAP / 2.0;
        for (heap, &size) in (0..).zip(&self.sizes) {
            let items = heaps.items(heap);
            for level in 0..size {
                let x = left + (f64::from(level / TALLEST) + 0.5) * COLUMN;
                let y = floor - (f64::from(level % TALLEST) + 0.5) * STICK;
                let shape = Shape::Rect { width: COLUMN - 0.04, height: STICK - 0.04 };
                let place = board.cell(id(heap, level), x, y, shape, Tone::Light);
                if level < items {
                    let n_taken = items - level;
                    place.label = Some(format!("Heap {}: take {n_taken}", letter(heap)));
                    place.along = (level + 1..items).map(|above| id(heap, above)).collect();
                    let stick = board.piece(id(heap, level), PieceKind::Stick, Tone::Neutral);
                    (stick.dx, stick.size) = (-0.16, Some(LENGTH));
                    if n_taken <= self.most(heaps, heap) && self.sizes.len() <= FEW {
                        board.texts.push(Text {
                            x: x + COUNT,
                            y,
                            text: n_taken.to_string(),
                            size: 0.2,
                            coordinate: false,
                        });
                    }
                } else {
                    place.label = Some(format!("Heap {}: taken", letter(heap)));
                }
            }
            let middle = left + width(size) / 2.0;
            board.coordinate(middle, floor + 0.25, letter(heap).to_string());
            board.caption(middle, floor + 0.7, items.to_string());
            left += width(size) + GAP;
        }
        Picture { areas: vec![board], ..Picture::default() }
    }

    /// The one stick that is touched.
    pub fn path(&self, heaps: &Heaps, take: Take) -> Vec<String> {
        vec![id(take.heap, heaps.items(take.heap) - take.count)]
    }

    /// The places of the sticks taken.
    pub fn marks(&self, heaps: &Heaps, take: Take) -> Vec<String> {
        let items = heaps.items(take.heap);
        (items - take.count..items).map(|level| id(take.heap, level)).collect()
    }

    /// A line a heap: its letter, its sticks, their number.
    pub fn sketch(&self, heaps: &Heaps) -> Sketch {
        let mut sketch = Sketch::default();
        for heap in 0..self.sizes.len() as u8 {
            let items = heaps.items(heap);
            let shown = "|".repeat(items.min(60).into());
            let more = if items > 60 { "…" } else { "" };
            sketch.text(format!("{}  ", letter(heap))).tone(format!("{shown}{more}"), Tone::Neutral);
            sketch.text(format!("  {items}")).end_line();
        }
        sketch
    }
}

fn width(size: u8) -> f64 {
    f64::from(size.div_ceil(TALLEST)) * COLUMN
}

// `b-1` is the lowest stick of heap b.
fn id(heap: u8, level: u8) -> String {
    format!("{}-{}", letter(heap), u16::from(level) + 1)
}
