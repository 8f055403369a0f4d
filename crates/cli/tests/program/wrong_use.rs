//! Wrong use of `hashlanes` itself: a clear error and status 2; a kernel that is not there likewise.

use std::process::Command;

use crate::scene::Scene;
use crate::side_by_side::{OURS, hashlanes};

#[test]
fn wrong_command_lines() {
    let scene = Scene::new();
    for args in [
        &[][..],
        &["nonsense"],
        &["sum", "--nonsense"],
        &["sum", "-a", "whirlpool", "x"],
        &["sum", "-j", "0", "x"],
        &["sum", "-j", "many", "x"],
        &["sum", "-r", "-c", "x"],
        &["sum", "--io=fast", "x"],
    ] {
        let output = hashlanes(&scene.path, args.iter().copied());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}");
    }
    let named = hashlanes(&scene.path, ["sum", "-a", "whirlpool", "x"]);
    let words = String::from_utf8(named.stderr).unwrap();
    assert!(words.contains("whirlpool") && words.contains("sha512-256"), "{words}");
}

/// An option without the one that it needs is refused, whatever else is given; nothing is done.
#[test]
fn options_without_those_that_they_need() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let list = hashlanes(&scene.path, ["sum", "x"]).stdout;
    scene.file(b"list", &list);
    for (option, needed) in [
        ("-C .", "--directory is for --check and --update"),
        ("--json", "--json is for --check"),
        ("--accept-changes", "--accept-changes is for --update"),
        ("--resume", "--resume is for --output FILE"),
        ("--quiet", "--quiet option is meaningful only when verifying"),
        ("--strict", "--strict option is meaningful only when verifying"),
    ] {
        for rest in ["x", "-r .", "--no-names x", "--files0-from list", "--update list", "-c list"] {
            let stands_right = match rest {
                "-c list" => !["--accept-changes", "--resume"].contains(&option),
                "--update list" => ["-C .", "--accept-changes"].contains(&option),
                _ => false,
            };
            if stands_right || (rest, option) == ("--no-names x", "--resume") {
                continue;
            }
            let args = format!("sum {option} {rest}");
            let output = hashlanes(&scene.path, args.split(' '));
            let words = String::from_utf8(output.stderr).unwrap();
            let status = if needed.contains("verifying") { 1 } else { 2 };
            assert_eq!((output.stdout.len(), output.status.code()), (0, Some(status)), "{args}: {words}");
            assert!(words.contains(needed), "{args}: {words}");
            assert_eq!(std::fs::read(scene.join("list")).unwrap(), list, "{args}");
        }
    }
}

/// A forced kernel with an unknown name: status 2, the known names, and nothing is hashed, under every name
/// of the program.
#[test]
fn a_kernel_that_does_not_exist() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    for args in [&["sum", "x"][..], &["sha256sum", "x"], &["sha1sum", "--help"]] {
        let output = Command::new(OURS)
            .args(args)
            .current_dir(&scene.path)
            .env("HASHLANES_SHA256_KERNEL", "bad")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(
            words.starts_with("hashlanes: ") && words.contains("bad") && words.contains("scalar"),
            "{words}"
        );
    }
}

/// A variable that is misspelt would force nothing, silently.
#[test]
fn a_variable_that_does_not_exist() {
    let scene = Scene::new();
    for name in ["HASHLANES_SHA265_KERNEL", "HASHLANES_KERNEL", "HASHLANES_SHA384_KERNEL"] {
        let output =
            Command::new(OURS).arg("sum").current_dir(&scene.path).env(name, "scalar").output().unwrap();
        assert_eq!((output.stdout.len(), output.status.code()), (0, Some(2)));
        let words = String::from_utf8(output.stderr).unwrap();
        let expected = format!(
            "hashlanes: {name}: unknown variable; expected one of HASHLANES_SHA1_KERNEL, HASHLANES_SHA256"
        );
        assert!(words.starts_with(&expected), "{words}");
    }
}

/// A kernel whose features the CPU lacks, or are masked as here, is also refused.
#[test]
fn a_kernel_that_the_cpu_lacks() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let output = Command::new(OURS)
        .args(["sum", "x"])
        .current_dir(&scene.path)
        .env("HASHLANES_DISABLE", "avx512f")
        .env("HASHLANES_SHA256_KERNEL", "avx512-x16")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.starts_with("hashlanes: ") && words.contains("avx512-x16"), "{words}");
}

/// The program runs on any available kernel; an option may come twice.
#[test]
fn a_forced_kernel_and_repeated_options() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let expected = hashlanes(&scene.path, ["sum", "--tag", "x"]).stdout;
    let forced = Command::new(OURS)
        .args(["sum", "--tag", "-a", "sha1", "-z", "-a", "sha256", "--tag", "-z", "x"])
        .current_dir(&scene.path)
        .env("HASHLANES_SHA256_KERNEL", "scalar")
        .output()
        .unwrap();
    assert!(forced.status.success());
    assert_eq!([&forced.stdout[..forced.stdout.len() - 1], b"\n"].concat(), expected);
}
