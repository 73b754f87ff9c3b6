#!/usr/bin/env python3
"""Plants faults in sim/ and counts those that no test notices.

    mutate.py --build FOLDER [--count 400] [--seed S] [--files GLOB...] [--labels unit,laws]
    mutate.py --list                 the kinds of faults

A copy of the tree is written to FOLDER in which each drawn fault stands beside the code it replaces, behind a
switch that the variable TOFN_FAULT sets: the copy is compiled once, and the tests run once for each fault. Only
faults that the tests reach are counted. Tests that hold README's examples are not run: they are refreshed by a
command. Survivors are printed as FILE:LINE with the change; the table is kept in FOLDER/faults.csv, which a
later run with the same seed goes on with. Exit code 1 where fewer than 95 % are noticed.
"""
import argparse
import concurrent.futures
import csv
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEAST_KILLED = 0.95
# What a fault does: a pattern within one expression, and what takes its place.
KINDS = [
    ("plus to minus", r"(?<=[\w)\]]) \+ (?=[\w(])", " - "),
    ("minus to plus", r"(?<=[\w)\]]) - (?=[\w(])", " + "),
    ("times to over", r"(?<=[\w)\]]) \* (?=[\w(])", " / "),
    ("over to times", r"(?<=[\w)\]]) / (?=[\w(])", " * "),
    ("less to at most", r"(?<=[\w)\]]) < (?=[\w(])", " <= "),
    ("at most to less", r"(?<=[\w)\]]) <= (?=[\w(])", " < "),
    ("more to at least", r"(?<=[\w)\]]) > (?=[\w(])", " >= "),
    ("at least to more", r"(?<=[\w)\]]) >= (?=[\w(])", " > "),
    ("equal to unequal", r"(?<=[\w)\]]) == (?=[\w(])", " != "),
    ("unequal to equal", r"(?<=[\w)\]]) != (?=[\w(])", " == "),
    ("and to or", r" && ", " || "),
    ("or to and", r" \|\| ", " && "),
    ("max to min", r"std::max\(", "std::min("),
    ("min to max", r"std::min\(", "std::max("),
    ("one more", r"(?<![\w.\"'\[<{:])(\d+)(?![\w.\"'\]>])(?= [-+*/] )|(?<= [-+*/] )(\d+)(?![\w.])", None),
    ("a number half as large again", r"(?<![\w.\"'])(\d+\.\d+)(?![\w.])", None),
]
# A whole statement on one line, whose value may be chosen: its head, the expression, its end.
STATEMENTS = [
    re.compile(r"^(\s*return )([^{};]+)(;)$"),
    re.compile(r"^(\s*(?:const )?(?:double|int|bool|std::size_t|Seconds|Bytes|Flops|float|long long) \w+ = )([^{};]+)(;)$"),
    re.compile(r"^(\s*[\w.>\-\[\]*]+ (?:[-+*/]?=) )([^{};=][^{};]*)(;)$"),
    re.compile(r"^(\s*(?:if|while|\} else if) \()(.+)(\)(?: \{| return\b.*;| continue;| break;)?)$"),
]
SWITCH = """#pragma once
#include <cstdio>
#include <cstdlib>
#include <type_traits>
namespace tofn_faults {
/// The one of TOFN_FAULT; with TOFN_FAULTS_REACHED it notes each that is asked for.
inline bool chosen(int number) {
  static const int one = [] { const char* set = std::getenv("TOFN_FAULT"); return set ? std::atoi(set) : 0; }();
  static const char* reached = std::getenv("TOFN_FAULTS_REACHED");
  if (reached != nullptr) {
    static bool seen[1 << 14] = {};
    if (!seen[number]) { seen[number] = true; if (std::FILE* file = std::fopen(reached, "a")) { std::fprintf(file, "%d\\n", number); std::fclose(file); } }
  }
  return number == one;
}
}
constexpr bool tofn_fault(int number) { return std::is_constant_evaluated() ? false : tofn_faults::chosen(number); }
"""


def is_balanced(text):
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def changed(expression, kind, place):
    """The expression with the fault; None where the kind makes none of it."""
    _, pattern, by = KINDS[kind]
    found = list(re.finditer(pattern, expression))
    if place >= len(found):
        return None
    match = found[place]
    if by is None:
        number = match[0]
        by = str(int(number) + 1) if number.isdigit() else repr(float(number) * 1.5)
    return expression[:match.start()] + by + expression[match.end():]


def candidates(file):
    """(line, statement's parts, kind, place) of each fault that a file could have."""
    in_comment = False
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n")):
        in_comment = in_comment or line.strip().startswith("/*")
        if in_comment or "//" in line or '"' in line or "constexpr" in line or "static_assert" in line or "fmt::" in line:
            in_comment = in_comment and "*/" not in line
            continue
        for statement in STATEMENTS:
            match = statement.match(line)
            if not match or not is_balanced(match[2]) or "[" in match[2].replace("[i]", "") and "](" in match[2]:
                continue
            for kind in range(len(KINDS)):
                for place in range(len(re.findall(KINDS[kind][1], match[2]))):
                    yield number, match.groups(), kind, place
            break


def draw(files, count, seed):
    """One fault a line at most, drawn evenly over all that are possible."""
    every = [(file, *each) for file in files for each in candidates(file)]
    random.Random(seed).shuffle(every)
    drawn, lines = [], set()
    for file, number, parts, kind, place in every:
        if (file, number) in lines:
            continue
        lines.add((file, number))
        drawn.append((file, number, parts, kind, place))
        if len(drawn) == count:
            break
    return drawn


def plant(faults, folder):
    """A copy of the tree with all faults behind their switches."""
    tree = folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    skip = shutil.ignore_patterns("build*", ".git", "__pycache__")
    shutil.copytree(ROOT, tree, ignore=skip, symlinks=True)
    (tree / "sim/core/fault.hpp").write_text(SWITCH, encoding="utf-8")
    by_file = {}
    for index, (file, number, (head, expression, end), kind, place) in enumerate(faults, 1):
        with_fault = changed(expression, kind, place)
        by_file.setdefault(file, {})[number] = f"{head}(tofn_fault({index}) ? ({with_fault}) : ({expression})){end}" if not head.strip().startswith(("if", "while", "} else")) \
            else f"{head}tofn_fault({index}) ? ({with_fault}) : ({expression}){end}"
    for file, changes in by_file.items():
        lines = file.read_text(encoding="utf-8").split("\n")
        for number, text in changes.items():
            lines[number] = text
        first = next((i for i, line in enumerate(lines) if line.startswith("#include") or line.startswith("#pragma once")), 0)
        at = first + 1 if lines[first].startswith("#pragma") else first
        lines.insert(at, '#include "sim/core/fault.hpp"')
        (tree / file.relative_to(ROOT)).write_text("\n".join(lines), encoding="utf-8")
    return tree


def build(tree, labels, jobs):
    """Compiles the tests; faults that do not compile are left out by the caller. The compiler's complaints."""
    out = tree / "build"
    subprocess.run(["cmake", "-S", tree, "-B", out, "-G", "Ninja", "-DCMAKE_CXX_FLAGS=-Wno-error -w", "-DTOFN_PYTHON=OFF"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["ninja", "-C", out, "-j", str(jobs), "-k", "0", *targets(tree, labels), "tofn"], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def targets(tree, labels):
    units = sorted(folder.name for folder in (tree / "tests/unit").iterdir() if folder.is_dir()) if "unit" in labels else []
    return [f"unit_{name}_tests" for name in units] + [f"{label}_tests" for label in labels if label != "unit"]


def without_broken(faults, complaints, tree):
    """The faults on lines that the compiler did not complain about."""
    broken = {(match[1], int(match[2])) for match in re.finditer(rf"^{re.escape(str(tree))}/(\S+?):(\d+):\d+: error", complaints, re.M)}
    kept = []
    for fault in faults:
        name, line = str(fault[0].relative_to(ROOT)), fault[1]
        # One line was put in above.
        if not any(where == name and abs(at - 2 - line) <= 0 for where, at in broken):
            kept.append(fault)
    return kept


def run_tests(tree, names, number, seconds):
    """The first program that notices the fault; None: none does."""
    environment = {**os.environ, "TOFN_FAULT": str(number), "TOFN_CONFIGS": str(tree / "configs")}
    for name in names:
        try:
            done = subprocess.run([tree / "build/tests" / name, "--abort"], env=environment, cwd=tree / "build/tests", capture_output=True, timeout=seconds[name], check=False)
        except subprocess.TimeoutExpired:
            return f"{name} (endless)"
        if done.returncode != 0:
            return name
    return None


def order_for(file, names):
    """The tests of the fault's own folder first."""
    folder = file.relative_to(ROOT).parts[1]
    return sorted(names, key=lambda name: (name != f"unit_{folder}_tests", "unit" not in name))


def prepare(asked, folder):
    """Faults that compile and that tests reach, the tree they stand in, and how long each test program may take."""
    files = sorted(file for glob in asked.files for file in ROOT.glob(glob))
    faults = draw(files, 3 * asked.count, asked.seed)
    while True:
        tree = plant(faults, folder)
        code, complaints = build(tree, asked.labels, asked.jobs)
        if code == 0:
            break
        kept = without_broken(faults, complaints, tree)
        if len(kept) == len(faults):
            sys.exit(f"the copy does not compile:\n{complaints[-3000:]}")
        print(f"{len(faults) - len(kept)} faults do not compile and are left out", flush=True)
        faults = kept
    reached, seconds = folder / "reached.txt", {}
    reached.unlink(missing_ok=True)
    for name in targets(tree, asked.labels):
        start = time.monotonic()
        environment = {**os.environ, "TOFN_FAULTS_REACHED": str(reached), "TOFN_CONFIGS": str(tree / "configs")}
        done = subprocess.run([tree / "build/tests" / name], env=environment, cwd=tree / "build/tests", capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{name} fails without a fault:\n{done.stdout.decode()[-2000:]}")
        seconds[name] = 60 + 10 * (time.monotonic() - start)
    seen = {int(line) for line in reached.read_text().split()}
    counted = [(number, fault) for number, fault in enumerate(faults, 1) if number in seen][:asked.count]
    print(f"{len(faults)} faults planted, {len(seen)} reached by the tests, {len(counted)} counted", flush=True)
    return tree, counted, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, help="folder of the copy and of its table")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--labels", type=lambda text: text.split(","), default=["unit", "laws"])
    parser.add_argument("--files", nargs="+", default=["sim/**/*.cpp"])
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    if asked.list or not asked.build:
        print("\n".join(name for name, *_ in KINDS))
        return
    folder = asked.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    tree, counted, seconds = prepare(asked, folder)
    table = folder / "faults.csv"
    known = {row["fault"]: row for row in csv.DictReader(table.open())} if table.exists() else {}
    rows = []

    def judge(numbered):
        number, (file, line, (head, expression, _), kind, place) = numbered
        where = f"{file.relative_to(ROOT)}:{line + 1}"
        change = f"{(head + expression).strip()}  ->  {changed(expression, kind, place).strip()}"
        key = f"{where} {KINDS[kind][0]} {place}"
        noticed = known[key]["noticed_by"] if key in known else run_tests(tree, order_for(file, list(seconds)), number, seconds) or ""
        return {"fault": key, "where": where, "kind": KINDS[kind][0], "change": change, "noticed_by": noticed}

    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool, table.open("w", newline="") as out:
        writer = csv.DictWriter(out, ["fault", "where", "kind", "change", "noticed_by"])
        writer.writeheader()
        for row in pool.map(judge, counted):
            rows.append(row)
            writer.writerow(row)
            out.flush()
            if not row["noticed_by"]:
                print(f"SURVIVES {row['where']}: {row['kind']}: {row['change']}", flush=True)
    killed = sum(bool(row["noticed_by"]) for row in rows)
    print(f"{killed} of {len(rows)} faults are noticed ({100 * killed / max(1, len(rows)):.1f} %), seed {asked.seed}")
    sys.exit(0 if killed >= LEAST_KILLED * len(rows) else 1)


if __name__ == "__main__":
    main()
