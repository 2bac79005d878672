# SPDX-License-Identifier: GPL-2.0
"""Draw the picture: a pair of bars per case, shorter is better."""

from xml.sax.saxutils import escape

import cases
import report

LEFT, BARS, RIGHT = 330, 520, 110       # widths of names, bars, and a number
ROW, BAR, TOP = 34, 12, 78
COLOURS = {"stock": "#a8b0ba", "ours": "#1f6fb4"}
STYLE = """
text { font: 13px sans-serif; fill: #222 }
.title { font-size: 17px; font-weight: bold }
.small { font-size: 11px; fill: #555 }
.number { font-size: 11px }
.other { font-style: italic; fill: #777 }
.grid { stroke: #ddd }
.scale { stroke: #c0392b; stroke-dasharray: 5 4 }
"""


def full_width(values):
    """Return the value whose bar fills the width; longer bars are cut."""
    ordered = sorted(values)
    typical = ordered[len(ordered) // 2]
    return max([v for v in ordered if v <= 3 * typical], default=1)


def upright(kind, x, bottom):
    return f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{bottom}"/>'


def grid(limit, bottom):
    step = next(s for s in (100, 200, 500, 1000, 2000, 5000, 10**9) if limit / s <= 8)
    for value in range(0, int(limit) + 1, step):
        x = LEFT + BARS * value / limit
        yield upright("grid", x, bottom)
        yield (f'<text class="small" x="{x:.1f}" y="{TOP - 11}" text-anchor="middle">'
               f'{value}</text>')


def bar(y, name, value, limit):
    width = BARS * min(value, limit) / limit
    yield (f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR}"'
           f' fill="{COLOURS[name]}"/>')
    if value > limit:                   # mark a cut bar with two white strokes
        for x in (LEFT + BARS - 22, LEFT + BARS - 14):
            yield (f'<path d="M{x} {y + BAR + 2}l6 -{BAR + 4}" stroke="white"'
                   ' stroke-width="3"/>')
    yield (f'<text class="number" x="{LEFT + width + 5:.1f}" y="{y + BAR - 2}">'
           f'{value:.0f}</text>')


def row(y, case, stock, ours, limit):
    kind = "" if case.ours else ' class="other"'
    yield (f'<text{kind} x="{LEFT - 10}" y="{y + BAR + 5}" text-anchor="end">'
           f'{escape(case.title)}</text>')
    for i, (name, value) in enumerate((("stock", stock), ("ours", ours))):
        if value is not None:
            yield from bar(y + i * (BAR + 1), name, value, limit)


def static_tracepoint(rows, limit, bottom):
    """Draw a line at the cost of a static tracepoint."""
    for case, stock, ours in rows:
        value = ours if ours is not None else stock
        if case.event.startswith("syscalls/") and value is not None:
            x = LEFT + BARS * value / limit
            yield upright("scale", x, bottom)
            yield (f'<text class="small" x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">'
                   'a static tracepoint</text>')


def hits(data):
    rows = [(c, report.number(s), report.number(o)) for c, s, o in report.hit_rows(data)]
    values = [v for _, s, o in rows for v in (s, o) if v is not None] or [1]
    limit = full_width(values)
    bottom = TOP + ROW * len(rows)
    width, height = LEFT + BARS + RIGHT, bottom + 46
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
           f' width="{width}" height="{height}">', f"<style>{STYLE}</style>",
           f'<rect width="{width}" height="{height}" fill="white"/>',
           '<text class="title" x="16" y="26">Instructions per hit of a probe on'
           f' {escape(cases.FUNC)}</text>',
           f'<text class="small" x="16" y="45">{escape(data["about"]["base"])},'
           ' retired guest instructions, shorter is better</text>']
    for i, name in enumerate(COLOURS):
        x = width - 170 + 80 * i
        out.append(f'<rect x="{x}" y="16" width="12" height="12" fill="{COLOURS[name]}"/>'
                   f'<text x="{x + 18}" y="27">{name}</text>')
    out += grid(limit, bottom)
    for i, (case, stock, ours) in enumerate(rows):
        out += row(TOP + ROW * i, case, stock, ours, limit)
    out += static_tracepoint(rows, limit, bottom)
    out.append(f'<text class="small" x="16" y="{bottom + 36}">Not cycles: no cache misses,'
               ' mispredictions and exceptions of an int3.</text></svg>')
    return "\n".join(out) + "\n"
