//! The chart of README.md: many messages by four libraries, on a core of each CPU that has measured them.

use std::fs;

use hashlanes_chart::{Bar, Chart, Whose};
use serde::Deserialize;

use super::machines::Machine;
use super::pictures::Made;
use crate::workspace;

/// The path of the chart.
pub(super) const PATH: &str = "docs/many-messages.svg";
/// The workload, and its description.
const WORK: (&str, &str) = ("sha256:1024x1K", "SHA-256 of 1024 messages of 1 KiB, one core");
/// The contestants, and their names.
const CONTESTANTS: [(&str, &str, Whose); 4] = [
    ("hashlanes", "hashlanes", Whose::Ours),
    ("libipsec-mb", "libipsec-mb", Whose::Rival),
    ("ring", "ring", Whose::Rival),
    ("libcrypto:context", "OpenSSL", Whose::Rival),
];

/// The fields that are read from a line of a record.
#[derive(Deserialize)]
struct Outcome {
    session: String,
    work: String,
    contestant: String,
    cpb: f64,
}

/// Draws the chart.
///
/// # Errors
/// If a record cannot be read, or has only some of the outcomes.
pub(super) fn made(machines: &[Machine]) -> Result<Made, String> {
    let mut chart =
        Chart::new(WORK.1, "cycles of the core per byte; shorter is faster. Records: crates/bench/record");
    for machine in machines {
        let directory = machine.path("");
        let outcomes = newest(&directory)?;
        if outcomes.is_empty() {
            continue;
        }
        let mut bars = Vec::new();
        for (contestant, name, whose) in CONTESTANTS {
            let outcome = outcomes.iter().find(|outcome| outcome.contestant == contestant);
            let outcome = outcome.ok_or_else(|| format!("{directory}: no outcome of {contestant}"))?;
            bars.push(Bar { name: name.into(), whose, value: Some(outcome.cpb), paper: None });
        }
        chart = chart.bars(&format!("cycles per byte, {}", machine.name), bars);
    }
    Ok(Made { path: PATH.into(), text: chart.to_svg() })
}

/// The outcomes of the workload in the newest session of a machine.
fn newest(folder: &str) -> Result<Vec<Outcome>, String> {
    let wrong = |error: std::io::Error| format!("{folder}: {error}");
    let mut outcomes: Vec<Outcome> = Vec::new();
    for entry in fs::read_dir(workspace::root().join(folder)).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.extension().is_none_or(|extension| extension != "ndjson") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(wrong)?;
        // Other kinds of lines lack some of the fields.
        let lines = text.lines().filter(|line| line.contains(WORK.0));
        outcomes.extend(lines.filter_map(|line| serde_json::from_str::<Outcome>(line).ok()));
    }
    outcomes.retain(|outcome| outcome.work == WORK.0);
    let session = outcomes.iter().map(|outcome| outcome.session.clone()).max();
    outcomes.retain(|outcome| Some(&outcome.session) == session.as_ref());
    Ok(outcomes)
}
