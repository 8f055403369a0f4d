//! The program on Windows: names, paths, lists, and what is refused. Runs there, and under wine.
#![cfg(windows)]

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Write;
use std::os::windows::ffi::OsStringExt;
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory for one test.
struct Scene(PathBuf);

/// What a run of the program printed, and its exit status.
#[derive(PartialEq, Eq, Debug)]
struct Run {
    out: String,
    err: String,
    status: i32,
}

impl Scene {
    fn new() -> Scene {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("hashlanes-test-{}-{n}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Scene(path)
    }

    /// Writes a file, with the directories that it needs.
    fn file(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn run<A: AsRef<OsStr>>(&self, args: &[A]) -> Run {
        self.run_with(args, b"")
    }

    /// Runs the program in the directory with this standard input.
    fn run_with<A: AsRef<OsStr>>(&self, args: &[A], input: &[u8]) -> Run {
        let mut program = Command::new(env!("CARGO_BIN_EXE_hashlanes"))
            .args(args)
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that reads no input ends before it is written.
        let _ = program.stdin.take().unwrap().write_all(input);
        let output = program.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Run { out: text(output.stdout), err: text(output.stderr), status: output.status.code().unwrap() }
    }

    /// The names in the directory that begin with a dot.
    fn hidden(&self) -> Vec<OsString> {
        let names = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.as_encoded_bytes().starts_with(b".")).collect()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn printed(out: impl Into<String>) -> Run {
    Run { out: out.into(), err: String::new(), status: 0 }
}

fn sha256(content: &[u8]) -> String {
    hashlanes::sha256(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn line(content: &str, name: &str) -> String {
    format!("{}  {name}\n", sha256(content.as_bytes()))
}

/// Names of other scripts, of characters beyond 16 bits, and with characters that shells treat specially.
const NAMES: [&str; 6] = ["a.txt", "sub/Ünïcødé.txt", "sub/猫.jpg", "sub/😀", "sub/two  blanks", "sub/it's"];

#[test]
fn lists_are_those_of_other_systems() {
    let scene = Scene::new();
    for name in NAMES {
        scene.file(format!("data/{name}"), name);
    }
    let mut names = NAMES;
    names.sort_unstable();
    let lines: String = names.map(|name| line(name, &format!("data/{name}"))).concat();
    for typed in ["data", r"data\", "data/"] {
        assert_eq!(scene.run(&["sum", "-r", typed]), printed(&lines), "{typed}");
    }
    let below = r"data\sub";
    assert!(scene.run(&["sum", "-r", below]).out.contains("  data/sub/猫.jpg\n"));
    let absolute = scene.0.join("data").join("a.txt");
    let shown = absolute.to_str().unwrap().replace('\\', "/");
    assert!(shown.as_bytes()[1] == b':', "{shown}");
    let expected = printed(line("a.txt", &shown));
    assert_eq!(scene.run(&[OsStr::new("sum"), absolute.as_os_str()]), expected);
    let verbatim = absolute.canonicalize().unwrap();
    assert!(verbatim.to_str().unwrap().starts_with(r"\\?\"));
    assert_eq!(scene.run(&[OsStr::new("sum"), verbatim.as_os_str()]).status, 0);
    assert_eq!(scene.run_with(&["sha256sum"], b"abc"), printed(line("abc", "-")));
}

#[test]
fn lists_of_every_origin_are_checked() {
    let scene = Scene::new();
    scene.file("sub/ä", "x");
    scene.file("b", "y");
    let (ours, theirs) =
        ([line("x", "sub/ä"), line("y", "b")].concat(), [line("x", "sub\\ä"), line("y", "b")]);
    let escaped = format!("\\{}{}", line("x", r"sub\\ä"), line("y", "b"));
    let ok = printed("sub/ä: OK\nb: OK\n");
    for (name, list) in [
        ("LF", ours.clone()),
        ("CRLF", ours.replace('\n', "\r\n")),
        ("BOM", format!("\u{feff}{}", ours.replace('\n', "\r\n"))),
    ] {
        scene.file(name, list);
        assert_eq!(scene.run(&["sum", "-c", name]), ok, "{name}");
        assert_eq!(scene.run(&["sum", "-c", "--json", name]).status, 0, "{name}");
    }
    for (name, list) in [("backslashes", theirs.concat()), ("escaped", escaped)] {
        scene.file(name, list);
        let run = scene.run(&["sum", "-c", name]);
        assert!(run.status == 0 && run.out.ends_with("b: OK\n"), "{name}: {run:?}");
    }
    let utf16: Vec<u8> = format!("\u{feff}{ours}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    scene.file("UTF-16", utf16);
    let run = scene.run(&["sum", "-c", "UTF-16"]);
    assert!(run.status == 1 && run.err.contains("UTF-16"), "{run:?}");
    scene.file("b", "z");
    let run = scene.run(&["sum", "-c", "CRLF"]);
    assert_eq!((run.status, &run.out[..]), (1, "sub/ä: OK\nb: FAILED\n"));
}

/// Half of a surrogate pair, which no UTF-8 has, is in a name of NTFS.
#[test]
fn a_name_that_is_not_utf16_is_lossless() {
    let scene = Scene::new();
    let name = OsString::from_wide(&[0x61, 0xd800, 0x62]);
    if fs::write(scene.0.join(&name), "x").is_err() {
        eprintln!("SKIPPED: the file system has no such names");
        return;
    }
    let found = fs::read_dir(&scene.0).unwrap().next().unwrap().unwrap().file_name();
    if found != name {
        eprintln!("SKIPPED: the file system changes such names");
        return;
    }
    for command in [&["sum", "-r", ".", "-o", "list"][..], &["sum", "-c", "list"], &["audit", "list"]] {
        let args: Vec<_> = command.iter().map(OsStr::new).collect();
        assert_eq!(scene.run(&args).status, 0, "{command:?}");
    }
    let list = fs::read(scene.0.join("list")).unwrap();
    assert!(list.windows(5).any(|bytes| bytes == b"a\xed\xa0\x80b"), "{list:?}");
}

/// Longer than MAX_PATH, 260.
#[test]
fn long_paths() {
    let scene = Scene::new();
    let name = ["directory-of-many"; 30].join("/");
    scene.file(name.replace('/', "\\") + "\\file", "x");
    let list = line("x", &format!("directory-of-many{}/file", &name[17..]));
    assert_eq!(scene.run(&["sum", "-r", "directory-of-many", "-o", "S"]).status, 0);
    assert_eq!(scene.read("S").lines().next(), Some(list.trim_end()));
    assert_eq!(scene.run(&["sum", "-c", "S"]).status, 0);
    assert_eq!(scene.run(&["audit", "S"]).status, 0);
}

#[test]
fn audits_and_updates() {
    let scene = Scene::new();
    for (name, content) in [("data/a", "1"), ("data/b", "2"), ("data/c", "3"), ("data/d/e", "4")] {
        scene.file(name, content);
    }
    assert_eq!(scene.run(&["sum", "-r", r"data\", "-o", "S"]).status, 0);
    let run = scene.run(&["audit", "S"]);
    assert_eq!((run.status, &run.out[..]), (0, ""), "{run:?}");
    scene.file("data/a", "changed");
    fs::rename(scene.0.join("data/b"), scene.0.join("data/d/b")).unwrap();
    fs::remove_file(scene.0.join("data/c")).unwrap();
    scene.file("data/new", "5");
    let run = scene.run(&["audit", "S"]);
    let expected = "changed  data/a\nmoved    data/b -> data/d/b\nnew      data/new\nmissing  data/c\n";
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!((run.status, sorted(&run.out)), (1, sorted(expected)), "{run:?}");
    let _ = scene.run(&["sum", "--update", "S", "--accept-changes"]);
    let names = ["data/a", "data/d/b", "data/d/e", "data/new"];
    let listed: Vec<String> =
        scene.read("S").lines().filter_map(|line| Some(line.split_once("  ")?.1.into())).collect();
    assert_eq!(listed, names);
    assert_eq!(scene.run(&["audit", "S", r".\data"]).status, 0);
    assert_eq!(scene.hidden(), [] as [OsString; 0]);
}

/// A file that another program holds for itself is reported, and the others are hashed.
#[test]
fn files_that_cannot_be_read() {
    let scene = Scene::new();
    scene.file("open", "x");
    scene.file("held", "y");
    fs::create_dir(scene.0.join("directory")).unwrap();
    let _held = File::options().read(true).share_mode(0).open(scene.0.join("held")).unwrap();
    let run = scene.run(&["sum", "held", "missing", "directory", "open"]);
    assert_eq!((run.status, &run.out[..]), (1, &line("x", "open")[..]));
    for words in
        ["held: Used by another process", "missing: No such file or directory", "directory: Is a directory"]
    {
        assert!(run.err.contains(words), "{run:?}");
    }
}

/// Files that commands write: whole, in place of old ones, and without leftovers.
#[test]
fn files_that_are_written() {
    let scene = Scene::new();
    scene.file("data/a", "1");
    scene.file("data/b", "1");
    for _ in 0..2 {
        assert_eq!(scene.run(&["sum", "-r", "data", "-o", "S"]).status, 0);
        assert_eq!(scene.run(&["sum", "-r", "data", "--cache", "C"]).status, 0);
    }
    assert_eq!(scene.run(&["manifest", "split", "-n", "1", "data"]).status, 0);
    let run = scene.run(&["manifest", "split", "-n", "1", "data"]);
    assert!(run.status == 2 && run.err.contains("File exists"), "{run:?}");
    let list = [line("1", "data/a"), line("1", "data/b")].concat();
    let output = File::create(scene.0.join("data").join("output")).unwrap();
    let mut redirected = Command::new(env!("CARGO_BIN_EXE_hashlanes"));
    redirected.args(["sum", "-r", "data"]).current_dir(&scene.0).stdout(output);
    assert!(redirected.output().unwrap().stderr.ends_with(b"data/output: not hashed: it is the output\n"));
    assert_eq!(scene.read("data/output"), list);
    fs::remove_file(scene.0.join("data").join("output")).unwrap();
    assert!(scene.read("S").starts_with(&list));
    assert_eq!(scene.hidden(), [] as [OsString; 0]);
    let run = scene.run(&["dupes", "-q", "data"]);
    assert_eq!(run, printed("data/a\ndata/b\n"));
    let run = scene.run(&["tree", "-m", "git-sha1", "data/a"]);
    // printf 1 | git hash-object --stdin
    assert_eq!(run, printed("56a6051ca2b02b04ef92d5150c9ef600403cb1de  data/a\n"));
    assert_eq!(scene.run(&["tree", "-m", "fs-verity", "data/a"]).status, 0);
}

/// The signature of RFC 8554, appendix F, test case 1.
#[test]
fn verifies_signatures() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors/lms.json");
    let vectors: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let claim = &vectors["claims"][0];
    let bytes = |name: &str| {
        let hex = claim[name].as_str().unwrap();
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (0..hex.len()).step_by(2).map(byte).collect::<Vec<u8>>()
    };
    let scene = Scene::new();
    scene.file("keys/public", bytes("public_key"));
    scene.file("rights", bytes("message"));
    scene.file("rights.sig", bytes("signature"));
    assert_eq!(scene.run(&["verify", "-k", r"keys\public", "rights"]), printed("rights: OK\n"));
    scene.file("rights", "other");
    let run = scene.run(&["verify", "-k", r"keys\public", "rights"]);
    assert_eq!((run.status, &run.out[..]), (1, "rights: FAILED\n"));
}

#[test]
fn absent_parts_are_named() {
    let scene = Scene::new();
    for command in ["keygen", "sign", "key"] {
        let run = scene.run(&[command, "--help"]);
        assert_eq!(run.status, 2);
        assert!(run.err.starts_with(&format!("hashlanes: {command}: not on Windows")), "{run:?}");
    }
    scene.file("a", "x");
    let run = scene.run(&["sum", "--io", "uring", "a"]);
    assert!(run.status == 2 && run.err.contains("not on this system"), "{run:?}");
    let help = scene.run(&["--help"]);
    assert!(help.status == 0 && !help.out.contains("keygen"), "{help:?}");
    assert_eq!(scene.run(&["kernels"]).status, 0);
}
