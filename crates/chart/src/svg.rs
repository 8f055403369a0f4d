//! Charts as SVG, written by hand: no script, no embedded font, legible on light and dark backgrounds.

use crate::chart::{Bar, Chart, Line, Over, Panel, Whose, better, round_step, subject};
use crate::text_table::{number, size_text};
use std::fmt::Write;

/// Width of the whole, in pixels.
const WIDTH: f64 = 900.0;
/// Left of the plot: names of bars, numbers of the axis.
const LEFT: f64 = 70.0;
/// The same next to bars.
const LEFT_OF_BARS: f64 = 240.0;
/// Half of a line in the legend: its dashes show on both sides of the mark.
const SAMPLE: f64 = 18.0;
/// Right of the plot, next to the names of the legend: its marks.
const RIGHT: f64 = 2.0 * SAMPLE + 36.0;
/// The width of a character of 11 pixels; less in most fonts.
const CHARACTER: f64 = 6.4;
/// The same for bars: their numbers.
const RIGHT_OF_BARS: f64 = 90.0;
/// Height of a plot of lines.
const HEIGHT: f64 = 320.0;
/// Height of a bar with its gap.
const BAR: f64 = 24.0;
/// Above and below each plot.
const ABOVE: f64 = 34.0;
const BELOW: f64 = 50.0;
const TITLE: f64 = 40.0;
const NOTE: f64 = 42.0;
/// What the styles mean, below everything.
const KEY: &str = "Colour: hashlanes.";
/// What grey means, hollow marks, and gaps, in pictures that have them.
const GREY_IS: &str = " Grey: others, measured here.";
const HOLLOW: &str = " Hollow marks: the paper's values, of another CPU, not comparable as absolutes.";
const GAPS: &str = " A gap in a line: noise.";

/// Okabe and Ito, "Color Universal Design" (2008): distinguishable for colour-blind eyes; without black and
/// yellow, which vanish on dark or light ground.
const COLOURS: [&str; 6] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];
const GREY: &str = "#888888";

impl Chart {
    /// Returns the chart as a file of SVG.
    pub fn to_svg(&self) -> String {
        svg(self)
    }
}

fn svg(chart: &Chart) -> String {
    let heights: Vec<f64> = chart.panels.iter().map(height).collect();
    let whole = TITLE + heights.iter().sum::<f64>() + NOTE;
    let mut out = String::new();
    let mut put = |text: String| out.push_str(&text);
    put(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {whole}\" width=\"{WIDTH}\" \
         height=\"{whole}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <style>svg{{background:#fff;color:#222;--ground:#fff}}@media(prefers-color-scheme:dark){{svg{{\
         background:#1b1b1b;color:#ddd;--ground:#1b1b1b}}}}text{{fill:currentColor;paint-order:stroke;\
         stroke:var(--ground);stroke-width:3px}}.paper{{fill:var(--ground);stroke:currentColor}}\
         .within{{fill:#fff;stroke:none}}</style>\n\
         <title>{}</title>\n",
        escaped(&chart.title)
    ));
    // A long title in smaller letters: a letter is some 0.6 of its size wide.
    let size = (WIDTH / (0.6 * chart.title.chars().count().max(1) as f64)).floor().min(16.0);
    put(text(WIDTH / 2.0, 26.0, "middle", size, &chart.title));
    let looks = Looks::of(chart);
    let mut top = TITLE;
    for (panel, height) in chart.panels.iter().zip(heights) {
        put(format!("<g transform=\"translate(0 {top})\">\n"));
        match &panel.over {
            Over::Numbers { x_label, lines } => put(plot_lines(&panel.y_label, x_label, lines, &looks)),
            Over::Names { bars } => put(plot_bars(&panel.y_label, bars, &panel.quoted)),
        }
        put("</g>\n".into());
        top += height;
    }
    put(text(WIDTH / 2.0, whole - 25.0, "middle", 10.0, &key(chart)));
    put(text(WIDTH / 2.0, whole - 9.0, "middle", 10.0, &chart.note));
    put("</svg>\n".into());
    out
}

/// What the styles of this picture mean.
fn key(chart: &Chart) -> String {
    let is_hollow = |panel: &Panel| match &panel.over {
        Over::Numbers { lines, .. } => lines.iter().any(|line| line.whose == Whose::Paper),
        Over::Names { bars } => bars.iter().any(|bar| bar.paper.is_some()),
    };
    let has_others = |panel: &Panel| match &panel.over {
        Over::Numbers { lines, .. } => lines.iter().any(|line| line.whose == Whose::Rival),
        Over::Names { bars } => bars.iter().any(|bar| bar.whose == Whose::Rival),
    };
    let has_gaps = |panel: &Panel| match &panel.over {
        Over::Numbers { lines, .. } => {
            lines.iter().any(|line| line.whose != Whose::Paper && runs(line, lines).len() > 1)
        }
        Over::Names { .. } => false,
    };
    let mut key = KEY.to_owned();
    let any = |is: &dyn Fn(&Panel) -> bool| chart.panels.iter().any(is);
    for (holds, words) in [(any(&has_others), GREY_IS), (any(&is_hollow), HOLLOW), (any(&has_gaps), GAPS)] {
        key += if holds { words } else { "" };
    }
    key
}

fn height(panel: &Panel) -> f64 {
    ABOVE
        + BELOW
        + match &panel.over {
            Over::Numbers { .. } => HEIGHT,
            Over::Names { bars } => BAR * bars.len() as f64,
        }
}

fn text(x: f64, y: f64, anchor: &str, size: f64, words: &str) -> String {
    let words = escaped(words);
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{words}</text>\n")
}

/// A number within a bar, which ends there.
fn within(x: f64, y: f64, words: &str) -> String {
    text(x, y, "end", 11.0, words).replacen("<text ", "<text class=\"within\" ", 1)
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn stroke(x1: f64, y1: f64, x2: f64, y2: f64) -> String {
    format!("<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"{GREY}\" stroke-width=\"0.5\"/>\n")
}

/// Lines over a logarithmic axis.
fn plot_lines(y_label: &str, x_label: &str, lines: &[Line], looks: &Looks<'_>) -> String {
    let points = || lines.iter().flat_map(|line| &line.points);
    let least = points().map(|p| p.0).fold(f64::INFINITY, f64::min);
    let most = points().map(|p| p.0).fold(1.0, f64::max);
    let (least, most) = if least < most { (least, most) } else { (most / 2.0, most * 2.0) };
    let scale = Scale::of(y_label, points().map(|p| p.1));
    let longest = lines.iter().map(|line| legend_name(line).chars().count()).max().unwrap_or(0);
    let width = WIDTH - LEFT - RIGHT - CHARACTER * longest as f64;
    let x = |value: f64| LEFT + width * (value / least).log2() / (most / least).log2();
    let y = |value: f64| ABOVE + HEIGHT * (1.0 - scale.place(value));

    // "bytes; rotation by ror": the label of the numbers, and the group that the panel shows.
    let (x_label, group) = x_label.split_once("; ").unwrap_or((x_label, ""));
    let group = if group.is_empty() { String::new() } else { format!("{group}: ") };
    let logarithmic = if matches!(scale, Scale::Logarithmic { .. }) { " (logarithmic scale)" } else { "" };
    let mut out =
        text(LEFT, 20.0, "start", 12.0, &format!("{group}{y_label}{}{logarithmic}", better(y_label)));
    for (value, label) in scale.ticks() {
        out += &stroke(LEFT, y(value), LEFT + width, y(value));
        out += &text(LEFT - 8.0, y(value) + 4.0, "end", 11.0, &label);
    }
    // Powers of two, as many as there is room for.
    let powers = (least.log2().ceil() as i32)..=(most.log2().floor() as i32);
    let every = (powers.clone().count() as f64 / (width / 45.0)).ceil().max(1.0) as usize;
    let mut numbers: Vec<f64> = powers.step_by(every).map(|power| 2f64.powi(power)).collect();
    // And the last number, if there is room.
    numbers.extend(Some(most).filter(|most| numbers.last().is_none_or(|last| x(*most) - x(*last) >= 24.0)));
    for number in numbers {
        let at = x(number);
        out += &stroke(at, ABOVE, at, ABOVE + HEIGHT);
        out += &text(at, ABOVE + HEIGHT + 16.0, "middle", 11.0, &size_text(number as usize));
    }
    out += &text(LEFT + width / 2.0, ABOVE + HEIGHT + 36.0, "middle", 12.0, x_label);
    for (i, line) in lines.iter().enumerate() {
        let legend = (LEFT + width + SAMPLE + 14.0, ABOVE + 10.0 + 18.0 * i as f64);
        out += &plot_line(line, lines, looks.look(line, lines), legend, &x, &y);
    }
    out
}

/// The scale of the values.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// From 0, or from the least if that is less.
    Linear { least: f64, most: f64 },
    /// Used if the greatest value is over twelve times the least, because small values could not be
    /// distinguished otherwise.
    Logarithmic { least: f64, most: f64 },
}

impl Scale {
    const WIDE: f64 = 12.0;

    /// The scale of these values; per cents, whose 0 matters, have a linear one.
    fn of(y_label: &str, values: impl Iterator<Item = f64> + Clone) -> Self {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(0.0, f64::max);
        let is_share = y_label.contains('%') || y_label.contains("per cent");
        match least > 0.0 && most > Self::WIDE * least && !is_share {
            true => Scale::Logarithmic { least: least / 1.1, most: most * 1.1 },
            false => {
                Scale::Linear { least: least.min(0.0) * 1.05, most: (most * 1.05).max(f64::MIN_POSITIVE) }
            }
        }
    }

    /// 0 for the least, 1 for the most.
    fn place(self, value: f64) -> f64 {
        match self {
            Scale::Linear { least, most } => (value - least) / (most - least),
            Scale::Logarithmic { least, most } => (value / least).ln() / (most / least).ln(),
        }
    }

    /// The marked values, and their labels.
    fn ticks(self) -> Vec<(f64, String)> {
        match self {
            Scale::Linear { least, most } => {
                let step = round_step(most - least, 6.0);
                let steps = (least / step).ceil() as i64..=(most / step).floor() as i64;
                steps.map(|n| n as f64 * step).map(|value| (value, tick(value, step))).collect()
            }
            Scale::Logarithmic { least, most } => {
                let powers = least.log10().floor() as i32..=most.log10().ceil() as i32;
                let values = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
                let inside = values.filter(|value| (least..=most).contains(value));
                inside.map(|value| (value, tick(value, value))).collect()
            }
        }
    }
}

/// The name of a line in the legend: ours are known by their colours.
fn legend_name(line: &Line) -> String {
    line.name.replace("hashlanes:", "")
}

/// The parts of a measured line, which ends before a number that half of the other measured lines of its
/// panel have and begins again after it: its value there is noise.
fn runs<'a>(line: &'a Line, panel: &[Line]) -> Vec<&'a [(f64, f64)]> {
    // A level, of something that does not depend on the number.
    if matches!(line.points.as_slice(), [a, b] if a.1 == b.1) {
        return vec![&line.points];
    }
    let others = || panel.iter().filter(|other| other.whose != Whose::Paper && other.name != line.name);
    let numbers = || others().flat_map(|other| &other.points).map(|point| point.0);
    let with = |x: f64| numbers().filter(|number| *number == x).count();
    let is_missing =
        |from: f64, to: f64| numbers().any(|x| from < x && x < to && 2 * with(x) >= others().count());
    line.points.chunk_by(|a, b| !is_missing(a.0, b.0)).collect()
}

/// A line, its marks, and its entry in the legend.
fn plot_line(
    line: &Line,
    panel: &[Line],
    Look { colour, dashes, shape }: Look,
    (legend_x, legend_y): (f64, f64),
    x: &dyn Fn(f64) -> f64,
    y: &dyn Fn(f64) -> f64,
) -> String {
    let mark = |cx: f64, cy: f64| match line.whose {
        Whose::Paper => hollow(cx, cy, shape),
        _ => format!("<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"2.5\" fill=\"{colour}\"/>\n"),
    };
    let mut out = String::new();
    if line.whose != Whose::Paper {
        let mut path = String::new();
        for run in runs(line, panel) {
            for (i, (px, py)) in run.iter().enumerate() {
                let _ = write!(path, "{}{:.1} {:.1}", if i == 0 { 'M' } else { 'L' }, x(*px), y(*py));
            }
        }
        let _ =
            write!(path, "M{:.1} {legend_y:.1}L{:.1} {legend_y:.1}", legend_x - SAMPLE, legend_x + SAMPLE);
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-dasharray=\"{dashes}\"/>"
        );
    }
    for (px, py) in &line.points {
        out += &mark(x(*px), y(*py));
    }
    out += &mark(legend_x, legend_y);
    out + &text(legend_x + SAMPLE + 6.0, legend_y + 4.0, "start", 11.0, &legend_name(line))
}

/// The outlines of papers' marks.
const SHAPES: [&str; 4] = ["M0 -6L6 0L0 6L-6 0Z", "M-5 -5H5V5H-5Z", "M0 -6L6 5H-6Z", "M0 6L6 -5H-6Z"];

/// A paper's mark: hollow, in the colour of the text.
fn hollow(cx: f64, cy: f64, shape: &str) -> String {
    format!(
        "<path class=\"paper\" transform=\"translate({cx:.1} {cy:.1})\" d=\"{shape}\" stroke-width=\"1.5\"/>\n"
    )
}

/// The style of a line.
#[derive(Clone, Copy)]
struct Look {
    colour: &'static str,
    dashes: &'static str,
    shape: &'static str,
}

/// The styles of all lines, the same in all panels: a colour for each subject of ours, others grey and
/// dashed, papers' marks hollow. Lines of one subject in one panel, and subjects without a colour of their
/// own, get dashes.
struct Looks<'a> {
    /// Subjects of our lines, then names of rivals' and papers', each once.
    names: [Vec<&'a str>; 3],
}

impl<'a> Looks<'a> {
    fn of(chart: &'a Chart) -> Self {
        let mut names: [Vec<&str>; 3] = Default::default();
        for panel in &chart.panels {
            let Over::Numbers { lines, .. } = &panel.over else { continue };
            for line in lines {
                let names = &mut names[line.whose as usize];
                if !names.contains(&known_by(line)) {
                    names.push(known_by(line));
                }
            }
        }
        Looks { names }
    }

    /// The style of a line of this panel.
    fn look(&self, line: &Line, panel: &[Line]) -> Look {
        const OURS: [&str; 4] = ["none", "9 3", "2 2", "9 3 2 3"];
        const OTHERS: [&str; 6] = ["7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 2"];
        const GREYS: [&str; 2] = [GREY, "#b0a090"];
        let i = self.names[line.whose as usize].iter().position(|name| *name == known_by(line)).unwrap_or(0);
        let shape = SHAPES[i % SHAPES.len()];
        match line.whose {
            Whose::Rival => {
                let dashes = OTHERS[i % OTHERS.len()];
                Look { colour: GREYS[i / OTHERS.len() % GREYS.len()], dashes, shape }
            }
            Whose::Ours | Whose::Paper => {
                let is_alike = |other: &&Line| other.whose == line.whose && known_by(other) == known_by(line);
                let nth = panel.iter().filter(is_alike).position(|other| other.name == line.name);
                let dashes = OURS[(nth.unwrap_or(0) + i / COLOURS.len()) % OURS.len()];
                Look { colour: COLOURS[i % COLOURS.len()], dashes, shape }
            }
        }
    }
}

/// The part of a line's name that its style belongs to.
fn known_by(line: &Line) -> &str {
    if line.whose == Whose::Ours { subject(&line.name) } else { &line.name }
}

/// Bars to the right, each with a name and a number.
fn plot_bars(y_label: &str, bars: &[Bar], quoted: &str) -> String {
    let values = bars.iter().flat_map(|bar| [bar.value, bar.paper]).flatten();
    let most = values.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let width = WIDTH - LEFT_OF_BARS - RIGHT_OF_BARS;
    let x = |value: f64| LEFT_OF_BARS + width * value / most;
    let foot = ABOVE + BAR * bars.len() as f64;

    let mut out = text(LEFT_OF_BARS, 20.0, "start", 12.0, &format!("{y_label}{}", better(y_label)));
    let step = round_step(most, 6.0);
    for value in (0..).map(|i| f64::from(i) * step).take_while(|v| *v <= most) {
        out += &stroke(x(value), ABOVE, x(value), foot);
        out += &text(x(value), foot + 16.0, "middle", 11.0, &tick(value, step));
    }
    for (i, bar) in bars.iter().enumerate() {
        let top = ABOVE + BAR * i as f64;
        let middle = top + BAR / 2.0;
        out += &text(LEFT_OF_BARS - 8.0, middle + 4.0, "end", 11.0, &bar.name);
        let fill = if bar.whose == Whose::Ours { COLOURS[0] } else { GREY };
        // Of a value below 0, which is noise about it, the number alone is shown.
        let value = bar.value.unwrap_or(0.0).max(0.0);
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{fill}\"/>",
            x(0.0),
            top + 3.0,
            x(value) - x(0.0),
            BAR - 6.0
        );
        let words = bar.value.map_or_else(|| "–".into(), number);
        // Next to the bar; within it if a mark would be there, as a number after the mark would seem the
        // mark's; after the mark of a short bar.
        let end = x(value) + 6.0;
        let wide = CHARACTER * words.chars().count() as f64;
        let mark = bar.paper.map(x).filter(|mark| (end - 12.0..end + wide + 6.0).contains(mark));
        let is_within = mark.is_some() && x(value) - x(0.0) > wide + 24.0;
        out += &match mark {
            Some(_) if is_within => within(x(value) - 12.0, middle + 4.0, &words),
            Some(mark) => text(mark + 9.0, middle + 4.0, "start", 11.0, &words),
            None => text(end, middle + 4.0, "start", 11.0, &words),
        };
        if let Some(paper) = bar.paper {
            out += &hollow(x(paper), middle, SHAPES[0]);
        }
    }
    if bars.iter().any(|bar| bar.paper.is_some()) {
        out += &hollow(LEFT_OF_BARS + 4.0, foot + 34.0, SHAPES[0]);
        let place = if quoted.is_empty() { "on its CPU" } else { quoted };
        out += &text(LEFT_OF_BARS + 14.0, foot + 38.0, "start", 11.0, &format!("the paper's value, {place}"));
    }
    out
}

/// A number on an axis: no more digits than the step has.
fn tick(value: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).max(0.0) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_well_formed() {
        let bars = vec![
            Bar { name: "a < b & c".into(), value: Some(1.5), paper: Some(2.0), whose: Whose::Ours },
            Bar { name: "none".into(), value: None, paper: None, whose: Whose::Rival },
            Bar { name: "noise".into(), value: Some(-0.5), paper: None, whose: Whose::Ours },
        ];
        let lines = vec![
            Line::measured("m", vec![(64.0, 4.0), (128.0, 3.0), (8192.0, 2.0)]),
            Line::paper("p", vec![(8192.0, 1.8)]),
        ];
        let chart = Chart::new("title", "note")
            .lines("bytes", "cycles", lines)
            .bars("cycles", bars)
            .quoted("on Haswell");
        let svg = svg(&chart);
        assert!(svg.contains("the paper's value, on Haswell"));
        assert!(svg.contains("a &lt; b &amp; c") && !svg.contains("NaN") && !svg.contains("inf"));
        assert!(!svg.contains("width=\"-"), "a bar below 0 has no negative width");
        for tag in ["svg", "g", "text", "style"] {
            let (open, close) =
                (svg.matches(&format!("<{tag}")).count(), svg.matches(&format!("</{tag}>")).count());
            assert_eq!(open, close, "{tag}");
        }
    }

    #[test]
    fn scales_hold_their_values() {
        let wide = Scale::of("cycles", [0.5, 30.0].into_iter());
        assert!(matches!(wide, Scale::Logarithmic { .. }));
        assert!(matches!(Scale::of("gain, per cent", [0.5, 30.0].into_iter()), Scale::Linear { .. }));
        let words: Vec<String> = wide.ticks().into_iter().map(|(_, word)| word).collect();
        assert_eq!(words, ["0.5", "1", "2", "5", "10", "20"]);
        let below = Scale::of("cycles", [-1.0, 10.0].into_iter());
        assert!((0.0..=1.0).contains(&below.place(-1.0)) && (0.0..=1.0).contains(&below.place(10.0)));
        assert!(below.ticks().iter().any(|(value, _)| *value == 0.0));
    }

    #[test]
    fn a_subject_has_one_colour() {
        let line = |name: &str| Line::measured(name, vec![(64.0, 1.0), (128.0, 2.0)]);
        let chart = Chart::new("", "")
            .lines("bytes", "cycles", vec![line("hashlanes:a"), line("hashlanes:b:x"), line("hashlanes:b:y")])
            .lines("bytes", "times as fast", vec![line("hashlanes:b over hashlanes:a")]);
        let looks = Looks::of(&chart);
        let look = |panel: usize, i: usize| match &chart.panels[panel].over {
            Over::Numbers { lines, .. } => looks.look(&lines[i], lines),
            Over::Names { .. } => unreachable!(),
        };
        assert_eq!(look(0, 1).colour, look(1, 0).colour);
        assert_eq!(look(0, 1).colour, look(0, 2).colour);
        assert_ne!(look(0, 1).dashes, look(0, 2).dashes);
        assert_ne!(look(0, 0).colour, look(0, 1).colour);
    }

    #[test]
    fn a_line_has_a_gap_where_its_value_is_noise() {
        let whole = |name: &str| Line::measured(name, vec![(1.0, 1.0), (2.0, 2.0), (4.0, 3.0)]);
        let noisy = Line::measured("noisy", vec![(1.0, 1.0), (4.0, 3.0)]);
        let lines = vec![whole("a"), noisy.clone(), whole("b")];
        assert_eq!(runs(&noisy, &lines), [&[(1.0, 1.0)][..], &[(4.0, 3.0)]]);
        assert_eq!(runs(&lines[0], &lines).len(), 1);
        let panel = |lines| Chart::new("", "").lines("bytes", "cycles", lines);
        assert!(svg(&panel(lines)).contains(GAPS));
        // Fewer numbers are not noise if most others have few as well.
        let named = |name: &str| Line { name: name.into(), ..noisy.clone() };
        let few = vec![whole("a"), named("b"), named("c"), named("d")];
        assert!(!svg(&panel(few)).contains(GAPS) && !svg(&panel(vec![])).contains(HOLLOW));
    }

    #[test]
    fn an_empty_panel_is_drawn() {
        let empty = svg(&Chart::new("", "").lines("", "", vec![]).bars("", vec![]));
        assert!(empty.ends_with("</svg>\n") && !empty.contains("NaN"));
    }
}
