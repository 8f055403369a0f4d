//! One message on a kernel, which may have more lanes.

use core::slice;

use hashlanes_isa::sponge::{Head, Kernel, MAX_DEGREE, Rate, Row, State, States};

use super::kernels::{TABLE, TABLE_OF_ONE};

/// Returns the kernel for one message: only kernels for one message are linked, unless the environment may
/// force another.
#[inline]
pub(super) fn kernel_of_one() -> &'static Kernel {
    let table = if cfg!(feature = "env-override") { &TABLE } else { &TABLE_OF_ONE };
    table.best_of_group(1, 1)
}

/// The places of states that follow one another.
pub(super) const PLACES: [u8; MAX_DEGREE] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Absorbs the blocks of a row, which follow one another, into one state.
#[inline]
pub(super) fn absorb_one(kernel: &Kernel, rate: Rate, state: &mut State, row: Row<'_>) {
    let n_blocks = row.blocks.len() / rate.bytes();
    if kernel.degree() == 1 {
        let states = States::Advance(slice::from_mut(state), &PLACES[..1]);
        return kernel.absorb(rate, states, &[row], rate.bytes(), n_blocks);
    }
    // All lanes do the same.
    let mut states = [*state; MAX_DEGREE];
    let (degree, rows) = (kernel.degree(), [row; MAX_DEGREE]);
    let lanes = States::Advance(&mut states, &PLACES[..degree]);
    kernel.absorb(rate, lanes, &rows[..degree], rate.bytes(), n_blocks);
    *state = states[0];
}

/// Returns the head of the last state of one message.
#[inline]
pub(super) fn digest_one(kernel: &Kernel, rate: Rate, row: Row<'_>) -> Head {
    let n_blocks = row.blocks.len() / rate.bytes();
    if kernel.degree() == 1 {
        let mut head = [[0; 8]];
        kernel.absorb(rate, States::Whole(&mut head), &[row], rate.bytes(), n_blocks);
        return head[0];
    }
    let mut heads = [[0; 8]; MAX_DEGREE];
    let (degree, rows) = (kernel.degree(), [row; MAX_DEGREE]);
    kernel.absorb(rate, States::Whole(&mut heads[..degree]), &rows[..degree], rate.bytes(), n_blocks);
    heads[0]
}

/// Permutes one state.
pub(super) fn permute_one(kernel: &Kernel, state: &mut State) {
    if kernel.degree() == 1 {
        kernel.permute(slice::from_mut(state));
    } else {
        let mut states = [*state; MAX_DEGREE];
        kernel.permute(&mut states[..kernel.degree()]);
        *state = states[0];
    }
}
