//! `hashlanes kernels` and `hashlanes bench`: the output is complete and consistent, and JSON or SVG on
//! request.

use std::process::Command;

use serde_json::Value;

use crate::scene::Scene;
use crate::side_by_side::OURS;

fn result_of(args: &[&str], variables: &[(&str, &str)]) -> String {
    let output = Command::new(OURS).args(args).envs(variables.iter().copied()).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &[&str], variables: &[(&str, &str)]) -> Value {
    serde_json::from_str(&result_of(args, variables)).unwrap()
}

/// The hashes' tables of a JSON answer, and in each the objects of a list.
fn lists<'a>(tables: &'a Value, of: &str) -> Vec<(&'a str, &'a [Value])> {
    let tables = tables.as_array().unwrap().iter().filter(|t| t["cipher"].is_null());
    tables.map(|t| (t["hash"].as_str().unwrap(), t[of].as_array().unwrap().as_slice())).collect()
}

#[test]
fn every_row_is_listed_as_text_and_as_json() {
    let (text, tables) = (result_of(&["kernels"], &[]), json(&["kernels", "--json"], &[]));
    let tables = lists(&tables, "kernels");
    assert_eq!(tables.len(), hashlanes::kernels::all().len());
    for ((hash, kernels), table) in tables.into_iter().zip(hashlanes::kernels::all()) {
        assert_eq!((hash, kernels.len()), (table.name(), table.n_rows()));
        for (index, kernel) in kernels.iter().enumerate() {
            let row = table.row(index);
            assert_eq!(kernel["name"], row.name);
            assert_eq!(kernel["messages"], row.degree);
            assert_eq!(kernel["supported"], row.supported);
            assert!(
                text.lines().any(|line| line.split_whitespace().next() == Some(row.name)),
                "{}",
                row.name
            );
        }
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn proofs_are_those_of_kernels() {
    let (text, proofs) =
        (result_of(&["kernels", "--proofs"], &[]), json(&["kernels", "--proofs", "--json"], &[]));
    let proofs = proofs.as_array().unwrap();
    assert!(!proofs.is_empty() && text.contains(&format!("\n{} proofs: ", proofs.len())), "{text}");
    let hashes = hashlanes::kernels::every_row().map(|(table, row)| (table, row.name));
    let ciphers = hashlanes::aes::kernels::every_row().map(|(table, row)| (table, row.name));
    let rows: Vec<(&str, &str)> = hashes.chain(ciphers).collect();
    for proof in proofs {
        let (table, kernel) = (proof["table"].as_str().unwrap(), proof["kernel"].as_str().unwrap());
        assert!(rows.contains(&(table, kernel)), "{proof}");
        assert!(
            text.contains(proof["fingerprint"].as_str().unwrap()) && proof["seconds"].is_number(),
            "{proof}"
        );
    }
    let refused = Command::new(OURS).args(["kernels", "--proofs", "--measure"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn every_ciphers_row_is_listed_as_text_and_as_json() {
    let (text, tables) = (result_of(&["kernels"], &[]), json(&["kernels", "--json"], &[]));
    for table in hashlanes::aes::kernels::all() {
        let result_of = tables.as_array().unwrap().iter().find(|t| t["cipher"] == table.name()).unwrap();
        let names = table.rows().iter().map(|row| row.name).collect::<Vec<_>>();
        let result_of = result_of["kernels"].as_array().unwrap().iter().map(|kernel| &kernel["name"]);
        assert!(result_of.eq(names.iter()), "{}", table.name());
        assert!(text.contains(table.variable()) && names.iter().all(|name| text.contains(name)), "{text}");
    }
    let tables = json(&["kernels", "--json"], &[("HASHLANES_AES_KERNEL", "portable")]);
    let aes = tables.as_array().unwrap().iter().find(|t| t["cipher"] == "aes").unwrap();
    assert!(aes["chosen"].as_array().unwrap().iter().all(|choice| choice["kernel"] == "portable"));
    assert_eq!(aes["chosen_for_blocks_of_one"], "portable");
}

/// Masked features are shown as missing; a forced kernel is chosen for every number of messages.
#[test]
fn masked_and_forced_kernels() {
    let tables = json(&["kernels", "--json"], &[("HASHLANES_DISABLE", "sha,avx")]);
    for (hash, kernels) in lists(&tables, "kernels") {
        let supported = kernels.iter().filter(|kernel| kernel["supported"] == true);
        for features in supported.map(|kernel| kernel["features"].to_string()) {
            assert!(!features.contains("\"sha\"") && !features.contains("avx"), "{hash}: {features}");
        }
    }
    let tables = json(&["kernels", "--json"], &[("HASHLANES_SHA1_KERNEL", "scalar")]);
    let (_, chosen) = lists(&tables, "chosen").into_iter().find(|(hash, _)| *hash == "sha1").unwrap();
    assert!(chosen.iter().all(|choice| choice["kernel"] == "scalar"));
    let why = result_of(&["kernels", "--explain", "5", "100"], &[("HASHLANES_SHA1_KERNEL", "scalar")]);
    assert!(why.contains("forced by HASHLANES_SHA1_KERNEL"), "{why}");
}

/// The steps advance every block of every message, padding included.
#[test]
fn explained_steps_add_up() {
    for (n, len) in [(0, 64), (1, 0), (5, 8192), (17, 300), (100, 1)] {
        let tables = json(&["kernels", "--json", "--explain", &n.to_string(), &len.to_string()], &[]);
        for (hash, steps) in lists(&tables, "steps") {
            let (block, padding) = if hash == "sha512" { (128, 17) } else { (64, 9) };
            let number = |step: &Value, of: &str| step[of].as_u64().unwrap();
            let blocks = |step| {
                let of_message = number(step, "message_blocks");
                assert!(number(step, "blocks") >= of_message, "{hash}: {step}");
                number(step, "calls") * number(step, "messages") * of_message
            };
            let wanted = n * (len + padding as u64).div_ceil(block);
            assert_eq!(steps.iter().map(blocks).sum::<u64>(), wanted, "{hash}: {n} of {len}");
        }
    }
}

/// Costs are measured on request; they are positive, and the listing names their source.
#[test]
fn calibrated_costs() {
    let text = result_of(&["kernels"], &[]);
    assert!(text.contains("\nCosts ") && !text.contains("Costs of hashes were measured now"), "{text}");
    let text = result_of(&["kernels", "--calibrate"], &[]);
    assert!(text.contains("Costs of hashes were measured now"), "{text}");
    for (options, is_calibrated) in
        [(&["kernels", "--json"][..], false), (&["kernels", "--json", "--calibrate"], true)]
    {
        let tables = json(options, &[]);
        for (hash, kernels) in lists(&tables, "kernels") {
            assert!(kernels.iter().all(|kernel| kernel["cycles"].as_u64() > Some(0)), "{hash}");
            let n_calibrated = kernels.iter().filter(|kernel| kernel["calibrated"] == true).count();
            assert_eq!(n_calibrated > 1, is_calibrated, "{hash}: {options:?}");
        }
    }
}

/// Measured figures are printed next to those of the tables; for a whole call, the library's choice is among
/// the candidates.
#[test]
fn measured_figures() {
    let tables = json(&["kernels", "--json", "--measure"], &[]);
    for (hash, kernels) in lists(&tables, "kernels") {
        for kernel in kernels {
            let measured = &kernel["measured_cycles"];
            let wanted = kernel["supported"] == true && cfg!(target_arch = "x86_64");
            assert_eq!(measured.as_f64().is_some_and(|cycles| cycles > 1.0), wanted, "{hash}: {kernel}");
        }
    }
    let tables = json(&["kernels", "--json", "--explain", "3", "100", "--measure"], &[]);
    for (hash, candidates) in lists(&tables, "measured") {
        assert_eq!(candidates[0]["kernel"], Value::Null, "{hash}: the library's choice comes first");
        assert!(candidates.len() > 1, "{hash}");
        assert!(candidates.iter().all(|one| one["nanoseconds"].as_f64().unwrap() > 0.0), "{hash}");
    }
}

#[test]
fn bench_as_text_json_and_picture() {
    let scene = Scene::new();
    let picture = scene.join("kernels.svg");
    let text = result_of(&["bench", "SHA512", "-l", "1024", "--svg", picture.to_str().unwrap()], &[]);
    let svg = std::fs::read_to_string(picture).unwrap();
    for row in hashlanes::kernels::sha512().map(|kernel| kernel.name()) {
        assert!(text.contains(row), "{text}");
        assert!(svg.contains(&format!(">{row}<")), "{row}");
    }
    assert!(!text.contains("sha256"), "{text}");

    let text = result_of(&["bench", "AES-GCM", "aegis", "-l", "1024"], &[]);
    let ciphers = [
        "aes-128-gcm",
        "aes-128-gcm-siv",
        "aegis-128l",
        "aegis-128x2",
        "aegis-128x4",
        "aegis-256",
        "aegis-256x2",
        "aegis-256x4",
    ];
    let lines: Vec<&str> = text.lines().collect();
    assert!(ciphers.iter().all(|cipher| lines.contains(cipher)), "{text}");
    assert!(!text.contains("sha") && !text.contains("aes-128-ctr"), "{text}");

    let all = json(&["bench", "--json", "--length", "256"], &[]);
    let some =
        json(&["bench", "--json", "--length", "256", "SHA-1", "sha224", "sha512/256", "Sha2-256"], &[]);
    let names: Vec<_> = some["hashes"].as_array().unwrap().iter().map(|table| &table["hash"]).collect();
    assert_eq!(names, ["sha1", "sha256", "sha512"]);
    assert!(some["ciphers"].as_array().unwrap().is_empty());
    assert_eq!(all["len_bytes"], 256);
    for (hash, kernels) in lists(&all["hashes"], "kernels") {
        assert!(kernels.iter().all(|k| k["gigabytes_per_second"].as_f64().unwrap() > 0.0), "{hash}");
    }
    // Every kernel of every cipher is measured: CBC encryption and AEGIS-128L have those of several messages.
    for (cipher, kernels) in [
        (
            "aes-128-cbc-encrypt",
            hashlanes::aes::kernels::aes().map(|kernel| kernel.name()).collect::<Vec<_>>(),
        ),
        ("aes-128-gcm-siv", hashlanes::aes::kernels::gcm().map(|kernel| kernel.name()).collect()),
        ("aes-128-gcm", hashlanes::aes::kernels::gcm().map(|kernel| kernel.name()).collect()),
        ("aegis-128l", hashlanes::aes::kernels::aegis().map(|kernel| kernel.name()).collect()),
    ] {
        let measured = all["ciphers"].as_array().unwrap().iter().find(|c| c["cipher"] == cipher).unwrap();
        let measured = measured["kernels"].as_array().unwrap();
        assert!(measured.iter().map(|kernel| &kernel["name"]).eq(kernels.iter()), "{cipher}");
        assert!(measured.iter().all(|k| k["gigabytes_per_second"].as_f64().unwrap() > 0.0), "{cipher}");
    }
}

/// Refused before anything is measured: nothing on standard output, the reason on standard error.
#[test]
fn wrong_questions() {
    for (args, status, words) in [
        (&["bench", "md5"][..], 2, "md5"),
        (&["bench", "sha3-1"], 2, "[possible values: sha1, sha256, sha512, aes, gcm, aegis]"),
        (&["bench", "-l", "100"], 2, "must be a multiple of 128"),
        (&["bench", "-l", "0"], 2, "must not be zero"),
        (&["bench", "-l", "x"], 2, "expected a number of bytes"),
        (&["bench", "-l", "1099511627776"], 2, "must be at most"),
        (&["bench", "--svg", "/nowhere/x.svg"], 1, "/nowhere/x.svg: cannot write: No such file or directory"),
        (&["kernels", "--explain"], 2, "--explain"),
        (&["kernels", "--explain", "1000001"], 2, "the limit is 1000000"),
        (&["kernels", "--explain", "1", "2000000000000000"], 2, "LENGTH"),
        (&["kernels", "--explain", "-1"], 2, "-1"),
        (&["kernels", "--explain", "1000000", "1000000000", "--measure"], 2, "--measure"),
    ] {
        let output = Command::new(OURS).args(args).output().unwrap();
        let result_of = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(status), 0), "{args:?}: {result_of}");
        assert!(result_of.contains(words), "{args:?}: {result_of}");
    }
}
