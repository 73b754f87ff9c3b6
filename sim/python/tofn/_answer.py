"""An answer: rows of figures, and the text that `tofn` prints of them."""
import operator

from . import _tofn
from ._curve import draw_curve, is_curve, usual_figure
from ._step_bars import draw_steps, has_parts
from ._table import as_html

class Answer:
    """What a command answers: rows of figures, and the text that the command prints of them.

    len(answer)             rows
    for row in answer       a dictionary each
    answer[0], answer[-1]   one row, a dictionary
    answer["days"]          one column, a list
    `tofn.list("figures")` names all columns with unit, meaning and formula.
    """

    __slots__ = ("_given", "_question")

    def __init__(self, given, question):
        self._given = given
        self._question = question

    @property
    def columns(self):
        """Names of the columns, which carry their unit."""
        return self._given.columns

    @property
    def text(self):
        """As the command prints it."""
        return self._given.text

    @property
    def notices(self):
        """What the command says beside its answer: what is ignored, taken otherwise or refused."""
        return self._given.notices

    @property
    def exit_code(self):
        """The command's: 0, 1 for an answer of no, 2 where a part of the input could not be read."""
        return self._given.exit_code

    @property
    def command_line(self):
        """The words of the command line that asks the same."""
        command, arguments, options = self._question
        return ["tofn", *_tofn.command_line(command, arguments, options)]

    def __len__(self):
        return len(self._given)

    def __bool__(self):
        return True  # an answer without rows is one

    def __contains__(self, column):
        return column in self.columns

    def __iter__(self):
        return map(self._given.row, range(len(self)))

    def __getitem__(self, key):
        if isinstance(key, str):
            return self._given.cells(key)
        return self._given.row(self._row(key))

    def _row(self, row):
        """Counted from the end where it is negative."""
        index = operator.index(row)
        if not -len(self) <= index < len(self):
            raise IndexError(f"row {index} of an answer of {len(self)}")
        return index % len(self)

    def value(self, column, row=0):
        """A number, a text, or None of an empty cell."""
        return self._given.value(column, self._row(row))

    def figure(self, column, row=0):
        """A Figure: the value with its unit, 90 % interval, basis and meaning."""
        return self._given.figure(column, self._row(row))

    def numbers(self, column):
        """The column as an array of numpy; NaN where a cell is empty. Error where one is text."""
        return self._given.numbers(column)

    def to_dict(self):
        """Columns by name, each a list with a value a row."""
        return {column: self[column] for column in self.columns}

    def to_pandas(self):
        """A pandas.DataFrame; columns of numbers are of floats or whole numbers, the others of objects."""
        import pandas  # only here: it takes longer to load than to predict
        return pandas.DataFrame({column: self._given.column(column) for column in self.columns}, columns=self.columns)

    def csv(self):
        """RFC 4180 with a header row; numbers to nine significant digits."""
        return self._given.csv()

    def json(self):
        """An array of objects, as the command's JSON has its rows."""
        return self._given.json()

    def __str__(self):
        return self.text

    def __repr__(self):
        head = f"{' '.join(self.command_line)}: {len(self)} rows of {len(self.columns)} columns"
        return "\n".join([head, "", self.text.rstrip("\n"), *self.notices])

    def plot(self, figure=None, over="accelerators", by=None):
        """A Drawing: a figure with its 90 % band over sizes, or, of one size, what its step is spent on.

        `figure` is a column; left out, the time of the run or the step. `by` are the columns that tell curves
        apart; left out, those of series, models, clusters, ... that differ."""
        if figure is None and not is_curve(self, over):
            return self.plot_steps()
        return draw_curve(self, figure or usual_figure(self), over, by)

    def plot_steps(self, row=None):
        """A Drawing of what each row's step, or that of one row, is spent on."""
        return draw_steps(self, None if row is None else self._row(row))

    def _drawing(self):
        """What a notebook shows above the table; None of an answer without sizes and steps."""
        try:
            return self.plot() if is_curve(self) or has_parts(self) else None
        except ValueError:  # rows of a grid that no curve shows
            return None

    def _repr_html_(self):
        drawing = self._drawing()
        return (drawing.svg if drawing else "") + as_html(self)

    def _repr_svg_(self):
        drawing = self._drawing()
        return drawing.svg if drawing else None
