"""JSON lines (``.jsonl``, ``.ndjson``): an object a line, whose keys are the columns; read only.

Ends that are strings are names of vertices; so are integers if ``names=True``.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any, NoReturn

from boruvka.errors import first_true
from boruvka.formats.binary.frames import LoadedFrameFile
from boruvka.formats.edge_table import OF_TABLES
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.graph.exact import EXACT_UP_TO
from boruvka.runtime.libraries import pl


def read_frame(source: InputFile) -> tuple[pl.DataFrame, dict[str, str]]:
    """Read all columns of a file; the types fit all rows, and no integer is rounded to a float.

    There is no metadata.
    """

    def read(types: dict[str, Any] | None = None) -> pl.DataFrame:
        with source.binary() as file:
            return pl.read_ndjson(file, infer_schema_length=None, schema_overrides=types)

    try:
        frame = read()
    except pl.exceptions.PolarsError as error:
        _refuse_line(source, str(error))
    for name, column in frame.to_dict().items():
        if column.dtype == pl.Float64 and (column.abs() >= EXACT_UP_TO).any():
            whole = read({name: pl.String})[name].cast(pl.Int128, strict=False)  # null for fractions
            is_rounded = (whole != column.cast(pl.Int128, strict=False)).fill_null(False)
            if (row := first_true(is_rounded.to_numpy())) is not None:
                text = f"{whole[row]} in column {name!r} has no exact float64, and other rows have fractions"
                raise source.error(f"row {row}: {text}: round it")
    return frame, {}


def _refuse_line(source: InputFile, problem: str) -> NoReturn:
    """Raise an error about the first line that is not an object, or else about the problem."""
    for number, line in enumerate(bytes(source.content).split(b"\n"), 1):
        try:
            if line.strip():
                _ = {**json.loads(line, parse_constant=int)}  # JSON has no NaN
        except (TypeError, ValueError) as error:
            problem = f"line {number} is no object of JSON: {error}"
            break
    raise source.error(problem)


JSON_LINES = Codec(partial(LoadedFrameFile, read=read_frame), None, OF_TABLES)
