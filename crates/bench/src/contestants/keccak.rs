//! Our SHA3-256 and the tree over it, for comparison: as they choose their kernels, and on one kernel.

use crate::candidate::{Entry, NotApplicable};
use crate::input::Input;
use crate::work::{Hash, Shape};
use hashlanes::keccak;
use std::hint::black_box;
use std::rc::Rc;

/// Gets ready for SHA3-256 of the input's messages, or for the tree of so many leaves over it.
pub(super) fn enter<'a>(
    name: &str,
    kernel: Option<&str>,
    leaves: Option<u8>,
    input: &'a Input,
) -> Result<Entry<'a>, NotApplicable> {
    let named = |kernel| keccak::table().named(kernel).map_err(|error| NotApplicable(error.to_string()));
    let kernel = kernel.map(named).transpose()?;
    match (leaves.map(usize::from), input.work().shape) {
        (Some(j), Shape::One { .. } | Shape::Many { .. } | Shape::Random { .. }) => {
            Ok(Entry::one_by_one(name, input, move |message| match kernel {
                None => keccak::tree_sha3_256(j, message),
                Some(kernel) => keccak::tree_sha3_256_on(kernel, j, message),
            }))
        }
        (None, Shape::One { .. }) => Ok(Entry::one_by_one(name, input, move |message| match kernel {
            None => keccak::sha3_256(message),
            Some(kernel) => keccak::sha3_256_on(kernel, message),
        })),
        (None, Shape::Many { .. } | Shape::Random { .. }) => {
            let messages: Rc<[&[u8]]> = input.messages().into();
            Ok(Entry::new(name, input, [0; 32], move |out| match kernel {
                None => keccak::sha3_256_many(black_box(&messages), out),
                Some(kernel) => keccak::sha3_256_many_on(kernel, black_box(&messages), out),
            }))
        }
        _ => Err(NotApplicable(format!("has {} of whole messages only", Hash::Sha3_256.name()))),
    }
}
