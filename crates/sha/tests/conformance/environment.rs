//! The variables by which a user forces, masks and requires kernels; each case is a child process.

use std::collections::BTreeSet;

use hashlanes_isa::Function;
use hashlanes_sha::{keccak, kernels, sha1, sha256, sha512};

use crate::child::{self, run};
use crate::hashes::{Tested, each_function};
use crate::suite::Suite;

const DISABLE: &str = "HASHLANES_DISABLE";

pub(crate) fn add(suite: &mut Suite) {
    each_function!(F => {
        suite.one(F::NAME, "an unknown kernel", unknown_kernel::<F>);
        suite.one(F::NAME, "a forced kernel", forced_kernels::<F>);
        suite.one(F::NAME, "kernels that the CPU lacks", kernels_the_cpu_lacks::<F>);
    });
    suite.one("keccak", "kernels by name", keccaks_kernels);
    suite.one("all", "an unknown feature", unknown_feature);
    suite.one("all", "masks", masks);
    suite.one("all", "HASHLANES_REQUIRE", require);
    suite.one("all", "HASHLANES_TEST_REPORT", report);
}

/// The names that this CPU has, as errors list them.
fn available<F: Tested>() -> String {
    let names: Vec<&str> = F::kernels().map(|kernel| kernel.name()).collect();
    format!("expected one of {}", names.join(", "))
}

/// `check_env` reports `parts`; hashing panics with the same text.
#[track_caller]
fn refused<F: Tested>(variables: &[(&str, &str)], parts: &[&str]) {
    refused_by(F::NAME, variables, parts);
}

#[track_caller]
fn refused_by(hash: &str, variables: &[(&str, &str)], parts: &[&str]) {
    let text = child::output(&format!("refused {hash}"), variables);
    let (text, panic) = text.split_once(child::PANIC).unwrap_or_else(|| panic!("{variables:?}: {text:?}"));
    for part in parts {
        assert!(text.contains(part), "{variables:?}: {part:?} is not in {text:?}");
    }
    assert!(panic.contains(text.trim_end()), "{variables:?}: {text:?} is not in {panic:?}");
}

fn unknown_kernel<F: Tested>() {
    for name in ["sse-x4711", "avx2_x8", "SCALAR", "", "scalar "] {
        let what = format!("unknown {} kernel {name:?}", F::NAME);
        refused::<F>(&[(F::KERNEL_VARIABLE, name)], &[F::KERNEL_VARIABLE, &what, &available::<F>()]);
        let error = F::table().named(name).expect_err("no such kernel").to_string();
        assert!(error.starts_with(&what) && error.ends_with(&available::<F>()), "{error}");
    }
}

fn forced_kernels<F: Tested>() {
    for kernel in F::kernels() {
        let forced = [(F::KERNEL_VARIABLE, kernel.name())];
        assert_eq!(child::output("check_env", &forced), "ok\n", "{forced:?}");
    }
    // Variables of other hashes do not affect this one.
    let others = child::FORCING.into_iter().filter(|name| *name != F::KERNEL_VARIABLE);
    for other in others {
        child::output(&format!("digest {}", F::NAME), &[(other, "no-such-kernel")]);
    }
}

/// A row of those that need the same features, on a CPU from which one of them was taken: each case is a
/// process, which an emulator is slow to start.
fn kernels_the_cpu_lacks<F: Tested>() {
    let mut known: Vec<&[&str]> = Vec::new();
    for row in F::table().rows() {
        assert_eq!(F::table().named(row.name).is_ok(), row.supported, "{}", row.name);
        if known.contains(&row.features) {
            continue;
        }
        known.push(row.features);
        for feature in row.features {
            let lacks = format!(
                "this CPU (less what HASHLANES_DISABLE masks) cannot run the {} kernel {}: it lacks ",
                F::NAME,
                row.name
            );
            refused::<F>(
                &[(F::KERNEL_VARIABLE, row.name), (DISABLE, feature)],
                &[&lacks, feature, "expected one of ", "scalar"],
            );
        }
        if !row.supported {
            refused::<F>(&[(F::KERNEL_VARIABLE, row.name)], &["this CPU", "cannot run", &available::<F>()]);
        }
    }
}

/// Keccak's table reads its variable as the others do.
fn keccaks_kernels() {
    let variable = keccak::KERNEL_VARIABLE;
    for kernel in keccak::kernels() {
        assert_eq!(child::output("check_env", &[(variable, kernel.name())]), "ok\n");
    }
    let there_is = keccak::kernels().map(|kernel| kernel.name()).collect::<Vec<_>>().join(", ");
    let unknown = "unknown keccak kernel \"sse-x4711\"";
    refused_by("keccak", &[(variable, "sse-x4711")], &[variable, unknown, &there_is]);
    for row in keccak::table().rows() {
        assert_eq!(keccak::table().named(row.name).is_ok(), row.supported, "{}", row.name);
        for feature in row.features {
            let lacks = format!("cannot run the keccak kernel {}: it lacks ", row.name);
            refused_by("keccak", &[(variable, row.name), (DISABLE, feature)], &[&lacks, feature]);
        }
    }
}

fn unknown_feature() {
    // The first unknown name is reported: `avx2` on CPUs other than x86-64.
    let (known, unknown) = match std::env::consts::ARCH {
        "x86_64" => ("avx2", "avx1024"),
        "aarch64" => ("sha2", "sha4"),
        _ => ("", "avx2"),
    };
    for list in [unknown.to_owned(), format!("{known},{unknown}"), known.to_uppercase(), format!(" {known}")]
    {
        let Some(unknown) = list.split(',').find(|name| !name.is_empty() && *name != known) else { continue };
        let named = format!("HASHLANES_DISABLE: unknown CPU feature {unknown:?}");
        let there_is = format!("expected one of {known}");
        let known = if known.is_empty() { &there_is } else { known };
        refused::<sha1::Compression>(&[(DISABLE, &list)], &[&named, known]);
        refused::<sha256::Compression>(&[(DISABLE, &list)], &[&named, known]);
        refused::<sha512::Compression>(&[(DISABLE, &list)], &[&named, known]);
    }
    assert_eq!(child::output("check_env", &[(DISABLE, "")]), "ok\n");
}

/// The rows that a mask disables: those that need the feature, and those that need one that requires it.
fn masks() {
    /// A feature and how the names of features begin that rest on it.
    #[cfg(target_arch = "x86_64")]
    const GONE: &[(&str, &[&str])] = &[
        ("sha", &["sha"]),
        ("avx512vl", &["avx512vl"]),
        ("avx512bw", &["avx512bw"]),
        ("avx512f", &["avx512"]),
        ("avx2", &["avx2", "avx512", "vaes"]),
        ("avx", &["avx", "vaes"]),
        ("ssse3", &["ssse3", "sse4.1", "avx", "vaes"]),
        ("sha,avx2", &["sha", "avx2", "avx512", "vaes"]),
        ("", &[]),
    ];
    #[cfg(target_arch = "aarch64")]
    const GONE: &[(&str, &[&str])] = &[
        ("sha3", &["sha3"]),
        ("sha2", &["sha2", "sha3"]),
        ("aes", &["aes"]),
        ("neon", &["neon", "aes", "sha2", "sha3"]),
        ("", &[]),
    ];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    const GONE: &[(&str, &[&str])] = &[("", &[])];
    let rows: Vec<(&str, kernels::Row)> = kernels::every_row().collect();
    // Masks that this process has already stay.
    let inherited = std::env::var(DISABLE).unwrap_or_default();
    for (mask, gone) in GONE {
        // "sha" is a feature, the others are how several begin.
        let is_gone = |feature: &str| {
            gone.iter().any(|gone| feature == *gone || *gone != "sha" && feature.starts_with(gone))
        };
        let expected: BTreeSet<String> = rows
            .iter()
            .filter(|(_, row)| row.supported && !row.features.iter().any(|feature| is_gone(feature)))
            .map(|(hash, row)| format!("{hash} {}", row.name))
            .collect();
        let got = child::output("kernels", &[(DISABLE, &format!("{inherited},{mask}"))]);
        let got: BTreeSet<String> = got.lines().map(str::to_owned).collect();
        assert_eq!(got, expected, "{DISABLE}={mask}");
    }
}

/// This program run on one small test.
const SMALL: [&str; 2] = ["--exact", "verbs::sha256::scalar::rounds"];

/// A kernel that is required must be known and must have run.
fn require() {
    let required = |list: &str| {
        let output = run(&SMALL, &[("HASHLANES_REQUIRE", list)]);
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for list in ["", "sha256:scalar", ",sha256:scalar,"] {
        assert!(required(list).0, "{list}: {}", required(list).1);
    }
    let (passed, text) = required("sha256:scalar,sha256:no-such");
    assert!(!passed && text.contains("unknown kernel \"sha256:no-such\"; expected one of sha1:"), "{text}");
    let (passed, text) = required("scalar");
    assert!(!passed && text.contains("unknown kernel \"scalar\""), "{text}");
    let (passed, text) = required("sha1:scalar");
    assert!(!passed && text.contains("sha1:scalar did not run: skipped filtered out"), "{text}");
    if let Some(row) = sha256::Compression::table().rows().find(|row| !row.features.is_empty()) {
        let wish = format!("sha256:{}", row.name);
        let output = run(
            &["--exact", &format!("verbs::sha256::{}::rounds", row.name)],
            &[("HASHLANES_REQUIRE", &wish), (DISABLE, row.features[0])],
        );
        let text = String::from_utf8_lossy(&output.stderr);
        let reason = format!("{wish} did not run: skipped lacks {}", row.features[0]);
        assert!(!output.status.success() && text.contains(&reason), "{text}");
    }
}

/// A line a row, appended.
fn report() {
    let path = std::env::temp_dir().join(format!("hashlanes-report-{}", std::process::id()));
    let name = path.to_str().expect("a temporary folder whose name is UTF-8");
    for runs in 1..=2 {
        let output = run(&SMALL, &[("HASHLANES_TEST_REPORT", name)]);
        assert!(output.status.success(), "{output:?}");
        let text = std::fs::read_to_string(&path).expect("the report");
        let n_rows = kernels::every_row().count();
        assert_eq!(text.lines().count(), runs * n_rows, "{text}");
        let ran: Vec<&str> = text.lines().filter(|line| line.ends_with("ran 1 tests")).collect();
        assert!(ran.len() == runs && ran[0].starts_with("sha256 scalar "), "{text}");
    }
    std::fs::remove_file(&path).expect("the report was there");
}
