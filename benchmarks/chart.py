"""Charts as SVG: search time against the number of memories, and horizontal bars of shares."""

import math
from collections.abc import Callable
from typing import Any

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 420, 70, 50, 40, 150
COLOURS = {"commonplace": "#2f6f4f", "chroma": "#b5651d", "mem0": "#7a5195", "langgraph": "#4a6fa5"}


def chart(results: dict[int, dict[str, dict[str, Any]]]) -> str:
    points = {
        who: [(size, found[who]["search"]["p50"]) for size, found in results.items() if "search" in found.get(who, {})]
        for who in COLOURS
    }
    points = {who: line for who, line in points.items() if line}
    sizes = [size for line in points.values() for size, _ in line]
    times = [took for line in points.values() for _, took in line]
    x0, x1 = math.log10(min(sizes)), math.log10(max(sizes) * 1.01)
    y0, y1 = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))

    def place(size: float, took: float) -> tuple[float, float]:
        across = (math.log10(size) - x0) / max(x1 - x0, 1e-9)
        up = (math.log10(took) - y0) / max(y1 - y0, 1e-9)
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - BOTTOM - TOP)

    parts = [_text(LEFT, 24, "Search, p50 in milliseconds, by number of memories", size=15, anchor="start")]
    for exponent in range(y0, y1 + 1):
        x, y = place(min(sizes), 10**exponent)
        parts.append(f'<line x1="{x}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(_text(LEFT - 10, y + 4, f"{10**exponent:g}", anchor="end"))
    for size in sorted(set(sizes)):
        x, _ = place(size, 10**y0)
        parts.append(_text(x, HEIGHT - BOTTOM + 20, f"{size:,}", anchor="middle"))
    parts += _linear(points.get("commonplace", []), place)
    for who, line in points.items():
        spots = [place(*point) for point in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        colour = COLOURS[who]
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in spots]
        parts.append(_text(spots[-1][0] + 10, spots[-1][1] + 4, who, anchor="start", colour=colour))
    return _svg(HEIGHT, parts)


def bars(title: str, shares: dict[str, float]) -> str:
    """One bar a share between 0 and 1, with its value in per cent."""
    label, row = 260, 28
    height = TOP + row * len(shares) + 10
    parts = [_text(16, 24, title, size=15, anchor="start")]
    for place, (name, share) in enumerate(shares.items()):
        y = TOP + place * row
        width = share * (WIDTH - label - 80)
        parts.append(
            f'<rect x="{label}" y="{y}" width="{width:.1f}" height="{row - 8}" fill="{COLOURS["commonplace"]}"/>'
        )
        parts.append(_text(label - 10, y + 15, name, anchor="end"))
        parts.append(_text(label + width + 8, y + 15, f"{share * 100:.1f} %", anchor="start"))
    return _svg(height, parts)


def _linear(line: list[tuple[int, float]], place: Callable[[float, float], tuple[float, float]]) -> list[str]:
    """Where our last step would end if time grew as the number of memories does, as far as the chart shows it."""
    if len(line) < 2:
        return []
    (few, fast), (many, _) = line[-2:]
    ends = [place(few, fast), place(many, fast * many / few)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in ends)
    return [
        f'<polyline points="{path}" fill="none" stroke="#999" stroke-dasharray="4 4"/>',
        _text(ends[-1][0] + 10, ends[-1][1] + 4, "linear", anchor="start", colour="#999"),
    ]


def _text(x: float, y: float, text: str, *, anchor: str, size: int = 12, colour: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{text}</text>'


def _svg(height: int, parts: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">'
        f'<rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n'
    )
