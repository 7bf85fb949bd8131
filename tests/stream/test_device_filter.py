"""The filter on a GPU: on Numba's simulator, or on a GPU if there is one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import OptionError, generators, stream
from boruvka.stream import bottleneck_filter
from boruvka.stream.bottleneck_filter import build_filter
from boruvka.stream.device_filter import DeviceFilter
from tests.strategies import FLOATS, INTEGERS, SLOW, graphs
from tests.stream.test_bottleneck_filter import forest_of


@SLOW
@given(graphs(dtypes=INTEGERS + FLOATS[:-1]), st.booleans(), st.floats(0, 1), st.sampled_from([0.0, 2.0]))
def test_the_same_edges_pass_as_on_the_host(graph, maximum, part, large):
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


@pytest.mark.parametrize("maximum", [False, True])
def test_streams(monkeypatch, maximum):
    monkeypatch.setattr("boruvka.stream.memory.MemoryBudget.max_pending", lambda *_: 15)
    used, surviving = [], DeviceFilter.surviving
    monkeypatch.setattr(DeviceFilter, "surviving", lambda *given: used.append(given) or surviving(*given))
    graph = generators.random(7, 60, seed=3, dtype="int64", weights="integers_1000")
    batches = [graph.edge_slice(first, first + 10) for first in range(0, graph.m, 10)]
    forest = stream.minimum_spanning_forest(iter(batches), maximum=maximum, backend="cuda")
    assert forest.edges.tolist() == boruvka.minimum_spanning_forest(graph, maximum=maximum).edges.tolist()
    assert forest.backend == "cuda"
    assert used


def test_errors():
    with pytest.raises(OptionError, match="backend must be one of threads, cuda"):
        stream.minimum_spanning_forest(iter([]), backend="interpreted")
