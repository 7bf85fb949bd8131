"""SSCA#2 graphs: cliques are complete, and edges between them get rarer with the distance."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from boruvka.generators import ssca2, ssca2_cliques


def inside_cliques(graph, starts):
    """Which edges have both ends in one clique."""
    one, other = (np.searchsorted(starts, ends, side="right") for ends in (graph.u, graph.v))
    return one == other


@pytest.mark.parametrize(("scale", "max_clique"), [(0, None), (1, 1), (6, None), (8, 20), (5, 1000)])
def test_cliques_cut_the_vertices(scale, max_clique):
    starts = ssca2_cliques(scale, max_clique, seed=1)
    sizes = np.diff(starts.astype(int))
    assert starts[0] == 0
    assert starts[-1] == 2**scale
    assert sizes.min() >= 1
    assert sizes.max() <= (max_clique or 2 ** (scale / 3) + 1e-9)


def test_sizes_of_cliques_are_uniform():
    sizes = np.diff(ssca2_cliques(16, 20, seed=2).astype(int))[:-1]
    assert stats.chisquare(np.bincount(sizes, minlength=21)[1:]).pvalue > 1e-4


@pytest.mark.parametrize("max_parallel", [1, 3])
@pytest.mark.parametrize("seed", [0, 1])
def test_all_pairs_of_a_clique_are_joined(max_parallel, seed):
    graph = ssca2(9, 12, max_parallel=max_parallel, permute=False, seed=seed)
    starts = ssca2_cliques(9, 12, seed)
    inside = inside_cliques(graph, starts)
    edges = zip(graph.u[inside].tolist(), graph.v[inside].tolist(), strict=True)
    times = Counter(frozenset(edge) for edge in edges)
    pairs = {
        frozenset((a, b))
        for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
        for b in range(begin, end)
        for a in range(begin, b)
    }
    assert set(times) == pairs
    assert set(times.values()) == set(range(1, max_parallel + 1))
    if max_parallel > 1:
        assert stats.chisquare(np.bincount(list(times.values()))[1:]).pvalue > 1e-4


def test_edges_between_cliques_halve_with_the_distance():
    scale, probability = 16, 0.8
    graph = ssca2(scale, 1, probability=probability, max_parallel=1, permute=False, seed=3)
    level = np.floor(np.log2((graph.v.astype(int) - graph.u) % 2**scale)).astype(int)
    reached = np.bincount(level, minlength=scale)
    assert reached[0] == 0
    for t in range(1, scale):
        expected = 2**scale * probability / 2 ** (t - 1)
        assert reached[t] == pytest.approx(expected, abs=5 * expected**0.5 + 1)


def test_without_probability_only_cliques():
    graph = ssca2(8, 10, probability=0, permute=False)
    assert inside_cliques(graph, ssca2_cliques(8, 10)).all()


def test_permuting_changes_only_labels():
    plain, permuted = ssca2(9, permute=False, seed=4), ssca2(9, permute=True, seed=4)
    np.testing.assert_array_equal(plain.w, permuted.w)
    label = np.full(512, -1)
    label[plain.u] = permuted.u
    label[plain.v] = permuted.v
    np.testing.assert_array_equal(label[plain.u], permuted.u)
    np.testing.assert_array_equal(label[plain.v], permuted.v)
    assert np.unique(label[label >= 0]).size == (label >= 0).sum()
    assert (label != np.arange(512)).sum() > 480


def test_the_smallest():
    assert (ssca2(0).n, ssca2(0).m) == (1, 0)
    assert ssca2(1, 2).n == 2
