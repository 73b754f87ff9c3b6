"""A small chart as SVG: lines, bands, points and stacked bars over linear or logarithmic axes.

Text stays text and coordinates have one decimal, so that equal rows give equal bytes on every machine.
"""
import math
from xml.sax.saxutils import escape

COLOURS = ["#2f6fb7", "#d9772b", "#2c8f63", "#9a5bb5", "#c94545", "#2aa0b3", "#a88a1d", "#6b7684", "#54589f", "#b5651d"]
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 40, 52
LEGEND_WIDTH, LEGEND_ROW = 204, 18


def decimal_ticks(low, high):
    """About five round numbers from low to high."""
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 6)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def power_ticks(low, high, base):
    """Powers of the base; every second or third one where they would stand too close."""
    powers = list(range(math.ceil(math.log(low, base) - 1e-9), math.floor(math.log(high, base) + 1e-9) + 1))
    return [base ** power for power in powers[::max(1, math.ceil(len(powers) / 9))]]


def tick_text(value):
    """1024 as it is, 1000000 as 1M."""
    for size, letter in ((1e9, "G"), (1e6, "M")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:.6g}"


def byte_ticks(low, high):
    """Powers of 64 times 16: (bytes, text)."""
    units = ["B", "KiB", "MiB", "GiB"]
    powers = [power for power in range(4, 40, 6) if low <= 2 ** power <= high]
    return [(2 ** power, f"{2 ** (power % 10)} {units[power // 10]}") for power in powers]


class Axis:
    """Numbers -> pixels. `base` makes it logarithmic, `ticks` are (value, text) where they are not its own."""

    def __init__(self, label, low, high, base=None, ticks=None):
        self.label, self.low, self.high, self.base = label, low, high, base
        own = power_ticks(low, high, base) if base else decimal_ticks(low, high)
        self.ticks = ticks or [(value, tick_text(value)) for value in own]

    def share(self, value):
        """Where a value stands, 0 to 1."""
        scale = math.log if self.base else float
        low, high = scale(self.low), scale(self.high)
        return (scale(min(max(value, self.low), self.high)) - low) / (high - low)


class Chart:
    def __init__(self, title, x, y, width=800, height=400):
        self.title, self.x, self.y, self.width, self.height = title, x, y, width, height
        self.marks, self.legend = [], []
        self.plot_width = width - LEFT - RIGHT - LEGEND_WIDTH
        self.plot_height = height - TOP - BOTTOM

    def at(self, x, y):
        return (LEFT + self.plot_width * self.x.share(x), TOP + self.plot_height * (1 - self.y.share(y)))

    def path(self, points):
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.at(*point) for point in points))

    def named(self, label, mark):
        if label and label not in [name for name, _ in self.legend]:
            self.legend.append((label, mark))

    def line(self, points, colour, label="", dashes=""):
        style = f'fill="none" stroke="{colour}" stroke-width="1.8"' + (f' stroke-dasharray="{dashes}"' if dashes else "")
        self.marks.append(f'<polyline points="{self.path(points)}" {style}/>')
        self.named(label, f'<line x1="0" y1="0" x2="18" y2="0" {style}/>')

    def band(self, rows, colour, label=""):
        """Rows of (x, low, high)."""
        points = [(x, low) for x, low, _ in rows] + [(x, high) for x, _, high in reversed(rows)]
        style = f'fill="{colour}" fill-opacity="0.18"'
        self.marks.append(f'<polygon points="{self.path(points)}" {style}/>')
        self.named(label, f'<rect x="0" y="-5" width="18" height="10" {style}/>')

    def points(self, points, colour, label="", radius=3.6):
        style = f'r="{radius}" fill="{colour}" fill-opacity="0.85"'
        for point in points:
            x, y = self.at(*point)
            self.marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" {style}/>')
        self.named(label, f'<circle cx="9" cy="0" {style}/>')

    def intervals(self, rows, colour):
        """Rows of (x, low, high) as upright lines."""
        for x, low, high in rows:
            (left, bottom), (_, top) = self.at(x, low), self.at(x, high)
            self.marks.append(f'<line x1="{left:.1f}" y1="{bottom:.1f}" x2="{left:.1f}" y2="{top:.1f}" '
                              f'stroke="{colour}" stroke-opacity="0.45" stroke-width="1.4"/>')

    def bar(self, place, low, high, colour, label="", width=0.7):
        """From low to high around a place of a linear x axis."""
        (left, bottom), (right, top) = self.at(place - width / 2, low), self.at(place + width / 2, high)
        self.marks.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
                          f'height="{bottom - top:.1f}" fill="{colour}"/>')
        self.named(label, f'<rect x="0" y="-5" width="18" height="10" fill="{colour}"/>')

    def frame(self):
        bottom, right = TOP + self.plot_height, LEFT + self.plot_width
        for value, text in self.y.ticks:
            height = TOP + self.plot_height * (1 - self.y.share(value))
            yield f'<line x1="{LEFT}" y1="{height:.1f}" x2="{right}" y2="{height:.1f}" stroke="#e3e6ea"/>'
            yield f'<text x="{LEFT - 6}" y="{height + 4:.1f}" text-anchor="end">{escape(text)}</text>'
        for value, text in self.x.ticks:
            across = LEFT + self.plot_width * self.x.share(value)
            yield f'<line x1="{across:.1f}" y1="{bottom}" x2="{across:.1f}" y2="{bottom + 4}" stroke="#555"/>'
            yield f'<text x="{across:.1f}" y="{bottom + 18}" text-anchor="middle">{escape(text)}</text>'
        yield f'<line x1="{LEFT}" y1="{bottom}" x2="{right}" y2="{bottom}" stroke="#555"/>'
        yield f'<text x="{(LEFT + right) / 2:.1f}" y="{bottom + 40}" text-anchor="middle">{escape(self.x.label)}</text>'
        yield f'<text x="{LEFT}" y="{TOP - 8}" fill="#555">{escape(self.y.label)}</text>'

    def svg(self):
        lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                 f'width="{self.width}" height="{self.height}" font-family="system-ui, sans-serif" '
                 'font-size="12" fill="#222">',
                 f'<rect width="{self.width}" height="{self.height}" fill="#fff"/>',
                 f'<text x="{LEFT}" y="16" font-size="14" font-weight="600">{escape(self.title)}</text>',
                 *self.frame(), *self.marks]
        for row, (label, mark) in enumerate(self.legend):
            left, height = self.width - LEGEND_WIDTH, TOP + 8 + row * LEGEND_ROW
            lines.append(f'<g transform="translate({left},{height})">{mark}<text x="26" y="4">{escape(label)}</text></g>')
        return "\n".join([*lines, "</svg>", ""])
