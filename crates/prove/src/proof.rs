//! Proofs of entries, each of which is one verb of one kernel.

use core::fmt;

use rustc_hash::FxHashSet;

use crate::contract::{Cases, Setting};
use crate::contracts;
use crate::coverage;
use crate::fingerprint::{Reached, Table};
use crate::machine::{Asked, Machine};
use crate::program::{Function, Program, Reads};

/// Parts of entries' names where the compiler keeps a few instructions that no call reaches, the most of
/// them, and why.
const UNREACHED: [(&str, &str, usize); 19] = [
    // `put_digest` of a digest shorter than the state: there is no place for its last word.
    ("sha1/sha_ni", "/finish_fixed", 60),
    ("sha256/sha_ni", "/finish_fixed", 100),
    // Their bodies also serve kernels with fewer lanes, whose groups may fill a part of a turn; and copies
    // test whether a caller's memory overlaps the kernel's own.
    ("sha256/split_x4", "/continue_many", 60),
    ("sha256/split_x8", "/continue_many", 200),
    ("sha256/split_x16", "/continue_many", 300),
    // With one register at once, nothing is left for the loop after it.
    ("aes/", "/ctr", 150),
    ("aes/", "/ctr_long", 150),
    // The loop over round keys tests its end twice.
    ("aes/", "/expand", 1),
    // A group's length is tested twice.
    ("aes/aes_ni", "/cbc_decrypt", 20),
    // The loop over the blocks of a row ends at its last block, before its own end.
    ("aes/vaes_avx512_x16", "/cbc_encrypt_rows", 3),
    ("aes/vaes_avx512_x16", "/cbc_encrypt_each_rows", 3),
    // AEGIS-128 has no tag of 256 bits.
    ("aegis/", "/aegis128", 30),
    ("aegis/", "/aegis128_many", 20),
    // A tag has 16 or 32 bytes.
    ("aegis/", "/aegis128l", 60),
    ("aegis/", "/aegis128x2", 60),
    ("aegis/", "/aegis128x4", 60),
    ("aegis/", "/aegis256", 60),
    ("aegis/", "/aegis256x2", 60),
    ("aegis/", "/aegis256x4", 60),
];

/// Rows that are not proved, and why.
const EXCEPTED: [(&str, &str); 1] = [(
    "/portable/",
    "it calls the crate `aes`, whose bit slices need terms of single bits; tests compare it with all other rows",
)];

/// A verb of a kernel in the program.
pub struct Entry {
    /// `sha256/split_x16/compress`.
    pub name: String,
    function: Function,
    table: String,
    row: String,
    verb: String,
    degree: usize,
}

/// The result of a proof.
#[derive(Clone, Debug)]
pub struct Proved {
    /// Calls that were carried out.
    pub n_cases: usize,
    /// Instructions of the entry and of the assembly that it calls.
    pub n_instructions: usize,
    /// The instructions among them that no call reaches.
    pub n_unreached: usize,
    /// The most bytes of stack that it used.
    pub stack_bytes: u64,
    /// The most registers, and bytes of stack, in which it left words that depend on contents.
    pub left: (usize, usize),
    /// The parts of the program's tables that it read.
    pub tables: Vec<Table>,
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n_cases, n_instructions, n_unreached, stack_bytes, left: (n_registers, n_bytes), .. } =
            self;
        write!(f, "{n_cases} cases, {n_instructions} instructions, {stack_bytes} bytes of stack")?;
        write!(f, ", leaves contents in {n_registers} registers, {n_bytes} bytes")?;
        match n_unreached {
            0 => Ok(()),
            n => write!(f, ", {n} instructions that no call reaches"),
        }
    }
}

/// All entries of a program's tables, by name.
pub fn entries(program: &Program) -> Vec<Entry> {
    let entry = |(name, function): (&str, Function)| {
        let (module, rest) = name.split_once("::kernels::rows::")?;
        let table = match module.split_once("::")? {
            ("hashlanes_sha", table) => table,
            ("hashlanes_aes", "modes") => "aes",
            ("hashlanes_aes", table) => table,
            _ => return None,
        };
        let (row, verb) = rest.split_once("::")?;
        // `split_x16` takes 16 messages a turn, `sha_ni` one.
        let degree = row.split("_x").nth(1).and_then(|n| n.split('_').next()?.parse().ok()).unwrap_or(1);
        Some(Entry {
            name: format!("{table}/{row}/{verb}"),
            function,
            table: table.into(),
            row: row.into(),
            verb: verb.into(),
            degree,
        })
    };
    program.functions().filter_map(entry).collect()
}

impl Entry {
    fn cases(&self) -> Cases {
        contracts::cases(&self.table, &self.row, &self.verb, self.degree)
    }

    /// Why it is not proved, if it is an exception.
    pub fn exception(&self) -> Option<&'static str> {
        EXCEPTED.iter().find(|(part, _)| self.name.contains(part)).map(|(_, why)| *why)
    }

    /// A hash of all that the proof depends on: the prover, the code, and these parts of its tables. It is
    /// nothing if the code has other tables.
    pub fn fingerprint(&self, program: &Program, tables: &[Table], prover: &str) -> Option<String> {
        Reached::from(program, self.function).hash(tables, prover)
    }

    /// Proves the entry by all cases of its contract, and by further ones until all of it was carried out.
    ///
    /// # Errors
    /// The case, and the instruction or the word with which it fails.
    pub fn prove(&self, program: &Program) -> Result<Proved, String> {
        let cases = self.cases();
        if cases.all.is_empty() {
            return Err("it has no contract".into());
        }
        // Entries of kernels without AVX test whether they must clear the upper halves of vector registers.
        let [usual, others @ ..] = [(true, true), (true, false), (false, true), (false, false)]
            .map(|(before, has_avx)| Asked { before, has_avx });
        let runs = cases.all.iter().map(|case| (usual, false, case));
        let runs = runs.chain(cases.all.iter().map(|case| (usual, true, case)));
        let by_others =
            others.iter().flat_map(|&asked| cases.all.iter().map(move |case| (asked, false, case)));
        let runs = runs.chain(by_others).chain(cases.until_covered.iter().map(|case| (usual, false, case)));
        let (mut n_cases, mut stack_bytes, mut n_when_asked, mut has_asked) = (0, 0, 0, false);
        let (mut executed, mut reads, mut left) = (FxHashSet::default(), Reads::default(), (0, 0));
        for (asked, after_stack, case) in runs {
            if n_cases >= 2 * cases.all.len() && executed.len() > n_when_asked {
                n_when_asked = executed.len();
                if self.missing(program, &executed).0.is_empty() {
                    break;
                }
            }
            // Otherwise the run is the same.
            if asked != usual && !has_asked {
                continue;
            }
            let mut machine = Machine::new(program, asked);
            machine.executed = executed;
            machine.reads = reads;
            let outcome = case.run(&mut Setting::new(&mut machine, self.function.address, after_stack));
            outcome.map_err(|why| format!("{}: {why}", case.name()))?;
            stack_bytes = stack_bytes.max(machine.trace.stack_bytes);
            let (n_registers, n_bytes) = machine.left();
            left = (left.0.max(n_registers), left.1.max(n_bytes));
            has_asked |= machine.trace.has_asked;
            executed = machine.executed;
            reads = machine.reads;
            n_cases += 1;
        }
        let (missing, n_instructions) = self.missing(program, &executed);
        let is_spared = |(row, verb, most): &(&str, &str, usize)| {
            self.name.starts_with(row) && self.name.ends_with(verb) && missing.len() <= *most
        };
        match missing.first() {
            Some(first) if !UNREACHED.iter().any(is_spared) => Err(format!(
                "{n_cases} cases never carry out {first}, nor {} more of {n_instructions} instructions",
                missing.len() - 1
            )),
            _ => {
                let tables = Reached::from(program, self.function).tables(&executed, &reads)?;
                let n_unreached = missing.len();
                Ok(Proved { n_cases, n_instructions, n_unreached, stack_bytes, left, tables })
            }
        }
    }

    /// The instructions that were not carried out, of the entry and of the assembly that it calls, and how
    /// many these have.
    fn missing(&self, program: &Program, executed: &FxHashSet<u64>) -> (Vec<String>, usize) {
        let assembly = format!("hashlanes_sha::{}::asm::", self.table);
        let called = program
            .functions()
            .filter(|(name, function)| name.starts_with(&assembly) && executed.contains(&function.address));
        let (mut all, mut n_instructions) = (Vec::new(), 0);
        for function in called.map(|(_, function)| function).chain([self.function]) {
            let (missing, n) = coverage::missing(program, function, executed);
            n_instructions += n;
            all.extend(missing);
        }
        (all, n_instructions)
    }
}
