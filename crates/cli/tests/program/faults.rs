//! Faults between listing and reading, while reading, and of io_uring itself.

use std::ffi::OsString;
use std::process::{Command, Output, Stdio};

use crate::scene::Scene;
use crate::side_by_side::{OURS, feed, hashlanes, hashlanes_once, ways};

/// The first argument is a pipe, the second a directory. The program waits for the pipe after the directory
/// is listed. Only the files of the pipe's batch are open then: two, because there are few descriptors. No
/// thread for the pipe can be started.
#[test]
fn files_that_changed_after_they_were_listed() {
    for way in ways() {
        let scene = Scene::new();
        for name in [
            &b"t/a"[..],
            b"t/b",
            b"t/directory",
            b"t/gone",
            b"t/grown",
            b"t/link",
            b"t/pipe",
            b"t/same",
            b"t/shorter",
        ] {
            scene.file(name, b"content");
        }
        scene.fifo("first");
        let program = Command::new("bash")
            .args(["-c", "ulimit -n 20; exec \"$0\" \"$@\"", OURS, "sum", way, "-j1", "-r", "first", "t"])
            .current_dir(&scene.path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let writer = std::fs::OpenOptions::new().write(true).open(scene.join("first")).unwrap();
        for name in ["t/directory", "t/gone", "t/link", "t/pipe"] {
            std::fs::remove_file(scene.join(name)).unwrap();
        }
        std::fs::create_dir(scene.join("t/directory")).unwrap();
        scene.link("t/link", "same");
        scene.fifo("t/pipe");
        scene.file(b"t/grown", &[b'g'; 200_000]);
        scene.file(b"t/shorter", b"");
        drop(writer);
        let output = program.wait_with_output().unwrap();
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "hashlanes: t/directory: Is a directory\n\
             hashlanes: t/gone: No such file or directory\n\
             hashlanes: t/link: Too many levels of symbolic links\n\
             hashlanes: t/pipe: No such file or directory\n",
            "{way}"
        );
        assert_eq!(output.status.code(), Some(1));
        let now =
            hashlanes(&scene.path, ["sum", "/dev/null", "t/a", "t/b", "t/grown", "t/same", "t/shorter"])
                .stdout;
        assert_eq!(&output.stdout[66 + 5..], &now[66 + 9..], "{way}");
    }
}

/// Runs `hashlanes sum` with a fault that `strace` injects, if it is installed. Only the calls of the file
/// `on` are changed, or those of all files.
fn with_fault(scene: &Scene, fault: &str, on: Option<&str>, args: &[&str]) -> Option<Output> {
    let is_here =
        Command::new("strace").args(["-o/dev/null", "true"]).output().is_ok_and(|o| o.status.success());
    if !is_here {
        eprintln!("SKIPPED, not tested: strace is not here, or may not trace: {fault}");
        return None;
    }
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null"]);
    if let Some(on) = on {
        command.arg("-P").arg(scene.join(on));
    }
    command.args(["-e", &format!("inject={fault}"), OURS, "sum"]).args(args).current_dir(&scene.path);
    Some(feed(&mut command, b""))
}

/// A disk that fails in the middle of a file: an error with its reason; the other files are hashed.
#[test]
fn a_read_that_fails() {
    let scene = Scene::new();
    scene.file(b"a", b"a");
    scene.file(b"bad", &[0; 300_000]);
    scene.file(b"c", &[0; 300_000]);
    let right = hashlanes(&scene.path, ["sum", "a", "c"]).stdout;
    // The first read of the file, and one in its middle.
    for when in ["1", "3"] {
        let fault = format!("read:error=EIO:when={when}");
        let Some(output) = with_fault(&scene, &fault, Some("bad"), &["--io=read", "a", "bad", "c"]) else {
            return;
        };
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "hashlanes: bad: Input/output error\n",
            "{when}"
        );
        assert_eq!((output.stdout, output.status.code()), (right.clone(), Some(1)), "{when}");
    }
}

/// If io_uring is refused it is not used, unless it is required: then that is an error.
#[test]
fn a_refused_ring() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let right = hashlanes(&scene.path, ["sum", "x"]).stdout;
    for (fault, reason) in [
        ("io_uring_setup:error=ENOSYS", "Function not implemented"),
        ("io_uring_setup:error=EPERM", "Operation not permitted"),
        ("io_uring_setup:error=ENOMEM", "Cannot allocate memory"),
        ("io_uring_enter:error=EPERM", "Operation not permitted"),
    ] {
        let Some(output) = with_fault(&scene, fault, None, &["--io=uring", "x"]) else { return };
        let expected = format!("hashlanes: --io=uring: refused here: {reason}\n");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), expected, "{fault}");
        assert_eq!((output.stdout, output.status.code()), (Vec::new(), Some(2)), "{fault}");
        for way in ["--io=auto", "--io=read"] {
            let output = with_fault(&scene, fault, None, &[way, "x"]).unwrap();
            assert_eq!((&output.stdout, output.status.code()), (&right, Some(0)), "{fault}");
        }
    }
}

/// A ring that fails at any call is abandoned, and plain reads continue at its position: no byte is lost or
/// read twice.
#[test]
fn a_ring_that_fails_on_the_way() {
    if ways().len() == 1 {
        return;
    }
    let scene = Scene::new();
    let mut names: Vec<OsString> = vec!["sum".into(), "--io=read".into()];
    for k in 0..100usize {
        let name = format!("f{k}");
        let len = if k % 10 == 0 { 150_000 + k } else { 100 * k };
        scene.file(name.as_bytes(), &(0..len).map(|i| (i * (k + 1) / 7) as u8).collect::<Vec<_>>());
        names.push(name.into());
    }
    let right = hashlanes_once(&scene.path, &names);
    let names: Vec<&str> = names[2..].iter().map(|name| name.to_str().unwrap()).collect();
    // The first two calls try rings out; a call without effect (`retval`) gives the kernel nothing.
    for when in 3..12 {
        for what in ["error=ENOMEM", "error=EINTR", "error=EAGAIN"] {
            let fault = format!("io_uring_enter:{what}:when={when}");
            let args = [&["--io=uring", "-j1"], &names[..]].concat();
            let Some(output) = with_fault(&scene, &fault, None, &args) else { return };
            assert_eq!(output.stdout, right.stdout, "{fault}");
            assert_eq!((output.stderr.len(), output.status.code()), (0, Some(0)), "{fault}");
        }
    }
}
