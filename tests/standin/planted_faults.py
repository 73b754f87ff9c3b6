#!/usr/bin/env python3
"""Plants the faults of planted_faults.tsv in the microbenchmarks, and runs their unit tests and those on the stand-in.

    planted_faults.py --build FOLDER [--only N...]

As scripts/mutate.py does it for sim/: a copy of the tree in FOLDER has each fault behind a switch, and is compiled
once. A row's `code` stands in the one line of `file` that has `line`. Exit code 1 where a fault is noticed by no test.
"""
import argparse
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

TABLE = pathlib.Path(__file__).with_suffix(".tsv")
UNIT_TESTS = "unit_microbench_tests"
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


def noticed_by(out, number):
    """The tests that fail with it."""
    environment = {**os.environ, "TOFN_FAULT": str(number)}
    if subprocess.run([out / "tests" / UNIT_TESTS], env=environment, cwd=out / "tests", capture_output=True, check=False, timeout=300).returncode != 0:
        return [(UNIT_TESTS, "Failed")]
    done = subprocess.run(["ctest", "--test-dir", out, "-R", TESTS, "--timeout", "120", "--stop-on-failure"], env=environment, capture_output=True, text=True, check=False)
    return re.findall(r"(standin/\w+) +\.*\**(Failed|Timeout|Exception|Subprocess)", done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--only", type=int, nargs="+", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    faults = dict(enumerate(planted_faults(), 1))
    tree = asked.build.resolve() / "tree"
    tree.mkdir(parents=True, exist_ok=True)
    mutate.plant(faults, tree)
    out = build(tree, asked.jobs)
    if noticed_by(out, 0):
        sys.exit("a test fails without a fault")
    missed = 0
    for number in asked.only or faults:
        start = time.monotonic()
        tests = noticed_by(out, number)
        missed += not tests
        said = ", ".join(f"{name} ({how})" for name, how in tests) or "NO TEST"
        print(f"{number:3} {faults[number].where:48} {faults[number].code} -> {faults[number].fault}: {said}, {time.monotonic() - start:.0f} s", flush=True)
    count = len(asked.only or faults)
    print(f"{count - missed} of {count} faults are noticed")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
