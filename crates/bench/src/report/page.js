// The report's plots: drawn from the data that the page holds, for the width that there is.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const ghz = data.environment.core_ghz;
  const CYCLES = "cycles per byte";
  const NS = "http://www.w3.org/2000/svg";
  // Strokes and marks: ours are coloured and mostly solid, rivals grey and dashed, papers' values hollow.
  const OURS_DASHES = ["", "9 3", "2 2.5"];
  const RIVAL_DASHES = ["6 4", "2 3", "9 3 2 3", "12 4", "4 2 1 2"];
  const OURS_MARKS = ["circle", "down", "diamond"];
  const RIVAL_MARKS = ["square", "up", "cross", "diamond", "down"];
  const PAPER_MARKS = ["diamond", "square", "up", "down"];
  const state = { gigabytes: false };

  const make = (name, attributes = {}, children = []) => {
    const node = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    for (const child of [].concat(children)) node.append(child);
    return node;
  };
  const words = (x, y, anchor, text, cls = "") =>
    make("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, class: cls }, text);
  const stroke = (x1, y1, x2, y2, cls) =>
    make("path", { d: `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}`, class: cls });

  // Numbers as the tables write them: so many digits as matter.
  const number = (v) => {
    const a = Math.abs(v);
    return a >= 10000 ? Math.round(v).toLocaleString("en") : v.toFixed(a < 10 ? 3 : a < 100 ? 2 : a < 1000 ? 1 : 0);
  };
  // Ours are known by their colours.
  const short = (name) => name.replaceAll("hashlanes:", "");
  const size = (b) =>
    b >= 2 ** 20 && b % 2 ** 20 === 0 ? `${b / 2 ** 20} Mi` : b >= 1024 && b % 1024 === 0 ? `${b / 1024} Ki` : `${b}`;
  // A round step that divides 0..most into about `parts`: 1, 2 or 5 times a power of ten.
  const roundStep = (most, parts) => {
    const raw = most / parts, power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw * 0.999);
  };
  const tick = (v, step) => {
    v ||= 0; // No "-0".
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    return v.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  };

  const converts = (panel) => state.gigabytes && panel.y === CYCLES && ghz > 0;
  // Papers' values are cycles of CPUs whose clocks the papers do not always tell: in GB/s there are none.
  const valueIn = (panel, v) => (converts(panel) ? ghz / v : v);
  const label = (panel) => {
    if (converts(panel)) return "GB/s (higher is better)";
    const better = {
      [CYCLES]: "lower", "times as fast": "higher", "1000s of bytes per second": "higher",
    }[panel.y] ?? (panel.y.startsWith("instructions") ? "lower" : null);
    return better ? `${panel.y} (${better} is better)` : panel.y;
  };

  // How the series of a figure look: one colour for each subject of ours in all panels, which is what the same thing is
  // called in each of them; lines of one subject in one panel have different dashes. Others are told by their names.
  const cycle = (list, n) => list[n % list.length];
  const look = {
    ours: (i, nth) => {
      const more = nth + Math.floor(i / 6);
      return { colour: `var(--c${i % 6})`, dash: cycle(OURS_DASHES, more), mark: cycle(OURS_MARKS, more) };
    },
    rival: (i) => ({ colour: "var(--rival)", dash: cycle(RIVAL_DASHES, i), mark: cycle(RIVAL_MARKS, i) }),
    paper: (i) => ({ colour: "var(--paper)", dash: "", mark: cycle(PAPER_MARKS, i) }),
  };
  const subject = (s) => (s.whose === "ours" ? s.name.replace(/^hashlanes:/, "").split(s.name.startsWith("j = ") ? "," : /:| over |-decrypt/)[0] : s.name);
  const looks = (figure) => {
    const known = { ours: [], rival: [], paper: [] };
    for (const { series = [] } of figure.panels) {
      for (const s of series) if (!known[s.whose].includes(subject(s))) known[s.whose].push(subject(s));
    }
    // The looks of a panel's series, by their names.
    return ({ series = [] }) => new Map(series.map((s) => {
      const alike = series.filter((other) => other.whose === s.whose && subject(other) === subject(s));
      return [s.name, look[s.whose](known[s.whose].indexOf(subject(s)), alike.indexOf(s))];
    }));
  };
  const outlines = {
    square: (r) => `M${-r} ${-r}H${r}V${r}H${-r}Z`,
    diamond: (r) => `M0 ${-1.35 * r}L${1.35 * r} 0L0 ${1.35 * r}L${-1.35 * r} 0Z`,
    up: (r) => `M0 ${-1.25 * r}L${1.2 * r} ${r}H${-1.2 * r}Z`,
    down: (r) => `M0 ${1.25 * r}L${1.2 * r} ${-r}H${-1.2 * r}Z`,
    cross: (r) => `M${-r} ${-r}L${r} ${r}M${r} ${-r}L${-r} ${r}`,
    circle: (r) => `M${-r} 0A${r} ${r} 0 1 0 ${r} 0A${r} ${r} 0 1 0 ${-r} 0Z`,
  };
  const mark = (look, whose, x, y) => {
    const place = { d: outlines[look.mark](whose === "paper" ? 4.5 : 3), transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` };
    if (whose === "paper") return make("path", { ...place, class: "hollow", style: `stroke:${look.colour}` });
    if (look.mark === "cross") return make("path", { ...place, style: `stroke:${look.colour};stroke-width:1.5;fill:none` });
    return make("path", { ...place, style: `fill:${look.colour}` });
  };

  // Which series of a panel are to be drawn now, in the unit of now.
  const shown = (panel) =>
    panel.series
      .filter((s) => !panel.hidden.has(s.name) && !(s.whose === "paper" && converts(panel)))
      .map((s) => ({ ...s, points: s.points.map(([x, y]) => [x, valueIn(panel, y)]) }));

  // Above a plot: what its values are. Outside of the picture, where words wrap.
  const caption = (panel, more = "") => {
    panel.box.querySelector(".unit").textContent = (panel.group ? `${panel.group}: ` : "") + label(panel) + more;
  };
  // A new picture in the place of the one before.
  const picture = (panel, box, width, height, words) => {
    const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words });
    box.querySelector("svg")?.remove();
    box.querySelector(".unit").after(svg);
    caption(panel);
    return svg;
  };
  // The vertical scale of values: from 0 (below it only where values are), or logarithmic where the greatest is so many
  // times the least that the small ones would lie on each other. Per cents, whose 0 matters, have a linear one.
  const WIDE = 12;
  const scale = (panel, values, height) => {
    const least = Math.min(...values), most = Math.max(...values, 1e-9);
    if (least > 0 && most / least > WIDE && !/%|per cent/.test(panel.y)) {
      const low = least / 1.15, top = most * 1.15, ticks = [];
      for (let p = Math.floor(Math.log10(low)); 10 ** p <= top; p++) ticks.push(...[1, 2, 5].map((f) => [f * 10 ** p, 10 ** p]));
      const share = (v) => Math.log(v / low) / Math.log(top / low);
      return { share, log: true, ticks: ticks.filter(([v]) => v >= low && v <= top).map(([v, step]) => [v, tick(v, step)]) };
    }
    const low = Math.min(0, 1.1 * least), top = 1.06 * most, step = roundStep(top - low, height / 55), ticks = [];
    for (let i = Math.ceil(low / step); i * step <= top; i++) ticks.push([i * step, tick(i * step, step)]);
    return { share: (v) => (v - low) / (top - low), log: false, ticks };
  };
  const axes = (svg, frame, panel, { ticks, log }) => {
    for (const [value, text] of ticks) {
      const y = frame.y(value);
      svg.append(stroke(frame.left, y, frame.right, y, value || log ? "grid" : "axis"));
      svg.append(words(frame.left - 7, y + 4, "end", text, "tick"));
    }
    caption(panel, log ? ", log scale" : "");
  };
  const lengths = (svg, frame, panel, least, most) => {
    const powers = [];
    for (let p = Math.ceil(Math.log2(least) - 1e-9); p <= Math.log2(most) + 1e-9; p++) powers.push(p);
    const every = Math.max(1, Math.ceil(powers.length * 46 / (frame.right - frame.left)));
    powers.forEach((p, i) => {
      const x = frame.x(2 ** p);
      svg.append(stroke(x, frame.top, x, frame.foot, "grid"));
      if (i % every === 0) svg.append(words(x, frame.foot + 17, "middle", size(2 ** p), "tick"));
    });
    svg.append(words((frame.left + frame.right) / 2, frame.foot + 36, "middle", `${panel.x} (log₂ scale)`));
  };

  const drawLines = (panel, box) => {
    const width = Math.max(280, box.clientWidth), height = width < 520 ? 260 : 340;
    const series = shown(panel), points = series.flatMap((s) => s.points);
    const svg = picture(panel, box, width, height + 52, `${label(panel)} over ${panel.x}`);
    if (!points.length) { svg.append(words(width / 2, 60, "middle", "nothing measured")); return; }
    let least = Math.min(...points.map((p) => p[0])), most = Math.max(...points.map((p) => p[0]));
    if (least === most) { least /= 2; most *= 2; }
    const vertical = scale(panel, points.map((p) => p[1]), height);
    const left = 16 + 6.6 * Math.max(...vertical.ticks.map(([, text]) => text.length));
    const frame = { left, right: width - 18, top: 8, foot: 8 + height, height };
    frame.x = (v) => left + (frame.right - left) * Math.log2(v / least) / Math.log2(most / least);
    frame.y = (v) => frame.foot - height * vertical.share(v);
    axes(svg, frame, panel, vertical);
    lengths(svg, frame, panel, least, most);
    const guide = svg.appendChild(stroke(left, frame.top, left, frame.foot, "guide"));
    for (const s of series) {
      const look = panel.looks.get(s.name);
      const group = make("g", { class: `series ${s.whose}`, "data-name": s.name });
      const path = s.points.map(([x, y], i) => `${i && !isMissing(series, s, s.points[i - 1][0], x) ? "L" : "M"}${frame.x(x).toFixed(1)} ${frame.y(y).toFixed(1)}`).join("");
      if (s.whose !== "paper") group.append(make("path", { d: path, class: "line", style: `stroke:${look.colour};stroke-dasharray:${look.dash || "none"}` }));
      // Marks that would touch each other are left out.
      let last = -99;
      for (const [x, y] of s.points) {
        if (s.whose !== "paper" && frame.x(x) - last < 9 && s.points.length > 2) continue;
        last = frame.x(x);
        group.append(mark(look, s.whose, last, frame.y(y)));
      }
      svg.append(group);
    }
    pointer(panel, box, svg, frame, guide, series, width);
  };

  // Whether half of the other measured lines have a value between two lengths: this one's is noise, and its line has a gap.
  const isMissing = (series, line, from, to) => {
    const others = series.filter((s) => s.whose !== "paper" && s !== line);
    const having = (x) => others.filter((s) => s.points.some((p) => p[0] === x)).length;
    // Two equal values are a level, of something that does not depend on the length.
    if (line.points.length === 2 && line.points[0][1] === line.points[1][1]) return false;
    return others.some((s) => s.points.some(([x]) => from < x && x < to && 2 * having(x) >= others.length));
  };

  // Under the pointer: the values at the nearest length.
  const pointer = (panel, box, svg, frame, guide, series, width) => {
    const tip = box.querySelector(".tip");
    const all = [...new Set(series.flatMap((s) => s.points.map((p) => p[0])))];
    const hide = () => { tip.style.visibility = "hidden"; guide.style.visibility = "hidden"; };
    const show = (event) => {
      const bounds = svg.getBoundingClientRect(), at = (event.clientX - bounds.left) * width / bounds.width;
      const x = all.reduce((best, v) => (Math.abs(frame.x(v) - at) < Math.abs(frame.x(best) - at) ? v : best));
      const rows = series.map((s) => [s, s.points.find((p) => p[0] === x)?.[1]]).filter((r) => r[1] !== undefined);
      rows.sort((a, b) => b[1] - a[1]);
      tip.replaceChildren(Object.assign(document.createElement("strong"), { textContent: `${size(x)} ${panel.x}` }));
      for (const [s, v] of rows) {
        const row = document.createElement("div");
        row.append(Object.assign(document.createElement("span"), { textContent: short(s.name) }));
        row.append(Object.assign(document.createElement("b"), { textContent: number(v) }));
        tip.append(row);
      }
      const guideX = frame.x(x), scale = bounds.width / width;
      guide.setAttribute("d", `M${guideX} ${frame.top}V${frame.foot}`);
      guide.style.visibility = "visible";
      tip.style.visibility = "visible";
      const place = guideX * scale < bounds.width / 2 ? guideX * scale + 12 : guideX * scale - 12 - tip.offsetWidth;
      tip.style.left = `${Math.max(0, Math.min(bounds.width - tip.offsetWidth, place))}px`;
      tip.style.top = `${svg.getBoundingClientRect().top - box.getBoundingClientRect().top + frame.top}px`;
    };
    svg.addEventListener("pointermove", show);
    svg.addEventListener("pointerdown", show);
    svg.addEventListener("pointerleave", hide);
  };

  const drawBars = (panel, box) => {
    const width = Math.max(280, box.clientWidth), narrow = width < 620;
    const rowHeight = narrow ? 38 : 24, top = 6, foot = top + rowHeight * panel.bars.length;
    const papers = panel.bars.some((b) => b.paper != null) && !converts(panel);
    const svg = picture(panel, box, width, foot + 26, label(panel));
    box.querySelector(".quoted").hidden = !papers;
    const value = (v) => (v == null ? null : valueIn(panel, v));
    const all = panel.bars.flatMap((b) => [value(b.value), papers ? b.paper : null]).filter((v) => v != null);
    if (!all.length) { svg.append(words(width / 2, 60, "middle", "nothing measured")); return; }
    const told = (bar) => {
      const v = value(bar.value), paper = papers ? bar.paper : null;
      return `${v == null ? "–" : number(v)}${paper == null ? "" : ` (paper: ${number(paper)})`}`;
    };
    const longest = (text) => 6.9 * Math.max(...panel.bars.map((b) => text(b).length));
    const left = narrow ? 8 : Math.min(0.45 * width, 12 + longest((b) => b.name)), right = width - 22 - longest(told);
    const most = Math.max(...all), x = (v) => left + (right - left) * v / most;
    const step = roundStep(most, (right - left) / 90);
    for (let i = 0; i * step <= most * 1.0001; i++) {
      svg.append(stroke(x(i * step), top, x(i * step), foot, i ? "grid" : "axis"));
      svg.append(words(x(i * step), foot + 17, "middle", tick(i * step, step), "tick"));
    }
    panel.bars.forEach((bar, i) => {
      const y = top + rowHeight * i, v = value(bar.value), paper = papers ? bar.paper : null;
      const middle = narrow ? y + 26 : y + 12;
      svg.append(narrow ? words(left + 4, y + 15, "start", bar.name) : words(left - 8, y + 16, "end", bar.name));
      const group = make("g", { class: `series ${bar.whose}`, "data-name": bar.name });
      if (v != null) {
        const fill = bar.whose === "ours" ? "var(--c0)" : "var(--rival)";
        const span = Math.max(1, x(v) - left);
        group.append(make("rect", { x: left, y: middle - 7, width: span.toFixed(1), height: 14, rx: 2, style: `fill:${fill}` }));
      }
      svg.append(group);
      if (paper != null) svg.append(mark({ mark: "diamond", colour: "var(--paper)" }, "paper", x(paper), middle));
      svg.append(words(x(Math.max(v ?? 0, paper ?? 0)) + 10, middle + 4, "start", told(bar)));
    });
  };
  const draw = (panel) => (panel.bars ? drawBars(panel, panel.box) : drawLines(panel, panel.box));

  const swatch = (look, whose) => {
    const svg = make("svg", { width: 30, height: 12, "aria-hidden": "true", class: "series" });
    if (whose !== "paper") svg.append(make("path", { d: "M1 6H29", style: `stroke:${look.colour};stroke-width:2;stroke-dasharray:${look.dash || "none"}` }));
    svg.append(mark(look, whose, 15, 6));
    return svg;
  };
  const legend = (panel) => {
    const list = document.createElement("ul");
    list.className = "legend";
    for (const s of panel.series ?? []) {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      button.append(swatch(panel.looks.get(s.name), s.whose), short(s.name));
      button.addEventListener("click", () => {
        const hidden = panel.hidden.has(s.name);
        panel.hidden[hidden ? "delete" : "add"](s.name);
        button.setAttribute("aria-pressed", String(hidden));
        draw(panel);
      });
      const light = (on) => {
        panel.box.classList.toggle("dim", on);
        for (const group of panel.box.querySelectorAll("g.series")) group.classList.toggle("lit", on && group.dataset.name === s.name);
      };
      button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && light(true));
      button.addEventListener("pointerleave", () => light(false));
      const item = document.createElement("li");
      item.append(button);
      list.append(item);
    }
    return list;
  };

  const panels = [];
  for (const figure of data.figures) {
    const looksOf = looks(figure);
    const places = document.querySelectorAll(`#f${figure.name} .panel`);
    figure.panels.forEach((panel, i) => {
      const box = document.createElement("div");
      box.className = "plot";
      for (const part of ["unit", "quoted", "tip"]) box.append(Object.assign(document.createElement("div"), { className: part }));
      box.querySelector(".quoted").textContent = panel.bars ? `◇ the paper's value, ${panel.quoted || "on its CPU"}: not comparable as an absolute` : "";
      // "bytes; rotation by ror": the label of the numbers, and the group that the panel shows.
      const [x, ...group] = (panel.x ?? "").split("; ");
      Object.assign(panel, { x, group: group.join("; "), box, hidden: new Set(), looks: looksOf(panel) });
      places[i].append(box);
      if (panel.series) places[i].append(legend(panel));
      panels.push(panel);
    });
  }
  const drawAll = () => panels.forEach(draw);

  const [cycles, gigabytes] = document.querySelectorAll(".units button");
  const choose = (on) => {
    state.gigabytes = on;
    cycles.setAttribute("aria-pressed", String(!on));
    gigabytes.setAttribute("aria-pressed", String(on));
    drawAll();
  };
  cycles.addEventListener("click", () => choose(false));
  gigabytes.addEventListener("click", () => choose(true));
  gigabytes.disabled = !(ghz > 0);
  document.querySelector(".bar select").addEventListener("change", (event) => { location.hash = event.target.value; });

  const link = document.querySelector(".download");
  link.href = URL.createObjectURL(new Blob([document.getElementById("data").textContent], { type: "application/json" }));

  // On a phone the plots come first; tables are a touch away.
  if (document.documentElement.clientWidth < 576) {
    for (const details of document.querySelectorAll(".figure details")) details.open = false;
  }
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll(".figure details")) details.open = true;
  });
  let width = 0;
  addEventListener("resize", () => {
    if (document.documentElement.clientWidth !== width) { width = document.documentElement.clientWidth; drawAll(); }
  });
  drawAll();
})();
