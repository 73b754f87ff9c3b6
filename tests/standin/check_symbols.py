#!/usr/bin/env python3
"""Fail where tofn-bench calls what symbols.txt does not list, or the stand-in lacks what it lists.

    check_symbols.py NM TABLE STAND_IN PROGRAM SOURCE...   SOURCE: files that name what is loaded by name
"""
import pathlib
import re
import subprocess
import sys

OURS = re.compile(r"^(__cuda|cuda|cublas|nccl|nvml|tofn_gpu)")


def symbols(nm, options, file):
    """Names in a program's table of dynamic symbols, without their versions."""
    text = subprocess.run([nm, "-D", *options, file], check=True, capture_output=True, text=True).stdout
    names = {line.split()[-1].split("@")[0] for line in text.splitlines() if line.strip()}
    return {name for name in names if OURS.match(name)}


def main(arguments):
    nm, table, stand_in, program, *sources = arguments
    rows = [line.split() for line in pathlib.Path(table).read_text().splitlines()
            if line.strip() and not line.startswith("#")]
    classes = dict(rows)
    called = symbols(nm, ["--undefined-only"], program)
    for source in sources:
        called |= set(re.findall(r'"(nvml\w+)"', pathlib.Path(source).read_text()))
    provided = symbols(nm, ["--defined-only"], stand_in)
    problems = [f"{name} stands in {table} twice" for name in classes
                if sum(row[0] == name for row in rows) > 1]
    problems += [f"{name} is called by {program}, and is not in {table}" for name in called - set(classes)]
    problems += [f"{name} is called by {program}, and is unsupported" for name in called
                 if classes.get(name) == "unsupported"]
    problems += [f"{name} is in {table}, and not in the stand-in" for name in set(classes) - provided]
    problems += [f"{name} is in the stand-in, and not in {table}" for name in provided - set(classes)]
    if not called:
        problems.append(f"{program} calls nothing of a GPU")
    for problem in sorted(problems):
        print(problem)
    print(f"{len(called)} symbols are called, {len(classes)} are listed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
