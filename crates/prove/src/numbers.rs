//! Instructions on numbers: terms that are constants. So the prover's instructions can be compared with the
//! CPU's.

use iced_x86::{Instruction, InstructionInfoFactory, Register};

use crate::instructions;
use crate::machine::{Asked, CELLS, Flags, Machine, Outcome};
use crate::program::Program;
use crate::terms::Terms;

/// The registers before and after an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registers {
    /// By their numbers; the stack pointer is not used.
    pub general: [u64; 16],
    /// Words of the vector registers, the lowest first.
    pub vectors: [[u32; CELLS]; 32],
}

/// A machine whose registers are numbers.
pub struct Numbers<'p> {
    program: &'p Program,
    machine: Machine<'p>,
    information: InstructionInfoFactory,
}

/// Terms after which a new machine is faster.
const MOST_TERMS: usize = 200_000;

impl<'p> Numbers<'p> {
    /// Creates a machine.
    pub fn new(program: &'p Program) -> Self {
        Self { program, machine: machine(program), information: InstructionInfoFactory::new() }
    }

    /// Carries out an instruction whose operands are registers and immediates; all flags are clear before.
    ///
    /// # Errors
    /// If it is not described, its result is no number (a word of an uninterpreted function), or it changes a
    /// register that it does not use.
    pub fn carry_out(&mut self, i: &Instruction, before: &Registers) -> Outcome<(Registers, Flags)> {
        if self.machine.terms.count() > MOST_TERMS {
            self.machine = machine(self.program);
        }
        let m = &mut self.machine;
        let used = self.information.info(i).used_registers();
        let used: Vec<Register> = used.iter().map(|used| used.register().full_register()).collect();
        let used: Vec<Register> = used.into_iter().filter(|register| *register != Register::RSP).collect();
        for register in &used {
            let number = register.number();
            if register.is_gpr() {
                m.general[number] = m.terms.constant(before.general[number], 64);
            } else if register.is_vector_register() {
                m.vectors[number] = before.vectors[number].map(|word| m.terms.constant(word.into(), 32));
            }
        }
        let (general, vectors) = (m.general, m.vectors.clone());
        let clear = Some(false);
        m.flags = Some(Flags { carry: clear, zero: clear, sign: clear, overflow: clear, parity: clear });
        instructions::carry_out(m, i)?;
        let mut after = before.clone();
        for number in 0..32 {
            let is_used = |is_of_kind: fn(Register) -> bool| {
                used.iter().any(|register| is_of_kind(*register) && register.number() == number)
            };
            if is_used(Register::is_vector_register) {
                for (word, cell) in after.vectors[number].iter_mut().zip(m.vectors[number]) {
                    *word = m.known(cell, "the result")? as u32;
                }
            } else if m.vectors[number] != vectors[number] {
                return Err(format!("changes vector register {number}"));
            }
            if number < 16 && is_used(Register::is_gpr) {
                after.general[number] = m.known(m.general[number], "the result")?;
            } else if number < 16 && m.general[number] != general[number] {
                return Err(format!("changes general register {number}"));
            }
        }
        Ok((after, m.flags.unwrap_or_default()))
    }
}

fn machine(program: &Program) -> Machine<'_> {
    Machine::new(program, Asked { before: true, has_avx: true }, Terms::default())
}
