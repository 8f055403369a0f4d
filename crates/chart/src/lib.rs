//! Shows measured numbers: tables of text, and charts as SVG.
//!
//! ```
//! use hashlanes_chart::{Bar, Chart, TextTable, Whose, number};
//!
//! let mut table = TextTable::new(["kernel", "cycles a byte"]);
//! table.row(["sha-ni", &number(2.03)]);
//! assert_eq!(table.to_string(), "kernel  cycles a byte\nsha-ni          2.030\n");
//!
//! let bar = Bar { name: "sha-ni".into(), value: Some(2.03), paper: None, whose: Whose::Ours };
//! let svg = Chart::new("SHA-256", "one core").bars("cycles a byte", vec![bar]).to_svg();
//! assert!(svg.starts_with("<svg"));
//! ```
//!
//! With the feature `serde`, figures with their tables and panels can be saved and read.
//!
//! Internal to hashlanes: no promise of stability.

mod chart;
mod svg;
mod text_table;

pub use chart::{Bar, Chart, Figure, Line, Over, Panel, Whose};
pub use text_table::{TextTable, number, number_or_dash, size_text};
