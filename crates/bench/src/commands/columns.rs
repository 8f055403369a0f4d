//! Columns of costs in the source files of the tables: `rank --write` replaces the column of this CPU.

use hashlanes::kernels::{COLUMNS, column};
use hashlanes_clock::Environment;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The place of this CPU's column.
///
/// # Errors
/// If it has none: the column of a similar CPU must not be overwritten.
pub(super) fn here(environment: &Environment) -> Result<usize, String> {
    let (core, is_measured) = column();
    let place = COLUMNS.iter().position(|column| *column == core);
    place.filter(|_| is_measured).ok_or_else(|| {
        format!(
            "--write: this CPU ({environment}) has no column. There is {}. Add one to COLUMNS in \
             crates/isa/src/costs.rs and to every row",
            COLUMNS.join(", ")
        )
    })
}

/// Writes the call and the block of each kernel into column `place` of a hash's table.
///
/// # Errors
/// If the file cannot be read or written, or a kernel has no row in it.
pub(super) fn write(hash: &str, place: usize, costs: &[(&str, f64, f64)]) -> Result<(), String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../sha/src/{hash}/kernels.rs"));
    let wrong = |error: std::io::Error| format!("{}: {error}", file.display());
    let text = fs::read_to_string(&file).map_err(wrong)?;
    let text = replaced(&text, place, costs).map_err(|what| format!("{}: {what}", file.display()))?;
    fs::write(&file, text).map_err(wrong)?;
    outln!("written: {}", file.display());
    Ok(())
}

/// Whether the condition of a section holds on this architecture.
fn holds_here(condition: &str) -> bool {
    let architecture = format!("target_arch = \"{}\"", std::env::consts::ARCH);
    condition.contains(&architecture) != condition.starts_with("not(")
}

/// A row of a table: the text before its costs, and the costs.
struct Line<'t> {
    before: &'t str,
    costs: Vec<[String; 2]>,
}

impl<'t> Line<'t> {
    /// Parses a line of a source file, if it is a row.
    fn of(line: &'t str) -> Option<Self> {
        let (before, costs) = line.strip_suffix(';')?.rsplit_once(']')?;
        let numbers: Vec<String> =
            costs.split_whitespace().filter(|word| *word != "+").map(str::to_owned).collect();
        let is_number = |word: &String| word.split('/').all(|number| number.parse::<u32>().is_ok());
        if !numbers.iter().all(is_number) {
            return None;
        }
        let costs = numbers.as_chunks().0.to_vec();
        (costs.len() == COLUMNS.len()).then_some(Self { before, costs })
    }

    /// The kernel's name.
    fn name(&self) -> String {
        self.before.split_whitespace().next().unwrap_or_default().replace('_', "-")
    }
}

/// The text with these costs in column `place`, all columns of this architecture's rows aligned.
fn replaced(text: &str, place: usize, costs: &[(&str, f64, f64)]) -> Result<String, String> {
    // Other architectures have rows of the same names, and columns of other CPUs.
    let mut is_here = true;
    let mut parse = |line| {
        if let Some((_, condition)) = str::split_once(line, "#[cfg(") {
            is_here = holds_here(condition);
        }
        (line, if is_here { Line::of(line) } else { None })
    };
    let mut lines: Vec<(&str, Option<Line<'_>>)> = text.lines().map(&mut parse).collect();
    for (name, call, block) in costs {
        let row = lines.iter_mut().filter_map(|(_, row)| row.as_mut()).find(|row| row.name() == *name);
        let row = row.ok_or_else(|| format!("there is no row {name}"))?;
        // A call of equal short messages is not measured here, and stays.
        let [old, _] = &row.costs[place];
        let equal = old.split_once('/').map_or_else(String::new, |(_, equal)| format!("/{equal}"));
        row.costs[place] = [format!("{call:.0}{equal}"), format!("{block:.0}")];
    }
    let rows = || lines.iter().filter_map(|(_, row)| row.as_ref());
    let before = rows().map(|row| row.before.len()).max().unwrap_or(0);
    let width = |column: usize, i: usize| rows().map(|row| row.costs[column][i].len()).max().unwrap_or(0);
    let widths: Vec<[usize; 2]> =
        (0..COLUMNS.len()).map(|column| [width(column, 0), width(column, 1)]).collect();
    let mut new = String::new();
    for (line, row) in &lines {
        match row {
            None => new.push_str(line),
            Some(row) => {
                let _ = write!(new, "{}]{:pad$}", row.before, "", pad = before - row.before.len());
                for ([call, block], [call_width, block_width]) in row.costs.iter().zip(&widths) {
                    let _ = write!(new, "   {call:>call_width$} + {block:>block_width$}");
                }
                new.push(';');
            }
        }
        new.push('\n');
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
kernels! { F;
    many {
        avx2_x8  8 [\"avx2\"] Avx2 OverLanes<X8> [finish_fixed]   110 + 968   1 + 2   1 + 2;
        scalar   1 [] Scalar OverLanes<X1> []   26 + 634   1/7 + 2   3 + 4;
    }
    one #[cfg(target_arch = \"m68k\")] {
        avx2_x8  1 [] Scalar X []   1 + 2   1 + 2   1 + 2;
    }
}
";

    #[test]
    fn a_column_is_replaced_and_aligned() {
        let new = replaced(TABLE, 2, &[("avx2-x8", 99.6, 1200.2)]).unwrap();
        let expected = "\
kernels! { F;
    many {
        avx2_x8  8 [\"avx2\"] Avx2 OverLanes<X8> [finish_fixed]   110 + 968     1 + 2   100 + 1200;
        scalar   1 [] Scalar OverLanes<X1> []                    26 + 634   1/7 + 2     3 +    4;
    }
    one #[cfg(target_arch = \"m68k\")] {
        avx2_x8  1 [] Scalar X []   1 + 2   1 + 2   1 + 2;
    }
}
";
        assert_eq!(new, expected);
    }

    #[test]
    fn a_kernel_without_a_row_is_reported() {
        assert_eq!(replaced(TABLE, 0, &[("sse-x4", 1.0, 1.0)]), Err("there is no row sse-x4".into()));
    }
}
