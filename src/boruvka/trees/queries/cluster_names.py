"""Names of clusters that stay when vertices are added: the clusters of an earlier table keep their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

from boruvka.errors import GraphError, OptionError, shown, shown_names, warn
from boruvka.graph.columns import list_column, listed, read_column
from boruvka.graph.labels import in_memory, is_pandas, is_table, label_text
from boruvka.graph.no_values import is_missing
from boruvka.runtime.arguments import argument

_SHOWN = 3
"""Number of clusters that a warning shows."""


def named_as_before(columns: dict[str, Any], previous: Any) -> dict[str, Any]:
    """Give the clusters of a table the names that they have in an earlier one.

    Parameters
    ----------
    columns : dict of columns
        The columns of `Forest.clusters`. Those of clusters begin with ``cluster_``.
    previous : table, series or mapping
        As for `Forest.clusters`.

    Returns
    -------
    dict of columns

    Raises
    ------
    GraphError, OptionError
        No row of ``previous`` is known, or it lacks a column.

    Warns
    -----
    GraphWarning
        Clusters were merged or split.
    """
    ids = [label_text(x) for x in list_column(columns.get("strain", columns["vertex"]))]
    named = dict(columns)
    heights = [name for name in columns if name.startswith("cluster_")]
    for name, (their_ids, clusters) in _tables(previous, heights, {*ids}).items():
        old = {
            label_text(x): cluster
            for x, cluster in zip(their_ids, clusters, strict=True)
            if not is_missing(cluster) and cluster != ""
        }
        if old and old.keys().isdisjoint(ids):
            raise GraphError(
                f"{argument('previous')}: no row is of this graph: it has {shown(next(iter(old)))}, and the "
                f"graph {shown(ids[0]) if ids else 'no vertex'}"
            )
        named[name] = _keep(name, ids, list_column(columns[name]), old)
    return named


def _tables(previous: Any, heights: list[str], known_ids: set[str]) -> dict[str, tuple[list[Any], list[Any]]]:
    """Return the names of vertices, or strains, and their clusters, in an earlier table for each height.

    Names are in the column that has most of those that are known.
    """
    previous = in_memory(previous)
    if isinstance(previous, Mapping) or (is_pandas(previous) and not is_table(previous)):
        if len(heights) != 1:
            raise OptionError(f"{argument('previous')} must be a table with the columns {', '.join(heights)}")
        pairs = dict(previous)
        return {heights[0]: (list(pairs), list(pairs.values()))}
    if not is_table(previous):
        raise OptionError(
            f"{argument('previous')} must be the table of an earlier run, got {shown(previous)}"
        )
    known = listed("previous", previous.columns)
    may_be_ids = sorted((x for x in known if x not in heights), key=("vertex", "strain").count, reverse=True)

    def count(name: str) -> int:
        return len(known_ids.intersection(map(label_text, list_column(read_column(name, previous[name])))))

    of_ids = max(may_be_ids, key=count, default=None)
    missing = [name for name in heights if name not in known]
    if missing or of_ids is None:
        raise OptionError(
            f"{argument('previous')} has no column {shown((missing or ['vertex'])[0])}: it must be a table "
            f"of clusters at the same heights; its columns are {shown_names(known)}"
        )
    ids, *clusters = (list_column(read_column(name, previous[name])) for name in (of_ids, *heights))
    return {name: (ids, each) for name, each in zip(heights, clusters, strict=True)}


def _keep(column: str, ids: list[str], clusters: list[Any], old: dict[str, Any]) -> list[Any]:
    """Return the names of the clusters of rows.

    Pairs of an old and a present cluster are taken in descending order of the members that they share; of
    equal ones, the larger old cluster first, then the first in the old table.
    """
    members: dict[Hashable, list[str]] = {}
    for id, cluster in zip(ids, clusters, strict=True):
        members.setdefault(cluster, []).append(id)
    cluster_of = dict(zip(ids, clusters, strict=True))
    shared = Counter((label, cluster_of[id]) for id, label in old.items() if id in cluster_of)
    sizes = Counter(old.values())
    names: dict[Hashable, Any] = {}
    kept: dict[Any, Hashable] = {}
    best_first = sorted(
        shared, key=lambda pair: (-shared[pair], -sizes[pair[0]])
    )  # equal ones in their order
    for label, cluster in best_first:
        if cluster not in names and label not in kept:
            names[cluster], kept[label] = label, cluster
    taken = {label_text(label) for label in old.values()}
    for cluster, its_ids in members.items():
        if cluster in names:
            continue
        free = [cluster, *its_ids, *(f"{cluster}_{k}" for k in range(2, len(taken) + 3))]
        names[cluster] = next(name for name in free if label_text(name) not in taken)
        taken.add(label_text(names[cluster]))
    _warn_of_changes(column, shared, names, kept)
    found = [names[cluster] for cluster in clusters]
    return found if len(set(map(type, found))) <= 1 else [label_text(name) for name in found]


def _warn_of_changes(
    column: str, shared: Counter[tuple[Any, Hashable]], names: dict[Hashable, Any], kept: dict[Any, Hashable]
) -> None:
    """Warn of old clusters that are part of another one now, and of those that were split."""
    parts: dict[Any, list[Any]] = {}
    for label, cluster in shared:
        parts.setdefault(label, []).append(names[cluster])
    merged = [(label, found) for label, found in parts.items() if label not in kept]
    split = [(label, found) for label, found in parts.items() if len(found) > 1]
    for what, changes in (("merged into others", merged), ("split", split)):
        if changes:
            some = "; ".join(f"{shown(x)} is in {', '.join(map(shown, y))}" for x, y in changes[:_SHOWN])
            more = f"; and {len(changes) - _SHOWN:,} more" if len(changes) > _SHOWN else ""
            warn(f"{column}: {len(changes):,} of {len(parts):,} old clusters were {what}: {some}{more}")
