"""Names of vertices: the driver holds all of them, workers hold a key of 64 bits for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.engines.reading import as_keys, ids_in
from boruvka.errors import GraphError

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Names", "number_names"]


class Names(NamedTuple):
    """All vertices, numbered in ascending order of their names."""

    names: pyarrow.Array
    """The names, ascending."""
    keys: NDArray[np.uint64]
    """The keys of all names, ascending: workers number vertices by the positions of their keys."""
    of_key: NDArray[np.uint32]
    """The vertex of each key."""


def number_names(*columns: Any) -> Names:
    """Number the names of all vertices.

    Parameters
    ----------
    *columns : Arrow arrays
        All ids in any order; they may repeat.

    Raises
    ------
    GraphError
        Two names have the same key.
    """
    import pyarrow
    import pyarrow.compute as pc

    tables = [
        pyarrow.table({"id": c.cast(c.type.value_type) if pyarrow.types.is_dictionary(c.type) else c})
        for c in columns
    ]
    ids = pyarrow.concat_tables(tables, promote_options="permissive")["id"]
    names = pc.unique(ids.combine_chunks())
    names = names.take(pc.sort_indices(names))
    keys = as_keys(ids_in("all ids", pyarrow.record_batch({"id": names}), "id"))
    order = np.argsort(keys)
    keys = keys[order]
    if (same := np.flatnonzero(keys[1:] == keys[:-1])).size:
        one, other = (names[int(order[same[0] + k])].as_py() for k in range(2))
        raise GraphError(
            f"the ids {one!r} and {other!r} have the same hash, so workers cannot tell them apart: replace "
            "ids by integers"
        )
    return Names(names, keys, order.astype(np.uint32))
