#!/usr/bin/env python3
"""Asks the page with the program inside, and fails where it is not what `tofn explore` is.

    check_wasm.py TOFN PAGE.html [--questions N] [--changes N] [--seed S] [--keep FOLDER]

In node: N questions drawn by a seed, and refusals, are answered as the program's server answers them: the same
words, numbers within 1e-9. In headless Chromium, opened from disk: it draws, says who answers, the newest change
wins, no error is on the console, no request leaves. It prints how long the page takes from an input until it
has drawn. Exit code 77, skipped: there is no node, or no page of TOFN's version (scripts/build_wasm.sh makes it).
"""
import argparse
import http.server
import json
import math
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from browser import Browser, find_chromium
from check_explore import DRAWN, SKIPPED, WHOLE, Server, check_controls, require, wait_until

CLOSE = 1e-9
LARGEST_MB = 15
MODELS = ["llama3-8b", "llama2-13b", "llama3-70b", "mixtral-8x7b"]
WORKLOADS = ["bert", "llama2_70b_lora", "stable_diffusion"]
CLUSTERS = ["dgx-h100", "dgx-a100", "dgx-b200", "gb200-nvl72", "aws-p5"]

ODD = [
    "{", {"command": "calibrate"}, {"command": "predict", "arguments": ["llama9", "dgx-h100"]},
    {"command": "predict", "arguments": ["bert", "dgx-h100"], "options": {"nothing": 1}},
    {"command": "predict", "arguments": ["bert", "/etc/passwd"]},
    {"command": "predict", "arguments": ["llama3-8b", "dgx-h100"], "options": {"accelerators": "64", "tp": "3"}},
    {"command": "predict", "arguments": ["llama3-8b", "dgx-h100"], "options": {"accelerators": "64", "tokens": "0x10"}},
    {"command": "predict", "arguments": ["mine.yaml", "dgx-h100"], "files": {"mine.yaml": "name: mine\nlayers: 010\n"}},
    {"command": "report", "arguments": ["a.csv"], "files": {"a.csv": "accelerators,days\n8,4.5\n16,2.5\n"}},
]

# How numbers are read is the one thing that emscripten's library does otherwise.
ODD += [{"command": "predict", "arguments": ["llama3-8b", "dgx-h100"], "options": {"accelerators": "8", "tokens": "1G", "price": price}}
            for price in ("0x10", "+1", " 1", "1e400", "1e-400", "1e-310", "inf", "nan", ".5", "5.", "1e", "1e+2", "-1", "1_000", "")]


def drawn_question(draw, kind):
    """One of each kind in turn."""
    model, cluster = draw.choice(MODELS), draw.choice(CLUSTERS)
    size, batch = str(draw.choice([64, 256, 1024])), {"replica-batch": draw.choice([8, 32])}
    plan = draw.choice([{}, {"tp": "8", "pp": "2"}, {"tp": "4"}])
    tokens = {"tokens": draw.choice(["200B", "2T"])}
    kinds = [
        lambda: ("predict", [model, cluster], {"accelerators": size, **tokens, **plan}),
        lambda: ("predict", [draw.choice(WORKLOADS), "dgx-h100"], {"accelerators": draw.choice([8, 64])}),
        lambda: ("plan", [draw.choice(MODELS[:2]), cluster, "dgx-h200"], {"accelerators": "64..256", "deadline": "200d", **tokens}),
        lambda: ("scale", [draw.choice(WORKLOADS), "dgx-h100"], {}),
        lambda: ("scale", [model, cluster], {"accelerators": "64,128,256", "tp": "8"}),
        lambda: ("step", [model, cluster], {"accelerators": size, **batch, **plan}),
        lambda: ("step", [draw.choice(WORKLOADS), "dgx-h100"], {"accelerators": "64"}),
        lambda: ("compare", [], {"workloads": draw.choice(WORKLOADS)}),
        lambda: ("collective", [], {"cluster": cluster, "ranks": draw.choice([8, 64]), "size": draw.choice(["1MiB", "1GiB"])}),
        lambda: ("list", [draw.choice(["clusters", "models", "figures", "stacks", "runs"])], {}),
    ]
    command, arguments, options = kinds[kind % len(kinds)]()
    return {"command": command, "arguments": arguments, "options": options}


def is_close(one, other):
    return one == other or math.isclose(one, other, rel_tol=CLOSE, abs_tol=0)


def difference(one, other, where="answer"):
    """The first place where two answers differ, in words; empty: none."""
    if isinstance(one, dict) and isinstance(other, dict):
        if list(one) != list(other):
            return f"{where} has {sorted(set(one) ^ set(other)) or 'another order'}"
        return next((found for name in one if (found := difference(one[name], other[name], f"{where}.{name}"))), "")
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return f"{where} has {len(one)} and {len(other)} rows"
        return next((found for i, each in enumerate(one) if (found := difference(each, other[i], f"{where}[{i}]"))), "")
    numbers = [isinstance(each, (int, float)) and not isinstance(each, bool) for each in (one, other)]
    if all(numbers):
        return "" if is_close(one, other) else f"{where}: {one} and {other}"
    if one == other:
        return ""
    if isinstance(one, str) and isinstance(other, str):
        lines = zip(one.splitlines() or [one], other.splitlines() or [other])
        return f"{where}: {next(((a, b) for a, b in lines if a != b), (one, other))}"
    return f"{where}: {one!r} and {other!r}"


def check_answers(tofn, page, questions, draw):
    asked = ODD + [drawn_question(draw, kind) for kind in range(questions)]
    done = subprocess.run(["node", pathlib.Path(__file__).with_name("ask_page.mjs"), page], input=json.dumps(asked),
                          capture_output=True, text=True, check=False)
    require(done.returncode == 0, f"node: {done.stderr[-500:]}")
    server = Server(tofn)
    taken = {"page": [], "server": []}
    try:
        for question, given in zip(asked, json.loads(done.stdout), strict=True):
            began = time.monotonic()
            status, text = server.ask(body=question if isinstance(question, str) else json.dumps(question))
            require(status == 200, f"{question}: the server says {status}")
            taken["server"].append(1000 * (time.monotonic() - began))
            taken["page"].append(given["ms"])
            found = difference(json.loads(given["answer"]), json.loads(text))
            require(not found, f"{json.dumps(question)}: page and server differ, {found}")
    finally:
        server.close()
    refused = sum("error" in json.loads(each["answer"]) for each in json.loads(done.stdout))
    print(f"answers: {len(asked)} ({refused} of them refusals) are the server's, numbers within {CLOSE:g}; "
          f"{statistics.median(taken['page']):.0f} ms in the median, the server {statistics.median(taken['server']):.0f} ms")


CHANGE = """(async (is_stated, N) => {
  // Each change is a new question; what is in the page's cache would not be asked.
  const taken = [];
  for (let i = 0; i < N; ++i) {
    const from = performance.now();
    const scenario = current();
    scenario.stated = is_stated;
    scenario.plan = is_stated ? { tp: "8", pp: "4" } : {};
    scenario.price = 1 + i / 100 + (is_stated ? 0 : 5);
    changed();
    while (document.body.dataset.drawn !== String(round_of_changes)) await new Promise((done) => setTimeout(done, 1));
    await new Promise(requestAnimationFrame);
    taken.push(performance.now() - from);
    await new Promise((done) => setTimeout(done, PAUSE));
  }
  return taken;
})"""


def time_changes(browser, changes):
    """In pieces, so that no one call takes longer than Chromium is waited for."""
    for words, pause in (("one after another", 0), ("half a second apart", 500)):
        for what, is_stated in (("stated plan", "true"), ("best plan", "false")):
            taken = []
            while len(taken) < changes:
                browser.value("cache.clear()")
                taken += browser.value(f"{CHANGE.replace('PAUSE', str(pause))}({is_stated}, {min(10, changes - len(taken))})")
            taken.sort()
            print(f"from input to drawn, {what}, changes {words}: {statistics.median(taken):.0f} ms in the median, "
                  f"{taken[int(0.95 * len(taken))]:.0f} ms in 95 of 100, of {len(taken)}")


def check_page(browser, page, changes, keep):
    began = time.monotonic()
    url = page.resolve().as_uri()
    browser.open(url, 1400, 900)
    wait_until(browser, DRAWN)
    opened = time.monotonic() - began
    said = browser.value("document.getElementById('headline').textContent")
    require("llama3-70b on 512" in said, f"the headline is {said!r}")
    wait_until(browser, WHOLE)
    points = browser.value("results.get(0).rows.size")
    require(points > 5, f"the curve has {points} points")
    who = browser.value("document.getElementById('footer').textContent")
    require("the program inside this page" in who, f"the page says {who!r}")
    print(f"opened from disk: drawn after {1000 * opened:.0f} ms, the whole curve of {points} points after "
          f"{1000 * (time.monotonic() - began):.0f} ms")
    # Of several changes at once the newest is drawn.
    browser.value("for (const size of [64, 128, 256, 1024]) { current().size = size; changed(); }")
    wait_until(browser, f"{DRAWN} && document.getElementById('headline').textContent.includes('on 1024')")
    browser.value("current().cluster = 'nowhere'; changed();")
    wait_until(browser, "document.getElementById('headline').textContent.includes(\"unknown cluster 'nowhere'\")")
    browser.value("current().cluster = 'dgx-h100'; changed();")
    broken = browser.value("window.tofnInside('broken', undefined)")
    require("the program inside this page ended" in broken["error"], f"a worker that ended is told: {broken}")
    time_changes(browser, changes)
    check_controls(browser)
    wait_until(browser, WHOLE)
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        browser.screenshot(keep / "explore-file.png")
    require(not browser.problems, f"the console has {browser.problems}")
    strange = [asked for asked in browser.requests if asked != url and not asked.startswith(("data:", "blob:"))]
    require(not strange, f"requests to {strange}")


class Relay(http.server.BaseHTTPRequestHandler):
    """A server of this machine that has the page, and answers as `tofn explore` does."""

    page = tofn = None

    def send(self, kind, content):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        self.send("text/html; charset=utf-8", self.page.read_bytes())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.send("application/json", self.tofn.ask(body=body)[1].encode())

    def log_message(self, *_):
        pass


def check_served(browser, tofn, page):
    """Where a server of this machine answers, the page asks that, and starts no program of its own."""
    Relay.page, Relay.tofn = page, Server(tofn)
    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    threading.Thread(target=served.serve_forever, daemon=True).start()
    try:
        browser.open(f"http://127.0.0.1:{served.server_port}/", 1400, 900)
        wait_until(browser, DRAWN)
        who = browser.value("document.getElementById('footer').textContent")
        require("this machine alone" in who, f"served by a program that answers, the page says {who!r}")
    finally:
        served.shutdown()
        Relay.tofn.close()


def reason_to_skip(tofn, page):
    if not shutil.which("node"):
        return "no node: the page was not asked"
    if not page.is_file():
        return f"no {page}: scripts/build_wasm.sh makes it" + ("" if shutil.which("em++") else ", with emscripten, which is not installed")
    said = subprocess.run([tofn, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r'"version":"([^"]*)"', page.read_text(encoding="utf-8"))[1]
    return "" if version in said else f"{page} is of tofn {version}, and this is {said.splitlines()[0]}: build it again"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tofn")
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--changes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    asked = parser.parse_args()
    if why := reason_to_skip(asked.tofn, asked.page):
        print(why)
        sys.exit(SKIPPED)
    size = asked.page.stat().st_size / 1e6
    require(size < LARGEST_MB, f"{asked.page} has {size:.1f} MB")
    print(f"size: {size:.1f} MB")
    check_answers(asked.tofn, asked.page, asked.questions, random.Random(asked.seed))
    chromium = find_chromium()
    if not chromium:
        print("no Chromium: the page was not opened")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(chromium, profile)
        try:
            check_page(browser, asked.page, asked.changes, asked.keep)
            check_served(browser, asked.tofn, asked.page)
        finally:
            browser.close()


if __name__ == "__main__":
    main()
