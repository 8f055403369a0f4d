//! `cargo xtask guard`: checks that the release program's machine code agrees with the names of its rows.
//!
//! Tests cannot detect these faults: the digests are right, and the code is 3 to 65 times slower.
//! 1. An intrinsic, or a function over lanes, that was not inlined: it is compiled without the row's
//!    features.
//! 2. Two rows of a table with the same code: features without effect.
//! 3. A row with instructions that its name forbids, or without those that its name promises (`rules.rs`).
//! 4. A row whose first verb, `compress` of a hash's, has no code. (Another verb may have none: where two
//!    rows take it over from the same body, the compiler keeps one copy.)
//! 5. A verb that reaches further down the stack than its callers overwrite (`frames.rs`).
//!
//! The program is linked from all rows of all tables, as the tables refer to them.

mod frames;
mod listing;
mod rules;

use std::path::{Path, PathBuf};
use std::process::Command;

use hashlanes_aes::kernels as ciphers;
use hashlanes_sha::kernels;
use hashlanes_testkit::table::Table;

use crate::debian::{self, Missing, Package};
use crate::{process, workspace};
use frames::Frames;
use listing::{Addresses, Encoding, Instruction, Symbol};

/// Builds the program and prints the findings.
///
/// # Errors
/// If something is wrong, or the program cannot be built or listed.
pub(crate) fn command() -> Result<(), String> {
    let report = of_release_program()?;
    println!("{}", report.table);
    report.verdict()
}

/// The findings.
pub(crate) struct Report {
    /// For the terminal: the rows' code in figures.
    pub(crate) table: String,
    n_rows: usize,
    faults: Vec<String>,
}

impl Report {
    /// # Errors
    /// Names everything that is wrong.
    pub(crate) fn verdict(&self) -> Result<(), String> {
        if self.faults.is_empty() {
            println!("{} rows: every one has code of its own, as its name says", self.n_rows);
            return Ok(());
        }
        Err(self.faults.join("\n"))
    }
}

/// Builds the release program and looks at its code.
///
/// # Errors
/// If it cannot be built or listed.
pub(crate) fn of_release_program() -> Result<Report, String> {
    if cfg!(not(target_arch = "x86_64")) {
        return Err("the rules are those of x86-64's rows".into());
    }
    let program = program_with_symbols()?;
    let (symbols, addresses) = listed(&program)?;
    Ok(judge(&symbols, &addresses, &expected_rows()))
}

/// The functions of a program, and the addresses that its data holds.
fn listed(program: &Path) -> Result<(Vec<Symbol>, Addresses), String> {
    let code = objdump(program, &["-d", "-w", "--demangle=rust"])?;
    let relocations = objdump(program, &["-R"])?;
    Ok((listing::symbols(&code), Addresses::of(&relocations)))
}

/// Checks, in a program that links the rows, that callers overwrite the stack of each verb. It may be built
/// with other settings than the release program.
///
/// # Errors
/// Names the verbs that reach further; or if the program cannot be listed.
pub(crate) fn stack_of(program: &Path) -> Result<(), String> {
    let (symbols, addresses) = listed(program)?;
    let frames = Frames::new(&symbols, &addresses);
    let (mut n_checked, mut faults) = (0, Vec::new());
    for row in expected_rows() {
        for (verb, &wiped) in row.verbs.iter().zip(&row.wiped).filter(|(_, wiped)| **wiped > 0) {
            let path = format!("{}::{verb}", row.module);
            let Some(symbol) = symbols.iter().find(|symbol| symbol.name == path) else { continue };
            let fault = frames.depth(symbol).map(|depth| frames::uncovered(depth, wiped));
            faults.extend(fault.unwrap_or_else(Some).map(|fault| format!("{path} {fault}")));
            n_checked += 1;
        }
    }
    match (n_checked, faults.is_empty()) {
        (0, _) => Err(format!("{} has no verb of a row", program.display())),
        (_, true) => Ok(()),
        (_, false) => Err(faults.join("\n")),
    }
}

/// Cargo's arguments for the release program with the symbols that it is released without.
pub(crate) const WITH_SYMBOLS: [&str; 2] =
    ["--config", "profile.release.package.hashlanes-cli.strip = \"none\""];

/// Builds the release program, with the symbols that it is released without; its path.
///
/// # Errors
/// If it cannot be built.
pub(crate) fn program_with_symbols() -> Result<PathBuf, String> {
    let mut build = workspace::cargo("build");
    build.args(["--release", "--package", "hashlanes-cli"]);
    build.args(WITH_SYMBOLS);
    process::run(&mut build)?.checked()?;
    Ok(workspace::release_program())
}

/// The output of objdump for a program.
fn objdump(program: &Path, question: &[&str]) -> Result<String, String> {
    let binutils = Package { name: "binutils", holds: "/usr/bin/objdump" };
    if !process::on_path("objdump") {
        debian::install(&[binutils]).map_err(|(Missing::NoApt(why) | Missing::Failed(why))| why)?;
    }
    let listing = process::stdout(Command::new("objdump").args(question).arg(program))?;
    Ok(String::from_utf8_lossy(&listing).into_owned())
}

/// A row as its table knows it.
struct Expected {
    hash: String,
    /// The beginning of its verbs' symbols, without `::`.
    module: String,
    kernel: String,
    features: &'static [&'static str],
    /// Verbs of its own.
    verbs: Vec<String>,
    /// The bytes of the stack that are overwritten after each of them; 0 if it never sees a secret.
    wiped: Vec<usize>,
}

impl Expected {
    fn new(hash: &str, row: &kernels::Row, wiped: impl Fn(&str) -> usize) -> Self {
        Self {
            hash: hash.into(),
            module: row.module.into(),
            kernel: row.name.into(),
            features: row.features,
            verbs: row.verbs().map(str::to_owned).collect(),
            wiped: row.verbs().map(wiped).collect(),
        }
    }

    /// Whether the row must have code of it, and code of its own: the first of its verbs.
    fn requires(&self, verb: &str) -> bool {
        self.verbs.first().is_some_and(|first| first == verb)
    }
}

fn expected_rows() -> Vec<Expected> {
    let row = |(hash, row): (&str, kernels::Row)| {
        Expected::new(hash, &row, |verb| kernels::wiped_bytes(hash, &row, verb))
    };
    let of_ciphers = ciphers::all().into_iter().flat_map(|cipher| {
        cipher
            .rows()
            .into_iter()
            .map(move |row| Expected::new(cipher.name(), &row, |verb| cipher.wiped_bytes(&row, verb)))
    });
    kernels::every_row().map(row).chain(of_ciphers).collect()
}

/// Checks the rows' code, and searches for functions that were not inlined.
fn judge(symbols: &[Symbol], addresses: &Addresses, expected: &[Expected]) -> Report {
    let frames = Frames::new(symbols, addresses);
    let left_over = symbols.iter().filter_map(|symbol| Some((symbol, left_over(&symbol.name)?)));
    let ours =
        left_over.filter(|(symbol, _)| !is_intrinsic(&symbol.name) || frames.is_called_by_ours(symbol));
    let mut faults: Vec<String> = ours.map(|(_, fault)| fault).collect();
    let heads = ["row", "verb", "bytes", "general", "SSE", "VEX", "EVEX", "zmm", "stack", "wiped", "verdict"];
    let mut table = Table::new(heads);
    // The code of the required verb of the rows seen so far, as it would be anywhere.
    let mut bodies: Vec<(&Expected, Vec<String>)> = Vec::new();
    for row in expected {
        for (verb, &wiped) in row.verbs.iter().zip(&row.wiped) {
            let (place, path) = (format!("{} {}", row.hash, row.kernel), format!("{}::{verb}", row.module));
            let Some(symbol) = symbols.iter().find(|symbol| symbol.name == path) else {
                if row.requires(verb) {
                    faults.push(format!(
                        "{place}: there is no code of {verb} (or it was merged with another row's)"
                    ));
                }
                let dashes = [const { String::new() }; 8];
                let cells = [&[place, verb.clone()][..], &dashes, &["as another row's".into()]].concat();
                table.row(cells);
                continue;
            };
            let functions = with_assembly(symbol, &frames);
            let code: Vec<&Instruction> = functions.iter().flat_map(|function| &function.code).collect();
            let mut wrong = rules::broken(&row.kernel, row.features, verb, row.requires(verb), &code);
            if row.requires(verb) {
                let body: Vec<String> = functions.iter().flat_map(|function| function.anywhere()).collect();
                let twins = bodies.iter().filter(|(other, code)| other.hash == row.hash && *code == body);
                wrong.extend(twins.map(|(other, _)| format!("has the same code as {}", other.kernel)));
                bodies.push((row, body));
            }
            let depth = frames.depth(symbol);
            match &depth {
                Ok(depth) if wiped > 0 => wrong.extend(frames::uncovered(*depth, wiped)),
                Ok(_) => {}
                Err(why) => wrong.push(why.clone()),
            }
            let stack = [depth.unwrap_or(0).to_string(), wiped.to_string()];
            let verdict = if wrong.is_empty() { "right".into() } else { wrong.join("; ") };
            let cells = [&[place.clone(), verb.clone()][..], &figures(&code), &stack, &[verdict]].concat();
            table.row(cells);
            faults.extend(wrong.into_iter().map(|wrong| format!("{place}: {verb} {wrong}")));
        }
    }
    Report { table: table.to_string(), n_rows: expected.len(), faults }
}

/// A verb's own function, and those in assembly that it calls, directly or through what all of them share
/// (`assembly.rs`): that is compiled for any CPU, runs with the upper halves of registers clear, and is no
/// part of a kernel.
fn with_assembly<'s>(symbol: &'s Symbol, frames: &Frames<'s>) -> Vec<&'s Symbol> {
    let called = |caller: &Symbol, part: &str| -> Vec<&'s Symbol> {
        frames.callees(caller).into_values().filter(|callee| callee.name.contains(part)).collect()
    };
    let mut functions = vec![symbol];
    functions.extend(called(symbol, "::asm::"));
    for shared in called(symbol, "::assembly::") {
        functions.extend(called(shared, "::asm::"));
    }
    functions
}

/// Bytes, and instructions by class.
fn figures(code: &[&Instruction]) -> [String; 6] {
    let count = |class: &dyn Fn(&Instruction) -> bool| {
        code.iter().filter(|instruction| class(instruction)).count().to_string()
    };
    [
        code.iter().map(|instruction| instruction.n_bytes()).sum::<usize>().to_string(),
        count(&|instruction| instruction.encoding() == Encoding::General),
        count(&|instruction| instruction.encoding() == Encoding::Sse),
        count(&|instruction| instruction.encoding() == Encoding::Vex),
        count(&|instruction| instruction.encoding() == Encoding::Evex),
        count(&|instruction| instruction.uses("%zmm")),
    ]
}

fn is_intrinsic(name: &str) -> bool {
    name.contains("core::core_arch::")
}

/// Returns the fault of a function that must not exist.
fn left_over(name: &str) -> Option<String> {
    /// They detect the CPU's features, once, and need no features themselves.
    const DETECTION: [&str; 2] = ["_xgetbv", "__cpuid"];
    /// The sources of bodies over lanes.
    const BODIES: &[&str] = &[
        "hashlanes_isa::cipher::x86::",
        "hashlanes_isa::lanes::",
        "hashlanes_isa::over_lanes::",
        "hashlanes_isa::sse::",
        "hashlanes_isa::avx2::",
        "hashlanes_isa::avx512::",
        "hashlanes_isa::avx512vl::",
        "hashlanes_isa::sha_ni::",
        "::kernels::rows::",
    ];
    if is_intrinsic(name) {
        let detects = DETECTION.iter().any(|question| name.contains(question));
        // Functions of vector types (in other libraries) that are not intrinsics.
        let of_type =
            name.starts_with("core::ptr::drop_in_place<") || name.ends_with(" as core::fmt::Debug>::fmt");
        return (!detects && !of_type).then(|| format!("{name}: an intrinsic that was not inlined"));
    }
    let definition =
        name.contains("hashlanes_sha::") && (name.contains("::lanes::") || name.contains("::sha_ni::"));
    let of_body = definition || BODIES.iter().any(|place| name.contains(place));
    (of_body && !is_verb_of_row(name)).then(|| {
        format!(
            "{name}: part of a kernel's body that was not inlined, so compiled without the row's features"
        )
    })
}

/// `hashlanes_sha::HASH::kernels::rows::ROW::VERB`
fn is_verb_of_row(name: &str) -> bool {
    let Some((_, row_and_verb)) = name.split_once("::kernels::rows::") else { return false };
    match row_and_verb.split("::").collect::<Vec<_>>()[..] {
        [_, verb] => {
            let mut rows = kernels::every_row().chain(ciphers::every_row());
            rows.any(|(_, row)| row.verbs().any(|known| known == verb))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program in which everything is wrong that can be, and one row right.
    const TRAPS: &str = include_str!("traps.txt");

    fn faults() -> Vec<String> {
        let row = |kernel: &str| Expected {
            hash: "sha256".into(),
            module: format!("hashlanes_sha::sha256::kernels::rows::{}", kernel.replace('-', "_")),
            kernel: kernel.into(),
            features: &[],
            verbs: vec!["compress".into()],
            wiped: vec![1024],
        };
        let rows =
            ["sse-x4", "sha-ni", "sha-ni-x4", "avx2-x8", "avx512vl-x8", "avx512-x16", "scalar", "sha-ni-x2"];
        judge(&listing::symbols(TRAPS), &Addresses::default(), &rows.map(row)).faults
    }

    #[track_caller]
    fn assert_found(fault: &str) {
        let faults = faults();
        assert!(faults.iter().any(|found| found == fault), "{fault:?} is not among {faults:#?}");
    }

    #[test]
    fn an_intrinsic_that_was_not_inlined() {
        assert_found("core::core_arch::x86::avx2::_mm256_add_epi32: an intrinsic that was not inlined");
    }

    /// Dropping and showing what holds a vector computes nothing.
    #[test]
    fn a_type_with_vectors_is_no_fault() {
        for name in [
            "core::ptr::drop_in_place<other::Searcher<core::core_arch::x86::__m128i,1_usize>>",
            "<core::core_arch::x86::__m256i as core::fmt::Debug>::fmt",
        ] {
            assert_eq!(left_over(name), None, "{name}");
        }
        assert!(left_over("<core::core_arch::simd::Simd<i32, 8> as core::ops::Add>::add").is_some());
    }

    #[test]
    fn asking_the_cpu_is_no_fault() {
        assert!(!faults().iter().any(|fault| fault.contains("xgetbv")));
    }

    #[test]
    fn a_closure_in_a_body() {
        let place = "hashlanes_sha::sha256::kernels::rows::avx2_x8::compress::{{closure}}";
        let why = "part of a kernel's body that was not inlined, so compiled without the row's features";
        assert_found(&format!("{place}: {why}"));
        assert_found(&format!("<hashlanes_isa::avx2::U32x8 as hashlanes_isa::lanes::Lanes>::rotr: {why}"));
    }

    #[test]
    fn two_rows_with_the_same_code() {
        assert_found("sha256 sha-ni-x4: compress has the same code as sha-ni");
    }

    #[test]
    fn avx_code_in_an_sse_row() {
        assert_found("sha256 sse-x4: compress holds VEX instructions: vpaddd %xmm0,%xmm1,%xmm2");
    }

    #[test]
    fn wide_registers_in_a_narrow_row() {
        assert_found("sha256 avx512vl-x8: compress holds zmm registers: vpaddd %zmm0,%zmm1,%zmm2");
        assert_found("sha256 scalar: compress holds VEX instructions: vpxor  %ymm0,%ymm0,%ymm0");
    }

    #[test]
    fn a_row_that_does_not_use_its_features() {
        assert_found("sha256 avx512-x16: compress holds no zmm registers");
    }

    #[test]
    fn a_row_without_code() {
        assert_found("sha256 sha-ni-x2: there is no code of compress (or it was merged with another row's)");
    }

    #[test]
    fn a_right_row() {
        assert!(!faults().iter().any(|fault| fault.starts_with("sha256 avx2-x8")));
    }
}
