"""Pictures as SVG: what a drawing is made of, and its axes."""
import html
import math

WIDTH, HEIGHT = 640, 360
# Colours that people of every colour vision tell apart (Okabe and Ito), the darker ones first.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#595959")


def short(value):
    """Four significant digits, whole thousands with commas."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if 1e4 <= abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def range_words(figure):
    """Of its 90 % interval, which may have no upper end; empty of a figure without."""
    if figure.low90 is None:
        return ""
    return f"{short(figure.low90)} to {'no end' if figure.high90 is None else short(figure.high90)}"


def with_unit(value, unit):
    return f"{short(value)} {unit}".strip()


class Drawing:
    """A picture as SVG, which notebooks show: `svg` is its text, `title` and `description` say it in words."""

    __slots__ = ("title", "description", "svg")

    def __init__(self, title, description, parts, height=HEIGHT):
        self.title = title
        self.description = description
        self.svg = "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" '
            f'height="{height:g}" style="max-width: 100%; height: auto" font-family="sans-serif" font-size="12">',
            f"<title>{html.escape(title)}</title>", f"<desc>{html.escape(description)}</desc>",
            f'<rect width="{WIDTH}" height="{height:g}" fill="#ffffff"/>', text(12, 20, title, weight="bold"),
            *parts, "</svg>", ""])

    def __repr__(self):
        return f"<tofn.Drawing: {self.title}>"

    def __str__(self):
        return self.svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Writes an .svg file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def text(x, y, words, anchor="start", weight="normal", fill="#222222"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" fill="{fill}">'
            f"{html.escape(words)}</text>")


def line(x1, y1, x2, y2, stroke="#dddddd"):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}"/>'


def box(x, y, width, height, fill, words=""):
    """A rectangle; pointed at, it says its words."""
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}" fill="{fill}">'
            f"<title>{html.escape(words)}</title></rect>")


class Axis:
    """From values to places between `start` and `end`: logarithmic where the values span as much as `factor`."""

    def __init__(self, values, start, end, factor):
        least, most = min(values), max(values)
        self.is_logarithmic = least > 0 and most >= factor * least and most > least
        if not self.is_logarithmic:
            least = min(0, least)
            most = most * 1.05 or 1
        self.least, self.most, self.start, self.end = least, most, start, end

    def place(self, value):
        if self.is_logarithmic:
            share = math.log(value / self.least) / math.log(self.most / self.least)
        else:
            share = (value - self.least) / (self.most - self.least)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        """Round values along it."""
        if not self.is_logarithmic:
            return _even_ticks(self.least, self.most)
        decades = range(math.floor(math.log10(self.least)), math.ceil(math.log10(self.most)) + 1)
        for steps in ((1,), (1, 3), (1, 2, 5)):
            found = [step * 10.0 ** decade for decade in decades for step in steps]
            found = [tick for tick in found if self.least <= tick <= self.most]
            if len(found) >= 3:
                break
        return found


def _even_ticks(least, most, count=5):
    rough = (most - least) / count
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
    first = math.ceil(least / step)
    return [index * step for index in range(first, math.floor(most / step) + 1)]
