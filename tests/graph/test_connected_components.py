import numpy as np
from hypothesis import given

from boruvka.graph.connected_components import label_components
from tests import oracles
from tests.strategies import graphs


@given(graph=graphs(dtypes=[np.dtype(np.uint8)]))
def test_components_are_numbered_by_their_smallest_vertices(graph):
    labels = label_components(graph.n, graph.u, graph.v)
    assert labels.dtype == np.int64
    assert labels.tolist() == oracles.components(graph.n, graph.u, graph.v)
