"""Batches of small graphs, against solves one by one."""

import itertools
from importlib.util import find_spec

import numpy as np
import pandas
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, OptionError
from boruvka.backends import Backend
from tests import validity
from tests.oracles import kruskal
from tests.strategies import graphs


def parts(forest):
    return forest.edges, forest.u, forest.v, forest.w


def assert_same_as_one_by_one(batch, graphs_of_batch):
    assert batch.offsets.size == len(graphs_of_batch) + 1
    for i, graph in enumerate(graphs_of_batch):
        edges, u, v, w = parts(batch[i])
        expected = kruskal(graph.n, graph.u, graph.v, graph.w)
        assert edges.tolist() == expected
        assert (u.tolist(), v.tolist()) == (graph.u[expected].tolist(), graph.v[expected].tolist())
        assert w.tolist() == graph.w[expected].tolist()
        assert batch.n_components[i] == graph.n - len(expected)
        if np.isfinite(w).all():
            assert batch.weight[i] == pytest.approx(sum(w.tolist()))


@given(st.lists(graphs(6, 12, [np.dtype("i4")]), max_size=5))
def test_lists_of_graphs(several):
    assert_same_as_one_by_one(boruvka.minimum_spanning_forests(several), several)


@given(st.lists(graphs(6, 12, [np.dtype("f4")]), min_size=1, max_size=5))
def test_edges_with_offsets(several):
    columns = tuple(np.concatenate([getattr(graph, c) for graph in several]) for c in "uvw")
    offsets = np.cumsum([0, *(graph.m for graph in several)])
    sizes = [int(max(g.u.max(), g.v.max())) + 1 if g.m else 0 for g in several]
    shrunk = [Graph(n, g.u, g.v, g.w) for n, g in zip(sizes, several, strict=True)]
    assert_same_as_one_by_one(boruvka.minimum_spanning_forests(columns, offsets), shrunk)


EXTREME = {
    "i1": [-128, 0, 127],
    "i8": [-(2**63), 2**53, 2**53 + 1, 2**63 - 1, 0],
    "u8": [0, 2**53 + 1, 2**53, 2**64 - 1, 2**63],
    "f2": [-1.5, 0.0, -0.0, np.inf],
    "f8": [0.1, 0.1 + 2**-56, 1e308, 5e-324, -0.0, 0.0],
    "g": [np.longdouble(1), np.longdouble(1) + np.finfo(np.longdouble).eps, np.longdouble(0.1)],
}


@st.composite
def any_graphs(draw):
    """Draw an object that `as_graph` takes; weights are hard to convert to another type."""
    kind = draw(st.sampled_from(list(EXTREME)))
    n = draw(st.integers(0, 5))
    m = draw(st.integers(0, 8)) if n else 0
    ends = draw(st.lists(st.tuples(*[st.integers(0, max(n - 1, 0))] * 2), min_size=m, max_size=m))
    weights = draw(st.lists(st.sampled_from(EXTREME[kind]), min_size=m, max_size=m))
    u, v, w = (
        np.array(ends, int).reshape(m, 2)[:, 0],
        np.array(ends, int).reshape(m, 2)[:, 1],
        np.array(weights, kind),
    )
    match draw(st.sampled_from(["graph", "sparse", "frame", "matrix"])):
        case "sparse" if kind not in ("f2", "g") and find_spec("scipy"):
            from scipy import sparse

            return sparse.coo_array((w, (u, v)), shape=(n, n))
        case "frame" if kind != "g":
            names = [f"v{x}" for x in range(n)]
            ends = [[names[x] for x in column] for column in (u, v)]
            return pandas.DataFrame({"source": ends[0], "target": ends[1], "weight": w})
        case "matrix" if kind != "g":
            a = np.zeros((n, n), kind)
            a[u, v] = w
            return Graph.from_dense(a, null_value=draw(st.sampled_from([None, 0])))
    return Graph(n, u, v, w)


@pytest.mark.filterwarnings("ignore:.*(entries of the matrix are|have the weight inf)")
@example([Graph(2, [0], [1], [2**53 + 1]), Graph(0, [], [], np.empty(0, np.uint64))], False)
@given(st.lists(any_graphs(), max_size=5), st.booleans())
def test_a_batch_of_mixed_graphs_is_solved_as_each(several, maximum):
    batch = boruvka.minimum_spanning_forests(several, maximum=maximum)
    expected = [boruvka.minimum_spanning_forest(graph, maximum=maximum) for graph in several]
    weights = batch.weight
    assert weights.size == len(several)
    for i, alone in enumerate(expected):
        edges, u, v, w = parts(batch[i])
        assert edges.tolist() == alone.edges.tolist()
        assert w.dtype == alone.w.dtype
        assert np.array_equal(w, alone.w)
        assert (u.tolist(), v.tolist()) == (alone.u.tolist(), alone.v.tolist())
        assert batch.n_components[i] == alone.n_components
        labels = Graph(alone.n, u, v, np.zeros(u.size))
        assert boruvka.minimum_spanning_forest(labels).labels.tolist() == alone.labels.tolist()
        assert weights[i] == alone.weight or (weights[i] != weights[i] and alone.weight != alone.weight)
        assert isinstance(weights[i].item() if hasattr(weights[i], "item") else weights[i], int | float)
    if len({graph.dtype for graph in (alone.graph for alone in expected) if graph.m}) == 1:
        assert batch.w.dtype.kind != "O"


def test_sums_of_a_batch_are_exact():
    large, small = ([0], [1], np.array([2**63], np.uint64)), ([0], [1], [-1])
    assert boruvka.minimum_spanning_forests([large, small]).weight.tolist() == [2**63, -1]
    assert boruvka.minimum_spanning_forests([([0], [1], [2**53 + 1]), ([0], [1], [0.5])]).weight.tolist() == [
        2**53 + 1,
        0.5,
    ]
    path = [0, 1], [1, 2], np.array([2**63 - 1] * 2)
    assert boruvka.minimum_spanning_forests([path]).weight.tolist() == [2**64 - 2]
    assert boruvka.minimum_spanning_forests([]).weight.size == 0


def test_graphs_are_numbered_as_in_lists():
    batch = boruvka.minimum_spanning_forests([([0], [1], [5]), ([0, 1], [1, 2], [3, 4])])
    assert batch[-1].w.tolist() == batch[1].w.tolist() == [3, 4]
    assert batch[-2].w.tolist() == batch[np.int64(0)].w.tolist() == [5]
    for wrong in 2, -3, 0.0, None:
        with pytest.raises(OptionError, match="i must be an integer from -2 to 1"):
            batch[wrong]
    with pytest.raises(OptionError, match="the batch has no graph"):
        boruvka.minimum_spanning_forests([])[0]


@given(st.integers(0, 2**32), st.booleans())
def test_constraints_number_all_edges(seed, is_mask):
    """Required and excluded edges of stacks, lists and tuples, against solves one by one."""
    rng = np.random.default_rng(seed)
    stack = rng.integers(0, 4, (3, 5, 5)).astype(float)
    stack = np.maximum(stack, stack.transpose(0, 2, 1))
    graphs = [Graph.from_dense(matrix) for matrix in stack]
    bounds = np.cumsum([0, *(graph.m for graph in graphs)])
    are_excluded, first = rng.random((5, 5)) < 0.2, [graph.u < graph.v for graph in graphs]
    excluded = np.concatenate([(are_excluded | are_excluded.T)[graph.u, graph.v] for graph in graphs])
    required = np.zeros(bounds[-1], bool)
    required[[int(rng.integers(a, b)) for a, b in itertools.pairwise(bounds) if a < b]] = True
    required &= ~excluded & np.concatenate(first)

    def given_as(mask):
        return mask if is_mask else np.flatnonzero(mask)

    how = {"required": given_as(required), "excluded": given_as(excluded)}
    columns = tuple(np.concatenate([getattr(graph, c) for graph in graphs]) for c in "uvw")
    batches = [
        boruvka.minimum_spanning_forests(stack, null_value=0, **how),
        boruvka.minimum_spanning_forests(graphs, **how),
        boruvka.minimum_spanning_forests(columns, bounds, **how),
    ]
    for i, graph in enumerate(graphs):
        own = {"required": required, "excluded": excluded}
        own = {name: mask[bounds[i] : bounds[i + 1]] for name, mask in own.items()}
        alone = boruvka.minimum_spanning_forest(graph, **own)
        for batch in batches:
            assert batch[i].edges.tolist() == alone.edges.tolist()
            assert batch[i].required.tolist() == alone.required.tolist()


def test_a_null_value_is_exact():
    x = 2**53
    stack = np.array([[[0, x + 1], [x + 1, 0]]])
    assert boruvka.minimum_spanning_forests(stack, null_value=float(x)).edges.size == 1
    assert boruvka.minimum_spanning_forests(stack, null_value=x + 1).edges.size == 0
    with pytest.raises(OptionError, match="null_value must be a number"):
        boruvka.minimum_spanning_forests(stack, null_value="0")
    for several, offsets in ([([0], [1], [5])], None), (([0], [1], [5]), [0, 1]):
        for how in {"null_value": 0}, {"names": "ab"}:
            with pytest.raises(OptionError, match="is for matrices of one size"):
                boruvka.minimum_spanning_forests(several, offsets, **how)


KINDS = ["i1", "u2", "i4", "u8", "f2", "f4", ">f8", "f8", "g"]


@given(st.integers(0, 2**32), st.sampled_from(KINDS), st.integers(0, 9), st.booleans(), st.booleans())
def test_stacked_matrices(seed, kind, n, maximum, has_gaps):
    """Against Kruskal's algorithm on the entries, and against `Graph.from_distances`."""
    rng = np.random.default_rng(seed)
    stack = rng.integers(0, 5, (4, n, n)).astype(kind)
    stack = stack + stack.transpose(0, 2, 1)
    if stack.dtype.kind == "f":
        stack *= 1 + rng.choice([0, 1], stack.shape) * np.finfo(stack.dtype).eps  # of (i, j) or of (j, i)
    null = 0 if has_gaps else None
    batch = boruvka.minimum_spanning_forests(stack, null_value=null, maximum=maximum)
    assert len(batch) == 4
    for forest, matrix in zip(batch, stack, strict=True):
        rows, columns = np.nonzero(~np.eye(n, dtype=bool) & ((matrix != 0) | (not has_gaps)))
        chosen = kruskal(n, rows, columns, matrix[rows, columns], maximum)
        assert forest.edges.tolist() == chosen
        assert (forest.u.tolist(), forest.v.tolist()) == (rows[chosen].tolist(), columns[chosen].tolist())
        assert forest.w.tolist() == matrix[rows, columns][chosen].tolist()
        assert forest.w.dtype == stack.dtype.newbyteorder("=")
        if not has_gaps:
            alone = boruvka.minimum_spanning_forest(Graph.from_distances(matrix), maximum=maximum)
            assert alone.edges.tolist() == chosen
    validity.valid_batch(batch, [forest.graph for forest in batch])


@given(st.integers(0, 2**32))
def test_rounding_is_taken_as_for_one_matrix(seed):
    """Equal series, whose correlations differ from 1 by rounding, on either side of the diagonal."""
    rng = np.random.default_rng(seed)
    series = rng.normal(size=(6, 30))
    series[3] = series[1] * 3
    with np.errstate(invalid="ignore"):
        matrix = np.sqrt(2 * np.abs(1 - np.corrcoef(series)))
    matrix[1, 3], matrix[3, 1] = rng.permutation([0, 2.1e-8])
    batch = boruvka.minimum_spanning_forests([matrix, matrix])
    alone = boruvka.minimum_spanning_forest(Graph.from_distances(matrix))
    assert batch[1].edges.tolist() == alone.edges.tolist()


def test_large_matrices_and_other_algorithms(monkeypatch):
    stack = random_stack(5, 7)
    expected = boruvka.minimum_spanning_forests(stack)
    by_sorting = boruvka.minimum_spanning_forests(stack, algorithm="kruskal")
    assert by_sorting.edges.tolist() == expected.edges.tolist()
    small = Backend.tuning._replace(whole_matrices_up_to=6)
    monkeypatch.setattr(Backend, "tuning", small)
    alone = boruvka.minimum_spanning_forests(stack, threads=1)
    for name in "edges", "u", "v", "w", "offsets", "n_components":
        assert getattr(alone, name).tolist() == getattr(expected, name).tolist()


def random_stack(k, n):
    values = np.random.default_rng(2).random((k, n, n))
    return values + values.transpose(0, 2, 1)


def test_frames_have_names_and_mappings_labels():
    stack, names = random_stack(3, 4), ["Wien", "Graz", "Linz", "Brno"]
    frames = [pandas.DataFrame(matrix, names, names) for matrix in stack]
    trees = [boruvka.minimum_spanning_forest(Graph.from_distances(frame)) for frame in frames]
    for batch in (
        boruvka.minimum_spanning_forests(frames),
        boruvka.minimum_spanning_forests(dict(zip("xyz", frames, strict=True))),
        boruvka.minimum_spanning_forests(stack, names=names),
        boruvka.minimum_spanning_forests({2021: frames[0], 2022: frames[1], 2020: frames[2]}),
        boruvka.minimum_spanning_forests([*frames[:2], frames[2].iloc[:, :]]),
    ):
        table = batch.to_pandas()
        for i, tree in enumerate(trees):
            assert batch[i].graph.names.tolist() == names
            assert batch[i].edges.tolist() == tree.edges.tolist()
            here = table[table["graph"] == batch.labels[i]].drop(columns="graph").reset_index(drop=True)
            pandas.testing.assert_frame_equal(here, tree.to_pandas(), check_dtype=False)
        assert batch[batch.labels[1]].weight == batch[1].weight == batch.summary()["weight"].iloc[1]
        assert repr(batch) == "ForestBatch(graphs=3, edges=9)"
    other = frames[2].iloc[::-1, ::-1]  # other labels, or labels in another order
    mixed = boruvka.minimum_spanning_forests([*frames[:2], other])
    assert mixed.survival[2] == boruvka.minimum_spanning_forests(frames).survival[2]


def test_frames_of_polars():
    polars = pytest.importorskip("polars")
    stack, names = random_stack(3, 4), ["Wien", "Graz", "Linz", "Brno"]
    expected = boruvka.minimum_spanning_forests(stack, names=names).to_pandas()
    frames = [polars.DataFrame({"": names, **dict(zip(names, matrix, strict=True))}) for matrix in stack]
    for batch in frames, [frame.drop("") for frame in frames], [frames[0].lazy(), *frames[1:]]:
        table = boruvka.minimum_spanning_forests(batch).to_polars()
        assert table.rows() == list(expected.itertuples(index=False, name=None))
        assert Graph.from_distances(batch[0]).names.tolist() == names
    edges = polars.DataFrame({"source": [0, 1], "target": [1, 2], "weight": [3, 4]})
    assert boruvka.minimum_spanning_forests([edges, edges]).weight.tolist() == [7, 7]


def test_survival_and_hubs():
    star, path = ([0, 0, 0], [1, 2, 3], [1, 1, 1]), ([1, 1, 3], [0, 2, 2], [1, 1, 1])
    batch = boruvka.minimum_spanning_forests([star, path, path, ([0], [0], [1])])
    assert batch.survival.tolist()[1:] == [1 / 3, 1, 0]
    summary = batch.summary()
    assert summary["degree"].tolist() == [3, 2, 2, 0]
    assert summary["hub"].tolist()[:2] == [0, 1]
    assert summary["components"].tolist() == [1, 1, 1, 1]
    assert summary["edges"].tolist() == [3, 3, 3, 0]
    assert summary["mean_weight"].tolist()[:3] == [1, 1, 1]
    assert np.isnan(batch.mean_weight[3])
    assert boruvka.minimum_spanning_forests([]).survival.size == 0


def test_a_batch_is_drawn():
    pytest.importorskip("matplotlib")
    for several in [random_stack(4, 5), dict(zip("abcd", random_stack(4, 5), strict=True))]:
        batch = boruvka.minimum_spanning_forests(several)
        weights, survival = batch.plot().figure.axes
        assert weights.lines[0].get_ydata().tolist() == (batch.weight / 4).tolist()
        assert survival.lines[0].get_ydata().tolist()[1:] == batch.survival.tolist()[1:]
        assert survival.get_xlabel() == "graph"
    pandas = pytest.importorskip("pandas")
    months = pandas.period_range("2024-03", periods=4, freq="M")
    weights = boruvka.minimum_spanning_forests(dict(zip(months, random_stack(4, 5), strict=True))).plot()
    ticks = weights.figure.axes[1].get_xticklabels()
    assert [tick.get_text() for tick in ticks] == ["2024-03", "2024-04", "2024-05", "2024-06"]
    with pytest.raises(GraphError, match="needs two forests"):
        batch[:1].plot()


@pytest.mark.parametrize(
    ("batch", "offsets", "error", "message"),
    [
        (np.zeros((2, 3, 4)), None, GraphError, r"the shape \(3, 4\); trees of points are found one by one"),
        (np.arange(8).reshape(2, 2, 2), None, GraphError, r"graphs\[0\]\[0, 1\] is 1, but .* is symmetric"),
        (([0], [1], [2]), [0, 2], GraphError, "offsets must ascend from 0 to 1"),
        (([0], [1], [2]), [0.0, 1.0], GraphTypeError, "offsets must be integers"),
        (([0], [1], [2]), None, GraphTypeError, "needs offsets"),
        ([([0], [1], [2])], [0, 1], GraphTypeError, "needs offsets"),
        (3, None, GraphTypeError, r"graphs are a \(k, n, n\) array"),
        ([Graph.from_points([[0], [1]])], None, GraphTypeError, r"points: write .*forest\(g\) for g in"),
        ([np.ones((3, 3))], None, GraphError, "a 3 x 3 array may be a matrix"),
        ([np.full((2, 2), np.nan)], None, GraphError, r"graphs\[0\]\[0, 1\] is NaN"),
        ("ab", None, GraphTypeError, r"graphs are a \(k, n, n\) array"),
        ((["a"], ["b"], [2]), [0, 1], GraphTypeError, "numbers from 0"),
    ],
)
def test_what_is_no_batch(batch, offsets, error, message):
    with pytest.raises((error, GraphTypeError), match=message):
        boruvka.minimum_spanning_forests(batch, offsets)


def test_no_graphs():
    assert boruvka.minimum_spanning_forests([]).offsets.tolist() == [0]
    assert boruvka.minimum_spanning_forests(np.empty((0, 3, 3))).edges.size == 0


@pytest.mark.parametrize("part", [slice(1, 3), slice(None, None, -1), slice(4, 9)])
def test_slices_are_batches(part):
    rng = np.random.default_rng(3)
    points = rng.normal(size=(4, 7, 2))
    matrices = np.linalg.norm(points[:, :, None] - points[:, None], axis=-1)
    batch = boruvka.minimum_spanning_forests(dict(zip("abcd", matrices, strict=True)))
    expected = boruvka.minimum_spanning_forests(list(matrices[part]))
    found = batch[part]
    assert found.labels == list("abcd")[part]
    assert found.edges.tolist() == expected.edges.tolist()
    assert np.array_equal(found.survival, expected.survival, equal_nan=True)
    assert [forest.weight for forest in found] == expected.weight.tolist() == found.weight.tolist()


@pytest.mark.needs("pandas", "polars")
def test_an_edge_has_one_orientation_in_all_graphs():
    """Columns of frames in several orders, edges of tuples in both directions."""
    pandas = pytest.importorskip("pandas")
    matrix = np.array([[0, 1, 4], [1, 0, 2], [4, 2, 0]])
    frame = pandas.DataFrame(matrix, list("xyz"), list("xyz"))
    order = list("zyx")
    batch = boruvka.minimum_spanning_forests([frame, frame.loc[order, order], frame])
    pairs = batch.to_pandas().groupby(["source", "target"]).size()
    assert pairs.to_dict() == {("x", "y"): 3, ("y", "z"): 3}
    assert batch.to_polars().group_by("source", "target").len().height == 2
    batch = boruvka.minimum_spanning_forests(([0, 1, 1, 2], [1, 2, 0, 1], [5, 1, 2, 7]), [0, 2, 4])
    assert batch.to_pandas()[["source", "target"]].to_numpy().tolist() == [[0, 1], [1, 2]] * 2


def test_unknown_arguments():
    message = "minimum_spanning_forests has no argument 'stride'; beside its own, it takes maximum, algorithm"
    with pytest.raises(OptionError, match=message):
        boruvka.minimum_spanning_forests(np.zeros((2, 3, 3)), stride=2)
