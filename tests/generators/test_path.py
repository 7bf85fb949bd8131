import numpy as np
import pytest

from boruvka.generators import path


@pytest.mark.parametrize("n", [2, 3, 100])
def test_a_path(n):
    graph = path(n)
    assert graph.n == n
    np.testing.assert_array_equal(graph.u, np.arange(n - 1))
    np.testing.assert_array_equal(graph.v, np.arange(1, n))
