//! Files that cannot be read, are missing, or are not files: a message, the others are hashed, status 1.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::scene::Scene;
use crate::side_by_side::{OURS, Run, feed, gnu_is_here, hashlanes, hashlanes_once, ways};

/// Errors that any user can cause: reading fails at once (/proc/self/mem), opening fails (a socket, a loop),
/// and the kernel's own files, which return small pieces.
#[test]
fn named_files_that_are_no_plain_files() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let _socket = std::os::unix::net::UnixListener::bind(scene.join("socket")).unwrap();
    let args = [
        "x",
        "/proc/self/mem",
        "socket",
        "/dev/null",
        ".",
        "/proc/version",
        "/proc/cpuinfo",
        "/proc/kallsyms",
        "/sys/kernel/mm/transparent_hugepage/enabled",
        "x/",
        "x",
    ];
    Run::new(&scene.path, "sha256sum", args).compare_sum();
}

/// A named pipe that is named is read to its end.
#[test]
fn a_named_pipe_is_read_to_its_end() {
    let scene = Scene::new();
    let content: Vec<u8> = (0..200_000u32).flat_map(u32::to_le_bytes).collect();
    // Two written one after another, each longer than a pipe holds: who opened both before reading would
    // wait forever.
    let pair = [(scene.fifo("first"), 100_000), (scene.fifo("second"), 100_000)];
    let alone = [(scene.fifo("alone"), content.len())];
    for way in ways() {
        for pipes in [&pair[..], &alone] {
            scene.file(b"plain", &content[..pipes[0].1]);
            let mut args: Vec<OsString> = vec!["sum".into(), way.into()];
            args.extend(pipes.iter().map(|(pipe, _)| pipe.file_name().unwrap().to_owned()));
            args.push("plain".into());
            let output = std::thread::scope(|scope| {
                scope.spawn(|| {
                    pipes.iter().for_each(|(pipe, n)| std::fs::write(pipe, &content[..*n]).unwrap())
                });
                hashlanes_once(&scene.path, &args)
            });
            let digests = output.stdout.split(|b| *b == b'\n').filter_map(|line| line.get(..64));
            assert_eq!(digests.clone().count(), pipes.len() + 1);
            assert!(digests.clone().all(|digest| Some(digest) == digests.clone().next()), "{way}");
        }
    }
}

/// Found in a directory, it is not waited for but reported, as sockets and devices are.
#[test]
fn special_files_found_are_reported() {
    let scene = Scene::new();
    scene.file(b"t/a", b"x");
    scene.file(b"t/z", b"x");
    scene.fifo("t/pipe");
    let _socket = std::os::unix::net::UnixListener::bind(scene.join("t/socket")).unwrap();
    let output = hashlanes(&scene.path, ["sum", "-r", "t"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "hashlanes: t/pipe: not hashed: it is a named pipe\nhashlanes: t/socket: not hashed: it is a socket\n"
    );
    assert_eq!(output.stdout.iter().filter(|b| **b == b'\n').count(), 2);
}

/// Files and directories without permission, as a user that is not root.
#[test]
fn permissions() {
    let scene = Scene::new();
    for name in [&b"t/a"[..], b"t/closed", b"t/locked/x", b"t/z", b"t/through/x", b"list"] {
        scene.file(name, b"x");
    }
    let mode = |name: &str, mode| {
        std::fs::set_permissions(scene.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    // The program, where the other user reaches it.
    std::fs::create_dir(scene.join("bin")).unwrap();
    std::fs::copy(OURS, scene.join("bin/sha256sum")).unwrap();
    std::fs::copy(OURS, scene.join("bin/hashlanes")).unwrap();
    for (name, bits) in [("", 0o755), ("t", 0o755), ("bin", 0o755)] {
        mode(name, bits);
    }
    mode("t/closed", 0);
    mode("t/locked", 0);
    mode("t/through", 0o444);
    let as_nobody = |program: &str, args: &[&str]| {
        let root = rustix::process::geteuid().is_root();
        let mut words: Vec<OsString> = Vec::new();
        if root {
            let setpriv = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
            words.extend(setpriv.map(OsString::from));
        }
        words.push(program.into());
        words.extend(args.iter().map(OsString::from));
        let path = format!("{}:/usr/bin:/bin", scene.join("bin").display());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).current_dir(&scene.path).env("PATH", path);
        feed(&mut command, b"")
    };

    let named = ["t/a", "t/closed", "t/locked/x", "t/through/x", "t/z"];
    let ours = as_nobody("sha256sum", &named);
    assert_eq!(ours.status.code(), Some(1));
    assert!(ours.stderr.starts_with(b"sha256sum: t/closed: Permission denied\n"), "{ours:?}");
    if gnu_is_here() {
        let gnu = as_nobody("/usr/bin/sha256sum", &named);
        let their_words =
            String::from_utf8(gnu.stderr).unwrap().replace("/usr/bin/sha256sum: ", "sha256sum: ");
        assert_eq!((gnu.stdout, their_words), (ours.stdout, String::from_utf8(ours.stderr).unwrap()));
    }

    for way in ways() {
        let walked = as_nobody("hashlanes", &["sum", way, "-r", "t"]);
        assert_eq!(walked.status.code(), Some(1));
        assert_eq!(
            String::from_utf8(walked.stderr).unwrap(),
            "hashlanes: t/closed: Permission denied\n\
             hashlanes: t/locked: cannot open directory: Permission denied\n\
             hashlanes: t/through/x: Permission denied\n"
        );
        assert_eq!(walked.stdout.iter().filter(|b| **b == b'\n').count(), 2);
    }
    mode("t/locked", 0o755);
    mode("t/through", 0o755);
}
