//! Directory trees: which files, in which order, with how many threads, in how much memory.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::scene::{ODD_NAMES, Random, Scene, os, path_bytes};
use crate::side_by_side::{OURS, feed, gnu_is_here, hashlanes, hashlanes_once, peak_kib, ways};

/// A tree of files of many sizes (around the first read of 64 KiB, too), some directories deep, some
/// names such that the order of names and the order of paths differ.
fn tree() -> Scene {
    let scene = Scene::new();
    let mut random = Random(5);
    let sizes = [0, 1, 55, 64, 4095, 4096, 4097, 65_535, 65_536, 65_537, 131_072, 300_000, 1_500_000];
    for (k, name) in ODD_NAMES.iter().enumerate() {
        let content = random.bytes(sizes[k % sizes.len()]);
        scene.file(&[b"odd/", *name].concat(), &content);
        scene.file(&[b"odd/dir", *name, b"/deeper/x"].concat(), &content[..content.len().min(5000)]);
    }
    for k in 0..400 {
        let size = if k % 50 == 0 { 200_000 } else { random.below(9000) };
        let content = random.bytes(size);
        scene.file(format!("many/{:03}/{}", random.below(30), random.below(1 << 30)).as_bytes(), &content);
    }
    for name in ["order/foo/x", "order/foo-bar/x", "order/foo.txt", "order/foo0", "order/Foo", "order/fo"] {
        scene.file(name.as_bytes(), name.as_bytes());
    }
    let deep = "d/".repeat(60) + "bottom";
    scene.file(deep.as_bytes(), b"deep");
    scene.link("order/link-to-file", "fo");
    scene.link("order/link-to-dir", "foo");
    scene.link("order/dangling", "nowhere");
    scene
}

/// GNU's output for the files that `find` finds, in our order: with the slash as the least of all bytes,
/// sorted paths are in depth-first order of names.
fn gnu_manifest(scene: &Scene, starts: &str) -> Vec<u8> {
    let script = format!(
        "for start in {starts}; do find $start -type f -print0 | tr / '\\1' | LC_ALL=C sort -z | tr '\\1' / \
         | xargs -0 sha256sum; done"
    );
    feed(Command::new("sh").args(["-c", &script]).current_dir(&scene.path), b"").stdout
}

#[test]
fn a_tree_is_hashed_as_find_and_gnu_hash_it() {
    if !gnu_is_here() {
        return;
    }
    let scene = tree();
    let expected = gnu_manifest(&scene, ".");
    assert!(expected.len() > 30_000);
    for jobs in ["1", "2", "3", "16"] {
        let ours = hashlanes(&scene.path, ["sum", "-r", "-j", jobs, "."]);
        assert!(
            ours.status.success() && ours.stderr.is_empty(),
            "{:?}",
            ours.stderr.escape_ascii().to_string()
        );
        assert!(ours.stdout == expected, "{jobs} jobs differ from GNU");
    }
    let mut unordered = hashlanes(&scene.path, ["sum", "-r", "--unordered", "."]).stdout;
    assert_eq!(sorted_lines(&mut unordered), sorted_lines(&mut expected.clone()));

    // Several arguments: their order is kept; a slash at the end is not doubled; links as arguments are
    // followed.
    let starts = "order many/ odd order/foo ./d";
    let args = ["sum", "--recursive"].into_iter().chain(starts.split(' '));
    let ours = hashlanes(&scene.path, args).stdout;
    let comments = ours.strip_prefix(&gnu_manifest(&scene, starts)[..]).expect("the lines are GNU's");
    assert!(comments.is_empty() || comments.starts_with(b"# hashlanes root: "));
    let linked = hashlanes(&scene.path, ["sum", "-r", "order/link-to-dir", "order/link-to-file"]).stdout;
    let lines = linked.split(|b| *b == b'\n').filter(|line| !line.starts_with(b"#"));
    let names: Vec<&[u8]> = lines.map(|l| l.get(66..).unwrap_or(b"")).collect();
    assert_eq!(names, [&b"order/link-to-dir/x"[..], b"order/link-to-file", b""]);
}

/// GNU accepts our list of a tree, and we GNU's.
#[test]
fn the_list_of_a_tree_verifies_both_ways() {
    if !gnu_is_here() {
        return;
    }
    let scene = tree();
    let ours = hashlanes(&scene.path, ["sum", "-r", "."]).stdout;
    let check = ["-c", "--strict", "--quiet"];
    let by_gnu = feed(Command::new("sha256sum").args(check).current_dir(&scene.path), &ours);
    assert!(by_gnu.status.success() && by_gnu.stdout.is_empty() && by_gnu.stderr.is_empty(), "{by_gnu:?}");
    let theirs = gnu_manifest(&scene, ".");
    for way in ways() {
        let by_us = feed(Command::new(OURS).args(["sum", way]).args(check).current_dir(&scene.path), &theirs);
        assert!(by_us.status.success() && by_us.stdout.is_empty() && by_us.stderr.is_empty(), "{by_us:?}");
    }
}

/// The order is that of names within a directory, so `foo/…` is where `foo` is: before `foo-bar`.
#[test]
fn directories_stand_where_their_names_stand() {
    let scene = tree();
    let ours = hashlanes(&scene.path, ["sum", "-r", "order"]).stdout;
    let names: Vec<String> = ours
        .split(|b| *b == b'\n')
        .filter_map(|l| l.get(66..))
        .map(|n| n.escape_ascii().to_string())
        .collect();
    let expected = ["order/Foo", "order/fo", "order/foo/x", "order/foo-bar/x", "order/foo.txt", "order/foo0"];
    assert_eq!(names, expected);
}

#[test]
fn without_r_a_directory_is_refused_as_gnu_refuses_it() {
    let scene = tree();
    let refused = hashlanes(&scene.path, ["sum", "order", "order/fo"]);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(refused.stderr, b"hashlanes: order: Is a directory\n");
    assert!(refused.stdout.ends_with(b"  order/fo\n"));
}

/// With hardly any descriptors directories are not kept open and few files are open at once.
#[test]
fn few_descriptors_suffice() {
    let scene = tree();
    let expected = hashlanes(&scene.path, ["sum", "-r", "."]).stdout;
    for way in ways() {
        for files in ["14", "20", "40"] {
            let script = format!("ulimit -n {files}; exec {OURS} sum {way} -j 8 -r .");
            let ours = feed(Command::new("sh").args(["-c", &script]).current_dir(&scene.path), b"");
            assert!(ours.status.success(), "{way}, {files}: {}", ours.stderr.escape_ascii());
            assert!(ours.stdout == expected, "{way}, {files} descriptors");
        }
    }
}

/// A path longer than the kernel's limit works: each directory is opened relative to its parent.
#[test]
fn paths_may_be_longer_than_the_kernel_takes() {
    let scene = Scene::new();
    let name = "n".repeat(200);
    let mut fd = rustix::fs::openat(
        rustix::fs::CWD,
        &scene.path,
        rustix::fs::OFlags::DIRECTORY,
        rustix::fs::Mode::empty(),
    )
    .unwrap();
    for _ in 0..30 {
        rustix::fs::mkdirat(&fd, &name, rustix::fs::Mode::from_raw_mode(0o700)).unwrap();
        fd =
            rustix::fs::openat(&fd, &name, rustix::fs::OFlags::DIRECTORY, rustix::fs::Mode::empty()).unwrap();
    }
    let flags = rustix::fs::OFlags::CREATE | rustix::fs::OFlags::WRONLY;
    let file = rustix::fs::openat(&fd, "bottom", flags, rustix::fs::Mode::from_raw_mode(0o600)).unwrap();
    rustix::io::write(&file, b"abc").unwrap();
    let ours = hashlanes(&scene.path, ["sum", "-r", "."]);
    let expected = format!(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  ./{}bottom\n# hashlanes root: .\n",
        format!("{name}/").repeat(30)
    );
    assert_eq!(String::from_utf8(ours.stdout).unwrap(), expected);
    assert!(ours.status.success());
    // Its line is kept, found again, and goes with the file.
    for args in [
        "sum -r . -o list",
        "sum -r . -o list --resume",
        "sum -r . --cache cache",
        "audit list --exclude cache",
    ] {
        let output = hashlanes(&scene.path, args.split(' '));
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(std::fs::read_to_string(scene.join("list")).unwrap(), expected);
    rustix::fs::unlinkat(&fd, "bottom", rustix::fs::AtFlags::empty()).unwrap();
    scene.file(b"other", b"abc");
    let output = hashlanes_once(&scene.path, ["sum", "--update", "list", "--exclude", "cache"]);
    assert!(output.status.success() && output.stdout.starts_with(b"moved "));
    // The library's way of removing trees needs short paths.
    let removed = Command::new("rm").arg("-r").arg(&scene.path).status().unwrap();
    assert!(removed.success());
}

/// One file keeps 150,000 results (of 200 bytes, 40 MB in all) waiting: they are held within bounds, then
/// come in order.
#[test]
fn memory_is_bounded_while_results_wait() {
    let scene = Scene::new();
    let fifo = scene.fifo("slow");
    let name = "x".repeat(200);
    scene.file(name.as_bytes(), b"");
    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let mut list = format!("{EMPTY}  slow\n");
    list.push_str(&format!("{EMPTY}  {name}\n").repeat(150_000));
    scene.file(b"list", list.as_bytes());
    let mut child = Command::new(OURS)
        .args(["sum", "-j", "4", "-c", "list"])
        .current_dir(&scene.path)
        .stdout(std::fs::File::create(scene.join("out")).unwrap())
        .spawn()
        .unwrap();
    let writer = std::fs::OpenOptions::new().write(true).open(fifo).unwrap();
    let proc = |file: &str| std::fs::read_to_string(format!("/proc/{}/{file}", child.id())).unwrap();
    // When no more files may wait, the workers wait: their clock ticks (fields 14 and 15, of 1/100 s) do not
    // change.
    let ticks = || -> u64 {
        let stat = proc("stat");
        stat.rsplit(')').next().unwrap().split(' ').skip(12).take(2).map(|t| t.parse::<u64>().unwrap()).sum()
    };
    let stands_still = (0..40).any(|_| {
        let before = ticks();
        std::thread::sleep(std::time::Duration::from_millis(500));
        before > 0 && ticks() <= before + 1
    });
    let peak_kib = peak_kib(&child).unwrap();
    drop(writer);
    assert!(child.wait().unwrap().success());
    assert!(stands_still);
    assert!(peak_kib < 32 << 10, "{peak_kib} KiB");
    let out = std::fs::read(scene.join("out")).unwrap();
    assert!(out == ["slow: OK\n", &format!("{name}: OK\n").repeat(150_000)].concat().as_bytes());
}

/// A million files in a thousand directories, and a million in one: in order, and in no more memory than a
/// few.
#[test]
#[ignore = "long: cargo xtask test --slow"]
fn a_million_files() {
    for n_directories in [1000, 1] {
        let scene = Scene::new();
        let in_each = 1_000_000 / n_directories;
        for directory in 0..n_directories {
            let path = scene.join(&format!("d/{directory:03}"));
            std::fs::create_dir_all(&path).unwrap();
            for file in 0..in_each {
                std::fs::File::create(path.join(format!("{file:06}"))).unwrap();
            }
        }
        let mut child = Command::new(OURS)
            .args(["sum", "-j2", "-r", "d"])
            .current_dir(&scene.path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut peak = 0;
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for directory in 0..n_directories {
            for file in 0..in_each {
                let line = lines.next().unwrap().unwrap();
                assert!(line.ends_with(&format!("b855  d/{directory:03}/{file:06}")), "{line}");
                if file % 500 == 0 {
                    peak = peak_kib(&child).unwrap_or(peak);
                }
            }
        }
        // The names show that `d` was searched, unless all are in one directory of it.
        let root = lines.next().transpose().unwrap();
        assert_eq!(root.as_deref(), (n_directories == 1).then_some("# hashlanes root: d"));
        assert!(lines.next().is_none());
        assert!(child.wait().unwrap().success());
        assert!(0 < peak && peak < 32 << 10, "{peak} KiB");
    }
}

/// A long file among short ones, many long files, standard input between them: all right, all in order.
#[test]
fn long_and_short_files_mix() {
    let scene = Scene::new();
    let mut random = Random(99);
    let mut names = Vec::new();
    for k in 0..120 {
        let size = if k % 3 == 0 { random.below(900_000) } else { random.below(70_000) };
        let name = format!("f{k}");
        scene.file(name.as_bytes(), &random.bytes(size));
        names.push(name);
    }
    names.insert(60, "-".into());
    names.push("-".into());
    let stdin = random.bytes(500_000);
    for tool in ["sha1sum", "sha256sum", "sha512sum"] {
        crate::side_by_side::Run::new(&scene.path, tool, &names).stdin(&stdin).compare_sum();
    }
}

fn sorted_lines(text: &mut [u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split(|b| *b == b'\n').collect();
    lines.sort();
    lines
}

/// An absolute argument, and the root of the names is kept as given.
#[test]
fn names_begin_as_the_argument_does() {
    let scene = tree();
    let start = scene.join("order");
    let ours = hashlanes(&scene.path, [os(b"sum"), os(b"-r"), start.clone().into()]).stdout;
    let prefix = [b"  ", path_bytes(&start), b"/Foo\n"].concat();
    assert!(ours.windows(prefix.len()).any(|w| w == prefix), "{}", ours.escape_ascii());
}
