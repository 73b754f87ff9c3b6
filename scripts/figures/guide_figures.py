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

from chart import COLOURS, Axis, Chart, byte_ticks

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
    return chart


def step_parts(tofn):
    rows = tofn.rows("step gpt3-175b dgx-a100 -N 64..1024 --plan gpt3-175b-megatron --stack megatron --batch 512")
    x = Axis("accelerators", -0.5, len(rows) - 0.5, ticks=[(at, row["accelerators"]) for at, row in enumerate(rows)])
    chart = Chart("A step of GPT-3 175B, batch 512, on A100: where its time goes", x, Axis("share of the step, %", 0, 100))
    for at, row in enumerate(rows):
        low = 0.0
        for colour, part in zip(COLOURS, PARTS):
            high = low + 100 * number(row, f"{part}_s") / number(row, "step_s")
            if high - low > 0.05:
                chart.bar(at, low, high, colour, part)
            low = high
    return chart


def measured_steps(tofn):
    rows = [row for row in tofn.rows("validate steps") if row["predicted_s"] and row["trust"] in ("A", "B")]
    chart = Chart("Measured steps, predicted without any step of their model", Axis("accelerators", 0.8, 20000, 4),
                  Axis("predicted / measured", 0.4, 2.5, 10, [(tick, f"{tick:g}") for tick in (0.5, 0.7, 1, 1.4, 2)]))
    chart.line([(0.8, 1), (20000, 1)], "#888888", "equal", "4 3")
    for colour, (name, some) in zip(COLOURS, groups(rows, lambda row: row["stack"])):
        chart.points([(number(row, "accelerators"), number(row, "predicted_s") / number(row, "measured_s")) for row in some],
                     colour, name, 3.0)
    return chart


def algorithms(tofn):
    sizes = [4 ** power for power in range(5, 17)]
    lines = {}
    for size in sizes:
        for row in tofn.rows(f"collective --cluster dgx-h100 --ranks 64 --size {size}B --calibration none"):
            if row["library"] == "NCCL":
                name = f"{row['algorithm']}, {row['protocol']}"
                lines.setdefault(name, []).append((size, number(row, "bus_bandwidth_gb_s")))
    chart = Chart("All-reduce over 64 H100: algorithms and protocols of NCCL", byte_axis(sizes[0], sizes[-1]),
                  Axis("bus bandwidth, GB/s", 0.01, 1000, 10))
    for colour, (name, points) in zip(COLOURS, sorted(lines.items())):
        chart.line(points, colour, name)
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
    chart = Chart("All-reduce over 2 nodes of 8 H100: formulas that other makes taught", byte_axis(16, 2e10),
                  Axis("time, us", 10, 2e5, 10))
    return table_of(chart, rows, "predicted_us")


def slow_table(tofn):
    rows = [row for row in tofn.rows("collective --check configs/calibrations/h100-quietbox-1x4.yaml")
            if row["collective"] == "all-reduce"]
    chart = Chart("All-reduce over 4 H100 whose calls wait for the host", byte_axis(8, 2e10),
                  Axis("time, us", 3, 1e5, 10))
    return table_of(chart, rows, "predicted_us", lambda row: row["is_slow"] == "1")


def days_of(row):
    """As published runs went: what a deadline is judged by. Empty where that overrun is left out (--overrun none)."""
    return float(row.get("days_as_runs_went") or row["days"])


def days(tofn):
    rows = tofn.rows("predict llama3-70b dgx-h100 -N 64..8192 --tokens 2T")
    chart = Chart("Llama 3 70B on 2T tokens: days to train on H100", Axis("accelerators", 64, 8192, 2),
                  Axis("days", 2, 3000, 10, [(tick, f"{tick:g}") for tick in (3, 10, 30, 100, 300, 1000)]))
    chart.band([number(row, "accelerators", "days_low90", "days_high90") for row in rows], COLOURS[0], "90 % interval")
    at = [number(row, "accelerators", "days") for row in rows]
    chart.line(at, COLOURS[0], "simulated")
    chart.points(at, COLOURS[0])
    chart.line([(number(row, "accelerators"), days_of(row)) for row in rows], COLOURS[1], "as published runs went")
    chart.line([(n, at[0][0] * at[0][1] / n) for n, _ in at], "#888888", "linear scaling", "4 3")
    return chart


def cost_of(row):
    return float(row.get("cost_usd_as_runs_went") or row["cost_usd"]) / 1000


def candidates(tofn):
    rows = tofn.rows("plan llama2-13b dgx-h100 dgx-h200 dgx-b200 mi300x -N 8..256 --tokens 2T --deadline 30d")
    x = Axis("days, as published runs went", 4, 700, 10, [(tick, f"{tick:g}") for tick in (5, 10, 20, 50, 100, 200, 500)])
    cost = [cost_of(row) for row in rows]
    chart = Chart("Llama 2 13B on 2T tokens, deadline 30 days: what may be rented", x,
                  Axis("cost, thousand USD", 0, 1.05 * max(cost)))
    chart.line([(30, 0), (30, 1.05 * max(cost))], "#888888", "deadline", "4 3")
    for colour, (name, some) in zip(COLOURS, groups(rows, lambda row: f"{row['cluster']}, {row['precision'] or 'bf16'}")):
        chart.points([(days_of(row), cost_of(row)) for row in some], colour, name)
    best = [(days_of(row), cost_of(row)) for row in rows if row["is_best"] == "1"]
    chart.points(best, "#111111", "least cost that keeps it", 5.5)
    return chart


def coverage(_):
    """Rows of the scorecard that are a protocol of their own, not a part of one."""
    with open(ROOT / "tests/scorecard.csv", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["in90_percent"] and "," not in row["what"]]
    axes = [Axis(name, 40, 100) for name in ("stated confidence, %", "measurements inside, %")]
    chart = Chart("Do intervals hold what they say?", *axes, height=460)
    chart.line([(40, 40), (100, 100)], "#888888", "as stated", "4 3")
    for at, row in enumerate(rows):
        colour = COLOURS[at % len(COLOURS)]
        inside = [(level, number(row, f"in{level}_percent")) for level in (50, 80, 90)]
        chart.line(inside, colour, row["what"])
        chart.points(inside, colour)
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
