#!/usr/bin/env python3
"""What Python adds to a call, to the import, and to a sweep of 100,000 points. Run by hand: machines differ.

    PYTHONPATH=build/python tests/python/speed.py build
"""
import json
import pathlib
import statistics
import subprocess
import sys
import time

import tofn

ROUNDS, CALLS = 9, 200
# Short ones, beside which what Python adds can be seen: an answer, and a mistake.
QUESTIONS = (("list", ["plans"], {}), ("collective", [], {"cluster": "dgx-h100", "ranks": 8, "size": "25MiB"}),
             ("predikt", [], {"accelerators": 8}))
GRID = {"format": 2, "name": "hundred-thousand", "title": "100,000 predictions",
        "base": {"workload": "bert", "cluster": "dgx-h100"},
        "axes": [{"multiply": "cluster.network.nic_bandwidth", "name": "bandwidth_factor",
                  "log_range": {"from": 0.25, "to": 4, "count": 50}},
                 {"replica_batch": {"range": {"from": 1, "to": 100}}},
                 {"accelerators": {"range": {"from": 8, "to": 160, "step": 8}}}],
        "columns": ["batch", "step_s", "time_to_train_min", "communication_exposed_share"]}


def seconds_of(work):
    start = time.perf_counter()
    given = work()
    return time.perf_counter() - start, given


def asked(command, arguments, options):
    try:
        return tofn.answer(command, *arguments, **options)
    except tofn.Error as error:
        return error


def call_cost(build, command, arguments, options):
    """Microseconds of one call in C++ and in Python, in turn; of each the least, which other programs disturb least."""
    words = [command, *arguments, *(f"--{name}={value}" for name, value in options.items())]
    cpp, python = [], []
    for _ in range(ROUNDS):
        ran = subprocess.run([build / "tests/python/asker", str(CALLS)], input="\t".join(words) + "\n",
                             capture_output=True, text=True, check=True)
        cpp.append(float(ran.stdout))
        seconds, _ = seconds_of(lambda: [asked(command, arguments, options) for _ in range(CALLS)])
        python.append(seconds / CALLS * 1e6)
    print(f"{' '.join(words)}: C++ {min(cpp):.1f} us, Python {min(python):.1f} us, added {min(python) - min(cpp):.1f} us")


def import_time():
    def started(code):
        return min(seconds_of(lambda: subprocess.run([sys.executable, "-c", code], check=True))[0] for _ in range(ROUNDS))
    print(f"import tofn: {(started('import tofn') - started('pass')) * 1e3:.0f} ms more than an empty program")


def sweep_speed(build):
    """The same grid by the command to a file of CSV, and in Python to arrays, in turn."""
    file = build / "hundred-thousand.yaml"
    file.write_text(json.dumps(GRID) + "\n", encoding="utf-8")
    ratios = []
    for _ in range(3):
        command, _ = seconds_of(lambda: subprocess.run([build / "tofn", "sweep", file, "--format", "csv", "-o",
                                                        build / "hundred-thousand.csv"], capture_output=True, check=True))
        python, answer = seconds_of(lambda: tofn.sweep(GRID))
        arrays, _ = seconds_of(lambda: [answer.numbers(column) for column in GRID["columns"]])
        ratios.append((python + arrays) / command)
        print(f"{len(answer)} rows: command {command:.2f} s, Python {python:.2f} s and {arrays * 1e3:.0f} ms of arrays")
    print(f"Python takes {statistics.median(ratios):.2f} times as long as the command")


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1]).resolve()
    for question in QUESTIONS:
        call_cost(folder, *question)
    import_time()
    sweep_speed(folder)
