//! The text table at the end of a test run: the kernels that ran on each CPU level, and the skipped ones.
//!
//! ```
//! use hashlanes_testkit::table::Table;
//!
//! let mut table = Table::new(["kernel", "CPU level", "result", "checks"]);
//! table.row(["sha256 avx2-x8", "Haswell", "ran", "12345"]);
//! table.row(["sha256 split-x16", "Haswell", "skipped: no avx512f", "0"]);
//! assert_eq!(
//!     table.to_string(),
//!     "kernel            CPU level  result               checks\n\
//!      ----------------  ---------  -------------------  ------\n\
//!      sha256 avx2-x8    Haswell    ran                   12345\n\
//!      sha256 split-x16  Haswell    skipped: no avx512f       0\n"
//! );
//! ```

use std::fmt;

/// A table of text with a fixed number of columns. Columns that hold only numbers are aligned right, all
/// others left.
#[derive(Clone, Debug)]
pub struct Table {
    /// The header, then the rows; all of one length.
    rows: Vec<Vec<String>>,
}

/// The alignment of a column.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

impl Table {
    /// A table without rows whose columns have these titles.
    pub fn new<Cell: Into<String>>(titles: impl IntoIterator<Item = Cell>) -> Table {
        Table { rows: vec![titles.into_iter().map(Into::into).collect()] }
    }

    /// Adds a row at the end.
    ///
    /// # Panics
    /// Panics if `cells` are not as many as the titles.
    pub fn row<Cell: Into<String>>(&mut self, cells: impl IntoIterator<Item = Cell>) -> &mut Table {
        let cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        assert_eq!(cells.len(), self.rows[0].len(), "cells of a row, titles of its table: {cells:?}");
        self.rows.push(cells);
        self
    }

    /// Returns the table in GitHub's Markdown, its columns aligned in the source too; `|` in cells is
    /// escaped.
    pub fn markdown(&self) -> String {
        let escaped = |cell: &String| cell.replace('|', "\\|");
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(escaped).collect()).collect();
        let columns = columns(&rows);
        let rule = columns.iter().map(|&(width, side)| match side {
            Side::Left => "-".repeat(width + 2),
            Side::Right => "-".repeat(width + 1) + ":",
        });
        let rule = format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
        let mut lines = rows.iter().map(|row| format!("| {} |\n", aligned(row, &columns).join(" | ")));
        let header = lines.next().expect("the titles");
        header + &rule + &lines.collect::<String>()
    }
}

impl fmt::Display for Table {
    /// Returns the table for a terminal: columns two spaces apart, titles underlined, no spaces at the ends
    /// of lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = columns(&self.rows);
        let rule = columns.iter().map(|&(width, _)| "-".repeat(width)).collect();
        let (header, rows) = self.rows.split_first().expect("the titles");
        for row in [header, &rule].into_iter().chain(rows) {
            writeln!(f, "{}", aligned(row, &columns).join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// Each column's width in characters, at least 2 (Markdown's shortest rule), and side.
fn columns(rows: &[Vec<String>]) -> Vec<(usize, Side)> {
    let is_number = |cell: &str| cell.parse::<f64>().is_ok();
    let column = |i: usize| {
        let width = rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0).max(2);
        let numbers = rows.len() > 1 && rows[1..].iter().all(|row| is_number(&row[i]));
        (width, if numbers { Side::Right } else { Side::Left })
    };
    (0..rows[0].len()).map(column).collect()
}

/// Returns the cells of a row, filled up with spaces to their columns' widths.
fn aligned(row: &[String], columns: &[(usize, Side)]) -> Vec<String> {
    let align = |(cell, &(width, side)): (&String, &(usize, Side))| match side {
        Side::Left => format!("{cell:<width$}"),
        Side::Right => format!("{cell:>width$}"),
    };
    row.iter().zip(columns).map(align).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown() {
        let mut table = Table::new(["kernel", "level", "n"]);
        table.row(["avx2-x8", "a|b", "1000"]).row(["sse-x4", "Nehalem", "7"]);
        assert_eq!(
            table.markdown(),
            "| kernel  | level   |    n |\n\
             |---------|---------|-----:|\n\
             | avx2-x8 | a\\|b    | 1000 |\n\
             | sse-x4  | Nehalem |    7 |\n"
        );
    }

    #[test]
    fn titles_alone() {
        let table = Table::new(["kernel", "ran"]);
        assert_eq!(table.to_string(), "kernel  ran\n------  ---\n");
        assert_eq!(table.markdown(), "| kernel | ran |\n|--------|-----|\n");
    }

    #[test]
    #[should_panic(expected = "cells of a row")]
    fn a_row_has_a_cell_for_each_title() {
        Table::new(["kernel", "ran"]).row(["avx2-x8"]);
    }
}
