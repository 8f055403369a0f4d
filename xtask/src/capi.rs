//! The C library: its header, and its installation below a prefix.
//!
//! rustc makes the archive. The shared library is linked from it by the C compiler, with a soname and
//! versioned symbols: a `cdylib` of rustc's has a version script of its own, and linkers accept only one.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{process, workspace};

/// The version of cbindgen that writes the header: others format it otherwise.
const CBINDGEN: &str = "0.29.4";
/// The system libraries that the archive needs.
const PRIVATE: &str = "-lutil -lrt -lpthread -lm -ldl";

/// The folder of the crate.
pub(crate) fn folder() -> PathBuf {
    workspace::root().join("crates/capi")
}

/// Writes the header.
///
/// # Errors
/// If cbindgen cannot be installed, or fails.
pub(crate) fn write_header() -> Result<(), String> {
    let header = folder().join("include/hashlanes.h");
    fs::write(&header, header_text()?).map_err(|error| format!("{}: {error}", header.display()))
}

/// Compares the header with what cbindgen writes.
///
/// # Errors
/// If they differ, or cbindgen cannot be installed.
pub(crate) fn check_header() -> Result<(), String> {
    let header = folder().join("include/hashlanes.h");
    let committed = fs::read(&header).map_err(|error| format!("{}: {error}", header.display()))?;
    if committed == header_text()? {
        return Ok(());
    }
    Err(format!("{}: differs from the sources; run `cargo xtask header`", header.display()))
}

/// The header by cbindgen, which is installed below the build directory the first time.
fn header_text() -> Result<Vec<u8>, String> {
    let mut cbindgen = Command::new(workspace::installed("cbindgen", CBINDGEN, &[])?);
    cbindgen.args(["--quiet", "--config", "cbindgen.toml", "--crate", "hashlanes-capi", "."]);
    process::stdout(cbindgen.current_dir(folder()))
}

/// The places of installed files.
pub(crate) struct Places {
    /// The prefix that files name: `/usr`.
    pub(crate) prefix: PathBuf,
    /// The folder of libraries below it: `lib`, `lib/x86_64-linux-gnu`.
    pub(crate) lib: String,
    /// A folder in place of the root directory, for packages.
    pub(crate) root: PathBuf,
}

impl Places {
    pub(crate) fn below(prefix: &Path) -> Self {
        Self { prefix: prefix.to_owned(), lib: "lib".into(), root: PathBuf::from("/") }
    }

    /// A file below the prefix, in `root`.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        let prefix = self.prefix.strip_prefix("/").unwrap_or(&self.prefix);
        self.root.join(prefix).join(path)
    }

    fn lib_file(&self, path: &str) -> PathBuf {
        self.file(&format!("{}/{path}", self.lib))
    }
}

/// `cargo xtask install-c --prefix PREFIX`.
///
/// # Errors
/// If the library cannot be built or installed.
pub(crate) fn command(prefix: &str) -> Result<(), String> {
    let prefix = std::path::absolute(prefix).map_err(|error| format!("{prefix}: {error}"))?;
    install(&release_archive()?, &Places::below(&prefix))?;
    println!("installed below {}; programs find it by", prefix.display());
    println!("    export PKG_CONFIG_PATH={}/lib/pkgconfig", prefix.display());
    Ok(())
}

/// `cargo xtask bench-c`: compiles `bench.c` against the release library, and runs it.
///
/// # Errors
/// If OpenSSL's headers are missing, or something fails.
pub(crate) fn bench() -> Result<(), String> {
    let scratch = workspace::scratch("bench-c");
    let (prefix, program) = (scratch.join("prefix"), scratch.join("bench"));
    install(&release_archive()?, &Places::below(&prefix))?;
    let mut cc = Command::new("cc");
    cc.args(["-O2", "-std=c11", "-Wall", "-Wextra", "-o"]).arg(&program).arg(folder().join("bench.c"));
    cc.arg("-I").arg(prefix.join("include")).arg(prefix.join("lib/libhashlanes.so")).arg("-lcrypto");
    cc.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
    match Path::new("/usr/include/intel-ipsec-mb.h").is_file() {
        true => drop(cc.args(["-DWITH_IPSEC_MB", "-lIPSec_MB"])),
        false => println!("libipsec-mb is not measured: install libipsec-mb-dev"),
    }
    let compiled = process::run(&mut cc)?.checked();
    compiled.map_err(|why| format!("{why}\nbench.c needs OpenSSL 3: install libssl-dev"))?;
    print!("{}", process::run(&mut Command::new(&program))?.checked()?);
    Ok(())
}

/// Builds the archive as users get it.
///
/// # Errors
/// If cargo fails.
pub(crate) fn release_archive() -> Result<PathBuf, String> {
    process::run(workspace::cargo("build").args(["--release", "--package", "hashlanes-capi"]))?.checked()?;
    Ok(workspace::target().join("release/libhashlanes_capi.a"))
}

/// The version of the library.
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION") // That of the workspace.
}

/// Installs header, archive, shared library, and the files by which pkg-config and CMake find them.
///
/// # Errors
/// If a file cannot be written, or the C compiler fails.
pub(crate) fn install(archive: &Path, places: &Places) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Err(
            "install-c: the shared library is linked with options of ELF linkers; supported on Linux".into(),
        );
    }
    copy(&folder().join("include/hashlanes.h"), &places.file("include/hashlanes.h"))?;
    let installed = places.lib_file("libhashlanes.a");
    copy(archive, &installed)?;
    process::run(Command::new("strip").arg("--strip-debug").arg(&installed))?.checked()?;
    let name = format!("libhashlanes.so.{}", version());
    link(&installed, &places.lib_file(&name))?;
    for alias in ["libhashlanes.so.0", "libhashlanes.so"] {
        let alias = places.lib_file(alias);
        let _ = fs::remove_file(&alias);
        symlink(&name, &alias).map_err(|error| format!("{}: {error}", alias.display()))?;
    }
    template("hashlanes.pc.in", places, "pkgconfig/hashlanes.pc")?;
    template("hashlanes-config.cmake.in", places, "cmake/hashlanes/hashlanes-config.cmake")?;
    template("hashlanes-config-version.cmake.in", places, "cmake/hashlanes/hashlanes-config-version.cmake")
}

/// The names of the functions, from the version script.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn symbols() -> Result<Vec<String>, String> {
    let script = folder().join("hashlanes.map");
    let text = fs::read_to_string(&script).map_err(|error| format!("{}: {error}", script.display()))?;
    let names = text.lines().filter_map(|line| line.trim().strip_suffix(';'));
    Ok(names.filter(|name| name.starts_with("hashlanes_")).map(str::to_owned).collect())
}

/// Links the shared library: the members of the archive that the functions need.
fn link(archive: &Path, library: &Path) -> Result<(), String> {
    let script = folder().join("hashlanes.map");
    let mut cc = Command::new("cc");
    cc.args([
        "-shared",
        "-Wl,-soname,libhashlanes.so.0",
        "-Wl,--gc-sections",
        "-Wl,-z,relro,-z,now",
        "-Wl,-s",
    ]);
    cc.arg(format!("-Wl,--version-script={}", script.display())).arg("-o").arg(library);
    cc.args(symbols()?.iter().map(|symbol| format!("-Wl,--undefined={symbol}")));
    cc.arg(archive).args(PRIVATE.split(' '));
    process::run(&mut cc)?.checked().map(drop)
}

/// Installs a file with the places in it.
fn template(name: &str, places: &Places, to: &str) -> Result<(), String> {
    let from = folder().join("install").join(name);
    let text = fs::read_to_string(&from).map_err(|error| format!("{}: {error}", from.display()))?;
    // From the folder of CMake's file up to the prefix.
    let up = "../".repeat(places.lib.split('/').count() + 2);
    let prefix = places.prefix.display().to_string();
    let values = [
        ("PREFIX", &*prefix),
        ("LIB", &*places.lib),
        ("VERSION", version()),
        ("PRIVATE", PRIVATE),
        ("UP", &*up),
    ];
    let text = values.iter().fold(text, |text, (name, value)| text.replace(&format!("@{name}@"), value));
    let to = places.lib_file(to);
    make_folder(&to)?;
    fs::write(&to, text).map_err(|error| format!("{}: {error}", to.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    make_folder(to)?;
    fs::copy(from, to).map(drop).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

/// Creates the folder of a file.
fn make_folder(file: &Path) -> Result<(), String> {
    let folder = file.parent().expect("a file stands in a folder");
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}
