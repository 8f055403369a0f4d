//! The operands of instructions: registers, words in memory, immediates, the stack, and vectors under masks.

use iced_x86::{EncodingKind, Instruction, OpKind, Register};

use super::{Machine, Mask, Outcome, RSP, STACK_TOP};
use crate::memory::Cells;
use crate::terms::{Byte, Term};

impl Machine<'_> {
    /// The bits of an operand.
    pub(crate) fn bits(&self, i: &Instruction, k: u32) -> u32 {
        match i.op_kind(k) {
            OpKind::Register => i.op_register(k).size() as u32 * 8,
            OpKind::Memory => i.memory_size().size() as u32 * 8,
            // PUSH of an immediate extends it to 64 bits.
            _ if k == 0 => 64,
            _ => self.bits(i, 0),
        }
    }

    /// A general register, a word in memory or an immediate: a term of 64 bits, or of 32 for operands of 32
    /// bits and fewer.
    pub(crate) fn read(&mut self, i: &Instruction, k: u32) -> Outcome<Term> {
        let bits = self.bits(i, k);
        match i.op_kind(k) {
            OpKind::Register => {
                let register = i.op_register(k);
                if !register.is_gpr() {
                    return Err("a register of another kind".into());
                }
                let term = self.general[register.full_register().number()];
                if bits == 64 {
                    return Ok(term);
                }
                if bits == 32 {
                    return Ok(self.terms.half(term, 0));
                }
                let bytes = self.terms.bytes(term);
                let from = usize::from(is_high_byte(register));
                Ok(self.of_some_bytes(&bytes[from..from + bits as usize / 8]))
            }
            OpKind::Memory => {
                let at = self.address(i)?;
                match bits {
                    64 => {
                        let cells = self.load(at, 8)?;
                        Ok(self.terms.join(cells[0], cells[1]))
                    }
                    32 => Ok(self.load(at, 4)?[0]),
                    8 | 16 => {
                        let bytes = self.load_bytes(at, bits as usize / 8)?;
                        Ok(self.of_some_bytes(&bytes))
                    }
                    _ => Err(format!("an operand of {bits} bits")),
                }
            }
            _ => {
                let width = if bits == 64 { 64 } else { 32 };
                let value = i.immediate(k) & crate::terms::ones(bits.min(64) as u8);
                Ok(self.terms.constant(value, width))
            }
        }
    }

    fn of_some_bytes(&mut self, bytes: &[Byte]) -> Term {
        let mut four = [Byte::Known(0); 4];
        four[..bytes.len()].copy_from_slice(bytes);
        self.terms.of_bytes(&four)
    }

    /// A value that must be constant.
    pub(crate) fn known(&self, term: Term, what: &str) -> Outcome<u64> {
        self.terms.value(term).ok_or_else(|| format!("{what} depends on {}", self.terms.describe(term)))
    }

    /// Writes a general register or a word in memory.
    pub(crate) fn write(&mut self, i: &Instruction, k: u32, term: Term) -> Outcome {
        let bits = self.bits(i, k);
        if i.op_kind(k) == OpKind::Register {
            return self.set_register(i.op_register(k), term);
        }
        let at = self.address(i)?;
        match bits {
            64 => {
                let term = self.widened(term);
                let cells = [self.terms.half(term, 0), self.terms.half(term, 1)];
                self.store(at, &cells)
            }
            32 => {
                let term = self.narrowed(term);
                self.store(at, &[term])
            }
            8 | 16 => {
                let bytes = self.terms.bytes(term);
                self.memory.store_bytes(&mut self.terms, at, &bytes[..bits as usize / 8])
            }
            _ => Err(format!("an operand of {bits} bits")),
        }
    }

    /// Zeros above a 32-bit term.
    pub(crate) fn widened(&mut self, term: Term) -> Term {
        match self.terms.width(term) {
            64 => term,
            _ => self.terms.join(term, self.zero),
        }
    }

    /// The low half of a 64-bit term.
    pub(crate) fn narrowed(&mut self, term: Term) -> Term {
        match self.terms.width(term) {
            64 => self.terms.half(term, 0),
            _ => term,
        }
    }

    pub(crate) fn set_register(&mut self, register: Register, term: Term) -> Outcome {
        if !register.is_gpr() {
            return Err("a register of another kind".into());
        }
        let number = register.full_register().number();
        let term = match register.size() {
            8 => self.widened(term),
            4 => {
                let term = self.narrowed(term);
                self.widened(term)
            }
            n => {
                let (mut bytes, new) = (self.terms.bytes(self.general[number]), self.terms.bytes(term));
                let from = usize::from(is_high_byte(register));
                bytes[from..from + n].copy_from_slice(&new[..n]);
                self.terms.of_bytes(&bytes)
            }
        };
        self.general[number] = term;
        if number == RSP {
            let rsp = self.known(term, "the stack pointer")?;
            self.trace.stack_bytes = self.trace.stack_bytes.max(STACK_TOP.saturating_sub(rsp));
        }
        Ok(())
    }

    /// Pushes a 64-bit word.
    pub(crate) fn push(&mut self, term: Term) -> Outcome {
        let rsp = self.known(self.general[RSP], "the stack pointer")? - 8;
        let rsp_term = self.terms.constant(rsp, 64);
        self.set_register(Register::RSP, rsp_term)?;
        let cells = [self.terms.half(term, 0), self.terms.half(term, 1)];
        self.store(rsp, &cells)
    }

    /// Pops a 64-bit word.
    pub(crate) fn pop(&mut self) -> Outcome<Term> {
        let rsp = self.known(self.general[RSP], "the stack pointer")?;
        let cells = self.load(rsp, 8)?;
        let after = self.terms.constant(rsp + 8, 64);
        self.set_register(Register::RSP, after)?;
        Ok(self.terms.join(cells[0], cells[1]))
    }

    // ---- Vectors ----

    /// The cells of a vector operand, `n` of them of a register or of a broadcast.
    pub(crate) fn cells(&mut self, i: &Instruction, k: u32, n: usize) -> Outcome<Cells> {
        match i.op_kind(k) {
            OpKind::Register if i.op_register(k).is_vector_register() => {
                Ok(self.vectors[i.op_register(k).number()][..n].into())
            }
            OpKind::Memory if i.is_broadcast() => {
                let at = self.address(i)?;
                let element = self.load(at, i.memory_size().element_size())?;
                Ok(element.iter().copied().cycle().take(n).collect())
            }
            OpKind::Memory => {
                let at = self.address(i)?;
                self.load(at, i.memory_size().size())
            }
            _ => Err("a vector operand of another kind".into()),
        }
    }

    /// The same of 64-bit lanes.
    pub(crate) fn long_lanes(&mut self, cells: &[Term]) -> Cells {
        cells.chunks_exact(2).map(|pair| self.terms.join(pair[0], pair[1])).collect()
    }

    /// The cells of 64-bit lanes.
    pub(crate) fn split(&mut self, lanes: &[Term]) -> Cells {
        let mut cells = Cells::new();
        for &lane in lanes {
            let (low, high) = (self.terms.half(lane, 0), self.terms.half(lane, 1));
            cells.extend([low, high]);
        }
        cells
    }

    /// Returns the number of cells in an instruction's vectors: that of its first vector register.
    pub(crate) fn n_cells(&self, i: &Instruction) -> usize {
        let registers =
            (0..i.op_count()).filter(|&k| i.op_kind(k) == OpKind::Register).map(|k| i.op_register(k));
        registers.filter(|r| r.is_vector_register()).map(|r| r.size() / 4).next().unwrap_or(0)
    }

    /// Writes a vector operand, under the instruction's mask, whose bits count elements of `element_bytes`
    /// bytes.
    pub(crate) fn write_cells(&mut self, i: &Instruction, cells: &[Term], element_bytes: usize) -> Outcome {
        let mut cells: Cells = cells.into();
        let is_register = i.op_kind(0) == OpKind::Register;
        if i.op_mask() != Register::None {
            let mask = self.mask(i, 4 * cells.len() / element_bytes)?;
            let old = match is_register {
                true => Cells::from(&self.vectors[i.op_register(0).number()][..cells.len()]),
                false => return Err("a masked store of this kind".into()),
            };
            if element_bytes < 4 {
                return self.write_masked_bytes(i, &cells, &old, mask, element_bytes);
            }
            for (j, cell) in cells.iter_mut().enumerate() {
                if mask >> (4 * j / element_bytes) & 1 == 0 {
                    *cell = if i.zeroing_masking() { self.zero } else { old[j] };
                }
            }
        }
        if is_register {
            self.set_vector(i, i.op_register(0), &cells);
            return Ok(());
        }
        let at = self.address(i)?;
        self.store(at, &cells)
    }

    fn write_masked_bytes(
        &mut self,
        i: &Instruction,
        new: &[Term],
        old: &[Term],
        mask: u64,
        n: usize,
    ) -> Outcome {
        let mut cells = Cells::new();
        for (j, (&new, &old)) in new.iter().zip(old).enumerate() {
            let (mut bytes, old) = (self.terms.bytes(new), self.terms.bytes(old));
            for k in 0..4 {
                if mask >> ((4 * j + k) / n) & 1 == 0 {
                    bytes[k] = if i.zeroing_masking() { Byte::Known(0) } else { old[k] };
                }
            }
            cells.push(self.terms.of_bytes(&bytes));
        }
        self.set_vector(i, i.op_register(0), &cells);
        Ok(())
    }

    /// Writes a vector register; the bits above are cleared, except by instructions of SSE.
    pub(crate) fn set_vector(&mut self, i: &Instruction, register: Register, cells: &[Term]) {
        let vector = &mut self.vectors[register.number()];
        vector[..cells.len()].copy_from_slice(cells);
        if i.encoding() != EncodingKind::Legacy {
            vector[cells.len()..].fill(self.zero);
        }
    }

    /// The instruction's mask, of `n` elements.
    pub(crate) fn mask(&self, i: &Instruction, n: usize) -> Outcome<u64> {
        let Mask { bits, known } = self.masks[i.op_mask().number()];
        let asked = crate::terms::ones(n as u8);
        if known & asked == asked { Ok(bits & asked) } else { Err("a mask that is not constant".into()) }
    }

    /// Zero, of 32 bits.
    pub(crate) fn zero(&self) -> Term {
        self.zero
    }
}

fn is_high_byte(register: Register) -> bool {
    matches!(register, Register::AH | Register::BH | Register::CH | Register::DH)
}
