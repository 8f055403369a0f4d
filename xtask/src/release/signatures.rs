//! Checksums of all files, their signatures, and the statement of where the files come from.
//!
//! A dry run signs by keys of its own, which are made for it and thrown away.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::files::{copy_into, files_of};
use super::{program, version};
use crate::debian::{self, Missing, Package};
use crate::steps::Done;
use crate::{process, workspace};

const SUMS: &str = "SHA256SUMS";
const STATEMENT: &str = "provenance.intoto.json";

/// Writes the list of checksums, by the program that is released, and checks it by `sha256sum`.
pub(super) fn checksums(files: &Path) -> Result<(), String> {
    let list = process::stdout(hashlanes().current_dir(files).arg("sum").args(names(files)?))?;
    let path = files.join(SUMS);
    fs::write(&path, list).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut check = Command::new("sha256sum");
    process::run(check.current_dir(files).args(["--check", "--strict", SUMS]))?.checked().map(drop)
}

/// Writes a statement in the form of SLSA's provenance, version 1: the files' digests, the commit and the
/// compiler.
pub(super) fn provenance(files: &Path) -> Result<(), String> {
    let path = files.join(SUMS);
    let list = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let subject = |line: &str| {
        let (digest, name) = line.split_once("  ")?;
        Some(json!({ "name": name, "digest": { "sha256": digest } }))
    };
    let subjects: Vec<_> = list.lines().filter_map(subject).collect();
    let (commit, _) = version::commit()?;
    let rustc = workspace::Toolchain::of(&workspace::rustc())?;
    const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
    let statement = json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": format!("{REPOSITORY}/tree/main/xtask/src/release"),
                "externalParameters": { "version": version::version() },
                "internalParameters": { "rustc": rustc.release, "host": rustc.host },
                "resolvedDependencies": [{
                    "uri": format!("git+{REPOSITORY}@refs/tags/v{}", version::version()),
                    "digest": { "gitCommit": commit },
                }],
            },
            "runDetails": { "builder": { "id": format!("{REPOSITORY}/tree/main/xtask") } },
        },
    });
    let path = files.join(STATEMENT);
    let text = serde_json::to_string_pretty(&statement).expect("JSON") + "\n";
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Signs the checksums and the statement by the program that is released; checks that it accepts the
/// signatures, and refuses them for other contents.
pub(super) fn sign(files: &Path) -> Result<(), String> {
    let key = keys("slh-dsa")?.join("key");
    process::run(hashlanes().args(["keygen", "--scheme", "SLH-DSA-SHA2-128s", "--out"]).arg(&key))?
        .checked()?;
    let public = key.join("public.pem");
    let mut sign = hashlanes();
    sign.args(["sign", "--force", "--key"]).arg(&key).args([SUMS, STATEMENT]);
    process::run(sign.current_dir(files))?.checked()?;
    let mut verify = hashlanes();
    verify.arg("verify").arg("--key").arg(&public).args([SUMS, STATEMENT]).current_dir(files);
    process::run(&mut verify)?.checked()?;
    let mut other = hashlanes();
    other.arg("verify").arg("--key").arg(&public).args(["--signature", &format!("{SUMS}.sig"), STATEMENT]);
    if process::run(other.current_dir(files))?.succeeded {
        return Err("the signature of one file is accepted for another one".into());
    }
    copy_into(files, &public).map(drop)
}

/// Signs the checksums by minisign, for users who have it.
pub(super) fn minisign(files: &Path) -> Result<Done, String> {
    match debian::install(&[Package { name: "minisign", holds: "/usr/bin/minisign" }]) {
        Ok(()) => {}
        Err(Missing::NoApt(why)) => return Ok(Done::NotRun(why)),
        Err(Missing::Failed(why)) => return Err(why),
    }
    let (secret, public) = (keys("minisign")?.join("secret.key"), files.join("minisign.pub"));
    let minisign = |arguments: &[&str]| {
        let mut command = Command::new("minisign");
        command.args(arguments).args(["-s".as_ref(), secret.as_os_str(), "-p".as_ref(), public.as_os_str()]);
        process::run(command.current_dir(files))?.checked()
    };
    minisign(&["-G", "-W", "-f"])?;
    minisign(&["-S", "-m", SUMS])?;
    process::run(Command::new("minisign").args(["-V", "-m", SUMS, "-p"]).arg(&public).current_dir(files))?
        .checked()?;
    Ok(Done::Check)
}

/// The program that is released.
fn hashlanes() -> Command {
    let mut command = Command::new(program::path());
    workspace::unforced(&mut command);
    command
}

/// The names of the files that are listed: all except those that this and the later steps of an earlier run
/// made.
fn names(files: &Path) -> Result<Vec<String>, String> {
    const LATER: [&str; 4] = [SUMS, STATEMENT, "public.pem", "minisign.pub"];
    let name = |file: PathBuf| file.file_name().map(|name| name.to_string_lossy().into_owned());
    let is_listed = |name: &String| !LATER.iter().any(|later| name.starts_with(later));
    Ok(files_of(files)?.into_iter().filter_map(name).filter(is_listed).collect())
}

/// The directory of the dry run's keys, emptied.
fn keys(of: &str) -> Result<PathBuf, String> {
    let keys = workspace::scratch("release").join("keys").join(of);
    workspace::empty(&keys).map(|()| keys)
}
