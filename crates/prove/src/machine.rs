//! The machine that carries out instructions on terms.
//!
//! Control flow, addresses, masks, shuffles and counts must be constants: if one depends on an input, the
//! proof fails. So a proof also shows that these five do not depend on data (constant time).

mod cuts;
mod operands;

use iced_x86::{
    Decoder, DecoderOptions, EncodingKind, FastFormatter, Instruction, Mnemonic, OpKind, Register,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

pub use cuts::{Place, Word};

use crate::memory::{Cells, Memory, Rights};
use crate::program::{Program, Reads};
use crate::standards::aes::Rounds;
use crate::terms::public::POINTER;
use crate::terms::{Byte, Free, Term, Terms};

/// The result of an instruction: an error if it cannot be carried out.
pub type Outcome<T = ()> = Result<T, String>;

/// The effect of an instruction.
pub type CarryOut = fn(&mut Machine<'_>, &Instruction) -> Outcome;

/// Status flags, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    /// CF; INC and DEC do not change it.
    pub carry: Option<bool>,
    /// ZF.
    pub zero: Option<bool>,
    /// SF.
    pub sign: Option<bool>,
    /// OF.
    pub overflow: Option<bool>,
    /// PF.
    pub parity: Option<bool>,
}

/// The CPU's features in the test for clearing the upper halves of vector registers, in a kernel without AVX.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Otherwise the features are detected now.
    pub before: bool,
    /// Otherwise all tested features are missing.
    pub has_avx: bool,
}

/// The known bits of a mask register.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mask {
    /// Its bits; those that are not known are zero.
    pub bits: u64,
    /// The mask of known bits.
    pub known: u64,
}

/// Cells of a vector register.
pub const CELLS: usize = 16;

/// Words that a register has before the call.
const UNSET: &str = "a register that was never set";
const UNSET_VECTOR: &str = "a vector register that was never set";
/// Words that it has after a call of the C library.
const AFTER_CALL: &str = "a register after a call";
const VECTOR_AFTER_CALL: &str = "a vector register after a call";
/// The name of the stack's memory.
const STACK: &str = "the stack";
/// The start of the stack; the memory above belongs to the caller.
const STACK_TOP: u64 = 0x7ff0_0000_0008;
/// The maximum stack of a function.
const STACK_BYTES: u64 = 1 << 16;
/// The return address.
const RETURN: u64 = 0x1234_5678_0000;
/// The function that detects features; it is not carried out.
pub(crate) const DETECT: &str = "std_detect::detect::cache::detect_and_initialize";
/// A limit above the instructions of any run.
const MOST_INSTRUCTIONS: usize = 5_000_000;

/// Statistics of a run.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Instructions carried out.
    pub n_instructions: usize,
    /// Calls of the C library.
    pub n_calls: usize,
    /// Bytes of stack used below the return address.
    pub stack_bytes: u64,
    /// Whether the CPU's features were read.
    pub has_asked: bool,
    /// The visits of each instruction, if they are counted.
    pub visits: Option<FxHashMap<u64, Visit>>,
}

/// The visits of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// Their number.
    pub n: usize,
    /// The number of instructions up to the first.
    pub first: usize,
}

/// The registers that a function must keep.
struct Caller {
    stack_pointer: Term,
    registers: [Term; 6],
}

/// The part of a message that a turn of a loop may read, for any number of blocks.
struct Window {
    base: u64,
    n_bytes: u64,
    turn_bytes: i128,
}

/// A function's machine.
pub struct Machine<'p> {
    asked: Asked,
    /// Where the program keeps the CPU's features.
    features_at: Option<u64>,
    /// All words.
    pub terms: Terms,
    /// Memory of the contract.
    pub memory: Memory,
    /// What is known of AES's rounds.
    pub rounds: Rounds,
    /// The executed instructions.
    pub trace: Trace,
    /// Addresses of the instructions that were carried out.
    pub executed: FxHashSet<u64>,
    /// The program's constants that were read.
    pub reads: Reads,
    /// The program whose code it is.
    pub(crate) program: &'p Program,
    pub(crate) general: [Term; 16],
    pub(crate) vectors: Box<[[Term; CELLS]; 32]>,
    pub(crate) masks: [Mask; 8],
    pub(crate) flags: Option<Flags>,
    pub(crate) next: u64,
    decoded: FxHashMap<u64, Instruction>,
    /// What the functions that are being carried out must keep, the innermost last.
    callers: Vec<Caller>,
    windows: Vec<Window>,
    /// The masks at the first arrival at a cut.
    pub(crate) masks_at_cut: [Mask; 8],
    zero: Term,
}

/// Registers that a function must preserve in the System V interface.
const CALLEE_SAVED: [Register; 6] =
    [Register::RBX, Register::RBP, Register::R12, Register::R13, Register::R14, Register::R15];
/// Registers of the first six arguments.
const ARGUMENTS: [Register; 6] =
    [Register::RDI, Register::RSI, Register::RDX, Register::RCX, Register::R8, Register::R9];
const RSP: usize = 4;

impl<'p> Machine<'p> {
    /// Creates a machine whose registers hold unknown values. The terms may be those of another machine: what
    /// they state holds for all values of their words.
    pub fn new(program: &'p Program, asked: Asked, mut terms: Terms) -> Self {
        let zero = terms.constant(0, 32);
        let mut general = [zero; 16];
        for (i, register) in general.iter_mut().enumerate() {
            *register = terms.free(64, UNSET, i, 0);
        }
        let mut vectors = Box::new([[zero; CELLS]; 32]);
        for (i, cells) in vectors.iter_mut().enumerate() {
            for (j, cell) in cells.iter_mut().enumerate() {
                *cell = terms.free(32, UNSET_VECTOR, i, j);
            }
        }
        let mut machine = Self {
            asked,
            features_at: program.variable("std_detect::detect::cache::CACHE"),
            terms,
            memory: Memory::default(),
            rounds: Rounds::default(),
            trace: Trace::default(),
            executed: FxHashSet::default(),
            reads: Reads::default(),
            program,
            general,
            vectors,
            masks: [Mask::default(); 8],
            flags: None,
            next: 0,
            decoded: FxHashMap::default(),
            callers: Vec::new(),
            windows: Vec::new(),
            masks_at_cut: [Mask::default(); 8],
            zero,
        };
        machine.memory.add(STACK, STACK_TOP - STACK_BYTES, STACK_BYTES, Rights::ReadWrite);
        machine.memory.add("the return address", STACK_TOP, 8, Rights::Read);
        machine.memory.set_value(&mut machine.terms, STACK_TOP, RETURN);
        if let Some(at) = machine.features_at {
            machine.memory.add("the CPU's features", at, 24, Rights::Read);
            for word in 0..3 {
                let known = if asked.before { machine.features() } else { 0 };
                machine.memory.set_value(&mut machine.terms, at + 8 * word, known);
            }
        }
        machine.general[RSP] = machine.terms.constant(STACK_TOP, 64);
        machine
    }

    /// Calls a function with these arguments, and carries its instructions out to its end.
    pub fn call(&mut self, at: u64, arguments: &[u64], carry_out: CarryOut) -> Outcome {
        self.start(at, arguments);
        self.run_to_end(carry_out)
    }

    /// Calls a function with these arguments; no instruction is carried out yet.
    pub(crate) fn start(&mut self, at: u64, arguments: &[u64]) {
        for (register, &value) in ARGUMENTS.iter().zip(arguments) {
            self.general[register.number()] = self.terms.constant(value, 64);
        }
        self.enter();
        self.next = at;
    }

    /// Carries out all instructions up to the end.
    pub(crate) fn run_to_end(&mut self, carry_out: CarryOut) -> Outcome {
        while self.next != RETURN {
            self.step(carry_out)?;
        }
        Ok(())
    }

    /// Carries out one instruction or more, up to the next arrival at an address.
    pub(crate) fn run_to(&mut self, at: u64, carry_out: CarryOut) -> Outcome {
        loop {
            self.step(carry_out)?;
            match self.next {
                next if next == at => return Ok(()),
                RETURN => return Err("it ends".into()),
                _ => {}
            }
        }
    }

    /// What is left after the call: registers that hold words of contents, and bytes of stack.
    pub fn left(&mut self) -> (usize, usize) {
        let is_of_contents = |terms: &mut Terms, word: Term| {
            let known = |word| {
                let others = [UNSET, UNSET_VECTOR, AFTER_CALL, VECTOR_AFTER_CALL];
                let of_caller = |free: Free| others.contains(&free.array);
                terms.value(word).is_some() || terms.as_free(word).is_some_and(of_caller)
            };
            match terms.width(word) {
                64 => !known(word),
                _ => {
                    !known(word) && !terms.is_half_of(word, |free| [UNSET, AFTER_CALL].contains(&free.array))
                }
            }
        };
        let general = self.general.iter().filter(|word| is_of_contents(&mut self.terms, **word)).count();
        let vectors = self
            .vectors
            .iter()
            .filter(|cells| cells.iter().any(|word| is_of_contents(&mut self.terms, *word)));
        let n_registers = general + vectors.count();
        let stack = self.memory.written(STACK).filter(|word| is_of_contents(&mut self.terms, *word));
        (n_registers, 4 * stack.count())
    }

    /// A function begins: its return address has been pushed.
    pub(crate) fn enter(&mut self) {
        let registers = CALLEE_SAVED.map(|register| self.general[register.number()]);
        self.callers.push(Caller { stack_pointer: self.general[RSP], registers });
    }

    /// A function ends: its return address has not been popped.
    pub(crate) fn leave(&mut self) -> Outcome {
        let caller = self.callers.pop().ok_or("returns without a call")?;
        if self.general[RSP] != caller.stack_pointer {
            return Err("returns with another stack pointer".into());
        }
        for (register, value) in CALLEE_SAVED.iter().zip(caller.registers) {
            if self.general[register.number()] != value {
                return Err(format!("returns with another {register:?}").to_lowercase());
            }
        }
        Ok(())
    }

    /// The instruction that wrote the word at an address, as assembly.
    pub(crate) fn writer(&self, at: u64) -> String {
        match self.memory.writer(at).map(|writer| (writer, self.decoded.get(&writer))) {
            Some((writer, Some(instruction))) => format!("written by {writer:#x} {}", text(instruction)),
            _ => "never written".into(),
        }
    }

    /// A word of the CPU's features, as the standard library keeps it.
    fn features(&self) -> u64 {
        const IS_KNOWN: u64 = 1 << 63;
        if self.asked.has_avx { u64::MAX } else { IS_KNOWN }
    }

    fn step(&mut self, carry_out: CarryOut) -> Outcome {
        let at = self.next;
        if !self.asked.before && self.program.name_of(at) == Some(DETECT) {
            self.trace.has_asked = true;
            let features = self.features();
            return self.return_from_outside(features);
        }
        if let Some(name) = self.program.imported(at) {
            return self.imported(name);
        }
        let instruction = match self.decoded.get(&at) {
            Some(instruction) => *instruction,
            None => {
                let code =
                    self.program.code(at, 16).ok_or_else(|| format!("jumps to {at:#x}, where no code is"))?;
                let instruction = Decoder::with_ip(64, code, at, DecoderOptions::NONE).decode();
                self.decoded.insert(at, instruction);
                instruction
            }
        };
        self.next = instruction.next_ip();
        self.trace.n_instructions += 1;
        if self.trace.n_instructions > MOST_INSTRUCTIONS {
            return Err("does not end".into());
        }
        self.executed.insert(at);
        if let Some(visits) = &mut self.trace.visits {
            visits.entry(at).or_insert(Visit { n: 0, first: self.trace.n_instructions }).n += 1;
        }
        self.memory.now = Some(at);
        let outcome = self.aligned(&instruction).and_then(|()| carry_out(self, &instruction));
        outcome.map_err(|why| format!("{at:#x} {}: {why}", text(&instruction)))
    }

    /// Executes a function of the C library as defined by the C standard.
    fn imported(&mut self, name: &str) -> Outcome {
        let word = |m: &Self, k: usize| m.general[ARGUMENTS[k].number()];
        let (to, n) = (self.place(word(self, 0))?, self.known(word(self, 2), "a length")? as usize);
        match name {
            "memcpy" | "memmove" => {
                let from = self.place(word(self, 1))?;
                let bytes = self.load_bytes(from, n)?;
                if n > 0 {
                    self.memory.store_bytes(&mut self.terms, to, &bytes)?;
                }
            }
            "memset" => {
                let byte = self.terms.bytes(word(self, 1))[0];
                if n > 0 {
                    self.memory.store_bytes(&mut self.terms, to, &vec![byte; n])?;
                }
            }
            _ => return Err(format!("calls {name}, which is not described")),
        }
        // All return their first argument.
        self.return_from_outside(to)
    }

    /// Returns from a function that is not carried out; the other registers are then unknown.
    fn return_from_outside(&mut self, result: u64) -> Outcome {
        self.trace.n_calls += 1;
        for number in [0, 1, 2, 6, 7, 8, 9, 10, 11] {
            self.general[number] = self.terms.free(64, AFTER_CALL, self.trace.n_calls, number);
        }
        for (i, cells) in self.vectors.iter_mut().enumerate() {
            for (j, cell) in cells.iter_mut().enumerate() {
                *cell = self.terms.free(32, VECTOR_AFTER_CALL, self.trace.n_calls, 16 * i + j);
            }
        }
        self.flags = None;
        self.masks = [Mask::default(); 8];
        self.general[0] = self.terms.constant(result, 64);
        self.leave()?;
        let back = self.pop()?;
        self.next = self.known(back, "the return address")?;
        Ok(())
    }

    /// Fails like the CPU for misaligned memory operands of SSE.
    fn aligned(&mut self, i: &Instruction) -> Outcome {
        let Some(n) = alignment(i) else { return Ok(()) };
        let at = self.address(i)?;
        if !at.is_multiple_of(n) {
            return Err(format!("needs an address that is a multiple of {n}: {}", self.memory.nearest(at)));
        }
        if self.program.constant(at, 1).is_some() {
            self.reads.entry(at).or_default().align = n;
        }
        Ok(())
    }

    // ---- Memory ----

    /// The place of a public address: in its window, if it follows the loop's turns, or elsewhere.
    fn place(&self, address: Term) -> Outcome<u64> {
        let is_within = |window: &Window, at: u64| (window.base..window.base + window.n_bytes).contains(&at);
        if let Some(at) = self.terms.value(address) {
            return match self.windows.iter().any(|window| is_within(window, at)) {
                true => Err("an address of a message that is constant".into()),
                false => Ok(at),
            };
        }
        let Some((linear, _)) = self.terms.public(address) else {
            let depends = || format!("the address depends on {}", self.terms.describe(address));
            return Err(self
                .terms
                .linear(address)
                .map_or_else(depends, |linear| format!("the address is {linear:?}")));
        };
        let window = linear.pointer.and_then(|pointer| self.windows.get(pointer as usize));
        // In the generic turn the window begins at the first block that is left.
        let at = window.filter(|window| linear.left == 0 && linear.turns == window.turn_bytes).and_then(
            |window| {
                let at = window.base.checked_add(u64::try_from(linear.constant).ok()?)?;
                is_within(window, at).then_some(at)
            },
        );
        at.ok_or_else(|| format!("the address {linear:?} is not in the blocks that are left"))
    }

    /// Adds a window: memory at a public pointer that a turn of the loop moves by `turn_bytes`. Returns the
    /// pointer to its beginning in the first turn.
    pub(crate) fn window(&mut self, base: u64, n_bytes: u64, turn_bytes: i128) -> Term {
        self.windows.push(Window { base, n_bytes, turn_bytes });
        self.terms.free(64, POINTER, self.windows.len() - 1, 0)
    }

    /// The address of the operand in memory.
    pub(crate) fn address(&mut self, i: &Instruction) -> Outcome<u64> {
        if i.memory_index().is_vector_register() {
            return Err("gathers, which no contract allows".into());
        }
        if !self.windows.is_empty() && !i.is_ip_rel_memory_operand() {
            let mut sum = self.terms.constant(i.memory_displacement64(), 64);
            for (register, scale) in [(i.memory_base(), 1), (i.memory_index(), i.memory_index_scale())] {
                if register != Register::None {
                    let term = self.general[register.full_register().number()];
                    let term = self.terms.multiple(term, scale.into());
                    sum = self.terms.add(sum, term);
                }
            }
            return self.place(sum);
        }
        if i.is_ip_rel_memory_operand() {
            return Ok(i.ip_rel_memory_address());
        }
        let mut address = i.memory_displacement64();
        for (register, scale) in [(i.memory_base(), 1), (i.memory_index(), i.memory_index_scale())] {
            if register != Register::None {
                let term = self.general[register.full_register().number()];
                let Some(value) = self.terms.value(term) else {
                    return Err(format!("the address depends on {}", self.terms.describe(term)));
                };
                address = address.wrapping_add(value.wrapping_mul(scale.into()));
            }
        }
        Ok(address)
    }

    /// Reads bytes.
    pub(crate) fn load_bytes(&mut self, at: u64, n: usize) -> Outcome<SmallVec<[Byte; 64]>> {
        if let Some(bytes) = self.memory.bytes(&mut self.terms, at, n) {
            return Ok(bytes);
        }
        let bytes = self.constant(at, n)?;
        Ok(bytes.iter().map(|&byte| Byte::Known(byte)).collect())
    }

    /// Reads n / 4 cells.
    pub(crate) fn load(&mut self, at: u64, n: usize) -> Outcome<Cells> {
        self.trace.has_asked |= self.features_at.is_some_and(|features| at.wrapping_sub(features) < 24);
        if let Some(cells) = self.memory.load(&mut self.terms, at, n) {
            return Ok(cells);
        }
        let words = self.constant(at, n)?.as_chunks().0.iter();
        Ok(words.map(|word| self.terms.constant(u32::from_le_bytes(*word).into(), 32)).collect())
    }

    /// Reads bytes that the program never changes.
    fn constant(&mut self, at: u64, n: usize) -> Outcome<&'p [u8]> {
        let bytes = self.program.constant(at, n).ok_or_else(|| self.outside("reads", at, n))?;
        let read = self.reads.entry(at).or_default();
        read.n_bytes = read.n_bytes.max(n as u64);
        Ok(bytes)
    }

    fn outside(&self, what: &str, at: u64, n: usize) -> String {
        match self.program.is_variable(at) {
            true => format!("{what} {n} bytes of a variable of the program at {at:#x}"),
            false => format!("{what} {n} bytes outside its memory: {}", self.memory.nearest(at)),
        }
    }

    /// Writes cells.
    pub(crate) fn store(&mut self, at: u64, cells: &[Term]) -> Outcome {
        self.memory.store(&mut self.terms, at, cells)
    }
}

/// The alignment that an instruction needs of its operand in memory.
pub(crate) fn alignment(i: &Instruction) -> Option<u64> {
    if (0..i.op_count()).all(|k| i.op_kind(k) != OpKind::Memory) {
        return None;
    }
    let n = i.memory_size().size() as u64;
    let must = match i.mnemonic() {
        Mnemonic::Movdqa | Mnemonic::Movaps | Mnemonic::Movapd => true,
        Mnemonic::Vmovdqa
        | Mnemonic::Vmovaps
        | Mnemonic::Vmovapd
        | Mnemonic::Vmovdqa32
        | Mnemonic::Vmovdqa64 => true,
        Mnemonic::Movdqu | Mnemonic::Movups | Mnemonic::Movupd | Mnemonic::Lddqu => false,
        _ => i.encoding() == EncodingKind::Legacy && n == 16 && is_vector_of(i),
    };
    must.then_some(n)
}

/// Whether the operand in memory belongs to a vector instruction.
fn is_vector_of(i: &Instruction) -> bool {
    (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Register && i.op_register(k).is_xmm())
}

/// An instruction as assembly.
pub fn text(i: &Instruction) -> String {
    let mut text = String::new();
    FastFormatter::new().format(i, &mut text);
    text
}
