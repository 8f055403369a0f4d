//! Tables of text: columns as wide as their widest cell, the first to the left, others to the right.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct TextTable {
    /// Headings first.
    #[cfg_attr(feature = "serde", serde(rename = "table"))]
    rows: Vec<Vec<String>>,
    /// Columns that are aligned left.
    left: Vec<usize>,
}

impl TextTable {
    /// A table with these headings.
    pub fn new(headings: impl IntoIterator<Item = impl Into<String>>) -> Self {
        TextTable { rows: vec![headings.into_iter().map(Into::into).collect()], left: vec![0] }
    }

    /// Aligns these columns left, too.
    pub fn left(mut self, columns: &[usize]) -> Self {
        self.left.extend(columns);
        self
    }

    /// Returns the cells, headings first.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Columns that are aligned left.
    pub fn left_columns(&self) -> &[usize] {
        &self.left
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let chars = |cell: &String| cell.chars().count();
        let widths: Vec<usize> = (0..columns)
            .map(|c| self.rows.iter().filter_map(|row| row.get(c)).map(chars).max().unwrap_or(0))
            .collect();
        for row in &self.rows {
            let mut line = String::new();
            for (c, cell) in row.iter().enumerate() {
                let pad = " ".repeat(widths[c] - chars(cell));
                let gap = if c > 0 { "  " } else { "" };
                match self.left.contains(&c) {
                    true => line += &format!("{gap}{cell}{pad}"),
                    false => line += &format!("{gap}{pad}{cell}"),
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A figure with three decimals if it is small, none if it is large.
pub fn number(value: f64) -> String {
    match value.abs() {
        v if v < 10.0 => format!("{value:.3}"),
        v if v < 100.0 => format!("{value:.2}"),
        v if v < 1000.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// Returns the figure, or a dash.
pub fn number_or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "–".into(), number)
}

/// Returns a length, with `K` or `M` if it is a whole number of them.
pub fn size_text(bytes: usize) -> String {
    match bytes {
        _ if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => format!("{}M", bytes >> 20),
        _ if bytes >= 1 << 10 && bytes.is_multiple_of(1 << 10) => format!("{}K", bytes >> 10),
        _ => bytes.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = TextTable::new(["name", "n"]);
        table.row(["–", "10"]);
        table.row(["longer", "9"]);
        assert_eq!(table.to_string(), "name     n\n–       10\nlonger   9\n");
    }
}
