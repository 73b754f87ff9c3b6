#!/usr/bin/env python3
"""Holds the examples of README.md against what the program prints.

    check_readme.py TOFN [README]            fail where a printed line differs
    check_readme.py --update TOFN [README]   put what is printed in its place

An example is a block that starts with `$ build/tofn`. A line `...` stands for any lines; --update
keeps, of such an example, as many lines as it showed before and after it.
"""
import pathlib
import subprocess
import sys
import tempfile

MARK = "$ build/tofn "


def output_of(tofn, words, folder):
    """What a command prints; files that it writes stay in `folder`, for the commands after it."""
    command = f"{tofn} {words}"
    result = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
    return result.stdout.rstrip("\n").split("\n")


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


def updated(shown, printed):
    parts = pieces(shown)
    if len(parts) == 1:
        return printed
    head, tail = len(parts[0]), len(parts[-1])
    return printed[:head] + ["..."] + (printed[-tail:] if tail else [])


def examples(block):
    """(command, shown lines) of one block."""
    found = []
    for line in block:
        if line.startswith("$ "):
            found.append((line, []))
        elif found:
            found[-1][1].append(line)
    return found


def main():
    words = sys.argv[1:]
    update = words[:1] == ["--update"]
    words = words[update:]
    root = pathlib.Path(__file__).resolve().parent.parent
    tofn = pathlib.Path(words[0]).resolve()
    readme = pathlib.Path(words[1]) if len(words) > 1 else root / "README.md"
    out, block, differing = [], None, 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("configs", "tests"):
            pathlib.Path(folder, name).symlink_to(root / name)
        for line in readme.read_text().split("\n"):
            if block is None:
                out.append(line)
                block = [] if line == "```" else None
            elif line == "```":
                for_program = block and block[0].startswith(MARK)
                for command, shown in examples(block) if for_program else []:
                    printed = output_of(tofn, command[len(MARK):], folder)
                    out.append(command)
                    fits = matches(shown, printed)
                    out += updated(shown, printed) if update and not fits else shown
                    if not fits:
                        differing += 1
                        print(f"{readme.name}: {command}: prints something else", file=sys.stderr)
                if not for_program:
                    out += block
                out.append(line)
                block = None
            else:
                block.append(line)
    if update:
        readme.write_text("\n".join(out))
    sys.exit(1 if differing and not update else 0)


if __name__ == "__main__":
    main()
