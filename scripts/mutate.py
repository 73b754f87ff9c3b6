#!/usr/bin/env python3
"""Plants faults in sim/ and counts those that no test notices.

    mutate.py --build FOLDER [--count 400] [--seed S] [--files GLOB...] [--labels unit,laws,bad_configs]
    mutate.py --list                 the kinds of faults, and the known ones where they stand today

A copy of the tree is written to FOLDER in which each fault stands beside the code it replaces, behind a switch
that the variable TOFN_FAULT sets: the copy is compiled once, and the tests that reach a fault run for each.
Those of tests/known_faults.tsv, which an audit found unnoticed, come first; the others are drawn by the words of
their lines, so that a change elsewhere draws no others. Tests are written for the survivors of seed 1: how much
the tests notice of what nobody looked at, another seed says. Faults that do not compile, that change nothing
(tests/equivalent_faults.tsv says why), or that no test reaches, are not counted: lines without a test are what
coverage counts. Tests that hold README's examples are not run: they are refreshed by a command. Survivors are
printed as FILE:LINE with the change; the table is kept in FOLDER/faults.csv, which a later run goes on with:
delete it to judge again.
Exit code 1 where fewer than 95 % are noticed.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import csv
import dataclasses
import filecmp
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

import sessions

ROOT = pathlib.Path(__file__).resolve().parent.parent
KNOWN = ROOT / "tests/known_faults.tsv"
EQUIVALENT = ROOT / "tests/equivalent_faults.tsv"
LEAST_KILLED = 0.95
# Planted for each that is to be counted: some do not compile, and some no test reaches.
PLANTED_EACH = 2
# Of programs that take longer not all test cases run for each fault.
LONG_SECONDS = 20
NUMBER = r"(?<![\w.\"'\[<])(\d+\.\d+(?:e-?\d+)?|\d+e-?\d+|[1-9]\d*)(?![\w.\"'\]>])"
# What a fault does: a pattern within one expression, and what takes its place; None: another number.
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
    ("another number", NUMBER, None),
]
SET_AT_START = ("another constant", "another number in a row")
# A whole statement on one line, whose value may be chosen: its head, the expression, its end.
STATEMENTS = [
    re.compile(r"^(\s*return )([^{};]+)(;)$"),
    re.compile(r"^(\s*(?:const )?(?:double|int|bool|std::size_t|Seconds|Bytes|Flops|float|long long) \w+ = )([^{};]+)(;)$"),
    re.compile(r"^(\s*[\w.>\-\[\]*]+ (?:[-+*/]?=) )([^{};=][^{};]*)(;)$"),
    re.compile(r"^(\s*(?:if|while|\} else if) \()([^;=]*(?:[=!<>]=[^;=]*)*)(\)(?: \{| return\b.*;| continue;| break;)?)$"),
]
# Numbers of a table's row, and constants: their line holds nothing else that counts.
ROW = re.compile(r"^\s*(?:\{|\.\w+ = |[A-Z]\w+\{)")
CONSTANT = re.compile(r"^(?:inline |static )?constexpr (?:double|int|Seconds|Bytes|Flops|BytesPerSecond|Watts)\b")
TABLE = re.compile(r"^(inline |static )?constexpr (?=std::array|auto |[A-Z])")
SWITCH = """#pragma once
#include <cstdio>
#include <cstdlib>
#include <type_traits>
namespace tofn_faults {
/// Of the test cases of this program, the one that runs; 0 in a program that a test started.
inline int test_case = 0;
/// The one of TOFN_FAULT; with TOFN_FAULTS_REACHED it notes each that a test case asks for, with its name.
inline bool chosen(int number) {
  static const int one = [] { const char* set = std::getenv("TOFN_FAULT"); return set ? std::atoi(set) : 0; }();
  static const char* reached = std::getenv("TOFN_FAULTS_REACHED");
  if (reached != nullptr) {
    static int seen[1 << 14] = {};
    if (seen[number] != test_case + 1) {
      seen[number] = test_case + 1;
      const char* name = std::getenv("TOFN_FAULTS_TEST_CASE");
      if (std::FILE* file = std::fopen(reached, "a")) { std::fprintf(file, "%d\\t%s\\n", number, name ? name : ""); std::fclose(file); }
    }
  }
  return number == one;
}
}
constexpr bool tofn_fault(int number) { return __builtin_is_constant_evaluated() ? false : tofn_faults::chosen(number); }
"""
# In each program of tests: it tells which test case runs.
LISTENER = """#include "sim/core/fault.hpp"
#include "tests/catch.hpp"
#if CATCH_VERSION_MAJOR > 2
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
using FaultListenerBase = Catch::EventListenerBase;
#else
using FaultListenerBase = Catch::TestEventListenerBase;
#endif
struct FaultListener : FaultListenerBase {
  using FaultListenerBase::FaultListenerBase;
  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    ++tofn_faults::test_case;
    ::setenv("TOFN_FAULTS_TEST_CASE", info.name.c_str(), 1);
  }
};
CATCH_REGISTER_LISTENER(FaultListener)
"""


@dataclasses.dataclass(frozen=True)
class Fault:
    """In `file`'s line (from 0), what stands from `start` to `end`, and what would take its place."""
    file: pathlib.Path
    line: int
    start: int
    end: int
    code: str
    fault: str
    kind: str

    @property
    def where(self):
        return f"{self.file.relative_to(ROOT)}:{self.line + 1}"

    @property
    def key(self):
        return f"{self.where} {self.code} -> {self.fault}"


def is_balanced(text):
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def another(number):
    if number.isdigit():
        return str(int(number) + 1)
    return repr(float(number) * 1.5 or 1.0)


def faults_of_statement(file, number, expression, start):
    for kind, pattern, by in KINDS:
        for match in re.finditer(pattern, expression):
            text = expression[:match.start()] + (another(match[0]) if by is None else by) + expression[match.end():]
            yield Fault(file, number, start, start + len(expression), expression, text, kind)


def faults_of_numbers(file, number, line, kind):
    blank = re.sub(r'"[^"]*"', lambda text: "_" * len(text[0]), line)
    for match in re.finditer(NUMBER, blank):
        yield Fault(file, number, match.start(), match.end(), match[0], another(match[0]), kind)


def candidates(file):
    """Each fault that a file could have."""
    in_comment = False
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n")):
        in_comment = in_comment or line.strip().startswith("/*")
        if in_comment or "//" in line or "static_assert" in line or "fmt::" in line or line.startswith("#"):
            in_comment = in_comment and "*/" not in line
        elif CONSTANT.match(line):
            yield from faults_of_numbers(file, number, line, "another constant")
        elif ROW.match(line):
            yield from faults_of_numbers(file, number, line, "another number in a row")
        elif '"' not in line and "constexpr" not in line:
            match = next(filter(None, (statement.match(line) for statement in STATEMENTS)), None)
            if match and is_balanced(match[2]) and not ("[" in match[2].replace("[i]", "") and "](" in match[2]):
                yield from faults_of_statement(file, number, match[2], len(match[1]))


def known_faults():
    for row in csv.DictReader(KNOWN.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE):
        file = ROOT / row["file"]
        places = [(number, line.index(row["code"])) for number, line in enumerate(file.read_text(encoding="utf-8").split("\n")) if row["code"] in line]
        if len(places) != 1:
            sys.exit(f"{KNOWN.relative_to(ROOT)}: {row['file']} has {len(places)} lines with {row['code']}: one is expected")
        number, start = places[0]
        yield Fault(file, number, start, start + len(row["code"]), row["code"], row["fault"], "known")


def is_equivalent(rows, fault):
    """Whether one of tests/equivalent_faults.tsv says why it changes nothing."""
    line = fault.file.read_text(encoding="utf-8").split("\n")[fault.line]
    return any((ROOT / row["file"], row["code"], row["fault"]) == (fault.file, fault.code, fault.fault) and row["line"] in line for row in rows)


def lot(seed, *words):
    """A number by chance that the words alone decide."""
    return hashlib.sha256("\0".join([str(seed), *words]).encode()).digest()


def lots_of_lines(file, seed):
    """What each line draws: by its words, so that a change elsewhere draws no other lines."""
    before = collections.Counter()
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n")):
        words = line.strip()
        before[words] += 1
        yield number, lot(seed, str(file.relative_to(ROOT)), words, str(before[words]))


def draw(files, count, seed):
    """The known ones, then drawn evenly over the lines that could have one; one fault a line."""
    by_line, lots = {}, {}
    for file in files:
        lots.update({(file, number): drawn for number, drawn in lots_of_lines(file, seed)})
        for fault in candidates(file):
            by_line.setdefault((file, fault.line), []).append(fault)
    drawn = {(fault.file, fault.line): fault for fault in known_faults() if fault.file in files}
    lines = sorted(by_line, key=lots.get)
    for line in lines[:count]:
        drawn.setdefault(line, min(by_line[line], key=lambda fault: lot(seed, fault.code, fault.fault)))
    print(f"{sum(map(len, by_line.values()))} faults are possible, on {len(lines)} lines", flush=True)
    # A fault keeps its number where others are left out, so that their files stay as they are.
    rows = list(csv.DictReader(EQUIVALENT.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))
    kept = {number: fault for number, fault in enumerate(drawn.values(), 1) if not is_equivalent(rows, fault)}
    print(f"{len(drawn) - len(kept)} of them change nothing, by {EQUIVALENT.relative_to(ROOT)}", flush=True)
    return kept


def plant(faults, tree):
    """A copy of the tree with all faults behind their switches."""
    skip = shutil.ignore_patterns("build*", ".git", "__pycache__")
    by_file = collections.defaultdict(list)
    for number, fault in faults.items():
        by_file[fault.file].append((number, fault))
    for file, of_file in by_file.items():
        lines = file.read_text(encoding="utf-8").split("\n")
        for number, fault in sorted(of_file, key=lambda each: -each[1].start):  # on one line from its end
            line = lines[fault.line]
            lines[fault.line] = f"{line[:fault.start]}(tofn_fault({number}) ? ({fault.fault}) : ({fault.code})){line[fault.end:]}"
            if fault.kind == "another constant":
                lines[fault.line] = re.sub(r"^(?:inline |static )?constexpr", "inline const", lines[fault.line])
            if fault.kind == "another number in a row":
                at = next((at for at in range(fault.line, -1, -1) if TABLE.match(lines[at])), None)
                if at is not None:
                    lines[at] = TABLE.sub(r"\1const ", lines[at])
        first = next(i for i, line in enumerate(lines) if line.startswith(("#include", "#pragma once")))
        at = first + 1 if lines[first].startswith("#pragma") else first
        lines[at] = f'#include "sim/core/fault.hpp"  // one line with the next: numbers stay\n#line {at + 1}\n{lines[at]}'
        by_file[file] = "\n".join(lines)
    if (tree.with_suffix(".new") / "build").exists():  # of a run that was ended, as what follows
        (tree.with_suffix(".new") / "build").rename(tree / "build")
    shutil.rmtree(tree.with_suffix(".new"), ignore_errors=True)
    shutil.copytree(ROOT, tree.with_suffix(".new"), ignore=skip, symlinks=True)
    for file, text in by_file.items():
        (tree.with_suffix(".new") / file.relative_to(ROOT)).write_text(text, encoding="utf-8")
    (tree.with_suffix(".new") / "sim/core/fault.hpp").write_text(SWITCH, encoding="utf-8")
    tests = tree.with_suffix(".new") / "tests"
    rules = (tests / "CMakeLists.txt").read_text(encoding="utf-8")
    (tests / "CMakeLists.txt").write_text("add_compile_definitions(CATCH_CONFIG_EXTERNAL_INTERFACES)\n" + rules, encoding="utf-8")
    for folder in (*(tests / "unit").iterdir(), *tests.iterdir()):
        if any(folder.rglob("*_test.cpp")) and folder.name != "unit":
            (folder / "fault_listener_test.cpp").write_text(LISTENER, encoding="utf-8")
    keep_times(tree, tree.with_suffix(".new"))


def keep_times(tree, newer):
    """Moves `newer` to `tree`; files that are the same keep their times: only others are compiled again."""
    for file in newer.rglob("*"):
        old = tree / file.relative_to(newer)
        if not file.is_file():
            continue
        if old.is_file() and filecmp.cmp(file, old, shallow=False):
            shutil.copystat(old, file)
        else:
            os.utime(file)  # it may be older than what was made of the file before it
    if (tree / "build").exists():
        (tree / "build").rename(newer / "build")
    shutil.rmtree(tree)
    newer.rename(tree)


def build(tree, labels, jobs):
    """Compiles the tests. The exit code and the compiler's complaints."""
    out = tree / "build"
    subprocess.run(["cmake", "-S", tree, "-B", out, "-G", "Ninja", "-DCMAKE_CXX_FLAGS=-O1 -w -D_GLIBCXX_ASSERTIONS", "-DCMAKE_BUILD_TYPE=None", "-DTOFN_WERROR=OFF", "-DTOFN_PYTHON=OFF", "-DTOFN_NCCL=OFF"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["ninja", "-C", out, "-j", str(jobs), "-k", "0", *targets(tree, labels), "tofn"], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def targets(tree, labels):
    units = sorted(folder.name for folder in (tree / "tests/unit").iterdir() if folder.is_dir()) if "unit" in labels else []
    return [f"unit_{name}_tests" for name in units] + [f"{label}_tests" for label in labels if label != "unit"]


def without_broken(faults, complaints, tree):
    """Without those on lines that the compiler names; where it names none of them, without those of rows and
    constants in the files that it names."""
    named = {(match[1], int(match[2])) for match in re.finditer(rf"{re.escape(str(tree))}/(\S+?):(\d+)[:,]", complaints)}
    name = {number: str(fault.file.relative_to(ROOT)) for number, fault in faults.items()}
    kept = {number: fault for number, fault in faults.items() if (name[number], fault.line + 1) not in named}
    if len(kept) < len(faults):
        return kept
    files = {file for file, _ in named}
    return {number: fault for number, fault in faults.items() if not (fault.kind.startswith("another ") and name[number] in files)}


def without_late(faults, program):
    """Without those of rows and constants in the folder that a program tests: they are set when it starts, which may
    be after what is made of them."""
    tested = f"sim/{program.removeprefix('unit_').removesuffix('_tests')}/"
    kept = {number: fault for number, fault in faults.items() if not (fault.kind in SET_AT_START and fault.where.startswith(tested))}
    if len(kept) < len(faults):
        return kept
    return {number: fault for number, fault in faults.items() if fault.kind not in SET_AT_START}


@contextlib.contextmanager
def noted_lines(pipe):
    """A named pipe, and the lines that programs write to it, complete when the block ends. A file would count
    against the limit of a test that fills its disk."""
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(pipe.read_text(encoding="utf-8").splitlines()))
    reader.start()
    with pipe.open("w", encoding="utf-8"):  # held, so that the reader does not end between two programs
        yield pipe, lines
    reader.join()
    pipe.unlink()


def reach(tree, labels, folder):
    """What the first program that fails without a fault printed, and its name; empty: none does. Then how long each
    takes, and which faults its test cases reach."""
    seconds, reached = {}, {}
    for name in targets(tree, labels):
        start = time.monotonic()
        with noted_lines(folder / "reached") as (pipe, lines):
            environment = {**os.environ, "TOFN_FAULTS_REACHED": str(pipe), "TOFN_CONFIGS": str(tree / "configs")}
            done = subprocess.run([tree / "build/tests" / name], env=environment, cwd=tree / "build/tests", capture_output=True, check=False)
        if done.returncode != 0:
            return done.stdout.decode(), name, seconds, reached
        seconds[name] = time.monotonic() - start
        reached[name] = collections.defaultdict(set)
        for line in lines:
            number, test_case = line.split("\t")
            reached[name][int(number)].add(test_case)
    return "", "", seconds, reached


def filter_of(test_cases):
    """What makes a program of Catch run these alone; nothing where one has no name, or they are too many."""
    words = ",".join(re.sub(r"([\\\\,\[\]])", r"\\\1", name) for name in sorted(test_cases))
    return [words] if test_cases and all(test_cases) and len(words) < 100_000 else []


def run_tests(tree, names, number, seconds, reached):
    """The first program that notices the fault; empty: none does. Of long programs those test cases run that reach it."""
    environment = {**os.environ, "TOFN_FAULT": str(number), "TOFN_CONFIGS": str(tree / "configs")}
    for name in names:
        only = filter_of(reached[name][number]) if seconds[name] > LONG_SECONDS else []
        code, _ = sessions.run([tree / "build/tests" / name, "--abort", *only], 60 + 10 * seconds[name], environment, tree / "build/tests")
        if code is None:
            return f"{name} (endless)"
        if code != 0:
            return name
    return ""


def prepare(asked, folder):
    """The tree, the faults that compile by their numbers, and how long each test program takes and which it reaches."""
    files = sorted(file for glob in asked.files for file in ROOT.glob(glob))
    faults = draw(files, PLANTED_EACH * asked.count, asked.seed)
    broken = folder / "do_not_compile.txt"  # so that a later run need not find them again
    broken.touch()
    known = set(broken.read_text(encoding="utf-8").splitlines())
    faults = {number: fault for number, fault in faults.items() if fault.key not in known}
    tree = folder / "tree"
    tree.mkdir(exist_ok=True)
    while True:
        plant(faults, tree)
        code, complaints = build(tree, asked.labels, asked.jobs)
        if code != 0:
            kept, why = without_broken(faults, complaints, tree), "do not compile"
        else:
            complaints, failing, seconds, reached = reach(tree, asked.labels, folder)
            if not failing:
                break
            kept, why = without_late(faults, failing), f"may come too late for {failing}"
        if len(kept) == len(faults):
            sys.exit(f"the copy does not compile, or fails without a fault:\n{complaints[-3000:]}")
        print(f"{len(faults) - len(kept)} faults {why} and are left out", flush=True)
        with broken.open("a", encoding="utf-8") as out:
            out.writelines(f"{faults[number].key}\n" for number in faults.keys() - kept.keys())
        faults = kept
    return tree, faults, seconds, reached


def order_for(fault, number, seconds, reached):
    """The programs that reach it, those of its own folder first, then the shorter first."""
    own = f"unit_{fault.file.relative_to(ROOT).parts[1]}_tests"
    return sorted((name for name in seconds if number in reached[name]), key=lambda name: (name != own, seconds[name]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, help="folder of the copy and of its table")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--labels", type=lambda text: text.split(","), default=["unit", "laws", "bad_configs"])
    parser.add_argument("--files", nargs="+", default=["sim/**/*.cpp", "sim/**/*.hpp"])
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    if asked.list or not asked.build:
        print("\n".join([name for name, *_ in KINDS] + ["another constant", "another number in a row"]))
        print("\n".join(f"known: {fault.where}: {fault.code}" for fault in known_faults()))
        return
    sessions.end_with_this_script()
    folder = asked.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    tree, faults, seconds, reached = prepare(asked, folder)
    every = set().union(*reached.values())
    counted = [number for number, fault in faults.items() if number in every or fault.kind == "known"][:asked.count]
    print(f"{len(faults)} faults planted, {len(every)} reached by the tests, {len(counted)} counted", flush=True)
    table = folder / "faults.csv"
    judged = {row["fault"]: row["noticed_by"] for row in csv.DictReader(table.open())} if table.exists() else {}

    def judge(number):
        return number, run_tests(tree, order_for(faults[number], number, seconds, reached), number, seconds, reached)

    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool, table.open("a", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        if out.tell() == 0:
            writer.writerow(["fault", "kind", "noticed_by"])
        left = [number for number in counted if faults[number].key not in judged]
        print(f"{len(counted) - len(left)} of them are judged already", flush=True)
        # Each is written as soon as it is judged: an ended run loses none.
        for done in concurrent.futures.as_completed([pool.submit(judge, number) for number in left]):
            number, noticed_by = done.result()
            fault = faults[number]
            judged[fault.key] = noticed_by
            writer.writerow([fault.key, fault.kind, noticed_by])
            out.flush()
    killed = collections.Counter(faults[number].kind for number in counted if judged[faults[number].key])
    total = collections.Counter(faults[number].kind for number in counted)
    for fault in (faults[number] for number in counted):
        if not judged[fault.key]:
            print(f"SURVIVES {fault.where}: {fault.kind}: {fault.code}  ->  {fault.fault}")
    for kind, count in sorted(total.items()):
        print(f"{kind:24} {killed[kind]:4} of {count:4}")
    share = killed.total() / max(1, len(counted))
    print(f"{killed.total()} of {len(counted)} faults are noticed ({100 * share:.1f} %), seed {asked.seed}")
    sys.exit(0 if share >= LEAST_KILLED else 1)


if __name__ == "__main__":
    main()
