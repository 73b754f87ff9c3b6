#!/usr/bin/env python3
"""Fail where clang-format 14 would write a source file differently; it exits 77 where that is not installed.

    check_format.py [--fix] [ROOT]   with --fix it writes them
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

TOPS = ("sim", "microbench", "tests")
SUFFIXES = {".hpp", ".cpp", ".cu"}
VERSION = 14  # others break lines elsewhere
SKIPPED = 77


def clang_format():
    """The program of that version; None where there is none."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        program = shutil.which(name)
        if program:
            said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
            if re.search(rf"version {VERSION}\.", said):
                return program
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    asked = parser.parse_args()
    program = clang_format()
    if not program:
        print(f"skipped: clang-format {VERSION} is not installed (scripts/setup.sh --tests)")
        return SKIPPED
    files = sorted(str(file.relative_to(asked.root)) for top in TOPS for file in (asked.root / top).rglob("*")
                   if file.suffix in SUFFIXES)
    how = ["-i"] if asked.fix else ["--dry-run", "--Werror"]
    return subprocess.run([program, *how, *files], cwd=asked.root, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
