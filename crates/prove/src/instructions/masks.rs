//! Mask registers. They hold only constants.

use iced_x86::{Instruction, Mnemonic as M, OpKind};

use crate::machine::{Machine, Mask, Outcome};
use crate::terms::Byte;

pub(super) fn carry_out(m: &mut Machine<'_>, i: &Instruction) -> Option<Outcome> {
    let bits = match i.mnemonic() {
        M::Kmovb => 8,
        M::Kmovw => 16,
        M::Kmovd => 32,
        M::Kmovq => 64,
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
