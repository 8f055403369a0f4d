//! Cuts: a run ends at an instruction, and another one begins there with other words.

use smallvec::SmallVec;

use super::{AFTER_CALL, CELLS, Caller, Machine, VECTOR_AFTER_CALL};
use crate::terms::{Free, Term};

/// The place of a word of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A general register.
    General(usize),
    /// A cell of a vector register; two cells, if they are a word of 64 bits.
    Vector(usize, usize),
    /// The address of a cell of memory; of two cells, if they are a word of 64 bits.
    Memory(u64),
    /// What a function must keep: a register, or the stack pointer.
    Caller(usize, usize),
}

impl Place {
    /// Whether a function must keep it.
    pub fn is_of_caller(self) -> bool {
        matches!(self, Self::Caller(..))
    }
}

/// A word of the machine.
pub struct Word {
    /// Its place.
    pub place: Place,
    /// Its value, of 32 or 64 bits.
    pub word: Term,
}

impl Machine<'_> {
    /// All words that are known to be set, in registers and writable memory.
    pub(crate) fn words(&mut self) -> Vec<Word> {
        let mut words: Vec<Word> = (0..16)
            .map(|n| Word { place: Place::General(n), word: self.general[n] })
            .chain(self.callers.iter().enumerate().flat_map(|(n, caller)| {
                let registers = caller.registers.iter().chain([&caller.stack_pointer]).enumerate();
                registers.map(move |(j, &word)| Word { place: Place::Caller(n, j), word })
            }))
            .collect();
        for n in 0..32 {
            for j in (0..CELLS).step_by(2) {
                let [low, high] = [self.vectors[n][j], self.vectors[n][j + 1]];
                self.add_cells(
                    &mut words,
                    Place::Vector(n, j),
                    Place::Vector(n, j + 1),
                    Some(low),
                    Some(high),
                );
            }
        }
        for (at, low, high) in self.memory.writable_pairs() {
            self.add_cells(&mut words, Place::Memory(at), Place::Memory(at + 4), low, high);
        }
        words
    }

    /// Adds two cells: as a word of 64 bits if they are one.
    fn add_cells(
        &mut self,
        words: &mut Vec<Word>,
        at: Place,
        next: Place,
        low: Option<Term>,
        high: Option<Term>,
    ) {
        if let (Some(low), Some(high)) = (low, high) {
            let both = self.terms.join(low, high);
            if self.terms.pair(both).is_none() {
                words.push(Word { place: at, word: both });
                return;
            }
        }
        words.extend(low.map(|word| Word { place: at, word }));
        words.extend(high.map(|word| Word { place: next, word }));
    }

    /// The word of a width at a place.
    pub(crate) fn word(&mut self, place: Place, width: u8) -> Option<Term> {
        let (low, high) = match place {
            Place::General(n) => return Some(self.general[n]),
            Place::Caller(n, j) => {
                let caller = self.callers.get(n)?;
                return Some(*caller.registers.get(j).unwrap_or(&caller.stack_pointer));
            }
            Place::Vector(n, j) => (Some(self.vectors[n][j]), self.vectors[n].get(j + 1).copied()),
            Place::Memory(at) => (self.memory.cell_at(at), self.memory.cell_at(at + 4)),
        };
        if width == 32 { low } else { Some(self.terms.join(low?, high?)) }
    }

    /// Sets the word at a place.
    pub(crate) fn set_word(&mut self, place: Place, word: Term) {
        let cells: SmallVec<[Term; 2]> = match self.terms.width(word) {
            32 => [word].into_iter().collect(),
            _ => [self.terms.half(word, 0), self.terms.half(word, 1)].into_iter().collect(),
        };
        match place {
            Place::General(n) => self.general[n] = word,
            Place::Caller(n, j) => {
                let caller = &mut self.callers[n];
                *caller.registers.get_mut(j).unwrap_or(&mut caller.stack_pointer) = word;
            }
            Place::Vector(n, j) => self.vectors[n][j..j + cells.len()].copy_from_slice(&cells),
            Place::Memory(at) => self.memory.set_cells(at, &cells),
        }
    }

    /// Begins at an address in the functions that another machine carries out, with its masks. All words must
    /// be set after it.
    pub(crate) fn begin_at(&mut self, at: u64, other: &Machine<'_>) {
        let keep = self.zero;
        self.callers =
            other.callers.iter().map(|_| Caller { stack_pointer: keep, registers: [keep; 6] }).collect();
        self.masks = other.masks_at_cut;
        self.flags = None;
        self.next = at;
    }

    /// Whether as many functions are being carried out as in another machine, with its masks.
    pub(crate) fn has_callers_of(&self, other: &Machine<'_>) -> bool {
        self.callers.len() == other.callers.len()
            && self.masks.iter().zip(&other.masks_at_cut).all(|(a, b)| (a.bits, a.known) == (b.bits, b.known))
    }

    /// Whether a free word is one that a call of the C library leaves: another call leaves another word.
    pub(crate) fn is_after_call(free: Free) -> bool {
        [AFTER_CALL, VECTOR_AFTER_CALL].contains(&free.array)
    }
}
