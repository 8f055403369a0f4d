//! Checking lists: well formed, malformed, mixed, hostile.

use crate::scene::{Random, Scene};
use crate::side_by_side::{Run, TOOLS, hashlanes};

/// A scene with the files `x`, `y z`, `new\nline`, ` lead`, and their digests by a tool.
fn scene_with_digests(tool: &str) -> (Scene, String, String) {
    let scene = Scene::new();
    for name in [&b"x"[..], b"y z", b"new\nline", b" lead", b"*x", b"a)b"] {
        scene.file(name, b"content");
    }
    scene.file(b"other", b"other content");
    let digest = |name: &str| {
        let line = Run::new(&scene.path, tool, [name]).named().stdout;
        String::from_utf8(line).unwrap().split(' ').next().unwrap().to_owned()
    };
    let (good, other) = (digest("x"), digest("other"));
    (scene, good, other)
}

#[test]
fn lists_are_read_as_gnu_reads_them() {
    for tool in TOOLS {
        let (scene, good, other) = scene_with_digests(tool);
        let tag = tool.strip_suffix("sum").unwrap().to_uppercase();
        let capital = good.to_uppercase();
        let short = &good[1..];
        let lists = [
            String::new(),
            "\n".into(),
            "# comment\n\n\r\n".into(),
            "garbage\n".into(),
            format!("{good}  x\n"),
            format!("{good} *x\n"),
            format!("{good}  x"),
            format!("{good}  x\r\n{good}  y z\r\n"),
            format!("{capital}  x\n"),
            format!("{other}  x\n{good}  x\n"),
            format!("{other}  x\n{other}  y z\n"),
            format!("{good}  missing\n{good}  x\n"),
            format!("{good}  missing\n{good}  missing too\n"),
            format!("{good}  missing\nbad\n{other}  x\n"),
            format!("bad\n{good}  x\nworse\n"),
            format!("{tag} (x) = {good}\n"),
            format!("{tag}(x)={good}\n{tag} (x)\t= \t{good}\n{tag}  (x) = {good}\n"),
            format!("{tag} (a)b) = {good}\n{tag} () = {good}\n{tag} (x = {good}\n{tag} (x) {good}\n"),
            format!("\\{tag} (new\\nline) = {good}\n{tag} (new\\nline) = {good}\n"),
            format!("{tag} (x) = {good}\n{good}  x\n"),
            format!("MD5 (x) = {good}\n{tag}x (x) = {good}\n"),
            format!("\\{good}  new\\nline\n{good}  new\\nline\n"),
            format!("\\{good}  x\n\\{good}  bad\\escape\n\\{good}  end\\\n\\\\{good}  x\n"),
            format!("{good} x\n{good}  lead\n{good} *x\n"), // reversed, by its first line
            format!("{good}  x\n{good} x\n"),               // GNU's, by its first line
            format!("{good}\tx\n{good}\t x\n{good} \tx\n"),
            format!("  {good}  x\n\t{good}  x\n \\{good}  new\\nline\n"),
            format!("{short}  x\n{good}0  x\n"),
            format!("{good}\n{good} \n{good}  \n{good} x\n"),
            format!("{good}  \0x\n{good}  x\0y\n\\{good}  x\0y\n"),
            format!("{}g  x\n", &good[1..]),
            format!("{good}  .\n{good}  x/y\n{good}  -\n"),
            format!("#{good}  x\n #{good}  x\n{good}  x\n"),
        ];
        for list in &lists {
            scene.file(b"list", list.as_bytes());
            // The reader is one for all tools; what differs is digest length and tag.
            let options: &[&[&str]] = match tool {
                "sha256sum" => {
                    &[&[], &["-w"], &["--strict"], &["--status"], &["--quiet"], &["--ignore-missing"]]
                }
                _ => &[&["-w"]],
            };
            for options in options {
                let args = ["-c"].iter().chain(*options);
                let of_file = Run::new(&scene.path, tool, args.clone().chain(&["list"]));
                compare(&of_file.stdin(b"content"), list);
                compare(&Run::new(&scene.path, tool, args).stdin(list.as_bytes()), list);
            }
            let all = ["-c", "--ignore-missing", "--strict", "-w", "list"];
            compare(&Run::new(&scene.path, tool, all), list);
        }
    }
}

/// To `hashlanes sum`, a line with a NUL is malformed; GNU's tools ignore the rest of the line.
fn compare(run: &Run<'_>, list: &str) {
    if list.contains('\0') { run.compare() } else { run.compare_sum() }
}

/// Several lists in one run: the columns of one bind the next; unreadable lists; standard input as a list
/// between others, as a listed file, twice.
#[test]
fn several_lists() {
    let (scene, good, other) = scene_with_digests("sha256sum");
    scene.file(b"good", format!("{good}  x\n").as_bytes());
    scene.file(b"reversed", format!("{good} x\n").as_bytes());
    scene.file(b"wrong", format!("{other}  x\n{good}  x\n").as_bytes());
    scene.file(b"stdin", format!("{good}  -\n{good}  -\n").as_bytes());
    scene.file(b"other-sum", b"a9993e364706816aba3e25717850c26c9cd0d89d  x\n");
    scene.file(b"li st\n", b"bad\n");
    for args in [
        &["good", "good"][..],
        &["good", "reversed"],
        &["reversed", "good"],
        &["wrong", "good"],
        &["nope", "good"],
        &["good", "nope", "wrong"],
        &["."],
        &["good", ".", "x"],
        &["stdin"],
        &["stdin", "-"],
        &["-", "-"],
        &["-", "good", "stdin"],
        &["other-sum"],
        &["li st\n"],
        &["-w", "li st\n"],
        &["/dev/null"],
        &["/proc/self/mem"],
        &["good", "--strict", "reversed"],
    ] {
        for stdin in [&b"content"[..], format!("{good}  x\n{good}  -\n").as_bytes(), b""] {
            Run::new(&scene.path, "sha256sum", ["-c"].iter().chain(args)).stdin(stdin).compare_sum();
        }
    }
}

/// Lines put together at random from the pieces of lines.
#[test]
fn random_lists_are_read_as_gnu_reads_them() {
    let (scene, good, other) = scene_with_digests("sha256sum");
    let digests = [&good[..], &good, &other, &good[1..], &good.to_uppercase()].map(str::to_owned);
    let pieces = [
        " ",
        " ",
        "  ",
        " *",
        "\t",
        "\\",
        "SHA256",
        "SHA256 (",
        "SHA1 (",
        "(",
        ")",
        ") = ",
        " = ",
        "x",
        "x",
        "y z",
        "new\\nline",
        "\\r",
        " lead",
        "*x",
        "a)b",
        "missing",
        "-",
        "#",
        "\r",
        "\0",
        "é",
        "\\\\",
    ];
    let mut random = Random(2024);
    for _ in 0..400 {
        let mut list = String::new();
        for _ in 0..1 + random.below(6) {
            match random.below(4) {
                0 => list.push_str(&format!("{}  {}", digests[random.below(5)], random.pick(&pieces))),
                1 => list.push_str(&format!(
                    "SHA256 ({}) = {}",
                    random.pick(&pieces),
                    digests[random.below(5)]
                )),
                _ => {
                    for _ in 0..random.below(4) {
                        list.push_str(random.pick(&pieces));
                    }
                    list.push_str(&digests[random.below(5)]);
                    for _ in 0..random.below(4) {
                        list.push_str(random.pick(&pieces));
                    }
                }
            }
            list.push_str(random.pick(&["\n", "\n", "\n", "\r\n", "\n\n"]));
        }
        let options: [&[&str]; 4] = [&["-c"], &["-cw"], &["-c", "--ignore-missing"], &["-cw", "--strict"]];
        let options = options[random.below(4)];
        compare(&Run::new(&scene.path, "sha256sum", options).stdin(list.as_bytes()), &list);
    }
}

/// The lines that NUL ends are a list only if all of them are: a damaged one hides no other file.
#[test]
fn damaged_lists_with_nul() {
    let scene = Scene::new();
    for name in ["a", "b", "c"] {
        scene.file(name.as_bytes(), name.as_bytes());
    }
    let list = hashlanes(&scene.path, ["sum", "-z", "a", "b", "c"]).stdout;
    let line = list.len() / 3;
    let damaged = [&list[..line], &list[line + 1..]].concat();
    for (content, status) in [(list.clone(), 0), (damaged, 1), ([&list[..], b"\n"].concat(), 1)] {
        scene.file(b"list", &content);
        let output = hashlanes(&scene.path, ["sum", "-c", "list"]);
        assert_eq!(output.status.code(), Some(status), "{}: {output:?}", content.escape_ascii());
    }
}

/// A file that is not a list: one endless line must not be held in memory, and counts as one malformed line.
#[test]
fn a_line_without_end_is_malformed() {
    let (scene, good, _) = scene_with_digests("sha256sum");
    let mut list = vec![b'z'; 3 << 20];
    list.extend(format!("\n{good}  x\n").bytes());
    Run::new(&scene.path, "sha256sum", ["-cw"]).stdin(&list).compare_sum();
}

/// Texts that begin like a list and are not: `sum -c` and `audit` report the same, and neither panics.
#[test]
fn texts_that_are_no_lists() {
    let scene = crate::scene::Scene::new();
    let long = format!("name,{0}\n{0}\n", "x".repeat(2 << 20));
    for text in ["name,e\"\n,", "name,\"", "name,a\r\"\n\",\n", "name,sha1\n\"\n\"\"\n", &long] {
        scene.file(b"list", text.as_bytes());
        for (command, expected) in [("sum -c list", 1), ("audit list", 2)] {
            let (_, err, status) = crate::keys::result_of(&scene, command);
            assert_eq!(status, expected, "{command}: {err}");
            assert!(!err.contains("panicked") && err.contains("list"), "{command}: {err}");
        }
    }
}

/// A byte order mark hides no file; a list in UTF-16 is named.
#[test]
fn lists_of_editors() {
    let scene = Scene::new();
    scene.file(b"a", b"abc");
    let line = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n";
    scene.file(b"list", format!("\u{feff}{line}").as_bytes());
    let output = hashlanes(&scene.path, ["sum", "-c", "list"]);
    assert_eq!((&output.stdout[..], &output.stderr[..]), (&b"a: OK\n"[..], &b""[..]));
    let wide: Vec<u8> = format!("\u{feff}{line}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    scene.file(b"list", &wide);
    let said = "its text is UTF-16; convert it to UTF-8\n";
    for (command, kind, status) in [(&["sum", "-c"][..], "list of checksums", 1), (&["audit"], "manifest", 2)]
    {
        let output = hashlanes(&scene.path, command.iter().chain(&["list"]));
        let expected = format!("hashlanes: list: not a {kind}: {said}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
        assert_eq!(output.status.code(), Some(status));
    }
}
