//! The code of the library that is compiled in a user's crate, at that crate's optimisation level.
//!
//! The user's dependencies are optimised, the crate itself is not. A generic function of the library is then
//! compiled without optimisation, so the library's generic functions have to be thin.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::debian::{self, Missing, Package};
use crate::steps::Done;
use crate::{process, workspace};

const PROGRAM: &str = include_str!("user_program.rs");

/// Bytes of machine code of a thin function, without optimisation. The largest ones are those that move the
/// user's own messages: `sha256_all` collects them, a queue keeps them.
const MOST_BYTES: u64 = 1200;

/// Builds the program at three levels, runs it, prints the times; reads the sizes of functions at the lowest
/// level.
///
/// # Errors
/// If a large function of the library is compiled in the user's crate.
pub(crate) fn check() -> Result<Done, String> {
    let binutils = Package { name: "binutils", holds: "/usr/bin/nm" };
    match debian::install(&[binutils]) {
        Err(Missing::NoApt(why)) if !process::on_path("nm") => return Ok(Done::NotRun(why)),
        Err(Missing::Failed(why)) => return Err(why),
        _ => {}
    }
    let directory = workspace::scratch("user-crate");
    let levels = ["0", "s", "3"];
    let mut times = Vec::new();
    for level in levels {
        let program = build(&directory, level)?;
        let printed = process::stdout(&mut Command::new(program))?;
        times.push(String::from_utf8_lossy(&printed).into_owned());
    }
    println!("\nnanoseconds at the levels {}:", levels.join(", "));
    for ((first, second), third) in times[0].lines().zip(times[1].lines()).zip(times[2].lines()) {
        let last = |line: &str| line.rsplit('\t').next().unwrap_or_default().to_owned();
        println!("  {first}\t{}\t{}", last(second), last(third));
    }
    let large: Vec<String> = functions(&directory.join("target/level-0/release/incremental"))?
        .into_iter()
        .filter(|(bytes, _)| *bytes > MOST_BYTES)
        .map(|(bytes, name)| format!("{name}: {bytes} bytes"))
        .collect();
    if large.is_empty() {
        return Ok(Done::Check);
    }
    Err(format!("compiled in the user's crate, and of more than {MOST_BYTES} bytes:\n{}", large.join("\n")))
}

/// The program, of a crate at this optimisation level whose dependencies are at level 3.
fn build(directory: &Path, level: &str) -> Result<PathBuf, String> {
    let path = workspace::root().join("crates/hashlanes");
    let manifest = format!(
        "[package]\nname = \"user\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         hashlanes = {{ path = {path:?}, features = [\"sha3\"] }}\n\n\
         [profile.release]\nopt-level = {}\nincremental = true\n\n[profile.release.package.\"*\"]\nopt-level = 3\n\n[workspace]\n",
        if level == "s" { "\"s\"" } else { level },
    );
    let failed = |error| format!("{}: {error}", directory.display());
    fs::create_dir_all(directory.join("src")).map_err(failed)?;
    fs::write(directory.join("Cargo.toml"), manifest).map_err(failed)?;
    fs::write(directory.join("src/main.rs"), PROGRAM).map_err(failed)?;
    // The lock file of the workspace: no newer versions than those that were tested.
    fs::copy(workspace::root().join("Cargo.lock"), directory.join("Cargo.lock")).map_err(failed)?;
    let target = directory.join("target").join(format!("level-{level}"));
    let mut command = workspace::cargo("build");
    command.arg("--release").current_dir(directory).env("CARGO_TARGET_DIR", &target);
    process::run(command.env("CARGO_INCREMENTAL", "1"))?.checked()?;
    Ok(target.join("release/user"))
}

/// The library's functions in the object files of the user's crate, with the bytes of each.
fn functions(incremental: &Path) -> Result<Vec<(u64, String)>, String> {
    let failed = |error| format!("{}: {error}", incremental.display());
    let mut objects = Vec::new();
    for of_crate in fs::read_dir(incremental).map_err(failed)?.flatten() {
        if !of_crate.file_name().to_string_lossy().starts_with("user-") {
            continue;
        }
        for session in fs::read_dir(of_crate.path()).map_err(failed)?.flatten() {
            let files = fs::read_dir(session.path()).into_iter().flatten().flatten().map(|file| file.path());
            objects.extend(files.filter(|file| file.extension().is_some_and(|extension| extension == "o")));
        }
    }
    if objects.is_empty() {
        return Err(format!("{}: no object files of the user's crate", incremental.display()));
    }
    let arguments = ["--print-size", "--defined-only", "--demangle=rust"];
    let listed = process::stdout(Command::new("nm").args(arguments).args(&objects))?;
    let listed = String::from_utf8_lossy(&listed);
    Ok(listed.lines().filter_map(function).filter(|(_, name)| name.contains("hashlanes")).collect())
}

/// The bytes and the name of a line of `nm`: `0000000000000000 0000000000000027 t name`.
fn function(line: &str) -> Option<(u64, String)> {
    let mut fields = line.splitn(4, ' ').skip(1);
    let bytes = u64::from_str_radix(fields.next()?, 16).ok()?;
    let is_code = ["t", "T", "w", "W"].contains(&fields.next()?);
    is_code.then(|| fields.next().map(|name| (bytes, name.to_owned())))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_with_their_sizes() {
        let line = "0000000000000010 0000000000000027 t <hashlanes::A as B>::new";
        assert_eq!(function(line), Some((0x27, "<hashlanes::A as B>::new".into())));
        assert_eq!(function("0000000000000010 0000000000000027 d data"), None);
        assert_eq!(function("                 U memcpy"), None);
        assert_eq!(function("object.o:"), None);
    }
}
