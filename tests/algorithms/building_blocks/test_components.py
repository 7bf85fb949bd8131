"""Relabelling of hooked trees, and its composition over rounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.algorithms.building_blocks.components import Components
from boruvka.backends.primitives import Backend
from boruvka.runtime.round_log import RoundLog

NONE = np.uint64(2**64 - 1)


@st.composite
def rounds_of(draw):
    """Draw rounds: in each, some components hook onto smaller ones, and some roots have no edge left."""
    n = draw(st.integers(1, 12))
    rounds, left = [], n
    while left and len(rounds) < 4:
        parent = [draw(st.integers(0, c)) for c in range(left)]
        roots = [c for c in range(left) if parent[c] == c]
        growing = [c for c in roots if draw(st.booleans())]
        rounds.append((parent, growing))
        left = len(growing)
    return n, rounds


def relabelled(parent, growing):
    """Number the roots that grow, and then the others; return the number of each component's root."""
    roots = [c for c, p in enumerate(parent) if p == c]
    order = growing + [c for c in roots if c not in growing]
    root = []
    for p in parent:
        root.append(root[p] if p < len(root) else p)
    return [order.index(r) for r in root]


@given(rounds_of())
def test_labels_of_rounds_are_composed(drawn):
    n, rounds = drawn
    log = RoundLog()
    log.begin("test", n, 0)
    components = Components(n, np.uint32, Backend(), log)
    components.begin_relabelling()
    trees = [{x} for x in range(n)]  # of each component that still grows
    finished = []
    for parent, growing in rounds:
        components.parent[: len(parent)] = parent
        chosen = np.array([0 if c in growing else NONE for c in range(len(parent))], np.uint64)
        label = components.relabel(chosen, NONE).tolist()
        expected = relabelled(parent, growing)
        assert [x for x, e in zip(label, expected, strict=True) if e < len(growing)] == [
            e for e in expected if e < len(growing)
        ]
        merged = [set() for _ in range(max(expected) + 1)]
        for c, e in enumerate(expected):
            merged[e] |= trees[c]
        trees, finished = merged[: len(growing)], finished + merged[len(growing) :]
        assert components.n_components == len(growing)
    composed = components.end_relabelling().tolist()
    assert components.n_components == len(trees) + len(finished)
    groups = {frozenset(x for x in range(n) if composed[x] == label) for label in set(composed)}
    assert groups == {frozenset(tree) for tree in trees + finished}


@pytest.mark.parametrize("trees", [1, 3])
def test_finished_trees_are_numbered(trees):
    log = RoundLog()
    log.begin("test", 3, 0)
    components = Components(3, np.uint32, Backend(), log)
    components.begin_relabelling()
    components.finish(np.arange(3, dtype=np.uint32) % trees, trees)
    assert components.end_relabelling().tolist() == [0, 1 % trees, 2 % trees]
    assert components.n_components == trees
