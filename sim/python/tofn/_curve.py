"""A figure over the number of accelerators, with its 90 % band."""
import html

from ._drawing import COLOURS, HEIGHT, WIDTH, Axis, Drawing, line, range_words, short, text, with_unit

# What tells the curves of one answer apart.
SERIES = ("series", "workload", "model", "run", "cluster", "accelerator", "stack", "precision")
LEFT, RIGHT, TOP, BOTTOM = 76, 20, 36, 64
DASHES = ("", "6 3", "2 3", "8 3 2 3")


def usual_figure(answer):
    """What a curve shows where nobody says: the run's time, else the step's; None of an answer without.

    A run of one step is that of a question for a step."""
    def most(column):
        return max((value for value in answer[column] if isinstance(value, (int, float))), default=None)
    known = {column: most(column) for column in ("days", "time_to_train_min", "step_s") if column in answer}
    if known.get("step_s") is not None and "steps" in answer and most("steps") == 1:
        return "step_s"
    if (known.get("days") or 0) >= 1:
        return "days"
    return next((column for column in ("time_to_train_min", "days", "step_s") if known.get(column) is not None), None)


def is_curve(answer, over="accelerators"):
    """Whether several sizes have a figure."""
    return over in answer and usual_figure(answer) is not None and len({*answer[over]} - {None}) > 1


def _points(answer, column, over, by):
    """Of each series, named, its (size, Figure) in order. Error where the column is of texts."""
    if any(isinstance(value, str) for value in answer[column]):
        answer.numbers(column)  # refuses it with the words of the library
    if by is None:
        by = [name for name in SERIES if name in answer and len({*answer[name]}) > 1]
    elif isinstance(by, str):
        by = [by]
    names = list(zip(*(answer[name] for name in by))) if by else [()] * len(answer)
    series = {}
    for row, size in enumerate(answer[over]):
        if size is not None and answer.value(column, row) is not None:
            label = ", ".join(short(part) for part in names[row])
            series.setdefault(label, []).append((size, answer.figure(column, row)))
    for label, points in series.items():
        points.sort(key=lambda point: point[0])
        again = next((one for (one, _), (other, _) in zip(points, points[1:]) if one == other), None)
        if again is not None:
            raise ValueError(f"several rows{' of ' + label if label else ''} have {over} {again}: say what tells them "
                             f"apart, by=COLUMN")
    if not series:
        raise ValueError(f"{column}: no row has it")
    return series


def _ends(figure):
    """Of its interval; of a figure without, itself."""
    return (figure.value if figure.low90 is None else figure.low90,
            figure.value if figure.high90 is None else figure.high90)


def _words(over, size, figure):
    interval = "" if figure.low90 is None else f", 90 % interval {range_words(figure)}"
    basis = f", {figure.basis}" if figure.basis else ""
    return f"{short(size)} {over}: {with_unit(figure.value, figure.unit)}{interval}{basis}"


def _path(places):
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _drawn(points, across, up, over, index):
    colour, dash = COLOURS[index % len(COLOURS)], DASHES[index // len(COLOURS) % len(DASHES)]
    xs = [across.place(size) for size, _ in points]
    band = [(x, up.place(_ends(figure)[0])) for x, (_, figure) in zip(xs, points)]
    band += [(x, up.place(_ends(figure)[1])) for x, (_, figure) in zip(reversed(xs), reversed(points))]
    middle = [(x, up.place(figure.value)) for x, (_, figure) in zip(xs, points)]
    yield f'<polygon points="{_path(band)}" fill="{colour}" fill-opacity="0.18"/>'
    yield f'<polyline points="{_path(middle)}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
    for (x, y), (size, figure) in zip(middle, points):
        yield (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"><title>'
               f"{html.escape(_words(over, size, figure))}</title></circle>")


def _frame(across, up, over, sizes):
    for tick in up.ticks():
        yield line(LEFT, up.place(tick), WIDTH - RIGHT, up.place(tick))
        yield text(LEFT - 8, up.place(tick) + 4, short(tick), anchor="end")
    last = -1e9
    for size in sizes if across.is_logarithmic and len(sizes) < 20 else across.ticks():
        place = across.place(size)
        if place - last > 34:  # the width of a number
            yield text(place, HEIGHT - BOTTOM + 18, short(size), anchor="middle")
            yield line(place, HEIGHT - BOTTOM, place, HEIGHT - BOTTOM + 4, "#888888")
            last = place
    yield line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "#888888")
    yield text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 34, over, anchor="middle")


def _legend(labels):
    x = LEFT
    for index, label in enumerate(labels):
        yield f'<rect x="{x}" y="{HEIGHT - 18}" width="14" height="4" fill="{COLOURS[index % len(COLOURS)]}"/>'
        yield text(x + 18, HEIGHT - 12, label)
        x += 18 + 7 * len(label) + 16


def draw_curve(answer, column, over="accelerators", by=None):
    """A line a series with its band. ValueError where a series has two rows of one size."""
    series = _points(answer, column, over, by)
    every = [point for points in series.values() for point in points]
    sizes = sorted({size for size, _ in every})
    across = Axis(sizes, LEFT, WIDTH - RIGHT - 10, factor=2)
    up = Axis([end for _, figure in every for end in _ends(figure)], HEIGHT - BOTTOM, TOP, factor=4)
    has_band = any(one.low90 is not None for _, one in every)
    title = f"{column} over {over}" + (", with 90 % band" if has_band else "")
    parts = [*_frame(across, up, over, sizes)]
    for index, points in enumerate(series.values()):
        parts += _drawn(points, across, up, over, index)
    if len(series) > 1:
        parts += _legend(series)
    description = "; ".join(f"{label + ': ' if label else ''}{_words(over, size, one)}"
                            for label, points in series.items() for size, one in points)
    return Drawing(title, description, parts)
