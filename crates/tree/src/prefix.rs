//! Prefix blocks, which distinguish lanes, slices and the last hash from each other. They do not separate
//! results from the plain hash of the same bytes: see "What is separated from what" in the crate's
//! documentation.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use hashlanes_isa::{Plan, Start, Types};
use hashlanes_sha::{Algorithm, Midstate};

use crate::algorithm::TreeAlgorithm;
use crate::error::{MAX_J, TreeError};
use crate::mode::Variant;

/// The kind of slices: the field `type` of a prefix block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slicing {
    /// Word by word.
    Lanes = 0,
    /// In contiguous parts.
    Pointers = 1,
}

/// Pre(j, i, type) = u32be(j) ‖ u32be(i) ‖ u32be(type) ‖ NAME ‖ zeros, a block; NAME is the hash's in
/// capitals.
fn block<A: TreeAlgorithm>(j: usize, i: usize, slicing: Slicing) -> <A::Function as Types>::Block {
    let mut block = A::Function::ZERO_BLOCK;
    let fields = block.as_mut().as_chunks_mut::<4>().0;
    for (field, value) in fields.iter_mut().zip([j, i, slicing as usize]) {
        *field = (value as u32).to_be_bytes();
    }
    let name = A::HASH.name().as_bytes();
    let place = &mut block.as_mut()[12..][..name.len()];
    place.copy_from_slice(name);
    place.make_ascii_uppercase();
    block
}

/// The states after the prefix blocks: of the j lanes or slices, then of the last hash. Created once, shared
/// by clones.
#[derive(Clone, Debug)]
pub(crate) struct Prefixes<A: Algorithm>(Arc<[Midstate<A>]>);

impl<A: TreeAlgorithm> Prefixes<A> {
    /// # Errors
    /// [`TreeError::J`].
    pub(crate) fn new(slicing: Slicing, variant: Variant, j: usize) -> Result<Self, TreeError> {
        if !(1..=MAX_J).contains(&j) {
            return Err(TreeError::J(j));
        }
        if variant == Variant::V1NoPrefix {
            return Ok(Self::none(j));
        }
        let number = |i| if variant == Variant::V1 { i } else { 0 };
        let blocks: Vec<_> = (0..=j).map(|i| block::<A>(j, number(i), slicing)).collect();
        let mut states = vec![A::H0; j + 1];
        let kernel = Plan::<A::Function>::BEST.kernel(j, j.div_ceil(16));
        kernel.continue_many(Start::Shared(&A::H0), &blocks, None, &mut states);
        let n_bytes = A::BLOCK_BYTES as u64;
        Ok(Self(states.into_iter().map(|state| Midstate::new(state, n_bytes)).collect()))
    }

    /// Returns the initial value for all.
    pub(crate) fn none(j: usize) -> Self {
        Self(vec![Midstate::new(A::H0, 0); j + 1].into())
    }

    pub(crate) fn j(&self) -> usize {
        self.0.len() - 1
    }

    /// Returns the states of the j lanes or slices.
    pub(crate) fn of_slices(&self) -> &[Midstate<A>] {
        &self.0[..self.j()]
    }

    /// Returns the state of the last hash.
    pub(crate) fn of_wrap(&self) -> Midstate<A> {
        self.0[self.j()]
    }

    /// Returns state `i` of 0..=j.
    #[track_caller]
    pub(crate) fn number(&self, i: usize) -> Midstate<A> {
        assert!(i <= self.j(), "prefix {i}; there are 0 to {}", self.j());
        self.0[i]
    }
}
