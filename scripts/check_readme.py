#!/usr/bin/env python3
"""Holds README.md, those of the folders and the pages of sim/guide against what the program prints.

    check_readme.py TOFN [PAGE...]            fail where a printed line, or a figure in prose, differs
    check_readme.py --update TOFN [PAGE...]   put what is printed in its place
    check_readme.py --self-check              planted pages: what differs is found

An example is a block that starts with `$ `; `build/tofn` in its commands is TOFN, and files that
they write stay for later ones of the same page. A line `...` stands for any lines; --update keeps,
of such an example, as many lines as it showed first and last, and between them those most like what it showed.
A block of Python runs with the module beside TOFN, and the block below it is what it prints; where no module was built
it is read alone, and said to be. Figures in prose: scripts/held_figures.py. Tables between markers: scripts/page_tables.py.
"""
import concurrent.futures
import contextlib
import difflib
import io
import os
import pathlib
import subprocess
import sys
import tempfile

from held_figures import HeldFigures, Mistake

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES = ROOT / "sim/guide/figures.txt"


def output_of(tofn, command, folder):
    """What a command prints; files that it writes stay in `folder`."""
    command = command.replace("build/tofn ", f"{tofn} ")
    environment = {**os.environ, "TOFN_CONFIGS": str(ROOT / "configs")}
    result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True,
                            check=False)
    return result.stdout.rstrip("\n").split("\n") if result.stdout else []


def pieces(lines):
    """The shown lines between `...` lines."""
    parts = [[]]
    for line in lines:
        if line == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def matches(shown, printed):
    parts = pieces(shown)
    if len(parts) == 1:
        return shown == printed
    at = 0
    for index, part in enumerate(parts):
        if index == len(parts) - 1 and part:
            return printed[at:][-len(part):] == part
        starts = [0] if index == 0 else range(at, len(printed) + 1)
        found = next((s for s in starts if printed[s:s + len(part)] == part), None)
        if found is None:
            return False
        at = found + len(part)
    return True


def most_alike(parts, printed):
    """For each part as many printed lines as it has, one part behind the other, that together are most like them."""
    def likeness(part, lines):
        return difflib.SequenceMatcher(None, "\n".join(part), "\n".join(lines)).ratio()

    best = {at: (0.0, []) for at in range(len(printed) + 1)}  # of the parts so far, within the first `at` lines
    for part in parts:
        longer = {}
        for end in range(len(printed) + 1):
            found = [longer[end - 1]] if end - 1 in longer else []
            if end >= len(part) and end - len(part) in best:
                before, lines = best[end - len(part)]
                own = printed[end - len(part):end]
                found.append((before + likeness(part, own), [*lines, own]))
            if found:
                longer[end] = max(found, key=lambda each: each[0])
        best = longer
    return best[len(printed)][1] if len(printed) in best else [[] for _ in parts]


def updated(shown, printed):
    parts = pieces(shown)
    if len(parts) == 1:
        return printed
    head, tail = len(parts[0]), len(parts[-1])
    lines = printed[:head]
    for own in most_alike(parts[1:-1], printed[head:len(printed) - tail]):
        lines += ["...", *own]
    return lines + ["..."] + (printed[-tail:] if tail else [])


def examples(block):
    """(command, shown lines) of one block."""
    found = []
    for line in block:
        if line.startswith("$ "):
            found.append((line, []))
        elif found:
            found[-1][1].append(line)
    return found


def checked(block, tofn, folder, name):
    """The lines that a block of examples should have, and how many examples differ."""
    lines, differing = [], 0
    for command, shown in examples(block):
        printed = output_of(tofn, command[len("$ "):], folder)
        lines.append(command)
        if matches(shown, printed):
            lines += shown
        elif not printed:  # it failed: what was shown is not put away for nothing
            lines += shown
            differing += 1
            print(f"{name}: {command}: prints nothing", file=sys.stderr)
        else:
            lines += updated(shown, printed)
            differing += 1
            print(f"{name}: {command}: prints something else", file=sys.stderr)
    return lines, differing


def python_output(tofn, program, folder):
    """What a block of Python prints; None: no module was built."""
    module = pathlib.Path(tofn).parent / "python"
    if not (module / "tofn").is_dir():
        return None
    environment = {**os.environ, "TOFN_CONFIGS": str(ROOT / "configs"), "PYTHONPATH": str(module)}
    result = subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True,
                            check=False)
    return [line.rstrip() for line in result.stdout.rstrip("\n").split("\n")] if result.stdout else [result.stderr.strip()]


def python_checked(program, block, tofn, folder, name):
    """The lines that a block below a program should have, and whether they differ."""
    printed = python_output(tofn, program, folder)
    if printed is None:
        print(f"{name}: Python was not run: no module stands beside {tofn}", file=sys.stderr)
        return block, 0
    if matches(block, printed):
        return block, 0
    print(f"{name}: {program.splitlines()[0]}: prints something else", file=sys.stderr)
    return printed, 1


def working_folder(folder, tofn):
    """A folder in which a page's commands find what they would find in the tree."""
    for name in ("configs", "tests", "sim", "scripts"):
        pathlib.Path(folder, name).symlink_to(ROOT / name)
    pathlib.Path(folder, "build").mkdir()
    pathlib.Path(folder, "build/tofn").symlink_to(tofn)
    return folder


def examples_checked(text, tofn, name):
    """The text with today's examples, and how many differ."""
    out, block, differing = [], None, 0
    language = program = ""  # of this block; what the block behind it shows the output of
    with tempfile.TemporaryDirectory() as folder:
        working_folder(folder, tofn)
        for line in text.split("\n"):
            if block is None:
                out.append(line)
                if line.startswith("```"):
                    block, language = [], line[3:]
                elif line:
                    program = ""
            elif line != "```":
                block.append(line)
            else:
                found = 0
                if block and block[0].startswith("$ "):
                    block, found = checked(block, tofn, folder, name)
                elif program and not language:
                    block, found = python_checked(program, block, tofn, folder, name)
                differing += found
                program = "\n".join(block) if language == "python" else ""
                out += [*block, line]
                block = None
    return "\n".join(out), differing


def check(page, tofn, held, update):
    """How many examples and figures of one page differ."""
    name = page.relative_to(ROOT) if page.is_relative_to(ROOT) else page
    old = page.read_text(encoding="utf-8")
    text, differing = examples_checked(old, tofn, name)
    text, problems = held.checked(text)
    for problem in problems:
        print(f"{name}: {problem}", file=sys.stderr)
    if update and text != old:
        page.write_text(text, encoding="utf-8")
    return differing + len(problems)


def held_figures(tofn, folder):
    return HeldFigures(FIGURES.read_text(encoding="utf-8"), (ROOT / "tests/scorecard.csv").read_text(encoding="utf-8"),
                       lambda command: "\n".join(output_of(tofn, command, folder)))


def self_check():
    """Planted figures, tables and examples: what is said of each."""
    held = HeldFigures("scorecard steps a\n  mean  mean_percent\n$ build/tofn x\n  pairs  (\\d+) of\n  gone  (\\d+) off\n"
                       "table t\n  head  of | mean, % | n\n  cells  {mean_percent .1} | {n}\n  row  steps a = `a`, {pairs}\n"
                       "table u\n  head  of\n  row  steps b = b\n",
                       "what,of,mean_percent,n\nsteps a,time,5.96,\n", lambda command: "56 of 63 pairs")
    table = ("<!-- table: t -->\n\n| of      | mean, % |   n |\n| ------- | ------: | --: |\n| `a`, 56 |     {} |     |\n\n"
             "<!-- end table -->")
    planted = {"6.0<!--=mean--> %": (None, "6.0<!--=mean--> %"),
               "5.9<!--=mean--> %": ("mean: 5.9 here, 6.0 is printed", "6.0<!--=mean--> %"),
               "48<!--=pairs-->": ("pairs: 48 here, 56 is printed", "56<!--=pairs-->"),
               "7<!--=gone-->": ("figures.txt: gone: '(\\d+) off' is not in what `$ build/tofn x` prints", "7<!--=gone-->"),
               "7<!--=new-->": ("new: is not in figures.txt", "7<!--=new-->"),
               "seven<!--=mean-->": ("mean: no figure stands before it", "seven<!--=mean-->"),
               table.format("6.0"): (None, table.format("6.0")),
               table.format("5.9"): ("table t: is not what is printed", table.format("6.0")),
               table.replace(": t", ": u"): ("figures.txt: scorecard steps b: 0 such rows; of that name are there: none",
                                             table.replace(": t", ": u")),
               table.replace(": t", ": v"): ("table v: is not in figures.txt", table.replace(": t", ": v"))}
    good = True
    for text, (problem, updated_text) in planted.items():
        found = held.checked(text)
        if found != (updated_text, [problem] if problem else []):
            good = False
            print("unexpected:", text, found)
    if held.unused(["6<!--=mean-->", table]) != ["gone", "table u"]:
        good = False
        print("unused:", held.unused(["6<!--=mean-->", table]))
    for shown, printed in ((["a", "...", "b 1", "...", "c 1", "...", "z"], ["a", "c 2", "x", "b 2", "y", "z"]),
                           (["...", "b 1", "...", "c 1"], ["b 2", "c 2"]),
                           (["a", "...", "b 1", "..."], ["a"])):
        lines = updated(shown, printed)
        if not matches(lines, printed):
            good = False
            print("what --update writes is not what is printed:", shown, lines, printed)
    page = "```\n$ echo a; echo b\na\nc\n```"
    empty = "```\n$ false\na\n```"
    if examples_checked(empty, pathlib.Path("tofn"), "planted") != (empty, 1):
        good = False
        print("what a failed command had shown was lost")
    with tempfile.TemporaryDirectory() as beside:
        pathlib.Path(beside, "python/tofn").mkdir(parents=True)
        tofn = pathlib.Path(beside, "tofn")
        program = "```python\nprint(1 + 1)\n```\n\n```\n{}\n```"
        for shown, differing in (("2", 0), ("3", 1)):
            if examples_checked(program.format(shown), tofn, "planted") != (program.format(2), differing):
                good = False
                print("a block below Python was not what it prints")
        if examples_checked(program.format(3).replace("\n\n", "\nwords\n"), tofn, "planted")[1] != 0:
            good = False
            print("a block that stands apart from Python was taken for its output")
    if examples_checked(page, pathlib.Path("tofn"), "planted") != ("```\n$ echo a; echo b\na\nb\n```", 1):
        good = False
        print("an example that differs was not found")
    return good


def pages_of(words):
    return [pathlib.Path(word).resolve() for word in words] or [
        ROOT / "README.md", *sorted(ROOT.glob("*/README.md")), *sorted(ROOT.glob("sim/*.md")), *sorted(ROOT.glob("sim/guide/*.md"))]


def main():
    words = sys.argv[1:]
    if words == ["--self-check"]:
        with contextlib.redirect_stderr(io.StringIO()):  # what is said of the planted pages
            sys.exit(0 if self_check() else 1)
    update = words[:1] == ["--update"]
    words = words[update:]
    tofn, pages = pathlib.Path(words[0]).resolve(), pages_of(words[1:])
    with tempfile.TemporaryDirectory() as folder:
        try:
            held = held_figures(tofn, working_folder(folder, tofn))
        except Mistake as mistake:
            sys.exit(str(mistake))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            differing = sum(pool.map(lambda page: check(page, tofn, held, update), pages))
    if not words[1:]:
        for name in held.unused([page.read_text(encoding="utf-8") for page in pages]):
            print(f"figures.txt: {name}: no page uses it", file=sys.stderr)
            differing += not update
    sys.exit(1 if differing and not update else 0)


if __name__ == "__main__":
    main()
