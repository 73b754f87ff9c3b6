#!/usr/bin/env python3
"""Draws the pictures of README.md and of sim/guide from what tofn prints as CSV.

    guide_figures.py TOFN           draw them anew in sim/guide/figures
    guide_figures.py --check TOFN   fail where a picture is not what would be drawn
"""
import csv
import io
import pathlib
import subprocess
import sys

from chart import COLOURS, Axis, Chart, byte_ticks, rows_axis

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "sim/guide/figures"
PARTS = ["compute", "launch", "tensor", "context", "expert", "pipeline", "data", "bubble", "imbalance", "optimizer"]


class Tofn:
    """The program: its CSV as dictionaries. A command that fails ends the script with its message."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()

    def rows(self, command):
        words = [self.path, *command.split(), "--format", "csv", "--configs", ROOT / "configs"]
        # 1 is an answer of no: a check that finds a slow table.
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1) or not done.stdout:
            sys.exit(f"guide_figures.py: tofn {command}: exit {done.returncode}\n{done.stderr}")
        return list(csv.DictReader(io.StringIO(done.stdout)))


def number(row, *names):
    values = [float(row[name]) for name in names]
    return values[0] if len(values) == 1 else tuple(values)


def groups(rows, key):
    found = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return sorted(found.items())


def byte_axis(low, high):
    return Axis("size of the message", low, high, 2, byte_ticks(low, high))


def published(tofn):
    rows = [row for row in tofn.rows("validate published") if row["predicted_s"]]
    axes = [Axis(f"{name} time to train, minutes", 0.08, 320, 10, [(tick, f"{tick:g}") for tick in (0.1, 1, 10, 100)])
            for name in ("published", "predicted")]
    chart = Chart("MLPerf Training: published runs, and what tofn predicts of them", *axes, height=460)
    chart.line([(0.08, 0.08), (320, 320)], "#888888", "equal", "4 3")
    for colour, (name, some) in zip(COLOURS, groups(rows, lambda row: row["benchmark"])):
        at = [tuple(value / 60 for value in number(row, "measured_s", "predicted_s", "low90_s", "high90_s")) for row in some]
        chart.intervals([(measured, low, high) for measured, _, low, high in at], colour)
        chart.points([point[:2] for point in at], colour, name)
    chart.intervals([], "#222", "90 % interval")
    return chart


def step_parts(tofn):
    rows = tofn.rows("step gpt3-175b dgx-a100 -N 64..1024 --plan gpt3-175b-megatron --stack megatron --batch 512")
    x = Axis("accelerators", -0.5, len(rows) - 0.5, ticks=[(at, row["accelerators"]) for at, row in enumerate(rows)])
    chart = Chart("A step of GPT-3 175B, batch 512, on A100: what is not compute", x, Axis("share of the step, %", 0, 30))
    for at, row in enumerate(rows):
        low = 0.0
        for colour, part in zip(COLOURS, PARTS[1:]):
            high = low + 100 * number(row, f"{part}_s") / number(row, "step_s")
            if high - low > 0.05:
                chart.bar(at, low, high, colour, part)
            low = high
    chart.legend.sort(key=lambda named: -PARTS.index(named[0]))  # in the order of the bars
    return chart


def measured_steps(tofn):
    rows = [row for row in tofn.rows("validate steps") if row["predicted_s"] and row["trust"] in ("A", "B")]
    stacks = sorted(groups(rows, lambda row: row["stack"]), key=lambda group: -len(group[1]))
    ticks = [(tick, f"{tick:g}") for tick in (0.5, 0.7, 0.85, 1, 1.2, 1.5, 2)]
    chart = Chart("Measured steps, predicted without any step of their model", Axis("predicted / measured", 0.42, 2.4, 10, ticks),
                  rows_axis([f"{name}, {len(some)} steps" for name, some in stacks]), height=440, left=205)
    chart.line([(1, 0.5), (1, 0.5 - len(stacks))], "#888888", "equal", "4 3")
    for at, (_, some) in enumerate(stacks):
        chart.box(-at, [number(row, "predicted_s") / number(row, "measured_s") for row in some], COLOURS[0])
    chart.legend += [("median, middle half", f'<rect x="0" y="-6" width="18" height="12" fill="#fff" stroke="{COLOURS[0]}"/>'),
                     ("nine in ten steps", f'<line x1="0" y1="0" x2="18" y2="0" stroke="{COLOURS[0]}" stroke-width="1.8"/>')]
    return chart


def algorithms(tofn):
    sizes = [4 ** power for power in range(5, 17)]
    lines, chosen = {}, []
    for size in sizes:
        for row in tofn.rows(f"collective --cluster dgx-h100 --ranks 64 --size {size}B --calibration none"):
            if row["library"] == "NCCL":
                at = (size, number(row, "over_fastest"))
                lines.setdefault((row["algorithm"], row["protocol"]), []).append(at)
                if row["is_chosen"] == "1":
                    chosen.append((row["algorithm"], at))
    chart = Chart("All-reduce over 64 H100: NCCL's algorithms and protocols beside the fastest", byte_axis(sizes[0], sizes[-1]),
                  Axis("time over that of the fastest", 0.9, 20, 10, [(tick, f"{tick:g}") for tick in (1, 1.5, 2, 3, 5, 10, 20)]))
    colours = dict(zip(("tree", "in-switch tree", "ring"), COLOURS))
    dashes = {"Simple": "", "LL128": "7 3", "LL": "2 3"}
    for (algorithm, protocol), points in sorted(lines.items()):
        chart.line(points, colours[algorithm], f"{algorithm}, {protocol}", dashes[protocol])
    for algorithm, at in chosen:
        chart.points([at], colours[algorithm], radius=4.5)
    chart.points([], "#222", "chosen", 4.5)
    return chart


def table_of(chart, rows, predicted, slow=lambda row: False):
    """One measured table of a collective over its formulas' 90 % interval."""
    chart.band([number(row, "size", "low_us", "high_us") for row in rows], COLOURS[0], "90 % interval")
    chart.line([number(row, "size", predicted) for row in rows], COLOURS[0], "formulas")
    for is_slow, colour, name in ((False, COLOURS[2], "measured"), (True, COLOURS[4], "measured, slow")):
        some = [number(row, "size", "measured_us") for row in rows if slow(row) == is_slow]
        if some:
            chart.points(some, colour, name)
    return chart


def healthy_table(tofn):
    rows = [row for row in tofn.rows("validate collectives configs/calibrations --protocol formula")
            if row["file"] == "dell-h100sxm-2x8-allreduce-ndr400.txt"]
    chart = Chart("All-reduce over 2 nodes of 8 H100, predicted without this cluster's tables", byte_axis(16, 2e10),
                  Axis("time, us", 10, 2e5, 10))
    return table_of(chart, rows, "predicted_us")


def slow_table(tofn):
    rows = [row for row in tofn.rows("collective --check configs/calibrations/h100-quietbox-1x4.yaml")
            if row["collective"] == "all-reduce"]
    chart = Chart("All-reduce over 4 H100 whose calls wait for the host", byte_axis(8, 2e10),
                  Axis("time, us", 3, 1e5, 10))
    return table_of(chart, rows, "predicted_us", lambda row: row["is_slow"] == "1")


def days_of(row):
    """Expected days, by which a deadline is judged. Simulated ones where the overrun is left out (--overrun none)."""
    return float(row.get("days_as_runs_went") or row["days"])


def days(tofn):
    rows = tofn.rows("predict llama3-70b dgx-h100 -N 64..8192 --tokens 2T")
    chart = Chart("Llama 3 70B on 2T tokens: days to train on H100", Axis("accelerators", 64, 8192, 2),
                  Axis("days", 2, 3000, 10, [(tick, f"{tick:g}") for tick in (3, 10, 30, 100, 300, 1000)]))
    at = [(number(row, "accelerators"), days_of(row)) for row in rows]
    chart.line(at, COLOURS[0], "expected")
    chart.points(at, COLOURS[0])
    chart.band([number(row, "accelerators", "days_low90", "days_high90") for row in rows], COLOURS[0], "90 % interval")
    chart.line([number(row, "accelerators", "days") for row in rows], COLOURS[1], "simulated")
    chart.line([(n, at[0][0] * at[0][1] / n) for n, _ in at], "#888888", "linear scaling", "4 3")
    return chart


def cost_of(row):
    return float(row.get("cost_usd_as_runs_went") or row["cost_usd"]) / 1000


def candidates(tofn):
    """A colour a cluster and a shape a precision; hollow where the deadline is met with less than the requested chance."""
    rows = tofn.rows("plan llama2-13b dgx-h100 dgx-h200 dgx-b200 mi300x -N 8..256 --tokens 2T --deadline 30d")
    x = Axis("expected days", 4, 1.2 * max(map(days_of, rows)), 10, [(tick, f"{tick:g}") for tick in (5, 10, 20, 50, 100, 200, 500)])
    highest = 1.05 * max(cost_of(row) for row in rows)
    chart = Chart("Llama 2 13B on 2T tokens, deadline 30 days: what may be rented", x,
                  Axis("expected cost, thousand USD", 0, highest))
    chart.line([(30, 0), (30, highest)], "#888888", "deadline", "4 3")
    front = sorted((days_of(row), cost_of(row)) for row in rows if row["is_on_frontier"] == "1")
    chart.line(front, "#888888", "Pareto front")
    for colour, (cluster, some) in zip(COLOURS, groups(rows, lambda row: row["cluster"])):
        for row in some:
            chart.points([(days_of(row), cost_of(row))], colour, is_square=row["precision"] == "fp8", is_hollow=number(row, "chance") < 0.9)
        chart.points([], colour, cluster)
    for label, shape in (("fp8", {"is_square": True}), ("bf16", {}), ("chance below 90 %", {"is_hollow": True})):
        chart.points([], "#222", label, **shape)
    best = [(days_of(row), cost_of(row)) for row in rows if row["is_best"] == "1"]
    chart.points(best, "#222", "least cost with 90 %", 5.5, is_square=True)
    return chart


def coverage(_):
    """Rows of the scorecard that are a protocol of their own, not a part of one."""
    with open(ROOT / "tests/scorecard.csv", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["in90_percent"] and "," not in row["what"]]
    inside = Axis("measurements inside, %", 25, 100, ticks=[(at, f"{at}") for at in range(30, 101, 10)])
    chart = Chart("Do intervals hold what they promise?", inside, rows_axis([f"{row['what']}, {row['n']}" for row in rows]),
                  height=440, left=230)
    for colour, level in zip(COLOURS, (50, 80, 90)):
        chart.line([(level, 0.5), (level, 0.5 - len(rows))], colour, f"{level} % promised", "4 3")
        chart.points([(number(row, f"in{level}_percent"), -at) for at, row in enumerate(rows)], colour, f"inside {level} % intervals", 4.5)
    return chart


def efficiency(tofn):
    chart = Chart("Where scaling stops paying: four MLPerf workloads on H100", Axis("accelerators", 8, 4096, 2),
                  Axis("efficiency against 8 accelerators, %", 0, 100))
    for colour, workload in zip(COLOURS, ("bert", "llama2_70b_lora", "retinanet", "stable_diffusion")):
        rows = [row for row in tofn.rows(f"scale {workload} dgx-h100") if row["series"] == "soonest" and row["efficiency"]]
        at = [(number(row, "accelerators"), 100 * number(row, "efficiency")) for row in rows]
        chart.line(at, colour, workload)
        chart.points(at, colour)
    return chart


def scaling(tofn):
    """Strong and weak scaling in samples, the time to one loss, and the law of Amdahl that is fitted to it."""
    job = "scale llama3-8b dgx-h100 --tokens 1T"
    rows = tofn.rows(job)
    first = min(number(row, "accelerators") for row in rows)
    serial = next(number(row, "value") for row in tofn.rows(f"{job} --table laws") if row["law"] == "amdahl" and row["parameter"] == "s")
    chart = Chart("Llama 3 8B on H100: three ways to scale it", Axis("accelerators", 8, 4096, 2),
                  Axis("efficiency against 8 accelerators, %", 50, 100))
    for colour, series, column, name in ((COLOURS[2], "weak", "sample_efficiency", "weak: batch grows with N"),
                                         (COLOURS[0], "strong", "sample_efficiency", "strong: one batch"),
                                         (COLOURS[1], "soonest", "efficiency", "to the same loss")):
        at = [(number(row, "accelerators"), 100 * number(row, column)) for row in rows if row["series"] == series and row[column]]
        chart.line(at, colour, name)
        chart.points(at, colour)
    sizes = [first * 2 ** power for power in range(10)]
    amdahl = [(size, 100 * (1 + serial * (first - 1)) / (1 + serial * (size - 1))) for size in sizes]
    chart.line(amdahl, "#888888", f"Amdahl's law, s = {100 * serial:.2g} %", "4 3")
    return chart


FIGURES = {"published": published, "step-parts": step_parts, "measured-steps": measured_steps, "algorithms": algorithms,
           "healthy-table": healthy_table, "slow-table": slow_table, "days": days, "candidates": candidates,
           "coverage": coverage, "efficiency": efficiency, "scaling": scaling}


def main():
    words = sys.argv[1:]
    is_check = words[:1] == ["--check"]
    if len(words) != 1 + is_check:
        sys.exit(__doc__)
    tofn, stale = Tofn(words[-1]), []
    FOLDER.mkdir(exist_ok=True)
    for name, draw in FIGURES.items():
        file, svg = FOLDER / f"{name}.svg", draw(tofn).svg()
        if not file.exists() or file.read_text(encoding="utf-8") != svg:
            stale.append(file.relative_to(ROOT))
            if not is_check:
                file.write_text(svg, encoding="utf-8")
    for file in stale:
        print(f"{file}: {'is not what tofn draws today' if is_check else 'drawn'}")
    sys.exit(1 if is_check and stale else 0)


if __name__ == "__main__":
    main()
