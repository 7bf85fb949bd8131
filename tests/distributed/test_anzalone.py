"""How components merge in the strategies that distribute edges."""

import numpy as np
import pytest

from boruvka.distributed.anzalone import PointerJumping, UnionFind
from boruvka.operators.sort_keys import NONE
from tests.distributed.one_rank import BACKEND


@pytest.mark.parametrize("merger", [UnionFind, PointerJumping])
def test_components_merge_along_their_choices(merger):
    """0 and 1 chose each other, 2 chose 1, 4 chose 3, 3 chose 0; 5 made no choice."""
    choice = np.array([10, 10, 11, 12, 13, NONE], np.uint64)
    other = np.array([1, 0, 1, 0, 3, 2**32 - 1], np.uint32)
    state = merger(BACKEND, 6, np.uint32)
    state.merge(choice, other)
    assert len(set(state.label[:5].tolist())) == 1
    assert state.label[5] == 5
    assert np.array_equal(state.label[state.label], state.label)


def test_pointer_jumping_keeps_the_labels_of_finished_components():
    """0 and 2 have label 2, a finished component; 1 and 3 choose each other."""
    state = PointerJumping(BACKEND, 4, np.uint32)
    state.label[:] = [2, 1, 2, 3]
    nothing = 2**32 - 1
    state.merge(np.array([NONE, 7, NONE, 7], np.uint64), np.array([nothing, 3, nothing, 1], np.uint32))
    assert state.label.tolist() == [2, 1, 2, 1]
