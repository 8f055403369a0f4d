//! Proofs of entries, each of which is one verb of one kernel.

use core::{fmt, mem};

use rustc_hash::FxHashSet;

use crate::contract::{Case, Cases, Setting};
use crate::contracts;
use crate::coverage;
use crate::fingerprint::{Reached, Table};
use crate::induction::{AnyBlocks, Induction};
use crate::machine::{Asked, Machine};
use crate::program::{Function, Program, Reads};
use crate::terms::Terms;

/// Parts of entries' names where the compiler keeps a few instructions that no call reaches, the most of
/// them, and why.
const UNREACHED: [(&str, &str, usize); 33] = [
    // `put_digest` of a digest shorter than the state: there is no place for its last word. A loop over
    // digests could also end after an odd number.
    ("sha1/", "/finish_fixed", 60),
    ("sha256/sha_ni", "/finish_fixed", 100),
    ("sha256/sse_x4", "/finish_fixed", 30),
    // Their bodies also serve kernels with fewer lanes, whose groups may fill a part of a turn; and copies
    // test whether a caller's memory overlaps the kernel's own.
    ("sha256/split_x4", "/continue_many", 60),
    ("sha256/split_x8", "/continue_many", 200),
    ("sha256/split_x16", "/continue_many", 300),
    ("sha256/avx512_x16_asm", "/continue_many", 300),
    ("sha256/zen5_x16", "/continue_many", 300),
    ("sha256/avx512vl_x8_asm", "/continue_many", 300),
    // Copies of messages, and a comparison of words with zeros, test bounds that are constants.
    ("sha256/split_", "/finish_fixed", 40),
    // The same; and messages of one length begin with one state, so the code for states of their own, which
    // continuations reach, is not reached.
    ("sha256/avx512_x16_asm", "/finish_fixed", 180),
    ("sha256/zen5_", "/finish_fixed", 180),
    ("sha256/avx512vl_x8_asm", "/finish_fixed", 130),
    ("sha512/avx512_x8_asm", "/finish_fixed", 140),
    // With one register at once, nothing is left for the loop after it.
    ("aes/", "/ctr", 370),
    ("aes/", "/ctr_long", 270),
    ("aes/vaes", "/cbc_decrypt", 140),
    // A key of eight words has a path of its own, but the loop for shorter ones counts to eight.
    ("aes/", "/expand", 11),
    // A group's length is tested twice.
    ("aes/aes_ni", "/cbc_decrypt", 20),
    // The loop over the blocks of a row ends at its last block, before its own end.
    ("aes/vaes_avx512_x16", "/cbc_encrypt_rows", 3),
    ("aes/vaes_avx512_x16", "/cbc_encrypt_each_rows", 3),
    // The end of a text is read by words of 8, 4, 2 and 1 bytes, also where it is known to be shorter.
    // Counters begin with 2, so their last byte overflows at some numbers of registers only.
    ("gcm/", "/gcm_encrypt", 480),
    ("gcm/", "/gcm_decrypt", 480),
    // AEGIS-128 has no tag of 256 bits, and the end of a text is shorter than a block, for which its code
    // tests.
    ("aegis/", "/aegis128", 30),
    ("aegis/", "/aegis128_many", 95),
    ("aegis/", "/aegis128l_many", 100),
    ("aegis/", "/aegis256_many", 100),
    // A tag has 16 or 32 bytes.
    ("aegis/", "/aegis128l", 60),
    ("aegis/", "/aegis128x2", 80),
    ("aegis/", "/aegis128x4", 60),
    ("aegis/", "/aegis256", 60),
    ("aegis/", "/aegis256x2", 60),
    ("aegis/", "/aegis256x4", 60),
];

/// Rows that are not proved, and why.
const EXCEPTED: [(&str, &str); 5] = [
    (
        "/portable/",
        "it calls the crate `aes`, whose bit slices need terms of single bits; tests compare it with all other rows",
    ),
    ("_karatsuba/gcm_encrypt", OF_SUMS),
    ("_karatsuba/gcm_decrypt", OF_SUMS),
    ("/gcm_siv_encrypt", OF_WINDOWS),
    ("/gcm_siv_decrypt", OF_WINDOWS),
];
const OF_WINDOWS: &str = "no contract describes a window of messages yet; tests compare it with all other rows and with another implementation";
const OF_SUMS: &str = "it multiplies sums of halves, and products are functions of which nothing is known; tests compare it with all other rows";

/// What an entry finds if it asks for the CPU's features.
const USUAL: Asked = Asked { before: true, has_avx: true };
const OTHERS: [Asked; 3] = [
    Asked { before: true, has_avx: false },
    Asked { before: false, has_avx: true },
    Asked { before: false, has_avx: false },
];

/// The runs of an entry so far.
struct Runs {
    function: Function,
    n_cases: usize,
    stack_bytes: u64,
    left: (usize, usize),
    has_asked: bool,
    executed: FxHashSet<u64>,
    reads: Reads,
    /// The terms of the case, which its runs have in common. Another case names other words, so it begins
    /// without them.
    terms: Terms,
}

impl Runs {
    fn new(function: Function) -> Self {
        Self {
            function,
            n_cases: 0,
            stack_bytes: 0,
            left: (0, 0),
            has_asked: false,
            executed: FxHashSet::default(),
            reads: Reads::default(),
            terms: Terms::default(),
        }
    }

    /// Carries out a case, with its memory before or after the stack.
    fn of_case(
        &mut self,
        program: &Program,
        case: &dyn Case,
        asked: Asked,
        are_after_stack: &[bool],
    ) -> Result<(), String> {
        for &after_stack in are_after_stack {
            let mut machine = Machine::new(program, asked, mem::take(&mut self.terms));
            machine.executed = mem::take(&mut self.executed);
            machine.reads = mem::take(&mut self.reads);
            let outcome = case.run(&mut Setting::new(&mut machine, self.function.address, after_stack));
            outcome.map_err(|why| format!("{}: {why}", case.name()))?;
            let (n_registers, n_bytes) = machine.left();
            self.left = (self.left.0.max(n_registers), self.left.1.max(n_bytes));
            self.stack_bytes = self.stack_bytes.max(machine.trace.stack_bytes);
            self.has_asked |= machine.trace.has_asked;
            self.executed = machine.executed;
            self.reads = machine.reads;
            self.terms = machine.terms;
            self.n_cases += 1;
        }
        Ok(())
    }
}

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
    /// Whether it holds for any number of blocks, not only for those of the cases.
    pub any_blocks: bool,
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
        let Self { any_blocks, n_cases, n_instructions, n_unreached, stack_bytes, left, .. } = self;
        let (n_registers, n_bytes) = left;
        let blocks = if *any_blocks { ", any number of blocks" } else { "" };
        write!(f, "{n_cases} cases{blocks}, {n_instructions} instructions, {stack_bytes} bytes of stack")?;
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
        let mut runs = Runs::new(self.function);
        for case in &cases.all {
            runs.of_case(program, &**case, USUAL, &[false, true])?;
            // Entries of kernels without AVX test whether they must clear the upper halves of vector
            // registers.
            if runs.has_asked {
                for asked in OTHERS {
                    runs.of_case(program, &**case, asked, &[false])?;
                }
            }
            runs.terms.clear();
        }
        let mut n_when_asked = 0;
        for case in &cases.until_covered {
            if runs.executed.len() > n_when_asked {
                n_when_asked = runs.executed.len();
                if self.missing(program, &runs.executed).0.is_empty() {
                    break;
                }
            }
            runs.of_case(program, &**case, USUAL, &[false])?;
            runs.terms.clear();
        }
        let Runs { n_cases, stack_bytes, left, executed, reads, .. } = runs;
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
                let any_blocks = self.prove_any_blocks(program);
                Ok(Proved { any_blocks, n_cases, n_instructions, n_unreached, stack_bytes, left, tables })
            }
        }
    }

    /// Whether the entry is proved for any number of blocks.
    fn prove_any_blocks(&self, program: &Program) -> bool {
        let call = contracts::any_blocks(&self.table, &self.verb, self.degree);
        let induction = |call: Box<dyn AnyBlocks>| {
            Induction { program, function: self.function.address, call: &*call, n_lanes: self.degree }.prove()
        };
        call.map(induction).is_some_and(|outcome| outcome.is_ok())
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
