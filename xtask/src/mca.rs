//! `cargo xtask mca`: the loops of the kernels for Arm, analysed by LLVM's machine-code analyser with its
//! models of several cores.
//!
//! The models are not measurements: they have neither caches nor branches, and the model of Apple's core is
//! that of an older one. They show how a change of the code changes the bounds. The table is committed, so
//! that changes are seen.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

use hashlanes_testkit::table::Table;

use crate::debian::{self, Missing, Package};
use crate::test::aarch64;
use crate::{process, workspace};

const TOOL: &str = "llvm-mca-19";
const LLVM: &str = "19";
const PACKAGE: Package = Package { name: "llvm-19", holds: "/usr/bin/llvm-mca-19" };

/// The cores, and the names of their models.
const CORES: [(&str, &str); 5] = [
    ("Neoverse N1", "neoverse-n1"),
    ("Neoverse V1", "neoverse-v1"),
    ("Neoverse V2", "neoverse-v2"),
    ("Apple M1", "apple-m1"),
    ("Cortex-A55", "cortex-a55"),
];

/// The analysed part of a kernel's verb: its shortest loop with exactly this many lines of this beginning.
struct Wanted {
    table: &'static str,
    row: &'static str,
    verb: &'static str,
    holds: (&'static str, usize),
    /// The number of iterations of an inner loop.
    inner: usize,
    /// The number of iterations of the loop for a number of bytes.
    runs: usize,
    bytes: usize,
}

const fn block(table: &'static str, row: &'static str, holds: (&'static str, usize), bytes: usize) -> Wanted {
    Wanted { table, row, verb: "compress", holds, inner: 1, runs: 1, bytes }
}

const fn cipher(
    table: &'static str,
    row: &'static str,
    verb: &'static str,
    holds: (&'static str, usize),
    bytes: usize,
) -> Wanted {
    Wanted { table, row, verb, holds, inner: 1, runs: 1, bytes }
}

/// For AES, those for keys of 128 bits; for Keccak, two rounds, and the rate of SHA3-256.
const WANTED: &[Wanted] = &[
    block("sha1", "arm_sha1", ("sha1su0\t", 16), 64),
    block("sha1", "arm_sha1_x2", ("sha1su0\t", 32), 128),
    block("sha1", "neon_x4", ("rev32\t", 16), 256),
    block("sha1", "scalar", ("rev\t", 16), 64),
    block("sha256", "arm_sha2", ("sha256h\t", 16), 64),
    block("sha256", "arm_sha2_x2", ("sha256h\t", 32), 128),
    block("sha256", "arm_sha2_x3", ("sha256h\t", 48), 192),
    Wanted { inner: 3, ..block("sha256", "neon_x4", ("rev32\t", 16), 256) },
    Wanted { inner: 3, ..block("sha256", "scalar", ("rev\t", 16), 64) },
    block("sha512", "arm_sha512", ("sha512h\t", 40), 128),
    block("sha512", "arm_sha512_x2", ("sha512h\t", 80), 256),
    Wanted { inner: 4, ..block("sha512", "neon_x2", ("rev64\t", 16), 256) },
    Wanted { inner: 4, ..block("sha512", "scalar", ("rev\t", 16), 128) },
    Wanted { runs: 12, ..cipher("keccak", "arm_sha3_x2", "permute", ("rax1\t", 12), 272) },
    Wanted { runs: 12, ..cipher("keccak", "scalar", "permute", ("bic\t", 50), 136) },
    cipher("modes", "arm_aes", "ctr", ("aese\t", 80), 128),
    cipher("modes", "arm_aes", "cbc_decrypt", ("aesd\t", 80), 128),
    cipher("modes", "arm_aes", "cbc_encrypt", ("aese\t", 10), 16),
    cipher("modes", "arm_aes_x2", "cbc_encrypt", ("aese\t", 20), 32),
    cipher("modes", "arm_aes_x4", "cbc_encrypt", ("aese\t", 40), 64),
    cipher("modes", "arm_aes_x8", "cbc_encrypt", ("aese\t", 80), 128),
    cipher("aegis", "arm_aes", "aegis128", ("and\tv", 1), 16),
    cipher("aegis", "arm_aes_x2", "aegis128_many", ("and\tv", 2), 32),
    cipher("aegis", "arm_aes", "aegis128l", ("and\tv", 2), 32),
    cipher("aegis", "arm_aes_x2", "aegis128l_many", ("and\tv", 4), 64),
];

/// OpenSSL's code for one message by the CPU's instructions, by the script that writes it: the file that it
/// writes, and bytes of a block.
const OPENSSL: [(&str, &str, &str, usize); 3] = [
    ("sha1", "sha1-armv8.pl", "sha1-armv8.S", 64),
    ("sha256", "sha512-armv8.pl", "sha256-armv8.S", 64),
    ("sha512", "sha512-armv8.pl", "sha512-armv8.S", 128),
];

/// Figures that others published, measured.
const PUBLISHED: &str = "\
## Published measurements

Cycles a byte of one message by the CPU's instructions, as measured by OpenSSL's authors (comments at the head of
`crypto/sha/asm/sha1-armv8.pl` and `sha512-armv8.pl`, `crypto/aes/asm/aesv8-armx.pl`). They publish none of the cores above;
BoringSSL, whose code for these hashes derives from OpenSSL's, and `sha2` publish no cycles.

| core | SHA-1 | SHA-256 | AES-128-CBC encryption | decryption | AES-128-CTR |
|---|---|---|---|---|---|
| Apple A7 | 2.31 | 1.97 | 2.39 | 1.20 | 1.20 |
| Cortex-A53 | 2.24 | 2.38 | 1.32 | 1.17 | 1.36 |
| Cortex-A57 | 2.35 | 2.31 | 1.95 | 0.82 | 0.89 |
";

/// Writes `docs/arm-models.md`.
///
/// # Errors
/// If apt works and a package is missing, if the crates do not compile, or if a loop is not found.
pub(crate) fn command() -> Result<(), String> {
    match debian::install(&[PACKAGE]) {
        Ok(()) => {}
        Err(Missing::NoApt(why) | Missing::Failed(why)) => return Err(why),
    }
    let mut listings = Vec::new();
    for (package, tables) in [
        ("hashlanes-sha", ["sha1", "sha256", "sha512", "keccak"].as_slice()),
        ("hashlanes-aes", &["modes", "aegis"]),
    ] {
        listings.push((tables, assembly(package)?));
    }
    let titles = ["table", "kernel", "verb", "instructions"].into_iter().chain(CORES.map(|(core, _)| core));
    let mut table = Table::new(titles.clone());
    let mut cycles = Table::new(titles);
    for wanted in WANTED {
        let (_, listing) = listings
            .iter()
            .find(|(tables, _)| tables.contains(&wanted.table))
            .ok_or_else(|| format!("no crate has the table {}", wanted.table))?;
        let code = wanted.code(listing)?;
        let name = wanted.row.replace('_', "-");
        add(&mut table, &mut cycles, [wanted.table, &name, wanted.verb], &code, wanted.runs, wanted.bytes)?;
    }
    for (hash, script, file, bytes) in OPENSSL {
        let code = openssl(script, file)?;
        add(&mut table, &mut cycles, [hash, "OpenSSL", "one message"], &code, 1, bytes)?;
    }
    let text = format!(
        "# Kernels for Arm, by models of the cores\n\n\
         Written by `cargo xtask mca`: the kernels' loops, analysed by LLVM {LLVM}'s machine-code analyser. Nothing here is measured.\n\
         The models have no caches and predict every branch; that of Apple M1 is LLVM's of an older core of Apple's. Neoverse N1\n\
         and Cortex-A55 have no instructions for SHA-512 and SHA-3: their figures for those rows say nothing. OpenSSL's loops\n\
         are those of the crate `openssl-src`, for one message.\n\n\
         ## Cycles a byte\n\n{}\n\
         ## Cycles of a block of every message\n\n\
         As in the rows' cost columns; of ciphers the loop's: eight blocks of CTR and CBC decryption, else one of every message.\n\n{}\n{PUBLISHED}",
        table.markdown(),
        cycles.markdown()
    );
    let place = workspace::root().join("docs/arm-models.md");
    fs::write(&place, text).map_err(|error| format!("{}: {error}", place.display()))
}

/// Adds the figures of a loop to the tables.
fn add(
    per_byte: &mut Table,
    per_block: &mut Table,
    names: [&str; 3],
    code: &[String],
    runs: usize,
    bytes: usize,
) -> Result<(), String> {
    let head = || names.map(str::to_owned).into_iter().chain([code.len().to_string()]);
    let (mut of_byte, mut of_block) = (Vec::new(), Vec::new());
    for (_, model) in CORES {
        let cycles = cycles(code, model)? * runs as f64;
        of_byte.push(format!("{:.3}", cycles / bytes as f64));
        of_block.push(format!("{cycles:.0}"));
    }
    per_byte.row(head().chain(of_byte));
    per_block.row(head().chain(of_block));
    Ok(())
}

/// The assembly of a crate, compiled for aarch64 as in the release profile, but in one unit: in one file.
fn assembly(package: &str) -> Result<Vec<String>, String> {
    let mut command = aarch64::cargo("rustc")??;
    command.args(["--release", "--all-features", "--lib", "-p", package]);
    command.args(["--", "--emit", "asm", "-C", "codegen-units=1"]);
    process::run(&mut command)?.checked()?;
    let start = format!("{}-", package.replace('-', "_"));
    let directory = workspace::scratch("aarch64/build").join(aarch64::TARGET).join("release/deps");
    let entries = fs::read_dir(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let newest = entries
        .flatten()
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            name.starts_with(&start) && name.ends_with(".s")
        })
        .max_by_key(|entry| entry.metadata().and_then(|metadata| metadata.modified()).ok());
    let path = newest.ok_or_else(|| format!("{}: no assembly of {package}", directory.display()))?.path();
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().map(str::to_owned).collect())
}

impl Wanted {
    /// The loop's instructions, with those of loops inside as often as these run.
    fn code(&self, listing: &[String]) -> Result<Vec<String>, String> {
        // Both manglings of a path write every name with its length before it.
        let path =
            ["kernels", "rows", self.row, self.verb].map(|name| format!("{}{name}", name.len())).concat();
        let of_table = format!("{}{}", self.table.len(), self.table);
        let is_head = |line: &&String| {
            line.starts_with("_") && line.ends_with(':') && line.contains(&path) && line.contains(&of_table)
        };
        let title = || format!("{} {} {}", self.table, self.row, self.verb);
        let start = listing
            .iter()
            .position(|line| is_head(&line))
            .ok_or_else(|| format!("{}: not compiled", title()))?;
        let n = listing[start..].iter().position(|line| line.starts_with(".Lfunc_end")).unwrap_or(0);
        let lines: Vec<&str> = listing[start + 1..start + n]
            .iter()
            .map(|line| line.trim())
            .filter(|line| is_code(line))
            .collect();
        let loops = loops(&lines);
        let (instruction, times) = self.holds;
        let holds = |range: &&RangeInclusive<usize>| {
            lines[(*range).clone()].iter().filter(|line| line.starts_with(instruction)).count() == times
        };
        let wrong = || format!("{}: no loop holds {:?} {times} times", title(), instruction);
        let found =
            loops.iter().filter(holds).min_by_key(|range| range.end() - range.start()).ok_or_else(wrong)?;
        let mut code = Vec::new();
        let mut at = *found.start();
        while at <= *found.end() {
            let inside = |range: &&RangeInclusive<usize>| {
                *range.start() == at && range != &found && range.end() < found.end()
            };
            match loops.iter().filter(inside).max_by_key(|range| *range.end()) {
                Some(inner) if self.inner > 1 => {
                    for _ in 0..self.inner {
                        code.extend(instructions(&lines[inner.clone()]));
                    }
                    at = inner.end() + 1;
                }
                _ => {
                    code.extend(instructions(&lines[at..=at]));
                    at += 1;
                }
            }
        }
        if let Some(call) = code.iter().find(|line| line.starts_with("bl\t")) {
            return Err(format!("{}: the loop calls a function: {call}", title()));
        }
        Ok(code)
    }
}

/// Whether a line is an instruction or a label of a block.
fn is_code(line: &str) -> bool {
    line.starts_with(".LBB") || line.starts_with(|first: char| first.is_ascii_lowercase())
}

/// Instructions among lines of code.
fn instructions<'a>(lines: &'a [&str]) -> impl Iterator<Item = String> + 'a {
    lines.iter().filter(|line| !line.starts_with('.')).map(|line| (*line).to_owned())
}

/// Ranges from a label to a branch back to it.
fn loops(lines: &[&str]) -> Vec<RangeInclusive<usize>> {
    let mut loops = BTreeSet::new();
    for (end, line) in lines.iter().enumerate() {
        let Some(label) = line.rsplit([' ', '\t', ',']).next().filter(|word| word.starts_with(".LBB")) else {
            continue;
        };
        let is_label = |line: &&str| line.strip_suffix(':') == Some(label);
        if !line.ends_with(':')
            && let Some(start) = lines[..end].iter().position(is_label)
        {
            loops.insert((start, end));
        }
    }
    loops.into_iter().map(|(start, end)| start..=end).collect()
}

/// The cycles of a run of these instructions among many, by a core's model.
fn cycles(code: &[String], model: &str) -> Result<f64, String> {
    const FEW: usize = 50;
    const MANY: usize = 250;
    let file = workspace::scratch("mca").join("loop.s");
    fs::write(&file, code.join("\n") + "\n").map_err(|error| format!("{}: {error}", file.display()))?;
    let of = |runs: usize| {
        let mut command = Command::new(TOOL);
        command.args(["-mtriple=aarch64", "-mattr=+aes,+sha2,+sha3", &format!("-mcpu={model}")]);
        command.args([&format!("-iterations={runs}"), "-instruction-info=false", "-resource-pressure=false"]);
        let report = process::stdout(command.arg(&file))?;
        let report = String::from_utf8_lossy(&report).into_owned();
        let cycles = report.lines().find_map(|line| line.strip_prefix("Total Cycles:")?.trim().parse().ok());
        cycles.ok_or_else(|| format!("{TOOL} reports no cycles:\n{report}"))
    };
    let (few, many): (f64, f64) = (of(FEW)?, of(MANY)?);
    Ok((many - few) / (MANY - FEW) as f64)
}

/// The loop of OpenSSL's code. It is written with the instructions as numbers, which are read back from an
/// object file.
fn openssl(script: &str, file: &str) -> Result<Vec<String>, String> {
    const LOOP: &str = ".Loop_hw";
    let scratch = workspace::scratch("mca");
    let (source, region, object) = (scratch.join(file), scratch.join("region.s"), scratch.join("region.o"));
    let script = openssl_sources()?.join("openssl/crypto/sha/asm").join(script);
    process::run(Command::new("perl").arg(script).args(["linux64".as_ref(), source.as_os_str()]))?
        .checked()?;
    let text = fs::read_to_string(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    let head = format!("{LOOP}:\n");
    let wrong = || format!("{file} holds no {LOOP}");
    let (_, rest) = text.split_once(&head).ok_or_else(wrong)?;
    let (body, _) = rest.split_once(&format!(",{LOOP}\n")).ok_or_else(wrong)?;
    let written = format!("{head}{body},{LOOP}\n");
    fs::write(&region, written).map_err(|error| format!("{}: {error}", region.display()))?;
    let mut assembler = Command::new("llvm-mc-19");
    assembler.args(["-triple=aarch64", "-mattr=+sha2,+sha3", "-filetype=obj", "-o"]).args([&object, &region]);
    process::run(&mut assembler)?.checked()?;
    let mut reader = Command::new("llvm-objdump-19");
    let listing =
        process::stdout(reader.args(["-d", "--no-show-raw-insn", "--mattr=+sha2,+sha3"]).arg(&object))?;
    let listing = String::from_utf8_lossy(&listing).into_owned();
    let mut code = Vec::new();
    for line in listing.lines() {
        let Some((address, instruction)) = line.trim().split_once(':') else { continue };
        let instruction = instruction.trim();
        if instruction.is_empty() || !address.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            continue;
        }
        let mut text = String::new();
        // The branch's target is an address.
        match instruction.split_once(" <") {
            Some((branch, _)) => {
                write!(text, "{}, #0", branch.rsplit_once(", ").map_or(branch, |(head, _)| head))
            }
            None => write!(text, "{instruction}"),
        }
        .expect("a string takes all");
        code.push(text);
    }
    Ok(code)
}

/// The folder of the sources of the crate `openssl-src`, which the bench depends on.
fn openssl_sources() -> Result<PathBuf, String> {
    let asked =
        process::stdout(workspace::cargo("metadata").args(["--format-version", "1", "--all-features"]))?;
    let metadata: serde_json::Value =
        serde_json::from_slice(&asked).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let manifest =
        packages.filter(|of| of["name"] == "openssl-src").find_map(|of| of["manifest_path"].as_str());
    let manifest = manifest.ok_or("the bench does not depend on openssl-src")?;
    Ok(Path::new(manifest).parent().unwrap_or(Path::new("")).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nested_loop_runs_the_given_number_of_times() {
        let listing = "_ZN1x4sha17kernels4rows6scalar8compress17hE:\n.LBB1_1:\n\trev\tw1, w1\n.LBB1_2:\n\tadd\tw1, w1, w2\n\
                       \tb.ne\t.LBB1_2\n\tsubs\tx1, x1, #1\n\tb.ne\t.LBB1_1\n.Lfunc_end1:";
        let listing: Vec<String> = listing.lines().map(str::to_owned).collect();
        let wanted = Wanted { inner: 2, ..block("sha1", "scalar", ("rev\t", 1), 64) };
        let code = wanted.code(&listing).unwrap();
        let names: Vec<&str> = code.iter().map(|line| line.split('\t').next().unwrap()).collect();
        assert_eq!(names, ["rev", "add", "b.ne", "add", "b.ne", "subs", "b.ne"]);
        let error = Wanted { holds: ("rev\t", 2), ..wanted }.code(&listing).unwrap_err();
        assert_eq!(error, "sha1 scalar compress: no loop holds \"rev\\t\" 2 times");
    }
}
