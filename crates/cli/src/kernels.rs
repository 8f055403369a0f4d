//! `hashlanes kernels`: the CPU's features, the kernel chosen for each number of messages, and the reason.
//!
//! Ciphers' are listed in `cipher_kernels.rs`. The cycles are those of the tables, measured on a CPU like
//! this one, or with `--measure` this CPU's own.

use std::fmt::Write;

use hashlanes::kernels::{AnyTable, Row, Step};
use hashlanes_chart::{TextTable, number_or_dash};
use hashlanes_clock::{Clock, Outcome};
use serde_json::{Value, json};

use crate::cipher_kernels::{self, LONG};
use crate::kernel_timing;

/// Numbers of live messages in the listing: a table distinguishes no more.
const MOST_LIVE: usize = 16;

/// Bytes a message at which kernels are measured.
const LEN_BYTES: usize = 8192;

/// Whether the figures are the tables' or this CPU's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Figures {
    /// As in the tables.
    Tables,
    /// Timed now.
    Measured,
}

/// Measured cycles of a turn (a block of every lane), by kernel, for a table.
struct Cycles(Vec<(String, f64)>);

impl Cycles {
    fn measure(table: &dyn AnyTable, clock: &mut Clock) -> Cycles {
        let turn = |outcome: Outcome| {
            let lanes = outcome.messages as f64;
            Some((
                outcome.name.clone(),
                outcome.figure_cycles_per_byte()? * lanes * table.block_bytes() as f64,
            ))
        };
        Cycles(kernel_timing::blocks(table.name(), LEN_BYTES, clock).into_iter().filter_map(turn).collect())
    }

    fn of(&self, row: &Row) -> Option<f64> {
        self.0.iter().find(|(name, _)| name == row.name).map(|(_, cycles)| *cycles)
    }
}

/// Returns the tables, each with its measurements, if these were requested.
fn tables(figures: Figures) -> impl Iterator<Item = (&'static dyn AnyTable, Option<Cycles>)> {
    let mut clock = (figures == Figures::Measured).then(Clock::new);
    hashlanes::kernels::all()
        .map(move |table| (table, clock.as_mut().map(|clock| Cycles::measure(table, clock))))
}

/// Every table as text.
pub(crate) fn list(figures: Figures) -> String {
    let mut text = String::new();
    for (table, measured) in tables(figures) {
        let _ = writeln!(text, "{} ({}=NAME forces a kernel)", table.name(), table.variable());
        let mut title = vec!["kernel", "messages", "cycles", "cpb", "chosen for", "CPU features"];
        if measured.is_some() {
            title.insert(4, "measured");
        }
        let mut lines = TextTable::new(title.iter().copied());
        let to_the_left = [title.len() - 2, title.len() - 1];
        lines = lines.left(&to_the_left);
        for index in 0..table.n_rows() {
            let row = table.row(index);
            let mut cells = vec![
                row.name.into(),
                row.degree.to_string(),
                row.cost.block.to_string(),
                format!("{:.2}", cycles_per_byte(table, &row)),
                if row.supported { chosen_for(table, &row) } else { "(lacks features)".into() },
                if row.features.is_empty() { "none".into() } else { row.features.join(" ") },
            ];
            if let Some(measured) = &measured {
                cells.insert(4, number_or_dash(measured.of(&row)));
            }
            lines.row(cells);
        }
        let _ = writeln!(text, "{lines}");
    }
    text += &cipher_kernels::list();
    let _ = writeln!(text, "{}", costs());
    text += "cycles: core cycles for a block of every message; cpb: the same for each byte, all lanes busy.\n\
             The kernel that advances the most blocks per cycle is chosen. The figures are those of long messages; for\n\
             short ones the cost of calls counts, too (see --explain).\n";
    if figures == Figures::Measured {
        text += "measured: cycles on this CPU, now; a dash means that the core's clock is unknown.\n";
    }
    text
}

/// Returns where the costs come from on which the choice is based.
fn costs() -> String {
    let (core, is_own_column) = hashlanes::kernels::column();
    let column = match is_own_column {
        true => format!("Costs were measured on this CPU, {core}."),
        false if cfg!(target_arch = "aarch64") => format!("Costs are estimates, by a model of {core}."),
        false => format!("Costs are estimates, from the nearest column, {core}: this CPU was not measured."),
    };
    match hashlanes::kernels::every_row().any(|(_, row)| row.is_measured) {
        true => format!("Costs of hashes were measured now. Those of ciphers: {column}"),
        false => column,
    }
}

/// Every table as JSON.
pub(crate) fn list_json(figures: Figures) -> String {
    let tables = tables(figures).map(|(table, measured)| {
        let rows = (0..table.n_rows()).map(|index| table.row(index));
        json!({
            "hash": table.name(),
            "variable": table.variable(),
            "block_bytes": table.block_bytes(),
            "kernels": rows.map(|row| row_json(table, &row, measured.as_ref())).collect::<Vec<_>>(),
            "chosen": (1..=MOST_LIVE).map(|n| json!({ "messages": n, "kernel": table.best(n, LONG).name })).collect::<Vec<_>>(),
        })
    });
    pretty(&Value::from_iter(tables.chain(cipher_kernels::list_json())))
}

/// A question about the calls for `n` messages of `len_bytes` bytes.
#[derive(Clone, Copy)]
pub(crate) struct Question {
    pub(crate) n: usize,
    pub(crate) len_bytes: u64,
    pub(crate) figures: Figures,
}

impl Question {
    /// Returns the answer as text.
    pub(crate) fn text(self) -> String {
        let Question { n, len_bytes, .. } = self;
        let mut text = String::new();
        let mut clock = self.clock();
        for table in hashlanes::kernels::all() {
            let steps = steps(table, n, len_bytes);
            let (messages, bytes) = (counted(n as u64, "message"), counted(len_bytes, "byte"));
            let _ = writeln!(text, "{}: {messages} of {bytes}", table.name());
            let title = ["calls", "kernel", "live", "messages", "blocks", "cycles", "why"];
            let mut lines = TextTable::new(title).left(&[1, 6]);
            for Run { calls, step, last_live, cycles } in &steps {
                let live = step.n_live;
                lines.row([
                    calls.to_string(),
                    step.kernel.name.into(),
                    if live == *last_live { live.to_string() } else { format!("{live}-{last_live}") },
                    format!("{} on {}", step.n_messages, step.kernel.degree),
                    step.n_blocks.to_string(),
                    cycles.to_string(),
                    why(table, step),
                ]);
            }
            let _ = write!(text, "{lines}");
            let cycles = cycles(&steps);
            let bytes = n as f64 * len_bytes as f64;
            let per_byte =
                if bytes > 0.0 { format!(", {:.2} a byte", cycles as f64 / bytes) } else { String::new() };
            let _ = writeln!(text, "total: {cycles} core cycles by the plan{per_byte}");
            if let Some(clock) = &mut clock {
                let _ = write!(text, "\nthe whole call, measured\n{}", self.candidates(table, clock));
            }
            text.push('\n');
        }
        text += "live: messages left when the call was chosen; messages: those that the call takes from start to end, on so many\n\
                 lanes (more messages than lanes take turns on them); blocks: those of each lane; cycles: core cycles of these\n\
                 calls and of what is around them, by the plan's costs. The kernels are chosen so that all messages end first\n\
                 (why: in how many cycles, with what the calls cost around the kernels).\n";
        text
    }

    /// The same as JSON.
    pub(crate) fn json(self) -> String {
        let Question { n, len_bytes, .. } = self;
        let mut clock = self.clock();
        let tables = hashlanes::kernels::all().map(|table| {
            let steps = steps(table, n, len_bytes);
            let mut value = json!({
                "hash": table.name(),
                "messages": n,
                "len_bytes": len_bytes,
                "cycles": cycles(&steps),
                "steps": steps.iter().map(|Run { calls, step, last_live, cycles }| json!({
                    "calls": calls,
                    "kernel": step.kernel.name,
                    "live": step.n_live,
                    "last_live": last_live,
                    "messages": step.n_messages,
                    "message_blocks": step.of_message,
                    "blocks": step.n_blocks,
                    "cycles": cycles,
                    "why": why(table, step),
                })).collect::<Vec<_>>(),
            });
            if let Some(clock) = &mut clock {
                let outcomes = kernel_timing::calls(table.name(), n, len_bytes as usize, clock);
                value["measured"] = Value::from_iter(outcomes.iter().map(|outcome| json!({
                    "kernel": if outcome.name == kernel_timing::CHOSEN { Value::Null } else { json!(outcome.name) },
                    "cycles": outcome.figure_cycles(),
                    "nanoseconds": outcome.figure_nanoseconds(),
                    "samples": outcome.accepted(),
                    "rejected": outcome.rejected().total(),
                })));
            }
            value
        });
        pretty(&json!(tables.collect::<Vec<_>>()))
    }

    fn clock(self) -> Option<Clock> {
        (self.figures == Figures::Measured).then(Clock::new)
    }

    /// Returns the call with the library's choice and on each kernel alone, the fastest first.
    fn candidates(self, table: &dyn AnyTable, clock: &mut Clock) -> TextTable {
        let mut outcomes = kernel_timing::calls(table.name(), self.n, self.len_bytes as usize, clock);
        let time = |outcome: &Outcome| outcome.figure_nanoseconds().unwrap_or(f64::INFINITY);
        let chosen = outcomes.first().map_or(f64::NAN, time);
        outcomes.sort_by(|a, b| time(a).total_cmp(&time(b)));
        let mut lines = TextTable::new(["kernel", "cycles", "cycles/byte", "ns", "× chosen"]);
        for outcome in &outcomes {
            lines.row([
                outcome.name.clone(),
                outcome.figure_cycles().map_or_else(|| "–".into(), |cycles| format!("{cycles:.0}")),
                number_or_dash(outcome.figure_cycles_per_byte()),
                format!("{:.0}", time(outcome)),
                format!("{:.2}", time(outcome) / chosen),
            ]);
        }
        lines
    }
}

/// Calls in a row that are made for the same reasons.
struct Run {
    calls: usize,
    /// The first.
    step: Step,
    /// Messages that were live at the last.
    last_live: usize,
    /// The sum over all.
    cycles: u64,
}

/// Returns the schedule's calls, in runs.
fn steps(table: &dyn AnyTable, n: usize, len_bytes: u64) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    // All numbers of live messages above the lanes of the largest kernel count as one.
    let key = |step: &Step| {
        let live = step.n_live.min(MOST_LIVE);
        (step.kernel.name, live, step.n_messages, step.n_blocks)
    };
    table.explain(n, len_bytes, &mut |step| match runs.last_mut() {
        Some(run) if key(&run.step) == key(&step) => {
            run.calls += 1;
            run.last_live = step.n_live;
            run.cycles += step.cycles;
        }
        _ => runs.push(Run { calls: 1, last_live: step.n_live, cycles: step.cycles, step }),
    });
    runs
}

fn cycles(runs: &[Run]) -> u64 {
    runs.iter().map(|run| run.cycles).sum()
}

/// Returns why a step's kernel was chosen: its speed, and that of the next best.
fn why(table: &dyn AnyTable, step: &Step) -> String {
    if std::env::var_os(table.variable()).is_some() {
        return format!("forced by {}", table.variable());
    }
    let n_live = step.n_live.min(MOST_LIVE);
    let others = (0..table.n_rows()).map(|index| table.row(index));
    let others = others.filter(|row| row.supported && row.name != step.kernel.name);
    let end = |row: &Row| table.end_of_groups(row, n_live, step.of_message);
    let mut why = format!("{n_live} end in {} cycles", end(&step.kernel));
    // Another that ends with it is the same groups in another order.
    if let Some(next) = others.filter(|row| end(row) > end(&step.kernel)).min_by_key(end) {
        let _ = write!(why, "; {} first: {}", next.name, end(&next));
    }
    why
}

/// For how many live messages a row is chosen: `1`, `5-8`, `9-`.
pub(crate) fn chosen_for(table: &dyn AnyTable, row: &Row) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for n in (1..=MOST_LIVE).filter(|&n| table.best(n, LONG).name == row.name) {
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

fn row_json(table: &dyn AnyTable, row: &Row, measured: Option<&Cycles>) -> Value {
    let mut value = json!({
        "name": row.name,
        "messages": row.degree,
        "features": row.features,
        "verbs": row.verbs().collect::<Vec<_>>(),
        "supported": row.supported,
        "cycles": row.cost.block,
        "cycles_of_call": row.cost.call,
        "calibrated": row.is_measured,
        "cycles_per_byte": cycles_per_byte(table, row),
    });
    if let Some(measured) = measured {
        value["measured_cycles"] = json!(measured.of(row));
    }
    value
}

fn cycles_per_byte(table: &dyn AnyTable, row: &Row) -> f64 {
    f64::from(row.cost.block) / (row.degree * table.block_bytes()) as f64
}

fn counted(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {what}{s}")
}

/// Indented, and a line feed at the end.
pub(crate) fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("a value of strings and numbers");
    text.push('\n');
    text
}
