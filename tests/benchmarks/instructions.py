#!/usr/bin/env python3
"""Counts the instructions of twelve commands and holds them against those of the last release.

    instructions.py TOFN [COMMAND...]       a table; COMMAND: names of its rows (default: all)
    instructions.py TOFN --write            writes the counts of all as those of a release
    instructions.py --self-check

Counts do not depend on what else the machine does, as times do. They are those of valgrind's callgrind, in millions, on one
thread. instructions.csv beside this file has those of the last release, with the date of its commit. It fails where a
command takes over 10 % more, and its row gives no `reason` with the count up to which that holds (`up_to_millions`).
`--write` takes reasons away. Exit code 0, 1 or 2; without valgrind it says so and ends with 0.
"""
import argparse
import csv
import dataclasses
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KEPT = HERE / "instructions.csv"
COLUMNS = ["command", "date", "millions", "up_to_millions", "reason"]
MAY_GROW = 1.10

JOB = "llama3-70b dgx-h100"
PLAN = "--tp 4 --cp 1 --pp 8 --chunks 5 --micro-batch 1 --recompute full --sharded optimizer --sequence-parallel on"
SWEEP = "--threads 1 -o {out}.csv"
COMMANDS = {
    "predict stated": f"predict {JOB} -N 512 --batch 512 {PLAN}",
    "predict on 64": f"predict {JOB} -N 64",
    "predict on 512": f"predict {JOB} -N 512",
    "step stated": f"step {JOB} -N 64 --batch 128 {PLAN}",
    "step of 8192 micro-batches": f"step {JOB} -N 32 --batch 8192 {PLAN}",
    "scale": "scale llama3-8b dgx-h100 -N 8..512 --batch 512",
    "sweep of plans": f"sweep {HERE}/plan_rows.yaml {SWEEP}",
    "sweep of data parallelism": f"sweep {HERE}/data_parallel_rows.yaml {SWEEP}",
    "plan": "plan llama3-8b dgx-h100 -N 64 --tokens 1T",
    "collective": "collective --cluster dgx-h100 --ranks 64 --size 25MiB",
    "list models": "list models",
    "validate energy": "validate energy",
}


@dataclasses.dataclass(frozen=True)
class Row:
    """Of a command, in the last release; `up_to`: what `reason` holds for, 0 without one."""
    command: str
    date: str
    millions: float
    up_to: float = 0
    reason: str = ""


def read(text):
    return {cells["command"]: Row(cells["command"], cells["date"], float(cells["millions"]), float(cells["up_to_millions"] or 0), cells["reason"])
            for cells in csv.DictReader(text.splitlines())}


def verdict(row, millions):
    """What the table says of a count, and whether it lets the release pass."""
    if row is None:
        return "new", True
    change = f"{100 * (millions / row.millions - 1):+.1f} %"
    if millions <= row.millions * MAY_GROW:
        return change, True
    if row.reason and millions <= row.up_to:
        return f"{change}: {row.reason}", True
    return f"{change}: needs a reason in {KEPT.name}", False


def counted(tofn, name):
    """Millions of instructions of a command, whose answer is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        words = COMMANDS[name].format(out=f"{folder}/out").split()
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts", str(tofn), *words, "--configs", str(ROOT / "configs"), "--quiet"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(f"instructions.py: tofn {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return int(found.group(1)) / 1e6


def commit_date():
    return subprocess.run(["git", "-C", str(ROOT), "log", "-1", "--format=%cs"], capture_output=True, text=True, check=True).stdout.strip()


def write(counts):
    with KEPT.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        date = commit_date()
        writer.writerows([name, date, f"{millions:.1f}", "", ""] for name, millions in counts.items())


def compare(tofn, names):
    """Prints a row as each command is done."""
    before = read(KEPT.read_text())
    print(f"{'command':<28} {'release':>10} {'now':>10}  million instructions", flush=True)
    counts, failed = {}, []
    for name in names:
        counts[name] = counted(tofn, name)
        words, passes = verdict(before.get(name), counts[name])
        release = f"{before[name].millions:.1f}" if name in before else "-"
        print(f"{name:<28} {release:>10} {counts[name]:>10.1f}  {words}", flush=True)
        if not passes:
            failed.append(name)
    print(f"instructions: {len(counts) - len(failed)} of {len(counts)} commands take no more than they may" + (f"; more: {', '.join(failed)}" if failed else ""))
    return counts, failed


def self_check():
    row = read("command,date,millions,up_to_millions,reason\nplan,2026-01-01,100,,\nscale,2026-01-01,100,130,more chips\n")
    assert verdict(row["plan"], 109.9) == ("+9.9 %", True)
    assert verdict(row["plan"], 60) == ("-40.0 %", True)
    assert not verdict(row["plan"], 110.1)[1]
    assert verdict(row["scale"], 125) == ("+25.0 %: more chips", True)
    assert not verdict(row["scale"], 131)[1]
    assert verdict(None, 5) == ("new", True)
    kept = read(KEPT.read_text())
    assert set(kept) == set(COMMANDS), "instructions.csv and the commands differ: " + ", ".join(set(kept) ^ set(COMMANDS))
    assert len(COMMANDS) == 12


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tofn", nargs="?", type=pathlib.Path)
    parser.add_argument("commands", nargs="*", metavar="COMMAND")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--self-check", action="store_true")
    asked = parser.parse_args()
    if asked.self_check:
        self_check()
        return 0
    unknown = [name for name in asked.commands if name not in COMMANDS]
    if asked.tofn is None or unknown or (asked.write and asked.commands):
        parser.error(f"no such command: {unknown[0]}; valid: {', '.join(COMMANDS)}" if unknown else "needs a build of tofn; --write counts all commands")
    if shutil.which("valgrind") is None:
        print("instructions: not counted, for valgrind is not installed")
        return 0
    counts, failed = compare(asked.tofn.resolve(), asked.commands or list(COMMANDS))
    if asked.write:
        write(counts)
        return 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
