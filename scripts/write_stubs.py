#!/usr/bin/env python3
"""Writes sim/python/tofn/__init__.pyi, the types of the package, from the module that is on PYTHONPATH: options are its rows.

    PYTHONPATH=build/python scripts/write_stubs.py
"""
import inspect
import pathlib
import textwrap

import tofn
from tofn._options import rows_of

HEAD = '''\
# Written by scripts/write_stubs.py from the rows of options; a test holds it equal to the module.
import os
from builtins import list as _list  # `list` is a function here
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, overload

import numpy
import numpy.typing
import pandas

_Name = str | os.PathLike[str]
_Value = int | float | str | None
_Setting = str | int | float | bool | os.PathLike[str] | Iterable[str | int | float | os.PathLike[str]] | None

__version__: str

class Error(Exception):
    exit_code: int

class Figure:
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> _Value: ...
    @property
    def unit(self) -> str: ...
    @property
    def meaning(self) -> str: ...
    @property
    def low90(self) -> float | None: ...
    @property
    def high90(self) -> float | None: ...
    @property
    def basis(self) -> str: ...
    def __float__(self) -> float: ...

class Drawing:
    title: str
    description: str
    svg: str
    def save(self, path: _Name) -> None: ...

class Answer:
    @property
    def columns(self) -> _list[str]: ...
    @property
    def text(self) -> str: ...
    @property
    def notices(self) -> _list[str]: ...
    @property
    def exit_code(self) -> int: ...
    @property
    def command_line(self) -> _list[str]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __contains__(self, column: object) -> bool: ...
    def __iter__(self) -> Iterator[dict[str, _Value]]: ...
    @overload
    def __getitem__(self, key: str) -> _list[Any]: ...
    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    def value(self, column: str, row: int = 0) -> Any: ...
    def figure(self, column: str, row: int = 0) -> Figure: ...
    def numbers(self, column: str) -> numpy.typing.NDArray[numpy.float64]: ...
    def to_dict(self) -> dict[str, _list[Any]]: ...
    def to_pandas(self) -> pandas.DataFrame: ...
    def csv(self) -> str: ...
    def json(self) -> str: ...
    def plot(self, figure: str | None = None, over: str = "accelerators",
             by: str | Iterable[str] | None = None) -> Drawing: ...
    def plot_steps(self, row: int | None = None) -> Drawing: ...

def version() -> str: ...
def help(command: str) -> str: ...
def answer(command: str, /, *arguments: _Name | None, **options: _Setting) -> Answer: ...
def command_line(command: str, /, *arguments: _Name | None, **options: _Setting) -> _list[str]: ...
'''
SEVERAL = "_Name | Iterable[_Name]"
TYPES = {"files": SEVERAL, "clusters": SEVERAL, "sweep": "_Name | Mapping[str, Any]"}


def argument(parameter):
    kind = TYPES.get(parameter.name, "_Name")
    if parameter.default is inspect.Parameter.empty:
        return f"{parameter.name}: {kind}"
    return f"{parameter.name}: {kind}{' | None' if parameter.default is None else ''} = {parameter.default!r}"


def stub_of(name):
    signature = inspect.signature(getattr(tofn, name))
    own = [one for one in signature.parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    rows = rows_of(name, {one.name for one in own})
    options = [f"{option}: {'_Setting' if takes_value else 'bool | None'} = None" for option, _, takes_value in rows]
    # Blanks inside an option are held together while the line is filled.
    words = ", ".join(word.replace(" ", "\0") for word in [*map(argument, own), "*", *options])
    filled = textwrap.fill(f"def {name}({words})\0->\0Answer:\0...", 118, subsequent_indent=" " * 8, break_long_words=False,
                           break_on_hyphens=False)
    return filled.replace("\0", " ")


def stubs():
    commands = ("calibrate", "collective", "compare", "list", "plan", "predict", "scale", "step", "sweep", "validate")
    return HEAD + "\n" + "\n".join(map(stub_of, commands)) + "\n"


if __name__ == "__main__":
    file = pathlib.Path(__file__).resolve().parents[1] / "sim/python/tofn/__init__.pyi"
    file.write_text(stubs(), encoding="utf-8")
