#!/usr/bin/env python3
"""A figure of tests/scorecard.csv that is worse than in the commit before has a reason in its column `why`.

Usage: check_scorecard.py TOFN. Held against HEAD, which a change that is not committed yet follows, and
against the commit before it. Exit 77 (skipped) where git tells neither."""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCORECARD = "tests/scorecard.csv"


def at(revision):
    shown = subprocess.run(["git", "-C", ROOT, "show", f"{revision}:{SCORECARD}"], capture_output=True, check=False)
    return shown.stdout if shown.returncode == 0 else None


def main(tofn):
    befores = {revision: at(revision) for revision in ("HEAD", "HEAD~1")}
    if not any(befores.values()):
        print("skipped: git knows no earlier scorecard")
        return 77
    worse = 0
    with tempfile.TemporaryDirectory() as folder:
        for revision, text in befores.items():
            if not text:
                continue
            before = pathlib.Path(folder) / "scorecard.csv"
            before.write_bytes(text)
            held = subprocess.run([tofn, "validate", "all", ROOT / SCORECARD, "--against", before],
                                  capture_output=True, text=True, check=False)
            if held.returncode != 0:
                print(f"against {revision}:\n{held.stdout}{held.stderr}", end="")
                worse = 1
    return worse


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
