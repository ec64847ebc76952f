"""Small pictures made by the server: seat badges, the strip under the scrubber, sparklines, score charts, branch trees, marked boards.

All are SVG coloured through CSS custom properties, so that light, dark and print come from one drawing; every chart has its table beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from xml.etree import ElementTree

from markupsafe import Markup

from domain.log import Line
from service.web.course import Course, Turn

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
ElementTree.register_namespace("", "http://www.w3.org/2000/svg")


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
    return Markup(
        f'<svg class="badge {kind}" viewBox="-10 -10 20 20" aria-hidden="true">'
        f'<path class="shield" d="M-9-9H9V0C9 5.5 4.5 8.5 0 10-4.5 8.5-9 5.5-9 0Z"/>'
        f'<path class="charge" fill-rule="evenodd" d="{CHARGES[int(kind[5:])]}" transform="translate(0 -.6) scale(.82)"/></svg>'
    )


# -- time ---------------------------------------------------------------------------------------------------


def strip(course: Course, seats: Sequence[str], link: str, turn_name: Callable[[str, int], str]) -> Markup:
    """The whole game on one line: whose decision, where dice fell, what was taken back, and the turns, which can be jumped to."""
    last = max(1, len(course.steps) - 1)

    def x(version: int) -> str:
        return f"{100 * (version - 1) / last:.2f}%"

    out = ['<svg class="strip" width="100%" height="30" role="presentation">']
    out += [
        f'<rect class="{seat_class(seat, seats)}" x="{x(first)}" y="4" width="{100 * (upto - first) / last:.2f}%" height="8"/>'
        for seat, first, upto in _runs(course)
    ]
    out += [
        f'<rect class="undone" x="{x(back)}" y="4" width="{100 * (undo - back) / last:.2f}%" height="8"/>'
        for back, undo in course.undos
    ]
    out += [f'<circle class="dice" cx="{x(step.version)}" cy="8" r="2"/>' for step in course.steps if step.dice]
    free = -100.0
    for turn in course.turns:
        at = 100 * (turn.version - 1) / last
        out.append(f'<rect class="turn" x="{at:.2f}%" y="0" width="1" height="16"/>')
        if at - free > 7 and at < 96:
            free = at
            name = escape(turn_name(turn.kind, turn.number))
            out.append(f'<a href="{escape(link)}{turn.version}"><text x="{at:.2f}%" y="27">{name}</text></a>')
    return Markup("".join([*out, "</svg>"]))


def _runs(course: Course) -> list[tuple[str, int, int]]:
    """Who was deciding from which version to which."""
    found: list[tuple[str, int, int]] = []
    for step in course.steps[1:]:
        seat = step.seat or (found[-1][0] if found else "")
        if found and found[-1][0] == seat:
            found[-1] = (seat, found[-1][1], step.version)
        else:
            found.append((seat, step.version - 1, step.version))
    return found


def spark(values: Sequence[float], kind: str) -> Markup:
    """A seat's points over time, as small as a word."""
    if len(values) < 2:
        return Markup("")
    low, high = min(values), max(values)
    spread = (high - low) or 1
    points = " ".join(f"{64 * i / (len(values) - 1):.1f},{16 - 14 * (value - low) / spread:.1f}" for i, value in enumerate(values))
    return Markup(f'<svg class="spark {kind}" viewBox="0 0 64 18" aria-hidden="true"><polyline points="{points}"/></svg>')


Curve = Sequence[tuple[int, float, int]]


def score_chart(
    curves: Mapping[str, Curve],
    names: Mapping[str, str],
    kinds: Mapping[str, str],
    link: str,
    label: str,
    turns: Sequence[Turn] = (),
) -> Markup:
    """Points over time, one line a seat, named at its end. A curve is (where, points, version); a click on a dot jumps to its version."""
    width, height, left, right, top, bottom = 880, 320, 44, 120, 14, 30
    everything = [point for points in curves.values() for point in points]
    if not everything:
        return Markup("")
    last = max(where for where, _, _ in everything) or 1
    low = min(0, *(value for _, value, _ in everything))
    high = max(1, *(value for _, value, _ in everything))
    step = max(1, -(-(high - low) // 5))
    high = low + step * -(-(high - low) // step)

    def x(where: float) -> float:
        return left + (width - left - right) * where / last

    def y(value: float) -> float:
        return height - bottom - (height - top - bottom) * (value - low) / (high - low)

    out = [f'<svg class="chart" viewBox="0 0 {width} {height}" role="group" aria-label="{escape(label)}">']
    value = low
    while value <= high:
        out.append(f'<path class="rule" d="M{left} {y(value):.1f}H{width - right}"/>')
        out.append(f'<text x="{left - 8}" y="{y(value) + 4:.1f}" class="tick end">{value:g}</text>')
        value += step
    for where in sorted({round(last * n / 6) for n in range(7)}):
        out.append(f'<text x="{x(where):.1f}" y="{height - 8}" class="tick mid">{where}</text>')
    out += [f'<path class="turn" d="M{x(turn.version):.1f} {top}V{height - bottom}"/>' for turn in turns]
    size = 4 if len(everything) < 80 else 2.6
    ends: list[float] = []
    for seat, points in sorted(curves.items(), key=lambda pair: -pair[1][-1][1] if pair[1] else 0):
        if not points:
            continue
        path = "".join(
            f"M{x(where):.1f} {y(value):.1f}" if n == 0 else f"H{x(where):.1f}V{y(value):.1f}"
            for n, (where, value, _) in enumerate(points)
        )
        out.append(f'<g class="{kinds[seat]}"><path class="curve" d="{path}H{x(last):.1f}"/>')
        for where, value, version in points:
            out.append(
                f'<a href="{escape(link)}{version}" tabindex="-1"><circle class="dot" cx="{x(where):.1f}" cy="{y(value):.1f}" r="{size:g}">'
                f"<title>{escape(names[seat])}: {value:g} (#{version})</title></circle></a>"
            )
        at = max([y(points[-1][1]) + 4, *(end + 16 for end in ends)])
        ends.append(at)
        out.append(f'<text class="name" x="{width - right + 8}" y="{at:.1f}">{escape(names[seat])} {points[-1][1]:g}</text></g>')
    return Markup("".join([*out, "</svg>"]))


# -- lines --------------------------------------------------------------------------------------------------


def branch_tree(
    lines: Sequence[Line], heads: Mapping[str, int], names: Mapping[str, str], here: str, link: Callable[[str], str], label: str
) -> Markup:
    """The lines of a match: time to the right, each branch on a row of its own, joined where it left its parent."""
    rows: dict[str, int] = {}
    known = {line.id for line in lines}
    children: dict[str, list[Line]] = {}
    for line in sorted(lines, key=lambda line: (-line.at, line.id)):
        children.setdefault(line.parent, []).append(line)

    def place(id: str) -> None:
        rows[id] = len(rows)
        for child in children.get(id, ()):
            place(child.id)

    for root in lines:
        if root.parent not in known:
            place(root.id)
    last = max([1, *heads.values()])
    width, step, left, right = 880, 34, 16, 250

    def x(version: int) -> float:
        return left + (width - left - right) * version / last

    out = [f'<svg class="tree" viewBox="0 0 {width} {step * len(rows) + 12}" role="group" aria-label="{escape(label)}">']
    for line in sorted(lines, key=lambda line: rows[line.id]):
        y, end = 20 + step * rows[line.id], max(heads[line.id], line.at)
        start = x(line.at)
        if line.parent in rows:
            up = 20 + step * rows[line.parent]
            out.append(
                f'<path class="join" d="M{start:.1f} {up}C{start:.1f} {(up + y) / 2:.1f} {start:.1f} {y} {start + 14:.1f} {y}"/>'
                f'<circle class="at" cx="{start:.1f}" cy="{up}" r="3"/>'
            )
            start += 14
        tip = max(x(end), start + 4)
        current = ' aria-current="true"' if line.id == here else ""
        out.append(
            f'<a class="line" href="{escape(link(line.id))}"{current}>'
            f'<path d="M{start:.1f} {y}H{tip:.1f}"/><circle cx="{tip:.1f}" cy="{y}" r="5"/>'
            f'<text x="{tip + 11:.1f}" y="{y + 4}">{escape(names[line.id][:30])} <tspan class="tick">#{end}</tspan></text></a>'
        )
    return Markup("".join([*out, "</svg>"]))


# -- boards -------------------------------------------------------------------------------------------------


def compared(left: str, right: str) -> tuple[Markup, Markup, int]:
    """Two pictures of a board with every space marked that they draw differently, and how many there are."""
    if not left or not right:
        return Markup(left), Markup(right), 0
    one, other = ElementTree.fromstring(left), ElementTree.fromstring(right)
    drawn, redrawn = _drawn(one), _drawn(other)
    apart = {name for name in {*drawn, *redrawn} if drawn.get(name) != redrawn.get(name)}
    return _marked(one, apart), _marked(other, apart), len(apart)


def _drawn(picture: ElementTree.Element) -> dict[str, list[bytes]]:
    """What a picture draws on every space."""
    found: dict[str, list[bytes]] = {}
    for space in picture.iter():
        if name := space.get("data-space"):
            found.setdefault(name, []).append(ElementTree.tostring(space))
    return found


def _marked(picture: ElementTree.Element, apart: set[str]) -> Markup:
    for space in picture.iter():
        if space.get("data-space") in apart:
            space.set("class", f"{space.get('class', '')} differs")
    return Markup(ElementTree.tostring(picture, encoding="unicode"))
