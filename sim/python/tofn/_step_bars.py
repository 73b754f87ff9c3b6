"""What a step's time is spent on: a bar a row."""
from ._drawing import WIDTH, Drawing, box, short, text

# The parts that sum to a step, in the order of `tofn step`, each with its colour.
PARTS = {"compute_s": "#0072b2", "launch_s": "#56b4e9", "tensor_s": "#d55e00", "context_s": "#e69f00",
         "expert_s": "#f0c75e", "pipeline_s": "#cc79a7", "data_s": "#8b3a0e", "bubble_s": "#9a9a9a",
         "imbalance_s": "#5f5f5f", "optimizer_s": "#009e73"}
LEFT, RIGHT, TOP, BAR, GAP, MOST_ROWS = 130, 90, 40, 22, 10, 24


def has_parts(answer):
    return "compute_s" in answer and any(value is not None for value in answer["compute_s"])


def _parts_of(row):
    """Those that take time. A stage's wait for other stages has a name of its own."""
    known = {name: row.get(name, row.get(f"stage_{name}")) for name in PARTS}
    return {name: seconds for name, seconds in known.items() if seconds}


def _name(row):
    size = row.get("accelerators")
    return f"{short(size)} accelerators" if size is not None else "a step"


def _bar(row, y, scale):
    x = LEFT
    for name, seconds in _parts_of(row).items():
        width = seconds * scale
        share = seconds / sum(_parts_of(row).values())
        yield box(x, y, width, BAR, PARTS[name], f"{name[:-2]}: {short(seconds)} s, {share:.1%}")
        if width > 46:
            yield text(x + width / 2, y + BAR - 7, f"{share:.0%}", anchor="middle", fill="#ffffff")
        x += width
    yield text(LEFT - 8, y + BAR - 7, _name(row), anchor="end")
    yield text(x + 6, y + BAR - 7, f"{short(sum(_parts_of(row).values()))} s")


def _legend(names, y):
    x = LEFT
    for name in names:
        width = 18 + 7 * len(name) + 10
        if x + width > WIDTH:
            x, y = LEFT, y + 18
        yield box(x, y, 12, 12, PARTS[name], name)
        yield text(x + 16, y + 10, name[:-2])
        x += width


def draw_steps(answer, row=None):
    """Of each row, or of one. ValueError where no row has parts of a step."""
    rows = [answer[row]] if row is not None else [*answer]
    known = [one for one in rows if _parts_of(one)]
    if not known:
        raise ValueError("no row has parts of a step, such as compute_s")
    drawn = known[:MOST_ROWS]
    longest = max(sum(_parts_of(one).values()) for one in drawn)
    scale = (WIDTH - LEFT - RIGHT) / longest
    parts = []
    for index, one in enumerate(drawn):
        parts += _bar(one, TOP + index * (BAR + GAP), scale)
    names = [name for name in PARTS if any(_parts_of(one).get(name) for one in drawn)]
    bottom = TOP + len(drawn) * (BAR + GAP)
    parts += _legend(names, bottom + 4)
    left_out = f" ({len(drawn)} of {len(known)} rows)" if len(drawn) < len(known) else ""
    description = "; ".join(f"{_name(one)}: " + ", ".join(f"{name[:-2]} {short(seconds)} s"
                                                         for name, seconds in _parts_of(one).items()) for one in drawn)
    return Drawing(f"what a step's time is spent on{left_out}", description, parts, bottom + 48)
