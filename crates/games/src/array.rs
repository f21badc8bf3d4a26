//! Arrays of any length as bytes: serde itself knows them up to 32 entries. For `#[serde(with = "crate::array")]`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes the entries as a list.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer, T: Serialize, const N: usize>(array: &[T; N], to: S) -> Result<S::Ok, S::Error> {
    array.as_slice().serialize(to)
}

/// Reads a list of exactly `N` entries.
///
/// # Errors
/// Those of the deserializer, and lists of another length.
pub fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>, const N: usize>(
    from: D,
) -> Result<[T; N], D::Error> {
    let entries = Vec::<T>::deserialize(from)?;
    entries.try_into().map_err(|entries: Vec<T>| D::Error::invalid_length(entries.len(), &"another number of entries"))
}
