//! README.md: its commands run, its examples compile and run, its main job gives what `sha256sum` gives.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{Done, Tests};
use crate::test::binaries::Build;
use crate::workspace::tool;
use crate::{process, workspace};

/// The lines of README.md's blocks of a language, one text a block.
fn blocks(language: &str) -> Result<Vec<String>, String> {
    let path = workspace::root().join("README.md");
    let readme = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut blocks = Vec::new();
    let mut block: Option<String> = None;
    for line in readme.lines() {
        match &mut block {
            Some(text) if line == "```" => {
                blocks.push(std::mem::take(text));
                block = None;
            }
            Some(text) => *text += &format!("{line}\n"),
            None if line == format!("```{language}") => block = Some(String::new()),
            None => {}
        }
    }
    if blocks.is_empty() { Err(format!("README.md has no block of {language}")) } else { Ok(blocks) }
}

/// The Rust examples, as rustdoc tests them.
///
/// # Errors
/// If one fails.
pub(crate) fn examples(build: &Build) -> Result<Done, String> {
    blocks("rust")?;
    let facade = build.facade.as_ref().ok_or("the library hashlanes was not built")?;
    let dependencies = facade.parent().expect("a file stands in a directory");
    // The library stands beside the directory of its dependencies, or in it.
    let dependencies =
        [dependencies.join("deps"), dependencies.into()].into_iter().find(|path| path.is_dir());
    let mut rustdoc = tool("RUSTDOC", "rustdoc");
    rustdoc.current_dir(workspace::root()).args(["--test", "--edition", "2024", "README.md", "--extern"]);
    rustdoc.arg(format!("hashlanes={}", facade.display()));
    rustdoc.arg("-L").arg(format!("dependency={}", dependencies.expect("one of them").display()));
    let output = process::run(&mut rustdoc)?.checked()?;
    Ok(Done::Tests(Tests::of(&output)))
}

/// The command that the README begins with, on the sources: `sha256sum` accepts what it prints, and every file is
/// in it.
///
/// # Errors
/// If it fails, or the two disagree.
pub(crate) fn main_job() -> Result<(), String> {
    const LINE: &str = "cargo run --release -- sum -r .";
    if !blocks("sh")?.iter().any(|block| block.contains(LINE)) {
        return Err(format!("README.md does not name the command `{LINE}`"));
    }
    let sources = workspace::scratch("readme/sources");
    workspace::copy_sources(&sources)?;
    let manifest_path = workspace::root().join("Cargo.toml");
    let mut command = workspace::cargo("run");
    command
        .args(["--quiet", "--release", "--manifest-path"])
        .arg(manifest_path)
        .args(["--", "sum", "-r", "."]);
    let manifest = process::stdout(command.current_dir(&sources))?;
    let list = workspace::scratch("readme").join("SHA256SUMS");
    fs::write(&list, &manifest).map_err(|error| format!("{}: {error}", list.display()))?;
    shell(&sources, &format!("sha256sum --check --strict --quiet '{}'", list.display()))?;
    let files = shell(&sources, "find . -type f | wc -l")?;
    let listed = manifest.iter().filter(|byte| **byte == b'\n').count();
    if files.trim() != listed.to_string() {
        return Err(format!("{listed} files are listed, there are {}", files.trim()));
    }
    Ok(())
}

/// The commands of the program that the README shows, in a directory with the files that they name.
///
/// # Errors
/// If one fails.
pub(crate) fn commands() -> Result<(), String> {
    let scene = workspace::scratch("readme/scene");
    // What an earlier run wrote, the commands would find, and not write over.
    fs::remove_dir_all(&scene).or_else(|error| match error.kind() {
        ErrorKind::NotFound => Ok(()),
        _ => Err(format!("{}: {error}", scene.display())),
    })?;
    for file in
        ["photos/a.jpg", "photos/b.jpg", "photos/2024/c.jpg", "a.iso", "b.iso", "file", "disk.img", "a.apk"]
    {
        let path = scene.join(file);
        let written = fs::create_dir_all(path.parent().expect("a file stands in a directory"));
        written
            .and_then(|()| fs::write(&path, file))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    // As long as a firmware image may be; most file systems keep nothing of its zeros.
    let firmware = scene.join("firmware.bin");
    let made = fs::File::create(&firmware).and_then(|file| file.set_len(100 << 20));
    made.map_err(|error| format!("{}: {error}", firmware.display()))?;
    for block in blocks("console")? {
        for line in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let files = "(the files that it may name are made in xtask/src/test/readme.rs)";
            shell(&scene, line).map_err(|error| format!("{line}\n{error}\n{files}"))?;
        }
    }
    Ok(())
}

/// Runs a line as a person would, the release program on his PATH.
fn shell(directory: &Path, line: &str) -> Result<String, String> {
    let mut path = vec![workspace::target().join("release")];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths::<_, PathBuf>(path).map_err(|error| error.to_string())?;
    let mut bash = Command::new("bash");
    workspace::unforced(&mut bash);
    bash.args(["-euo", "pipefail", "-c", line]).env("PATH", path).current_dir(directory);
    process::run(&mut bash)?.checked()
}
