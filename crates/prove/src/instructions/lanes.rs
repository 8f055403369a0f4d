//! Arithmetic, bits, shifts and rotations, lane by lane.

use iced_x86::{Instruction, Mnemonic as M, OpKind, Register};

use crate::machine::{Machine, Outcome};
use crate::memory::Cells;
use crate::terms::{Term, Terms};

type Binary = fn(&mut Terms, Term, Term) -> Term;

#[derive(Clone, Copy)]
enum Shift {
    Right,
    Left,
    Rotate,
    RotateLeft,
}

pub(super) fn carry_out(m: &mut Machine<'_>, i: &Instruction) -> Option<Outcome> {
    Some(match i.mnemonic() {
        M::Paddd | M::Vpaddd => lanes32(m, i, Terms::add),
        M::Psubd | M::Vpsubd => lanes32(m, i, Terms::sub),
        M::Paddq | M::Vpaddq => lanes64(m, i, Terms::add),
        M::Psubq | M::Vpsubq => lanes64(m, i, Terms::sub),
        M::Pxor | M::Vpxor | M::Vpxord | M::Xorps | M::Vxorps => bits(m, i, Terms::xor, 4),
        M::Vpxorq | M::Xorpd | M::Vxorpd => bits(m, i, Terms::xor, 8),
        M::Pand | M::Vpand | M::Vpandd | M::Andps | M::Vandps => bits(m, i, Terms::and, 4),
        M::Vpandq | M::Andpd | M::Vandpd => bits(m, i, Terms::and, 8),
        M::Por | M::Vpor | M::Vpord | M::Orps | M::Vorps => bits(m, i, Terms::or, 4),
        M::Vporq | M::Orpd | M::Vorpd => bits(m, i, Terms::or, 8),
        M::Pandn | M::Vpandn | M::Vpandnd | M::Andnps | M::Vandnps => bits(m, i, Terms::and_not, 4),
        M::Vpandnq | M::Andnpd | M::Vandnpd => bits(m, i, Terms::and_not, 8),
        M::Vpternlogd => ternary(m, i, 4),
        M::Vpternlogq => ternary(m, i, 8),
        M::Psrld | M::Vpsrld => shifts(m, i, Shift::Right, 4),
        M::Pslld | M::Vpslld => shifts(m, i, Shift::Left, 4),
        M::Vprord => shifts(m, i, Shift::Rotate, 4),
        M::Vprold => shifts(m, i, Shift::RotateLeft, 4),
        M::Psrlq | M::Vpsrlq => shifts(m, i, Shift::Right, 8),
        M::Psllq | M::Vpsllq => shifts(m, i, Shift::Left, 8),
        M::Vprorq => shifts(m, i, Shift::Rotate, 8),
        M::Vprolq => shifts(m, i, Shift::RotateLeft, 8),
        M::Vpsrlvd => shifts_by_lanes(m, i, Shift::Right, 4),
        M::Vpsllvd => shifts_by_lanes(m, i, Shift::Left, 4),
        M::Vprorvd => shifts_by_lanes(m, i, Shift::Rotate, 4),
        M::Vprolvd => shifts_by_lanes(m, i, Shift::RotateLeft, 4),
        M::Vpsrlvq => shifts_by_lanes(m, i, Shift::Right, 8),
        M::Vpsllvq => shifts_by_lanes(m, i, Shift::Left, 8),
        M::Vprorvq => shifts_by_lanes(m, i, Shift::Rotate, 8),
        M::Vprolvq => shifts_by_lanes(m, i, Shift::RotateLeft, 8),
        M::Pcmpeqd | M::Vpcmpeqd => on_constants(m, i, |a, b| if a == b { u32::MAX } else { 0 }),
        M::Pmuludq | M::Vpmuludq => products(m, i),
        M::Movmskps | M::Vmovmskps => signs(m, i, 1),
        M::Movmskpd | M::Vmovmskpd => signs(m, i, 2),
        M::Psrlw => words(m, i, Shift::Right),
        M::Psllw => words(m, i, Shift::Left),
        _ => return None,
    })
}

/// The two sources: the last two operands, of which SSE's first is the destination, too.
fn sources(m: &mut Machine<'_>, i: &Instruction) -> Outcome<(Cells, Cells)> {
    let n = m.n_cells(i);
    let last = i.op_count() - 1;
    Ok((m.cells(i, last - 1, n)?, m.cells(i, last, n)?))
}

fn lanes32(m: &mut Machine<'_>, i: &Instruction, f: Binary) -> Outcome {
    let (a, b) = sources(m, i)?;
    let cells: Cells = a.iter().zip(&b).map(|(&a, &b)| f(&mut m.terms, a, b)).collect();
    m.write_cells(i, &cells, 4)
}

fn lanes64(m: &mut Machine<'_>, i: &Instruction, f: Binary) -> Outcome {
    let (a, b) = sources(m, i)?;
    let (a, b) = (m.long_lanes(&a), m.long_lanes(&b));
    let lanes: Cells = a.iter().zip(&b).map(|(&a, &b)| f(&mut m.terms, a, b)).collect();
    let cells = m.split(&lanes);
    m.write_cells(i, &cells, 8)
}

/// Returns whether a bitwise operation of two cells is computed as one: if they are halves of 64-bit words.
fn as_long(terms: &mut Terms, cells: &[&[Term]], j: usize) -> Option<smallvec::SmallVec<[Term; 3]>> {
    let mut all_constant = true;
    let mut long = smallvec::SmallVec::new();
    for cells in cells {
        let (low, high) = (cells[j], cells[j + 1]);
        let is_constant = terms.value(low).is_some() && terms.value(high).is_some();
        if !is_constant && !terms.has_long_bytes(low) && !terms.has_long_bytes(high) {
            return None;
        }
        all_constant &= is_constant;
        let lane = terms.join(low, high);
        if terms.pair(lane).is_some() {
            return None;
        }
        long.push(lane);
    }
    (!all_constant).then_some(long)
}

fn bitwise(
    m: &mut Machine<'_>,
    sources: &[&[Term]],
    mut f: impl FnMut(&mut Terms, &[Term]) -> Term,
) -> Cells {
    let mut cells = Cells::new();
    for j in (0..sources[0].len()).step_by(2) {
        if let Some(long) = as_long(&mut m.terms, sources, j) {
            let lane = f(&mut m.terms, &long);
            cells.extend([m.terms.half(lane, 0), m.terms.half(lane, 1)]);
            continue;
        }
        for j in [j, j + 1] {
            let lanes: smallvec::SmallVec<[Term; 3]> = sources.iter().map(|cells| cells[j]).collect();
            cells.push(f(&mut m.terms, &lanes));
        }
    }
    cells
}

fn bits(m: &mut Machine<'_>, i: &Instruction, f: Binary, element_bytes: usize) -> Outcome {
    // A register combined with itself gives zeros for any content.
    let last = i.op_count() - 1;
    let is_xor = matches!(
        i.mnemonic(),
        M::Pxor | M::Vpxor | M::Vpxord | M::Vpxorq | M::Xorps | M::Vxorps | M::Xorpd | M::Vxorpd
    );
    if is_xor
        && i.op_kind(last) == OpKind::Register
        && i.op_register(last) == i.op_register(last - 1)
        && i.op_mask() == Register::None
    {
        let zeros = Cells::from_elem(m.zero(), m.n_cells(i));
        return m.write_cells(i, &zeros, element_bytes);
    }
    let (a, b) = sources(m, i)?;
    let cells = bitwise(m, &[&a, &b], |terms, x| f(terms, x[0], x[1]));
    m.write_cells(i, &cells, element_bytes)
}

fn ternary(m: &mut Machine<'_>, i: &Instruction, element_bytes: usize) -> Outcome {
    let (n, table) = (m.n_cells(i), i.immediate8());
    let (a, b, c) = (m.cells(i, 0, n)?, m.cells(i, 1, n)?, m.cells(i, 2, n)?);
    // Tables that do not depend on a source, which may be unknown.
    let cells = bitwise(m, &[&a, &b, &c], |terms, x| terms.ternary(x[0], x[1], x[2], table));
    m.write_cells(i, &cells, element_bytes)
}

fn shifted(terms: &mut Terms, lane: Term, shift: Shift, n: u64) -> Term {
    let width = u64::from(terms.width(lane));
    let beyond = n.min(64) as u32;
    match shift {
        Shift::Right => terms.shift_right(lane, beyond),
        Shift::Left => terms.shift_left(lane, beyond),
        Shift::Rotate => terms.rotate(lane, (n % width) as u32),
        Shift::RotateLeft => terms.rotate(lane, ((width - n % width) % width) as u32),
    }
}

fn shifts(m: &mut Machine<'_>, i: &Instruction, shift: Shift, element_bytes: usize) -> Outcome {
    let (n, last) = (m.n_cells(i), i.op_count() - 1);
    let by = match i.op_kind(last) {
        OpKind::Immediate8 => u64::from(i.immediate8()),
        _ => {
            let cells = m.cells(i, last, 4)?;
            let count = m.terms.join(cells[0], cells[1]);
            m.known(count, "a shift's count")?
        }
    };
    let a = m.cells(i, last - 1, n)?;
    let cells = match element_bytes {
        4 => a.iter().map(|&lane| shifted(&mut m.terms, lane, shift, by)).collect(),
        _ => {
            let lanes: Cells = m.long_lanes(&a);
            let lanes: Cells = lanes.iter().map(|&lane| shifted(&mut m.terms, lane, shift, by)).collect();
            m.split(&lanes)
        }
    };
    m.write_cells(i, &cells, element_bytes)
}

fn shifts_by_lanes(m: &mut Machine<'_>, i: &Instruction, shift: Shift, element_bytes: usize) -> Outcome {
    let (mut a, mut b) = sources(m, i)?;
    if element_bytes == 8 {
        (a, b) = (m.long_lanes(&a), m.long_lanes(&b));
    }
    let mut lanes = Cells::new();
    for (&lane, &count) in a.iter().zip(&b) {
        let count = m.known(count, "a shift's count")?;
        lanes.push(shifted(&mut m.terms, lane, shift, count));
    }
    let cells = if element_bytes == 8 { m.split(&lanes) } else { lanes };
    m.write_cells(i, &cells, element_bytes)
}

/// Comparisons, for addresses, for example.
fn on_constants(m: &mut Machine<'_>, i: &Instruction, f: fn(u32, u32) -> u32) -> Outcome {
    // A register compared with itself gives ones for any content.
    let last = i.op_count() - 1;
    if i.op_kind(last) == OpKind::Register && i.op_register(last) == i.op_register(last - 1) {
        let ones = m.terms.constant(f(0, 0).into(), 32);
        let cells = Cells::from_elem(ones, m.n_cells(i));
        return m.write_cells(i, &cells, 4);
    }
    let (a, b) = sources(m, i)?;
    let mut cells = Cells::new();
    for (&a, &b) in a.iter().zip(&b) {
        let (a, b) = (m.known(a, "what it works on")?, m.known(b, "what it works on")?);
        cells.push(m.terms.constant(f(a as u32, b as u32).into(), 32));
    }
    m.write_cells(i, &cells, 4)
}

fn products(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let (a, b) = sources(m, i)?;
    let mut lanes = Cells::new();
    for (&a, &b) in a.iter().zip(&b).step_by(2) {
        let (a, b) = (m.known(a, "a factor")?, m.known(b, "a factor")?);
        lanes.push(m.terms.constant(a * b, 64));
    }
    let cells = m.split(&lanes);
    m.write_cells(i, &cells, 8)
}

/// MOVMSKPS, MOVMSKPD: the highest bit of each element.
fn signs(m: &mut Machine<'_>, i: &Instruction, element_cells: usize) -> Outcome {
    let n = i.op_register(1).size() / 4;
    let cells = m.cells(i, 1, n)?;
    let mut mask = 0;
    for (k, &cell) in cells.iter().skip(element_cells - 1).step_by(element_cells).enumerate() {
        mask |= m.known(cell, "a decision")? >> 31 << k;
    }
    let mask = m.terms.constant(mask, 32);
    m.write(i, 0, mask)
}

/// Shifts of 16-bit lanes.
fn words(m: &mut Machine<'_>, i: &Instruction, shift: Shift) -> Outcome {
    if i.op_kind(1) != OpKind::Immediate8 {
        return Err("not described with a count in a register".into());
    }
    let by = u32::from(i.immediate8());
    let n = m.n_cells(i);
    let kept: u64 = match shift {
        Shift::Right => 0xffff >> by,
        _ => 0xffff << by & 0xffff,
    };
    let mask = m.terms.constant(kept << 16 | kept, 32);
    let mut cells = m.cells(i, 0, n)?;
    for cell in &mut cells {
        let all = match shift {
            Shift::Right => m.terms.shift_right(*cell, by),
            _ => m.terms.shift_left(*cell, by),
        };
        *cell = m.terms.and(all, mask);
    }
    m.write_cells(i, &cells, 2)
}
