"""Figures in prose that are held to what the program prints.

In a page a figure and its name, `7.4<!--=steps-mean-->`; in sim/guide/figures.txt what it is held to: a command and, indented
below it, names with a pattern whose group is the figure; or `scorecard` with a row of tests/scorecard.csv and names with columns.
A figure that nothing prints says where it comes from: `13.75<!--:paper-->`. Whole tables: scripts/page_tables.py.
"""
import csv
import decimal
import re
import threading

from page_tables import FIELD, TABLE, written

HELD = re.compile(r"([-+]?\d[\d,]*(?:\.\d+)?)<!--=([\w.-]+)-->")
NAMED = re.compile(r"<!--=([^>]*)-->")
STATED = re.compile(r"[-+]?\d[\d,.]*(?:<!--:[\w.-]+-->)")


class Mistake(Exception):
    """What is wrong with figures.txt or with a name; one line."""


def sections(text):
    """(head, [(name, rest)]) of figures.txt."""
    found = []
    for line in text.split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            found.append((line, []))
        elif not found or len(line.split(None, 1)) != 2:
            raise Mistake(f"figures.txt: '{line.strip()}': expected a name and a pattern below a command or a row")
        else:
            found[-1][1].append(tuple(line.split(None, 1)))
    return found


def scorecard_row(rows, what):
    """The row of that `what`; of several the one whose `of` stands behind a semicolon."""
    name, _, of = (part.strip() for part in what.partition(";"))
    found = [row for row in rows if row["what"] == name and (not of or row["of"] == of)]
    if len(found) != 1:
        near = ", ".join(f"'{row['of']}'" for row in rows if row["what"] == name) or "none"
        raise Mistake(f"figures.txt: scorecard {what}: {len(found)} such rows; of that name are there: {near}")
    return found[0]


def as_shown(value, shown):
    """A printed number with the decimals, and the commas, of the one that is shown; other text as it is."""
    try:
        number = decimal.Decimal(value.replace(",", ""))
    except decimal.InvalidOperation:
        return value
    decimals = len(shown.partition(".")[2])
    sign = "+" if shown.startswith("+") and number >= 0 else ""
    text = f"{number.quantize(decimal.Decimal(1).scaleb(-decimals), decimal.ROUND_HALF_EVEN):{',' if ',' in shown else ''}f}"
    return sign + text


class HeldFigures:
    """Names -> what is printed today. `output_of(command)` runs a command; each runs once, when it is first needed."""

    def __init__(self, text, scorecard, output_of):
        self.output_of, self.printed, self.source, self.lock = output_of, {}, {}, threading.Lock()
        self.rows, self.tables = list(csv.DictReader(scorecard.splitlines())), {}
        for head, names in sections(text):
            if head.startswith("table "):
                self.tables[head.removeprefix("table ")] = names
                continue
            for name, rest in names:
                if name in self.source:
                    raise Mistake(f"figures.txt: {name}: stands there twice")
                self.source[name] = (head, rest)

    def value(self, name):
        if name not in self.source:
            raise Mistake(f"{name}: is not in figures.txt")
        head, rest = self.source[name]
        if head.startswith("scorecard "):
            row = scorecard_row(self.rows, head[len("scorecard "):])
            if not row.get(rest):
                raise Mistake(f"figures.txt: {name}: '{rest}' is empty or no column of the scorecard")
            return row[rest]
        with self.lock:  # pages are checked side by side
            if head not in self.printed:
                self.printed[head] = self.output_of(head.removeprefix("$ "))
        match = re.search(rest, self.printed[head], re.M)
        if not match:
            raise Mistake(f"figures.txt: {name}: '{rest}' is not in what `{head}` prints")
        return match[1]

    def value_in(self, row):
        """What is printed of a name within a row of the scorecard: a column of it, else a figure of its own."""
        columns = scorecard_row(self.rows, row)

        def value(name):
            return columns[name] if name in columns else self.value(name)

        return value

    def table(self, name):
        if name not in self.tables:
            raise Mistake(f"table {name}: is not in figures.txt")
        return f"<!-- table: {name} -->\n\n{written(self.tables[name], self.value_in)}\n\n<!-- end table -->"

    def checked(self, text):
        """The text with today's figures and tables, and a line for each that differs or cannot be held."""
        problems = []

        def table_today(match):
            try:
                table = self.table(match[1])
            except Mistake as mistake:
                problems.append(str(mistake))
                return match[0]
            if table != match[0]:
                problems.append(f"table {match[1]}: is not what is printed")
            return table

        def today(match):
            shown, name = match[1], match[2]
            try:
                value = as_shown(self.value(name), shown)
            except Mistake as mistake:
                problems.append(str(mistake))
                return match[0]
            if value != shown:
                problems.append(f"{name}: {shown} here, {value} is printed")
            return f"{value}<!--={name}-->"

        problems += [f"{name}: no figure stands before it" for name in
                     set(NAMED.findall(text)) - {name for _, name in HELD.findall(text)}]
        return TABLE.sub(table_today, HELD.sub(today, text)), problems

    def unused(self, texts):
        """Names and tables of figures.txt that no page uses."""
        used = {name for text in texts for name in NAMED.findall(text)}
        used |= {name for rows in self.tables.values() for _, rest in rows for name, _ in FIELD.findall(rest)}
        tables = set(self.tables) - {name for text in texts for name in TABLE.findall(text)}
        return sorted(set(self.source) - used) + [f"table {name}" for name in sorted(tables)]
