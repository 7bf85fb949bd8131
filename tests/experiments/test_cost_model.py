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
    cost = Cost(ranks, two_steps=False)
    cost.exchange(100.0, records=5)
    assert cost.messages == depth + min(5, ranks - 1)


def test_an_exchange_in_two_steps_has_few_partners():
    cost = Cost(100, two_steps=True)
    cost.exchange(100.0, records=5)
    assert cost.messages == 2 * 9 + 2 * 7  # the latter to agree on the size
    assert cost.bytes == pytest.approx(2 * (100 + 5) * 0.9)


def test_large_exchanges_of_many_ranks_take_one_step():
    small, large = Cost(1000), Cost(1000)
    small.exchange(1e5, records=5000)
    large.exchange(1e6, records=50000)
    assert small.messages < 100 < large.messages
