//! Mask registers. They hold only constants.

use iced_x86::{Instruction, Mnemonic as M, OpKind, Register};

use crate::machine::{Machine, Mask, Outcome};
use crate::terms::Byte;

pub(super) fn carry_out(m: &mut Machine<'_>, i: &Instruction) -> Option<Outcome> {
    let bits = match i.mnemonic() {
        M::Kmovb => 8,
        M::Kmovw => 16,
        M::Kmovd => 32,
        M::Kmovq => 64,
        M::Kshiftrb => return Some(shift_right(m, i, 8)),
        M::Kshiftrw => return Some(shift_right(m, i, 16)),
        M::Kshiftrd => return Some(shift_right(m, i, 32)),
        M::Kshiftrq => return Some(shift_right(m, i, 64)),
        M::Vptestnmd => return Some(test(m, i, 1, false)),
        M::Vptestnmq => return Some(test(m, i, 2, false)),
        M::Vptestmd => return Some(test(m, i, 1, true)),
        M::Vptestmq => return Some(test(m, i, 2, true)),
        _ => return None,
    };
    Some(kmov(m, i, bits))
}

fn kmov(m: &mut Machine<'_>, i: &Instruction, bits: u8) -> Outcome {
    let is_mask = |k| i.op_kind(k) == OpKind::Register && i.op_register(k).is_k();
    let Mask { bits: value, known } = match is_mask(1) {
        true => m.masks[i.op_register(1).number()],
        false => {
            let term = m.read(i, 1)?;
            // If only the low bytes of a register were set, only these are known.
            let mut mask = Mask { bits: 0, known: !crate::terms::ones(m.terms.width(term)) };
            for (k, byte) in m.terms.bytes(term).into_iter().enumerate() {
                if let Byte::Known(byte) = byte {
                    mask.bits |= u64::from(byte) << (8 * k);
                    mask.known |= 0xff << (8 * k);
                }
            }
            mask
        }
    };
    let all = crate::terms::ones(bits);
    if is_mask(0) {
        m.masks[i.op_register(0).number()] = Mask { bits: value & all, known: known | !all };
        return Ok(());
    }
    if known & all != all {
        return Err("a mask that is not constant".into());
    }
    let width = if bits == 64 { 64 } else { 32 };
    let term = m.terms.constant(value & all, width);
    m.write(i, 0, term)
}

/// KSHIFTR: of the low `bits`; the others are cleared.
fn shift_right(m: &mut Machine<'_>, i: &Instruction, bits: u8) -> Outcome {
    let (Mask { bits: value, known }, all) = (m.masks[i.op_register(1).number()], crate::terms::ones(bits));
    if known & all != all {
        return Err("a mask that is not constant".into());
    }
    let shifted = (value & all).checked_shr(i.immediate8().into()).unwrap_or(0);
    m.masks[i.op_register(0).number()] = Mask { bits: shifted, known: u64::MAX };
    Ok(())
}

/// VPTESTM, VPTESTNM: a bit for each element, whether its operands have ones in common, or none.
fn test(m: &mut Machine<'_>, i: &Instruction, element_cells: usize, if_common: bool) -> Outcome {
    if i.op_mask() != Register::None {
        return Err("a masked test is not described".into());
    }
    let n = i.op_register(1).size() / 4;
    let (a, b) = (m.cells(i, 1, n)?, m.cells(i, 2, n)?);
    let mut mask = Mask { bits: 0, known: u64::MAX };
    for (k, (a, b)) in a.chunks(element_cells).zip(b.chunks(element_cells)).enumerate() {
        let mut has_common = false;
        for (&a, &b) in a.iter().zip(b) {
            let both = m.terms.and(a, b);
            has_common |= m.known(both, "a test")? != 0;
        }
        mask.bits |= u64::from(has_common == if_common) << k;
    }
    m.masks[i.op_register(0).number()] = mask;
    Ok(())
}
