//! The ledger: which entries were proved, with the hash of their machine code.
//!
//! A hash does not depend on where the linker puts a function: what an instruction refers to counts by its
//! contents or its name, not by its address. So a proof holds as long as the code, the constants and the
//! prover are the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use sha2::{Digest, Sha256};

use crate::program::{Function, Program};

/// Bytes that count of a table whose address is computed.
const TABLE_BYTES: usize = 2048;

/// A line of the ledger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The hash of the machine code.
    pub hash: String,
    /// The figures of the proof, as printed.
    pub figures: String,
}

/// The recorded proofs.
#[derive(Default)]
pub struct Ledger {
    /// The compiler of the program.
    pub rustc: String,
    /// The hash of the prover's sources.
    pub prover: String,
    /// By the entries' names.
    pub records: BTreeMap<String, Record>,
}

impl Ledger {
    /// Reads the file.
    ///
    /// # Errors
    /// If it cannot be read, or a line is not one of a ledger.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut ledger = Self::default();
        for line in text.lines() {
            if let Some(rustc) = line.strip_prefix("# rustc: ") {
                ledger.rustc = rustc.into();
            } else if let Some(prover) = line.strip_prefix("# prover: ") {
                ledger.prover = prover.into();
            } else if !line.starts_with('#') {
                let mut words = line.splitn(3, ' ');
                let (Some(name), Some(hash), Some(figures)) = (words.next(), words.next(), words.next())
                else {
                    return Err(format!("{}: not a record: {line}", path.display()));
                };
                let record = Record { hash: hash.into(), figures: figures.into() };
                ledger.records.insert(name.into(), record);
            }
        }
        Ok(ledger)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let mut text =
            String::from("# Entries proved, written by cargo xtask prove --record: docs/design/proof.md\n");
        let _ = writeln!(text, "# rustc: {}\n# prover: {}", self.rustc, self.prover);
        for (name, Record { hash, figures }) in &self.records {
            let _ = writeln!(text, "{name} {hash} {figures}");
        }
        fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
    }
}

/// The hash of the prover's sources, which are read: a proof of another prover is another proof.
///
/// # Errors
/// If they cannot be read.
pub fn hash_of_prover() -> Result<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut hash = Sha256::new();
    for path in files(&folder)? {
        let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    Ok(short(hash))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            all.extend(files(&path)?);
        } else {
            all.push(path);
        }
    }
    Ok(all)
}

fn short(hash: Sha256) -> String {
    hash.finalize()[..12].iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The hash of a function's code and of the assembly that it calls, and whether there is any.
pub fn hash_of_code(program: &Program, function: Function) -> (String, bool) {
    let mut assembly = BTreeSet::new();
    let mut hash = Sha256::new();
    add_code(program, function, &mut hash, &mut assembly);
    let mut done = BTreeSet::new();
    while let Some(name) = assembly.difference(&done).next().cloned() {
        let (_, called) = program.functions().find(|(other, _)| *other == name).expect("a function's name");
        hash.update(name.as_bytes());
        add_code(program, called, &mut hash, &mut assembly);
        done.insert(name);
    }
    (short(hash), !done.is_empty())
}

/// Adds the code; names the assembly that it refers to.
fn add_code(program: &Program, function: Function, hash: &mut Sha256, assembly: &mut BTreeSet<String>) {
    let code = program.constant(function.address, function.n_bytes as usize).unwrap_or(&[]);
    let mut decoder = Decoder::with_ip(64, code, function.address, DecoderOptions::NONE);
    let mut i = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut i);
        let from = (i.ip() - function.address) as usize;
        let mut bytes = code[from..from + i.len()].to_vec();
        let offsets = decoder.get_constant_offsets(&i);
        let is_branch = i.op_count() > 0 && i.op_kind(0) == OpKind::NearBranch64;
        let target = if is_branch {
            Some((i.near_branch_target(), offsets.immediate_offset(), offsets.immediate_size()))
        } else if i.is_ip_rel_memory_operand() {
            Some((i.ip_rel_memory_address(), offsets.displacement_offset(), offsets.displacement_size()))
        } else {
            None
        };
        if let Some((target, at, n)) = target {
            bytes[at..at + n].fill(0);
            hash.update(&bytes);
            let place = target.wrapping_sub(function.address);
            if place < function.n_bytes {
                hash.update(place.to_le_bytes());
            } else {
                add_target(program, &i, target, hash, assembly);
            }
        } else {
            hash.update(&bytes);
        }
    }
}

/// What is outside the function: a name, or contents.
fn add_target(
    program: &Program,
    i: &Instruction,
    target: u64,
    hash: &mut Sha256,
    assembly: &mut BTreeSet<String>,
) {
    // Calls through a table of addresses.
    let pointer =
        program.constant(target, 8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight")));
    let is_call = matches!(i.mnemonic(), Mnemonic::Call | Mnemonic::Jmp);
    let through = pointer.filter(|_| is_call && i.is_ip_rel_memory_operand()).unwrap_or(target);
    if let Some(name) = program.name_of(through).or_else(|| program.imported(through)) {
        hash.update(name.as_bytes());
        if name.contains("::asm::") {
            assembly.insert(name.into());
        }
        return;
    }
    // The loader writes addresses there: places in the source, for messages of failed assertions.
    if program.is_relocated(target) {
        return;
    }
    let n = if i.mnemonic() == Mnemonic::Lea { TABLE_BYTES } else { i.memory_size().size() };
    let bytes = program.code(target, n).unwrap_or(&[]);
    hash.update(bytes);
}
