#!/usr/bin/env python3
"""Draws the study's eight figures twice: they must be there, hold every system, and be equal to the byte.

    check_figures.py TOFN      without matplotlib: exit code 77, skipped
"""
import collections
import csv
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

SKIPPED = 77
SVG = "{http://www.w3.org/2000/svg}"


def draw(rows, folder):
    script = pathlib.Path(__file__).with_name("study_figures.py")
    subprocess.run([sys.executable, script, rows, folder], check=True, stdout=subprocess.DEVNULL)
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.iterdir())}


def points_in(svg):
    """Markers of the scatter plots: matplotlib writes each as a <use> inside a PathCollection of the axes."""
    axes = [each for each in ElementTree.fromstring(svg).iter(f"{SVG}g") if each.get("id") == "axes_1"][0]
    collections_of_axes = [each for each in axes if (each.get("id") or "").startswith("PathCollection_")]
    # A point alone may be drawn where it stands.
    return sum(max(1, len(list(each.iter(f"{SVG}use")))) for each in collections_of_axes)


def main():
    if importlib.util.find_spec("matplotlib") is None:
        print("skipped: no matplotlib (Debian: python3-matplotlib)")
        sys.exit(SKIPPED)
    tofn = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = folder / "rows.csv"
        subprocess.run([tofn, "study", "--format", "csv", "-o", rows], check=True)
        with open(rows, encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
        systems = collections.Counter(row["benchmark"] for row in table)
        clusters = collections.defaultdict(set)
        for row in table:
            clusters[row["benchmark"]].add(row["cluster"])
        first, second = draw(rows, folder / "first"), draw(rows, folder / "second")
    good = first == second and len(first) == 8
    print(f"{len(first)} figures, {'equal' if first == second else 'NOT equal'} when drawn again")
    for figure, svg in first.items():
        workload, kind = figure.rsplit("-", 1)
        # The reference is marked once more; so is the centre of each cluster.
        marks = 1 if kind == "efficiency.svg" else len(clusters[workload])
        good = good and points_in(svg) == systems[workload] + marks
        print(f"  {figure}: {points_in(svg)} markers for {systems[workload]} systems and {marks} more")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
