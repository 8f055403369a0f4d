//! The C library: installed below a fresh prefix; its tests and examples compiled against the installed
//! files, and run.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::pages::Page;
use super::{binaries, bindings, debian_root};
use crate::capi::{self, Places};
use crate::debian::{self, Missing, Package};
use crate::steps::{Done, Steps, Tests};
use crate::{process, workspace};

const WARNINGS: [&str; 5] = ["-g", "-Wall", "-Wextra", "-Werror", "-pedantic"];

/// A language as compilers name it.
struct Language {
    name: &'static str,
    standard: &'static str,
}

const C: Language = Language { name: "c", standard: "c11" };
const CXX: Language = Language { name: "c++", standard: "c++17" };
const SANITIZERS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// Adds the steps.
pub(crate) fn add_steps(steps: &mut Steps, slow: bool) {
    // The first step that needs the library installs it.
    let installed = OnceCell::new();
    let prefix = || installed.get_or_init(install).as_ref().map(PathBuf::as_path).map_err(String::clone);
    steps.step("C: programs", || {
        with(&["cc", "gcc", "g++", "pkg-config"], || {
            exported(prefix()?)?;
            let tests = programs(prefix()?, [("gcc", C), ("g++", CXX)])?;
            linked_statically(prefix()?)?;
            page(prefix()?)?;
            Ok(Done::Tests(Tests { passed: tests.passed + 2, ..tests }))
        })
    });
    steps.step("C: CMake", || with(&["cmake", "cc"], || cmake(prefix()?)));
    steps.step("C: Meson", || with(&["pkg-config", "cc"], || meson(prefix()?)));
    steps.step("Go: tests", || with(&["go", "gofmt", "cc", "pkg-config"], || bindings::go(prefix()?)));
    steps.step("Node: tests", || with(&["node", "cc", "pkg-config"], || bindings::node(prefix()?)));
    if slow {
        steps.check("C: header", capi::check_header);
        steps.step("C: programs, clang", || clang(prefix()?));
        steps.step("C: Debian packages", || {
            with(&["dpkg", "dpkg-deb"], || debian_root::c_library(&prefix()?.join("lib/libhashlanes.a")))
        });
        steps.step("Node: package", || {
            with(&["node", "npm", "cc", "pkg-config"], || bindings::node_package(prefix()?))
        });
        steps.step("C: valgrind", || valgrind(prefix()?));
    }
}

/// Runs the body if these programs are there.
fn with(programs: &[&str], body: impl FnOnce() -> Result<Done, String>) -> Result<Done, String> {
    if !cfg!(target_os = "linux") {
        return Ok(Done::Inapplicable("the library is installed on Linux only".into()));
    }
    match programs.iter().find(|program| !process::on_path(program)) {
        Some(missing) => Ok(Done::NotRun(format!("{missing} is not installed"))),
        None => body(),
    }
}

/// Installs the library of the test build below a fresh prefix.
fn install() -> Result<PathBuf, String> {
    let libraries = binaries::libraries()?;
    let prefix = workspace::scratch("c").join("prefix");
    workspace::empty(&prefix)?;
    capi::install(&libraries.join("libhashlanes_capi.a"), &Places::below(&prefix))?;
    Ok(prefix)
}

/// The test programs and the examples by these compilers, with sanitizers.
fn programs(prefix: &Path, compilers: [(&str, Language); 2]) -> Result<Tests, String> {
    let mut tests = Tests::default();
    for (compiler, Language { name: language, standard }) in compilers {
        for source in sources()? {
            let program = workspace::scratch("c").join(format!("{}-{compiler}", name(&source)));
            let mut compile = Command::new(compiler);
            compile.args(WARNINGS).args(SANITIZERS).arg(format!("-std={standard}"));
            compile.args(["-D_GNU_SOURCE", "-x", language]).arg(&source).args(["-x", "none"]);
            compile.args(pkg_config(prefix, &[])?).arg("-o").arg(&program);
            process::run(&mut compile)?.checked()?;
            run(Command::new(&program), &source, prefix)?;
            tests.passed += 1;
        }
    }
    Ok(tests)
}

/// Does the same with clang. It takes a minute to install, so it is not part of every run.
fn clang(prefix: &Path) -> Result<Done, String> {
    const CLANG: &[Package] = &[
        Package { name: "clang", holds: "/usr/bin/clang++" },
        Package { name: "libclang-rt-dev", holds: "/usr/share/doc/libclang-rt-dev/copyright" },
    ];
    match debian::install(CLANG) {
        Err(Missing::Failed(why)) => Err(why),
        Err(Missing::NoApt(why)) => Ok(Done::NotRun(why)),
        Ok(()) => programs(prefix, [("clang", C), ("clang++", CXX)]).map(Done::Tests),
    }
}

/// Builds programs with only the archive, and the flags of the file for pkg-config: one with the system's
/// shared libraries, and one without any.
fn linked_statically(prefix: &Path) -> Result<(), String> {
    let flags = pkg_config(prefix, &["--static"])?;
    for (name, options) in [("digests-archive", &[][..]), ("digests-static", &["-static"])] {
        let (source, program) = (capi::folder().join("tests/digests.c"), workspace::scratch("c").join(name));
        let mut compile = Command::new("cc");
        compile.args(WARNINGS).args(options).arg(&source).arg("-o").arg(&program);
        let others = flags.iter().filter(|flag| *flag != "-lhashlanes");
        compile.args(others).arg(prefix.join("lib/libhashlanes.a"));
        compile.args(flags.iter().filter(|flag| flag.starts_with("-l") && *flag != "-lhashlanes"));
        process::run(&mut compile)?.checked()?;
        process::run(&mut Command::new(&program))?.checked()?;
    }
    Ok(())
}

/// docs/c.md: the header has its functions; its example is compiled and run with the commands of that page.
fn page(prefix: &Path) -> Result<(), String> {
    let page = Page::read("docs/c.md")?;
    let header = prefix.join("include/hashlanes.h");
    let header = fs::read_to_string(&header).map_err(|error| format!("{}: {error}", header.display()))?;
    let words = |text| str::split(text, |c: char| !c.is_ascii_alphanumeric() && c != '_');
    let known: BTreeSet<&str> = words(&header).collect();
    let is_wrong = |word: &&str| word.starts_with("hashlanes_") && !known.contains(word);
    if let Some(word) = words(&page.text).find(is_wrong) {
        return Err(format!("{}: the header has no {word}", page.path));
    }
    let home = workspace::scratch("c-page");
    workspace::empty(&home)?;
    let local = home.join(".local");
    std::os::unix::fs::symlink(prefix, &local).map_err(|error| format!("{}: {error}", local.display()))?;

    let example = page.block("c")?;
    let (includes, body): (Vec<&str>, Vec<&str>) = example.lines().partition(|line| line.starts_with('#'));
    let program = format!(
        "#include <stdio.h>\n{}\nint main(void) {{\n{}\n    return error != HASHLANES_OK;\n}}\n",
        includes.join("\n"),
        body.join("\n")
    );
    let source = home.join("program.c");
    fs::write(&source, program).map_err(|error| format!("{}: {error}", source.display()))?;

    // The library is installed already.
    let commands = page.block("sh")?;
    let commands: Vec<&str> = commands.lines().filter(|line| !line.starts_with("cargo xtask")).collect();
    let mut shell = Command::new("sh");
    workspace::unforced(&mut shell);
    shell.arg("-euc").arg(commands.join("\n") + "\n./program").current_dir(&home).env("HOME", &home);
    process::run(&mut shell)?.checked().map(drop)
}

/// The shared library exports the functions of the version script, all of one version, and no others.
fn exported(prefix: &Path) -> Result<(), String> {
    let library = prefix.join("lib/libhashlanes.so.0");
    let listed = process::stdout(Command::new("nm").args(["-D", "--defined-only"]).arg(library))?;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let mut exported: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    exported.retain(|symbol| !symbol.starts_with("HASHLANES_0"));
    exported.sort_unstable();
    let expected: Vec<String> = capi::symbols()?.into_iter().map(|symbol| symbol + "@@HASHLANES_0").collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    if exported == expected {
        return Ok(());
    }
    Err(format!("libhashlanes.so.0 exports\n{exported:?}\ninstead of\n{expected:?}"))
}

fn sources() -> Result<Vec<PathBuf>, String> {
    let mut sources = Vec::new();
    for folder in ["tests", "examples"] {
        let folder = capi::folder().join(folder);
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        sources.extend(entries.flatten().map(|entry| entry.path()));
    }
    sources.retain(|path| path.extension() == Some(OsStr::new("c")));
    sources.sort();
    Ok(sources)
}

fn name(source: &Path) -> String {
    source.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn pkg_config(prefix: &Path, options: &[&str]) -> Result<Vec<String>, String> {
    let mut command = Command::new("pkg-config");
    command.args(["--cflags", "--libs"]).args(options).arg("hashlanes");
    let flags = process::stdout(command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")))?;
    Ok(String::from_utf8_lossy(&flags).split_whitespace().map(str::to_owned).collect())
}

/// Runs a program with the arguments and the input that its source needs.
fn run(program: Command, source: &Path, prefix: &Path) -> Result<(), String> {
    let header = prefix.join("include/hashlanes.h");
    // The shell opens the input; "$@" is the program with its prefix and arguments.
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg("exec \"$@\" < \"$INPUT\"")
        .arg("sh")
        .arg(program.get_program())
        .args(program.get_args());
    shell.env("INPUT", &header).env("LD_LIBRARY_PATH", prefix.join("lib"));
    workspace::unforced(&mut shell);
    match &*name(source) {
        "hash_files" => drop(shell.args([&header, &header])),
        "verify_firmware" => {
            let folder = capi::folder().join("tests/firmware");
            shell.args(["key.pem", "firmware.bin", "firmware.bin.sig"].map(|name| folder.join(name)));
        }
        _ => {}
    }
    let output = process::run(&mut shell)?.checked().map_err(|why| format!("{}: {why}", source.display()))?;
    let expected = match &*name(source) {
        "hash_files" => sha256sum(&header)?,
        // The SHA-256 of an empty line.
        "batch" => "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  \n".into(),
        "event_loop" => "stream 2: 40 records".into(),
        "aegis_records" => "record 7: the authentication code or tag is not that of the message".into(),
        "gcm_packets" => "packet 7: the authentication code or tag is not that of the message".into(),
        _ => return Ok(()),
    };
    if output.contains(&expected) { Ok(()) } else { Err(format!("{}: prints\n{output}", source.display())) }
}

/// The line that sha256sum prints of a file.
fn sha256sum(file: &Path) -> Result<String, String> {
    let line = process::stdout(Command::new("sha256sum").arg(file))?;
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
}

/// The example project with `find_package`, configured, built and run.
fn cmake(prefix: &Path) -> Result<Done, String> {
    let build = workspace::scratch("c").join("cmake");
    workspace::empty(&build)?;
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(capi::folder().join("examples/cmake")).arg("-B").arg(&build);
    process::run(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())))?.checked()?;
    process::run(Command::new("cmake").arg("--build").arg(&build))?.checked()?;
    for program in ["column", "column-static"] {
        process::run(&mut Command::new(build.join(program)))?.checked()?;
    }
    Ok(Done::Tests(Tests { passed: 2, ..Tests::default() }))
}

/// The example project with `dependency('hashlanes')`, configured, built and run.
fn meson(prefix: &Path) -> Result<Done, String> {
    const MESON: &[Package] = &[
        Package { name: "meson", holds: "/usr/bin/meson" },
        Package { name: "ninja-build", holds: "/usr/bin/ninja" },
    ];
    if !process::on_path("meson") {
        match debian::install(MESON) {
            Err(Missing::Failed(why)) => return Err(why),
            Err(Missing::NoApt(why)) => return Ok(Done::NotRun(why)),
            Ok(()) => {}
        }
    }
    let build = workspace::scratch("c").join("meson");
    workspace::empty(&build)?;
    let mut setup = Command::new("meson");
    setup.arg("setup").arg(&build).arg(capi::folder().join("examples/meson"));
    process::run(setup.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")))?.checked()?;
    process::run(Command::new("ninja").arg("-C").arg(&build))?.checked()?;
    let mut column = Command::new(build.join("column"));
    process::run(column.env("LD_LIBRARY_PATH", prefix.join("lib")))?.checked()?;
    Ok(Done::Check)
}

/// The test programs and the examples without sanitizers, by valgrind.
fn valgrind(prefix: &Path) -> Result<Done, String> {
    const VALGRIND: &[Package] = &[Package { name: "valgrind", holds: "/usr/bin/valgrind" }];
    match debian::install(VALGRIND) {
        Err(Missing::Failed(why)) => return Err(why),
        Err(Missing::NoApt(why)) => return Ok(Done::NotRun(why)),
        Ok(()) => {}
    }
    let mut tests = Tests::default();
    for source in sources()? {
        let program = workspace::scratch("c").join(format!("{}-plain", name(&source)));
        let mut compile = Command::new("cc");
        compile.args(WARNINGS).args(["-O1", "-std=c11", "-D_GNU_SOURCE"]).arg(&source);
        process::run(compile.args(pkg_config(prefix, &[])?).arg("-o").arg(&program))?.checked()?;
        let mut checked = Command::new("valgrind");
        checked.args(["-q", "--error-exitcode=1", "--leak-check=full"]).arg(&program);
        run(checked, &source, prefix)?;
        tests.passed += 1;
    }
    Ok(Done::Tests(tests))
}
