//! `rank`: measures our kernels on this CPU, and compares them with the cycles in the tables and the choice
//! based on these.
//!
//! A turn is a block of every lane. For n live messages the library uses the kernel that advances the most
//! blocks per cycle, by the static cycles of its table. `rank` measures the cycles and reports where they
//! lead to another choice. With `--write` it writes them into the table (see `columns.rs`).

use super::columns;
use crate::contest::Contest;
use crate::contestants::{OURS, rows, tables};
use crate::session::Session;
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes::kernels::{AnyTable, Row};
use hashlanes_chart::TextTable;

/// Minimum number of lanes, so that the footprint of all kernels is similar.
const LANES: usize = 16;
/// Numbers of live messages that the choice distinguishes.
const LIVE: usize = 16;
/// Blocks of long messages.
const LONG: usize = 1000;
/// Static cycles are reported as wrong if they differ by this share from the measured ones.
const OFF: f64 = 0.03;

/// The blocks of the messages that show the cost of a call.
const SHORT: usize = 2;

/// Measures the kernels of the named tables at `len` bytes a lane. If requested, writes this CPU's column.
pub(crate) fn run(session: &mut Session, hashes: &[Hash], len: usize, write: bool) -> Result<(), String> {
    let wanted = |hash: &Hash| hashes.is_empty() || hashes.contains(hash);
    let tables: Vec<_> = tables().filter(|(hash, _)| wanted(hash)).collect();
    if tables.is_empty() {
        return Err("there are tables of sha1, sha256 and sha512".into());
    }
    if tables.iter().any(|(hash, _)| !len.is_multiple_of(block_bytes(*hash)) || len == 0) {
        return Err(format!("{len} bytes are not whole blocks"));
    }
    let place = if write { Some(columns::here(session.environment())?) } else { None };
    let contests: Vec<Contest> = tables.iter().map(|(hash, table)| contest(*hash, *table, len)).collect();
    let standings = session.measure(&contests)?;
    let short = |(hash, table): &(Hash, _)| contest(*hash, *table, SHORT * block_bytes(*hash));
    let short: Vec<Contest> = if write { tables.iter().map(short).collect() } else { Vec::new() };
    let short = session.measure(&short)?;
    if session.is_silent() {
        return Ok(());
    }
    outln!("{}", session.environment());
    for ((hash, table), standing) in tables.iter().zip(&standings) {
        outln!("\n{}, {len} bytes a lane", hash.name());
        show(*hash, *table, len, standing);
    }
    let Some(place) = place else { return Ok(()) };
    for (((hash, table), long), short) in tables.iter().zip(&standings).zip(&short) {
        let n_blocks = (len / block_bytes(*hash)) as f64;
        let cost = |row: Row| {
            let (long, short) = (cycles_of_call(&row, long)?, cycles_of_call(&row, short)?);
            let block = (long - short) / (n_blocks - SHORT as f64);
            Some((row.name, (short - SHORT as f64 * block).max(0.0), block))
        };
        columns::write(&hash.name(), place, &rows(*table).filter_map(cost).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// The core cycles of a call of the kernel, measured.
fn cycles_of_call(row: &Row, standing: &Standings) -> Option<f64> {
    let outcome = standing.outcome(&format!("{OURS}:{}", row.name))?;
    Some(outcome.figure_cycles()? / (outcome.messages as f64 / row.degree as f64))
}

fn block_bytes(hash: Hash) -> usize {
    hash.block_and_padding().expect("a hash of FIPS 180-4").0
}

/// All kernels in one race, each on as many messages as make whole groups of its lanes.
fn contest(hash: Hash, table: &'static dyn AnyTable, len: usize) -> Contest {
    let entries = rows(table).map(|row| {
        let count = row.degree * LANES.div_ceil(row.degree);
        (format!("{OURS}:{}", row.name), Work::new(hash, Shape::Lanes { count, len }))
    });
    Contest::new(format!("rank {}", hash.name()), entries.collect())
}

fn show(hash: Hash, table: &'static dyn AnyTable, len: usize, standing: &Standings) {
    let blocks = (len / block_bytes(hash)) as f64;
    // Cycles of a turn, measured.
    let measured = |row: &Row| Some(cycles_of_call(row, standing)? / blocks);
    let mut lines: Vec<(Row, Option<f64>)> = rows(table).map(|row| (row, measured(&row))).collect();
    let per_lane = |(row, cycles): &(Row, Option<f64>)| cycles.map_or(f64::MAX, |c| c / row.degree as f64);
    lines.sort_by(|a, b| per_lane(a).total_cmp(&per_lane(b)));

    let headings =
        ["kernel", "lanes", "cycles a turn", "static", "measured/static", "cycles a block", "c/B", ""];
    let mut text = TextTable::new(headings).left(&[7]);
    for (row, cycles) in &lines {
        let name = format!("{OURS}:{}", row.name);
        let fixed = f64::from(row.cost.block);
        text.row(match cycles {
            Some(cycles) => {
                let each = cycles / row.degree as f64;
                let off = (cycles / fixed - 1.0).abs() > OFF;
                [
                    row.name.to_owned(),
                    row.degree.to_string(),
                    format!("{cycles:.1}"),
                    row.cost.block.to_string(),
                    format!("{:.3}", cycles / fixed),
                    format!("{each:.2}"),
                    format!("{:.3}", each / block_bytes(hash) as f64),
                    if off { "static is off".into() } else { String::new() },
                ]
            }
            None => {
                let why = standing.absence(&name).map_or_else(|| "interrupted".into(), |a| a.text());
                let dash = || "–".to_owned();
                [
                    row.name.into(),
                    row.degree.to_string(),
                    dash(),
                    row.cost.block.to_string(),
                    dash(),
                    dash(),
                    dash(),
                    why,
                ]
            }
        });
    }
    outln!("{text}");
    show_choice(table, &lines);
}

/// For each number of live messages: the library's choice, and the choice by measured cycles.
fn show_choice(table: &'static dyn AnyTable, lines: &[(Row, Option<f64>)]) {
    let rate = |n: usize, row: &Row, cycles: f64| n.min(row.degree) as f64 / cycles;
    let mut wrong = Vec::new();
    for n in 1..=LIVE {
        let chosen = table.best(n, LONG);
        let measured = lines.iter().filter_map(|(row, cycles)| Some((row, rate(n, row, (*cycles)?))));
        let measured: Vec<_> = measured.collect();
        let Some((best, best_rate)) = measured.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        let Some((_, chosen_rate)) = measured.iter().find(|(row, _)| row.name == chosen.name) else {
            continue;
        };
        if best.name != chosen.name {
            let loss = 100.0 * (best_rate / chosen_rate - 1.0);
            wrong.push(format!("  {n} live: chosen {}, {} is {loss:.1} % faster", chosen.name, best.name));
        }
    }
    let choice: Vec<String> = (1..=LIVE).map(|n| table.best(n, LONG).name.to_owned()).collect();
    let runs = choice.chunk_by(|a, b| a == b);
    let mut first = 1;
    let mut borders = Vec::new();
    for run in runs {
        let last = first + run.len() - 1;
        borders.push(if first == last {
            format!("{first}: {}", run[0])
        } else {
            format!("{first}–{last}: {}", run[0])
        });
        first = last + 1;
    }
    outln!("the choice by number of live messages: {}", borders.join("; "));
    match wrong.is_empty() {
        true => outln!("the measured cycles lead to the same choice everywhere"),
        false => outln!("the measured cycles lead elsewhere:\n{}", wrong.join("\n")),
    }
}
