#!/usr/bin/env python3
"""Draws the pictures of pages in README.md and sim/guide: `tofn explore` and `tofn report` in headless Chromium.

    page_pictures.py TOFN           draw them anew in sim/guide/figures, and write beside them what they say
    page_pictures.py --check TOFN   fail where a page no longer says that

Fonts differ between machines, so pictures are held to the words and numbers on them (sim/guide/figures/pages.txt).
Without Chromium: exit code 77, skipped.
"""
import difflib
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from browser import Browser, find_chromium  # noqa: E402
from check_explore import WHOLE, Server, wait_until  # noqa: E402

FOLDER = ROOT / "sim/guide/figures"
WORDS = FOLDER / "pages.txt"
WIDTH, SKIPPED = 1200, 77
# Two machines for one run, with a deadline and a budget.
STATE = {"s": [{"job": "llama3-70b", "cluster": cluster, "size": 512, "tokens": "1T"} for cluster in ("dgx-h100", "dgx-b200")],
         "current": 0, "metric": "days", "deadline": "60", "budget": "3000000"}
PLAN = "plan llama3-70b dgx-h100 dgx-h200:256 dgx-b200 -N 64..1024 --tokens 1T --deadline 60d --budget 3M"


def explore(tofn, browser):
    server = Server(tofn)
    try:
        browser.open(server.url, WIDTH, 900)
        browser.value(f"location.hash = '#' + encodeURIComponent({json.dumps(json.dumps(STATE))})")
        wait_until(browser, f"state.scenarios.length === 2 && {WHOLE}")
        wait_until(browser, "timeline.view.rows.length > 0")
        browser.value("document.getElementById('footer').remove()")  # it names the commit
        browser.settle()
    finally:
        server.close()


def report(tofn, browser):
    with tempfile.TemporaryDirectory() as folder:
        for words in (f"{PLAN} --format json -o plan.json", "report plan.json -o plan.html"):
            subprocess.run([tofn, *shlex.split(words)], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        browser.open((pathlib.Path(folder) / "plan.html").as_uri(), WIDTH, 900)
        browser.value("document.getElementById('footer').remove()")
        browser.settle()


PICTURES = {"explore.png": explore, "report.png": report}


def words_of(name, browser):
    # The text of drawings stands in no line of `innerText`.
    text = browser.value("document.querySelector('main').innerText + '\\n' + [...document.querySelectorAll('main svg text')].map((text) => text.textContent).join(' ')")
    lines = [line.strip() for line in text.splitlines()]
    return f"== {name}\n" + "\n".join(line for line in lines if line) + "\n"


def main():
    is_check = "--check" in sys.argv
    tofn = str(pathlib.Path(sys.argv[-1]).resolve())
    chromium = find_chromium()
    if chromium is None:
        print("skipped: no Chromium (Debian: chromium)")
        sys.exit(SKIPPED)
    said = ""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(chromium, profile)
        try:
            for name, page in PICTURES.items():
                page(tofn, browser)
                said += words_of(name, browser)
                if not is_check:
                    browser.screenshot(FOLDER / name, is_whole=name != "explore.png")  # of that, what a window shows
        finally:
            browser.close()
    if not is_check:
        WORDS.write_text(said, encoding="utf-8")
        return
    kept = WORDS.read_text(encoding="utf-8")
    if said != kept:
        sys.stdout.writelines(difflib.unified_diff(kept.splitlines(True), said.splitlines(True), "pages.txt", "the pages now", n=0))
        sys.exit("pictures of pages are old: scripts/figures/page_pictures.py TOFN draws them anew")
    print(f"{len(PICTURES)} pictures of pages say what the pages say")


if __name__ == "__main__":
    main()
