import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.graph import numbering as module
from boruvka.graph.numbering import number_keys


def check(keys):
    numbers, first = number_keys(keys)
    expected = {}
    for key in keys.tolist():
        expected.setdefault(key, len(expected))
    assert numbers.tolist() == [expected[key] for key in keys.tolist()]
    assert keys[first].tolist() == list(expected)
    assert (np.diff(first) > 0).all()
    assert numbers.dtype == np.uint32


@given(st.lists(st.sampled_from([0, 1, 2**64 - 1, 2**63]) | st.integers(0, 2**64 - 1)))
def test_few_keys(keys):
    check(np.array(keys, np.uint64))


@pytest.mark.parametrize("most", [1, 1000, 2**64 - 1])
def test_many_keys(most):
    check(np.random.default_rng(1).integers(0, most, 50_000, np.uint64, endpoint=True))


@given(st.lists(st.sampled_from([0, 1, 2**64 - 1, 2**63]) | st.integers(0, 2**64 - 1), min_size=1))
def test_a_table_that_grows(keys):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "FIRST_SLOTS", 4)
        check(np.array(keys, np.uint64))


@pytest.mark.parametrize("few", [0, module.FEW])
@given(st.lists(st.tuples(st.text("äb ", min_size=1).filter(str.strip), st.text("äb", min_size=1))))
def test_few_and_many_strings(few, edges):
    u, v = ([edge[k] for edge in edges] for k in (0, 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "FEW", few)
        *numbers, names = module.number_names(u, v)
    assert names.tolist() == list(dict.fromkeys(u + v))
    assert [names[x].tolist() for x in numbers] == [u, v]
