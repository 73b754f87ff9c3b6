#!/usr/bin/env python3
"""Lets each allocation, each read and each write of tofn's commands fail in turn, until one passes that none did.

    check_failing_calls.py TOFN LIBRARY [--most N] [--only COMMAND...]

LIBRARY is that of failing_calls.cpp. Where a command has more calls than N, N of them are taken, closer together
at the beginning. What must come of a call that failed: the same answer as without (the library may do without it),
or one line on standard error, exit code 1 or 2, and under the asked name no file or a whole one. A sweep that failed is resumed, and
has the same rows as one that did not. The server of `tofn explore` answers the next question as if nothing had
happened, or has ended with its line. It ends in a table.
"""
import argparse
import collections
import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

KINDS = ("allocation", "read", "write")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SWEEP = """format: 2
name: plans
title: Some plans
base: {model: llama3-8b, cluster: dgx-h100, accelerators: 64, batch: 128}
axes:
  - tp: [1, 2, 4, 8]
  - pp: [1, 2]
  - micro_batch: [1, 2]
"""
LOG = "\n".join(f" [2026-01-01 00:{i // 60:02}:{i % 60:02}] iteration {i + 1:8}/ 1000 | consumed samples: {(i + 1) * 64:12} | elapsed time per iteration (ms): {1000 + i % 7:.1f} | learning rate: 1.000E-04 | global batch size: 64 | lm loss: 7.000000E+00 |" for i in range(40)) + "\n"
SYSTEM = {"division": "closed", "status": "Available on-premise", "number_of_nodes": "1", "accelerators_per_node": "8", "accelerator_model_name": "NVIDIA H100-SXM5-80GB", "framework": "NeMo", "framework_name": "ngc24.09_nemo"}
# What each asks; its answer is what it prints, or FILE.
COMMANDS = {
    "predict": ["predict", "llama3-8b", "dgx-h100", "-N", "16", "--tokens", "1T"],
    "plan": ["plan", "llama3-8b", "dgx-h100", "-N", "8,16", "--tokens", "1T"],
    "sweep": ["sweep", "{folder}/sweep.yaml", "--threads", "2", "-o", "{folder}/out.csv"],
    "calibrate": ["calibrate", f"{ROOT}/tests/measurements/stas00-1x8-allreduce.txt", "-o", "{folder}/out.yaml"],
    "import": ["import", "mlperf", "{folder}/results", "-o", "{folder}/out.csv"],
    "watch": ["watch", "{folder}/train.log", "--once"],
    "report": ["report", "{folder}/sweep.csv", "-o", "{folder}/out.html"],
}


def mlperf_run(blocks):
    """The log of a run of LoRA: blocks of 48 steps of 3.5 s at batch 8, an evaluation of 30 s after each."""
    def event(key, value=None, **metadata):
        return ":::MLLOG " + json.dumps({"namespace": "", "time_ms": now, "event_type": "POINT_IN_TIME", "key": key, "value": value, "metadata": {"file": "train.py", "lineno": 1, **metadata}})
    now = 1_000_000
    yield event("init_start")
    yield event("submission_benchmark", "llama2_70b_lora")
    yield event("global_batch_size", 8)
    yield event("gradient_accumulation_steps", 2)
    now += 60_000
    yield event("run_start")
    now += 20_000
    for block in range(blocks):
        yield event("block_start", samples_count=384 * block)
        now += 168_000
        yield event("block_stop", samples_count=384 * (block + 1))
        yield event("eval_start", samples_count=384 * (block + 1))
        now += 30_000
        yield event("eval_accuracy", 0.93, samples_count=384 * (block + 1))
        yield event("eval_stop", samples_count=384 * (block + 1))
    yield event("run_stop", status="success", samples_count=384 * blocks)


def inputs(folder, tofn):
    """What the commands read."""
    (folder / "sweep.yaml").write_text(SWEEP)
    (folder / "train.log").write_text(LOG)
    submitter = folder / "results/Acme"
    runs = submitter / "results/box_x1/llama2_70b_lora"
    runs.mkdir(parents=True)
    (submitter / "systems").mkdir()
    (submitter / "systems/box_x1.json").write_text(json.dumps(SYSTEM))
    for run in range(10):
        (runs / f"result_{run}.txt").write_text("\n".join(mlperf_run(7 + run)))
    subprocess.run([tofn, "sweep", folder / "sweep.yaml", "-q", "-o", folder / "sweep.csv"], check=True)


class Trial:
    """A run of a command in a folder of its own."""

    def __init__(self, tofn, library, words, source, failing=None):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copytree(source, folder, dirs_exist_ok=True)
            before = set(folder.iterdir())
            self.words = [word.format(folder=folder) for word in words]
            counts = folder / "counts"
            environment = {**os.environ, "LD_PRELOAD": str(library), "TOFN_FAIL_COUNT": str(counts)}
            if failing:
                environment["TOFN_FAIL"] = failing
            try:
                done = subprocess.run([tofn, *self.words], env=environment, capture_output=True, timeout=120, check=False)
                self.code = done.returncode
            except subprocess.TimeoutExpired as late:
                done, self.code = late, "endless"
            hide = lambda text: (text or b"").decode(errors="replace").replace(name, "FOLDER")  # noqa: E731
            self.output, self.errors = hide(done.stdout), hide(done.stderr)
            self.counts = dict(line.split() for line in counts.read_text().splitlines()) if counts.exists() else {}
            asked = folder / pathlib.Path(self.words[-1]).name if "-o" in words else None
            self.file = hide(asked.read_bytes()) if asked and asked.exists() else None
            self.left = {path.name for path in set(folder.iterdir()) - before - {counts, asked}}
            self.resumed = None
            if words[0] == "sweep" and self.code not in (0, "endless"):
                resume = ["--resume"] if any(left.startswith("out.csv") for left in self.left) else []
                subprocess.run([tofn, *self.words, *resume], capture_output=True, timeout=120, check=False)
                self.resumed = hide(asked.read_bytes()) if asked.exists() else "no file"


def fault_of(trial, sound):
    """What is wrong with how it ended; empty: nothing."""
    said = [line for line in trial.errors.splitlines() if re.match(r"tofn: |\S+: cannot be |.*: ", line)]
    if trial.code not in (0, 1, 2):
        return f"exit code {trial.code}: {trial.errors.strip()[-200:]}"
    if trial.resumed is not None and trial.resumed != sound.file:
        return "resumed, it has other rows"
    is_same = (trial.output, trial.file) == (sound.output, sound.file)
    if trial.code == 0:  # a log among many that could not be read is named
        return "" if is_same or "cannot be read" in trial.errors else "another answer, without a word"
    if trial.file not in (None, sound.file):
        return f"a file that is not whole, exit code {trial.code}"
    if not said:
        return "not a word on standard error"
    if any(left.startswith("out") and ".part" not in left and ".journal" not in left for left in trial.left):
        return f"it leaves {', '.join(sorted(trial.left))}"
    return ""


class Served:
    """A question to `tofn explore`, so many times."""

    def __init__(self, tofn, library, questions, failing=None):
        with tempfile.TemporaryDirectory() as name:
            counts = pathlib.Path(name) / "counts"
            environment = {**os.environ, "LD_PRELOAD": str(library), "TOFN_FAIL_COUNT": str(counts)}
            if failing:
                environment["TOFN_FAIL"] = failing
            server = subprocess.Popen([tofn, "explore"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            port = re.search(r":(\d+)/", server.stdout.readline())
            self.answers = [self.ask(int(port[1])) for _ in range(questions)] if port else []
            server.terminate()
            try:
                self.code = server.wait(timeout=60)
            except subprocess.TimeoutExpired:
                server.kill()
                self.code = "endless"
            self.errors = server.communicate()[1]
            self.counts = dict(line.split() for line in counts.read_text().splitlines()) if counts.exists() else {}

    @staticmethod
    def ask(port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("POST", "/answer", json.dumps({"command": "list", "arguments": ["clusters"]}), {"Content-Type": "application/json"})
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            connection.close()


def fault_of_server(served, sound):
    """At most one of its answers may be none, and that is told or a connection that ends."""
    right = sound.answers[0]
    others = [(status, text) for status, text in served.answers if (status, text) != right]
    if served.code == 1:
        return "" if served.errors.startswith("tofn: ") else "it ended without a word"
    if served.code != sound.code:
        return f"exit code {served.code}: {served.errors.strip()[-200:]}"
    if len(others) > 1:
        return f"answers that are others: {others}"
    told = lambda text: re.search(rb"out of memory|Cannot allocate memory|cannot be read: Input/output error", text)  # noqa: E731
    return "" if all(status in (0, 500) or told(text) for status, text in others) else f"another answer: {others}"


def check_server(tofn, library, most, pool):
    """Rows of the table as those of a command."""
    sound = Served(tofn, library, 1)
    before = Served(tofn, library, 0).counts
    for kind in KINDS:
        first, count = int(before[kind]), int(sound.counts[kind])
        turns = [f"{kind}:{first + turn}" for turn in chosen(count - first, most)]
        trials = list(pool.map(lambda turn: Served(tofn, library, 2, turn), turns))
        yield kind, count - first, turns, trials, [fault_of_server(trial, sound) for trial in trials]


def chosen(count, most):
    """All up to `most`, or so many of them, the first ones closer together."""
    if count <= most:
        return list(range(1, count + 1))
    return sorted({1 + round((count - 1) * (i / (most - 1)) ** 2) for i in range(most)})


def check_command(tofn, library, words, source, most, pool):
    """Of each kind of call: how many there are, those that failed, what came of each, and what was wrong with it."""
    sound = Trial(tofn, library, words, source)
    if sound.code != 0:
        sys.exit(f"{words[0]} fails by itself: {sound.errors}")
    for kind in KINDS:
        count = int(sound.counts[kind])
        turns = [f"{kind}:{turn}{stays}" for turn in chosen(count, most) for stays in ("", "+")]
        trials = list(pool.map(lambda turn: Trial(tofn, library, words, source, turn), turns))
        yield kind, count, turns, trials, [fault_of(trial, sound) for trial in trials]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tofn", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=40, help="calls of a kind and command that fail (40)")
    parser.add_argument("--only", nargs="+", default=[*COMMANDS, "explore"], choices=[*COMMANDS, "explore"])
    asked = parser.parse_args()
    tofn, library = asked.tofn.resolve(), asked.library.resolve()
    os.environ.setdefault("TOFN_CONFIGS", str(ROOT / "configs"))
    bad = total = 0
    print(f"{'command':<10} {'call':<11} {'calls':>8} {'failed':>7} {'exit 0':>7} {'exit 1':>7} {'exit 2':>7} {'wrong':>6}")
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        source = pathlib.Path(name)
        inputs(source, tofn)
        for command in asked.only:
            rows = check_server(tofn, library, asked.most, pool) if command == "explore" else check_command(tofn, library, COMMANDS[command], source, asked.most, pool)
            for kind, count, turns, trials, faults in rows:
                codes = collections.Counter(trial.code for trial in trials)
                wrong = [(turn, fault) for turn, fault in zip(turns, faults) if fault]
                bad += len(wrong)
                total += len(trials)
                print(f"{command:<10} {kind:<11} {count:>8} {len(turns):>7} {codes[0]:>7} {codes[1]:>7} {codes[2]:>7} {len(wrong):>6}", flush=True)
                for turn, fault in wrong[:8]:
                    print(f"    TOFN_FAIL={turn}: {fault}", flush=True)
    print(f"{total} calls failed, {bad} times something went wrong")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
