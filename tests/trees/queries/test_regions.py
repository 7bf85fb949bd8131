import functools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Forest, Graph, GraphError, GraphTypeError, GraphWarning, OptionError
from tests.oracles import components, numbered
from tests.strategies import graphs
from tests.trees.test_path_maxima import random_forest

minimum_spanning_forest = functools.partial(boruvka.minimum_spanning_forest, backend="interpreted")


def squared_deviations(labels, x):
    """Add up the squared deviations from the means of regions, exactly."""
    total = Fraction(0)
    for label in set(labels):
        for column in zip(*(row for row, own in zip(x, labels, strict=True) if own == label), strict=True):
            column = [Fraction(value) for value in column]
            mean = sum(column) / len(column)
            total += sum((value - mean) ** 2 for value in column)
    return total


def cut_greedily(forest, k, x, min_size, amounts=None, min_amount=0):
    """Try all edges for each cut; return the labels, or None if no cut is left."""
    kept = np.ones(len(forest), bool)
    labels = components(forest.n, forest.u, forest.v)
    for _ in range(forest.n_components, k):
        tried = []
        for i in np.flatnonzero(kept):
            kept[i] = False
            cut = components(forest.n, forest.u[kept], forest.v[kept])
            kept[i] = True
            both = labels.count(labels[forest.u[i]])
            one = cut.count(cut[forest.u[i]])
            held = np.bincount(cut, amounts)
            sides = held[cut[forest.u[i]]], held[cut[forest.v[i]]]
            if min(one, both - one) >= min_size and (amounts is None or min(sides) >= min_amount):
                tried.append((squared_deviations(cut, x), i, cut))
        if not tried:
            return None
        _, i, labels = min(tried)
        kept[i] = False
    return labels


@given(graphs(max_vertices=9, max_edges=20), st.integers(1, 3), st.integers(1, 2), st.data())
def test_regions_are_those_of_the_greedy_search(graph, min_size, columns, data):
    forest = minimum_spanning_forest(graph)
    k = data.draw(st.integers(forest.n_components, graph.n))
    # Distinct powers of three: no two cuts lower the deviations equally.
    values = data.draw(st.permutations([3.0**i for i in range(columns * graph.n)]))
    x = np.reshape(values, (graph.n, columns))
    amounts = data.draw(st.none() | st.lists(st.integers(0, 9), min_size=graph.n, max_size=graph.n))
    bounds = {"amounts": amounts, "min_amount": data.draw(st.integers(0, 12)) if amounts else 0}
    expected = cut_greedily(forest, k, x.tolist(), min_size, **bounds)
    if expected is None:
        with pytest.raises(OptionError, match=f"regions of at least {min_size} vertices.*, and k is {k}"):
            forest.regions(k, x, min_size=min_size, **bounds)
    else:
        labels = forest.regions(k, x, min_size=min_size, **bounds)
        assert labels.dtype == np.int64
        assert labels.tolist() == expected


@pytest.mark.parametrize("shape", ["path", "star", "random", "legs"])
def test_larger_forests(shape):
    generator = np.random.default_rng(7)
    u, v = random_forest(40, shape, generator)
    forest = Forest(Graph(40, u, v, np.ones(u.size)), np.arange(u.size))
    x = generator.random((40, 3)) + 1000
    k = forest.n_components + 4
    assert forest.regions(k, x).tolist() == cut_greedily(forest, k, x.tolist(), 1)


def test_regions_of_points():
    generator = np.random.default_rng(8)
    points = np.concatenate([generator.normal(centre, 0.1, (20, 2)) for centre in (0, 5, 10)])
    forest = boruvka.minimum_spanning_forest(Graph.from_points(points))
    assert forest.regions(3, points).tolist() == np.repeat([0, 1, 2], 20).tolist()


def test_equal_cuts_take_the_smallest_index():
    forest = minimum_spanning_forest(([2, 1, 0], [3, 2, 1], [1, 1, 1]))
    assert forest.regions(2, [7, 7, 7, 7]).tolist() == [0, 0, 0, 1]
    assert forest.regions(2, [0, 1, 0, 1]).tolist() == [0, 0, 0, 1]
    assert forest.regions(2, [7, 7, 7, 7], min_size=2).tolist() == [0, 0, 1, 1]


def test_ends_of_the_range():
    forest = minimum_spanning_forest(Graph(4, [0, 1], [1, 2], [5, 2]))
    assert forest.regions(2, [1, 2, 3, 4]).tolist() == forest.labels.tolist()
    assert forest.regions(4, [True, False, True, False]).tolist() == [0, 1, 2, 3]
    assert minimum_spanning_forest(Graph(0, [], [], [])).regions(0, []).tolist() == []


def test_large_and_small_attributes():
    forest = minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [1, 1, 1]))
    for x in ([0, 1, 5, 5], [1e308, 1.1e308, -1e308, -1.1e308], [1e9, 1e9 + 1e-3, 1e9 + 5e-3, 1e9 + 6e-3]):
        assert forest.regions(2, x).tolist() == [0, 0, 1, 1]
    assert forest.regions(2, np.array([0, 0, 1, 1]) * 5e-324).tolist() == [0, 0, 1, 1]


def test_errors():
    forest = minimum_spanning_forest(Graph(4, [0, 1], [1, 2], [5, 2]))
    with pytest.raises(OptionError, match="k must be an integer from 2 to 4, got 5"):
        forest.regions(5, [1, 2, 3, 4])
    with pytest.raises(OptionError, match="min_size must be an integer 1 or more, got 0"):
        forest.regions(3, [1, 2, 3, 4], min_size=0)
    with pytest.raises(OptionError, match="find only 2 regions of at least 2 vertices, and k is 3"):
        forest.regions(3, [1, 2, 3, 4], min_size=2)
    with pytest.raises(GraphError, match="attributes must have a value for each of the 4 vertices, got 3"):
        forest.regions(3, [1, 2, 3])
    with pytest.raises(GraphError, match=r"attributes of vertex 1 are not finite: \[2.0, nan\]"):
        forest.regions(3, [[1, 2], [2, np.nan], [3, 4], [5, 6]])
    with pytest.raises(GraphTypeError, match="attributes must be numbers"):
        forest.regions(3, ["a", "b", "c", "d"])


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "columns"),
    [
        ("mexicojoin.shp", [f"PCGDP{year}" for year in range(1950, 2010, 10)]),
        ("columbus.shp", ["HOVAL", "INC", "CRIME", "OPEN", "PLUMB", "DISCBD"]),
    ],
)
def test_regions_are_those_of_spopt(file, columns):
    """Compare on the areas and attributes of spopt's own examples, with squared distances."""
    pytest.importorskip("spopt")
    import geopandas
    import libpysal
    from sklearn.metrics import pairwise
    from spopt.region import Skater

    areas = geopandas.read_file(libpysal.examples.get_path(file))
    x = areas[columns].to_numpy()
    neighbours = libpysal.weights.Queen.from_dataframe(areas, use_index=True)

    def squared(a, b):
        return pairwise.euclidean_distances(a, b, squared=True)

    edges = np.array([(i, j) for i, found in neighbours.neighbors.items() for j in found if i < j])
    distances = squared(x, x)[edges[:, 0], edges[:, 1]]
    forest = boruvka.minimum_spanning_forest((*edges.T, distances))
    for k, min_size in ((2, 1), (5, 1), (15, 1), (4, 3)):
        theirs = Skater(
            areas, neighbours, columns, k, floor=min_size, spanning_forest_kwds={"dissimilarity": squared}
        )
        theirs.solve()
        assert forest.regions(k, x, min_size=min_size).tolist() == numbered(theirs.labels_)


def test_attributes_by_name():
    forest = minimum_spanning_forest([("b", "a", 1), ("c", "b", 8), ("d", "c", 1)])
    assert forest.graph.names.tolist() == ["b", "c", "d", "a"]
    attributes = {"a": 1, "b": 2, "c": 9, "d": 8}
    assert forest.regions(2, [2, 9, 8, 1]).tolist() == [0, 1, 1, 0]
    assert forest.regions(2, attributes).tolist() == [0, 1, 1, 0]
    pandas = pytest.importorskip("pandas")
    assert forest.regions(2, pandas.Series(attributes)).tolist() == [0, 1, 1, 0]
    assert forest.regions(2, pandas.DataFrame({"x": attributes, "y": attributes})).tolist() == [0, 1, 1, 0]
    with pytest.raises(GraphError, match="attributes has no value for the vertex 'd'"):
        forest.regions(2, {"a": 1, "b": 2, "c": 9})
    with pytest.warns(GraphWarning, match="attributes: rows have no names"):
        assert forest.regions(2, pandas.Series([2, 9, 8, 1])).tolist() == [0, 1, 1, 0]
    with pytest.raises(GraphError, match="attributes: the index has 3, which is no vertex"):
        forest.regions(2, pandas.Series([1, 8, 9, 2], index=[3, 2, 1, 0]))


AMOUNTS = [0, 1, 2**53 + 1, 2**62 + 3], [0.1, 0.7, 0.3, 1.0], [1e308, 5e307, 1.0, 1e-300]


@pytest.mark.parametrize("values", AMOUNTS, ids=["integers", "decimals", "large"])
@given(st.data())
def test_sums_of_amounts_are_exact_or_rounded_once(values, data):
    """A path is cut at the only place that leaves enough on both sides, or nowhere."""
    n = data.draw(st.integers(2, 9))
    amounts = data.draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))
    path = minimum_spanning_forest((np.arange(n - 1), np.arange(1, n), np.ones(n - 1)))
    cut = data.draw(st.integers(1, n - 1))
    sums = [sum(map(Fraction, part)) for part in (amounts[:cut], amounts[cut:])]
    rounded = int if isinstance(values[0], int) else _nearest
    least = rounded(min(sums)) + data.draw(st.integers(0, 1))
    is_possible = any(
        rounded(min(sum(map(Fraction, amounts[:i])), sum(map(Fraction, amounts[i:])))) >= least
        for i in range(1, n)
    )
    if least == np.inf:
        return
    try:
        labels = path.regions(2, np.arange(n), amounts=amounts, min_amount=least)
    except OptionError:
        assert not is_possible
    else:
        assert is_possible
        found = [sum(Fraction(a) for a, x in zip(amounts, labels, strict=True) if x == k) for k in (0, 1)]
        assert rounded(min(found)) >= least


def _nearest(x):
    try:
        return float(x)
    except OverflowError:
        return np.inf


def test_wrong_amounts():
    with pytest.raises(OptionError, match="min_amount is a bound of sums of amounts: give amounts"):
        boruvka.minimum_spanning_forest(([0, 1], [1, 2], [1, 2])).regions(2, [1, 2, 3], min_amount=1)
    forest = boruvka.minimum_spanning_forest(([0, 1], [1, 2], [1, 2]))
    for amounts, message in [
        ([1, 2], "amounts must have a value for each of the 3 vertices, got 2"),
        ([1, -1, 2], "the amount of vertex 1 is -1: "),
        ([1, 2, np.nan], "the amount of vertex 2 is nan"),
    ]:
        with pytest.raises(GraphError, match=message):
            forest.regions(2, [1, 2, 3], amounts=amounts)
    with pytest.raises(OptionError, match="only 1 regions of at least 1 vertices and the amount 4"):
        forest.regions(2, [1, 2, 3], amounts=[1, 1, 1], min_amount=4)
