//! The cost of the crate for a program that depends on it, compared with `sha2`: packages, build time, bytes.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{process, workspace};

/// A program of one expression over the bytes of `message`, and its dependencies.
struct Program {
    /// The name in the table.
    name: &'static str,
    dependencies: &'static [&'static str],
    expression: &'static str,
}

const PROGRAMS: [Program; 6] = [
    Program {
        name: "`sha2`",
        dependencies: &["sha2 = \"0.11\""],
        expression: "sha2::Digest::finalize(sha2::Digest::chain_update(<sha2::Sha256 as sha2::Digest>::new(), message))",
    },
    Program {
        name: "`sha2`, `hmac`, `hkdf`",
        dependencies: &["sha2 = \"0.11\"", "hmac = \"0.13\"", "hkdf = \"0.13\""],
        expression: "hkdf::Hkdf::<sha2::Sha256>::new(None, &message).expand(b\"\", &mut [0; 32])",
    },
    Program {
        name: "`hashlanes`, feature `sha2` alone: `sha256`",
        dependencies: &["hashlanes = { PATH, default-features = false, features = [\"sha2\"] }"],
        expression: "hashlanes::sha256(&message)",
    },
    Program {
        name: "`hashlanes`: `sha256`",
        dependencies: &["hashlanes = { PATH }"],
        expression: "hashlanes::sha256(&message)",
    },
    Program {
        name: "`hashlanes`: `sha256_many`",
        dependencies: &["hashlanes = { PATH }"],
        expression: "hashlanes::sha256_all(message.chunks(20))",
    },
    Program {
        name: "`hashlanes`: `sha256_column`",
        dependencies: &["hashlanes = { PATH }"],
        expression: "{ let mut digests = [[0; 32]; 2];\
                     hashlanes::sha256_column(&hashlanes::Column::fixed_size(&message, 9), &mut digests); digests }",
    },
];

/// Prints the table.
///
/// # Errors
/// If a program does not build, which needs the registry.
pub(crate) fn command() -> Result<(), String> {
    let directory = workspace::scratch("footprint");
    let empty = Program { name: "", dependencies: &[], expression: "message" };
    let without = build(&directory, &empty)?;
    println!(
        "| program | other packages | proc macros | CPU seconds of a cold release build | bytes of the program |"
    );
    println!("|---|---|---|---|---|");
    for program in &PROGRAMS {
        let built = build(&directory, program)?;
        println!(
            "| {} | {} | {} | {:.0} | + {} KB |",
            program.name,
            built.n_packages,
            built.n_proc_macros,
            built.cpu_seconds,
            built.bytes.saturating_sub(without.bytes).div_ceil(1000)
        );
    }
    Ok(())
}

/// The cost of a program.
struct Built {
    n_packages: usize,
    n_proc_macros: usize,
    cpu_seconds: f64,
    bytes: u64,
}

fn build(directory: &Path, program: &Program) -> Result<Built, String> {
    let path = format!("path = {:?}", workspace::root().join("crates/hashlanes"));
    let dependencies = program.dependencies.join("\n").replace("PATH", &path);
    let manifest = format!(
        "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}\n\n\
         [profile.release]\nstrip = \"symbols\"\n\n[workspace]\n"
    );
    let source = format!(
        "fn main() {{\n    let message: Vec<u8> = std::env::args().flat_map(String::into_bytes).collect();\n    \
         println!(\"{{:?}}\", {});\n}}\n",
        program.expression
    );
    let failed = |error| format!("{}: {error}", directory.display());
    let target = directory.join("target");
    if target.exists() {
        fs::remove_dir_all(&target).map_err(failed)?;
    }
    fs::create_dir_all(directory.join("src")).map_err(failed)?;
    fs::write(directory.join("Cargo.toml"), manifest).map_err(failed)?;
    fs::write(directory.join("src/main.rs"), source).map_err(failed)?;
    let cargo = |arguments: &[&str]| {
        let mut command: Command = workspace::cargo(arguments[0]);
        command.args(&arguments[1..]).current_dir(directory).env("CARGO_TARGET_DIR", &target);
        process::stdout(&mut command)
    };
    let tree = cargo(&["tree", "--edges", "normal,build", "--prefix", "none", "--no-dedupe"])?;
    let tree = String::from_utf8_lossy(&tree);
    let is_ours = |package: &&str| package.starts_with("hashlanes") || package.starts_with("program ");
    let mut packages: Vec<&str> = tree.lines().filter(|package| !is_ours(package)).collect();
    packages.sort_unstable();
    packages.dedup();
    let before = cpu_seconds_of_children();
    cargo(&["build", "--release"])?;
    let cpu_seconds = cpu_seconds_of_children() - before;
    let bytes = fs::metadata(target.join("release/program")).map_err(failed)?.len();
    let n_proc_macros = packages.iter().filter(|package| package.contains("(proc-macro)")).count();
    Ok(Built { n_packages: packages.len(), n_proc_macros, cpu_seconds, bytes })
}

/// Linux's count of what all commands that ended have taken, in hundredths of a second; 0 elsewhere.
fn cpu_seconds_of_children() -> f64 {
    let line = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name may hold spaces, but no more parentheses follow it. User and system time of children are
    // fields 16 and 17.
    let after_name = line.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(13).take(2);
    ticks.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}
