#!/usr/bin/env python3
"""Plants the faults of planted_faults.tsv in the microbenchmarks, and runs their unit tests and those on the stand-in.

    planted_faults.py --build FOLDER [--only N...]
    planted_faults.py --list                       where they stand today; exit code 1 where one stands nowhere

As scripts/mutate.py does it for sim/: a copy of the tree in FOLDER has each fault behind a switch, and is compiled
once. A row's `code` stands in the one line of `file` that has `line`. A fault is told by a check that fails, by a crash,
or only by the time that a test takes, which a busy machine may do as well. Exit code 1 where no test tells it.
"""
import argparse
import collections
import csv
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import mutate  # noqa: E402
import sessions  # noqa: E402

TABLE = pathlib.Path(__file__).with_suffix(".tsv")
UNIT_TESTS = "unit_microbench_tests"
UNIT_SECONDS = 300
# More than the TIMEOUT of its tests together, by which ctest ends each.
STANDIN_SECONDS = 2400
HOW = {"Failed": "check", "Timeout": "time", "Exception": "crash", "Subprocess": "crash"}
TESTS = r"^standin/(gpu|bench|groups|order|faults)$"


def planted_faults():
    for row in csv.DictReader(TABLE.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE):
        file = ROOT / row["file"]
        places = [(number, line) for number, line in enumerate(file.read_text(encoding="utf-8").split("\n")) if row["line"] in line and row["code"] in line]
        if len(places) != 1:
            sys.exit(f"{TABLE.name}: {row['file']} has {len(places)} lines with {row['line']} and {row['code']}: one is expected")
        number, line = places[0]
        word = re.search(rf"(?<![\w.]){re.escape(row['code'])}", line)
        yield mutate.Fault(file, number, word.start(), word.start() + len(row["code"]), row["code"], row["fault"], "known")


def build(tree, jobs):
    out = tree / "build"
    subprocess.run(["cmake", "-S", tree, "-B", out, "-G", "Ninja", "-DCMAKE_CXX_FLAGS=-w", "-DCMAKE_BUILD_TYPE=Release", "-DTOFN_WERROR=OFF", "-DTOFN_PYTHON=OFF", "-DTOFN_NCCL=ON"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["ninja", "-C", out, "-j", str(jobs), UNIT_TESTS, "gpu_tests", "standin_tests", "tofn-bench", "tofn", "tofn_standin"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout[-3000:])
    return out


def told_by(out, number):
    """The first test that tells the fault, and how; empty: none does."""
    environment = {**os.environ, "TOFN_FAULT": str(number)}
    code, _ = sessions.run([out / "tests" / UNIT_TESTS], UNIT_SECONDS, environment, out / "tests")
    if code != 0:
        return UNIT_TESTS, "time" if code is None else "check" if code > 0 else "crash"
    code, printed = sessions.run(["ctest", "--test-dir", out, "-R", TESTS, "--stop-on-failure"], STANDIN_SECONDS, environment, out)
    told = re.search(r"(standin/\w+) +\.*\**(Failed|Timeout|Exception|Subprocess)", printed)
    if told:
        return told[1], HOW[told[2]]
    if code is None:
        return "ctest", "time"
    if code != 0:
        sys.exit(f"ctest: exit {code}\n{printed[-2000:]}")
    return "", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--build", type=pathlib.Path)
    what.add_argument("--list", action="store_true")
    parser.add_argument("--only", type=int, nargs="+", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    sessions.end_with_this_script()
    faults = dict(enumerate(planted_faults(), 1))
    if asked.list:
        for number, fault in faults.items():
            print(f"{number:3} {fault.where} {fault.code} -> {fault.fault}")
        return
    tree = asked.build.resolve() / "tree"
    tree.mkdir(parents=True, exist_ok=True)
    mutate.plant(faults, tree)
    out = build(tree, asked.jobs)
    test, how = told_by(out, 0)
    if test:
        sys.exit(f"{test} fails without a fault ({how})")
    told = collections.Counter()
    print(f"{'':3} {'told by':6} {'test':22} {'seconds':>7}  fault")
    for number in asked.only or faults:
        start = time.monotonic()
        test, how = told_by(out, number)
        told[how] += 1
        fault = faults[number]
        print(f"{number:3} {how or 'NONE':7} {test or 'NO TEST':22} {time.monotonic() - start:7.0f}  {fault.where} {fault.code} -> {fault.fault}", flush=True)
    noticed = told.total() - told[""]
    print(f"{noticed} of {told.total()} faults are noticed, {told['time']} of them only by time")
    sys.exit(1 if told[""] else 0)


if __name__ == "__main__":
    main()
