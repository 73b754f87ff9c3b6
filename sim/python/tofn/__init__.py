"""How long distributed training takes on N accelerators, and why.

Each command of `tofn` is a function. Its options are keyword arguments of the same names, `_` for `-`:

    import tofn
    run = tofn.predict("llama3-70b", "dgx-h100", accelerators=512, tokens="2T")
    print(run)                    # what `tofn predict` prints
    run.figure("days")            # value, unit, 90 % interval, basis, meaning
    run["days"]                   # a column: a list with a value a row
    run.plot()                    # in a notebook: a picture

`help(tofn.predict)` shows the options. Mistakes are tofn.Error, with the words of the command.
"""
from ._tofn import Error, Figure
from ._answer import Answer
from ._commands import (answer, calibrate, collective, command_line, compare, help, list, plan, predict, scale, step,
                        sweep, validate)
from ._drawing import Drawing
from ._tofn import version

# Without `list` and `help`: `from tofn import *` leaves Python's own.
__all__ = ["Answer", "Drawing", "Error", "Figure", "answer", "calibrate", "collective", "command_line", "compare",
           "plan", "predict", "scale", "step", "sweep", "validate", "version"]
__version__ = version().split()[0]
