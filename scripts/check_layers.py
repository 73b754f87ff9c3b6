#!/usr/bin/env python3
"""Fail when a folder includes one that its row of layers.txt does not have, or a library that is not its own.

    check_layers.py [ROOT]         check the project, or another tree
    check_layers.py --self-check   check that planted violations are found

sim/layers.txt and microbench/layers.txt hold a row `folder: folder...` for each of their folders, lowest
first: what it may include, with all that those include. The table of folders in the README.md beside
it has the same folders in the same order.
"""
import pathlib
import re
import sys
import tempfile

TOPS = ("sim", "microbench")

# Start of an included name -> the folders that may include it.
OWNERS = {
    "yaml-cpp/": ["sim/yaml"],
    "boost/program_options": ["sim/options"],
    "boost/container/": ["sim/timeline"],
    "nlohmann/": ["sim/formats", "sim/app"],
    "httplib": ["sim/serve"],
    "Eigen/": ["sim/scaling", "sim/calibration", "sim/validation", "sim/diagnosis"],
    "unsupported/Eigen/": ["sim/scaling"],
    "muParser": ["sim/sweep"],
    "toml++/": ["sim/formats"],
    "mpi.h": ["microbench/mpi", "sim/blocks"],
    "sqlite3.h": ["sim/blocks"],
    "mpi-ext.h": ["microbench/mpi"],
    "nccl": ["microbench/nccl"],
    "cuda": ["microbench/cuda", "microbench/nccl"],
    "cublas": ["microbench/cuda"],
    "cblas.h": ["microbench/cpu"],
    "pybind11/": ["sim/python"],
}
SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".cc"}
README_ROW = re.compile(r"^\| (\w+) \|")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def is_within(folder, owners):
    return any(folder == owner or folder.startswith(owner + "/") for owner in owners)


class Layers:
    """What each folder of a tree may include: `sim/report` -> {`sim/report`, `sim/study`, ...}."""

    def __init__(self, root):
        self.allowed = {}
        self.problems = []
        for top in TOPS:
            self.read(root, top)
            self.compare_readme(root, top)

    def read(self, root, top):
        """Of the other top folder a row has what it names, and not what that includes."""
        for number, row in rows_of(root / top / "layers.txt"):
            folder, _, names = row.partition(":")
            here = self.allowed[f"{top}/{folder}"] = {f"{top}/{folder}"}
            for name in names.split():
                lower = name if "/" in name else f"{top}/{name}"
                if lower in self.allowed:
                    here |= self.allowed[lower] if lower == f"{top}/{name}" else {lower}
                else:
                    self.problems.append(f"{top}/layers.txt:{number}: {folder}: {name} is in no row above")

    def compare_readme(self, root, top):
        order = [name.split("/")[1] for name in self.allowed if name.startswith(top)]
        lines = (root / top / "README.md").read_text(encoding="utf-8").splitlines()
        start = lines.index("| folder | what it holds |") + 2
        for number, line in enumerate(lines[start:] + [""], start + 1):
            row = README_ROW.match(line)
            expected = order.pop(0) if order else None
            if (row[1] if row else None) != expected:
                self.problems.append(f"{top}/README.md:{number}: layers.txt has {expected or 'no folder'} here")
                return
            if not row:
                return

    def objection(self, folder, target):
        """Why a file in `folder` must not include `target`; None when it may."""
        for prefix, owners in OWNERS.items():
            if target.startswith(prefix):
                return None if is_within(folder, owners) else f"only {' and '.join(owners)} may"
        if target.startswith(("../", "./")):
            return "paths start at the project root"
        here, there = ("/".join(name.split("/")[:2]) for name in (folder, target))
        if there.split("/")[0] not in TOPS or here not in self.allowed or there in self.allowed[here]:
            return None  # an unlisted folder is reported by itself
        return f"{there} is not in its row of layers.txt, nor what that includes"


def rows_of(table):
    for number, line in enumerate(table.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            yield number, line


def problems_of_file(root, layers, file):
    name = file.relative_to(root)
    folder = name.parent.as_posix()
    if "/" not in folder:
        yield f"{name}:1: a source file needs a folder of its own"
        return
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        why = layers.objection(folder, match[1]) if match else None
        if why:
            yield f"{name}:{number}: {folder} must not include {match[1]}: {why}"


def problems(root):
    layers = Layers(root)
    yield from layers.problems
    for top in TOPS:
        for folder in sorted(path for path in (root / top).glob("*") if path.is_dir()):
            # A folder of pages, such as sim/guide, is no layer.
            has_sources = any(file.suffix in SUFFIXES for file in folder.rglob("*"))
            if has_sources and f"{top}/{folder.name}" not in layers.allowed:
                yield f"{top}/{folder.name}: not in {top}/layers.txt"
        for file in sorted((root / top).rglob("*")):
            if file.suffix in SUFFIXES:
                yield from problems_of_file(root, layers, file)


def self_check():
    """Planted files: each either passes or gives the one line beside it."""
    missing = "is not in its row of layers.txt, nor what that includes"
    planted = {
        "sim/layers.txt": ("# lowest first\ncore:\noptions: core\nyaml: core\nstep: yaml stepp\napp: step options\n",
                           "sim/layers.txt:5: step: stepp is in no row above"),
        "sim/README.md": ("| folder | what it holds |\n| --- | --- |\n| core | units |\n| yaml | files |\n",
                          "sim/README.md:4: layers.txt has options here"),
        "microbench/layers.txt": ("harness: sim/core\nmpi: harness\napp: mpi sim/yaml\n", None),
        "microbench/README.md": ("# b\n| folder | what it holds |\n| --- | --- |\n| harness | a |\n| mpi | b |\n"
                                 "| app | c |\n| step | d |\n", "microbench/README.md:7: layers.txt has no folder here"),
        "sim/core/up.cpp": ('#include <vector>\n#include "sim/step/a.hpp"\n',
                            f"sim/core/up.cpp:2: sim/core must not include sim/step/a.hpp: sim/step {missing}"),
        "sim/step/aside.cpp": ('#include "sim/core/a.hpp"\n#include "sim/options/b.hpp"\n',
                               "sim/step/aside.cpp:2: sim/step must not include sim/options/b.hpp: "
                               f"sim/options {missing}"),
        "sim/app/down.cpp": ('#include "sim/core/a.hpp"\n#include "sim/app/b.hpp"\n', None),
        "sim/options/yaml.cpp": ("#include <yaml-cpp/yaml.h>\n",
                                 "sim/options/yaml.cpp:1: sim/options must not include "
                                 "yaml-cpp/yaml.h: only sim/yaml may"),
        "sim/yaml/deep/yaml.cpp": ("#include <yaml-cpp/yaml.h>\n", None),
        "sim/core/boost.hpp": ("  #  include <boost/program_options/cmdline.hpp>\n",
                               "sim/core/boost.hpp:1: sim/core must not include boost/program_options/cmdline.hpp: "
                               "only sim/options may"),
        "sim/app/mpi.cpp": ("#include <mpi.h>\n",
                            "sim/app/mpi.cpp:1: sim/app must not include mpi.h: "
                            "only microbench/mpi and sim/blocks may"),
        "microbench/app/file.cpp": ('#include "sim/yaml/a.hpp"\n#include "sim/options/a.hpp"\n',
                                    "microbench/app/file.cpp:2: microbench/app must not include "
                                    f"sim/options/a.hpp: sim/options {missing}"),
        "microbench/mpi/main.cpp": ('#include <mpi.h>\n#include "sim/core/a.hpp"\n', None),
        "microbench/harness/up.cpp": ('#include "sim/step/a.hpp"\n',
                                      "microbench/harness/up.cpp:1: microbench/harness must not "
                                      f"include sim/step/a.hpp: sim/step {missing}"),
        "sim/core/other.cpp": ('#include "microbench/mpi/a.hpp"\n',
                               "sim/core/other.cpp:1: sim/core must not include microbench/mpi/a.hpp: "
                               f"microbench/mpi {missing}"),
        "sim/guide/page.md": ("", None),
        "sim/unheard/of.cpp": ("", "sim/unheard: not in sim/layers.txt"),
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
