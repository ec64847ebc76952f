"""Pictures of chances, made by the server: win probability over a game, how points may come out, an estimate with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from markupsafe import Markup

from domain.rollout import Estimate, wilson
from service.analysis import CHANCE, DECISION, Point, Swing

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 880, 360, 48, 124, 58, 30
ROWS, APART = (12.0, 30.0, 48.0), 19  # the marks stand in three rows, so that none covers another
# What moved the chances: a decision is a lozenge, chance a die, several decisions together a ring.
MARKS = {DECISION: "M0-8 8 0 0 8-8 0Z", CHANCE: "M-7-7H7V7H-7Z"}
RING = "M0-7A7 7 0 1 0 .01-7Z"


def curve(
    points: Sequence[Point],
    swings: Sequence[tuple[int, Swing]],
    n: int,
    names: Mapping[str, str],
    kinds: Mapping[str, str],
    link: str,
    label: str,
    told: Mapping[str, str],
) -> Markup:
    """Win probability of every seat over the versions of a game, with 95 % bands; numbered marks stand where it changed most."""
    if len(points) < 2:
        return Markup("")
    first, last = points[0].version, max(points[-1].version, points[0].version + 1)

    def x(version: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (version - first) / (last - first)

    def y(share: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    out = [f'<svg class="odds" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label="{escape(label)}">']
    for share in (0, 0.25, 0.5, 0.75, 1):
        out.append(f'<path class="rule" d="M{LEFT} {y(share):.1f}H{WIDTH - RIGHT}"/>')
        out.append(f'<text class="tick end" x="{LEFT - 8}" y="{y(share) + 4:.1f}">{share:.0%}</text>')
    for version in sorted({first + (last - first) * part // 6 for part in range(7)}):
        out.append(f'<text class="tick mid" x="{x(version):.1f}" y="{HEIGHT - 8}">{version}</text>')
    for seat, kind in kinds.items():
        band = [(x(point.version), *map(y, wilson(point.wins[seat], n))) for point in points]
        upper = " ".join(f"{at:.1f},{high:.1f}" for at, _, high in band)
        lower = " ".join(f"{at:.1f},{low:.1f}" for at, low, _ in reversed(band))
        out.append(f'<polygon class="band {kind}" points="{upper} {lower}"/>')
    ends: list[float] = []
    for seat in sorted(kinds, key=lambda seat: -points[-1].wins[seat]):
        line = " ".join(f"{x(point.version):.1f},{y(point.wins[seat]):.1f}" for point in points)
        end = y(points[-1].wins[seat]) + 4
        step = -1 if end > HEIGHT - BOTTOM - 20 else 1  # names that would cover each other make room, never over the axis
        while any(abs(end - other) < 17 for other in ends):
            end += step
        ends.append(end)
        out.append(f'<g class="{kinds[seat]}"><polyline points="{line}"/>')
        out += [f'<circle cx="{x(point.version):.1f}" cy="{y(point.wins[seat]):.1f}" r="2.4"/>' for point in points]
        out.append(f'<text class="name" x="{WIDTH - RIGHT + 10}" y="{end:.1f}">{escape(names[seat])}</text></g>')
    last_in = dict.fromkeys(ROWS, -100.0)
    for number, swing in sorted(swings, key=lambda pair: pair[1].version):
        at = x(swing.version)
        up = next((row for row in ROWS if at - last_in[row] >= APART), max(ROWS, key=lambda row: at - last_in[row]))
        last_in[up] = at
        said = escape(f"{number}: {told[swing.cause]}, #{swing.after} – #{swing.version}")
        out.append(
            f'<a class="mark" href="{escape(link)}{swing.version}" aria-label="{said}"><path class="stem" d="M{at:.1f} {up}V{HEIGHT - BOTTOM}"/>'
            f'<g transform="translate({at:.1f} {up})"><path class="sign" d="{MARKS.get(swing.cause, RING)}"/>'
            f'<text class="mid" y="4">{number}</text></g></a>'
        )
    return Markup("".join([*out, "</svg>"]))


def interval(one: Estimate, kind: str) -> Markup:
    """A win probability as a bar, with its 95 % interval."""
    return Markup(
        f'<svg class="interval {kind}" viewBox="0 0 200 16" aria-hidden="true"><path class="rule" d="M0 8H200"/>'
        f'<rect x="0" y="3" width="{200 * one.win:.1f}" height="10"/>'
        f'<path class="reach" d="M{200 * one.low:.1f} 8H{200 * one.high:.1f}M{200 * one.low:.1f} 3V13M{200 * one.high:.1f} 3V13"/></svg>'
    )


def distribution(
    points: Mapping[str, Mapping[int, int]],
    found: Mapping[str, Estimate],
    names: Mapping[str, str],
    kinds: Mapping[str, str],
    label: str,
    scale: Sequence[int],
) -> Markup:
    """How many playouts ended with how many points, seat under seat on one scale; the mean with its 95 % interval above."""
    if not scale or not found:
        return Markup("")
    low, high = min(scale), max(scale)
    bins = min(40, high - low + 1)
    width, left, right, row = 880, 130, 20, 84
    step = (high - low + 1) / bins

    def x(value: float) -> float:
        return left + (width - left - right) * (value - low) / (bins * step)

    out = [
        f'<svg class="spreads" viewBox="0 0 {width} {row * len(points) + 26}" role="img" aria-label="{escape(label)}">',
        *(
            f'<text class="tick mid" x="{x(value + step / 2):.1f}" y="{row * len(points) + 18}">{value}</text>'
            for value in sorted({low + round((high - low) * part / 6) for part in range(7)})
        ),
    ]
    for place, (seat, held) in enumerate(points.items()):
        floor = row * (place + 1) - 6
        counted = [0] * bins
        for value, n in held.items():
            counted[min(bins - 1, int((value - low) / step))] += n
        tallest = max(counted)
        out.append(f'<g class="{kinds[seat]}"><text class="name" x="0" y="{floor - 28}">{escape(names[seat])}</text>')
        out.append(f'<path class="rule" d="M{left} {floor}H{width - right}"/>')
        for number, n in enumerate(counted):
            if n:
                tall = (row - 30) * n / tallest
                wide = max(1.5, (width - left - right) / bins - 1)
                out.append(
                    f'<rect x="{x(low + number * step):.1f}" y="{floor - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}"/>'
                )
        one = found[seat]
        sure = 1.96 * one.spread / one.n**0.5
        ends = x(one.mean - sure + step / 2), x(one.mean + step / 2), x(one.mean + sure + step / 2)
        out.append(
            f'<path class="reach" d="M{ends[0]:.1f} {floor - row + 24}H{ends[2]:.1f}M{ends[1]:.1f} {floor - row + 19}v10"/>'
            f'<text class="tick" x="{ends[2] + 6:.1f}" y="{floor - row + 28}">{one.mean:.1f} ± {sure:.1f}</text></g>'
        )
    return Markup("".join([*out, "</svg>"]))
