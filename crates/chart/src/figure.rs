//! A figure: a table and the panels that show it, as they are saved (feature `serde`) and drawn again.

use crate::{Chart, Panel, TextTable};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A figure.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Figure {
    /// Such as `000-fig3`.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Its numbers.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub table: TextTable,
    /// From above.
    pub panels: Vec<Panel>,
}

impl Figure {
    /// The panels as one picture, with a note beneath.
    pub fn chart(&self, note: impl Into<String>) -> Chart {
        let title = format!("{}: {}", self.name, self.title);
        Chart { title, note: note.into(), panels: self.panels.clone() }
    }
}
