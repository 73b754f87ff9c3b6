"""Programs in sessions of their own: what they started ends with them, and with this script."""
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

RUNNING = set()  # a session has the number of the process that leads it
IS_ENDED = threading.Event()


def members(session):
    """Processes that have not ended; ranks of mpirun are in process groups of their own."""
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of, *_ = file.read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has ended
            continue
        if int(of) == session and state not in "ZX":
            yield int(file.parent.name)


def end(session):
    """One of them may start another while the others are ended."""
    while found := list(members(session)):
        for process in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def end_all(number, _):
    IS_ENDED.set()
    for session in list(RUNNING):
        end(session)
    sys.exit(128 + number)


def end_with_this_script():
    """Sessions of their own do not get the signals of a terminal."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end_all)


def run(command, seconds, environment, folder):
    """The exit code and what it printed; no exit code: it takes longer than so many seconds. Temporary files go, too."""
    with tempfile.TemporaryDirectory(prefix="tofn.", ignore_cleanup_errors=True) as temporary, tempfile.TemporaryFile("w+", errors="replace") as output:
        if IS_ENDED.is_set():
            sys.exit("ended")
        program = subprocess.Popen(command, env={**environment, "TMPDIR": temporary}, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL, start_new_session=True)
        RUNNING.add(program.pid)
        try:
            code = None if IS_ENDED.is_set() else program.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            end(program.pid)
            program.wait()
            RUNNING.discard(program.pid)
        if IS_ENDED.is_set():
            sys.exit("ended")
        output.seek(0)
        return code, output.read()
