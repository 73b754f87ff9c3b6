#!/usr/bin/env python3
"""Installs a build, moves what was installed, and fails where the program does not find its own configs there.

    check_install.py BUILD_FOLDER
"""
import os
import pathlib
import subprocess
import sys
import tempfile


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    environment = {name: value for name, value in os.environ.items() if name != "TOFN_CONFIGS"}
    with tempfile.TemporaryDirectory() as name:
        first, moved = pathlib.Path(name, "first"), pathlib.Path(name, "moved here")
        subprocess.run(["cmake", "--install", build, "--prefix", first], check=True, stdout=subprocess.DEVNULL)
        first.rename(moved)
        # A plan that only the moved tree has: configs of the build would not list it.
        plans = moved / "share/tofn/configs/plans"
        text = (plans / "data-parallel.yaml").read_text(encoding="utf-8")
        (plans / "only-here.yaml").write_text(text.replace("name: data-parallel", "name: only-here"), encoding="utf-8")
        command = [moved / "bin/tofn", "list", "plans"]
        done = subprocess.run(command, cwd=name, env=environment, capture_output=True, text=True, check=False)
    found = done.returncode == 0 and "only-here" in done.stdout
    print("installed and moved: its own configs are", "found" if found else f"NOT found\n{done.stdout}{done.stderr}")
    sys.exit(0 if found else 1)


if __name__ == "__main__":
    main()
