//! Passes the data for records to the program: the commit it was built from, and the versions of its rivals.

use std::env;
use std::fs;
use std::process::Command;

/// The folders whose changes count as changes of the sources.
const SOURCES: [&str; 8] =
    ["../isa", "../schedule", "../sha", "../tree", "../hbs", "../hashlanes", "../clock", "."];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../../Cargo.lock");
    println!("cargo:rerun-if-changed=../../.git/logs/HEAD");
    for folder in SOURCES {
        println!("cargo:rerun-if-changed={folder}/src");
    }
    println!("cargo:rustc-env=HASHLANES_BENCH_COMMIT={}", commit().unwrap_or_default());
    println!("cargo:rustc-env=HASHLANES_BENCH_VERSIONS={}", versions().unwrap_or_default());
}

/// The commit, followed by `+` if the sources were changed since; `None` outside a repository.
fn commit() -> Option<String> {
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changes = git(&[&["status", "--porcelain", "--untracked-files=no", "--"], &SOURCES[..]].concat())?;
    Some(format!("{commit}{}", if changes.is_empty() { "" } else { "+" }))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|o| o.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// `name=version` of this package's dependencies, from the lock file, with `;` between them.
fn versions() -> Option<String> {
    let lock = fs::read_to_string("../../Cargo.lock").ok()?;
    let value = |package: &str, key: &str| {
        let line = package.lines().find(|line| line.starts_with(&format!("{key} = ")))?;
        Some(line.split('"').nth(1)?.to_owned())
    };
    let packages: Vec<&str> = lock.split("[[package]]").collect();
    let this = env::var("CARGO_PKG_NAME").ok()?;
    let bench = packages.iter().find(|p| value(p, "name").as_deref() == Some(&this))?;
    let dependencies = bench.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","));
    let with_version = dependencies.filter_map(|dependency| {
        // "name", or "name version" where the lock file has several.
        let mut words = dependency.split(' ');
        let name = words.next()?;
        let version = match words.next() {
            Some(version) => version.to_owned(),
            None => value(packages.iter().find(|p| value(p, "name").as_deref() == Some(name))?, "version")?,
        };
        Some(format!("{name}={version}"))
    });
    Some(with_version.collect::<Vec<_>>().join(";"))
}
