"""An answer as a table of HTML, for notebooks."""
import html

from ._drawing import range_words, short, with_unit

AUXILIARY = ("_low90", "_high90", "_basis")
MOST_ROWS = 60


def main_columns(answer):
    """Those that are no interval or basis of another, and that are not empty."""
    def is_auxiliary(name):
        return any(name.endswith(end) and name.removesuffix(end) in answer for end in AUXILIARY)
    return [name for name in answer.columns
            if not is_auxiliary(name) and any(value not in (None, "") for value in answer[name])]


def _interval(figure):
    """Empty of a figure without, and of what is given."""
    return "" if figure.low90 == figure.high90 else range_words(figure)


def _cell(figure):
    """The value with its interval; pointed at, what it means and rests on."""
    about = html.escape("; ".join(part for part in (figure.meaning, figure.basis) if part))
    if isinstance(figure.value, str):
        return f'<td style="text-align: left; min-width: 12em" title="{about}">{html.escape(figure.value)}</td>'
    interval = _interval(figure)
    value = short(figure.value) + (f" <small>({interval})</small>" if interval else "")
    return f'<td style="text-align: right; white-space: nowrap" title="{about}">{value}</td>'


def _table(head, rows):
    cells = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in head)
    return (f'<div style="overflow-x: auto"><table><thead><tr>{cells}</tr></thead><tbody>'
            + "\n".join(f"<tr>{row}</tr>" for row in rows) + "</tbody></table></div>")


def _one_row(answer, columns):
    """A figure a line."""
    def of(name):
        figure = answer.figure(name)
        others = (with_unit(figure.value, figure.unit), _interval(figure), figure.basis, figure.meaning)
        cells = "".join(f'<td style="text-align: left">{html.escape(cell)}</td>' for cell in others)
        return f'<th scope="row" style="text-align: left">{html.escape(name)}</th>{cells}'
    return _table(["figure", "value", "90 % interval", "rests on", "meaning"], map(of, columns))


def _several_rows(answer, columns):
    """What differs from row to row; what does not stands below."""
    same = [name for name in columns if len({*answer[name]}) == 1]
    varied = [name for name in columns if name not in same]
    head = ", ".join(f"{name} {with_unit(answer.value(name), answer.figure(name).unit)}" for name in same)
    rows = ("".join(_cell(answer.figure(name, row)) for name in varied) for row in range(min(len(answer), MOST_ROWS)))
    left_out = f"<p>{len(answer) - MOST_ROWS} rows more</p>" if len(answer) > MOST_ROWS else ""
    of_all = f"<details><summary>the same in all rows</summary>{html.escape(head)}</details>" if same else ""
    return _table(varied, rows) + left_out + of_all


def as_html(answer):
    """The command line, the table, and what is said beside it."""
    columns = main_columns(answer)
    if len(answer) == 1:
        table = _one_row(answer, columns)
    elif len(answer) > 1:
        table = _several_rows(answer, columns)
    else:
        table = f"<pre>{html.escape(answer.text)}</pre>"
    notices = "".join(f"<p>{html.escape(notice)}</p>" for notice in answer.notices)
    return f"<p><code>{html.escape(' '.join(answer.command_line))}</code></p>{table}{notices}"
