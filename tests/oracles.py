"""Answers from outside: nothing here comes from the package but its types."""

from itertools import combinations

import numpy as np


def kruskal(n, u, v, w, maximum=False, required=()):
    """Kruskal's algorithm in Python numbers: the unique forest under (weight, index); required first."""
    weights = w.tolist() if w.dtype.itemsize <= 8 else list(w)
    first = set(np.asarray(required).tolist())
    order = sorted(range(len(u)), key=lambda i: (i not in first, -weights[i] if maximum else weights[i], i))
    root = list(range(n))

    def find(x):
        while root[x] != x:
            x = root[x]
        return x

    chosen = []
    for i in order:
        a, b = find(int(u[i])), find(int(v[i]))
        if a != b:
            root[a] = b
            chosen.append(i)
    return sorted(chosen)


def is_forest(n, u, v, edges):
    """Say whether edges close no cycle."""
    return len(kruskal(n, u[edges], v[edges], np.zeros(len(edges)))) == len(edges)


def components(n, u, v):
    """Label vertices by the smallest vertex they can reach, numbered in its order."""
    label = list(range(n))
    changed = True
    while changed:
        changed = False
        for a, b in zip(u.tolist(), v.tolist(), strict=True):
            low = min(label[a], label[b])
            changed |= label[a] != low or label[b] != low
            label[a] = label[b] = low
    return numbered(label)


def numbered(labels):
    """Number labels in the order of their first members."""
    numbers = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels]


def lightest_by_enumeration(n, u, v, w):
    """Total of the lightest maximal forest, from all sets of edges of the right size."""
    size = len(kruskal(n, u, v, w))
    totals = (
        sum(w[list(edges)].tolist())
        for edges in combinations(range(len(u)), size)
        if is_forest(n, u, v, np.array(edges, np.int64))
    )
    return min(totals)
