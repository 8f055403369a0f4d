//! The part of `hashlanes kernels` that lists ciphers' kernels.

use std::fmt::Write;

use hashlanes::aes::kernels::{AnyTable, Row, all};
use hashlanes_chart::TextTable;
use serde_json::{Value, json};

/// Numbers of live messages that the listing gives the choice for.
const MOST_LIVE: usize = 24;

/// Number of blocks for which the listing shows the choice: so many that the choice does not depend on it.
pub(crate) const LONG: usize = 1000;

/// Every table as text.
pub(crate) fn list() -> String {
    let mut text = String::new();
    for table in all() {
        let _ = writeln!(text, "{} ({}=NAME forces a kernel)", table.name(), table.variable());
        let mut lines =
            TextTable::new(["kernel", "messages", "chosen for", "verbs", "CPU features"]).left(&[2, 3, 4]);
        for row in table.rows() {
            lines.row([
                row.name.into(),
                row.degree.to_string(),
                if row.supported { chosen_for(table, &row) } else { "(lacks features)".into() },
                row.verbs().collect::<Vec<_>>().join(" "),
                if row.features.is_empty() { "none".into() } else { row.features.join(" ") },
            ]);
        }
        let _ = writeln!(text, "{lines}");
    }
    text
}

/// Every table as JSON.
pub(crate) fn list_json() -> impl Iterator<Item = Value> {
    all().into_iter().map(|table| {
        let kernel = |row: &Row| {
            json!({
                "name": row.name,
                "messages": row.degree,
                "features": row.features,
                "verbs": row.verbs().collect::<Vec<_>>(),
                "supported": row.supported,
                "cycles": row.cost.block,
            })
        };
        json!({
            "cipher": table.name(),
            "variable": table.variable(),
            "kernels": table.rows().iter().map(kernel).collect::<Vec<_>>(),
            "chosen": (1..=MOST_LIVE)
                .map(|n| json!({ "messages": n, "kernel": table.best(n, LONG).name }))
                .collect::<Vec<_>>(),
            "chosen_for_blocks_of_one": table.best_of_one().name,
        })
    })
}

/// For how many live messages a row is chosen whose blocks wait for each other, and whether for one whose do
/// not.
fn chosen_for(table: &dyn AnyTable, row: &Row) -> String {
    let mut numbers = numbers_chosen_for(table, row);
    if table.best_of_one().name == row.name {
        numbers.push("blocks of one".into());
    }
    numbers.join(", ")
}

/// For how many live messages a row is chosen, if their blocks wait for each other: `1`, `5-8`, `9 or more`.
pub(crate) fn numbers_chosen_for(table: &dyn AnyTable, row: &Row) -> Vec<String> {
    let mut numbers: Vec<String> = Vec::new();
    let is_chosen = |n: usize| (1..=MOST_LIVE).contains(&n) && table.best(n, LONG).name == row.name;
    for first in (1..=MOST_LIVE).filter(|&n| is_chosen(n) && !is_chosen(n - 1)) {
        let last = (first..=MOST_LIVE).take_while(|&n| is_chosen(n)).last().unwrap_or(first);
        numbers.push(match (first, last) {
            (first, MOST_LIVE) => format!("{first} or more"),
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        });
    }
    numbers
}
