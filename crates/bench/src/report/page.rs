//! The page, from top to bottom: the machine, the figures of each paper (plots and a table), the method, the
//! contestants, and the data.

use super::data::Data;
use hashlanes_chart::{Figure, Line, Over, Whose, number, size_text};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The papers, by how their figures' names begin.
const PAPERS: [(&str, &str); 5] = [
    (
        "gueron-krasnov-2012",
        "Gueron, Krasnov 2012: Parallelizing message schedules to accelerate the computations of hash functions",
    ),
    (
        "guilford-yap-gopal-2012",
        "Guilford, Yap, Gopal 2012: Fast SHA-256 implementations on Intel architecture processors",
    ),
    (
        "gueron-2014",
        "Gueron 2014: Parallelized hashing via j-lanes and j-pointers tree modes, with applications to SHA-256",
    ),
    ("locktyukhin-2010", "Locktyukhin 2010: Improving the performance of the Secure Hash Algorithm (SHA-1)"),
    (
        "faz-hernandez-2018",
        "Faz-Hernández, López, de Oliveira 2018: SoK: a performance evaluation of cryptographic instruction sets",
    ),
];

/// Figures that are summarised by numbers: of the panels with the unit of the first one, our cycles at the
/// greatest length, and how many times as many the fastest rival takes.
const GLANCES: [(&str, &str); 3] = [
    ("faz-hernandez-2018-sha-ni", "SHA-256, one message"),
    ("faz-hernandez-2018-vector-lanes", "SHA-256, a message a lane"),
    ("gueron-2014-j-lanes", "SHA-256 in j-lanes, one message"),
];

/// The page of `data`, which `json` holds as text.
pub(super) fn page(data: &Data, json: &str) -> String {
    let mut out = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    let _ = write!(
        out,
        "<title>hashlanes on {}</title>\n<style>\n{STYLE}</style>\n",
        escaped(&data.environment.cpu)
    );
    out += "</head>\n<body>\n";
    out += &head(data);
    out += &toolbar(&data.figures);
    out += "<main>\n";
    for (paper, title) in PAPERS {
        let mut figures = data.figures.iter().filter(|f| f.name.starts_with(paper)).peekable();
        if figures.peek().is_some() {
            let _ = writeln!(out, "<h2>{}</h2>", escaped(title));
        }
        figures.for_each(|f| out += &figure(f));
    }
    out += &facts(data);
    out += "</main>\n";
    // In a script's element "<" could begin its end.
    let json = json.replace('<', "\\u003c");
    let _ = write!(
        out,
        "<script type=\"application/json\" id=\"data\">{json}</script>\n<script>\n{SCRIPT}</script>\n"
    );
    out + "</body>\n</html>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn head(data: &Data) -> String {
    let environment = &data.environment;
    let ghz = environment.core_ghz.map_or_else(|| "wall times".into(), |ghz| format!("{ghz:.2} GHz"));
    let mut out = format!(
        "<header><div>\n<h1>hashlanes and its rivals</h1>\n<p>{}, one core at {ghz}; {}; commit {}</p>\n",
        escaped(&environment.cpu),
        escaped(&data.time.replace('T', " ").replace('Z', " UTC")),
        escaped(&data.commit)
    );
    let glances: String = GLANCES.iter().filter_map(|(name, what)| glance(data, name, what)).collect();
    if !glances.is_empty() {
        let _ = writeln!(out, "<div class=\"glance\">\n{glances}</div>");
    }
    out += "<p class=\"soft\">Coloured: hashlanes. Grey and dashed: others. Hollow marks: values that the papers quote, of \
            other CPUs and other years; never to be compared as absolutes.</p>\n";
    out + "<noscript><p>The plots need JavaScript; the tables do not.</p></noscript>\n</div></header>\n"
}

/// Our best at the greatest length, alongside the best rival's.
fn glance(data: &Data, name: &str, what: &str) -> Option<String> {
    let figure = data.figures.iter().find(|f| f.name == name)?;
    let unit = &figure.panels.first()?.y_label;
    let lines =
        figure.panels.iter().filter(|panel| panel.y_label == *unit).flat_map(|panel| match &panel.over {
            Over::Numbers { lines, .. } => lines.as_slice(),
            Over::Names { .. } => &[],
        });
    let measured = || lines.clone().filter(|line| line.whose != Whose::Paper);
    let len = measured().flat_map(|s| &s.points).map(|p| p.0).fold(0.0, f64::max);
    let at = |line: &Line| line.points.iter().find(|p| p.0 == len).map(|p| p.1);
    let best = |whose| {
        let values = measured().filter(|s| s.whose == whose).filter_map(|s| Some((s.name.as_str(), at(s)?)));
        values.min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let (ours, value) = best(Whose::Ours)?;
    let beside = match best(Whose::Rival) {
        Some((rival, other)) => format!("{:.2} × as fast as {}", other / value, escaped(rival)),
        None => "no rival measured".into(),
    };
    Some(format!(
        "<div><span class=\"soft\">{what}, {} bytes</span><b>{} c/B</b><span class=\"soft\">{}; {beside}; \
         <a href=\"#f{name}\">{name}</a></span></div>\n",
        size_text(len as usize),
        number(value),
        escaped(ours)
    ))
}

fn toolbar(figures: &[Figure]) -> String {
    let mut out = String::from(
        "<nav class=\"bar\"><div><span class=\"units\" role=\"group\" aria-label=\"Unit\">\
         <button type=\"button\" aria-pressed=\"true\">c/B</button>\
         <button type=\"button\" aria-pressed=\"false\">GB/s</button></span>\
         <select aria-label=\"Go to a figure\">",
    );
    for Figure { name, title, .. } in figures {
        let _ = write!(out, "<option value=\"f{name}\">{name}: {}</option>", escaped(title));
    }
    out + "<option value=\"method\">How it was measured</option></select></div></nav>\n"
}

fn figure(figure: &Figure) -> String {
    let Figure { name, title, table, panels, paper, today, footnote } = figure;
    let mut out = format!("<section class=\"figure\" id=\"f{name}\">\n");
    // The heading and the first plot are on one page of paper.
    let _ = write!(out, "<div class=\"together\"><h3><a href=\"#f{name}\">{name}</a>{}</h3>", escaped(title));
    for i in 0..panels.len().max(1) {
        let panel = if i < panels.len() { "<div class=\"panel\"></div>" } else { "" };
        let _ = writeln!(out, "{panel}{}", if i == 0 { "</div>" } else { "" });
    }
    let summary = format!("{paper} {today}");
    for text in [summary.trim(), footnote].into_iter().filter(|text| !text.is_empty()) {
        let _ = writeln!(out, "<p class=\"soft\">{}</p>", escaped(text));
    }
    out += "<details open><summary>Table</summary><div class=\"wide\"><table>\n";
    for (i, row) in table.rows().iter().enumerate() {
        let cell = if i == 0 { "th" } else { "td" };
        out += if i == 0 { "<thead><tr>" } else { "<tr>" };
        for (column, text) in row.iter().enumerate() {
            // A row of one cell is a remark.
            let class = match (row.len(), table.left_columns().contains(&column)) {
                (1, _) => format!(" class=\"left\" colspan=\"{}\"", table.rows()[0].len()),
                (_, true) => " class=\"left\"".into(),
                (_, false) => String::new(),
            };
            let _ = write!(out, "<{cell}{class}>{}</{cell}>", escaped(text));
        }
        out += if i == 0 { "</tr></thead>\n<tbody>\n" } else { "</tr>\n" };
    }
    out + "</tbody></table></div></details>\n</section>\n"
}

fn row(out: &mut String, head: &str, text: &str) {
    let _ = writeln!(out, "<tr><th>{}</th><td>{}</td></tr>", escaped(head), escaped(text));
}

fn facts(data: &Data) -> String {
    let (environment, method) = (&data.environment, &data.method);
    let mut out = String::from("<h2 id=\"method\">How it was measured</h2>\n");
    let _ = writeln!(
        out,
        "<p>On one core, whoever is compared in one process and in turns, so that what slows the machine slows all of \
         them; OpenSSL without some of its instructions in processes of its own. A sample is {} ms long; {} of each \
         contestant had to pass a gate that rejects samples beside a busy neighbour, a changing clock or another \
         thread. The figure is the {} of what passed. Cycles are those of the core, by a chain of dependent additions \
         around each sample. Before anybody was timed, the digests were compared with those of an implementation that \
         shares no code with any contestant or, of hashes that it does not have, with their authors' vectors. GB/s are \
         10⁹ bytes per second at the clock above: clock over cycles per byte.</p>",
        method.sample_ms,
        method.samples,
        if method.name == "median" { "median" } else { "figure of the paper's method" },
    );
    let _ = writeln!(
        out,
        "<p>Of {} measurements {} have all the samples that were wanted, {} have fewer, and {} too few to be trusted.</p>",
        method.steady + method.thin + method.noisy,
        method.steady,
        method.thin,
        method.noisy
    );
    out += "<div class=\"wide\"><table class=\"facts\">\n";
    let optional = |value: Option<f64>| value.map_or_else(|| "unknown".into(), |v| format!("{v:.3} GHz"));
    let signature = [environment.family, environment.model, environment.stepping];
    let signature: Vec<_> = signature.iter().flatten().map(u32::to_string).collect();
    row(&mut out, "CPU", &environment.cpu);
    row(&mut out, "Family, model, stepping", &signature.join(", "));
    row(&mut out, "Features", &environment.features.join(", "));
    row(&mut out, "Core clock", &optional(environment.core_ghz));
    row(&mut out, "Time-stamp counter", &optional(environment.tsc_ghz));
    row(
        &mut out,
        "Virtual machine",
        if environment.virtualised { "yes: neighbours are likely" } else { "no" },
    );
    row(&mut out, "System", &format!("{} {} {}", environment.os, environment.kernel, environment.arch));
    row(&mut out, "Compiler", &format!("{} -O{}", environment.rustc, environment.opt_level));
    row(&mut out, "Method", &method.name);
    data.versions.iter().for_each(|(name, version)| row(&mut out, name, version));
    data.absent.iter().for_each(|(name, why)| row(&mut out, &format!("{name}, left out"), why));
    out += "</table></div>\n<footer>\n";
    out + "<p><a class=\"download\" download=\"hashlanes-report.json\" href=\"#method\">Download the data (JSON)</a> \
           <span class=\"soft\">The page is made of it again by <code>hashlanes-bench report --from FILE</code>.</span></p>\n\
           </footer>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_one_paper_s() {
        for name in crate::figures::names() {
            let of = PAPERS.iter().filter(|(paper, _)| name.starts_with(paper)).count();
            assert_eq!(of, 1, "{name}");
        }
    }
}
