#!/usr/bin/env python3
"""Holds the metrics of `tofn watch --metrics`, and the board that draws them, against Prometheus' own checker.

    check_metrics.py TOFN

Both kinds of log are watched, into a file and over HTTP. Every expression of the board must be one of PromQL.
Without promtool (Debian's package prometheus): exit code 77, skipped.
"""
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

SKIPPED = 77
BOARD = pathlib.Path(__file__).resolve().parent.parent / "configs/dashboards/tofn.json"


def steps_log(last):
    """A log of Megatron-LM whose steps take 2 s, and 3 s from the 60th on."""
    lines, clock = [], 0
    for step in range(1, last + 1):
        seconds = 2 if step < 60 else 3
        clock += seconds
        lines.append(f"[2024-05-01 10:{clock // 60:02}:{clock % 60:02}.000] iteration {step}/ 1000 | elapsed time per "
                     f"iteration (ms): {1000 * seconds}.0 | global batch size: 64 |")
    return "\n".join(lines) + "\n"


def collectives_log():
    """Lines of NCCL Inspector: two communicators, of which the one between nodes becomes slower."""
    lines = []
    for call in range(100):
        for name, ranks, nodes, us in [("0xa", 8, 1, 400), ("0xb", 32, 4, 1000 if call < 50 else 2000)]:
            lines.append(json.dumps({
                "header": {"id": name, "rank": 0, "n_ranks": ranks, "nnodes": nodes},
                "metadata": {"dump_timestamp_us": 1_000_000 * (call + 1)},
                "coll_perf": {"coll": "AllReduce", "coll_sn": call, "coll_msg_size_bytes": 67108864,
                              "coll_exec_time_us": us}}))
    return "\n".join(lines) + "\n"


def require(holds, what):
    if not holds:
        sys.exit(f"FAILED: {what}")


def check_text(promtool, text, needed):
    done = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True, check=False)
    require(done.returncode == 0, f"promtool check metrics: {done.stdout}{done.stderr}\n{text}")
    for line in needed:
        require(re.search(line, text, re.MULTILINE), f"no line {line} in\n{text}")


def check_file(tofn, promtool, log, words, needed):
    out = log.with_suffix(".prom")
    subprocess.run([tofn, "watch", log, "--once", "--metrics", out, *words], check=True, capture_output=True)
    check_text(promtool, out.read_text(encoding="utf-8"), needed)
    require([each.name for each in out.parent.glob("*.prom*")] == [out.name], "a file beside the metrics was left")


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def scraped(port):
    """Status, type and text of /metrics."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
        return answer.status, answer.headers["Content-Type"], answer.read().decode()


def waited_for(port, line):
    """The metrics once a line matches."""
    for _ in range(200):
        try:
            status, kind, text = scraped(port)
        except (urllib.error.URLError, ConnectionError):
            text = ""
        if re.search(line, text, re.MULTILINE):
            require(status == 200 and kind == "text/plain; version=0.0.4; charset=utf-8", f"it is sent as {kind}")
            return text
        time.sleep(0.1)
    sys.exit(f"FAILED: no line {line} in\n{text}")


def check_port(tofn, promtool, log):
    port = free_port()
    watching = subprocess.Popen([tofn, "watch", log, "--metrics", str(port), "--every", "0.2s"],
                                stdout=subprocess.DEVNULL)
    try:
        waited_for(port, r"^tofn_iteration\{.*\} 100$")
        log.write_text(steps_log(101), encoding="utf-8")
        check_text(promtool, waited_for(port, r"^tofn_iteration\{.*\} 101$"), [r"^tofn_step_seconds\{.*\} 3$"])
        log.write_text(steps_log(1000), encoding="utf-8")
        waited_for(port, r"^tofn_ended\{.*\} 1$")
        require(watching.poll() is None, "a port is served after the job's end")
        taken = subprocess.run([tofn, "watch", log, "--metrics", str(port)], capture_output=True, text=True, check=False)
        require(taken.returncode == 2 and "--metrics: " in taken.stderr, f"a port that is taken: {taken.stderr}")
    finally:
        watching.terminate()
        watching.wait(timeout=20)


def check_board(promtool, folder):
    board = json.loads(BOARD.read_text(encoding="utf-8"))
    expressions = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    rules = [{"record": f"board:expression:{i}".replace(":", "_"), "expr": each} for i, each in enumerate(expressions)]
    file = folder / "rules.json"  # JSON is YAML
    file.write_text(json.dumps({"groups": [{"name": "board", "rules": rules}]}), encoding="utf-8")
    done = subprocess.run([promtool, "check", "rules", file], capture_output=True, text=True, check=False)
    require(done.returncode == 0, f"promtool check rules: {done.stdout}{done.stderr}")
    return len(expressions)


def main():
    tofn = sys.argv[1]
    promtool = shutil.which("promtool")
    if promtool is None:
        print("skipped: no promtool: apt-get install prometheus")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        steps, collectives = folder / "train.log", folder / "pid.log"
        steps.write_text(steps_log(100), encoding="utf-8")
        collectives.write_text(collectives_log(), encoding="utf-8")
        check_file(tofn, promtool, steps, ["--predicted", "2s"],
                   [r"^tofn_end_timestamp_seconds\{", r"^tofn_step_drift_ratio\{.*\} 0\.5$",
                    r'^tofn_drift_cause\{.*cause="slow node"\} 1$'])
        steps.with_suffix(".prom").unlink()
        check_file(tofn, promtool, collectives, ["--cluster", "dgx-h100"],
                   [r'^tofn_bandwidth_cause\{.*cause="network"\} 1$',
                    r"^tofn_collective_expected_bus_bandwidth_bytes_per_second\{.*nodes=\"4\"\} "])
        check_port(tofn, promtool, steps)
        print(f"metrics of both logs pass promtool; {check_board(promtool, folder)} expressions of the board are PromQL")
    return 0


if __name__ == "__main__":
    sys.exit(main())
