//! Packages over the C library: Go and Node, built against an installed library, with their own tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::pages::Page;
use crate::steps::{Done, Tests};
use crate::{process, workspace};

/// The oldest Go that the package supports, as in its `go.mod`.
const OLDEST_GO: (u32, u32) = (1, 24);
/// The oldest Node that the package supports, as in its `package.json`.
const OLDEST_NODE: u32 = 18;
/// The package for tests of the Node package's columns.
const APACHE_ARROW: &str = "apache-arrow@21.2.0";

/// The Go package: its format, the checks of `go vet`, its tests and its example.
///
/// # Errors
/// If any of them fails.
pub(crate) fn go(prefix: &Path) -> Result<Done, String> {
    let folder = workspace::root().join("bindings/go");
    let version = process::stdout(Command::new("go").args(["env", "GOVERSION"]))?;
    let version = String::from_utf8_lossy(&version).trim().trim_start_matches("go").to_owned();
    let mut numbers = version.split('.').filter_map(|number| number.parse::<u32>().ok());
    if (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < OLDEST_GO {
        return Ok(Done::NotRun(format!(
            "go is {version}; {}.{} or later is needed",
            OLDEST_GO.0, OLDEST_GO.1
        )));
    }
    let unformatted = process::stdout(Command::new("gofmt").arg("-l").arg(&folder))?;
    if !unformatted.is_empty() {
        return Err(format!("gofmt would change {}", String::from_utf8_lossy(&unformatted)));
    }
    let go = |arguments: &[&str]| {
        let mut go = Command::new("go");
        go.args(arguments).current_dir(&folder).env("GOTOOLCHAIN", "local");
        process::run(with_library(&mut go, prefix))?.checked()
    };
    go(&["vet", "./..."])?;
    let output = go(&["test", "-count=1", "-v", "./..."])?;
    let passed = output.lines().filter(|line| line.starts_with("--- PASS")).count();
    go_page(&folder, prefix)?;
    Ok(Done::Tests(Tests { passed: passed + 1, ..Tests::default() }))
}

/// The functions for DataFusion, in the real engine: apart from the workspace, with their own lock file.
///
/// # Errors
/// If a test fails.
pub(crate) fn datafusion() -> Result<Done, String> {
    let mut test = workspace::cargo("test");
    test.args(["--locked", "--manifest-path", "bindings/datafusion/Cargo.toml"]);
    test.env("CARGO_TARGET_DIR", workspace::scratch("datafusion"));
    let output = process::run(&mut test)?.checked()?;
    Ok(Done::Tests(Tests::of(&output)))
}

/// The example of docs/go.md, in a module of its own.
fn go_page(package: &Path, prefix: &Path) -> Result<(), String> {
    const MODULE: &str = "github.com/hashlanes/hashlanes/bindings/go";
    let example = Page::read("docs/go.md")?.block("go")?;
    let (import, body) = example.split_once('\n').ok_or("docs/go.md: the example has no body")?;
    let program = format!(
        "package main\n\n{import}\n\nfunc main() {{\n\tvalues, offsets := []byte(\"abc\"), []int32{{0, 1, 3}}\n{body}\n\
         \tif err != nil || len(digests) != 2 || h.Size() != 32 {{\n\t\tpanic(err)\n\t}}\n}}\n"
    );
    let module = format!(
        "module example\n\ngo {}.{}\n\nrequire {MODULE} v0.0.0\n\nreplace {MODULE} => {}\n",
        OLDEST_GO.0,
        OLDEST_GO.1,
        package.display()
    );
    let folder = workspace::scratch("go-page");
    write(&folder.join("go.mod"), &module)?;
    write(&folder.join("main.go"), &program)?;
    let mut go = Command::new("go");
    go.args(["run", "."]).current_dir(&folder).env("GOTOOLCHAIN", "local");
    process::run(with_library(&mut go, prefix))?.checked().map(drop)
}

/// The Node package: the addon compiled from source, and its tests.
///
/// # Errors
/// If the addon does not compile, or a test fails.
pub(crate) fn node(prefix: &Path) -> Result<Done, String> {
    if let Some(why) = no_node()? {
        return Ok(Done::NotRun(why));
    }
    let node = |arguments: &[&str]| {
        let mut node = Command::new("node");
        node.args(arguments).current_dir(workspace::root().join("bindings/node"));
        node.env("NODE_HASHLANES_BUILD", workspace::scratch("node"));
        process::run(with_library(&mut node, prefix))?.checked()
    };
    node(&["build.js"])?;
    let tests = counted(&node(&["--test", "--test-reporter=tap", "test.js"])?);
    let page = node_page()?.display().to_string();
    node(&[&page])?;
    Ok(Done::Tests(Tests { passed: tests.passed + 1, ..tests }))
}

/// Writes the example of docs/node.md as a user's program, next to the installed package; returns its path.
fn node_page() -> Result<PathBuf, String> {
    const BEFORE: &str = "\
const values = Buffer.from(\"abc\"), offsets = Int32Array.of(0, 1, 3), validity = Uint8Array.of(3);
const vector = { data: [{ values, valueOffsets: offsets, nullBitmap: validity, offset: 0, length: 2 }] };
";
    let folder = workspace::scratch("node-page");
    let modules = folder.join("node_modules");
    fs::create_dir_all(&modules).map_err(|error| format!("{}: {error}", modules.display()))?;
    let package = modules.join("hashlanes");
    if !package.exists() {
        let from = workspace::root().join("bindings/node");
        std::os::unix::fs::symlink(from, &package)
            .map_err(|error| format!("{}: {error}", package.display()))?;
    }
    let program = folder.join("program.js");
    write(&program, &format!("{BEFORE}{}", Page::read("docs/node.md")?.block("js")?))?;
    Ok(program)
}

/// The Node package with its prebuilt addon: packed, installed and tested.
///
/// # Errors
/// If a command or a test fails.
pub(crate) fn node_package(prefix: &Path) -> Result<Done, String> {
    match no_node()? {
        Some(why) => Ok(Done::NotRun(why)),
        None => check_package(&pack(prefix)?).map(Done::Tests),
    }
}

/// Packs the Node package with its prebuilt addon; returns the archive.
///
/// # Errors
/// If npm fails.
pub(crate) fn pack(prefix: &Path) -> Result<PathBuf, String> {
    let (from, source) = (workspace::root().join("bindings/node"), emptied("source")?);
    let entries = fs::read_dir(&from).map_err(|error| format!("{}: {error}", from.display()))?;
    for file in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()) {
        copy(&file, &source)?;
    }
    let npm = |arguments: &[&str]| {
        let mut npm = Command::new("npm");
        npm.args(arguments).current_dir(&source);
        process::run(with_library(&mut npm, prefix))?.checked()
    };
    npm(&["run", "prebuilt"])?;
    let package = npm(&["pack", "--silent"])?;
    Ok(source.join(package.lines().last().unwrap_or_default()))
}

/// Installs a packed Node package where no library and no compiler is found, and tests it there, with columns
/// of apache-arrow.
///
/// # Errors
/// If a command or a test fails.
pub(crate) fn check_package(package: &Path) -> Result<Tests, String> {
    let (from, user) = (workspace::root().join("bindings/node"), emptied("user")?);
    // A user's: only Node, npm and the shell are found.
    let of_user = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&user).env_remove("LD_LIBRARY_PATH");
        command.env("CC", "/nonexistent").env("PKG_CONFIG_LIBDIR", "/nonexistent");
        workspace::unforced(&mut command);
        process::run(&mut command)?.checked()
    };
    fs::write(user.join("package.json"), "{}").map_err(|error| format!("package.json: {error}"))?;
    let package = package.display().to_string();
    of_user("npm", &["install", "--no-audit", "--no-fund", &package, APACHE_ARROW])?;
    let installed = user.join("node_modules/hashlanes");
    if installed.join("build").exists() {
        return Err("the package was compiled although it has a prebuilt addon".into());
    }
    let mut tests = Tests::default();
    for test in ["test.js", "test-arrow.js"] {
        copy(&from.join(test), &installed)?;
        let test = installed.join(test).display().to_string();
        tests += counted(&of_user("node", &["--test", "--test-reporter=tap", &test])?);
    }
    Ok(tests)
}

/// An empty directory for the package.
fn emptied(name: &str) -> Result<PathBuf, String> {
    let folder = workspace::scratch("node-package").join(name);
    workspace::empty(&folder).map(|()| folder)
}

/// Why Node's packages cannot be tested here.
pub(crate) fn no_node() -> Result<Option<String>, String> {
    let version = process::stdout(Command::new("node").args(["-p", "process.versions.node.split('.')[0]"]))?;
    let version = String::from_utf8_lossy(&version).trim().parse::<u32>().unwrap_or(0);
    if version < OLDEST_NODE {
        return Ok(Some(format!("node is {version}; {OLDEST_NODE} or later is needed")));
    }
    let print = "require('path').join(process.execPath, '../../include/node/node_api.h')";
    let header = process::stdout(Command::new("node").args(["-p", print]))?;
    let header = String::from_utf8_lossy(&header).trim().to_owned();
    Ok((!Path::new(&header).is_file()).then(|| format!("{header} is missing")))
}

/// The counts that `node --test` prints.
fn counted(output: &str) -> Tests {
    let count = |word: &str| {
        let mut lines = output.lines().filter_map(|line| line.strip_prefix("# ")?.strip_prefix(word));
        lines.find_map(|number| number.trim().parse().ok()).unwrap_or(0)
    };
    Tests { passed: count("pass"), failed: count("fail"), ignored: count("skipped") }
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

fn copy(file: &Path, folder: &Path) -> Result<(), String> {
    let to = folder.join(file.file_name().unwrap_or_default());
    fs::copy(file, &to).map(drop).map_err(|error| format!("{}: {error}", to.display()))
}

/// A command that finds the library, without the caller's `HASHLANES_…` variables.
fn with_library<'c>(command: &'c mut Command, prefix: &Path) -> &'c mut Command {
    workspace::unforced(command);
    command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).env("LD_LIBRARY_PATH", prefix.join("lib"))
}
