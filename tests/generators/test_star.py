import numpy as np
import pytest

from boruvka.generators import star


@pytest.mark.parametrize("n", [2, 3, 100])
def test_a_star(n):
    graph = star(n)
    assert graph.n == n
    assert not graph.u.any()
    np.testing.assert_array_equal(graph.v, np.arange(1, n))
