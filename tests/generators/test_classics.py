import numpy as np
import pytest

from boruvka.generators import complete, path, star


@pytest.mark.parametrize("n", [2, 3, 64, 65, 200])
def test_a_complete_graph_has_all_pairs_in_order(n):
    graph = complete(n)
    u, v = np.triu_indices(n, 1)
    assert graph.n == n
    np.testing.assert_array_equal(graph.u, u)
    np.testing.assert_array_equal(graph.v, v)


@pytest.mark.parametrize("n", [2, 3, 100])
def test_a_path(n):
    graph = path(n)
    assert graph.n == n
    np.testing.assert_array_equal(graph.u, np.arange(n - 1))
    np.testing.assert_array_equal(graph.v, np.arange(1, n))


@pytest.mark.parametrize("n", [2, 3, 100])
def test_a_star(n):
    graph = star(n)
    assert graph.n == n
    assert not graph.u.any()
    np.testing.assert_array_equal(graph.v, np.arange(1, n))
