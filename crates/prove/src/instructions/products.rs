//! Products of polynomials over GF(2).

use iced_x86::{Instruction, Mnemonic as M};

use crate::machine::{Machine, Outcome};
use crate::memory::Cells;
use crate::standards::gcm;

pub(super) fn carry_out(m: &mut Machine<'_>, i: &Instruction) -> Option<Outcome> {
    match i.mnemonic() {
        M::Pclmulqdq | M::Vpclmulqdq => Some(product(m, i)),
        _ => None,
    }
}

/// Of one half of each 128-bit lane of both: bit 0 of the control byte selects the first's, bit 4 the
/// second's.
fn product(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let (n, second, k) = (m.n_cells(i), i.op_count() - 2, i.immediate8());
    let (a, b) = (m.cells(i, second - 1, n)?, m.cells(i, second, n)?);
    let (a, b) = (m.long_lanes(&a), m.long_lanes(&b));
    let mut lanes = Cells::new();
    for (a, b) in a.chunks_exact(2).zip(b.chunks_exact(2)) {
        lanes.extend(gcm::product(&mut m.terms, a[usize::from(k & 1)], b[usize::from(k >> 4 & 1)]));
    }
    let cells = m.split(&lanes);
    m.write_cells(i, &cells, 8)
}
