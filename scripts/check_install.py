#!/usr/bin/env python3
"""Installs a build, moves what was installed, and uses it there as its users would.

    check_install.py BUILD_FOLDER

The program must find its own configs, and its pages and completions must lie beside it. A program of twenty lines
must build against the library by find_package and by pkg-config and run, each public header must compile alone, and
no other header is there.
"""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HEADERS = {"answer.hpp", "commands.hpp", "error.hpp", "help.hpp", "question.hpp", "tofn.hpp"}
USER = pathlib.Path(__file__).resolve().parents[1] / "tests/library_user"


def run(*command, **options):
    """What the command printed; where it fails, that is the end."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check_configs(tree, environment):
    # A plan that only the moved tree has: configs of the build would not list it.
    plans = tree / "share/tofn/configs/plans"
    text = (plans / "data-parallel.yaml").read_text(encoding="utf-8")
    (plans / "only-here.yaml").write_text(text.replace("name: data-parallel", "name: only-here"), encoding="utf-8")
    listed = run(tree / "bin/tofn", "list", "plans", cwd=tree, env=environment)
    if "only-here" not in listed:
        sys.exit(f"installed and moved: its own configs are NOT found\n{listed}")


def check_manual(tree, build):
    """Pages and completions are there where they were built: `all` builds them."""
    for file in (build / "manual/tofn").rglob("*"):
        installed = tree / "share" / file.relative_to(build / "manual/tofn")
        if file.is_file() and not installed.is_file():
            sys.exit(f"not installed: {installed}")


def check_headers(tree):
    found = {file.name for file in (tree / "include").rglob("*") if file.is_file()}
    if found != HEADERS:
        sys.exit(f"headers installed: {sorted(found)}, expected {sorted(HEADERS)}")
    for header in sorted(found):
        run("c++", "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
            f"-I{tree}/include", "-x", "c++", "-", input=f"#include <tofn/{header}>\n")


def check_library(tree, environment, work):
    """The same program by find_package and by pkg-config; it says what `tofn` says."""
    pkg_config_file = next(tree.rglob("tofn.pc"))
    build = work / "user"
    run("cmake", "-S", USER, "-B", build, f"-DCMAKE_PREFIX_PATH={tree}")
    run("cmake", "--build", build)
    answers = [run(build / "days", cwd=work, env=environment)]
    if shutil.which("pkg-config"):
        paths = dict(environment, PKG_CONFIG_PATH=str(pkg_config_file.parent))
        flags = run("pkg-config", "--cflags", "--libs", "tofn", env=paths).replace("\\ ", "\0").split()
        flags = [flag.replace("\0", " ") for flag in flags]
        run("c++", USER / "days.cpp", "-o", work / "days", *flags)
        libraries = dict(environment, LD_LIBRARY_PATH=str(pkg_config_file.parent.parent))
        answers.append(run(work / "days", cwd=work, env=libraries))
    said = run(tree / "bin/tofn", "predict", "llama3-70b", "dgx-h100", "-N", "512", "--tokens", "2T", "--format",
               "csv", cwd=work, env=environment).splitlines()
    days = f"{float(next(csv.DictReader(said))['days_as_runs_went']):.3g}"
    if any(answer.split()[0] != days for answer in answers):
        sys.exit(f"the library says {answers}, the program {days} days")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    environment = {name: value for name, value in os.environ.items() if name != "TOFN_CONFIGS"}
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        first, moved = work / "first", work / "moved here"
        run("cmake", "--install", build, "--prefix", first)
        first.rename(moved)
        check_configs(moved, environment)
        check_manual(moved, build)
        check_headers(moved)
        check_library(moved, environment, work)
    print("installed and moved: program, headers and library are whole")


if __name__ == "__main__":
    main()
