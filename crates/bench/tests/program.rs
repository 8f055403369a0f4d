//! The program from outside. Nothing here depends on a speed: machines under test are slow, shared and
//! interrupted.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Hardly any samples, because the tests check the output, not the figures.
const QUICK: [&str; 6] = ["--samples", "2", "--sample", "0.05", "--patience", "1"];

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hashlanes-bench"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

/// Returns the output of a successful run.
fn shown(arguments: &[&str]) -> String {
    let output = run(&[arguments, &QUICK[..]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The output of a comparison without rivals, which is a failure.
fn shown_alone(arguments: &[&str]) -> String {
    let output = run(&[arguments, &QUICK[..]].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(1) && told.contains("nobody to compare with"),
        "{arguments:?}: {told}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the error message of a failing run.
fn error(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success(), "{arguments:?} should fail");
    String::from_utf8(output.stderr).unwrap()
}

/// Returns an empty folder for this test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn all_contestants_are_listed_with_install_commands() {
    let output = run(&["list"]);
    let list = String::from_utf8(output.stdout).unwrap();
    let rivals = "hashlanes sha1 sha2 sha3 tiny-keccak keccak-asm ring tape-sha256 hashtree-rs libcrypto libipsec-mb aws-lc-rs graviola \
                  openssl libgcrypt blake3 k12 blake-hash groestl jh skein botan";
    for name in rivals.split_whitespace() {
        let line = list.lines().find(|line| line.split_whitespace().next() == Some(name));
        let line = line.unwrap_or_else(|| panic!("{name} is not in\n{list}"));
        if line.contains("NOT INSTALLED") {
            assert!(line.contains("apt-get install") || line.contains("--features"), "{line}");
        }
    }
    assert!(list.contains("hashlanes:KERNEL for sha256"));
}

#[test]
fn two_are_compared_on_every_shape() {
    for work in [
        "sha256:64",
        "sha256:3x100",
        "sha256:4x4K/4K",
        "sha256:random:20x300",
        "sha256:fixed:40x64",
        "sha256:fixed:40x32",
        "sha256:rows:50x20",
        "sha256:rows-hex:50x20",
        "sha256:lanes:16x1K",
        "sha1:5x200",
        "sha512:64",
        "sha512-256:4x100",
        "sha384:200",
        "sha224:2x64",
    ] {
        let text = shown(&["compare", "hashlanes", "libcrypto:context", "ring", "sha2", "sha1", "-w", work]);
        assert!(text.contains(work) && text.contains("hashlanes ["), "{text}");
        assert!(!text.contains("WRONG"), "{text}");
        assert!(text.lines().any(|line| line.contains("hashlanes / ")), "{work}: {text}");
    }
}

#[test]
fn every_rival_gives_our_digests() {
    let rivals = [
        "tape-sha256",
        "hashtree-rs",
        "libcrypto",
        "libipsec-mb",
        "libipsec-mb:sha-ni",
        "libipsec-mb:avx512",
        "libipsec-mb:avx2",
        "libipsec-mb:sse",
        "libgcrypt",
        "aws-lc-rs",
        "graviola",
        "openssl",
    ];
    let works = [
        "sha256:33x200",
        "sha256:fixed:33x64",
        "sha256:1000",
        "sha1:9x300",
        "sha512:9x300",
        "sha256:rows:99x20",
    ];
    let mut arguments = vec!["compare", "hashlanes"];
    arguments.extend(rivals);
    works.iter().for_each(|work| arguments.extend(["-w", work]));
    let text = shown(&arguments);
    assert!(!text.contains("WRONG"), "{text}");
    for rival in rivals {
        assert!(text.contains(rival), "{rival}: measured, or told why not:\n{text}");
    }
}

#[test]
fn other_hashes_are_measured_next_to_ours() {
    let text = shown(&[
        "compare",
        "hashlanes",
        "blake3=blake3:8K",
        "k12=kt128:8K",
        "sha3=sha3-256:8K",
        "-w",
        "sha256:8K",
    ]);
    for pair in ["hashlanes / blake3", "hashlanes / k12", "hashlanes / sha3"] {
        assert!(text.contains(pair), "{text}");
    }
    let text = shown_alone(&["compare", "hashlanes", "blake3", "-w", "sha256:8K"]);
    assert!(text.contains("blake3: not applicable: has no sha256"), "{text}");
}

#[test]
fn tree_modes_are_measured_with_other_functions() {
    for mode in [
        "jlanes-v1-sha256-16",
        "jlanes-v1s-sha1-4",
        "jpointers-v1-sha384-8",
        "jpointers-v1n-sha512-3",
        "mh_sha1",
        "mh_sha256",
        "parallel_hash",
    ] {
        for shape in ["2000", "3x1000"] {
            let work = format!("{mode}:{shape}");
            let text =
                shown(&["compare", "hashlanes", "hashlanes:scalar", "blake3=blake3:2000", "-w", &work]);
            assert!(text.contains("hashlanes / hashlanes:scalar = "), "{text}");
            assert!(text.contains("hashlanes / blake3=blake3:2000 = "), "{text}");
            assert!(!text.contains("WRONG"), "{text}");
        }
    }
    // Alongside itself, by another function.
    let text = shown(&["compare", "hashlanes", "hashlanes=sha256:2000", "-w", "jpointers-v1-sha256-16:2000"]);
    assert!(text.contains("hashlanes / hashlanes=sha256:2000 = "), "{text}");
    // Rivals without such a mode, and messages that a mode does not support.
    let text = shown_alone(&["compare", "hashlanes", "ring", "-w", "mh_sha1:100"]);
    assert!(text.contains("ring: not applicable: has no mh_sha1"), "{text}");
    let text = shown_alone(&["compare", "hashlanes", "hashlanes=sha256:887", "-w", "parallel_hash:887"]);
    assert!(text.contains("the function is defined from 888 bytes on"), "{text}");
}

#[test]
fn signatures_are_made_and_verified_on_every_kernel() {
    for work in [
        "XMSSMT-SHA2_20/4_256:keygen",
        "XMSSMT-SHA2_20/4_256:sign",
        "XMSSMT-SHA2_20/4_256:sign-checked",
        "XMSS-SHA2_20_256:verify",
        "XMSSMT-SHA2_60/12_512:verify",
        "XMSSMT-SHA2_20/4_192:verify-many:3",
    ] {
        let kernel = if work.contains("_512") { "hashlanes:avx2-x4" } else { "hashlanes:avx2-x8" };
        let text = shown(&["compare", "hashlanes", "hashlanes:scalar", kernel, "botan", "-w", work]);
        assert!(text.contains("hashlanes / hashlanes:scalar = ") && !text.contains("WRONG"), "{text}");
        // With the command that installs a missing rival, or with a ratio.
        assert!(text.contains("botan: not ") || text.contains("hashlanes / botan = "), "{text}");
    }
    // A key that no other implementation published: a known one is requested.
    let text = shown_alone(&["compare", "hashlanes", "ring", "-w", "XMSSMT-SHA2_60/12_192:keygen"]);
    assert!(text.contains("ring: not applicable: has no XMSSMT-SHA2_60/12_192"), "{text}");
    let text = shown_alone(&["compare", "hashlanes", "ring", "-w", "XMSSMT-SHAKE_20/4_256:sign"]);
    assert!(text.contains("hashlanes: not applicable: XMSSMT-SHAKE_20/4_256: sets over SHAKE"), "{text}");
}

#[test]
fn a_wrong_digest_is_reported_and_not_ranked() {
    for (work, name, label) in [
        ("sha256:64", "sha2", "sha2"),
        ("sha256:20x100", "sha2", "sha2"),
        ("blake3:100", "blake3", "blake3=blake3:100"),
        ("mh_sha256:100", "hashlanes", "hashlanes=mh_sha256:100"),
        ("XMSSMT-SHA2_20/4_256:keygen", "hashlanes", "hashlanes=XMSSMT-SHA2_20/4_256:keygen"),
        ("XMSSMT-SHA2_20/4_256:sign", "hashlanes", "hashlanes=XMSSMT-SHA2_20/4_256:sign"),
        ("XMSS-SHA2_10_256:verify", "hashlanes", "hashlanes=XMSS-SHA2_10_256:verify"),
    ] {
        let other = "ring=sha256:64";
        let text = shown_alone(&["compare", other, &format!("{name}={work}"), "--fault", name]);
        assert!(text.contains(&format!("{label}: WRONG RESULT, not ranked")), "{text}");
        assert!(text.contains("ring [") && !text.contains(" / sha") && !text.contains(" / blake3"), "{text}");
    }
    let text = shown(&["targets", "one message of 64 B, whole call", "--fault", "hashlanes"]);
    assert!(text.contains("WRONG"), "{text}");
}

#[test]
fn a_known_loop_is_counted_exactly() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return;
    }
    for (n, instructions) in [("1", 3), ("2", 5), ("1000", 2001)] {
        let output = run(&["count", "--known-loop", n]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(text.trim(), format!("{instructions} instructions; {instructions} expected"));
    }
    let count = || String::from_utf8(run(&["count", "hashlanes", "-w", "sha256:64"]).stdout).unwrap();
    let text = count();
    assert!(text.contains("hashlanes") && text.contains("sha256:64"), "{text}");
    assert_eq!(text, count(), "the same every time");
    let output = run(&["count", "hashlanes:scalar", "-w", "jlanes-v1-sha256-4:256"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().any(|line| line.starts_with("jlanes-v1-sha256-4:256  hashlanes:scalar")), "{text}");
}

#[test]
fn targets_rank_and_sweep_show_their_tables() {
    let text = shown(&["targets", "of 64 B, whole"]);
    assert!(text.contains("sha256: one message of 64 B, whole call") && text.contains("wanted"), "{text}");
    assert!(
        text.contains("aws-lc-rs: measured in 0 rows; 2 × not installed: cargo build")
            || text.contains("aws-lc-rs: measured in 2")
    );

    let text = shown(&["rank", "sha512", "--len", "1K"]);
    assert!(text.contains("the choice by number of live messages: 1"), "{text}");
    assert!(text.contains("scalar"), "{text}");

    let svg = folder("sweep").join("sweep.svg");
    let text = shown(&[
        "sweep",
        "hashlanes",
        "sha2",
        "--messages",
        "1,4,16",
        "--len",
        "64,1K",
        "--svg",
        svg.to_str().unwrap(),
    ]);
    assert!(text.contains("messages") && text.contains("1K"), "{text}");
    assert!(std::fs::read_to_string(svg).unwrap().ends_with("</svg>\n"));
}

#[test]
fn speed_is_in_thousands_of_bytes() {
    let text = shown(&["speed", "hashlanes", "sha2", "--sizes", "16,64", "--seconds", "0.002"]);
    assert!(text.contains("1000s of bytes per second") && text.contains("16 bytes"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("sha2") && line.ends_with('k')), "{text}");
}

#[test]
fn a_figure_is_shown_and_drawn() {
    let out = folder("figures");
    let text = shown(&["figure", "gueron-2014-s-hash", "--allow-noise", "--out", out.to_str().unwrap()]);
    assert!(text.contains("paper (Haswell)") && text.contains("7.8"), "{text}");
    let svg = std::fs::read_to_string(out.join("gueron-2014-s-hash.svg")).unwrap();
    assert!(svg.contains("n = 16: hashlanes:avx512-x16"), "{svg}");
    assert!(shown(&["figure"]).contains("faz-hernandez-2018-xmss-signing"));
}

#[test]
fn noise_is_left_out_of_figures_and_fails_them() {
    let out = folder("noise");
    // No probe is as fast as this.
    let options = ["--samples", "5", "--sample", "0.05", "--patience", "1", "--tolerance=-0.9"];
    let figure = |more: &[&str]| {
        let named =
            ["figure", "guilford-yap-gopal-2012-fast-sha256", "--quick", "--out", out.to_str().unwrap()];
        run(&[&named, &options[..], more].concat())
    };
    let (failed, shown) = (figure(&[]), figure(&["--allow-noise"]));
    let told = String::from_utf8_lossy(&failed.stderr);
    assert_eq!(failed.status.code(), Some(1), "{told}");
    assert!(
        told.contains("too few samples passed the noise gate") && told.contains("--allow-noise"),
        "{told}"
    );
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    let svg = std::fs::read_to_string(out.join("guilford-yap-gopal-2012-fast-sha256.svg")).unwrap();
    assert!(svg.contains("NOISE: of "), "{svg}");
}

#[test]
fn a_figure_of_signatures_marks_estimates() {
    let out = folder("signatures");
    let text = shown(&[
        "figure",
        "faz-hernandez-2018-xmss-signing",
        "--quick",
        "--allow-noise",
        "--out",
        out.to_str().unwrap(),
    ]);
    let row = text.lines().find(|line| line.starts_with("hashlanes:avx2-x8 ")).unwrap();
    assert!(row.contains("≈") && row.contains("19.56") && row.ends_with("XMSS-SHA2_10_256"), "{text}");
    assert!(!text.contains("WRONG"), "{text}");
}

/// Eleven sets on six kernels: 10 s.
#[test]
#[ignore = "long: cargo xtask test --slow"]
fn the_table_of_signatures_is_shown_and_drawn() {
    let out = folder("signatures-table");
    let text = shown(&[
        "figure",
        "faz-hernandez-2018-xmss-by-kernel",
        "--quick",
        "--allow-noise",
        "--out",
        out.to_str().unwrap(),
    ]);
    let squeezed: Vec<String> =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let row = |start: &str| squeezed.iter().find(|line| line.starts_with(start)).unwrap();
    assert!(
        row("XMSS-SHA2_20_256 ").contains("≈") && row("XMSS-SHA2_20_256 ").contains("key generation: 20/4")
    );
    assert!(!row("XMSSMT-SHA2_20/4_256 ").contains("≈"), "{text}");
    assert!(row("XMSS-SHA2_20_256 hashlanes:sse-x4 ").contains("1.720") && !text.contains("WRONG"), "{text}");
    let svg = std::fs::read_to_string(out.join("faz-hernandez-2018-xmss-by-kernel.svg")).unwrap();
    assert!(svg.contains("key generation, XMSSMT-SHA2_60/6_256: times as fast as scalar"), "{svg}");
}

#[test]
fn quick_figures_stand_in_the_order_of_the_papers() {
    let out = folder("quick");
    let text = shown(&[
        "figure",
        "gueron-krasnov-2012-sha3-finalists",
        "gueron-krasnov-2012-openssl-speed",
        "--quick",
        "--allow-noise",
        "--out",
        out.to_str().unwrap(),
    ]);
    let (fig4, fig7) = (
        text.find("gueron-krasnov-2012-openssl-speed: SHA-256").unwrap(),
        text.find("gueron-krasnov-2012-sha3-finalists: SHA-256").unwrap(),
    );
    assert!(fig4 < fig7 && !text.contains("WRONG"), "{text}");
    assert!(text.contains("8192 bytes") && text.contains("keccak-512"), "{text}");
    let fig4 = std::fs::read_to_string(out.join("gueron-krasnov-2012-openssl-speed.svg")).unwrap();
    assert!(fig4.contains("short runs") && fig4.contains("1000s of bytes per second"), "{fig4}");
}

/// One of them, with 21 lengths up to 16 MiB; the others use the same code.
#[test]
#[ignore = "long: cargo xtask test --slow"]
fn a_figure_of_trees_is_shown_and_drawn() {
    let out = folder("trees");
    let text = shown(&["figure", "gueron-2014-j-pointers", "--allow-noise", "--out", out.to_str().unwrap()]);
    for row in
        ["j-lanes, j = 16", "serial, sha-ni", "BLAKE3", "KT128", "j-pointers, j = 4: % more than j-lanes"]
    {
        assert!(text.lines().any(|line| line.starts_with(row)), "{row}: {text}");
    }
    assert!(text.contains("beats serial, scalar") && text.contains("16M"), "{text}");
    let svg = std::fs::read_to_string(out.join("gueron-2014-j-pointers.svg")).unwrap();
    assert!(svg.contains("% more than j-lanes"), "{svg}");
}

#[test]
fn a_record_holds_every_process_and_sample() {
    let record = folder("record");
    let text = shown(&[
        "compare",
        "hashlanes",
        "sha2",
        "hashtree-rs",
        "-w",
        "sha256:64",
        "--process",
        "2",
        &format!("--record={}", record.display()),
    ]);
    assert!(text.contains("hashlanes / sha2"), "{text}");

    let cpu = std::fs::read_dir(&record).unwrap().next().unwrap().unwrap().path();
    let file = std::fs::read_dir(&cpu).unwrap().next().unwrap().unwrap().path();
    assert_eq!(file.extension().unwrap(), "ndjson");
    let lines = std::fs::read_to_string(file).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["kind"], &lines[0]["schema"]), (&"session".into(), &1.into()));
    assert!(lines[0]["environment"]["cpu"].is_string() && lines[0]["commit"].is_string());
    assert!(!lines[0]["arguments"].as_str().unwrap().contains("record"));
    let outcomes: Vec<_> = lines.iter().filter(|line| line["kind"] == "outcome").collect();
    let processes: Vec<_> = outcomes.iter().map(|o| o["process"].as_u64().unwrap()).collect();
    assert_eq!(processes, [0, 0, 1, 1]);
    for outcome in outcomes {
        let samples = &outcome["samples"];
        let n = samples["verdict"].as_str().unwrap().len();
        assert!(n >= 2 && samples["ns"].as_array().unwrap().len() == n, "{outcome}");
        assert_eq!(outcome["footprint"]["bytes"], 64);
    }
    let absent: Vec<_> = lines.iter().filter(|line| line["kind"] == "absent").collect();
    assert_eq!(absent.len(), 2, "hashtree-rs, in each process");
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_results() {
    let mut command = program(&["compare", "sha2", "ring", "-w", "sha256:64", "-w", "sha256:128"]);
    command.args(["--samples", "1000000", "--patience", "1"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    // Long enough for the first turns on a slow machine, short compared with the hours that it would take.
    std::thread::sleep(Duration::from_secs(3));
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("sha2 / ring = "), "{text}");
    assert!(text.contains("interrupted: 1 of 2"), "{text}");
}

#[test]
fn unknown_names_are_refused() {
    assert!(error(&["compare", "nobody"]).contains("expected one of hashlanes"));
    assert!(error(&["compare", "hashlanes", "-w", "md5:64"]).contains("sha256"));
    assert!(error(&["compare", "hashlanes", "-w", "jlanes-sha256:64"]).contains("jlanes-v1-sha256-16"));
    assert!(error(&["figure", "999"]).contains("gueron-2014-s-hash"));
    assert!(error(&["figure", "all", "999"]).contains("unknown figure"));
    assert!(error(&["targets", "no such row"]).contains("no such row"));
    assert!(error(&["compare", "hashlanes", "--samples", "0"]).contains("--samples"));
    let text = shown_alone(&["compare", "hashlanes:no-such", "sha2", "-w", "sha256:64"]);
    assert!(text.contains("unknown sha256 kernel \"no-such\""), "{text}");

    assert!(error(&["compare", "hashlanes", "sha2", "--cpu", "99999"]).contains("--cpu"));

    let forced = program(&["list"]).env("HASHLANES_SHA256_KERNEL", "no-such").output().unwrap();
    assert_eq!(forced.status.code(), Some(2));
}

#[test]
fn rivals_get_their_environment_in_a_new_process() {
    let out = folder("environment");
    let text =
        shown(&["figure", "faz-hernandez-2018-sha-ni", "--allow-noise", "--out", out.to_str().unwrap()]);
    let row = text.lines().find(|line| line.starts_with("libcrypto:context, SHA-NI masked")).unwrap();
    let installed = !text.contains("libcrypto:context: not installed");
    assert_eq!(!row.contains('–'), installed, "{text}");
}

/// If the reader of the results ends, the program ends without a panic.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_is_no_panic() {
    let mut child = program(&["list"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", output.status);
}

#[test]
fn a_summary_keeps_the_newest_of_every_row() {
    let folder = folder("summary");
    let record = format!("--record={}", folder.display());
    let rows = || {
        let cpu = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
        let text = std::fs::read_to_string(cpu.join("targets.json")).unwrap();
        let summary: Value = serde_json::from_str(&text).unwrap();
        summary["rows"].as_array().unwrap().clone()
    };
    // Options that even a busy machine can fulfil: an unreliable row would not be kept.
    let measure = |row: &str| {
        run(&["targets", row, &record, "--samples", "2", "--sample", "0.05", "--tolerance", "1e9"])
    };
    assert!(measure("sha256: one message of 64 B").status.success());
    let before = rows();
    assert!(measure("sha1: one message, SHA-NI").status.success());
    let after = rows();
    assert!(after.len() >= before.len() && after[..before.len()] == before[..]);
    for row in &after {
        assert!(
            row["time"].is_string() && row["commit"].is_string() && row["ours"].as_f64().unwrap() > 0.0,
            "{row}"
        );
    }

    let cpu = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let file = cpu.join("targets.json");
    let text = shown(&["targets", "sha1: one message, SHA-NI", "--against", file.to_str().unwrap()]);
    assert!(text.contains("ratios differ by less than 3 %"), "{text}");
    assert!(error(&["targets", "--against", "no-such-file"]).contains("no-such-file"));
}

#[test]
fn programs_take_no_folder_that_is_there() {
    let folder = folder("programs");
    std::fs::create_dir_all(&folder).unwrap();
    let told = error(&["programs", "--folder", folder.to_str().unwrap()]);
    // If our program was not built, the error names it first.
    assert!(told.contains("File exists") || told.contains("cargo build --release"), "{told}");
    assert!(folder.is_dir());
}
