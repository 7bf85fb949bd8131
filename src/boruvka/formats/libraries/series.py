"""Time series in the columns of a table: the distances of their correlations, read by pandas."""

from __future__ import annotations

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
from boruvka.graph.no_values import NO_VALUE
from boruvka.graph.text_dates import readings, without_dates
from boruvka.graph.text_numbers import MARKED, number_in
from boruvka.runtime.libraries import pd
from boruvka.trees.forest_batch import ForestBatch
from boruvka.trees.rolling import ALL_ROWS, rolling_forests

LINES_OF_TITLES = 20
_NO_FIELD = re.compile(rb'^[,;\t| "]+(?=\r?$)', re.MULTILINE)
_TITLES = rb'(?:(?:"[^"\n]*"|[^MARK"\n]*)[MARK \r]*\n)+(?=[^\n]*MARK[^\n]*[^MARK\s])'
"""Lines with one field at most, above one with more; `LINES_OF_TITLES` show what is between fields."""


def _read(source: InputFile, options: Options) -> Graph:
    return forests_in(source, options)[0].graph


def forests_in(source: InputFile, options: Options, window: Any = ALL_ROWS, **how: Any) -> ForestBatch:
    """Find the forests of windows of the series in a file, of which the options choose some."""
    content = bytes(source.content)
    frame = pd.read_parquet(io.BytesIO(content)) if content[:4] == b"PAR1" else _frame(source, options)
    are_prices = str(options.format).lower() == "prices"
    frame.columns, left_out = list(map(str, frame.columns)), list(options.drop)
    if options.columns is not None:
        names = list(frame.columns)
        chosen = [names[k] for k in column_positions(options.columns, len(names), names)]
        left_out += [x for x in without_dates(frame)[0].columns if x not in [*chosen, *left_out]]
    how |= {"missing": options.missing, "min_periods": options.min_periods}
    return rolling_forests(frame, window, prices=are_prices, drop=left_out, **how)


def _frame(source: InputFile, options: Options) -> Any:
    """Read a text; all fields stay texts if some numbers have a decimal comma, or marks between thousands."""
    text = Text.of(source)
    text.wait()
    text = _without_titles(text)
    lines = FieldLines.of(text, ",;\t|", True)
    above, (_, row, _) = lines.names_above(), lines.first_row()
    if len(row) > lines.width + 1 or row[:1] == ["Ticker"] or [*(above or lines.names or ())].count("") > 1:
        way = "keep only the line of the names of series, and begin other lines with #"
        problem = f"{text.quote(lines.start)} may be a title, or one of several lines of names"
        raise text.error(lines.start, f"{problem}: {way}")
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
    """Blank rows without any field, and lines with one field above the names, of which a warning tells."""
    content = _NO_FIELD.sub(b"", bytes(text.content[text.start :]))
    head = content.split(b"\n", LINES_OF_TITLES)[:LINES_OF_TITLES]
    mark = max((b";", b"\t", b"|", b","), key=lambda mark: sum(mark in line for line in head))
    if found := re.match(_TITLES.replace(b"MARK", re.escape(mark)), content):
        title = found[0].strip(mark + b'" \r\n').split(b"\n")[0].decode("utf-8", "replace")
        if title and title[0] not in "#%":
            example = shown(title.rstrip(f'{mark.decode()}" \r'))
            warn(f"{text.path}: lines above the names are left out, such as {example}")
        content = b"\n" * found[0].count(b"\n") + content[found.end() :]
    return text.with_content(content)


RETURNS = PRICES = Codec(_read, options=frozenset({"missing", "columns", "drop", "min_periods", "bad_rows"}))
