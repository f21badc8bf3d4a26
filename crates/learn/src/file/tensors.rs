//! Tensors as the bytes of a safetensors file.

use std::collections::BTreeMap;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use crate::learner::{Numbers, Tensor};

/// The bytes of a file of these tensors, each a list.
pub(super) fn write(tensors: &[Tensor]) -> Vec<u8> {
    let bytes: BTreeMap<&str, (Dtype, usize, Vec<u8>)> =
        tensors.iter().map(|tensor| (tensor.name.as_str(), in_bytes(&tensor.numbers))).collect();
    let views = bytes.iter().map(|(&name, (dtype, len, bytes))| {
        let view = TensorView::new(*dtype, vec![*len], bytes);
        (name, view.expect("a list has as many bytes as its numbers"))
    });
    safetensors::serialize(views, None).expect("names and lengths are plain")
}

fn in_bytes(numbers: &Numbers) -> (Dtype, usize, Vec<u8>) {
    match numbers {
        Numbers::F32(numbers) => {
            (Dtype::F32, numbers.len(), numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
        }
        Numbers::I16(numbers) => {
            (Dtype::I16, numbers.len(), numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
        }
        Numbers::I8(numbers) => {
            (Dtype::I8, numbers.len(), numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
        }
    }
}

/// The tensors of a file.
///
/// # Errors
/// A sentence, where it is no such file or its tensors are of other kinds.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Tensor>, String> {
    let file = SafeTensors::deserialize(bytes).map_err(|why| why.to_string())?;
    let tensor = |(name, view): (String, TensorView<'_>)| {
        let data = view.data();
        let numbers = match view.dtype() {
            Dtype::F32 => Numbers::F32(data.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()),
            Dtype::I16 => Numbers::I16(data.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect()),
            Dtype::I8 => Numbers::I8(data.iter().map(|&byte| byte as i8).collect()),
            other => return Err(format!("the tensor {name} is of the kind {other:?}; F32, I16 and I8 are read")),
        };
        Ok(Tensor { name, numbers })
    };
    file.tensors().into_iter().map(tensor).collect()
}
