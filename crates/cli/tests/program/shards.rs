//! `hashlanes manifest`: the shards together are the job; missing and additional names are reported.

use std::process::{Command, Output};

use crate::scene::{ODD_NAMES, Random, Scene};
use crate::side_by_side::{OURS, feed, hashlanes_once};

fn run(scene: &Scene, args: &str) -> Output {
    hashlanes_once(&scene.path, args.split_whitespace())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn well(scene: &Scene, args: &str) -> Vec<u8> {
    let output = run(scene, args);
    assert_eq!((text(&output.stderr), output.status.code()), (String::new(), Some(0)), "{args}");
    output.stdout
}

fn tree() -> Scene {
    let scene = Scene::new();
    let content = Random(8).bytes(100_000);
    for k in 0..90 {
        scene.file(format!("d/{}/f{k}", k % 7).as_bytes(), &content[k..(k * 1000).max(k)]);
    }
    for (k, name) in ODD_NAMES.into_iter().enumerate() {
        scene.file(&[b"d/odd/", name].concat(), &content[..k]);
    }
    scene
}

#[test]
fn shards_make_up_the_job() {
    let scene = tree();
    for (n, options) in [(1, ""), (3, "--tag -a sha512"), (5, "--format ndjson -a sha1,sha256"), (200, "")] {
        let prefix = format!("s{n}");
        well(&scene, &format!("manifest split -n {n} --prefix {prefix} d"));
        let (mut lists, mut sums, mut weights) = (String::new(), String::new(), Vec::new());
        for k in 1..=n {
            let list = format!("{prefix}.{k}-of-{n}");
            let sum = format!("{list}.sums");
            well(&scene, &format!("sum --files0-from {list} {options} -o {sum}"));
            let names = std::fs::read(scene.join(&list)).unwrap();
            let names: Vec<&[u8]> = names.split(|byte| *byte == 0).filter(|name| !name.is_empty()).collect();
            let path = |name: &[u8]| scene.path.join(crate::scene::os(name));
            let weight: u64 =
                names.iter().map(|name| std::fs::metadata(path(name)).unwrap().len() + 4096).sum();
            weights.push(weight);
            lists += &format!(" {list}");
            sums += &format!(" {sum}");
        }
        let whole = well(&scene, &format!("sum -r d {options}"));
        let merged = well(&scene, &format!("manifest merge {sums}"));
        // A list of names does not record the directory in which they were found.
        assert!(text(&merged) == text(&whole).replace(r#","root":"d""#, ""), "{n} shards");
        // Within the heaviest file of each other.
        let (least, most) = (weights.iter().min().unwrap(), weights.iter().max().unwrap());
        assert!(n == 1 || most - least <= 2 * (90_000 + 4096), "{n} shards: {least} to {most}");
        scene.file(b"merged", &merged);
        well(&scene, &format!("manifest verify merged {lists}"));
        well(&scene, "manifest verify merged");
    }
    // Lists that are there already are not written over.
    let again = run(&scene, "manifest split -n 3 --prefix s3 d");
    assert_eq!(text(&again.stderr), "hashlanes: s3.1-of-3: cannot write: File exists\n");
    assert_eq!(again.status.code(), Some(2));
}

#[test]
fn shards_of_a_number_of_bytes() {
    let scene = tree();
    let weight = |list: &str| -> u64 {
        let names = std::fs::read(scene.join(list)).unwrap();
        let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        names
            .map(|name| std::fs::metadata(scene.path.join(crate::scene::os(name))).unwrap().len() + 4096)
            .sum()
    };
    well(&scene, "manifest split --shard-bytes 1000000000000 --prefix all d");
    let total = weight("all.1-of-1");
    let n_shards = total.div_ceil(500_000);
    assert!(n_shards > 5);
    well(&scene, "manifest split --shard-bytes 500000 --prefix s d");
    let weights: Vec<u64> = (1..=n_shards).map(|k| weight(&format!("s.{k}-of-{n_shards}"))).collect();
    assert_eq!(weights.iter().sum::<u64>(), total);
    assert!(weights.iter().all(|weight| *weight <= 500_000 + 90_000 + 4096), "{weights:?}");
    for args in
        ["manifest split d", "manifest split -n 2 --shard-bytes 5 d", "manifest split --shard-bytes 0 d"]
    {
        assert_eq!(run(&scene, args).status.code(), Some(2), "{args}");
    }
}

/// An interrupted shard continues where it ended.
#[test]
fn resumed_shards() {
    let scene = tree();
    well(&scene, "manifest split -n 2 d");
    let whole = well(&scene, "sum --files0-from shard.2-of-2");
    // File times come by ticks of a clock: the manifest is younger than its files.
    std::thread::sleep(std::time::Duration::from_millis(20));
    for cut in [0, 1, 70, whole.len() / 2, whole.len() - 1, whole.len()] {
        scene.file(b"sums", &whole[..cut]);
        well(&scene, "sum --files0-from shard.2-of-2 -o sums --resume");
        assert!(std::fs::read(scene.join("sums")).unwrap() == whole, "cut at {cut}");
    }
    // Lines that are kept are not hashed again, except the first.
    let mut wrong = whole.clone();
    let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 2;
    wrong[last] = if whole[last] == b'0' { b'1' } else { b'0' };
    scene.file(b"sums", &wrong);
    well(&scene, "sum --files0-from shard.2-of-2 -o sums --resume");
    assert!(std::fs::read(scene.join("sums")).unwrap() == wrong);
}

#[test]
fn missing_and_extra_files() {
    let scene = tree();
    well(&scene, "manifest split -n 2 d");
    for k in [1, 2] {
        well(&scene, &format!("sum --files0-from shard.{k}-of-2 -o {k}.sums"));
    }
    let whole = well(&scene, "manifest merge 1.sums 2.sums");
    scene.file(b"whole", &whole);
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    let name = text(&lines[5][66..lines[5].len() - 1]);
    for (manifest, said) in [
        ([&lines[..5].concat(), &lines[6..].concat()[..]].concat(), format!("{name} is missing\n")),
        ([&whole[..], lines[5]].concat(), format!("{name} is listed twice\n")),
        ([&whole[..], &lines[5][..66], b"other\n"].concat(), "other is in no list\n".into()),
        ([&whole[..], b"garbage\n"].concat(), format!("{}: improperly formatted line\n", lines.len() + 1)),
    ] {
        scene.file(b"manifest", &manifest);
        let output = run(&scene, "manifest verify manifest shard.1-of-2 shard.2-of-2");
        assert_eq!(
            (text(&output.stderr), output.status.code()),
            (format!("hashlanes: manifest: {said}"), Some(1))
        );
    }
    let output = run(&scene, "manifest merge 1.sums 2.sums 1.sums");
    let first = std::fs::read(scene.join("1.sums")).unwrap();
    let first = text(&first[66..first.iter().position(|byte| *byte == b'\n').unwrap()]);
    assert_eq!(text(&output.stderr), format!("hashlanes: 1.sums: {first} is also in an earlier manifest\n"));
    assert_eq!((output.stdout.len(), output.status.code()), (0, Some(1)));
    for (args, said) in [
        ("manifest merge 1.sums gone", "hashlanes: gone: cannot read: No such file or directory\n"),
        ("manifest verify gone", "hashlanes: gone: cannot read: No such file or directory\n"),
        ("manifest verify whole gone", "hashlanes: gone: cannot read: No such file or directory\n"),
    ] {
        let output = run(&scene, args);
        assert_eq!((text(&output.stderr), output.status.code()), (said.into(), Some(2)), "{args}");
    }
    scene.file(b"json", &well(&scene, "sum --format json d/0/f0"));
    let output = run(&scene, "manifest merge json");
    assert!(
        text(&output.stderr)
            .contains("cannot be merged: its format has a frame around the lines; use ndjson")
    );
    assert_eq!(run(&scene, "manifest split -n 0 d").status.code(), Some(2));
    for paths in ["gone", "d gone", "d dangling"] {
        scene.link("dangling", "nowhere");
        let output = run(&scene, &format!("manifest split -n 2 --prefix x {paths}"));
        let path = paths.trim_start_matches("d ");
        let said = format!("hashlanes: {path}: cannot read: No such file or directory\n");
        assert_eq!((text(&output.stderr), output.status.code()), (said, Some(2)));
        assert!(!scene.join("x.1-of-2").exists(), "{paths}");
        let _ = std::fs::remove_file(scene.join("dangling"));
    }
}

/// A name missing in a list would not be hashed: all lists are written, or none.
#[test]
fn lists_that_cannot_be_written() {
    let scene = Scene::new();
    for k in 0..300 {
        scene.file(format!("d/{k:03}-{}", "x".repeat(100)).as_bytes(), b"");
    }
    // Lists of 15 KB each, where files may have 4 KB; a foreign list.
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$0\" manifest split -n 2 d";
    let mut limited = Command::new("bash");
    limited.args(["-c", script, OURS]).current_dir(&scene.path).env("LC_ALL", "C.UTF-8");
    let output = limited.output().unwrap();
    assert_eq!(text(&output.stderr), "hashlanes: shard.1-of-2: cannot write: File too large\n");
    assert_eq!(output.status.code(), Some(2));
    let lists = || {
        let names = std::fs::read_dir(&scene.path).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
        names.retain(|name| name.starts_with("shard"));
        names
    };
    assert!(lists().is_empty(), "{:?}", lists());
    scene.file(b"shard.2-of-3", b"another's");
    let output = run(&scene, "manifest split -n 3 d");
    assert_eq!(text(&output.stderr), "hashlanes: shard.2-of-3: cannot write: File exists\n");
    assert_eq!(lists(), ["shard.2-of-3"]);
    assert_eq!(std::fs::read(scene.join("shard.2-of-3")).unwrap(), b"another's");
}

#[test]
fn manifests_that_are_empty_or_come_through_a_pipe() {
    let scene = tree();
    well(&scene, "manifest split -n 1 d");
    well(&scene, "sum --files0-from shard.1-of-1 -o sums");
    let sums = std::fs::read(scene.join("sums")).unwrap();
    let verify = |args: &[&str], stdin: &[u8]| {
        let mut program = Command::new(OURS);
        program.args(["manifest", "verify"]).args(args).current_dir(&scene.path).env("LC_ALL", "C.UTF-8");
        let output = feed(&mut program, stdin);
        (text(&output.stderr), output.status.code())
    };
    let well = (String::new(), Some(0));
    assert_eq!(verify(&["-"], &sums), well);
    assert_eq!(verify(&["-", "shard.1-of-1"], &sums), well);
    let nothing = "no properly formatted line\n";
    assert_eq!(verify(&["-"], b""), (format!("hashlanes: 'standard input': {nothing}"), Some(1)));
    for empty in ["", "\n", "# nothing\n", "[]\n", "name,size,sha256\r\n"] {
        scene.file(b"empty", empty.as_bytes());
        assert_eq!(verify(&["empty"], b""), (format!("hashlanes: empty: {nothing}"), Some(1)), "{empty:?}");
        // A shard without files has a manifest without lines.
        assert_eq!(verify(&["empty", "/dev/null"], b""), well, "{empty:?}");
    }
    let (said, status) = verify(&["empty", "shard.1-of-1"], b"");
    let n_names = std::fs::read(scene.join("shard.1-of-1")).unwrap().split(|byte| *byte == 0).count() - 1;
    // Twenty names, and how many there are.
    assert!(n_names > 20);
    let counted = format!("hashlanes: empty: {n_names} names are missing; the first 20 are listed");
    let (lines, last): (Vec<&str>, _) = (said.lines().collect(), said.lines().last());
    assert_eq!((lines.len(), last, status), (21, Some(&counted[..]), Some(1)));
    assert!(lines[..20].iter().all(|line| line.ends_with(" is missing")));
    // For a list that cannot be read again, the number of missing files is printed without their names.
    assert_eq!(verify(&["sums", "/dev/stdin"], &std::fs::read(scene.join("shard.1-of-1")).unwrap()), well);
    assert_eq!(
        verify(&["empty", "/dev/stdin"], b"a\0b\0"),
        ("hashlanes: empty: 2 names of a list that cannot be read twice are missing\n".into(), Some(1))
    );
}
