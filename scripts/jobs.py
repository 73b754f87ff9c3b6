"""What the scripts that measure share: their options, and how they start a program."""
import argparse
import pathlib
import shlex
import subprocess
import sys


def parsed_options(description, runs):
    """Where tofn-bench is, how many runs, and the words that start two ranks."""
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--bench", default=root / "build/tofn-bench")
    parser.add_argument("--runs", type=int, default=runs)
    parser.add_argument("--mpirun", default="mpirun -np 2", type=shlex.split)
    return parser.parse_args()


def run(command):
    """Ends this script, with all that the command wrote, where the command fails."""
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
