//! `hashlanes bench`: the speed of every kernel on this CPU, in a few seconds.
//!
//! `hashlanes-bench` (`crates/bench`) compares them with other libraries.

use std::fmt::Write;

use hashlanes::kernels::{AnyTable, Row};
use hashlanes_chart::{Bar, Chart, TextTable, Whose, number_or_dash, size_text};
use hashlanes_clock::{Clock, Environment, Outcome, Quality};
use serde_json::{Value, json};

use crate::cipher_kernels::LONG;
use crate::kernel_timing;
use crate::kernels::{chosen_for, pretty};

/// The measurements.
pub(crate) struct Bench {
    environment: Environment,
    /// Bytes a message.
    len: usize,
    tables: Vec<Measured>,
}

/// A table, and its kernels that this CPU can run.
struct Measured {
    table: &'static dyn AnyTable,
    kernels: Vec<(Row, Outcome)>,
}

impl Bench {
    /// Measures the named tables (all, if none is named) at `len` bytes a message.
    ///
    /// # Panics
    /// Panics unless `len` is whole blocks.
    pub(crate) fn measure(names: &[String], len: usize) -> Bench {
        let mut clock = Clock::new();
        let all = hashlanes::kernels::all();
        let wanted = all.filter(|table| names.is_empty() || names.iter().any(|name| name == table.name()));
        let tables = wanted.map(|table| {
            let rows = (0..table.n_rows()).map(|index| table.row(index)).filter(|row| row.supported);
            let outcomes = kernel_timing::blocks(table.name(), len, &mut clock);
            Measured { table, kernels: rows.zip(outcomes).collect() }
        });
        Bench { tables: tables.collect(), len, environment: Environment::with_clock(&mut clock) }
    }

    /// Returns a table of text.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}\n", self.environment.cpu);
        if let Some(ghz) = self.environment.core_ghz {
            let _ = writeln!(text, "one core at {ghz:.2} GHz, {} bytes per message", self.len);
        }
        for Measured { table, kernels } in &self.tables {
            let title = ["kernel", "messages", "GB/s", "cycles/byte", "× one message", "chosen for", ""];
            let mut lines = TextTable::new(title).left(&[5, 6]);
            for (row, outcome) in kernels {
                let speed = outcome.gigabytes_per_second();
                let faster = self.one_message(table.name()).zip(speed).map(|(one, speed)| speed / one);
                lines.row([
                    row.name.to_owned(),
                    row.degree.to_string(),
                    number_or_dash(speed),
                    number_or_dash(outcome.figure_cycles_per_byte()),
                    faster.map_or_else(|| "–".into(), |times| format!("{times:.2}")),
                    chosen_for(*table, row),
                    trust(outcome).into(),
                ]);
            }
            let _ = write!(text, "\n{}\n{lines}", table.name());
        }
        text += "\nmessages: hashed at once in one call; chosen for: this number of messages left to hash.\n";
        text
    }

    /// Returns JSON.
    pub(crate) fn json(&self) -> String {
        let kernel = |(row, outcome): &(Row, Outcome)| -> Value {
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
        let tables = self.tables.iter().map(|Measured { table, kernels }| {
            json!({ "hash": table.name(), "kernels": kernels.iter().map(kernel).collect::<Vec<_>>() })
        });
        pretty(&json!({
            "cpu": self.environment.cpu,
            "core_ghz": self.environment.core_ghz,
            "len_bytes": self.len,
            "hashes": tables.collect::<Vec<_>>(),
        }))
    }

    /// Returns a picture: a panel for each hash, with bars in GB/s.
    pub(crate) fn svg(&self) -> String {
        let ghz = self.environment.core_ghz.map_or_else(String::new, |ghz| format!(" at {ghz:.2} GHz"));
        let note = format!(
            "{}, one core{ghz}, {} per message, all lanes busy",
            self.environment.cpu,
            size_text(self.len)
        );
        let mut chart = Chart::new("hashlanes: speed of the kernels", note);
        for Measured { table, kernels } in &self.tables {
            let bars = kernels.iter().map(|(row, outcome)| Bar {
                name: row.name.into(),
                value: outcome.gigabytes_per_second(),
                paper: None,
                whose: Whose::Ours,
            });
            chart = chart.bars(&format!("{}, GB/s", table.name()), bars.collect());
        }
        chart.to_svg()
    }

    /// GB/s of one message of that hash, on the kernel that is chosen for it: a lane's share, if that has
    /// several.
    fn one_message(&self, name: &str) -> Option<f64> {
        let Measured { table, kernels } = self.tables.iter().find(|t| t.table.name() == name)?;
        let chosen = table.best(1, LONG).name;
        let (row, outcome) = kernels.iter().find(|(row, _)| row.name == chosen)?;
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
