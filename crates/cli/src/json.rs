//! JSON as text, for every command: a negative zero is written as `0.0`, since it says nothing that zero does not.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// JSON without line breaks.
///
/// # Panics
/// When a key is no text.
pub(crate) fn compact(about: &impl Serialize) -> String {
    written(about, CompactFormatter)
}

/// JSON on many lines.
///
/// # Panics
/// When a key is no text.
pub(crate) fn pretty(about: &impl Serialize) -> String {
    written(about, PrettyFormatter::new())
}

fn written(about: &impl Serialize, formatter: impl Formatter) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, WithoutNegativeZeros(formatter));
    about.serialize(&mut serializer).expect("keys are texts");
    String::from_utf8(bytes).expect("JSON is text")
}

/// Writes as the formatter within does, but numbers without negative zeros.
struct WithoutNegativeZeros<F>(F);

// Only what the two formatters do otherwise than the trait by itself is handed on.
impl<F: Formatter> Formatter for WithoutNegativeZeros<F> {
    // Adding 0 to a negative zero gives 0, and changes no other number.
    fn write_f64<W: ?Sized + Write>(&mut self, out: &mut W, value: f64) -> io::Result<()> {
        self.0.write_f64(out, value + 0.0)
    }

    fn write_f32<W: ?Sized + Write>(&mut self, out: &mut W, value: f32) -> io::Result<()> {
        self.0.write_f32(out, value + 0.0)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_negative_zero_is_written_as_zero_and_all_else_as_ever() {
        let zeros = json!({"values": [-0.0, -0.05, 1e-9], "text": "-0.0"});
        assert_eq!(compact(&zeros), "{\"text\":\"-0.0\",\"values\":[0.0,-0.05,1e-9]}");
        let all = json!({"a": [1, {"b": []}, null], "c": {}, "d": -1.5});
        assert_eq!(compact(&all), all.to_string());
        assert_eq!(pretty(&all), format!("{all:#}"));
        assert_eq!(pretty(&[-0.0]), "[\n  0.0\n]");
    }
}
