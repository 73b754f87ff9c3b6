"""What a function's options are: its signature and docstring, from the rows of the command line."""
import inspect
import keyword
import textwrap

from . import _tofn

# What an answer in Python is not written with.
_LEFT_OUT = {"format"}


def python_name(option):
    """`replica-batch` is replica_batch; words of Python get a `_` behind."""
    name = option.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def rows_of(command, arguments):
    """(name in Python, meaning, whether it takes a value) of each option that is no argument of the function."""
    for option in _tofn.options(command):
        name = python_name(option.name)
        if not option.is_argument and name not in arguments and option.name not in _LEFT_OUT:
            yield name, option.meaning, option.takes_value


def documented(command):
    """Gives a function that takes `**options` the signature and the docstring that the command has."""
    def change(function):
        own = [one for one in inspect.signature(function).parameters.values() if one.kind is not one.VAR_KEYWORD]
        rows = [*rows_of(command, {one.name for one in own})]
        options = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name, _, _ in rows]
        function.__signature__ = inspect.Signature([*own, *options])
        function.__doc__ = f"{function.__doc__}\n\n" + "\n".join(
            textwrap.fill(f"{name}: {meaning}" + ("" if takes_value else " (True or False)"), 100,
                          subsequent_indent="    ")
            for name, meaning, takes_value in rows)
        return function
    return change
