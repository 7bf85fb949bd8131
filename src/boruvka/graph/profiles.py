"""Allelic profiles: the complete graph of strains, weighted by the number of loci at which two differ."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Hashable, Iterable
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphWarning, shown
from boruvka.graph import distances
from boruvka.graph.abstract_graph import read_only
from boruvka.graph.columns import is_missing, list_column, listed, read_column, row_names
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
NO_ALLELE = frozenset({"", "-", "?", "N", "NA", "NAN", "NONE", "NULL"}) | {
    *("LNF", "NIPH", "NIPHEM", "ASM", "ALM", "PLOT3", "PLOT5", "LOTSC", "PAMA")
}
"""Texts, in capitals, that mean that a locus has no allele; the last ones are codes of chewBBACA."""
NEW_ALLELE = re.compile(r"(INF-)?\*?(?=.)")
"""What chewBBACA writes before the number of an allele that is new."""
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?")
NO_LOCI = "st", "st_id"
"""Names of columns, in lower case, that hold the number of a type."""


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
        loci, columns, column_of_names = _columns(profiles)
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
        found = row_names(profiles) if names is None else listed("names", names)
        found = column_of_names if found is None else found
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


def _columns(profiles: Any) -> tuple[list[str], list[Any], list[Hashable] | None]:
    """Return the names of the loci, their columns as `read_column` does, and a column of names of strains.

    Columns of a frame that are no loci are left out, with a warning.
    """
    if not hasattr(profiles, "columns"):
        rows = profiles if isinstance(profiles, np.ndarray) else _rows(listed("profiles", profiles))
        if rows.ndim != 2:
            raise GraphError(
                f"profiles have a row for each strain and a column for each locus, not {rows.shape}"
            )
        loci = [f"locus {k}" for k in range(rows.shape[1])]
        return loci, [read_column(name, column) for name, column in zip(loci, rows.T, strict=True)], None
    names = listed("profiles", getattr(profiles, "column_names", profiles.columns))
    others = [name for name in names if str(name).startswith("#") or str(name).lower() in NO_LOCI]
    column_of_names = None
    for name in others:
        values = list_column(read_column(str(name), profiles[name]))
        if str(name).startswith("#") and len(set(values)) == len(values) and column_of_names is None:
            column_of_names = values
    if others:
        texts = ", ".join(shown(str(name)) for name in others)
        warnings.warn(f"columns that are no loci are left out: {texts}", GraphWarning, stacklevel=4)
    loci = [name for name in names if name not in others]
    columns = [read_column(str(name), profiles[name]) for name in loci]
    return [str(name) for name in loci], columns, column_of_names


def _rows(profiles: list[Any]) -> NDArray[Any]:
    """Make an array of objects of the rows of a list."""
    try:
        return np.array(profiles, object)
    except ValueError as error:
        raise GraphError(f"profiles must have as many loci each: {error}") from None


def _codes(name: str, column: Any) -> NDArray[np.unsignedinteger]:
    """Number the alleles of a locus from 1; those that are missing have the number 0."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        is_present = (column >= 1) & np.isfinite(column)
        values: Any = column[is_present]
    else:
        alleles = [_allele(value) for value in list_column(column)]
        is_present = np.array([allele is not None for allele in alleles], bool)
        values = np.array([f"{allele}" for allele in alleles if allele is not None])
    _, code = np.unique(values, return_inverse=True)
    codes = np.zeros(is_present.size, np.uint32)
    codes[is_present] = code + 1
    return codes.astype(np.min_scalar_type(int(codes.max(initial=0))))


def _allele(value: Any) -> int | float | str | None:
    """Read an allele, which is a number or a text; return None if there is none.

    Numbers below 1 are no alleles, as in cgMLST and GrapeTree, and a text that is a number is that number.
    """
    if is_missing(value):
        return None
    if not isinstance(value, Real):
        text = str(value).strip()
        if text.upper() in NO_ALLELE:
            return None
        text = NEW_ALLELE.sub("", text, count=1)
        if not NUMBER.fullmatch(text):
            return text
        whole, _, part = text.partition(".")
        value = float(text) if part.strip("0") else int(whole)
    if not 1 <= value < math.inf:
        return None
    return int(value) if value == int(value) else float(value)


def _missing_error(table: NDArray[Any], loci: list[str]) -> GraphError:
    row, locus = (int(k) for k in np.argwhere(table == 0)[0])
    count, profiles = np.count_nonzero(table == 0), np.count_nonzero(~table.all(axis=1))
    passed = hint("; {missing} compares the loci that both profiles have", missing="ignore")
    return GraphError(
        f"profile {row} has no allele at {shown(loci[locus])}; {count:,} are missing, in {profiles:,} "
        f"profiles{passed}"
    )
