#!/usr/bin/env python3
"""Opens pages of `tofn report` in headless Chromium and fails where one is not what it should be.

    check_report.py TOFN [--keep FOLDER]

Pages: the one without input, and one of every kind of output. Of each, at 1400x900 and 420x900: every
chart is drawn with points, no error on the console, no request leaves the file, under 3 MB, nothing is
wider than the window; hover, filters and dark work. A page of one table is headed by its answer. `--keep` keeps pages, screenshots and prints.
Without Chromium: exit code 77, skipped.
"""
import argparse
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import accessibility
from browser import Browser, find_chromium

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = [(1400, 900), (420, 900)]
MOST_BYTES = 3_000_000
SKIPPED = 77

# What each page is made of: files and the command that writes each.
OUTPUTS = {
    "predict.json": "predict bert dgx-h100 -N 8..1024 --format json -o predict.json",
    "predict2.json": "predict llama2_70b_lora dgx-h100 -N 8..1024 --format json -o predict2.json",
    "scale.csv": "scale bert dgx-h100 --format csv -o scale.csv",
    "knees.csv": "scale bert dgx-h100 --table knees --format csv -o knees.csv",
    "job.json": "predict llama3-8b dgx-h100 -N 8..512 --tokens 1T --format json -o job.json",
    "job_scale.csv": "scale llama3-8b dgx-h100 -N 8..512 --tokens 1T --format csv -o job_scale.csv",
    "small.json": "predict nemotron-h-8b dgx-h100 -N 1..16 --tokens 1T --format json -o small.json",
    "check.json": "collective --check CONFIGS/calibrations/h100-quietbox-1x4.yaml --format json -o check.json",
    "short.json": "predict deepseek-v3 dgx-h100 -N 256..2048 --tokens 14T --format json -o short.json",
    "plan.json": "plan llama3-8b dgx-h100 dgx-a100 --tokens 1T -N 64..512 --by cost --deadline 60d --budget 1M --format json -o plan.json",
    "step.csv": "step llama3-8b dgx-h100 -N 8..256 --replica-batch 2 --format csv -o step.csv",
    "trace.json": "step gpt3-175b dgx-a100 -N 64 --batch 16 --plan gpt3-175b-megatron --trace trace.json",
    "collectives.csv": "validate collectives CONFIGS/calibrations/h100-dell-2x8.yaml --protocol split --format csv -o collectives.csv",
    "algorithms.json": "collective --cluster dgx-h100 --ranks 64 --size 25MiB --format json -o algorithms.json",
    "sweep.csv": "sweep gradient-compression -o sweep.csv",
    "table.csv": "list accelerators --format csv -o table.csv",
}


# Pages of one table, and how each is headed.
ALONE = {
    "one": "predict llama3-70b dgx-h100 -N 512 --tokens 2T --deadline 120d --format json -o one.json",
    "grid": "sweep gradient-compression --format json -o grid.json",
    "trace": "step gpt3-175b dgx-a100 -N 64 --batch 16 --plan gpt3-175b-megatron --trace trace.json",
    "step": "step llama3-70b dgx-h100 -N 512 --tp 4 --pp 4 --replica-batch 16 --format json -o step.json",
    "plan": "plan llama3-8b dgx-h100 dgx-a100 --tokens 1T -N 64..128 --deadline 60d --budget 1M --format json -o plan.json",
}
HEADS = {
    "one": r"llama3-70b on 512 x H100 SXM: [\d.]+ days expected \([\d.]+ to [\d.]+ days\), \$[\d.]+M$",
    "grid": r"Shortest step of \d+ points: [\d.]+ ms$",
    "trace": r"A step of \d+ ms on 8 stages, which compute for \d+ to \d+ % of it$",
    "step": r"llama3-70b on 512 of dgx-h100: [\d.]+ s a step \([\d.]+ to [\d.]+ s\), MFU \d+ %$",
    "plan": r"Rent \d+ x H100 SXM \(dgx-h100\), fp8: [\d.]+ days expected \([\d.]+ to [\d.]+ days\), \$\d+k$",
}

# Whose exit status says that a size does not fit, or that a table is slow.
ANSWERS_NO = {OUTPUTS["small.json"], OUTPUTS["check.json"]}


def run_tofn(tofn, words, folder):
    command = [str(tofn)] + words.replace("CONFIGS", str(ROOT / "configs")).split()
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != (1 if words in ANSWERS_NO else 0):
        sys.exit(f"FAILED: tofn {words}: exit {result.returncode}: {result.stderr.strip()}")
    return result.stdout


# How many canvases hold points, are as wide as their box, and have something painted on them.
CANVASES = """[...document.querySelectorAll("canvas")].map(canvas => {
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let painted = 0;
  for (let i = 3; i < pixels.length; i += 4) if (pixels[i] > 0) ++painted;
  const excess = canvas.getBoundingClientRect().right - canvas.parentElement.getBoundingClientRect().right;
  return { chart: canvas.closest("figure").dataset.chart, points: Number(canvas.dataset.points), painted, excess };
})"""
CHARTS = "[...document.querySelectorAll('figure')].map(figure => figure.dataset.chart)"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

# A point of the first chart that the mouse is put on, and what stands in the tooltip then.
POINT = """(() => {
  if (!document.querySelector("canvas")) {
    const part = document.querySelector("figure svg rect");
    part.scrollIntoView({ block: "center", behavior: "instant" });
    const box = part.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }
  const chart = Chart.getChart(document.querySelector("canvas"));
  chart.canvas.scrollIntoView({ block: "center", behavior: "instant" });
  const box = chart.canvas.getBoundingClientRect();
  const point = chart.getDatasetMeta(0).data[0];
  return [box.left + point.x, box.top + point.y];
})()"""
TOOLTIP = """(() => {
  if (!document.querySelector("canvas")) return document.getElementById("tooltip").hidden ? "" : document.getElementById("tooltip").textContent;
  const { opacity, title, body } = Chart.getChart(document.querySelector("canvas")).tooltip;
  return opacity > 0 ? [...title, ...body.flatMap(part => part.lines)].join("; ") : "";
})()"""
# Whether each drawing of bars that is no canvas has parts.
DRAWINGS = """[...document.querySelectorAll("figure svg")].map(svg => ({ chart: svg.closest("figure").dataset.chart, parts: svg.querySelectorAll("rect").length }))"""
# All series, and steps in milliseconds.
SHOW_ALL = """(() => {
  for (const chip of document.querySelectorAll("#filters input:not(:checked)")) chip.click();
  for (const unit of document.querySelectorAll("[data-chart=terms] select")) { unit.value = "ms"; unit.dispatchEvent(new Event("change")); }
})()"""
# Of each bar of steps: the sum of its terms beside the step of its row, in ms.
BARS = """[...document.querySelectorAll("[data-chart=terms] canvas")].flatMap(canvas => {
  const { datasets } = Chart.getChart(canvas).data;
  return datasets[0].data.map((_, i) => datasets.reduce((sum, set) => sum + set.data[i].y, 0));
})"""
STEPS = """tofn.tables.tables.filter(table => table.charts.some(chart => chart.name === "terms"))
  .flatMap(table => tofn.rowsOf(table)).map(row => (row.step_s ?? NaN) * 1e3)
  .filter(Number.isFinite)"""
# Where each waterfall ends beside what it says is kept.
WATERFALLS = """[...document.querySelectorAll("[data-chart=waterfall] canvas")].flatMap(canvas =>
  Chart.getChart(canvas).data.datasets.map(({ data }) => [data.at(-2).y[1], data.at(-1).y[1]]))"""
# What the chart of plans names: each cluster and precision, the best, the limits.
PLANS = """[...document.querySelectorAll("[data-chart=plans] canvas")].map(canvas =>
  Chart.getChart(canvas).data.datasets.map(({ label }) => label).join("; "))"""
# Points that their interval does not surround.
OUTSIDE = """[...document.querySelectorAll("canvas")].flatMap(canvas => Chart.getChart(canvas).data.datasets.flatMap(({ label, data }) =>
  data.filter(({ y, low, high }) => tofn.isNumber(low) && tofn.isNumber(high) && (low > y * (1 + 1e-9) || high < y * (1 - 1e-9))).map(({ x, y }) => `${label} at ${x}: ${y} in ${canvas.closest("figure").dataset.chart}`)))"""
# Days that the charts of time show beside those that the rows expect, and what is named simulated.
DAYS = """[...document.querySelectorAll("[data-chart=scaling] canvas")].flatMap(canvas => {
  const chart = Chart.getChart(canvas), shown = chart.data.datasets.filter(({ label }) => !label.startsWith("_"));
  if (chart.options.scales.y.title.text !== "days") return [];
  const rows = tofn.tables.tables.flatMap(tofn.rowsOf), near = (a, b) => Math.abs(a - b) <= 1e-9 * b;
  return shown.flatMap(({ label, data }) => data.map(({ x, y }) => {
    const name = label.replace(/, simulated$/, ""), row = rows.find(each => tofn.seriesOf(each) === name && each.accelerators === x && (near(each.days, y) || near(each.days_as_runs_went, y)));
    return [label, x, y, label === name ? row?.days_as_runs_went : row?.days];
  }));
})"""
# Sizes that do not fit, and whether the chart of efficiency draws them hollow and off its line.
UNFIT = """[...document.querySelectorAll("[data-chart=efficiency] canvas")].flatMap(canvas => {
  const { datasets } = Chart.getChart(canvas).data, rows = tofn.tables.tables.flatMap(tofn.rowsOf).filter(({ fits }) => fits === 0);
  return rows.flatMap(row => datasets.filter(({ label }) => label === tofn.seriesOf(row)).map(({ label, data, pointBackgroundColor }) => {
    const at = data.findIndex(({ x, y }) => x === row.accelerators && y === row.efficiency);
    const line = datasets.find(each => each.label === `_${label}`).data;
    return at < 0 ? null : [label, row.accelerators, pointBackgroundColor[at] === tofn.style("card"), line.every(({ x }) => x !== row.accelerators)];
  })).filter(Boolean);
})"""
# Axes of numbers on which nothing can be read.
BARE_AXES = """[...document.querySelectorAll("canvas")].flatMap(canvas => Object.values(Chart.getChart(canvas).scales)
  .filter(({ type, ticks }) => type === "logarithmic" && ticks.length < 2)
  .map(({ axis }) => `${axis} of ${canvas.closest("figure").dataset.chart}`))"""
POINTS = "[...document.querySelectorAll('canvas')].reduce((sum, canvas) => sum + Number(canvas.dataset.points), 0)"
UNCHECK = "document.querySelector('#filters input').click()"


def problems_of(browser, page, size, charts):
    """One line for each thing that is wrong."""
    browser.open(page.as_uri(), *size)
    yield from (f"error: {problem}" for problem in browser.problems)
    yield from (f"a request left the file: {url}" for url in browser.requests if url != page.as_uri())
    drawn = browser.value(CHARTS)
    if len(drawn) != charts:
        yield f"{len(drawn)} charts are on the page, tofn said {charts}"
    browser.value(SHOW_ALL)
    canvases, drawings = browser.value(CANVASES), browser.value(DRAWINGS)
    yield from (f"{chart} is not drawn" for chart in drawn if all(each["chart"] != chart for each in canvases + drawings))
    yield from (f"{each['chart']} is empty" for each in drawings if each["parts"] < 2)
    for canvas in canvases:
        if canvas["points"] == 0 or canvas["painted"] < 500:
            yield f"{canvas['chart']} is empty: {canvas}"
        if canvas["excess"] > 0.5:
            yield f"{canvas['chart']} is {canvas['excess']:.0f} px wider than its box"
    for bar, step in itertools.zip_longest(browser.value(BARS), browser.value(STEPS), fillvalue=0):
        if abs(bar - step) > 1e-6 * step:
            yield f"a bar of {bar} ms stands for a step of {step} ms"
    for end, kept in browser.value(WATERFALLS):
        if abs(end - kept) > 1e-6:
            yield f"a waterfall ends at {end} where {kept} is kept"
    for labels in browser.value(PLANS):
        for wanted in ["best", "dgx-h100, ", "dgx-a100, ", "deadline: 60 days", "at most 1,000,000 USD"]:
            if wanted not in labels:
                yield f"the chart of plans does not draw '{wanted}': {labels}"
    yield from (f"outside its interval: {point}" for point in browser.value(OUTSIDE))
    for label, size, shown, expected in browser.value(DAYS):
        if shown != expected:
            yield f"{label} on {size} is drawn at {shown} days, {expected} are meant"
    for label, size, is_hollow, is_off_line in browser.value(UNFIT):
        if not is_hollow or not is_off_line:
            yield f"{label} on {size} does not fit, and is drawn as if it did"
    yield from (f"the axis {axis} has no two ticks" for axis in browser.value(BARE_AXES))
    yield from accessibility.problems_of(browser)
    if browser.value(OVERFLOW) > 0:
        yield f"the page is {browser.value(OVERFLOW)} px wider than the window"


def check_filter(browser):
    before = browser.value(POINTS)
    browser.value(UNCHECK)
    if not 0 < browser.value(POINTS) < before:
        yield "a filter that is switched off leaves all points"
    browser.value(UNCHECK)
    if browser.value(POINTS) != before:
        yield "a filter that is switched on again does not bring all points back"


def check_use(browser, page):
    """Hover, a filter, dark: what a reader does. One line for each thing that does not work."""
    browser.open(page.as_uri(), *SIZES[0])
    tooltip, end = "", time.monotonic() + 20
    while not tooltip and time.monotonic() < end:  # on a busy machine the page may not be drawn yet
        browser.move_mouse(1, 1)
        browser.move_mouse(*browser.value(POINT))
        tooltip = browser.value(TOOLTIP)
    print(f"  hover: {tooltip}")
    if not tooltip:
        yield "no tooltip over a point"
    if browser.value("Boolean(document.querySelector('#filters input'))"):
        yield from check_filter(browser)
    light = browser.value("getComputedStyle(document.body).backgroundColor")
    browser.value("document.getElementById('theme').click()")
    if browser.value("getComputedStyle(document.body).backgroundColor") == light:
        yield "the switch to dark changes nothing"
    yield from (f"dark: {problem}" for problem in accessibility.problems_of(browser))
    dark = browser.value("getComputedStyle(document.body).backgroundColor")
    browser.print(page.with_suffix(".pdf"))
    if browser.value("getComputedStyle(document.body).backgroundColor") != dark:
        yield "after printing the page is not what it was"
    yield from (f"error: {problem}" for problem in browser.problems)


def keep_pictures(browser, page, keep):
    for width, height in SIZES:
        browser.open(page.as_uri(), width, height)
        browser.screenshot(keep / f"{page.stem}-{width}.png")
    browser.open(page.as_uri(), *SIZES[0], dark=True)
    browser.screenshot(keep / f"{page.stem}-dark.png")
    browser.print(keep / f"{page.stem}.pdf")
    shutil.copy(page, keep)


def check_page(browser, page, said, keep):
    """Whether the page is right at every size; prints a line for each."""
    charts = int(re.search(r"(\d+) charts? of", said)[1])
    good = page.stat().st_size < MOST_BYTES
    print(f"{page.name}: {charts} charts, {page.stat().st_size / 1e3:.0f} kB{'' if good else ': too large'}")
    for size in SIZES:
        found = list(problems_of(browser, page, size, charts))
        print(f"  {size[0]}x{size[1]}: {'; '.join(found) if found else 'good'}")
        good = good and not found
    found = list(check_use(browser, page))
    print(f"  use: {'; '.join(found) if found else 'good'}")
    if keep:
        keep_pictures(browser, page, keep)
    return good and not found


def says_what_compare_says(tofn, browser, page, folder):
    """The page works its summary out anew: it must be that of `tofn compare`."""
    said = run_tofn(tofn, "compare", folder)
    runs, mean, median, worst = re.search(r"^all +(\d+) +([\d.]+) +([\d.]+) +([\d.]+)", said, re.M).groups()
    expected = f"{runs} scored runs: mean error {mean} %, median {median} %, worst {worst} %"
    browser.open(page.as_uri(), *SIZES[0])
    good = expected in browser.value("document.body.innerText")
    print(f"{page.name} says '{expected}': {'yes' if good else 'NO'}")
    return good


def opens_with_its_verdict(browser, page):
    """The page of a check says first what it found, and marks the slow points of the table that it shows."""
    browser.open(page.as_uri(), *SIZES[0])
    first = browser.value("document.querySelector('h1').innerText + document.querySelector('.answer').innerText")
    marked = browser.value("Chart.getChart(document.querySelector('canvas')).data.datasets.find(({ label }) => label === 'measured, slow')?.data.length ?? 0")
    slow = browser.value("tofn.tables.tables.flatMap(tofn.rowsOf).filter((row) => row.is_slow && row.collective === 'all-reduce').length")
    good = all(words in first for words in ("3 of 3 tables: slow", "all-reduce", "slow from 8 B to 524 kB by a factor of 2: small messages")) and 0 < marked == slow
    print(f"{page.name} opens with its verdict and marks {marked} of {slow} slow points: {'yes' if good else 'NO: ' + first}")
    return good


def marks_what_does_not_fit(browser, page):
    """The smallest size of the page does not fit: it is there to be marked."""
    browser.open(page.as_uri(), *SIZES[0])
    unfit = browser.value(UNFIT)
    lead = browser.value("document.querySelector('h1').innerText")
    good = (unfit == [["nemotron-h-8b on dgx-h100", 1, True, True]] and lead.startswith("nemotron-h-8b on dgx-h100: soonest on 16, ")
            and "Hollow: does not fit" in browser.value("document.body.innerText"))
    print(f"{page.name} marks the size that does not fit: {'yes' if good else f'NO: {unfit}, {lead!r}'}")
    return good


def heads_with_the_answer(browser, pages):
    """A page of one table has the answer as its heading and title, the command line in its footer, and no chart of one point."""
    good = True
    for page, expected in pages.items():
        browser.open(page.as_uri(), *SIZES[0])
        heading, title = browser.value("document.querySelector('h1').innerText"), browser.value("document.title")
        above, below = (browser.value(f"document.querySelector('{part}').innerText") for part in ("main", "footer"))
        points = browser.value("[...document.querySelectorAll('canvas')].flatMap(canvas => Chart.getChart(canvas).data.datasets.filter(({ label }) => !label.startsWith('_')).map(({ data }) => data.length))")
        holds = re.match(expected, heading) and heading in title and "tofn " not in above.split("As tofn printed it")[0] and "tofn " in below and (not points or max(points) > 1)
        print(f"{page.name} is headed '{heading}': {'yes' if holds else f'NO, expected {expected}; {points}'}")
        good = good and bool(holds)
    return good


def check(tofn, chromium, folder, keep):
    """Writes the pages and checks them."""
    pages = {"default.html": run_tofn(tofn, "report -o default.html", folder)}
    for words in OUTPUTS.values():
        run_tofn(tofn, words, folder)
    pages["every.html"] = run_tofn(tofn, f"report {' '.join(OUTPUTS)} -o every.html", folder)
    pages["small.html"] = run_tofn(tofn, "report small.json -o small.html", folder)
    pages["check.html"] = run_tofn(tofn, "report check.json -o check.html", folder)
    for name, words in ALONE.items():
        run_tofn(tofn, words, folder)
        pages[f"{name}.html"] = run_tofn(tofn, f"report {words.split()[-1]} -o {name}.html", folder)
    browser = Browser(chromium, folder / "profile")
    try:
        good = all([check_page(browser, folder / page, said, keep) for page, said in pages.items()])
        good = heads_with_the_answer(browser, {folder / f"{name}.html": HEADS[name] for name in ALONE}) and good
        good = marks_what_does_not_fit(browser, folder / "small.html") and good
        good = opens_with_its_verdict(browser, folder / "check.html") and good
        return says_what_compare_says(tofn, browser, folder / "default.html", folder) and good
    finally:
        browser.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tofn", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    chromium = find_chromium()
    if chromium is None:
        print("skipped: no Chromium (Debian: chromium)")
        sys.exit(SKIPPED)
    keep = arguments.keep and arguments.keep.resolve()
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        good = check(arguments.tofn.resolve(), chromium, pathlib.Path(folder), keep)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
