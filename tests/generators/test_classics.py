import numpy as np
import pytest

from boruvka.generators import complete, path, star


@pytest.mark.parametrize("n", [2, 3, 64, 65, 200])
@pytest.mark.parametrize(
    ("make", "ends"),
    [
        (complete, lambda n: np.triu_indices(n, 1)),
        (path, lambda n: (np.arange(n - 1), np.arange(1, n))),
        (star, lambda n: (np.zeros(n - 1), np.arange(1, n))),
    ],
)
def test_edges_in_their_order(make, ends, n):
    graph = make(n)
    assert graph.n == n
    np.testing.assert_array_equal((graph.u, graph.v), ends(n))
