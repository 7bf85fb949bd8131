import numpy as np
import pytest

from boruvka.algorithms.building_blocks.sample import sample_below


@pytest.mark.parametrize("size", [1, 2, 1000, 2**40, 2**60])
def test_samples_are_even_and_below_the_size(size):
    sample = sample_below(size, 20_000)
    assert sample.dtype == np.int64
    assert sample.min() >= 0
    assert sample.max() < size
    counts = np.histogram(sample / size, 8, (0, 1))[0]
    if size >= 1000:
        assert abs(counts - 2_500).max() < 250  # five standard deviations


def test_seeds_give_other_samples():
    assert len({tuple(sample_below(1000, 50, seed)) for seed in (0, 0, 1, 2)}) == 3
