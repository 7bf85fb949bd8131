"""Chains of updates: answers of the result and of its graph are those of a solve from nothing."""

import copy
import io
import pickle
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
import boruvka.stream
from boruvka import Graph, GraphError
from boruvka.formats.registry import FORMATS
from boruvka.graph.derived_graphs import MaskedGraph
from tests.oracles import components, kruskal
from tests.strategies import SLOW, graphs, values_of

TYPES = [np.dtype(name) for name in ("i8", "u1", "f8", "f4", "f2", "g")]
SMALL = [np.dtype("i4"), np.dtype("f8")]


class Model:
    """All edges that there ever were, and which of them are removed or required."""

    def __init__(self, graph, maximum=False):
        self.n, self.u, self.v, self.w = graph.n, graph.u, graph.v, graph.w
        self.gone, self.required, self.maximum = set(), [], maximum

    @property
    def kept(self):
        return np.array([i for i in range(self.w.size) if i not in self.gone], np.int64)

    def add(self, n, u, v, w):
        self.n = max(self.n, n)
        self.u, self.v, self.w = (np.concatenate(pair) for pair in ((self.u, u), (self.v, v), (self.w, w)))

    def edges(self):
        """Kruskal's algorithm on what is left, required edges first."""
        rest = np.setdiff1d(self.kept, self.required)
        weights = self.w[rest].tolist() if self.w.dtype.itemsize <= 8 else list(self.w[rest])
        order = sorted(range(rest.size), key=lambda k: (-weights[k] if self.maximum else weights[k], k))
        listed = np.array([*self.required, *rest[order]], np.int64)
        return sorted(
            int(listed[k]) for k in kruskal(self.n, self.u[listed], self.v[listed], np.arange(listed.size))
        )

    def graph(self):
        """The graph of what is left, with other indices: those of `kept`."""
        kept = self.kept
        return Graph(self.n, self.u[kept], self.v[kept], self.w[kept])


def updated(data, forest, model, most):
    """Update a forest a few times."""
    for _ in range(data.draw(st.integers(1, most))):
        free = np.setdiff1d(model.kept, model.required).tolist()
        removed = data.draw(st.lists(st.sampled_from(free), max_size=4, unique=True)) if free else []
        how = data.draw(st.sampled_from(["add", "remove", "both"]))
        given = {}
        if how != "add":
            given["removed"] = removed
            model.gone |= set(removed)
        new = None
        if how != "remove":
            n = data.draw(st.integers(1, model.n + 1))
            ends = st.lists(st.integers(0, n - 1), min_size=3, max_size=3)
            u, v = (np.array(data.draw(ends), np.uint32) for _ in "uv")
            w = np.array(data.draw(st.lists(values_of(model.w.dtype), min_size=3, max_size=3)), model.w.dtype)
            new = u, v, w, n
            model.add(n, u, v, w)
        forest = forest.update(new, **given)
    return forest


def start(data, types, **solving):
    graph = data.draw(graphs(8, 16, types))
    maximum = data.draw(st.booleans())
    return boruvka.minimum_spanning_forest(graph, maximum=maximum, **solving), Model(graph, maximum)


@given(st.data())
def test_chains_of_twenty_updates_are_solves(data):
    forest, model = start(data, TYPES)
    for _ in range(data.draw(st.integers(1, 20))):
        forest = updated(data, forest, model, 1)
        if data.draw(st.integers(0, 4)) == 0:
            forest = data.draw(st.sampled_from([copy.copy, copy.deepcopy, _pickled]))(forest)
        expected = model.edges()
        assert forest.edges.tolist() == expected
        again = boruvka.minimum_spanning_forest(forest.graph, maximum=model.maximum)
        assert again.edges.tolist() == expected
    assert forest.removed.tolist() == sorted(model.gone)
    assert boruvka.verify(forest.graph, forest)
    assert boruvka.verify((model.u, model.v, model.w, model.n), forest)
    some = np.random.default_rng(0).permutation(model.w.size)[:5]
    for part in forest.graph.take(some), (column[some] for column in (forest.graph.u, forest.graph.v)):
        for edge, a, b in zip(some.tolist(), *list(part)[:2], strict=True):
            assert (a, b) == (model.u[edge], model.u[edge] if edge in model.gone else model.v[edge])


def _pickled(forest):
    return pickle.loads(pickle.dumps(forest))


@given(st.data())
def test_constraints_are_kept(data):
    graph = data.draw(graphs(8, 16, [np.dtype("i4")]))
    some = st.lists(st.integers(0, max(graph.m - 1, 0)), max_size=4 * bool(graph.m), unique=True)
    model = Model(graph, data.draw(st.booleans()))
    wanted = data.draw(some)
    listed = np.array(wanted, np.int64)
    model.required = sorted(wanted[k] for k in kruskal(graph.n, graph.u[listed], graph.v[listed], listed))
    model.gone = set(data.draw(some)) - set(model.required)
    how = {"required": model.required, "excluded": sorted(model.gone), "maximum": model.maximum}
    forest = boruvka.minimum_spanning_forest(graph, **how)
    assert forest.edges.tolist() == model.edges()
    forest = updated(data, forest, model, 4)
    assert forest.edges.tolist() == model.edges()
    assert (forest.required.tolist(), forest.removed.tolist()) == (model.required, sorted(model.gone))
    if model.required:
        with pytest.raises(GraphError, match="which the forest was required to have"):
            forest.update(removed=model.required[:1])
        with pytest.raises(GraphError, match="forests without required edges"):
            forest.sensitivity()


@SLOW
@given(st.data())
def test_queries_do_not_know_removed_edges(data):
    forest, model = start(data, SMALL)
    forest = updated(data, forest, model, 4)
    kept, plain = model.kept, boruvka.minimum_spanning_forest(model.graph(), maximum=model.maximum)
    assert kept[plain.edges].tolist() == forest.edges.tolist()
    assert (forest.weight, forest.n, forest.n_components) == (plain.weight, plain.n, plain.n_components)
    assert forest.labels.tolist() == plain.labels.tolist() == components(model.n, plain.u, plain.v)
    for name in "u", "v", "w", "edge_rounds":
        assert getattr(forest, name).tolist() == getattr(plain, name).tolist()
    assert np.flatnonzero(forest.edge_mask).tolist() == forest.edges.tolist()
    pairs = np.arange(model.n)[:, None], np.arange(model.n)
    edges, weights = forest.bottleneck(*pairs)
    expected, heights = plain.bottleneck(*pairs)
    assert edges.tolist() == np.where(expected < 0, -1, np.append(kept, -1)[expected]).tolist()
    assert weights.filled(0).tolist() == heights.filled(0).tolist()
    a, b = data.draw(st.integers(0, model.n - 1)), data.draw(st.integers(0, model.n - 1))
    if plain.labels[a] == plain.labels[b]:
        assert forest.path(a, b).tolist() == kept[plain.path(a, b)].tolist()
    k = data.draw(st.integers(plain.n_components, model.n))
    assert forest.cut(k).tolist() == plain.cut(k).tolist()
    height = plain.w.max(initial=0)
    assert forest.cut_at(height).tolist() == plain.cut_at(height).tolist()
    assert forest.regions(k, np.arange(model.n)).tolist() == plain.regions(k, np.arange(model.n)).tolist()
    assert forest.rooted(a).parent.tolist() == plain.rooted(a).parent.tolist()
    assert forest.to_newick() == plain.to_newick()
    if find_spec("scipy"):
        assert (forest.to_scipy() != plain.to_scipy()).nnz == 0
    found, sure = forest.sensitivity(), plain.sensitivity()
    assert (
        found.rival[kept].tolist() == np.where(sure.rival < 0, -1, np.append(kept, -1)[sure.rival]).tolist()
    )
    assert found.slack[kept].tolist() == sure.slack.tolist()
    assert np.flatnonzero(found.in_every).tolist() == kept[sure.in_every].tolist()
    assert np.flatnonzero(found.in_some).tolist() == kept[sure.in_some].tolist()


@SLOW
@given(st.data())
def test_other_trees_of_the_graph_do_not_know_removed_edges(data):
    forest, model = start(data, [np.dtype("i4")])
    forest = updated(data, forest, model, 3)
    kept, graph, plain = model.kept, forest.graph, model.graph()
    for algorithm in "boruvka", "filter-boruvka", "kruskal", "block-boruvka", "sequential", "prim":
        how = {"algorithm": algorithm, "maximum": model.maximum, "backend": "threads"}
        assert boruvka.minimum_spanning_forest(graph, **how).edges.tolist() == forest.edges.tolist()
    streamed = boruvka.stream.minimum_spanning_forest([(graph.u, graph.v, graph.w)], maximum=model.maximum)
    assert streamed.edges.tolist() == forest.edges.tolist()
    for one, other in zip(
        boruvka.edge_disjoint_forests(graph, 3), boruvka.edge_disjoint_forests(plain, 3), strict=True
    ):
        assert one.edges.tolist() == kept[other.edges].tolist()
        assert boruvka.verify(one.graph, one)
    tree = boruvka.random_spanning_tree(graph, seed=1)
    assert set(tree.edges.tolist()) <= set(kept.tolist())
    assert len(tree) == len(forest)
    distances = Graph(plain.n, plain.u, plain.v, np.abs(plain.w.astype(float)))
    full = Graph(model.n, model.u, model.v, np.abs(model.w.astype(float)))
    masked = MaskedGraph(full, np.array(sorted(model.gone), np.int64))
    found = Graph.from_mutual_reachability(masked, 2)
    assert found.w[kept].tolist() == Graph.from_mutual_reachability(distances, 2).w.tolist()
    assert found.removed.tolist() == sorted(model.gone)


WRITERS = [one.name for one in FORMATS if one.codec.write and one.name not in ("geopackage", "geojson")]
GROUPED = "metis", "matrix", "graphml", "gexf", "gml", "matrix-market"
"""Formats that order edges otherwise, or have one for each pair."""


@pytest.mark.filterwarnings("ignore:(vertex 0 has no edge|.*entries of the matrix are)")
@pytest.mark.parametrize("format", WRITERS)
@SLOW
@given(st.data())
def test_files_of_the_graph_do_not_have_removed_edges(format, data):
    graph = data.draw(graphs(7, 12, [np.dtype("i4")]))
    graph = Graph(graph.n, graph.u, graph.v, np.abs(graph.w % 1000) + 1)
    model = Model(graph)
    forest = boruvka.minimum_spanning_forest(graph)
    removed = data.draw(
        st.lists(st.integers(0, max(graph.m - 1, 0)), max_size=6 * bool(graph.m), unique=True)
    )
    model.gone = set(removed)
    forest = forest.update(removed=removed)
    kept, files = model.graph(), []
    for one in forest.graph, kept:
        file = io.BytesIO()
        try:
            boruvka.write(one, file, format=format)
        except boruvka.FormatError as error:
            files.append(str(error))
        else:
            files.append(file.getvalue())
    if isinstance(files[1], str) or format not in ("npz", "parquet"):
        assert files[0] == files[1]
    if isinstance(files[0], bytes):
        read = boruvka.read(io.BytesIO(files[0]), format=format)
        assert boruvka.minimum_spanning_forest(read).weight == forest.weight
        if format not in GROUPED:
            assert (read.n, read.m) == (kept.n, kept.m)
            for column in "uvw":
                assert getattr(read, column).tolist() == getattr(kept, column).tolist()


def test_frames_and_maps_keep_their_rows():
    pandas, geopandas, shapely = (pytest.importorskip(name) for name in ("pandas", "geopandas", "shapely"))
    roads = pandas.DataFrame(
        {"from": list("abca"), "to": list("bcad"), "km": [1, 2, 3, 9]}, index=list("wxyz")
    )
    forest = boruvka.minimum_spanning_forest(boruvka.as_graph(roads, weight="km")).update(removed=[0])
    assert forest.to_pandas().index.tolist() == list("xyz")
    assert forest.graph.compacted().names.tolist() == list("abcd")
    left = boruvka.minimum_spanning_forest(forest.graph.compacted())
    assert left.to_pandas().index.tolist() == list("xyz")
    lines = [shapely.LineString(ends) for ends in ([(0, 0), (1, 0)], [(1, 0), (1, 1)], [(0, 0), (1, 1)])]
    streets = geopandas.GeoDataFrame({"name": list("abc")}, geometry=lines)
    forest = boruvka.minimum_spanning_forest(boruvka.as_graph(streets)).update(removed=[0])
    assert forest.to_geopandas()["name"].tolist() == ["b", "c"]
    file = io.BytesIO()
    boruvka.write(forest.graph, file, format="geojson")
    assert geopandas.read_file(io.BytesIO(file.getvalue()))["name"].tolist() == ["b", "c"]


def test_coordinates_are_kept():
    graph = boruvka.generators.grid(2, 3)
    forest = boruvka.minimum_spanning_forest(graph).update([(5, 6, 1)], removed=[0])
    assert forest.graph.coordinates[:6].tolist() == graph.coordinates.tolist()
    assert np.isnan(forest.graph.coordinates[6]).all()
    more = Graph(8, [6], [7], [1]).with_coordinates(np.arange(16).reshape(8, 2))
    assert forest.update(more).graph.coordinates[7].tolist() == [14, 15]
    named = graph.with_names("abcdef")
    new = Graph.from_edges(["f", "g"], ["g", "h"], [1, 1]).with_coordinates([[9, 9], [5, 6], [7, 8]])
    found = boruvka.minimum_spanning_forest(named).update(new).graph
    assert found.names.tolist() == list("abcdefgh")
    assert found.coordinates.tolist() == [*graph.coordinates.tolist(), [5, 6], [7, 8]]
