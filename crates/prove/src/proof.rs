//! Proofs of entries, each of which is one verb of one kernel.

use core::fmt;

use rustc_hash::FxHashSet;

use crate::contract::{Cases, Setting};
use crate::coverage;
use crate::hashes::Hash;
use crate::machine::{Asked, Machine};
use crate::program::{Function, Program};

/// Parts of entries' names where the compiler keeps a few instructions that no call reaches, and why.
const UNREACHED: [(&str, &str); 5] = [
    // `put_digest` of a digest shorter than the state: there is no place for its last word.
    ("sha1/sha_ni", "/finish_fixed"),
    ("sha256/sha_ni", "/finish_fixed"),
    // Their bodies also serve kernels with fewer lanes, whose groups may fill a part of a turn; and copies
    // test whether a caller's memory overlaps the kernel's own.
    ("sha256/split_x4", "/continue_many"),
    ("sha256/split_x8", "/continue_many"),
    ("sha256/split_x16", "/continue_many"),
];

/// A verb of a kernel in the program.
pub struct Entry {
    /// `sha256/split_x16/compress`.
    pub name: String,
    function: Function,
    hash: Hash,
    module: String,
    verb: String,
    degree: usize,
}

/// The result of a proof.
pub struct Proved {
    /// Calls that were carried out.
    pub n_cases: usize,
    /// Instructions of the entry and of the assembly that it calls.
    pub n_instructions: usize,
    /// The instructions among them that no call reaches.
    pub n_unreached: usize,
    /// The most bytes of stack that it used.
    pub stack_bytes: u64,
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n_cases, n_instructions, n_unreached, stack_bytes } = self;
        write!(f, "{n_cases} cases, {n_instructions} instructions, {stack_bytes} bytes of stack")?;
        match n_unreached {
            0 => Ok(()),
            n => write!(f, ", {n} instructions that no call reaches"),
        }
    }
}

/// All entries of a program for which there are contracts, by name.
pub fn entries(program: &Program) -> Vec<Entry> {
    let entry = |(name, function): (&str, Function)| {
        let (module, rest) = name.strip_prefix("hashlanes_sha::")?.split_once("::kernels::rows::")?;
        let (row, verb) = rest.split_once("::")?;
        // `split_x16` takes 16 messages a turn, `sha_ni` one.
        let degree = row.split("_x").nth(1).and_then(|n| n.split('_').next()?.parse().ok()).unwrap_or(1);
        Some(Entry {
            name: format!("{module}/{row}/{verb}"),
            function,
            hash: Hash::of_module(module)?,
            module: module.into(),
            verb: verb.into(),
            degree,
        })
    };
    let mut entries: Vec<Entry> = program.functions().filter_map(entry).collect();
    entries.retain(|entry| !entry.cases().all.is_empty());
    entries
}

impl Entry {
    fn cases(&self) -> Cases {
        self.hash.cases(&self.verb, self.degree)
    }

    /// Proves the entry by all cases of its contract, and by further ones until all of it was carried out.
    ///
    /// # Errors
    /// The case, and the instruction or the word with which it fails.
    pub fn prove(&self, program: &Program) -> Result<Proved, String> {
        let cases = self.cases();
        // Entries of kernels without AVX test whether they must clear the upper halves of vector registers.
        let [usual, others @ ..] = [(true, true), (true, false), (false, true), (false, false)]
            .map(|(before, has_avx)| Asked { before, has_avx });
        let runs = cases.all.iter().map(|case| (usual, false, case));
        let runs = runs.chain(cases.all.iter().map(|case| (usual, true, case)));
        let by_others =
            others.iter().flat_map(|&asked| cases.all.iter().map(move |case| (asked, false, case)));
        let runs = runs.chain(by_others).chain(cases.until_covered.iter().map(|case| (usual, false, case)));
        let (mut n_cases, mut stack_bytes, mut n_when_asked) = (0, 0, 0);
        let mut executed = FxHashSet::default();
        for (asked, after_stack, case) in runs {
            if n_cases >= 2 * cases.all.len() && executed.len() > n_when_asked {
                n_when_asked = executed.len();
                if self.missing(program, &executed).0.is_empty() {
                    break;
                }
            }
            let mut machine = Machine::new(program, asked);
            machine.executed = executed;
            let outcome = case.run(&mut Setting::new(&mut machine, self.function.address, after_stack));
            outcome.map_err(|why| format!("{}: {why}", case.name()))?;
            stack_bytes = stack_bytes.max(machine.trace.stack_bytes);
            executed = machine.executed;
            n_cases += 1;
        }
        let (missing, n_instructions) = self.missing(program, &executed);
        let is_spared = |(row, verb): &(&str, &str)| self.name.starts_with(row) && self.name.ends_with(verb);
        match missing.first() {
            Some(first) if !UNREACHED.iter().any(is_spared) => Err(format!(
                "{n_cases} cases never carry out {first}, nor {} more of {n_instructions} instructions",
                missing.len() - 1
            )),
            _ => Ok(Proved { n_cases, n_instructions, n_unreached: missing.len(), stack_bytes }),
        }
    }

    /// The instructions that were not carried out, of the entry and of the assembly that it calls, and how
    /// many these have.
    fn missing(&self, program: &Program, executed: &FxHashSet<u64>) -> (Vec<String>, usize) {
        let assembly = format!("hashlanes_sha::{}::asm::", self.module);
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
