//! The commands that fit in one file each, and `list`.

pub(crate) mod calibrated;
pub(crate) mod cliffs;
mod columns;
pub(crate) mod compare;
pub(crate) mod forecast;
pub(crate) mod rank;
pub(crate) mod record;
pub(crate) mod siblings;
pub(crate) mod speed;
pub(crate) mod sweep;

use crate::candidate::Presence;
use crate::contestants::{self, rows, tables};
use hashlanes_chart::TextTable;

/// `list`: shows the contestants and our kernels, and the commands that install the others.
pub(crate) fn list() {
    let mut table = TextTable::new(["contestant", "version", "what"]).left(&[1, 2]);
    for candidate in contestants::all() {
        let (version, what) = match candidate.presence() {
            Presence::Here(version) => (version, candidate.about()),
            Presence::Missing(install) => {
                ("–".into(), format!("{}; NOT INSTALLED: {install}", candidate.about()))
            }
        };
        table.row([candidate.name().to_owned(), version, what]);
    }
    outln!("{table}");
    for (hash, table) in tables() {
        let names = rows(table).map(|row| match row.supported {
            true => row.name.to_owned(),
            false => format!("{} (not on this CPU)", row.name),
        });
        outln!("hashlanes:KERNEL for {}: {}", hash.name(), names.collect::<Vec<_>>().join(", "));
    }
}
