#!/usr/bin/env python3
"""Draws the study's figures as SVG, two for each workload: E' against N, and the clusters.

    tofn study --format csv -o rows.csv
    study_figures.py rows.csv FOLDER

Reads what `tofn study` writes, of whatever table. Needs matplotlib (Debian: python3-matplotlib). Equal
rows give equal bytes.
"""
import csv
import pathlib
import statistics
import sys

NEEDED = ["benchmark", "system", "accelerator", "accelerators", "relative_efficiency", "is_reference", "cluster"]
COLOURS = ["#3b7dc4", "#d9822b", "#2c9a6b", "#a463b8", "#cf4f4f", "#2aa5b8", "#b39320", "#7d8794", "#5a5fb0"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">"]


def fail(problem):
    sys.exit(f"study_figures.py: {problem}")


def read_rows(path):
    """Rows of `tofn study --format csv` by workload, in the order of the file."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            missing = [name for name in NEEDED if name not in (reader.fieldnames or [])]
            if missing:
                fail(f"{path}: has no column {', '.join(missing)}: expected the output of `tofn study --format csv`")
            rows = list(reader)
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{path}: {getattr(error, 'strerror', None) or 'is not a text file'}")
    workloads = {}
    for number, row in enumerate(rows, 2):
        try:
            row["n"], row["e"] = int(row["accelerators"]), float(row["relative_efficiency"])
        except (TypeError, ValueError):
            fail(f"{path}:{number}: accelerators and relative_efficiency must be numbers")
        workloads.setdefault(row["benchmark"], []).append(row)
    if not workloads:
        fail(f"{path}: has no rows")
    return workloads


def start_figure(plt, title):
    figure, axes = plt.subplots(figsize=(6.4, 3.9), layout="constrained")
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel("accelerators N")
    axes.set_ylabel("relative efficiency E'")
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def draw_groups(axes, rows, key):
    """Points in a colour and a shape for each group; returns the groups."""
    groups = {}
    for row in rows:
        groups.setdefault(row[key] or "none", []).append(row)
    for i, (name, group) in enumerate(groups.items()):
        axes.scatter([row["n"] for row in group], [row["e"] for row in group], s=34, label=name, alpha=0.8,
                     color=COLOURS[i % len(COLOURS)], marker=MARKERS[i % len(MARKERS)], linewidth=0)
    return groups


def draw_efficiency(plt, workload, rows):
    figure, axes = start_figure(plt, f"{workload}: E' of every system")
    draw_groups(axes, rows, "accelerator")
    axes.axhline(1, color="#888888", linewidth=0.8, linestyle="--")
    for row in rows:
        if row["is_reference"] == "1":
            axes.scatter([row["n"]], [row["e"]], s=150, facecolors="none", edgecolors="#222222", linewidth=1.1,
                         label=f"reference: {row['system']}")
    return figure, axes


def draw_clusters(plt, workload, rows):
    figure, axes = start_figure(plt, f"{workload}: clusters of (log2 N, E')")
    for i, group in enumerate(draw_groups(axes, rows, "cluster").values()):
        # The mean of what K-means saw, N on its logarithmic axis.
        axes.scatter([statistics.geometric_mean([row["n"] for row in group])],
                     [statistics.fmean([row["e"] for row in group])],
                     s=170, marker="+", linewidth=1.8, color=COLOURS[i % len(COLOURS)], label="centres" if i == 0 else None)
    return figure, axes


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    try:
        import matplotlib
    except ImportError:
        fail("matplotlib is missing: install python3-matplotlib, and run this with the Python that has it")
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    matplotlib.rcParams.update({"svg.hashsalt": "tofn", "font.size": 9, "legend.fontsize": 8, "font.family": "DejaVu Sans"})
    workloads = read_rows(sys.argv[1])
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for workload, rows in workloads.items():
        for name, draw in (("efficiency", draw_efficiency), ("clusters", draw_clusters)):
            figure, axes = draw(plt, workload, rows)
            axes.set_ylim(bottom=0)
            axes.legend(frameon=False, loc="best")
            file = folder / f"{workload}-{name}.svg"
            figure.savefig(file, metadata={"Date": None, "Creator": None})
            plt.close(figure)
            print(file)


if __name__ == "__main__":
    main()
