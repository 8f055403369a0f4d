//! Formats of manifests, several hashes in one read, HMACs; and lists of any format read back.

use std::process::{Command, Output};

use hashlanes::{hmac_sha256, hmac_sha512, sha1, sha256, sha384, sha512};

use crate::scene::{ODD_NAMES, Random, Scene, os};
use crate::side_by_side::{OURS, feed, hashlanes};

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// `hashlanes sum` with these arguments, one word each.
fn sum(scene: &Scene, args: &str) -> Output {
    hashlanes(&scene.path, ["sum"].into_iter().chain(args.split_whitespace()))
}

/// Returns the output of a successful run.
fn printed(scene: &Scene, args: &str) -> String {
    let output = sum(scene, args);
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{args}");
    String::from_utf8(output.stdout).unwrap()
}

/// `hashlanes sum -c -` with this list.
fn from_pipe(scene: &Scene, list: &[u8]) -> Output {
    feed(Command::new(OURS).args(["sum", "-c", "-"]).current_dir(&scene.path), list)
}

#[test]
fn every_format() {
    let scene = Scene::new();
    scene.file(b"a", b"abc");
    scene.file(b"b", b"");
    let [a, b] =
        [&b"abc"[..], b""].map(|content| [hex(sha256(content)), hex(sha1(content)), hex(sha512(content))]);
    for (args, expected) in [
        ("a b", format!("{}  a\n{}  b\n", a[0], b[0])),
        ("-a sha1 --format bsd a", format!("SHA1 (a) = {}\n", a[1])),
        ("-a sha256,sha1 a b", {
            let lines = |file: &[String; 3], name| {
                format!("SHA256 ({name}) = {}\nSHA1 ({name}) = {}\n", file[0], file[1])
            };
            lines(&a, "a") + &lines(&b, "b")
        }),
        (
            "-a sha512,sha1 --format json a b",
            format!(
                "[\n{{\"name\":\"a\",\"sha1\":\"{}\",\"sha512\":\"{}\",\"size\":3}},\n\
                 {{\"name\":\"b\",\"sha1\":\"{}\",\"sha512\":\"{}\",\"size\":0}}\n]\n",
                a[1], a[2], b[1], b[2]
            ),
        ),
        ("--format ndjson a", format!("{{\"name\":\"a\",\"sha256\":\"{}\",\"size\":3}}\n", a[0])),
        (
            "-a sha256,sha512 --format csv a b",
            format!("name,size,sha256,sha512\r\na,3,{},{}\r\nb,0,{},{}\r\n", a[0], a[2], b[0], b[2]),
        ),
        (
            "-a sha1,sha256 --format hashdeep a",
            format!(
                "%%%% HASHDEEP-1.0\n%%%% size,sha1,sha256,filename\n## hashlanes sum --format hashdeep\n##\n\
                 3,{},{},a\n",
                a[1], a[0]
            ),
        ),
        ("--format sri a", "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=  a\n".into()),
        ("--base64 a", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=  a\n".into()),
        ("--base64 --tag a", "SHA256 (a) = ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\n".into()),
        ("--format json -r empty", "[\n]\n".into()),
    ] {
        std::fs::create_dir_all(scene.join("empty")).unwrap();
        assert_eq!(printed(&scene, args), expected, "{args}");
    }
    assert_eq!(sum(&scene, "--raw a").stdout, sha256(b"abc"));
    // A file that cannot be read leaves the others' frame whole.
    let output = sum(&scene, "--format json gone a gone");
    let objects: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((objects.len(), output.status.code()), (1, Some(1)));
}

/// Files of all lengths, more than lanes: each hash equals that of the file alone.
#[test]
fn several_hashes_in_one_read() {
    let scene = Scene::new();
    let content = Random(7).bytes(400_000);
    let mut names = String::new();
    let mut expected = String::new();
    for k in 0..50 {
        let part = &content[k..(k * k * 160).max(k)];
        scene.file(format!("f{k}").as_bytes(), part);
        names += &format!(" f{k}");
        expected += &format!(
            "SHA384 (f{k}) = {}\nSHA1 (f{k}) = {}\nSHA256 (f{k}) = {}\n",
            hex(sha384(part)),
            hex(sha1(part)),
            hex(sha256(part))
        );
    }
    for jobs in [1, 3] {
        let args = format!("-j {jobs} -a sha384,sha1,sha256 {names}");
        assert!(printed(&scene, &args) == expected, "{jobs} threads");
    }
    let stream = feed(std::process::Command::new(OURS).args(["sum", "-a", "sha1,sha256"]), &content);
    let expected = format!("SHA1 (-) = {}\nSHA256 (-) = {}\n", hex(sha1(&content)), hex(sha256(&content)));
    assert_eq!(text(&stream.stdout), expected);
}

/// Names that contain separators of fields; names that are not text.
#[test]
fn names_in_every_format() {
    let scene = Scene::new();
    for name in ODD_NAMES {
        scene.file(name, name);
    }
    let run = |options: &[&str]| {
        let names = ODD_NAMES.into_iter().map(os);
        let output = hashlanes(&scene.path, options.iter().map(Into::into).chain(["--".into()]).chain(names));
        assert_eq!(text(&output.stderr), "");
        output.stdout
    };
    let objects: Vec<serde_json::Value> = serde_json::from_slice(&run(&["sum", "--format", "json"])).unwrap();
    assert_eq!(objects.len(), ODD_NAMES.len());
    for (object, name) in objects.iter().zip(ODD_NAMES) {
        match std::str::from_utf8(name) {
            Ok(name) => assert_eq!(object["name"], name),
            Err(_) => {
                use base64ct::Encoding;
                assert_eq!(object["name_base64"], base64ct::Base64::encode_string(name));
            }
        }
        assert_eq!(
            (&object["sha256"], object["size"].as_u64()),
            (&hex(sha256(name)).into(), Some(name.len() as u64))
        );
    }
    let lines = run(&["sum", "--format", "ndjson"]);
    assert_eq!(lines.split(|byte| *byte == b'\n').count(), ODD_NAMES.len() + 1, "a line each");
    // RFC 4180: a field in quotes may hold line ends, and quotes twice.
    let csv = run(&["sum", "--format", "csv"]);
    let mut rest = &csv[b"name,size,sha256\r\n".len()..];
    for name in ODD_NAMES {
        let mut field = Vec::new();
        if let Some(quoted) = rest.strip_prefix(b"\"") {
            rest = quoted;
            loop {
                let end = rest.iter().position(|byte| *byte == b'"').unwrap();
                field.extend_from_slice(&rest[..end]);
                rest = &rest[end + 1..];
                match rest.strip_prefix(b"\"") {
                    Some(more) => rest = more,
                    None => break,
                }
                field.push(b'"');
            }
        } else {
            let end = rest.iter().position(|byte| *byte == b',').unwrap();
            field.extend_from_slice(&rest[..end]);
            rest = &rest[end..];
        }
        assert_eq!(field, name);
        rest = rest.strip_prefix(format!(",{},{}\r\n", name.len(), hex(sha256(name))).as_bytes()).unwrap();
    }
    assert!(rest.is_empty());
}

/// The first valid line decides the hash of a list; digests may be base64.
#[test]
fn lists_of_any_hash() {
    let scene = Scene::new();
    scene.file(b"a", b"abc");
    scene.file(b"b", &[7; 100_000]);
    for options in [
        "-a sha1",
        "-a sha224",
        "-a sha256",
        "-a sha384",
        "-a sha512",
        "-a sha512 --tag",
        "-a sha512-256 --tag",
        "-a sha512-224 --tag",
        "-a sha384 --base64",
        "-a sha1 --base64 --tag",
    ] {
        let list = printed(&scene, &format!("{options} a b"));
        scene.file(b"list", format!("# comment\n\ngarbage\n{list}").as_bytes());
        let output = sum(&scene, "-c list");
        assert_eq!(text(&output.stdout), "a: OK\nb: OK\n", "{options}");
        assert_eq!(text(&output.stderr), "hashlanes: WARNING: 1 line is improperly formatted\n", "{options}");
    }
    // Each list by itself, and garbage named before the hash is known.
    scene.file(b"one", printed(&scene, "-a sha1 a").as_bytes());
    scene.file(b"two", ("garbage\n".to_owned() + &printed(&scene, "-a sha512 b")).as_bytes());
    let output = sum(&scene, "-c --warn one two");
    assert_eq!(text(&output.stdout), "a: OK\nb: OK\n");
    assert_eq!(
        text(&output.stderr),
        "hashlanes: two: 1: improperly formatted checksum line\nhashlanes: WARNING: 1 line is improperly formatted\n"
    );
    // A requested hash decides.
    let output = sum(&scene, "-a sha256 -c one");
    assert_eq!(text(&output.stderr), "hashlanes: one: no properly formatted checksum lines found\n");
    assert_eq!(output.status.code(), Some(1));
    // GNU's names know no base64.
    scene.file(b"list", printed(&scene, "--base64 a").as_bytes());
    assert_eq!(hashlanes(&scene.path, ["sha256sum", "-c", "list"]).status.code(), Some(1));
}

/// Every format that is printed can be checked, of one hash and of several.
#[test]
fn lists_of_any_format() {
    let scene = Scene::new();
    let names = [&b"a"[..], b"b c", b"q\"u,o\"te", b"\\back", b"new\nline", b"not \xff text"];
    for name in names {
        scene.file(&[b"d/", name].concat(), name);
    }
    scene.file(b"d/long", &[7; 100_000]);
    for (format, hashes) in [
        ("bsd", "sha256"),
        ("bsd", "sha256,sha1,sha512-224"),
        ("json", "sha256"),
        ("json", "sha1,sha384"),
        ("ndjson", "sha512"),
        ("ndjson", "sha512-256,sha224"),
        ("csv", "sha1"),
        ("csv", "sha1,sha256"),
        ("sri", "sha384"),
        ("sri", "sha256,sha512"),
        ("gnu -z", "sha224"),
        ("bsd -z", "sha1,sha512"),
        ("bsd -b --base64", "sha512"),
        ("hashdeep", "sha1,sha256"),
    ] {
        // In hashdeep's own a name with a newline is not to be read.
        let without = if format == "hashdeep" { "--exclude new*" } else { "" };
        let of = format!("--format {format} -a {hashes}");
        let list = sum(&scene, &format!("-r d {of} {without}")).stdout;
        scene.file(b"list", &list);
        let gnu = sum(&scene, &format!("-r d {without}")).stdout;
        scene.file(b"gnu", &gnu);
        let verdicts = hashlanes(&scene.path, ["sha256sum", "-c", "gnu"]).stdout;
        for args in ["-c list", "-c --strict -j1 list", &format!("-c -a {hashes} list")] {
            let output = sum(&scene, args);
            assert_eq!(output.stdout, verdicts, "{of}: {args}");
            assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{of}: {args}");
        }
        // From a pipe, which may return it in any pieces.
        assert_eq!(from_pipe(&scene, &list).stdout, verdicts, "{of}");
        // A file that is other, by any of the hashes.
        scene.file(b"d/b c", b"other");
        let output = sum(&scene, "-c list --quiet");
        let n = hashes.split(',').count();
        let words = if n == 1 { "1 computed checksum".into() } else { format!("{n} computed checksums") };
        assert_eq!(text(&output.stdout), "d/b c: FAILED\n", "{of}");
        let said = format!("hashlanes: WARNING: {words} did NOT match\n");
        assert_eq!((text(&output.stderr), output.status.code()), (&said[..], Some(1)), "{of}");
        scene.file(b"d/b c", b"b c");
        // It contains no line of another hash.
        let output = sum(&scene, "-c -a sha224 list");
        if !hashes.contains("sha224") {
            assert_eq!((text(&output.stdout), output.status.code()), ("", Some(1)), "{of}");
        }
    }
}

/// Lists that are put together: a line's hash may be another than the one's before, in any order.
#[test]
fn lists_of_several_hashes() {
    let scene = Scene::new();
    for k in 0..40 {
        scene.file(format!("f{k}").as_bytes(), &vec![7; 5000 * k]);
    }
    let hashes = ["sha1", "sha224", "sha256", "sha384", "sha512", "sha512-224", "sha512-256"];
    let names: Vec<String> = (0..40).map(|k| format!("f{k}")).collect();
    let of = |hash: &str| printed(&scene, &format!("--tag -a {hash} {}", names.join(" ")));
    let lists = hashes.map(of);
    let all_ok = |names: &mut dyn Iterator<Item = &String>| -> String {
        names.map(|name| format!("{name}: OK\n")).collect()
    };
    // One after another.
    scene.file(b"list", lists.concat().as_bytes());
    let seven_times = (0..7).flat_map(|_| &names);
    assert_eq!(printed(&scene, "-c list"), all_ok(&mut seven_times.into_iter()));
    // In turns, another one each line.
    let lines = |at: usize| lists[at % 7].lines().nth(at).unwrap();
    let in_turns: Vec<&str> = (0..40).map(lines).collect();
    scene.file(b"list", (in_turns.join("\n") + "\n").as_bytes());
    assert_eq!(printed(&scene, "-c list"), all_ok(&mut names.iter()));
    // Not tagged: distinguished by their lengths.
    let plain = |hash: &str| printed(&scene, &format!("-a {hash} f3 f4"));
    scene.file(b"list", hashes[..5].iter().map(|hash| plain(hash)).collect::<String>().as_bytes());
    assert_eq!(printed(&scene, "-c list"), "f3: OK\nf4: OK\n".repeat(5));
    // A file with two lines of one hash has two verdicts; one wrong hash of several is enough.
    let two = printed(&scene, "--tag -a sha256,sha1 f5");
    let (of_sha256, _) = two.split_once('\n').unwrap();
    let wrong = format!("{of_sha256}\nSHA1 (f5) = {}\n", "0".repeat(40));
    scene.file(b"list", (two.clone() + &two + &wrong).as_bytes());
    let output = sum(&scene, "-c list");
    assert_eq!(text(&output.stdout), "f5: OK\nf5: OK\nf5: FAILED\n");
    assert_eq!(text(&output.stderr), "hashlanes: WARNING: 1 computed checksum did NOT match\n");
}

/// If no line of a list is valid, a possible reason is printed.
#[test]
fn possible_reasons() {
    let scene = Scene::new();
    scene.file(b"a", b"abc");
    scene.file(b"key", b"a key");
    for (args, said) in [
        ("-a sha512-256 a", "list: digests of this length may be of another hash, or HMACs"),
        ("--hmac-key-file key a", "list: digests of this length may be of another hash, or HMACs"),
        ("--hmac-key-file key --tag a", "list: its lines are HMACs: give their key"),
        ("--hmac-key-file key --format ndjson a", "object without the digest of a hash"),
    ] {
        scene.file(b"list", printed(&scene, args).as_bytes());
        let output = sum(&scene, "-c list");
        assert_eq!(output.status.code(), Some(1), "{args}");
        assert!(text(&output.stderr).contains(said), "{args}: {}", text(&output.stderr));
    }
    // Not of files that are missing, nor of one that is wrong among others.
    scene.file(b"b", b"b");
    let list = printed(&scene, "a b");
    for (list, said) in [
        (list.replace("  a", "  none").replace("  b", "  gone"), "listed files could not be read"),
        (list.replace("  b", "  a"), "computed checksum did NOT match"),
    ] {
        scene.file(b"list", list.as_bytes());
        let stderr = sum(&scene, "-c list").stderr;
        assert!(text(&stderr).contains(said) && !text(&stderr).contains("may be"), "{}", text(&stderr));
    }
    // In the form of OpenSSL 3.
    scene.file(b"list", format!("SHA2-256(a)= {}\n", hex(sha256(b"abc"))).as_bytes());
    assert_eq!(printed(&scene, "-c list"), "a: OK\n");
    // hashdeep's format has no such names.
    scene.file(b"d/x\n3,00,victim", b"x");
    let output = sum(&scene, "-r d --format hashdeep");
    assert!(
        text(&output.stderr).contains("not listed: the format hashdeep cannot express"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!((text(&output.stdout).lines().count(), output.status.code()), (4, Some(1)));
}

/// Texts that begin like a list of some format, and are not.
#[test]
fn lists_that_are_damaged() {
    let scene = Scene::new();
    scene.file(b"a", b"abc");
    let one = printed(&scene, "--format json a");
    let object = one.trim_matches(|c| "[]\n".contains(c));
    for (list, verdicts, said) in [
        (format!("[{object}"), "a: OK\n", "not a list of checksums: the array has no end"),
        (format!("[{object} {object}]"), "a: OK\n", "not a list of checksums: not an array of objects: '{'"),
        (format!("[{object}]]"), "a: OK\n", "not a list of checksums: something behind the array"),
        ("[{\"name\": \"a\"}]".into(), "", "not a list of checksums: object 1: an object without the digest"),
        (format!("{object}\n{{}}\n{object}\n"), "a: OK\na: OK\n", "WARNING: 1 line is improperly formatted"),
        ("name,sha256\na,00\n".into(), "", "no properly formatted checksum lines found"),
        ("%%%% HASHDEEP-1.0\n1,2,a\n".into(), "", "no properly formatted checksum lines found"),
        (format!("[{}", " ".repeat(3 << 20)), "", "not a list of checksums: object 1: EOF while parsing"),
        (format!("name,sha256\n\"{}", "x\n".repeat(600_000)), "", "no properly formatted"),
    ] {
        scene.file(b"list", list.as_bytes());
        let output = sum(&scene, "-c --strict list");
        let start = &list[..list.len().min(60)];
        assert_eq!((text(&output.stdout), output.status.code()), (verdicts, Some(1)), "{start}");
        assert!(text(&output.stderr).contains(said), "{start}: {}", text(&output.stderr));
    }
}

#[test]
fn hmacs() {
    let scene = Scene::new();
    let key = b"a key\n";
    scene.file(b"key", key);
    scene.file(b"a", b"abc");
    let long = Random(9).bytes(300_000);
    scene.file(b"b", &long);
    let list = printed(&scene, "--hmac-key-file key a b");
    let macs = [hmac_sha256(key, b"abc"), hmac_sha256(key, &long)];
    assert_eq!(list, format!("{}  a\n{}  b\n", hex(macs[0]), hex(macs[1])));
    let tagged = printed(&scene, "--hmac-key-file key -a sha256,sha512 b");
    let both =
        format!("HMAC-SHA256 (b) = {}\nHMAC-SHA512 (b) = {}\n", hex(macs[1]), hex(hmac_sha512(key, &long)));
    assert_eq!(tagged, both);
    let csv = printed(&scene, "--hmac-key-file key --format csv a");
    assert_eq!(csv, format!("name,size,hmac-sha256\r\na,3,{}\r\n", hex(macs[0])));
    for list in [list, printed(&scene, "--hmac-key-file key --tag -a sha1 a b")] {
        scene.file(b"list", list.as_bytes());
        assert_eq!(printed(&scene, "--hmac-key-file key -c list"), "a: OK\nb: OK\n");
        assert_ne!(sum(&scene, "-c list").status.code(), Some(0), "without the key");
    }
    let longest = vec![b'k'; 1 << 20];
    scene.file(b"longest", &longest);
    let list = printed(&scene, "--hmac-key-file longest a");
    assert_eq!(list, format!("{}  a\n", hex(hmac_sha256(&longest, b"abc"))));
    scene.file(b"too_long", &[&longest[..], b"k"].concat());
    scene.file(b"empty", b"");
    for (key, said) in [
        ("gone", "hashlanes: gone: cannot read the key: No such file or directory\n"),
        ("empty", "hashlanes: empty: not a key: the file is empty\n"),
        (".", "hashlanes: .: cannot read the key: Is a directory\n"),
        ("too_long", "hashlanes: too_long: not a key: the file is longer than 1 MiB\n"),
        ("/dev/zero", "hashlanes: /dev/zero: not a key: the file is longer than 1 MiB\n"),
    ] {
        let output = sum(&scene, &format!("--hmac-key-file {key} a"));
        assert_eq!((text(&output.stderr), text(&output.stdout), output.status.code()), (said, "", Some(2)));
    }
}

#[test]
fn conflicting_options() {
    let scene = Scene::new();
    for (args, said) in [
        ("-a sha256,sha1 --format gnu a", "the format gnu has one hash per file"),
        ("-a sha512 --format hashdeep a", "the format hashdeep supports md5, sha1 and sha256, not sha512"),
        ("-a sha1 --format sri a", "the format sri supports sha256, sha384 and sha512, not sha1"),
        ("--base64 --format json a", "--base64 is for the formats gnu and bsd, not json"),
        ("-z --format csv a", "--zero is for the formats gnu and bsd, not csv"),
        ("-a sha1,sha256,sha1 a", "hash \"sha1\" is given twice"),
        ("--raw a b", "--raw is for one file and one hash"),
        ("--raw -a sha1,sha256 a", "--raw is for one file and one hash"),
        ("--format xml a", "[possible values: gnu, bsd, json, ndjson, csv, hashdeep, sri]"),
        ("-a sha1,whirlpool a", "unknown hash \"whirlpool\"; expected one of sha256, "),
        ("--tag --format bsd a", "cannot be used with"),
    ] {
        let output = sum(&scene, args);
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)), "{args}");
        assert!(text(&output.stderr).contains(said), "{args}: {}", text(&output.stderr));
    }
}

/// `--printf`: directives, several hashes, names that are not UTF-8, HMACs, errors.
#[test]
fn printf() {
    let scene = Scene::new();
    scene.file(b"d/a", b"abc");
    scene.file(b"d/new\nline\xff", b"");
    let run = |args: &[&str]| hashlanes(&scene.path, [&["sum"], args].concat());
    let (sha1, sha256) = (
        "a9993e364706816aba3e25717850c26c9cd0d89d",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    for (args, expected) in [
        (&["--printf", r"%s %x %p\n", "d/a"][..], format!("3 {sha256} d/a\n")),
        (
            &["-a", "sha1", "--printf", r"%x %{SHA-1:upper} %f in %h%%\n", "d/a"],
            format!("{sha1} {} a in d%\n", sha1.to_uppercase()),
        ),
        (
            &["--printf", r"%{sha256:base64}\t%{md5}\0", "d/a"],
            "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\t900150983cd24fb0d6963f7d28e17f72\0".into(),
        ),
        (&["--printf", "%b", "d/a"], "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=".into()),
        (&["--printf", "-", "d/a", "d/a"], "--".into()),
    ] {
        let output = run(args);
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{args:?}");
        assert!(output.status.success() && output.stderr.is_empty(), "{args:?}");
    }
    let output = run(&["-r", "--printf", r"%p|%f|%h|%s\n", "d"]);
    assert_eq!(output.stdout, b"d/a|a|d|3\nd/new\nline\xff|new\nline\xff|d|0\n");
    for (args, words, status) in [
        (&["--printf", "%q", "d/a"][..], "hashlanes: --printf: unknown %q; expected %p, ", 2),
        (&["--printf", "%{sha265}", "d/a"], "hashlanes: --printf: unknown hash \"sha265\"", 2),
        (
            &["--printf", "%x", "--tag", "d/a"],
            "error: the argument '--printf <FORMAT>' cannot be used with",
            2,
        ),
        (&["--printf", "%x", "-c", "d/a"], "error: the argument '--printf <FORMAT>' cannot be used with", 2),
        (&["--printf", "%x", "missing"], "hashlanes: missing: No such file or directory\n", 1),
        (
            &["--printf", "%{md5}", "--hmac-key-file", "d/a", "d/a"],
            "hashlanes: HMACs of md5 are not supported\n",
            2,
        ),
    ] {
        let output = run(args);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(err.starts_with(words) && output.stdout.is_empty(), "{args:?}: {err}");
        assert_eq!(output.status.code(), Some(status), "{args:?}");
    }
}
