"""The commands of `tofn` as functions."""
import os

from . import _tofn
from ._answer import Answer
from ._options import documented


def _texts(files):
    """One name or several, each perhaps a path."""
    one = isinstance(files, (str, os.PathLike))
    return [os.fspath(file) for file in ([files] if one else files)]


def _given(*arguments):
    """Those that are not left out."""
    return [os.fspath(argument) for argument in arguments if argument is not None]


def help(command):
    """Usage, options and examples as `tofn help COMMAND` prints them."""
    return _tofn.help(command)


def _plain(value):
    """What JSON has no word for: paths, ranges, numbers and arrays of numpy."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    return [*value]


def answer(command, /, *arguments, **options):
    """What `tofn COMMAND ARGUMENTS... --OPTIONS` answers; `tofn.help(COMMAND)` has its options."""
    arguments = _given(*arguments)
    return Answer(_tofn.answer(command, arguments, options), (command, arguments, options))


def command_line(command, /, *arguments, **options):
    """The words of the command line that asks the same."""
    return ["tofn", *_tofn.command_line(command, _given(*arguments), options)]


@documented("predict")
def predict(job=None, cluster=None, **options):
    """Step, run, energy and cost of a workload, model or run on N accelerators of a cluster: a row each N."""
    return answer("predict", job, cluster, **options)


@documented("step")
def step(model=None, cluster=None, **options):
    """A training step simulated from dimensions, plan and cluster: a row each N."""
    return answer("step", model, cluster, **options)


@documented("scale")
def scale(job=None, cluster=None, **options):
    """Scaling of a job over sizes; `table` chooses points, laws, knees or left-out."""
    return answer("scale", job, cluster, **options)


@documented("plan")
def plan(model, clusters=(), **options):
    """What to rent, how much of it and how to split the run over it.

    Clusters are names, or `dgx-h100:64` of a stock; without any, all that have a price are tried."""
    return answer("plan", model, *_texts(clusters), **options)


@documented("sweep")
def sweep(sweep, **options):
    """Every point of a grid: a name of `tofn list sweeps`, a .yaml file, a dictionary of its keys, or YAML as text."""
    if isinstance(sweep, dict):
        import json  # only here: it takes a third of the time that the package does
        sweep = json.dumps(sweep, indent=1, default=_plain) + "\n"  # which is YAML too
    if isinstance(sweep, str) and "\n" in sweep:
        return Answer(_tofn.sweep_text(sweep, options), ("sweep", ["sweep.yaml"], options))
    return answer("sweep", sweep, **options)


@documented("collective")
def collective(cluster=None, **options):
    """The time of one collective by each algorithm and protocol: `ranks=64, size="25MiB"`."""
    return answer("collective", cluster=cluster, **options)


@documented("calibrate")
def calibrate(files=(), output=None, **options):
    """Logs of collectives, or with `steps` of training, to the calibration file `output`."""
    return answer("calibrate", *_texts(files), output=output, **options)


@documented("validate")
def validate(what, files=(), **options):
    """How far off predictions are of what is held back: steps, published, collectives, ..."""
    return answer("validate", what, *_texts(files), **options)


@documented("compare")
def compare(**options):
    """Every published run beside its prediction."""
    return answer("compare", **options)


@documented("list")
def list(what=None, **options):
    """What is known: clusters, models, figures, ...; of nothing, how many of each."""
    return answer("list", what, **options)
