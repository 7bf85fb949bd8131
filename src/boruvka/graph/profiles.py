"""Allelic profiles: the complete graph of strains, weighted by the number of loci at which two differ."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, shown
from boruvka.graph import distances
from boruvka.graph.abstract_graph import read_only
from boruvka.graph.columns import is_missing, list_column, read_column, row_names
from boruvka.graph.distance_graph import DistanceGraph
from boruvka.runtime.arguments import choice, flag, hint

__all__ = ["ProfileGraph"]

METRICS = {
    "error": distances.hamming,
    "ignore": distances.hamming_of_present,
    "scale": distances.scaled_hamming,
    "differ": distances.hamming,
}
"""The distance for each choice of ``missing``; 0 is the code of a missing allele."""
NO_ALLELE = frozenset({"", "-", "?", "0", "N", "n", "NA", "nan", "NaN", "None", "LNF"})
"""Texts that mean that a locus has no allele."""


class ProfileGraph(DistanceGraph):
    """The complete graph of allelic profiles; see `boruvka.Graph.from_profiles`.

    Attributes
    ----------
    vertex_of : (rows,) array of int64
        The vertex of each profile that was given; several where equal profiles are collapsed.
    sizes : (n,) array of int64
        Number of profiles of each vertex.
    first_rows : (n,) array of int64
        The first profile of each vertex.
    profile_names : list or None
        The name of each profile, if they have names.
    """

    vertex_of: NDArray[np.int64]
    sizes: NDArray[np.int64]
    first_rows: NDArray[np.int64]
    profile_names: list[Hashable] | None

    def __init__(self, profiles: Any, missing: str, names: Iterable[Hashable] | None, collapse: bool):
        choice("missing", missing, tuple(METRICS))
        loci, columns = _columns(profiles)
        codes = [_codes(name, column) for name, column in zip(loci, columns, strict=True)]
        if len({code.size for code in codes}) > 1:
            raise GraphError("all loci must have as many alleles as there are profiles")
        table = np.column_stack(codes) if codes else np.empty((0, 0), np.uint8)
        rows = np.arange(len(table))
        if missing == "error" and not table.all():
            raise _missing_error(table, loci)
        first, vertex_of, sizes = rows, rows, np.ones_like(rows)
        if flag("collapse", collapse) and len(table):
            _, first, vertex_of, sizes = np.unique(
                table, axis=0, return_index=True, return_inverse=True, return_counts=True
            )
            order = np.argsort(first)  # vertices in the order of their first profiles
            first, sizes, vertex_of = first[order], sizes[order], np.argsort(order)[vertex_of.ravel()]
        super().__init__(table[first], METRICS[missing])
        counts = {"vertex_of": vertex_of, "sizes": sizes, "first_rows": first}
        self._initialise(**{name: read_only(array) for name, array in counts.items()})
        found = row_names(profiles) if names is None else list(names)
        if found is not None and len(found) != len(table):
            raise GraphError(
                f"there must be one name for each of the {len(table)} profiles, got {len(found)}"
            )
        if found is None and first.size < len(table):
            found = rows.tolist()
        self._initialise(profile_names=found)
        if found is not None:
            named = self.with_names([found[row] for row in first])
            self._initialise(names=named.names)


def _columns(profiles: Any) -> tuple[list[str], list[Any]]:
    """Return the names of the loci, and their columns as `read_column` does."""
    if hasattr(profiles, "columns"):
        loci = list(profiles.columns)
        return [str(name) for name in loci], [read_column(str(name), profiles[name]) for name in loci]
    rows = profiles if isinstance(profiles, np.ndarray) else np.array(list(profiles), object)
    if rows.ndim != 2:
        raise GraphError(f"profiles have a row for each strain and a column for each locus, not {rows.shape}")
    loci = [f"locus {k}" for k in range(rows.shape[1])]
    return loci, [read_column(name, column) for name, column in zip(loci, rows.T, strict=True)]


def _codes(name: str, column: Any) -> NDArray[np.unsignedinteger]:
    """Number the alleles of a locus from 1; those that are missing have the number 0.

    Of numbers, 0, negative ones and NaN are missing, as in cgMLST and GrapeTree.
    """
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        is_present = column > 0
        values: Any = column
    else:
        values = np.array(["" if is_missing(x) else str(x).strip() for x in list_column(column)])
        is_present = ~np.isin(values, list(NO_ALLELE))
    _, code = np.unique(values[is_present], return_inverse=True)
    codes = np.zeros(len(values), np.uint32)
    codes[is_present] = code + 1
    return codes.astype(np.min_scalar_type(int(codes.max(initial=0))))


def _missing_error(table: NDArray[Any], loci: list[str]) -> GraphError:
    row, locus = (int(k) for k in np.argwhere(table == 0)[0])
    count, profiles = np.count_nonzero(table == 0), np.count_nonzero(~table.all(axis=1))
    passed = hint("; {missing} compares the loci that both profiles have", missing="ignore")
    return GraphError(
        f"profile {row} has no allele at {shown(loci[locus])}; {count:,} are missing, in {profiles:,} "
        f"profiles{passed}"
    )
