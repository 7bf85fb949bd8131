"""Names of vertices: the driver holds all of them, workers hold a key of 64 bits for each.

Names are numbered as by `boruvka.graph.numbering` in memory: in the order in which they first appear as u,
then as v. Workers find the
first places of the names of their parts, and the engine merges what they find.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import BoruvkaError, FormatError, GraphError
from boruvka.runtime.libraries import pa, pl
from boruvka.stream.remote.reading import ColumnNames, Digest, Read, as_keys, ids_in, read_edges

MERGED_AT_ONCE = 32
"""Tables of batches that a worker merges at once."""
KEYS, PLACES = ["id", "part", "digest"], ["u", "v"]
"""The columns of a table of names: the name; the first index of an edge that has it as u, and as v, if any. A
row without a name has the number of a part, and its checksum."""


class NamesRequest(NamedTuple):
    """The arguments of `names_of_part`."""

    columns: ColumnNames
    are_integers: bool
    """Whether names are integers; they are passed as 64 bits."""


class Names(NamedTuple):
    """All vertices, numbered in the order in which their names appear."""

    names: pa.Array
    """The names of the vertices."""
    keys: NDArray[np.uint64]
    """The keys of all names, ascending: workers number vertices by the positions of their keys."""
    of_key: NDArray[np.uint32]
    """The vertex of each key."""


def names_of_part(part: int, read: Read, request: NamesRequest) -> pa.Table:
    """List the names in a part, and where each appears first.

    If a row is not a valid edge any more, the table is empty and has no checksum, so that the driver detects
    the change.
    """
    digest, tables = Digest(request.columns.is_stable), [merged([])]
    try:
        for _, ends, index, *ids, _ in read_edges(part, read, request.columns, digest):
            nothing = pa.nulls(index.size, pa.int64())
            names = [end.to_arrow() for end in ends]
            if request.are_integers:
                names = [pa.array(as_keys(x).view(np.int64)) for x in ids]
            for column, places in zip(names, ([index, nothing], [nothing, index]), strict=True):
                part_and_digest = [nothing, nothing]
                tables.append(pa.table([column, *part_and_digest, *places], KEYS + PLACES))
            if len(tables) >= MERGED_AT_ONCE:
                tables = [merged(tables)]
    except BoruvkaError:
        return merged([])
    checksum = np.array([digest.value], np.uint64).view(np.int64)
    return merged([*tables, pa.table({"part": [part], "digest": checksum})])


def merged(tables: Sequence[pa.Table]) -> pa.Table:
    """Merge tables of names: each name has the first of its places."""
    numbers = pa.schema([(name, pa.int64()) for name in KEYS[1:] + PLACES])
    table = pa.concat_tables([numbers.empty_table(), *tables], promote_options="permissive")
    if "id" not in table.column_names:
        table = table.append_column("id", pa.nulls(table.num_rows))
    found = table.group_by(KEYS, use_threads=False).aggregate([(name, "min") for name in PLACES])
    found = found.select(KEYS + [f"{name}_min" for name in PLACES]).rename_columns(KEYS + PLACES)
    return found.combine_chunks()  # chunks share a buffer of texts, which would be pickled with each of them


def names_in_order(table: pa.Table, largest: int) -> tuple[Names, int]:
    """Order the names of all vertices by their first places: the position of a name is its vertex.

    Parameters
    ----------
    table : pyarrow.Table
        The merged tables of all parts.
    largest : int
        The largest name, if names are integers.

    Returns
    -------
    Names
    int
        The checksum of all parts.

    Raises
    ------
    GraphError
        Two names have the same key.
    """
    import pyarrow.compute as pc

    digest = sum(table["digest"].drop_null().to_pylist()) % (1 << 64)
    table = table.filter(pc.is_null(table["part"]))
    order = pc.sort_indices(table, [(name, "ascending") for name in PLACES])  # nulls last
    names = table["id"].take(order).combine_chunks()
    if isinstance(names, pa.ChunkedArray):
        names = pa.concat_arrays(names.chunks)
    if largest >= 1 << 63:
        names = names.view(pa.uint64())
    keys = as_keys(ids_in(pl.Series("id", pl.from_arrow(names)), FormatError))
    by_key = np.argsort(keys)
    keys = keys[by_key]
    if (same := np.flatnonzero(keys[1:] == keys[:-1])).size:
        one, other = (names[int(by_key[same[0] + k])].as_py() for k in range(2))
        raise GraphError(
            f"the ids {one!r} and {other!r} have the same hash, so workers cannot tell them apart: replace "
            "ids by integers"
        )
    return Names(names, keys, by_key.astype(np.uint32)), digest
