#!/usr/bin/env python3
"""Do the intervals that tofn-bench states hold on this machine?

    check_intervals.py [--bench build/tofn-bench] [--runs 10] [--mpirun "mpirun -np 2"]

Runs the same MPI collectives `runs` times as usual, each a job of its own, with one run twenty times
as long in the middle. Prints how many of the 95 % intervals of the median hold the long run's median
(at least 9 in 10 are expected), and how many of the intervals for a repeat run hold the median of
the next run. Exits 1 below 9 in 10.
"""
import json
import pathlib
import statistics
import sys
import tempfile

import jobs

SIZES = "8B,256B,4KiB,64KiB,1MiB,4MiB"
OPERATIONS = "all-reduce,all-gather"


def measure(asked, file, *options):
    command = [*asked.mpirun, str(asked.bench), "collective", "--backend", "mpi", "--op", OPERATIONS,
               "--sizes", SIZES, "--place", "out", "--overwrite", "-o", str(file), *options]
    jobs.run(command)
    points = json.loads(file.read_text())["points"]
    return {(p["parameters"]["operation"], p["parameters"]["size_bytes"]): p for p in points}


def sampling_time(points):
    """Seconds of sampling a point took, on average."""
    return statistics.mean(sum(p["host_samples_us"]) * p["calls_per_sample"] * 1e-6
                           for p in points.values())


def share_inside(pairs, key):
    """Of (point, median) pairs, how many medians lie in the point's interval."""
    inside = [point[key][0] <= median <= point[key][1] for point, median in pairs]
    return sum(inside), len(inside)


def main():
    asked = jobs.parsed_options(__doc__.splitlines()[0], runs=10)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "record.json"
        runs = [measure(asked, file) for _ in range(asked.runs // 2)]
        longer = 20 * statistics.mean(sampling_time(points) for points in runs)
        long_run = measure(asked, file, "--precision", "0.001", "--max-time", f"{longer:.3f}s")
        runs += [measure(asked, file) for _ in range(asked.runs - len(runs))]
    covered = [(run[key], long_run[key]["median_us"]) for run in runs for key in long_run]
    repeated = [(first[key], second[key]["median_us"])
                for first, second in zip(runs, runs[1:]) for key in long_run]
    print(f"{'operation':<12} {'size_B':>8} {'long_us':>10} {'long_visits':>11}  intervals that hold it")
    for key, point in long_run.items():
        good, all_of = share_inside([pair for pair in covered if pair[0]["parameters"] == point["parameters"]],
                                    "interval_us")
        print(f"{key[0]:<12} {key[1]:>8} {point['median_us']:>10.3f} {len(point['visits']):>11}  "
              f"{good}/{all_of}")
    good, all_of = share_inside(covered, "interval_us")
    again, all_again = share_inside(repeated, "repeat_interval_us")
    print(f"95 % intervals of the median that hold the median of a run 20 times as long: {good}/{all_of}")
    print(f"95 % intervals for a repeat run that hold the next run's median: {again}/{all_again}")
    if good < 0.9 * all_of:
        sys.exit("fewer than 9 in 10")


if __name__ == "__main__":
    main()
