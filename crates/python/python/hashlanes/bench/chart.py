"""Results as a bar chart in SVG."""

from xml.sax.saxutils import escape

from hashlanes.bench.timing import Result

LINE, LABELS, BARS, VALUES = 22, 330, 420, 70
"""Pixels: the height of a line, and the widths of its three parts."""


def svg(title: str, sections: dict[str, list[Result]]) -> str:
    """Draws a bar for each result: how many times as fast this package is. A mark shows the target."""
    longest = max((result.times for results in sections.values() for result in results), default=1.0)
    n_lines = sum(len(results) + 2 for results in sections.values()) + 2
    width, height = LABELS + BARS + VALUES, n_lines * LINE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        text(10, 1, title, weight="bold"),
    ]
    line = 2
    for section, results in sections.items():
        line += 1
        parts.append(text(10, line, section, weight="bold"))
        for result in results:
            line += 1
            y, bar = line * LINE - 14, result.times / longest * BARS
            parts.append(text(20, line, result.name))
            parts.append(f'<rect x="{LABELS}" y="{y}" width="{bar:.1f}" height="{LINE - 6}" fill="#3b6ea5"/>')
            if result.at_least is not None:
                x = LABELS + result.at_least / longest * BARS
                parts.append(f'<rect x="{x:.1f}" y="{y - 2}" width="2" height="{LINE - 2}" fill="#c0392b"/>')
            parts.append(text(LABELS + bar + 6, line, f"{result.times:.1f}"))
        line += 1
    return "\n".join([*parts, "</svg>", ""])


def text(x: float, line: int, words: str, *, weight: str = "normal") -> str:
    return f'<text x="{x:.1f}" y="{line * LINE}" font-weight="{weight}">{escape(words)}</text>'
