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


def quantile(values, share):
    """Between the two sorted values around that share of them."""
    values = sorted(values)
    at = share * (len(values) - 1)
    low = math.floor(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


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


def rows_axis(names):
    """Names from top to bottom at 0, -1, -2, ..."""
    return Axis("", 0.5 - len(names), 0.5, ticks=[(-at, name) for at, name in enumerate(names)])


class Chart:
    def __init__(self, title, x, y, width=800, height=400, left=LEFT):
        self.title, self.x, self.y, self.width, self.height, self.left = title, x, y, width, height, left
        self.marks, self.legend = [], []
        self.plot_width = width - left - RIGHT - LEGEND_WIDTH
        self.plot_height = height - TOP - BOTTOM

    def at(self, x, y):
        return (self.left + self.plot_width * self.x.share(x), TOP + self.plot_height * (1 - self.y.share(y)))

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

    def points(self, points, colour, label="", radius=3.6, is_square=False, is_hollow=False):
        paint = f'fill="#fff" stroke="{colour}" stroke-width="1.4"' if is_hollow else f'fill="{colour}" fill-opacity="0.85"'

        def mark(x, y):
            if is_square:
                side = 2 * radius
                return f'<rect x="{x - radius:.1f}" y="{y - radius:.1f}" width="{side:g}" height="{side:g}" {paint}/>'
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" {paint}/>'

        self.marks += [mark(*self.at(*point)) for point in points]
        self.named(label, mark(9, 0))

    def intervals(self, rows, colour, label=""):
        """Rows of (x, low, high) as upright lines."""
        style = f'stroke="{colour}" stroke-opacity="0.45" stroke-width="1.4"'
        for x, low, high in rows:
            (left, bottom), (_, top) = self.at(x, low), self.at(x, high)
            self.marks.append(f'<line x1="{left:.1f}" y1="{bottom:.1f}" x2="{left:.1f}" y2="{top:.1f}" {style}/>')
        self.named(label, f'<line x1="9" y1="-6" x2="9" y2="6" {style}/>')

    def box(self, row, values, colour):
        """Values spread over a row: a box around the middle half, its median, a line to the 5 % and 95 % points."""
        low, quarter, middle, three_quarters, high = (quantile(values, share) for share in (0.05, 0.25, 0.5, 0.75, 0.95))
        self.line([(low, row), (high, row)], colour)
        (left, top), (right, bottom) = self.at(quarter, row + 0.3), self.at(three_quarters, row - 0.3)
        self.marks.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" '
                          f'fill="#fff" stroke="{colour}" stroke-width="1.8"/>')
        self.line([(middle, row - 0.3), (middle, row + 0.3)], colour)

    def bar(self, place, low, high, colour, label="", width=0.7):
        """From low to high around a place of a linear x axis."""
        (left, bottom), (right, top) = self.at(place - width / 2, low), self.at(place + width / 2, high)
        self.marks.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
                          f'height="{bottom - top:.1f}" fill="{colour}"/>')
        self.named(label, f'<rect x="0" y="-5" width="18" height="10" fill="{colour}"/>')

    def frame(self):
        bottom, right = TOP + self.plot_height, self.left + self.plot_width
        for value, text in self.y.ticks:
            height = TOP + self.plot_height * (1 - self.y.share(value))
            yield f'<line x1="{self.left}" y1="{height:.1f}" x2="{right}" y2="{height:.1f}" stroke="#e3e6ea"/>'
            yield f'<text x="{self.left - 6}" y="{height + 4:.1f}" text-anchor="end">{escape(text)}</text>'
        for value, text in self.x.ticks:
            across = self.left + self.plot_width * self.x.share(value)
            yield f'<line x1="{across:.1f}" y1="{bottom}" x2="{across:.1f}" y2="{bottom + 4}" stroke="#555"/>'
            yield f'<text x="{across:.1f}" y="{bottom + 18}" text-anchor="middle">{escape(text)}</text>'
        yield f'<line x1="{self.left}" y1="{bottom}" x2="{right}" y2="{bottom}" stroke="#555"/>'
        yield f'<text x="{(self.left + right) / 2:.1f}" y="{bottom + 40}" text-anchor="middle">{escape(self.x.label)}</text>'
        yield f'<text x="{self.left}" y="{TOP - 8}" fill="#555">{escape(self.y.label)}</text>'

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
