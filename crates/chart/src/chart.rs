//! The content of charts, independent of the output format. `svg.rs` draws them.

use crate::TextTable;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A picture of panels, one above the other.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The title, above everything.
    pub title: String,
    /// A note in small type below everything: the CPU, the method.
    pub note: String,
    /// The panels, from top to bottom.
    pub panels: Vec<Panel>,
}

/// A figure: a table and the panels that show it, as they are saved (feature `serde`) and drawn again.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Figure {
    /// The name, such as `gueron-krasnov-2012-n-sms`.
    pub name: String,
    /// The title.
    pub title: String,
    /// Its numbers.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub table: TextTable,
    /// The panels, from top to bottom.
    pub panels: Vec<Panel>,
    /// What the paper found, in a sentence.
    #[cfg_attr(feature = "serde", serde(default))]
    pub paper: String,
    /// What was measured, in a sentence or two; empty if nothing was.
    #[cfg_attr(feature = "serde", serde(default))]
    pub today: String,
    /// What a reader must know about the values, if anything: shown beneath.
    #[cfg_attr(feature = "serde", serde(default))]
    pub footnote: String,
}

impl Figure {
    /// Returns the panels as one picture, with a note beneath, and the footnote.
    pub fn chart(&self, note: impl Into<String>) -> Chart {
        let title = format!("{}: {}", self.name, self.title);
        let mut note = note.into();
        if !self.footnote.is_empty() {
            note = format!("{note}; {}", self.footnote);
        }
        Chart { title, note, panels: self.panels.clone() }
    }
}

/// Lines over an axis, or bars.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Panel {
    /// The label of the values.
    #[cfg_attr(feature = "serde", serde(rename = "y"))]
    pub y_label: String,
    /// The axis and the data.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub over: Over,
    /// The CPU of the papers' values, such as `on Haswell`; empty if unknown.
    #[cfg_attr(feature = "serde", serde(default))]
    pub quoted: String,
}

impl Panel {
    /// Returns whether it shows a value that was measured, not only a paper's.
    pub fn is_measured(&self) -> bool {
        match &self.over {
            Over::Numbers { lines, .. } => {
                lines.iter().any(|line| line.whose != Whose::Paper && !line.points.is_empty())
            }
            Over::Names { bars } => bars.iter().any(|bar| bar.value.is_some()),
        }
    }
}

/// The axis of a panel.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(untagged))]
pub enum Over {
    /// A number on a logarithmic scale.
    Numbers {
        /// The label of the numbers.
        #[cfg_attr(feature = "serde", serde(rename = "x"))]
        x_label: String,
        /// The lines.
        #[cfg_attr(feature = "serde", serde(rename = "series"))]
        lines: Vec<Line>,
    },
    /// Names.
    Names {
        /// The bars.
        bars: Vec<Bar>,
    },
}

/// Measured points, or a paper's.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Line {
    /// The name in the legend.
    pub name: String,
    /// The owner of the points.
    pub whose: Whose,
    /// (x, y), x rising.
    pub points: Vec<(f64, f64)>,
}

/// A bar.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Bar {
    /// The text next to it.
    pub name: String,
    /// Its owner.
    pub whose: Whose,
    /// Its length; `None` if it could not be measured.
    pub value: Option<f64>,
    /// A paper's value: a hollow mark.
    pub paper: Option<f64>,
}

/// The owner of a line or a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "lowercase"))]
pub enum Whose {
    /// This project, measured here.
    Ours,
    /// Another project, measured here.
    Rival,
    /// Quoted in a paper, measured on another CPU: hollow marks without a line, never compared as absolutes.
    Paper,
}

impl Chart {
    /// A chart with this title and no panels yet.
    pub fn new(title: impl Into<String>, note: impl Into<String>) -> Self {
        Chart { title: title.into(), note: note.into(), panels: Vec::new() }
    }

    /// Adds a panel of lines.
    pub fn lines(mut self, x_label: &str, y_label: &str, lines: Vec<Line>) -> Self {
        let over = Over::Numbers { x_label: x_label.into(), lines };
        self.panels.push(Panel { y_label: y_label.into(), over, quoted: String::new() });
        self
    }

    /// Adds a panel of bars. A bar without a value and a paper's value is left out.
    pub fn bars(mut self, y_label: &str, mut bars: Vec<Bar>) -> Self {
        bars.retain(|bar| bar.value.is_some() || bar.paper.is_some());
        self.panels.push(Panel {
            y_label: y_label.into(),
            over: Over::Names { bars },
            quoted: String::new(),
        });
        self
    }

    /// Sets the CPU of the papers' values of the last panel's bars.
    pub fn quoted(mut self, place: &str) -> Self {
        self.panels.iter_mut().rev().take(1).for_each(|panel| panel.quoted = place.into());
        self
    }
}

impl Line {
    /// A measured line.
    pub fn measured(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Line { name: name.into(), whose: Whose::Ours, points }
    }

    /// Creates a line of a rival.
    pub fn by(self, whose: Whose) -> Self {
        Line { whose, ..self }
    }

    /// A paper's values.
    pub fn paper(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Line { name: name.into(), whose: Whose::Paper, points }
    }
}

/// The subject of a line: the part of its name that the same thing has in other panels, such as `sms4-sse` of
/// `hashlanes:sms4-sse over hashlanes:serial-ror`. Lines of one subject have one colour.
pub(crate) fn subject(name: &str) -> &str {
    let name = name.strip_prefix("hashlanes:").unwrap_or(name);
    // "j = 16, avx2-x8" is j = 16 as well.
    let kernel = if name.starts_with("j = ") { "," } else { ":" };
    let end = [kernel, ":", " over ", "-decrypt"].into_iter().filter_map(|mark| name.find(mark)).min();
    &name[..end.unwrap_or(name.len())]
}

/// Whether smaller or greater values are better, for the label of an axis; empty if neither is.
pub(crate) fn better(y_label: &str) -> &'static str {
    // "signing, SET: times as fast as scalar": the subject of the panel, and the unit.
    let unit = y_label.rsplit(": ").next().unwrap_or(y_label);
    if unit.starts_with("times as fast") || unit.contains("per second") {
        " (higher is better)"
    } else if unit.contains("cycles") || unit.starts_with("instructions") {
        " (lower is better)"
    } else {
        ""
    }
}

/// A round step that divides 0..=`most` into about `parts`: 1, 2 or 5 times a power of ten.
pub(crate) fn round_step(most: f64, parts: f64) -> f64 {
    let raw = (most / parts).max(f64::MIN_POSITIVE);
    let power = 10f64.powf(raw.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|step| *step >= raw).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::{round_step, subject};

    #[test]
    fn subjects_are_the_same_in_all_panels() {
        for (name, wanted) in [
            ("hashlanes:sms4-sse", "sms4-sse"),
            ("hashlanes:sms4-sse over hashlanes:ssse3", "sms4-sse"),
            ("hashlanes:sha-ni:pre-expanded", "sha-ni"),
            ("sha-ni", "sha-ni"),
            ("j-pointers, j = 16: % more than j-lanes", "j-pointers, j = 16"),
            ("j = 16, avx2-x8", "j = 16"),
            ("hashlanes, aegis-128", "hashlanes, aegis-128"),
            ("hashlanes:aes-ni, aegis-128-decrypt", "aes-ni, aegis-128"),
        ] {
            assert_eq!(subject(name), wanted);
        }
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(round_step(9.7, 5.0), 2.0);
        assert_eq!(round_step(0.9, 5.0), 0.2);
        assert_eq!(round_step(100.0, 5.0), 20.0);
        assert!(round_step(0.0, 5.0) > 0.0);
    }
}
