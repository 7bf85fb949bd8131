"""Time series in the columns of a table: the distances of their correlations, read by pandas."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from functools import partial
from typing import Any

from boruvka.errors import shown, warn
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.table_columns import column_positions
from boruvka.formats.text.lines.fields import FieldLines
from boruvka.formats.text.lines.text import Text
from boruvka.graph.graph import Graph
from boruvka.graph.no_values import NO_VALUE, is_none
from boruvka.graph.text_dates import is_called_date, label_text, readings, without_dates
from boruvka.graph.text_numbers import MARKED, number_in
from boruvka.runtime.libraries import pd
from boruvka.trees.forest_batch import ForestBatch
from boruvka.trees.rolling import ALL_ROWS, rolling_forests

LINES_OF_TITLES = 20
"""Number of the first lines that show what is between fields, and where rows begin."""
_NO_FIELD = re.compile(rb'^[,;\t| "]+(?=\r?$)', re.MULTILINE)
"""A row without any field."""


def _read(source: InputFile, options: Options) -> Graph:
    return forests_in(source, options)[0].graph


def forests_in(source: InputFile, options: Options, window: Any = ALL_ROWS, **how: Any) -> ForestBatch:
    """Find the forests of windows of the series in a file, of which the options choose some."""
    content = bytes(source.content)
    frame = pd.read_parquet(io.BytesIO(content)) if content[:4] == b"PAR1" else _frame(source, options)
    frame = _with_row_per_date(frame, source)
    are_prices = str(options.format).lower() == "prices"
    frame.columns, left_out = list(map(str, frame.columns)), list(options.drop)
    if options.columns is not None:
        names = list(frame.columns)
        chosen = [names[k] for k in column_positions(options.columns, len(names), names)]
        left_out += [x for x in without_dates(frame)[0].columns if x not in [*chosen, *left_out]]
    how |= {"missing": options.missing, "min_periods": options.min_periods}
    return rolling_forests(frame, window, prices=are_prices, drop=left_out, **how)


def _with_row_per_date(frame: Any, source: InputFile) -> Any:
    """Pivot a table of dates, names of series and values, such as prices; others stay as they are."""
    values, dates, date = without_dates(frame)
    of_texts = [x for x in values if all(isinstance(y, str) and not MARKED.fullmatch(y) for y in values[x])]
    if not dates or len({*dates}) == len(dates) or len(values.columns) != 2 or len(of_texts) != 1:
        return frame
    names = values.pop(of_texts[0]).tolist()
    rows = pd.MultiIndex.from_arrays([dates, names], names=[date, None])
    for day, name in rows[rows.duplicated()]:
        raise source.error(f"{shown(name)} has several rows of {label_text(day)}: keep one of them")
    days, wide = [*dict.fromkeys(dates)], values.iloc[:, 0].set_axis(rows).unstack()
    if len(read := readings(days)) == 1:  # days of the first series come first, and it may lack some
        days.sort(key=dict(zip(days, read[0], strict=True)).__getitem__)
    return wide.reindex(index=days, columns=[*dict.fromkeys(names)])


def _frame(source: InputFile, options: Options) -> Any:
    """Read a text; all fields stay texts if some numbers have a decimal comma, or marks between thousands."""
    text = Text.of(source)
    text.wait()
    text = _without_titles(text)
    lines = FieldLines.of(text, ",;\t|", True)
    above, (_, row, _) = lines.names_above(), lines.first_row()
    if twice := [x for x, count in Counter(above or lines.names).items() if count > 1]:
        raise source.error(f"the column {twice[0]!r} is there twice: rename one, or remove it")
    lines = lines._replace(offset=lines.start) if above else lines
    k = next((k for k, x in enumerate(row) if isinstance(number_in(x), str) and readings([x])), None)
    if k is not None and len(row) == lines.width:
        lines, bad = lines.without_malformed({k: ("(?!)", lambda x: bool(readings([x])))})
        if bad and options.bad_rows == "error":
            problem = f"expected a date and {lines.width - 1} fields, found {text.quote(bad[0])}"
            raise text.error(bad[0], problem + text.skip_hint(bad[0]))
        if bad:
            warn(str(text.error(bad[0], f"malformed rows are left out, such as {text.quote(bad[0])}")))
    content = bytes(lines.text.content[lines.offset : lines.text.size])
    read = partial(pd.read_csv, sep=lines.delimiter or ",", na_values=[*NO_VALUE["number"]], header=None)
    frame = read(io.BytesIO(content), names=above or lines.names)
    others = frame.select_dtypes(exclude=["number", "bool"])
    texts = {name: others[name].dropna().astype(str).tolist() for name in others}
    dates = [name for name, items in texts.items() if readings(items)]
    if any(MARKED.fullmatch(item) for name in texts if name not in dates for item in texts[name]):
        frame = read(io.BytesIO(content), names=above or lines.names, dtype=str)
        frame = frame.set_index(dates[0]) if dates else frame
    return frame if frame.columns[0] else frame.set_index(frame.columns[0])  # an index without a name


def _without_titles(text: Text) -> Text:
    """Blank rows without any field, lines above the rows but the header, and an empty last column.

    A comment is the header only if no line of words follows it. A warning tells of titles and units.
    """
    lines = _NO_FIELD.sub(b"", bytes(text.content[text.start :])).split(b"\n")
    text, head = text.with_content(b"\n".join(lines)), lines[:LINES_OF_TITLES]
    mark = max((b";", b"\t", b"|", b","), key=lambda mark: sum(mark in line for line in head))
    table = [_fields(line, mark) for line in head]
    width = max(Counter(map(len, table)).items(), key=lambda x: (x[0] > 1, x[1]))[0]
    full = [k for k, x in enumerate(table) if 2 * (len(x) - x.count("")) > width > 1]
    rows = [k for k in full if _is_row(table[k])] or full[1:]
    above = [k for k in full if not rows or k < rows[0]]
    named = [k for k in above if any(map(is_called_date, table[k]))]
    header = [k for k in named or above if len({*table[k]}) == len(table[k])] if above[1:] else above
    names = table[header[0]] if len(header) == 1 and (named or header == above[:1]) else []
    if above and (len(names) < max(width - 1, 2) or names.count("") > 1):
        start = len(b"\n".join([*lines[: above[0]], b""]))
        problem = f"{text.quote(start)} may be a title, or one of several lines of names"
        way = "keep only the line of the names of series, and begin other lines with #"
        raise text.error(start, f"{problem}: {way}")
    others = {*range((header or full or [0])[0]), *above} - {*header}
    if titles := [k for k in sorted(others) if table[k] and head[k].strip(mark + b'"- \r')]:
        example = head[titles[0]].strip(mark + b'" \r').decode("utf-8", "replace")
        warn(f"{text.path}: lines of titles or units are left out, such as {shown(example[:60])}")
    for k in others if header else titles:  # else a comment may be the header
        lines[k] = b""
    is_short = len(names) < width and any(map(is_called_date, names))
    ends = {line.rstrip(b'\r "')[-1:] for line in lines if line.count(mark) >= width - 1}
    if (is_short or names[-1:] == [""]) and ends == {mark}:
        lines = [re.sub(re.escape(mark) + rb'[ "]*(\r?)$', rb"\1", line) for line in lines]
    elif is_short:
        raise text.error(0, f"expected {width} names above rows of {width} fields, found {len(names)}")
    return text.with_content(b"\n".join(lines))


def _fields(line: bytes, mark: bytes) -> list[str]:
    """Return the fields of a line; none of a comment, and of an empty line."""
    text = line.decode("utf-8", "replace").strip("\r ")
    fields = next(csv.reader([text], delimiter=mark.decode()), [])
    return [] if text[:1] in ("#", "%") else [field.strip() for field in fields]


def _is_row(fields: list[str]) -> bool:
    """Return whether fields are values, after a date or a number: no names, which may be numbers, too."""
    if not fields[0] or any(map(is_called_date, fields)):
        return False
    texts = [x for x in fields if x]
    values = [x for x in texts if is_none(x, "number") or MARKED.fullmatch(x) or readings([x])]
    return bool(readings(fields[:1])) or 2 * len(values) > len(texts)


RETURNS = PRICES = Codec(_read, options=frozenset({"missing", "columns", "drop", "min_periods", "bad_rows"}))
