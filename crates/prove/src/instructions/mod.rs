//! The semantics of instructions, after Intel's "Software Developer's Manual", volume 2.
//!
//! An unsupported instruction stops the proof with its name.

mod aes;
mod lanes;
mod masks;
mod products;
mod scalar;
mod sha;
mod shuffles;
mod vector_moves;

use iced_x86::Instruction;

use crate::machine::{Machine, Outcome};

/// Carries out one instruction.
pub(crate) fn carry_out(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    for kind in [
        lanes::carry_out,
        scalar::carry_out,
        vector_moves::carry_out,
        shuffles::carry_out,
        sha::carry_out,
        aes::carry_out,
        products::carry_out,
        masks::carry_out,
    ] {
        if let Some(outcome) = kind(m, i) {
            return outcome;
        }
    }
    Err("not described".into())
}
