//! The progress of a job: for programs, and for people at a terminal.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::scene::{Scene, read_more, terminal};
use crate::side_by_side::{OURS, hashlanes_once};

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Progress for programs: lines of JSON on standard error, the last of which counts everything.
#[test]
fn progress_as_json() {
    let scene = Scene::new();
    for k in 0..200 {
        scene.file(format!("d/{k}").as_bytes(), &vec![7; 1000 * k]);
    }
    // Once: no two runs take as long.
    let sum = |args: &str| hashlanes_once(&scene.path, ["sum"].into_iter().chain(args.split_whitespace()));
    let plain = String::from_utf8(sum("-r d").stdout).unwrap();
    let output = sum("-r d --progress json");
    assert_eq!(text(&output.stdout), plain);
    let lines: Vec<serde_json::Value> =
        text(&output.stderr).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, others) = lines.split_last().unwrap();
    let last = &last["progress"];
    assert_eq!(
        (&last["files"], &last["bytes"], &last["done"]),
        (&200.into(), &19_900_000.into(), &true.into())
    );
    assert!(others.iter().all(|line| line["progress"]["done"] == false));
    scene.file(b"list", plain.as_bytes());
    let output = sum("-c list --progress json --quiet");
    assert!(text(&output.stderr).contains("\"files\":200,"), "{}", text(&output.stderr));
    let tree = |args: &str| hashlanes_once(&scene.path, ["tree"].into_iter().chain(args.split_whitespace()));
    scene.file(b"results", &tree("-m git-sha1 d/1 d/2").stdout);
    let output = tree("-m git-sha1 -c results --progress json --quiet");
    assert_eq!(text(&output.stderr).matches("\"files\":2,").count(), 1, "{}", text(&output.stderr));
    // Nothing is drawn without a terminal.
    assert_eq!(text(&sum("-r d --progress auto").stderr), "");
    assert_eq!(sum("-r d --progress bar").status.code(), Some(2));
}

/// On a terminal a bar, which fits in, makes room for messages and is gone at the end; nothing of it among
/// the results.
#[test]
fn progress_on_a_terminal() {
    let scene = Scene::new();
    scene.file(b"a", &[7; 3000]);
    scene.fifo("slow");
    for (width, shown) in [(80, "2.93 KiB, 1 file,"), (40, "2.93 KiB, "), (20, "2.93 KiB")] {
        let (mut reader, stderr) = terminal(24, width);
        let mut child = Command::new(OURS)
            .args(["sum", "a", "slow", "missing"])
            .current_dir(&scene.path)
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .unwrap();
        // The program waits for the pipe, and meanwhile shows its progress.
        let mut screen = String::new();
        let since = Instant::now();
        while !screen.contains(shown) {
            read_more(&mut reader, &mut screen);
            assert!(since.elapsed() < Duration::from_secs(20), "{shown}: {:?}", screen.get(..1000));
        }
        drop(File::options().write(true).open(scene.join("slow")).unwrap());
        while read_more(&mut reader, &mut screen) {}
        assert_eq!(child.wait().unwrap().code(), Some(1));
        let mut results = Vec::new();
        child.stdout.take().unwrap().read_to_end(&mut results).unwrap();
        assert!(
            !results.contains(&0x1b) && text(&results).lines().count() == 2,
            "{}",
            results.escape_ascii()
        );
        // The line is cleared before each drawing and before the message, and never left for the one above:
        // no drawing was longer.
        assert!(!screen.contains("\x1b[1A"), "{width}: {screen:?}");
        assert!(
            screen.contains("\r\x1b[2Khashlanes: missing: No such file or directory\r\n"),
            "{width}: {screen:?}"
        );
        let (_, last) = screen.rsplit_once("\x1b[2K").unwrap();
        assert!(last.is_empty() || last.ends_with("directory\r\n"), "{width}: {screen:?}");
    }
}
