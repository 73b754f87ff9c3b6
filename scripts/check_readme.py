#!/usr/bin/env python3
"""Holds the examples of README.md, here and in the folders, against what the program prints.

    check_readme.py TOFN [README...]            fail where a printed line differs
    check_readme.py --update TOFN [README...]   put what is printed in its place

An example is a block that starts with `$ `; `build/tofn` in its commands is TOFN, and files that
they write stay for later ones of the same README. A line `...` stands for any lines; --update keeps,
of such an example, as many lines as it showed first and last, and between them those most like what it showed.
"""
import difflib
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def output_of(tofn, command, folder):
    """What a command prints; files that it writes stay in `folder`."""
    command = command.replace("build/tofn ", f"{tofn} ")
    result = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
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


def most_alike(part, printed):
    """As many printed lines as `part` has, those that are most like it."""
    places = [printed[at:at + len(part)] for at in range(max(1, len(printed) - len(part) + 1))]
    return max(places, key=lambda lines: difflib.SequenceMatcher(None, "\n".join(part), "\n".join(lines)).ratio())


def updated(shown, printed):
    parts = pieces(shown)
    if len(parts) == 1:
        return printed
    head, tail = len(parts[0]), len(parts[-1])
    lines = printed[:head]
    for part in parts[1:-1]:
        lines += ["...", *most_alike(part, printed)]
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
        else:
            lines += updated(shown, printed)
            differing += 1
            print(f"{name}: {command}: prints something else", file=sys.stderr)
    return lines, differing


def check(readme, tofn, update):
    """How many examples of one file differ."""
    out, block, differing = [], None, 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("configs", "tests"):
            pathlib.Path(folder, name).symlink_to(ROOT / name)
        for line in readme.read_text().split("\n"):
            if block is None:
                out.append(line)
                block = [] if line.startswith("```") else None
            elif line != "```":
                block.append(line)
            else:
                if block and block[0].startswith("$ "):
                    block, found = checked(block, tofn, folder, readme)
                    differing += found
                out += [*block, line]
                block = None
    if update:
        readme.write_text("\n".join(out))
    return differing


def main():
    words = sys.argv[1:]
    update = words[:1] == ["--update"]
    words = words[update:]
    tofn = pathlib.Path(words[0]).resolve()
    readmes = [pathlib.Path(word) for word in words[1:]]
    differing = sum([check(readme, tofn, update)
                     for readme in readmes or [ROOT / "README.md", *sorted(ROOT.glob("*/README.md"))]])
    sys.exit(1 if differing and not update else 0)


if __name__ == "__main__":
    main()
