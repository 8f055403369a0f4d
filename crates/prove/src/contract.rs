//! The parts of contracts: lay out memory, call the function, compare the results.

use crate::instructions;
use crate::machine::{Machine, Outcome};
use crate::memory::Rights;
use crate::standards::aes::{Block, Rounds};
use crate::terms::{Byte, Term, Terms};

/// The calls by which a function is proved.
#[derive(Default)]
pub struct Cases {
    /// All of these.
    pub all: Vec<Box<dyn Case>>,
    /// Calls that are made in order until every instruction was carried out.
    pub until_covered: Vec<Box<dyn Case>>,
}

/// A call of a function that is proved: with these lengths and choices, for all contents.
pub trait Case {
    /// The name of the call, for the report and for messages.
    fn name(&self) -> String;
    /// Lays out memory, calls the function, and compares.
    fn run(&self, setting: &mut Setting<'_, '_>) -> Outcome;
}

type Check = Box<dyn FnOnce(&mut Setting<'_, '_>) -> Outcome>;

/// A machine with memory that is laid out piece by piece.
pub struct Setting<'m, 'p> {
    machine: &'m mut Machine<'p>,
    function: u64,
    next: u64,
    checks: Vec<Check>,
}

/// The layout of fields, by C's rules.
pub struct Layout {
    /// The offset of each field.
    pub offsets: Vec<u64>,
    /// The size of the structure.
    pub n_bytes: u64,
    /// The greatest alignment of a field.
    pub align: u64,
}

impl Layout {
    /// Creates the layout of fields with these sizes and alignments.
    pub fn of(fields: &[(u64, u64)]) -> Self {
        let (mut end, mut align) = (0u64, 1);
        let mut offsets = Vec::new();
        for &(n_bytes, field_align) in fields {
            end = end.next_multiple_of(field_align);
            offsets.push(end);
            end += n_bytes;
            align = align.max(field_align);
        }
        Self { offsets, n_bytes: end.next_multiple_of(align), align }
    }
}

/// An address after all of the stack.
const AFTER_STACK: u64 = 0x7ff8_0000_0000;
/// The distance between two pieces of memory: nothing is readable between them.
const GAP: u64 = 1 << 12;

impl<'m, 'p> Setting<'m, 'p> {
    /// Creates the call of a function at this address. Its memory is before or after the stack.
    pub fn new(machine: &'m mut Machine<'p>, function: u64, after_stack: bool) -> Self {
        let next = if after_stack { AFTER_STACK } else { 1 << 28 };
        Self { machine, function, next, checks: Vec::new() }
    }

    /// The terms of all words.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.machine.terms
    }

    fn region(&mut self, name: &str, align: u64, n_bytes: u64, rights: Rights) -> u64 {
        // Exactly the promised alignment.
        let base = self.next.next_multiple_of(GAP) + align;
        self.next = base + n_bytes + GAP;
        self.machine.memory.add(name, base, n_bytes, rights);
        base
    }

    /// Adds readable memory.
    pub fn read_only(&mut self, name: &str, align: u64, n_bytes: u64) -> u64 {
        self.region(name, align, n_bytes, Rights::Read)
    }

    /// Adds readable and writable memory.
    pub fn read_write(&mut self, name: &str, align: u64, n_bytes: u64) -> u64 {
        self.region(name, align, n_bytes, Rights::ReadWrite)
    }

    /// Adds pieces of `n_bytes`, `step` bytes apart; returns the address of the first.
    pub fn spread(&mut self, name: &str, n: usize, step: u64, n_bytes: u64) -> u64 {
        let first = self.next.next_multiple_of(GAP) + 1;
        for i in 0..n as u64 {
            self.machine.memory.add(name, first + i * step, n_bytes, Rights::Read);
        }
        self.next = first + n as u64 * step + GAP;
        first
    }

    /// Leaves room, so that the memory after it has the same addresses for other lengths of the memory before
    /// it.
    pub fn leave_room(&mut self, n_bytes: u64) {
        self.next += n_bytes;
    }

    /// Adds a structure of 64-bit words, which the function may change.
    pub fn structure(&mut self, name: &str, words: &[u64]) -> u64 {
        let at = self.read_write(name, 8, 8 * words.len() as u64);
        for (i, &word) in words.iter().enumerate() {
            self.set_value(at + 8 * i as u64, word);
        }
        at
    }

    /// Sets a word.
    pub fn set(&mut self, at: u64, word: Term) {
        let machine = &mut *self.machine;
        machine.memory.set(&mut machine.terms, at, word);
    }

    /// Sets a block.
    pub fn set_block(&mut self, at: u64, block: &Block) {
        for (j, &column) in block.iter().enumerate() {
            self.set(at + 4 * j as u64, column);
        }
    }

    /// Sets the first `n` bytes of 32-bit words, the lowest byte of each first.
    pub fn set_first_bytes(&mut self, at: u64, words: &[Term], n: usize) {
        let bytes: Vec<Byte> = words.iter().flat_map(|&word| self.machine.terms.bytes(word)).collect();
        self.set_some_bytes(at, &bytes[..n]);
    }

    /// Says what is known of AES's rounds.
    pub fn assume(&mut self, rounds: Rounds) {
        self.machine.rounds = rounds;
    }

    /// Sets a word, its highest byte first.
    pub fn set_be(&mut self, at: u64, word: Term) {
        let machine = &mut *self.machine;
        machine.memory.set_be(&mut machine.terms, at, word);
    }

    /// Sets a value of 64 bits.
    pub fn set_value(&mut self, at: u64, value: u64) {
        let machine = &mut *self.machine;
        machine.memory.set_value(&mut machine.terms, at, value);
    }

    /// Sets bytes that are constant.
    pub fn set_bytes(&mut self, at: u64, bytes: &[u8]) {
        let bytes: Vec<Byte> = bytes.iter().map(|&byte| Byte::Known(byte)).collect();
        self.set_some_bytes(at, &bytes);
    }

    /// Sets bytes.
    pub fn set_some_bytes(&mut self, at: u64, bytes: &[Byte]) {
        let machine = &mut *self.machine;
        machine.memory.put_bytes(&mut machine.terms, at, bytes);
    }

    /// The checks after the function has returned.
    pub fn afterwards(&mut self, check: impl FnOnce(&mut Setting<'_, '_>) -> Outcome + 'static) {
        self.checks.push(Box::new(check));
    }

    /// Calls the function, of which no instruction is carried out yet.
    pub fn start(&mut self, arguments: &[u64]) {
        self.machine.start(self.function, arguments);
    }

    /// A pointer to memory that is the next part of a message, by `turn_bytes` later after each turn.
    pub fn window(&mut self, at: u64, n_bytes: u64, turn_bytes: u64) -> Term {
        self.machine.window(at, n_bytes, turn_bytes.into())
    }

    /// Calls the function, and makes the checks.
    pub fn call(&mut self, arguments: &[u64]) -> Outcome {
        self.machine.call(self.function, arguments, instructions::carry_out)?;
        for check in core::mem::take(&mut self.checks) {
            check(self)?;
        }
        Ok(())
    }

    /// Requires that the word at `at` is this one, for every input.
    pub fn expect(&mut self, at: u64, word: Term, what: impl FnOnce() -> String) -> Outcome {
        let machine = &mut *self.machine;
        let width = machine.terms.width(word);
        let found = machine.memory.get(&mut machine.terms, at, width);
        if found == word {
            return Ok(());
        }
        let (found, word) = (machine.terms.describe(found), machine.terms.describe(word));
        Err(format!("{} is {found}; it should be {word} ({})", what(), machine.writer(at)))
    }

    /// Requires this block, for every input.
    pub fn expect_block(&mut self, at: u64, block: &Block, what: &str) -> Outcome {
        let mut columns = block.iter().enumerate();
        columns.try_for_each(|(j, &column)| {
            self.expect(at + 4 * j as u64, column, || format!("column {j} of {what}"))
        })
    }

    /// Requires a 64-bit value.
    pub fn expect_value(&mut self, at: u64, value: u64, what: &str) -> Outcome {
        let value = self.terms().constant(value, 64);
        self.expect(at, value, || what.into())
    }

    /// Requires that the first `n` bytes at `at` are these words, each with its highest byte first.
    pub fn expect_bytes_be(&mut self, at: u64, words: &[Term], n: usize, what: &str) -> Outcome {
        let terms = &mut self.machine.terms;
        let expected: Vec<Byte> =
            words.iter().flat_map(|&word| terms.bytes(word).into_iter().rev().collect::<Vec<_>>()).collect();
        // A place may be longer than they are.
        self.expect_bytes(at, &expected[..n.min(expected.len())], what)
    }

    /// The same of 32-bit words, the lowest byte of each first.
    pub fn expect_first_bytes(&mut self, at: u64, words: &[Term], n: usize, what: &str) -> Outcome {
        let terms = &mut self.machine.terms;
        let expected: Vec<Byte> = words.iter().flat_map(|&word| terms.bytes(word)).collect();
        self.expect_bytes(at, &expected[..n], what)
    }

    fn expect_bytes(&mut self, at: u64, expected: &[Byte], what: &str) -> Outcome {
        let machine = &mut *self.machine;
        let found = machine.memory.bytes(&mut machine.terms, at, expected.len()).expect("within a region");
        // Bytes of different words may be equal.
        let mut word = |byte| machine.terms.of_bytes(&[byte, Byte::Known(0), Byte::Known(0), Byte::Known(0)]);
        let mut differs =
            |(found, expected): (&Byte, &Byte)| found != expected && word(*found) != word(*expected);
        match found.iter().zip(expected).position(&mut differs) {
            None => Ok(()),
            Some(i) => {
                let writer = machine.writer(at + i as u64);
                Err(format!("byte {i} of {what} is another than the standard says ({writer})"))
            }
        }
    }
}
