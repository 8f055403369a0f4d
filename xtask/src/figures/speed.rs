//! The tables of speed in docs/performance.md: a column for each CPU.

use std::fmt::Write;

use serde::Deserialize;

use super::machines::Machine;

/// A summary of a machine's records.
#[derive(Deserialize)]
pub(super) struct Summary<R> {
    rows: Vec<R>,
}

/// A row of `targets.json`: the fields that are read.
#[derive(Deserialize)]
pub(super) struct Target {
    id: String,
    unit: String,
    contestant: String,
    ours: Option<f64>,
    rival: Option<Rival>,
    /// Our time relative to the rival's, with an interval.
    ratio: Option<[f64; 3]>,
}

#[derive(Deserialize)]
struct Rival {
    name: String,
    figure: Option<f64>,
}

/// A row of `programs.json`.
#[derive(Deserialize)]
pub(super) struct Program {
    id: String,
    tool: String,
    seconds: Vec<f64>,
}

/// The rows of `targets.json` that the page shows, with their descriptions.
const LIBRARIES: &[(&str, &str)] = &[
    ("sha256: 100,000 of random length 1..55", "SHA-256, 100,000 messages of 1 to 55 bytes"),
    ("sha256: 1024 of random length 1..256", "SHA-256, 1024 messages of 1 to 256 bytes"),
    ("sha256: 1024 of 64 B", "SHA-256, 1024 messages of 64 bytes"),
    ("sha256: 1024 of random length 1..2048", "SHA-256, 1024 messages of 1 to 2048 bytes"),
    ("sha256: 1024 of random length 1..16384", "SHA-256, 1024 messages of 1 byte to 16 KiB"),
    ("sha256: 1024 of 8 KiB, 8256 apart", "SHA-256, 1024 messages of 8 KiB"),
    ("sha256: 64-byte messages, contiguous (nodes)", "SHA-256, 64-byte nodes, contiguous"),
    ("sha256: 32-byte messages, contiguous", "SHA-256, 32-byte messages, contiguous"),
    ("sha256: rows: 10^6 values of 20 B", "SHA-256, a column of 10<sup>6</sup> values of 20 bytes"),
    ("sha256: rows, digests in hexadecimal", "the same, digests in hexadecimal"),
    ("sha256: one message of 64 B, whole call", "SHA-256, one message of 64 bytes, the whole call"),
    ("sha256: 2 of 1 KiB", "SHA-256, 2 messages of 1 KiB"),
    ("sha256: 5 of 1 KiB", "SHA-256, 5 messages of 1 KiB"),
    ("sha256: 8 of 1 KiB", "SHA-256, 8 messages of 1 KiB"),
    ("sha256: 16 of 1 KiB", "SHA-256, 16 messages of 1 KiB"),
    ("sha256: one message, long", "SHA-256, one long message"),
    ("sha256: one message, long, no SHA-NI, AVX-512VL", "the same, SHA instructions hidden"),
    (
        "jlanes-v1-sha256-16: one core, long; BLAKE3's speed is the aim",
        "SHA-256 in sixteen lanes (`jlanes-v1-sha256-16`), one message of 16 MiB; other: BLAKE3",
    ),
    ("ssz: root of 32,768 chunks", "SHA-256, Merkle root of 32,768 chunks (`ssz`)"),
    ("sha512: one message, long", "SHA-512, one long message"),
    ("sha512: one message of 64 B, whole digest", "SHA-512, one message of 64 bytes"),
    ("sha512: 2 messages of 8 KiB", "SHA-512, 2 messages of 8 KiB"),
    ("sha512: 64 messages of 8 KiB", "SHA-512, 64 messages of 8 KiB"),
    ("sha1: 1024 of 8 KiB", "SHA-1, 1024 messages of 8 KiB"),
    ("sha1: one message, AVX2", "SHA-1, one long message, SHA instructions hidden"),
    ("aes-128-cbc-encrypt: CBC encryption, 1 message", "AES-128-CBC encryption, one message of 16 KiB"),
    ("aes-128-cbc-encrypt: CBC encryption, 8 messages", "AES-128-CBC encryption, 8 messages of 16 KiB"),
    ("aes-128-cbc-encrypt: CBC encryption, 16 messages", "AES-128-CBC encryption, 16 messages of 16 KiB"),
    (
        "aes-128-cbc-encrypt: CBC encryption, 16 messages, page-aligned",
        "the same, each at the start of a page",
    ),
    ("aes-128-cbc-decrypt: CBC decryption, beside all", "AES-128-CBC decryption, 16 KiB"),
    ("aes-128-ctr: CTR, beside all", "AES-128-CTR, 16 KiB"),
    ("aes-128-gcm: a record of 1,420 bytes", "AES-128-GCM, a record of 1,420 bytes"),
    ("aes-128-gcm: a record of 16 KiB", "AES-128-GCM, a record of 16 KiB"),
    ("aes-128-gcm: 32 records of 256 bytes", "AES-128-GCM, 32 records of 256 bytes, each"),
    ("aegis-128l: one message of 16 KiB", "AEGIS-128L, one message of 16 KiB"),
    ("aegis-256: one message of 16 KiB", "AEGIS-256, one message of 16 KiB"),
    ("XMSS-SHA2_10_256: key generation", "XMSS-SHA2_10_256, generating a key"),
    ("XMSS-SHA2_10_256: verification", "XMSS-SHA2_10_256, verifying a signature"),
    ("SLH-DSA-SHA2-128s: signing", "SLH-DSA-SHA2-128s, a signature"),
    ("SLH-DSA-SHAKE-128f: signing", "SLH-DSA-SHAKE-128f, a signature"),
    ("SLH-DSA-SHA2-128s: verification", "SLH-DSA-SHA2-128s, verifying a signature"),
];

/// Returns the table of libraries on all CPUs with a record of targets.
///
/// # Errors
/// If a record cannot be read, or a row was measured on none of them.
pub(super) fn libraries(machines: &[Machine]) -> Result<String, String> {
    let mut columns = Vec::new();
    for machine in machines {
        if let Some(summary) = machine.summary::<Summary<Target>>("targets")? {
            columns.push((machine.name.as_str(), summary));
        }
    }
    table(&columns)
}

fn table(columns: &[(&str, Summary<Target>)]) -> Result<String, String> {
    let mut table = String::from("| workload | unit |");
    for (name, _) in columns {
        let _ = write!(table, " {name}: relative time | hashlanes | fastest other |");
    }
    let _ = write!(
        table,
        " `hashlanes-bench targets` … |\n|---|---|{}---|\n",
        "---:|---:|---:|".repeat(columns.len())
    );
    for (id, words) in LIBRARIES {
        let rows: Vec<_> =
            columns.iter().map(|(_, summary)| summary.rows.iter().find(|row| row.id == *id)).collect();
        let unit = rows.iter().flatten().find(|row| row.is_compared()).map(|row| unit(&row.unit));
        let unit = unit.ok_or_else(|| format!("no targets.json has a row {id:?} with a rival"))?;
        let _ = write!(table, "| {words} | {unit} |");
        for row in rows {
            let cells = row.and_then(Target::cells).unwrap_or_else(|| " – | – | – |".into());
            table += &cells;
        }
        let _ = writeln!(table, " `\"{id}\"` |");
    }
    Ok(table)
}

/// A unit in words.
fn unit(short: &str) -> &str {
    match short {
        "c/B" => "cycles per byte",
        "c/msg" => "cycles each",
        "ms" => "milliseconds",
        "M/s" => "10<sup>6</sup> per second",
        other => other,
    }
}

impl Target {
    fn is_compared(&self) -> bool {
        self.cells().is_some()
    }

    /// The relative time, ours, and the fastest rival's.
    fn cells(&self) -> Option<String> {
        let (ours, rival, [ratio, _, _]) = (self.ours?, self.rival.as_ref()?, self.ratio?);
        let kernel =
            self.contestant.split_once(':').map_or_else(String::new, |(_, name)| format!(" (`{name}`)"));
        let (ours, other) = (three_digits(ours), rival.figure.map_or_else(|| "–".into(), three_digits));
        Some(format!(" **{ratio:.2}** | {ours}{kernel} | {other} ({}) |", library(&rival.name)))
    }
}

/// The name of a contestant's library, without variant and workload.
fn library(contestant: &str) -> &str {
    match contestant.split([':', '=']).next().unwrap_or_default() {
        "libcrypto" | "openssl" => "OpenSSL",
        name => name,
    }
}

/// Returns the tables of programs of all CPUs that have measured them: a row per workload, a column per tool,
/// seconds of the fastest run.
///
/// # Errors
/// If a record cannot be read, or no CPU has measured programs.
pub(super) fn programs(machines: &[Machine]) -> Result<String, String> {
    let mut tables = Vec::new();
    for machine in machines {
        if let Some(summary) = machine.summary::<Summary<Program>>("programs")? {
            tables.push(format!("{}:\n\n{}", machine.name, programs_of(&summary)));
        }
    }
    if tables.is_empty() { Err("no programs.json in any record".into()) } else { Ok(tables.join("\n")) }
}

fn programs_of(summary: &Summary<Program>) -> String {
    let mut tools: Vec<&str> = Vec::new();
    let mut works: Vec<&str> = Vec::new();
    for row in &summary.rows {
        let work = row.id.rsplit_once(": ").map_or(&*row.id, |(work, _)| work);
        if !tools.contains(&&*row.tool) {
            tools.push(&row.tool);
        }
        if !works.contains(&work) {
            works.push(work);
        }
    }
    let mut table = format!("| seconds | {} |\n|---|{}\n", tools.join(" | "), "---:|".repeat(tools.len()));
    for work in works {
        let _ = write!(table, "| {work} |");
        for tool in &tools {
            let row = summary.rows.iter().find(|row| row.id == format!("{work}: {tool}"));
            let least = row.map(|row| row.seconds.iter().copied().fold(f64::INFINITY, f64::min));
            let _ = write!(table, " {} |", least.map_or_else(|| "–".into(), three_digits));
        }
        table.push('\n');
    }
    table
}

/// Formats a value with at least three significant digits.
fn three_digits(value: f64) -> String {
    let before = value.abs().max(f64::MIN_POSITIVE).log10().floor() as i32;
    format!("{value:.*}", (2 - before).clamp(0, 3) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_significant() {
        let cases = [(123.4, "123"), (12.34, "12.3"), (1.234, "1.23"), (0.1234, "0.123"), (0.0123, "0.012")];
        for (value, text) in cases {
            assert_eq!(three_digits(value), text);
        }
    }

    #[test]
    fn a_row_that_no_cpu_has_measured_is_an_error() {
        let error = table(&[("CPU", Summary { rows: Vec::new() })]).unwrap_err();
        assert!(error.contains("no targets.json has a row"), "{error}");
    }
}
