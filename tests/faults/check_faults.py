#!/usr/bin/env python3
"""What happens to each command when the machine fails it: one exit code a fault, whatever the command.

    check_faults.py TOFN LIBRARY

LIBRARY is that of failing_calls.cpp. Prints a table of faults and commands; `-`: no call of the command met the fault.
A fault that this machine cannot have is named and left out. Exit code 1 where a command ended otherwise, said nothing,
gave another answer than without the fault, or left a file that is not whole under the asked name, and where too few
commands met a fault.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

import check_failing_calls

COMMANDS = {
    "predict": ["predict", "llama3-8b", "dgx-h100", "-N", "16", "--tokens", "1T", "-o", "{folder}/out.csv"],
    "plan": ["plan", "llama3-8b", "dgx-h100", "-N", "8,16", "--tokens", "1T", "-o", "{folder}/out.csv"],
    "sweep": check_failing_calls.COMMANDS["sweep"],
    "calibrate": check_failing_calls.COMMANDS["calibrate"],
    "import": check_failing_calls.COMMANDS["import"],
    "watch": [*check_failing_calls.COMMANDS["watch"], "-o", "{folder}/out.csv"],
    "report": check_failing_calls.COMMANDS["report"],
    "list": ["list", "clusters", "-o", "{folder}/out.csv"],
    "explain": ["explain", "goodput", "-o", "{folder}/out.csv"],
}


ODD = b"\xff\xfe"  # begins no character of UTF-8


def hide(output, folder):
    """Without names that differ from run to run."""
    for each in (ODD, "\ufffd\ufffd".encode(), folder.encode()):
        output = output.replace(each, b"")
    return output


class Ended:
    """How a command ended under a fault. The keys of `change`: environment, words, output, standard_output; with
    `failing`, KIND:N of a call of failing_calls.cpp, it has met the fault where it made so many such calls."""

    def __init__(self, tofn, words, source, change):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copytree(source, folder, dirs_exist_ok=True)
            placed = [word.format(folder=folder) for word in words]
            if "output" in change:
                placed[placed.index("-o") + 1] = change["output"](folder, pathlib.Path(placed[placed.index("-o") + 1]))
            if "words" in change:
                placed = change["words"](placed)
            ended = subprocess.run(
                [tofn, *placed], env={**os.environ, "TOFN_FAIL_COUNT": name + "/counts", **change.get("environment", {})}, stdin=subprocess.DEVNULL,
                stdout=change.get("standard_output", lambda: subprocess.PIPE)(), stderr=subprocess.PIPE, timeout=60, check=False)
            self.code = ended.returncode
            self.errors = [line for line in ended.stderr.decode(errors="replace").splitlines() if line.strip()]
            self.output = hide(ended.stdout or b"", name)
            file = pathlib.Path(os.fsdecode(placed[placed.index("-o") + 1])) if "-o" in placed else None
            self.file = hide(file.read_bytes(), name) if file and file.exists() else None
            self.has_met = "failing" not in change or self.has_called(folder / "counts", change["failing"])

    def has_called(self, counts, failing):
        if not counts.exists():  # ended at once by the fault, or without the library
            return self.code != 0
        kind, turn = failing.rstrip("+").split(":")
        return int(dict(line.split() for line in counts.read_text().splitlines())[kind]) >= int(turn)


def closed_pipe():
    read, write = os.pipe()
    os.close(read)
    return write


def read_only(_, file):
    return f"/proc/{file.name}"


def printed(words):
    """Without -o: the answer goes to standard output."""
    at = words.index("-o")
    return words[:at] + words[at + 2:] if words[0] not in ("report", "calibrate") else words


def german(folder):
    """Numbers with a decimal comma, where localedef can make them."""
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder / "de_DE.UTF-8"], capture_output=True, check=False) if shutil.which("localedef") else None
    return {"LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8"} if made is not None and (folder / "de_DE.UTF-8").exists() else None


def faults(library, folder):
    """A name, what changes, and the exit code of every command that meets it; 0: with the same answer. `least`: how many
    commands are to meet it."""
    def failing(what, least=len(COMMANDS)):
        return {"environment": {"LD_PRELOAD": str(library), "TOFN_FAIL": what}, "failing": what, "least": least}

    yield "disk full", failing("write:1+"), 1
    yield "output full", {"standard_output": lambda: os.open("/dev/full", os.O_WRONLY), "words": printed}, 1
    yield "read-only folder", {"output": read_only}, 2
    yield "folder that is none", {"output": lambda where, file: f"{where}/sweep.yaml/{file.name}"}, 2
    yield "no memory", failing("allocation:200+"), 1
    yield "no threads", failing("thread:1+", least=1), 1
    yield "broken pipe", {"standard_output": closed_pipe, "words": printed}, -signal.SIGPIPE
    yield "killed at once", failing("killed:1"), -signal.SIGKILL
    yield "killed later", failing("killed:3"), -signal.SIGKILL
    yield "date jumps", failing("clock:1", least=0), 0  # who does not ask for a date need not read it
    comma = german(folder)
    yield "decimal comma", {"environment": comma} if comma else None, 0
    yield "name no UTF-8", {"output": lambda where, file: os.fsencode(where) + b"/" + ODD + os.fsencode(file.name)}, 0
    yield "input no UTF-8", {"words": lambda words: [words[0], b"/" + ODD + b".yaml", *words[2:]]}, 2


def problem(ended, sound, code):
    is_same = (ended.output, ended.file) == (sound.output, sound.file)
    if not ended.has_met:
        code = 0
    if ended.code != code:
        return f"exit code {ended.code}: {' | '.join(ended.errors[-2:])}"
    if code == 0 and not is_same:
        return "another answer"
    if ended.file not in (None, sound.file):
        return "a file that is not whole"
    if code > 0 and not ended.errors:
        return "not a word on standard error"
    return ""


def main():
    tofn, library = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    os.environ.setdefault("TOFN_CONFIGS", str(check_failing_calls.ROOT / "configs"))
    bad = []
    print(f"{'exit code':<20}" + "".join(f"{name:>10}" for name in COMMANDS))
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as elsewhere:
        source = pathlib.Path(name)
        check_failing_calls.inputs(source, tofn)
        sound = {command: Ended(tofn, words, source, {}) for command, words in COMMANDS.items()}
        for fault, change, code in faults(library, pathlib.Path(elsewhere)):
            if change is None:
                print(f"{fault:<20} cannot be had here")
                continue
            ended = {command: Ended(tofn, words, source, change) for command, words in COMMANDS.items()}
            print(f"{fault:<20}" + "".join(f"{each.code if each.has_met else '-':>10}" for each in ended.values()), flush=True)
            bad += [f"{fault}: {command}: {what}" for command, each in ended.items() if (what := problem(each, sound[command], code))]
            met = sum(each.has_met for each in ended.values())
            if met < change.get("least", 0):
                bad.append(f"{fault}: a call of {met} commands met it, not of {change['least']}")
    print("\n".join(bad))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
