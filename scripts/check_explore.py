#!/usr/bin/env python3
"""Serves `tofn explore`, uses it as people and as strangers would, and fails where it is not what it should be.

    check_explore.py TOFN [--states N] [--keep FOLDER] [--seed S]

Strangers: malformed, oversized and foreign requests get one clear answer each, and read and write nothing.
People, in headless Chromium: every control acts, four scenarios, N states drawn by a seed say what `tofn
predict` says of the copied command line; no error on the console, no request leaves this machine. It prints
how long the page takes from an input until it has drawn. Without Chromium: exit code 77, skipped.
"""
import argparse
import http.client
import json
import pathlib
import random
import re
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import accessibility
from browser import Browser, find_chromium

SKIPPED = 77
CONFIGS = pathlib.Path(__file__).resolve().parent.parent / "configs"
MODELS = ["llama3-8b", "llama3-70b", "gpt3-175b", "mixtral-8x7b", "llama2-13b"]
WORKLOADS = ["bert", "llama2_70b_lora"]
CLUSTERS = ["dgx-h100", "dgx-a100", "dgx-b200", "aws-p5", "gb200-nvl72"]


class Server:
    def __init__(self, tofn, *words):
        self.process = subprocess.Popen([tofn, "explore", *words], stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline())[1])
        self.url = f"http://127.0.0.1:{self.port}/"

    def ask(self, method="POST", path="/answer", body=None, **headers):
        """Status and text of an answer; headers' names with _ for -."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        given = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, given)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except ConnectionError:
            return 0, ""
        finally:
            connection.close()

    def resident_kb(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1])

    def close(self):
        self.process.terminate()
        return self.process.wait(timeout=20)


def require(holds, what):
    if not holds:
        sys.exit(f"FAILED: {what}")


def check_strangers(server, requests):
    def error_of(question):
        status, text = server.ask(body=question if isinstance(question, str) else json.dumps(question))
        return json.loads(text).get("error", "") if status == 200 else f"{status} {text}"

    predict = {"command": "predict", "arguments": ["bert", "dgx-h100"]}
    for question, expected in [
        ("", "expected a JSON object"), ("{", "expected a JSON object"), ("[1]", "expected a JSON object"),
        ("\0\xff", "expected a JSON object"), ("{" * 100000, "expected a JSON object"),
        ({"command": 3}, "command: expected a name"), ({"command": "calibrate"}, "unknown page command"),
        ({**predict, "arguments": "bert"}, "arguments: expected a list"),
        ({**predict, "options": {"output": "x.csv"}}, "--output: is for the command line"),
        ({**predict, "options": {"save_plan": "x"}}, "--save-plan: is for the command line"),
        ({**predict, "arguments": ["../../etc/passwd", "dgx-h100"]}, "names no file of the question"),
        ({**predict, "arguments": ["/etc/passwd", "dgx-h100"]}, "names no file of the question"),
        ({**predict, "arguments": ["bert", "--output=x"]}, "names no file of the question"),
        ({**predict, "options": {"calibration": "/etc/passwd"}}, "names no file of the question"),
        ({**predict, "options": {"plan": "mine.yaml"}}, "names no file of the question"),
        ({**predict, "files": {"../a": "x"}}, "a name has no path"),
        ({"command": "report", "arguments": ["README.md"]}, "names no file of the question"),
        ({"command": "report", "arguments": ["passwd"], "files": {"a": "x"}}, "names no file of the question"),
        ({"command": "report", "arguments": [], "options": {"output": "x.html"}}, "--output: is for the command line"),
        ({**predict, "options": {"nothing": 1}}, "unknown option 'nothing'"),
        ({**predict, "options": {"accelerators": [[1]]}}, "list holds no lists"),
    ]:
        said = error_of(question)
        require(expected in said and "\n" not in said.strip(), f"{str(question)[:80]}: {said[:200]!r}, expected {expected!r}")
    for status, expected, asked in [
        (403, "this server is", {"Host": "attacker.example"}), (403, "may not ask", {"Origin": "http://attacker.example"}),
        (403, "may not ask", {"Origin": "null"}), (415, "application/json", {"Content_Type": "text/plain"}),
    ]:
        got = server.ask(body=json.dumps(predict), **asked)
        require(got[0] == status and expected in got[1], f"{asked}: {got}")
    got = server.ask("GET", "/", Range="bytes=0-99999999")
    require(got == (416, "answers are sent whole\n"), f"no more than the page is sent: {got[0]}, {len(got[1])} bytes")
    for path in ("/etc/passwd", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/answer/x"):
        got = server.ask("GET", path)
        require(got[0] in (400, 404) and "root:" not in got[1], f"GET {path}: {got}")
    require(server.ask("DELETE", "/")[0] == 404, "DELETE / is refused")
    require(server.ask(body="x" * (2 << 20))[0] in (0, 413), "two mebibytes are refused")
    overtaken = [server.ask(body=json.dumps(predict), Tofn_Change=f"a-A {number}")[0] for number in (5, 4, 6)]
    require(overtaken == [200, 409, 200], f"a change that was overtaken is dropped: {overtaken}")
    before = server.resident_kb()
    for i in range(requests):
        server.ask(body="{" if i % 2 else json.dumps({"command": "list", "arguments": ["nothing"]}))
    grown = server.resident_kb() - before
    require(grown < 20_000, f"{requests} requests took {grown} kB of memory")
    print(f"strangers: one clear answer each; {requests} requests more, {grown} kB of memory more")


def wait_until(browser, condition, seconds=180):
    end = time.monotonic() + seconds
    while not browser.value(condition):
        require(time.monotonic() < end, f"{condition} does not come")
        time.sleep(0.02)


WHOLE = "document.body.dataset.whole === String(round_of_changes)"
DRAWN = "document.body.dataset.drawn === String(round_of_changes)"


def check_controls(browser):
    """Each control changes the command line or what is drawn."""
    wait_until(browser, DRAWN)
    change = """(id, value) => { const it = document.getElementById(id) ?? document.querySelector(`[data-option="${id}"]`);
      if (it.type === "radio") it.checked = true; else it.value = value;
      it.dispatchEvent(new Event("input", { bubbles: true })); it.dispatchEvent(new Event("change", { bubbles: true })); }"""
    for name, value, expected in [
        ("job", "llama3-8b", "llama3-8b"), ("cluster", "dgx-a100", "dgx-a100"), ("size", "3", "-N 64"), ("tokens", "500B", "--tokens 500B"),
        ("stack", "torchtitan", "--stack torchtitan"), ("price", "2.5", "--price 2.5"), ("network", "1", "nic_bandwidth=2"),
        ("plan_stated", "", ""), ("tp", "2", "--tp 2"), ("recompute", "full", "--recompute full"), ("sharded", "parameters", "--sharded parameters"),
        ("precision", "bf16", "--precision bf16"), ("data-overlap", "off", "--data-overlap off"), ("failure-every", "10000h", "--failure-every 10000h"),
        ("add_option", "start-up", "-N 64"), ("start-up", "10min", "--start-up 10min"),
    ]:
        browser.value(f"({change})({json.dumps(name)}, {json.dumps(value)})")
        said = browser.value("document.getElementById('command').textContent")
        require(expected in said, f"{name} = {value}: {said!r} has no {expected!r}")
    for name, value, selector in [("deadline", "30", "limit"), ("metric", "cost_usd", "USD"), ("budget", "100000", "limit")]:
        browser.value(f"({change})({json.dumps(name)}, {json.dumps(value)})")
        wait_until(browser, f"document.getElementById('curve').textContent.includes({json.dumps(selector)})")
    kept = "document.getElementById('headline').textContent"
    wait_until(browser, f"/[0-9.]+ % chance of finishing within 30 days and for at most [$]100k/.test({kept})")
    check_earlier_answers(browser, change)
    check_notes(browser, change)
    check_mistakes(browser, change)
    check_sizes(browser, change)
    check_workload(browser, change)
    check_files(browser)
    check_comparison(browser)
    check_timeline(browser, change)
    for _ in range(3):
        browser.value("document.getElementById('copy_scenario').click()")
    wait_until(browser, WHOLE)
    browser.settle()
    bands = browser.value("document.querySelectorAll('#curve polygon').length")
    require(bands == 4, f"four scenarios draw {bands} bands")
    require(not browser.value("Boolean(document.getElementById('copy_scenario'))"), "a fifth scenario is not offered")
    browser.value("document.getElementById('drop_scenario').click()")
    wait_until(browser, WHOLE)
    browser.value("saved = null; "
                  "[...document.querySelectorAll('#actions button')].find((each) => each.textContent === 'Report').click()")
    wait_until(browser, "saved")
    report = browser.value("saved")
    require("<!DOCTYPE html>" in report and report.count("tofn predict") >= 3, f"the report of three scenarios: {report[:200]!r}")
    said = browser.value("state.scenarios.map((_, i) => sentence(shownOf(i), shownOf(i).rows.get(shownOf(i).scenario.size)))")
    require(len(said) == 3 and all(words in report for words in said), f"the report says of each chosen size what the page says: {said}")


def check_earlier_answers(browser, change):
    """Until a question has its answer, the name before it stays with its numbers, dimmed; so do stages and timeline."""
    headline, words = "document.getElementById('headline').textContent", "document.getElementById('timeline_words').textContent"
    drawings = ["headline", "curve", "efficiency", "step", "loss", "memory", "figures", "stages", "timeline_drawing"]
    late = f"{json.dumps(drawings)}.filter((id) => document.getElementById(id).classList.contains('late'))"
    wait_until(browser, f"{WHOLE} && {words}.includes('micro-batches') && !({late}).length")
    before, drawn = browser.value(headline), browser.value("document.getElementById('curve').textContent")
    # Answers come when the gate opens; what the headline says meanwhile is what a screen reader says.
    browser.value("""heard = []; new MutationObserver(() => heard.push(document.getElementById('headline').textContent)).observe(document.getElementById('headline'), { childList: true, characterData: true, subtree: true });
      asked = carrier.ask; gate = new Promise((open) => { openGate = open; }); carrier.ask = async (...all) => { await gate; return asked(...all); }; 0""")
    browser.value(f"({change})('job', 'llama2-13b')")
    browser.settle()
    require(browser.value(headline) == before and "llama2-13b" not in before, f"the headline before the answer: {browser.value(headline)!r}, was {before!r}")
    require(browser.value("document.getElementById('curve').textContent") == drawn, "the curve's names before the answer")
    require(browser.value(late) == drawings, f"what is of the earlier question is dimmed: {browser.value(late)}")
    require(browser.value("document.getElementById('headline').getAttribute('aria-busy')") == "true", "the headline is busy")
    browser.value("openGate(); carrier.ask = asked; 0")
    wait_until(browser, f"{DRAWN} && {headline}.startsWith('llama2-13b on ')")
    after = browser.value(headline)
    require(browser.value("heard.every((words) => words.startsWith('llama2-13b on '))"), f"read aloud: {browser.value('heard')}")
    require(after.split(": ", 1)[1] != before.split(": ", 1)[1], f"another model has other numbers: {after!r}")
    wait_until(browser, f"{WHOLE} && !({late}).length && {words}.startsWith('llama2-13b on ')")
    require(browser.value("document.getElementById('stages').textContent").startswith("llama2-13b on "), "stages name their question")
    browser.value(f"({change})('job', 'llama3-8b')")
    wait_until(browser, DRAWN)


def check_notes(browser, change):
    """What was taken in place of what was requested is said."""
    notes = "document.getElementById('notices').textContent"
    browser.value(f"({change})('precision', 'fp4')")
    wait_until(browser, f"{notes}.includes('assumed: A100')")
    require("assumed: " in browser.value(notes), f"what is assumed: {browser.value(notes)!r}")
    browser.value(f"({change})('precision', 'bf16')")


PROBLEM = "document.getElementById('problem').textContent"


def check_mistakes(browser, change):
    """A mistake leaves what was there, dimmed, and is said at its field; the nearest name is one press away."""
    headline = "document.getElementById('headline').textContent"
    wait_until(browser, f"{WHOLE} && timeline.view.rows.length > 0")
    before, passes = browser.value(headline), browser.value("timeline.view.rows.length")
    for field, value, expected in [("cluster", "nosuch", "unknown cluster 'nosuch'"), ("tokens", "two trillion", "expected a number above 0"), ("job", "llama3-9b", "unknown job 'llama3-9b'")]:
        valid = browser.value(f"document.getElementById('{field}').value")
        browser.value(f"({change})('{field}', '{value}')")
        wait_until(browser, f"{DRAWN} && {PROBLEM}.includes({json.dumps(expected)})")
        at_field = browser.value(f"document.getElementById('{field}_mistake').textContent")
        require(expected in at_field and "valid" not in at_field, f"the mistake at {field}: {at_field!r}")
        require(browser.value(f"document.getElementById('{field}').getAttribute('aria-invalid')") == "true", f"{field} is marked")
        require(browser.value(headline) == before and browser.value("timeline.view.rows.length") == passes, f"{field} = {value} wipes the page: {browser.value(headline)!r}")
        require(browser.value("document.getElementById('headline').classList.contains('late')"), "the earlier answer is dimmed")
        if field == "job":
            browser.value("document.querySelector('#job_mistake button').click()")
            require(browser.value("current().job") == valid, f"the nearest name is {browser.value('current().job')}")
        else:
            browser.value(f"({change})('{field}', {json.dumps(valid)})")
        wait_until(browser, f"{DRAWN} && !{PROBLEM} && !document.getElementById('{field}_mistake')")
    browser.value("kept = [current().job, current().size]; current().job = 'llama3-405b'; chooseSize(8)")
    wait_until(browser, f"{WHOLE} && {PROBLEM}.startsWith('Use ')")
    require("does not fit the memory: " in browser.value(headline), f"what does not fit says so first: {browser.value(headline)!r}")
    browser.value("document.querySelector('#problem button').click()")
    wait_until(browser, f"{DRAWN} && !{headline}.includes('does not fit')")
    browser.value("[current().job] = kept; chooseSize(kept[1])")
    wait_until(browser, DRAWN)


def press(browser, key, code=0):
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)


def mouse(browser, kind, x, y, **more):
    browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, **more)


def box_of(browser, selector):
    """Its left, top, width and height in the window, once it is in sight."""
    return browser.value(f"(() => {{ const it = document.querySelector({json.dumps(selector)}); it.scrollIntoView({{ block: 'center' }}); const {{ x, y, width, height }} = it.getBoundingClientRect(); return [x, y, width, height]; }})()")


def check_sizes(browser, change):
    """Any size can be typed; sizes of the curves say what they are to pointer, finger and keyboard, and can be chosen."""
    browser.value(f"({change})('size_number', '160')")
    wait_until(browser, f"{WHOLE} && shownOf(0).rows.has(160)")
    require("-N 160" in browser.value("document.getElementById('command').textContent"), "a typed size is asked")
    wait_until(browser, "document.getElementById('progress').hidden")  # the curve is whole
    for place in ("curve", "efficiency"):
        x, y, width, height = box_of(browser, f"#{place} [data-size='160']")
        browser.move_mouse(x + width / 2, y + height / 2)
        words = browser.value("document.getElementById('tooltip').checkVisibility() && document.getElementById('tooltip').textContent")
        require(words and words.startswith("160 accelerators"), f"the words at a size of {place}: {words!r}")
    mouse(browser, "mouseMoved", 2, 2)
    x, y, width, height = box_of(browser, "#curve [data-size='64']")
    browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x + width / 2, "y": y + height / 2}])
    words = browser.value("document.getElementById('tooltip').textContent")
    require(words.startswith("64 accelerators"), f"the words under a finger: {words!r}")
    browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    browser.value("document.querySelector('#curve [tabindex=\"0\"]').focus()")
    press(browser, "ArrowRight", 39)
    focused = browser.value("Number(document.activeElement.dataset.size)")
    press(browser, "Enter", 13)
    require(browser.value("current().size") == focused, f"Enter chooses {focused}, the page has {browser.value('current().size')}")
    # The list of clusters shows all of them, each with memory and price, and narrows as one types.
    x, y, width, height = box_of(browser, "#cluster")
    for kind in ("mousePressed", "mouseReleased"):
        mouse(browser, kind, x + 20, y + height / 2)
    items = "document.querySelectorAll('#cluster_list li').length"
    require(browser.value(f"{items} === offers.clusters.length"), f"the list shows {browser.value(items)} clusters")
    require(browser.value("/80 GB|85.5 GB/.test(document.querySelector('#cluster_list [data-name=dgx-h100]').textContent) && /[$][0-9.]+.h/.test(document.querySelector('#cluster_list [data-name=dgx-h100]').textContent)"), "memory and price")
    browser.call("Input.insertText", text="h200 dgx")
    require(browser.value(items) == 1, "what is typed narrows the list")
    press(browser, "Enter", 13)
    require(browser.value("current().cluster") == "dgx-h200", f"Enter picks {browser.value('current().cluster')}")
    browser.value(f"({change})('cluster', 'dgx-h100')")
    browser.value("chooseSize(64)")
    wait_until(browser, DRAWN)


def check_comparison(browser):
    """Two scenarios: numbers of their difference, and of all machines which is cheapest."""
    browser.value("state.scenarios = [structuredClone(scenario_defaults), { ...structuredClone(scenario_defaults), network: -1 }]; [state.metric, state.deadline, state.budget] = ['days', '90', '']; chooseScenario(1)")
    wait_until(browser, f"{WHOLE} && document.getElementById('comparison').textContent.includes('as long')")
    browser.settle()
    a, b = (browser.value(f"usual(shownOf({i}).rows.get(512), 'days')") for i in (0, 1))
    said = browser.value("document.getElementById('comparison').innerText") + browser.value("document.getElementById('headline').textContent")
    require(said.count(f"takes {float(f'{b / a:.3g}'):g} x as long") == 2, f"{b / a} x as long: {said!r}")
    require("half the network" in said and "more expensive" in said, f"the scenarios compared: {said!r}")
    browser.value("chooseScenario(0); document.getElementById('cheapest_ask').click()")
    wait_until(browser, "document.getElementById('cheapest_words').textContent.startsWith('Cheapest of ')", 120)
    rows = browser.value("[...document.querySelectorAll('#cheapest tbody tr')].map((row) => row.innerText)")
    asked = json.loads(browser.value("carrier.ask('check', { command: 'plan', arguments: ['llama3-70b', 'dgx-b200'], options: { accelerators: '512', tokens: '2T', deadline: '90d' } }).then(JSON.stringify)"))["rows"]
    cost = next(row for row in asked if row["is_best"])["cost_usd_as_runs_went"]
    shown = next((row for row in rows if row.startswith("dgx-b200")), "")
    require(browser.value(f"dollars({cost})") in shown, f"the row of dgx-b200 costs {cost}: {rows}")
    browser.value("document.querySelector('#cheapest tbody button').click()")
    require(browser.value("state.scenarios.length") == 3, "a machine becomes a scenario")
    browser.value("dropScenario(); dropScenario(); 0")
    wait_until(browser, f"{WHOLE} && state.scenarios.length === 1")
    browser.value("saved = null; save('x', 'y', pictureOfCurves())")
    picture = browser.value("saved")
    require(picture.count("<svg") == 3 and "llama3-70b on 512 x H100 SXM" in picture.replace("</text>", ""), f"the picture explains itself: {picture[:500]}")


def check_fast_changes(browser, changes, draw):
    """At full speed no numbers stand under another question's name: each headline is the answer to a question that was there."""
    browser.value("""state.scenarios = [structuredClone(scenario_defaults)]; chooseScenario(0);
      seen = new Map(); questions = new Map();
      note = () => { const late = isLate(0), words = document.getElementById('headline').textContent; if (words !== '...') seen.set(words, late); };
      watch = new MutationObserver(note); watch.observe(document.getElementById('headline'), { childList: true, characterData: true, subtree: true }); 0""")
    for _ in range(changes):
        scenario = drawn_state(draw) | {"switches": {}, "stated": False}
        browser.value(f"state.scenarios[0] = {{ ...structuredClone(scenario_defaults), ...{json.dumps(scenario)} }}; questions.set(JSON.stringify(questionOf(current(), current().size)), structuredClone(current())); changed()")
        time.sleep(draw.choice([0, 0, 0.02, 0.1, 0.3]))
    wait_until(browser, WHOLE, 120)
    browser.settle()
    browser.value("watch.disconnect(); asked_of = [structuredClone(scenario_defaults), ...questions.values()]; words = new Set(); 0")
    for i in range(browser.value("asked_of.length")):
        browser.value(f"""(async () => {{ const scenario = asked_of[{i}], question = questionOf(scenario, scenario.size), answer = await carrier.ask('fresh', question);
          if (answer.rows) words.add(sentence({{ scenario, question }}, answer.rows[0])); }})()""")
    strange = browser.value("[...seen.keys()].filter((each) => !words.has(each))")
    require(not strange, f"headlines that no question has: {strange[:3]}")
    print(f"changes: {changes} at full speed, {browser.value('seen.size')} headlines, each of its own question")


def check_workload(browser, change):
    """A workload of measured steps shows and asks nothing that is of simulated ones alone."""
    scenario = "{ job: 'bert', cluster: 'dgx-h100', size: 64, stated: true, plan: { tp: '2' }, switches: { overrun: 'none', precision: 'bf16' } }"
    browser.value(f"kept = current(); limits = [state.metric, state.deadline]; [state.metric, state.deadline] = ['days', '']; state.scenarios[0] = {{ ...structuredClone(scenario_defaults), ...{scenario} }}; showControls(true); changed()")
    wait_until(browser, DRAWN)
    shown = browser.value("['tokens_label', 'plan'].filter((id) => document.getElementById(id).checkVisibility())")
    require(not shown, f"a workload has no {shown}")
    able = browser.value("[...document.querySelectorAll('#switches select:enabled')].map((each) => each.dataset.option)")
    require(able == ["precision", "failure-every"], f"switches of a workload: {able}")
    said = browser.value("commandOf(current()) + headline()")
    require("bert on 64" in said and "--overrun" not in said and "--tp" not in said, f"a workload with a run's switches: {said!r}")
    wait_until(browser, WHOLE)
    browser.settle()
    axis = browser.value("[...document.querySelectorAll('#curve text.muted')].map((each) => each.textContent)")
    ticks = axis[1:axis.index("8")]
    require(axis[0] in ("time, minutes", "time, s") and len(ticks) > 1 and all(re.fullmatch(r"[\d.]+k?", tick) for tick in ticks),
            f"an axis of one unit: {axis}")
    memory = browser.value("document.getElementById('memory').textContent")
    require("not known of measured steps" in memory and "GB" not in memory, f"memory of a workload: {memory!r}")
    wait_until(browser, "timeline.view.rows.length > 0")
    browser.value("state.scenarios[0] = kept; [state.metric, state.deadline] = limits; showControls(true); changed()")
    wait_until(browser, DRAWN)


def check_file_at_start(tofn, chromium):
    """`tofn explore FOLDER/config.json` begins with that model, under the folder's name; what is none is refused."""
    said = subprocess.run([tofn, "explore", "nosuch"], capture_output=True, text=True, check=False)
    require(said.returncode == 2 and "unknown job 'nosuch'" in said.stderr, f"a job that is none: {said}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = pathlib.Path(folder) / "my-model" / "config.json"
        file.parent.mkdir()
        file.write_text(json.dumps(TINY_LLAMA), encoding="utf-8")
        for job in (str(file), str(file.parent)):
            server, browser = Server(tofn, job, "dgx-h100", "-N", "16", "--tokens", "100B"), Browser(chromium, folder + "/profile")
            try:
                browser.open(server.url, 1400, 900)
                wait_until(browser, DRAWN)
                browser.settle()
                shown = browser.value("[document.getElementById('headline').textContent, commandOf(current())]")
                require(shown[0].startswith("Llama of 22 layers (my-model.json) on 16 x H100 SXM: "), f"{job} begins with {shown}")
                require(shown[1].startswith(f"tofn predict {job} dgx-h100 -N 16 --tokens 100B"), f"the command of {job}: {shown[1]!r}")
            finally:
                browser.close()
                server.close()


TINY_LLAMA = {"model_type": "llama", "vocab_size": 32000, "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 22,
              "num_attention_heads": 32, "num_key_value_heads": 4, "max_position_embeddings": 2048, "architectures": ["LlamaForCausalLM"]}


def check_files(browser):
    """A file that is dropped keeps its name, and its keys say what it is."""
    files = [("tiny-llama.json", json.dumps(TINY_LLAMA), "model"), ("my bert.yaml", (CONFIGS / "workloads/bert.yaml").read_text(), "workload"),
             ("olmo.yaml", (CONFIGS / "runs/olmo2-7b-pretraining.yaml").read_text(), "run")]
    browser.value("kept = current(); state.scenarios[0] = structuredClone(scenario_defaults)")
    for name, text, kind in files:
        browser.value(f"""(() => {{ const files = new DataTransfer(); files.items.add(new File([{json.dumps(text)}], {json.dumps(name)}));
          document.dispatchEvent(new DragEvent("drop", {{ dataTransfer: files }})); }})()""")
        said, shown = name.replace(" ", "_"), "document.getElementById('headline').textContent"
        wait_until(browser, f"current().file?.name === {json.dumps(said)} && {DRAWN}")
        browser.settle()
        title = f"Llama of 22 layers ({said})" if kind == "model" else said
        require(browser.value(shown).startswith(f"{title} on "), f"{name} is {browser.value(shown)!r}")
        require(browser.value("kindOf(current())") == kind, f"{name} is a {browser.value('kindOf(current())')}")
        require(f"tofn predict path/to/{said} " in browser.value("commandOf(current())"), f"the command of {name}: {browser.value('commandOf(current())')!r}")
        check_link_of_file(browser, said, text, shown)
    check_file_without_link(browser)
    browser.value("state.scenarios[0] = kept; showControls(true); changed()")
    wait_until(browser, DRAWN)


def check_link_of_file(browser, name, text, shown):
    """Who opens the link has the same file and the same answer; a damaged link opens no other model."""
    said, link = browser.value(shown), browser.value("location.hash")
    require(len(link) < 4000, f"the link of {name} has {len(link)} characters")
    for hash_of, place, expected in ((link, shown, said), (link.replace("d.", "d.AAAA", 1), PROBLEM, f"'{name}'")):
        browser.value("location.hash = ''; state.scenarios[0] = structuredClone(scenario_defaults); showControls(true); changed()")
        wait_until(browser, f"{DRAWN} && {shown}.startsWith('llama3-70b on ')")
        began = browser.value("round_of_changes")
        browser.value(f"location.hash = {json.dumps(hash_of)}")
        wait_until(browser, f"round_of_changes > {began} && {DRAWN}")
        browser.settle()
        require(expected in browser.value(place), f"the link of {name} opens {browser.value(place)!r}, expected {expected!r}")
        if hash_of == link:
            require(browser.value("current().file.text") == text, f"the link of {name} has another text")
    browser.value(f"location.hash = {json.dumps(link)}")
    wait_until(browser, f"current().file && {DRAWN}")


def check_file_without_link(browser):
    """A file that is too long for a link has none, and the page says so."""
    button = "document.getElementById('copy_link')"
    require(not browser.value(f"{button}.disabled"), "a short file has a link")
    # Letters without a pattern, so that they do not deflate.
    browser.value("""(() => { const files = new DataTransfer(), noise = Array.from(crypto.getRandomValues(new Uint8Array(20000)), (byte) => byte.toString(16)).join('');
      files.items.add(new File([`# ${noise}`], 'long.yaml')); document.dispatchEvent(new DragEvent('drop', { dataTransfer: files })); })()""")
    wait_until(browser, f"current().file?.name === 'long.yaml' && {DRAWN}")
    require(browser.value(f"{button}.disabled && {button}.textContent") == "No link: long.yaml is too long for one", "a long file's link")
    require("packed" not in browser.value("decodeURIComponent(location.hash)"), "the page's own address has no half of a file")


def check_timeline(browser, change):
    """Stages, passes and layers of the step: what is drawn is what its table has."""
    words = "document.getElementById('timeline_words').textContent"
    wait_until(browser, f"{words}.includes('micro-batches')")
    stages = browser.value("new Set(timeline.view.rows.map((row) => row.stage)).size")
    require(f"{stages} stage" in browser.value(words), f"{stages} stages: {browser.value(words)!r}")
    browser.value("document.getElementById('timeline_canvas').focus()")
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
    require("ms" in browser.value(words), f"an arrow key names a pass: {browser.value(words)!r}")
    browser.value(f"({change})('timeline_stage', '1')")
    wait_until(browser, "timeline.view.rows.some((row) => row.layer)")
    require(browser.value("timeline.view.rows.every((row) => row.stage === 1)"), "one stage alone is shown")
    whole = browser.value("document.getElementById('timeline_canvas').toDataURL()")
    browser.value(f"({change})('timeline_zoom', '4')")
    require(browser.value("document.getElementById('timeline_canvas').toDataURL()") != whole, "the zoom changes what is drawn")
    browser.value(f"({change})('timeline_zoom', '0')")
    left, top, width, _ = box_of(browser, "#timeline_canvas")
    at = lambda share: left + 52 + share * (width - 52)
    mouse(browser, "mousePressed", at(0.2), top + 30)
    mouse(browser, "mouseMoved", at(0.4), top + 30, buttons=1)
    mouse(browser, "mouseReleased", at(0.4), top + 30)
    require("Selected " in browser.value(words), f"a drag selects: {browser.value(words)!r}")
    for count in (1, 2):
        for kind in ("mousePressed", "mouseReleased"):
            browser.call("Input.dispatchMouseEvent", type=kind, x=at(0.3), y=top + 30, button="left", clickCount=count)
    zoom = browser.value("timeline.view.zoom")
    require(abs(2 ** zoom - 5) < 0.1, f"a double click shows the fifth that is selected: {2 ** zoom}")
    browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=at(0.5), y=top + 30, deltaX=0, deltaY=-200, modifiers=2)
    wait_until(browser, f"timeline.view.zoom > {zoom}")
    from_at = browser.value("timeline.view.at")
    mouse(browser, "mousePressed", at(0.5), top + 30)
    mouse(browser, "mouseMoved", at(0.3), top + 30, buttons=1)
    mouse(browser, "mouseReleased", at(0.3), top + 30)
    require(browser.value("timeline.view.at") > from_at, "a drag moves what is zoomed in")


def drawn_state(draw):
    job = draw.choice(MODELS + WORKLOADS)
    scenario = {"job": job, "cluster": draw.choice(CLUSTERS), "size": draw.choice([8, 16, 64, 128, 256, 512, 1024])}
    if job in WORKLOADS:
        scenario |= {"cluster": "dgx-h100", "size": draw.choice([8, 64, 512])}
    elif draw.random() < 0.8:
        scenario["tokens"] = draw.choice(["200B", "2T", "15T", ""])
    if draw.random() < 0.3:
        scenario["price"] = draw.choice([1.5, 3, 8])
    if draw.random() < 0.3:
        scenario["network"] = draw.choice([-2, -1, 1, 2])
    if job not in WORKLOADS and draw.random() < 0.4:
        scenario |= {"stated": True, "plan": {"tp": draw.choice(["1", "4", "8"]), "pp": draw.choice(["1", "2", "8"])}}
    if job not in WORKLOADS and draw.random() < 0.4:
        scenario["switches"] = {"precision": draw.choice(["bf16", "fp8"]), "data-overlap": draw.choice(["on", "off"])}
    return scenario


def command_says(tofn, line):
    """The one row, or the error, of the copied command line."""
    words = shlex.split(line)
    done = subprocess.run([tofn, *words[1:], "--format", "json"], capture_output=True, text=True, check=False)
    if done.stdout:
        return json.loads(done.stdout)["rows"][0]
    return done.stderr.strip().splitlines()[-1].removeprefix("tofn: ")


def check_states(browser, server, tofn, states, draw):
    times = {"stated plan": [], "best plan": [], "workload": []}
    for _ in range(states):
        link = {"s": [drawn_state(draw)], "current": 0, "metric": draw.choice(["days", "cost_usd", "mfu"])}
        began = browser.value("round_of_changes")
        browser.value(f"location.hash = '#' + encodeURIComponent({json.dumps(json.dumps(link))})")
        wait_until(browser, f"round_of_changes > {began} && ({DRAWN})")
        line = browser.value("document.getElementById('command').textContent")
        shown = browser.value("results.get(0).error ?? results.get(0).rows.get(state.scenarios[0].size)")
        expected = command_says(tofn, line)
        require(shown == expected, f"{line}: the page has {str(shown)[:300]}, the command {str(expected)[:300]}")
        # From an input to what is drawn of it, without what asking from here takes.
        kind = "workload" if link["s"][0]["job"] in WORKLOADS else "stated plan" if link["s"][0].get("stated") else "best plan"
        times[kind].append(browser.value("""(async () => { cache.clear(); const from = performance.now(), round = round_of_changes;
          current().price = 1 + 10 * Math.random(); changed();
          while (document.body.dataset.drawn !== String(round_of_changes)) await new Promise((done) => setTimeout(done, 1));
          await new Promise(requestAnimationFrame); return performance.now() - from; })()"""))
    print(f"states: {states} say what the command says")
    for what, taken in times.items():
        if taken:
            taken.sort()
            print(f"from input to drawn, {what}: {statistics.median(taken):.0f} ms in the median, "
                  f"{taken[int(0.95 * len(taken))]:.0f} ms in 95 of 100, of {len(taken)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tofn")
    parser.add_argument("--states", type=int, default=12)
    parser.add_argument("--changes", type=int, default=40)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    said = subprocess.run([asked.tofn, "explore", "--port", "0x"], capture_output=True, text=True, check=False).stderr
    require("--port" in said, f"a bad port is refused: {said}")
    server = Server(asked.tofn)
    try:
        check_strangers(server, asked.requests)
        chromium = find_chromium()
        if not chromium:
            print("no Chromium: the page was not opened")
            sys.exit(SKIPPED)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            check_file_at_start(asked.tofn, chromium)
            browser = Browser(chromium, profile)
            try:
                browser.open(server.url, 1400, 900)
                check_controls(browser)
                for dark in (False, True):
                    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
                    wait_until(browser, WHOLE)
                    browser.settle()
                    found = accessibility.problems_of(browser)
                    require(not found, f"{'dark' if dark else 'light'}: {'; '.join(found)}")
                check_fast_changes(browser, asked.changes, random.Random(asked.seed))
                check_states(browser, server, asked.tofn, asked.states, random.Random(asked.seed))
                for width in (1400, 420):
                    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
                    browser.settle()
                    wider = browser.value("document.documentElement.scrollWidth - innerWidth")
                    require(wider <= 0, f"at {width} px the page is {wider} px wider than the window")
                    if asked.keep:
                        asked.keep.mkdir(parents=True, exist_ok=True)
                        browser.screenshot(asked.keep / f"explore-{width}.png")
                require(not browser.problems, f"the console has {browser.problems}")
                strange = [url for url in browser.requests if not url.startswith((server.url, "data:", "blob:"))]
                require(not strange, f"requests to {strange}")
            finally:
                browser.close()
    finally:
        code = server.close()
    require(code == 0, f"the server ends with {code}")


if __name__ == "__main__":
    main()
