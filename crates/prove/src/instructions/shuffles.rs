//! Moves of elements within and between vector registers.

use iced_x86::{Instruction, Mnemonic as M, OpKind};

use crate::machine::{Machine, Outcome};
use crate::memory::Cells;
use crate::terms::{Byte, Term};

/// Cells of a 128-bit lane, within which most shuffles stay.
const LANE: usize = 4;

pub(super) fn carry_out(m: &mut Machine<'_>, i: &Instruction) -> Option<Outcome> {
    Some(match i.mnemonic() {
        M::Pshufb | M::Vpshufb => shuffle_bytes(m, i),
        M::Pshufd | M::Vpshufd => within_lanes(m, i, |a, k, j| a[usize::from(k >> (2 * j) & 3)]),
        M::Vpermilps if i.op_kind(2) == OpKind::Immediate8 => {
            within_lanes(m, i, |a, k, j| a[usize::from(k >> (2 * j) & 3)])
        }
        M::Vpermilpd if i.op_kind(2) == OpKind::Immediate8 => permute_pairs_in_lanes(m, i),
        M::Pshuflw | M::Vpshuflw => shuffle_low_words(m, i),
        M::Shufps | M::Vshufps => of_two(m, i, 4, |a, b, k, _| {
            let at = |j: u32| usize::from(k >> (2 * j) & 3);
            vec![a[at(0)], a[at(1)], b[at(2)], b[at(3)]]
        }),
        M::Shufpd | M::Vshufpd => of_two(m, i, 8, |a, b, k, lane| {
            let at = |j: usize| 2 * usize::from(k >> (2 * lane + j) & 1);
            vec![a[at(0)], a[at(0) + 1], b[at(1)], b[at(1) + 1]]
        }),
        M::Punpckldq | M::Vpunpckldq | M::Unpcklps | M::Vunpcklps => {
            of_two(m, i, 4, |a, b, _, _| vec![a[0], b[0], a[1], b[1]])
        }
        M::Punpckhdq | M::Vpunpckhdq | M::Unpckhps | M::Vunpckhps => {
            of_two(m, i, 4, |a, b, _, _| vec![a[2], b[2], a[3], b[3]])
        }
        M::Punpcklqdq | M::Vpunpcklqdq | M::Unpcklpd | M::Vunpcklpd | M::Movlhps | M::Vmovlhps => {
            of_two(m, i, 8, |a, b, _, _| vec![a[0], a[1], b[0], b[1]])
        }
        M::Punpckhqdq | M::Vpunpckhqdq | M::Unpckhpd | M::Vunpckhpd => {
            of_two(m, i, 8, |a, b, _, _| vec![a[2], a[3], b[2], b[3]])
        }
        M::Punpcklbw | M::Vpunpcklbw => interleave_bytes(m, i, 1, 0),
        M::Punpckhbw | M::Vpunpckhbw => interleave_bytes(m, i, 1, 8),
        M::Punpcklwd | M::Vpunpcklwd => interleave_bytes(m, i, 2, 0),
        M::Punpckhwd | M::Vpunpckhwd => interleave_bytes(m, i, 2, 8),
        M::Palignr | M::Vpalignr => align_bytes(m, i),
        M::Psrldq | M::Vpsrldq => shift_bytes(m, i, true),
        M::Pslldq | M::Vpslldq => shift_bytes(m, i, false),
        M::Pblendw | M::Vpblendw => blend_words(m, i),
        M::Vpblendd | M::Blendps | M::Vblendps => blend(m, i, 1),
        M::Blendpd | M::Vblendpd => blend(m, i, 2),
        M::Vpblendvb => blend_by_bytes(m, i),
        M::Vpblendmd => blend_by_mask(m, i, 1),
        M::Vpblendmq => blend_by_mask(m, i, 2),
        M::Vpbroadcastd | M::Vbroadcastss => broadcast(m, i, 1),
        M::Vpbroadcastq | M::Vbroadcastsd => broadcast(m, i, 2),
        M::Movddup | M::Vmovddup => duplicate(m, i),
        M::Pmovzxdq | M::Vpmovzxdq => extend(m, i),
        M::Vbroadcasti128
        | M::Vbroadcastf128
        | M::Vbroadcasti32x4
        | M::Vbroadcastf32x4
        | M::Vbroadcasti64x2
        | M::Vbroadcastf64x2 => broadcast(m, i, 4),
        M::Vbroadcasti64x4 | M::Vbroadcastf64x4 | M::Vbroadcasti32x8 | M::Vbroadcastf32x8 => {
            broadcast(m, i, 8)
        }
        M::Vinserti128 | M::Vinsertf128 | M::Vinserti32x4 | M::Vinsertf32x4 => insert_lanes(m, i, 4, 4),
        M::Vinserti64x2 | M::Vinsertf64x2 => insert_lanes(m, i, 4, 8),
        M::Vinserti32x8 | M::Vinsertf32x8 => insert_lanes(m, i, 8, 4),
        M::Vinserti64x4 | M::Vinsertf64x4 => insert_lanes(m, i, 8, 8),
        M::Vextracti128 | M::Vextractf128 | M::Vextracti32x4 | M::Vextractf32x4 => extract_lanes(m, i, 4, 4),
        M::Vextracti64x2 | M::Vextractf64x2 => extract_lanes(m, i, 4, 8),
        M::Vextracti32x8 | M::Vextractf32x8 => extract_lanes(m, i, 8, 4),
        M::Vextracti64x4 | M::Vextractf64x4 => extract_lanes(m, i, 8, 8),
        M::Vshufi32x4 | M::Vshuff32x4 => shuffle_lanes(m, i, 4),
        M::Vshufi64x2 | M::Vshuff64x2 => shuffle_lanes(m, i, 8),
        M::Vperm2i128 | M::Vperm2f128 => permute_lanes_of_two(m, i),
        M::Vpermq | M::Vpermpd if i.op_kind(2) == OpKind::Immediate8 => permute_pairs(m, i),
        M::Vpermd | M::Vpermps => permute(m, i, 1),
        M::Vpermq | M::Vpermpd => permute(m, i, 2),
        M::Vpermi2d | M::Vpermi2ps => permute_of_two(m, i, 1, true),
        M::Vpermt2d | M::Vpermt2ps => permute_of_two(m, i, 1, false),
        M::Vpermi2q | M::Vpermi2pd => permute_of_two(m, i, 2, true),
        M::Vpermt2q | M::Vpermt2pd => permute_of_two(m, i, 2, false),
        M::Valignd => align(m, i, 1),
        M::Valignq => align(m, i, 2),
        M::Insertps | M::Vinsertps => insert_single(m, i),
        _ => return None,
    })
}

/// The control byte: the last operand, if it is one.
fn control(i: &Instruction) -> u8 {
    match i.op_kind(i.op_count() - 1) {
        OpKind::Immediate8 => i.immediate8(),
        _ => 0,
    }
}

/// The two sources: the last operands before the control byte, of which SSE's first is the destination, too.
fn sources(m: &mut Machine<'_>, i: &Instruction) -> Outcome<(Cells, Cells)> {
    let n = m.n_cells(i);
    let last = i.op_count() - 1 - u32::from(i.op_kind(i.op_count() - 1) == OpKind::Immediate8);
    Ok((m.cells(i, last - 1, n)?, m.cells(i, last, n)?))
}

fn within_lanes(m: &mut Machine<'_>, i: &Instruction, f: impl Fn(&[Term], u8, usize) -> Term) -> Outcome {
    let (n, k) = (m.n_cells(i), control(i));
    let a = m.cells(i, 1, n)?;
    let cells: Cells =
        a.chunks_exact(LANE).flat_map(|lane| (0..LANE).map(|j| f(lane, k, j)).collect::<Cells>()).collect();
    m.write_cells(i, &cells, 4)
}

fn permute_pairs_in_lanes(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let (n, k) = (m.n_cells(i), control(i));
    let a = m.cells(i, 1, n)?;
    let mut cells = Cells::new();
    for element in 0..n / 2 {
        let from = element / 2 * LANE + 2 * usize::from(k >> element & 1);
        cells.extend_from_slice(&a[from..from + 2]);
    }
    m.write_cells(i, &cells, 8)
}

fn of_two(
    m: &mut Machine<'_>,
    i: &Instruction,
    element_bytes: usize,
    f: impl Fn(&[Term], &[Term], u8, usize) -> Vec<Term>,
) -> Outcome {
    let (a, b) = sources(m, i)?;
    let lanes = a.chunks_exact(LANE).zip(b.chunks_exact(LANE)).enumerate();
    let cells: Cells = lanes.flat_map(|(lane, (a, b))| f(a, b, control(i), lane)).collect();
    m.write_cells(i, &cells, element_bytes)
}

/// The bytes of a lane.
fn bytes_of(m: &mut Machine<'_>, lane: &[Term]) -> Vec<Byte> {
    lane.iter().flat_map(|&cell| m.terms.bytes(cell)).collect()
}

fn cells_of(m: &mut Machine<'_>, bytes: &[Byte]) -> Cells {
    bytes.chunks_exact(4).map(|bytes| m.terms.of_bytes(bytes)).collect()
}

fn shuffle_bytes(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let (a, by) = sources(m, i)?;
    let mut cells = Cells::new();
    for (lane, by) in a.chunks_exact(LANE).zip(by.chunks_exact(LANE)) {
        let (bytes, by) = (bytes_of(m, lane), bytes_of(m, by));
        let mut shuffled = Vec::new();
        for from in by {
            shuffled.push(match from {
                Byte::Known(from) if from >= 128 => Byte::Known(0),
                Byte::Known(from) => bytes[usize::from(from & 15)],
                Byte::Of(term, _) => {
                    return Err(format!("the shuffle depends on {}", m.terms.describe(term)));
                }
            });
        }
        cells.extend(cells_of(m, &shuffled));
    }
    m.write_cells(i, &cells, 1)
}

fn shuffle_low_words(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let (n, k) = (m.n_cells(i), control(i));
    let a = m.cells(i, 1, n)?;
    let mut cells = Cells::new();
    for lane in a.chunks_exact(LANE) {
        let bytes = bytes_of(m, lane);
        let words = (0..4).flat_map(|j| {
            let from = 2 * usize::from(k >> (2 * j) & 3);
            [bytes[from], bytes[from + 1]]
        });
        let low: Vec<Byte> = words.collect();
        cells.extend(cells_of(m, &low));
        cells.extend_from_slice(&lane[2..]);
    }
    m.write_cells(i, &cells, 2)
}

fn interleave_bytes(m: &mut Machine<'_>, i: &Instruction, element_bytes: usize, from: usize) -> Outcome {
    let (a, b) = sources(m, i)?;
    let mut cells = Cells::new();
    for (a, b) in a.chunks_exact(LANE).zip(b.chunks_exact(LANE)) {
        let (a, b) = (bytes_of(m, a), bytes_of(m, b));
        let elements =
            a[from..from + 8].chunks_exact(element_bytes).zip(b[from..from + 8].chunks_exact(element_bytes));
        let bytes: Vec<Byte> = elements.flat_map(|(a, b)| [a, b].concat()).collect();
        cells.extend(cells_of(m, &bytes));
    }
    m.write_cells(i, &cells, element_bytes)
}

fn align_bytes(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let (a, b) = sources(m, i)?;
    let (by, zero) = (usize::from(control(i)).min(32), m.zero());
    let mut cells = Cells::new();
    for (a, b) in a.chunks_exact(LANE).zip(b.chunks_exact(LANE)) {
        let mut both: Cells = b.iter().chain(a).copied().collect();
        both.resize(3 * LANE, zero);
        if by.is_multiple_of(4) {
            cells.extend_from_slice(&both[by / 4..by / 4 + LANE]);
        } else {
            let bytes = bytes_of(m, &both);
            cells.extend(cells_of(m, &bytes[by..by + 16]));
        }
    }
    m.write_cells(i, &cells, 1)
}

fn shift_bytes(m: &mut Machine<'_>, i: &Instruction, to_right: bool) -> Outcome {
    let (n, by) = (m.n_cells(i), usize::from(control(i)).min(16));
    let a = m.cells(i, i.op_count() - 2, n)?;
    let mut cells = Cells::new();
    for lane in a.chunks_exact(LANE) {
        let zeros = [Byte::Known(0); 16];
        let bytes = bytes_of(m, lane);
        let shifted = match to_right {
            true => [&bytes[by..], &zeros[..by]].concat(),
            false => [&zeros[..by], &bytes[..16 - by]].concat(),
        };
        cells.extend(cells_of(m, &shifted));
    }
    m.write_cells(i, &cells, 4)
}

fn blend_words(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let ((a, b), k) = (sources(m, i)?, control(i));
    let mut cells = Cells::new();
    for (j, (&a, &b)) in a.iter().zip(&b).enumerate() {
        cells.push(match k >> (2 * (j % LANE)) & 3 {
            0 => a,
            3 => b,
            one => {
                let (a, b) = (m.terms.bytes(a), m.terms.bytes(b));
                let (low, high) = if one == 1 { (b, a) } else { (a, b) };
                m.terms.of_bytes(&[low[0], low[1], high[2], high[3]])
            }
        });
    }
    m.write_cells(i, &cells, 4)
}

fn blend(m: &mut Machine<'_>, i: &Instruction, element_cells: usize) -> Outcome {
    let ((a, b), k) = (sources(m, i)?, control(i));
    let pick = |j: usize| if k >> (j / element_cells) & 1 == 1 { b[j] } else { a[j] };
    let cells: Cells = (0..a.len()).map(pick).collect();
    m.write_cells(i, &cells, 4)
}

/// VPBLENDVB: by the highest bit of each byte of the last operand.
fn blend_by_bytes(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let n = m.n_cells(i);
    let (a, b, chosen) = (m.cells(i, 1, n)?, m.cells(i, 2, n)?, m.cells(i, 3, n)?);
    let mut cells = Cells::new();
    for (j, &chosen) in chosen.iter().enumerate() {
        let chosen = m.known(chosen, "a choice")?;
        let (mut bytes, other) = (m.terms.bytes(a[j]), m.terms.bytes(b[j]));
        for k in (0..4).filter(|k| chosen >> (8 * k + 7) & 1 == 1) {
            bytes[k] = other[k];
        }
        cells.push(m.terms.of_bytes(&bytes));
    }
    m.write_cells(i, &cells, 4)
}

fn blend_by_mask(m: &mut Machine<'_>, i: &Instruction, element_cells: usize) -> Outcome {
    let (a, b) = sources(m, i)?;
    let (mask, zero) = (m.mask(i, a.len() / element_cells)?, m.zero());
    let pick = |j: usize| match mask >> (j / element_cells) & 1 {
        1 => b[j],
        _ if i.zeroing_masking() => zero,
        _ => a[j],
    };
    let cells: Cells = (0..a.len()).map(pick).collect();
    m.set_vector(i, i.op_register(0), &cells);
    Ok(())
}

fn broadcast(m: &mut Machine<'_>, i: &Instruction, element_cells: usize) -> Outcome {
    let n = m.n_cells(i);
    let element: Cells = if i.op_kind(1) == OpKind::Register && i.op_register(1).is_gpr() {
        let word = m.read(i, 1)?;
        match element_cells {
            1 => [word].into_iter().collect(),
            _ => [m.terms.half(word, 0), m.terms.half(word, 1)].into_iter().collect(),
        }
    } else {
        let mut cells = m.cells(i, 1, element_cells.max(4))?;
        cells.truncate(element_cells);
        cells
    };
    let cells: Cells = element.iter().copied().cycle().take(n).collect();
    m.write_cells(i, &cells, if element_cells == 2 || element_cells == 8 { 8 } else { 4 })
}

fn duplicate(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let n = m.n_cells(i);
    let a = m.cells(i, 1, n)?;
    let cells: Cells = match n {
        4 => [a[0], a[1], a[0], a[1]].into_iter().collect(),
        _ => a.chunks_exact(LANE).flat_map(|lane| [lane[0], lane[1], lane[0], lane[1]]).collect(),
    };
    m.write_cells(i, &cells, 8)
}

/// PMOVZXDQ: the first half of the cells, each with zeros after it.
fn extend(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let n = m.n_cells(i);
    let (a, zero) = (m.cells(i, 1, (n / 2).max(LANE))?, m.zero());
    let cells: Cells = a[..n / 2].iter().flat_map(|&cell| [cell, zero]).collect();
    m.write_cells(i, &cells, 8)
}

fn insert_lanes(m: &mut Machine<'_>, i: &Instruction, n_inserted: usize, element_bytes: usize) -> Outcome {
    let n = m.n_cells(i);
    let (mut cells, inserted) = (m.cells(i, 1, n)?, m.cells(i, 2, n_inserted)?);
    let at = usize::from(control(i)) % (n / n_inserted) * n_inserted;
    cells[at..at + n_inserted].copy_from_slice(&inserted);
    m.write_cells(i, &cells, element_bytes)
}

fn extract_lanes(m: &mut Machine<'_>, i: &Instruction, n_extracted: usize, element_bytes: usize) -> Outcome {
    let n = i.op_register(1).size() / 4;
    let a = m.cells(i, 1, n)?;
    let at = usize::from(control(i)) % (n / n_extracted) * n_extracted;
    m.write_cells(i, &a[at..at + n_extracted], element_bytes)
}

fn shuffle_lanes(m: &mut Machine<'_>, i: &Instruction, element_bytes: usize) -> Outcome {
    let ((a, b), k) = (sources(m, i)?, control(i));
    let n = a.len() / LANE;
    // Two bits a lane of four lanes, one of two.
    let bits = if n == 4 { 2 } else { 1 };
    let mut cells = Cells::new();
    for j in 0..n {
        let from = LANE * (usize::from(k >> (bits * j)) & (n - 1));
        cells.extend_from_slice(&(if j < n / 2 { &a } else { &b })[from..from + LANE]);
    }
    m.write_cells(i, &cells, element_bytes)
}

fn permute_lanes_of_two(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let ((a, b), k, zero) = (sources(m, i)?, control(i), m.zero());
    let mut cells = Cells::new();
    for j in 0..2 {
        let choice = usize::from(k >> (4 * j));
        if choice & 8 != 0 {
            cells.extend([zero; LANE]);
        } else {
            let from = LANE * (choice & 1);
            cells.extend_from_slice(&(if choice & 2 == 0 { &a } else { &b })[from..from + LANE]);
        }
    }
    m.write_cells(i, &cells, 4)
}

/// VPERMQ with a control byte: pairs of cells within 256 bits.
fn permute_pairs(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let (n, k) = (m.n_cells(i), control(i));
    let a = m.cells(i, 1, n)?;
    let mut cells = Cells::new();
    for half in a.chunks_exact(2 * LANE) {
        for j in 0..4 {
            let from = 2 * usize::from(k >> (2 * j) & 3);
            cells.extend_from_slice(&half[from..from + 2]);
        }
    }
    m.write_cells(i, &cells, 8)
}

/// The elements' indices, which must be constants.
fn indices(m: &mut Machine<'_>, cells: &[Term], element_cells: usize) -> Outcome<Vec<usize>> {
    let low = cells.iter().step_by(element_cells);
    low.map(|&index| m.known(index, "the permutation").map(|index| index as usize)).collect()
}

fn permute(m: &mut Machine<'_>, i: &Instruction, element_cells: usize) -> Outcome {
    let (by, a) = sources(m, i)?;
    let mut cells = Cells::new();
    for from in indices(m, &by, element_cells)? {
        let from = from * element_cells % a.len();
        cells.extend_from_slice(&a[from..from + element_cells]);
    }
    m.write_cells(i, &cells, 4 * element_cells)
}

fn permute_of_two(m: &mut Machine<'_>, i: &Instruction, element_cells: usize, index_first: bool) -> Outcome {
    let n = m.n_cells(i);
    let (x, y, b) = (m.cells(i, 0, n)?, m.cells(i, 1, n)?, m.cells(i, 2, n)?);
    let (by, a) = if index_first { (x, y) } else { (y, x) };
    let both: Vec<Term> = a.iter().chain(&b).copied().collect();
    let mut cells = Cells::new();
    for from in indices(m, &by, element_cells)? {
        let from = from * element_cells % both.len();
        cells.extend_from_slice(&both[from..from + element_cells]);
    }
    m.write_cells(i, &cells, 4 * element_cells)
}

fn align(m: &mut Machine<'_>, i: &Instruction, element_cells: usize) -> Outcome {
    let (a, b) = sources(m, i)?;
    let by = usize::from(control(i)) * element_cells % a.len();
    let both: Vec<Term> = b.iter().chain(&a).copied().collect();
    m.write_cells(i, &both[by..by + a.len()], 4 * element_cells)
}

fn insert_single(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let (from, k) = (i.op_count() - 2, control(i));
    let mut cells = m.cells(i, from - 1, 4)?;
    let word = match i.op_kind(from) {
        OpKind::Register => m.cells(i, from, 4)?[usize::from(k >> 6)],
        _ => m.read(i, from)?,
    };
    cells[usize::from(k >> 4 & 3)] = word;
    for (j, cell) in cells.iter_mut().enumerate() {
        if k >> j & 1 == 1 {
            *cell = m.zero();
        }
    }
    m.write_cells(i, &cells, 4)
}
