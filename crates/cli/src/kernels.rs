//! `hashlanes kernels`: what this CPU has, which kernel is chosen for how many messages, and why.
//!
//! Nothing is hashed or timed here: the cycles are those of the tables, measured on a CPU like this one.

use std::fmt::Write;

use hashlanes::kernels::{AnyTable, Row, Step, Verb};
use serde_json::{Value, json};

/// Numbers of live messages that the listing gives the choice for: a table looks no further.
const MOST_LIVE: usize = 16;

/// Every table as text.
pub(crate) fn list() -> String {
    let mut text = String::new();
    for table in hashlanes::kernels::all() {
        let _ = writeln!(text, "{} ({}=NAME forces a kernel)", table.name(), table.variable());
        let title = ["kernel", "messages", "cycles", "cpb", "chosen for", "CPU features"];
        let mut rows = vec![title.map(String::from)];
        for index in 0..table.n_rows() {
            let row = table.row(index);
            rows.push([
                row.name.into(),
                row.degree.to_string(),
                row.cycles.to_string(),
                format!("{:.2}", cycles_per_byte(table, &row)),
                if row.supported { chosen_for(table, &row) } else { "(lacks features)".into() },
                if row.features.is_empty() { "none".into() } else { row.features.join(" ") },
            ]);
        }
        text += &columns(&rows);
        text.push('\n');
    }
    text += "cycles: core cycles for a block of every message, as measured on a CPU like this one; cpb: the same\n\
             for each byte, all lanes busy. With n messages live, the kernel with the most min(n, messages) for\n\
             its cycles is chosen.\n";
    text
}

/// Every table as JSON.
pub(crate) fn list_json() -> String {
    let tables = hashlanes::kernels::all().map(|table| {
        let rows = (0..table.n_rows()).map(|index| table.row(index));
        json!({
            "hash": table.name(),
            "variable": table.variable(),
            "block_bytes": table.block_bytes(),
            "kernels": rows.map(|row| row_json(table, &row)).collect::<Vec<_>>(),
            "chosen": (1..=MOST_LIVE).map(|n| json!({ "messages": n, "kernel": table.best(n).name })).collect::<Vec<_>>(),
        })
    });
    pretty(&json!(tables))
}

/// The calls that `n` messages of `len_bytes` bytes would take, as text.
pub(crate) fn explain(n: usize, len_bytes: u64) -> String {
    let mut text = String::new();
    for table in hashlanes::kernels::all() {
        let steps = steps(table, n, len_bytes);
        let _ = writeln!(
            text,
            "{}: {} of {}",
            table.name(),
            counted(n as u64, "message"),
            counted(len_bytes, "byte")
        );
        let mut rows = vec![["calls", "kernel", "live", "messages", "blocks", "why"].map(String::from)];
        for (calls, step) in &steps {
            rows.push([
                calls.to_string(),
                step.kernel.name.into(),
                step.n_live.to_string(),
                format!("{} of {}", step.n_lanes, step.kernel.degree),
                step.n_blocks.to_string(),
                why(table, step),
            ]);
        }
        text += &columns(&rows);
        let cycles = cycles(&steps);
        let bytes = n as f64 * len_bytes as f64;
        let per_byte = if bytes > 0.0 { format!(", {:.2} a byte", cycles / bytes) } else { String::new() };
        let _ = writeln!(text, "  in all {cycles:.0} core cycles in kernels by the table{per_byte}\n");
    }
    text
}

/// The same as JSON.
pub(crate) fn explain_json(n: usize, len_bytes: u64) -> String {
    let tables = hashlanes::kernels::all().map(|table| {
        let steps = steps(table, n, len_bytes);
        json!({
            "hash": table.name(),
            "messages": n,
            "len_bytes": len_bytes,
            "cycles": cycles(&steps),
            "steps": steps.iter().map(|(calls, step)| json!({
                "calls": calls,
                "kernel": step.kernel.name,
                "live": step.n_live,
                "messages": step.n_lanes,
                "blocks": step.n_blocks,
                "why": why(table, step),
            })).collect::<Vec<_>>(),
        })
    });
    pretty(&json!(tables))
}

/// The schedule's calls, equal ones in a row counted together.
fn steps(table: &dyn AnyTable, n: usize, len_bytes: u64) -> Vec<(usize, Step)> {
    let mut steps: Vec<(usize, Step)> = Vec::new();
    let same = |a: &Step, b: &Step| {
        (a.kernel.name, a.n_live, a.n_lanes, a.n_blocks) == (b.kernel.name, b.n_live, b.n_lanes, b.n_blocks)
    };
    table.explain(n, len_bytes, &mut |step| match steps.last_mut() {
        Some((calls, last)) if same(last, &step) => *calls += 1,
        _ => steps.push((1, step)),
    });
    steps
}

fn cycles(steps: &[(usize, Step)]) -> f64 {
    steps.iter().map(|(calls, step)| (calls * step.n_blocks) as f64 * f64::from(step.kernel.cycles)).sum()
}

/// Why a step's kernel was chosen: what it brings forward, and what the next best would.
fn why(table: &dyn AnyTable, step: &Step) -> String {
    if std::env::var_os(table.variable()).is_some() {
        return format!("forced by {}", table.variable());
    }
    let rate = |row: &Row| step.n_live.min(row.degree) as f64 / f64::from(row.cycles) * 1000.0;
    let others = (0..table.n_rows()).map(|index| table.row(index));
    let next = others
        .filter(|row| row.supported && row.name != step.kernel.name)
        .max_by(|a, b| rate(a).total_cmp(&rate(b)));
    let mut why = format!("{:.2} blocks in 1000 cycles", rate(&step.kernel));
    if let Some(next) = next {
        let _ = write!(why, "; {} {:.2}", next.name, rate(&next));
    }
    why
}

/// For how many live messages a row is chosen: `1`, `5-8`, `9-`.
fn chosen_for(table: &dyn AnyTable, row: &Row) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for n in (1..=MOST_LIVE).filter(|&n| table.best(n).name == row.name) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => ranges.push((n, n)),
        }
    }
    let range = |&(first, last): &(usize, usize)| match (first, last) {
        (first, MOST_LIVE) => format!("{first} or more"),
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(", ")
}

fn row_json(table: &dyn AnyTable, row: &Row) -> Value {
    json!({
        "name": row.name,
        "messages": row.degree,
        "features": row.features,
        "verbs": row.verbs().map(Verb::name).collect::<Vec<_>>(),
        "supported": row.supported,
        "cycles": row.cycles,
        "cycles_per_byte": cycles_per_byte(table, row),
    })
}

fn cycles_per_byte(table: &dyn AnyTable, row: &Row) -> f64 {
    f64::from(row.cycles) / (row.degree * table.block_bytes()) as f64
}

fn counted(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {what}{s}")
}

/// Rows of cells, two blanks between columns, which are as wide as their widest cell.
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let mut text = String::new();
    for row in rows {
        let mut line = String::from(" ");
        for (i, cell) in row.iter().enumerate() {
            let width = rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
            let _ = write!(line, " {cell:width$} ");
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("a value of strings and numbers");
    text.push('\n');
    text
}
