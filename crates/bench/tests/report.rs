//! The report: the content of the file, and its rendering in a real browser.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Figures of every kind of panel: lines, lines with papers' marks and negative values, bars with papers'
/// marks.
const FIGURES: [&str; 5] = [
    "gueron-krasnov-2012-expanded-padding",
    "gueron-krasnov-2012-sha3-finalists",
    "gueron-2014-s-hash",
    "locktyukhin-2010-pipelining",
    "faz-hernandez-2018-sha-ni",
];

fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hashlanes-bench")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns an empty folder for this test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Measures these figures with hardly any samples; returns the page's file.
fn report(folder: &Path, figures: &[&str]) -> PathBuf {
    let page = folder.join("report.html");
    let quick = ["--quick", "--samples", "2", "--sample", "0.05", "--patience", "1", "--allow-noise"];
    run(&[&["report", "--out", page.to_str().unwrap()], &quick[..], figures].concat());
    page
}

#[test]
fn the_page_is_made_of_its_data_again() {
    let folder = folder("report-data");
    let page = report(&folder, &FIGURES[1..2]);
    let text = std::fs::read_to_string(&page).unwrap();
    for other in ["src=", "@import", "url(", "http://", "https://"] {
        let found = text.matches(other).count();
        // The name of SVG's elements, which nothing is loaded from.
        let wanted = usize::from(other == "http://");
        assert_eq!(found, wanted, "{other}: the page needs nothing beside it");
    }
    assert!(
        text.contains("<section class=\"figure\" id=\"fgueron-krasnov-2012-sha3-finalists\">"),
        "no figure"
    );
    assert!(text.contains("The paper: SHA-256 by 4-SMS"), "no summary");
    let again = folder.join("again.html");
    let data = folder.join("report.json");
    let again_name = again.to_str().unwrap();
    run(&["report", "--from", data.to_str().unwrap(), "--out", again_name, "--allow-noise"]);
    assert_eq!(text, std::fs::read_to_string(again).unwrap());

    let data: Value = serde_json::from_str(&std::fs::read_to_string(data).unwrap()).unwrap();
    assert_eq!(
        (&data["schema"], &data["figures"][0]["name"]),
        (&1.into(), &"gueron-krasnov-2012-sha3-finalists".into())
    );
    assert!(data["environment"]["cpu"].is_string() && data["method"]["samples"].is_u64());
}

#[test]
fn invalid_data_is_refused() {
    let folder = folder("report-refused");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("data.json");
    let out = folder.join("out.html");
    std::fs::write(&file, "{}").unwrap();
    let refused = |arguments: &[&str], why: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_hashlanes-bench")).args(arguments).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(why), "{arguments:?}: {told}");
    };
    let [file, out] = [&file, &out].map(|path| path.to_str().unwrap());
    refused(&["report", "--from", file, "--out", out], "no data of a report");
    refused(&["report", "--out", file], "the page needs another name");
    refused(&["report", "no-such", "--out", out], "unknown figure");
    refused(&["report", "gueron-krasnov-2012-sha3-finalists", "--from", file], "cannot be used with");
}

#[test]
fn a_browser_draws_every_figure_at_desktop_and_phone_width() {
    in_a_browser("report-browser", &FIGURES);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn a_browser_draws_all_figures() {
    in_a_browser("report-all", &["all"]);
}

/// Draws the page of these figures in both widths and both units and checks the drawing.
fn in_a_browser(name: &str, figures: &[&str]) {
    let Some(browser) = browser() else {
        eprintln!("skipped: there is no browser (apt-get install chromium)");
        return;
    };
    let folder = folder(name);
    let page = report(&folder, figures);
    for (width, unit) in [(1280, "c/B"), (1280, "GB/s"), (360, "c/B"), (360, "GB/s")] {
        let seen = look(browser, &folder, &page, width, unit);
        let drawn = seen["figures"].as_object().unwrap();
        assert!(drawn.len() == figures.len() || figures == ["all"], "{seen:#}");
        for (figure, of) in drawn {
            let place = format!("{figure}, {width} pixels, {unit}: {of:#}");
            assert!(of["measured"].as_u64().unwrap() >= 2, "at least two measured series: {place}");
            assert_eq!(of["overlapping"], Value::Array(vec![]), "labels over each other: {place}");
            assert_eq!(of["cut"], Value::Array(vec![]), "labels cut off: {place}");
            assert_eq!(of["axes"], of["plots"], "a unit on every plot: {place}");
        }
        assert!(seen["width"].as_u64().unwrap() <= width, "wider than the screen: {seen:#}");
    }
}

/// A browser that can be run without a screen.
fn browser() -> Option<&'static str> {
    let runs = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(runs)
}

/// Returns the drawing as JSON. Uses a frame of that width, because a browser's window has a minimum width.
fn look(browser: &str, folder: &Path, page: &Path, width: u64, unit: &str) -> Value {
    let escaped = std::fs::read_to_string(page).unwrap().replace('&', "&amp;").replace('"', "&quot;");
    let harness = folder.join("harness.html");
    let script = LOOK.replace("UNIT", unit);
    std::fs::write(
        &harness,
        format!(
            "<!DOCTYPE html><meta charset=utf-8><iframe style=\"width:{width}px;height:900px;border:0\" \
             srcdoc=\"{escaped}\"></iframe><pre id=seen></pre><script>{script}</script>"
        ),
    )
    .unwrap();
    let profile = folder.join("profile");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000", "--dump-dom"])
        .args(["--virtual-time-budget=20000", "--no-first-run"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", harness.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8(output.stdout).unwrap();
    let seen = dom.split("<pre id=\"seen\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let seen = seen.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let seen = seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&seen).unwrap_or_else(|error| panic!("{error}: {seen:?}"))
}

/// Runs in the page around the frame.
const LOOK: &str = r#"
const frame = document.querySelector("iframe");
frame.addEventListener("load", () => {
  const page = frame.contentDocument, figures = {};
  [...page.querySelectorAll(".units button")].find((b) => b.textContent === "UNIT").click();
  for (const section of page.querySelectorAll("section.figure")) {
    const overlapping = [], cut = [];
    let axes = 0;
    const plots = [...section.querySelectorAll(".plot svg")];
    const measured = new Set();
    for (const plot of plots) {
      for (const group of plot.querySelectorAll("g.series.ours, g.series.rival"))
        if (group.querySelector("path, rect")) measured.add(group.dataset.name);
      const texts = [...plot.querySelectorAll("text")].map((t) => [t.textContent, t.getBoundingClientRect()]);
      const bounds = plot.getBoundingClientRect();
      if (plot.closest(".plot").querySelector(".unit").textContent) axes++;
      for (const [text, box] of texts)
        if (box.left < bounds.left - 1 || box.right > bounds.right + 1 || box.bottom > bounds.bottom + 1) cut.push(text);
      texts.forEach(([a, p], i) => {
        for (const [b, q] of texts.slice(i + 1)) {
          const apart = p.right - 1 <= q.left || q.right - 1 <= p.left || p.bottom - 3 <= q.top || q.bottom - 3 <= p.top;
          if (!apart) overlapping.push(`${a} | ${b}`);
        }
      });
    }
    figures[section.id] = { measured: measured.size, overlapping, cut, axes, plots: plots.length };
  }
  const width = page.documentElement.scrollWidth;
  document.getElementById("seen").textContent = JSON.stringify({ figures, width });
});
"#;
