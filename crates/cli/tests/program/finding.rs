//! Files found in directories, and their treatment: links, other file systems, special files, our own output.

use std::os::unix::fs::symlink;
use std::process::{Command, Output};

use crate::scene::{ODD_NAMES, Random, Scene};
use crate::side_by_side::{OURS, hashlanes, hashlanes_once};

/// `hashlanes sum` with these arguments, one word each.
pub(crate) fn sum(scene: &Scene, args: &str) -> Output {
    hashlanes(&scene.path, ["sum"].into_iter().chain(args.split_whitespace()))
}

/// The names that are listed, in their order.
pub(crate) fn names(output: &Output) -> Vec<String> {
    let lines = output.stdout.split(|b| *b == b'\n');
    lines.filter_map(|l| l.get(66..)).map(|n| n.escape_ascii().to_string()).collect()
}

pub(crate) fn messages(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Random trees, with links and pipes, and options: the files are those that `find` finds.
#[test]
fn the_files_are_those_of_find() {
    const NAMES: [&str; 10] = ["a", "b", "ab.o", "x.o", "y.c", ".h", "z z", "[a]", "d.c", "-l"];
    // Options of both programs; what stands before `-type f` leaves out directories, too.
    const OPTIONS: [(&[&str], &[&str], &[&str]); 9] = [
        (&[], &[], &["-type", "f"]),
        (&["--follow"], &[], &["-type", "f"]),
        (&["--min-size", "3"], &[], &["-type", "f", "-size", "+2c"]),
        (&["--max-size", "3"], &[], &["-type", "f", "-size", "-4c"]),
        (&["--exclude", "*.o"], &["-name", "*.o", "-prune", "-o"], &["-type", "f"]),
        (&["--exclude", "[a-x]"], &["-name", "[a-x]", "-prune", "-o"], &["-type", "f"]),
        (&["--exclude", "d.?/"], &["-type", "d", "-name", "d.?", "-prune", "-o"], &["-type", "f"]),
        (&["--include", "*.c"], &[], &["-type", "f", "(", "-name", "*.c", "-o", "-path", "*.c/*", ")"]),
        (&["--follow", "--exclude", ".*"], &["-name", ".*", "-prune", "-o"], &["-type", "f"]),
    ];
    if !Command::new("find").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED, not compared: there is no find of GNU");
        return;
    }
    let sorted = |listed: Vec<Vec<u8>>| {
        let mut names: Vec<String> = listed.iter().map(|name| name.escape_ascii().to_string()).collect();
        names.sort_unstable();
        names
    };
    let mut random = Random(13);
    let mut n_files = 0;
    for round in 0..30 {
        let scene = Scene::new();
        std::fs::create_dir(scene.join("t")).unwrap();
        for _ in 0..random.below(40) {
            let parts: Vec<&str> = (0..1 + random.below(4)).map(|_| random.pick(&NAMES)).collect();
            let (name, kind) = (format!("t/{}", parts.join("/")), random.below(8));
            let path = scene.join(&name);
            // A file where this wants a directory, or the other way round: the tree is random enough.
            if std::fs::create_dir_all(path.parent().unwrap()).is_err() || path.symlink_metadata().is_ok() {
                continue;
            }
            match kind {
                0 => drop(scene.fifo(&name)),
                1 => scene.link(&name, random.pick(&["a", "../b", ".", "..", "nowhere", "d.c/a", "x.o"])),
                2 => std::fs::create_dir(path).unwrap(),
                _ => std::fs::write(path, random.bytes(kind)).unwrap(),
            }
        }
        for (ours, pruned, kept) in OPTIONS {
            let output = hashlanes(&scene.path, ["sum", "-rz"].iter().chain(ours).chain(&["t"]));
            let lines = output.stdout.split(|byte| *byte == 0);
            let found = sorted(lines.filter_map(|line| Some(line.get(66..)?.to_vec())).collect());
            let mut find = Command::new("find");
            if ours.contains(&"--follow") {
                find.arg("-L");
            }
            // The argument itself is never left out.
            find.args(["t", "-mindepth", "1"]).args(pruned).args(kept).arg("-print0");
            let listed = find.current_dir(&scene.path).output().unwrap().stdout;
            let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
            let expected = sorted(names.map(<[u8]>::to_vec).collect());
            n_files += expected.len();
            assert_eq!(found, expected, "round {round}, {ours:?}");
        }
    }
    assert!(n_files > 1000, "{n_files} files");
}

/// Links to files and directories are followed; broken links and links to a parent are reported.
#[test]
fn links_are_followed_on_request() {
    let scene = Scene::new();
    for name in [&b"t/a/x"[..], b"t/b", b"other/dir/y", b"other/file"] {
        scene.file(name, name);
    }
    for (link, target) in [
        ("t/a/up", ".."),
        ("t/a/here", "."),
        ("t/chain", "linked-file"),
        ("t/dangling", "nowhere"),
        ("t/itself", "itself"),
        ("t/linked-dir", "../other/dir"),
        ("t/linked-file", "../other/file"),
        ("other/dir/back", "../../t/a"),
    ] {
        scene.link(link, target);
    }
    let plain = sum(&scene, "-r t");
    assert_eq!((names(&plain), messages(&plain)), (vec!["t/a/x".into(), "t/b".into()], String::new()));
    for jobs in ["1", "4"] {
        let followed = sum(&scene, &format!("-r --follow -j {jobs} t"));
        assert_eq!(
            names(&followed),
            ["t/a/x", "t/b", "t/chain", "t/linked-dir/back/x", "t/linked-dir/y", "t/linked-file"]
        );
        let up = "not hashed: a link to a directory above it";
        assert_eq!(
            messages(&followed),
            format!(
                "hashlanes: t/a/here: {up}\nhashlanes: t/a/up: {up}\n\
                 hashlanes: t/dangling: No such file or directory\n\
                 hashlanes: t/itself: Too many levels of symbolic links\n\
                 hashlanes: t/linked-dir/back/here: {up}\nhashlanes: t/linked-dir/back/up: {up}\n"
            )
        );
        assert_eq!(followed.status.code(), Some(1));
    }
}

/// A link out of the walk and round to the argument's own parent: the argument is met again, as a directory.
#[test]
fn a_link_round_the_argument_ends() {
    let scene = Scene::new();
    scene.file(b"p/q/x", b"x");
    scene.link("p/q/out", "..");
    let output = sum(&scene, "-rL p/q");
    assert_eq!(names(&output), ["p/q/x"]);
    assert_eq!(messages(&output), "hashlanes: p/q/out/q: not hashed: a link in it led back to it\n");
    assert_eq!(output.status.code(), Some(1));
}

/// Two hundred directories deep, each with a link to the one above, with few descriptors: all end.
#[test]
fn loops_in_a_deep_tree() {
    let scene = Scene::new();
    let mut path = scene.join("t");
    for _ in 0..200 {
        path.push("d");
        std::fs::create_dir_all(&path).unwrap();
        symlink("..", path.join("up")).unwrap();
    }
    std::fs::write(path.join("x"), b"x").unwrap();
    let script = format!("ulimit -n 40; exec {OURS} sum -rL t/d");
    let output = Command::new("sh").args(["-c", &script]).current_dir(&scene.path).output().unwrap();
    assert_eq!(names(&output), [format!("t/{}x", "d/".repeat(200))]);
    // The topmost link leads to `t`, above the argument, where `d` is met again.
    let said = messages(&output);
    let ending = |words: &str| said.lines().filter(|line| line.ends_with(words)).count();
    assert_eq!(ending("/up: not hashed: a link to a directory above it"), 199, "{said}");
    assert_eq!(ending(" t/d/up/d: not hashed: a link in it led back to it"), 1, "{said}");
}

/// Paths longer than the system accepts in a call, also with few descriptors: found, hashed, checked,
/// audited.
#[test]
fn paths_of_any_length() {
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
    let scene = Scene::new();
    let directory = OFlags::DIRECTORY | OFlags::RDONLY;
    let mut at = openat(CWD, &scene.path, directory, Mode::empty()).unwrap();
    let (mut path, mut expected) = (String::new(), Vec::new());
    for level in 0..60 {
        // Lengths such that pieces of the path end at names' ends and within names.
        let name = "d".repeat(if level == 0 { 1 } else { 100 + 2 * level });
        mkdirat(&at, &*name, Mode::RWXU).unwrap();
        at = openat(&at, &*name, directory, Mode::empty()).unwrap();
        path += &format!("{name}/");
        let file = openat(&at, "x", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR).unwrap();
        rustix::io::write(&file, level.to_string().as_bytes()).unwrap();
        let digest = hashlanes::sha256(level.to_string().as_bytes()).map(|byte| format!("{byte:02x}"));
        expected.push(format!("{}  {path}x\n", digest.concat()));
    }
    assert!(path.len() > 9000);
    // Depth first, and `d…` comes before `x`.
    let expected: String = expected.into_iter().rev().collect();
    for descriptors in [40, 1000] {
        let run = |command: &str| {
            let script = format!("ulimit -n {descriptors}; exec {OURS} {command}");
            Command::new("sh").args(["-c", &script]).current_dir(&scene.path).output().unwrap()
        };
        let output = run("sum -r d");
        assert_eq!((messages(&output), output.status.code()), (String::new(), Some(0)));
        assert!(output.stdout == expected.as_bytes(), "{descriptors} descriptors");
        scene.file(b"list", &output.stdout);
        for check in ["sum -c --quiet list", "sum -r --min-size 2 d", "audit --quiet list"] {
            let output = run(check);
            assert_eq!((messages(&output), output.status.code()), (String::new(), Some(0)), "{check}");
        }
    }
}

/// Awkward names, through links.
#[test]
fn odd_names_after_links() {
    let scene = Scene::new();
    std::fs::create_dir_all(scene.join("t")).unwrap();
    for name in ODD_NAMES {
        scene.file(&[b"real/", name].concat(), name);
        symlink(
            scene.join("real").join(crate::scene::os(name)),
            scene.join("t").join(crate::scene::os(name)),
        )
        .unwrap();
    }
    scene.link("linked", "real");
    let (real, followed) = (sum(&scene, "-rz real"), sum(&scene, "-rLz t"));
    let renamed = |output: &Output| output.stdout.escape_ascii().to_string().replace("  real/", "  t/");
    assert_eq!(renamed(&followed), renamed(&real));
    assert!(followed.status.success() && followed.stderr.is_empty());
}

/// Directories of another file system, mounted or reached through a link, are not entered; its files are
/// hashed. Compared with a tree on /dev/shm, where that is a file system of its own.
#[test]
fn one_file_system() {
    use std::os::unix::fs::MetadataExt;
    let scene = Scene::new();
    scene.file(b"t/d/x", b"x");
    let device = |path: &str| std::fs::metadata(path).map(|m| m.dev()).ok();
    let ours = device(scene.path.to_str().unwrap());
    if device("/dev/shm").is_none_or(|shm| Some(shm) == ours || Some(shm) == device("/dev")) {
        eprintln!("SKIPPED: /dev/shm is no file system of its own");
        return;
    }
    let name = format!("hashlanes-test-{}", std::process::id());
    let beyond = std::path::Path::new("/dev/shm").join(&name);
    std::fs::create_dir(&beyond).unwrap();
    std::fs::write(beyond.join("y"), b"y").unwrap();
    symlink(&beyond, scene.join("t/beyond")).unwrap();
    symlink(beyond.join("y"), scene.join("t/file")).unwrap();
    let through = sum(&scene, "-rL t");
    let within = sum(&scene, "-rLx t");
    // Found as mounted, not through a link: in /dev, by its name.
    let include = format!("{name}/");
    let mounted = sum(&scene, &format!("-r /dev --include {include}"));
    let not_mounted = sum(&scene, &format!("-r --one-file-system /dev --include {include}"));
    let argument = sum(&scene, &format!("-rx {}", beyond.display()));
    std::fs::remove_dir_all(&beyond).unwrap();
    assert_eq!(names(&through), ["t/beyond/y", "t/d/x", "t/file"]);
    assert_eq!(names(&within), ["t/d/x", "t/file"]);
    assert!(within.status.success() && within.stderr.is_empty());
    assert_eq!(names(&mounted), [format!("/dev/shm/{name}/y")]);
    assert_eq!(names(&not_mounted), [""; 0]);
    assert_eq!(names(&argument), [format!("{}/y", beyond.display())]);
}

/// With --special, named pipes and devices are read to their end, also through a link; a socket cannot be.
#[test]
fn special_files_on_request() {
    let scene = Scene::new();
    scene.file(b"t/a", b"x");
    scene.file(b"t/deep/z", b"x");
    let fifo = scene.fifo("t/deep/pipe");
    scene.link("t/null", "/dev/null");
    let _socket = std::os::unix::net::UnixListener::bind(scene.join("t/socket")).unwrap();
    let writer = std::thread::spawn(move || std::fs::write(fifo, b"x").unwrap());
    // Once: the pipe is written once.
    let output = hashlanes_once(&scene.path, ["sum", "-rL", "--special", "t"]);
    writer.join().unwrap();
    assert_eq!(names(&output), ["t/a", "t/deep/pipe", "t/deep/z", "t/null"]);
    let digests: Vec<&[u8]> = output.stdout.split(|b| *b == b'\n').filter_map(|l| l.get(..64)).collect();
    assert!(digests[0] == digests[1] && digests[1] == digests[2] && digests[3].starts_with(b"e3b0c442"));
    assert_eq!(messages(&output), "hashlanes: t/socket: not hashed: it is a socket\n");
    assert_eq!(output.status.code(), Some(1));
    let result_of = sum(&scene, "-rL t");
    assert!(
        messages(&result_of).contains("t/null: not hashed: it is a device\n"),
        "{}",
        messages(&result_of)
    );
}

/// A list that grows in the tree that it is of does not list itself, under any name; nothing fails.
#[test]
fn the_output_is_not_hashed() {
    let scene = Scene::new();
    for name in [&b"t/a"[..], b"t/d/b", b"t/list", b"t/z"] {
        scene.file(name, b"x");
    }
    std::fs::hard_link(scene.join("t/list"), scene.join("t/d/hard")).unwrap();
    scene.link("t/soft", "list");
    let run = |args: &[&str], append: bool, at: &str| {
        let out =
            std::fs::OpenOptions::new().write(true).append(append).truncate(!append).open(scene.join(at));
        let mut command = Command::new(OURS);
        let output = command.args(args).current_dir(scene.join("t")).stdout(out.unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        (messages(&output), std::fs::read_to_string(scene.join(at)).unwrap())
    };
    let listed =
        |list: &str| -> Vec<String> { list.lines().filter_map(|l| l.get(66..)).map(String::from).collect() };
    let it_is = "not hashed: it is the output";
    for _ in 0..2 {
        let (said, list) = run(&["sum", "-r", "."], false, "t/list");
        assert_eq!(said, format!("hashlanes: ./d/hard: {it_is}\nhashlanes: ./list: {it_is}\n"));
        assert_eq!(listed(&list), ["./a", "./d/b", "./z"]);
    }
    let (said, list) = run(&["sum", "-rL", "."], true, "t/list");
    assert_eq!(said.lines().count(), 3);
    assert!(said.ends_with(&format!("./soft: {it_is}\n")) && list.lines().count() == 6);
    // As an argument, it is hashed like any file, as by GNU's tool.
    let (said, list) = run(&["sum", "a", "list"], false, "t/list");
    assert_eq!((said.as_str(), listed(&list)), ("", vec!["a".into(), "list".into()]));
    // Outside of the tree, or excluded, there is no message.
    scene.file(b"outside", b"");
    assert_eq!(run(&["sum", "-r", "."], false, "outside").0, "");
    assert_eq!(run(&["sum", "-r", ".", "--exclude=list", "--exclude=hard"], false, "t/list").0, "");
}

/// The options have no effect without -r, and a message reports it.
#[test]
fn options_of_directories_need_r() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    for option in ["-L", "-x", "--special", "--gitignore", "--exclude=y", "--include=x"] {
        let output = sum(&scene, &format!("{option} x"));
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(output.stdout.is_empty() && messages(&output).contains("--recursive"), "{option}");
    }
    for glob in ["[a", "{a", "[z-a]"] {
        let output = sum(&scene, &format!("-r . --exclude {glob}"));
        assert!(output.status.code() == Some(2) && messages(&output).contains("--exclude"), "{glob}");
    }
}

/// Limits of size count for files found in directories, also through links, not for named files.
#[test]
fn size_limits() {
    let scene = Scene::new();
    for (name, n_bytes) in
        [("t/empty", 0), ("t/one", 1), ("t/d/kilo", 1024), ("t/d/more", 1025), ("t/mega", 1 << 20)]
    {
        scene.file(name.as_bytes(), &vec![7; n_bytes]);
    }
    scene.link("t/link", "mega");
    for (limits, expected) in [
        ("--min-size 1", &["t/d/kilo", "t/d/more", "t/mega", "t/one"][..]),
        ("--max-size 1K", &["t/d/kilo", "t/empty", "t/one"]),
        ("--min-size 1024 --max-size 1KiB", &["t/d/kilo"]),
        ("--min-size 1kB --max-size 1M", &["t/d/kilo", "t/d/more", "t/mega"]),
        ("--min-size 1025 -L", &["t/d/more", "t/link", "t/mega"]),
        ("--max-size 0", &["t/empty"]),
        ("--min-size 1G", &[]),
    ] {
        let output = sum(&scene, &format!("-r t {limits}"));
        assert_eq!(
            (names(&output), messages(&output)),
            (expected.iter().map(|name| (*name).into()).collect(), String::new()),
            "{limits}"
        );
    }
    assert_eq!(names(&sum(&scene, "-r t/mega --max-size 1")), ["t/mega"]);
    let wrong = sum(&scene, "-r t --min-size 2K --max-size 1K");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(messages(&wrong).starts_with("hashlanes: --min-size 2048 is greater than --max-size 1024\n"));
    for size in ["1.5M", "K", "4X", "-1"] {
        let wrong = sum(&scene, &format!("-r t --min-size={size}"));
        assert_eq!(wrong.status.code(), Some(2), "{size}");
        assert!(messages(&wrong).contains("expected a number of bytes"), "{size}");
    }
}
