//! `cargo xtask prove`: proves that the release program's kernels compute the standards' functions, and
//! records the proofs in docs/proofs.md.

use std::fmt::Write;
use std::fs;
use std::iter;
use std::path::Path;
use std::process::Command;

use hashlanes_aes::kernels as ciphers;
use hashlanes_sha::kernels as hashes;
use hashlanes_testkit::oracle;

use crate::guard;
use crate::steps::{Done, Tests};
use crate::{process, workspace};

/// The page with the ledger of proofs.
const LEDGER: &str = "docs/proofs.md";

/// The lines of the ledger that the program shows.
const FOR_PROGRAM: &str = "crates/cli/src/proofs.txt";

/// Proves the kernels whose names hold `part`, prints each, and records the proofs.
///
/// # Errors
/// If one is not proved, or the program cannot be built.
pub(crate) fn command(part: &str) -> Result<(), String> {
    let mut prover = prover(&Prover::Released)?;
    with_ledger(prover.args(["--part", part]))?;
    let status = prover.status().map_err(|error| format!("hashlanes-prove: {error}"))?;
    let place = workspace::root().join(FOR_PROGRAM);
    fs::write(&place, for_program()?).map_err(|error| format!("{}: {error}", place.display()))?;
    if status.success() { Ok(()) } else { Err("not all kernels are proved".into()) }
}

/// Proves all kernels, as a step of the tests.
///
/// # Errors
/// The errors of [`command`], and if a kernel uses more of the stack than is overwritten.
pub(crate) fn all() -> Result<Done, String> {
    step(&mut prover(&Prover::Released)?)
}

/// Proves the kernels that are not in the ledger as they are, as a step of the tests.
///
/// # Errors
/// The errors of [`all`].
pub(crate) fn changed() -> Result<Done, String> {
    let mut prover = prover(&Prover::OfTests)?;
    step(with_ledger(prover.arg("--changed"))?)
}

/// Checks that the program has the lines of the ledger.
///
/// # Errors
/// If it has others.
pub(crate) fn check_program() -> Result<(), String> {
    let place = workspace::root().join(FOR_PROGRAM);
    let text = fs::read_to_string(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    if text == for_program()? {
        Ok(())
    } else {
        Err(format!("{FOR_PROGRAM} is not of {LEDGER}; run `cargo xtask prove`"))
    }
}

/// The lines of the ledger, `ENTRY FINGERPRINT BLOCKS SECONDS`, as the program shows them.
fn for_program() -> Result<String, String> {
    let place = workspace::root().join(LEDGER);
    let page = fs::read_to_string(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    let mut rows = page.lines().filter(|line| line.starts_with('|')).map(|line| {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<String>>()
    });
    let heads = rows.next().ok_or_else(|| format!("{LEDGER} has no table"))?;
    let column = |head: &str| {
        heads.iter().position(|name| name == head).ok_or_else(|| format!("{LEDGER} has no column {head}"))
    };
    let shown = [column("entry")?, column("fingerprint")?, column("blocks")?, column("seconds")?];
    Ok(rows.skip(1).map(|row| shown.map(|i| row[i].as_str()).join(" ") + "\n").collect())
}

fn step(prover: &mut Command) -> Result<Done, String> {
    let output = process::run(prover)?.checked()?;
    check_stack(&output)?;
    check_blocks(&for_program()?, &output)?;
    let count = |what: &str| output.lines().filter(|line| line.contains(what)).count();
    let (before, now) = (count(": proved before ("), count(": proved ("));
    Ok(Done::Tests(Tests { passed: before + now, ignored: count(": excepted: "), ..Tests::default() }))
}

/// Compares the prover's instructions with the CPU's on 10,000 random operands of each.
///
/// # Errors
/// If one differs.
pub(crate) fn on_cpu() -> Result<(), String> {
    let mut test = workspace::cargo("test");
    test.args(["--release", "--package", "hashlanes-prove", "--test", "on_cpu"]);
    test.env("HASHLANES_PROVE_OPERANDS", "10000");
    process::run(&mut test)?.checked().map(drop)
}

/// A build of the prover.
enum Prover {
    Released,
    /// That of the tests, which have built it already. It takes longer to decode machine code, and as long to
    /// prove.
    OfTests,
}

/// Builds the program and the prover: the command that proves.
fn prover(prover: &Prover) -> Result<Command, String> {
    let (mut build, directory) = match prover {
        Prover::Released => {
            let mut build = workspace::cargo("build");
            build.args(["--release", "--package", "hashlanes-prove"]);
            (build, "release")
        }
        Prover::OfTests => (workspace::cargo_for_all("build"), "debug"),
    };
    process::run(build.args(["--bin", "hashlanes-prove"]))?.checked()?;
    let mut command = Command::new(workspace::target().join(directory).join("hashlanes-prove"));
    command.arg(guard::program_with_symbols()?);
    Ok(command)
}

/// Adds the ledger, and the hash of the prover's sources.
fn with_ledger(prover: &mut Command) -> Result<&mut Command, String> {
    let mut sources = Vec::new();
    add_sources(&workspace::root().join("crates/prove/src"), &mut sources)?;
    let digest = oracle::by_name("sha256").expect("a hash").digest(&sources);
    let hash = digest[..8].iter().fold(String::new(), |mut hash, byte| {
        write!(hash, "{byte:02x}").expect("a string takes all");
        hash
    });
    Ok(prover.arg("--ledger").arg(workspace::root().join(LEDGER)).args(["--prover", &hash]))
}

/// Adds the files of a directory, in the order of their names.
fn add_sources(directory: &Path, sources: &mut Vec<u8>) -> Result<(), String> {
    let fault = |error: std::io::Error| format!("{}: {error}", directory.display());
    let entries = fs::read_dir(directory).map_err(fault)?;
    let mut paths: Vec<_> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(fault)?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add_sources(&path, sources)?;
        } else {
            sources.extend(fs::read(&path).map_err(fault)?);
        }
    }
    Ok(())
}

/// Checks that no proved entry used more of the stack than its callers overwrite. The guard computes the same
/// from the frames of the functions; a proof sees what a call really uses.
///
/// # Errors
/// Names the entries that use more.
fn check_stack(proofs: &str) -> Result<(), String> {
    let of_ciphers = ciphers::all().into_iter().flat_map(|cipher| {
        let rows = cipher.rows().into_iter();
        rows.flat_map(move |row| {
            let verbs: Vec<&str> = row.verbs().collect();
            let wiped = verbs
                .into_iter()
                .map(move |verb| (entry(cipher.name(), row.name, verb), cipher.wiped_bytes(&row, verb)));
            wiped.collect::<Vec<_>>()
        })
    });
    let of_hashes = hashes::every_row().flat_map(|(hash, row)| {
        let verbs: Vec<&str> = row.verbs().collect();
        verbs
            .into_iter()
            .map(move |verb| (entry(hash, row.name, verb), hashes::wiped_bytes(hash, &row, verb)))
            .collect::<Vec<_>>()
    });
    let mut too_deep = Vec::new();
    for (name, wiped) in iter::empty().chain(of_ciphers).chain(of_hashes) {
        let Some(used) = line_of(proofs, &name).and_then(stack_of) else { continue };
        if used > wiped {
            too_deep.push(format!("{name} uses {used} bytes of stack; {wiped} are overwritten"));
        }
    }
    if too_deep.is_empty() { Ok(()) } else { Err(too_deep.join("\n")) }
}

/// Checks that entries which the ledger has for any number of blocks are still proved for any.
///
/// # Errors
/// Names the entries that are proved for the numbers of their cases only.
fn check_blocks(ledger: &str, proofs: &str) -> Result<(), String> {
    let recorded =
        ledger.lines().filter_map(|line| line.split_once(' ')).filter(|(_, rest)| rest.contains(" any "));
    let lost = recorded
        .filter(|(name, _)| line_of(proofs, name).is_some_and(|line| !line.contains("any number of blocks")));
    let lost: Vec<&str> = lost.map(|(name, _)| name).collect();
    if lost.is_empty() {
        return Ok(());
    }
    Err(format!(
        "recorded for any number of blocks, and proved for those of the cases only: {}",
        lost.join(", ")
    ))
}

/// The line of an entry in the proofs.
fn line_of<'a>(proofs: &'a str, name: &str) -> Option<&'a str> {
    proofs.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', ':'])))
}

/// The name of an entry in the proofs.
fn entry(table: &str, kernel: &str, verb: &str) -> String {
    format!("{table}/{}/{verb}", kernel.replace('-', "_"))
}

/// The bytes of stack in a line of the prover.
fn stack_of(line: &str) -> Option<usize> {
    line.split_once(" bytes of stack")?.0.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_for_fewer_blocks_than_recorded_is_an_error() {
        let ledger = "sha1/a/compress 00 any 0.1\nsha1/b/compress 00 cases 0.1\n";
        let any = "sha1/a/compress: proved (8 cases, any number of blocks, 9 instructions) in 0.1 s\n";
        let cases =
            "sha1/a/compress: proved (8 cases, 9 instructions) in 0.1 s\nsha1/b/compress: proved (1 cases)\n";
        assert_eq!(check_blocks(ledger, any), Ok(()));
        assert_eq!(check_blocks(ledger, ""), Ok(()));
        assert!(check_blocks(ledger, cases).unwrap_err().ends_with(": sha1/a/compress"));
    }
}
