import numpy as np
import pytest

from boruvka.generators import complete


@pytest.mark.parametrize("n", [2, 3, 64, 65, 200])
def test_a_complete_graph_has_all_pairs_in_order(n):
    graph = complete(n)
    u, v = np.triu_indices(n, 1)
    assert graph.n == n
    np.testing.assert_array_equal(graph.u, u)
    np.testing.assert_array_equal(graph.v, v)
