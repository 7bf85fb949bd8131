"""Time series in the columns of a table: the distances of their correlations, read by pandas."""

from __future__ import annotations

import io
from functools import partial

from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.graph.graph import Graph
from boruvka.graph.no_values import NO_VALUE
from boruvka.runtime.libraries import require
from boruvka.trees.rolling import rolling_forests


def _read(are_prices: bool, source: InputFile, options: Options) -> Graph:
    pandas, content = require("pandas", "pandas"), bytes(source.content)
    if content.startswith(b"PAR1"):
        frame = pandas.read_parquet(io.BytesIO(content))
    else:
        separator = max(",;\t|", key=content.partition(b"\n")[0].decode("latin-1").count)
        frame = pandas.read_csv(io.BytesIO(content), sep=separator, na_values=[*NO_VALUE["number"]])
        if len(frame.columns) and frame.columns[0].startswith("Unnamed"):  # an index without a name
            frame = frame.set_index(frame.columns[0])
    rows = len(frame) - are_prices
    if rows < 2:
        raise source.error("expected a row for each date, and a column for each series")
    return rolling_forests(frame, rows, prices=are_prices, missing=options.missing)[0].graph


RETURNS = Codec(partial(_read, False), options=frozenset({"missing"}))
PRICES = RETURNS._replace(reader=partial(_read, True))
