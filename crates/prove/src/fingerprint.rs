//! The fingerprint of an entry: a hash of all that its proof reads of the program.
//!
//! These are the entry's code, the code of the functions that it calls, and the constants. Addresses are not
//! part of it, so that another link of the same code has the same fingerprint:
//!
//! - Displacements that depend on the link are replaced by what they lead to: the number of a function among
//!   those that the entry reaches, the name of a function of the C library, or the bytes of a constant.
//! - A constant whose address is loaded is a *table*. The code does not say how long it is, so the proof
//!   records which of its bytes were read, and with which alignment ([`Table`]).
//! - Words of a table of jumps are replaced by their targets.

use std::fmt::{self, Write};

use hashlanes_testkit::oracle;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::coverage::ends_the_program;
use crate::machine::{DETECT, alignment};
use crate::program::{Function, Program, Reads};

/// The part of a table that a proof reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Bytes before its address.
    pub before: u64,
    /// Bytes from its address on.
    pub after: u64,
    /// The alignment that an instruction needs; zero if none does.
    pub align: u64,
}

/// The most bytes between a table's address and a byte of it.
const LARGEST_TABLE: u64 = 1 << 16;

/// The code that an entry reaches.
pub struct Reached<'p> {
    program: &'p Program,
    /// The entry, then each function in the order of the first reference to it.
    functions: Vec<Function>,
    /// All code, without what depends on the link.
    code: Vec<u8>,
    /// The addresses of tables, in the order of the first reference.
    tables: Vec<u64>,
    /// The constants that instructions name, and their lengths.
    named: FxHashMap<u64, u64>,
}

impl<'p> Reached<'p> {
    /// Follows all calls and jumps from a function.
    pub fn from(program: &'p Program, entry: Function) -> Self {
        let mut reached = Self {
            program,
            functions: vec![entry],
            code: Vec::new(),
            tables: Vec::new(),
            named: FxHashMap::default(),
        };
        let mut next = 0;
        while let Some(&function) = reached.functions.get(next) {
            reached.add_code(function);
            next += 1;
        }
        reached
    }

    fn add_code(&mut self, function: Function) {
        let bytes = self.program.constant(function.address, function.n_bytes as usize).unwrap_or(&[]);
        let mut decoder = Decoder::with_ip(64, bytes, function.address, DecoderOptions::NONE);
        let mut end = self.code.len();
        while decoder.can_decode() {
            let i = decoder.decode();
            let places = decoder.get_constant_offsets(&i);
            let at = (i.ip() - function.address) as usize;
            let mut bytes = bytes[at..at + i.len()].to_vec();
            let mut blank = |place: usize, n: usize| bytes[place..place + n].fill(0);
            let mut reference = Vec::new();
            if i.op0_kind() == OpKind::NearBranch64 {
                let target = i.near_branch_target();
                if target.wrapping_sub(function.address) >= function.n_bytes {
                    blank(places.immediate_offset(), places.immediate_size());
                    reference = self.function(&i, target);
                }
            } else if i.is_ip_rel_memory_operand() {
                blank(places.displacement_offset(), places.displacement_size());
                reference = self.constant(&i, i.ip_rel_memory_address());
            }
            self.code.append(&mut bytes);
            self.code.append(&mut reference);
            // Bytes after the last instruction fill the space before the next function.
            if !matches!(i.mnemonic(), Mnemonic::Nop | Mnemonic::Int3 | Mnemonic::INVALID) {
                end = self.code.len();
            }
        }
        self.code.truncate(end);
        self.code.extend(b"end");
    }

    /// The bytes that replace the address of a function, or of a place in one.
    fn function(&mut self, from: &Instruction, at: u64) -> Vec<u8> {
        if let Some(name) = self.program.imported(at) {
            return format!("import {name}").into();
        }
        if ends_the_program(self.program, from) {
            return b"end of the program".into();
        }
        if self.program.name_of(at) == Some(DETECT) {
            return b"detect".into();
        }
        let Some(function) = self.program.function_around(at) else { return b"elsewhere".into() };
        let known = self.functions.iter().position(|other| other.address == function.address);
        let number = known.unwrap_or_else(|| {
            self.functions.push(function);
            self.functions.len() - 1
        });
        format!("function {number} + {}", at - function.address).into()
    }

    /// The bytes that replace the address of a constant that an instruction names.
    fn constant(&mut self, i: &Instruction, at: u64) -> Vec<u8> {
        if i.mnemonic() == Mnemonic::Lea {
            return self.address(i, at);
        }
        let n = i.memory_size().size();
        let Some(bytes) = self.program.constant(at, n) else { return b"variable".into() };
        let longest = self.named.entry(at).or_default();
        *longest = (*longest).max(n as u64);
        if let Some(to) = self.program.pointer(at) {
            return self.address(i, to);
        }
        let is_aligned = alignment(i).is_none_or(|n| at.is_multiple_of(n));
        [bytes, &[u8::from(is_aligned)]].concat()
    }

    /// The bytes that replace an address that an instruction loads.
    fn address(&mut self, i: &Instruction, at: u64) -> Vec<u8> {
        if self.program.imported(at).is_some() || self.program.function_around(at).is_some() {
            return self.function(i, at);
        }
        let number = self.tables.iter().position(|&table| table == at).unwrap_or_else(|| {
            self.tables.push(at);
            self.tables.len() - 1
        });
        format!("table {number}").into()
    }

    /// The parts of the tables that were read, if the code that was carried out is part of the fingerprint.
    ///
    /// # Errors
    /// A constant that belongs to no table, or an instruction of a function that the code does not name.
    pub fn tables(&self, executed: &FxHashSet<u64>, reads: &Reads) -> Result<Vec<Table>, String> {
        let is_in = |at: u64| self.functions.iter().any(|f| at.wrapping_sub(f.address) < f.n_bytes);
        if let Some(at) = executed.iter().find(|&&at| !is_in(at)) {
            return Err(format!("the instruction at {at:#x} is in no function that the code names"));
        }
        let mut parts = vec![Table::default(); self.tables.len()];
        for (&at, read) in reads {
            if self.named.get(&at).is_some_and(|&n| n >= read.n_bytes) {
                continue;
            }
            let end = at + read.n_bytes;
            // The last one before it, or the first one after it.
            let before = (0..parts.len()).filter(|&k| self.tables[k] <= at).max_by_key(|&k| self.tables[k]);
            let after = (0..parts.len()).filter(|&k| self.tables[k] > at).min_by_key(|&k| self.tables[k]);
            let k = before.filter(|&k| end - self.tables[k] <= LARGEST_TABLE).or(after);
            let k = k.filter(|&k| at.abs_diff(self.tables[k]) <= LARGEST_TABLE);
            let k = k.ok_or_else(|| format!("the constant at {at:#x} belongs to no table"))?;
            let part = &mut parts[k];
            part.before = part.before.max(self.tables[k].saturating_sub(at));
            part.after = part.after.max(end.saturating_sub(self.tables[k]));
            part.align = part.align.max(read.align);
        }
        Ok(parts)
    }

    /// The fingerprint, if these are parts of its tables: 64 bits in hexadecimal.
    pub fn hash(&self, parts: &[Table], prover: &str) -> Option<String> {
        if parts.len() != self.tables.len() {
            return None;
        }
        let mut all = [prover.as_bytes(), &self.code].concat();
        for (&table, part) in self.tables.iter().zip(parts) {
            // The proof did not read it; it may be a variable.
            if part.before + part.after == 0 {
                continue;
            }
            let first = table.checked_sub(part.before)?;
            let bytes = self.program.constant(first, (part.before + part.after) as usize)?;
            all.extend(format!("table of {} and {} bytes", part.before, part.after).bytes());
            all.push((part.align != 0 && !first.is_multiple_of(part.align)).into());
            self.add_table(&mut all, table, bytes);
            // Loops may compare with the address of a table's end.
            for (number, other) in self.tables.iter().enumerate() {
                if (first..=table + part.after).contains(other) && *other != table {
                    all.extend(format!("table {number} at {}", other - first).bytes());
                }
            }
        }
        let digest = oracle::by_name("sha256").expect("a hash").digest(&all);
        Some(digest[..8].iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a string takes all");
            text
        }))
    }

    /// Adds a table's bytes, with targets instead of distances to them.
    fn add_table(&self, all: &mut Vec<u8>, table: u64, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<4>();
        for word in words {
            let target = table.wrapping_add_signed(i32::from_le_bytes(*word).into());
            let function =
                self.functions.iter().position(|f| target.wrapping_sub(f.address) < f.n_bytes.max(1));
            match function {
                Some(number) => {
                    let offset = target - self.functions[number].address;
                    all.extend(format!("function {number} + {offset}").bytes());
                }
                None => all.extend(word),
            }
        }
        all.extend(rest);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.before > 0 {
            write!(f, "{}+", self.before)?;
        }
        write!(f, "{}", self.after)?;
        if self.align > 0 { write!(f, "@{}", self.align) } else { Ok(()) }
    }
}

impl std::str::FromStr for Table {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (place, align) = text.split_once('@').unwrap_or((text, "0"));
        let (before, after) = place.split_once('+').unwrap_or(("0", place));
        Ok(Self { before: before.parse()?, after: after.parse()?, align: align.parse()? })
    }
}
