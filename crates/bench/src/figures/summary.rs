//! Sentences beneath a figure: what the paper found, and what this CPU does, read off the panels.

use hashlanes_chart::{Line, Over, Panel, Whose, number, size_text};

/// A measured value, with its owner and its name.
type Value<'p> = (Whose, &'p str, f64);

/// Returns the sentence of the paper's finding.
pub(super) fn paper(finding: &str) -> String {
    format!("The paper: {finding}.")
}

/// Returns the sentences of today: our best value in the first panel next to the best rival's, then the
/// pairs; empty if nothing of ours was measured. Without a rival, pairs replace the first sentence.
pub(super) fn today(pairs: &[(&str, &str)], panels: &[Panel]) -> String {
    let pairs: Vec<String> = pairs.iter().filter_map(|pair| compared(panels, *pair)).collect();
    let of_first = |panel| shares(panel).or_else(|| ours_and_rivals(panel, pairs.is_empty()));
    let best = panels.first().and_then(of_first);
    best.into_iter().chain(pairs).collect::<Vec<_>>().join(" ")
}

/// Whether greater values are better.
fn more_is_better(unit: &str) -> bool {
    unit.contains("per second") || unit.contains("times as fast") || unit.contains("gain")
}

/// Shares are named next to the paper's: a factor between them means nothing, as some are 0 or noise about
/// it.
fn shares(panel: &Panel) -> Option<String> {
    let Over::Names { bars } = &panel.over else { return None };
    let (what, unit) = panel.y_label.split_once(", ")?;
    let quoted = bars.iter().filter_map(|bar| Some((bar.name.as_str(), bar.value?, bar.paper?)));
    let shares: Vec<String> =
        quoted.map(|(name, value, paper)| format!("{name} {value:.0} (the paper: {paper:.0})")).collect();
    (unit == "per cent" && !shares.is_empty())
        .then(|| format!("The {what} here, {unit}: {}.", shares.join(", ")))
}

/// Compares our best value with the best rival's, or, if `always`, with our worst.
fn ours_and_rivals(panel: &Panel, always: bool) -> Option<String> {
    let (place, values) = values(panel, |line| line == Whose::Ours)?;
    let unit = panel.y_label.as_str();
    let more_is_better = more_is_better(unit);
    let (_, name, value) = best(&values, Whose::Ours, more_is_better)?;
    // "key generation, SET: times as fast as scalar": the subject of the panel, and the unit.
    let (subject, unit) =
        unit.split_once(": ").map_or((String::new(), unit), |(subject, unit)| (format!("{subject}: "), unit));
    let verb = if unit.starts_with("times") { "is" } else { "has" };
    let ours = format!("{subject}{name} {verb} {} {unit}{place}", number(value));
    let factor = |other: f64| if more_is_better { value / other } else { other / value };
    let alike: Vec<Value<'_>> = values.into_iter().filter(|other| group(other.1) == group(name)).collect();
    if let Some((_, rival, other)) = best(&alike, Whose::Rival, more_is_better) {
        return Some(format!(
            "{ours}: {:.2} times as fast as {rival}, the fastest of the others.",
            factor(other)
        ));
    }
    let others = alike.iter().filter(|other| other.1 != name && verb == "has");
    always.then(|| match others.max_by(|a, b| factor(a.2).total_cmp(&factor(b.2))) {
        Some((_, other, others)) => {
            format!("{ours}; {other} has {}, a factor of {:.2}.", number(*others), factor(*others))
        }
        None => format!("{ours}."),
    })
}

/// Compares two values: of bars, wherever they are; of lines in the first panel that has both.
fn compared(panels: &[Panel], (one, other): (&str, &str)) -> Option<String> {
    let unit = panels.first()?.y_label.as_str();
    let times = |a: f64, b: f64| if more_is_better(unit) { a / b } else { b / a };
    let bars = panels.iter().filter(|panel| panel.y_label == unit).flat_map(|panel| match &panel.over {
        Over::Names { bars } => bars.as_slice(),
        Over::Numbers { .. } => &[],
    });
    let bar = |name: &str| bars.clone().find(|bar| bar.name == name).and_then(|bar| bar.value);
    if let Some((a, b)) = bar(one).zip(bar(other)) {
        return Some(match unit.split_once(", ") {
            Some(("instructions", _)) => {
                format!("{one} has {} of the instructions of {other}.", number(a / b))
            }
            _ => {
                let (is, than) = (number(a), number(b));
                format!("{one} has {is} {unit}, {other} {than}: {:.2} times as fast.", times(a, b))
            }
        });
    }
    panels.iter().find_map(|panel| lines_compared(panel, (one, other)))
}

/// Compares two lines of a panel at the greatest length and at the least.
fn lines_compared(panel: &Panel, (one, other): (&str, &str)) -> Option<String> {
    let Over::Numbers { lines, .. } = &panel.over else { return None };
    let (place, values) = values(panel, |whose| whose != Whose::Paper)?;
    let value = |name: &str| values.iter().find(|value| value.1 == name).map(|value| value.2);
    let (a, b) = (value(one)?, value(other)?);
    let unit = panel.y_label.as_str();
    let times = |a: f64, b: f64| if more_is_better(unit) { a / b } else { b / a };
    let near = at_the_least_length(lines, one, other).map_or_else(String::new, |(place, a, b)| {
        format!("; {:.2} times at {}", times(a, b), size_text(place as usize))
    });
    let (is, than, far) = (number(a), number(b), times(a, b));
    Some(format!("{one} has {is} {unit}{place}, {other} {than}: {far:.2} times as fast{near}."))
}

/// The least length at which both lines have values, and these.
fn at_the_least_length(lines: &[Line], one: &str, other: &str) -> Option<(f64, f64, f64)> {
    let of = |name: &str| lines.iter().find(|line| line.name == name);
    let (one, other) = (of(one)?, of(other)?);
    let at = |x: f64| other.points.iter().find(|point| point.0 == x).map(|point| point.1);
    one.points.iter().find_map(|(x, y)| Some((*x, *y, at(*x)?)))
}

fn best<'p>(values: &[Value<'p>], whose: Whose, more_is_better: bool) -> Option<Value<'p>> {
    let of = values.iter().filter(|value| value.0 == whose).copied();
    of.min_by(|a, b| if more_is_better { b.2.total_cmp(&a.2) } else { a.2.total_cmp(&b.2) })
}

/// The number of messages, or the hash, in a name such as `n = 16: hashlanes` or `sha256: hashlanes`: only
/// values of one of them are compared.
fn group(name: &str) -> Option<&str> {
    name.split_once(": ").map(|(group, _)| group)
}

/// The measured values of a panel of bars; of lines those at the greatest length where one of these owners
/// was measured, and the text that names it.
fn values(panel: &Panel, owners: impl Fn(Whose) -> bool) -> Option<(String, Vec<Value<'_>>)> {
    match &panel.over {
        Over::Names { bars } => {
            let values = bars.iter().filter_map(|bar| Some((bar.whose, bar.name.as_str(), bar.value?)));
            Some((String::new(), values.collect()))
        }
        Over::Numbers { x_label, lines } => {
            let of_owners = lines.iter().filter(|line| owners(line.whose));
            let x = of_owners.flat_map(|line| &line.points).map(|point| point.0).max_by(f64::total_cmp)?;
            let at = |points: &[(f64, f64)]| points.iter().find(|point| point.0 == x).map(|point| point.1);
            let values = lines.iter().filter(|line| line.whose != Whose::Paper);
            let values = values.filter_map(|line| Some((line.whose, line.name.as_str(), at(&line.points)?)));
            let place = match x_label.split([',', ';']).next().unwrap_or_default() {
                label if label.starts_with("bytes") => format!(" at {} bytes", size_text(x as usize)),
                label if label.starts_with("messages") => format!(" of {x} {label}"),
                label => format!(" at {label} = {x}"),
            };
            Some((place, values.collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashlanes_chart::{Bar, Chart};

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
            today(&[], &Chart::new("", "").lines("bytes", unit, lines.to_vec()).panels)
        };
        assert_eq!(
            of(&lines, "cycles per byte"),
            "hashlanes:a has 2.000 cycles per byte at 8K bytes: 1.50 times as fast as sha2, the \
             fastest of the others."
        );
        assert!(
            of(&lines[..2], "cycles per byte")
                .ends_with("at 8K bytes; hashlanes:b has 4.000, a factor of 2.00.")
        );
        assert!(of(&lines, "1000s of bytes per second").contains("hashlanes:b has 4.000"));
        assert_eq!(of(&lines[2..], "cycles per byte"), "");
    }

    #[test]
    fn bars_are_compared() {
        let bar = |name: &str, value| Bar { name: name.into(), value, paper: None, whose: Whose::Ours };
        let bars = vec![bar("a", Some(2.0)), bar("b", None), bar("c", Some(1.0)), bar("n = 1: c", Some(3.0))];
        let panels = Chart::new("", "").bars("instructions, of serial-ror's", bars.clone()).panels;
        assert_eq!(today(&[("a", "c"), ("a", "b")], &panels), "a has 2.000 of the instructions of c.");
        assert_eq!(
            today(&[("b", "c")], &panels),
            "c has 1.000 instructions, of serial-ror's; a has 2.000, a factor of 2.00."
        );
        let panels = Chart::new("", "").bars("signing, SET: times as fast as scalar", bars).panels;
        assert_eq!(today(&[], &panels), "signing, SET: n = 1: c is 3.000 times as fast as scalar.");
        assert_eq!(paper("fewer"), "The paper: fewer.");
        let share = |name: &str, value, paper| Bar { paper, ..bar(name, Some(value)) };
        let bars = vec![share("a", 7.4, Some(27.0)), share("b", -3.0, None), share("c", 30.1, Some(26.0))];
        assert_eq!(
            today(&[], &Chart::new("", "").bars("share of the time, per cent", bars).panels),
            "The share of the time here, per cent: a 7 (the paper: 27), c 30 (the paper: 26)."
        );
    }

    #[test]
    fn pairs_are_compared_at_the_greatest_length() {
        let line = |name: &str, y| Line::measured(name, vec![(64.0, 9.0), (8192.0, y)]);
        let lines = vec![line("a", 2.0), line("b", 3.0)];
        let panels =
            Chart::new("", "").lines("bytes", "gain", Vec::new()).lines("bytes", "cycles", lines).panels;
        assert_eq!(
            today(&[("a", "b")], &panels),
            "a has 2.000 cycles at 8K bytes, b 3.000: 1.50 times as fast; 1.00 times at 64."
        );
    }
}
