#!/usr/bin/env python3
"""Keeps some 200 answers of the program, and shows which of them another build gives differently.

    frozen_answers.py keep TOFN FOLDER              writes each answer to FOLDER
    frozen_answers.py compare TOFN FOLDER [--data]  compares: text and data, or with --data the data alone
    frozen_answers.py --self-check

Questions are drawn with a fixed seed from the shipped models, workloads and clusters, beside every command, noun, sweep, help
text and some refusals. Data is what JSON holds without the commit and the digests of files; of a long table it is a digest.
Exit code 0: equal; 1: some differ, each of them named with its first different line; 2: a wrong argument.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONFIGS = ROOT / "configs"
SEED = 20261127
CLUSTERS = ["dgx-h100", "dgx-a100", "dgx-h200", "dgx-b200", "gb200-nvl72", "mi300x", "hgx-h20", "frontier", "tpu-v5p", "trn2",
            "aws-p5", "perlmutter-80gb"]
MODELS = ["llama3-8b", "llama3-70b", "llama3-405b", "gpt3-175b", "mixtral-8x7b", "deepseek-v3", "nemotron4-340b", "olmo2-13b",
          "llama2-70b", "megatron-22b"]
WORKLOADS = ["bert", "gpt3", "llama2_70b_lora", "stable_diffusion", "retinanet", "llama31_8b"]
COMMANDS = ["compare", "study", "predict", "plan", "scale", "step", "sweep", "collective", "report", "explore", "list", "explain",
            "init", "check", "calibrate", "validate", "import", "watch", "repeat", "manual"]
NOUNS = ["accelerators", "clusters", "fabrics", "baselines", "workloads", "models", "architectures", "plans", "runs", "stacks",
         "launchers", "sweeps", "figures", "disclosures", "calibrations", "fields"]
LOGS = "tests/unit/formats/data"
STATED = "--batch 512 --tp 4 --pp 8 --chunks 5 --micro-batch 1 --sharded optimizer --sequence-parallel on"
FIXED = [
    *[f"{command} --help" for command in COMMANDS],
    *[f"list {noun}" for noun in NOUNS],
    *[f"explain {term}" for term in ("MFU", "days", "tp", "bubble", "nic_bandwidth", "gibberish")],
    *[f"validate {what}" for what in ("energy", "runs", "plans", "published")],
    "compare", "study", "predict olmo2-13b-pretraining dgx-h100 -N 512", "predict deepseek-v3-pretraining deepseek-h800 -N 2048", "predict bert dgx-h100 -N 8..1024", "predict bert dgx-h100 -N 64",
    f"predict llama3-70b dgx-h100 -N 512 {STATED} --tokens 1T --table stages", f"step llama3-70b dgx-h100 -N 512 {STATED}",
    f"step llama3-70b dgx-h100 -N 64 {STATED.replace('--chunks 5 ', '')} --schedule zero-bubble", "step bert dgx-h100 -N 64", "scale bert dgx-h100 -N 8..512",
    "scale llama3-8b dgx-h100 -N 8..512 --batch 512", "plan llama3-8b dgx-h100 dgx-a100 -N 64,128 --tokens 1T",
    "plan llama3-8b dgx-h100 -N 64 --tokens 1T --deadline 20d", "predict llama3-8b dgx-h100 -N 64 --tokens 1T --deadline 20d",
    "predict llama3-8b dgx-h100 -N 64 --tokens 1T --sensitivity", "collective --cluster dgx-h100 --ranks 64 --size 25MiB",
    "collective --cluster gb200-nvl72 --ranks 72 --size 1GiB --collective all-gather", "check configs/models/llama3-8b.yaml configs/clusters/dgx-h100.yaml",
    "predict llama3-8 dgx-h100", "predict llama3-8b dgx-h10", "predict llama3-8b dgx-h100 --tp 7", "step llama3-8b", "plan",
    "predict llama3-8b dgx-h100 --tokens lots", "sweep configs/models/llama3-8b.yaml", "gibberish", "collective --size 3 bananas"]


def drawn():
    """Jobs of models and workloads, in the order of the seed."""
    random.seed(SEED)
    questions = []
    for _ in range(60):
        model, cluster = random.choice(MODELS), random.choice(CLUSTERS)
        size = random.choice([64, 128, 256, 512, 1024])
        extra = random.choice(["", "--batch 1024", "--stack nemo", "--stack megatron-core", "--overrun none", "--sharded parameters",
                               "--recompute full", "--search all", "--sequence-length 8192", "--deadline 60d"])
        questions.append(f"predict {model} {cluster} -N {size} --tokens {random.choice(['100B', '1T', '2T'])} {extra}".strip())
    for _ in range(20):
        questions.append(f"step {random.choice(MODELS)} {random.choice(CLUSTERS)} -N {random.choice([64, 256, 1024])} --batch 1024")
    for _ in range(15):
        questions.append(f"predict {random.choice(WORKLOADS)} {random.choice(CLUSTERS[:5])} -N {random.choice([8, 64, 512])}")
    for _ in range(15):
        kind = random.choice(["all-reduce", "all-gather", "reduce-scatter", "all-to-all"])
        size = random.choice(["64KiB", "4MiB", "256MiB", "1GiB"])
        questions.append(f"collective --cluster {random.choice(CLUSTERS)} --ranks {random.choice([8, 64, 512])} --size {size} --collective {kind}")
    for _ in range(8):
        questions.append(f"plan {random.choice(MODELS[:4])} {random.choice(CLUSTERS[:4])} -N 64,256 --tokens 1T")
    return questions


def questions():
    sweeps = [f"sweep {path.relative_to(ROOT)}" for path in sorted((CONFIGS / "sweeps").glob("*.yaml"))]
    return list(dict.fromkeys([*FIXED, *drawn(), *sweeps]))


def asked(tofn, question, *options):
    environment = {**os.environ, "TOFN_CONFIGS": str(CONFIGS), "COLUMNS": "100", "TERM": "dumb"}
    return subprocess.run([tofn, *question.split(), *options], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def data_of(text):
    """What JSON holds of an answer; long tables as a digest."""
    try:
        whole = json.loads(text)
    except ValueError:
        return text
    if isinstance(whole, dict):
        for name in ("tofn", "commit", "command", "files", "text", "again"):
            whole.pop(name, None)
    printed = json.dumps(whole, indent=1)
    return printed if len(printed) < 400_000 else hashlib.sha256(printed.encode()).hexdigest()


def answer(tofn, question):
    """`{"text": ..., "data": ..., "exit": ...}`."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["-o", f"{folder}/answer.csv"] if question.startswith("sweep configs/sweeps") else []
        printed = asked(tofn, question, *options)
        if options:
            rows = pathlib.Path(options[1])
            digest = hashlib.sha256(rows.read_bytes()).hexdigest() if rows.exists() else "no rows"
            return {"text": printed.stdout.replace(folder, ""), "data": digest, "exit": printed.returncode}
    has_data = printed.returncode != 2 and not re.search(r"--help|^(list|explain|check) ", question)
    data = data_of(asked(tofn, question, "--format", "json", "-q").stdout) if has_data else ""
    return {"text": printed.stdout + printed.stderr, "data": data, "exit": printed.returncode}


def file_of(folder, question):
    return folder / (re.sub(r"[^\w.-]+", "_", question)[:150] + ".json")


def difference(before, now, parts):
    """The first line in which two answers differ; None where they are equal."""
    for part in parts:
        if before[part] == now[part]:
            continue
        old, new = str(before[part]).split("\n"), str(now[part]).split("\n")
        at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
        return f"{part}, line {at + 1}: {' '.join(old[at:at + 1])!r} -> {' '.join(new[at:at + 1])!r}"
    return None


def keep(tofn, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for question, found in zip(questions(), pool.map(lambda each: answer(tofn, each), questions())):
            file_of(folder, question).write_text(json.dumps({"question": question, **found}))
    print(f"{len(questions())} answers kept in {folder}")
    return 0


def compare(tofn, folder, parts):
    kept = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    if not kept:
        sys.exit(f"frozen_answers.py: {folder}: holds no answers")
    differing = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for before, now in zip(kept, pool.map(lambda each: answer(tofn, each["question"]), kept)):
            if found := difference(before, now, parts):
                differing += 1
                print(f"{before['question']}\n    {found}")
    print(f"{differing} of {len(kept)} answers differ")
    return 1 if differing else 0


def self_check():
    same = {"text": "a\nb", "data": "1", "exit": 0}
    assert difference(same, dict(same), ["text", "data", "exit"]) is None
    assert difference(same, {**same, "text": "a\nc"}, ["text"]) == "text, line 2: 'b' -> 'c'"
    assert difference(same, {**same, "text": "a\nc"}, ["data", "exit"]) is None
    assert data_of('{"commit": "x", "rows": [1]}') == data_of('{"commit": "y", "rows": [1]}')
    assert len({file_of(ROOT, each) for each in questions()}) == len(questions())
    print("frozen_answers.py: self-check passed")
    return 0


def main():
    if sys.argv[1:] == ["--self-check"]:
        return self_check()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["keep", "compare"])
    parser.add_argument("tofn", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--data", action="store_true", help="compare the data alone")
    given = parser.parse_args()
    tofn = given.tofn.resolve()
    if given.what == "keep":
        return keep(tofn, given.folder)
    return compare(tofn, given.folder, ["data", "exit"] if given.data else ["text", "data", "exit"])


if __name__ == "__main__":
    sys.exit(main())
