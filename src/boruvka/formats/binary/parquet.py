"""Parquet (``.parquet``): columns u, v, w, for a forest also edge; n in the metadata. Dtypes are kept.

Ends that are strings are names of vertices; integers are, too, if ``names=`` or the metadata says so.

Damage is reported where Polars reports it; some damaged files make Polars abort the process.
"""

from __future__ import annotations

import io
from itertools import accumulate
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, OptionError
from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, EdgeTablePart, Options, Part
from boruvka.formats.name_columns import NAMES_ARE_NUMBERED, name_column, named_ends
from boruvka.formats.table_columns import EDGE_INDEX, choose_columns
from boruvka.graph.graph import Graph
from boruvka.graph.vertex_names import number_names
from boruvka.runtime.processors import processors
from boruvka.runtime.thread_pool import map_parts

if TYPE_CHECKING:
    import polars

__all__ = ["PARQUET"]

_N_KEY, _NAMES_KEY = "boruvka.n", "boruvka.names"
_WHOLE = Part(0, 1)


def _read(source: Source, options: Options) -> Graph:
    part = _read_part(source, options, _WHOLE)
    graph = Graph(part.n, part.u, part.v, part.w)
    return graph if part.names is None else graph.with_names(part.names)


def _read_part(source: Source, options: Options, part: Part) -> EdgeTablePart:
    schema = _schema(source)
    columns = choose_columns(len(schema.dtypes), list(schema.dtypes), options, source.error)
    chosen = [list(schema.dtypes)[i] for i in columns if i >= 0]
    if schema.has_names(chosen[:2], options):
        return _read_named(source, chosen, options).part(part)
    n = schema.n
    arrays = _columns(source, chosen, part)
    u, v = (_ids(source, name, arrays[name], bool(options.one_based)) for name in chosen[:2])
    w = np.ones(u.size, np.uint8) if options.unweighted else arrays[chosen[2]]
    return EdgeTablePart(u, v, w, n if options.n is None else options.n)


def _read_named(source: Source, chosen: list[str], options: Options) -> EdgeTable:
    if options.n is not None or options.one_based is not None:
        raise OptionError(NAMES_ARE_NUMBERED)
    frame = _frame(source, chosen)
    first, second = (frame[name] for name in chosen[:2])
    if not any(is_kind(first.dtype) and is_kind(second.dtype) for is_kind in (_is_text, _is_integer)):
        raise source.error(
            f"expected strings, or integers of at most 64 bits, in columns {first.name!r} and "
            f"{second.name!r}, found {first.dtype} and {second.dtype}"
        )
    for ends in first, second:
        _check_complete(source, ends)
    u, v, names = number_names(first, second)
    w = np.ones(u.size, np.uint8) if options.unweighted else _numbers(source, frame[chosen[2]])
    return EdgeTable(names.size, u, v, w, names=names)


def _read_forest(source: Source, options: Options) -> EdgeTable:
    table = EdgeTable.of(_read(source, options))
    if EDGE_INDEX not in _schema(source).dtypes:
        return table
    edges = _columns(source, [EDGE_INDEX])[EDGE_INDEX]
    if edges.dtype.kind not in "iu":
        raise source.error(f"expected whole numbers in column {EDGE_INDEX!r}, found {edges.dtype}")
    return table._replace(edges=edges)


class _Schema(NamedTuple):
    """What a file states: types of columns by name, number of vertices, and whether integers are names."""

    dtypes: dict[str, Any]
    n: int | None
    integers_are_names: bool

    def has_names(self, ends: list[str], options: Options) -> bool:
        """Return whether ends are names: as the caller or the file says, else if they are strings."""
        if options.names is not None:
            return options.names
        return self.integers_are_names or any(_is_text(self.dtypes[name]) for name in ends)


def _schema(source: Source) -> _Schema:
    import polars as pl

    with source.binary() as file:
        try:
            dtypes = dict(pl.read_parquet_schema(file))
            file.seek(0)
            metadata = pl.read_parquet_metadata(file)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise _damaged(source, error) from None
    n = metadata.get(_N_KEY)
    if n is not None and not (n.isdigit() and len(n) < 19):
        raise source.error(f"expected a whole number as {_N_KEY} in the metadata, found {n[:40]!r}")
    return _Schema(dtypes, None if n is None else int(n), metadata.get(_NAMES_KEY) == "integers")


def _is_text(dtype: Any) -> bool:
    import polars as pl

    return dtype in (pl.String, pl.Categorical, pl.Enum)


def _is_integer(dtype: Any) -> bool:
    import polars as pl

    return dtype.is_integer() and dtype not in (pl.Int128, pl.UInt128)


def _columns(source: Source, names: list[str], part: Part = _WHOLE) -> dict[str, NDArray[Any]]:
    frame = _frame(source, names, part)
    return {name: _numbers(source, frame.drop_in_place(name)) for name in names}


def _frame(source: Source, names: list[str], part: Part = _WHOLE) -> polars.DataFrame:
    import polars as pl

    with source.binary() as file:
        try:
            return _rows(file, names, part)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise _damaged(source, error) from None


def _numbers(source: Source, column: polars.Series) -> NDArray[Any]:
    """Convert a column of numbers to an array."""
    if not (_is_integer(column.dtype) or column.dtype.is_float()):
        raise source.error(
            f"expected numbers of at most 64 bits in column {column.name!r}, found {column.dtype}"
        )
    _check_complete(source, column)
    return _joined(column)


def _check_complete(source: Source, column: polars.Series) -> None:
    if column.null_count():
        row = int(np.argmax(column.is_null().to_numpy()))
        raise source.error(f"row {row} has no value in column {column.name!r}")


def _joined(column: Any) -> NDArray[Any]:
    """Return a column as one array; its chunks, one for each row group, are copied on every core."""
    chunks = [chunk.to_numpy() for chunk in column.get_chunks()]
    if len(chunks) < 2:
        return column.to_numpy()
    ends = list(accumulate(chunk.size for chunk in chunks))
    array = np.empty(ends[-1], chunks[0].dtype)

    def copy(k: int) -> None:
        array[ends[k] - chunks[k].size : ends[k]] = chunks[k]

    map_parts(copy, range(len(chunks)), processors())
    return array


def _rows(file: BinaryIO, names: list[str], part: Part) -> Any:
    """Read columns; for one part, read only its row groups."""
    import polars as pl

    if part == _WHOLE:
        return pl.read_parquet(file, columns=names)
    rows = pl.scan_parquet(file).select(pl.len()).collect().item()
    file.seek(0)
    chosen = part.slice(rows)
    return pl.scan_parquet(file).select(names).slice(chosen.start, chosen.stop - chosen.start).collect()


def _damaged(source: Source, error: BaseException) -> FormatError:
    return source.error(f"cannot be read as Parquet: {error}")


def _ids(source: Source, name: str, ids: NDArray[Any], one_based: bool) -> NDArray[Any]:
    if not one_based:
        return ids
    if (ids < 1).any():
        row = int(np.argmax(ids < 1))
        raise source.error(f"row {row} has the id {ids[row]} in column {name!r}: expected ids from 1")
    return ids - ids.dtype.type(1)


def _write(table: EdgeTable, file: BinaryIO) -> None:
    import polars as pl

    w = table.w if table.w.dtype.itemsize <= 8 else table.portable_weights()
    u: Any = table.u
    v: Any = table.v
    metadata = {_N_KEY: str(table.n)}
    if table.names is not None:
        names = name_column(table.names)
        u, v = named_ends(table, names)
        metadata = {_NAMES_KEY: "strings" if names.dtype == pl.String else "integers"}
    columns = {"u": u, "v": v, "w": w}
    if table.edges is not None:
        columns = {EDGE_INDEX: table.edges, **columns}
    encoded = io.BytesIO()
    pl.DataFrame(columns).write_parquet(encoded, metadata=metadata)
    file.write(encoded.getbuffer())


PARQUET = Codec(
    read=_read,
    write=_write,
    options=frozenset({"columns", "n", "names", "one_based", "unweighted"}),
    read_part=_read_part,
    read_forest=_read_forest,
    holds_names=True,
    check_names=name_column,
)
