import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boruvka.trees.breadth_first import Arcs


@given(st.data(), st.integers(1, 9))
def test_hops_are_those_of_whole_levels(data, n):
    vertex = st.integers(0, n - 1)
    arcs = data.draw(st.lists(st.tuples(vertex, vertex), max_size=20))
    root = data.draw(vertex)
    hops, level = {root: 0}, {root}
    while level:
        level = {b for a, b in arcs if a in level} - set(hops)
        hops |= dict.fromkeys(level, max(hops.values()) + 1)
    tail, head = np.array(arcs, np.uint32).reshape(-1, 2).T
    found = Arcs(n, tail, head).search(root)
    assert found.hops.tolist() == [hops.get(x, -1) for x in range(n)]
    assert sorted(found.order.tolist()) == sorted(hops)
    assert (np.diff(found.hops[found.order]) >= 0).all()
    for x in range(n):
        parent = found.parent[x]
        if hops.get(x, 0):
            assert (parent, x) in arcs
            assert hops[parent] == hops[x] - 1
        else:
            assert parent == -1
