//! `hashlanes bench`: the speed of every kernel on this CPU, in a few seconds.
//!
//! `hashlanes-bench` (`crates/bench`) compares them with other libraries.

use std::fmt::Write;

use hashlanes::aes::kernels as ciphers;
use hashlanes::kernels::{self as hashes, Row};
use hashlanes_chart::{Bar, Chart, TextTable, Whose, number_or_dash, size_text};
use hashlanes_clock::{Clock, Environment, Outcome, Quality};
use serde_json::{Value, json};

use crate::cipher_kernels::{LONG, numbers_chosen_for};
use crate::kernels::{chosen_for, pretty};
use crate::{cipher_timing, kernel_timing};

/// The measurements.
pub(crate) struct Bench {
    environment: Environment,
    /// Bytes a message.
    len: usize,
    hashes: Vec<Measured>,
    ciphers: Vec<Measured>,
}

/// A hash or a cipher, and its kernels that this CPU can run.
struct Measured {
    name: &'static str,
    kernels: Vec<Kernel>,
    /// The kernel of one message.
    of_one: &'static str,
}

struct Kernel {
    row: Row,
    outcome: Outcome,
    /// The numbers of live messages for which it is chosen.
    chosen_for: String,
}

impl Bench {
    /// Measures the named tables (all, if none is named) at `len` bytes a message.
    ///
    /// # Panics
    /// Panics unless `len` is whole blocks.
    pub(crate) fn measure(names: &[String], len: usize) -> Bench {
        let mut clock = Clock::new();
        let is_wanted = |table: &str| names.is_empty() || names.iter().any(|name| name == table);
        let hashes = hashes::all().filter(|table| is_wanted(table.name())).map(|table| {
            let rows = (0..table.n_rows()).map(|index| table.row(index)).filter(|row| row.supported);
            let outcomes = kernel_timing::blocks(table.name(), len, &mut clock);
            let kernel = |(row, outcome)| Kernel { row, outcome, chosen_for: chosen_for(table, &row) };
            let kernels = rows.zip(outcomes).map(kernel).collect();
            Measured { name: table.name(), kernels, of_one: table.best(1, LONG).name }
        });
        let hashes = hashes.collect();
        let ciphers = ciphers::all().into_iter().filter(|table| is_wanted(table.name())).flat_map(|table| {
            let timed = cipher_timing::of_table(table.name(), len, &mut clock);
            timed.into_iter().map(move |timed| {
                let in_lanes = timed.has_lanes();
                let of_one = if in_lanes { table.best(1, LONG).name } else { table.best_of_one().name };
                let kernel = |(row, outcome): (Row, Outcome)| {
                    let chosen_for = match in_lanes {
                        true => numbers_chosen_for(table, &row).join(", "),
                        false if row.name == of_one => "any".into(),
                        false => String::new(),
                    };
                    Kernel { row, outcome, chosen_for }
                };
                let kernels = timed.kernels.into_iter().map(kernel).collect();
                Measured { name: timed.name, kernels, of_one }
            })
        });
        let ciphers = ciphers.collect();
        Bench { hashes, ciphers, len, environment: Environment::with_clock(&mut clock) }
    }

    /// Returns a table of text.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}\n", self.environment.cpu);
        if let Some(ghz) = self.environment.core_ghz {
            let _ = writeln!(text, "one core at {ghz:.2} GHz, {} bytes per message", self.len);
        }
        for measured in self.all() {
            let title = ["kernel", "messages", "GB/s", "cycles/byte", "× one message", "chosen for", ""];
            let mut lines = TextTable::new(title).left(&[5, 6]);
            for Kernel { row, outcome, chosen_for } in &measured.kernels {
                let speed = outcome.gigabytes_per_second();
                let faster = measured.one_message().zip(speed).map(|(one, speed)| speed / one);
                lines.row([
                    row.name.to_owned(),
                    row.degree.to_string(),
                    number_or_dash(speed),
                    number_or_dash(outcome.figure_cycles_per_byte()),
                    faster.map_or_else(|| "–".into(), |times| format!("{times:.2}")),
                    chosen_for.clone(),
                    trust(outcome).into(),
                ]);
            }
            let _ = write!(text, "\n{}\n{lines}", measured.name);
        }
        text += "\nmessages: hashed or encrypted at once in one call; chosen for: this number of messages left.\n";
        text
    }

    /// Returns JSON.
    pub(crate) fn json(&self) -> String {
        let kernel = |Kernel { row, outcome, .. }: &Kernel| -> Value {
            json!({
                "name": row.name,
                "messages": row.degree,
                "gigabytes_per_second": outcome.gigabytes_per_second(),
                "cycles_per_byte": outcome.figure_cycles_per_byte(),
                "samples": outcome.accepted(),
                "rejected": outcome.rejected().total(),
                "trust": trust(outcome),
            })
        };
        let list = |what: &str, all: &[Measured]| -> Value {
            let one = |Measured { name, kernels, .. }: &Measured| json!({ what: name, "kernels": kernels.iter().map(kernel).collect::<Vec<_>>() });
            all.iter().map(one).collect()
        };
        pretty(&json!({
            "cpu": self.environment.cpu,
            "core_ghz": self.environment.core_ghz,
            "len_bytes": self.len,
            "hashes": list("hash", &self.hashes),
            "ciphers": list("cipher", &self.ciphers),
        }))
    }

    /// Returns a picture: a panel for each hash and cipher, with bars in GB/s.
    pub(crate) fn svg(&self) -> String {
        let ghz = self.environment.core_ghz.map_or_else(String::new, |ghz| format!(" at {ghz:.2} GHz"));
        let note = format!(
            "{}, one core{ghz}, {} per message, all lanes busy",
            self.environment.cpu,
            size_text(self.len)
        );
        let mut chart = Chart::new("hashlanes: speed of the kernels", note);
        for Measured { name, kernels, .. } in self.all() {
            let bars = kernels.iter().map(|Kernel { row, outcome, .. }| Bar {
                name: row.name.into(),
                value: outcome.gigabytes_per_second(),
                paper: None,
                whose: Whose::Ours,
            });
            chart = chart.bars(&format!("{name}, GB/s"), bars.collect());
        }
        chart.to_svg()
    }

    fn all(&self) -> impl Iterator<Item = &Measured> {
        self.hashes.iter().chain(&self.ciphers)
    }
}

impl Measured {
    /// GB/s of one message, on the kernel that is chosen for it: a lane's share, if that has several.
    fn one_message(&self) -> Option<f64> {
        let Kernel { row, outcome, .. } =
            self.kernels.iter().find(|kernel| kernel.row.name == self.of_one)?;
        Some(outcome.gigabytes_per_second()? / row.degree as f64)
    }
}

/// Returns a remark for a figure with fewer good samples than required.
fn trust(outcome: &Outcome) -> &'static str {
    match outcome.quality() {
        Quality::Steady => "",
        Quality::Thin => "few samples: other programs are running",
        Quality::Noisy => "unreliable: other programs are running",
    }
}
