"""Small pictures made by the server: seat badges, sparklines, score charts, branch trees, distributions.

All are SVG coloured through CSS custom properties, so that light, dark and print come from one drawing; every chart has its table beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from markupsafe import Markup

from domain.log import Line

# A seat keeps one colour and one heraldic charge everywhere; colour-named seats keep their own colour.
NAMED = {"red": 0, "yellow": 1, "green": 2, "blue": 3, "black": 4, "orange": 5, "white": 6, "purple": 7}
CHARGES = (
    "M0-6L1.6-2H6L2.6 .8 3.8 5.2 0 2.6-3.8 5.2-2.6 .8-6-2H-1.6Z",  # mullet
    "M-1.7-6H1.7V-1.7H6V1.7H1.7V6H-1.7V1.7H-6V-1.7H-1.7Z",  # cross
    "M1.5-5.6A6 6 0 1 0 5.6 2.6 5 5 0 0 1 1.5-5.6Z",  # crescent
    "M0-6L5 0 0 6-5 0Z",  # lozenge
    "M-6 4.5V1.2L0-4.5 6 1.2V4.5L0-1.2Z",  # chevron
    "M0-5.5A5.5 5.5 0 1 0 .01-5.5ZM0-2.6A2.6 2.6 0 1 1-.01-2.6Z",  # annulet
    "M-5.5-4H5.5V-1H-5.5ZM-5.5 1H5.5V4H-5.5Z",  # bars
    "M0-6A3 3 0 0 1 2-1.2 3 3 0 1 1 .9 3.2L1.6 6H-1.6L-.9 3.2A3 3 0 1 1-2-1.2 3 3 0 0 1 0-6Z",  # trefoil
)


def seat_class(seat: str, seats: Sequence[str]) -> str:
    """The CSS class that gives a seat its colour."""
    if seat in NAMED:
        return f"seat-{NAMED[seat]}"
    return f"seat-{list(seats).index(seat) % len(CHARGES)}" if seat in seats else "seat-none"


def badge(seat: str, seats: Sequence[str]) -> Markup:
    """A shield with the seat's charge."""
    kind = seat_class(seat, seats)
    if kind == "seat-none":
        return Markup(
            '<svg class="badge seat-none" viewBox="-10 -10 20 20" aria-hidden="true"><circle class="shield" r="4"/></svg>'
        )
    charge = CHARGES[int(kind[5:])]
    return Markup(
        f'<svg class="badge {kind}" viewBox="-10 -10 20 20" aria-hidden="true">'
        f'<path class="shield" d="M-9-9H9V0C9 5.5 4.5 8.5 0 10-4.5 8.5-9 5.5-9 0Z"/>'
        f'<path class="charge" fill-rule="evenodd" d="{charge}" transform="translate(0 -.6) scale(.82)"/></svg>'
    )


def spark(values: Sequence[float], kind: str) -> Markup:
    """A seat's points over time, as small as a word."""
    if len(values) < 2:
        return Markup("")
    low, high = min(values), max(values)
    spread = (high - low) or 1
    points = " ".join(f"{64 * i / (len(values) - 1):.1f},{16 - 14 * (value - low) / spread:.1f}" for i, value in enumerate(values))
    return Markup(f'<svg class="spark {kind}" viewBox="0 0 64 18" aria-hidden="true"><polyline points="{points}"/></svg>')


def score_chart(history: Mapping[str, Sequence[tuple[int, float]]], seats: Sequence[str], link: str = "#") -> Markup:
    """Points over versions, one line a seat, named at its end; a click on a dot jumps to that version."""
    width, height, left, right, top, bottom = 880, 320, 44, 110, 14, 30
    everything = [point for points in history.values() for point in points]
    if not everything:
        return Markup("")
    last = max(version for version, _ in everything) or 1
    low, high = min(0, *(value for _, value in everything)), max(1, *(value for _, value in everything))

    def x(version: float) -> float:
        return left + (width - left - right) * version / last

    def y(value: float) -> float:
        return height - bottom - (height - top - bottom) * (value - low) / (high - low)

    out = [f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-label="Points by version">']
    for n in range(5):
        value = low + (high - low) * n / 4
        out.append(
            f'<path class="rule" d="M{left} {y(value):.1f}H{width - right}"/><text x="{left - 8}" y="{y(value) + 4:.1f}" class="tick end">{value:.0f}</text>'
        )
        out.append(f'<text x="{x(last * n / 4):.1f}" y="{height - 8}" class="tick mid">{last * n // 4}</text>')
    ends: list[float] = []
    for seat, points in sorted(history.items(), key=lambda pair: -pair[1][-1][1] if pair[1] else 0):
        if not points:
            continue
        kind = seat_class(seat, seats)
        path = " ".join(f"{x(version):.1f},{y(value):.1f}" for version, value in points)
        label = max([y(points[-1][1]) + 4, *(end + 16 for end in ends)])
        ends.append(label)
        out.append(f'<g class="{kind}"><polyline class="curve" points="{path}"/>')
        for version, value in points:
            out.append(
                f'<a href="{escape(link)}{version}"><circle class="dot" cx="{x(version):.1f}" cy="{y(value):.1f}" r="3">'
                f"<title>{escape(seat)}: {value:g} at version {version}</title></circle></a>"
            )
        out.append(f'<text class="name" x="{width - right + 8}" y="{label:.1f}">{escape(seat)} {points[-1][1]:g}</text></g>')
    return Markup("".join([*out, "</svg>"]))


def branch_tree(lines: Sequence[Line], heads: Mapping[str, int], here: str, link: str) -> Markup:
    """The lines of a match: time to the right, each branch on a row of its own, joined where it left its parent."""
    rows: dict[str, int] = {}

    def place(id: str) -> None:
        rows[id] = len(rows)
        for child in sorted((line for line in lines if line.parent == id), key=lambda line: (-line.at, line.id)):
            place(child.id)

    place(next(line.id for line in lines if not line.parent))
    last = max([1, *heads.values()])
    width, step, left, right = 880, 34, 16, 250

    def x(version: int) -> float:
        return left + (width - left - right) * version / last

    out = [f'<svg class="tree" viewBox="0 0 {width} {step * len(rows) + 12}" role="img" aria-label="Lines of this match">']
    for line in sorted(lines, key=lambda line: rows[line.id]):
        y, end = 20 + step * rows[line.id], max(heads.get(line.id, 0), line.at)
        start = x(line.at)
        if line.parent:
            up = 20 + step * rows[line.parent]
            out.append(
                f'<path class="join" d="M{start:.1f} {up}C{start + 6:.1f} {(up + y) / 2:.1f} {start - 2:.1f} {y} {start + 12:.1f} {y}"/>'
            )
            start += 12
        current = " here" if line.id == here else ""
        name = "main" if not line.parent else line.reason or line.id
        out.append(
            f'<a class="line{current}" href="{escape(link.replace("LINE", line.id))}">'
            f"<title>{escape(line.id)}: from version {line.at}, now at {end}</title>"
            f'<path d="M{start:.1f} {y}H{max(x(end), start + 1):.1f}"/><circle cx="{max(x(end), start + 1):.1f}" cy="{y}" r="5"/>'
            f'<text x="{max(x(end), start + 1) + 11:.1f}" y="{y + 4}">{escape(name[:34])}</text></a>'
        )
    return Markup("".join([*out, "</svg>"]))
