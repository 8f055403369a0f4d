//! The code of the library that is compiled in a user's crate, at that crate's optimisation level.
//!
//! The user's dependencies are optimised, the crate itself is not. A generic function of the library is then
//! compiled without optimisation, so the library's generic functions have to be thin. A program calls every
//! public function of the hashes, and AES-GCM, from three crates, at the levels 0, s and 3, and compares the
//! times. AEGIS and trees are generic in the user's crate, and are not compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::debian::{self, Missing, Package};
use crate::steps::Done;
use crate::{process, workspace};

const MAIN: &str = include_str!("user_program/main.rs");
const CALLS: &str = include_str!("user_program/calls.rs");
const HASH: &str = include_str!("user_program/hash.rs");
const SPONGE: &str = include_str!("user_program/sponge.rs");

/// The functions' name, the type's name and the digest's bytes of each hash that `hash.rs` stands for.
const HASHES: [[&str; 3]; 7] = [
    ["sha1", "Sha1", "20"],
    ["sha224", "Sha224", "28"],
    ["sha256", "Sha256", "32"],
    ["sha384", "Sha384", "48"],
    ["sha512", "Sha512", "64"],
    ["sha512_224", "Sha512_224", "28"],
    ["sha512_256", "Sha512_256", "32"],
];

/// Likewise for `sponge.rs`.
const SPONGES: [[&str; 3]; 5] = [
    ["keccak256", "Keccak256", "32"],
    ["sha3_224", "Sha3_224", "28"],
    ["sha3_256", "Sha3_256", "32"],
    ["sha3_384", "Sha3_384", "48"],
    ["sha3_512", "Sha3_512", "64"],
];

/// The user's optimisation levels, and the names of their crates.
const LEVELS: [(&str, &str); 3] = [("0", "at-0"), ("\"s\"", "at-s"), ("3", "at-3")];

/// Bytes of machine code of a thin function, without optimisation. The largest ones are those that move the
/// user's own messages: `sha256_all` collects them, a queue keeps them.
const MOST_BYTES: u64 = 1200;

/// The time of a call at another level than 3, at most: as a factor, a tenth and the noise of a busy machine,
/// and in nanoseconds more, in which the user's own unoptimised code passes arguments, and moves hashers.
const MOST_TIMES: f64 = 1.15;
const MOST_NANOSECONDS: f64 = 75.0;
/// Likewise for each of the messages that the library moves for the user, of the user's type: a call has 100.
const MOST_PER_MESSAGE: f64 = 50.0;

/// Builds the program, compares the times at the levels, and reads the sizes of functions at the lowest one.
///
/// # Errors
/// If a call is slower at another level, if a large function of the library is compiled in the user's crate,
/// or if the program does not call a public function.
pub(crate) fn check() -> Result<Done, String> {
    let binutils = Package { name: "binutils", holds: "/usr/bin/nm" };
    match debian::install(&[binutils]) {
        Err(Missing::NoApt(why)) if !process::on_path("nm") => return Ok(Done::NotRun(why)),
        Err(Missing::Failed(why)) => return Err(why),
        _ => {}
    }
    let sources = sources();
    let mut faults = not_called(&sources)?;
    let directory = workspace::scratch("user-crate");
    let target = build(&directory, &sources)?;
    let printed = process::stdout(&mut Command::new(target.join("user")))?;
    let printed = String::from_utf8_lossy(&printed);
    println!("\nnanoseconds at the levels 0, s, 3:\n{printed}");
    faults.extend(printed.lines().filter(|line| is_slow(line)).map(|line| format!("slower: {line}")));
    let functions = functions(&target.join("deps"))?;
    let large = functions.into_iter().filter(|(bytes, _)| *bytes > MOST_BYTES);
    faults.extend(large.map(|(bytes, name)| format!("{bytes} bytes in the user's crate: {name}")));
    if faults.is_empty() { Ok(Done::Check) } else { Err(faults.join("\n")) }
}

/// Whether a line of the program's output has a time at level 0 or s that is above that at 3.
fn is_slow(line: &str) -> bool {
    let times: Vec<f64> = line.split('\t').skip(1).filter_map(|time| time.parse().ok()).collect();
    let [at_0, at_s, at_3] = times[..] else { return true };
    let moves_messages = line.contains("_all") || line.contains("Queue");
    let more = if moves_messages { 100.0 * MOST_PER_MESSAGE } else { MOST_NANOSECONDS };
    at_0.max(at_s) > at_3 * MOST_TIMES + more
}

/// The files of a crate of calls: their names and texts.
fn sources() -> Vec<(String, String)> {
    let of = |text: &str, [name, hasher, bytes]: [&str; 3], [from, from_hasher]: [&str; 2]| {
        let text =
            text.replace("[0; 32]", &format!("[0; {bytes}]")).replace("2 * 32", &format!("2 * {bytes}"));
        (format!("{name}.rs"), text.replace(from, name).replace(from_hasher, hasher))
    };
    let mut sources: Vec<(String, String)> = HASHES.map(|hash| of(HASH, hash, ["sha256", "Sha256"])).into();
    sources.extend(SPONGES.map(|sponge| of(SPONGE, sponge, ["keccak256", "Keccak256"])));
    let modules: Vec<&str> = HASHES.iter().chain(&SPONGES).map(|[name, ..]| *name).collect();
    sources.push(("lib.rs".into(), CALLS.replace("MODULES", &modules.join(" "))));
    sources
}

/// The public functions of the hashes that the sources do not call. `try_` forms are those that the plain
/// ones call. The time of threads cannot be compared.
fn not_called(sources: &[(String, String)]) -> Result<Vec<String>, String> {
    let list = workspace::root().join("docs/public-api/hashlanes-sha.txt");
    let list = fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    let is_called = |function: &str| {
        let calls = |text: &str| {
            text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == function)
        };
        sources.iter().any(|(_, text)| calls(text))
    };
    let functions = list.lines().filter_map(|line| line.strip_prefix("pub fn hashlanes_sha::"));
    let names = functions.filter_map(|function| function.split(['(', '<']).next());
    // Methods are listed by their types, in capitals, or by their modules.
    let is_function = |name: &&str| !name.contains("::") && name.starts_with(char::is_lowercase);
    let names = names.filter(is_function).filter(|name| !name.ends_with("_parallel"));
    Ok(names
        .filter(|name| !is_called(name.strip_prefix("try_").unwrap_or(name)))
        .map(|name| format!("the program does not call {name}"))
        .collect())
}

/// Builds the program of three crates whose dependencies are at level 3; returns the directory of programs.
fn build(directory: &Path, sources: &[(String, String)]) -> Result<PathBuf, String> {
    let write = |path: PathBuf, text: &str| {
        let failed = |error| format!("{}: {error}", path.display());
        fs::create_dir_all(path.parent().expect("in a directory")).map_err(failed)?;
        fs::write(&path, text).map_err(failed)
    };
    let package = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n")
    };
    let library = workspace::root().join("crates/hashlanes");
    let mut user = package("user");
    let mut profiles = String::new();
    for (level, name) in LEVELS {
        let manifest = format!(
            "{}hashlanes = {{ path = {library:?}, features = [\"sha3\", \"aes\"] }}\n",
            package(name)
        );
        write(directory.join(name).join("Cargo.toml"), &manifest)?;
        for (file, text) in sources {
            write(directory.join(name).join("src").join(file), text)?;
        }
        user += &format!("{name} = {{ path = \"{name}\" }}\n");
        profiles += &format!("[profile.release.package.{name}]\nopt-level = {level}\n");
    }
    write(directory.join("Cargo.toml"), &format!("{user}\n{profiles}\n[workspace]\n"))?;
    write(directory.join("src/main.rs"), MAIN)?;
    // The lock file of the workspace: no newer versions than those that were tested.
    write(
        directory.join("Cargo.lock"),
        &fs::read_to_string(workspace::root().join("Cargo.lock")).map_err(|error| error.to_string())?,
    )?;
    let target = directory.join("target");
    // Libraries of earlier builds, whose functions are not to be read.
    for library in libraries(&target.join("release/deps")) {
        let _ = fs::remove_file(library);
    }
    let mut command = workspace::cargo("build");
    command.arg("--release").current_dir(directory).env("CARGO_TARGET_DIR", &target);
    process::run(&mut command)?.checked()?;
    Ok(target.join("release"))
}

/// The user's crate at the lowest level, as it was built.
fn libraries(deps: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(deps).into_iter().flatten().flatten().map(|file| file.path());
    let is_library = |file: &PathBuf| {
        file.extension().is_some_and(|extension| extension == "rlib")
            && file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libat_0-"))
    };
    files.filter(is_library).collect()
}

/// The library's functions in the user's crate at the lowest level, with the bytes of each.
fn functions(deps: &Path) -> Result<Vec<(u64, String)>, String> {
    let built = libraries(deps);
    if built.is_empty() {
        return Err(format!("{}: no library of the user's crate", deps.display()));
    }
    let arguments = ["--print-size", "--defined-only", "--demangle=rust"];
    let listed = process::stdout(Command::new("nm").args(arguments).args(&built))?;
    let listed = String::from_utf8_lossy(&listed);
    let is_ours = |name: &str| name.contains("hashlanes");
    Ok(listed.lines().filter_map(function).filter(|(_, name)| is_ours(name)).collect())
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
    fn slow_lines_are_found() {
        assert!(!is_slow("sha256\t110\t100\t90"));
        assert!(is_slow("sha256\t190\t100\t90"));
        assert!(!is_slow("sha256_all\t6000\t1200\t1100"));
        assert!(is_slow("sha256\t100\t2100\t1700"));
        assert!(is_slow("no times"));
    }

    #[test]
    fn every_public_function_is_called() {
        let without_tests = not_called(&[]).expect("the list is there");
        assert!(without_tests.len() > 200, "{without_tests:?}");
        assert_eq!(not_called(&sources()).expect("the list is there"), [""; 0]);
    }

    #[test]
    fn functions_are_read_with_their_sizes() {
        let line = "0000000000000010 0000000000000027 t <hashlanes::A as B>::new";
        assert_eq!(function(line), Some((0x27, "<hashlanes::A as B>::new".into())));
        assert_eq!(function("0000000000000010 0000000000000027 d data"), None);
        assert_eq!(function("                 U memcpy"), None);
        assert_eq!(function("object.o:"), None);
    }
}
