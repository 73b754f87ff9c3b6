"""Tables of pages that are written from tests/scorecard.csv and from what the program prints.

In a page two lines, `<!-- table: NAME -->` and `<!-- end table -->`, stand around what is written. In sim/guide/figures.txt a
section `table NAME` has the heads of its columns, the cells of a row, and the rows:

    table steps
      head   predicted | steps | mean error, %
      cells  {n} | {mean_percent .1}
      row    steps left-out-model = a step

A row names a row of the scorecard, and the cells before those of `cells`. In braces stands a column of that row, or a name of
figures.txt, with its decimals. A column that is empty in the row leaves an empty cell. Columns are padded, so that the
page is a table in a pager too.
"""
import decimal
import re

TABLE = re.compile(r"<!-- table: ([\w-]+) -->\n.*?<!-- end table -->", re.S)
FIELD = re.compile(r"\{([\w-]+)(?: \.(\d))?\}")


def aligned(rows):
    """Lines of a table in Markdown: the first row is its head; columns of numbers stand to the right."""
    widths = [max(3, *map(len, column)) for column in zip(*rows)]
    right = [all(re.fullmatch(r"[-+]?[\d,.]*", cell) for cell in column[1:]) for column in zip(*rows)]

    def line(cells):
        return "| " + " | ".join(cell.rjust(width) if is_right else cell.ljust(width)
                                 for cell, width, is_right in zip(cells, widths, right)) + " |"

    ruler = ["-" * (width - 1) + (":" if is_right else "-") for width, is_right in zip(widths, right)]
    return [line(rows[0]), line(ruler), *map(line, rows[1:])]


def cells_of(text, value):
    """The cells of one row; `value(name)` is what is printed of a name, or empty."""
    def shown(field):
        printed, decimals = value(field[1]), field[2]
        if not printed or not decimals:
            return printed
        # Halves go up, as the program rounds the figure that the scorecard has with two decimals.
        return str(decimal.Decimal(printed).quantize(decimal.Decimal(1).scaleb(-int(decimals)), decimal.ROUND_HALF_UP))

    return [FIELD.sub(shown, cell.strip()) for cell in text.split("|")]


def written(lines, value_in):
    """A table by the lines of its section. `value_in(row)` gives what is printed of a name within a row of the scorecard."""
    spec = {"cells": ""}
    rows = []
    for key, rest in lines:
        if key == "row":
            row, _, own = rest.partition(" = ")
            rows.append(cells_of(f"{own} | {spec['cells']}", value_in(row.strip())))
        else:
            spec[key] = rest
    return "\n".join(aligned([cells_of(spec["head"], str), *rows]))
