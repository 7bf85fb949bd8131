"""Names and addresses of clusters that stay when vertices are added: as in an earlier table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping
from itertools import count
from typing import Any

from boruvka.errors import GraphError, OptionError, shown, shown_names, some_of, warn
from boruvka.graph import labels
from boruvka.graph.columns import list_column, listed, read_column
from boruvka.graph.names import strain_keys
from boruvka.graph.no_values import is_none
from boruvka.runtime.arguments import argument

_OF_CLUSTERS = "cluster_", "change_", "was_"
"""Beginnings of the names of columns that never hold the names of vertices."""
_SHOWN = 3
"""Number of clusters that a warning shows, and of parts of each."""
_NO_CLUSTER = frozenset(["singleton", "singletons", "unclustered", "unassigned", "noise"])
"""Texts of rows in no cluster, in lower case, besides those for no number."""


def named_as_before(columns: dict[str, Any], previous: Any, levels: list[str]) -> dict[str, Any]:
    """Give the clusters of a table the names that they have in an earlier one, and addresses.

    Parameters
    ----------
    columns : dict of columns
        The columns of `Forest.clusters`. The first has names; those of clusters begin with ``cluster_``.
    previous : table, series or mapping, optional
        As for `Forest.clusters`.
    levels : list of str
        The columns whose clusters make addresses, the largest clusters first.

    Returns
    -------
    dict of columns

    Raises
    ------
    GraphError, OptionError
        No row of ``previous`` is known, one is there twice, or it lacks a column.

    Warns
    -----
    GraphWarning
        Clusters were merged or split, or rows are left out.
    """
    heights = [name for name in columns if name.startswith("cluster_")]
    named, old = dict(columns), dict[str, list[Any]]()
    if previous is not None:
        named = {name: column for name, column in columns.items() if name not in heights}
        ids = [labels.label_text(x) for x in list_column(next(iter(columns.values())))]
        where, names, old = _table(previous, heights, {*ids})
        option = argument("previous")
        if labels.has_bare_index(previous) and not where.startswith("its column"):
            how = f"{option}: rows have no names, and are matched by numbers"
            warn(f"{how}: set_index('Name') gives them names")
        if names and strain_keys(map(labels.label_text, names)).isdisjoint(strain_keys(ids)):
            others = f"{shown(names[0])}, which is no vertex, and no name of one, such as {shown(ids[0])}"
            raise GraphError(f"{option}: {where} has {others}: the graph needs the rows of all, old and new")
        rows = labels.rows_of_names(option, where, list(map(labels.label_text, names)), ids)
        id_of_row = {row: id for row, id in zip(rows.tolist(), ids, strict=True) if row >= 0}
        for name in heights:
            old_rows = [(id_of_row.get(row), label) for row, label in enumerate(old[name])]
            of_height = [kind + name.removeprefix("cluster_") for kind in _OF_CLUSTERS]
            named |= zip(of_height, _keep(name, ids, list_column(columns[name]), old_rows), strict=True)
    return named | {"address": _addresses(named, levels, old)} if levels else named


def _addresses(named: dict[str, Any], levels: list[str], old: dict[str, list[Any]]) -> list[str]:
    """Join the numbers of the clusters of each row; old clusters keep those that the earlier table has."""
    rows = old.get("address", [])
    form = re.compile(r"\.".join([r"(\d+)"] * len(levels)))
    addresses = [form.fullmatch(each) if isinstance(each, str) else None for each in rows]
    parts = []
    for level, name in enumerate(levels, 1):
        both = zip(old[name], addresses, strict=True) if rows else ()
        pairs = {(labels.label_text(x), each and int(each[level])) for x, each in both if not _is_none(x)}
        numbers = dict(pairs)
        if None in numbers.values() or not len(pairs) == len(numbers) == len({*numbers.values()}):
            raise OptionError(
                f"{argument('previous')}: the column 'address' has not {len(levels)} numbers, one for each "
                "cluster, in the text of each row: leave it out, or read it with dtype={'address': str}"
            )
        texts = list(map(labels.label_text, list_column(named[name])))
        new = dict.fromkeys(label for label in texts if label not in numbers)
        numbers |= zip(new, count(max(numbers.values(), default=0) + 1), strict=False)
        parts.append([str(numbers[label]) for label in texts])
    return list(map(".".join, zip(*parts, strict=True)))


def _is_none(label: Any) -> bool:
    return is_none(label, "number") or str(label).strip().lower() in _NO_CLUSTER


def _table(previous: Any, heights: list[str], known_ids: set[str]) -> tuple[str, list[Any], dict[str, Any]]:
    """Return what holds the names of vertices, or strains, in an earlier table, the names, and the columns.

    Names are in a column, or in the index of pandas, see `columns_with_names`.
    """
    previous, option = labels.in_memory(previous), argument("previous")
    if isinstance(previous, Mapping) or (labels.is_pandas(previous) and not labels.is_table(previous)):
        if len(heights) != 1:
            raise OptionError(f"{option} must be a table with the columns {', '.join(heights)}")
        items = list(previous.items())
        return "the table", [name for name, _ in items], {heights[0]: [cluster for _, cluster in items]}
    if not labels.is_table(previous):
        raise OptionError(f"{option} must be an earlier table, as of pandas.read_csv, got {shown(previous)}")
    known = listed("previous", previous.columns)
    if missing := [name for name in heights if name not in known]:
        raise OptionError(
            f"{option} has no column {shown(missing[0])}: it must be a table "
            f"of clusters at the same heights; its columns are {shown_names(known)}"
        )
    columns = {name: list_column(read_column(name, previous[name])) for name in known}
    others = [name for name in known if not str(name).startswith(_OF_CLUSTERS)]
    may_be_ids = {f"its column {shown(name)}": columns[name] for name in others}
    are_named = any(labels.is_called(name, labels.NAMES.union(labels.ID_COLUMNS)) for name in others)
    if labels.is_pandas(previous) and not (are_named and labels.has_bare_index(previous)):
        may_be_ids["its index"] = previous.index.tolist()
    if not may_be_ids:
        raise OptionError(f"{option} has no column with the names of the rows of its clusters")
    where = next(iter(labels.columns_with_names(may_be_ids, known_ids)), "the table")
    return where, may_be_ids.get(where, []), columns


def _keep(
    column: str, ids: list[str], clusters: list[Any], old_rows: list[tuple[str | None, Any]]
) -> tuple[list[Any], list[str], list[Any]]:
    """Return the names of the clusters of rows, the change of each row, and its old cluster, or "".

    Given are the id and the cluster of old rows; the id is None if there is no such row now. Pairs of an old
    and a present cluster are taken in descending order of the members that they share; of equal ones, the
    larger old cluster first, then the first in the old table.
    """
    old = [(id, label) for id, label in old_rows if not _is_none(label)]
    members: dict[Hashable, list[str]] = {}
    for id, cluster in zip(ids, clusters, strict=True):
        members.setdefault(cluster, []).append(id)
    cluster_of = dict(zip(ids, clusters, strict=True))
    shared = Counter((label, cluster_of[id]) for id, label in old if id is not None)
    sizes = Counter(label for _, label in old)
    names: dict[Hashable, Any] = {}
    kept: dict[Any, Hashable] = {}
    # Equal ones stay in their order.
    best_first = sorted(shared, key=lambda pair: (-shared[pair], -sizes[pair[0]]))
    for label, cluster in best_first:
        if cluster not in names and label not in kept:
            names[cluster], kept[label] = label, cluster
    taken = {labels.label_text(label) for _, label in old}
    for cluster, its_ids in members.items():
        if cluster in names:
            continue
        free = [cluster, *its_ids, *(f"{cluster}_{k}" for k in range(2, len(taken) + 3))]
        names[cluster] = next(name for name in free if labels.label_text(name) not in taken)
        taken.add(labels.label_text(names[cluster]))
    _warn_of_changes(column, shared, names, kept)
    label_of, known = dict(old), {id for id, _ in old_rows}
    found, was = ([names[x] for x in clusters], [label_of.get(x, "") for x in ids])
    found, was = (x if len({*map(type, x)}) <= 1 else list(map(labels.label_text, x)) for x in (found, was))
    grown = {cluster for _, cluster in shared}
    changes = []
    for id, cluster in zip(ids, clusters, strict=True):
        if id in label_of:
            label = label_of[id]
            changes.append("" if names[cluster] == label else "split" if label in kept else "merged")
        elif cluster in grown:
            changes.append("joined")
        else:
            changes.append("" if id in known and len(members[cluster]) == 1 else "new")
    return found, changes, was


def _warn_of_changes(
    column: str, shared: Counter[tuple[Any, Hashable]], names: dict[Hashable, Any], kept: dict[Any, Hashable]
) -> None:
    """Warn of old clusters that are part of another one now, and of those that were split."""
    parts: dict[Any, list[Any]] = {}
    for label, cluster in shared:
        parts.setdefault(label, []).append(names[cluster])
    merged = [(label, found) for label, found in parts.items() if label not in kept]
    split = [(label, found) for label, found in parts.items() if len(found) > 1]
    all_in = f"; all are in the column {shown(column.replace('cluster', 'was', 1))}"
    for what, changes in (("merged into others", merged), ("split", split)):
        if changes:
            texts = [f"{shown(x)} is in {some_of(list(map(shown, y)), _SHOWN)}" for x, y in changes]
            which = some_of(texts, _SHOWN, "; ") + all_in * (len(changes) > _SHOWN)
            warn(f"{column}: {len(changes):,} of {len(parts):,} old clusters were {what}: {which}")
