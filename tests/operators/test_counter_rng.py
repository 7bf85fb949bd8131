"""The random numbers: known answers, uniform, and shuffles that lose nothing."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boruvka.generators.edges import permuted_numbers
from boruvka.operators.counter_rng import (
    GOLDEN,
    bit_width,
    mix,
    random_below,
    random_bits,
    random_event,
    random_unit,
    sample_below,
    stream_key,
)
from tests.statistics import has_shares, is_uniform

COUNT = 1 << 16
INDICES = np.arange(COUNT, dtype=np.uint64)
STREAMS = [(0, "a"), (0, "b"), (1, "a"), (2**70, "a")]


def permutation(seed, size, start=0, stop=None):
    stop = size if stop is None else stop
    out = np.empty(stop - start, np.uint64)
    permuted_numbers(out, start, start, stop, stream_key(seed, "test"), size, bit_width(size))
    return out


def test_mix_is_the_finaliser_of_splitmix64():
    with np.errstate(over="ignore"):
        states = np.arange(1, 4, dtype=np.uint64) * GOLDEN
    assert [hex(x) for x in mix(states)] == [
        "0xe220a8397b1dcdaf",
        "0x6e789e6aa1b965f4",
        "0x6c45d188009454f",
    ]


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("shift", [0, 24, 48, 56])
def test_every_byte_is_uniform(stream, shift):
    draws = random_bits(stream_key(*stream), INDICES)
    byte = (draws >> np.uint64(shift)) & np.uint64(255)
    assert has_shares(np.bincount(byte.astype(int), minlength=256))


@pytest.mark.parametrize("stream", STREAMS)
def test_units_are_uniform(stream):
    draws = random_unit(stream_key(*stream), INDICES)
    assert draws.min() >= 0
    assert draws.max() < 1
    assert is_uniform(draws)


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(STREAMS, 2)))
def test_streams_are_independent(one, other):
    pairs = [random_bits(stream_key(*stream), INDICES) >> np.uint64(60) for stream in (one, other)]
    cells = np.bincount((pairs[0] * np.uint64(16) + pairs[1]).astype(int), minlength=256)
    assert has_shares(cells)


@pytest.mark.parametrize("lag", [1, 2, 64])
def test_neighbouring_draws_are_independent(lag):
    draws = random_bits(stream_key(0, "a"), INDICES) >> np.uint64(60)
    cells = np.bincount((draws[:-lag] * np.uint64(16) + draws[lag:]).astype(int), minlength=256)
    assert has_shares(cells)


@pytest.mark.parametrize("bit", [0, 1, 5, 31, 32, 47, 63])
def test_one_bit_of_the_index_changes_half_of_the_draw(bit):
    key = stream_key(0, "a")
    changed = random_bits(key, INDICES) ^ random_bits(key, INDICES ^ np.uint64(1 << bit))
    flips = np.unpackbits(changed.view(np.uint8)).reshape(COUNT, 64).mean(axis=0)
    np.testing.assert_allclose(flips, 0.5, atol=5 * 0.5 / COUNT**0.5)


@given(st.integers(1, 2**64 - 1), st.integers(0, 2**32))
@settings(deadline=None)
def test_below_is_the_high_word_of_the_product(count, seed):
    key = stream_key(seed, "a")
    draws = random_bits(key, INDICES[:20])
    expected = [int(x) * count >> 64 for x in draws]
    assert random_below(key, INDICES[:20], np.uint64(count)).tolist() == expected


def test_below_is_uniform():
    counts = np.bincount(random_below(stream_key(3, "a"), INDICES, np.uint64(100)).astype(int))
    assert counts.size == 100
    assert has_shares(counts)


def test_chance_keeps_its_share():
    kept = random_event(stream_key(3, "a"), INDICES, np.uint64(0.3 * 2**53)).mean()
    assert kept == pytest.approx(0.3, abs=5 * (0.21 / COUNT) ** 0.5)


@given(st.integers(1, 3000), st.integers(0, 2**80))
@settings(deadline=None)
def test_a_shuffle_is_a_bijection(size, seed):
    np.testing.assert_array_equal(np.sort(permutation(seed, size)), np.arange(size, dtype=np.uint64))


@given(st.integers(2**32, 2**62), st.integers(0, 2**32), st.data())
@settings(deadline=None)
def test_a_slice_of_a_large_shuffle_stays_inside_without_repetition(size, seed, data):
    start = data.draw(st.integers(0, size - 100))
    part = permutation(seed, size, start, start + 100)
    assert part.max() < size
    assert np.unique(part).size == 100


@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_permutation_of_few_elements_occurs(size):
    seen = {tuple(permutation(seed, size).tolist()) for seed in range(800)}
    assert len(seen) == np.prod(range(1, size + 1))


@pytest.mark.parametrize("size", [7, 64, 100])
def test_places_are_uniform_over_seeds(size):
    first = [int(permutation(seed, size, 0, 1)[0]) for seed in range(3000)]
    last = [int(permutation(seed, size, size - 1, size)[0]) for seed in range(3000)]
    for places in (first, last):
        assert has_shares(np.bincount(places, minlength=size))


def test_a_shuffle_leaves_no_order():
    places = permutation(1, COUNT).astype(float)
    assert abs(np.corrcoef(places, np.arange(COUNT))[0, 1]) < 5 / COUNT**0.5
    assert abs(np.corrcoef(places[1:], places[:-1])[0, 1]) < 5 / COUNT**0.5
    assert (places == np.arange(COUNT)).sum() < 10


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
