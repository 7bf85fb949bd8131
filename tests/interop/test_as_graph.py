"""Every object that holds a graph, typed as a user has it."""

import pickle
import re
import uuid
from copy import deepcopy
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import SimpleNamespace

import duckdb
import igraph
import networkx
import numpy as np
import pandas
import pytest
import rustworkx
from hypothesis import given
from hypothesis import strategies as st

import boruvka
import boruvka.stream
from boruvka import Graph, GraphError, GraphTypeError, GraphWarning, OptionError, as_graph
from boruvka.formats.edge_table import Options, ReadOptions
from boruvka.interop.as_graph import LIBRARIES, GraphOptions
from boruvka.trees.minimum_spanning import ForestOptions
from tests import oracles

from .graphs import minimum_spanning_forest

networkit = pytest.importorskip("networkit")
polars = pytest.importorskip("polars")

EDGES = [("a", "b", 3.5), ("b", "c", 0.0), ("c", "a", -2.0), ("d", "d", 1.0), ("e", "a", 7.0)]
TREE = {("a", "c", -2.0), ("a", "e", 7.0), ("b", "c", 0.0)}
"""The forest of these edges: a zero and a negative weight are weights."""


def named_edges(forest):
    ends = forest.graph.name_of(forest.u).tolist(), forest.graph.name_of(forest.v).tolist()
    return {(*sorted([a, b]), w) for a, b, w in zip(*ends, forest.w.tolist(), strict=True)}


def in_networkx(kind=networkx.Graph):
    g = kind()
    g.add_weighted_edges_from(EDGES)
    return g


FRAME = pandas.DataFrame(EDGES, columns=["source", "target", "weight"])
ARROW = polars.DataFrame(FRAME).to_arrow()
OBJECTS = {
    "NetworkX": in_networkx(),
    "multigraph": in_networkx(networkx.MultiGraph),
    "igraph": igraph.Graph.TupleList(EDGES, weights=True),
    "pandas": FRAME,
    "categories": FRAME.astype({"source": "category"}),
    "objects": FRAME.astype({"source": object, "target": object}),
    "polars": polars.DataFrame(FRAME),
    "polars categories": polars.DataFrame(FRAME).with_columns(polars.col("source").cast(polars.Categorical)),
    "lazy": polars.LazyFrame(FRAME),
    "Arrow": ARROW,
    "record batch": ARROW.to_batches()[0],
    "list": EDGES,
    "lists": [list(edge) for edge in EDGES],
    "dict": {a: {b: w} for a, b, w in EDGES},
    "dict of NetworkX": networkx.to_dict_of_dicts(in_networkx()),
    "arrays": tuple(np.array(column) for column in zip(*EDGES, strict=True)),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_names_go_in_and_come_out(name):
    forest = minimum_spanning_forest(OBJECTS[name])
    assert named_edges(forest) == TREE
    assert forest.n_components == 2
    assert set(forest.graph.names) == set("abcde")
    for frame in forest.to_pandas(), forest.to_polars().to_dicts(), forest.to_arrow().to_pylist():
        rows = frame.to_dict("records") if isinstance(frame, pandas.DataFrame) else frame
        assert {(*sorted([row["source"], row["target"]]), row["weight"]) for row in rows} == TREE
    back = forest.to_networkx()
    assert set(back) == set("abcde")
    assert {(*sorted([a, b]), w) for a, b, w in back.edges(data="weight")} == TREE
    back = forest.to_igraph()
    assert {(*sorted(back.vs[e.tuple]["name"]), e["weight"]) for e in back.es} == TREE
    assert boruvka.verify(OBJECTS[name], forest)


@pytest.mark.parametrize("make", [lambda: iter(EDGES), lambda: ARROW.to_reader()], ids=["edges", "batches"])
def test_what_is_read_once(make):
    assert named_edges(minimum_spanning_forest(make())) == TREE


def test_columns_of_a_reader_are_kept():
    assert minimum_spanning_forest(ARROW.to_reader()).to_pandas(columns=["weight"]).shape[0] == len(TREE)


def test_duckdb():
    relation = duckdb.from_arrow(ARROW)
    forest = minimum_spanning_forest(relation)
    assert named_edges(forest) == TREE
    for copied in pickle.loads(pickle.dumps(forest)), deepcopy(forest):
        assert named_edges(copied) == TREE
        assert copied.to_pandas(columns=["weight"]).equals(forest.to_pandas(columns=["weight"]))
    renamed = relation.project('source, target, weight AS "km ""x"""')
    assert named_edges(minimum_spanning_forest(as_graph(renamed, weight='km "x"'))) == TREE


NUMBERED = [("abcde".index(a), "abcde".index(b), w) for a, b, w in EDGES]
GUIDE = (Path(__file__).parents[2] / "docs" / "guide.md").read_text()


def in_rustworkx():
    g = rustworkx.PyGraph()
    g.add_nodes_from(list("abcde"))
    g.add_edges_from(NUMBERED)
    return g


def in_networkit():
    g = networkit.Graph(5, weighted=True)
    for a, b, w in NUMBERED:
        g.addEdge(a, b, w)
    return g


def in_graph_tool():
    """Stand in for a graph of a library that PyPI does not have."""
    values = {
        "__module__": "graph_tool",
        "ep": SimpleNamespace(weight="weight"),
        "get_edges": lambda self, properties: np.array(NUMBERED),
        "num_vertices": lambda self: 5,
    }
    return type("Graph", (), values)()


def in_pytorch_geometric():
    """Stand in for data of a library that is large."""
    u, v, w = map(np.array, zip(*NUMBERED, strict=True))
    values = {"edge_index": np.array([u, v]), "edge_weight": w, "num_nodes": 5}
    return type("Data", (), {"__module__": "torch_geometric.data.data", **values})()


@pytest.mark.parametrize("make", [in_rustworkx, in_networkit, in_graph_tool, in_pytorch_geometric])
def test_graphs_of_further_libraries_go_in_as_the_error_and_the_guide_say(make):
    g = make()
    with pytest.raises(GraphTypeError, match=r"for a graph g write boruvka\.as_graph") as caught:
        minimum_spanning_forest(g)
    line = str(caught.value).partition("write ")[2]
    assert f"| `{line}` |" in GUIDE
    forest = minimum_spanning_forest(eval(line, {"boruvka": boruvka, "g": g}))
    assert named_edges(minimum_spanning_forest(forest.graph.with_names("abcde"))) == TREE


def test_forests_go_back_to_further_libraries_as_the_guide_says():
    forest = minimum_spanning_forest(NUMBERED)
    used = {"forest": forest, "networkit": networkit, "g": rustworkx.PyGraph()}
    returned = {
        library: eval(re.search(rf"^\| {library} \|.*\| `(.*)` \|$", GUIDE, re.MULTILINE)[1], used)
        for library in ("rustworkx", "NetworKit")
    }
    assert returned["NetworKit"].totalEdgeWeight() == forest.weight
    assert sum(used["g"].edges()) == forest.weight


class Tensor:
    """A tensor as NumPy sees one of PyTorch."""

    __module__ = "torch"

    def __init__(self, values, layout="torch.strided"):
        self.values, self.layout = values, layout

    def __array__(self, *arguments, **options):
        return self.values

    def __dlpack__(self):
        raise NotImplementedError


def test_tensors_are_arrays():
    matrix = np.array([[0, 3.0, 1, 0], [3, 0, 2, 0], [1, 2, 0, 4], [0, 0, 4, 0]])
    assert minimum_spanning_forest(Tensor(matrix)).w.tolist() == [1, 2, 4]
    with pytest.raises(GraphError, match="a 3 x 3 array may be"):
        as_graph(Tensor(matrix[:3, :3]))
    with pytest.raises(GraphTypeError, match=r"a sparse tensor x .*\(\(x\.indices\(\), x\.values\(\)\)"):
        as_graph(Tensor(matrix, "torch.sparse_coo"))


@pytest.mark.filterwarnings("ignore:Sparse")
def test_torch():
    torch = pytest.importorskip("torch")
    matrix = torch.tensor([[0, 3.0, 1, 0], [3, 0, 2, 0], [1, 2, 0, 4], [0, 0, 4, 0]])
    for made in (
        matrix,
        matrix.clone().requires_grad_(),
        matrix.bfloat16(),
        matrix.to(torch.float8_e4m3fn),
        torch._neg_view(-matrix).resolve_neg(),
        matrix.T,
    ):
        forest = minimum_spanning_forest(made)
        assert (forest.n, forest.w.tolist(), forest.w.dtype) == (4, [1, 2, 4], np.float32)
    assert boruvka.verify(matrix, torch.tensor([1, 3, 6]))
    w = torch.tensor([3.0, 0.0, -1.0], requires_grad=True)
    assert minimum_spanning_forest((torch.tensor([0, 1, 0]), torch.tensor([1, 2, 2]), w)).edges.tolist() == [
        1,
        2,
    ]
    x = matrix.to_sparse_csr()
    with pytest.raises(GraphTypeError, match="a sparse tensor x"):
        as_graph(x)
    x = x.to_sparse_coo().coalesce()
    assert minimum_spanning_forest(as_graph((x.indices(), x.values()), n=len(x))).weight == 7
    with pytest.raises(GraphError, match=r"two rows of ends: \(edge_index, w\)"):
        as_graph(torch.tensor([[0, 1, 2, 0], [1, 2, 3, 3]]))
    with pytest.raises(GraphTypeError, match="the array cannot be read as an array: Cannot copy"):
        as_graph(matrix.to("meta"))
    with pytest.raises(GraphError, match="three rows of three"):
        as_graph([torch.tensor([0, 1, 2]), torch.tensor([1, 2, 0]), torch.ones(3, requires_grad=True)])


def test_an_edge_index_and_weights():
    edge_index, w = np.array([[0, 1, 0], [1, 2, 2]]), np.array([3, 0, -1])
    assert minimum_spanning_forest((edge_index, w)).edges.tolist() == [1, 2]
    assert minimum_spanning_forest((edge_index, w[:, None])).edges.tolist() == [1, 2]
    with pytest.raises(GraphTypeError, match=r"\(u, v, w, n\) or \(edge_index, w\)"):
        as_graph((edge_index.T, w))


def test_the_repr_shows_names():
    assert repr(as_graph([("a", "b", 3)])) == "Graph(n=2, m=1, weights=int64, names=['a', 'b'])"
    graph = as_graph([("a", "b", 3), ("b", "c", 3)])
    assert repr(graph) == "Graph(n=3, m=2, weights=int64, names=['a', 'b', ...])"


@pytest.mark.parametrize("names", [[("x", 1), ("y", 2)], [uuid.UUID(int=1), uuid.UUID(int=2)], ["-", "ü"]])
def test_anything_that_is_hashable_is_a_name(names):
    forest = minimum_spanning_forest([(*names, 1), (*names[::-1], 0)])
    assert forest.graph.names.tolist() == names
    assert set(forest.to_networkx().edges) == {tuple(names)}


LARGE = st.integers(0, 2**64 - 1)


@given(st.lists(st.tuples(LARGE, LARGE, st.integers(-3, 3)), max_size=12))
def test_large_integers_are_names_if_wanted(edges):
    forest = minimum_spanning_forest(as_graph(edges, names=True))
    first = list(dict.fromkeys([u for u, _, _ in edges] + [v for _, v, _ in edges]))
    assert forest.graph.names.tolist() == first
    ends = [np.array([first.index(edge[k]) for edge in edges], int) for k in (0, 1)]
    weights = np.array([w for _, _, w in edges])
    assert forest.edges.tolist() == oracles.kruskal(len(first), *ends, weights)


def test_strings_with_the_same_hash_are_told_apart(monkeypatch):
    same = lambda column: polars.Series([7] * len(column), dtype=polars.UInt64)  # noqa: E731
    monkeypatch.setattr(polars.Series, "hash", same)
    assert named_edges(minimum_spanning_forest(polars.DataFrame(FRAME))) == TREE


def test_an_array_of_edges():
    edges = np.array([[0, 1, 5.0], [1, 2, 3], [0, 2, 1], [2, 3, 0]])
    assert minimum_spanning_forest(edges).edges.tolist() == [1, 2, 3]
    for rows in edges.astype(int), edges.astype(int).tolist():
        assert minimum_spanning_forest(rows).w.dtype == np.int64
    assert as_graph([(0, 1, 2), (1, 2, 3.5)]).w.tolist() == [2.0, 3.5]


A = np.array([[0, 2.0], [2.0, 0]])


GAPS_IN_ROWS = r"Graph\.from_dense\(x, missing='drop'\)"


@pytest.mark.parametrize(
    ("graph", "error", "message"),
    [
        (np.ones((3, 3)), GraphError, r"a 3 x 3 array may be .*from_dense.*from_edges"),
        (np.ones((3, 3)).tolist(), GraphError, "three rows of three may be"),
        (np.ones((2, 5)), GraphError, r"square matrix of weights, or has three columns u, v, w.*\(2, 5\)"),
        (np.ones(6), GraphError, "distances as pdist returns them: Graph.from_distances"),
        (np.ones((6, 2)), GraphError, "points: Graph.from_points"),
        (np.ones((4, 4)).tolist(), GraphError, r"rows of a matrix are boruvka.Graph.from_dense\(x\)"),
        ([(0, 1), (1, 2)], GraphError, r"edge 0 is \(0, 1\): .* without weights, give each the weight 1"),
        ([(0, 1, 2), 5], GraphTypeError, "edge 1 is 5"),
        ([(0, 1, 2), ()], GraphError, "edge 1 is ()"),
        ([np.arange(4)] * 3, GraphError, r"edge 0 is .* three columns are a tuple, \(u, v, w\)"),
        (["abc"], GraphTypeError, "edge 0 is 'abc'"),
        ("roads.csv", GraphTypeError, "cannot make a graph of str: .* a file is read by boruvka.read"),
        (None, GraphTypeError, "cannot make a graph of NoneType"),
        ((1, 2), GraphTypeError, r"two rows in edge_index; this one has 2 items"),
        ("A B 4\nB C 5", GraphTypeError, r"a text x by boruvka\.read\(io\.BytesIO\(x\.encode\(\)\)\)"),
        ({("a", "b"): 4}, GraphTypeError, r"\[\(u, v, w\) for \(u, v\), w in x\.items\(\)\]"),
        ((("a", "b", 7), ("b", "c", 2), ("a", "c", 3)), GraphTypeError, r"write list\(x\)"),
        ((("a", "b", 7), ("b", "c", 2), ("a", "c", 3), ("a", "d", 1)), GraphTypeError, r"write list\(x\)"),
        ({"a": [("b", 4), ("c", 8)]}, GraphTypeError, r"write \{v: dict\(pairs\) for v, pairs in x\.items"),
        ({(0, 1): [(1, 1)], (1, 1): []}, GraphTypeError, r"without weights, write \{v: dict\.fromkeys"),
        (pandas.DataFrame({"edge": ["A-B"], "cost": [4]}), OptionError, r"of 'A-B' with ends\.split"),
        ({"a": ["b", "c"]}, GraphTypeError, r"write \{v: dict\.fromkeys\(others, 1\) for v, others in x"),
        ([("a", "b", "4")], GraphTypeError, r"convert texts to numbers, as float\(w\), column.astype"),
        (
            [(4, "a", "b")],
            GraphTypeError,
            r"edge 0 is .*: if its .* first, write \[\(u, v, w\) for w, u, v in x\]",
        ),
        (
            {"A-B": 2, "B - C": 3},
            GraphTypeError,
            r"write \[\(\*ends.split\('-'\), w\) for ends, w in x.items\(\)\]",
        ),
        ({"AB": 2, "BC": 3}, GraphTypeError, r"write \[\(u, v, w\) for \(u, v\), w in x.items\(\)\]"),
        ([("a", "b", "4,5")], GraphTypeError, "write all numbers with a decimal point"),
        (FRAME.assign(weight="4 km"), GraphTypeError, "'4 km': .*write all numbers with a decimal point"),
        (
            [["a", "b", "4"], ["b", "c", "5"], ["a", "c", "2"]],
            GraphTypeError,
            r"numbers, as float\(w\)",
        ),
        *(
            ([[0, 2, gap, 1], [2, 0, 3, gap], [gap, 3, 0, 4], [1, gap, 4, 0]], GraphError, GAPS_IN_ROWS)
            for gap in (None, "-", "")
        ),
        ([[None, 1, 2], [1, None, 3], [2, 3, None]], GraphError, GAPS_IN_ROWS),
        ([[0], [7, 0], [0, 8, 0]], GraphError, r"edge 0 is \[0\]: .*rows of a matrix"),
        (
            [{"u": "a", "v": "b", "w": 4}],
            GraphTypeError,
            r"dicts boruvka\.as_graph\(pandas\.DataFrame\(x\)\)",
        ),
        ({"a": 3}, GraphTypeError, r"\{vertex: \{neighbour: weight\}\}; the value of 'a' is int"),
        ({"a": {"b": {}}}, GraphError, r"edge 0 \('a', 'b'\) has no 'weight'"),
        ([("a", None, 1)], GraphError, r"v\[0\] is missing"),
        ([("a", ["b"], 1)], GraphTypeError, r"v\[0\] = \['b'\] cannot name a vertex: not hashable"),
        (FRAME.assign(source=["a", None, "b", "c", "d"]), GraphError, r"u\[1\] is missing"),
        (networkx.path_graph(3), GraphError, r"edge 0 \(0, 1\) has no attribute 'weight'.*default="),
        (np.where(A == 0, np.nan, A)[[0, 0]], GraphError, r"missing=.drop. to Graph.from_distances"),
    ],
)
def test_what_cannot_be_taken_says_what_to_write(graph, error, message):
    with pytest.raises(error, match=message):
        boruvka.minimum_spanning_forest(graph)


@pytest.mark.needs("scipy")
def test_sparse_arrays_are_square():
    from scipy import sparse

    with pytest.raises(GraphError, match="square"):
        boruvka.minimum_spanning_forest(sparse.eye(3, format="csr")[:2])


def test_frames_of_unknown_libraries_are_no_lists_of_edges():
    class Frame:
        columns = ("source", "target", "weight")

        def __iter__(self):
            return iter(self.columns)

    with pytest.raises(GraphTypeError, match=r"Frame: convert it to a frame of pandas .* frame.compute\(\)"):
        boruvka.minimum_spanning_forest(Frame())


def test_options():
    with pytest.raises(OptionError, match="list has no option 'weight' here; it takes names, n"):
        as_graph(EDGES, weight="w")
    with pytest.raises(OptionError, match=r"pass the graph boruvka.Graph.from_distances\(matrix, corr"):
        boruvka.minimum_spanning_forest(np.eye(4), correlations=True)
    with pytest.raises(OptionError, match="Graph has no option 'names' here"):
        as_graph(Graph(1, [], [], []), names=True)
    with pytest.raises(OptionError, match="leave out n"):
        Graph.from_edges(["a"], ["b"], [1], n=5)
    with pytest.raises(GraphError, match="one name for each of the 2 vertices, got 3"):
        Graph(2, [0], [1], [1]).with_names("abc")
    with pytest.raises(GraphError, match="have 1 and 2 entries"):
        Graph.from_edges(["a"], ["b", "c"], [1, 2])


@pytest.mark.filterwarnings("ignore::boruvka.GraphWarning")
def test_too_many_vertices_are_a_hint_at_names(monkeypatch):
    def fail(*arguments, **options):
        raise MemoryError("cannot allocate")

    monkeypatch.setattr("boruvka.backends.primitives.Backend.sort", fail)
    ids = np.array([10**12, 5])
    with pytest.raises(MemoryError, match=r"1,000,000,000,001 vertices but 2 edges: names=True"):
        boruvka.minimum_spanning_forest((ids, ids[::-1], [1, 2]), backend="interpreted")


# Distances


def all_distances(points):
    points = np.array(points, float)
    return np.linalg.norm(points[:, None] - points, axis=2)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=12))
def test_distances_in_both_forms_have_zeros(points):
    square = all_distances(points)
    u, v = np.triu_indices(len(points), 1)
    condensed = square[u, v]
    expected = oracles.kruskal(len(points), u, v, condensed)
    for distances in condensed, square:
        forest = boruvka.minimum_spanning_forest(Graph.from_distances(distances), backend="interpreted")
        heights = np.sort(condensed[expected])
        np.testing.assert_allclose(np.sort(forest.w), heights)
        np.testing.assert_allclose(forest.linkage()[:, 2], heights)
    assert minimum_spanning_forest(Graph.from_distances(condensed)).edges.tolist() == expected


def test_zero_distances_raise_a_warning():
    points = np.array([[0.0, 0], [0, 0], [1, 1], [5, 5], [6, 7]])
    distances = all_distances(points)
    with pytest.warns(GraphWarning, match=r"2 entries .* Graph.from_distances") as seen:
        boruvka.minimum_spanning_forest(distances)
    assert seen[0].filename == __file__
    boruvka.minimum_spanning_forest(all_distances(points[1:]))
    boruvka.minimum_spanning_forest(np.triu(distances))


def test_condensed_distances_of_nothing():
    assert Graph.from_distances([]).n == 1
    assert Graph.from_distances(np.empty((0, 0))).n == 0


def test_ids_that_seem_to_begin_at_1(tmp_path):
    edges, path = [(1, 2, 3), (2, 3, 3), (1, 3, 4)], tmp_path / "a.csv"
    path.write_text("".join(f"{u},{v},{w}\n" for u, v, w in [*edges, (1, 2, 4)]))
    frame = pandas.DataFrame([*edges, (3, 4, 1)], columns=["u", "v", "w"])
    columns = tuple(map(np.array, zip(*edges, strict=True)))
    array = np.array([*edges, (3, 4, 1)])
    for graph in edges, list(map(list, [*edges, (3, 4, 1)])), columns, array, frame:
        with pytest.warns(
            boruvka.GraphWarning, match=r"vertex 0 has no edge.*as_graph\(edges, names=True"
        ) as warned:
            boruvka.minimum_spanning_forest(graph)
        assert len(warned) == 1
        assert 0 not in boruvka.as_graph(graph, names=True).names
        n = 1 + max(3, *np.ravel(boruvka.as_graph(graph, names=True).names).tolist())
        assert boruvka.as_graph(graph, n=n).n == n
    with pytest.warns(boruvka.GraphWarning, match="vertices 1 to 3 have: .*pass one_based=True"):
        boruvka.read(path)
    assert boruvka.read(path, one_based=True).n == 3
    assert boruvka.read(path, one_based=False).n == boruvka.read(path, n=4).n == 4
    for graph in (
        [(0, 2, 1)],
        [(0, 1, 2), (1, 2, 1), (4, 5, 2)],
        [("a", "b", 3)],
        [],
    ):  # names, nothing
        boruvka.as_graph(graph)
    for graph in [(10, 20, 5), (20, 30, 1), (10, 30, 9)], [(1, 2, 5), (2, 3, 1), (1, 5, 9)], [(0, 9, 1)]:
        n, count = 1 + max(v for _, v, _ in graph), len({x for u, v, _ in graph for x in (u, v)})
        with pytest.warns(boruvka.GraphWarning, match=f"only {count} of {n} vertices have an edge"):
            boruvka.as_graph(graph)
        assert boruvka.as_graph(graph, n=n).n == n


def test_inf_may_mean_no_edge(tmp_path):
    inf = np.inf
    matrix = np.array([[0, 2, inf, inf], [2, 0, inf, inf], [inf, inf, 0, 1], [inf, inf, 1, 0]])
    with pytest.warns(
        boruvka.GraphWarning, match=r"edges of the forest \(1\) .*from_dense\(a, null_value=numpy.inf\)"
    ):
        boruvka.minimum_spanning_forest(matrix)
    graph = boruvka.Graph.from_dense(matrix, null_value=np.inf)
    assert boruvka.minimum_spanning_forest(graph).weight == 3
    matrix[0, 3] = matrix[3, 0] = 4
    assert boruvka.minimum_spanning_forest(matrix).weight == 7
    path = tmp_path / "a.txt"
    np.savetxt(path, matrix, "%g")
    with pytest.warns(boruvka.GraphWarning, match="(inf is read as no number|read as a matrix)"):
        assert boruvka.read(path).m == 3


def test_names_that_differ_by_blanks():
    frame = pandas.DataFrame([("A", "B", 1), ("B ", "C", 2), (" D", "A", 3)], columns=["u", "v", "w"])
    with pytest.warns(boruvka.GraphWarning, match="^'B' and 'B ' are two vertices") as warned:
        assert boruvka.as_graph(frame).n == 5
    assert len(warned) == 1


@pytest.mark.parametrize("other", ["Op\u00e9ra ", "Ope\u0301ra", "op\u00e9ra", " ope\u0301ra\xa0"])
def test_names_that_are_alike_at_every_entrance(other, tmp_path):
    """Names are compared, and never merged."""
    edges, path = [("Op\u00e9ra", "B", 1), (other, "B", 2), (" C", "B", 3)], tmp_path / "a.parquet"
    g = networkx.Graph()
    g.add_weighted_edges_from(edges)
    boruvka.write(boruvka.Graph.from_edges(*zip(*edges, strict=True)), path)
    ways = [
        *((boruvka.as_graph, x) for x in (edges, g, tuple(map(list, zip(*edges, strict=True))))),
        *((boruvka.as_graph, {u: {v: w} for u, v, w in edges}), (boruvka.read, path)),
        (boruvka.minimum_spanning_forest(edges[:1]).update, edges[1:]),
        (boruvka.stream.minimum_spanning_forest, path),
        (
            lambda names: boruvka.minimum_spanning_forests(1 - np.eye(4)[None], names=names)[0],
            ["Op\u00e9ra", other, "B", "C"],
        ),
        (boruvka.stream.minimum_spanning_forest, pandas.DataFrame(edges, columns=["u", "v", "w"])),
    ]
    for make, source in ways:
        with pytest.warns(boruvka.GraphWarning, match="differ by blanks, case or the form") as warned:
            found = make(source)
        assert (getattr(found, "graph", found).n, len(warned)) == (4, 1)
    boruvka.as_graph([("A", "B", 1), (("a",), "a b", 1), ("b\0c", "d", 1), (1, "1", 3)])


def test_type_checkers_know_the_options_of_all_conversions():
    modules = (import_module(f"boruvka.interop.{name}") for name in set(LIBRARIES.values()))
    takes = {name for module in modules for name in list(signature(module.graph_from).parameters)[1:]}
    assert set(GraphOptions.__annotations__) == takes | {"columns"}
    assert set(ForestOptions.__annotations__) | {"graph", "graph_options"} == {
        *signature(boruvka.minimum_spanning_forest).parameters
    }
    assert {*ReadOptions.__annotations__} == {*Options._fields, "source", "target", "weight"}
