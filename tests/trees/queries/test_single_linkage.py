import functools
import importlib
import io
import re
import warnings
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics.pairwise import haversine_distances

import boruvka
from boruvka import Graph, GraphError, GraphWarning, OptionError
from boruvka.trees import path_maxima
from boruvka.trees.queries import single_linkage
from tests.oracles import components, numbered
from tests.strategies import graphs

minimum_spanning_forest = functools.partial(boruvka.minimum_spanning_forest, backend="interpreted")
TYPES = [np.int8, np.uint8, np.int64, np.uint64, np.float16, np.float32, np.float64, np.longdouble]


def scipy_hierarchy():
    return importlib.import_module("scipy.cluster.hierarchy")


def complete(n, seed, distinct=True):
    """Draw distances between all pairs, as SciPy lists them and as a graph."""
    rng = np.random.default_rng(seed)
    pairs = n * (n - 1) // 2
    distances = rng.permutation(pairs) + 1.5 if distinct else rng.integers(0, 4, pairs).astype(float)
    u, v = np.triu_indices(n, 1)
    return distances, Graph(n, u, v, distances)


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("distinct", [True, False])
@pytest.mark.parametrize("n", [2, 3, 10, 40])
@pytest.mark.parametrize("seed", range(2))
def test_linkage_is_that_of_scipy(n, seed, distinct):
    distances, graph = complete(n, seed, distinct)
    hierarchy = scipy_hierarchy()
    ours, theirs = minimum_spanning_forest(graph).linkage(), hierarchy.linkage(distances, "single")
    assert ours.dtype == np.float64
    assert ours[-1, 3] == n
    assert hierarchy.is_valid_linkage(ours, throw=True)
    if distinct:
        np.testing.assert_array_equal(ours, theirs)
    else:  # SciPy breaks ties otherwise
        np.testing.assert_array_equal(hierarchy.cophenet(ours), hierarchy.cophenet(theirs))


def test_of_equal_weights_the_smaller_index_merges_first():
    forest = minimum_spanning_forest(([2, 0, 1], [3, 1, 2], [7, 7, 7]))
    assert forest.linkage().tolist() == [[2, 3, 7, 2], [0, 1, 7, 2], [4, 5, 7, 4]]
    assert forest.cut(2).tolist() == [0, 0, 1, 1]


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("order", ["chain", "star", "balanced"])
def test_linkage_of_many_vertices(order):
    n = 1 << 12
    child = np.arange(1, n)
    other = {"chain": child - 1, "star": 0 * child, "balanced": child & (child - 1)}[order]
    w = child if order != "balanced" else (child & -child).astype(np.uint32)
    tree = minimum_spanning_forest((other, child, w)).linkage()
    assert scipy_hierarchy().is_valid_linkage(tree, throw=True)
    assert tree[-1, 3] == n
    np.testing.assert_array_equal(tree[:, 2], np.sort(w))


@pytest.mark.needs("scipy")
def test_linkage_in_parts_on_two_threads(monkeypatch):
    distances, graph = complete(40, 5)
    monkeypatch.setattr(path_maxima, "UNIONS_AT_ONCE", 3)
    monkeypatch.setattr(single_linkage, "UNIONS_AT_ONCE", 3)
    monkeypatch.setattr(single_linkage, "processors", lambda: 2)
    ours = minimum_spanning_forest(graph).linkage()
    np.testing.assert_array_equal(ours, scipy_hierarchy().linkage(distances, "single"))


@pytest.mark.parametrize("dtype", TYPES)
def test_linkage_of_every_type(dtype):
    tree = minimum_spanning_forest(([0, 1, 2], [1, 2, 3], np.array([3, 0, 2], dtype))).linkage()
    assert tree.tolist() == [[1, 2, 0, 2], [3, 4, 2, 3], [0, 5, 3, 4]]


def test_heights_are_rounded_but_merges_are_not():
    tree = minimum_spanning_forest(([0, 1], [1, 2], np.array([2**60 + 1, 2**60]))).linkage()
    assert tree.tolist() == [[1, 2, 2.0**60, 2], [0, 3, 2.0**60, 3]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        huge = np.array([np.finfo(np.longdouble).max, 1])
        tree = minimum_spanning_forest(([0, 1], [1, 2], huge)).linkage()
    assert tree[:, 2].tolist() == [1, float(huge[0])]


def test_linkage_of_one_vertex():
    assert minimum_spanning_forest(Graph(1, [], [], [])).linkage().shape == (0, 4)


@pytest.mark.parametrize(
    ("forest", "message"),
    [
        (Graph(3, [0], [1], [5]), "needs one component, this forest has 2; connect .* cut or cut_at"),
        (Graph(0, [], [], []), "needs one component, this forest has 0"),
        (([0, 1], [1, 2], [-1, -2]), r"edge 1 \(1, 2\) has the weight -2"),
        (([0, 1], [1, 2], [0.0, -5e-324]), r"edge 1 \(1, 2\) has the weight -5e-324"),
        ([("a", "b", -1), ("b", "c", -2)], r"edge 1 \('b', 'c'\) has the weight -2"),
        (
            boruvka.Forest(Graph(4, [0, 1, 2], [1, 2, 0], [3, 9, 5]), np.arange(3), _is_optimal=False),
            "edge 1 of the forest closes a cycle",
        ),
        (
            boruvka.Forest(Graph(2, [0], [1], [5]), np.arange(1), True),
            "a maximum spanning forest has no linkage",
        ),
    ],
)
def test_what_has_no_linkage_matrix(forest, message):
    forest = forest if isinstance(forest, boruvka.Forest) else minimum_spanning_forest(forest)
    with pytest.raises(GraphError, match=message):
        forest.linkage()


def test_advice_on_maximum_forests_gives_the_same_edges():
    """Also where weights are equal: the order of edges of equal weight is that of their indices in both."""
    rng = np.random.default_rng(2)
    u, v = rng.integers(0, 40, (2, 300))
    w = rng.integers(0, 9, 300).astype(np.uint8)
    forest = minimum_spanning_forest(boruvka.as_graph((u, v, w), names=True), maximum=True)
    with pytest.raises(GraphError, match="write a column") as caught:
        forest.linkage()
    graph = eval(str(caught.value).partition("a graph g ")[2], {"boruvka": boruvka, "g": forest.graph})
    distances = minimum_spanning_forest(graph)
    assert distances.edges.tolist() == forest.edges.tolist()
    assert graph.names.tolist() == forest.graph.names.tolist()
    assert distances.linkage()[:, 2].tolist() == sorted(int(w.max()) - forest.w.astype(int))
    assert distances.cut(5).tolist() == forest.cut(5).tolist()


@pytest.mark.needs("networkx", "pandas")
@pytest.mark.parametrize("maximum", [False, True])
def test_merges_have_the_sizes_of_components(maximum):
    """Components of NetworkX before each edge, of a forest with several trees and equal weights."""
    networkx = pytest.importorskip("networkx")
    pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    u, v = rng.integers(0, 60, (2, 80))
    forest = minimum_spanning_forest((u, v, rng.integers(0, 9, 80), 60), maximum=maximum)
    graph, expected, sign = networkx.empty_graph(60), [], -1 if maximum else 1
    for weight, edge, a, b in sorted(zip(sign * forest.w, forest.edges, forest.u, forest.v, strict=True)):
        sizes = [len(networkx.node_connected_component(graph, x)) for x in (a, b)]
        expected.append((edge, a, b, sign * weight, *sizes))
        graph.add_edge(a, b)
    for least in 1, 3:
        rows = forest.merges(min_size=least).itertuples(index=False)
        assert list(map(tuple, rows)) == [row for row in expected if min(row[4:]) >= least]


def test_heights_in_another_unit_warn():
    forest = minimum_spanning_forest([("a", "b", 0.9), ("b", "c", 0.4)], maximum=True)
    for cut in lambda: forest.cut_at(80), lambda: forest.cuts([0, 80]):
        with pytest.warns(
            boruvka.GraphWarning, match=r"height 80 is above all weights, up to 0\.9, and none is"
        ):
            cut()
    with pytest.warns(boruvka.GraphWarning, match="height 0.003 is below all weights"):
        forest.cut_at(0.003)
    assert forest.cuts([0.003, 0.05]).n_clusters.tolist() == [1, 1]
    assert forest.cut_at(0.05).max() == 0
    with pytest.warns(boruvka.GraphWarning, match="height 2 is above all weights"):
        forest.cuts([0, 2])  # of 0,2 with a decimal comma
    assert forest.cut_at(2).tolist() == [0, 1, 2]
    assert forest.cut_at(1).tolist() == forest.cut_at(INFINITY).tolist() == [0, 1, 2]
    assert forest.cuts([0.8, 80]).n_clusters.tolist() == [2, 3]


INFINITY = float("inf")


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


@pytest.mark.filterwarnings("ignore:the height")
@given(graphs(), st.booleans(), st.data())
def test_cuts_are_components_of_the_graph_up_to_each_height(graph, maximum, data):
    weights = st.sampled_from(graph.w.tolist()) if graph.m else st.nothing()
    numbers = st.one_of(weights, st.integers(-2, 2), st.floats(allow_nan=False))
    heights = data.draw(st.lists(numbers, max_size=6))
    forest = minimum_spanning_forest(graph, maximum=maximum)
    expected = []
    for height in heights:
        with np.errstate(over="ignore"):  # floats of Python are rounded as weights are
            rounds = type(height) is float and graph.dtype.kind == "f"
            limit = graph.dtype.type(height) if rounds else height
        kept = [w >= limit if maximum else w <= limit for w in graph.w.tolist()]
        expected.append(components(graph.n, graph.u[kept], graph.v[kept]))
    check(forest.cuts(heights), heights, expected)
    assert [forest.cut_at(height).tolist() for height in heights] == expected


@given(graphs(), st.booleans(), st.data())
def test_a_cut_into_k_clusters_leaves_out_the_last_edges(graph, maximum, data):
    forest = minimum_spanning_forest(graph, maximum=maximum)
    k = data.draw(st.integers(forest.n_components, graph.n))
    w = forest.w.tolist() if forest.w.dtype.itemsize <= 8 else list(forest.w)
    order = sorted(range(len(forest)), key=lambda i: (-w[i] if maximum else w[i], forest.edges[i]))
    kept = order[: graph.n - k]
    labels = forest.cut(k)
    assert labels.dtype == np.int64
    assert labels.tolist() == components(graph.n, forest.u[kept], forest.v[kept])
    assert labels.max() + 1 == k


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("n", [2, 15, 60])
def test_cuts_are_those_of_scipy(n):
    distances, graph = complete(n, seed=n)
    hierarchy = scipy_hierarchy()
    forest, tree = minimum_spanning_forest(graph), hierarchy.linkage(distances, "single")
    for k in range(1, n + 1):
        assert forest.cut(k).tolist() == numbered(hierarchy.fcluster(tree, k, "maxclust"))
    heights = [tree[-1, 2], 0, *tree[:, 2], *(tree[:, 2] + 0.25), 1e9]
    check(forest.cuts(heights), heights, [numbered(hierarchy.fcluster(tree, h, "distance")) for h in heights])


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
    empty = minimum_spanning_forest(Graph(0, [], [], []))
    assert empty.cuts([1, 2]).labels.shape == (2, 0)
    assert empty.cut(0).tolist() == empty.cut_at(1).tolist() == []


@pytest.mark.parametrize(
    ("w", "height", "clusters"),
    [
        ([2**60, 2**60 + 1], float(2**60), 2),  # no float64 is between these weights
        (np.array([2.0**60, 2.0**60 + 256]), 2**60 + 255, 2),
        (np.array([0.1], np.float32), 0.1, 1),
        (np.array([0.1], np.float32), np.float64(0.1), 2),
        (np.array([6e4, INFINITY], np.float16), 7e4, 1),
        (np.array([0.1], np.float32), np.float32(0.1), 1),
        ([1, np.nextafter(np.longdouble(1), 2)], np.nextafter(np.longdouble(1), 2), 1),
        ([-INFINITY, 1e308, INFINITY], -INFINITY, 3),
        ([-INFINITY, 1e308, INFINITY], 10**400, 2),
        ([-INFINITY, 1e308, INFINITY], INFINITY, 1),
        *(
            (np.array([base, base + 1, base + 2], dtype), kind(base + k), 3 - k)
            for base, dtype in ((2**60, "i8"), (-(2**63), "i8"), (2**63 - 3, "i8"), (2**64 - 3, "u8"))
            for kind in (int, np.dtype(dtype).type)
            for k in range(3)
        ),
        (np.array([-(2**63), 0]), -(2**63) - 1, 3),
        (np.array([2**64 - 1], "u8"), 10**400, 1),
    ],
)
@pytest.mark.filterwarnings("ignore:the height 1000")
def test_weights_and_heights_are_compared_exactly(w, height, clusters):
    forest = minimum_spanning_forest((range(len(w)), range(1, len(w) + 1), np.array(w)))
    assert forest.cut_at(height).max() + 1 == clusters


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_heights_of_python_are_rounded_as_numpy_does(dtype):
    w = np.array([0.7, 0.9, 0.6, 0.3], dtype)
    for maximum in False, True:
        forest = minimum_spanning_forest((range(4), range(1, 5), w), maximum=maximum)
        for height in [0.3, 0.6, 0.7, 0.9, *map(np.float64, (0.3, 0.6, 0.7, 0.9)), *w]:
            kept = w >= height if maximum else w <= height
            assert forest.cuts([height]).n_clusters.tolist() == [5 - np.count_nonzero(kept)]
            assert forest.collapse_at(height).n == 5 - np.count_nonzero(kept)


@pytest.mark.parametrize("k", [-1, 0, 1, 5, 2**70, 2.0, "2", None])
def test_a_number_of_clusters_is_an_integer_in_its_range(k):
    forest = minimum_spanning_forest(Graph(4, [0, 1], [1, 2], [5, 2]))
    with pytest.raises(OptionError, match=f"k must be an integer from 2 to 4, got '?{k}"):
        forest.cut(k)
    assert forest.cut(2).tolist() == forest.labels.tolist() == [0, 0, 0, 1]
    assert forest.cut(np.int8(4)).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "height", [INFINITY - INFINITY, np.float32("nan"), np.longdouble("nan"), "2", None, 1j, [1]]
)
def test_a_height_is_a_number(height):
    forest = minimum_spanning_forest(([0], [1], [5]))
    for cut in (forest.cut_at, lambda h: forest.cuts([1, h])):
        is_text = isinstance(height, str)
        with pytest.raises(OptionError, match="2 without quotes" if is_text else "height must be a number, "):
            cut(height)


def test_heights_are_several():
    with pytest.raises(OptionError, match=r"an iterable of numbers, got '1deg': write \['1deg'\]$"):
        minimum_spanning_forest(([0], [1], [5])).clusters("1deg")
    with pytest.raises(
        OptionError,
        match=r"heights must be an iterable of numbers, got 5: write \[5\], or cut\(5\) or clusters\(k=5\)",
    ):
        minimum_spanning_forest(([0], [1], [5])).cuts(5)


CYCLIC = {
    "random edges": (200, np.random.default_rng(0).integers(0, 200, (2, 400)), range(400)),
    "parallel edges": (6, np.repeat([[0], [1]], 400, axis=1), range(400)),
    "an edge twice": (50, np.arange(98).reshape(2, 49) % 50, [0, *range(49)]),
}


@pytest.mark.parametrize("kind", CYCLIC)
@pytest.mark.parametrize(
    "query",
    [
        lambda forest: forest.cut(2),
        lambda forest: forest.cut_at(9),
        lambda forest: forest.cuts([0, 1, 5]).labels,
        lambda forest: forest.clusters([0, 1, 5]),
        lambda forest: forest.edge_rounds,
        lambda forest: forest.plot(by="round"),
        lambda forest: forest.animate(io.BytesIO(), format="gif"),
        lambda forest: forest.regions(3, np.arange(forest.n)),
        lambda forest: forest.update([(0, 1, 3)]),
        lambda forest: forest.rooted(),
        lambda forest: forest.to_newick(),
    ],
)
def test_edges_that_close_a_cycle(kind, query):
    n, (u, v), edges = CYCLIC[kind]
    graph = Graph(n, u, v, np.arange(u.size) % 9)
    forest = boruvka.Forest(graph, np.array(edges), _is_optimal=True)  # as if a solver were wrong
    with pytest.raises(GraphError, match=r"of the forest closes? a cycle|is in the forest twice"):
        query(forest)


@pytest.mark.parametrize("kind", CYCLIC)
def test_what_needs_no_tree(kind):
    n, (u, v), edges = CYCLIC[kind]
    forest = boruvka.Forest(Graph(n, u, v, np.arange(u.size) % 9), np.array(edges), _is_optimal=False)
    forest.plot(by="component").figure.clear()
    assert len(forest.to_nodes()) == n


def tips_of_newick(text):
    """Read trees of Newick: the distance between all pairs of tips, and the depth of each."""
    depths, pairs, levels, last = {}, {}, [[]], {}
    tokens = re.findall(r"'(?:[^']|'')*'|[(),;]|:[^(),;]+|[^(),;:\s]+", text)
    for token in tokens:
        if token == "(":
            levels.append([])
        elif token == ")":
            children = levels.pop()
            assert len(children) > 1
            for one, other in combinations(children, 2):
                pairs |= {frozenset((a, b)): one[a] + other[b] for a in one for b in other}
            last = {tip: depth for child in children for tip, depth in child.items()}
            levels[-1].append(last)
        elif token == ";":
            depths |= levels[0][0]
            levels = [[]]
        elif token.startswith(":"):
            for tip in levels[-1][-1]:
                levels[-1][-1][tip] += float(token[1:])
        elif token != ",":
            levels[-1].append({token.strip("'").replace("''", "'"): 0.0})
    return pairs, depths


@pytest.mark.needs("scipy")
@given(
    graph=graphs(max_vertices=12, max_edges=40, dtypes=[np.dtype(np.uint8)]),
    divisor=st.sampled_from([1, 3.0]),
)
def test_newick_of_linkage_has_the_distances_of_scipy(graph, divisor):
    """The path between two tips is their cophenetic distance, and tips are equally deep."""
    forest = minimum_spanning_forest(Graph(graph.n, graph.u, graph.v, graph.w / divisor))
    pairs, depths = tips_of_newick(forest.to_newick(linkage=True))
    assert sorted(map(int, depths)) == list(range(graph.n))
    if forest.n_components == 1 and graph.n > 1:
        expected = scipy_hierarchy().cophenet(forest.linkage())
        found = [pairs[frozenset(map(str, pair))] for pair in combinations(range(graph.n), 2)]
        assert len(found) == len(pairs)
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        np.testing.assert_allclose(list(depths.values()), expected.max() / 2, rtol=1e-12)
    else:
        labels = forest.labels
        assert {frozenset(map(int, pair)) for pair in pairs} == {
            frozenset(pair) for pair in combinations(range(graph.n), 2) if labels[pair[0]] == labels[pair[1]]
        }


def test_newick_of_linkage():
    forest = minimum_spanning_forest(([0, 1, 2, 3], [1, 2, 3, 4], [1, 1, 2, 2]))
    assert forest.to_newick(linkage=True) == "((0:0.5,1:0.5,2:0.5):0.5,3:1,4:1);\n"
    strains = Graph.from_profiles(
        [[1, 2], [1, 2], [1, 3], [4, 5]], names=["a b", "it's", "c", "d"], collapse=True
    )
    text = minimum_spanning_forest(strains).to_newick(linkage=True)
    assert text == "((('a b':0,'it''s':0):0.5,c:0.5):0.5,d:1);\n"
    for wrong in (
        minimum_spanning_forest(([0], [1], [-1])),
        minimum_spanning_forest(([0], [1], [1]), maximum=True),
    ):
        with pytest.raises(GraphError, match=r"no linkage matrix|needs distances"):
            wrong.to_newick(linkage=True)
    path = minimum_spanning_forest((np.arange(9999), np.arange(1, 10000), np.arange(9999)))
    assert path.to_newick(linkage=True).count("(") == 9999
    star = minimum_spanning_forest((np.zeros(9999, int), np.arange(1, 10000), np.ones(9999)))
    assert star.to_newick(linkage=True).count("(") == 1


def test_heights_that_are_angles():
    """Against SciPy; a warning tells of a number in another unit than the weights."""
    angles = np.random.default_rng(5).uniform(0, 8, (40, 2))
    forest = minimum_spanning_forest(Graph.from_points(angles, "haversine", degrees=True))
    condensed = squareform(haversine_distances(np.radians(angles)), checks=False)
    expected = fcluster(linkage(condensed, "single"), np.radians(0.75), "distance")
    heights = "0.75deg| .75 degrees|75e-2°|45arcmin|45'|45.0′|2700arcsec|2700\"|2700 ″"
    for height in heights.split("|"):
        labels = forest.cut_at(height)
        assert (labels[:, None] == labels).tolist() == (expected[:, None] == expected).tolist()
        assert forest.cuts([1, height]).labels[1].tolist() == labels.tolist()
        assert forest.collapse_at(height).n == labels.max() + 1
    names = ["vertex", "cluster_0_75deg", "cluster_30arcmin", "cluster_1"]
    assert list(forest.clusters(["0.75deg", "30'", 1])) == names
    with pytest.raises(OptionError, match="the height 45arcmin is there twice"):
        forest.clusters(["45'", "45 arcmin"])
    with pytest.warns(GraphWarning, match="1 is above all weights, .* weights are radians, write '1deg'"):
        forest.cut_at(1)
    kilometres = minimum_spanning_forest(Graph.from_points(angles, degrees=True))
    with pytest.warns(GraphWarning, match="is below all weights and none is among them: weights are km"):
        assert kilometres.cut_at(np.radians(0.1)).tolist() == list(range(40))
    assert kilometres.cut_at("45'").tolist() == labels.tolist()  # 6371.0088 km are a radian
    plane = minimum_spanning_forest(Graph.from_points(angles))
    for each, height in (plane, "1deg"), (forest, "1 rad"), (forest, "deg"), (forest, "1.2.3deg"):
        metric = "; the metric is euclidean$" if each is plane else "30arcsec$"
        with pytest.raises(OptionError, match=f"is not a height: .* an angle, as .*{metric}"):
            each.cut_at(height)
        with pytest.raises(OptionError, match=f"{height}' is not a height: write a number"):
            each.prune(longest=height)
    with pytest.raises(OptionError, match="'5' is not a height: write 5 without quotes"):
        plane.cut_at("5")
    with pytest.warns(GraphWarning, match="the height -1 is below all weights"):
        assert plane.cut_at(-1).tolist() == list(range(40))
