//! --gitignore, --include and --exclude; for .gitignore and .git/info/exclude, compared with git itself.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::finding::{messages, names, sum};
use crate::scene::{ODD_NAMES, Random, Scene, os};
use crate::side_by_side::{OURS, feed, hashlanes};

/// Returns whether git is installed; if not, the comparison with it is skipped.
fn git_is_here() -> bool {
    let here = Command::new("git").arg("--version").output().is_ok_and(|o| o.status.success());
    if !here {
        eprintln!("SKIPPED, not compared: there is no git");
    }
    here
}

/// Runs git with only the test's configuration.
fn git(directory: &Path, args: &[&str]) -> Vec<u8> {
    let mut command = Command::new("git");
    command.args(["-c", "core.excludesFile=/dev/null", "-c", "init.defaultBranch=main"]);
    command.args(["-c", "user.name=x", "-c", "user.email=x@localhost"]).args(args).current_dir(directory);
    let output = feed(command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null"), b"");
    assert!(output.status.success(), "{args:?} {}", output.stderr.escape_ascii());
    output.stdout
}

/// The paths that git would add, sorted.
fn gits_files(directory: &Path) -> Vec<Vec<u8>> {
    let list = git(directory, &["ls-files", "-z", "--others", "--exclude-standard"]);
    let mut names: Vec<Vec<u8>> =
        list.split(|b| *b == 0).filter(|n| !n.is_empty()).map(<[u8]>::to_vec).collect();
    names.sort();
    names
}

/// The paths that we hash, sorted.
fn our_files(directory: &Path, args: &[&str]) -> Vec<Vec<u8>> {
    let output = hashlanes(directory, ["sum", "-rz", "--gitignore"].iter().chain(args));
    assert!(output.status.success() && output.stderr.is_empty(), "{}", output.stderr.escape_ascii());
    paths(&output.stdout)
}

/// The paths of lines that end with NUL, sorted.
fn paths(lines: &[u8]) -> Vec<Vec<u8>> {
    let name = |line: &[u8]| line.get(66..).map(|name| name.strip_prefix(b"./").unwrap_or(name).to_vec());
    let mut names: Vec<Vec<u8>> = lines.split(|b| *b == 0).filter_map(name).collect();
    names.sort();
    names
}

/// Random trees with random rules at every level.
#[test]
fn gitignores_skip_the_files_that_git_skips() {
    if !git_is_here() {
        return;
    }
    const NAMES: [&str; 8] = ["a", "b", "ab", "x.o", "y.o", "build", ".hidden", "z z"];
    const RULES: [&str; 26] = [
        "a",
        "b/",
        "/a",
        "/ab/",
        "*.o",
        "!x.o",
        "!/a/",
        "build/",
        "build/*",
        "!build/a",
        "a/b",
        "**/ab",
        "a/**",
        "**/a/b",
        "[ab]",
        "?b",
        "z*",
        "z z  ",
        "z\\ z",
        "# a",
        ".*",
        "!.gitignore",
        "*",
        "!*/",
        "x.[!p]",
        "/**/x.o",
    ];
    let mut random = Random(11);
    for round in 0..60 {
        let scene = Scene::new();
        git(&scene.path, &["init", "-q"]);
        for _ in 0..30 {
            let parts: Vec<&str> = (0..1 + random.below(4)).map(|_| random.pick(&NAMES)).collect();
            let path = scene.join(&parts.join("/"));
            // A file where this wants a directory, or the other way round: the tree is random enough.
            if std::fs::create_dir_all(path.parent().unwrap()).is_ok() && !path.is_dir() {
                let _ = std::fs::write(path, b"");
            }
        }
        let mut rules = |path: &str| {
            let lines: Vec<&str> = (0..random.below(5)).map(|_| random.pick(&RULES)).collect();
            let path = scene.join(path);
            if path.parent().unwrap().is_dir() {
                std::fs::write(path, lines.join(["\n", "\r\n"][random.below(2)]) + "\n").unwrap();
            }
        };
        for path in [".git/info/exclude", ".gitignore", "a/.gitignore", "build/.gitignore", "a/b/.gitignore"]
        {
            rules(path);
        }
        assert_eq!(text(our_files(&scene.path, &["."])), text(gits_files(&scene.path)), "round {round}");
    }
}

/// Rules of every part of the syntax, one at a time: braces, classes, escapes, stars, blanks. Rules that git
/// silently ignores are reported; the walk is the same.
#[test]
fn rules_mean_what_they_mean_to_git() {
    if !git_is_here() {
        return;
    }
    const NAMES: [&str; 20] = [
        "a", "b", "ab", "ba", "aab", "A", "a b", "bb ", "[a]", "a*", "\\a", "b\\", "!a", "#a", ".a", "a.b",
        "{a,b}", "-", "^", "]",
    ];
    const PARTS: &str = r"a b * ** ? [ab] [!a] [^a] [a-b] []] [!] [a-] \a \ \* / / {a,b} { } ! # . - A
        [[:alpha:]] [![:punct:]] [a [ da [\a] [b-a]";
    let parts: Vec<&str> = PARTS.split_whitespace().chain([" ", "\\ ", "\t", "\r"]).collect();
    let scene = Scene::new();
    git(&scene.path, &["init", "-q"]);
    for name in NAMES {
        for directory in ["", "da/", "ba.d/ab/"] {
            scene.file(format!("{directory}{name}").as_bytes(), b"");
        }
    }
    let mut random = Random(12);
    for _ in 0..300 {
        let rule: String = (0..1 + random.below(5)).map(|_| random.pick(&parts)).collect();
        // Git takes two stars after plain characters for a whole component, contrary to its manual.
        if rule.contains("**") && rule.contains('/') {
            continue;
        }
        scene.file(b".gitignore", format!("{rule}\n").as_bytes());
        let output = sum(&scene, "-rz --gitignore .");
        let said = messages(&output);
        assert!(
            said.is_empty() || said.starts_with("hashlanes: ./.gitignore: line 1 is ignored: "),
            "{said}"
        );
        assert_eq!(text(paths(&output.stdout)), text(gits_files(&scene.path)), "{rule:?}");
    }
}

fn text(names: Vec<Vec<u8>>) -> Vec<String> {
    names.iter().map(|name| name.escape_ascii().to_string()).collect()
}

/// Awkward names; names of rules that are not UTF-8 are reported and do no harm.
#[test]
fn odd_names_in_a_repository() {
    if !git_is_here() {
        return;
    }
    let scene = Scene::new();
    git(&scene.path, &["init", "-q"]);
    for name in ODD_NAMES {
        scene.file(name, b"");
        scene.file(&[b"d/", name].concat(), b"");
    }
    scene.file(b".gitignore", "\u{feff}/*star\n\\#hash\n*é*\n grüße*\nquote'd\ngrü*\n/d/t*\n".as_bytes());
    assert_eq!(text(our_files(&scene.path, &["."])), text(gits_files(&scene.path)));
    scene.file(b".gitignore", b"plain\nlatin\xe9\n[za\n-dash\n");
    let output = sum(&scene, "-r --gitignore .");
    let said = messages(&output);
    assert!(said.starts_with("hashlanes: ./.gitignore: line 2 is ignored: not UTF-8\n"), "{said}");
    assert!(said.contains(": line 3 is ignored: ") && said.lines().count() == 2, "{said}");
    assert_eq!((names(&output).len(), output.status.code()), (2 * (ODD_NAMES.len() - 2) + 1, Some(0)));
}

/// Directories above an argument count, up to its repository; a nested repository is separate.
#[test]
fn repositories_and_their_parents() {
    let scene = Scene::new();
    for (name, content) in [
        (&b".ignore"[..], &b"everywhere\n"[..]),
        (b".gitignore", b"not-a-repository\n"),
        (b"r/.git/info/exclude", b"/excluded\n"),
        (b"r/.gitignore", b"/d/e/anchored\nfloating\n!whitelisted\n"),
        (b"r/.ignore", b"!both\n"),
        (b"r/d/.gitignore", b"both\n"),
        (b"r/inner/.git/HEAD", b""),
        (b"r/inner/.ignore", b"whitelisted\n"),
    ] {
        scene.file(name, content);
    }
    for name in ["anchored", "both", "everywhere", "excluded", "floating", "not-a-repository", "whitelisted"]
    {
        for directory in ["", "r/", "r/d/", "r/d/e/", "r/inner/"] {
            scene.file(format!("{directory}{name}").as_bytes(), b"");
        }
    }
    let found = |args: &str| -> String {
        let output = sum(&scene, &format!("-r --gitignore {args} --exclude .*ignore"));
        assert_eq!(messages(&output), "");
        names(&output).join(" ")
    };
    let e = "r/d/e/both r/d/e/excluded r/d/e/not-a-repository r/d/e/whitelisted";
    assert_eq!(found("r/d/e"), e);
    assert_eq!(found("r/d/e/"), e);
    assert_eq!(found("r/inner/../d/e").replace("inner/../", ""), e);
    assert_eq!(
        found(scene.join("r/d/e").to_str().unwrap()).replace(&format!("{}/", scene.path.display()), ""),
        e
    );
    assert_eq!(
        found("r/inner"),
        "r/inner/anchored r/inner/both r/inner/excluded r/inner/floating r/inner/not-a-repository"
    );
    let all = found(".");
    assert!(all.contains(&e.replace("r/d", "./r/d")) && all.contains("./not-a-repository"), "{all}");
    assert!(!all.contains(".git/") && !all.contains("./r/excluded"), "{all}");
    // An argument is always hashed, ignored or not.
    assert_eq!(found("r/floating everywhere"), "r/floating everywhere");
    scene.link("way-in", "r/d");
    assert_eq!(found("way-in/e"), e.replace("r/d", "way-in"));
}

/// The exclude file of a linked work tree is that of its repository.
#[test]
fn linked_work_trees() {
    if !git_is_here() {
        return;
    }
    let scene = Scene::new();
    scene.file(b"main/x", b"");
    let main = scene.join("main");
    git(&main, &["init", "-q"]);
    git(&main, &["add", "x"]);
    git(&main, &["commit", "-q", "-m", "x"]);
    git(&main, &["worktree", "add", "-q", "../linked", "-b", "other"]);
    scene.file(b"main/.git/info/exclude", b"left-out\n");
    scene.file(b"linked/left-out", b"");
    scene.file(b"linked/y", b"");
    assert_eq!(text(our_files(&scene.join("linked"), &["."])), ["x", "y"]);
    assert_eq!(text(gits_files(&scene.join("linked"))), ["y"]);
}

/// An ignore file that cannot be read is reported, with status 1: more is hashed than requested.
#[test]
fn unreadable_ignore_files() {
    let scene = Scene::new();
    scene.file(b"t/x", b"x");
    scene.file(b"t/.ignore", b"x\n");
    scene.file(b"long/.ignore", &b"x\n".repeat(200_000));
    scene.file(b"long/x", b"x");
    std::fs::create_dir_all(scene.join("d/.gitignore")).unwrap();
    scene.fifo("d/.ignore");
    scene.link("d/.git", "nowhere");
    std::fs::copy(OURS, scene.join("hashlanes")).unwrap();
    std::fs::set_permissions(&scene.path, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(scene.join("t/.ignore"), std::fs::Permissions::from_mode(0o000)).unwrap();
    let long = sum(&scene, "-r --gitignore --exclude .* long");
    assert_eq!(messages(&long), "hashlanes: long/.ignore: not heeded: longer than 256 KiB\n");
    assert_eq!((names(&long), long.status.code()), (vec!["long/x".into()], Some(1)));
    let none = sum(&scene, "-r --gitignore --exclude .* d");
    assert_eq!((messages(&none), none.status.code()), (String::new(), Some(0)));
    let mut words: Vec<OsString> = Vec::new();
    if rustix::process::geteuid().is_root() {
        let setpriv = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
        words.extend(setpriv.map(OsString::from));
    }
    words.extend(["./hashlanes", "sum", "-r", "--gitignore", "--exclude", ".*", "t"].map(OsString::from));
    let ours = feed(Command::new(&words[0]).args(&words[1..]).current_dir(&scene.path), b"");
    assert_eq!(messages(&ours), "hashlanes: t/.ignore: cannot read: Permission denied\n");
    assert_eq!((names(&ours), ours.status.code()), (vec!["t/x".into()], Some(1)));
}

/// Globs of the command line: exclusion wins, a directory is selected with its content, arguments are kept.
#[test]
fn globs_of_the_command_line() {
    let scene = Scene::new();
    for name in ["a.o", "b.c", "src/a.o", "src/b.c", "src/deep/c.c", "src/deep/src/d.h", ".h/x", "lib/e.c"] {
        scene.file(format!("t/{name}").as_bytes(), b"");
    }
    for (args, expected) in [
        ("--exclude *.o", ".h/x b.c lib/e.c src/b.c src/deep/c.c src/deep/src/d.h"),
        ("--exclude .*", "a.o b.c lib/e.c src/a.o src/b.c src/deep/c.c src/deep/src/d.h"),
        ("--exclude /src", ".h/x a.o b.c lib/e.c"),
        ("--exclude src/deep/", ".h/x a.o b.c lib/e.c src/a.o src/b.c"),
        ("--exclude a.o/ --exclude b.?", ".h/x a.o lib/e.c src/a.o src/deep/c.c src/deep/src/d.h"),
        ("--include *.c", "b.c lib/e.c src/b.c src/deep/c.c"),
        ("--include *.c --include *.o --exclude deep", "a.o b.c lib/e.c src/a.o src/b.c"),
        ("--exclude *.c --include *.c", ""),
        ("--include src/", "src/a.o src/b.c src/deep/c.c src/deep/src/d.h"),
        ("--include /src/deep --exclude *.h", "src/deep/c.c"),
        ("--include deep/src", ""),
        ("--include **/deep/src", "src/deep/src/d.h"),
    ] {
        for argument in ["t", "t/", "./t"] {
            let output = sum(&scene, &format!("-r {args} {argument}"));
            assert!(output.status.success() && output.stderr.is_empty(), "{args}");
            let prefix = format!("{}/", argument.trim_end_matches('/'));
            let found: Vec<String> =
                names(&output).iter().map(|name| name.strip_prefix(&prefix).unwrap().into()).collect();
            assert_eq!(found.join(" "), expected, "{args} {argument}");
        }
    }
    let named = sum(&scene, "-r --exclude * t/a.o t");
    assert_eq!(names(&named), ["t/a.o"]);
    // Skipped files are not reported, either.
    scene.fifo("t/pipe");
    assert_eq!(messages(&sum(&scene, "-r --exclude pipe t")), "");
    assert_eq!(messages(&sum(&scene, "-r --include *.c t")), "");
}

#[test]
fn globs_and_odd_names() {
    let scene = Scene::new();
    for name in ODD_NAMES {
        scene.file(&[b"t/", name].concat(), b"");
    }
    let count = |globs: &[&[u8]]| {
        let globs = globs.iter().map(|glob| os(&[b"--exclude=", *glob].concat()));
        let output = hashlanes(&scene.path, ["sum", "-rz", "t"].map(OsString::from).into_iter().chain(globs));
        assert!(output.status.success(), "{}", output.stderr.escape_ascii());
        output.stdout.iter().filter(|b| **b == 0).count()
    };
    let all = ODD_NAMES.len();
    for glob in [
        &b"new\nline"[..],
        b"\n",
        b" leading blank",
        b"trailing blank ",
        b"#hash",
        b"[*]star",
        b"back\\\\slash",
        b"end\r",
        b"--status",
        b"[{]",
        "grüße 漢字".as_bytes(),
        b"bell*",
        b"latin?",
    ] {
        assert_eq!(count(&[glob]), all - 1, "{}", glob.escape_ascii());
    }
    assert_eq!(count(&[b"*"]), 0);
    assert_eq!(count(&[b"\\!x", b"#"]), all);
}
