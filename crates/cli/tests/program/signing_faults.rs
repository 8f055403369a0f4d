//! Keys and faults: the program is killed, or a system call fails, at every call in turn; full disks; copies.
//!
//! No index may be in two signatures, and the key must work or give the reason why not. strace injects the
//! faults. The whole matrix takes minutes, so most of it is among the long tests.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::keys::{SET, done, index_in, next_of, result_of, run, with_key};
use crate::scene::Scene;
use crate::side_by_side::{OURS, feed};

/// The calls that touch files.
const CALLS: &str = "openat,read,pread64,write,pwrite64,lseek,fstat,newfstatat,statx,fsync,fdatasync,ftruncate,fallocate,flock,\
                     rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,chmod,fchmod,fchmodat,close";
/// The calls among them that change something.
const CHANGES: [&str; 14] = [
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "ftruncate",
    "fallocate",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "mkdir",
    "mkdirat",
    "flock",
];

fn strace_is_here() -> bool {
    static HERE: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *HERE.get_or_init(|| {
        let here =
            Command::new("strace").args(["-o/dev/null", "true"]).output().is_ok_and(|o| o.status.success());
        if !here {
            eprintln!("SKIPPED, not tested: strace is not here, or may not trace");
        }
        here
    })
}

/// Runs the program under strace with these options of it; the trace is the file `trace`.
fn traced(scene: &Scene, options: &[&str], args: &str) -> (ExitStatus, String) {
    let mut command = Command::new("strace");
    command.args(["-qq", "-o", "trace"]).args(options).arg(OURS).args(args.split_whitespace());
    let output = feed(command.current_dir(&scene.path).env("LC_ALL", "C.UTF-8"), b"");
    (output.status, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The number of times the command makes each call.
fn counted(scene: &Scene, args: &str) -> BTreeMap<String, usize> {
    let (status, err) = traced(scene, &["-e", &format!("trace={CALLS}")], args);
    assert!(status.success(), "{args}: {err}");
    let mut counts = BTreeMap::new();
    for line in fs::read_to_string(scene.join("trace")).unwrap().lines() {
        if let Some((call, _)) = line.split_once('(') {
            *counts.entry(call.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// The fault at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Kill,
    Error(&'static str),
}

const FAULTS: [Fault; 6] = [
    Fault::Kill,
    Fault::Error("EIO"),
    Fault::Error("ENOSPC"),
    Fault::Error("EINTR"),
    Fault::Error("EDQUOT"),
    Fault::Error("EROFS"),
];

/// All faults at all calls, or a few at those that change something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Few,
    All,
}

/// `call:when`, with the fault, as strace takes it.
fn cases(counts: &BTreeMap<String, usize>, extent: Extent) -> Vec<(Fault, String)> {
    let mut cases = Vec::new();
    for (call, n) in counts {
        let is_change = CHANGES.contains(&&call[..]);
        for fault in FAULTS {
            let is_one_of_few = match fault {
                Fault::Kill => is_change,
                Fault::Error(name) => name == "EIO" && (call.contains("sync") || call.contains("rename")),
            };
            if extent == Extent::Few && !is_one_of_few {
                continue;
            }
            // A close that fails has closed; the program does not ask.
            if call == "close" && fault != Fault::Kill {
                continue;
            }
            for when in 1..=*n {
                let how = match fault {
                    Fault::Kill => "signal=SIGKILL".to_owned(),
                    Fault::Error(name) => format!("error={name}"),
                };
                cases.push((fault, format!("inject={call}:{how}:when={when}")));
            }
        }
    }
    cases
}

/// A run with a fault in it.
struct Faulted {
    /// The status, unless it was killed.
    status: Option<i32>,
    err: String,
    /// Whether the run made the call often enough to reach the fault. Runs differ: a growing tree is written
    /// with some signatures and not with others.
    is_case: bool,
}

/// Runs a command with a fault in it.
fn faulty(scene: &Scene, injection: &str, args: &str) -> Faulted {
    let (status, err) = traced(scene, &["-e", injection], args);
    assert!(!err.contains("panicked"), "{injection} {args}: {err}");
    // strace ends as the program did: by the same signal.
    assert!(status.code().is_some() || status.signal() == Some(9), "{injection} {args}: {status} {err}");
    let trace = fs::read_to_string(scene.join("trace")).unwrap();
    let is_case = trace.contains("(INJECTED") || trace.contains("+++ killed");
    Faulted { status: status.code(), err, is_case }
}

/// Leftovers of a killed run.
fn tidy(scene: &Scene) {
    for entry in fs::read_dir(&scene.path).unwrap().flatten() {
        if entry.file_name().to_string_lossy().ends_with(".tmp") {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
}

/// All signatures that left the program, by index.
#[derive(Default)]
struct Released {
    by_index: BTreeMap<u64, PathBuf>,
}

impl Released {
    /// Takes the signature with that name, if it exists, with its index, and removes it.
    ///
    /// # Panics
    /// If the index was released before, or the signature is not whole or not valid.
    fn take(&mut self, scene: &Scene, file: &str, key: &str) -> Option<u64> {
        let index = index_in(scene, &format!("{file}.sig"))?;
        let (_, err, status) = result_of(scene, &format!("verify -q -k {key}/public.pem {file}"));
        assert_eq!(status, 0, "index {index}: {err}");
        let kept = scene.join(&format!("released-{index}"));
        assert!(self.by_index.insert(index, kept.clone()).is_none(), "index {index} is used twice");
        std::fs::rename(scene.join(&format!("{file}.sig")), kept).unwrap();
        Some(index)
    }

    fn len(&self) -> usize {
        self.by_index.len()
    }
}

/// A key that goes through faults.
struct Ordeal {
    scene: Scene,
    released: Released,
    n_cases: usize,
    lost: usize,
}

impl Ordeal {
    fn new() -> Self {
        Self { scene: with_key(), released: Released::default(), n_cases: 0, lost: 0 }
    }

    /// A sound run: the key signs, with an index above all that were released.
    fn signs(&mut self, what: &str) -> u64 {
        tidy(&self.scene);
        let (_, err, status) = result_of(&self.scene, "sign -q -k key a");
        assert_eq!(status, 0, "{what}: {err}");
        self.released.take(&self.scene, "a", "key").unwrap()
    }

    fn end(self, what: &str, n_faults: usize) {
        println!(
            "{what}: {} cases, {} signatures: 0 reused, {} keys lost",
            self.n_cases,
            self.released.len(),
            self.lost
        );
        assert_eq!(self.lost, 0);
        assert!(self.n_cases * 10 >= n_faults * 8, "{what}: {} of {n_faults} faults", self.n_cases);
    }
}

/// `sign` with every fault: exactly the indices that are reported as burned are burned.
fn sign_with_faults(extent: Extent) {
    if !strace_is_here() {
        return;
    }
    let mut ordeal = Ordeal::new();
    let counts = counted(&ordeal.scene, "sign -q -k key a");
    let mut before = ordeal.released.take(&ordeal.scene, "a", "key").unwrap();
    let cases = cases(&counts, extent);
    let n_faults = cases.len();
    for (fault, injection) in cases {
        let Faulted { status, err, is_case } = faulty(&ordeal.scene, &injection, "sign -q -k key a");
        let released = ordeal.released.take(&ordeal.scene, "a", "key");
        if fault != Fault::Kill {
            assert_eq!(status == Some(0), released.is_some(), "{injection}: {status:?} {err}");
        }
        let after = ordeal.signs(&injection);
        let n_burned = after - before - 1 - u64::from(released.is_some());
        match status {
            // No index was used, as reported.
            Some(0..=2 | 127) => assert_eq!(n_burned, 0, "{injection}: {status:?} {err}"),
            Some(3) => {
                assert_eq!(n_burned, 1, "{injection}: {err}");
                assert!(
                    err.contains(&format!("index {} ", before + 1)) && err.contains("burned"),
                    "{injection}: {err}"
                );
            }
            _ => assert!(n_burned <= 1, "{injection}: {n_burned} burned: {err}"),
        }
        before = after;
        ordeal.n_cases += usize::from(is_case);
    }
    ordeal.end("sign", n_faults);
}

/// `key split`: no index is in both parts, in every state of the child.
fn split_with_faults(extent: Extent) {
    if !strace_is_here() {
        return;
    }
    let mut ordeal = Ordeal::new();
    let counts = counted(&ordeal.scene, "key split key --count 2 --out child-0");
    let cases = cases(&counts, extent);
    let n_faults = cases.len();
    for (number, (_, injection)) in cases.into_iter().enumerate() {
        let child = format!("child-{}", number + 1);
        let args = format!("key split key --count 2 --out {child}");
        let Faulted { status, err, is_case } = faulty(&ordeal.scene, &injection, &args);
        ordeal.signs(&injection);
        // A complete child signs; another one prints why not.
        let mut n_signed = 0;
        let (mut said, mut code) = (String::new(), 0);
        while n_signed < 3 && code == 0 {
            (_, said, code) = result_of(&ordeal.scene, &format!("sign -q -k {child} a"));
            n_signed += usize::from(ordeal.released.take(&ordeal.scene, "a", "key").is_some());
        }
        assert!(code != 0 && !said.is_empty(), "{injection}: {said}");
        if status == Some(0) {
            assert_eq!(n_signed, 2, "{injection}: {err} {said}");
        }
        ordeal.signs(&injection);
        ordeal.n_cases += usize::from(is_case);
    }
    ordeal.end("key split", n_faults);
}

/// `key advance`: never back.
fn advance_with_faults(extent: Extent) {
    if !strace_is_here() {
        return;
    }
    let mut ordeal = Ordeal::new();
    let counts = counted(&ordeal.scene, "key advance key --to 5");
    let mut before = ordeal.signs("the first");
    let cases = cases(&counts, extent);
    let n_faults = cases.len();
    for (_, injection) in cases {
        let to = before + 4;
        let Faulted { status, err, is_case } =
            faulty(&ordeal.scene, &injection, &format!("key advance key --to {to}"));
        let after = ordeal.signs(&injection);
        assert!(after > before, "{injection}");
        if status == Some(0) {
            assert_eq!(after, to, "{injection}: {err}");
        }
        before = after;
        ordeal.n_cases += usize::from(is_case);
    }
    ordeal.end("key advance", n_faults);
}

/// `keygen`: a key that signs, a key that can be continued, or no key; and messages about it.
fn keygen_with_faults(extent: Extent) {
    if !strace_is_here() {
        return;
    }
    let scene = Scene::new();
    scene.file(b"a", b"content");
    let counts = counted(&scene, &format!("keygen --scheme {SET} --out key-0"));
    let (mut n_cases, mut n_made, mut n_resumed) = (0, 0, 0);
    for (_, injection) in cases(&counts, extent) {
        let Faulted { status, err, is_case } =
            faulty(&scene, &injection, &format!("keygen --scheme {SET} --out key"));
        let (_, said, code) = result_of(&scene, "sign -q -k key a");
        if status == Some(0) {
            assert_eq!(code, 0, "{injection}: {err} {said}");
        }
        if code == 0 {
            n_made += 1;
        } else {
            assert!(!said.is_empty() && !scene.join("a.sig").exists(), "{injection}: {said}");
            let (_, not_resumed, code) = result_of(&scene, "keygen --resume --out key");
            if code == 0 {
                n_resumed += 1;
                done(&scene, "sign -q -k key a");
            } else {
                assert!(!not_resumed.is_empty(), "{injection}");
            }
        }
        let mut released = Released::default();
        assert!(released.take(&scene, "a", "key").is_none_or(|index| index <= 1), "{injection}");
        for index in 0..2 {
            let _ = fs::remove_file(scene.join(&format!("released-{index}")));
        }
        let _ = fs::remove_dir_all(scene.join("key"));
        tidy(&scene);
        n_cases += usize::from(is_case);
    }
    println!("keygen: {n_cases} cases, {n_made} keys made, {n_resumed} gone on with: 0 reused, 0 keys lost");
}

/// An interrupted import continues with the index that the secret key had, and not with an earlier one.
#[test]
fn an_interrupted_import() {
    if !strace_is_here() {
        return;
    }
    let scene = with_key();
    // OID, index 7, S_XMSS, SK_PRF, root, SEED: the root comes from a key of the same seeds.
    scene.file(b"seeds", &[9; 96]);
    done(&scene, &format!("keygen --scheme {SET} --out same --seeds seeds"));
    let public = run(&scene, "key export-public same --format raw").stdout;
    scene.file(b"secret", &[&public[..4], &[0, 0, 7], &[9; 64], &public[4..]].concat());
    let import = "key import secret --scheme XMSSMT --out key-7";
    let (mut when, mut n_resumed) = (1, 0);
    loop {
        let Faulted { is_case, .. } =
            faulty(&scene, &format!("inject=fsync:signal=SIGKILL:when={when}"), import);
        if result_of(&scene, "sign -q -k key-7 a").2 != 0 {
            let (_, err, status) = result_of(&scene, "keygen --resume --out key-7");
            if status == 0 {
                n_resumed += 1;
            } else {
                assert!(!err.is_empty(), "{when}");
                fs::remove_dir_all(scene.join("key-7")).unwrap();
                done(&scene, import);
            }
            done(&scene, "sign -q -k key-7 a");
        }
        let index = Released::default().take(&scene, "a", "same");
        assert_eq!(index, Some(7), "{when}");
        fs::remove_dir_all(scene.join("key-7")).unwrap();
        if !is_case {
            break;
        }
        when += 1;
    }
    assert!(when > 5 && n_resumed > 2, "{when} {n_resumed}");
}

#[test]
fn sign_survives_some_faults() {
    sign_with_faults(Extent::Few);
}

#[test]
fn split_and_advance_survive_some_faults() {
    split_with_faults(Extent::Few);
    advance_with_faults(Extent::Few);
}

#[test]
fn keygen_survives_some_faults() {
    keygen_with_faults(Extent::Few);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn sign_survives_all_faults() {
    sign_with_faults(Extent::All);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn split_survives_all_faults() {
    split_with_faults(Extent::All);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn advance_survives_all_faults() {
    advance_with_faults(Extent::All);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn keygen_survives_all_faults() {
    keygen_with_faults(Extent::All);
}

/// The state, its directory and the log are on the disk before the first byte of a signature is written.
#[test]
fn the_order_of_the_calls() {
    if !strace_is_here() {
        return;
    }
    let scene = with_key();
    done(&scene, "key adopt key --moved --witness witness");
    let calls = "trace=write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,link,linkat";
    let (status, err) = traced(&scene, &["-y", "-e", calls], "sign -q -k key a --witness witness");
    assert!(status.success(), "{err}");
    let trace = fs::read_to_string(scene.join("trace")).unwrap();
    let lines: Vec<&str> = trace.lines().collect();
    let at = |what: &dyn Fn(&str) -> bool| {
        lines.iter().position(|line| what(line)).unwrap_or_else(|| panic!("not in the trace:\n{trace}"))
    };
    let key = fs::canonicalize(scene.join("key")).unwrap();
    let key = key.to_str().unwrap();
    let synced = |line: &str, path: &str| line.contains("sync(") && line.contains(&format!("<{path}>)"));
    let renamed = at(&|line| line.contains("rename") && line.contains("\"state\""));
    let state_synced = at(&|line| line.contains("sync(") && line.contains(&format!("<{key}/state")));
    let directory_synced = at(&|line| synced(line, key));
    // The log has a record of the opening, too: the last one is that of the commit.
    let log = format!("{key}/log");
    let log_synced = lines.iter().rposition(|line| synced(line, &log)).unwrap();
    let witness = fs::canonicalize(scene.join("witness")).unwrap();
    let witness_synced =
        at(&|line| line.contains("sync(") && line.contains(&format!("<{}", witness.display())));
    let written =
        at(&|line| line.contains("write(") && (line.contains("(deleted)") || line.contains("/.hashlanes-")));
    let named = at(&|line| line.contains("link") && line.contains("\"a.sig\""));
    assert!(state_synced < renamed && renamed < directory_synced, "{trace}");
    assert!(directory_synced < log_synced && log_synced < written && written < named, "{trace}");
    assert!(witness_synced < written, "{trace}");
}

/// A signature that cannot be written costs its index, and a message reports it.
#[test]
fn a_full_device() {
    let scene = with_key();
    let (out, err, status) = result_of(&scene, "sign -k key a -o /dev/full");
    let words = "hashlanes: /dev/full: cannot write: No space left on device; index 0 is burned: it has no signature and will not be reused\n";
    assert_eq!((&out[..], &err[..], status), ("", words, 3));
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = crate::keys::command(&scene, "sign -k key a -o -").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("index 1 is burned"));
    assert_eq!(done(&scene, "sign -k key a"), "a: signed with index 2\n");
}

/// Signatures whose lines cannot be written are stored, and a message reports it: those of a whole window,
/// and no more.
#[test]
fn lines_that_cannot_be_written() {
    let scene = with_key();
    let told_in_full = |args: &str| {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = crate::keys::command(&scene, args).stdout(full).output().unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code())
    };
    let words =
        "hashlanes: standard output: cannot write: No space left on device; the signatures are written, with";
    let missing = "only their lines are missing";
    for (form, indices) in [("", "indices 0 to 2"), ("--json", "indices 3 to 5")] {
        let (err, status) = told_in_full(&format!("sign -f -k key {form} a b c"));
        assert_eq!((&err[..], status), (&format!("{words} {indices}; {missing}\n")[..], Some(3)));
        assert_eq!(done(&scene, "verify -q -k key a b c"), "");
    }
    assert_eq!(told_in_full("sign -f -q -k key a"), (String::new(), Some(0)));
    let (err, status) = told_in_full("key split key --count 2 --out child");
    let unwritten = "(done, but standard output cannot be written: No space left on device)";
    let split = format!("hashlanes: child: has indices 7 to 8 of {SET} {unwritten}\n");
    assert_eq!((err, status), (split, Some(3)));
    let (err, status) = told_in_full("key advance key --to 20");
    let advanced = "indices 9 to 19 burned; the next signature gets index 20, 1048556 are left";
    assert_eq!((err, status), (format!("hashlanes: key: {advanced} {unwritten}\n"), Some(3)));
    // As many lines as are gathered before they are written, and one file more.
    let names: Vec<String> = (0..300).map(|number| format!("{number:0>250}")).collect();
    for name in &names {
        scene.file(name.as_bytes(), b"");
    }
    let (err, status) = told_in_full(&format!("sign -k key {}", names.join(" ")));
    let result_of = format!("{words} indices 20 to 275; {missing}; 44 FILEs after them were not signed\n");
    assert_eq!((&err[..], status), (&result_of[..], Some(3)));
    let is_signed = |name: &&String| scene.join(&format!("{name}.sig")).exists();
    assert_eq!((names.iter().filter(is_signed).count(), next_of(&scene, "key")), (256, 276));
    assert_eq!(done(&scene, &format!("verify -q -k key {}", names[..256].join(" "))), "");
}

/// A disk that is full uses up nothing, and when there is room again the key signs with the next index.
#[test]
fn a_full_disk() {
    let scene = with_key();
    fs::create_dir(scene.join("disk")).unwrap();
    let script = "set -eu; mount -t tmpfs -o size=1m none disk; program=$0
        \"$program\" keygen --scheme XMSSMT-SHA2_20/4_256 --out disk/key > out
        cp a disk/a; \"$program\" sign -k disk/key a >> out; rm a.sig
        ! cat /dev/zero > disk/zeros 2> /dev/null
        \"$program\" sign -k disk/key a >> out 2>> err || echo status $? >> out
        \"$program\" sign -k key disk/a >> out 2>> err || echo status $? >> out
        test ! -e a.sig; test ! -e disk/a.sig
        rm disk/zeros
        \"$program\" sign -k disk/key a >> out; \"$program\" sign -k key disk/a >> out
        \"$program\" verify -k disk/key a >> out; \"$program\" verify -k key disk/a >> out";
    let is_permitted = Command::new("unshare")
        .args(["-rm", "mount", "-t", "tmpfs", "none"])
        .arg(scene.join("disk"))
        .output()
        .is_ok_and(|output| output.status.success());
    if !is_permitted {
        eprintln!("SKIPPED, not tested: a file system may not be mounted here");
        return;
    }
    let mut command = Command::new("unshare");
    command.args(["-rm", "bash", "-c", script, OURS]).current_dir(&scene.path).env("LC_ALL", "C.UTF-8");
    let output = feed(&mut command, b"");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let out = fs::read_to_string(scene.join("out")).unwrap();
    let (_, out) = out.split_once('\n').unwrap();
    let err = fs::read_to_string(scene.join("err")).unwrap();
    let expected = "a: signed with index 0\nstatus 1\nstatus 1\na: signed with index 1\ndisk/a: signed with index 0\na: OK\ndisk/a: OK\n";
    assert_eq!(out, expected, "{err}");
    assert_eq!(err.matches("No space left on device").count(), 2, "{err}");
}

/// A copy of a key directory: refused where the original is, and where it is not.
#[test]
fn a_directory_restored_from_a_copy() {
    let scene = with_key();
    done(&scene, "sign -q -k key a");
    let cp = |from: &str, to: &str| {
        let status = Command::new("cp").args(["-a", from, to]).current_dir(&scene.path).status().unwrap();
        assert!(status.success());
    };
    cp("key", "backup");
    done(&scene, "sign -q -k key b");
    fs::remove_dir_all(scene.join("key")).unwrap();
    cp("backup", "key");
    for args in
        ["sign -k key c", "key advance key --to 9", "key split key --count 1 --out child", "key status key"]
    {
        let (out, err, status) = result_of(&scene, args);
        let all = out + &err;
        assert!(
            all.contains("rollback suspected") && all.contains("hashlanes key adopt --help"),
            "{args}: {all}"
        );
        assert_eq!(status, 4, "{args}: {all}");
    }
    assert!(!scene.join("c.sig").exists() && !scene.join("child").exists());
    let (_, _, status) = result_of(&scene, "key adopt key");
    assert_eq!(status, 2, "a reason must be given");
    // Index 1 was used since: the newest signature shows it.
    assert_eq!(
        done(&scene, "key adopt key --from-signature b.sig"),
        "key: taken over; index 1 burned; the next signature gets index 2, 1048574 are left\n\
         b.sig: its message is not known: only that it is a signature of this key was checked\n"
    );
    assert_eq!(done(&scene, "sign -k key c"), "c: signed with index 2\n");
    // Moved on purpose: by copying, the original deleted.
    cp("key", "moved");
    fs::remove_dir_all(scene.join("key")).unwrap();
    assert_eq!(result_of(&scene, "sign -f -k moved c").2, 4);
    done(&scene, "key adopt moved --moved");
    assert_eq!(done(&scene, "sign -f -k moved c"), "c: signed with index 3\n");
}

/// An older state alone, an older log alone: the other one shows each; a witness shows both together.
#[test]
fn files_restored_from_a_copy() {
    let scene = with_key();
    done(&scene, "key adopt key --moved --witness witness");
    let read = |name: &str| fs::read(scene.join(&format!("key/{name}"))).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        // In place: the file stays the same one.
        let path = scene.join(&format!("key/{name}"));
        fs::write(path, bytes).unwrap();
    };
    let sign = "sign -q -f -k key a --witness witness";
    done(&scene, sign);
    let older = (read("state"), read("log"));
    done(&scene, sign);
    done(&scene, sign);
    let newest = (read("state"), read("log"));
    for (state, log) in [(&older.0, &newest.1), (&newest.0, &older.1), (&older.0, &older.1)] {
        write("state", state);
        write("log", log);
        let (_, err, status) = result_of(&scene, sign);
        assert!(err.contains("rollback suspected") && status == 4, "{err}");
        let (out, _, status) = result_of(&scene, "key status key --witness witness");
        assert!(out.contains("rollback suspected") && status == 4, "{out}");
    }
    // A missing witness gives no protection.
    fs::rename(scene.join("witness"), scene.join("elsewhere")).unwrap();
    let (_, err, status) = result_of(&scene, sign);
    assert!(err.starts_with("hashlanes: witness: ") && status == 4, "{err}");
    fs::rename(scene.join("elsewhere"), scene.join("witness")).unwrap();
    write("state", &newest.0);
    write("log", &newest.1);
    done(&scene, sign);
    let (_, err, status) = result_of(&scene, "sign -q -f -k key a --witness missing");
    assert!(err.starts_with("hashlanes: missing: ") && status == 4, "{err}");
    assert_eq!(next_of(&scene, "key"), 4);
}

/// Every file cut and emptied, every byte of the state changed: refused with words of its own, never index 0
/// again.
#[test]
fn damaged_files() {
    let scene = with_key();
    done(&scene, "sign -q -k key a");
    let refused = |what: &str| {
        let (out, err, status) = result_of(&scene, "sign -q -k key b");
        assert!(matches!(status, 4 | 7), "{what}: {status} {err}");
        assert!(
            out.is_empty() && err.starts_with("hashlanes: key: ") && err.lines().count() == 1,
            "{what}: {err}"
        );
        assert!(!scene.join("b.sig").exists(), "{what}");
    };
    for name in ["key", "state", "log"] {
        let path = scene.join(&format!("key/{name}"));
        let bytes = fs::read(&path).unwrap();
        let mode = fs::metadata(&path).unwrap().permissions();
        // In place: another file would be refused for being another one.
        let put = |bytes: &[u8]| {
            fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
            fs::write(&path, bytes).unwrap();
            fs::set_permissions(&path, mode.clone()).unwrap();
        };
        let cuts = [0, 1, bytes.len() / 4, bytes.len() - 1];
        for cut in &cuts[..if name == "log" { 3 } else { 4 }] {
            put(&bytes[..*cut]);
            refused(&format!("{name} cut to {cut}"));
        }
        // An incomplete record of the log was cut off by a crash: the state has the right index.
        if name != "log" {
            put(&[&bytes[..], b"more"].concat());
            refused(&format!("{name} with more behind it"));
        }
        fs::rename(&path, scene.join("away")).unwrap();
        let (_, err, status) = result_of(&scene, "sign -q -k key b");
        assert!(status != 0 && !err.is_empty(), "{name} removed: {err}");
        fs::rename(scene.join("away"), &path).unwrap();
        put(&bytes);
        let step = if name == "state" { 1 } else { 17 };
        // The log's last record is evidence, the earlier ones are only for audits: its header has 68 bytes, a
        // record 160.
        let audited = if name == "log" { 68..bytes.len() - 160 } else { 0..0 };
        for at in (0..bytes.len()).step_by(step).filter(|at| !audited.contains(at)) {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            put(&changed);
            refused(&format!("byte {at} of {name}"));
        }
        put(&bytes);
    }
    // Public data can be created again.
    for path in files_below(&scene.join("key/cache")) {
        for n_bytes in [0, 100] {
            let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
            file.set_len(n_bytes).unwrap();
            done(&scene, "sign -q -f -k key b");
            done(&scene, "verify -q -k key b");
        }
        fs::remove_file(&path).unwrap();
        done(&scene, "sign -q -f -k key b");
    }
    let _ = fs::remove_dir_all(scene.join("key/cache"));
    done(&scene, "sign -q -f -k key b");
    assert_eq!(done(&scene, "verify -k key a b"), "a: OK\nb: OK\n");
}

fn files_below(path: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(path).unwrap().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// Files of another key, links, pipes, files open to others, a stale temporary file.
#[test]
fn files_that_are_not_the_keys() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scene = with_key();
    done(&scene, &format!("keygen --scheme {SET} --out other"));
    done(&scene, "sign -q -k key a");
    let refused = |what: &str, codes: &[i32]| {
        let (_, err, status) = result_of(&scene, "sign -q -k key b");
        assert!(codes.contains(&status) && !err.is_empty(), "{what}: {status} {err}");
        assert!(!scene.join("b.sig").exists(), "{what}");
    };
    for name in ["key", "state", "log", "lock"] {
        let path = scene.join(&format!("key/{name}"));
        let kept = scene.join(&format!("key/{name}.kept"));
        fs::rename(&path, &kept).unwrap();
        if name != "lock" {
            fs::copy(scene.join(&format!("other/{name}")), &path).unwrap();
            refused(&format!("{name} of another key"), &[4, 7]);
            fs::remove_file(&path).unwrap();
        }
        symlink(format!("{name}.kept"), &path).unwrap();
        refused(&format!("{name} as a link"), &[1, 4, 7]);
        fs::remove_file(&path).unwrap();
        scene.fifo(&format!("key/{name}"));
        refused(&format!("{name} as a pipe"), &[1, 4, 7]);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        refused(&format!("{name} as a directory"), &[1, 4, 7]);
        fs::remove_dir(&path).unwrap();
        fs::rename(&kept, &path).unwrap();
    }
    for (name, open, mode) in [("key/key", 0o444, 0o400), ("key", 0o755, 0o700), ("key", 0o777, 0o700)] {
        let set = |mode| fs::set_permissions(scene.join(name), fs::Permissions::from_mode(mode)).unwrap();
        set(open);
        refused(&format!("{name} open to others"), &[7]);
        set(mode);
    }
    let before = next_of(&scene, "key");
    // Any leftovers of a killed run.
    let known: Vec<_> =
        fs::read_dir(scene.join("key")).unwrap().flatten().map(|entry| entry.file_name()).collect();
    for name in ["state.new", "state.tmp", ".state.tmp", "state~"] {
        scene.file(format!("key/{name}").as_bytes(), b"stale");
    }
    done(&scene, "sign -q -k key b");
    assert_eq!(next_of(&scene, "key"), before + 1, "{known:?}");
    let output = run(&scene, "verify -q -k key a b");
    assert!(output.status.success());
}
