import numpy as np
import pytest

from experiments.common.cost_model import Cost


@pytest.mark.parametrize("ranks", [2, 3, 64, 1000])
def test_a_cost_counts_as_messages_are_counted(ranks):
    """As `boruvka.distributed.communicator` documents: in a reduction 2 log2(P) messages, twice its size."""
    cost = Cost(ranks)
    cost.reduce(100.0)
    depth = int(np.ceil(np.log2(ranks)))
    assert (cost.messages, cost.bytes) == (2 * depth, pytest.approx(200 * (ranks - 1) / ranks))
    cost = Cost(ranks)
    cost.exchange(100.0, records=5)
    assert cost.messages == depth + min(5, ranks - 1)
