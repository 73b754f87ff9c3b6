#!/usr/bin/env python3
"""Ping-pong of tofn-bench beside NetPIPE (Debian's netpipe-openmpi) on this machine, in turn.

    compare_netpipe.py [--bench build/tofn-bench] [--runs 5] [--mpirun "mpirun -np 2"]

Prints one row a size: the median over the runs of each program's time of one message, and their
ratio. Exits 1 where the latency (smallest size) or the bandwidth of the largest message differ by
more than 10 %. Both print one-way times; NetPIPE's is the best of seven trials, tofn-bench's the
median of all samples, so its quietest run is compared too.
"""
import json
import pathlib
import statistics
import sys
import tempfile

import jobs

SIZES = [8, 64, 512, 4096, 32768, 262144, 1048576, 4194304]


def netpipe(mpirun, folder):
    """Seconds of one message by size."""
    out = folder / "netpipe.out"
    jobs.run([*mpirun, "NPopenmpi", "-l", str(SIZES[0]), "-u", str(SIZES[-1]), "-p", "0", "-o", str(out)])
    rows = (line.split() for line in out.read_text().splitlines())
    return {int(size): float(seconds) for size, _, seconds in rows}


def tofn(mpirun, bench, folder):
    out = folder / "tofn.json"
    jobs.run([*mpirun, str(bench), "collective", "--backend", "mpi", "--op", "send-receive-pairs",
              "--place", "in", "--sizes", ",".join(f"{size}B" for size in SIZES), "-o", str(out),
              "--overwrite"])
    points = json.loads(out.read_text())["points"]
    return {point["parameters"]["size_bytes"]: point["median_us"] * 1e-6 for point in points}


def main():
    asked = jobs.parsed_options(__doc__.splitlines()[0], runs=5)
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as name:
        for _ in range(asked.runs):
            theirs.append(netpipe(asked.mpirun, pathlib.Path(name)))
            ours.append(tofn(asked.mpirun, asked.bench, pathlib.Path(name)))
    ratios = {}
    print(f"{'size_bytes':>10} {'netpipe_us':>11} {'tofn_us':>11} {'ratio':>6} {'best/best':>9}")
    for size in SIZES:
        netpipe_us = [1e6 * run_of[size] for run_of in theirs]
        tofn_us = [1e6 * run_of[size] for run_of in ours]
        ratios[size] = statistics.median(tofn_us) / statistics.median(netpipe_us)
        print(f"{size:>10} {statistics.median(netpipe_us):>11.3f} {statistics.median(tofn_us):>11.3f} "
              f"{ratios[size]:>6.3f} {min(tofn_us) / min(netpipe_us):>9.3f}")
    bad = [size for size in (SIZES[0], SIZES[-1]) if abs(ratios[size] - 1) > 0.10]
    if bad:
        sys.exit(f"more than 10 % apart at {', '.join(f'{size} B' for size in bad)}")


if __name__ == "__main__":
    main()
