//! The ledger of proofs: a page with a table, one line for each proved entry.

use std::collections::BTreeMap;
use std::path::Path;

use hashlanes_testkit::table::Table;

use crate::proof::Proved;

/// The titles of the table.
const TITLES: [&str; 11] = [
    "entry",
    "fingerprint",
    "blocks",
    "cases",
    "instructions",
    "unreached",
    "bytes of stack",
    "registers left",
    "bytes left",
    "tables",
    "seconds",
];

/// The words for the numbers of blocks.
const ANY: &str = "any";
const OF_CASES: &str = "cases";

/// A recorded proof.
pub struct Line {
    /// The hash of all that the proof depends on.
    pub fingerprint: String,
    /// Its figures.
    pub proved: Proved,
    /// How long it took.
    pub seconds: String,
}

/// All lines by the names of their entries.
#[derive(Default)]
pub struct Ledger {
    /// The recorded proofs.
    pub lines: BTreeMap<String, Line>,
}

impl Ledger {
    /// Reads the table of a page.
    ///
    /// # Errors
    /// A line that is not one of the ledger.
    pub fn of_page(page: &str) -> Result<Self, String> {
        let rows = page.lines().filter(|line| line.starts_with('|')).skip(2);
        let lines = rows.map(|row| line(row).ok_or_else(|| format!("{row:?} is not a line of the ledger")));
        Ok(Self { lines: lines.collect::<Result<_, _>>()? })
    }

    /// A page with this table in place of its own.
    pub fn into_page(&self, page: &str) -> String {
        let mut table = Table::new(TITLES);
        for (entry, Line { fingerprint, proved, seconds }) in &self.lines {
            let parts: Vec<String> = proved.tables.iter().map(ToString::to_string).collect();
            table.row([
                entry.clone(),
                fingerprint.clone(),
                if proved.any_blocks { ANY } else { OF_CASES }.into(),
                proved.n_cases.to_string(),
                proved.n_instructions.to_string(),
                proved.n_unreached.to_string(),
                proved.stack_bytes.to_string(),
                proved.left.0.to_string(),
                proved.left.1.to_string(),
                if parts.is_empty() { "none".into() } else { parts.join(" ") },
                seconds.clone(),
            ]);
        }
        let is_row = |line: &&str| line.starts_with('|');
        let before: Vec<&str> = page.lines().take_while(|line| !is_row(line)).collect();
        let after: Vec<&str> = page.lines().skip(before.len()).filter(|line| !is_row(line)).collect();
        let joined = |lines: Vec<&str>| lines.into_iter().flat_map(|line| [line, "\n"]).collect::<String>();
        joined(before) + &table.markdown() + &joined(after)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or has a line that is not one of the ledger.
    pub fn open(path: &Path) -> Result<Self, String> {
        Self::of_page(&read(path)?).map_err(|why| format!("{}: {why}", path.display()))
    }

    /// Writes the table of a file.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let page = self.into_page(&read(path)?);
        std::fs::write(path, page).map_err(|error| format!("{}: {error}", path.display()))
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn line(row: &str) -> Option<(String, Line)> {
    let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    let [
        entry,
        fingerprint,
        blocks,
        cases,
        instructions,
        unreached,
        stack,
        registers,
        bytes,
        tables,
        seconds,
    ] = cells[..]
    else {
        return None;
    };
    let tables = match tables {
        "none" => Vec::new(),
        parts => parts.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?,
    };
    let proved = Proved {
        any_blocks: blocks == ANY,
        n_cases: cases.parse().ok()?,
        n_instructions: instructions.parse().ok()?,
        n_unreached: unreached.parse().ok()?,
        stack_bytes: stack.parse().ok()?,
        left: (registers.parse().ok()?, bytes.parse().ok()?),
        tables,
    };
    Some((entry.into(), Line { fingerprint: fingerprint.into(), proved, seconds: seconds.into() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::Table;

    #[test]
    fn a_page_keeps_its_text_and_its_lines() {
        let tables = ["256@16", "8+64", "0"].map(|text| text.parse::<Table>().expect("a table"));
        let proved = Proved {
            any_blocks: true,
            n_cases: 8,
            n_instructions: 6736,
            n_unreached: 1,
            stack_bytes: 7304,
            left: (34, 4608),
            tables: tables.into(),
        };
        let line = Line { fingerprint: "00ff".into(), proved, seconds: "1.9".into() };
        let ledger = Ledger { lines: [("sha256/split_x16/compress".to_owned(), line)].into() };
        let page = ledger.into_page("# Proofs\n\n| entry |\n|---|\n\nThe end.\n");
        assert!(page.starts_with("# Proofs\n\n| entry ") && page.ends_with(" |\n\nThe end.\n"), "{page}");
        let read = Ledger::of_page(&page).expect("a ledger");
        assert_eq!(read.into_page(&page), page);
        assert_eq!(read.lines["sha256/split_x16/compress"].proved.tables, tables);
    }
}
