//! Two sentences beneath a figure: what the paper found, and what this CPU does, read off the first panel.

use hashlanes_chart::{Over, Panel, Whose, number, size_text};

/// A measured value, with its owner and its name.
type Value<'p> = (Whose, &'p str, f64);

/// Returns the sentences; the second is missing if nothing of ours was measured.
pub(super) fn summary(paper: &str, panels: &[Panel]) -> String {
    let today = panels.first().and_then(today).map_or_else(String::new, |today| format!(" {today}"));
    format!("The paper: {paper}.{today}")
}

fn today(panel: &Panel) -> Option<String> {
    let (place, values) = values(panel)?;
    let unit = panel.y_label.as_str();
    let more_is_better = unit.contains("per second") || unit.contains("times as fast");
    let (_, name, value) = best(&values, Whose::Ours, more_is_better)?;
    let ours = format!("Here {name} has {} {unit}{place}", number(value));
    let factor = |other: f64| if more_is_better { value / other } else { other / value };
    let alike: Vec<Value<'_>> = values.into_iter().filter(|other| group(other.1) == group(name)).collect();
    if let Some((_, rival, other)) = best(&alike, Whose::Rival, more_is_better) {
        return Some(format!(
            "{ours}: {:.2} times as fast as {rival}, the fastest of the others.",
            factor(other)
        ));
    }
    let others = alike.iter().filter(|other| other.1 != name);
    Some(match others.max_by(|a, b| factor(a.2).total_cmp(&factor(b.2))) {
        Some((_, other, others)) => {
            format!("{ours}; {other} has {}, a factor of {:.2}.", number(*others), factor(*others))
        }
        None => format!("{ours}."),
    })
}

fn best<'p>(values: &[Value<'p>], whose: Whose, more_is_better: bool) -> Option<Value<'p>> {
    let of = values.iter().filter(|value| value.0 == whose).copied();
    of.min_by(|a, b| if more_is_better { b.2.total_cmp(&a.2) } else { a.2.total_cmp(&b.2) })
}

/// The number of messages in a name such as `n = 16: hashlanes`: only values of one number are compared.
fn group(name: &str) -> Option<&str> {
    name.split_once(": ").map(|(group, _)| group).filter(|group| group.contains('='))
}

/// The measured values of a panel of bars; of lines those at the greatest length where one of ours was
/// measured, and the text that names it.
fn values(panel: &Panel) -> Option<(String, Vec<Value<'_>>)> {
    match &panel.over {
        Over::Names { bars } => {
            let values = bars.iter().filter_map(|bar| Some((bar.whose, bar.name.as_str(), bar.value?)));
            Some((String::new(), values.collect()))
        }
        Over::Numbers { x_label, lines } => {
            let ours = lines.iter().filter(|line| line.whose == Whose::Ours);
            let x = ours.flat_map(|line| &line.points).map(|point| point.0).max_by(f64::total_cmp)?;
            let at = |points: &[(f64, f64)]| points.iter().find(|point| point.0 == x).map(|point| point.1);
            let values = lines.iter().filter(|line| line.whose != Whose::Paper);
            let values = values.filter_map(|line| Some((line.whose, line.name.as_str(), at(&line.points)?)));
            let place = match x_label.split(',').next() {
                Some(label) if label.starts_with("bytes") => format!(" at {} bytes", size_text(x as usize)),
                Some(label) => format!(" at {label} = {x}"),
                None => String::new(),
            };
            Some((place, values.collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashlanes_chart::{Bar, Chart, Line};

    #[test]
    fn lines_are_compared_at_the_greatest_length() {
        let line = |name: &str, whose, y| Line::measured(name, vec![(64.0, 9.0), (8192.0, y)]).by(whose);
        let lines = vec![
            line("hashlanes:a", Whose::Ours, 2.0),
            line("hashlanes:b", Whose::Ours, 4.0),
            line("sha2", Whose::Rival, 3.0),
            line("paper", Whose::Paper, 1.0),
        ];
        let of = |lines: &[Line], unit| {
            summary("it wins", &Chart::new("", "").lines("bytes", unit, lines.to_vec()).panels)
        };
        assert_eq!(
            of(&lines, "cycles per byte"),
            "The paper: it wins. Here hashlanes:a has 2.000 cycles per byte at 8K bytes: 1.50 times as fast as sha2, the \
             fastest of the others."
        );
        assert!(
            of(&lines[..2], "cycles per byte")
                .ends_with("at 8K bytes; hashlanes:b has 4.000, a factor of 2.00.")
        );
        assert!(of(&lines, "1000s of bytes per second").contains("hashlanes:b has 4.000"));
        assert_eq!(of(&lines[2..], "cycles per byte"), "The paper: it wins.");
    }

    #[test]
    fn bars_are_compared() {
        let bar = |name: &str, value| Bar { name: name.into(), value, paper: None, whose: Whose::Ours };
        let bars = vec![bar("a", Some(2.0)), bar("b", None), bar("c", Some(1.0)), bar("n = 1: c", Some(3.0))];
        let panels = Chart::new("", "").bars("instructions", bars).panels;
        assert_eq!(
            summary("fewer", &panels),
            "The paper: fewer. Here c has 1.000 instructions; a has 2.000, a factor of 2.00."
        );
    }
}
