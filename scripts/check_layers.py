#!/usr/bin/env python3
"""Fail when a folder includes one above it, or a library that is not its own.

    check_layers.py [ROOT]         check the project, or another tree
    check_layers.py --self-check   check that planted violations are found
"""
import pathlib
import re
import sys
import tempfile

# Lowest first: a folder may include itself and those before it.
SIM = ["core", "options", "blocks", "measurements", "curves", "cluster", "expense", "workload", "parallelism", "collectives", "model",
       "kernel", "memory", "timeline", "simulation", "training", "calibration", "scaling", "published", "study", "validation", "report", "page", "config", "sweep", "app"]
MICROBENCH = ["harness", "collective", "compute", "mpi", "cpu", "cuda", "nccl", "step", "app"]

# Start of an included name -> the folders that may include it.
OWNERS = {
    "yaml-cpp/": ["sim/config"],
    "boost/": ["sim/options"],
    "nlohmann/": ["sim/measurements"],
    "Eigen/": ["sim/scaling"],
    "unsupported/Eigen/": ["sim/scaling"],
    "muParser": ["sim/sweep"],
    "mpi.h": ["microbench/mpi", "sim/blocks"],
    "sqlite3.h": ["sim/blocks"],
    "mpi-ext.h": ["microbench/mpi"],
    "nccl": ["microbench/nccl"],
    "cuda": ["microbench/cuda", "microbench/nccl"],
    "cublas": ["microbench/cuda"],
    "cblas.h": ["microbench/cpu"],
}
# What the microbenchmarks share with the simulator; their command line also reads its files.
SHARED = {"microbench": ["core"], "microbench/app": ["core", "options", "workload", "config"]}
SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".cc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def is_within(folder, owners):
    return any(folder == owner or folder.startswith(owner + "/") for owner in owners)


def objection(folder, target):
    """Why a file in `folder` must not include `target`; None when it may."""
    for prefix, owners in OWNERS.items():
        if target.startswith(prefix):
            return None if is_within(folder, owners) else f"only {' and '.join(owners)} may"
    top, *path = target.split("/")
    if target.startswith(("../", "./")):
        return "paths start at the project root"
    if top not in ("sim", "microbench"):
        return None
    here_top, here = folder.split("/")[:2]
    there = path[0]
    if here_top != top:
        allowed = here_top == "microbench" and there in SHARED.get(folder, SHARED[here_top])
        return None if allowed else "the two programs share sim/core only"
    order = SIM if top == "sim" else MICROBENCH
    if here not in order or there not in order:
        return None  # an unlisted folder is reported by itself
    return None if order.index(there) <= order.index(here) else f"{top}/{there} is above"


def problems_of_file(root, file):
    name = file.relative_to(root)
    folder = name.parent.as_posix()
    if "/" not in folder:
        yield f"{name}:1: a source file needs a folder of its own"
        return
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        why = objection(folder, match[1]) if match else None
        if why:
            yield f"{name}:{number}: {folder} must not include {match[1]}: {why}"


def problems(root):
    for top, order in (("sim", SIM), ("microbench", MICROBENCH)):
        for folder in sorted(path for path in (root / top).glob("*") if path.is_dir()):
            if folder.name not in order:
                yield f"{top}/{folder.name}: not in the list of layers of scripts/check_layers.py"
        for file in sorted((root / top).rglob("*")):
            if file.suffix in SUFFIXES:
                yield from problems_of_file(root, file)


def self_check():
    """Planted files: each either passes or gives the one line beside it."""
    planted = {
        "sim/core/up.cpp": ('#include <vector>\n#include "sim/step/a.hpp"\n',
                            "sim/core/up.cpp:2: sim/core must not include sim/step/a.hpp: "
                            "sim/step is above"),
        "sim/step/down.cpp": ('#include "sim/core/a.hpp"\n#include "sim/step/b.hpp"\n', None),
        "sim/report/yaml.cpp": ("#include <yaml-cpp/yaml.h>\n",
                                "sim/report/yaml.cpp:1: sim/report must not include "
                                "yaml-cpp/yaml.h: only sim/config may"),
        "sim/config/yaml.cpp": ("#include <yaml-cpp/yaml.h>\n", None),
        "sim/core/boost.hpp": ("  #  include <boost/any.hpp>\n",
                               "sim/core/boost.hpp:1: sim/core must not include boost/any.hpp: "
                               "only sim/options may"),
        "sim/app/mpi.cpp": ("#include <mpi.h>\n",
                            "sim/app/mpi.cpp:1: sim/app must not include mpi.h: "
                            "only microbench/mpi and sim/blocks may"),
        "microbench/app/file.cpp": ('#include "sim/config/a.hpp"\n#include "sim/step/a.hpp"\n',
                                    "microbench/app/file.cpp:2: microbench/app must not include "
                                    "sim/step/a.hpp: the two programs share sim/core only"),
        "microbench/mpi/main.cpp": ('#include <mpi.h>\n#include "sim/core/a.hpp"\n', None),
        "microbench/harness/up.cpp": ('#include "sim/step/a.hpp"\n',
                                      "microbench/harness/up.cpp:1: microbench/harness must not "
                                      "include sim/step/a.hpp: the two programs share sim/core only"),
        "sim/unheard/of.cpp": ("", "sim/unheard: not in the list of layers of "
                                   "scripts/check_layers.py"),
        "sim/core/near.cpp": ('#include "../step/a.hpp"\n',
                              "sim/core/near.cpp:1: sim/core must not include ../step/a.hpp: "
                              "paths start at the project root"),
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, (text, _) in planted.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        found = sorted(problems(root))
    expected = sorted(line for _, line in planted.values() if line)
    for line in sorted(set(found) ^ set(expected)):
        print("unexpected:" if line in found else "not found:", line)
    return found == expected


def main(arguments):
    if arguments == ["--self-check"]:
        return 0 if self_check() else 1
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent)
    if not (root / "sim").is_dir():
        print(f"{root}: has no folder sim")
        return 1
    found = list(problems(root.resolve()))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
