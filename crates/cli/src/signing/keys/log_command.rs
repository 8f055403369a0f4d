//! `hashlanes key log`: prints the records of a key.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hashlanes::hbs::store::{KeyDirectory, LogRecord, Purpose, Standing};
use serde_json::json;

use super::passphrase_options::PassphraseSource;
use super::refusal::Refusal;
use super::refusal::indices;
use crate::help_text::list;
use crate::message::Speaker;
use crate::output::print_text;
use crate::signing::exit_status::Status;
use hashlanes_formats::encoding::hex;

/// Prints the log of a key: the time, the indices and the SHA-256 of each commit.
///
/// Files that were signed together have one record, with the SHA-256 of their digests, one after another.
///
/// The records form a chain: a record that was changed, removed or inserted is reported, with exit status 7.
/// --check also compares the end of the log with the key's state. Not detected is that the record of the last
/// commit was cut off, or those after it, which only record that the key was opened. After a cut, the next
/// signature adds a record `recover` in place of the missing ones.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes key log key", "Print what was signed when"),
    ("hashlanes key log --check key", "Verify that no record was changed or removed"),
]))]
pub(super) struct LogArgs {
    /// The directory of the key
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Print JSON, one record per line
    #[arg(long)]
    json: bool,

    /// Check the records without printing them
    #[arg(long, conflicts_with = "json")]
    check: bool,

    #[command(flatten)]
    passphrase: PassphraseSource,
}

impl LogArgs {
    pub(super) fn run(self, speaker: &Speaker) -> Result<ExitCode, Refusal> {
        let of_key = |error| Refusal::of_key(&self.directory, &error);
        let (mut text, mut broken, mut n_records) = (String::new(), Vec::new(), 0);
        super::key_options::protect_memory();
        let directory = self.passphrase.unlocked(KeyDirectory::new(&self.directory))?;
        let read = directory.log(|number, record| {
            n_records += 1;
            match record {
                None => broken.push(number),
                Some(_) if self.check => {}
                Some(record) if self.json => text.push_str(&(json(record).to_string() + "\n")),
                Some(record) => text.push_str(&line(record)),
            }
        });
        read.map_err(of_key)?;
        if n_records == 0 {
            broken.push(0);
        }
        if self.check && broken.is_empty() {
            self.check_end(&directory)?;
            text = format!("{n_records} records, none changed or missing\n");
        }
        print_text(speaker, &text);
        let Some(first) = broken.first() else { return Ok(ExitCode::SUCCESS) };
        let words = format!(
            "log: record {first} is damaged ({} in all): changed, or lost when the disk failed; an audit must not rely on it",
            broken.len()
        );
        Err(Refusal::new(Status::Damaged, &self.directory, words))
    }
}

impl LogArgs {
    /// # Errors
    /// The end of the log contradicts the state.
    fn check_end(&self, directory: &KeyDirectory) -> Result<(), Refusal> {
        let status = directory.status().map_err(|error| Refusal::of_key(&self.directory, &error))?;
        let Standing::RolledBack { .. } = status.standing else { return Ok(()) };
        let words = "log: its end does not fit the key's state: records are missing at the end, or one of both is a copy; \
                     see `hashlanes key adopt --help`";
        Err(Refusal::new(Status::Rollback, &self.directory, words))
    }
}

fn name(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Create => "create",
        Purpose::Sign => "sign",
        Purpose::Split => "split",
        Purpose::Advance => "advance",
        Purpose::Adopt => "adopt",
        Purpose::Recover => "recover",
        Purpose::Poison => "poison",
        Purpose::Open => "open",
        Purpose::Upgrade => "upgrade",
        _ => "other",
    }
}

/// `2026-11-22T21:14:03Z  commit 5  sign     index 4  sha256 …`
fn line(record: &LogRecord) -> String {
    let LogRecord { generation, record: what, time, .. } = record;
    let purpose = name(what.purpose);
    let taken = indices(what.first, what.first.saturating_add(what.count));
    let is_of_messages = what.digest != [0; 32];
    let digest = if is_of_messages { format!("  sha256 {}", hex(&what.digest)) } else { String::new() };
    format!("{}  commit {generation:<5} {purpose:<8} {taken}{digest}\n", utc(time / 1_000_000_000))
}

fn json(record: &LogRecord) -> serde_json::Value {
    let LogRecord { number, generation, record: what, time, .. } = record;
    let digest = (what.digest != [0; 32]).then(|| hex(&what.digest));
    json!({
        "number": number,
        "time": utc(time / 1_000_000_000),
        "generation": generation,
        "purpose": name(what.purpose),
        "first": what.first,
        "count": what.count,
        "sha256": digest,
    })
}

/// Seconds since 1970 as ISO 8601 has them. The days are counted from March on, so that the leap day is a
/// year's last: "chrono-Compatible Low-Level Date Algorithms", Howard Hinnant, `civil_from_days`.
fn utc(seconds: u64) -> String {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::utc;

    /// By `date -u -d @N +%FT%TZ`.
    #[test]
    fn times_are_those_of_date() {
        let known = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_000_000_000, "2001-09-09T01:46:40Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (4_102_444_800, "2100-01-01T00:00:00Z"),
        ];
        for (seconds, text) in known {
            assert_eq!(utc(seconds), text);
        }
    }
}
