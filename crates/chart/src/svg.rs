//! Charts as SVG, written by hand: no script, no font of its own, legible on light and dark ground.

use crate::chart::{Bar, Chart, Line, Over, Panel, Whose, round_step};
use crate::text_table::{number, size_text};
use std::fmt::Write;

/// Width of the whole, in pixels.
const WIDTH: f64 = 900.0;
/// Left of the plot: names of bars, numbers of the axis.
const LEFT: f64 = 70.0;
/// The same beside bars.
const LEFT_OF_BARS: f64 = 240.0;
/// Right of the plot: the legend.
const RIGHT: f64 = 240.0;
/// The same of bars: their numbers.
const RIGHT_OF_BARS: f64 = 90.0;
/// Height of a plot of lines.
const HEIGHT: f64 = 320.0;
/// Height of a bar with its gap.
const BAR: f64 = 24.0;
/// Above and below each plot.
const ABOVE: f64 = 34.0;
const BELOW: f64 = 50.0;
const TITLE: f64 = 40.0;
const NOTE: f64 = 26.0;

/// Okabe and Ito, "Color Universal Design" (2008): told apart by colour-blind eyes; black and yellow left out, for
/// they vanish on dark or light ground.
const COLOURS: [&str; 6] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];
const GREY: &str = "#888888";

impl Chart {
    /// The chart as a file of SVG.
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
         height=\"{whole}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <style>svg{{background:#fff;color:#222}}@media(prefers-color-scheme:dark){{svg{{background:#1b1b1b;\
         color:#ddd}}}}text{{fill:currentColor}}</style>\n"
    ));
    put(text(WIDTH / 2.0, 26.0, "middle", 16.0, &chart.title));
    let names = names(chart);
    let mut top = TITLE;
    for (panel, height) in chart.panels.iter().zip(heights) {
        put(format!("<g transform=\"translate(0 {top})\">\n"));
        match &panel.over {
            Over::Numbers { x_label, lines } => put(plot_lines(&panel.y_label, x_label, lines, &names)),
            Over::Names { bars } => put(plot_bars(&panel.y_label, bars, &panel.quoted)),
        }
        put("</g>\n".into());
        top += height;
    }
    put(text(WIDTH / 2.0, whole - 9.0, "middle", 10.0, &chart.note));
    put("</svg>\n".into());
    out
}

/// The names of all lines: a line of one name looks alike in all panels.
fn names(chart: &Chart) -> Vec<&str> {
    let mut names = Vec::new();
    for panel in &chart.panels {
        let Over::Numbers { lines, .. } = &panel.over else { continue };
        for line in lines {
            if !names.contains(&line.name.as_str()) {
                names.push(&line.name);
            }
        }
    }
    names
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
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{words}</text>\n")
}

fn stroke(x1: f64, y1: f64, x2: f64, y2: f64) -> String {
    format!("<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"{GREY}\" stroke-width=\"0.5\"/>\n")
}

/// Lines over a logarithmic axis; values from 0.
fn plot_lines(y_label: &str, x_label: &str, lines: &[Line], names: &[&str]) -> String {
    let points = || lines.iter().flat_map(|line| &line.points);
    let least = points().map(|p| p.0).fold(f64::INFINITY, f64::min);
    let most = points().map(|p| p.0).fold(1.0, f64::max);
    let (least, most) = if least < most { (least, most) } else { (most / 2.0, most * 2.0) };
    let top = points().map(|p| p.1).fold(0.0, f64::max) * 1.05;
    let width = WIDTH - LEFT - RIGHT;
    let x = |value: f64| LEFT + width * (value / least).log2() / (most / least).log2();
    let y = |value: f64| ABOVE + HEIGHT * (1.0 - value / top.max(f64::MIN_POSITIVE));

    let mut out = text(LEFT, 20.0, "start", 12.0, y_label);
    let step = round_step(top, 6.0);
    for value in (0..).map(|i| f64::from(i) * step).take_while(|v| *v <= top.max(step)) {
        out += &stroke(LEFT, y(value), LEFT + width, y(value));
        out += &text(LEFT - 8.0, y(value) + 4.0, "end", 11.0, &tick(value, step));
    }
    // Powers of two, as many as there is room for.
    let powers = (least.log2().ceil() as i32)..=(most.log2().floor() as i32);
    let every = (powers.clone().count() as f64 / (width / 45.0)).ceil().max(1.0) as usize;
    for power in powers.step_by(every) {
        let at = x(2f64.powi(power));
        out += &stroke(at, ABOVE, at, ABOVE + HEIGHT);
        out += &text(at, ABOVE + HEIGHT + 16.0, "middle", 11.0, &size_text(1 << power.max(0)));
    }
    out += &text(LEFT + width / 2.0, ABOVE + HEIGHT + 36.0, "middle", 12.0, x_label);
    for (i, line) in lines.iter().enumerate() {
        let look = Look::of(names.iter().position(|name| *name == line.name).unwrap_or(i));
        out += &plot_line(line, look, LEFT + width + 26.0, ABOVE + 10.0 + 18.0 * i as f64, &x, &y);
    }
    out
}

/// A line, its marks, and its entry in the legend.
fn plot_line(
    line: &Line,
    Look { colour, dashes }: Look,
    legend_x: f64,
    legend_y: f64,
    x: &dyn Fn(f64) -> f64,
    y: &dyn Fn(f64) -> f64,
) -> String {
    let mark = |cx: f64, cy: f64| match line.whose {
        Whose::Paper => hollow(cx, cy, colour),
        _ => format!("<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"2.5\" fill=\"{colour}\"/>\n"),
    };
    let mut out = String::new();
    if line.whose != Whose::Paper {
        let mut path = String::new();
        for (i, (px, py)) in line.points.iter().enumerate() {
            let _ = write!(path, "{}{:.1} {:.1}", if i == 0 { 'M' } else { 'L' }, x(*px), y(*py));
        }
        let _ = write!(path, "M{:.1} {legend_y:.1}L{:.1} {legend_y:.1}", legend_x - 12.0, legend_x + 12.0);
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-dasharray=\"{dashes}\"/>"
        );
    }
    for (px, py) in &line.points {
        out += &mark(x(*px), y(*py));
    }
    out += &mark(legend_x, legend_y);
    out + &text(legend_x + 18.0, legend_y + 4.0, "start", 11.0, &line.name)
}

fn hollow(cx: f64, cy: f64, colour: &str) -> String {
    format!(
        "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"5\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n"
    )
}

/// How a line looks: when the colours are used up they come again, dashed.
#[derive(Clone, Copy)]
struct Look {
    colour: &'static str,
    dashes: &'static str,
}

impl Look {
    fn of(i: usize) -> Self {
        const DASHES: [&str; 4] = ["none", "7 3", "2 3", "9 3 2 3"];
        Look { colour: COLOURS[i % COLOURS.len()], dashes: DASHES[i / COLOURS.len() % DASHES.len()] }
    }
}

/// Bars to the right, a name and a number beside each.
fn plot_bars(y_label: &str, bars: &[Bar], quoted: &str) -> String {
    let values = bars.iter().flat_map(|bar| [bar.value, bar.paper]).flatten();
    let most = values.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let width = WIDTH - LEFT_OF_BARS - RIGHT_OF_BARS;
    let x = |value: f64| LEFT_OF_BARS + width * value / most;
    let foot = ABOVE + BAR * bars.len() as f64;

    let mut out = text(LEFT_OF_BARS, 20.0, "start", 12.0, y_label);
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
        let value = bar.value.unwrap_or(0.0);
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{fill}\"/>",
            x(0.0),
            top + 3.0,
            x(value) - x(0.0),
            BAR - 6.0
        );
        let words = bar.value.map_or_else(|| "–".into(), number);
        let right = x(value.max(bar.paper.unwrap_or(0.0))) + 9.0;
        out += &text(right, middle + 4.0, "start", 11.0, &words);
        if let Some(paper) = bar.paper {
            out += &hollow(x(paper), middle, COLOURS[1]);
        }
    }
    if bars.iter().any(|bar| bar.paper.is_some()) {
        out += &hollow(LEFT_OF_BARS + 4.0, foot + 34.0, COLOURS[1]);
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
        for tag in ["svg", "g", "text", "style"] {
            let (open, close) =
                (svg.matches(&format!("<{tag}")).count(), svg.matches(&format!("</{tag}>")).count());
            assert_eq!(open, close, "{tag}");
        }
    }

    #[test]
    fn an_empty_panel_is_drawn() {
        let empty = svg(&Chart::new("", "").lines("", "", vec![]).bars("", vec![]));
        assert!(empty.ends_with("</svg>\n") && !empty.contains("NaN"));
    }
}
