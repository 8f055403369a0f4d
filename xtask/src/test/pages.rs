//! README.md and the handbook in docs/: commands run, Rust examples compile and run, and the first command of
//! README.md lists what `sha256sum` accepts.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{Done, Tests};
use crate::test::binaries::Build;
use crate::workspace::tool;
use crate::{guard, process, workspace};

/// A page: its path from the workspace's directory, and its text.
pub(crate) struct Page {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Page {
    /// Reads a page.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn read(path: &str) -> Result<Self, String> {
        Ok(Self { path: path.into(), text: workspace::read(path)? })
    }

    /// Returns the code blocks of a language.
    pub(crate) fn blocks(&self, language: &str) -> Vec<String> {
        let mut blocks = Vec::new();
        let mut block: Option<String> = None;
        for line in self.text.lines() {
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
        blocks
    }

    /// Returns the only code block of a language.
    ///
    /// # Errors
    /// If the page has none or several.
    pub(crate) fn block(&self, language: &str) -> Result<String, String> {
        let mut blocks = self.blocks(language);
        match (blocks.pop(), blocks.is_empty()) {
            (Some(block), true) => Ok(block),
            _ => Err(format!("{}: expected one block of {language}", self.path)),
        }
    }
}

/// README.md, and the pages that docs/SUMMARY.md lists.
///
/// # Errors
/// If a page cannot be read.
pub(crate) fn all() -> Result<Vec<Page>, String> {
    let summary = Page::read("docs/SUMMARY.md")?;
    let links = summary.text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let mut pages = vec![Page::read("README.md")?];
    for (path, _) in links {
        pages.push(Page::read(&format!("docs/{path}"))?);
    }
    Ok(pages)
}

/// Tests the Rust examples of all pages, as rustdoc does.
///
/// # Errors
/// If one fails.
pub(crate) fn examples(build: &Build) -> Result<Done, String> {
    let facade = build.facade.as_ref().ok_or("the library hashlanes was not built")?;
    let dependencies = facade.parent().expect("a file is in a directory");
    // The library is next to the directory of its dependencies, or in it.
    let dependencies =
        [dependencies.join("deps"), dependencies.into()].into_iter().find(|path| path.is_dir());
    let dependencies = dependencies.expect("one of them");
    let mut tests = Tests::default();
    for page in all()?.iter().filter(|page| !page.blocks("rust").is_empty()) {
        let mut rustdoc = tool("RUSTDOC", "rustdoc");
        rustdoc.current_dir(workspace::root()).args(["--test", "--edition", "2024", &page.path, "--extern"]);
        rustdoc.arg(format!("hashlanes={}", facade.display()));
        rustdoc.arg("-L").arg(format!("dependency={}", dependencies.display()));
        tests += Tests::of(&process::run(&mut rustdoc)?.checked()?);
    }
    if tests.passed == 0 { Err("no page has a Rust example".into()) } else { Ok(Done::Tests(tests)) }
}

/// Runs the first command of README.md on the sources, and the same for all of them: `sha256sum` accepts the
/// list, and the list has every file.
///
/// # Errors
/// If a run fails, or the two disagree.
pub(crate) fn main_job() -> Result<(), String> {
    const LINE: &str = "cargo run --release -- sum -r docs";
    if !Page::read("README.md")?.blocks("sh").iter().any(|block| block.contains(LINE)) {
        return Err(format!("README.md has no command `{LINE}`"));
    }
    let sources = workspace::scratch("readme/sources");
    workspace::copy_sources(&sources)?;
    for directory in ["docs", "."] {
        list_is_whole(&sources, directory)?;
    }
    Ok(())
}

fn list_is_whole(sources: &Path, directory: &str) -> Result<(), String> {
    let manifest_path = workspace::root().join("Cargo.toml");
    let mut command = workspace::cargo("run");
    command
        .args(["--quiet", "--release", "--manifest-path"])
        .arg(manifest_path)
        // The program that the guard has built already.
        .args(guard::WITH_SYMBOLS)
        .args(["--", "sum", "-r", directory]);
    let manifest = process::stdout(command.current_dir(sources))?;
    let list = workspace::scratch("readme").join("SHA256SUMS");
    fs::write(&list, &manifest).map_err(|error| format!("{}: {error}", list.display()))?;
    shell(sources, &format!("sha256sum --check --strict --quiet '{}'", list.display()))?;
    let files = shell(sources, &format!("find {directory} -type f | wc -l"))?;
    let listed = manifest.iter().filter(|byte| **byte == b'\n').count();
    if files.trim() != listed.to_string() {
        return Err(format!("{directory}: {listed} files are listed, {} exist", files.trim()));
    }
    Ok(())
}

/// Runs the commands of the program that the pages show, each page in a directory of its own with the files
/// that the commands name.
///
/// # Errors
/// If one fails.
pub(crate) fn commands() -> Result<(), String> {
    let mut n_commands = 0;
    for page in all()? {
        let blocks = page.blocks("console");
        let lines: Vec<&str> = blocks
            .iter()
            .flat_map(|block| block.lines())
            .filter_map(|line| line.strip_prefix("$ "))
            .collect();
        if lines.is_empty() {
            continue;
        }
        let scene = scene(&page.path.replace(['/', '.'], "-"))?;
        n_commands += lines.len();
        for line in lines {
            shell(&scene, line).map_err(|error| {
                format!("{}: {line}\n{error}\n(xtask/src/test/pages.rs creates the files)", page.path)
            })?;
        }
    }
    if n_commands == 0 { Err("no page has a command".into()) } else { Ok(()) }
}

/// A fresh directory with the files that commands may name.
fn scene(name: &str) -> Result<PathBuf, String> {
    let scene = workspace::scratch("readme/scene").join(name);
    // The commands do not overwrite the results of an earlier run.
    fs::remove_dir_all(&scene).or_else(|error| match error.kind() {
        ErrorKind::NotFound => Ok(()),
        _ => Err(format!("{}: {error}", scene.display())),
    })?;
    for file in [
        "photos/a.jpg",
        "photos/b.jpg",
        "photos/2024/c.jpg",
        "a.iso",
        "b.iso",
        "file",
        "disk.img",
        "a.apk",
        "b.apk",
        "bootloader.bin",
        "release.tar",
        "second-volume/readme",
        "passphrase.txt",
    ] {
        let path = scene.join(file);
        let written = fs::create_dir_all(path.parent().expect("a file is in a directory"));
        written
            .and_then(|()| fs::write(&path, file))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    // The length of a large firmware image; most file systems store nothing for its zeros.
    let firmware = scene.join("firmware.bin");
    let made = fs::File::create(&firmware).and_then(|file| file.set_len(100 << 20));
    made.map_err(|error| format!("{}: {error}", firmware.display()))?;
    Ok(scene)
}

/// Runs a line as a user would, with the release program in PATH.
fn shell(directory: &Path, line: &str) -> Result<String, String> {
    let mut path = vec![workspace::target().join("release")];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths::<_, PathBuf>(path).map_err(|error| error.to_string())?;
    let mut bash = Command::new("bash");
    workspace::unforced(&mut bash);
    bash.args(["-euo", "pipefail", "-c", line]).env("PATH", path).current_dir(directory);
    process::run(&mut bash)?.checked()
}
