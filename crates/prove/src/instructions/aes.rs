//! AES's instructions, as uninterpreted functions of the state before its round key is added: a proof assumes
//! their results, and shows that they are applied as the standards require.

use iced_x86::{Instruction, Mnemonic as M};

use crate::machine::{Machine, Outcome};
use crate::memory::Cells;
use crate::standards::aes;

pub(super) fn carry_out(m: &mut Machine<'_>, i: &Instruction) -> Option<Outcome> {
    let function = match i.mnemonic() {
        M::Aesenc | M::Vaesenc => aes::ROUND,
        M::Aesenclast | M::Vaesenclast => aes::LAST_ROUND,
        M::Aesdec | M::Vaesdec => aes::INVERSE_ROUND,
        M::Aesdeclast | M::Vaesdeclast => aes::LAST_INVERSE_ROUND,
        M::Aesimc | M::Vaesimc => return Some(inverse_mix_columns(m, i)),
        M::Aeskeygenassist | M::Vaeskeygenassist => return Some(key_generation_assist(m, i)),
        _ => return None,
    };
    Some(round(m, i, function))
}

fn round(m: &mut Machine<'_>, i: &Instruction, function: &'static str) -> Outcome {
    let (n, last) = (m.n_cells(i), i.op_count() - 1);
    let (state, key) = (m.cells(i, last - 1, n)?, m.cells(i, last, n)?);
    let mut cells = Cells::new();
    for (state, key) in state.chunks_exact(4).zip(key.chunks_exact(4)) {
        cells.extend(m.rounds.apply(&mut m.terms, function, state, key));
    }
    m.write_cells(i, &cells, 4)
}

fn inverse_mix_columns(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let state = m.cells(i, 1, 4)?;
    let cells: Cells = state.iter().map(|&column| aes::inverse_mix_column(&mut m.terms, column)).collect();
    m.write_cells(i, &cells, 4)
}

fn key_generation_assist(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let s = m.cells(i, 1, 4)?;
    let constant = m.terms.constant(i.immediate8().into(), 32);
    let mut cells = Cells::new();
    for word in [s[1], s[3]] {
        let substituted = aes::sub_word(&mut m.terms, word);
        let rotated = m.terms.rotate(substituted, 8);
        cells.push(substituted);
        cells.push(m.terms.xor(rotated, constant));
    }
    m.write_cells(i, &cells, 4)
}
