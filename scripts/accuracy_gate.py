#!/usr/bin/env python3
"""Holds what one build predicts of every measurement that ships against what another predicted.

    accuracy_gate.py BEFORE NOW [--since REVISION] [--rows FILE.csv]
    accuracy_gate.py --self-check

BEFORE and NOW are builds of tofn, each with the configs of its own tree. Every row is predicted by both, under
every protocol of `tofn validate`. It fails where a row that had an answer is refused or gone, where the mean |error|
of a stack on a chip, of a make of links or of a round grows by more than 10 %, and where that of a whole table grows
by more than 3 %. A line `Accuracy: WHAT: why` in a commit since REVISION explains all whose names begin with
WHAT; what is explained is printed with its reason. --rows keeps all rows that differ. Exit code 0, 1 or 2.
"""
import argparse
import collections
import csv
import dataclasses
import functools
import io
import math
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GROUP_MAY_GROW, WHOLE_MAY_GROW = 1.10, 1.03
ROUNDING = 0.0005  # a mean of |error| that grows by less is as it was


@dataclasses.dataclass(frozen=True)
class Question:
    """A table of `tofn validate`: what names a row, what was measured and predicted, what rows are grouped by."""
    what: str
    arguments: str
    key: str
    measured: str
    predicted: str
    groups: tuple = ()


STEP = "stack model accelerator precision accelerators source"
QUESTIONS = [
    *(Question(f"steps {protocol}", f"steps --protocol {protocol}", f"{STEP} measured_s", "measured_s", "predicted_s", ("stack accelerator",))
      for protocol in ("left-out-model", "one-measured", "unknown-stack", "left-out-stack-on-chip", "left-out-chip")),
    Question("memory", "steps --protocol left-out-model", f"{STEP} measured_peak_gb", "measured_peak_gb", "predicted_peak_gb", ("stack accelerator",)),
    Question("plans", "plans", "stack model accelerator faster_plan slower_plan faster_measured_s slower_measured_s", "", "is_right", ("stack",)),
    *(Question(f"published {protocol}", f"published --protocol {protocol}", "benchmark org system accelerators source measured_s", "measured_s", "predicted_s",
               ("source", "accelerator", "benchmark")) for protocol in ("standing", "submitter", "round")),
    *(Question(f"collectives {protocol}", f"collectives CALIBRATIONS --protocol {protocol}", "file collective ranks nodes size measured_us", "measured_us", "predicted_us", ("laboratory",))
      for protocol in ("split", "nodes", "formula", "related")),
    Question("runs", "runs", "run accelerator accelerators gpu_hours", "gpu_hours", "predicted_gpu_hours", ("accelerator",)),
    Question("energy", "energy", "system benchmark accelerators", "node_w", "left_out_node_w", ("system",)),
]


@functools.cache
def table_of(tofn, question):
    configs = configs_of(tofn)
    words = [str(configs / "calibrations") if word == "CALIBRATIONS" else word for word in question.arguments.split()]
    done = subprocess.run([tofn, "validate", *words, "--configs", configs, "--format", "csv", "--quiet"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"{tofn} validate {' '.join(words)}: {done.stderr.strip()}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def configs_of(tofn):
    """The folder of the tree in which it was built."""
    for folder in pathlib.Path(tofn).resolve().parents:
        if (folder / "configs/accelerators").is_dir():
            return folder / "configs"
    sys.exit(f"{tofn}: no configs/ in a folder above it")


def laboratory(row):
    return row.get("laboratory") or row["file"].split("-")[0]


def errors_of(question, rows):
    """Row's name -> (groups, |error|; None: refused)."""
    seen, errors = collections.Counter(), {}
    for row in rows:
        key = ", ".join(row[column] for column in question.key.split())
        seen[key] += 1
        if seen[key] > 1:
            key += f" ({seen[key]})"
        groups = tuple(" on ".join(laboratory(row) if column == "laboratory" else row[column] for column in group.split()) for group in question.groups)
        predicted = row[question.predicted]
        if question.measured:
            error = abs(float(predicted) / float(row[question.measured]) - 1) if predicted and row[question.measured] else None
        else:
            error = 1 - float(predicted) if predicted else None
        errors[key] = (groups, error if error is not None and math.isfinite(error) else None)  # no number is no answer
    return errors


def means(errors, keys):
    of = collections.defaultdict(list)
    for key in keys:
        groups, error = errors[key]
        of[""].append(error)
        for group in groups:
            of[group].append(error)
    return {group: (statistics.fmean(values), len(values)) for group, values in of.items()}


def findings_of(question, before, now):
    """(name, what is worse) of a table; the means of the whole; the rows that differ."""
    answered = [key for key, (_, error) in before.items() if error is not None]
    lost = [key for key in answered if key not in now or now[key][1] is None]
    both = [key for key in answered if key not in lost]
    # Rows that were refused before count, as soon as they are answered, against nothing: they are new.
    old, new = means(before, both), means({key: (before[key][0], now[key][1]) for key in both}, both)
    findings = [(f"{question.what}: {key}", "had an answer, and has none") for key in lost]
    for group, (mean, count) in old.items():
        limit = GROUP_MAY_GROW if group else WHOLE_MAY_GROW
        if new[group][0] > limit * mean and new[group][0] > mean + ROUNDING:
            name = f"{question.what}, {group}" if group else question.what
            findings.append((name, f"{100 * mean:.2f} -> {100 * new[group][0]:.2f} % of {count}"))
    if not answered:
        findings.append((question.what, "no row had an answer before: nothing is compared"))
    differing = [(question.what, key, before[key][1], now[key][1] if key in now else None) for key in answered if key in lost or now[key][1] != before[key][1]]
    fresh = sum(error is not None and key not in answered for key, (_, error) in now.items())
    return findings, (old.get("", (0, 0)), new.get("", (0, 0))), differing, fresh


def reasons_since(revision):
    if not revision:
        return []
    said = subprocess.run(["git", "-C", ROOT, "log", "--format=%B", f"{revision}..HEAD"], capture_output=True, text=True, check=True).stdout
    parts = [line.removeprefix("Accuracy:").strip().partition(": ") for line in said.splitlines() if line.startswith("Accuracy:")]
    return [(what, why) for what, _, why in parts if why]


def self_check():
    question = Question("steps x", "", "name", "measured", "predicted", ("stack",))
    rows = [{"name": str(i), "stack": "ab"[i % 2], "measured": "1", "predicted": "1.1"} for i in range(10)]

    def found(change):
        changed = [dict(row) for row in rows]
        change(changed)
        return [name for name, _ in findings_of(question, errors_of(question, rows), errors_of(question, changed))[0]]

    assert not found(lambda rows: None)
    assert found(lambda rows: rows[3].update(predicted="")) == ["steps x: 3"]
    assert found(lambda rows: rows.pop()) == ["steps x: 9"]
    assert found(lambda rows: rows[0].update(predicted="1.16")) == ["steps x", "steps x, a"]
    assert found(lambda rows: [row.update(predicted="1.104") for row in rows]) == ["steps x"]
    assert not found(lambda rows: [row.update(predicted="1.05") for row in rows])
    print("accuracy_gate: planted losses are found")


def main():
    if sys.argv[1:] == ["--self-check"]:
        return self_check()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("now")
    parser.add_argument("--since", help="the revision that BEFORE is of: later commits may give reasons")
    parser.add_argument("--rows", type=pathlib.Path)
    asked = parser.parse_args()
    reasons, unexplained, differing = reasons_since(asked.since), 0, []
    print(f"{'table':32} {'rows':>5} {'before':>8} {'now':>8}  new answers, rows that differ")
    for question in QUESTIONS:
        before, now = (errors_of(question, table_of(tofn, question)) for tofn in (asked.before, asked.now))
        findings, (old, new), rows, fresh = findings_of(question, before, now)
        differing += rows
        print(f"{question.what:32} {old[1]:5} {100 * old[0]:7.2f}% {100 * new[0]:7.2f}%  {fresh}, {len(rows)}", flush=True)
        for name, worse in findings:
            why = next((why for what, why in reasons if name.startswith(what)), None)
            unexplained += why is None
            print(f"  {'WORSE' if why is None else 'said'}: {name}: {worse}{f' ({why})' if why else ''}")
    if asked.rows:
        with asked.rows.open("w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out)
            writer.writerow(["table", "row", "error_before", "error_now"])
            writer.writerows(differing)
    print("accuracy: nothing is worse that no commit explains" if not unexplained else f"accuracy: {unexplained} are worse, and no line `Accuracy: WHAT: why` of a commit says why")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
