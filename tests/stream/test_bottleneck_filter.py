"""A filter of a forest of some edges: it drops no edge of the forest of all, and drops those that it must.

The filter on a GPU is tested on Numba's simulator, or on a GPU if there is one.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import OptionError, generators, stream
from boruvka.stream import bottleneck_filter
from boruvka.stream.bottleneck_filter import DeviceFilter, build_filter
from boruvka.stream.indexed_edges import IndexedEdges
from tests.marks import long_but
from tests.oracles import kruskal
from tests.strategies import FLOATS, INTEGERS, SLOW, graphs


def places_in(forest, first, graph, maximum):
    edge_filter = build_filter(forest, graph.n, maximum)
    assert edge_filter is not None
    rest = (column[first:] for column in (graph.u, graph.v, graph.w))
    return edge_filter.surviving(first, *rest).tolist()


def forest_of(graph, m, maximum):
    """Return the forest of the first m edges."""
    edges = np.array(kruskal(graph.n, graph.u[:m], graph.v[:m], graph.w[:m], maximum), np.int64)
    return IndexedEdges(edges, graph.u[edges], graph.v[edges], graph.w[edges])


@given(
    graphs(dtypes=INTEGERS + FLOATS[:-1]),
    st.booleans(),
    st.floats(0, 1),
    st.sampled_from([0.0, 0.9, 2.0]),
    st.sampled_from([2, 3, 255]),
)
def test_edges_of_the_forest_pass(graph, maximum, part, large, levels):
    """Whatever the share of a large tree, and the number of levels."""
    m = int(part * graph.m)
    forest = forest_of(graph, m, maximum)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bottleneck_filter, "LARGE", large)
        patch.setattr(bottleneck_filter, "LEVELS", levels)
        if not forest.m:
            assert build_filter(forest, graph.n, maximum) is None
            return
        passed = {m + place for place in places_in(forest, m, graph, maximum)}
    needed = kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    assert passed >= {edge for edge in needed if edge >= m}
    assert not any(graph.u[edge] == graph.v[edge] for edge in passed)


def test_heavy_edges_of_a_connected_forest_are_dropped():
    n = 200
    rng = np.random.default_rng(5)
    u, v = rng.integers(0, n, (2, 1000)).astype(np.uint32)
    path = np.arange(n - 1)
    ends = path.astype(np.uint32)
    forest = IndexedEdges(path, ends, ends + np.uint32(1), path % 50)
    edge_filter = build_filter(forest, n, False)
    assert edge_filter.surviving(n, u, v, np.full(1000, 50)).size == 0
    assert edge_filter.surviving(n, u, v, np.full(1000, -1)).size == np.count_nonzero(u != v)


def test_vertices_that_come_later():
    forest = IndexedEdges(
        *(np.array([k], dtype) for k, dtype in ((0, np.int64), (0, "u4"), (1, "u4"), (1, np.int64)))
    )
    edge_filter = build_filter(forest, 2, False)
    assert edge_filter.extended_to(2) is edge_filter
    u, v, w = np.array([0, 0, 5], np.uint32), np.array([1, 5, 6], np.uint32), np.array([9, 9, 9])
    assert edge_filter.surviving(1, u, v, w, 7).tolist() == [1, 2]


@pytest.mark.needs("numba")
@SLOW
@given(graphs(dtypes=INTEGERS + FLOATS[:-1]), st.booleans(), st.floats(0, 1), st.sampled_from([0.0, 2.0]))
def test_the_same_edges_pass_on_a_gpu(graph, maximum, part, large):
    m = int(part * graph.m)
    forest = forest_of(graph, m, maximum)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bottleneck_filter, "LARGE", large)
        known = int(forest.m and 1 + max(forest.u.max(), forest.v.max()))
        on_host = build_filter(forest, known, maximum)  # other vertices come later
    if on_host is not None and m < graph.m:
        rest = tuple(column[m:] for column in (graph.u, graph.v, graph.w))
        found = DeviceFilter.of(on_host).surviving(m, *rest, graph.n)
        assert found.tolist() == on_host.surviving(m, *rest, graph.n).tolist()


@pytest.mark.needs("numba")
@pytest.mark.parametrize("maximum", long_but([False, True], False))
def test_streams_on_a_gpu(monkeypatch, maximum):
    monkeypatch.setattr("boruvka.stream.memory.MemoryBudget.max_pending", lambda *_: 15)
    used, surviving = [], DeviceFilter.surviving
    monkeypatch.setattr(DeviceFilter, "surviving", lambda *given: used.append(given) or surviving(*given))
    graph = generators.random(7, 60, seed=3, dtype="int64", weights="integers_1000")
    batches = [graph.edges_in_range(first, first + 10) for first in range(0, graph.m, 10)]
    forest = stream.minimum_spanning_forest(iter(batches), maximum=maximum, backend="cuda")
    assert forest.edges.tolist() == boruvka.minimum_spanning_forest(graph, maximum=maximum).edges.tolist()
    assert forest.backend == "cuda"
    assert used


def test_backends_of_streams():
    with pytest.raises(OptionError, match="backend must be one of threads, cuda"):
        stream.minimum_spanning_forest(iter([]), backend="interpreted")
