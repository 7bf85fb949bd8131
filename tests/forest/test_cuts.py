import functools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist

import boruvka
from boruvka import Graph, OptionError
from tests.forest.test_path_maxima import random_forest
from tests.oracles import components
from tests.strategies import graphs

minimum_spanning_forest = functools.partial(boruvka.minimum_spanning_forest, backend="interpreted")


def check(cuts, heights, expected):
    """Compare cuts with a list of the labels at each height."""
    assert cuts.heights == tuple(heights)
    assert len(cuts) == len(cuts.sizes) == len(expected)
    assert cuts.labels.dtype == cuts.n_clusters.dtype == np.int64
    assert cuts.labels.tolist() == expected
    assert [cuts[i].tolist() for i in range(len(cuts))] == expected
    assert cuts.n_clusters.tolist() == [len(set(labels)) for labels in expected]
    for sizes, labels in zip(cuts.sizes, expected, strict=True):
        assert sizes.dtype == np.int64
        assert sizes.tolist() == [labels.count(label) for label in range(len(set(labels)))]


@given(graphs(), st.booleans(), st.data())
def test_cuts_are_components_of_the_graph_up_to_each_height(graph, maximum, data):
    weights = st.sampled_from(graph.w.tolist()) if graph.m else st.nothing()
    heights = data.draw(
        st.lists(st.one_of(weights, st.integers(-2, 2), st.floats(allow_nan=False)), max_size=6)
    )
    forest = minimum_spanning_forest(graph, maximum=maximum)
    expected = []
    for height in heights:
        kept = [w >= height if maximum else w <= height for w in graph.w.tolist()]
        expected.append(components(graph.n, graph.u[kept], graph.v[kept]))
    check(forest.cuts(heights), heights, expected)
    assert [forest.cut_at(height).tolist() for height in heights] == expected


def test_cuts_are_those_of_scipy():
    points = np.random.default_rng(1).random((60, 2))
    tree = hierarchy.linkage(pdist(points), "single")
    heights = [tree[-1, 2], 0, *(tree[::7, 2] + 1e-9), 1e9]
    cuts = boruvka.minimum_spanning_forest(Graph.from_points(points)).cuts(np.array(heights))
    for i, height in enumerate(heights):
        labels = hierarchy.fcluster(tree, height, "distance").tolist()
        numbers = {label: k for k, label in enumerate(dict.fromkeys(labels))}
        assert cuts[i].tolist() == [numbers[label] for label in labels]


def test_many_vertices_and_heights():
    generator = np.random.default_rng(2)
    u, v = random_forest(300, "random", generator)
    forest = minimum_spanning_forest(Graph(300, u, v, generator.integers(0, 100, u.size)))
    heights = generator.integers(-5, 105, 50).tolist()
    check(forest.cuts(heights), heights, [forest.cut_at(height).tolist() for height in heights])


def test_heights_in_any_order_and_twice():
    forest = minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 2, 7]))
    check(forest.cuts([7, 2, 0, 2]), [7, 2, 0, 2], [[0, 0, 0, 0], [0, 1, 1, 2], [0, 1, 2, 3], [0, 1, 1, 2]])
    assert repr(forest.cuts([2, 5])) == "Cuts(heights=(2, 5), clusters=[3, 2])"
    check(forest.cuts(iter([5])), [5], [[0, 0, 0, 1]])
    with pytest.raises(IndexError):
        forest.cuts([2])[1]


def test_nothing_to_cut():
    forest = minimum_spanning_forest(Graph(2, [], [], []))
    assert forest.cuts([]).labels.shape == (0, 2)
    check(forest.cuts([1]), [1], [[0, 1]])
    assert minimum_spanning_forest(Graph(0, [], [], [])).cuts([1, 2]).labels.shape == (2, 0)


@pytest.mark.parametrize("heights", [[1, float("nan")], ["2"], [None], "ab", [[1]]])
def test_heights_are_numbers(heights):
    forest = minimum_spanning_forest(([0], [1], [5]))
    with pytest.raises(OptionError, match="height must be a number, got"):
        forest.cuts(heights)


def test_heights_are_several():
    with pytest.raises(OptionError, match="heights must be an iterable of numbers, got 5"):
        minimum_spanning_forest(([0], [1], [5])).cuts(5)
