//! Moves between vector registers, memory and general registers.

use iced_x86::{Instruction, Mnemonic as M, OpKind, Register};

use crate::machine::{CELLS, Machine, Outcome};
use crate::memory::Cells;

pub(super) fn carry_out(m: &mut Machine<'_>, i: &Instruction) -> Option<Outcome> {
    Some(match i.mnemonic() {
        M::Movdqa | M::Movdqu | M::Movaps | M::Movups | M::Movapd | M::Movupd | M::Lddqu => whole(m, i, 4),
        M::Vmovdqa | M::Vmovdqu | M::Vmovaps | M::Vmovups | M::Vlddqu => whole(m, i, 4),
        M::Vmovdqa32 | M::Vmovdqu32 => whole(m, i, 4),
        M::Vmovdqa64 | M::Vmovdqu64 | M::Vmovapd | M::Vmovupd => whole(m, i, 8),
        M::Vmovdqu8 => whole(m, i, 1),
        M::Vmovdqu16 => whole(m, i, 2),
        M::Movd | M::Vmovd => double(m, i),
        M::Movq | M::Vmovq => quad(m, i),
        M::Movss | M::Vmovss => single(m, i, 1),
        M::Movsd | M::Vmovsd => single(m, i, 2),
        M::Movhps | M::Movhpd | M::Vmovhps | M::Vmovhpd => half(m, i, 2),
        M::Movlps | M::Movlpd | M::Vmovlps | M::Vmovlpd => half(m, i, 0),
        M::Pextrd | M::Vpextrd | M::Extractps | M::Vextractps => {
            m.cells(i, 1, 4).and_then(|cells| m.write(i, 0, cells[usize::from(i.immediate8() & 3)]))
        }
        M::Pextrq | M::Vpextrq => m.cells(i, 1, 4).and_then(|cells| {
            let at = 2 * usize::from(i.immediate8() & 1);
            let word = m.terms.join(cells[at], cells[at + 1]);
            m.write(i, 0, word)
        }),
        M::Pextrw | M::Vpextrw => m.cells(i, 1, 4).and_then(|cells| {
            let at = usize::from(i.immediate8() & 7);
            let word = m.terms.shift_right(cells[at / 2], 16 * (at as u32 % 2));
            let low = m.terms.constant(0xffff, 32);
            let word = m.terms.and(word, low);
            m.write(i, 0, word)
        }),
        M::Pinsrd | M::Vpinsrd => insert(m, i, 4),
        M::Pinsrq | M::Vpinsrq => insert(m, i, 8),
        M::Pinsrb | M::Vpinsrb => insert_byte(m, i),
        M::Vzeroupper => {
            let zero = m.zero();
            for vector in &mut m.vectors[..16] {
                vector[4..].fill(zero);
            }
            Ok(())
        }
        M::Vpmovdb => down_to_bytes(m, i),
        _ => return None,
    })
}

fn is_vector(i: &Instruction, k: u32) -> bool {
    i.op_kind(k) == OpKind::Register && i.op_register(k).is_vector_register()
}

/// A whole register. Elements in memory outside the mask are not changed.
fn whole(m: &mut Machine<'_>, i: &Instruction, element_bytes: usize) -> Outcome {
    let n = m.n_cells(i);
    let in_memory = (0..2).find(|&k| i.op_kind(k) == OpKind::Memory);
    if i.op_mask() != Register::None
        && let Some(k) = in_memory
    {
        return masked(m, i, k == 0, n, element_bytes);
    }
    let cells = m.cells(i, 1, n)?;
    m.write_cells(i, &cells, element_bytes)
}

fn masked(m: &mut Machine<'_>, i: &Instruction, is_store: bool, n: usize, element_bytes: usize) -> Outcome {
    let (mask, at) = (m.mask(i, 4 * n / element_bytes)?, m.address(i)?);
    let touched = |byte: usize| mask >> (byte / element_bytes) & 1 == 1;
    let register = i.op_register(if is_store { 1 } else { 0 });
    let old: Cells = m.vectors[register.number()][..n].into();
    if is_store {
        let bytes: Vec<_> = old.iter().flat_map(|&cell| m.terms.bytes(cell)).collect();
        for (j, byte) in bytes.iter().enumerate().filter(|(j, _)| touched(*j)) {
            m.memory.store_bytes(&mut m.terms, at + j as u64, &[*byte])?;
        }
        return Ok(());
    }
    let mut cells = Cells::new();
    for (j, &old) in old.iter().enumerate() {
        let all: Vec<bool> = (0..4).map(|k| touched(4 * j + k)).collect();
        cells.push(match all[..] {
            [true, true, true, true] => m.load(at + 4 * j as u64, 4)?[0],
            [false, false, false, false] if i.zeroing_masking() => m.zero(),
            [false, false, false, false] => old,
            _ => {
                let mut bytes = m.terms.bytes(old);
                for (k, byte) in bytes.iter_mut().enumerate() {
                    if all[k] {
                        *byte = m.load_bytes(at + (4 * j + k) as u64, 1)?[0];
                    } else if i.zeroing_masking() {
                        *byte = crate::terms::Byte::Known(0);
                    }
                }
                m.terms.of_bytes(&bytes)
            }
        });
    }
    m.set_vector(i, register, &cells);
    Ok(())
}

fn double(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    if is_vector(i, 0) {
        let (word, zero) = (m.read(i, 1)?, m.zero());
        return m.write_cells(i, &[word, zero, zero, zero], 4);
    }
    let cells = m.cells(i, 1, 4)?;
    m.write(i, 0, cells[0])
}

fn quad(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    if !is_vector(i, 0) {
        let cells = m.cells(i, 1, 4)?;
        let word = m.terms.join(cells[0], cells[1]);
        return m.write(i, 0, word);
    }
    let (low, high) = if is_vector(i, 1) {
        let cells = m.cells(i, 1, 4)?;
        (cells[0], cells[1])
    } else {
        let word = m.read(i, 1)?;
        (m.terms.half(word, 0), m.terms.half(word, 1))
    };
    let zero = m.zero();
    m.write_cells(i, &[low, high, zero, zero], 4)
}

/// MOVSS, MOVSD: one element; between registers the others are unchanged.
fn single(m: &mut Machine<'_>, i: &Instruction, n: usize) -> Outcome {
    let last = i.op_count() - 1;
    if i.op_kind(0) == OpKind::Memory {
        let cells = m.cells(i, 1, n)?;
        return m.write_cells(i, &cells, 4);
    }
    if is_vector(i, last) {
        let (mut cells, new) = (m.cells(i, last - 1, 4)?, m.cells(i, last, n)?);
        cells[..n].copy_from_slice(&new);
        return m.write_cells(i, &cells, 4);
    }
    let mut cells = m.cells(i, last, n)?;
    cells.resize(4, m.zero());
    m.write_cells(i, &cells, 4)
}

/// MOVHPS, MOVLPS and kin: half of a register, from `at` on.
fn half(m: &mut Machine<'_>, i: &Instruction, at: usize) -> Outcome {
    if i.op_kind(0) == OpKind::Memory {
        let cells = m.cells(i, 1, 4)?;
        return m.write_cells(i, &cells[at..at + 2], 4);
    }
    let last = i.op_count() - 1;
    let (mut cells, new) = (m.cells(i, last - 1, 4)?, m.cells(i, last, 2)?);
    cells[at..at + 2].copy_from_slice(&new);
    m.write_cells(i, &cells, 4)
}

fn insert(m: &mut Machine<'_>, i: &Instruction, element_bytes: usize) -> Outcome {
    let (word, at) = (i.op_count() - 2, usize::from(i.immediate8()));
    let mut cells = m.cells(i, word - 1, 4)?;
    let word = m.read(i, word)?;
    if element_bytes == 4 {
        cells[at & 3] = word;
    } else {
        let at = 2 * (at & 1);
        (cells[at], cells[at + 1]) = (m.terms.half(word, 0), m.terms.half(word, 1));
    }
    m.write_cells(i, &cells, 4)
}

fn insert_byte(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let (word, at) = (i.op_count() - 2, usize::from(i.immediate8() & 15));
    let mut cells = m.cells(i, word - 1, 4)?;
    // For a register the lowest byte.
    let byte = match i.op_kind(word) {
        OpKind::Memory => {
            let from = m.address(i)?;
            m.load_bytes(from, 1)?[0]
        }
        _ => {
            let word = m.read(i, word)?;
            m.terms.bytes(word)[0]
        }
    };
    let mut bytes = m.terms.bytes(cells[at / 4]);
    bytes[at % 4] = byte;
    cells[at / 4] = m.terms.of_bytes(&bytes);
    m.write_cells(i, &cells, 4)
}

/// VPMOVDB: the lowest byte of each cell.
fn down_to_bytes(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let n = i.op_register(1).size() / 4;
    if i.op_mask() != Register::None {
        return Err("not described with a mask".into());
    }
    let cells = m.cells(i, 1, n)?;
    let bytes: Vec<_> = cells.iter().map(|&cell| m.terms.bytes(cell)[0]).collect();
    if i.op_kind(0) == OpKind::Memory {
        let at = m.address(i)?;
        return m.memory.store_bytes(&mut m.terms, at, &bytes);
    }
    let mut packed: Cells = bytes.chunks_exact(4).map(|bytes| m.terms.of_bytes(bytes)).collect();
    packed.resize(CELLS, m.zero());
    m.set_vector(i, i.op_register(0), &packed);
    Ok(())
}
