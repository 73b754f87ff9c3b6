#!/usr/bin/env python3
"""Opens pages of `tofn report` in headless Chromium and fails where one is not what it should be.

    check_report.py TOFN [--keep FOLDER]

Pages: the one without input, and one of every kind of output. Of each, at 1400x900 and 420x900: every
chart is drawn with points, no error on the console, no request leaves the file, under 3 MB, nothing is
wider than the window. `--keep` keeps pages and screenshots. Without Chromium: exit code 77, skipped.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = [(1400, 900), (420, 900)]
MOST_BYTES = 3_000_000
SKIPPED = 77

# What each page is made of: files and the command that writes each.
OUTPUTS = {
    "predict.json": "predict bert dgx-h100 -N 8..1024 --format json -o predict.json",
    "predict2.json": "predict llama2_70b_lora dgx-h100 -N 8..1024 --format json -o predict2.json",
    "step.csv": "step llama3-8b dgx-h100 -N 8..256 --replica-batch 2 --format csv -o step.csv",
    "trace.json": "step gpt3-175b dgx-a100 -N 64 --batch 16 --plan gpt3-175b-megatron --trace trace.json",
    "collectives.csv": "validate collectives CONFIGS/calibrations/h100-dell-2x8.yaml --protocol split --format csv -o collectives.csv",
    "algorithms.json": "collective --cluster dgx-h100 --ranks 64 --size 25MiB --format json -o algorithms.json",
    "table.csv": "list accelerators --format csv -o table.csv",
}


def run_tofn(tofn, words, folder):
    command = [str(tofn)] + words.replace("CONFIGS", str(ROOT / "configs")).split()
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"FAILED: tofn {words}: exit {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def browser():
    return next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)


def open_page(chromium, page, size, folder, what):
    """Runs Chromium once; `what` is what it is asked for. Its output and what it logged."""
    log = folder / "net.json"
    log.unlink(missing_ok=True)
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
               "--disable-background-networking", "--disable-component-update", "--disable-sync",
               "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={folder / 'profile'}",
               f"--window-size={size[0]},{size[1]}", "--enable-logging=stderr", "--v=0",
               f"--log-net-log={log}", "--virtual-time-budget=10000", *what, page.as_uri()]
    result = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    return result.stdout, result.stderr, log


def requests_in(log):
    """URLs that the browser began to fetch for a page, from its own network log."""
    text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else "{}"
    urls = set(re.findall(r'"url":"((?:https?|wss?|ftp):[^"]*)"', text))
    # What the browser asks of its maker for itself is no request of the page.
    own = re.compile(r"https?://([a-z0-9.-]+\.)?(google|googleapis|gstatic)\.com[:/]")
    return sorted(url for url in urls if not own.match(url))


def attribute(dom, name):
    """An attribute of the page's <html>."""
    found = re.search(rf'<html[^>]*\bdata-{name}="([^"]*)"', dom)
    return found[1] if found else None


def problems_of(chromium, page, size, folder, charts):
    """One line for each thing that is wrong."""
    dom, logged, log = open_page(chromium, page, size, folder, ["--dump-dom"])
    if attribute(dom, "problems"):
        yield f"errors: {attribute(dom, 'problems')}"
    for line in re.findall(r".*CONSOLE.*", logged):
        yield f"console: {line}"
    for url in requests_in(log):
        yield f"a request left the file: {url}"
    if attribute(dom, "charts") != str(charts):
        yield f"{attribute(dom, 'charts')} charts are on the page, tofn said {charts}"
    points = [int(count) for count in re.findall(r'<canvas[^>]*data-points="(\d+)"', dom)]
    if len(points) < charts or 0 in points:
        yield f"canvases with points: {points}, for {charts} charts"
    if ">Nothing to draw" in dom:
        yield "a chart has nothing to draw"
    width = attribute(dom, "overflow")
    if width:
        yield f"wider than the window: {width}"


def check_page(chromium, page, said, folder, keep):
    """Whether the page is right at every size; prints a line for each."""
    charts = int(re.search(r"(\d+) charts? of", said)[1])
    good = page.stat().st_size < MOST_BYTES
    print(f"{page.name}: {charts} charts, {page.stat().st_size / 1e3:.0f} kB{'' if good else ': too large'}")
    for size in SIZES:
        found = list(problems_of(chromium, page, size, folder, charts))
        print(f"  {size[0]}x{size[1]}: {'; '.join(found) if found else 'good'}")
        good = good and not found
        if keep:
            shot = keep / f"{page.stem}-{size[0]}.png"
            open_page(chromium, page, (size[0], 9000), folder, [f"--screenshot={shot}"])
    return good


def same_mean_error(tofn, page_dom, folder):
    """The page works its summary out anew: it must say what `tofn compare` says."""
    said = run_tofn(tofn, "compare", folder)
    runs, mean, median, worst = re.search(r"^all +(\d+) +([\d.]+) +([\d.]+) +([\d.]+)", said, re.M).groups()
    expected = f"{runs} scored runs: mean error {mean} %, median {median} %, worst {worst} %"
    return expected in page_dom, expected


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tofn", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    tofn = arguments.tofn.resolve()
    chromium = browser()
    if chromium is None:
        print("skipped: no Chromium (Debian: chromium)")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        keep = arguments.keep and arguments.keep.resolve()
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
        pages = {"default.html": run_tofn(tofn, "report -o default.html", folder)}
        for words in OUTPUTS.values():
            run_tofn(tofn, words, folder)
        pages["every.html"] = run_tofn(tofn, f"report {' '.join(OUTPUTS)} -o every.html", folder)
        good = all([check_page(chromium, folder / page, said, folder, keep) for page, said in pages.items()])
        dom, _, _ = open_page(chromium, folder / "default.html", SIZES[0], folder, ["--dump-dom"])
        agrees, expected = same_mean_error(tofn, dom, folder)
        print(f"default.html says '{expected}': {'yes' if agrees else 'NO'}")
        if keep:
            for page in pages:
                shutil.copy(folder / page, keep)
    sys.exit(0 if good and agrees else 1)


if __name__ == "__main__":
    main()
